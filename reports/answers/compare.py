"""Paytables that are compared: who they are, at which numbers of decks, and how far their figures lie apart.

The awards of several paytables side by side, once, and how their returns are made up.

Which of several paytables is better for the player, in senses that are each exact.

A comparison as data: each study with what sets it apart from the first, and over which it is better.

What `compare` answers: paytables side by side, by number of decks, and which of them is better for the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import Any

from combinat.analysis.analysis import Line
from combinat.analysis.dominance import Dominance, combine, dominance
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.figures import FIGURES, Value, headline, label_without_option
from combinat.study import Study
from decks import format_deck_counts
from reports.answers.studies import COLUMNS, records_document, study_payload
from reports.page.figures import STYLES
from reports.page.model import Cell, Chart, Column, Document, Series, Style, Styled, Table
from reports.page.numerals import exact
from reports.tables.headings import cards_gone, conditions, flags, meter_units, names

SHOWN = ("house_edge", "hold", "hit_frequency", "push_rate", "standard_deviation", "volatility_index_90")
"""The figures that are compared, in their order."""
SHARE = "top_award_share"
_SHARE_LABEL = "Top award's share of the return"


class Comparison:
    """Studies of several paytables, told apart by name, at several numbers of decks."""

    def __init__(self, studies: Sequence[Study]) -> None:
        called = names(one.paytable for one in studies)
        self.names = tuple(called.values())
        self.decks = tuple(sorted({one.shoe.decks for one in studies}))
        self.at: Mapping[tuple[str, int], Study] = {(called[one.paytable], one.shoe.decks): one for one in studies}
        self.studies = list(self.at.values())

    @property
    def first(self) -> str:
        """The paytable that the others are held against."""
        return self.names[0]

    def of(self, name: str) -> list[Study]:
        """The studies of one paytable."""
        return [one for (called, _), one in self.at.items() if called == name]

    def value(self, name: str, decks: int, key: str) -> Value:
        """A figure of a paytable at a number of decks; none where it is not compared there."""
        study = self.at.get((name, decks))
        return None if study is None else value_of(study, key)

    def figures(self) -> list[str]:
        """The figures that some of the paytables have and that tell something."""
        has_holds = any(one.paytable.meters and headline(one, "hold") is not None for one in self.studies)
        has_pushes = any(one.analysis.push_rate for one in self.studies)
        told = {"hold": has_holds, "push_rate": has_pushes}
        return [key for key in SHOWN if told.get(key, True)]


def value_of(study: Study, key: str) -> Value:
    """Give a figure of a study on the headline's basis, or what part of the return its top award is."""
    if key != SHARE:
        return headline(study, key)
    returned = study.analysis.return_
    top = study.analysis.top.return_
    known = returned.is_constant and top.is_constant and returned.constant
    return top.constant / returned.constant if known else None


def difference(value: Value, first: Value) -> Value:
    """Give how far a figure lies from the first paytable's: by how much, or of a root how many times as large.

    >>> difference(Fraction(1, 20), Fraction(1, 25)), difference(Surd(Fraction(8)), Surd(Fraction(2)))
    (Fraction(1, 100), sqrt(4))
    """
    if isinstance(value, Surd) and isinstance(first, Surd):
        return Surd(value.square / first.square) if first.square and not (value.negative or first.negative) else None
    if isinstance(value, (int, Fraction, Polynomial)) and isinstance(first, (int, Fraction, Polynomial)):
        return value - first
    return None


def apart(study: Study | None, first: Study | None, value: Callable[[Study], Value]) -> Value:
    """Give how far a figure lies from the first paytable's; none where one has none.

    Meters of different bets are different ones, whatever they are called, so that formulas in them are not subtracted.
    """
    if study is None or first is None:
        return None
    values = value(study), value(first)
    has_unknowns = any(isinstance(one, Polynomial) and not one.is_constant for one in values)
    if has_unknowns and study.paytable.bet.name != first.paytable.bet.name:
        return None
    return difference(*values)


def label_of(key: str) -> str:
    """Name what is compared."""
    return _SHARE_LABEL if key == SHARE else FIGURES[key].label


def style_of(key: str) -> Style:
    """Say how it is written."""
    return Style.PERCENT if key == SHARE else STYLES[key].style


def decks_text(count: int) -> str:
    """Write a number of decks."""
    return f"{count} deck{'s' if count > 1 else ''}"


