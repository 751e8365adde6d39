"""Hands of many cards from a shoe without one card, for every rank, from those of the whole shoe.

Where the cards of a rank are alike, each is in as many hands as any other. So of the hands that a shoe has, those are
gone with one card that hold it: what the hands have of its rank, over how many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import perm

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.fixed.rank_classes import marked, ways_by_part
from combinat.enumeration.parts import new_parts, parts_of
from combinat.enumeration.rank_rows import Numbers, RankSpace
from combinat.enumeration.tally import Ways
from decks import Card, Composition


def weigh_without_each(trial: FixedDeal, composition: Composition, alike: Sequence[Sequence[Card]]) -> list[Ways]:
    """Count the ladder's hands from the shoe without one card, for cards of which all of a rank are alike.

    >>> from combinat.bets.lookup import find
    >>> from decks import STANDARD, parse_cards
    >>> trial, shoe = find("PKR-6-CARD-1").experiment, STANDARD.composition
    >>> (found,) = weigh_without_each(trial, shoe, [parse_cards("Kc Kd Kh Ks")])
    >>> found == trial.weigh(shoe.remove(parse_cards("Kc")))
    True
    """
    whole = list(new_parts(len(trial.ladder.rules), int).every)
    held = [whole.copy() for _ in alike]
    for portion in trial.every_portion:
        if portion.seating.jokers > composition.jokers:
            continue
        numbers = [_of_rank(portion.space, cards[0], portion.seating.jokers) for cards in alike]
        for part, ways in ways_by_part(trial, portion, composition).items():
            whole[part] += int(ways.sum())
            for into, many_rows in zip(held, numbers, strict=True):
                for many, rows in many_rows.items():
                    if many:
                        into[part] += many * int(ways[marked(rows, portion.space).view(bool)].sum())
    found = []
    for cards, with_it in zip(alike, held, strict=True):
        copies = sum(composition[card] for card in cards)
        left = [every - own // copies for every, own in zip(whole, with_it, strict=True)]
        found.append(
            trial.ladder.ways(parts_of(left), perm(composition.size - 1, trial.deal.cards_dealt), trial.orders)
        )
    return found


def _of_rank(space: RankSpace, card: Card, jokers: int) -> Numbers:
    """Split the rank rows by how many cards of a rank they have, or jokers."""
    if card.is_joker:
        return {jokers: space.everything}
    return space.count(space.rank_at(place).get(int(card.rank), 0) for place in range(space.cards))
