"""A watcher at a table: every order of a small shoe dealt card by card, and what was seen before each bet."""

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

from more_itertools import distinct_permutations

from tests.slow.baccarat import play
from tests.slow.dealer import RanOutError, dealer_stands
from tests.slow.rules import fits


class Dealt(NamedTuple):
    """A round of one order of the shoe."""

    seen: tuple
    """The cards seen before the round."""
    view: tuple
    """The cards of the round that are in view, one by one."""
    result: Fraction | None
    """What a wager of one wins; nothing if the bet is not made."""


def lay(deal, cards):
    """Deal a round from the top; give its cards by their places, and for each name where in the row they lay."""
    if deal.kind == "baccarat":
        return play(cards), {"player_first": (0, 2), "banker_first": (1, 3)}
    groups = {name: places for name, places in deal.groups.items() if name != "dealer" or deal.kind == "fixed"}
    if deal.kind == "fixed":
        if len(cards) < deal.card_count:
            raise RanOutError
        return list(cards[: deal.card_count]), groups
    first = deal.card_count
    for size in range(2, len(cards) - first + 1):
        hand = cards[first : first + size]
        if dealer_stands([1 if card.rank == 14 else min(int(card.rank), 10) for card in hand], deal.draw == "h17"):
            return [*cards[:first], hand[0], list(hand[1:])], groups | {"hole": (first + 1,)}
    raise RanOutError


def settle(paytable, cards):
    """Give what a wager of one wins with the next cards, and where the cards of each name lie."""
    hand, names = lay(paytable.bet.deal, cards)
    if paytable.ladder.given is not None and not fits(paytable.ladder.given.fact, hand):
        return None, names
    for award, rule in zip(paytable.awards, paytable.ladder.rules, strict=True):
        if fits(rule.fact, hand):
            ((pay, chance),) = award.pay.outcomes
            assert chance == 1
            return pay.gross_for(paytable.meter_wager()).constant - 1, names
    return Fraction(-1), names


def worth_of_shown(card) -> int:
    """How many cards are burned when a card is shown: an ace one, tens and faces ten."""
    return 1 if card.rank == 14 else min(int(card.rank), 10)


def every_round(paytable, pile, seen, view=(), burns=False, only=None):
    """Deal every order of a shoe to the round before which so many cards are seen.

    If the first card says how many are burned, those after it are burned unseen; `only` takes just orders in which the
    first card says so.
    """
    known = {}
    for order in distinct_permutations(sorted(pile)):
        hidden = worth_of_shown(order[0]) if burns else 0
        if only not in (None, hidden):
            continue
        rest = order[seen + hidden :]
        if rest not in known:
            known[rest] = settle(paytable, rest)
        result, names = known[rest]
        before = (order[0], *order[1 + hidden : seen + hidden]) if burns else order[:seen]
        places = dict.fromkeys(place for name in view for place in names[name])  # two names may be of one card
        yield Dealt(before, tuple(rest[place] for place in places), result)


def by_count(rounds, tags):
    """For each running count in how many rounds of all it comes and a bet is made, what is won, and its square."""
    found, every = {}, 0
    for one in rounds:
        every += 1
        if one.result is not None:
            known = found.setdefault(
                sum(tags.of[card] for card in (*one.seen, *one.view)), [0, Fraction(0), Fraction(0)]
            )
            known[0] += 1
            known[1] += one.result
            known[2] += one.result**2
    return {count: tuple(Fraction(value) / every for value in known) for count, known in found.items()}


def perfect_play(rounds):
    """What a round wins if just those bets are made that gain, given all the cards seen."""
    won, every = defaultdict(Fraction), 0
    for one in rounds:
        every += 1
        won[tuple(sorted(map(str, one.seen))), one.view] += one.result or 0
    return sum((max(one, 0) for one in won.values()), Fraction(0)) / every
