"""What rules ask of a coup: which ranks they tell apart, and of which cards they ask for the suit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from combinat.enumeration.baccarat.deal import THIRDS
from combinat.language.tree import Count, Measure, Node, Predicate, Ranks, Rule, SameAs, parts
from combinat.language.word import COLORS
from decks import Rank, Suit

RankClasses = tuple[tuple[int, ...], ...]
"""The ranks in classes that no rule tells apart; a class is written as its first rank."""

SuitClasses = tuple[tuple[int, ...], ...]
"""The same of suits."""

_TENS = range(Rank.TEN, Rank.KING + 1)


def _nodes(rules: Iterable[Rule]) -> Iterator[Node]:
    for rule in rules:
        yield from parts(rule.fact)


def rank_classes(rules: Iterable[Rule], ranks: tuple[int, ...]) -> RankClasses:
    """Put ranks together that no rule tells apart: at most those without points, since all others draw otherwise.

    >>> rank_classes((), (9, 10, 11, 12, 13, 14))
    ((9,), (10, 11, 12, 13), (14,))
    """
    named: list[frozenset[int]] = []
    for node in _nodes(rules):
        match node:
            case Predicate(word) | Measure(word) if (word.ranks or word.is_rank) and not word.by_value:
                return tuple((rank,) for rank in ranks)
            case Ranks(_, wanted):
                named += [frozenset({rank}) for rank in wanted]
            case Count(_, kinds):
                if any(isinstance(kind, SameAs) and kind.what in ("", "rank") for kind in kinds):
                    return tuple((rank,) for rank in ranks)
                named += [kind.ranks for kind in kinds if not isinstance(kind, SameAs) and kind.ranks]
            case _:
                pass
    found: dict[tuple[object, ...], list[int]] = {}
    for rank in ranks:
        key: tuple[object, ...] = tuple(rank in some for some in named) if rank in _TENS else (rank,)
        found.setdefault(key, []).append(rank)
    return tuple(map(tuple, found.values()))


def looks_at_thirds(rules: Iterable[Rule]) -> bool:
    """Whether any rule asks for more than the first two cards of both hands."""
    for node in _nodes(rules):
        match node:
            case Predicate(_, places) | Measure(_, places) | Ranks(places, _) if THIRDS & set(places):
                return True
            case Count(places, kinds):
                alike = {kind.place for kind in kinds if isinstance(kind, SameAs)}
                if THIRDS & {*places, *alike}:
                    return True
            case _:
                pass
    return False


def suited_places(rules: Iterable[Rule]) -> frozenset[int]:
    """Find the places of the cards that a rule asks for the suit of."""
    places: set[int] = set()
    for node in _nodes(rules):
        match node:
            case Predicate(word, said_of) if word.suits:
                places |= set(said_of)
            case Count(counted, kinds):
                for kind in kinds:
                    if isinstance(kind, SameAs):
                        places |= {*counted, kind.place} if kind.what != "rank" else set()
                    elif kind.suits:
                        places |= set(counted)
            case _:
                pass
    return frozenset(places)


def suit_classes(rules: Iterable[Rule]) -> SuitClasses:
    """Put suits together that no rule tells apart: all four differ if any rule asks whether two cards share one.

    >>> suit_classes(())
    ((0, 1, 2, 3),)
    """
    named: list[frozenset[int]] = []
    for node in _nodes(rules):
        match node:
            case Predicate(word) if word.suits:
                if word.tells_apart != COLORS:
                    return tuple((int(suit),) for suit in Suit)
                named += COLORS
            case Count(_, kinds):
                for kind in kinds:
                    if isinstance(kind, SameAs):
                        if kind.what in ("", "suit"):
                            return tuple((int(suit),) for suit in Suit)
                        named += COLORS if kind.what == "color" else ()
                    elif kind.suits:
                        named.append(kind.suits)
            case _:
                pass
    found: dict[tuple[bool, ...], list[int]] = {}
    for suit in Suit:
        found.setdefault(tuple(suit in some for some in named), []).append(int(suit))
    return tuple(map(tuple, found.values()))
