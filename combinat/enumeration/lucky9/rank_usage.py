"""The rounds of Lucky 9 by how many cards of each class of ranks they take, if they are played by a fixed policy.

What a card counts decides what comes of a round, its class only what is taken. So second cards of split hands are drawn
from a few stocks, one for each class and result; and how many of each class came is written into one number, four bits
for each class, with the units that are won above them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb, factorial, perm
from typing import NamedTuple

from combinat.enumeration.lucky9.enumerator import LuckyRound, counts_of, kind_of
from combinat.enumeration.lucky9.round import (
    AFTER_SPLIT,
    HIT,
    POINTS,
    SPLIT,
    STAND,
    Cell,
    DealerResult,
    Key,
    Round,
    ways_to_finish,
)
from combinat.enumeration.lucky9.rules import KINDS, LUCKY, three_cards, two_cards
from combinat.enumeration.lucky9.strategy import Policy
from decks import Composition, Rank

TENS = range(10, 14)
"""The ranks that count nothing; all others count differently."""
_BITS = 4
"""A round takes no more than eleven cards, so that four bits hold how many are of a class."""
_UNIT = 1 << 14 * _BITS
"""A unit that is won, above the classes: of thirteen ranks, with all tens as one more at first."""

Mark = int
"""How many cards of each class are taken, and what is won with them, in one number."""
Stocks = tuple[tuple[Mark, int], ...]
"""Second cards that make the same of a hand: the mark of one, and how many there are."""
Taken = tuple[int, ...]


def taken_by_rank(
    trial: LuckyRound, policy: Policy, composition: Composition, classes: Sequence[Sequence[int]]
) -> Iterator[tuple[int | None, Taken, int]]:
    """Give each award, and none for losing, with what a policy takes of each class, in how many ordered ways."""
    class_of = {kind_of(Rank(rank)): number for number, ranks in enumerate(classes) for rank in ranks}
    cuts_tens = sum(any(rank in TENS for rank in ranks) for ranks in classes) > 1
    if cuts_tens:  # one class at first, whose cards are given out afterwards
        class_of[0] = len(classes)
    rounds = _Rounds(trial, composition, class_of)
    for cell, action in policy.items():
        rounds.play(cell, action)
    tens = [sum(many for card, many in composition if card.rank in ranks and card.rank in TENS) for ranks in classes]
    found: Counter[tuple[int | None, Taken]] = Counter()
    for (award, mark), ways in rounds.found.items():
        *taken, apart = [mark >> _BITS * place & (1 << _BITS) - 1 for place in range(len(classes) + 1)]
        each = ways // perm(sum(tens), apart) if apart else ways
        for own, many in _distribute(apart, tuple(tens)):
            found[award, tuple(map(sum, zip(taken, own, strict=True)))] += each * many
    for (award, all_taken), ways in found.items():
        if ways:
            yield award, all_taken, ways


@lru_cache(maxsize=64)
def _distribute(cards: int, sizes: Taken) -> tuple[tuple[Taken, int], ...]:
    """Part so many cards among classes that have so many of them, each way with its orders.

    >>> _distribute(2, (1, 0, 3))
    (((0, 0, 2), 6), ((1, 0, 1), 6))
    """
    if not sizes:
        return (((), 1),) if not cards else ()
    first, *others = sizes
    return tuple(
        ((many, *rest), comb(cards, many) * perm(first, many) * ways)
        for many in range(min(cards, first) + 1)
        for rest, ways in _distribute(cards - many, tuple(others))
    )


class _Hands(NamedTuple):
    """What matters to the hands of a split once the dealer's is finished."""

    score: int
    dealt: Mark
    """The cards of the dealer's that came to the up card."""
    like: int
    """How many cards are left like the split ones."""
    stocks: Stocks
    tying: int
    """How many cards are left that make a tie with the dealer's hand."""


