"""What comes of a split, given the dealer's hand: in how many ways the hands together win so many units.

Once the dealer's cards are known, a second card makes a hand win, push or lose, so only the numbers of such cards in
the stock matter, and of cards like the split ones, which are split again or not. The results of several hands are then
drawn without replacement from a few kinds of card: their joint distribution is exact, and quickly added up.

What can come of every action in a round: for each first hand and up card, the ways of each outcome.

The order in which cards come does not matter to how likely they are, so the dealer's cards are drawn first. Given
them, a third card or the second cards of split hands are counted by what they make of a hand. Everything is counted in
orders of the same number of cards, the most that a round can take, and so adds up without a fraction.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import comb, perm
from typing import NamedTuple

from combinat.enumeration.lucky9.rules import (
    KINDS,
    LUCKY,
    MAKER,
    MOST_DEALER_DRAWS_ON,
    NINE,
    SCORES,
    Rules,
    after_split,
    points,
    three_cards,
    two_cards,
)


class Stock(NamedTuple):
    """The cards that second cards come from: like the split ones, and others by what they make of a hand."""

    like: int
    winning: int
    pushing: int
    losing: int

    @property
    def size(self) -> int:
        """All cards."""
        return sum(self)


class Way(NamedTuple):
    """How cards like the split ones came: to be split again, or as second cards; with so many others beside them."""

    again: int
    second: int
    others: int


@lru_cache(maxsize=1024)
def ways_to_finish(hands: int, open_: int, most: int) -> Mapping[Way, int]:
    """Count the orders in which cards like the split ones and others can come until no hand waits for a card.

    There are so many hands, of which so many wait; a card like the split ones makes one more hand while that is
    allowed, and the hand that it came to goes on waiting.

    >>> {tuple(way): count for way, count in ways_to_finish(2, 2, 2).items()}
    {(0, 2, 0): 1, (0, 1, 1): 2, (0, 0, 2): 1}
    >>> ways_to_finish(2, 2, 4)[Way(1, 0, 3)]  # the one pair that is split again comes first or second
    2
    """
    if not open_:
        return {Way(0, 0, 0): 1}
    found: dict[Way, int] = {}
    splits = hands < most
    alike = ways_to_finish(hands + 1, open_ + 1, most) if splits else ways_to_finish(hands, open_ - 1, most)
    for (again, second, others), count in alike.items():
        way = Way(again + splits, second + (not splits), others)
        found[way] = found.get(way, 0) + count
    for (again, second, others), count in ways_to_finish(hands, open_ - 1, most).items():
        way = Way(again, second, others + 1)
        found[way] = found.get(way, 0) + count
    return found


_MAX_KEPT = 16384


class Draws:
    """Counts draws: one after the other from a stock, or each from the whole of it, as if decks were infinite."""

    def __init__(self, *, infinite: bool) -> None:
        self.infinite = infinite
        self._sums = lru_cache(maxsize=_MAX_KEPT)(self._added_up)
        self.finish = lru_cache(maxsize=_MAX_KEPT)(self._finish)

    def orders(self, cards: int, times: int) -> int:
        """In how many orders so many of these cards can be drawn."""
        return cards**times if self.infinite else perm(cards, times) if cards >= times else 0

    def less(self, cards: int, gone: int) -> int:
        """How many of these cards are left after some are gone."""
        return cards if self.infinite else cards - gone

    def _added_up(self, winning: int, pushing: int, losing: int, drawn: int) -> dict[int, int]:
        """In how many orders so many cards can be drawn that win so many units together."""
        found: dict[int, int] = {}
        for won in range(drawn + 1):
            for lost in range(drawn - won + 1):
                pushed = drawn - won - lost
                ways = self.orders(winning, won) * self.orders(losing, lost) * self.orders(pushing, pushed)
                if ways:
                    found[won - lost] = found.get(won - lost, 0) + comb(drawn, won) * comb(drawn - won, lost) * ways
        return found

    def _finish(
        self, hands: int, open_: int, most: int, stock: Stock, alike: int, draws: int
    ) -> tuple[tuple[int, int], ...]:
        """Give the units that the waiting hands win together with the ways of each, all for so many draws.

        A hand of two cards like the split ones wins `alike`; draws that are not needed are of any cards.
        """
        found: dict[int, int] = {}
        size = stock.size
        for (again, second, others), count in ways_to_finish(hands, open_, most).items():
            taken = again + second
            used = taken + others
            ways = count * self.orders(stock.like, taken) * self.orders(self.less(size, used), draws - used)
            if not ways:
                continue
            for units, drawn in self._sums(stock.winning, stock.pushing, stock.losing, others).items():
                net = units + second * alike
                found[net] = found.get(net, 0) + ways * drawn
        return tuple(found.items())


@lru_cache(maxsize=2)
def draws(*, infinite: bool) -> Draws:
    """Return the one object for this way to draw, so that shoes that differ by a card share what it keeps."""
    return Draws(infinite=infinite)


STAND, HIT, SPLIT, RESPLIT = "stand", "hit", "split", "resplit"
"""The actions; a split is never made again, a resplit always when a hand pairs again and there may be more hands."""

ValueCounts = tuple[int, ...]
"""How many cards there are of each kind."""


class Key(NamedTuple):
    """An outcome of a round, as far as any wager on it is concerned."""

    units: int
    """Hands won less hands lost."""
    is_tie: bool
    """Whether the hand of the first card has the dealer's points."""
    dealer: int
    """The dealer's points."""
    is_lucky: bool
    """Whether the first two cards stood as a Lucky 9."""


