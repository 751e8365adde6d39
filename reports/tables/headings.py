"""What stands above and below tables: names of paytables, the unit of meters, what sources print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.bets.paytable import Paytable
from combinat.design.published import NOT_A_CHECK, agrees, is_check, label
from combinat.exact.amounts import decimal_text
from decks import Shoe
from decks.errors import printable

INFINITE = "∞"
"""How an infinite number of decks is written."""


def heading(paytable: Paytable) -> str:
    """Name a paytable with its id and title, once each."""
    return paytable.title if paytable.id in paytable.title else f"{paytable.id}: {paytable.title}"


def names(paytables: Iterable[Paytable]) -> dict[Paytable, str]:
    """Name paytables by their ids; where several have one id, as two states of a file do, with the file of each."""
    different = list(dict.fromkeys(paytables))
    ids = Counter(one.id for one in different)
    return {one: one.id if ids[one.id] == 1 else f"{one.id} ({printable(one.bet.origin)})" for one in different}


def meter_unit(wager: Fraction) -> str:
    """Say what the amounts of meters are, which is the same on every page and in every file."""
    return f"Amounts of meters are money, for a wager of {decimal_text(wager)}."


def meter_units(analyses: Sequence[Analysis]) -> tuple[str, ...]:
    """Say it of several paytables, each of which may have its own wager."""
    wagers = {one.meter_wager for one in analyses if one.paytable.meters}
    if len(wagers) <= 1:
        return tuple(map(meter_unit, wagers))
    called = names(one.paytable for one in analyses)
    own = dict.fromkeys(
        (called[one.paytable], one.shoe.decks, one.meter_wager) for one in analyses if one.paytable.meters
    )
    return tuple(f"{name}, {decks} deck{'s' * (decks > 1)}: {meter_unit(wager)}" for name, decks, wager in own)


def meters_shown(analysis: Analysis) -> list[str]:
    """Say what meters show where that was given, which every figure depends on.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.lookup import find
    >>> meters_shown(analyze(find("BLZ-1-UP"), Shoe(6), {"meter": Fraction(25_000)}))
    ['meter at 25,000']
    """
    return [f"{name} at {decimal_text(value)}" for name, value in analysis.meters.items()]


def conditions(analysis: Analysis) -> str:
    """Say under what figures stand, as CSV names it: what must hold, which cards are gone, what meters show.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.lookup import find
    >>> from decks import parse_cards
    >>> conditions(analyze(find("BB-1"), Shoe(6, removed=parse_cards("7h"))))
    'not blackjack; less 7h'
    """
    given = analysis.paytable.bet.given
    stands_on = (str(given) if given else "", cards_gone(analysis.shoe), *meters_shown(analysis))
    return "; ".join(filter(None, stands_on))


def published_notes(analysis: Analysis) -> list[str]:
    """Say of each figure that a source prints for this deck count whether it is ours."""
    notes = []
    for printed in analysis.paytable.published:
        if printed.decks == analysis.shoe.decks and analysis.shoe.is_full:
            verdict = {
                True: "reproduced to every printed digit",
                False: "not reproduced",
                None: "depends on the meters",
            }
            result = verdict[agrees(analysis, printed)] if is_check(analysis, printed) else NOT_A_CHECK
            notes.append(f"Published {label(printed)} {printed.text}: {result}.")
    return notes


def cards_gone(shoe: Shoe) -> str:
    """Say which cards are gone from a shoe, if any are."""
    return f"less {' '.join(map(str, shoe.removed))}" if shoe.removed else ""
