"""How the suits of a finished hand can fall, as far as a rule can ask: all of one suit, of one color, or of both.

The hands whose cards all come from given suits are easily weighed; those of one color but not of one suit are a
difference of such hands, and so are those of both colors.
"""

from __future__ import annotations

from msgspec import Struct

from combinat.language.word import Suits
from decks import Suit

Scope = frozenset[int]
"""Suits that all of the finished hand's cards are drawn from."""

ALL_SUITS: Scope = frozenset({0, 1, 2, 3})
RED: Scope = frozenset(int(suit) for suit in Suit if suit.is_red)
BLACK: Scope = ALL_SUITS - RED


class Term(Struct, frozen=True):
    """Hands drawn from some suits, added or taken away."""

    sign: int
    scope: Scope


class SuitClass(Struct, frozen=True):
    """One way the finished hand's suits can fall, as a sum and difference of hands drawn from given suits."""

    sample: Suits
    """Two suits that stand for all: equal, of one color, or of both; the same ones for classes of one kind.

    Empty if nobody asks.
    """
    terms: tuple[Term, ...]
    """The widest first; the others are taken away."""
    size: int = 1
    """How many classes are like this one."""

    @property
    def scope(self) -> Scope:
        """The suits that any card of such a hand may have."""
        return self.terms[0].scope

    def has(self, suits: Suits) -> bool:
        """Whether the suits of a hand fall so."""
        widest, *without = self.terms
        return set(suits) <= widest.scope and not any(set(suits) <= term.scope for term in without)

    def __str__(self) -> str:
        match len(self.scope), len(self.terms):
            case 4, 1:
                return "any suits"
            case 4, _:
                return "both colors"
            case 1, _:
                return "one suit"
            case _:
                return "one color, not one suit"


def _class(sample: Suits, scope: Scope, *without: Scope, size: int = 1) -> SuitClass:
    return SuitClass(sample, (Term(1, scope), *(Term(-1, less) for less in without)), size)


ANY = _class((), ALL_SUITS)
_ONE_SUIT, _ONE_COLOR = (0, 0), tuple(sorted(RED))
_BOTH_COLORS = _class((0, 1), ALL_SUITS, RED, BLACK)
EACH: tuple[SuitClass, ...] = (
    *(_class(_ONE_SUIT, frozenset({suit})) for suit in range(4)),
    *(_class(_ONE_COLOR, color, *(frozenset({suit}) for suit in sorted(color))) for color in (RED, BLACK)),
    _BOTH_COLORS,
)
"""Every suit and every color by itself."""
ALIKE: tuple[SuitClass, ...] = (
    _class(_ONE_SUIT, frozenset({0}), size=4),
    _class(_ONE_COLOR, RED, *(frozenset({suit}) for suit in sorted(RED)), size=2),
    _BOTH_COLORS,
)
"""The same where all suits are alike, and so are both colors."""
