"""Numbers that depend on the row, kept as binary digits, each a bit set over the rows.

All rows are added and multiplied by a few hundred operations on integers, however many there are.
"""

from __future__ import annotations

from combinat.enumeration.table import Bits, MasksByValue

BitSliced = tuple[Bits, ...]
"""A number on every row: for each binary digit, lowest first, the rows that have it."""


def digits_of(numbers: MasksByValue) -> BitSliced:
    """Write numbers that depend on the row in binary.

    >>> digits_of({1: 0b001, 2: 0b010, 3: 0b100})
    (5, 6)
    """
    length = max(numbers, default=0).bit_length()
    digits = [0] * length
    for value, rows in numbers.items():
        for place in range(length):
            if value >> place & 1:
                digits[place] |= rows
    return tuple(digits)


def plus(one: BitSliced, other: BitSliced) -> BitSliced:
    """Add on every row at once, digit by digit with a carry."""
    total = []
    carry = 0
    for place in range(max(len(one), len(other))):
        a = one[place] if place < len(one) else 0
        b = other[place] if place < len(other) else 0
        half = a ^ b
        total.append(half ^ carry)
        carry = (a & b) | (half & carry)
    return (*total, carry) if carry else tuple(total)


def times(one: BitSliced, other: BitSliced) -> BitSliced:
    """Multiply on every row at once, by shifting and adding."""
    total: BitSliced = ()
    for place, rows in enumerate(other):
        more = tuple([digit & rows for digit in one])
        total = (*total[:place], *plus(total[place:], more)) if total else more  # lower digits stay as they are
    return total


def masked_sum(rows: Bits, digits: BitSliced) -> int:
    """Add up a number over some rows.

    >>> masked_sum(0b101, digits_of({1: 0b001, 2: 0b010, 3: 0b100}))
    4
    """
    return sum([(digit & rows).bit_count() << place for place, digit in enumerate(digits)]) if rows else 0
