"""A game with betting rounds: who gets which cards, what the player may do after each, and how every bet is settled.

The player sees his own cards at once; cards on the table (common cards, or the dealer's exposed cards) are turned over
in rounds. In each round the player chooses an action, which may add stakes, fold, or end his decisions. At the showdown
each bet pays by who wins, whether the dealer qualifies, and the player's hand.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import lcm

from msgspec import Struct

from combinat.betting.conditions import HandCondition
from combinat.betting.hands import HandOrder, Strength, hand_order

FINAL_HAND, FIRST_CARDS, ALL_CARDS = "final hand", "first cards", "all cards"
RESULTS = ("win", "tie", "lose")
OUTCOMES = tuple((qualified, result) for qualified in (True, False) for result in RESULTS)
"""All outcomes of a showdown: whether the dealer qualifies, and the player's result."""


class PayLine(Struct, frozen=True):
    """A line of a pay schedule: hands of at least `threshold` that no higher line takes pay `odds` to 1."""

    hand: str
    threshold: Strength
    odds: Fraction


class Bet(Struct, frozen=True):
    """A bet: its stake in units of the ante before any action, and its pay lines for each outcome, highest first."""

    name: str
    stake: Fraction
    pays: dict[tuple[bool, str], tuple[PayLine, ...]]

    def odds(self, outcome: tuple[bool, str], strength: Strength) -> Fraction:
        """Return what the bet pays to 1 (−1 if it loses) for an outcome and the strength of the player's hand."""
        return next(line.odds for line in self.pays[outcome] if strength >= line.threshold)


class Action(Struct, frozen=True):
    """An action: stakes that it adds by bet, and whether it folds (all stakes are lost) or ends the decisions."""

    name: str
    stakes: dict[str, Fraction]
    folds: bool = False
    ends: bool = False

    @property
    def stake(self) -> Fraction:
        """Sum of the stakes that the action adds."""
        return sum(self.stakes.values(), Fraction())


class Round(Struct, frozen=True):
    """A decision: how many cards are on the table by then, and the actions, in ascending order of stake."""

    name: str
    table_size: int
    actions: tuple[Action, ...]


class CardGroup(Struct, frozen=True):
    """Cards that are turned over together."""

    name: str
    count: int


class SideBet(Struct, frozen=True):
    """A bonus bet of one unit on the same cards: where the hand comes from, the order of hands, and its pay lines."""

    name: str
    cards: str
    """`final hand`, `first cards` (seen at the first decision) or `all cards` (the player's and the dealer's)."""
    hand_size: int
    lines: tuple[PayLine, ...]
    """Highest first; the last line takes all other hands."""
    paytable: str = ""
    """Id of the paytable in the catalog of side bets, if the pays come from it."""


class StatedStrategy(Struct, frozen=True):
    """A stated strategy: for each round actions with their conditions; if none holds, the first action is taken."""

    name: str
    rules: tuple[tuple[tuple[int, HandCondition], ...], ...]
    """By round: index of the action and its condition, in order of priority."""
    source: str = ""


