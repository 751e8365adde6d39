"""Playing one hand out: what every action is worth, and which one a strategy takes.

Figures are joint ones as `blackjack_dealer` explains: lists with a whole number for each up card, of what comes back of
a bet of one, stake included. So a busted hand is nothing, and drawing is a sum over the cards that do not bust.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from combinat.blackjack.dealer import Standing
from combinat.blackjack.hands import PLACES, VALUES, Hand, hard_total, total, with_card
from combinat.blackjack.rules import Action, BlackjackRules
from decks import InputError

Figures = list[int]
"""A joint figure for each up card."""


class Strategy(Protocol):
    """How a player chooses, knowing nothing but the own cards and the up card."""

    def choose(self, hand: Hand, allowed: Mapping[Action, Figures]) -> list[Action]:
        """Choose for each up card one of the allowed actions, which come with what they are worth."""
        ...


class BestPlay:
    """The most valuable action for the very cards of the hand."""

    def choose(self, hand: Hand, allowed: Mapping[Action, Figures]) -> list[Action]:  # noqa: ARG002  # a protocol
        """Compare the actions exactly."""
        ranked = [action for action in Action if action in allowed]
        return [
            max(ranked, key=lambda action, up=up: allowed[action][up])  # type: ignore[misc]
            for up in range(len(allowed[ranked[0]]))
        ]


class Play:
    """One hand, not split, from a shoe, against some up cards."""

    def __init__(self, counts: Hand, rules: BlackjackRules, ups: Sequence[int], strategy: Strategy) -> None:
        self.counts = counts
        self.rules = rules
        self.strategy = strategy
        self.standing = Standing(counts, rules.hits_soft_17, ups, _longest_hand(counts) + 2 * rules.max_hands)
        self._drawn: dict[Hand, Figures] = {}
        self._choices: dict[Hand, list[Action]] = {}
        self._after_split: dict[tuple[Hand, bool], list[Action]] = {}

    def stand(self, hand: Hand) -> Figures:
        """Stand on a hand."""
        return self.standing.stand(hand, total(hand))

    def hit(self, hand: Hand) -> Figures:
        """Draw a card and go on as the strategy says."""
        return self.next_card(hand, hand, self._played)

    def double(self, hand: Hand) -> Figures:
        """Double the bet, draw one card and stand."""
        return self.doubled(hand, self.next_card(hand, hand, self.stand))

    def doubled(self, gone: Hand, drawn: Figures) -> Figures:
        """Give what comes back of a bet of one when the profit of a hand is doubled."""
        return [2 * back - alive for back, alive in zip(drawn, self.standing.alive(gone), strict=True)]

    def surrender(self, hand: Hand) -> Figures:
        """Give up half the bet."""
        return [alive // 2 for alive in self.standing.alive(hand)]  # joint figures are even for this

    def next_card(self, hand: Hand, gone: Hand, then: Callable[[Hand], Figures]) -> Figures:
        """Sum over the next card, when these cards are gone from the shoe; a card that busts brings nothing back."""
        hard = hard_total(hand)
        summed = [0] * len(self.standing.ups)
        for place in PLACES:
            left = self.counts[place] - gone[place]
            if left and hard + VALUES[place] <= 21:
                after = then(with_card(hand, place))
                summed = [so_far + left * figure for so_far, figure in zip(summed, after, strict=True)]
        return summed

    def _played(self, hand: Hand) -> Figures:
        """Play a hand of three cards or more."""
        found = self._drawn.get(hand)
        if found is None:
            found = stand = self.stand(hand)
            if total(hand) == 21:  # nothing beats it, so nothing is compared
                self._choices[hand] = [Action.STAND] * len(stand)
            else:
                allowed = {Action.STAND: stand, Action.HIT: self.hit(hand)}
                self._choices[hand] = choices = self.strategy.choose(hand, allowed)
                found = chosen(allowed, choices)
            self._drawn[hand] = found
        return found

    def choices(self, hand: Hand) -> list[Action]:
        """Say what the strategy does with three cards or more: stand or hit."""
        self._played(hand)
        return self._choices[hand]

    def unsplit(self, hand: Hand) -> dict[Action, Figures]:
        """Weigh every action on a hand but a split."""
        allowed = {Action.STAND: self.stand(hand), Action.HIT: self.hit(hand)}
        if self.rules.may_double(hand):
            allowed[Action.DOUBLE] = self.double(hand)
        if self.rules.surrender and sum(hand) == 2:
            allowed[Action.SURRENDER] = self.surrender(hand)
        return allowed

    def choices_after_split(self, hand: Hand, of_aces: bool) -> list[Action]:
        """Say what the strategy does with two cards after a split if they are not split again.

        It is what it would do with the same cards, not split, of the actions that are left.
        """
        if (of_aces and not self.rules.hit_split_aces) or total(hand) == 21:
            return [Action.STAND] * len(self.standing.ups)
        known = self._after_split.get((hand, of_aces))
        if known is None:
            allowed = self.unsplit(hand)
            allowed.pop(Action.SURRENDER, None)
            if of_aces or not self.rules.double_after_split:
                allowed.pop(Action.DOUBLE, None)
            known = self._after_split[hand, of_aces] = self.strategy.choose(hand, allowed)
        return known


def chosen(allowed: Mapping[Action, Figures], choices: Sequence[Action]) -> Figures:
    """Take the figure of the action that is chosen for each up card."""
    return [allowed[action][up] for up, action in enumerate(choices)]


def _longest_hand(counts: Hand) -> int:
    """Count the cards of the longest hand that does not bust."""
    cards, hard = 0, 0
    for value, count in zip(VALUES, counts, strict=True):
        fit = min(count, (21 - hard) // value)
        cards, hard = cards + fit, hard + fit * value
    return cards


def check_enough_cards(counts: Hand, rules: BlackjackRules) -> None:
    """Refuse a shoe that could run out of cards: a hand ends at 30 at most, a dealer who draws has 16 at most."""
    hands = min(rules.max_hands, max(counts))
    points = hard_total(counts)
    if points <= 30 * hands + 16:
        raise InputError(
            f"the shoe is too small: its {sum(counts)} cards add up to {points} points, and {30 * hands + 17} are "
            f"needed so that {hands} hand{'s' if hands > 1 else ''} and the dealer's cannot use them all"
        )
