"""Dynamic programming over one hand: the value of every action, and the action that a strategy chooses.

Figures are joint figures as in `stand`: for each up card an integer, the gross return of a unit bet. So a bust counts
0, and the Bellman equation of a hand h of three or more cards is

    value(h) = max(stand(h), sum over the next card c of count(c) * value(h + c)).

`HandPlay` covers all up cards of a game. `StrategySlice` is a play whose actions are known, against some of its up
cards only. That is much faster: against low up cards a hand stands early, against high ones it draws to many more
hands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from combinat.blackjack.exact.dealer import Dealer, MarginalSum
from combinat.blackjack.exact.resplits import max_extra_removed
from combinat.blackjack.exact.stand import Figures, Standing
from combinat.blackjack.hands import ACE, EMPTY, VALUES, Hand, hard_hand_total, iter_hands, total, with_card
from combinat.blackjack.rules import Action, BlackjackRules
from decks import InputError


class Strategy(Protocol):
    """A rule that chooses actions by the player's cards and the up card only."""

    def choose(self, hand: Hand, figures_by_action: Mapping[Action, Figures]) -> list[Action]:
        """Choose for each up card one of the allowed actions, given their figures."""
        ...


class BestStrategy:
    """The composition-dependent best strategy."""

    def choose(self, hand: Hand, figures_by_action: Mapping[Action, Figures]) -> list[Action]:  # noqa: ARG002  # a protocol
        """Choose the action of the highest figure."""
        ranked = [action for action in Action if action in figures_by_action]
        return [
            ranked[values.index(max(values))]
            for values in zip(*map(figures_by_action.__getitem__, ranked), strict=True)
        ]


