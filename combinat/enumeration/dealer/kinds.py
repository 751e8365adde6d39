"""The classes of a dealer's draw by the ranks of their cards alone, the hole card told apart if it is in view."""

from __future__ import annotations

from collections.abc import Iterator

from combinat.enumeration.dealer.dealer_draw import DealerDraw
from combinat.enumeration.dealer.outcomes import classes_of
from combinat.enumeration.listing import KindsAt
from combinat.exact.whole import MiscountError
from decks import Composition

_Parted = list[tuple[int, dict[int, tuple[int, ...]]]]
"""The cards of a row by their places, with the orders in which they lie so."""


def kinds(trial: DealerDraw, composition: Composition, tells_hole: bool) -> Iterator[KindsAt]:
    """List every class of outcomes by the rank classes of its cards, without laying any hand out.

    In which of its orders a finished hand was drawn has nothing to do with suits, nor with the cards dealt before: of
    the ways of a class, each hole card has the part that its orders have of all.
    """
    parted: dict[int, _Parted] = {}
    for found in classes_of(trial, composition):
        if found.row not in parted:
            parted[found.row] = (_by_hole if tells_hole else _as_it_is)(trial, found.row)
        dealt = {place: (number,) for place, number in enumerate(found.block.rank_classes)}
        every = trial.table.orders[found.row]
        for orders, at in parted[found.row]:
            ways, over = divmod(found.ways * orders, every)
            if over:
                raise MiscountError(f"{found.ways} ways do not fall into {every} orders")
            yield KindsAt(found.award, ways, dealt | at if dealt else at)


def _as_it_is(trial: DealerDraw, row: int) -> _Parted:
    table, first = trial.table, trial.deal.cards_dealt
    return [(table.orders[row], {first: (table.ups[row],), first + 1: _left(trial, row, table.ups[row])})]


def _by_hole(trial: DealerDraw, row: int) -> _Parted:
    table, first = trial.table, trial.deal.cards_dealt
    up = table.ups[row]
    return [
        (orders, {first: (up,), trial.deal.hole: (hole,), first + 1: _left(trial, row, up, hole)})
        for hole, orders in table.holes[row]
    ]


def _left(trial: DealerDraw, row: int, *shown: int) -> tuple[int, ...]:
    """The rank classes of a row's cards without those that lie elsewhere."""
    left = list(trial.table.hands[trial.table.hand_of[row]])
    for number in shown:
        left[number] -= 1
    return tuple(number for number, count in enumerate(left) for _ in range(count))
