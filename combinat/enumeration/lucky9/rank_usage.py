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

from combinat.enumeration.lucky9.enumerator import LuckyEnumerator, card_value, count_values
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
from combinat.enumeration.symmetry import TENS
from decks import Composition, Rank

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
    enumerator: LuckyEnumerator, strategy: LuckyNineStrategy, composition: Composition, classes: Sequence[Sequence[int]]
) -> Iterator[tuple[int | None, Usage, int]]:
    """Yield each award, or `None` for losing, with the cards used of each class and the ordered ways."""
    class_of = {card_value(Rank(rank)): class_index for class_index, ranks in enumerate(classes) for rank in ranks}
    cuts_tens = sum(any(rank in TENS for rank in ranks) for ranks in classes) > 1
    if cuts_tens:  # tens are one class at first, and are distributed to their classes afterwards
        class_of[0] = len(classes)
    rounds = _Rounds(enumerator, composition, class_of)
    for matchup, action in strategy.items():
        rounds.play(matchup, action)
    tens = [sum(count for card, count in composition if card.rank in ranks and card.rank in TENS) for ranks in classes]
    ways_by_usage: Counter[tuple[int | None, Usage]] = Counter()
    for (award_index, mark), ways in rounds.ways.items():
        *usage, undivided_tens = [mark >> _BITS * index & (1 << _BITS) - 1 for index in range(len(classes) + 1)]
        ways_per_order = ways // perm(sum(tens), undivided_tens) if undivided_tens else ways
        for ten_usage, count in _distribute(undivided_tens, tuple(tens)):
            ways_by_usage[award_index, tuple(map(sum, zip(usage, ten_usage, strict=True)))] += ways_per_order * count
    for (award_index, total_usage), ways in ways_by_usage.items():
        if ways:
            yield award_index, total_usage, ways


@lru_cache(maxsize=64)
def _distribute(card_count: int, sizes: Usage) -> tuple[tuple[Usage, int], ...]:
    """Distribute `card_count` cards over classes of given sizes; yield each distribution with its ordered ways.

    >>> _distribute(2, (1, 0, 3))
    (((0, 0, 2), 6), ((1, 0, 1), 6))
    """
    if not sizes:
        return (((), 1),) if not card_count else ()
    first_size, *remaining_sizes = sizes
    return tuple(
        ((count, *tail), comb(card_count, count) * perm(first_size, count) * ways)
        for count in range(min(card_count, first_size) + 1)
        for tail, ways in _distribute(card_count - count, tuple(remaining_sizes))
    )


class _Hands(NamedTuple):
    """All that matters to the hands of a split once the dealer's hand is finished."""

    score: int
    dealt: Mark
    """Mark of the cards that the dealer drew after the up card."""
    equal_count: int
    """Number of remaining cards equal to the split ones."""
    stocks: Stocks
    tying: int
    """Number of remaining cards that make a tie with the dealer's hand."""


