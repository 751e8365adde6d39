"""How often meters are hit at the pace of play that a sheet says, by going through the hits of a year from none on."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from combinat.verifier.house import Awards
from combinat.verifier.many_plays import thirty
from combinat.verifier.meters import PRECISE, decimal_of, power
from combinat.verifier.reading import UnreadableError, number_of, said

DAYS_OF_A_YEAR = 365
FEW, MANY = Decimal("0.05"), Decimal("0.95")
MOST_PLAYS = 10**11


def pace_part(sheet: dict[str, Any], awards: Awards) -> dict[str, Any]:
    """Give what a sheet should say of the pace of play."""
    part = said(sheet, "pace", dict)
    daily, days = number_of(part.get("plays_per_day")), number_of(part.get("days"))
    if not 0 < daily * (days + DAYS_OF_A_YEAR) <= MOST_PLAYS:
        raise UnreadableError("'pace' has no plays, or more than can be followed")
    chances: dict[str, Fraction] = {}
    for pay, chance in zip(awards.pays, awards.chances, strict=True):
        if not pay.is_fixed and pay.amount == 1 and chance:
            name = pay.unit.removeprefix("of ")
            chances[name] = chances.get(name, Fraction(0)) + chance
    return {"hits": [hits_row(name, chance, daily, days) for name, chance in chances.items()]}


def hits_row(name: str, chance: Fraction, daily: Fraction, days: Fraction) -> dict[str, Any]:
    """Give what a sheet should say of one meter."""
    plays, yearly = int(daily * days), int(daily * DAYS_OF_A_YEAR)
    none = power(1 - chance, plays)
    one = plays * chance * power(1 - chance, plays - 1)
    few, many = not_exceeded(chance, yearly)
    return {
        "meter": name,
        "days_between_hits": 1 / chance / daily,
        "no_hit": thirty(none),
        "two_or_more": thirty(1 - none - one),
        "hits_per_year": yearly * chance,
        "least_per_year": few,
        "most_per_year": many,
    }


def not_exceeded(chance: Fraction, plays: int) -> tuple[int, int]:
    """The hits that are not exceeded in 5% and in 95% of years: the chances of none, one, two and so on, added up."""
    if chance == 1:
        return plays, plays
    odds = decimal_of(chance / (1 - chance))
    here = PRECISE.power(decimal_of(1 - chance), plays)
    together, hits, few = here, 0, None
    while together < MANY and hits < plays:
        if few is None and together >= FEW:
            few = hits
        here = PRECISE.divide(PRECISE.multiply(PRECISE.multiply(here, odds), Decimal(plays - hits)), Decimal(hits + 1))
        hits += 1
        together = PRECISE.add(together, here)
    return hits if few is None else few, hits
