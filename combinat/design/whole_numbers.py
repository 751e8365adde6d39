"""Sums of products of whole numbers for many rows at once, in 64 bits only where these surely hold them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST = 2**62
"""Sums stay below this, so that two of them can still be added in 64 bits."""


def dot(rows: NDArray[Any], factors: Sequence[int], constant: int = 0) -> NDArray[Any]:
    """Multiply each row by the factors and add up, exactly.

    >>> dot(np.array([[1, 2], [3, 4]]), [10, 1], 5).tolist(), dot(np.array([[2]]), [2**80]).tolist() == [2**81]
    ([17, 39], True)
    >>> dot(np.array([[0, 2]]), [2**80, 1]).tolist()
    [2]
    """
    most = largest(rows)
    bound = abs(constant) + sum(abs(factor) * one for factor, one in zip(factors, most, strict=True))
    bound = max(bound, *map(abs, factors), 0)  # a factor must fit too, even beside zeros alone
    kind: Any = np.int64 if bound < LARGEST and rows.dtype != object else object
    found: NDArray[Any] = rows.astype(kind, copy=False) @ np.array(factors, dtype=kind) + constant
    return found


def integer_array(numbers: Sequence[int] | Sequence[Sequence[int]]) -> NDArray[Any]:
    """Return numbers, or rows of equal length, as an array of 64 bits where these hold them, else of Python's integers.

    NumPy by itself would take 2**63 for an unsigned number, and that beside a negative one for a float.

    >>> integer_array([1, 2]).dtype.name, integer_array([2**63, -1]).tolist() == [2**63, -1]
    ('int64', True)
    """
    exact = np.array(numbers, dtype=object)
    fits = all(abs(number) < LARGEST for number in exact.ravel().tolist())
    return exact.astype(np.int64) if fits else exact


def floor_divide(numbers: NDArray[Any], divisor: int) -> NDArray[Any]:
    """Divide numbers by a positive one and round down, exactly, also where the divisor has more than 64 bits.

    >>> floor_divide(np.array([7, -1]), 2**80).tolist()
    [0, -1]
    """
    quotients: NDArray[Any] = (numbers if divisor < LARGEST else numbers.astype(object)) // divisor
    return quotients


def largest(rows: NDArray[Any]) -> list[int]:
    """The largest size of the numbers in each column."""
    return (
        [max(abs(int(column.max())), abs(int(column.min()))) for column in rows.T] if len(rows) else [0] * rows.shape[1]
    )


def squared(numbers: NDArray[Any]) -> NDArray[Any]:
    """Square numbers, exactly."""
    most = max(abs(int(numbers.max())), abs(int(numbers.min()))) if numbers.size else 0
    found: NDArray[Any] = (numbers if most**2 < LARGEST else numbers.astype(object)) ** 2
    return found


def times(numbers: NDArray[Any], factor: int) -> NDArray[Any]:
    """Multiply numbers by one, exactly.

    >>> times(np.array([0, 0]), 2**80).tolist()
    [0, 0]
    """
    most = max(abs(int(numbers.max())), abs(int(numbers.min())), 1) if numbers.size else 1
    found: NDArray[Any] = (numbers if most * abs(factor) < LARGEST else numbers.astype(object)) * factor
    return found


def minus(numbers: NDArray[Any], others: NDArray[Any]) -> NDArray[Any]:
    """Take numbers from others that are each below the largest, or any if they are Python's."""
    found: NDArray[Any] = numbers - others
    return found


def within(numbers: NDArray[Any], low: Fraction | None, high: Fraction | None) -> NDArray[np.bool_]:
    """Tell of whole numbers whether they lie within limits.

    >>> within(np.array([1, 2, 3]), Fraction(3, 2), None).tolist()
    [False, True, True]
    """
    found = np.ones(len(numbers), dtype=bool)
    if low is not None:
        found &= np.asarray(numbers >= _fitting(-((-low).__floor__()), numbers), dtype=bool)
    if high is not None:
        found &= np.asarray(numbers <= _fitting(high.__floor__(), numbers), dtype=bool)
    return found


def _fitting(limit: int, numbers: NDArray[Any]) -> int:
    """A limit that numbers of 64 bits can be compared with: one that none of them reaches is as good as any beyond."""
    return limit if numbers.dtype == object else max(-2 * LARGEST + 1, min(limit, 2 * LARGEST - 1))