class _Rounds:
    """Accumulates the ways of rounds by award and by cards used."""

    def __init__(self, enumerator: LuckyEnumerator, composition: Composition, class_of: Mapping[int, int]) -> None:
        self.ways: Counter[tuple[int | None, Mark]] = Counter()
        self._rules = enumerator.deal.rules
        self._awards = enumerator.awards
        self._distinguishes_ties = enumerator.distinguishes_ties
        self._table = LuckyNineRound(self._rules, count_values(composition))
        self._third_cards = lru_cache(maxsize=256)(self._list_third_cards)
        self._marks = [1 << _BITS * class_of[value] if value in class_of else 0 for value in CARD_VALUES]

    def play(self, matchup: LuckyNineMatchup, action: str) -> None:
        """Add all rounds with a given first hand, up card and action."""
        matchup_ways = self._table.ways(matchup)
        if matchup_ways <= 0:
            return
        first_mark = sum(self._marks[value] for value in matchup)
        dealer_hands = list(self._table.dealer_hands(matchup))
        if action == STAND:
            self._stand(matchup, dealer_hands, first_mark, matchup_ways)
        elif action == HIT:
            self._hit(matchup, dealer_hands, first_mark, matchup_ways)
        else:
            self._split(
                matchup.first, dealer_hands, first_mark, matchup_ways, 2 if action == SPLIT else self._rules.hands
            )

    def _add(self, key: Key, mark: Mark, ways: int) -> None:
        if key in self._awards:
            self.ways[self._awards[key], mark] += ways

    def _dealer_mark(self, dealer_hand: DealerResult) -> Mark:
        return sum([self._marks[value] for value in dealer_hand.cards])

    def _stand(
        self, matchup: LuckyNineMatchup, dealer_hands: Sequence[DealerResult], first_mark: Mark, matchup_ways: int
    ) -> None:
        player_score = score_two_cards(matchup.first, matchup.second)
        for dealer_hand in dealer_hands:
            dealer = POINTS[dealer_hand.score]
            key = Key(
                self._rules.standing[player_score][dealer_hand.score],
                matchup.total == dealer,
                dealer,
                player_score == LUCKY,
            )
            self._add(key, first_mark + self._dealer_mark(dealer_hand), matchup_ways * dealer_hand.ways)

    def _hit(
        self, matchup: LuckyNineMatchup, dealer_hands: Sequence[DealerResult], first_mark: Mark, matchup_ways: int
    ) -> None:
        sums_by_hand: dict[tuple[int, Mark], list[int]] = {}
        for dealer_hand in dealer_hands:  # how often the dealer has each card, and behind them the ways of all hands
            sums = sums_by_hand.setdefault(
                (dealer_hand.score, self._dealer_mark(dealer_hand)), [0] * (len(CARD_VALUES) + 1)
            )
            sums[-1] += dealer_hand.ways
            for value in dealer_hand.cards:
                sums[value] += dealer_hand.ways
        remaining = self._table.remaining(matchup)
        for (dealer_score, dealt_mark), sums in sums_by_hand.items():
            total_ways, mark = sums[-1], first_mark + dealt_mark
            for value, award_index in self._third_cards(matchup.total, dealer_score):
                if ways := remaining[value] * total_ways - sums[value]:  # no card is both the dealer's and the third
                    self.ways[award_index, mark + self._marks[value]] += matchup_ways * ways

    def _list_third_cards(self, total: int, dealer_score: int) -> list[tuple[int, int | None]]:
        """List third cards to two cards with `total` points, with the award they win against a score of the dealer."""
        dealer, awards = POINTS[dealer_score], []
        for value in CARD_VALUES:
            score = score_three_cards(total, value)
            key = Key(self._rules.drawing[score][dealer_score], POINTS[score] == dealer, dealer, False)
            if key in self._awards:
                awards.append((value, self._awards[key]))
        return awards

    def _split(
        self, value: int, dealer_hands: Sequence[DealerResult], first_mark: Mark, matchup_ways: int, max_hands: int
    ) -> None:
        ways_by_hands: Counter[_Hands] = Counter()
        for dealer_hand in dealer_hands:
            ways_by_hands[self._hands(value, dealer_hand)] += dealer_hand.ways
        ways_by_score: dict[int, dict[Mark, int]] = {}
        tied_ways_by_score: dict[int, dict[Mark, int]] = {}
        for dealt_hands, ways in ways_by_hands.items():
            like_mark, dealt_mark = (
                self._second_card_mark(value, value, dealt_hands.score),
                first_mark + dealt_hands.dealt,
            )
            finished_ways = _count_finished_splits(
                2, 2, max_hands, dealt_hands.equal_count, like_mark, dealt_hands.stocks
            )
            _add_scaled(ways_by_score.setdefault(dealt_hands.score, {}), finished_ways, dealt_mark, ways)
            if self._distinguishes_ties:
                tied = self._ties(value, dealt_hands, max_hands)
                _add_scaled(tied_ways_by_score.setdefault(dealt_hands.score, {}), tied, dealt_mark, ways)
        for score, ways_by_mark in ways_by_score.items():
            tied_ways = tied_ways_by_score.get(score, {})
            for mark, ways in ways_by_mark.items():
                units, usage = divmod(mark, _UNIT)
                of_tie = tied_ways.get(mark, 0)
                for is_tie, result_ways in ((False, ways - of_tie), (True, of_tie)):
                    if result_ways:
                        self._add(Key(units, is_tie, POINTS[score], False), usage, matchup_ways * result_ways)

    def _second_card_mark(self, value: int, card: int, score: int) -> Mark:
        """Return the mark of a second card of a split hand: the card used, and the units that the hand wins."""
        return self._marks[card] + self._rules.standing[AFTER_SPLIT[value][card]][score] * _UNIT

    def _hands(self, value: int, dealer_hand: DealerResult) -> _Hands:
        stocks: Counter[Mark] = Counter()
        for card, remaining in enumerate(dealer_hand.remaining):
            if card != value and remaining:
                stocks[self._second_card_mark(value, card, dealer_hand.score)] += remaining
        tying = dealer_hand.remaining[(POINTS[dealer_hand.score] - value) % 10]
        return _Hands(
            dealer_hand.score,
            self._dealer_mark(dealer_hand),
            dealer_hand.remaining[value],
            tuple(sorted(stocks.items())),
            tying,
        )

    def _ties(self, value: int, hands: _Hands, max_hands: int) -> dict[Mark, int]:
        """Return the ways by mark where the hand of the first card, which is finished first, ties with the dealer's.

        It draws equal cards until another card makes the tie; each is split again while that is allowed.
        """
        ways_by_mark: dict[Mark, int] = {}
        tying_value = (POINTS[hands.score] - value) % 10
        like_mark, tie_mark, stocks = (
            self._second_card_mark(value, value, hands.score),
            self._second_card_mark(value, tying_value, hands.score),
            hands.stocks,
        )
        if tying_value != value:
            stocks = tuple((mark, size - (mark == tie_mark)) for mark, size in stocks)
        # A pair stays a pair only if no more hands are allowed.
        for resplits in [max_hands - 2] if tying_value == value else range(max_hands - 1):
            remaining = hands.equal_count - resplits
            ways = perm(hands.equal_count, resplits) * (remaining if tying_value == value else hands.tying)
            if ways > 0:
                first_hand_mark = resplits * self._marks[value] + tie_mark
                finished_ways = _count_finished_splits(
                    2 + resplits, 1 + resplits, max_hands, remaining - (tying_value == value), like_mark, stocks
                )
                _add_scaled(ways_by_mark, finished_ways, first_hand_mark, ways)
        return ways_by_mark


