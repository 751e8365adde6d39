"""Many exact numbers over one denominator."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import overload

from combinat.exact.exact import Exact


class Column(Sequence[Fraction]):
    """Fractions of one denominator, kept as whole numbers; each is made and reduced when it is asked for.

    >>> thirds = Column([1, 3, -2], 3)
    >>> thirds[1], list(thirds[::2]), min(thirds)
    (Fraction(1, 1), [Fraction(1, 3), Fraction(-2, 3)], Fraction(-2, 3))
    """

    def __init__(self, numerators: Sequence[int], denominator: int) -> None:
        self.numerators = numerators
        self.denominator = denominator

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Column):
            return NotImplemented
        return (self.denominator, list(self.numerators)) == (other.denominator, list(other.numerators)) or (
            len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))
        )

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __len__(self) -> int:
        return len(self.numerators)

    @overload
    def __getitem__(self, place: int) -> Fraction: ...

    @overload
    def __getitem__(self, place: slice) -> Column: ...

    def __getitem__(self, place: int | slice) -> Fraction | Column:
        if isinstance(place, slice):
            return Column(self.numerators[place], self.denominator)
        return Exact(self.numerators[place], self.denominator)

    def __repr__(self) -> str:
        some = ", ".join(f"{one.numerator}/{one.denominator}" for one in self[:3])
        return f"<Column of {len(self):,}: {some}{', ...' if len(self) > 3 else ''}>"
