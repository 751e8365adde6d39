"""Every outcome of a bet, class by class: which cards, in how many ways, and which award takes them.

Hands that differ only by a renaming of suits that no rule notices are one class, written as one of them. The ways of
all classes add up to the cycle: this is the enumeration itself, laid open for whoever wants to check it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from msgspec import Struct

from decks import Card

Roles = tuple[tuple[str, tuple[Card, ...]], ...]
"""For each role its cards; roles that are not told apart are one, called `all cards`."""

TOGETHER = "all cards"  # no role's name has a space
T = TypeVar("T")


class Outcome(Struct, frozen=True):
    """A class of outcomes: one hand of it, the ways of them all, and the award that takes them."""

    roles: Roles
    ways: int
    award: int | None
    """Which rule of the ladder takes them, counted from zero; `None` if none does."""
    dealt: Roles
    """The one hand as it could be dealt, also if roles are not told apart."""
    detail: str = ""
    """What else the class is known by, such as how the suits of a finished hand fall."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the one hand."""
        return tuple(card for _, cards in self.roles for card in cards)


class Step(Struct, frozen=True):
    """Some hands that an award takes, counted from first principles: a row under the derivation's columns."""

    award: int | None
    values: tuple[str | int | Fraction, ...]


class StepColumn(Struct, frozen=True):
    """A column of a derivation: its key in data, its title, and what kind of value stands in it."""

    key: str
    title: str
    kind: str
    """`text`, `formula`, `count` or `significant`, a probability to some digits that count."""


class Derivation(Struct, frozen=True):
    """How the counts come about, in terms that a reader can count again."""

    text: str
    caption: str
    columns: tuple[StepColumn, ...]
    steps: tuple[Step, ...]
    totals: tuple[Step, ...] = ()
    """For awards of several steps, what these come to, in the same columns."""
    all_hands: tuple[str | int | Fraction, ...] = ()
    """The last row: all hands together."""
    is_closed_form: bool = False
    """Whether the counts are polynomials in the number of decks that a reader can follow."""
    note: str = ""


def pick_typical(candidates: Sequence[T]) -> T:
    """Pick one of many that is neither the lowest nor the highest."""
    return candidates[len(candidates) * 5 // 8]
