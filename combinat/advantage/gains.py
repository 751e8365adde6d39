"""What a wager of one brings with each award, and how far that is above the lowest result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from combinat.bets.paytable import Paytable
from decks import InputError


def results_of(
    paytable: Paytable, decks: int, meters: Mapping[str, Fraction]
) -> list[tuple[tuple[Fraction, Fraction], ...]]:
    """For each award, and last for none, the results of a wager of one with their chances."""
    paytable.check_meters(meters)
    wager, found = paytable.meter_wager(decks), []
    for award in paytable.awards:
        nets = [((pay.gross_for(wager) - 1).at(meters), chance) for pay, chance in award.pay.outcomes]
        if unknown := sorted({name for net, _ in nets for name in net.unknowns}):
            raise InputError(f"{paytable.id} pays from meters; say what {' and '.join(unknown)} shows with --meter")
        found.append(tuple((net.constant, chance) for net, chance in nets))
    return [*found, ((Fraction(-1), Fraction(1)),)]


def gain_of(pay: Sequence[tuple[Fraction, Fraction]], lowest: Fraction, unit: int) -> tuple[Fraction, Fraction]:
    """The mean of what is gained above the lowest result, and of its square, in parts of one."""
    gains = [((result - lowest) * unit, chance) for result, chance in pay]
    return sum((gain * chance for gain, chance in gains), Fraction(0)), sum(
        (gain**2 * chance for gain, chance in gains), Fraction(0)
    )
