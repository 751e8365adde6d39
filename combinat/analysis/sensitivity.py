"""How the figures move with the number of decks and with the pays."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, analyze
from combinat.bets.paytable import Paytable
from combinat.enumeration.tally import NoHandError, Ways
from decks import Shoe

USUAL_COUNTS = range(1, 9)


class AtDecks(Struct, frozen=True):
    """The figures of the wager alone with some number of decks; infinite if there is no number."""

    decks: int | None
    analysis: Analysis | None
    """Left out where no hand fits the condition under which the bet is made."""


def by_decks(
    paytable: Paytable, meters: Mapping[str, Fraction] | None = None, also: int | None = None
) -> tuple[AtDecks, ...]:
    """Give the figures with one to eight decks, those of the design and one more, and with infinite decks.

    >>> from combinat.bets.lookup import find
    >>> rows = by_decks(find("TRI-01"))
    >>> [row.decks for row in rows][-2:], rows[-1].analysis.hit_frequency  # every card drawn anew
    ([8, None], Fraction(217, 2197))
    """
    counts = sorted({*USUAL_COUNTS, *paytable.decks, *([also] if also else [])})
    pack = paytable.bet.pack
    # The same amounts of meters at every deck count mean the same only beside the same wager.
    wager = paytable.meter_wager(also)
    infinite = Analysis(paytable, Shoe(counts[-1], pack), _infinite_ways(paytable), dict(meters or {}), wager)
    found = [AtDecks(count, _if_possible(paytable, Shoe(count, pack), meters, wager)) for count in counts]
    return (*found, AtDecks(None, infinite))


def _if_possible(
    paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction] | None, wager: Fraction
) -> Analysis | None:
    try:
        return replace(analyze(paytable, shoe, meters), stated_wager=wager)
    except NoHandError:
        return None


def _infinite_ways(paytable: Paytable) -> Ways:
    """Write the chances that the decks tend to as ways of one common cycle."""
    tally = paytable.tally
    wins = [tally.limit(shapes) for shapes in tally.wins]
    matches = [tally.limit(shapes) for shapes in tally.matches]
    losing = tally.limit(tally.losing)
    cycle = lcm(*(chance.denominator for chance in (*wins, *matches, losing)))
    return Ways(
        cycle=cycle,
        matches=tuple(int(chance * cycle) for chance in matches),
        wins=tuple(int(chance * cycle) for chance in wins),
        losing=int(losing * cycle),
    )
