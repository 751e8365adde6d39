"""Count Lucky 9 rounds by how many cards of each rank class they use, under a fixed strategy.

The values of the cards decide the result of a round; rank classes only matter for what is used. So second cards of
split hands are drawn from a few stocks, one for each class and result. The number of cards of each class is packed
into one integer (Kronecker substitution), four bits for each class, with the units won above them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb, factorial, perm
from typing import NamedTuple

from combinat.enumeration.lucky9.enumerator import LuckyRound, card_value, count_values
from combinat.enumeration.lucky9.round import (
    AFTER_SPLIT,
    HIT,
    POINTS,
    SPLIT,
    STAND,
    DealerResult,
    Key,
    LuckyNineMatchup,
    LuckyNineRound,
    count_split_finishes,
)
from combinat.enumeration.lucky9.rules import CARD_VALUES, LUCKY, score_three_cards, score_two_cards
from combinat.enumeration.lucky9.strategy import LuckyNineStrategy
from decks import Composition, Rank

TENS = range(10, 14)
"""The ranks with value zero; all other ranks have different values."""
_BITS = 4
"""A round has at most eleven cards, so four bits hold the number of cards of a class."""
_UNIT = 1 << 14 * _BITS
"""One unit won, above the fields of thirteen ranks and one more for undivided tens."""

Mark = int
"""Packed number of cards used of each class, and units won."""
Stocks = tuple[tuple[Mark, int], ...]
"""Second cards with the same result: the mark of one, and their number."""
Usage = tuple[int, ...]


def count_rank_usage(
    experiment: LuckyRound, policy: LuckyNineStrategy, composition: Composition, classes: Sequence[Sequence[int]]
) -> Iterator[tuple[int | None, Usage, int]]:
    """Yield each award, or `None` for losing, with the cards used of each class and the ordered ways."""
    class_of = {card_value(Rank(rank)): number for number, ranks in enumerate(classes) for rank in ranks}
    cuts_tens = sum(any(rank in TENS for rank in ranks) for ranks in classes) > 1
    if cuts_tens:  # one class at first, whose cards are given out afterwards
        class_of[0] = len(classes)
    rounds = _Rounds(experiment, composition, class_of)
    for cell, action in policy.items():
        rounds.play(cell, action)
    tens = [sum(count for card, count in composition if card.rank in ranks and card.rank in TENS) for ranks in classes]
    ways_by_usage: Counter[tuple[int | None, Usage]] = Counter()
    for (award, mark), ways in rounds.found.items():
        *usage, undivided_tens = [mark >> _BITS * index & (1 << _BITS) - 1 for index in range(len(classes) + 1)]
        ways_per_order = ways // perm(sum(tens), undivided_tens) if undivided_tens else ways
        for ten_usage, count in _distribute(undivided_tens, tuple(tens)):
            ways_by_usage[award, tuple(map(sum, zip(usage, ten_usage, strict=True)))] += ways_per_order * count
    for (award, total_usage), ways in ways_by_usage.items():
        if ways:
            yield award, total_usage, ways


@lru_cache(maxsize=64)
def _distribute(cards: int, sizes: Usage) -> tuple[tuple[Usage, int], ...]:
    """Distribute `cards` cards over classes of given sizes; yield each distribution with its ordered ways.

    >>> _distribute(2, (1, 0, 3))
    (((0, 0, 2), 6), ((1, 0, 1), 6))
    """
    if not sizes:
        return (((), 1),) if not cards else ()
    first, *remaining_sizes = sizes
    return tuple(
        ((count, *tail), comb(cards, count) * perm(first, count) * ways)
        for count in range(min(cards, first) + 1)
        for tail, ways in _distribute(cards - count, tuple(remaining_sizes))
    )


class _Hands(NamedTuple):
    """All that matters to the hands of a split once the dealer's hand is finished."""

    score: int
    dealt: Mark
    """Mark of the cards that the dealer drew after the up card."""
    like: int
    """Number of remaining cards equal to the split ones."""
    stocks: Stocks
    tying: int
    """Number of remaining cards that make a tie with the dealer's hand."""


