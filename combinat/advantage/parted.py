"""The cards of a hand parted into those that are in view when the bet is made and the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from combinat.bets.paytable import Paytable
from combinat.enumeration.outcomes import Outcome
from combinat.language.deal import Deal
from decks import Card, InputError, suggestion
from decks.errors import quoted

T = TypeVar("T")
_OPEN = "{}: how many cards of {} there are is not known when one bets; see fewer"


def places_in_view(paytable: Paytable, view: Sequence[str]) -> list[frozenset[int]]:
    """The places of each role in view; those that two roles name are the first one's."""
    deal = paytable.bet.deal
    known = list(deal.in_view)
    found: list[frozenset[int]] = []
    for role in view:
        if role not in known:
            hint = suggestion(role, known) or f"; its cards are those of {', '.join(known) or 'nobody by name'}"
            raise InputError(f"{paytable.id} has no {quoted(role)} that could be in view{hint}")
        if deal.size(deal.in_view[role]) is None:
            raise InputError(_OPEN.format(paytable.id, role))
        found.append(frozenset(deal.in_view[role]).difference(*found))
    return found


def parted(deal: Deal, outcome: Outcome, shown: Sequence[frozenset[int]]) -> list[list[Card]]:
    """Part the cards of a hand into those in view and the others: at the last of a role's places all further ones lie.

    >>> from combinat.bets.lookup import find
    >>> from decks import STANDARD
    >>> bet = find("BUST-IT")
    >>> hand = next(bet.experiment.outcomes(STANDARD.composition))
    >>> [" ".join(map(str, cards)) for cards in (hand.cards, *parted(bet.bet.deal, hand, [frozenset({0})]))]
    ['6c 10c 6d', '6c', '10c 6d']
    """
    if not shown:
        return [list(outcome.cards)]
    return sorted_into(
        shown,
        [
            (places[min(number, len(places) - 1)], card)
            for role, cards in outcome.dealt
            for places in [deal.groups[role]]
            for number, card in enumerate(cards)
        ],
    )


def sorted_into(shown: Sequence[frozenset[int]], cards: Sequence[tuple[int, T]]) -> list[list[T]]:
    """Sort cards, each with its place, into those of each role in view, and last the others."""
    if not shown:
        return [[card for _, card in cards]]
    parts: list[list[T]] = [[] for _ in range(len(shown) + 1)]
    for place, card in cards:
        parts[next((number for number, places in enumerate(shown) if place in places), -1)].append(card)
    return parts
