"""How the figures move with the number of decks and with the pays."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis import Analysis, analyze
from combinat.paytable import Paytable
from combinat.tally import Ways
from decks import Shoe

USUAL_COUNTS = range(1, 9)


class AtDecks(Struct, frozen=True):
    """The figures with some number of decks; without end if there is no number."""

    decks: int | None
    analysis: Analysis


def by_decks(
    paytable: Paytable, meters: Mapping[str, Fraction] | None = None, also: int | None = None
) -> tuple[AtDecks, ...]:
    """Give the figures with one to eight decks, those of the design and one more, and with decks without end.

    >>> from combinat.finding import find
    >>> rows = by_decks(find("TRI-01"))
    >>> [row.decks for row in rows][-2:], rows[-1].analysis.hit_frequency  # every card drawn anew
    ([8, None], Fraction(217, 2197))
    """
    counts = sorted({*USUAL_COUNTS, *paytable.decks, *([also] if also else [])})
    pack = paytable.bet.pack
    finite = [AtDecks(count, analyze(paytable, Shoe(count, pack), meters)) for count in counts]
    endless = Analysis(paytable, Shoe(counts[-1], pack), _endless_ways(paytable), dict(meters or {}))
    # The same amounts of meters at every deck count mean the same only beside the same wager.
    wager = paytable.meter_wager(also)
    return tuple(
        AtDecks(one.decks, replace(one.analysis, stated_wager=wager)) for one in (*finite, AtDecks(None, endless))
    )


def _endless_ways(paytable: Paytable) -> Ways:
    """Write the chances that the decks tend to as ways of one common cycle."""
    tally = paytable.tally
    takes = [tally.limit(shapes) for shapes in tally.takes]
    fits = [tally.limit(shapes) for shapes in tally.fits]
    none = tally.limit(tally.none)
    cycle = lcm(*(chance.denominator for chance in (*takes, *fits, none)))
    return Ways(
        cycle=cycle,
        fits=tuple(int(chance * cycle) for chance in fits),
        takes=tuple(int(chance * cycle) for chance in takes),
        none=int(none * cycle),
    )
