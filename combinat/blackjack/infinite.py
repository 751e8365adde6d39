"""Blackjack with infinite decks: every card drawn as if from a full deck, so that a hand is its total and no more.

Nothing that is drawn changes what comes next. So given where the dealer ends the hands of a split are independent, and
all results have exact chances, those of splits too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, gcd

from combinat.blackjack.charts import chart_for
from combinat.blackjack.exact.evaluate import BUST
from combinat.blackjack.exact.resplits import second_cards
from combinat.blackjack.hands import ACE, EMPTY, TEN, Hand, hard_total, is_blackjack, pair_place, total, with_card
from combinat.blackjack.parlay.results import certain
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.exact.distribution import Distribution

Ends = Mapping[int, int]
"""How often a hand ends with every total, or over, of all times that there are."""

Way = tuple[Ends, int]
"""Where a hand ends that is played in some way, and how many bets are then on it."""

Profits = Mapping[int, int]
"""How often every profit on a bet of one comes."""

MOST_DRAWN = 21
"""No hand draws more cards."""
MANY_DECKS = 8
"""The most decks that printed charts are for; they do for any more."""
SURRENDERED = certain(Fraction(-1, 2))


class InfiniteBlackjack:
    """A game with cards of these chances, by their values, and how a player plays it.

    Chances are whole numbers: how often something comes of as many times as there are rows of so many cards.
    """

    def __init__(self, counts: Hand, rules: BlackjackRules, strategy: str = "best") -> None:
        """Take the chances from the cards of any number of full decks."""
        common = gcd(*counts)
        self._weights = {place: count // common for place, count in enumerate(counts) if count}
        self._kinds = sum(self._weights.values())
        self._times = self._kinds**MOST_DRAWN
        """How often a hand is played: so that a card that is drawn, whatever follows, parts a whole number of times."""
        self._rules = rules
        self._chart = None if strategy == "best" else chart_for(MANY_DECKS, rules)
        self._finished = lru_cache(maxsize=1_000)(self._finish)
        self._played = lru_cache(maxsize=100_000)(self._play_on)
        self._worth_of = lru_cache(maxsize=1_000)(self._against_dealer)
        self._one_card_more = lru_cache(maxsize=10_000)(self._draw)
        self._choice_of = lru_cache(maxsize=100_000)(self._choose)

    def chance(self, place: int) -> Fraction:
        """Say how likely a card of a value is."""
        return Fraction(self._weights.get(place, 0), self._kinds)

    def dealer_blackjack(self, hand: Hand, up: int) -> Fraction:  # noqa: ARG002  # as with a shoe, where it matters
        """Say how often the dealer has a blackjack, given the up card."""
        return self.chance({ACE: TEN, TEN: ACE}[up]) if up in (ACE, TEN) else Fraction(0)

    def action(self, hand: Hand, up: int) -> Action:
        """Say what is done first with a hand; a blackjack is stood on."""
        return Action.STAND if is_blackjack(hand) else self._choice_of(hand, up)[0]

    def value(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Fraction:
        """Give the profit of a first hand on a bet that follows it, whatever a blackjack pays on that bet."""
        return self.results(hand, up, blackjack_pays).mean.constant

    def results(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Distribution:
        """Give the profits of a first hand on a bet that follows it, with their chances."""
        if is_blackjack(hand):
            return certain(self._rules.blackjack_pays if blackjack_pays is None else blackjack_pays)
        return self._choice_of(hand, up)[1]

    @cached_property
    def _dealer(self) -> dict[int, Ends]:
        """Where the dealer ends with each up card, when there is no blackjack."""
        found = {}
        for up in self._weights:
            seconds = [place for place in self._weights if {place, up} != {ACE, TEN}]
            found[up] = self._mean({place: self._finished(ACE in (up, place), up + place + 2) for place in seconds})
        return found

    def _finish(self, has_ace: bool, hard: int) -> Ends:
        """Draw for the dealer to a hand of two cards or more, of which the total matters alone."""
        points = hard + 10 if has_ace and hard <= 11 else hard
        if points > 21:
            return {BUST: self._times}
        if points > 17 or (points == 17 and not (points > hard and self._rules.hits_soft_17)):
            return {points: self._times}
        return self._mean({place: self._finished(has_ace or place == ACE, hard + place + 1) for place in self._weights})

    def _mean(self, after: Mapping[int, Ends]) -> Ends:
        """Draw one of some cards, after each of which a hand ends in some way; the others come and are not counted."""
        found: defaultdict[int, int] = defaultdict(int)
        for place, ends in after.items():
            for end, times in ends.items():
                found[end] += self._weights[place] * times // self._kinds
        return found

    def _worth(self, ends: Ends, up: int) -> int:
        """Add up the profits of a bet of one, over all times that both hands are played."""
        return sum([times * self._worth_of(own, up) for own, times in ends.items()])

    def _against_dealer(self, own: int, up: int) -> int:
        """Add up the profits of a bet of one on a total, over all times that the dealer plays."""
        return sum([dealt * _compared(own, end) for end, dealt in self._dealer[up].items()])

    def _drawn(self, hand: Hand, up: int, *, once: bool) -> Ends:
        """Draw a card, then stand or go on."""
        return self._one_card_more(hard_total(hand), hand[ACE] > 0, None if once else up)

    def _draw(self, hard: int, has_ace: bool, up: int | None) -> Ends:
        """Draw a card to a hand, of which the total matters alone, then go on against an up card, or stand."""
        found: dict[int, Ends] = {}
        for place in self._weights:
            after = hard + place + 1
            soft = (has_ace or place == ACE) and after <= 11
            if after > 21 or up is None:
                found[place] = {BUST if after > 21 else after + 10 * soft: self._times}
            else:
                found[place] = self._played(after, soft, up)
        return self._mean(found)

    def _play_on(self, hard: int, soft: bool, up: int) -> Ends:
        """Play a hand of three cards or more, of which the total matters alone."""
        hand = _of_total(hard, soft)
        stood = {total(hand): self._times}
        if total(hand) == 21:
            return stood
        ways: dict[Action, Ends] = {Action.STAND: stood, Action.HIT: self._drawn(hand, up, once=False)}
        return ways[self._taken(hand, up, {action: self._worth(ends, up) for action, ends in ways.items()})]

    def _taken(self, hand: Hand, up: int, worth: Mapping[Action, int | Fraction]) -> Action:
        """Take the best of the actions, or what the chart wants first."""
        if self._chart is None:
            return max((action for action in Action if action in worth), key=worth.__getitem__)
        wishes = self._chart.wishes(hand, up, self._rules.double_after_split)
        return next(wish for wish in wishes if wish in worth)

    def _of_two_cards(self, hand: Hand, up: int) -> dict[Action, Way]:
        """Give where every action on two cards ends, but for splits, and how many bets are then on it."""
        found: dict[Action, Way] = {
            Action.STAND: ({total(hand): self._times}, 1),
            Action.HIT: (self._drawn(hand, up, once=False), 1),
        }
        if self._rules.may_double(hand):
            found[Action.DOUBLE] = (self._drawn(hand, up, once=True), 2)
        return found

    def _choose(self, hand: Hand, up: int) -> tuple[Action, Distribution]:
        ways = self._of_two_cards(hand, up)
        every = self._times * sum(self._dealer[up].values())
        worth = {action: Fraction(self._gained(way, up), every) for action, way in ways.items()}
        if self._rules.surrender:
            worth[Action.SURRENDER] = SURRENDERED.mean.constant
        place = pair_place(hand)
        split: Profits = {}
        if place is not None and self._rules.most_hands(place) > 1:
            split = self._split(place, up)
            gained = sum(profit * times for profit, times in split.items())
            worth[Action.SPLIT] = Fraction(gained, sum(split.values()))
        action = self._taken(hand, up, worth)
        if action is Action.SURRENDER:
            return action, SURRENDERED
        if action is not Action.SPLIT:
            split = self._whatever_the_dealer_has(up, lambda end: _profits(ways[action], end))
        every = sum(split.values())
        return action, Distribution((profit, Fraction(times, every)) for profit, times in split.items() if times)

    def _gained(self, way: Way, up: int) -> int:
        ends, bets = way
        return bets * self._worth(ends, up)

    def _whatever_the_dealer_has(self, up: int, given: Callable[[int], Profits]) -> Profits:
        return _mixed((times, given(end)) for end, times in self._dealer[up].items())

    def _split(self, place: int, up: int) -> Profits:
        """Give the profits of all hands of a split together."""
        seconds = {second: self._after_split(place, second, up) for second in self._weights}
        return self._whatever_the_dealer_has(up, lambda end: self._all_hands(place, seconds, end))

    def _after_split(self, place: int, second: int, up: int) -> Way:
        """Play a hand of a split that is not split again, as its two cards are played of the actions left."""
        hand = with_card(with_card(EMPTY, place), second)
        ways, of_aces = self._of_two_cards(hand, up), place == ACE
        if (of_aces and not self._rules.hit_split_aces) or total(hand) == 21:
            return ways[Action.STAND]
        if of_aces or not self._rules.double_after_split:
            ways.pop(Action.DOUBLE, None)
        return ways[self._taken(hand, up, {one: self._gained(way, up) for one, way in ways.items()})]

    def _all_hands(self, place: int, seconds: Mapping[int, Way], end: int) -> Profits:
        """Add up the hands of a split when the dealer ends with a total."""
        most, again = self._rules.most_hands(place), self._weights[place]
        profits = {second: _profits(way, end) for second, way in seconds.items()}
        # Each weighs as much as its second card is likely, so that nothing has to be divided.
        other = _mixed((self._weights[one], profits[one]) for one in profits if one != place)
        like = _mixed([(again, profits[place])])
        added: dict[tuple[int, int], Profits] = {(0, 0): {0: 1}}
        found: defaultdict[int, int] = defaultdict(int)

        def add_up(others: int, likes: int) -> Profits:
            """Add up so many hands of either kind."""
            if (others, likes) not in added:
                shorter, more = (add_up(others - 1, likes), other) if others else (add_up(others, likes - 1), like)
                sums: defaultdict[int, int] = defaultdict(int)
                for one, times in shorter.items():
                    for two, another in more.items():
                        sums[one + two] += times * another
                added[others, likes] = sums
            return added[others, likes]

        for (hands, finished), orders in second_cards(most).items():
            waiting = hands - finished  # all of them take any card
            # A hand that there is not would have had its first card, its second and all that it draws.
            ways = orders * again ** (hands - 2) * (self._kinds**2 * self._times) ** (most - hands)
            for likes in range(waiting + 1):
                times = ways * comb(waiting, likes)
                for profit, one in add_up(hands - likes, likes).items():
                    found[profit] += times * one
        return found


def _compared(own: int, end: int) -> int:
    """Give the profit of a bet of one on a total, or on a hand that is over, when the dealer ends with one.

    >>> _compared(18, 17), _compared(18, 18), _compared(12, BUST), _compared(BUST, BUST)
    (1, 0, 1, -1)
    """
    return -1 if own == BUST else (own > end) - (own < end)


def _profits(way: Way, end: int) -> Profits:
    """Give the profits of a hand when the dealer ends with a total."""
    ends, bets = way
    found: defaultdict[int, int] = defaultdict(int)
    for own, times in ends.items():
        found[bets * _compared(own, end)] += times
    return found


def _mixed(parts: Iterable[tuple[int, Profits]]) -> Profits:
    """Give one of several, each as often as its weight says."""
    found: defaultdict[int, int] = defaultdict(int)
    for weight, profits in parts:
        for profit, times in profits.items():
            found[profit] += weight * times
    return found


def _of_total(hard: int, soft: bool) -> Hand:
    """Make a hand of three cards or more with a total: aces alone if one counts eleven, else twos and a three."""
    return (hard, *EMPTY[1:]) if soft else (0, hard // 2 - hard % 2, hard % 2, *EMPTY[3:])
