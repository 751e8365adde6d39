"""Cards that no rule distinguishes, merged into classes.

Each leaf of a rule looks at one aspect of a card: its rank, its color, whether it is a 7. Cards with equal aspects for
every leaf are one class. Three Card Prime asks for colors alone, so that a pack is 26 red and 26 black cards.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from combinat.language.asked_of_cards import one_color
from combinat.language.tree import Count, Measure, Node, Predicate, Ranks, SameAs
from combinat.language.word import Word
from combinat.language.words import JOKERS
from decks import Card, Rank

Aspect = Callable[[Card], Hashable]
"""What a leaf of a rule sees of a card; jokers are handled separately."""


def classify(leaves: Iterable[Node], cards: Iterable[Card]) -> tuple[tuple[Card, ...], ...]:
    """Group cards into classes that no leaf distinguishes.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> from decks.cards import ALL_CARDS
    >>> leaves = [parse_rule(rule, parse_deal("player:2")).fact for rule in ("same color", "blackjack")]
    >>> len(classify(leaves, ALL_CARDS))  # ten values in two colors
    20
    """
    aspects = [aspect_of(leaf) for leaf in leaves]
    classes: dict[Hashable, list[Card]] = {}
    for card in cards:
        seen = () if card.is_joker else tuple([aspect(card) for aspect in aspects])
        classes.setdefault((card.is_joker, seen), []).append(card)
    return tuple(map(tuple, classes.values()))


def aspect_of(leaf: Node) -> Aspect:
    """Return what a leaf of a rule sees of a card that is no joker."""
    match leaf:
        case Predicate(word) if word.best or (word.ranks is None and word.suits is None):
            return _all_of
        case Predicate(word):
            return _both(_rank_aspect(word) if word.ranks else _none_of, _suit_aspect(word) if word.suits else _none_of)
        case Measure(word):
            return _none_of if word.name == "cards" else _rank_aspect(word)
        case Ranks(_, ranks):
            return lambda card: card.rank if card.rank in ranks else None
        case Count(_, kinds):
            return _count_aspect(kinds)
        case _:
            return _none_of


def _count_aspect(kinds: Sequence[object]) -> Aspect:
    aspects: list[Aspect] = []
    for kind in kinds:
        if isinstance(kind, SameAs):
            aspects.append({"rank": _rank_of, "suit": _suit_of, "color": _color_of}.get(kind.what, _all_of))
    named = [kind for kind in kinds if not isinstance(kind, SameAs) and kind != JOKERS]

    def matches(card: Card) -> bool:
        return any(
            (kind.ranks is None or card.rank in kind.ranks) and (kind.suits is None or card.suit in kind.suits)  # type: ignore[attr-defined]
            for kind in named
        )

    return _both(matches, *aspects)


def _both(*aspects: Aspect) -> Aspect:
    return lambda card: tuple([aspect(card) for aspect in aspects])


def _rank_aspect(word: Word) -> Aspect:
    return _value_of if word.by_value else _rank_of


def _suit_aspect(word: Word) -> Aspect:
    return _color_of if word.suits is one_color else _suit_of


def _rank_of(card: Card) -> Hashable:
    return card.rank


def _value_of(card: Card) -> Hashable:
    return card.rank if card.rank == Rank.ACE else min(card.rank, 10)


def _suit_of(card: Card) -> Hashable:
    return card.suit


def _color_of(card: Card) -> Hashable:
    return card.suit.is_red


def _all_of(card: Card) -> Hashable:
    return card


def _none_of(_: Card) -> Hashable:
    return None
