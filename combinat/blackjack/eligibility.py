"""Wagers on the dealer's hand that only hands in play may make: neither busted nor a blackjack.

The wager is made after the player has acted. A player follows a chart, and every hand that is neither busted nor a
blackjack makes one wager; hands of a split count separately. With X the net result of such a wager and H the number of
such hands of a round, the figure is

    E[sum of X over the eligible hands] / E[H].

The expectation is linear, so it is a sum over single hands of the player. Cards are exchangeable: a hand p of the
player and a finished hand d of the dealer have the probability

    orders(p) orders(d) product over values v of (N_v) falling (p_v + d_v) / (N) falling (|p| + |d|)

whatever the order in which the cards are dealt, and whatever other hands hold. The hands of a split enter with the
multiplicities of `combinat.blackjack.exact.resplits`. The chart looks at values only. Given the values of the dealer's
cards, their suits and ranks are therefore independent of the player's hand, and each award keeps its conditional
probability. A peek under an ace or a ten only conditions; insurance moves no card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm, perm

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.blackjack.charts import BasicChart, chart_for
from combinat.blackjack.exact.play import check_enough_cards
from combinat.blackjack.exact.resplits import count_by_extra_removed, count_split_hands
from combinat.blackjack.hands import (
    ACE,
    EMPTY,
    FIRST_HANDS,
    NAMES,
    VALUES,
    Hand,
    count_by_value,
    hand_of,
    hard_hand_total,
    is_natural,
    pair_index,
    total,
    value_index,
    with_card,
)
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.enumeration.falling import FallingFactorialSums
from combinat.enumeration.outcomes import FinishedHand
from combinat.enumeration.tally import AwardCounts
from decks import Rank

UP_CARDS = (*range(1, 10), ACE)
"""Up cards by value, from two to ten, then the ace."""


class EligibleCase(Struct, frozen=True):
    """The wagers of eligible hands with one up card."""

    up: str
    hands_per_round: Fraction
    """The mean number of eligible hands of a round with this up card in which the dealer has no blackjack."""
    share: Fraction
    """The share of all wagers."""
    analysis: Analysis
    """The figures per wager."""


class Eligibility(Struct, frozen=True):
    """The figures of a dealer bet per wager, if every eligible hand of a player who follows a chart makes one."""

    rules: BlackjackRules
    analysis: Analysis
    hands_per_round: Fraction
    """The mean number of eligible hands of a round in which the dealer has no blackjack."""
    cases: tuple[EligibleCase, ...]


def eligibility_rules(analysis: Analysis) -> BlackjackRules:
    """Return the rules of the table: the default ones, with the dealer's soft-17 rule of the bet."""
    return BlackjackRules(hits_soft_17=bool(analysis.paytable.experiment.hits_soft_17))


def analyze_eligible(analysis: Analysis, rules: BlackjackRules | None = None) -> Eligibility:
    """Compute the figures of a dealer bet per wager of an eligible hand.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> wager = analyze_wager(get_paytable("BB-1"), Shoe(2))
    >>> per_hand = analyze_eligible(wager).analysis
    >>> round(float(wager.house_edge.constant), 4), round(float(per_hand.house_edge.constant), 4)
    (0.0917, 0.0903)
    """
    rules = rules or eligibility_rules(analysis)
    counts = count_by_value(analysis.shoe)
    check_enough_cards(counts, rules)
    chart = chart_for(analysis.shoe.decks, rules)
    hands_by_up: dict[int, list[FinishedHand]] = {}
    for hand in analysis.paytable.experiment.finished_hands(analysis.shoe.composition):
        hands_by_up.setdefault(value_index(Rank(hand.up)), []).append(hand)
    wagers = {
        up: _expected_wagers(counts, hands_by_up[up], eligible_hands(chart, rules, up))
        for up in UP_CARDS
        if up in hands_by_up
    }
    rounds = {up: _probability(counts, hands) for up, hands in hands_by_up.items()}
    all_wagers = [sum(parts, Fraction(0)) for parts in zip(*wagers.values(), strict=True)]
    wagers_per_round = sum(all_wagers, Fraction(0))
    return Eligibility(
        rules,
        _analysis_of(analysis, all_wagers),
        wagers_per_round / sum(rounds.values(), Fraction(0)),
        tuple(_case(analysis, up, parts, rounds[up], wagers_per_round) for up, parts in wagers.items()),
    )


def _case(
    analysis: Analysis, up: int, wagers: Sequence[Fraction], rounds: Fraction, wagers_per_round: Fraction
) -> EligibleCase:
    """Return the figures with one up card, which comes in a share `rounds` of all rounds."""
    total_wagers = sum(wagers, Fraction(0))
    share = total_wagers / wagers_per_round
    return EligibleCase(NAMES[up], total_wagers / rounds, share, _analysis_of(analysis, wagers))


def _analysis_of(analysis: Analysis, wagers: Sequence[Fraction]) -> Analysis:
    """Return the figures per wager, from the expected number of wagers that win each award and that lose."""
    unit = lcm(*(number.denominator for number in wagers))
    *wins, losing = (int(number * unit) for number in wagers)
    counts = AwardCounts(matches=tuple(wins), wins=tuple(wins), losing=losing, cycle=sum(wins) + losing)
    return Analysis(analysis.paytable, analysis.shoe, counts, analysis.meters, analysis.stated_wager)


def _probability(counts: Hand, dealer_hands: Sequence[FinishedHand]) -> Fraction:
    """Return the probability of all finished hands that the bet's condition allows."""
    ways: Counter[int] = Counter()
    for hand in dealer_hands:
        ways[len(hand.ranks)] += sum(hand.wins) + hand.losing
    return sum((Fraction(count, perm(sum(counts), length)) for length, count in ways.items() if count), Fraction(0))


