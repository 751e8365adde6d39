"""Which values a number of a rule can have, whatever is dealt."""

from __future__ import annotations

from combinat.language.deal import Deal
from combinat.language.tree import Count, Literal, Measure, Number, Sum
from decks import Pack


def possible_values(number: Number, deal: Deal, pack: Pack) -> frozenset[int] | None:
    """Give the values that a number can have, and perhaps some more; `None` if nothing is known of them.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_quantity
    >>> from decks import STANDARD
    >>> deal = parse_deal("player:2, up:1")
    >>> sorted(possible_values(parse_quantity("player.count(7) + 1", deal).number, deal, STANDARD))
    [1, 2, 3]
    """
    match number:
        case Literal(value):
            return frozenset({value})
        case Count(places):
            return frozenset(range(deal.most_cards(places) + 1))
        case Measure(word) if word.is_rank and not word.bounds:
            return frozenset(map(int, pack.ranks))
        case Measure(word, places):
            values = deal.values(word, places)
            return None if values is None else frozenset(values)
        case Sum(left, right, sign):
            ones, others = possible_values(left, deal, pack), possible_values(right, deal, pack)
            if ones is None or others is None:
                return None
            return frozenset(one + sign * other for one in ones for other in others)
