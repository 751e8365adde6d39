"""Outcomes and derivations: the enumeration in a form that a reader can check.

An outcome is an equivalence class of hands under suit permutations that no rule distinguishes, represented by one hand,
with its ways and its award. The ways of all outcomes add up to the cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from msgspec import Struct

from decks import Card

Roles = tuple[tuple[str, tuple[Card, ...]], ...]
"""The cards of each role; roles that are not distinguished are combined as `all cards`."""

ALL_CARDS_ROLE = "all cards"  # no role's name has a space
T = TypeVar("T")


class Outcome(Struct, frozen=True):
    """An equivalence class of hands: a representative, the ways of all, and the award that takes them."""

    roles: Roles
    ways: int
    award: int | None
    """The index of the rule that takes them; `None` for losing hands."""
    dealt: Roles
    """The representative as it could be dealt, even if roles are not distinguished."""
    detail: str = ""
    """A further property of the outcome, such as the suits of a finished hand."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the representative."""
        return tuple(card for _, cards in self.roles for card in cards)


class DerivationStep(Struct, frozen=True):
    """A row of a derivation: some hands of an award."""

    award: int | None
    values: tuple[str | int | Fraction, ...]


class StepColumn(Struct, frozen=True):
    """A column of a derivation: its key in data, its title, and the kind of its values."""

    key: str
    title: str
    kind: str
    """`text`, `formula`, `count` or `significant` (a probability rounded to significant digits)."""


class Derivation(Struct, frozen=True):
    """A derivation of the counts that a reader can check."""

    text: str
    caption: str
    columns: tuple[StepColumn, ...]
    steps: tuple[DerivationStep, ...]
    totals: tuple[DerivationStep, ...] = ()
    """Subtotals for awards with several steps, in the same columns."""
    all_hands: tuple[str | int | Fraction, ...] = ()
    """The last row, for all hands."""
    is_closed_form: bool = False
    """Whether the counts are polynomials in the number of decks that a reader can follow."""
    note: str = ""


def pick_typical(candidates: Sequence[T]) -> T:
    """Return an element from beyond the middle of the candidates."""
    return candidates[len(candidates) * 5 // 8]


class FinishedHand(Struct, frozen=True):
    """A finished hand of the dealer by ranks, with the ways in which it takes each award.

    Ways are ordered draws of the hand's own cards; cards dealt to others are not counted.
    """

    up: int
    """The rank of the up card; ranks that no rule distinguishes are given by the lowest of them."""
    ranks: tuple[int, ...]
    """The rank of each card, the up card included, in no order."""
    wins: tuple[int, ...]
    losing: int
