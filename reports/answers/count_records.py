"""Counts as one table of lines, whatever their number: triggers, depths, places of the cut card and figures of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from combinat.advantage.bound import Bound
from combinat.exact.span import Span
from reports.answers.bound import bound_figures
from reports.answers.counts import Answer, count_figures
from reports.page.figures import column
from reports.page.model import Cell, Column, Document, Formula, Hand, Style, Styled, Table, Value
from reports.page.numerals import BOUNDS, exact
from reports.page.reading import number, root
from reports.tables.flags import flags
from reports.tables.headings import conditions

COLUMNS = (
    Column("Paytable"),
    Column("Decks", Style.COUNT),
    Column("Given"),
    Column("Basis"),
    Column("Kind"),
    Column("Name"),
    Column("Trigger", Style.COUNT),
    Column("Cards seen", Style.COUNT),
    Column("Cut card", Style.COUNT),
    Column("Bets", Style.DECIMAL),
    Column("Average edge", Style.PERCENT),
    Column("Won per 100 rounds", Style.DECIMAL),
    Column("Won per shoe", Style.DECIMAL),
    column("standard_deviation"),
    Column("Desirability", Style.ODDS),
    Column("Value", Style.DECIMAL),
)
_WORTH = ("frequency", "edge", "won_per_100_rounds", "won_per_shoe", "standard_deviation", "desirability")


class Recorded(Struct, frozen=True):
    """What lines tell of a count that JSON has in another form, so that it can be sent."""

    given: str
    figures: tuple[tuple[str, str | int | None, str, str], ...]
    """Of each its label, its value as JSON carries it, its style, and its basis if that is another than the count's."""
    flags: tuple[str, ...]

    @classmethod
    def of(cls, answer: Answer) -> Recorded:
        """Note what lines tell of a count."""
        figures = tuple((one.label, _sent(one.value), one.style.value, one.basis) for one in count_figures(answer))
        one = answer.played.study
        return cls(conditions(one.analysis), figures, flags(one))


def count_records(rows: Sequence[tuple[Recorded, dict[str, Any], Bound | None]]) -> Document:
    """Lay counts out line by line, each from what JSON has of it and what was sampled of its bound."""
    lines = tuple(
        (payload["paytable"], payload["decks"], recorded.given, basis or payload["basis"], *line)
        for recorded, payload, bound in rows
        for basis, *line in (*_worths(payload), *_told(recorded, bound))
    )
    return Document("", tables=(Table(COLUMNS, lines, keys=2),))


def _worths(payload: dict[str, Any]) -> Iterator[tuple[Cell, ...]]:
    """Give a line for every trigger, the best one again, and those for depths and places of the cut card.

    Before each stands its basis, if that is another than the count's.
    """
    yield _line("Every round", payload["always"])
    for one in payload["triggers"]:
        yield _line("Trigger", one)
    if payload["best"]:
        yield _line("Best trigger", payload["best"])
    for one in payload["by_depth"]:
        yield _line("Depth", one, seen=one["seen"])
    for one in payload["by_cut"]:
        yield _line("Cut card", one["best"] or {}, cut=one["cut"])


def _line(kind: str, worth: dict[str, Any], seen: int | None = None, cut: int | None = None) -> tuple[Cell, ...]:
    return "", kind, None, _value(worth.get("trigger")), seen, cut, *(_known(worth, key) for key in _WORTH), None


def _known(worth: dict[str, Any], key: str) -> Cell:
    """Give a figure, or its bounds where no more is known."""
    bounds = worth.get(BOUNDS.format(key))
    if not bounds:
        return _value(worth.get(key))
    low, high = (root(end) for end in bounds)
    return Span(low, high) if low is not None and high is not None else None


def _told(recorded: Recorded, bound: Bound | None) -> Iterator[tuple[Cell, ...]]:
    empty = (None,) * (3 + len(_WORTH))
    for label, value, style, basis in recorded.figures:
        yield (basis, "Figure", label, *empty, Styled(_value(value), Style(style)))
    for figure in bound_figures(bound):
        yield (figure.basis, "Figure", figure.label, *empty, Styled(figure.value, figure.style))
    for flag in recorded.flags:
        yield ("", "Flag", flag, *empty, None)


def _sent(value: Value) -> str | int | None:
    return str(value) if isinstance(value, (str, Formula, Hand)) else exact(value)


def _value(text: str | int | None) -> Value:
    """Read a value as JSON carries it; a whole number stays one, and what is none is text."""
    if text is None or isinstance(text, int):
        return text
    found = number(text)
    square = root(text) if found is None else None
    return found if found is not None else square if square is not None else text
