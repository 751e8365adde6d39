"""Which of all candidates come first: sorted roughly by whole numbers many at a time, and the best of them exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from combinat.design.judged import Judge, Rows
from combinat.design.model import Model
from combinat.design.spec import CLOSEST, HIGHEST, LOWEST, ROUNDEST
from combinat.design.whole_numbers import dot, floor_divide, integer_array, times

_FINE = 30
"""Rough sorting by the edge goes by so many bits after the point."""
_COARSE = 10
"""Rough sorting by the variance goes by so many."""

Rank = tuple[Fraction, Fraction, tuple[Fraction, ...]]
"""What a candidate is sorted by: the order asked for, the distance from the edge wanted, and its values."""


def roundness(pay: Fraction) -> int:
    """Tell how far a pay is from a round number: 2 for each digit after the first, but 1 if that is a last 5.

    Zeros at the end do not count, and a pay that is no finite decimal counts like one of twelve digits.

    >>> [roundness(Fraction(pay)) for pay in ("30", "35", "33", "125", "2.5", "1000", "1/3")]
    [0, 1, 2, 3, 1, 0, 24]
    """
    scaled = pay
    for _ in range(12):
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).strip("0")
            last = 1 if digits.endswith("5") else 2
            return 0 if len(digits) < 2 else 2 * (len(digits) - 2) + last
        scaled *= 10
    return 24


class Ranking:
    """Sorts the candidates of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._spec = model.spec
        self._judge = Judge(model)
        self._round = [[roundness(one.value(value)) for value in one.values] for one in model.unknowns]
        self._values = [integer_array(one.values) for one in model.unknowns]

    def rough(self, rows: Rows) -> NDArray[Any]:
        """A whole number for each candidate: of two that differ in it, the one with the lower comes first."""
        if self._spec.order in (LOWEST, HIGHEST):
            variance, over = self._judge.variance(rows, 0)
            rough = floor_divide(times(variance, 1 << _COARSE), over)
            return rough if self._spec.order == LOWEST else -rough
        near = self._distance(rows)
        if self._spec.order == CLOSEST:
            return near
        both: NDArray[Any] = self._roundness(rows) * (1 << _FINE + 2) + np.minimum(near, (1 << _FINE + 2) - 1)
        return both

    def rank(self, row: Sequence[int]) -> Rank:
        """What a candidate is sorted by, exactly."""
        values = tuple(map(int, row))
        model, spec = self._model, self._spec
        wanted = spec.wanted
        distance = Fraction(0) if wanted is None else max(abs(edge.at(values) - wanted) for edge in model.edges)
        first = distance
        if spec.order == ROUNDEST:
            first = Fraction(
                sum(roundness(one.value(value)) for one, value in zip(model.unknowns, values, strict=True))
            )
        elif spec.order in (LOWEST, HIGHEST):
            variance, over = self._judge.variance(integer_array([values]), 0)
            first = Fraction(int(variance[0]), over) * (1 if spec.order == LOWEST else -1)
        return first, distance, tuple(one.value(value) for one, value in zip(model.unknowns, values, strict=True))

    def _roundness(self, rows: Rows) -> NDArray[np.int64]:
        total = np.zeros(len(rows), dtype=np.int64)
        for number, (values, costs) in enumerate(zip(self._values, self._round, strict=True)):
            total += np.array(costs, dtype=np.int64)[np.searchsorted(values, rows[:, number])]
        return total

    def _distance(self, rows: Rows) -> NDArray[Any]:
        """How far the edge is from the one wanted, at the deck count where that is most, in parts of a power of two.

        Zero if no edge is wanted.
        """
        target, furthest = self._spec.wanted, np.zeros(len(rows), dtype=np.int64)
        if target is None:
            return furthest
        for edge in self._model.edges:
            factors = [-factor * target.denominator for factor in edge.factors]
            constant = edge.constant * target.denominator - target.numerator * edge.over
            apart = abs(dot(rows, factors, constant))
            furthest = np.maximum(furthest, floor_divide(times(apart, 1 << _FINE), edge.over * target.denominator))
        return furthest