class BettingGame(Struct, frozen=True, dict=True):
    """A game with betting rounds, dealt from one freshly shuffled pack of four suits."""

    id: str
    title: str
    hand_size: int
    ranks: tuple[int, ...]
    player_cards: int
    common: tuple[CardGroup, ...]
    dealer_exposed: int
    dealer_hidden: int
    rounds: tuple[Round, ...]
    bets: tuple[Bet, ...]
    qualifying: Strength
    side_bets: tuple[SideBet, ...] = ()
    strategies: tuple[StatedStrategy, ...] = ()
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def order(self) -> HandOrder:
        """The order of hands."""
        return hand_order(self.hand_size, self.ranks)

    @property
    def has_dealer(self) -> bool:
        """Whether the player plays against a dealer's hand."""
        return self.dealer_exposed + self.dealer_hidden > 0

    @property
    def common_count(self) -> int:
        """Number of common cards."""
        return sum(group.count for group in self.common)

    @property
    def table_count(self) -> int:
        """Number of cards on the table at the showdown: common cards and the dealer's exposed cards."""
        return self.common_count + self.dealer_exposed

    @property
    def decides_last(self) -> bool:
        """Whether all table cards are seen at the last decision."""
        return self.rounds[-1].table_size == self.table_count

    @cached_property
    def thresholds(self) -> tuple[Strength, ...]:
        """Ascending strengths at which a pay or a category begins; the first is 1."""
        lines = {line.threshold for bet in self.bets for pays in bet.pays.values() for line in pays}
        lines |= {line.threshold for bet in self.side_bets if bet.cards == FINAL_HAND for line in bet.lines}
        categories = {self.order.threshold(category) for category in self.order.categories}
        return tuple(sorted(value for value in lines | categories | {1} if value <= self.order.count))

    @cached_property
    def hand_classes(self) -> tuple[str, ...]:
        """Name of the hands from each threshold to the next."""
        names = {line.threshold: line.hand for bet in self.bets for pays in bet.pays.values() for line in pays}
        names |= {line.threshold: line.hand for bet in self.side_bets if bet.cards == FINAL_HAND for line in bet.lines}
        categories = {self.order.threshold(category): category for category in self.order.categories}
        named = {**{value: self.order.category(value) for value in self.thresholds}, **names, **categories}
        return tuple(named[value] for value in self.thresholds)

    @cached_property
    def stake_unit(self) -> int:
        """Least common denominator of all stakes."""
        stakes = [bet.stake for bet in self.bets]
        added = [stake for round in self.rounds for action in round.actions for stake in action.stakes.values()]
        return lcm(*(stake.denominator for stake in stakes + added))

    @cached_property
    def pay_unit(self) -> int:
        """Least common denominator of all odds."""
        lines = (line for bet in self.bets for pays in bet.pays.values() for line in pays)
        return lcm(*(line.odds.denominator for line in lines))

    @cached_property
    def decision_tree(self) -> tuple[tuple[Node, ...], ...]:
        """Decision nodes of each round: histories with the same stakes are one node."""
        initial = tuple(bet.stake for bet in self.bets)
        levels: list[dict[tuple[Fraction, ...], Node]] = [{initial: Node(0, initial)}]
        for number in range(len(self.rounds) - 1):
            following: dict[tuple[Fraction, ...], Node] = {}
            for node in levels[-1].values():
                for action in self.rounds[number].actions:
                    if not (action.folds or action.ends):
                        stakes = self.add_stakes(node.stakes, action)
                        following.setdefault(stakes, Node(number + 1, stakes))
            levels.append(following)
        return tuple(tuple(level.values()) for level in levels)

    def add_stakes(self, stakes: tuple[Fraction, ...], action: Action) -> tuple[Fraction, ...]:
        """Return the stakes after an action."""
        return tuple(
            stake + action.stakes.get(bet.name, Fraction()) for bet, stake in zip(self.bets, stakes, strict=True)
        )

    def is_last(self, round_number: int, action: Action) -> bool:
        """Whether no decision follows an action."""
        return action.folds or action.ends or round_number == len(self.rounds) - 1

    def end(self, node: Node, action: Action) -> Ending:
        """Return how the decisions end with an action."""
        return Ending(node.round, action.name, self.add_stakes(node.stakes, action), action.folds)

    def endings(self) -> list[Ending]:
        """Return all ways in which the decisions can end, each once."""
        endings = (
            self.end(node, action)
            for level in self.decision_tree
            for node in level
            for action in self.rounds[node.round].actions
            if self.is_last(node.round, action)
        )
        return list(dict.fromkeys(endings))

    def net(self, ending: Ending, outcome: tuple[bool, str], strength: Strength) -> Fraction:
        """Return the net result of a round in units of the ante."""
        if ending.folds:
            return -sum(ending.stakes, Fraction())
        odds = (bet.odds(outcome, strength) for bet in self.bets)
        return sum((stake * odd for stake, odd in zip(ending.stakes, odds, strict=True)), Fraction())


class Node(Struct, frozen=True):
    """A decision: its round and the stakes by then, in the order of the bets."""

    round: int
    stakes: tuple[Fraction, ...]


class Ending(Struct, frozen=True):
    """How the player's decisions end: the last action, its round, and the final stakes in the order of the bets."""

    round: int
    action: str
    stakes: tuple[Fraction, ...]
    folds: bool

    @property
    def wager(self) -> Fraction:
        """Sum of all stakes."""
        return sum(self.stakes, Fraction())
