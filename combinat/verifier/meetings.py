"""How often each winning hand meets each up card, and is played: the dealer has looked and has no blackjack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from combinat.verifier.bet import Bet, Matches
from combinat.verifier.cards import INFINITE, WORTH, Card, Cards, Shoe
from combinat.verifier.counting import first_of
from combinat.verifier.dealer_steps import VALUES, Hand
from combinat.verifier.hands import NAMES, name_of
from combinat.verifier.words import MOST_KNOWN

Name = tuple[str, str]  # of the hand and of the up card

COMPLETES = {1: 10, 10: 1}  # what makes a blackjack of an up card


class Meeting(NamedTuple):
    """A hand and an up card that meet."""

    hand: Hand
    up: int
    chances: dict[int, Fraction]
    """How often they meet, are played and win each award."""


class Deal(NamedTuple):
    """Two cards of the player's and an up card."""

    first: Card
    second: Card
    up: Card
    ways: int


def deals(shoe: Shoe) -> Iterator[Deal]:
    """Deal the player's two cards and the up card, the player's in both orders at once.

    With infinitely many decks the cards of one are dealt, each as if none were gone.
    """
    left = {card: shoe.left(card) if shoe.decks else 1 for card in shoe.kinds}
    gone = int(shoe.decks != INFINITE)
    kinds = [card for card in shoe.kinds if left[card]]
    for first, second in combinations_with_replacement(kinds, 2):
        orders = 1 if first == second else 2
        ways = orders * left[first] * (left[second] - gone * (first == second))
        for up in kinds if ways else ():
            yield Deal(first, second, up, ways * (left[up] - gone * ((up == first) + (up == second))))


def meetings(bet: Bet, counts: Hand, shoe: Shoe | None = None) -> dict[Name, Meeting]:
    """Deal everything and the hole card: how often each winning hand goes on, by the names of hand and up card."""
    shoe = shoe or bet.shoe
    unseen = shoe.size(shoe.decks) - (3 if shoe.decks else 0)  # the cards among which the hole card is
    judge = lru_cache(maxsize=MOST_KNOWN)(bet.judge)
    met: Counter[tuple[Hand, int, int]] = Counter()
    everything = 0
    for deal in deals(shoe):
        matches = judged(bet, deal, judge)
        if matches is None:
            continue
        everything += deal.ways * unseen
        award = first_of(matches)
        if award is not None:
            worth = [WORTH[deal.first[0]], WORTH[deal.second[0]]]
            hand, shows = tuple([worth.count(value) for value in VALUES]), WORTH[deal.up[0]]
            held = hand if shoe.decks else (0,) * len(hand)
            met[hand, shows, award] += deal.ways * (unseen - blackjacks(held, shows, counts))
    found: dict[Name, Meeting] = {}
    for (hand, shows, award), times in met.items():
        if times:
            meeting = found.setdefault((name_of(hand), NAMES[shows - 1]), Meeting(hand, shows, {}))
            meeting.chances[award] = Fraction(times, everything)
    return found


def judged(bet: Bet, deal: Deal, judge: Callable[[Cards], Matches]) -> Matches:
    """Judge the cards that the bet looks at; unless a rule names a role, all their orders are judged alike."""
    if "up" not in bet.deal.sizes:
        return judge((deal.first, deal.second))
    cards = (deal.first, deal.second, deal.up)
    return judge(cards if bet.names_role else tuple(sorted(cards)))


def blackjacks(hand: Hand, up: int, counts: Hand) -> int:
    """How many hole cards would make the dealer a blackjack."""
    if up not in COMPLETES:
        return 0
    partner = COMPLETES[up] - 1
    return counts[partner] - hand[partner]
