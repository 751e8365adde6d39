"""A title at a shoe: the value of every first hand and action, the house edge, and the strategy chart."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import comb, prod

from msgspec import Struct

from combinat.blackjack.hands import Hand, count_by_value, is_natural
from combinat.blackjack.titles.play import FIRST_HAND, SPLIT, STAND, SURRENDER, ZAP
from combinat.blackjack.titles.rules import Surrender, TitleRules, ZappedBlackjack
from combinat.blackjack.titles.settlement import BonusPays
from combinat.blackjack.titles.solver import TITLE_STRATEGIES, FirstHandFigures, ShoeSolver
from decks import InputError, Shoe, did_you_mean
from decks.errors import quote

ACTION_NAMES = ("stand", "hit", "double", "split", "surrender", "zap")
"""Names of actions by their codes."""


class TitleHand(Struct, frozen=True):
    """A first hand against the dealer's visible cards."""

    hand: Hand
    view: int
    """Index of the visible cards among `TitleRules.views`."""
    probability: Fraction
    """Probability of this hand and these visible cards."""
    dealer_blackjack: Fraction
    """Conditional probability of a dealer's blackjack."""
    values: dict[str, Fraction]
    """Expected profit of each first action, rounds with a dealer's blackjack included; empty for a blackjack."""
    action: str
    value: Fraction
    """Expected profit with the action of the strategy, or with a blackjack."""


class TitleGame:
    """A title: a shoe, rules and a strategy."""

    def __init__(self, shoe: Shoe, rules: TitleRules, strategy: str = "best") -> None:
        if strategy not in TITLE_STRATEGIES:
            raise InputError(f"{quote(strategy)} is not a strategy{did_you_mean(strategy, TITLE_STRATEGIES) or ''}")
        self.shoe, self.rules, self.strategy = shoe, rules, strategy
        self.counts = count_by_value(shoe)
        self._bonus_pays = BonusPays(rules, shoe)

    @cached_property
    def solver(self) -> ShoeSolver:
        """The first hands from the full shoe."""
        return ShoeSolver(self.counts, self.rules, self._bonus_pays, self.strategy)

    @cached_property
    def _zap_profits(self) -> dict[Hand, list[Fraction]]:
        """For each hand that may be exchanged, the joint profit of exchanging it, by view, given the hand."""
        profits = {}
        if self.rules.zap and self.strategy in ("best", "basic"):
            for hand in self.solver.hands:
                if self.rules.can_zap(hand):
                    profits[hand] = self._zap_profit(hand)
        return profits

    def _zap_profit(self, zapped: Hand) -> list[Fraction]:
        counts = tuple(count - copies for count, copies in zip(self.counts, zapped, strict=True))
        solver = ShoeSolver(
            counts, self.rules, self._bonus_pays, self.strategy, can_surrender=self.rules.surrender_after_zap
        )
        totals = [Fraction(0)] * len(self.rules.views)
        for hand in solver.hands:
            probability = Fraction(
                prod(comb(count, copies) for count, copies in zip(counts, hand, strict=True)), comb(sum(counts), 2)
            )
            for view in range(len(totals)):
                figures = solver.figures[hand, view]
                profit = self._zapped_profit(hand, figures)
                totals[view] += probability * Fraction(profit) / solver.numbers.denominator
        return totals

    def _zapped_profit(self, hand: Hand, figures: FirstHandFigures) -> Fraction:
        """Return the numerator of the joint profit of the cards after an exchange."""
        ends_before = figures.natural if self.rules.zap_before_peek else 0
        if not is_natural(hand):
            return Fraction(self._choose(figures)[1] - ends_before)
        pays = self.rules.zapped_blackjack_pays
        if self.rules.zapped_blackjack is ZappedBlackjack.PUSH:
            return pays * figures.in_play
        if self.rules.zapped_blackjack is ZappedBlackjack.WIN:
            return pays * (figures.in_play + ends_before)
        return Fraction(figures.stand - ends_before)

    def _choose(self, figures: FirstHandFigures) -> tuple[int, int]:
        """Return the chosen action and its profit, without surrender before the peek and exchanges."""
        profits = figures.profits
        if self.strategy == "best":
            action = max(sorted(profits), key=profits.__getitem__)
        else:
            action = figures.chosen
            if SPLIT in profits and profits[SPLIT] > profits[action]:
                action = SPLIT
        return action, profits[action]

    def hand(self, hand: Hand, view: int) -> TitleHand | None:
        """Return the value of a first hand against the visible cards; `None` if they cannot be dealt."""
        figures = self.solver.figures.get((hand, view))
        if figures is None:
            return None
        denominator = self.solver.numbers.denominator
        has_peek = self.rules.has_peek
        seen = Fraction(figures.in_play + (figures.natural if has_peek else 0), denominator)
        if not seen:
            return None
        natural = Fraction(figures.natural, denominator)
        hand_probability = Fraction(
            prod(comb(count, copies) for count, copies in zip(self.counts, hand, strict=True)),
            comb(sum(self.counts), 2),
        )
        if is_natural(hand):
            value = self._blackjack_value(seen - natural, natural) / seen
            return TitleHand(hand, view, hand_probability * seen, natural / seen, {}, ACTION_NAMES[STAND], value)
        lost = natural if has_peek else Fraction(0)
        joint = {action: Fraction(profit, denominator) - lost for action, profit in sorted(figures.profits.items())}
        chosen = self._choose(figures)[0]
        has_options = self.strategy in ("best", "basic")
        if self.rules.surrender is Surrender.EARLY and has_peek and has_options:
            joint[SURRENDER] = -seen / 2
        if hand in self._zap_profits and has_options:
            joint[ZAP] = self._zap_profits[hand][view] - (0 if self.rules.zap_before_peek else lost)
        for action in (SURRENDER, ZAP):
            is_early = action == ZAP or self.rules.surrender is Surrender.EARLY
            if action in joint and is_early and joint[action] > joint[chosen]:
                chosen = action
        return TitleHand(
            hand,
            view,
            hand_probability * seen,
            natural / seen,
            {ACTION_NAMES[action]: profit / seen for action, profit in joint.items()},
            ACTION_NAMES[chosen],
            joint[chosen] / seen,
        )

    def _blackjack_value(self, wins: Fraction, natural: Fraction) -> Fraction:
        """Return the joint profit of a blackjack."""
        rules = self.rules
        pays = rules.blackjack_pays
        if rules.suited_blackjack_pays is not None:
            suited = self._bonus_pays.suited_natural()
            pays = (1 - suited) * pays + suited * rules.suited_blackjack_pays
        tie = {"push": Fraction(0), "win": pays, "lose": Fraction(-1)}[rules.blackjack_tie]
        return pays * wins + tie * natural

    @cached_property
    def hands(self) -> tuple[TitleHand, ...]:
        """All first hands against all visible cards."""
        found = (self.hand(hand, view) for hand in self.solver.hands for view in range(len(self.rules.views)))
        return tuple(hand for hand in found if hand is not None)

    @cached_property
    def house_edge(self) -> Fraction:
        """The house edge per initial bet; insurance is not taken."""
        return -sum((hand.probability * hand.value for hand in self.hands), Fraction(0))

    def iter_actions(self, hand: Hand) -> Iterator[str]:
        """Iterate over the actions on a hand of three or more cards, one for each view."""
        for view in range(len(self.rules.views)):
            yield ACTION_NAMES[self.solver.action(FIRST_HAND, hand, view)]
