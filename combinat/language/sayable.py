"""Which words a rule about a deal can use, and of whose cards each can be said."""

from __future__ import annotations

from collections.abc import Callable

from combinat.language.deal import Deal
from combinat.language.poker import best_word
from combinat.language.tree import Count, Measure, Node, Predicate, Ranks, SameAs
from combinat.language.word import Kind, Places, Word
from combinat.language.words import JOKERS

ITSELF = "by itself"
"""How a word is said of all cards together, or of the deal as a whole: without a role."""
_ANY_RANK = 7


def _told(deal: Deal, ask: Callable[[Places], Node | None]) -> tuple[str, ...]:
    """Name the groups of cards that can be asked something, all cards together first, which are not named."""
    groups = {**({ITSELF: deal.everybody} if deal.everybody else {}), **deal.groups}
    asked = {name: ask(places) for name, places in groups.items()}
    return tuple(name for name, node in asked.items() if node is not None and not deal.objection(node))


def said_of(word: Word, deal: Deal) -> tuple[str, ...]:
    """Name the groups of cards that a word of the deal can be said of.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.words import FACTS
    >>> said_of(FACTS["pair"], parse_deal("player:2, up:1"))
    ('by itself', 'player')
    """
    is_fact = word.name in deal.vocabulary.facts

    def ask(places: Places) -> Node | None:
        size, (least, most) = deal.size(places), word.sizes
        if (size is not None and not least <= size <= most) or (word.whole and places != deal.everybody):
            return None
        return Predicate(word, places) if is_fact else Measure(word, places)

    return _told(deal, ask)


def best_of(size: int, deal: Deal) -> tuple[str, ...]:
    """Name the groups of which it can be asked what the best so many cards make."""
    if not deal.ranks_hands:
        return ()
    word = best_word("flush", size)
    return _told(deal, lambda places: Predicate(word, places) if (deal.size(places) or 0) >= size else None)


def counted_of(kind: Kind, deal: Deal) -> tuple[str, ...]:
    """Name the groups in which cards of a kind can be counted; jokers only come where hands of poker do."""
    if kind == JOKERS and not deal.ranks_hands:
        return ()
    return _told(deal, lambda places: Count(places, (kind,)))


def listed_of(deal: Deal, count: int) -> tuple[str, ...]:
    """Return the groups of cards for which a list of `count` ranks can be written, as A-K-Q for three.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> listed_of(parse_deal("player:2, up:1"), 3), listed_of(parse_deal("player:2, up:1"), 2)
    (('by itself',), ('player',))
    """

    def ask(places: Places) -> Node | None:
        return Ranks(places, (_ANY_RANK,) * count) if deal.size(places) in (count, None) else None

    return _told(deal, ask)


def list_lengths(deal: Deal) -> tuple[int, ...]:
    """Return how many ranks a list can have that is about some group of cards, from two to seven."""
    groups = [*deal.groups.values(), *([deal.everybody] if deal.everybody else [])]
    lengths = {deal.size(places) or min(deal.most_cards(places), 3) for places in groups}
    lengths |= {deal.most_cards(places) for places in groups if deal.size(places) is None}
    return tuple(sorted(length for length in lengths if 2 <= length <= 7))


def matched_of(role: str, what: str, deal: Deal) -> tuple[str, ...]:
    """Name the groups in which cards can be matched to the one card of a role."""
    place = deal.groups[role][0]
    return _told(deal, lambda places: Count(places, (SameAs(place, what),)) if places != (place,) else None)


def single_roles(deal: Deal) -> tuple[str, ...]:
    """Name the roles of one card, to which others can be matched."""
    found: dict[Places, str] = {}
    for role, places in deal.groups.items():
        if len(places) == 1 and deal.most_cards(places) == 1:
            found.setdefault(places, role)  # a card may have two names
    return tuple(found.values())
