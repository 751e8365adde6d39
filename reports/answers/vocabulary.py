"""Answer of the `words` command: the words of the rule language, one row each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from combinat.enumeration.experiment import example_deals, parse_deal
from combinat.language.checks import WITHOUT_ROLE
from combinat.requests.words import words_of_deal
from combinat.results.words import WordEntry
from reports.page.model import Column, Document, Table

_ROLE_HINT = "Prefix a word with a role and a dot to apply it to that role's cards"
_DEFAULT_DEAL = "player:2, up:1"
_RULE_KINDS = ("fact", "number")


def vocabulary_document(entries: Sequence[WordEntry], deal: str | None = None) -> Document:
    """Return the words of one deal with their roles, or those of all deals."""
    columns = (Column("Word"), Column("Kind"), Column("Meaning"))
    if deal is None:
        examples = [
            f"{name} ({deals[0]})" if name != str(deals[0]) else name for name, deals in example_deals().items()
        ]
        rows = tuple((entry.word, entry.kind, entry.meaning, ", ".join(entry.deals)) for entry in entries)
        return Document(
            title="The words of a rule",
            subtitle=f"{_ROLE_HINT}: player.suited",
            tables=(Table((*columns, Column("Deals")), rows),),
            notes=(
                *_notes(list(words_of_deal(parse_deal(_DEFAULT_DEAL)))),
                f"Deals are {', '.join(examples)}; --deal shows the words of one and the roles they apply to.",
            ),
        )
    with_role = [
        f"{role}.{entry.word}"
        for entry in entries
        for role in entry.roles
        if role != WITHOUT_ROLE and entry.kind in _RULE_KINDS
    ]
    return Document(
        title=f"The words of a rule about the deal {parse_deal(deal)}",
        subtitle=f"{_ROLE_HINT}: {with_role[0]}" if with_role else "",
        tables=(
            Table(
                (*columns, Column("Applies to")),
                tuple((entry.word, entry.kind, entry.meaning, ", ".join(entry.roles)) for entry in entries),
            ),
        ),
        notes=tuple(_notes(entries)),
    )


def _notes(entries: Sequence[WordEntry]) -> Iterator[str]:
    """Yield notes on how to combine words, with examples for the deal."""
    numbers = {entry.word: _with_role(entry) for entry in entries if entry.kind == "number" and "(" not in entry.word}
    best = [_with_role(entry) for entry in entries if entry.kind == "best cards"]
    yield "Combine facts with and, or, not and parentheses."
    if numbers:
        compared = next((word for word in ("total", "points") if word in numbers), next(iter(numbers)))
        values = "(19, 20)" if compared == "total" else "(2, 3)"
        yield f"Compare numbers with ==, !=, <, <=, > and >=, or list them: {numbers[compared]} in {values}."
    if "high" in numbers and "low" in numbers:
        yield f"Add and subtract numbers: {numbers['high']} - {numbers['low']} == 2."
    if best:
        yield f"Test the best cards of a larger hand: {best[0]}.flush."
    phrases = {entry.word: _with_role(entry) for entry in entries if " " in entry.word and entry.kind in _RULE_KINDS}
    if phrases:
        phrase = phrases.get("three of a kind", next(iter(phrases.values())))
        yield f"Write phrases with spaces or underscores: {phrase}, {phrase.replace(' ', '_')}."


def _with_role(entry: WordEntry) -> str:
    """Return a word prefixed with the first role that it can refer to."""
    group = entry.roles[0]
    return entry.word if group == WITHOUT_ROLE else f"{group}.{entry.word}"
