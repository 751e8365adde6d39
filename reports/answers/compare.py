"""Answer of the `compare` command: paytables side by side, as a document, as records and as JSON.

Figures are compared by number of decks with those of the first paytable. "Better for the player" has three exact
senses: on every hand, by house edge, and by first-order stochastic dominance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import Any

from combinat.analysis.analysis import AwardLine
from combinat.analysis.dominance import Dominance, combine_dominances, compute_dominance
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.figures import FIGURES, Value, headline_value, label_without_option
from combinat.study import Study
from decks import format_deck_counts
from reports.answers.studies import COLUMNS, records_document, study_payload
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Series, SeriesChart, Style, Styled, Table
from reports.page.numerals import exact
from reports.tables.headings import conditions_text, flags, meter_units, paytable_names, removed_text

COMPARED_FIGURES = ("house_edge", "hold", "hit_frequency", "push_rate", "standard_deviation", "volatility_index_90")
"""Keys of the compared figures, in order."""
SHARE = "top_award_share"
_SHARE_LABEL = "Top award's share of the return"


class Comparison:
    """Studies of several paytables with distinct names, at several numbers of decks."""

    def __init__(self, studies: Sequence[Study]) -> None:
        labels = paytable_names(study.paytable for study in studies)
        self.names = tuple(labels.values())
        self.decks = tuple(sorted({study.shoe.decks for study in studies}))
        self.at: Mapping[tuple[str, int], Study] = {
            (labels[study.paytable], study.shoe.decks): study for study in studies
        }
        self.studies = list(self.at.values())

    @property
    def first(self) -> str:
        """The paytable that the others are compared with."""
        return self.names[0]

    def of(self, name: str) -> list[Study]:
        """Return the studies of one paytable."""
        return [study for (label, _), study in self.at.items() if label == name]

    def value(self, name: str, decks: int, key: str) -> Value:
        """Return a figure of a paytable at a number of decks, or `None` if it is not compared there."""
        study = self.at.get((name, decks))
        return None if study is None else compared_value(study, key)

    def figures(self) -> list[str]:
        """Return the keys of the figures that apply to at least one paytable."""
        has_holds = any(study.paytable.meters and headline_value(study, "hold") is not None for study in self.studies)
        has_pushes = any(study.analysis.push_rate for study in self.studies)
        is_shown = {"hold": has_holds, "push_rate": has_pushes}
        return [key for key in COMPARED_FIGURES if is_shown.get(key, True)]


def compared_value(study: Study, key: str) -> Value:
    """Return a figure of a study on the headline's basis, or the top award's share of the return."""
    if key != SHARE:
        return headline_value(study, key)
    total_return = study.analysis.return_
    top = study.analysis.top.return_
    is_defined = total_return.is_constant and top.is_constant and total_return.constant
    return top.constant / total_return.constant if is_defined else None


def difference_or_ratio(value: Value, first: Value) -> Value:
    """Return the difference from the first paytable's figure, or the ratio if both are roots.

    >>> difference_or_ratio(Fraction(1, 20), Fraction(1, 25)), difference_or_ratio(Surd(Fraction(8)), Surd(Fraction(2)))
    (Fraction(1, 100), sqrt(4))
    """
    if isinstance(value, Surd) and isinstance(first, Surd):
        return Surd(value.square / first.square) if first.square and not (value.negative or first.negative) else None
    if isinstance(value, (int, Fraction, Polynomial)) and isinstance(first, (int, Fraction, Polynomial)):
        return value - first
    return None


def figure_difference(study: Study | None, first: Study | None, value: Callable[[Study], Value]) -> Value:
    """Return the difference from the first paytable's figure, or `None` if either has none.

    Meters of different bets are different variables even if their names are equal: their formulas are not subtracted.
    """
    if study is None or first is None:
        return None
    values = value(study), value(first)
    has_unknowns = any(isinstance(operand, Polynomial) and not operand.is_constant for operand in values)
    if has_unknowns and study.paytable.bet.name != first.paytable.bet.name:
        return None
    return difference_or_ratio(*values)


def figure_label(key: str) -> str:
    """Return the label of a compared figure."""
    return _SHARE_LABEL if key == SHARE else FIGURES[key].label


def figure_style(key: str) -> Style:
    """Return the style of a compared figure."""
    return Style.PERCENT if key == SHARE else STYLES[key].style


def decks_text(count: int) -> str:
    """Format a number of decks."""
    return f"{count} deck{'s' if count > 1 else ''}"


_MOST_PARTS = 12
"""Maximum number of segments that can be distinguished in a bar."""


def studies_at_most_decks(comparison: Comparison) -> dict[str, Study]:
    """Return a study of each paytable, with the most decks that all share or else the most that each has."""
    shared = [count for count in comparison.decks if all((name, count) in comparison.at for name in comparison.names)]
    return {
        name: comparison.at[name, shared[-1]]
        if shared
        else max(comparison.of(name), key=lambda study: study.shoe.decks)
        for name in comparison.names
    }


def _decks_note(studies: dict[str, Study]) -> str:
    counts = {study.shoe.decks for study in studies.values()}
    if len(counts) == 1:
        return f"with {decks_text(counts.pop())}"
    return ", ".join(f"{name} with {decks_text(study.shoe.decks)}" for name, study in studies.items())


def awards_table(comparison: Comparison) -> Table:
    """Return pay, odds and return of each award in every paytable that has it."""
    studies = studies_at_most_decks(comparison)
    columns = (Column("Award"), *(Column(name, Style.COUNT) for name in comparison.names))
    rows: list[tuple[Cell, ...]] = []
    for award in _awards(studies):
        lines = {name: _line(study, award) for name, study in studies.items()}
        rows.append((f"{award}: pays", *(str(line.award.pay) if line else None for line in lines.values())))
        rows.append((f"{award}: 1 in", *(_one_in(line) for line in lines.values())))
        rows.append(
            (f"{award}: return", *(Styled(line.return_, Style.DECIMAL) if line else None for line in lines.values()))
        )
    return Table(columns, tuple(rows), f"Awards, {_decks_note(studies)}")


def _awards(studies: dict[str, Study]) -> Iterator[str]:
    yield from dict.fromkeys(line.award.name for study in studies.values() for line in study.analysis.lines)


def _line(study: Study, award: str) -> AwardLine | None:
    return next((line for line in study.analysis.lines if line.award.name == award), None)


def _one_in(line: AwardLine | None) -> Cell:
    return None if line is None else Styled(line.one_in, Style.ODDS) if line.is_possible else "impossible"


def split_chart(comparison: Comparison) -> SeriesChart | None:
    """Return a chart of the return by award; meters of unknown amount are omitted."""
    studies = studies_at_most_decks(comparison)
    awards = list(_awards(studies))
    if len(awards) > _MOST_PARTS:
        return None
    series = tuple(
        Series(award, tuple(_line_return(_line(study, award)) for study in studies.values())) for award in awards
    )
    is_open = any(not study.analysis.return_.is_constant for study in studies.values())
    aside = "; what meters of unknown amounts return is left aside" if is_open else ""
    return SeriesChart(
        f"Return by award, {_decks_note(studies)}{aside}",
        tuple(studies),
        series,
        is_piled=True,
        y_label="return",
    )


def _line_return(line: AwardLine | None) -> Fraction | None:
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


def dominance_table(comparison: Comparison) -> Table:
    """Return every pair of paytables in which one is better for the player in some sense."""
    rows: list[tuple[Cell, ...]] = []
    for name, other_name in permutations(comparison.names, 2):
        counts = shared_decks(comparison, name, other_name)
        if not counts:
            continue
        verdict = combine_dominances(_dominance_at(comparison, name, other_name, count) for count in counts)
        if verdict.holds:
            senses = (verdict.on_every_hand, verdict.by_edge, verdict.to_first_order)
            rows.append((name, other_name, *map(_yes_or_no, senses), format_deck_counts(counts)))
    empty_row: tuple[Cell, ...] = (_NOBODY, *[None] * (len(_COLUMNS) - 1))
    return Table(_COLUMNS, tuple(rows) or (empty_row,), "Which is better for the player")


def shared_decks(comparison: Comparison, name: str, other_name: str) -> list[int]:
    """Return the numbers of decks at which both paytables are compared."""
    return [
        count for count in comparison.decks if (name, count) in comparison.at and (other_name, count) in comparison.at
    ]


def _dominance_at(comparison: Comparison, name: str, other_name: str, count: int) -> Dominance:
    study, other_study = comparison.at[name, count], comparison.at[other_name, count]
    return compute_dominance(study.analysis, other_study.analysis, (study.house_edge, other_study.house_edge))


def _yes_or_no(verdict: bool | None) -> str | None:
    return None if verdict is None else "yes" if verdict else "no"


def better_than(comparison: Comparison, name: str, count: int) -> list[dict[str, Any]]:
    """Return the paytables that `name` is better than at a number of decks, as data."""
    results = []
    for other_name in comparison.names:
        if other_name == name or (other_name, count) not in comparison.at:
            continue
        verdict = _dominance_at(comparison, name, other_name, count)
        if verdict.holds:
            senses = {sense: getattr(verdict, sense) for sense in Dominance.__struct_fields__}
            results.append({"paytable": other_name} | senses)
    return results


_AS_MULTIPLES = ("standard_deviation", "volatility_index_90")
_BETTER = "Better for the player than"


def comparison_payload(studies: Sequence[Study]) -> list[dict[str, Any]]:
    """Return the studies as data, with differences from the first and the paytables each is better than."""
    comparison = Comparison(studies)

    def against(study: Study) -> dict[str, Any] | None:
        first = comparison.at.get((comparison.first, study.shoe.decks))
        if first is None:
            return None
        values = {key: figure_difference(study, first, partial(compared_value, key=key)) for key in COMPARED_FIGURES}
        return {"paytable": comparison.first} | {
            f"{key}_ratio" if key in _AS_MULTIPLES else key: exact(value) for key, value in values.items()
        }

    return [
        study_payload(study)
        | {
            SHARE: exact(compared_value(study, SHARE)),
            "against_first": against(study),
            "better_for_the_player_than": better_than(comparison, name, decks),
        }
        for (name, decks), study in comparison.at.items()
    ]


def comparison_records(studies: Sequence[Study]) -> Document:
    """Return a comparison as records: the studies, differences from the first, and dominance."""
    comparison = Comparison(studies)
    (table,) = records_document(comparison.studies).tables
    rows: list[tuple[Cell, ...]] = list(table.rows)
    empty = (None,) * (len(COLUMNS) - 8)
    for (name, decks), study in comparison.at.items():
        first, condition = comparison.at.get((comparison.first, decks)), conditions_text(study.analysis)
        for key in COMPARED_FIGURES if name != comparison.first and first is not None else ():
            value = figure_difference(study, first, partial(compared_value, key=key))
            if value is not None:
                kind = "Multiple of the first" if isinstance(value, Surd) else "Difference from the first"
                texts = (kind, figure_label(key), key, str(study.basis))
                rows.append((name, decks, condition, *texts, *empty, Styled(value, figure_style(key))))
        for better in better_than(comparison, name, decks):
            senses = [sense for sense, holds in better.items() if holds is True]
            rows.append(
                (name, decks, condition, _BETTER, str(better["paytable"]), None, ", ".join(senses), *empty, None)
            )
    return Document("", tables=(Table(COLUMNS, tuple(rows)),))


_BESIDE = ("return", "skewness")
"""Additional figures for a single number of decks."""
_NOT_OFFERED = (
    "An empty place: the paytable is not designed for that number of decks; --any-decks shows it all the same."
)


def comparison_document(studies: Sequence[Study]) -> Document:
    """Return paytables side by side: figures by number of decks, differences, dominance and awards."""
    comparison = Comparison(studies)
    flagged = [f"{name}: {flag}" for name in comparison.names for study in comparison.of(name) for flag in flags(study)]
    has_many_decks = len(comparison.decks) > 1
    tables = list(_grids(comparison)) if has_many_decks else [_figures(comparison), *_differences(comparison)]
    if len(comparison.names) > 1:
        tables.append(dominance_table(comparison))
    tables.append(awards_table(comparison))
    is_incomplete = len(comparison.at) < len(comparison.names) * len(comparison.decks)
    notes = [_NOT_OFFERED] if is_incomplete else []
    notes += NOTES if len(comparison.names) > 1 else ()
    edges = edge_chart(comparison)
    split = split_chart(comparison)
    return Document(
        title=" and ".join(comparison.names),
        subtitle=removed_text(studies[0].shoe),
        flags=tuple(dict.fromkeys(flagged)),
        tables=tuple(tables),
        notes=(*notes, *meter_units([study.analysis for study in studies])),
        charts=tuple(chart for chart in (edges, split) if chart is not None),
    )


def _ratio_or_change(name: str, first: str, value: Value) -> str:
    return f"{name} ÷ {first}" if isinstance(value, Surd) else f"{name} less {first}"


def _grids(comparison: Comparison) -> Iterator[Table]:
    """Yield a table for each figure: paytables by numbers of decks, then differences from the first."""
    kinds = {study.option.kind for study in comparison.studies if study.option}
    for key in (*comparison.figures(), SHARE):
        if all(compared_value(study, key) is None for study in comparison.studies):
            continue
        yield _grid(comparison, key, figure_label(key), partial(compared_value, key=key))
        if key == "house_edge" and kinds:
            yield _grid(comparison, key, label_without_option(key, kinds), lambda study: study.analysis.house_edge)


def _grid(comparison: Comparison, key: str, label: str, value: Callable[[Study], Value]) -> Table:
    columns = [Column("Paytable"), *(Column(decks_text(count), figure_style(key)) for count in comparison.decks)]
    if key == SHARE:
        columns.insert(1, Column("Top award"))

    def figure_at(name: str, count: int) -> Value:
        study = comparison.at.get((name, count))
        return None if study is None else value(study)

    rows: list[tuple[Cell, ...]] = []
    for name in comparison.names:
        cells: list[Cell] = [figure_at(name, count) for count in comparison.decks]
        if key == SHARE:
            top = comparison.of(name)[0].analysis.top.award
            cells.insert(0, f"{top.name}, {top.pay}")
        rows.append((name, *cells))
    body = len(rows)
    if key != SHARE:
        for name in comparison.names[1:]:
            changes = [
                figure_difference(comparison.at.get((name, n)), comparison.at.get((comparison.first, n)), value)
                for n in comparison.decks
            ]
            if any(change is not None for change in changes):
                first_change = next(change for change in changes if change is not None)
                rows.append((_ratio_or_change(name, comparison.first, first_change), *changes))
    return Table(tuple(columns), tuple(rows), f"{label} by number of decks", totals=len(rows) - body)


def _figures(comparison: Comparison) -> Table:
    """Return all figures in one table, for a single number of decks."""
    (decks,) = comparison.decks
    studies = {name: comparison.at[name, decks] for name in comparison.names}
    columns = (Column("Figure"), *(Column(name, Style.COUNT) for name in comparison.names))
    kinds = {study.option.kind for study in studies.values() if study.option}
    rows: list[tuple[Cell, ...]] = []
    keys = comparison.figures()
    for key in (keys[0], _BESIDE[0], *keys[1:], _BESIDE[1], SHARE):
        rows.append(
            (
                figure_label(key),
                *(Styled(compared_value(studies[name], key), figure_style(key)) for name in comparison.names),
            )
        )
        if key == "house_edge" and kinds:
            alone = [Styled(study.analysis.house_edge, figure_style(key)) for study in studies.values()]
            rows.append((label_without_option(key, kinds), *alone))
    tops = [study.analysis.top.award for study in studies.values()]
    rows.insert(len(rows) - 1, ("Top award", *(f"{top.name}, {top.pay}" for top in tops)))
    return Table(columns, tuple(rows), decks_text(decks))


def _differences(comparison: Comparison) -> list[Table]:
    if len(comparison.names) < 2:
        return []
    (decks,) = comparison.decks
    other_names = comparison.names[1:]
    columns = (Column("Figure"), *(Column(name, Style.COUNT) for name in other_names))
    rows: list[tuple[Cell, ...]] = []
    for key in comparison.figures():
        first = comparison.at[comparison.first, decks]
        changes = [
            figure_difference(comparison.at[name, decks], first, partial(compared_value, key=key))
            for name in other_names
        ]
        defined = [change for change in changes if change is not None]
        if defined:
            word = "as a multiple" if isinstance(defined[0], Surd) else "difference"
            rows.append((f"{figure_label(key)}, {word}", *(Styled(change, figure_style(key)) for change in changes)))
    return [Table(columns, tuple(rows), f"Held against {comparison.first}")]


def edge_chart(comparison: Comparison) -> SeriesChart | None:
    """Return a chart of the house edge by number of decks; meters of unknown amount count as zero."""
    if len(comparison.decks) < 2:
        return None
    series = []
    for name in comparison.names:
        edges = [comparison.value(name, count, "house_edge") for count in comparison.decks]
        constants = tuple(
            Polynomial.of(edge).constant if isinstance(edge, (Fraction, Polynomial)) else None for edge in edges
        )
        marked = frozenset(
            index
            for index, count in enumerate(comparison.decks)
            if (name, count) in comparison.at and comparison.at[name, count].analysis.is_designed
        )
        series.append(Series(name, constants, marked))
    is_open = any(not study.house_edge.is_constant for study in comparison.studies)
    label = FIGURES["house_edge"].label + (", meters at nothing" if is_open else "")
    return SeriesChart(
        f"{label} by number of decks; filled: designed for",
        tuple(map(str, comparison.decks)),
        tuple(series),
        x_label="decks",
        y_label=label.lower(),
    )