class _Rounds:
    """Accumulates the ways of rounds by award and by cards used."""

    def __init__(self, experiment: LuckyRound, composition: Composition, class_of: Mapping[int, int]) -> None:
        self.found: Counter[tuple[int | None, Mark]] = Counter()
        self._rules = experiment.deal.rules
        self._awards = experiment.awards
        self._table = LuckyNineRound(self._rules, count_values(composition))
        self._marks = [1 << _BITS * class_of[kind] if kind in class_of else 0 for kind in CARD_VALUES]

    def play(self, cell: LuckyNineMatchup, action: str) -> None:
        """Add all rounds with a given first hand, up card and action."""
        cell_ways = self._table.ways(cell)
        if cell_ways <= 0:
            return
        first_mark = sum(self._marks[kind] for kind in cell)
        ends = list(self._table.ends(cell))
        if action == STAND:
            self._stand(cell, ends, first_mark, cell_ways)
        elif action == HIT:
            self._hit(cell, ends, first_mark, cell_ways)
        else:
            self._split(cell.one, ends, first_mark, cell_ways, 2 if action == SPLIT else self._rules.hands)

    def _add(self, key: Key, mark: Mark, ways: int) -> None:
        if key in self._awards:
            self.found[self._awards[key], mark] += ways

    def _dealt(self, end: DealerResult) -> Mark:
        return sum([self._marks[kind] for kind in end.cards])

    def _stand(self, cell: LuckyNineMatchup, ends: Sequence[DealerResult], first_mark: Mark, cell_ways: int) -> None:
        player_score = score_two_cards(cell.one, cell.other)
        for end in ends:
            dealer = POINTS[end.score]
            key = Key(
                self._rules.standing[player_score][end.score], cell.total == dealer, dealer, player_score == LUCKY
            )
            self._add(key, first_mark + self._dealt(end), cell_ways * end.ways)

    def _hit(self, cell: LuckyNineMatchup, ends: Sequence[DealerResult], first_mark: Mark, cell_ways: int) -> None:
        third_ways: dict[tuple[int, Mark], list[int]] = {}
        for end in ends:  # how often each third card comes after dealer's hands that differ in nothing that matters
            thirds = third_ways.setdefault((end.score, self._dealt(end)), [0] * len(CARD_VALUES))
            for kind, remaining in enumerate(end.left):
                thirds[kind] += end.ways * remaining
        scores = [score_three_cards(cell.total, kind) for kind in CARD_VALUES]
        for (dealer_score, dealt), thirds in third_ways.items():
            dealer = POINTS[dealer_score]
            for kind, ways in enumerate(thirds):
                if ways:
                    player_score = scores[kind]
                    key = Key(
                        self._rules.drawing[player_score][dealer_score], POINTS[player_score] == dealer, dealer, False
                    )
                    self._add(key, first_mark + dealt + self._marks[kind], cell_ways * ways)

    def _split(self, kind: int, ends: Sequence[DealerResult], first_mark: Mark, cell_ways: int, max_hands: int) -> None:
        ways_by_hands: Counter[_Hands] = Counter()
        for end in ends:
            ways_by_hands[self._hands(kind, end)] += end.ways
        for hands, ways in ways_by_hands.items():
            dealer, like = POINTS[hands.score], self._with(kind, kind, hands.score)
            tied = self._tied(kind, hands, max_hands)
            for mark, count in _count_finished_splits(2, 2, max_hands, hands.like, like, hands.stocks).items():
                units, usage = divmod(mark, _UNIT)
                of_tie, dealt_mark = tied.get(mark, 0), first_mark + hands.dealt
                for is_tie, result_ways in ((False, count - of_tie), (True, of_tie)):
                    if result_ways:
                        self._add(Key(units, is_tie, dealer, False), dealt_mark + usage, cell_ways * ways * result_ways)

    def _with(self, kind: int, card: int, score: int) -> Mark:
        """The mark of a second card: itself, and what a hand wins with it that was split off a pair."""
        return self._marks[card] + self._rules.standing[AFTER_SPLIT[kind][card]][score] * _UNIT

    def _hands(self, kind: int, end: DealerResult) -> _Hands:
        stocks: Counter[Mark] = Counter()
        for card, remaining in enumerate(end.left):
            if card != kind and remaining:
                stocks[self._with(kind, card, end.score)] += remaining
        tying = end.left[(POINTS[end.score] - kind) % 10]
        return _Hands(end.score, self._dealt(end), end.left[kind], tuple(sorted(stocks.items())), tying)

    def _tied(self, kind: int, hands: _Hands, max_hands: int) -> Counter[Mark]:
        """Return the ways by mark where the hand of the first card, which is finished first, ties with the dealer's.

        Equal cards come to it until another card makes the tie; each is split again while that is allowed.
        """
        ways_by_mark: Counter[Mark] = Counter()
        card = (POINTS[hands.score] - kind) % 10
        like, tie, stocks = self._with(kind, kind, hands.score), self._with(kind, card, hands.score), hands.stocks
        if card != kind:
            stocks = tuple((mark, size - (mark == tie)) for mark, size in stocks)
        # A pair stays a pair only when there may be no more hands.
        for resplits in [max_hands - 2] if card == kind else range(max_hands - 1):
            remaining = hands.like - resplits
            ways = perm(hands.like, resplits) * (remaining if card == kind else hands.tying)
            if ways > 0:
                first = resplits * self._marks[kind] + tie
                finished = _count_finished_splits(
                    2 + resplits, 1 + resplits, max_hands, remaining - (card == kind), like, stocks
                )
                for mark, count in finished.items():
                    ways_by_mark[mark + first] += ways * count
        return ways_by_mark


