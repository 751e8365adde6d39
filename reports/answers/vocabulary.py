"""The words of the rule language: the deals they apply to and the roles they can refer to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from combinat.enumeration.experiment import example_deals, parse_deal
from combinat.language.checks import (
    WITHOUT_ROLE,
    groups_for_best,
    groups_for_count,
    groups_for_match,
    groups_for_rank_list,
    groups_for_word,
    list_lengths,
    single_roles,
)
from combinat.language.deal import Deal
from combinat.language.poker import MEANINGS, SIZES
from combinat.language.words import CALLS, KINDS, REFERENCES, Kind
from reports.page.model import Column, Document, Table

_WITH_ROLE = "Put a role and a dot before a word to say it of that role's cards"
_USUAL_DEAL = "player:2, up:1"
_RANKS = ("A", "K", "Q", "J", "10", "9", "8")
_RANK_LIST = "A-K-Q"
_SAID = ("fact", "number")
_SEVEN = frozenset({7})


class _Entry(Struct, frozen=True):
    """A word with its kind, its meaning and the roles that it can refer to."""

    word: str
    kind: str
    meaning: str
    said_of: tuple[str, ...]


def _entries(deal: Deal) -> Iterator[_Entry]:
    """Yield each word that a rule about `deal` can use."""
    vocabulary = deal.vocabulary
    entries = [
        _Entry(word.name, "fact", word.meaning, groups_for_word(word, deal)) for word in vocabulary.facts.values()
    ]
    for name, meaning in MEANINGS.items():
        prefix, size = name.split()
        entries.append(_Entry(name, f"{prefix} cards", meaning, groups_for_best(SIZES[size], deal)))
    for length in list_lengths(deal):
        ranks = "-".join(_RANKS[:length])
        entries.append(
            _Entry(ranks, "fact", "the cards have just these ranks, in any order", groups_for_rank_list(deal, length))
        )
    entries += [
        _Entry(word.name, "number", word.meaning, groups_for_word(word, deal)) for word in vocabulary.numbers.values()
    ]
    rank, card = Kind(ranks=_SEVEN), Kind(ranks=_SEVEN, suits=frozenset({1}))
    for name, text in CALLS.items():
        entries.append(
            _Entry(f"{name}(...)", "number" if name == "count" else "fact", text, groups_for_count(rank, deal))
        )
    entries.append(_Entry("7", "kind of card", "any card of that rank", groups_for_count(rank, deal)))
    entries.append(_Entry("7d", "kind of card", "that very card", groups_for_count(card, deal)))
    entries += [
        _Entry(name, "kind of card", text, groups_for_count(kind, deal)) for name, (kind, text) in KINDS.items()
    ]
    for field, text in REFERENCES.items():
        for role in single_roles(deal):
            entries.append(
                _Entry(f"{role}.{field}" if field else role, "kind of card", text, groups_for_match(role, field, deal))
            )
    return (entry for entry in entries if entry.said_of)


def _all_entries() -> list[tuple[_Entry, list[str]]]:
    """Return the words of all deals, each with the experiments that it applies to."""
    by_key: dict[tuple[str, str, str], tuple[_Entry, list[str]]] = {}
    for name, deals in example_deals().items():
        for entry in (entry for deal in deals for entry in _entries(deal)):
            if entry.word.startswith(_RANK_LIST[:2]):
                entry = replace(entry, word=_RANK_LIST)  # one list represents all lengths
            _, deal_names = by_key.setdefault((entry.word, entry.kind, entry.meaning), (entry, []))
            if name not in deal_names:
                deal_names.append(name)
    return list(by_key.values())


def vocabulary_document(deal: Deal | None = None) -> Document:
    """Return the words with their meanings and the deals or roles that they apply to."""
    columns = (Column("Word"), Column("Kind"), Column("Meaning"))
    if deal is None:
        examples = [
            f"{name} ({deals[0]})" if name != str(deals[0]) else name for name, deals in example_deals().items()
        ]
        rows = tuple(
            (entry.word, entry.kind, entry.meaning, ", ".join(deal_names)) for entry, deal_names in _all_entries()
        )
        return Document(
            title="The words of a rule",
            subtitle=f"{_WITH_ROLE}: player.suited",
            tables=(Table((*columns, Column("Goes with deals")), rows),),
            notes=(
                *_notes(list(_entries(parse_deal(_USUAL_DEAL)))),
                f"Deals are {', '.join(examples)}; --deal shows the words of one, and of whose cards each is said.",
            ),
        )
    entries = list(_entries(deal))
    with_role = [
        f"{role}.{entry.word}"
        for entry in entries
        for role in entry.said_of
        if role != WITHOUT_ROLE and entry.kind in _SAID
    ]
    return Document(
        title=f"The words of a rule about the deal {deal}",
        subtitle=f"{_WITH_ROLE}: {with_role[0]}" if with_role else "",
        tables=(
            Table(
                (*columns, Column("Said")),
                tuple((entry.word, entry.kind, entry.meaning, ", ".join(entry.said_of)) for entry in entries),
            ),
        ),
        notes=tuple(_notes(entries)),
    )


def _notes(entries: list[_Entry]) -> Iterator[str]:
    """Yield notes on how to combine words, with examples for the deal."""
    numbers = {entry.word: _with_role(entry) for entry in entries if entry.kind == "number" and "(" not in entry.word}
    best = [_with_role(entry) for entry in entries if entry.kind == "best cards"]
    yield "Facts are joined by and, or, not and brackets."
    if numbers:
        compared = next((word for word in ("total", "points") if word in numbers), next(iter(numbers)))
        values = "(19, 20)" if compared == "total" else "(2, 3)"
        yield f"Numbers are compared by ==, !=, <, <=, > and >=, or listed: {numbers[compared]} in {values}."
    if "high" in numbers and "low" in numbers:
        yield f"Numbers may be added and subtracted: {numbers['high']} - {numbers['low']} == 2."
    if best:
        yield f"The best of more cards are asked for a hand: {best[0]}.flush."
    phrases = {entry.word: _with_role(entry) for entry in entries if " " in entry.word and entry.kind in _SAID}
    if phrases:
        phrase = phrases.get("three of a kind", next(iter(phrases.values())))
        yield f"Phrases may be written with spaces or underscores: {phrase}, {phrase.replace(' ', '_')}."


def _with_role(entry: _Entry) -> str:
    """Return a word prefixed with the first role that it can refer to."""
    group = entry.said_of[0]
    return entry.word if group == WITHOUT_ROLE else f"{group}.{entry.word}"


def vocabulary_payload(deal: Deal | None = None) -> list[dict[str, Any]]:
    """Return the words with their meanings and deals or roles as data."""
    if deal is None:
        return [_payload(entry) | {"deals": deal_names} for entry, deal_names in _all_entries()]
    return [_payload(entry) | {"said_of": list(entry.said_of)} for entry in _entries(deal)]


def _payload(entry: _Entry) -> dict[str, Any]:
    return {"word": entry.word, "kind": entry.kind, "meaning": entry.meaning}