class _Rounds:
    """Adds up rounds from a shoe, for each award by what they take."""

    def __init__(self, trial: LuckyRound, composition: Composition, class_of: Mapping[int, int]) -> None:
        self.found: Counter[tuple[int | None, Mark]] = Counter()
        self._rules = trial.deal.rules
        self._awards = trial.awards
        self._table = Round(self._rules, counts_of(composition))
        self._marks = [1 << _BITS * class_of[kind] if kind in class_of else 0 for kind in KINDS]

    def play(self, cell: Cell, action: str) -> None:
        """Add all rounds with a first hand and an up card, with which the same is done."""
        times = self._table.ways(cell)
        if times <= 0:
            return
        seen = sum(self._marks[kind] for kind in cell)
        ends = list(self._table.ends(cell))
        if action == STAND:
            self._stand(cell, ends, seen, times)
        elif action == HIT:
            self._hit(cell, ends, seen, times)
        else:
            self._split(cell.one, ends, seen, times, 2 if action == SPLIT else self._rules.hands)

    def _add(self, key: Key, mark: Mark, ways: int) -> None:
        if key in self._awards:
            self.found[self._awards[key], mark] += ways

    def _dealt(self, end: DealerResult) -> Mark:
        return sum([self._marks[kind] for kind in end.cards])

    def _stand(self, cell: Cell, ends: Sequence[DealerResult], seen: Mark, times: int) -> None:
        own = two_cards(cell.one, cell.other)
        for end in ends:
            dealer = POINTS[end.score]
            key = Key(self._rules.standing[own][end.score], cell.total == dealer, dealer, own == LUCKY)
            self._add(key, seen + self._dealt(end), times * end.ways)

    def _hit(self, cell: Cell, ends: Sequence[DealerResult], seen: Mark, times: int) -> None:
        alike: dict[tuple[int, Mark], list[int]] = {}
        for end in ends:  # how often each third card comes after dealer's hands that differ in nothing that matters
            thirds = alike.setdefault((end.score, self._dealt(end)), [0] * len(KINDS))
            for kind, left in enumerate(end.left):
                thirds[kind] += end.ways * left
        scores = [three_cards(cell.total, kind) for kind in KINDS]
        for (other, dealt), thirds in alike.items():
            dealer = POINTS[other]
            for kind, ways in enumerate(thirds):
                if ways:
                    own = scores[kind]
                    key = Key(self._rules.drawing[own][other], POINTS[own] == dealer, dealer, False)
                    self._add(key, seen + dealt + self._marks[kind], times * ways)

    def _split(self, kind: int, ends: Sequence[DealerResult], seen: Mark, times: int, most: int) -> None:
        alike: Counter[_Hands] = Counter()
        for end in ends:
            alike[self._hands(kind, end)] += end.ways
        for hands, ways in alike.items():
            dealer, like = POINTS[hands.score], self._with(kind, kind, hands.score)
            tied = self._tied(kind, hands, most)
            for mark, many in _finished(2, 2, most, hands.like, like, hands.stocks).items():
                units, taken = divmod(mark, _UNIT)
                of_tie, before = tied.get(mark, 0), seen + hands.dealt
                for is_tie, own in ((False, many - of_tie), (True, of_tie)):
                    if own:
                        self._add(Key(units, is_tie, dealer, False), before + taken, times * ways * own)

    def _with(self, kind: int, card: int, score: int) -> Mark:
        """The mark of a second card: itself, and what a hand wins with it that was split off a pair."""
        return self._marks[card] + self._rules.standing[AFTER_SPLIT[kind][card]][score] * _UNIT

    def _hands(self, kind: int, end: DealerResult) -> _Hands:
        stocks: Counter[Mark] = Counter()
        for card, left in enumerate(end.left):
            if card != kind and left:
                stocks[self._with(kind, card, end.score)] += left
        tying = end.left[(POINTS[end.score] - kind) % 10]
        return _Hands(end.score, self._dealt(end), end.left[kind], tuple(sorted(stocks.items())), tying)

    def _tied(self, kind: int, hands: _Hands, most: int) -> Counter[Mark]:
        """What is taken and won where the hand of the first card, which is finished first, ties with the dealer's.

        Cards like the split ones come to it until one makes the tie; each is split again while that is allowed.
        """
        found: Counter[Mark] = Counter()
        card = (POINTS[hands.score] - kind) % 10
        like, tie, stocks = self._with(kind, kind, hands.score), self._with(kind, card, hands.score), hands.stocks
        if card != kind:
            stocks = tuple((mark, size - (mark == tie)) for mark, size in stocks)
        # A pair stays a pair only when there may be no more hands.
        for again in [most - 2] if card == kind else range(most - 1):
            left = hands.like - again
            ways = perm(hands.like, again) * (left if card == kind else hands.tying)
            if ways > 0:
                first = again * self._marks[kind] + tie
                rest = _finished(2 + again, 1 + again, most, left - (card == kind), like, stocks)
                for mark, many in rest.items():
                    found[mark + first] += ways * many
        return found


def _finished(hands: int, open_: int, most: int, alike: int, like: Mark, stocks: Stocks) -> Counter[Mark]:
    """What the waiting hands take and win together, with the orders in which their cards can come.

    Of cards like the split ones there are so many, and their mark says what a hand wins that keeps one.
    """
    found: Counter[Mark] = Counter()
    drawn = _drawn(stocks, most)
    card = like % _UNIT
    for (again, second, others), count in ways_to_finish(hands, open_, most).items():
        if ways := count * perm(alike, again + second):
            first = again * card + second * like
            for mark, many in drawn[others].items():
                found[mark + first] += ways * many
    return found


@lru_cache(maxsize=1024)
def _drawn(stocks: Stocks, most: int) -> tuple[Mapping[Mark, int], ...]:
    """For no card, one card and so on the marks that they have together, with the orders in which they can come.

    >>> _drawn(((1, 3), (16, 2)), 2)
    ({0: 1}, {1: 3, 16: 2}, {2: 6, 17: 12, 32: 2})
    """
    found: list[dict[Mark, int]] = [{0: 1}, *({} for _ in range(most))]
    for mark, size in stocks:
        for cards in range(most, 0, -1):  # from the most on, so that what fewer cards have is still without this stock
            into = found[cards]
            for own in range(1, min(cards, size) + 1):
                sets = comb(size, own)
                for before, many in found[cards - own].items():
                    into[before + own * mark] = into.get(before + own * mark, 0) + many * sets
    return tuple(
        {mark: many * factorial(cards) for mark, many in sorted(each.items())} for cards, each in enumerate(found)
    )
