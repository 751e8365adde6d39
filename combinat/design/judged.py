"""Which of many candidates meet the demands that are not linear, each judged by itself in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from combinat.design.constraint import DEVIATION, HITS, SHARE, TOP, Constraint
from combinat.design.model import PAY, SEED, Model
from combinat.design.whole_numbers import LARGEST, dot, integer_array, minus, squared, times, within

Rows = NDArray[Any]
"""Candidates: a row of values for each, one for every unknown; of 64 bits where these hold every value."""


class Judge:
    """Works out figures of candidates that depend on more than sums of the values."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._open = [one for one in model.paid if not one.fixed]
        self._closed = [one for one in model.paid if one.fixed]

    def meets(self, rows: Rows, wanted: Sequence[Constraint]) -> NDArray[np.bool_]:
        """Tell of each candidate whether it meets the demands that are not linear."""
        found = np.ones(len(rows), dtype=bool)
        if not len(rows):
            return found
        for one in wanted:
            if one.kind == HITS:
                found &= self._hits_within(rows, one)
            elif one.kind == DEVIATION:
                variance, over = self.variance(rows, one.at)
                low, high = (None if end is None else end * abs(end) * over for end in (one.low, one.high))
                found &= within(variance, low, high)
            elif one.kind == SHARE:
                found &= self._share_within(rows, one)
            elif one.kind == TOP:
                found &= self._top_at_least(rows, one)
        return found

    def can_meet(self, wanted: Sequence[Constraint]) -> bool:
        """Tell whether any candidate can hit as often as is asked; what always wins does so whatever it pays."""
        lowest, highest = (integer_array([[one.values[end] for one in self._model.unknowns]]) for end in (0, -1))
        if not np.array_equal(self._won(lowest) > 0, self._won(highest) > 0):
            return True
        return bool(self.meets(lowest, [one for one in wanted if one.kind == HITS])[0])

    def _won(self, rows: Rows) -> Rows:
        """What the outcomes win with each candidate that take an unknown, in the unit of the pays."""
        kind: Any = np.int64 if self._fits_in_64_bits else object
        factors = np.array([one.factors for one in self._open], dtype=kind).reshape(len(self._open), rows.shape[1])
        won: Rows = rows.astype(kind, copy=False) @ factors.T + np.array([one.base for one in self._open], dtype=kind)
        return won

    @cached_property
    def _fits_in_64_bits(self) -> bool:
        """Whether what any outcome wins or gets back is small enough, whatever the candidate."""
        sizes = [max(abs(one.values[0]), abs(one.values[-1])) for one in self._model.unknowns]
        bounds = [
            abs(one.base) + sum(times * size for times, size in zip(one.factors, sizes, strict=True))
            for one in self._open
        ]
        return max([*sizes, *bounds]) + self._model.pay_unit < LARGEST

    def _hits_within(self, rows: Rows, wanted: Constraint) -> NDArray[np.bool_]:
        at, cycle = wanted.at, self._model.kept.cycles[wanted.at]
        sure = sum((one.ways[at] * _chance(one.fixed[at]) for one in self._closed), Fraction(0))
        hits = dot((self._won(rows) > 0).astype(np.int64), [one.ways[at] for one in self._open])
        low, high = (None if end is None else end * cycle - sure for end in (wanted.low, wanted.high))
        return within(hits, low, high)

    def variance(self, rows: Rows, at: int) -> tuple[NDArray[Any], int]:
        """The variance of each candidate at a deck count, as whole numbers over one denominator."""
        model, unit, scale = self._model, self._model.pay_unit, self._scale
        cycle, losing = model.kept.cycles[at], model.losing[at]
        ways = [one.ways[at] for one in self._open]
        first = [one.ways[at] * _mean(one.fixed[at], 1) * unit for one in self._closed]
        second = [one.ways[at] * _mean(one.fixed[at], 2) * unit**2 for one in self._closed]
        won = self._won(rows)
        mean = dot(won, [many * scale for many in ways], int(sum(first, Fraction(-losing * unit)) * scale))
        square = dot(
            squared(won), [many * scale for many in ways], int(sum(second, Fraction(losing * unit**2)) * scale)
        )
        return minus(times(square, cycle * scale), squared(mean)), (cycle * unit * scale) ** 2

    @cached_property
    def _scale(self) -> int:
        """What results that stay as they are must be multiplied by to be whole, in the unit of the pays."""
        unit = self._model.pay_unit
        parts = [
            _mean(results, power) * unit**power for one in self._closed for results in one.fixed for power in (1, 2)
        ]
        return lcm(*(part.denominator for part in parts))

    def _share_within(self, rows: Rows, wanted: Constraint) -> NDArray[np.bool_]:
        at, unit, scale = wanted.at, self._model.pay_unit, self._scale
        back = [np.array(times(self._won(rows) + unit, scale))]
        ways = [one.ways[at] for one in (*self._open, *self._closed)]
        for one in self._closed:
            back.append(
                np.repeat(integer_array([[int((_mean(one.fixed[at], 1) + 1) * unit * scale)]]), len(rows), axis=0)
            )
        whole = np.concatenate(back, axis=1)
        order = self._ladder_order
        top = np.array(order)[whole[:, order].argmax(axis=1)]
        total = dot(whole, ways)
        highest = whole[np.arange(len(rows)), top].astype(object) * np.array(ways, dtype=object)[top]
        found = np.asarray(total > 0, dtype=bool)
        for end, sign in ((wanted.low, 1), (wanted.high, -1)):
            if end is not None:
                apart = highest * end.denominator - total.astype(object) * end.numerator
                found &= np.asarray(sign * apart >= 0, dtype=bool)
        return found

    @property
    def _ladder_order(self) -> list[int]:
        """The outcomes in the order of the ladder, by which the first of equal pays is the top award."""
        every = [*self._open, *self._closed]
        return sorted(range(len(every)), key=lambda number: self._model.paid.index(every[number]))

    def _top_at_least(self, rows: Rows, wanted: Constraint) -> NDArray[np.bool_]:
        model, least = self._model, wanted.low or Fraction(0)
        found = np.full(len(rows), model.highest_fixed is not None and model.highest_fixed >= least)
        for number, one in enumerate(model.unknowns):
            if one.kind in (PAY, SEED):
                found |= within(rows[:, number], (least - one.is_for_one) * one.unit, None)
        return found


def _mean(results: Sequence[tuple[Fraction, Fraction]], power: int) -> Fraction:
    return sum((result**power * chance for result, chance in results), Fraction(0))


def _chance(results: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    return sum((chance for result, chance in results if result > 0), Fraction(0))