def _expected_wagers(counts: Hand, dealer_hands: Sequence[FinishedHand], terms: Counter[Hand]) -> list[Fraction]:
    """Return the expected number of wagers of a round that win each award, and that lose, with one up card."""
    lengths = sorted({sum(cards) for cards in terms})
    sums = FallingFactorialSums(
        (
            (
                lengths.index(sum(cards)),
                coefficient,
                tuple((value, count) for value, count in enumerate(cards) if count),
            )
            for cards, coefficient in terms.items()
        ),
        len(lengths),
    )
    held = [hand_of(value_index(Rank(rank)) for rank in hand.ranks) for hand in dealer_hands]
    remaining = [[count - cards[value] for cards in held] for value, count in enumerate(counts)]
    player_ways = sums.evaluate(remaining)
    award_count = len(dealer_hands[0].wins) + 1
    ways: list[Counter[int]] = [Counter() for _ in range(award_count)]  # by the number of cards of both hands
    for hand, column in zip(dealer_hands, player_ways.T, strict=True):
        for award_ways, dealer_ways in zip(ways, (*hand.wins, hand.losing), strict=True):
            if dealer_ways:
                for length, ways_of_length in zip(lengths, column, strict=True):
                    award_ways[len(hand.ranks) + length] += dealer_ways * ways_of_length
    size = sum(counts)
    return [
        sum((Fraction(count, perm(size, length)) for length, count in award_ways.items() if count), Fraction(0))
        for award_ways in ways
    ]


def eligible_hands(chart: BasicChart, rules: BlackjackRules, up: int) -> Counter[Hand]:
    """Return the eligible hands of a player who follows a chart, as cards that are drawn and their coefficient.

    The expected number of eligible hands is the sum over all entries of the coefficient times the probability that the
    next cards are these, in one given order. Cards of other hands of a split are included.
    """
    return PlayedHands(chart, rules, up).eligible


class PlayedHands:
    """The hands on which a player who follows a chart stands, against one up card."""

    def __init__(self, chart: BasicChart, rules: BlackjackRules, up: int) -> None:
        self._chart, self._rules, self._up = chart, rules, up
        self.eligible: Counter[Hand] = Counter()
        for hand in FIRST_HANDS:
            if not is_natural(hand):
                self._play_first_hand(hand)

    def _play_first_hand(self, hand: Hand) -> None:
        pair, orders = pair_index(hand), 1 if pair_index(hand) is not None else 2
        allowed = [Action.STAND, Action.HIT]
        allowed += [Action.DOUBLE] * self._rules.may_double(hand)
        allowed += [Action.SPLIT] * (pair is not None and self._rules.max_split_hands(pair) > 1)
        allowed += [Action.SURRENDER] * self._rules.surrender
        action = self._choose(hand, allowed)
        if action is Action.SPLIT and pair is not None:
            self._play_split(pair)
        elif action is not Action.SURRENDER:
            self._play(hand, action, orders, EMPTY)

    def _play_split(self, pair: int) -> None:
        """Play one hand of a split, with the multiplicities of the cards that other hands of the split hold."""
        other_rank, same_rank = count_by_extra_removed(count_split_hands(self._rules.max_split_hands(pair)))
        for second, _ in enumerate(VALUES):
            hand = with_card(with_card(EMPTY, pair), second)
            for extra, multiplicity in (same_rank if second == pair else other_rank).items():
                held_elsewhere = with_card(EMPTY, pair, 1 + extra)
                self._play(hand, self._choose_after_split(hand, pair == ACE), multiplicity, held_elsewhere)

    def _choose_after_split(self, hand: Hand, of_aces: bool) -> Action:
        if (of_aces and not self._rules.hit_split_aces) or total(hand) == 21:
            return Action.STAND
        may_double = self._rules.double_after_split and not of_aces and self._rules.may_double(hand)
        return self._choose(hand, [Action.STAND, Action.HIT, *[Action.DOUBLE] * may_double])

    def _choose(self, hand: Hand, allowed: Sequence[Action]) -> Action:
        preferences = self._chart.preferences(hand, self._up, self._rules.double_after_split)
        return next(action for action in preferences if action in allowed)

    def _play(self, hand: Hand, first_action: Action, coefficient: int, held_elsewhere: Hand) -> None:
        """Draw by the chart and add every hand that does not bust, with its orders."""
        orders = {hand: coefficient}
        action_of = {hand: first_action}
        while orders:
            longer_orders: Counter[Hand] = Counter()
            for current, count in orders.items():
                action = action_of[current]
                if action is Action.STAND:
                    self._add(current, held_elsewhere, count)
                    continue
                for longer in _draw(current):
                    if action is Action.DOUBLE:
                        self._add(longer, held_elsewhere, count)
                    else:
                        longer_orders[longer] += count
            orders = longer_orders
            action_of = {
                longer: Action.STAND if total(longer) == 21 else self._choose(longer, (Action.STAND, Action.HIT))
                for longer in orders
            }

    def _add(self, hand: Hand, held_elsewhere: Hand, count: int) -> None:
        self.eligible[tuple(map(sum, zip(hand, held_elsewhere, strict=True)))] += count


def _draw(hand: Hand) -> Iterator[Hand]:
    """Yield the hands after the next card that do not bust."""
    for index in range(min(21 - hard_hand_total(hand), len(VALUES))):
        yield with_card(hand, index)
