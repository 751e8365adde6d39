"""Counts as one table of lines, whatever their number: triggers, depths, places of the cut card and figures of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from combinat.advantage.bound import Bound
from reports.answers.bound import bound_figures
from reports.answers.counts import WORTH, Answer, count_figures
from reports.page.model import Cell, Column, Document, Formula, Hand, Style, Styled, Table, Value
from reports.page.numerals import BOUNDS, exact
from reports.page.reading import value
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
    replace(WORTH[0], style=Style.DECIMAL),  # exactly too
    *WORTH[1:],
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
    return _value(worth.get(BOUNDS.format(key)) or worth.get(key))


def _told(recorded: Recorded, bound: Bound | None) -> Iterator[tuple[Cell, ...]]:
    empty = (None,) * (3 + len(_WORTH))
    for label, said, style, basis in recorded.figures:
        yield (basis, "Figure", label, *empty, Styled(_value(said), Style(style)))
    for figure in bound_figures(bound):
        yield (figure.basis, "Figure", figure.label, *empty, Styled(figure.value, figure.style))
    for flag in recorded.flags:
        yield ("", "Flag", flag, *empty, None)


def _sent(known: Value) -> str | int | None:
    return str(known) if isinstance(known, (str, Formula, Hand)) else exact(known)


def _value(said: Any) -> Value:
    """Read a value as JSON carries it; a whole number stays one, and what is none is text."""
    if said is None or isinstance(said, int):
        return said
    found = value(said)
    return str(said) if found is None else found
