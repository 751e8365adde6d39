"""Sums of products of falling factorials, evaluated exactly for many shoes at once.

The number of ways to draw a hand is a product of falling factorials x(x-1)(x-2)..., one for each card type, with as
many factors as cards of it. The ways of an award are a sum of such products, the same for every shoe; only the counts x
differ. The products are arranged once in a tree of common prefixes, and numpy evaluates each step for all shoes.

64-bit integers may wrap around on the way as long as the final sum fits, since arithmetic modulo 2^64 is exact. A bound
computed from the largest counts decides beforehand; sums that might not fit use Python integers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import prod
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from combinat.exact.numbers import MAX_INT64

Factors = tuple[tuple[int, int], ...]
"""The card types of a hand by index, with the number of cards drawn of each."""
Term = tuple[int, int, Factors]
"""The index of the sum, the coefficient, and the product."""

_BATCH_CELLS = 2**18
"""Numbers evaluated at a time, so that they stay in the processor cache."""


N = TypeVar("N", int, NDArray[Any])


def falling_factorial(start: N, count: int) -> N:
    """Return start · (start - 1) · … with `count` factors; `start` is an integer of any sign or an array of them.

    >>> falling_factorial(5, 2), falling_factorial(1, 2), falling_factorial(-1, 2)
    (20, 0, 2)
    """
    product: Any = prod(start - index for index in range(count))
    return product  # type: ignore[no-any-return]


class FallingFactorialSums:
    """Sums of products of falling factorials of card counts.

    >>> pairs = FallingFactorialSums([(0, 1, ((0, 2),)), (0, 2, ((0, 1), (1, 1))), (1, 1, ((1, 13),))], sums=2)
    >>> pairs.evaluate([[4, 6], [3, 100]]).tolist()[0]  # 4·3 + 2·4·3 and 6·5 + 2·6·100
    [36, 1230]
    """

    def __init__(self, terms: Iterable[Term], sums: int) -> None:
        coefficients: Counter[tuple[int, Factors]] = Counter()
        for sum_index, coefficient, factors in terms:
            coefficients[sum_index, factors] += coefficient
        self._terms = [
            (sum_index, coefficient, factors)
            for (sum_index, factors), coefficient in coefficients.items()
            if coefficient
        ]
        self._sums = sums
        self._tree: _Tree | None = None
        self._large: tuple[frozenset[int], _Tree, _Tree] | None = None

    def evaluate(self, counts: Sequence[Sequence[int]] | NDArray[np.int64]) -> NDArray[np.object_]:
        """Evaluate every sum for every shoe: `counts` has a row for each card type, the result a row for each sum."""
        array = np.asarray(counts, dtype=np.int64)
        results = np.zeros((self._sums, array.shape[1]), dtype=object)
        if not array.shape[1]:
            return results
        large_sums = self._may_not_fit(array)
        if self._tree is None:
            self._tree = _Tree(self._terms)
        if not large_sums:
            self._tree.add(array, results)
            return results
        if self._large is None or self._large[0] != large_sums:
            small_terms = [term for term in self._terms if term[0] not in large_sums]
            self._large = (
                large_sums,
                _Tree(small_terms),
                _Tree([term for term in self._terms if term[0] in large_sums]),
            )
        self._large[1].add(array, results)
        self._large[2].add(array.astype(object), results)
        return results

    def _may_not_fit(self, counts: NDArray[np.int64]) -> frozenset[int]:
        """Return the sums that might not fit in 64 bits for these counts.

        Counts may be negative where a polynomial is evaluated; factors are then bounded by rising factorials.
        """
        max_counts = [int(row) for row in np.abs(counts).max(axis=1)]
        step = -1 if counts.min() >= 0 else 1
        bounds = [0] * self._sums
        falling: dict[tuple[int, int], int] = {}
        for sum_index, coefficient, factors in self._terms:
            bound = abs(coefficient)
            for factor in factors:
                if factor not in falling:
                    card_type, draws = factor
                    falling[factor] = prod(max(max_counts[card_type] + step * index, 0) for index in range(draws))
                bound *= falling[factor]
            bounds[sum_index] += bound
        return frozenset(sum_index for sum_index, bound in enumerate(bounds) if bound > MAX_INT64)


class _Tree:
    """A prefix tree of products: each node is its parent times one more factor."""

    def __init__(self, terms: Sequence[Term]) -> None:
        index_of_factor: dict[tuple[int, int], int] = {}
        nodes: dict[Factors, int] = {(): 0}
        self._levels: list[tuple[slice, NDArray[np.intp], NDArray[np.intp]]] = []
        for length in range(1, max((len(factors) for _, _, factors in terms), default=0) + 1):
            prefixes = dict.fromkeys(factors[:length] for _, _, factors in terms if len(factors) >= length)
            parents = np.array([nodes[prefix[:-1]] for prefix in prefixes], dtype=np.intp)
            last_factors = np.array(
                [index_of_factor.setdefault(prefix[-1], len(index_of_factor)) for prefix in prefixes], dtype=np.intp
            )
            start = len(nodes)
            nodes |= {prefix: start + index for index, prefix in enumerate(prefixes)}
            self._levels.append((slice(start, len(nodes)), parents, last_factors))
        self._factors = tuple(index_of_factor)
        self._nodes = len(nodes)
        sorted_terms = sorted(terms, key=lambda term: term[0])
        self._ends = np.array([nodes[factors] for _, _, factors in sorted_terms], dtype=np.intp)
        self._times = np.array([coefficient for _, coefficient, _ in sorted_terms], dtype=object)[:, None]
        first_index_of_sum = {sum_index: index for index, (sum_index, _, _) in reversed(list(enumerate(sorted_terms)))}
        self._sums = sorted(first_index_of_sum)
        self._starts = np.array([first_index_of_sum[sum_index] for sum_index in self._sums], dtype=np.intp)

    def add(self, counts: NDArray[Any], results: NDArray[np.object_]) -> None:
        """Evaluate the sums with the number type of `counts` and store them in the rows of `results`."""
        if not self._sums:
            return
        # A coefficient beyond 64 bits may wrap around, like the products.
        wrapped_coefficients = self._times if counts.dtype == object else (self._times + 2**63) % 2**64 - 2**63
        coefficients = wrapped_coefficients.astype(counts.dtype)
        width = min(max(_BATCH_CELLS // max(self._nodes, len(self._ends)), 8), counts.shape[1])
        buffers = _ScratchBuffers(self._nodes, len(self._ends), width, counts.dtype)
        for start in range(0, counts.shape[1], width):
            batch = counts[:, start : start + width]
            if batch.shape[1] < width:
                buffers = _ScratchBuffers(self._nodes, len(self._ends), batch.shape[1], counts.dtype)
            values = buffers.values
            values[0] = 1
            factors = self._falling(batch)
            for level, parents, last in self._levels:
                parent_values = np.take(values, parents, axis=0, out=buffers.earlier[: len(parents)], mode="clip")
                multipliers = np.take(factors, last, axis=0, out=buffers.more[: len(last)], mode="clip")
                np.multiply(parent_values, multipliers, out=values[level])
            ends = np.take(values, self._ends, axis=0, out=buffers.ends, mode="clip")
            ends *= coefficients
            results[self._sums, start : start + width] = np.add.reduceat(ends, self._starts, axis=0).astype(object)

    def _falling(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return the value of every factor, a falling factorial of a count."""
        rows = np.empty((len(self._factors), counts.shape[1]), dtype=counts.dtype)
        for row, (card_type, draws) in enumerate(self._factors):
            rows[row] = falling_factorial(counts[card_type], draws)
        return rows


class _ScratchBuffers:
    """Reused arrays for intermediate values: allocating them each time takes as long as the arithmetic."""

    def __init__(self, nodes: int, ends: int, width: int, kind: np.dtype[Any]) -> None:
        self.values = np.empty((nodes, width), dtype=kind)
        self.earlier = np.empty_like(self.values)
        self.more = np.empty_like(self.values)
        self.ends = np.empty((ends, width), dtype=kind)
