"""Compare kept variants with the bet: every figure, and what the bet changes for the house and the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from combinat.exact.interval import Interval, Limits, parse_interval
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd, SurdDifference
from combinat.figures import FIGURES, Value, headline_value
from combinat.results.comparison import Comparison
from combinat.study import Study
from decks import InputError
from reports.answers.compare import NOTES, dominance_table, edge_chart, find_award_line, split_chart
from reports.page.figures import STYLES
from reports.page.model import Cell, Style
from reports.studio import page_json
from reports.studio.bets import unique_name
from reports.studio.panels import selected_paytable
from reports.studio.view import select_study, studies_by_decks

BET = "This bet"
_COMPARED_FIGURES = ("hold", "house_edge", "return", "hit_frequency", "standard_deviation", "skewness")
_EDGES = ("hold", "house_edge")
"""Figures that the target is about."""
_DIGITS = 5


def compare_variants(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the comparison of kept variants with the bet; variants that fail are listed as problems."""
    studies_by_name = {BET: studies_by_decks(replace(selected_paytable(body), id=BET), body)}
    decks = select_study(studies_by_name[BET], body).shoe.decks
    problems: list[str] = []
    for variant_number, variant in enumerate(body["variants"], 1):
        name = unique_name(str(variant.get("name") or f"variant {variant_number}"), studies_by_name, "{} ({})")
        try:
            variant_studies = studies_by_decks(
                replace(selected_paytable(variant), id=name), {**body, "meters": variant.get("meters")}
            )
            if not any(study.shoe.decks == decks for study in variant_studies):
                raise InputError(f"no hand of {decks} decks meets the condition of the bet")
        except InputError as error:
            problems.append(f"{name}: {error}")
        else:
            studies_by_name[name] = variant_studies
    current = {
        name: next(study for study in variant_studies if study.shoe.decks == decks)
        for name, variant_studies in studies_by_name.items()
    }
    comparison = Comparison([study for variant_studies in studies_by_name.values() for study in variant_studies])
    charts = (edge_chart(comparison), split_chart(Comparison(list(current.values()))))
    return {
        "at": decks,
        "columns": list(current),
        "rows": _rows(list(current.values()), parse_target(body.get("target"))),
        "better": page_json.table_json(dominance_table(comparison)),
        "notes": list(NOTES),
        "charts": [page_json.chart_json(chart) for chart in charts if chart is not None],
        "problems": problems,
    }


def parse_target(text: str | None) -> Limits:
    """Parse the target band; without one, or while it is typed, every edge is within it."""
    try:
        return parse_interval(text, "target", percent=True) if text else Interval()
    except InputError:
        return Interval()


def _rows(studies: Sequence[Study], target: Limits) -> list[dict[str, Any]]:
    rows = []
    for key in _COMPARED_FIGURES:
        if key == "hold" and not any(study.paytable.meters for study in studies):
            continue  # elsewhere it is the house edge
        values = [_known_value(study, key) for study in studies]
        if any(value is not None for value in values):
            rows.append({"label": FIGURES[key].label, "cells": _cells(key, values, STYLES[key].style, target)})
    for name in dict.fromkeys(line.award.name for study in studies for line in study.analysis.lines):
        lines = [find_award_line(study, name) for study in studies]
        rows.append(
            {"label": f"{name}: pays", "cells": [{"text": str(line.award.pay) if line else "–"} for line in lines]}
        )
        returns = [line.return_ if line else None for line in lines]
        rows.append({"label": f"{name}: return", "cells": _cells("award", returns, Style.PERCENT, target)})
    return rows


def _known_value(study: Study, key: str) -> Value:
    """Return a figure; `None` if it depends on the amounts of meters whose hold is known, which is compared instead."""
    value = headline_value(study, key)
    is_open = isinstance(value, Polynomial) and not value.is_constant
    is_compared_by_hold = key in ("house_edge", "return") and _number(headline_value(study, "hold")) is not None
    return None if is_open and is_compared_by_hold else value


def _cells(key: str, values: Sequence[Value], style: Style, target: Limits) -> list[dict[str, Any]]:
    """Return the bet's figure, and that of each variant with the difference of the bet from it."""
    bet_value, *variant_values = values
    cells = [page_json.cell_json(bet_value, style, _DIGITS)]
    for value in variant_values:
        cell = page_json.cell_json(value, style, _DIGITS)
        difference = _difference(bet_value, value)
        if difference is not None and difference != 0:
            text = page_json.cell_json(difference, style, _DIGITS)["text"]
            sense = _sense(key, bet_value, value, target)
            words = [_SENSES[word] for word in sense]
            cell["difference"] = ", ".join([text if text.startswith("−") else f"+{text}", *words])
            cell["sense"] = sense
        cells.append(cell)
    return cells


_SENSES = {
    "house": "more for the house",
    "player": "more for the player",
    "closer": "closer to the target",
    "farther": "farther from the target",
}


def _sense(key: str, bet_value: Value, value: Value, target: Limits) -> list[str]:
    """Return what the change from a variant to the bet means: for the house, and for the target of the edge."""
    numbers = [_number(item) for item in (bet_value, value)]
    if key not in (*_EDGES, "return") or None in numbers:
        return []
    bet_number, variant_number = (number for number in numbers if number is not None)
    sense = ["house" if (bet_number > variant_number) == (key in _EDGES) else "player"]
    if key in _EDGES and target != Interval():
        distances = [_distance(number, target) for number in (bet_number, variant_number)]
        if distances[0] != distances[1]:
            sense.append("closer" if distances[0] < distances[1] else "farther")
    return sense


def _number(value: Value) -> Fraction | None:
    if isinstance(value, Polynomial):
        return value.constant if value.is_constant else None
    return Fraction(value) if isinstance(value, (int, Fraction)) else None


def _distance(edge: Fraction, target: Limits) -> Fraction:
    """Return the distance of an edge from a band; zero within it."""
    below = target.low - edge if target.low is not None else Fraction(0)
    above = edge - target.high if target.high is not None else Fraction(0)
    return max(below, above, Fraction(0))


def _difference(bet_value: Value, value: Value) -> Cell:
    """Return the bet's figure minus a variant's, or `None` if they cannot be subtracted."""
    if isinstance(value, Surd) and isinstance(bet_value, Surd):
        return None if value == bet_value else SurdDifference(bet_value, value)
    if isinstance(value, (int, Fraction, Polynomial)) and isinstance(bet_value, (int, Fraction, Polynomial)):
        return bet_value - value
    return None
