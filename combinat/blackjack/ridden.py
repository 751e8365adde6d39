"""What rides on hands that are played as is best off the top: what it gains, by all cards that are dealt."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import perm, prod
from typing import NamedTuple, Protocol, runtime_checkable

from combinat.analysis.analysis import Analysis
from combinat.blackjack.dealt_cards import CardsOfHands, DealtCards
from combinat.blackjack.fixed_play import FixedPlay
from combinat.blackjack.game import Blackjack
from combinat.blackjack.hands import Hand, is_blackjack, with_card
from combinat.blackjack.left_or_taken import first_cards
from combinat.blackjack.rules import Action
from decks import Card


class Ridden(NamedTuple):
    """What rides on one hand against one up card."""

    first: Mapping[tuple[Card, ...], Fraction]
    """For the first cards, one hand of those that no rule tells apart, what rides on average when such values come."""
    gains: DealtCards
    """What a unit gains, by the values of all cards: times the ordered ways to be dealt them."""


@runtime_checkable
class RidesByCards(Protocol):
    """An option whose gain is known by the cards of the round, under the play that is best off the top."""

    @property
    def most_bets(self) -> Fraction:
        """How many times what rides can be won or lost, at most."""

    def by_cards(self, analysis: Analysis) -> Sequence[Ridden]:
        """Say what rides and what it gains."""


def ridden(
    game: Blackjack,
    left: Mapping[tuple[Hand, int], Action],
    analysis: Analysis,
    amounts: Sequence[Fraction],
    blackjack_pays: Fraction,
) -> list[Ridden]:
    """Follow the hands on which so much is left with each award, against the up cards against which it is."""
    rides: defaultdict[tuple[Hand, int], dict[tuple[Card, ...], Fraction]] = defaultdict(dict)
    for one, often in first_cards(analysis.paytable, analysis.shoe).items():
        meeting = one.hand, one.up
        if meeting in left and amounts[one.award]:
            known = rides[meeting].get(one.cards, Fraction(0))
            rides[meeting][one.cards] = known + amounts[one.award] * often / _chance(game.counts, *meeting)
    hands = CardsOfHands(game.counts, game.rules, FixedPlay(game))
    found = []
    for meeting, first in rides.items():
        if is_blackjack(meeting[0]):
            won = {cards: amount * blackjack_pays for cards, amount in first.items()}
            found.append(Ridden(won, hands.no_blackjack(*meeting)))
        else:
            found.append(Ridden(first, hands.profit(*meeting, left[meeting])))
    return found


def _chance(counts: Hand, hand: Hand, up: int) -> Fraction:
    """How often the first three cards have these values, in one order of them."""
    values = with_card(hand, up)
    ways = prod(perm(count, many) for count, many in zip(counts, values, strict=True))
    return Fraction(ways, perm(sum(counts), sum(values)))
