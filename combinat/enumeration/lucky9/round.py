"""Distribution of the outcomes of a Lucky 9 round, for each first hand, up card and action.

Probabilities do not depend on the order in which cards are dealt, so the dealer's cards are drawn first. Given them, a
third card, or the second card of a split hand, wins, pushes or loses; only the numbers of such cards matter, and of
cards equal to the split ones, which may be split again. So the joint distribution of the hands of a split is that of
draws without replacement from a few classes of cards. All ways are orders of the same number of cards, the maximum of
a round, so that they can be added as integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, perm
from typing import NamedTuple

from combinat.enumeration.lucky9.rules import (
    CARD_VALUES,
    LUCKY,
    MAKER,
    MAX_DEALER_DRAW_POINTS,
    NINE,
    SCORES,
    LuckyNineRules,
    points,
    score_after_split,
    score_three_cards,
    score_two_cards,
)


class Stock(NamedTuple):
    """The cards from which second cards are drawn: equal to the split ones, and others by their result."""

    equal: int
    winning: int
    pushing: int
    losing: int

    @property
    def size(self) -> int:
        """Total number of cards."""
        return sum(self)


class SplitFinish(NamedTuple):
    """Numbers of second cards: equal cards that are split again, equal cards that are kept, and other cards."""

    resplit: int
    kept: int
    other: int


@lru_cache(maxsize=1024)
def count_split_finishes(hand_count: int, open_count: int, max_hands: int) -> Mapping[SplitFinish, int]:
    """Count the orders of equal and other cards until every hand has a second card.

    `open_count` of the hands lack a second card. A card equal to the split ones makes another hand while there are
    fewer than `max_hands`, and then the hand still lacks a second card.

    >>> {tuple(way): count for way, count in count_split_finishes(2, 2, 2).items()}
    {(0, 2, 0): 1, (0, 1, 1): 2, (0, 0, 2): 1}
    >>> count_split_finishes(2, 2, 4)[SplitFinish(1, 0, 3)]  # the one pair that is split again comes first or second
    2
    """
    if not open_count:
        return {SplitFinish(0, 0, 0): 1}
    ways_by_finish: dict[SplitFinish, int] = {}
    splits = hand_count < max_hands
    after_like = (
        count_split_finishes(hand_count + 1, open_count + 1, max_hands)
        if splits
        else count_split_finishes(hand_count, open_count - 1, max_hands)
    )
    for (resplits, second, other_cards), count in after_like.items():
        way = SplitFinish(resplits + splits, second + (not splits), other_cards)
        ways_by_finish[way] = ways_by_finish.get(way, 0) + count
    for (resplits, second, other_cards), count in count_split_finishes(hand_count, open_count - 1, max_hands).items():
        way = SplitFinish(resplits, second, other_cards + 1)
        ways_by_finish[way] = ways_by_finish.get(way, 0) + count
    return ways_by_finish


_CACHE_SIZE = 16384


class Draws:
    """Counts draws without replacement, or with replacement for an infinite deck."""

    def __init__(self, *, infinite: bool) -> None:
        self.infinite = infinite
        self._sums = lru_cache(maxsize=_CACHE_SIZE)(self._count_units)
        self.finish = lru_cache(maxsize=_CACHE_SIZE)(self._finish)

    def orders(self, card_count: int, draw_count: int) -> int:
        """Return the number of ordered draws of `draw_count` of `card_count` cards."""
        if self.infinite:
            orders: int = card_count**draw_count
            return orders
        return perm(card_count, draw_count) if card_count >= draw_count else 0

    def remaining(self, card_count: int, drawn_count: int) -> int:
        """Return how many of `card_count` cards remain after `drawn_count` are drawn."""
        return card_count if self.infinite else card_count - drawn_count

    def _count_units(self, winning: int, pushing: int, losing: int, card_count: int) -> dict[int, int]:
        """Return the ways by net units for `card_count` ordered second cards."""
        ways_by_units: dict[int, int] = {}
        for won_count in range(card_count + 1):
            for lost_count in range(card_count - won_count + 1):
                pushed_count = card_count - won_count - lost_count
                ways = (
                    self.orders(winning, won_count)
                    * self.orders(losing, lost_count)
                    * self.orders(pushing, pushed_count)
                )
                if ways:
                    ways_by_units[won_count - lost_count] = (
                        ways_by_units.get(won_count - lost_count, 0)
                        + comb(card_count, won_count) * comb(card_count - won_count, lost_count) * ways
                    )
        return ways_by_units

    def _finish(
        self, hand_count: int, open_count: int, max_hands: int, stock: Stock, pair_result: int, draws: int
    ) -> tuple[tuple[int, int], ...]:
        """Return the net units of the open hands with their ways, all for `draws` draws.

        A hand of two equal cards wins `pair_result`; draws that are not needed may be any cards.
        """
        ways_by_units: dict[int, int] = {}
        size = stock.size
        for (resplits, second, other_cards), count in count_split_finishes(hand_count, open_count, max_hands).items():
            like_drawn = resplits + second
            used_count = like_drawn + other_cards
            ways = (
                count
                * self.orders(stock.equal, like_drawn)
                * self.orders(self.remaining(size, used_count), draws - used_count)
            )
            if not ways:
                continue
            for units, other_ways in self._sums(stock.winning, stock.pushing, stock.losing, other_cards).items():
                net = units + second * pair_result
                ways_by_units[net] = ways_by_units.get(net, 0) + ways * other_ways
        return tuple(ways_by_units.items())


@lru_cache(maxsize=2)
def draws(*, infinite: bool) -> Draws:
    """Return the cached object for this way to draw, so that similar compositions share its results."""
    return Draws(infinite=infinite)


STAND, HIT, SPLIT, RESPLIT = "stand", "hit", "split", "resplit"
"""The actions; after a split a new pair is not split again, after a resplit always, up to the maximum of hands."""

ValueCounts = tuple[int, ...]
"""Number of cards of each value."""


class Key(NamedTuple):
    """An outcome of a round: all that any wager depends on."""

    units: int
    """Hands won minus hands lost."""
    is_tie: bool
    """Whether the hand of the first card has the dealer's points."""
    dealer: int
    """The dealer's points."""
    is_lucky: bool
    """Whether the first two cards stood as a Lucky 9."""


