"""How far two roots lie apart, kept exact until it is printed."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from msgspec import Struct

from combinat.exact.amounts import nearest
from combinat.exact.root import Root

_MORE_PLACES = 20
"""By how many places bounds are drawn closer until they round alike; the first time nearly always does."""


class Difference(Struct, frozen=True):
    """One root less another; it is seldom a root itself.

    >>> print(Difference(Root(Fraction(3)), Root(Fraction(2))))
    sqrt(3) - sqrt(2)
    >>> print(Difference(Root(Fraction(3), negative=True), Root(Fraction(2), negative=True)))
    -sqrt(3) + sqrt(2)
    """

    root: Root
    less: Root

    def __str__(self) -> str:
        return f"{self.root} {'+' if self.less.negative else '-'} {abs(self.less)}"

    def scaled(self, places: int) -> int:
        """Give it in units of the last place, rounded once, half to even.

        >>> Difference(Root(Fraction(2)), Root(Fraction(9, 4))).scaled(8)  # 1.41421356... less 1.5
        -8578644
        """
        root, less = self.root.rational, self.less.rational
        if root is not None and less is not None:
            return nearest((root - less) * Fraction(10) ** places)
        if self.root == self.less:
            return 0
        more = max(places, 0)
        while True:  # it ends: the difference is no fraction, so it lies within a rounding and not between two
            more += _MORE_PLACES
            unit = 10**more
            about, last = _floor(self.root, unit) - _floor(self.less, unit), Fraction(10) ** places / unit
            low, high = nearest((about - 1) * last), nearest((about + 1) * last)
            if low == high:
                return low


def _floor(root: Root, unit: int) -> int:
    size = isqrt(root.square.numerator * unit**2 // root.square.denominator)
    return -size - 1 if root.negative else size
