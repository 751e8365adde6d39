"""Compare pinned variants with the bet: every figure, and its difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from combinat.analysis.analysis import AwardLine
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd, SurdDifference
from combinat.figures import FIGURES, Value, headline_value
from combinat.study import Study
from decks import InputError
from reports.answers.compare import NOTES, Comparison, dominance_table, edge_chart, split_chart
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Style, Styled, Table
from reports.studio import page_json as drawn
from reports.studio.panels import selected_paytable
from reports.studio.view import selected, studies_by_decks

_BET = "This bet"
_COMPARED = ("house_edge", "return", "hit_frequency", "standard_deviation", "skewness")


def compare_pins(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the comparison of pinned variants with the bet; variants that fail are listed as problems."""
    studies_by_name = {_BET: studies_by_decks(replace(selected_paytable(body), id=_BET), body)}
    decks = selected(studies_by_name[_BET], body).shoe.decks
    problems: list[str] = []
    for number, pin in enumerate(body["pins"], 1):
        name = _unique_name(str(pin.get("name") or f"variant {number}"), studies_by_name)
        try:
            variant_studies = studies_by_decks(
                replace(selected_paytable(pin), id=name), {**body, "meters": pin.get("meters")}
            )
            if not any(study.shoe.decks == decks for study in variant_studies):
                raise InputError(f"no hand comes from {decks} decks that can be bet on")
        except InputError as error:
            problems.append(f"{name}: {error}")
        else:
            studies_by_name[name] = variant_studies
    current = {
        name: next(study for study in variant_studies if study.shoe.decks == decks)
        for name, variant_studies in studies_by_name.items()
    }
    compared = Comparison([study for variant_studies in studies_by_name.values() for study in variant_studies])
    charts = (edge_chart(compared), split_chart(Comparison(list(current.values()))))
    return {
        "at": decks,
        "table": drawn.table_json(_side_by_side(current)),
        "better": drawn.table_json(dominance_table(compared)),
        "notes": list(NOTES),
        "charts": [drawn.chart_json(study) for study in charts if study is not None],
        "problems": problems,
    }


def _unique_name(name: str, existing: Mapping[str, object]) -> str:
    """Return a name for a variant that is not in `existing`.

    >>> _unique_name("before", {"before": 1, "before (2)": 2}), _unique_name("after", {"before": 1})
    ('before (3)', 'after')
    """
    unique, number = name, 1
    while unique in existing:
        number += 1
        unique = f"{name} ({number})"
    return unique


def _side_by_side(studies_by_name: Mapping[str, Study]) -> Table:
    all_studies = list(studies_by_name.values())
    bet_name, *variant_names = studies_by_name
    columns = [Column("Figure"), Column(bet_name, Style.COUNT)]
    for name in variant_names:
        columns += [Column(name, Style.COUNT), Column("difference", Style.COUNT)]
    rows: list[tuple[Cell, ...]] = []
    for key in _COMPARED:
        rows.append(
            (
                FIGURES[key].label,
                *_with_differences([headline_value(study, key) for study in all_studies], STYLES[key].style),
            )
        )
    for name in dict.fromkeys(line.award.name for study in all_studies for line in study.analysis.lines):
        lines = [_line(study, name) for study in all_studies]
        pays = [str(line.award.pay) if line else None for line in lines]
        rows.append((f"{name}: pays", pays[0], *(cell for pay in pays[1:] for cell in (pay, ""))))
        rows.append(
            (f"{name}: return", *_with_differences([line.return_ if line else None for line in lines], Style.DECIMAL))
        )
    return Table(tuple(columns), tuple(rows), f"With {all_studies[0].shoe}")


def _line(study: Study, name: str) -> AwardLine | None:
    return next((line for line in study.analysis.lines if line.award.name == name), None)


def _with_differences(values: Sequence[Value], style: Style) -> list[Cell]:
    first, *variant_values = values
    cells: list[Cell] = [Styled(first, style)]
    for value in variant_values:
        cells += [Styled(value, style), _difference(value, first, style)]
    return cells


def _difference(value: Value, first: Value, style: Style) -> Cell:
    """Return a variant's figure minus the bet's, or `None` if they cannot be subtracted."""
    if isinstance(value, Surd) and isinstance(first, Surd):
        return Styled(SurdDifference(value, first), style)
    if isinstance(value, (int, Fraction, Polynomial)) and isinstance(first, (int, Fraction, Polynomial)):
        return Styled(value - first, style)
    return None
