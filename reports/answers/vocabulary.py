"""The words of the rule language as a reader looks them up."""

from __future__ import annotations

from typing import Any

from combinat.language.deal import Deal
from combinat.language.poker import MEANINGS, SIZES
from combinat.language.word import Places, Word
from combinat.language.words import CALLS, KINDS, REFERENCES, WORDS
from reports.page.model import Column, Document, Table


def _entries(deal: Deal | None) -> list[tuple[str, str, str]]:
    """Give each word with its part of speech and meaning: those of a deal, or those that every deal knows."""
    vocabulary = deal.vocabulary if deal else WORDS
    facts = [(word.name, "fact", word.meaning) for word in vocabulary.facts.values() if _goes_with(word, deal)]
    facts += [(name, "best cards", meaning) for name, meaning in MEANINGS.items() if _has_best(name, deal)]
    ranks = [("A-K-Q", "fact", "the cards have just these ranks, in any order")]
    numbers = [(word.name, "number", word.meaning) for word in vocabulary.numbers.values() if _goes_with(word, deal)]
    calls = [(f"{name}(...)", "number" if name == "count" else "fact", text) for name, text in CALLS.items()]
    kinds = [("7", "kind of card", "any card of that rank"), ("7d", "kind of card", "that very card, also written 7♦")]
    kinds += [(name, "kind of card", text) for name, (_, text) in KINDS.items()]
    kinds += [(f"up.{name}" if name else "up", "kind of card", text) for name, text in REFERENCES.items()]
    return [*facts, *ranks, *numbers, *calls, *kinds]


def _goes_with(word: Word, deal: Deal | None) -> bool:
    """Whether a word can be said of some cards of a deal."""
    least, most = word.sizes
    return deal is None or any(
        deal.most_cards(places) >= least and deal.least_cards(places) <= most for places in _spoken_of(deal)
    )


def _has_best(name: str, deal: Deal | None) -> bool:
    """Whether it can be asked what the best so many cards of a deal make."""
    size = SIZES[name.split()[-1]]
    return deal is None or (deal.ranks_hands and any(deal.least_cards(places) >= size for places in _spoken_of(deal)))


def _spoken_of(deal: Deal) -> list[Places]:
    return [*deal.groups.values(), *([deal.everybody] if deal.everybody else [])]


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
            "The best of more cards are asked for a hand: best five.full house, player.best three.pair.",
            "Phrases may be written with spaces or underscores: three of a kind, three_of_a_kind.",
        ),
    )


def vocabulary_payload(deal: Deal | None = None) -> list[dict[str, Any]]:
    """Give the words with their meanings."""
    return [{"word": word, "kind": kind, "meaning": meaning} for word, kind, meaning in _entries(deal)]