OutcomeWays = dict[Key, int]
"""The ways of each outcome."""


class Cell(NamedTuple):
    """What a player sees when there is something to decide: two cards, the lower first, and the up card."""

    one: int
    other: int
    up: int

    @property
    def is_pair(self) -> bool:
        """Whether the cards count the same."""
        return self.one == self.other

    @property
    def total(self) -> int:
        """The points of the two cards."""
        return (self.one + self.other) % 10


POINTS = tuple(map(points, SCORES))
AFTER_SPLIT = tuple(tuple(after_split(kind, card) for card in KINDS) for kind in KINDS)
CELLS = tuple(Cell(*hand, up) for hand in combinations_with_replacement(KINDS, 2) for up in KINDS)


class DealerResult(NamedTuple):
    """A finished hand of the dealer's: its score, the ways of its cards, which were drawn, and what is left."""

    score: int
    ways: int
    cards: tuple[int, ...]
    """What the cards count that came to the up card."""
    left: list[int]

    @property
    def drawn(self) -> int:
        """How many cards came to the up card."""
        return len(self.cards)


class _Split(NamedTuple):
    """What matters to split hands once the dealer's is finished."""

    dealer: int
    drawn: int
    stock: Stock
    pair: int
    """What a hand wins that pairs again and is not split again."""
    tie_is_pair: bool
    """Whether such a hand ties with the dealer's."""
    tying: int
    """How many cards make a tie."""
    tie: int
    """What a hand wins that ties: it may not qualify."""