_MOST_PARTS = 12
"""More awards than these would be parts of a bar that nobody tells apart."""


def studies_at_most_decks(found: Comparison) -> dict[str, Study]:
    """Give a study of each paytable: with the most decks that all have, or else the most that each has."""
    shared = [count for count in found.decks if all((name, count) in found.at for name in found.names)]
    return {
        name: found.at[name, shared[-1]] if shared else max(found.of(name), key=lambda one: one.shoe.decks)
        for name in found.names
    }


def _where(studies: dict[str, Study]) -> str:
    counts = {one.shoe.decks for one in studies.values()}
    if len(counts) == 1:
        return f"with {decks_text(counts.pop())}"
    return ", ".join(f"{name} with {decks_text(one.shoe.decks)}" for name, one in studies.items())


def awards_table(found: Comparison) -> Table:
    """Show what each award pays, how rarely it comes, and what it returns, in every paytable that has it."""
    studies = studies_at_most_decks(found)
    columns = (Column("Award"), *(Column(name, Style.COUNT) for name in found.names))
    rows: list[tuple[Cell, ...]] = []
    for award in _awards(studies):
        lines = {name: _line(one, award) for name, one in studies.items()}
        rows.append((f"{award}: pays", *(str(line.award.pay) if line else None for line in lines.values())))
        rows.append((f"{award}: 1 in", *(_one_in(line) for line in lines.values())))
        rows.append(
            (f"{award}: return", *(Styled(line.return_, Style.DECIMAL) if line else None for line in lines.values()))
        )
    return Table(columns, tuple(rows), f"Awards, {_where(studies)}")


def _awards(studies: dict[str, Study]) -> Iterator[str]:
    yield from dict.fromkeys(line.award.name for one in studies.values() for line in one.analysis.lines)


def _line(study: Study, award: str) -> Line | None:
    return next((line for line in study.analysis.lines if line.award.name == award), None)


def _one_in(line: Line | None) -> Cell:
    return None if line is None else Styled(line.one_in, Style.ODDS) if line.is_possible else "impossible"


def split_chart(found: Comparison) -> Chart | None:
    """Draw of what the return of each paytable is made up, award by award; meters of unknown amounts are left aside."""
    studies = studies_at_most_decks(found)
    awards = list(_awards(studies))
    if len(awards) > _MOST_PARTS:
        return None
    series = tuple(Series(award, tuple(_returned(_line(one, award)) for one in studies.values())) for award in awards)
    is_open = any(not one.analysis.return_.is_constant for one in studies.values())
    aside = "; what meters of unknown amounts return is left aside" if is_open else ""
    return Chart(
        f"Return by award, {_where(studies)}{aside}",
        tuple(studies),
        series,
        is_piled=True,
        y_label="return",
    )


def _returned(line: Line | None) -> Fraction | None:
    return None if line is None else line.return_.constant


_COLUMNS = (
    Column("Paytable"),
    Column("Better than"),
    Column("On every hand"),
    Column("By its edge"),
    Column("First order"),
    Column("Decks"),
)
_NOBODY = "none of them"
NOTES = (
    "Better for the player at every number of decks that both are compared at. On every hand: made on the same cards, "
    "the one pays as much whatever is dealt, and on some hand more. By its edge: the house edge is lower. First order: "
    "whatever amount a wager of one is to win, the one is as likely to win it, and for some amount likelier; of the "
    "wager alone. A dash: that cannot be said, since their cards cannot be laid over one another, or since it depends "
    "on a meter or a wheel.",
)


def dominance_table(found: Comparison) -> Table:
    """List every pair of which one is better in some sense."""
    rows: list[tuple[Cell, ...]] = []
    for one, other in permutations(found.names, 2):
        counts = shared_decks(found, one, other)
        if not counts:
            continue
        verdict = combine(_at(found, one, other, count) for count in counts)
        if verdict.holds:
            senses = (verdict.on_every_hand, verdict.by_edge, verdict.to_first_order)
            rows.append((one, other, *map(_said, senses), format_deck_counts(counts)))
    nobody: tuple[Cell, ...] = (_NOBODY, *[None] * (len(_COLUMNS) - 1))
    return Table(_COLUMNS, tuple(rows) or (nobody,), "Which is better for the player")


def shared_decks(found: Comparison, one: str, other: str) -> list[int]:
    """Give the numbers of decks that both of two paytables are compared at."""
    return [count for count in found.decks if (one, count) in found.at and (other, count) in found.at]


