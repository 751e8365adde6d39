"""What `compare` answers: paytables side by side, by number of decks, and which of them is better for the player."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial

from combinat.exact.polynomial import Polynomial
from combinat.exact.root import Root
from combinat.figures import FIGURES, Value, label_without_option
from combinat.study import Study
from reports.answers.compare_awards import awards_table, split_chart
from reports.answers.compared import SHARE, Comparison, apart, decks_text, label_of, style_of, value_of
from reports.answers.dominating import NOTES, dominance_table
from reports.page.model import Cell, Chart, Column, Document, Series, Style, Styled, Table
from reports.tables.flags import flags
from reports.tables.headings import cards_gone, meter_units

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
    return f"{name} ÷ {first}" if isinstance(value, Root) else f"{name} less {first}"


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
            word = "as a multiple" if isinstance(known[0], Root) else "difference"
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