class Round:
    """A round from a shoe of so many cards of each kind, or from infinite decks of them."""

    def __init__(self, rules: Rules, counts: ValueCounts, *, infinite: bool = False) -> None:
        self.rules = rules
        self.counts = counts
        self.size = sum(counts)
        self.draws = draws(infinite=infinite)
        self.length = rules.length
        most = max(rules.hands, 1)
        # Every outcome is made once; an outcome is looked up a million times.
        self._keys = {
            key: Key(*key) for key in product(range(-most, most + 1), (False, True), range(NINE + 1), (False, True))
        }
        self._thirds = lru_cache(maxsize=256)(self._third_cards)
        self._one = 1 - self.draws.less(1, 1)
        """What a card that is drawn takes from its kind: nothing in infinite decks."""

    @property
    def cycle(self) -> int:
        """All orders of as many cards as a round can take."""
        return self.draws.orders(self.size, self.length)

    def ways(self, cell: Cell) -> int:
        """In how many orders a hand and an up card can be dealt."""
        left, ways = list(self.counts), 1 if cell.is_pair else 2
        for kind in cell:
            ways *= left[kind]
            self._take(left, kind)
        return ways

    @property
    def after(self) -> int:
        """All orders of the cards after the first hand and the up card."""
        return self.draws.orders(self.draws.less(self.size, 3), self.length - 3)

    def _take(self, left: list[int], kind: int) -> None:
        left[kind] -= self._one

    def actions(self, cell: Cell) -> tuple[str, ...]:
        """What the player may do."""
        actions = [STAND]
        if not (self.rules.nines == MAKER and cell.total == NINE):
            actions.append(HIT)
        if cell.is_pair and self.rules.hands > 1:
            actions.append(SPLIT)
            if self.rules.hands > 2:
                actions.append(RESPLIT)
        return tuple(actions)

    def laws(self, cell: Cell, actions: tuple[str, ...] = ()) -> dict[str, OutcomeWays]:
        """Give the ways of each outcome for some actions or all, each adding up to all orders of the cards after."""
        ends = list(self.ends(cell))
        given: dict[_Split, int] = {}
        laws: dict[str, OutcomeWays] = {}
        for action in actions or self.actions(cell):
            law: OutcomeWays = {}
            match action:
                case "stand":
                    self._stand(cell, ends, law)
                case "hit":
                    self._hit(cell, ends, law)
                case _:
                    given = given or self._all_given(cell.one, ends)
                    self._split(given, law, 2 if action == SPLIT else self.rules.hands)
            laws[action] = law
        return laws

    def ends(self, cell: Cell) -> Iterator[DealerResult]:
        """Finish the dealer's hand in every way."""
        left = self._left(cell)
        for hole in KINDS:
            if left[hole] <= 0:
                continue
            rest = left.copy()
            rest[hole] -= self._one
            score = two_cards(cell.up, hole)
            if score > MOST_DEALER_DRAWS_ON:
                yield DealerResult(score, left[hole], (hole,), rest)
                continue
            for card in KINDS:
                if rest[card] > 0:
                    last = rest.copy()
                    last[card] -= self._one
                    yield DealerResult(three_cards(score, card), left[hole] * rest[card], (hole, card), last)

    def _left(self, cell: Cell) -> list[int]:
        """How many cards of each kind are left when a hand and an up card are dealt."""
        left = list(self.counts)
        for kind in cell:
            self._take(left, kind)
        return left

    def orders_after(self, used: int) -> int:
        """In how many orders the cards can lie that are dealt after so many, and not looked at."""
        return self.draws.orders(self.draws.less(self.size, 3 + used), self.length - 3 - used)

    def _stand(self, cell: Cell, ends: list[DealerResult], law: OutcomeWays) -> None:
        score = two_cards(cell.one, cell.other)
        alike: dict[tuple[int, int], int] = {}
        for end in ends:
            met = end.score, len(end.cards)
            alike[met] = alike.get(met, 0) + end.ways
        for (other, drawn), ways in alike.items():
            dealer = POINTS[other]
            key = self._keys[self.rules.standing[score][other], cell.total == dealer, dealer, score == LUCKY]
            law[key] = law.get(key, 0) + ways * self.orders_after(drawn)

    def _hit(self, cell: Cell, ends: list[DealerResult], law: OutcomeWays) -> None:
        left = self._left(cell)
        alike: dict[tuple[int, int], list[int]] = {}
        for end in ends:  # how often each card is the dealer's with each score, and behind them how often any is
            ways = end.ways
            sums = alike.setdefault((end.score, len(end.cards)), [0] * (len(KINDS) + 1))
            sums[-1] += ways
            for kind in end.cards:
                sums[kind] += ways * self._one
        for (other, drawn), sums in alike.items():
            every, after = sums[-1], self.orders_after(drawn + 1)
            for key, cards in self._thirds(cell.total, other):
                ways = sum([left[kind] * every - sums[kind] for kind in cards])
                law[key] = law.get(key, 0) + ways * after

    def _third_cards(self, total: int, other: int) -> tuple[tuple[Key, tuple[int, ...]], ...]:
        """Sort third cards by what they make of two cards with so many points against a score of the dealer's."""
        dealer, found = POINTS[other], dict[Key, list[int]]()
        for kind in KINDS:
            score = three_cards(total, kind)
            key = self._keys[self.rules.drawing[score][other], POINTS[score] == dealer, dealer, False]
            found.setdefault(key, []).append(kind)
        return tuple((key, tuple(cards)) for key, cards in found.items())

    def _all_given(self, kind: int, ends: list[DealerResult]) -> dict[_Split, int]:
        """Put the dealer's hands together that differ in nothing that matters to split hands; most do not."""
        alike: dict[_Split, int] = {}
        for end in ends:
            split = self._given(kind, end)
            alike[split] = alike.get(split, 0) + end.ways
        return alike

    def _split(self, given: dict[_Split, int], law: OutcomeWays, most: int) -> None:
        untied: dict[tuple[int, int], int] = {}
        tied: dict[tuple[int, int], int] = {}
        for split, ways in given.items():
            to_come, dealer = self.length - 3 - split.drawn, split.dealer
            for units, more in self.draws.finish(2, 2, most, split.stock, split.pair, to_come):
                untied[units, dealer] = untied.get((units, dealer), 0) + ways * more
            for units, more in self._tied(split, most, to_come):
                tied[units, dealer] = tied.get((units, dealer), 0) + ways * more
        for (units, dealer), ways in untied.items():
            of_tie = tied.get((units, dealer), 0)
            law[self._keys[units, False, dealer, False]] = ways - of_tie
            if of_tie:
                law[self._keys[units, True, dealer, False]] = of_tie

    def _given(self, kind: int, end: DealerResult) -> _Split:
        """Sort the cards left by what each makes of a hand split off a pair."""
        results = [self.rules.standing[score][end.score] for score in AFTER_SPLIT[kind]]
        sorted_ = [0, 0, 0]
        for result, cards in zip(results, end.left, strict=True):
            sorted_[result] += cards  # 0, 1 and, from the end, -1
        like, pair, dealer = end.left[kind], results[kind], POINTS[end.score]
        sorted_[pair] -= like
        tying = (dealer - kind) % 10
        stock = Stock(like, sorted_[1], sorted_[0], sorted_[-1])
        return _Split(dealer, end.drawn, stock, pair, tying == kind, end.left[tying], results[tying])

    def _tied(self, split: _Split, most: int, to_come: int) -> Iterator[tuple[int, int]]:
        """Give units and ways where the hand of the first card, which is finished first, ties with the dealer's.

        Cards like the split ones come to it until one makes the tie; each is split again while that is allowed.
        """
        draws, stock = self.draws, split.stock
        groups = [stock.pushing, stock.winning, stock.losing]
        if not split.tie_is_pair:
            groups[split.tie] = draws.less(groups[split.tie], 1)
        # A pair stays a pair only when there may be no more hands.
        for again in [most - 2] if split.tie_is_pair else range(most - 1):
            cards = draws.less(stock.like, again) if split.tie_is_pair else split.tying
            ways = draws.orders(stock.like, again) * cards
            if ways > 0:
                like = draws.less(stock.like, again + split.tie_is_pair)
                rest = Stock(like, groups[1], groups[0], groups[-1])
                for units, more in draws.finish(2 + again, 1 + again, most, rest, split.pair, to_come - again - 1):
                    yield units + split.tie, ways * more