def _count_finished_splits(
    hands: int, open_: int, max_hands: int, like_count: int, like: Mark, stocks: Stocks
) -> Counter[Mark]:
    """Return the ways by mark of the cards that the open hands draw.

    `like_count` cards equal the split ones; the mark `like` includes the result of a hand that keeps one.
    """
    ways_by_mark: Counter[Mark] = Counter()
    draws = _count_draws(stocks, max_hands)
    card = like % _UNIT
    for (resplits, second, other_cards), orders in count_split_finishes(hands, open_, max_hands).items():
        if ways := orders * perm(like_count, resplits + second):
            first = resplits * card + second * like
            for mark, count in draws[other_cards].items():
                ways_by_mark[mark + first] += ways * count
    return ways_by_mark


@lru_cache(maxsize=1024)
def _count_draws(stocks: Stocks, max_hands: int) -> tuple[Mapping[Mark, int], ...]:
    """Return, for 0 to `max_hands` cards, the ordered ways by the mark of the cards drawn.

    >>> _count_draws(((1, 3), (16, 2)), 2)
    ({0: 1}, {1: 3, 16: 2}, {2: 6, 17: 12, 32: 2})
    """
    by_cards: list[dict[Mark, int]] = [{0: 1}, *({} for _ in range(max_hands))]
    for mark, size in stocks:
        for cards in range(
            max_hands, 0, -1
        ):  # from the most on, so that what fewer cards have is still without this stock
            target = by_cards[cards]
            for copies in range(1, min(cards, size) + 1):
                sets = comb(size, copies)
                for previous, count in by_cards[cards - copies].items():
                    target[previous + copies * mark] = target.get(previous + copies * mark, 0) + count * sets
    return tuple(
        {mark: count * factorial(cards) for mark, count in sorted(sets_by_mark.items())}
        for cards, sets_by_mark in enumerate(by_cards)
    )