class HandPlay:
    """One hand from a shoe, not split, against some up cards."""

    def __init__(self, counts: Hand, rules: BlackjackRules, ups: Sequence[int], strategy: Strategy) -> None:
        self.counts = counts
        self.rules = rules
        self.ups = tuple(ups)
        self.strategy = strategy
        max_removed, multiplier = max_extra_removed(rules.max_hands)
        self._dealer = Dealer(counts, rules.hits_soft_17, ups, max_removed, multiplier)
        self.deal_length = min(sum(counts), _longest_hand(counts) + 1 + max_removed + self._dealer.longest)
        """Number of cards of the deals that joint figures count."""
        self.standing = Standing(MarginalSum(self._dealer, ACE), self.deal_length)
        self._prepared: set[Hand] = set()
        self._stood: dict[Hand, Figures] = {}
        self._drawn: dict[Hand, Figures] = {}
        self._choices: dict[Hand, list[Action]] = {}
        self._after_split: dict[tuple[Hand, bool], list[Action]] = {}

    def marginal_sum(self, index: int) -> MarginalSum:
        """Return the dealer's sums over all values except the one at `index`."""
        return MarginalSum(self._dealer, index)

    def standing_for(self, marginal: MarginalSum, multiplicities: Mapping[int, int]) -> Standing:
        """Return figures of standing, summed over more removed cards of one value with these multiplicities."""
        return Standing(marginal, self.deal_length, multiplicities)

    def prepare(self, start: Hand = EMPTY) -> None:
        """Stand on every hand that extends `start`, in the order that shares most of the dealer's sums."""
        if self._prepared.isdisjoint((start, EMPTY)):
            for hand in iter_hands(self.counts, start):
                self.stand(hand)
            self._prepared.add(start)

    def stand(self, hand: Hand) -> Figures:
        """Return the figures of standing on a hand."""
        figures = self._stood.get(hand)
        if figures is None:
            figures = self._stood[hand] = self.standing.stand(hand, total(hand))
        return figures

    def hit(self, hand: Hand) -> Figures:
        """Return the figures of drawing a card and following the strategy."""
        return self.next_card(hand, hand, self._play_on)

    def double(self, hand: Hand) -> Figures:
        """Return the figures of doubling the bet, drawing one card and standing."""
        return double_profit(self.next_card(hand, hand, self.stand), self.standing.no_blackjack(hand))

    def surrender(self, hand: Hand) -> Figures:
        """Return the figures of giving up half the bet."""
        return [stake // 2 for stake in self.standing.no_blackjack(hand)]  # joint figures are even

    def next_card(self, hand: Hand, removed: Hand, continue_with: Callable[[Hand], Figures]) -> Figures:
        """Sum figures over the next card, given the cards removed from the shoe; a bust returns 0."""
        totals = [0] * len(self.ups)
        for copies, longer_hand in self.next_hands(hand, removed):
            totals = [
                subtotal + copies * figure for subtotal, figure in zip(totals, continue_with(longer_hand), strict=True)
            ]
        return totals

    def next_hands(self, hand: Hand, removed: Hand) -> Iterator[tuple[int, Hand]]:
        """Iterate over the hands after the next card, without busts, each with the number of such cards."""
        room = 21 - hard_hand_total(hand)
        for index in range(min(room, len(VALUES))):
            copies = self.counts[index] - removed[index]
            if copies:
                yield copies, with_card(hand, index)

    def _play_on(self, hand: Hand) -> Figures:
        """Return the figures of a hand of three or more cards under the strategy."""
        figures = self._drawn.get(hand)
        if figures is None:
            figures = stand = self.stand(hand)
            if total(hand) == 21:  # always stand, even if hitting is worth as much
                self._choices[hand] = [Action.STAND] * len(stand)
            else:
                figures_by_action = {Action.STAND: stand, Action.HIT: self.hit(hand)}
                self._choices[hand] = choices = self.strategy.choose(hand, figures_by_action)
                figures = select_figures(figures_by_action, choices)
            self._drawn[hand] = figures
        return figures

    def choices(self, hand: Hand) -> list[Action]:
        """Return the strategy's actions on a hand of three or more cards: stand or hit."""
        self._play_on(hand)
        return self._choices[hand]

    @property
    def hits(self) -> list[int]:
        """For each up card, the number of hands of three or more cards played so far that are hit."""
        return [
            [choices[field] for choices in self._choices.values()].count(Action.HIT) for field, _ in enumerate(self.ups)
        ]

    def unsplit(self, hand: Hand) -> dict[Action, Figures]:
        """Return the figures of every action on a hand except a split."""
        figures_by_action = {Action.STAND: self.stand(hand), Action.HIT: self.hit(hand)}
        if self.rules.may_double(hand):
            figures_by_action[Action.DOUBLE] = self.double(hand)
        if self.rules.surrender and sum(hand) == 2:
            figures_by_action[Action.SURRENDER] = self.surrender(hand)
        return figures_by_action

    def choices_after_split(self, hand: Hand, of_aces: bool) -> list[Action]:
        """Return the strategy's actions on two cards after a split that are not split again.

        They are its actions on the same cards not from a split, among the actions still allowed.
        """
        if (of_aces and not self.rules.hit_split_aces) or total(hand) == 21:
            return [Action.STAND] * len(self.ups)
        choices = self._after_split.get((hand, of_aces))
        if choices is None:
            figures_by_action = self.unsplit(hand)
            figures_by_action.pop(Action.SURRENDER, None)
            if of_aces or not self.rules.double_after_split:
                figures_by_action.pop(Action.DOUBLE, None)
            choices = self._after_split[hand, of_aces] = self.strategy.choose(hand, figures_by_action)
        return choices


def double_profit(gross_after_card: Figures, stakes: Figures) -> Figures:
    """Return the gross of a unit bet when the profit of a hand is doubled."""
    return [2 * gross - stake for gross, stake in zip(gross_after_card, stakes, strict=True)]


def select_figures(figures_by_action: Mapping[Action, Figures], choices: Sequence[Action]) -> Figures:
    """Return the figure of the chosen action for each up card."""
    if is_uniform(choices):
        return figures_by_action[choices[0]]
    return [figures_by_action[action][up] for up, action in enumerate(choices)]


def is_uniform(choices: Sequence[Action]) -> bool:
    """Return whether the same action is chosen for every up card."""
    return choices.count(choices[0]) == len(choices)


def _longest_hand(counts: Hand) -> int:
    """Return the number of cards of the longest hand that does not bust."""
    card_count, hard_total = 0, 0
    for value, count in zip(VALUES, counts, strict=True):
        copies = min(count, (21 - hard_total) // value)
        card_count, hard_total = card_count + copies, hard_total + copies * value
    return card_count


def check_enough_cards(counts: Hand, rules: BlackjackRules) -> None:
    """Raise `InputError` if the shoe could run out: a hand ends at 30 at most, a dealer who draws has 16 at most."""
    hand_count = min(rules.max_hands, max(counts))
    points = hard_hand_total(counts)
    if points <= 30 * hand_count + 16:
        raise InputError(
            f"the shoe is too small: {hand_count} hand{'s' if hand_count > 1 else ''} and the dealer could use all its "
            f"{sum(counts)} cards; it has {points} points and needs {30 * hand_count + 17}"
        )


class StrategySlice:
    """A play against some of its up cards, given by their indexes.

    With `by_total` the dealer's sums have a field for each final total.
    """

    def __init__(self, play: HandPlay, fields: Sequence[int], *, by_total: bool) -> None:
        self._play = play
        self._fields = tuple(fields)
        self._more: dict[Hand, list[Action]] = {}
        self._after_split: dict[tuple[Hand, bool], list[Action]] = {}
        self.ups = tuple(play.ups[field] for field in fields)
        max_removed, multiplier = max_extra_removed(play.rules.max_hands)
        self._dealer = Dealer(
            play.counts, play.rules.hits_soft_17, self.ups, max_removed, multiplier, field_for_each_total=by_total
        )
        self.standing = Standing(MarginalSum(self._dealer, ACE), play.deal_length)

    def next_hands(self, hand: Hand, removed: Hand) -> Iterator[tuple[int, Hand]]:
        """Iterate over the hands after the next card, without busts, each with the number of such cards."""
        return self._play.next_hands(hand, removed)

    def choices(self, hand: Hand) -> list[Action]:
        """Return the actions on a hand of three or more cards."""
        choices = self._more.get(hand)
        if choices is None:
            choices = self._more[hand] = self._select(self._play.choices(hand))
        return choices

    def choices_after_split(self, hand: Hand, of_aces: bool) -> list[Action]:
        """Return the actions on two cards after a split."""
        choices = self._after_split.get((hand, of_aces))
        if choices is None:
            choices = self._after_split[hand, of_aces] = self._select(self._play.choices_after_split(hand, of_aces))
        return choices

    def marginal_sum(self, index: int) -> MarginalSum:
        """Return the dealer's sums over all values except the one at `index`."""
        return MarginalSum(self._dealer, index)

    def standing_for(self, marginal: MarginalSum, multiplicities: Mapping[int, int]) -> Standing:
        """Return figures of standing, summed over more removed cards of one value with these multiplicities."""
        return Standing(marginal, self._play.deal_length, multiplicities)

    def _select(self, choices: Sequence[Action]) -> list[Action]:
        return [choices[field] for field in self._fields]