OutcomeWays = dict[Key, int]
"""The ways of each outcome."""


class LuckyNineMatchup(NamedTuple):
    """A decision state: the player's two cards, the lower first, and the up card."""

    first: int
    second: int
    up: int

    @property
    def is_pair(self) -> bool:
        """Whether the two cards have equal values."""
        return self.first == self.second

    @property
    def total(self) -> int:
        """The points of the two cards."""
        return (self.first + self.second) % 10


POINTS = tuple(map(points, SCORES))
AFTER_SPLIT = tuple(tuple(score_after_split(value, card) for card in CARD_VALUES) for value in CARD_VALUES)
MATCHUPS = tuple(
    LuckyNineMatchup(*hand, up) for hand in combinations_with_replacement(CARD_VALUES, 2) for up in CARD_VALUES
)


class DealerResult(NamedTuple):
    """A finished hand of the dealer: its score, its ways, the cards drawn, and the remaining cards."""

    score: int
    ways: int
    cards: tuple[int, ...]
    """Values of the cards drawn after the up card."""
    remaining: list[int]

    @property
    def drawn(self) -> int:
        """Number of cards drawn after the up card."""
        return len(self.cards)


class _Split(NamedTuple):
    """All that matters to split hands once the dealer's hand is finished."""

    dealer: int
    drawn: int
    stock: Stock
    pair: int
    """Result of a hand that pairs again and is not split again."""
    tie_is_pair: bool
    """Whether that hand ties with the dealer's."""
    tying: int
    """Number of cards that make a tie."""
    tie: int
    """Result of a hand that ties: it may not qualify."""