def _at(found: Comparison, one: str, other: str, count: int) -> Dominance:
    mine, theirs = found.at[one, count], found.at[other, count]
    return dominance(mine.analysis, theirs.analysis, (mine.house_edge, theirs.house_edge))


def _said(verdict: bool | None) -> str | None:
    return None if verdict is None else "yes" if verdict else "no"


def better_than(found: Comparison, name: str, count: int) -> list[dict[str, Any]]:
    """Tell over which of the others a paytable is better at a number of decks, as data."""
    told = []
    for other in found.names:
        if other == name or (other, count) not in found.at:
            continue
        verdict = _at(found, name, other, count)
        if verdict.holds:
            senses = {sense: getattr(verdict, sense) for sense in Dominance.__struct_fields__}
            told.append({"paytable": other} | senses)
    return told


_AS_MULTIPLES = ("standard_deviation", "volatility_index_90")
_BETTER = "Better for the player than"


def comparison_payload(studies: Sequence[Study]) -> list[dict[str, Any]]:
    """Give studies with what sets each apart from the first, and over which of the others it is better, exactly."""
    found = Comparison(studies)

    def against(study: Study) -> dict[str, Any] | None:
        other = found.at.get((found.first, study.shoe.decks))
        if other is None:
            return None
        values = {key: apart(study, other, partial(value_of, key=key)) for key in SHOWN}
        return {"paytable": found.first} | {
            f"{key}_ratio" if key in _AS_MULTIPLES else key: exact(value) for key, value in values.items()
        }

    return [
        study_payload(study)
        | {
            SHARE: exact(value_of(study, SHARE)),
            "against_first": against(study),
            "better_for_the_player_than": better_than(found, name, decks),
        }
        for (name, decks), study in found.at.items()
    ]


def comparison_records(studies: Sequence[Study]) -> Document:
    """Lay a comparison out line by line: the studies, then differences from the first, and what is better than what."""
    found = Comparison(studies)
    (table,) = records_document(found.studies).tables
    rows: list[tuple[Cell, ...]] = list(table.rows)
    empty = (None,) * (len(COLUMNS) - 8)
    for (name, decks), study in found.at.items():
        other, given = found.at.get((found.first, decks)), conditions(study.analysis)
        for key in SHOWN if name != found.first and other is not None else ():
            value = apart(study, other, partial(value_of, key=key))
            if value is not None:
                kind = "Multiple of the first" if isinstance(value, Surd) else "Difference from the first"
                told = (kind, label_of(key), key, str(study.basis))
                rows.append((name, decks, given, *told, *empty, Styled(value, style_of(key))))
        for better in better_than(found, name, decks):
            senses = [sense for sense, holds in better.items() if holds is True]
            rows.append((name, decks, given, _BETTER, str(better["paytable"]), None, ", ".join(senses), *empty, None))
    return Document("", tables=(Table(COLUMNS, tuple(rows)),))


_BESIDE = ("return", "skewness")
"""What stands beside the figures that are compared where there is one number of decks only."""
_NOT_OFFERED = (
    "An empty place: the paytable is not designed for that number of decks; --any-decks shows it all the same."
)


def comparison_document(studies: Sequence[Study]) -> Document:
    """Show paytables side by side: figures by number of decks, differences, which is better, and the awards once."""
    found = Comparison(studies)
    flagged = [f"{name}: {flag}" for name in found.names for one in found.of(name) for flag in flags(one)]
    several = len(found.decks) > 1
    tables = list(_grids(found)) if several else [_figures(found), *_differences(found)]
    if len(found.names) > 1:
        tables.append(dominance_table(found))
    tables.append(awards_table(found))
    missing = len(found.at) < len(found.names) * len(found.decks)
    notes = [_NOT_OFFERED] if missing else []
    notes += NOTES if len(found.names) > 1 else ()
    edges = edge_chart(found)
    split = split_chart(found)
    return Document(
        title=" and ".join(found.names),
        subtitle=cards_gone(studies[0].shoe),
        flags=tuple(dict.fromkeys(flagged)),
        tables=tuple(tables),
        notes=(*notes, *meter_units([one.analysis for one in studies])),
        charts=tuple(chart for chart in (edges, split) if chart is not None),
    )


def _ratio_or_change(name: str, first: str, value: Value) -> str:
    return f"{name} ÷ {first}" if isinstance(value, Surd) else f"{name} less {first}"


