"""Playing one hand out: what every action is worth, and which one a strategy takes.

Figures are joint ones as `standing` explains: lists with a whole number for each up card, of what comes back of
a bet of one, stake included. So a busted hand is nothing, and drawing is a sum over the cards that do not bust.

A play whose choices are known, against some of its up cards only.

Against low up cards a hand is stood on early, against high ones it is drawn to many more hands. So what is asked about
some up cards only takes much less than about all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from combinat.blackjack.exact.dealer import Dealer, MarginalSum
from combinat.blackjack.exact.resplits import most_gone
from combinat.blackjack.exact.stand import Figures, Standing
from combinat.blackjack.hands import ACE, EMPTY, VALUES, Hand, hands_from, hard_total, total, with_card
from combinat.blackjack.rules import Action, BlackjackRules
from decks import InputError


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
        return [ranked[values.index(max(values))] for values in zip(*map(allowed.__getitem__, ranked), strict=True)]


class Play:
    """One hand, not split, from a shoe, against some up cards."""

    def __init__(self, counts: Hand, rules: BlackjackRules, ups: Sequence[int], strategy: Strategy) -> None:
        self.counts = counts
        self.rules = rules
        self.ups = tuple(ups)
        self.strategy = strategy
        max_removed, multiplier = most_gone(rules.max_hands)
        self._dealer = Dealer(counts, rules.hits_soft_17, ups, max_removed, multiplier)
        self.reach = min(sum(counts), _longest_hand(counts) + 1 + max_removed + self._dealer.longest)
        """How many cards joint figures are counts of deals of."""
        self.standing = Standing(MarginalSum(self._dealer, ACE), self.reach)
        self._prepared: set[Hand] = set()
        self._stood: dict[Hand, Figures] = {}
        self._drawn: dict[Hand, Figures] = {}
        self._choices: dict[Hand, list[Action]] = {}
        self._after_split: dict[tuple[Hand, bool], list[Action]] = {}

    def beside(self, index: int) -> MarginalSum:
        """Give the sums over the dealer's cards of all values but one."""
        return MarginalSum(self._dealer, index)

    def standing_beside(self, beside: MarginalSum, multiplicities: Mapping[int, int]) -> Standing:
        """Give the figures of standing when more cards of one value are gone, so many times for each number."""
        return Standing(beside, self.reach, multiplicities)

    def prepare(self, start: Hand = EMPTY) -> None:
        """Stand on every hand that can grow out of one, in the order in which most of the dealer's sums are shared."""
        if self._prepared.isdisjoint((start, EMPTY)):
            for hand in hands_from(self.counts, start):
                self.stand(hand)
            self._prepared.add(start)

    def stand(self, hand: Hand) -> Figures:
        """Stand on a hand."""
        figures = self._stood.get(hand)
        if figures is None:
            figures = self._stood[hand] = self.standing.stand(hand, total(hand))
        return figures

    def hit(self, hand: Hand) -> Figures:
        """Draw a card and go on as the strategy says."""
        return self.next_card(hand, hand, self._played)

    def double(self, hand: Hand) -> Figures:
        """Double the bet, draw one card and stand."""
        return doubled(self.next_card(hand, hand, self.stand), self.standing.alive(hand))

    def surrender(self, hand: Hand) -> Figures:
        """Give up half the bet."""
        return [alive // 2 for alive in self.standing.alive(hand)]  # joint figures are even for this

    def next_card(self, hand: Hand, removed: Hand, then: Callable[[Hand], Figures]) -> Figures:
        """Sum over the next card, when these cards are gone from the shoe; a card that busts brings nothing back."""
        totals = [0] * len(self.ups)
        for copies, longer in self.next_hands(hand, removed):
            totals = [subtotal + copies * figure for subtotal, figure in zip(totals, then(longer), strict=True)]
        return totals

    def next_hands(self, hand: Hand, removed: Hand) -> Iterator[tuple[int, Hand]]:
        """Give the hands that the next card can make, but for busts, each with the cards that make it."""
        room = 21 - hard_total(hand)
        for index in range(min(room, len(VALUES))):
            copies = self.counts[index] - removed[index]
            if copies:
                yield copies, with_card(hand, index)

    def _played(self, hand: Hand) -> Figures:
        """Play a hand of three cards or more."""
        figures = self._drawn.get(hand)
        if figures is None:
            figures = stand = self.stand(hand)
            if total(hand) == 21:  # nothing beats it, so nothing is compared
                self._choices[hand] = [Action.STAND] * len(stand)
            else:
                allowed = {Action.STAND: stand, Action.HIT: self.hit(hand)}
                self._choices[hand] = choices = self.strategy.choose(hand, allowed)
                figures = chosen(allowed, choices)
            self._drawn[hand] = figures
        return figures

    def choices(self, hand: Hand) -> list[Action]:
        """Say what the strategy does with three cards or more: stand or hit."""
        self._played(hand)
        return self._choices[hand]

    @property
    def hits(self) -> list[int]:
        """How many of the hands of three cards or more that were played so far are hit, for each up card."""
        return [
            [choices[field] for choices in self._choices.values()].count(Action.HIT) for field, _ in enumerate(self.ups)
        ]

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
            return [Action.STAND] * len(self.ups)
        choices = self._after_split.get((hand, of_aces))
        if choices is None:
            allowed = self.unsplit(hand)
            allowed.pop(Action.SURRENDER, None)
            if of_aces or not self.rules.double_after_split:
                allowed.pop(Action.DOUBLE, None)
            choices = self._after_split[hand, of_aces] = self.strategy.choose(hand, allowed)
        return choices


def doubled(after_card: Figures, alive: Figures) -> Figures:
    """Give what comes back of a bet of one when the profit of a hand is doubled."""
    return [2 * gross - stake for gross, stake in zip(after_card, alive, strict=True)]


def chosen(allowed: Mapping[Action, Figures], choices: Sequence[Action]) -> Figures:
    """Take the figure of the action that is chosen for each up card."""
    if one_for_all(choices):
        return allowed[choices[0]]
    return [allowed[action][up] for up, action in enumerate(choices)]


def one_for_all(choices: Sequence[Action]) -> bool:
    """Whether the same is chosen for every up card."""
    return choices.count(choices[0]) == len(choices)


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


class StrategySlice:
    """Some up cards of a play, by their places among its own.

    With `by_end` the dealer's sums have a field for each total that the dealer can end with.
    """

    def __init__(self, play: Play, fields: Sequence[int], *, by_end: bool) -> None:
        self._play = play
        self._fields = tuple(fields)
        self._more: dict[Hand, list[Action]] = {}
        self._after_split: dict[tuple[Hand, bool], list[Action]] = {}
        self.ups = tuple(play.ups[field] for field in fields)
        max_removed, multiplier = most_gone(play.rules.max_hands)
        self._dealer = Dealer(
            play.counts, play.rules.hits_soft_17, self.ups, max_removed, multiplier, field_for_each_end=by_end
        )
        self.standing = Standing(MarginalSum(self._dealer, ACE), play.reach)

    def next_hands(self, hand: Hand, removed: Hand) -> Iterator[tuple[int, Hand]]:
        """Give the hands that the next card can make, but for busts, each with the cards that make it."""
        return self._play.next_hands(hand, removed)

    def choices(self, hand: Hand) -> list[Action]:
        """Say what is done with three cards or more."""
        choices = self._more.get(hand)
        if choices is None:
            choices = self._more[hand] = self._narrowed(self._play.choices(hand))
        return choices

    def choices_after_split(self, hand: Hand, of_aces: bool) -> list[Action]:
        """Say what is done with two cards after a split."""
        choices = self._after_split.get((hand, of_aces))
        if choices is None:
            choices = self._after_split[hand, of_aces] = self._narrowed(self._play.choices_after_split(hand, of_aces))
        return choices

    def beside(self, index: int) -> MarginalSum:
        """Give the sums over the dealer's cards of all values but one."""
        return MarginalSum(self._dealer, index)

    def standing_beside(self, beside: MarginalSum, multiplicities: Mapping[int, int]) -> Standing:
        """Give the figures of standing when more cards of one value are gone, so many times for each number."""
        return Standing(beside, self._play.reach, multiplicities)

    def _narrowed(self, choices: Sequence[Action]) -> list[Action]:
        return [choices[field] for field in self._fields]
