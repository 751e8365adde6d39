"""Shapes of hands, and how they are drawn from any number of decks.

A hand's shape says how its cards are drawn: for each kind of card, how many there are in one deck, how many are gone
already, and how many are drawn. Three different cards are ((1, 0, 1), (1, 0, 1), (1, 0, 1)); one card twice and another
once ((1, 0, 1), (1, 0, 2)). From n decks, m cards of a kind of which there are c in a deck and g are gone come in
(cn-g)(cn-g-1)...(cn-g-m+1) ways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import perm, prod
from operator import itemgetter, mul
from typing import Any, NamedTuple


class Drawn(NamedTuple):
    """Cards of one kind that are drawn: how many there are in one deck, how many are gone already, how many come."""

    copies: int
    gone: int
    times: int


Shape = tuple[Drawn, ...]
ShapeCounts = Mapping[Any, int]
"""How many ordered hands of card types there are of each shape; a tally of an experiment's own may count otherwise."""


class Terms:
    """A sum over some shapes, each as often as it is counted."""

    def __init__(self, places: list[int], counts: list[int]) -> None:
        self._ways = itemgetter(*places, 0)
        self._counts = (*counts, 0)

    def total(self, ordered: Sequence[int]) -> int:
        """Add up the ways of every shape."""
        return sum(map(mul, self._counts, self._ways(ordered)))


class Drawing:
    """How the shapes of a tally are drawn, laid out so that another number of decks is read off quickly.

    Shapes are many and what they are made of is little, so each factor is worked out but once.
    """

    def __init__(self, parts: Sequence[ShapeCounts | None]) -> None:
        shapes = {
            shape: place for place, shape in enumerate(dict.fromkeys(shape for part in parts for shape in part or ()))
        }
        self._factors = {
            one: place for place, one in enumerate(dict.fromkeys(one for shape in shapes for one in shape))
        }
        after = len(self._factors)
        """The ways of the cards after a hand stand behind the factors, by how many cards the hand has."""
        self._shapes = [
            itemgetter(*(self._factors[one] for one in shape), after + sum(one.times for one in shape), -1)
            for shape in shapes
        ]
        self.terms = [Terms([shapes[shape] for shape in part], list(part.values())) if part else None for part in parts]

    def at(self, decks: int, cards: int, length: int) -> list[int]:
        """Count the ways of each shape in order, and then of any cards up to the full length."""
        values = [perm(max(one.copies * decks - one.gone, 0), one.times) for one in self._factors]
        values += [perm(cards - drawn, length - drawn) if drawn <= cards else 0 for drawn in range(length + 1)]
        values.append(1)
        return [prod(factors(values)) for factors in self._shapes]
