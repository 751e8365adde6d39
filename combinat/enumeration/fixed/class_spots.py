"""Joint awards of several spots over classes of cards: for rules that distinguish few cards, and for small shoes."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import perm

from combinat.enumeration.fixed.enumerator import FixedEnumerator
from combinat.enumeration.fixed.hand_rows import ClassRows, Row
from combinat.enumeration.table import iter_bits
from combinat.exact.numbers import MiscountError
from combinat.language.words import Positions
from decks import Composition

MAX_STEPS = 500_000
"""Hands of the dealer times those of every spot: about three seconds."""
MAX_ROW_WORK = 4_000_000
"""Work of judging the hands of one spot: about a second."""

_Hands = Counter[tuple[Row, int]]
"""The classes of a spot's cards and the rule that takes its hand, with the number of orders."""
_States = Counter[tuple[Row, tuple[int, ...]]]
"""The classes that are removed and the rules that the spots have taken so far, with the ways."""


def rows_for_spots(
    experiment: FixedEnumerator, composition: Composition, shared: Positions, own_positions: Positions, spots: int
) -> ClassRows | None:
    """Return the hands of one spot and the dealer; `None` if spots are too much work."""
    rows = ClassRows(experiment.deal, experiment.pack, experiment.ladder, composition, separate=shared)
    if rows.work > MAX_ROW_WORK:
        return None
    return rows if rows.count_hands(shared) * rows.count_hands(own_positions) ** spots <= MAX_STEPS else None


def count_spots_by_class(
    experiment: FixedEnumerator, composition: Composition, shared: Positions, own_positions: Positions, spots: int
) -> dict[tuple[int, ...], int] | None:
    """Count the orders of the cards in which the spots take each row of rules; `None` if that is too much work.

    The number of rules stands for a hand that no rule takes.
    """
    rows = rows_for_spots(experiment, composition, shared, own_positions, spots)
    if rows is None:
        return None
    ways_by_awards: Counter[tuple[int, ...]] = Counter()
    for (dealer, orders), hands in _hands_by_dealer(experiment, rows, shared, own_positions).items():
        states: _States = Counter({(dealer, ()): orders * rows.draw((), dealer)})
        for _ in range(spots):
            states = _add_spot(rows, states, hands)
        for (_, awards), ways in states.items():
            ways_by_awards[awards] += ways
    total = perm(composition.size, len(shared) + len(own_positions) * spots)
    if sum(ways_by_awards.values()) != total:
        raise MiscountError(f"the spots' hands add up to {sum(ways_by_awards.values())}, not to {total}")
    return {row: ways for row, ways in sorted(ways_by_awards.items()) if ways}


def _add_spot(rows: ClassRows, states: _States, hands: _Hands) -> _States:
    """Deal one more spot after every state."""
    longer: _States = Counter()
    for (removed, awards), ways in states.items():
        for (cards, award), orders in hands.items():
            if draws := rows.draw(removed, cards):
                longer[tuple(sorted(removed + cards)), (*awards, award)] += ways * orders * draws
    return longer


def _hands_by_dealer(
    experiment: FixedEnumerator, rows: ClassRows, shared: Positions, own_positions: Positions
) -> dict[tuple[Row, int], _Hands]:
    """Return the hands that a spot can have, for each hand of the dealer with its number of orders."""
    award_of = [len(experiment.ladder.rules)] * rows.size
    for award, members in enumerate(rows.judge().wins):
        for row in iter_bits(members):
            award_of[row] = award
    hands_by_dealer: defaultdict[tuple[Row, int], _Hands] = defaultdict(Counter)
    for row, (of_dealer, of_spot) in enumerate(zip(rows.orders(shared), rows.orders(own_positions), strict=True)):
        spot_cards = tuple(sorted(rows.classes_at(row, own_positions)))
        hands_by_dealer[rows.classes_at(row, shared), of_dealer][spot_cards, award_of[row]] += of_spot
    return hands_by_dealer