class LuckyNineRound:
    """A round from a shoe with `counts` cards of each value, or from an infinite deck.

    Without `split_ties`, ties of split hands are not counted: their outcomes have `is_tie` false.
    """

    def __init__(
        self, rules: LuckyNineRules, counts: ValueCounts, *, infinite: bool = False, split_ties: bool = True
    ) -> None:
        self.rules = rules
        self.counts = counts
        self.size = sum(counts)
        self.draws = draws(infinite=infinite)
        self.length = rules.length
        self._split_ties = split_ties
        max_hands = max(rules.hands, 1)
        # Outcomes are built once, since they are used a million times.
        self._keys = {
            key: Key(*key)
            for key in product(range(-max_hands, max_hands + 1), (False, True), range(NINE + 1), (False, True))
        }
        self._second_cards = lru_cache(maxsize=256)(self._group_second_cards)
        self._thirds = lru_cache(maxsize=256)(self._third_cards)
        self._one = 1 - self.draws.remaining(1, 1)
        """By how much a drawn card reduces the cards of its value: 0 in an infinite deck."""

    @property
    def cycle(self) -> int:
        """Number of orders of the maximum number of cards of a round."""
        return self.draws.orders(self.size, self.length)

    def ways(self, matchup: LuckyNineMatchup) -> int:
        """Return the number of orders in which a hand and an up card can be dealt."""
        remaining, ways = list(self.counts), 1 if matchup.is_pair else 2
        for value in matchup:
            ways *= remaining[value]
            self._take(remaining, value)
        return ways

    @property
    def following_orders(self) -> int:
        """Number of orders of the cards after the first hand and the up card."""
        return self.draws.orders(self.draws.remaining(self.size, 3), self.length - 3)

    def _take(self, remaining: list[int], value: int) -> None:
        remaining[value] -= self._one

    def actions(self, matchup: LuckyNineMatchup) -> tuple[str, ...]:
        """Return the actions that the rules allow."""
        actions = [STAND]
        if not (self.rules.nines == MAKER and matchup.total == NINE):
            actions.append(HIT)
        if matchup.is_pair and self.rules.hands > 1:
            actions.append(SPLIT)
            if self.rules.hands > 2:
                actions.append(RESPLIT)
        return tuple(actions)

    def ways_by_action(self, matchup: LuckyNineMatchup, actions: tuple[str, ...] = ()) -> dict[str, OutcomeWays]:
        """Return the ways of each outcome by action, each summing to all orders of the cards after the first three."""
        dealer_hands = list(self.dealer_hands(matchup))
        splits: dict[_Split, int] = {}
        ways_by_action: dict[str, OutcomeWays] = {}
        for action in actions or self.actions(matchup):
            outcome_ways: OutcomeWays = {}
            match action:
                case "stand":
                    self._stand(matchup, dealer_hands, outcome_ways)
                case "hit":
                    self._hit(matchup, dealer_hands, outcome_ways)
                case _:
                    splits = splits or self._merge_dealer_hands(matchup.first, dealer_hands)
                    self._split(splits, outcome_ways, 2 if action == SPLIT else self.rules.hands)
            ways_by_action[action] = outcome_ways
        return ways_by_action

    def dealer_hands(self, matchup: LuckyNineMatchup) -> Iterator[DealerResult]:
        """Yield every finished hand of the dealer."""
        remaining = self.remaining(matchup)
        for hole in CARD_VALUES:
            if remaining[hole] <= 0:
                continue
            after_hole = remaining.copy()
            after_hole[hole] -= self._one
            score = score_two_cards(matchup.up, hole)
            if score > MAX_DEALER_DRAW_POINTS:
                yield DealerResult(score, remaining[hole], (hole,), after_hole)
                continue
            for card in CARD_VALUES:
                if after_hole[card] > 0:
                    after_third = after_hole.copy()
                    after_third[card] -= self._one
                    yield DealerResult(
                        score_three_cards(score, card), remaining[hole] * after_hole[card], (hole, card), after_third
                    )

    def remaining(self, matchup: LuckyNineMatchup) -> list[int]:
        """Return the remaining cards of each value after a hand and an up card."""
        remaining = list(self.counts)
        for value in matchup:
            self._take(remaining, value)
        return remaining

    def orders_after(self, used_count: int) -> int:
        """Return the number of orders of the unseen cards after the first three and `used_count` more."""
        return self.draws.orders(self.draws.remaining(self.size, 3 + used_count), self.length - 3 - used_count)

    def _stand(self, matchup: LuckyNineMatchup, dealer_hands: list[DealerResult], outcome_ways: OutcomeWays) -> None:
        score = score_two_cards(matchup.first, matchup.second)
        ways_by_end: dict[tuple[int, int], int] = {}
        for dealer_hand in dealer_hands:
            end_class = dealer_hand.score, len(dealer_hand.cards)
            ways_by_end[end_class] = ways_by_end.get(end_class, 0) + dealer_hand.ways
        for (dealer_score, cards_drawn), ways in ways_by_end.items():
            dealer = POINTS[dealer_score]
            key = self._keys[self.rules.standing[score][dealer_score], matchup.total == dealer, dealer, score == LUCKY]
            outcome_ways[key] = outcome_ways.get(key, 0) + ways * self.orders_after(cards_drawn)

    def _hit(self, matchup: LuckyNineMatchup, dealer_hands: list[DealerResult], outcome_ways: OutcomeWays) -> None:
        remaining = self.remaining(matchup)
        sums_by_end: dict[tuple[int, int], list[int]] = {}
        for (
            dealer_hand
        ) in dealer_hands:  # ways in which each card is the dealer's, by score; the last item is the total
            ways = dealer_hand.ways
            sums = sums_by_end.setdefault((dealer_hand.score, len(dealer_hand.cards)), [0] * (len(CARD_VALUES) + 1))
            sums[-1] += ways
            for value in dealer_hand.cards:
                sums[value] += ways * self._one
        for (dealer_score, cards_drawn), sums in sums_by_end.items():
            total_ways, following_orders = sums[-1], self.orders_after(cards_drawn + 1)
            for key, cards in self._thirds(matchup.total, dealer_score):
                ways = sum([remaining[value] * total_ways - sums[value] for value in cards])
                outcome_ways[key] = outcome_ways.get(key, 0) + ways * following_orders

    def _third_cards(self, total: int, dealer_score: int) -> tuple[tuple[Key, tuple[int, ...]], ...]:
        """Group third cards by the outcome they give two cards with `total` points against a score of the dealer."""
        dealer, cards_by_key = POINTS[dealer_score], dict[Key, list[int]]()
        for value in CARD_VALUES:
            score = score_three_cards(total, value)
            key = self._keys[self.rules.drawing[score][dealer_score], POINTS[score] == dealer, dealer, False]
            cards_by_key.setdefault(key, []).append(value)
        return tuple((key, tuple(cards)) for key, cards in cards_by_key.items())

    def _merge_dealer_hands(self, value: int, dealer_hands: list[DealerResult]) -> dict[_Split, int]:
        """Merge the dealer's hands that make no difference to split hands."""
        splits: dict[_Split, int] = {}
        for dealer_hand in dealer_hands:
            split = self._split_against(value, dealer_hand)
            splits[split] = splits.get(split, 0) + dealer_hand.ways
        return splits

    def _split(self, splits: dict[_Split, int], outcome_ways: OutcomeWays, max_hands: int) -> None:
        untied_ways_by_result: dict[tuple[int, int], int] = {}
        tied_ways_by_result: dict[tuple[int, int], int] = {}
        for split, ways in splits.items():
            cards_to_come, dealer = self.length - 3 - split.drawn, split.dealer
            for units, finish_ways in self.draws.finish(2, 2, max_hands, split.stock, split.pair, cards_to_come):
                untied_ways_by_result[units, dealer] = (
                    untied_ways_by_result.get((units, dealer), 0) + ways * finish_ways
                )
            for units, finish_ways in self._iter_ties(split, max_hands, cards_to_come) if self._split_ties else ():
                tied_ways_by_result[units, dealer] = tied_ways_by_result.get((units, dealer), 0) + ways * finish_ways
        for (units, dealer), ways in untied_ways_by_result.items():
            tied_ways = tied_ways_by_result.get((units, dealer), 0)
            outcome_ways[self._keys[units, False, dealer, False]] = ways - tied_ways
            if tied_ways:
                outcome_ways[self._keys[units, True, dealer, False]] = tied_ways

    def _split_against(self, value: int, dealer_hand: DealerResult) -> _Split:
        """Group the remaining cards by the result they give a hand split off a pair."""
        results, winning_cards, losing_cards = self._second_cards(value, dealer_hand.score)
        remaining = dealer_hand.remaining
        like_count, pair, dealer = remaining[value], results[value], POINTS[dealer_hand.score]
        winning_count, losing_count = (
            sum([remaining[card] for card in winning_cards]),
            sum([remaining[card] for card in losing_cards]),
        )
        tying = (dealer - value) % 10
        stock = Stock(
            like_count, winning_count, sum(remaining) - like_count - winning_count - losing_count, losing_count
        )
        return _Split(
            dealer, dealer_hand.drawn, stock, pair, tying == value, dealer_hand.remaining[tying], results[tying]
        )

    def _group_second_cards(self, kind: int, dealer_score: int) -> tuple[list[int], list[int], list[int]]:
        """Return the result of each second card of a split hand, and the other cards that win and that lose."""
        results = [self.rules.standing[score][dealer_score] for score in AFTER_SPLIT[kind]]
        winning_cards, losing_cards = (
            [card for card in CARD_VALUES if card != kind and results[card] == sign] for sign in (1, -1)
        )
        return results, winning_cards, losing_cards

    def _iter_ties(self, split: _Split, max_hands: int, cards_to_come: int) -> Iterator[tuple[int, int]]:
        """Yield units and ways where the hand of the first card, which is finished first, ties with the dealer's.

        It draws equal cards until another card makes the tie; each is split again while that is allowed.
        """
        draws, stock = self.draws, split.stock
        cards_by_result = [stock.pushing, stock.winning, stock.losing]
        if not split.tie_is_pair:
            cards_by_result[split.tie] = draws.remaining(cards_by_result[split.tie], 1)
        # A pair stays a pair only if no more hands are allowed.
        for resplits in [max_hands - 2] if split.tie_is_pair else range(max_hands - 1):
            tying_cards = draws.remaining(stock.equal, resplits) if split.tie_is_pair else split.tying
            ways = draws.orders(stock.equal, resplits) * tying_cards
            if ways > 0:
                like_count = draws.remaining(stock.equal, resplits + split.tie_is_pair)
                remaining = Stock(like_count, cards_by_result[1], cards_by_result[0], cards_by_result[-1])
                for units, finish_ways in draws.finish(
                    2 + resplits, 1 + resplits, max_hands, remaining, split.pair, cards_to_come - resplits - 1
                ):
                    yield units + split.tie, ways * finish_ways
