"""Card counting: every order of a small shoe dealt card by card, with the cards seen before each bet."""

from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

from more_itertools import distinct_permutations

from tests.slow.baccarat import play
from tests.slow.dealer import RanOutError, dealer_stands
from tests.slow.rules import fits


class Round(NamedTuple):
    """A round of one order of the shoe."""

    seen: tuple
    """Cards seen before the round."""
    view: tuple
    """Exposed cards of the round, one by one."""
    result: Fraction | None
    """The net of a wager of 1; `None` if no bet is made."""


def deal_round(deal, cards):
    """Deal a round from the top; return its cards by position, and the positions of each role."""
    if deal.kind == "baccarat":
        return play(cards), {"player_first": (0, 2), "banker_first": (1, 3)}
    groups = {
        name: places for name, places in deal.positions_by_role.items() if name != "dealer" or deal.kind == "fixed"
    }
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


def settle_round(paytable, cards):
    """Return the net of a wager of 1 on the next cards, and the positions of each role."""
    hand, names = deal_round(paytable.bet.deal, cards)
    if paytable.ladder.condition is not None and not fits(paytable.ladder.condition.fact, hand):
        return None, names
    for award, rule in zip(paytable.awards, paytable.ladder.rules, strict=True):
        if fits(rule.fact, hand):
            ((pay, probability),) = award.pay.outcomes
            assert probability == 1
            return pay.gross_for(paytable.meter_wager()).constant - 1, names
    return Fraction(-1), names


def burned_cards(card) -> int:
    """Return how many cards a burn card burns: an ace one, ten-cards ten."""
    return 1 if card.rank == 14 else min(int(card.rank), 10)


def iter_rounds(paytable, pile, seen, view=(), burns=False, only=None):
    """Deal every order of a shoe up to the round after `seen` cards, and yield that round.

    With `burns`, the first card is exposed and says how many cards after it are burned unseen; `only` keeps the orders
    in which that number is the given one.
    """
    known = {}
    for order in distinct_permutations(sorted(pile)):
        hidden = burned_cards(order[0]) if burns else 0
        if only not in (None, hidden):
            continue
        rest = order[seen + hidden :]
        if rest not in known:
            known[rest] = settle_round(paytable, rest)
        result, names = known[rest]
        before = (order[0], *order[1 + hidden : seen + hidden]) if burns else order[:seen]
        places = dict.fromkeys(place for name in view for place in names[name])  # two roles may share a card
        yield Round(before, tuple(rest[place] for place in places), result)


def results_by_count(rounds, tags):
    """Return by running count: the fraction of rounds with a bet, and the sums of net and squared net per round."""
    results, every = {}, 0
    for round_ in rounds:
        every += 1
        if round_.result is not None:
            known = results.setdefault(
                sum(tags.tag_by_card[card] for card in (*round_.seen, *round_.view)), [0, Fraction(0), Fraction(0)]
            )
            known[0] += 1
            known[1] += round_.result
            known[2] += round_.result**2
    return {count: tuple(Fraction(value) / every for value in known) for count, known in results.items()}


def perfect_play(rounds):
    """Return the mean win per round if exactly the favorable bets are made, given all cards seen."""
    won, every = defaultdict(Fraction), 0
    for one in rounds:
        every += 1
        won[tuple(sorted(map(str, one.seen))), one.view] += one.result or 0
    return sum((max(one, 0) for one in won.values()), Fraction(0)) / every
