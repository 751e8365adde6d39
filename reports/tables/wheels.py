"""Wheels and dice, and every prize of the awards that they multiply."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.analysis.analysis import Analysis, Line
from combinat.bets.pay import Pay
from combinat.exact.amounts import decimal_text
from reports.page.model import Column, Style, Table
from reports.page.numerals import exact
from reports.tables.awards import ONE_IN, PAYS, PROBABILITY, RETURN

SPUN = "spun"
"""What a workbook calls the table of prizes."""


def wheel_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Lay out the wheels and the prizes; nothing where there is no wheel."""
    if not analysis.paytable.wheels:
        return ()
    stops = [
        (wheel.name, decimal_text(times), weight, Fraction(weight, wheel.weight))
        for wheel in analysis.paytable.wheels
        for times, weight in wheel.stops
    ]
    prizes = [
        (line.award.name, str(pay), chance, 1 / chance if chance else "impossible", pay.gross * chance)
        for line, pay, chance in _prizes(analysis)
    ]
    multiplies = (Column("Wheel"), Column("Multiplies by", Style.COUNT), Column("Weight", Style.COUNT), PROBABILITY)
    paid = (Column("Award"), PAYS, PROBABILITY, ONE_IN, RETURN)
    return (
        Table(multiplies, tuple(stops), "Wheels and dice, independent of the cards"),
        Table(paid, tuple(prizes), "Every prize that they decide", keys=2, key=SPUN),
    )


def _prizes(analysis: Analysis) -> list[tuple[Line, Pay, Fraction]]:
    return [
        (line, pay, line.probability * chance)
        for line in analysis.lines
        if line.is_spun
        for pay, chance in line.award.pay.outcomes
    ]


def wheels_payload(analysis: Analysis) -> dict[str, Any]:
    """Give the wheels and the prizes; nothing where there is no wheel."""
    if not analysis.paytable.wheels:
        return {}
    return {
        "wheels": {
            "wheels": [
                {
                    "name": wheel.name,
                    "stops": [
                        {"times": exact(times), "weight": weight, "probability": exact(Fraction(weight, wheel.weight))}
                        for times, weight in wheel.stops
                    ],
                }
                for wheel in analysis.paytable.wheels
            ],
            "prizes": [
                {
                    "award": line.award.name,
                    "pays_to_1": exact(pay.net),
                    "pays_for_1": exact(pay.gross),
                    "probability": exact(chance),
                    "return": exact(pay.gross * chance),
                }
                for line, pay, chance in _prizes(analysis)
            ],
        }
    }
