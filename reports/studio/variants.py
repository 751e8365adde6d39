"""Pinned variants beside a bet: every figure of each, and by how much it differs from the bet's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from combinat.analysis.analysis import Line
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd, SurdDifference
from combinat.figures import FIGURES, Value, headline
from combinat.study import Study
from decks import InputError
from reports.answers.compare import NOTES, Comparison, dominance_table, edge_chart, split_chart
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Style, Styled, Table
from reports.studio import page_json as drawn
from reports.studio.panels import only
from reports.studio.view import shown, studies

_BET = "This bet"
_COMPARED = ("house_edge", "return", "hit_frequency", "standard_deviation", "skewness")


def pins(body: Mapping[str, Any]) -> dict[str, Any]:
    """Put pinned variants beside the bet, each figure with its difference; one that cannot be is told of."""
    every = {_BET: studies(replace(only(body), id=_BET), body)}
    at = shown(every[_BET], body).shoe.decks
    problems: list[str] = []
    for number, pin in enumerate(body["pins"], 1):
        name = _unused(str(pin.get("name") or f"variant {number}"), every)
        try:
            found = studies(replace(only(pin), id=name), {**body, "meters": pin.get("meters")})
            if not any(one.shoe.decks == at for one in found):
                raise InputError(f"no hand comes from {at} decks that can be bet on")
        except InputError as error:
            problems.append(f"{name}: {error}")
        else:
            every[name] = found
    here = {name: next(one for one in found if one.shoe.decks == at) for name, found in every.items()}
    compared = Comparison([one for found in every.values() for one in found])
    charts = (edge_chart(compared), split_chart(Comparison(list(here.values()))))
    return {
        "at": at,
        "table": drawn.table(_side_by_side(here)),
        "better": drawn.table(dominance_table(compared)),
        "notes": list(NOTES),
        "charts": [drawn.chart(one) for one in charts if one is not None],
        "problems": problems,
    }


def _unused(name: str, taken: Mapping[str, object]) -> str:
    """Call a variant by a name of its own.

    >>> _unused("before", {"before": 1, "before (2)": 2}), _unused("after", {"before": 1})
    ('before (3)', 'after')
    """
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name} ({number})"
    return found


def _side_by_side(here: Mapping[str, Study]) -> Table:
    every = list(here.values())
    own, *others = here
    columns = [Column("Figure"), Column(own, Style.COUNT)]
    for name in others:
        columns += [Column(name, Style.COUNT), Column("difference", Style.COUNT)]
    rows: list[tuple[Cell, ...]] = []
    for key in _COMPARED:
        rows.append((FIGURES[key].label, *_with_differences([headline(one, key) for one in every], STYLES[key].style)))
    for name in dict.fromkeys(line.award.name for one in every for line in one.analysis.lines):
        lines = [_line(one, name) for one in every]
        pays = [str(line.award.pay) if line else None for line in lines]
        rows.append((f"{name}: pays", pays[0], *(cell for pay in pays[1:] for cell in (pay, ""))))
        rows.append(
            (f"{name}: return", *_with_differences([line.return_ if line else None for line in lines], Style.DECIMAL))
        )
    return Table(tuple(columns), tuple(rows), f"With {every[0].shoe}")


def _line(one: Study, name: str) -> Line | None:
    return next((line for line in one.analysis.lines if line.award.name == name), None)


def _with_differences(values: Sequence[Value], style: Style) -> list[Cell]:
    first, *others = values
    cells: list[Cell] = [Styled(first, style)]
    for value in others:
        cells += [Styled(value, style), _difference(value, first, style)]
    return cells


def _difference(value: Value, first: Value, style: Style) -> Cell:
    """Give by how much a variant's figure is more than the bet's."""
    if isinstance(value, Surd) and isinstance(first, Surd):
        return Styled(SurdDifference(value, first), style)
    if isinstance(value, (int, Fraction, Polynomial)) and isinstance(first, (int, Fraction, Polynomial)):
        return Styled(value - first, style)
    return None
