"""A jackpot paytable run as a house jackpot: the prize is posted, nothing is contributed, and it stays what it is."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.exact.polynomial import Polynomial

EDGES = tuple(Fraction(percent, 100) for percent in (0, 5, 10, 15, 20, 25))


def prize_for(
    analysis: Analysis, meter: str, edge: Fraction, others: Mapping[str, Fraction], wager: Fraction | None = None
) -> Fraction | None:
    """Give the posted prize of a meter at which the house keeps so much of a wager, the other prizes being posted too.

    None if the house keeps less even without a prize, or if the meter can never be hit.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.lookup import find
    >>> from decks import Shoe
    >>> jackpot = analyze(find("TBJ-06-2024"), Shoe(6))
    >>> prize = prize_for(jackpot, "meter", Fraction(1, 10), {})
    >>> analyze(find("TBJ-06-2024"), Shoe(6), {"meter": prize}).house_edge.constant
    Fraction(1, 10)
    """
    parts = (line.award.pay.gross_for(wager or analysis.meter_wager) * line.probability for line in analysis.lines)
    rest = sum(parts, Polynomial.of(0)).at({name: amount for name, amount in others.items() if name != meter})
    slope = rest.coefficient(meter)
    if not slope or set(rest.unknowns) != {meter}:
        return None
    prize = (1 - edge - rest.constant) / slope
    return prize if prize >= 0 else None