def _add_scaled(totals: dict[Mark, int], ways_by_mark: Mapping[Mark, int], mark: Mark, factor: int) -> None:
    """Add ways times `factor` to the totals, each at its mark plus `mark`."""
    for drawn, ways in ways_by_mark.items():
        key = drawn + mark
        totals[key] = totals.get(key, 0) + ways * factor


def _count_finished_splits(
    hand_count: int, open_count: int, max_hands: int, like_count: int, like_mark: Mark, stocks: Stocks
) -> dict[Mark, int]:
    """Return the ways by mark of the cards that the open hands draw.

    `like_count` cards equal the split ones; the mark `like_mark` includes the result of a hand that keeps one.
    """
    ways_by_mark: dict[Mark, int] = {}
    draws = _count_draws(stocks, max_hands)
    like_card_mark = like_mark % _UNIT
    for (resplits, second, other_cards), orders in count_split_finishes(hand_count, open_count, max_hands).items():
        if ways := orders * perm(like_count, resplits + second):
            _add_scaled(ways_by_mark, draws[other_cards], resplits * like_card_mark + second * like_mark, ways)
    return ways_by_mark


@lru_cache(maxsize=1024)
def _count_draws(stocks: Stocks, max_hands: int) -> tuple[Mapping[Mark, int], ...]:
    """Return, for 0 to `max_hands` cards, the ordered ways by the mark of the cards drawn.

    >>> _count_draws(((1, 3), (16, 2)), 2)
    ({0: 1}, {1: 3, 16: 2}, {2: 6, 17: 12, 32: 2})
    """
    ways_by_count: list[dict[Mark, int]] = [{0: 1}, *({} for _ in range(max_hands))]
    for mark, size in stocks:
        for card_count in range(
            max_hands, 0, -1
        ):  # from the most on, so that what fewer cards have is still without this stock
            target = ways_by_count[card_count]
            for copies in range(1, min(card_count, size) + 1):
                choice_count = comb(size, copies)
                for previous, count in ways_by_count[card_count - copies].items():
                    target[previous + copies * mark] = target.get(previous + copies * mark, 0) + count * choice_count
    return tuple(
        {mark: count * factorial(card_count) for mark, count in sorted(sets_by_mark.items())}
        for card_count, sets_by_mark in enumerate(ways_by_count)
    )
