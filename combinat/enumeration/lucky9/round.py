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
    """The cards from which second cards come: equal to the split ones, and others by their result."""

    like: int
    winning: int
    pushing: int
    losing: int

    @property
    def size(self) -> int:
        """Total number of cards."""
        return sum(self)


class SplitFinish(NamedTuple):
    """Numbers of second cards: equal cards that are split again, equal cards that are kept, and other cards."""

    again: int
    second: int
    others: int


@lru_cache(maxsize=1024)
def count_split_finishes(hands: int, open_: int, max_hands: int) -> Mapping[SplitFinish, int]:
    """Count the orders in which equal and other cards can come until every hand has a second card.

    `open_` of the hands lack a second card. A card equal to the split ones makes another hand while there are fewer
    than `max_hands`, and then the hand still lacks a second card.

    >>> {tuple(way): count for way, count in count_split_finishes(2, 2, 2).items()}
    {(0, 2, 0): 1, (0, 1, 1): 2, (0, 0, 2): 1}
    >>> count_split_finishes(2, 2, 4)[SplitFinish(1, 0, 3)]  # the one pair that is split again comes first or second
    2
    """
    if not open_:
        return {SplitFinish(0, 0, 0): 1}
    ways: dict[SplitFinish, int] = {}
    splits = hands < max_hands
    after_like = (
        count_split_finishes(hands + 1, open_ + 1, max_hands)
        if splits
        else count_split_finishes(hands, open_ - 1, max_hands)
    )
    for (resplits, second, other_cards), count in after_like.items():
        way = SplitFinish(resplits + splits, second + (not splits), other_cards)
        ways[way] = ways.get(way, 0) + count
    for (resplits, second, other_cards), count in count_split_finishes(hands, open_ - 1, max_hands).items():
        way = SplitFinish(resplits, second, other_cards + 1)
        ways[way] = ways.get(way, 0) + count
    return ways


_CACHE_SIZE = 16384


class Draws:
    """Counts draws without replacement, or with replacement for an infinite deck."""

    def __init__(self, *, infinite: bool) -> None:
        self.infinite = infinite
        self._sums = lru_cache(maxsize=_CACHE_SIZE)(self._added_up)
        self.finish = lru_cache(maxsize=_CACHE_SIZE)(self._finish)

    def orders(self, cards: int, count: int) -> int:
        """Return the number of ordered draws of `count` cards out of `cards`."""
        return cards**count if self.infinite else perm(cards, count) if cards >= count else 0

    def less(self, cards: int, removed: int) -> int:
        """Return how many of `cards` remain after `removed` are drawn."""
        return cards if self.infinite else cards - removed

    def _added_up(self, winning: int, pushing: int, losing: int, card_count: int) -> dict[int, int]:
        """Return the ways by net units for `card_count` ordered second cards."""
        ways_by_units: dict[int, int] = {}
        for won in range(card_count + 1):
            for lost in range(card_count - won + 1):
                pushed = card_count - won - lost
                ways = self.orders(winning, won) * self.orders(losing, lost) * self.orders(pushing, pushed)
                if ways:
                    ways_by_units[won - lost] = (
                        ways_by_units.get(won - lost, 0) + comb(card_count, won) * comb(card_count - won, lost) * ways
                    )
        return ways_by_units

    def _finish(
        self, hands: int, open_: int, max_hands: int, stock: Stock, pair_result: int, draws: int
    ) -> tuple[tuple[int, int], ...]:
        """Return the net units of the open hands with their ways, all for `draws` draws.

        A hand of two equal cards wins `pair_result`; draws that are not needed may be any cards.
        """
        ways_by_units: dict[int, int] = {}
        size = stock.size
        for (resplits, second, other_cards), count in count_split_finishes(hands, open_, max_hands).items():
            like_drawn = resplits + second
            used = like_drawn + other_cards
            ways = count * self.orders(stock.like, like_drawn) * self.orders(self.less(size, used), draws - used)
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
    """An outcome of a round, as far as any wager depends on it."""

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

    one: int
    other: int
    up: int

    @property
    def is_pair(self) -> bool:
        """Whether the two cards have equal values."""
        return self.one == self.other

    @property
    def total(self) -> int:
        """The points of the two cards."""
        return (self.one + self.other) % 10


POINTS = tuple(map(points, SCORES))
AFTER_SPLIT = tuple(tuple(score_after_split(kind, card) for card in CARD_VALUES) for kind in CARD_VALUES)
MATCHUPS = tuple(
    LuckyNineMatchup(*hand, up) for hand in combinations_with_replacement(CARD_VALUES, 2) for up in CARD_VALUES
)


