"""Report of a solved game: edge, wagers, how rounds end, hands by result, values of starting hands, and side bets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.betting.game import Ending
from combinat.betting.rules import RoundRules
from combinat.betting.strategy import DecisionTable
from combinat.exact.surd import Surd

NO_DECISION = "no decision"
"""Stands for the last action in a round that ends before the player can decide."""


class PlayReport(Struct, frozen=True):
    """A way to play other than best play: its edge and mean wager, and for a stated strategy source and rules."""

    name: str
    edge: Fraction
    mean_wager: Fraction
    source: str = ""
    rules: tuple[tuple[str, str], ...] = ()


class SideBetLine(Struct, frozen=True):
    """A line of a side bet: its pay, its ways, and the mean net result of the main bets when it is paid."""

    hand: str
    odds: Fraction
    ways: int
    main_net: Fraction


class SideBetReport(Struct, frozen=True, dict=True):
    """A side bet of one unit beside best play of the main bets."""

    name: str
    cards: str
    lines: tuple[SideBetLine, ...]
    paytable: str = ""

    @cached_property
    def cycle(self) -> int:
        """Number of equally likely deals."""
        return sum(line.ways for line in self.lines)

    @property
    def edge(self) -> Fraction:
        """House edge in units of the side bet."""
        return -sum((line.odds * line.ways for line in self.lines), Fraction()) / self.cycle

    @property
    def variance(self) -> Fraction:
        """Variance of the net result."""
        return sum((line.odds**2 * line.ways for line in self.lines), Fraction()) / self.cycle - self.edge**2

    @property
    def covariance(self) -> Fraction:
        """Covariance of its net result with that of the main bets."""
        main_net = sum((line.main_net * line.ways for line in self.lines), Fraction()) / self.cycle
        product = sum((line.odds * line.main_net * line.ways for line in self.lines), Fraction())
        return product / self.cycle + self.edge * main_net


class StartingHand(Struct, frozen=True):
    """A starting hand up to suit permutation: its number of card combinations and the value of each action."""

    hand: str
    ways: int
    values: tuple[Fraction, ...]
    """Mean net result of each action of the first round, in units of the ante."""

    @property
    def best(self) -> int:
        """Index of the best action; of equal ones the first, which bets least."""
        return self.values.index(max(self.values))


class ActionCount(Struct, frozen=True):
    """How often an action is taken: in how many deals."""

    round: int
    action: str
    ways: int


class EndingCount(Struct, frozen=True):
    """Deals that end alike: ending, hand class (an index of `hand_classes`), outcome, net result in antes, and ways."""

    ending: Ending
    hand_class: int
    outcome: tuple[bool, str]
    net: Fraction
    ways: int


class PayEffect(Struct, frozen=True):
    """Effect of a pay on the edge: the edge falls by `weight` for each unit by which the pay rises.

    Best play does not change for small changes, and a change of play only helps the player: for larger raises the edge
    falls at least so much.
    """

    bet: str
    outcome: str
    hand: str
    odds: Fraction
    weight: Fraction


class GameReport(Struct, frozen=True, dict=True):
    """Exact figures of a game by best play."""

    id: str
    title: str
    deal: str
    """Cards of the game in words."""
    bets: tuple[str, ...]
    rounds: tuple[str, ...]
    actions: tuple[str, ...]
    """Actions of the first round, in ascending order of stake."""
    hand_classes: tuple[str, ...]
    edge: Fraction
    """House edge in units of the ante."""
    endings: tuple[EndingCount, ...]
    """Of equal actions the one that bets least is taken."""
    highest_wager: Fraction
    """Mean wager if of equal actions the one that bets most is taken."""
    plays: tuple[PlayReport, ...]
    """Other ways to play: stated strategies, and play without looking at the cards."""
    starting_hands: tuple[StartingHand, ...] = ()
    """Empty if cards on the table are seen before the first decision."""
    weakest_played: str | None = None
    """The weakest hand with which the player does not fold, where every better hand is played too."""
    side_bets: tuple[SideBetReport, ...] = ()
    strategy: tuple[DecisionTable, ...] = ()
    rules: tuple[RoundRules, ...] = ()
    """Rules for later rounds, found by a search."""
    continued: tuple[ActionCount, ...] = ()
    """Actions that another decision follows."""
    pay_effects: tuple[PayEffect, ...] = ()
    has_dealer: bool = True
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def cycle(self) -> int:
        """Number of equally likely deals."""
        return sum(count.ways for count in self.endings)

    @cached_property
    def mean_wager(self) -> Fraction:
        """Mean of all stakes of a round; of equal actions the one that bets least is taken."""
        return Fraction(sum(count.ending.wager * count.ways for count in self.endings), self.cycle)

    @property
    def element_of_risk(self) -> tuple[Fraction, Fraction]:
        """Edge divided by the mean wager: the smallest and the largest value that best play can have."""
        return self.edge / self.highest_wager, self.edge / self.mean_wager

    @cached_property
    def variance(self) -> Fraction:
        """Variance of the net result of a round, in squared units of the ante."""
        squares = sum((count.net**2 * count.ways for count in self.endings), Fraction())
        return squares / self.cycle - self.edge**2

    @property
    def standard_deviation(self) -> Surd:
        """Standard deviation of the net result of a round, in units of the ante."""
        return Surd(self.variance)

    def net_distribution(self) -> dict[Fraction, int]:
        """Return the ways of each net result, lowest first."""
        counts: Counter[Fraction] = Counter()
        for count in self.endings:
            counts[count.net] += count.ways
        return dict(sorted(counts.items()))

    def ways_by_ending(self) -> dict[Ending, int]:
        """Return the ways of each ending."""
        counts: Counter[Ending] = Counter()
        for count in self.endings:
            counts[count.ending] += count.ways
        return dict(counts)

    def ways_by_action(self) -> dict[tuple[int, str], int]:
        """Return the ways of each action by round; deals without a decision are left out."""
        counts: Counter[tuple[int, str]] = Counter()
        for count in self.continued:
            counts[count.round, count.action] += count.ways
        for ending, ways in self.ways_by_ending().items():
            if ending.action != NO_DECISION:
                counts[ending.round, ending.action] += ways
        return dict(sorted(counts.items(), key=lambda item: item[0][0]))

    def decisions(self, round: int) -> int:
        """Return the ways in which the decision of a round is made."""
        return sum(ways for (number, _), ways in self.ways_by_action().items() if number == round)

    def ways_by_hand(self) -> dict[int, dict[str, int]]:
        """Return the ways of each result (win, tie, lose, fold) by hand class, best hand first."""
        counts: dict[int, Counter[str]] = {}
        for count in self.endings:
            counts.setdefault(count.hand_class, Counter())[count.outcome[1]] += count.ways
        return {hand_class: dict(counts[hand_class]) for hand_class in sorted(counts, reverse=True)}
