"""The words of the rule language as a reader looks them up."""

from __future__ import annotations

from typing import Any

from combinat.language.deal import Deal
from combinat.language.words import CALLS, KINDS, REFERENCES, WORDS
from reports.page.model import Column, Document, Table


def _entries(deal: Deal | None) -> list[tuple[str, str, str]]:
    """Give each word with its part of speech and meaning: those of a deal, or those that every deal knows."""
    vocabulary = deal.vocabulary if deal else WORDS
    facts = [(word.name, "fact", word.meaning) for word in vocabulary.facts.values()]
    ranks = [("A-K-Q", "fact", "the cards have just these ranks, in any order")]
    numbers = [(word.name, "number", word.meaning) for word in vocabulary.numbers.values()]
    calls = [(f"{name}(...)", "number" if name == "count" else "fact", text) for name, text in CALLS.items()]
    kinds = [("7", "kind of card", "any card of that rank"), ("7d", "kind of card", "that very card, also written 7♦")]
    kinds += [(name, "kind of card", text) for name, (_, text) in KINDS.items()]
    kinds += [(f"up.{name}" if name else "up", "kind of card", text) for name, text in REFERENCES.items()]
    return [*facts, *ranks, *numbers, *calls, *kinds]


def vocabulary_document(deal: Deal | None = None) -> Document:
    """List the words with their meanings."""
    columns = (Column("Word"), Column("Kind"), Column("Meaning"))
    return Document(
        title=f"The words of a rule about the deal {deal}" if deal else "The words of a rule",
        subtitle="Put a role and a dot before a word to say it of that role's cards: player.suited",
        tables=(Table(columns, tuple(_entries(deal))),),
        notes=(
            "Facts are joined by and, or, not and brackets.",
            "Numbers are compared by ==, !=, <, <=, > and >=, or listed: total in (19, 20).",
            "Numbers may be added and subtracted: player.high - player.low == 2.",
            "Phrases may be written with spaces or underscores: three of a kind, three_of_a_kind.",
        ),
    )


def vocabulary_payload(deal: Deal | None = None) -> list[dict[str, Any]]:
    """Give the words with their meanings."""
    return [{"word": word, "kind": kind, "meaning": meaning} for word, kind, meaning in _entries(deal)]
