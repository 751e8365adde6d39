"""Answer of the `compare` command: paytables side by side, as a document and as records.

Figures are compared by number of decks with those of the first paytable. "Better for the player" has three exact
senses: on every hand, by house edge, and by first-order stochastic dominance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import permutations

from msgspec.structs import asdict

from combinat.analysis.analysis import AwardLine
from combinat.analysis.dominance import combine_dominances
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.figures import FIGURES, Value, label_without_option
from combinat.results.comparison import COMPARED_FIGURES, SHARE, Comparison, compared_value, figure_difference
from combinat.results.flags import decks_text, flags
from combinat.study import Study
from decks import format_deck_counts
from reports.answers.studies import COLUMNS, records_document
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Series, SeriesChart, Style, Styled, Table
from reports.tables.headings import conditions_text, meter_units, removed_text

_SHARE_LABEL = "Top award's share of the return"


_BETTER = "Better for the player than"


def figure_label(key: str) -> str:
    """Return the label of a compared figure."""
    return _SHARE_LABEL if key == SHARE else FIGURES[key].label


def figure_style(key: str) -> Style:
    """Return the style of a compared figure."""
    return Style.PERCENT if key == SHARE else STYLES[key].style


_MAX_SEGMENTS = 12
"""Maximum number of segments that can be distinguished in a bar."""


def studies_at_max_decks(comparison: Comparison) -> dict[str, Study]:
    """Return a study of each paytable, with the most decks that all share or else the most that each has."""
    shared = [
        count
        for count in comparison.decks
        if all((name, count) in comparison.study_by_key for name in comparison.names)
    ]
    return {
        name: comparison.study_by_key[name, shared[-1]]
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
    studies = studies_at_max_decks(comparison)
    columns = (Column("Award"), *(Column(name, Style.COUNT) for name in comparison.names))
    rows: list[tuple[Cell, ...]] = []
    for award in _awards(studies):
        lines = {name: find_award_line(study, award) for name, study in studies.items()}
        rows.append((f"{award}: pays", *(str(line.award.pay) if line else None for line in lines.values())))
        rows.append((f"{award}: 1 in", *(_one_in(line) for line in lines.values())))
        rows.append(
            (f"{award}: return", *(Styled(line.return_, Style.DECIMAL) if line else None for line in lines.values()))
        )
    return Table(columns, tuple(rows), f"Awards, {_decks_note(studies)}")


def _awards(studies: dict[str, Study]) -> Iterator[str]:
    yield from dict.fromkeys(line.award.name for study in studies.values() for line in study.analysis.lines)


def find_award_line(study: Study, award: str) -> AwardLine | None:
    """Return the line of an award by name; `None` if the paytable does not have it."""
    return next((line for line in study.analysis.lines if line.award.name == award), None)


def _one_in(line: AwardLine | None) -> Cell:
    return None if line is None else Styled(line.one_in, Style.ODDS) if line.is_possible else "impossible"


def split_chart(comparison: Comparison) -> SeriesChart | None:
    """Return a chart of the return by award; meters of unknown amount are omitted."""
    studies = studies_at_max_decks(comparison)
    awards = list(_awards(studies))
    if len(awards) > _MAX_SEGMENTS:
        return None
    series = tuple(
        Series(award, tuple(_fixed_return(find_award_line(study, award)) for study in studies.values()))
        for award in awards
    )
    has_open_meters = any(not study.analysis.return_.is_constant for study in studies.values())
    omission = "; without the return of meters of unknown amount" if has_open_meters else ""
    return SeriesChart(
        f"Return by award, {_decks_note(studies)}{omission}",
        tuple(studies),
        series,
        is_stacked=True,
        y_label="return",
    )


def _fixed_return(line: AwardLine | None) -> Fraction | None:
    return None if line is None else line.return_.constant


_DOMINANCE_COLUMNS = (
    Column("Paytable"),
    Column("Better than"),
    Column("On every hand"),
    Column("By its edge"),
    Column("First order"),
    Column("Decks"),
)
_NO_PAYTABLE = "none"
NOTES = (
    "Better for the player at every number of decks at which both are compared. On every hand: on the same cards it "
    "never pays less, and on some hand it pays more. By its edge: the house edge is lower. First order: for every "
    "amount, a wager of one is at least as likely to win that much, and for some amount likelier; wager alone. A dash: "
    "not comparable, because the bets are on different cards or the result depends on a meter or a wheel.",
)


def dominance_table(comparison: Comparison) -> Table:
    """Return every pair of paytables in which one is better for the player in some sense."""
    rows: list[tuple[Cell, ...]] = []
    for name, other_name in permutations(comparison.names, 2):
        counts = comparison.shared_decks(name, other_name)
        if not counts:
            continue
        verdict = combine_dominances(comparison.dominance(name, other_name, count) for count in counts)
        if verdict.holds:
            senses = (verdict.on_every_hand, verdict.by_edge, verdict.to_first_order)
            rows.append((name, other_name, *map(_yes_or_no, senses), format_deck_counts(counts)))
    empty_row: tuple[Cell, ...] = (_NO_PAYTABLE, *[None] * (len(_DOMINANCE_COLUMNS) - 1))
    return Table(_DOMINANCE_COLUMNS, tuple(rows) or (empty_row,), "Which is better for the player")


def _yes_or_no(verdict: bool | None) -> str | None:
    return None if verdict is None else "yes" if verdict else "no"


def comparison_records(comparison: Comparison) -> Document:
    """Return a comparison as records: the studies, differences from the first, and dominance."""
    (table,) = records_document(comparison.studies).tables
    rows: list[tuple[Cell, ...]] = list(table.rows)
    empty = (None,) * (len(COLUMNS) - 8)
    for (name, decks), study in comparison.study_by_key.items():
        condition = conditions_text(study.analysis)
        for key in COMPARED_FIGURES if name != comparison.first else ():
            value = comparison.difference(study, key)
            if value is not None:
                kind = "Multiple of the first" if isinstance(value, Surd) else "Difference from the first"
                texts = (kind, figure_label(key), key, str(study.basis))
                rows.append((name, decks, condition, *texts, *empty, Styled(value, figure_style(key))))
        for other, verdict in comparison.better_than(name, decks).items():
            senses = ", ".join(sense for sense, holds in asdict(verdict).items() if holds)
            rows.append((name, decks, condition, _BETTER, other, None, senses, *empty, None))
    return Document("", tables=(Table(COLUMNS, tuple(rows)),))


_SINGLE_DECK_FIGURES = ("return", "skewness")
"""Additional figures for a single number of decks."""
_EMPTY_CELLS_NOTE = "An empty cell: the paytable is not designed for that number of decks; --any-decks includes it."


def comparison_document(comparison: Comparison) -> Document:
    """Return paytables side by side: figures by number of decks, differences, dominance and awards."""
    flagged = [f"{name}: {flag}" for name in comparison.names for study in comparison.of(name) for flag in flags(study)]
    has_many_decks = len(comparison.decks) > 1
    tables = list(_grids(comparison)) if has_many_decks else [_figures(comparison), *_differences(comparison)]
    if len(comparison.names) > 1:
        tables.append(dominance_table(comparison))
    tables.append(awards_table(comparison))
    is_incomplete = len(comparison.study_by_key) < len(comparison.names) * len(comparison.decks)
    notes = [_EMPTY_CELLS_NOTE] if is_incomplete else []
    notes += NOTES if len(comparison.names) > 1 else ()
    edges = edge_chart(comparison)
    split = split_chart(comparison)
    return Document(
        title=" and ".join(comparison.names),
        subtitle=removed_text(comparison.studies[0].shoe),
        flags=tuple(dict.fromkeys(flagged)),
        tables=tuple(tables),
        notes=(*notes, *meter_units([study.analysis for study in comparison.studies])),
        charts=tuple(chart for chart in (edges, split) if chart is not None),
    )


def _ratio_or_change(name: str, first: str, value: Value) -> str:
    return f"{name} ÷ {first}" if isinstance(value, Surd) else f"{name} less {first}"


def _grids(comparison: Comparison) -> Iterator[Table]:
    """Yield a table for each figure: paytables by numbers of decks, then differences from the first."""
    has_option = any(study.option for study in comparison.studies)
    for key in (*comparison.figures(), SHARE):
        if all(compared_value(study, key) is None for study in comparison.studies):
            continue
        yield _grid(comparison, key, figure_label(key), partial(compared_value, key=key))
        if key == "house_edge" and has_option:
            yield _grid(comparison, key, label_without_option(key), lambda study: study.analysis.house_edge)


def _grid(comparison: Comparison, key: str, label: str, value: Callable[[Study], Value]) -> Table:
    columns = [Column("Paytable"), *(Column(decks_text(count), figure_style(key)) for count in comparison.decks)]
    if key == SHARE:
        columns.insert(1, Column("Top award"))

    def figure_at(name: str, count: int) -> Value:
        study = comparison.study_by_key.get((name, count))
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
                figure_difference(
                    comparison.study_by_key.get((name, n)),
                    comparison.study_by_key.get((comparison.first, n)),
                    value,
                )
                for n in comparison.decks
            ]
            if any(change is not None for change in changes):
                first_change = next(change for change in changes if change is not None)
                rows.append((_ratio_or_change(name, comparison.first, first_change), *changes))
    return Table(tuple(columns), tuple(rows), f"{label} by number of decks", totals=len(rows) - body)


def _figures(comparison: Comparison) -> Table:
    """Return all figures in one table, for a single number of decks."""
    (decks,) = comparison.decks
    studies = {name: comparison.study_by_key[name, decks] for name in comparison.names}
    columns = (Column("Figure"), *(Column(name, Style.COUNT) for name in comparison.names))
    has_option = any(study.option for study in studies.values())
    rows: list[tuple[Cell, ...]] = []
    keys = comparison.figures()
    for key in (keys[0], _SINGLE_DECK_FIGURES[0], *keys[1:], _SINGLE_DECK_FIGURES[1], SHARE):
        rows.append(
            (
                figure_label(key),
                *(Styled(compared_value(studies[name], key), figure_style(key)) for name in comparison.names),
            )
        )
        if key == "house_edge" and has_option:
            alone = [Styled(study.analysis.house_edge, figure_style(key)) for study in studies.values()]
            rows.append((label_without_option(key), *alone))
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
        changes = [comparison.difference(comparison.study_by_key[name, decks], key) for name in other_names]
        defined = [change for change in changes if change is not None]
        if defined:
            word = "as a multiple" if isinstance(defined[0], Surd) else "difference"
            rows.append((f"{figure_label(key)}, {word}", *(Styled(change, figure_style(key)) for change in changes)))
    return [Table(columns, tuple(rows), f"Compared with {comparison.first}")]


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
            if (name, count) in comparison.study_by_key and comparison.study_by_key[name, count].analysis.is_designed
        )
        series.append(Series(name, constants, marked))
    has_open_meters = any(not study.house_edge.is_constant for study in comparison.studies)
    label = FIGURES["house_edge"].label + (", meters at zero" if has_open_meters else "")
    return SeriesChart(
        f"{label} by number of decks; filled: designed for",
        tuple(map(str, comparison.decks)),
        tuple(series),
        x_label="decks",
        y_label=label.lower(),
    )
