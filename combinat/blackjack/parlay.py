"""What winnings can do next: ride on the blackjack hand instead of being taken.

A parlay leaves the proceeds, win and wager, on the hand, where they double, split and pay like the main wager. A press
moves the winnings alone, which win even money also on a blackjack. Either is decided with the own cards and the up card
in view, once the dealer has looked and has no blackjack; with a dealer's blackjack the winnings are paid and taken.

What rides follows the main hand, which is played for its own best value. What it gains is the amount times the hand's
value, a straight line in the amount: so leaving a part is never better than the better of all and nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis
from combinat.bets.paytable import PARLAY, Award, Paytable
from combinat.blackjack.game import Blackjack
from combinat.blackjack.hands import NAMES, PLACES, Hand, counts_of, hand_of, is_blackjack, name_of, place_of
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.enumeration.fixed.outcomes import outcomes
from decks import Card, Shoe

Watch = Callable[[int, int], None]
"""Told how many hands of how many are done."""
EVEN_MONEY = Fraction(1)


class Decision(Struct, frozen=True):
    """One winning hand against one up card: what a unit left on it gains, and so what to do."""

    hand: Hand
    up: int
    chance: Fraction
    """How often a winning hand of these values meets this up card, the dealer having no blackjack."""
    amount: Fraction
    """What could ride here, in wagers, times how often."""
    value: Fraction
    """What one unit left on the hand gains on average."""
    action: Action
    """How the hand is played first."""

    @property
    def leaves(self) -> bool:
        """Whether leaving the money is better than taking it."""
        return self.value > 0

    @property
    def gain(self) -> Fraction:
        """What the best choice here adds to the return of the bet."""
        return self.amount * self.value if self.leaves else Fraction(0)

    @property
    def hand_name(self) -> str:
        """The hand as one writes it."""
        return name_of(self.hand)

    @property
    def up_name(self) -> str:
        """The up card as one writes it."""
        return NAMES[self.up]


class Riding(Struct, frozen=True):
    """The option as a whole, under the rules of the table."""

    kind: str
    rules: BlackjackRules
    strategy: str
    decisions: tuple[Decision, ...]
    per_unit: dict[Award, Fraction]
    """What the best choices add to the return for each unit that could ride with an award."""

    @property
    def gain(self) -> Fraction:
        """What the best choices add to the return of the bet."""
        return sum((one.gain for one in self.decisions), Fraction(0))

    @property
    def used(self) -> Fraction:
        """How often something is left to ride."""
        return sum((one.chance for one in self.decisions if one.leaves), Fraction(0))


watcher: ContextVar[Watch | None] = ContextVar("watcher", default=None)
"""Who wants to see how far the work is, such as a command that shows a bar."""


@lru_cache(maxsize=2)  # a game keeps much of what it worked out, and paytables of one bet share it
def _game(shoe: Shoe, rules: BlackjackRules, strategy: str) -> Blackjack:
    return Blackjack(shoe, rules, strategy)


def riding(analysis: Analysis) -> Riding:
    """Find the value of every winning hand against every up card, and the best choice there."""
    rules, strategy, watch = analysis.rules or BlackjackRules(), analysis.strategy, watcher.get()
    kind = analysis.paytable.bet.option
    assert kind is not None  # the caller asks only where there is an option
    game = _game(analysis.shoe, rules, strategy)
    chances = _winning_hands(analysis.paytable, analysis.shoe)
    gross = {line.award: line.gross.constant for line in analysis.lines}
    hands = sorted({hand for _, hand, _ in chances}, key=lambda hand: [-count for count in hand])
    pays = None if kind == PARLAY else EVEN_MONEY
    decisions: list[Decision] = []
    per_unit = dict.fromkeys(gross, Fraction(0))
    for done, hand in enumerate(hands):
        if watch is not None:
            watch(done, len(hands))
        for up in PLACES:
            met = {award: chance for (award, one, other), chance in chances.items() if (one, other) == (hand, up)}
            going_on = 1 - game.dealer_blackjack(hand, up)
            if not met or not going_on:
                continue
            rides = {award: gross[award] if kind == PARLAY else gross[award] - 1 for award in met}
            decisions.append(
                Decision(
                    hand=hand,
                    up=up,
                    chance=sum(met.values(), Fraction(0)) * going_on,
                    amount=sum((chance * rides[award] for award, chance in met.items()), Fraction(0)) * going_on,
                    value=game.value(hand, up, pays),
                    action=Action.STAND if is_blackjack(hand) else game.hand(hand, up).action,
                )
            )
            for award, chance in met.items():
                per_unit[award] += chance * going_on * max(decisions[-1].value, Fraction(0))
    if watch is not None:
        watch(len(hands), len(hands))
    return Riding(kind, rules, strategy, tuple(decisions), per_unit)


def _winning_hands(paytable: Paytable, shoe: Shoe) -> dict[tuple[Award, Hand, int], Fraction]:
    """How often each award comes with a hand of given values and an up card, a dealer's blackjack not yet ruled out."""
    found: Counter[tuple[Award, Hand, int]] = Counter()
    roles = dict(paytable.bet.deal.roles)
    sees_up = "up" in roles
    # With the up card among the cards that count, it has to be told from the player's own.
    told_apart = replace(paytable, bet=replace(paytable.bet, apart=True)) if sees_up else paytable
    counts = counts_of(shoe)
    for outcome in outcomes(told_apart, shoe):
        if outcome.award is None:
            continue
        cards = dict(outcome.roles)
        hand = _values(cards["player"])
        if sees_up:
            found[outcome.award, hand, place_of(cards["up"][0].rank)] += outcome.ways
        else:
            for up in PLACES:
                found[outcome.award, hand, up] += outcome.ways * (counts[up] - hand[up])
    cycle = told_apart.ways(shoe).cycle * (1 if sees_up else shoe.size - 2)
    return {key: Fraction(ways, cycle) for key, ways in found.items() if ways}


def _values(cards: tuple[Card, ...]) -> Hand:
    return hand_of(place_of(card.rank) for card in cards)
