"""The formulas behind what a bet is worth once something is seen: chances as analyzed, pays as they are now."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from combinat.analysis.viewed import Viewed
from reports.render.workbook_calculation import Calculation
from reports.render.workbook_cells import Number, stored
from reports.render.workbook_facts import Fact, Facts
from reports.render.workbook_working import Working
from reports.tables.views import blocks_key, cases_key


def add_views(facts: Facts, calculation: Calculation, working: Working) -> None:
    """Add returns case by case; those of other decks take a new analysis, and so do meters and wheels."""
    if calculation.meters or calculation.analysis.paytable.wheels or not calculation.is_ladder:
        return
    for view, found in calculation.study.views:
        for one in found:
            facts.add_row(cases_key(view), one.name, _case(calculation, working, one))
            for row, known in _awards(calculation, working, one):
                facts.add_row(blocks_key(view), (one.name, row), known)


def _case(calculation: Calculation, working: Working, one: Viewed) -> list[Fact]:
    """Give the figures of the wager in one case."""
    analysis, returned = one.analysis, _returned(calculation, working, one)
    hits = "+".join(
        f"{stored(line.probability)}*({working.at('net', calculation.places[place])}>0)"
        for place, line in enumerate(analysis.lines)
        if line.is_possible
    )
    named: list[tuple[str, str, Number]] = [
        ("hit_frequency", hits or "0", analysis.hit_frequency),
        ("return", returned, analysis.return_.constant),
        ("house_edge", f"1-({returned})", analysis.house_edge.constant),
    ]
    return [Fact(key, calculation.at_these_decks(formula), value) for key, formula, value in named]


def _returned(calculation: Calculation, working: Working, one: Viewed) -> str:
    parts = [
        f"{stored(line.probability)}*{working.at('gross', calculation.places[place])}"
        for place, line in enumerate(one.analysis.lines)
        if line.is_possible
    ]
    return "+".join(parts) or "0"


def _awards(calculation: Calculation, working: Working, one: Viewed) -> Iterable[tuple[str, list[Fact]]]:
    """Give each award's row in one case, and their sum."""
    for place, line in enumerate(one.analysis.lines):
        if line.is_possible:
            index = calculation.places[place]
            formula = calculation.at_these_decks(f"{stored(line.probability)}*{working.at('gross', index)}")
            yield (
                line.award.name,
                [
                    Fact("words", working.at("words", index), str(line.award.pay)),
                    Fact("return", formula, line.return_.constant),
                ],
            )
    total: Fraction = one.analysis.return_.constant
    yield "total", [Fact("return", calculation.at_these_decks(_returned(calculation, working, one)), total)]
