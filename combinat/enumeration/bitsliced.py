"""Bit-sliced arithmetic: a number for each row of an outcome table, stored as one mask per binary digit.

All rows are added or multiplied by a few hundred integer operations, independent of their number.
"""

from __future__ import annotations

from combinat.enumeration.table import Mask, MasksByValue

BitSliced = tuple[Mask, ...]
"""A number for each row: for each binary digit, lowest first, the mask of the rows that have it."""


def slice_bits(numbers: MasksByValue) -> BitSliced:
    """Convert numbers, given as masks by value, to bit-sliced form.

    >>> slice_bits({1: 0b001, 2: 0b010, 3: 0b100})
    (5, 6)
    """
    length = max(numbers, default=0).bit_length()
    digits = [0] * length
    for value, rows in numbers.items():
        for bit in range(length):
            if value >> bit & 1:
                digits[bit] |= rows
    return tuple(digits)


def add_sliced(first: BitSliced, second: BitSliced) -> BitSliced:
    """Add two bit-sliced numbers on every row, digit by digit with a carry."""
    total = []
    carry = 0
    for bit in range(max(len(first), len(second))):
        a = first[bit] if bit < len(first) else 0
        b = second[bit] if bit < len(second) else 0
        partial = a ^ b
        total.append(partial ^ carry)
        carry = (a & b) | (partial & carry)
    return (*total, carry) if carry else tuple(total)


def multiply_sliced(first: BitSliced, second: BitSliced) -> BitSliced:
    """Multiply two bit-sliced numbers on every row, by shifting and adding."""
    total: BitSliced = ()
    for bit, rows in enumerate(second):
        partial = tuple([digit & rows for digit in first])
        total = (*total[:bit], *add_sliced(total[bit:], partial)) if total else partial  # lower digits stay as they are
    return total


def masked_sum(rows: Mask, digits: BitSliced) -> int:
    """Sum a bit-sliced number over the rows of a mask.

    >>> masked_sum(0b101, slice_bits({1: 0b001, 2: 0b010, 3: 0b100}))
    4
    """
    return sum([(digit & rows).bit_count() << bit for bit, digit in enumerate(digits)]) if rows else 0