def _grids(found: Comparison) -> Iterator[Table]:
    """One table for each figure: paytables down, numbers of decks across, then differences from the first."""
    kinds = {one.option.kind for one in found.studies if one.option}
    for key in (*found.figures(), SHARE):
        if all(value_of(one, key) is None for one in found.studies):
            continue
        yield _grid(found, key, label_of(key), partial(value_of, key=key))
        if key == "house_edge" and kinds:
            yield _grid(found, key, label_without_option(key, kinds), lambda study: study.analysis.house_edge)


def _grid(found: Comparison, key: str, label: str, value: Callable[[Study], Value]) -> Table:
    columns = [Column("Paytable"), *(Column(decks_text(count), style_of(key)) for count in found.decks)]
    if key == SHARE:
        columns.insert(1, Column("Top award"))

    def at(name: str, count: int) -> Value:
        study = found.at.get((name, count))
        return None if study is None else value(study)

    rows: list[tuple[Cell, ...]] = []
    for name in found.names:
        cells: list[Cell] = [at(name, count) for count in found.decks]
        if key == SHARE:
            top = found.of(name)[0].analysis.top.award
            cells.insert(0, f"{top.name}, {top.pay}")
        rows.append((name, *cells))
    body = len(rows)
    if key != SHARE:
        for name in found.names[1:]:
            changes = [apart(found.at.get((name, n)), found.at.get((found.first, n)), value) for n in found.decks]
            if any(change is not None for change in changes):
                known = next(change for change in changes if change is not None)
                rows.append((_ratio_or_change(name, found.first, known), *changes))
    return Table(tuple(columns), tuple(rows), f"{label} by number of decks", totals=len(rows) - body)


def _figures(found: Comparison) -> Table:
    """All figures in one table, where there is one number of decks."""
    (decks,) = found.decks
    here = {name: found.at[name, decks] for name in found.names}
    columns = (Column("Figure"), *(Column(name, Style.COUNT) for name in found.names))
    kinds = {one.option.kind for one in here.values() if one.option}
    rows: list[tuple[Cell, ...]] = []
    keys = found.figures()
    for key in (keys[0], _BESIDE[0], *keys[1:], _BESIDE[1], SHARE):
        rows.append((label_of(key), *(Styled(value_of(here[name], key), style_of(key)) for name in found.names)))
        if key == "house_edge" and kinds:
            alone = [Styled(one.analysis.house_edge, style_of(key)) for one in here.values()]
            rows.append((label_without_option(key, kinds), *alone))
    tops = [one.analysis.top.award for one in here.values()]
    rows.insert(len(rows) - 1, ("Top award", *(f"{top.name}, {top.pay}" for top in tops)))
    return Table(columns, tuple(rows), decks_text(decks))


def _differences(found: Comparison) -> list[Table]:
    if len(found.names) < 2:
        return []
    (decks,) = found.decks
    others = found.names[1:]
    columns = (Column("Figure"), *(Column(name, Style.COUNT) for name in others))
    rows: list[tuple[Cell, ...]] = []
    for key in found.figures():
        first = found.at[found.first, decks]
        changes = [apart(found.at[name, decks], first, partial(value_of, key=key)) for name in others]
        known = [change for change in changes if change is not None]
        if known:
            word = "as a multiple" if isinstance(known[0], Surd) else "difference"
            rows.append((f"{label_of(key)}, {word}", *(Styled(change, style_of(key)) for change in changes)))
    return [Table(columns, tuple(rows), f"Held against {found.first}")]


def edge_chart(found: Comparison) -> Chart | None:
    """Draw the edge over numbers of decks; with meters of unknown amounts, what the fixed pays leave the house."""
    if len(found.decks) < 2:
        return None
    series = []
    for name in found.names:
        edges = [found.value(name, count, "house_edge") for count in found.decks]
        known = tuple(Polynomial.of(one).constant if isinstance(one, (Fraction, Polynomial)) else None for one in edges)
        marked = frozenset(
            place
            for place, count in enumerate(found.decks)
            if (name, count) in found.at and found.at[name, count].analysis.is_designed
        )
        series.append(Series(name, known, marked))
    is_open = any(not one.house_edge.is_constant for one in found.studies)
    label = FIGURES["house_edge"].label + (", meters at nothing" if is_open else "")
    return Chart(
        f"{label} by number of decks; filled: designed for",
        tuple(map(str, found.decks)),
        tuple(series),
        x_label="decks",
        y_label=label.lower(),
    )
