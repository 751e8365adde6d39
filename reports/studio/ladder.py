"""The figures that stay in view while a bet is edited: by award at one deck count, and by deck count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from combinat.analysis.analysis import Analysis, AwardLine, award_components
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.figures import FIGURES, Value, headline_value
from combinat.study import Study
from reports.page.model import Style
from reports.page.numerals import format_fixed
from reports.studio.page_json import cell_json

_DIGITS = {Style.PERCENT: 4, Style.DECIMAL: 2}
"""Decimals of a probability, of which a percentage shows two less; more are on hover and in the tool Figures."""
_COORDINATE_DIGITS = 12
_DECK_FIGURES = ("house_edge", "hold", "hit_frequency", "standard_deviation")
_STYLES = {"percent": Style.PERCENT, "decimal": Style.DECIMAL}


def deck_rows(studies: Sequence[Study], counts: Sequence[int]) -> list[dict[str, Any]]:
    """Return a row for each figure with a cell for each deck count; `None` where it is not counted yet.

    The hold is shown for bets with meters only; elsewhere it is the house edge. A figure that depends on the amount of
    a meter at every deck count of the design has no row: the tool Meters shows it.
    """
    study_by_decks = {study.shoe.decks: study for study in studies}
    has_meters = bool(studies[0].paytable.meters)
    rows = []
    for key in _DECK_FIGURES:
        figure = FIGURES[key]
        if key == "hold" and not has_meters:
            continue
        values = {decks: headline_value(study, key) for decks, study in study_by_decks.items()}
        style = _STYLES[figure.style]
        cells = {decks: number_cell(value, style) or {"text": "–"} for decks, value in values.items()}
        designed = [cell for decks, cell in cells.items() if studies[0].paytable.is_designed_for(decks)]
        if has_meters and not any("at" in cell for cell in designed or cells.values()):
            continue
        rows.append(
            {
                "key": key,
                "label": figure.label,
                "meaning": figure.meaning,
                "cells": [cells.get(decks) for decks in counts],
            }
        )
    return rows or _rows_by_meter(studies, counts)


def _rows_by_meter(studies: Sequence[Study], counts: Sequence[int]) -> list[dict[str, Any]]:
    """Return the row of a house edge that depends on meters without terms."""
    edges = {study.shoe.decks: number_cell(study.analysis.house_edge, Style.PERCENT) for study in studies}
    figure = FIGURES["house_edge"]
    cells = [edges.get(decks) for decks in counts]
    return [{"key": figure.key, "label": figure.label, "meaning": figure.meaning, "cells": cells}]


def award_rows(study: Study) -> list[dict[str, Any]]:
    """Return for each award that the text states what it contributes at the selected deck count."""
    analysis = study.analysis
    if analysis.paytable.stated_awards:
        return list(_component_rows(analysis))
    total = analysis.return_
    return [_award_row(line, total) for line in analysis.lines]


def _award_row(line: AwardLine, total: Polynomial) -> dict[str, Any]:
    returned = line.return_
    share = None
    if returned.is_constant and total.is_constant and total.constant > 0:
        share = returned.constant / total.constant
    return {
        "name": line.award.name,
        "ways": cell_json(line.ways, Style.COUNT),
        "probability": number_cell(line.probability, Style.PERCENT),
        "one_in": _odds_cell(line.probability),
        "return": number_cell(returned, Style.PERCENT),
        "share": number_cell(share, Style.PERCENT),
        "step": number_cell(None if line.award.pay.meter else -line.probability, Style.PERCENT),
    }


def _component_rows(analysis: Analysis) -> Iterator[dict[str, Any]]:
    """Yield the awards of a bet that pays all matches; their returns are added to that of the wager itself."""
    for component in award_components(analysis):
        yield {
            "name": component.award.name,
            "ways": cell_json(component.ways, Style.COUNT),
            "probability": number_cell(component.probability, Style.PERCENT),
            "one_in": _odds_cell(component.probability),
            "return": number_cell(component.mean_pay, Style.PERCENT) if component.award.pay.meter is None else None,
            "share": None,
            "step": number_cell(None if component.award.pay.meter else -component.mean_count, Style.PERCENT),
        }


def _odds_cell(probability: Fraction) -> dict[str, Any] | None:
    return cell_json(1 / probability, Style.DECIMAL, 1) if probability else None


def number_cell(value: Value, style: Style) -> dict[str, Any] | None:
    """Return a value with its coordinate for charts; a formula in meters has no coordinate."""
    if value is None:
        return None
    number = value.constant if isinstance(value, Polynomial) and value.is_constant else value
    cell = cell_json(number, style, _DIGITS[style])
    if isinstance(number, Polynomial):
        return {**cell, "text": "by meter"}
    if isinstance(number, Surd):
        cell["at"] = f"{number:.{_COORDINATE_DIGITS}f}"
    elif isinstance(number, (int, Fraction)):
        cell["at"] = format_fixed(Fraction(number), _COORDINATE_DIGITS, grouped=False).replace("−", "-")
    return cell
