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
        for bit in range(length):
            if value >> bit & 1:
                digits[bit] |= rows
    return tuple(digits)


def plus(first: BitSliced, second: BitSliced) -> BitSliced:
    """Add on every row at once, digit by digit with a carry."""
    total = []
    carry = 0
    for bit in range(max(len(first), len(second))):
        a = first[bit] if bit < len(first) else 0
        b = second[bit] if bit < len(second) else 0
        partial = a ^ b
        total.append(partial ^ carry)
        carry = (a & b) | (partial & carry)
    return (*total, carry) if carry else tuple(total)


def times(first: BitSliced, second: BitSliced) -> BitSliced:
    """Multiply on every row at once, by shifting and adding."""
    total: BitSliced = ()
    for bit, rows in enumerate(second):
        partial = tuple([digit & rows for digit in first])
        total = (*total[:bit], *plus(total[bit:], partial)) if total else partial  # lower digits stay as they are
    return total


def masked_sum(rows: Bits, digits: BitSliced) -> int:
    """Add up a number over some rows.

    >>> masked_sum(0b101, digits_of({1: 0b001, 2: 0b010, 3: 0b100}))
    4
    """
    return sum([(digit & rows).bit_count() << bit for bit, digit in enumerate(digits)]) if rows else 0