class DealerResult(NamedTuple):
    """A finished hand of the dealer: its score, its ways, the cards drawn, and the remaining cards."""

    score: int
    ways: int
    cards: tuple[int, ...]
    """Values of the cards drawn after the up card."""
    left: list[int]

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
    """Whether such a hand ties with the dealer's."""
    tying: int
    """Number of cards that make a tie."""
    tie: int
    """Result of a hand that ties: it may not qualify."""


class LuckyNineRound:
    """A round from a shoe with `counts` cards of each value, or from an infinite deck."""

    def __init__(self, rules: LuckyNineRules, counts: ValueCounts, *, infinite: bool = False) -> None:
        self.rules = rules
        self.counts = counts
        self.size = sum(counts)
        self.draws = draws(infinite=infinite)
        self.length = rules.length
        max_hands = max(rules.hands, 1)
        # Every outcome is made once; an outcome is looked up a million times.
        self._keys = {
            key: Key(*key)
            for key in product(range(-max_hands, max_hands + 1), (False, True), range(NINE + 1), (False, True))
        }
        self._thirds = lru_cache(maxsize=256)(self._third_cards)
        self._one = 1 - self.draws.less(1, 1)
        """What a card that is drawn takes from its kind: nothing in infinite decks."""

    @property
    def cycle(self) -> int:
        """Number of orders of the maximum number of cards of a round."""
        return self.draws.orders(self.size, self.length)

    def ways(self, cell: LuckyNineMatchup) -> int:
        """Return the number of orders in which a hand and an up card can be dealt."""
        remaining, ways = list(self.counts), 1 if cell.is_pair else 2
        for kind in cell:
            ways *= remaining[kind]
            self._take(remaining, kind)
        return ways

    @property
    def after(self) -> int:
        """Number of orders of the cards after the first hand and the up card."""
        return self.draws.orders(self.draws.less(self.size, 3), self.length - 3)

    def _take(self, remaining: list[int], kind: int) -> None:
        remaining[kind] -= self._one

    def actions(self, cell: LuckyNineMatchup) -> tuple[str, ...]:
        """Return the actions that the rules allow."""
        actions = [STAND]
        if not (self.rules.nines == MAKER and cell.total == NINE):
            actions.append(HIT)
        if cell.is_pair and self.rules.hands > 1:
            actions.append(SPLIT)
            if self.rules.hands > 2:
                actions.append(RESPLIT)
        return tuple(actions)

    def laws(self, cell: LuckyNineMatchup, actions: tuple[str, ...] = ()) -> dict[str, OutcomeWays]:
        """Return the ways of each outcome by action, each summing to all orders of the cards after the first three."""
        ends = list(self.ends(cell))
        splits: dict[_Split, int] = {}
        laws: dict[str, OutcomeWays] = {}
        for action in actions or self.actions(cell):
            law: OutcomeWays = {}
            match action:
                case "stand":
                    self._stand(cell, ends, law)
                case "hit":
                    self._hit(cell, ends, law)
                case _:
                    splits = splits or self._merge_dealer_hands(cell.one, ends)
                    self._split(splits, law, 2 if action == SPLIT else self.rules.hands)
            laws[action] = law
        return laws

    def ends(self, cell: LuckyNineMatchup) -> Iterator[DealerResult]:
        """Yield every finished hand of the dealer."""
        remaining = self._left(cell)
        for hole in CARD_VALUES:
            if remaining[hole] <= 0:
                continue
            after_hole = remaining.copy()
            after_hole[hole] -= self._one
            score = score_two_cards(cell.up, hole)
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

    def _left(self, cell: LuckyNineMatchup) -> list[int]:
        """Return the remaining cards of each value after a hand and an up card."""
        remaining = list(self.counts)
        for kind in cell:
            self._take(remaining, kind)
        return remaining

    def orders_after(self, used: int) -> int:
        """Return the number of orders of the unseen cards after the first three and `used` more."""
        return self.draws.orders(self.draws.less(self.size, 3 + used), self.length - 3 - used)

    def _stand(self, cell: LuckyNineMatchup, ends: list[DealerResult], law: OutcomeWays) -> None:
        score = score_two_cards(cell.one, cell.other)
        ways_by_end: dict[tuple[int, int], int] = {}
        for end in ends:
            end_class = end.score, len(end.cards)
            ways_by_end[end_class] = ways_by_end.get(end_class, 0) + end.ways
        for (dealer_score, cards_drawn), ways in ways_by_end.items():
            dealer = POINTS[dealer_score]
            key = self._keys[self.rules.standing[score][dealer_score], cell.total == dealer, dealer, score == LUCKY]
            law[key] = law.get(key, 0) + ways * self.orders_after(cards_drawn)

    def _hit(self, cell: LuckyNineMatchup, ends: list[DealerResult], law: OutcomeWays) -> None:
        remaining = self._left(cell)
        sums_by_end: dict[tuple[int, int], list[int]] = {}
        for end in ends:  # how often each card is the dealer's with each score, and behind them how often any is
            ways = end.ways
            sums = sums_by_end.setdefault((end.score, len(end.cards)), [0] * (len(CARD_VALUES) + 1))
            sums[-1] += ways
            for kind in end.cards:
                sums[kind] += ways * self._one
        for (dealer_score, cards_drawn), sums in sums_by_end.items():
            total_ways, following_orders = sums[-1], self.orders_after(cards_drawn + 1)
            for key, cards in self._thirds(cell.total, dealer_score):
                ways = sum([remaining[kind] * total_ways - sums[kind] for kind in cards])
                law[key] = law.get(key, 0) + ways * following_orders

    def _third_cards(self, total: int, dealer_score: int) -> tuple[tuple[Key, tuple[int, ...]], ...]:
        """Group third cards by the outcome they give two cards with `total` points against a score of the dealer."""
        dealer, cards_by_key = POINTS[dealer_score], dict[Key, list[int]]()
        for kind in CARD_VALUES:
            score = score_three_cards(total, kind)
            key = self._keys[self.rules.drawing[score][dealer_score], POINTS[score] == dealer, dealer, False]
            cards_by_key.setdefault(key, []).append(kind)
        return tuple((key, tuple(cards)) for key, cards in cards_by_key.items())

    def _merge_dealer_hands(self, kind: int, ends: list[DealerResult]) -> dict[_Split, int]:
        """Merge the dealer's hands that make no difference to split hands."""
        splits: dict[_Split, int] = {}
        for end in ends:
            split = self._given(kind, end)
            splits[split] = splits.get(split, 0) + end.ways
        return splits

    def _split(self, splits: dict[_Split, int], law: OutcomeWays, max_hands: int) -> None:
        untied: dict[tuple[int, int], int] = {}
        tied: dict[tuple[int, int], int] = {}
        for split, ways in splits.items():
            to_come, dealer = self.length - 3 - split.drawn, split.dealer
            for units, finish_ways in self.draws.finish(2, 2, max_hands, split.stock, split.pair, to_come):
                untied[units, dealer] = untied.get((units, dealer), 0) + ways * finish_ways
            for units, finish_ways in self._tied(split, max_hands, to_come):
                tied[units, dealer] = tied.get((units, dealer), 0) + ways * finish_ways
        for (units, dealer), ways in untied.items():
            of_tie = tied.get((units, dealer), 0)
            law[self._keys[units, False, dealer, False]] = ways - of_tie
            if of_tie:
                law[self._keys[units, True, dealer, False]] = of_tie

    def _given(self, kind: int, end: DealerResult) -> _Split:
        """Group the remaining cards by the result they give a hand split off a pair."""
        results = [self.rules.standing[score][end.score] for score in AFTER_SPLIT[kind]]
        by_result = [0, 0, 0]
        for result, cards in zip(results, end.left, strict=True):
            by_result[result] += cards  # 0, 1 and, from the end, -1
        like, pair, dealer = end.left[kind], results[kind], POINTS[end.score]
        by_result[pair] -= like
        tying = (dealer - kind) % 10
        stock = Stock(like, by_result[1], by_result[0], by_result[-1])
        return _Split(dealer, end.drawn, stock, pair, tying == kind, end.left[tying], results[tying])

    def _tied(self, split: _Split, max_hands: int, to_come: int) -> Iterator[tuple[int, int]]:
        """Yield units and ways where the hand of the first card, which is finished first, ties with the dealer's.

        Equal cards come to it until another card makes the tie; each is split again while that is allowed.
        """
        draws, stock = self.draws, split.stock
        groups = [stock.pushing, stock.winning, stock.losing]
        if not split.tie_is_pair:
            groups[split.tie] = draws.less(groups[split.tie], 1)
        # A pair stays a pair only when there may be no more hands.
        for resplits in [max_hands - 2] if split.tie_is_pair else range(max_hands - 1):
            cards = draws.less(stock.like, resplits) if split.tie_is_pair else split.tying
            ways = draws.orders(stock.like, resplits) * cards
            if ways > 0:
                like = draws.less(stock.like, resplits + split.tie_is_pair)
                remaining = Stock(like, groups[1], groups[0], groups[-1])
                for units, finish_ways in draws.finish(
                    2 + resplits, 1 + resplits, max_hands, remaining, split.pair, to_come - resplits - 1
                ):
                    yield units + split.tie, ways * finish_ways
