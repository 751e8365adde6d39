"""Infinite-deck blackjack: cards are drawn with replacement, so that a hand is determined by its total.

A draw does not change later ones. So the hands of a split are independent given the dealer's total, and all results
have exact probabilities, including those of splits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, gcd

from combinat.blackjack.charts import chart_for
from combinat.blackjack.exact.evaluate import BUST
from combinat.blackjack.exact.resplits import count_second_card_orders
from combinat.blackjack.hands import ACE, EMPTY, TEN, Hand, hard_hand_total, is_natural, pair_index, total, with_card
from combinat.blackjack.parlay.results import constant_result
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.exact.distribution import Distribution

Ends = Mapping[int, int]
"""Weight of each final total of a hand, or of a bust."""

PlayedHand = tuple[Ends, int]
"""Final totals of a hand played in some way, and the number of bets on it."""

Profits = Mapping[int, int]
"""Weight of each profit of a unit bet."""

MAX_DRAWN = 21
"""Maximum number of cards drawn to a hand."""
CHART_DECKS = 8
"""Maximum number of decks of printed charts; it serves for the infinite deck."""
SURRENDER_RESULT = constant_result(Fraction(-1, 2))


class InfiniteBlackjack:
    """A game with these card probabilities by value, rules and strategy.

    Probabilities are integer weights: numerators over the number of card sequences of fixed length.
    """

    def __init__(self, counts: Hand, rules: BlackjackRules, strategy: str = "best") -> None:
        """Take the card probabilities from the counts of any number of full decks."""
        common = gcd(*counts)
        self._weights = {index: count // common for index, count in enumerate(counts) if count}
        self._kinds = sum(self._weights.values())
        self._times = self._kinds**MAX_DRAWN
        """Total weight of a hand: divisible by the number of kinds once for every card that can be drawn."""
        self._rules = rules
        self._chart = None if strategy == "best" else chart_for(CHART_DECKS, rules)
        self._finished = lru_cache(maxsize=1_000)(self._finish)
        self._played = lru_cache(maxsize=100_000)(self._play_on)
        self._worth_of = lru_cache(maxsize=1_000)(self._against_dealer)
        self._one_card_more = lru_cache(maxsize=10_000)(self._draw)
        self._choice_of = lru_cache(maxsize=100_000)(self._choose)

    def chance(self, index: int) -> Fraction:
        """Return the probability of a card of this value."""
        return Fraction(self._weights.get(index, 0), self._kinds)

    def dealer_blackjack(self, hand: Hand, up: int) -> Fraction:  # noqa: ARG002  # as with a shoe, where it matters
        """Return the probability of a dealer's blackjack, given the up card."""
        return self.chance({ACE: TEN, TEN: ACE}[up]) if up in (ACE, TEN) else Fraction(0)

    def action(self, hand: Hand, up: int) -> Action:
        """Return the first action on a hand; a blackjack stands."""
        return Action.STAND if is_natural(hand) else self._choice_of(hand, up)[0]

    def value(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Fraction:
        """Return the expected profit of a unit bet on a first hand; a blackjack pays `blackjack_pays` if given."""
        return self.results(hand, up, blackjack_pays).mean.constant

    def results(self, hand: Hand, up: int, blackjack_pays: Fraction | None = None) -> Distribution:
        """Return the distribution of the profit of a unit bet on a first hand."""
        if is_natural(hand):
            return constant_result(self._rules.blackjack_pays if blackjack_pays is None else blackjack_pays)
        return self._choice_of(hand, up)[1]

    @cached_property
    def _dealer(self) -> dict[int, Ends]:
        """The dealer's final totals for each up card, without blackjacks."""
        ends_by_up = {}
        for up in self._weights:
            seconds = [index for index in self._weights if {index, up} != {ACE, TEN}]
            ends_by_up[up] = self._mean(
                {index: self._finished(ACE in (up, index), up + index + 2) for index in seconds}
            )
        return ends_by_up

    def _finish(self, has_ace: bool, hard: int) -> Ends:
        """Return the final totals of a dealer's hand of two or more cards, given its hard total."""
        points = hard + 10 if has_ace and hard <= 11 else hard
        if points > 21:
            return {BUST: self._times}
        if points > 17 or (points == 17 and not (points > hard and self._rules.hits_soft_17)):
            return {points: self._times}
        return self._mean({index: self._finished(has_ace or index == ACE, hard + index + 1) for index in self._weights})

    def _mean(self, ends_by_card: Mapping[int, Ends]) -> Ends:
        """Average final totals over the next card; cards not in `ends_by_card` contribute 0."""
        totals: defaultdict[int, int] = defaultdict(int)
        for index, ends in ends_by_card.items():
            for end, weight in ends.items():
                totals[end] += self._weights[index] * weight // self._kinds
        return totals

    def _worth(self, ends: Ends, up: int) -> int:
        """Sum the profits of a unit bet over the final totals of player and dealer."""
        return sum([weight * self._worth_of(player_total, up) for player_total, weight in ends.items()])

    def _against_dealer(self, player_total: int, up: int) -> int:
        """Sum the profits of a unit bet on a total over the dealer's final totals."""
        return sum([weight * _compare_totals(player_total, end) for end, weight in self._dealer[up].items()])

    def _drawn(self, hand: Hand, up: int, *, once: bool) -> Ends:
        """Return the final totals after drawing a card, then standing if `once`, else following the strategy."""
        return self._one_card_more(hard_hand_total(hand), hand[ACE] > 0, None if once else up)

    def _draw(self, hard: int, has_ace: bool, up: int | None) -> Ends:
        """Return the final totals after drawing a card; then stand if `up` is `None`, else follow the strategy."""
        ends_by_card: dict[int, Ends] = {}
        for index in self._weights:
            new_hard = hard + index + 1
            soft = (has_ace or index == ACE) and new_hard <= 11
            if new_hard > 21 or up is None:
                ends_by_card[index] = {BUST if new_hard > 21 else new_hard + 10 * soft: self._times}
            else:
                ends_by_card[index] = self._played(new_hard, soft, up)
        return self._mean(ends_by_card)

    def _play_on(self, hard: int, soft: bool, up: int) -> Ends:
        """Return the final totals of a hand of three or more cards under the strategy."""
        hand = _hand_of_total(hard, soft)
        stood = {total(hand): self._times}
        if total(hand) == 21:
            return stood
        ways: dict[Action, Ends] = {Action.STAND: stood, Action.HIT: self._drawn(hand, up, once=False)}
        return ways[self._taken(hand, up, {action: self._worth(ends, up) for action, ends in ways.items()})]

    def _taken(self, hand: Hand, up: int, values: Mapping[Action, int | Fraction]) -> Action:
        """Return the action of the highest value, or the chart's first preference."""
        if self._chart is None:
            return max((action for action in Action if action in values), key=values.__getitem__)
        wishes = self._chart.preferences(hand, up, self._rules.double_after_split)
        return next(wish for wish in wishes if wish in values)

    def _of_two_cards(self, hand: Hand, up: int) -> dict[Action, PlayedHand]:
        """Return the final totals and the bets of every action on two cards except a split."""
        lines: dict[Action, PlayedHand] = {
            Action.STAND: ({total(hand): self._times}, 1),
            Action.HIT: (self._drawn(hand, up, once=False), 1),
        }
        if self._rules.may_double(hand):
            lines[Action.DOUBLE] = (self._drawn(hand, up, once=True), 2)
        return lines

    def _choose(self, hand: Hand, up: int) -> tuple[Action, Distribution]:
        ways = self._of_two_cards(hand, up)
        total_weight = self._times * sum(self._dealer[up].values())
        values = {action: Fraction(self._gain(line, up), total_weight) for action, line in ways.items()}
        if self._rules.surrender:
            values[Action.SURRENDER] = SURRENDER_RESULT.mean.constant
        pair = pair_index(hand)
        split: Profits = {}
        if pair is not None and self._rules.most_hands(pair) > 1:
            split = self._split(pair, up)
            gained = sum(profit * weight for profit, weight in split.items())
            values[Action.SPLIT] = Fraction(gained, sum(split.values()))
        action = self._taken(hand, up, values)
        if action is Action.SURRENDER:
            return action, SURRENDER_RESULT
        if action is not Action.SPLIT:
            split = self._over_dealer_totals(up, lambda end: _profits(ways[action], end))
        total_weight = sum(split.values())
        return action, Distribution(
            (profit, Fraction(weight, total_weight)) for profit, weight in split.items() if weight
        )

    def _gain(self, line: PlayedHand, up: int) -> int:
        ends, bets = line
        return bets * self._worth(ends, up)

    def _over_dealer_totals(self, up: int, profits_at: Callable[[int], Profits]) -> Profits:
        return _mix((weight, profits_at(end)) for end, weight in self._dealer[up].items())

    def _split(self, index: int, up: int) -> Profits:
        """Return the total profits of all hands of a split."""
        seconds = {second: self._after_split(index, second, up) for second in self._weights}
        return self._over_dealer_totals(up, lambda end: self._all_hands(index, seconds, end))

    def _after_split(self, index: int, second: int, up: int) -> PlayedHand:
        """Return the results of a hand of a split that is not split again."""
        hand = with_card(with_card(EMPTY, index), second)
        ways, of_aces = self._of_two_cards(hand, up), index == ACE
        if (of_aces and not self._rules.hit_split_aces) or total(hand) == 21:
            return ways[Action.STAND]
        if of_aces or not self._rules.double_after_split:
            ways.pop(Action.DOUBLE, None)
        return ways[self._taken(hand, up, {action: self._gain(line, up) for action, line in ways.items()})]

    def _all_hands(self, index: int, seconds: Mapping[int, PlayedHand], end: int) -> Profits:
        """Sum the hands of a split for one final total of the dealer."""
        max_hands, pair_weight = self._rules.most_hands(index), self._weights[index]
        profits = {second: _profits(line, end) for second, line in seconds.items()}
        # Each weighs as much as its second card is likely, so that nothing has to be divided.
        unlike_profits = _mix((self._weights[second], profits[second]) for second in profits if second != index)
        like_profits = _mix([(pair_weight, profits[index])])
        sums_by_kind: dict[tuple[int, int], Profits] = {(0, 0): {0: 1}}
        totals: defaultdict[int, int] = defaultdict(int)

        def add_up(unlike_hands: int, like_hands: int) -> Profits:
            """Return the distribution of the sum of these hands (convolution)."""
            if (unlike_hands, like_hands) not in sums_by_kind:
                shorter, added_hand = (
                    (add_up(unlike_hands - 1, like_hands), unlike_profits)
                    if unlike_hands
                    else (add_up(unlike_hands, like_hands - 1), like_profits)
                )
                sums: defaultdict[int, int] = defaultdict(int)
                for first_profit, weight in shorter.items():
                    for second_profit, second_weight in added_hand.items():
                        sums[first_profit + second_profit] += weight * second_weight
                sums_by_kind[unlike_hands, like_hands] = sums
            return sums_by_kind[unlike_hands, like_hands]

        for (hands, finished), orders in count_second_card_orders(max_hands).items():
            waiting = hands - finished  # all of them take any card
            # A hand that there is not would have had its first card, its second and all that it draws.
            ways = orders * pair_weight ** (hands - 2) * (self._kinds**2 * self._times) ** (max_hands - hands)
            for like_hands in range(waiting + 1):
                weight = ways * comb(waiting, like_hands)
                for profit, profit_ways in add_up(hands - like_hands, like_hands).items():
                    totals[profit] += weight * profit_ways
        return totals


def _compare_totals(player_total: int, end: int) -> int:
    """Return the profit of a unit bet on a player's total against the dealer's.

    >>> _compare_totals(18, 17), _compare_totals(18, 18), _compare_totals(12, BUST), _compare_totals(BUST, BUST)
    (1, 0, 1, -1)
    """
    return -1 if player_total == BUST else (player_total > end) - (player_total < end)


def _profits(line: PlayedHand, end: int) -> Profits:
    """Return the profits of a hand against one final total of the dealer."""
    ends, bets = line
    totals: defaultdict[int, int] = defaultdict(int)
    for player_total, weight in ends.items():
        totals[bets * _compare_totals(player_total, end)] += weight
    return totals


def _mix(components: Iterable[tuple[int, Profits]]) -> Profits:
    """Return the weighted mixture of distributions of profits."""
    totals: defaultdict[int, int] = defaultdict(int)
    for weight, profits in components:
        for profit, count in profits.items():
            totals[profit] += weight * count
    return totals


def _hand_of_total(hard: int, soft: bool) -> Hand:
    """Return a hand of three or more cards with this total: aces if soft, else twos and a three."""
    return (hard, *EMPTY[1:]) if soft else (0, hard // 2 - hard % 2, hard % 2, *EMPTY[3:])
