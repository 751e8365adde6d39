"""Which of many candidates meet the demands that are not linear, each judged by itself in whole numbers.

Every combination of open values that meets the demands, block by block, none missed.

The values are placed one unknown after the other, many rows at once. Rows from which no limit can be kept any more are
dropped: what is still open can add at least nothing and at most its highest value. The last unknown is not tried value
by value; each row leaves it a range. Where numbers have more than 64 bits they are cut off at the low end, the limits
widened by as much as that can matter, and whatever is found is judged once more by the whole numbers.

Rows hold ranks of values instead of the values, which may have more than 64 bits; `_values_of` looks the values up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from combinat.finder.model import LARGEST, PAY, SEED, Linear, Model, dot, integer_array, minus, squared, times, within
from combinat.finder.spec import DESCENDING, DEVIATION, EDGE, FALLING, HITS, SHARE, TOP, Constraint

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


AT_A_TIME = 1 << 18
"""Rows that are looked at together."""
STEPS = 1 << 30
"""Into how many steps the whole search is divided, to tell how far it is."""


class Block(Struct, frozen=True):
    """Some candidates that meet all demands, and how much of the search is done."""

    rows: Rows
    done: int


class _Limit(Struct, frozen=True):
    """A sum over the unknowns, each counted from its lowest value, that must lie between two whole numbers."""

    added: tuple[NDArray[np.int64], ...]
    """For each unknown how much each of its values adds, from the lowest value up."""
    low: int
    high: int
    exact: tuple[Linear, Fraction | None, Fraction | None] | None
    """The figure itself with its limits, if the sum is but a part of it."""

    def most(self, at: int) -> int:
        """Return how much an unknown adds at most."""
        return int(self.added[at][-1])


def search(model: Model, wanted: Sequence[Constraint], part: int = 0, parts: int = 1) -> Iterator[Block]:
    """Find all candidates of a model that meet the demands, or those in one of so many parts of the search."""
    yield from _Search(model, wanted).blocks(part, parts)


class _Search:
    def __init__(self, model: Model, wanted: Sequence[Constraint]) -> None:
        unknowns = model.unknowns
        pays = integer_array(sorted({value for one in unknowns if one.kind == PAY for value in one.values}))
        self._scales = [pays if unknown.kind == PAY else integer_array(unknown.values) for unknown in unknowns]
        """For each unknown the values that its ranks stand for; pays share one scale, so that their ranks compare."""
        self._ranks = [
            np.searchsorted(scale, integer_array(unknown.values)).astype(np.int64)
            for scale, unknown in zip(self._scales, unknowns, strict=True)
        ]
        figures = [(model.edges[one.at], one.low, one.high) for one in wanted if one.kind == EDGE]
        figures += [(room, Fraction(0), None) for room in model.room]
        values = [unknown.values for unknown in unknowns]
        self._limits = [_limit(figure, low, high, values) for figure, low, high in figures]
        self._judge, self._wanted = Judge(model), wanted
        self._equal = 0 if any(one.kind == FALLING for one in wanted) else 1
        """A lower award's rank is below an upper one's rank plus this: 1 where equal pays are in order."""
        self._ordered = _ordered_pairs(model, wanted)
        weight = [max((limit.most(at) for limit in self._limits), default=0) for at in range(len(values))]
        last = max(range(len(values)), key=lambda at: len(values[at]))
        rest = [at for at in range(len(values)) if at != last]
        self._order = [*sorted(rest, key=lambda at: (len(values[at]) > 1, -weight[at])), last]

    def blocks(self, part: int, parts: int) -> Iterator[Block]:
        """Place one unknown after the other; of the rows that the first few make, those of the part go on."""
        if not self._judge.can_meet(self._wanted):
            yield Block(np.zeros((0, len(self._order)), dtype=np.int64), STEPS)
            return
        rows, sums = np.zeros((1, 0), dtype=np.int64), np.zeros((1, len(self._limits)), dtype=np.int64)
        level = 0
        while 0 < len(rows) < parts and level < len(self._order) - 1:
            rows, sums = self._placed(rows, sums, level)
            level += 1
        own = slice(len(rows) * part // parts, len(rows) * (part + 1) // parts)
        yield from self._grow(rows[own], sums[own], level, 0, STEPS)

    def _grow(self, rows: Rows, sums: Rows, level: int, start: int, end: int) -> Iterator[Block]:
        """Place the next unknown beside the rows, in parts that are not too large."""
        ranks = self._ranks[self._order[level]]
        is_last = level == len(self._order) - 1
        some = AT_A_TIME if is_last else max(1, AT_A_TIME // len(ranks))
        for first in range(0, len(rows), some):
            until = start + (end - start) * min(first + some, len(rows)) // len(rows)
            part, reached = rows[first : first + some], sums[first : first + some]
            if is_last:
                yield from self._finished(part, reached, until)
            else:
                placed, total = self._placed(part, reached, level)
                yield from self._grow(placed, total, level + 1, start + (end - start) * first // len(rows), until)
        if not len(rows):
            yield Block(np.zeros((0, len(self._order)), dtype=np.int64), end)

    def _placed(self, rows: Rows, sums: Rows, level: int) -> tuple[Rows, Rows]:
        at = self._order[level]
        ranks, repeats = self._ranks[at], len(rows)
        column = np.tile(ranks, repeats)
        rows, sums = np.repeat(rows, len(ranks), axis=0), np.repeat(sums, len(ranks), axis=0)
        fits = np.ones(len(rows), dtype=bool)
        for number, other in enumerate(self._order[:level]):
            if (other, at) in self._ordered:
                fits &= column < rows[:, number] + self._equal
            elif (at, other) in self._ordered:
                fits &= column > rows[:, number] - self._equal
        after = self._order[level + 1 :]
        for number, limit in enumerate(self._limits):
            sums[:, number] += np.tile(limit.added[at], repeats)
            fits &= sums[:, number] <= limit.high
            fits &= sums[:, number] + sum(limit.most(other) for other in after) >= limit.low
        return np.concatenate([rows[fits], column[fits][:, None]], axis=1), sums[fits]

    def _finished(self, rows: Rows, sums: Rows, done: int) -> Iterator[Block]:
        """Give the last unknown its range beside each row."""
        at = self._order[-1]
        ranks = self._ranks[at]
        first, end = np.zeros(len(rows), dtype=np.int64), np.full(len(rows), len(ranks), dtype=np.int64)
        for number, limit in enumerate(self._limits):
            end = np.minimum(end, np.searchsorted(limit.added[at], limit.high - sums[:, number], side="right"))
            first = np.maximum(first, np.searchsorted(limit.added[at], limit.low - sums[:, number], side="left"))
        for number, other in enumerate(self._order[:-1]):
            if (other, at) in self._ordered:
                end = np.minimum(end, np.searchsorted(ranks, rows[:, number] + self._equal, side="left"))
            elif (at, other) in self._ordered:
                first = np.maximum(first, np.searchsorted(ranks, rows[:, number] - self._equal, side="right"))
        many = np.maximum(end - first, 0)
        keeps = many > 0
        rows, first, many = rows[keeps], first[keeps], many[keeps]
        for part in _parts(many):
            count = many[part]
            within_row = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
            column = ranks[np.repeat(first[part], count) + within_row]
            whole = np.concatenate([np.repeat(rows[part], count, axis=0), column[:, None]], axis=1)
            yield Block(self._judged(whole), done)
        if not len(rows):
            yield Block(np.zeros((0, len(self._order)), dtype=np.int64), done)

    def _judged(self, placed: Rows) -> Rows:
        """Put the unknowns back into their order, and keep the candidates that meet every demand."""
        rows = self._values_of(placed)
        fits = self._judge.meets(rows, self._wanted)
        for limit in self._limits:
            if limit.exact is not None and fits.any():
                figure, low, high = limit.exact
                found = dot(rows, [-factor for factor in figure.factors], figure.constant)
                ends = (None if end is None else end * figure.over for end in (low, high))
                fits &= within(found, *ends)
        return rows[fits]

    def _values_of(self, placed: Rows) -> Rows:
        """Return the values that the ranks in rows stand for, the unknowns in their own order."""
        is_small = all(scale.dtype != object for scale in self._scales)
        rows = np.empty(placed.shape, dtype=np.int64 if is_small else object)
        for number, at in enumerate(self._order):
            rows[:, at] = self._scales[at][placed[:, number]]
        return rows


def _ordered_pairs(model: Model, wanted: Sequence[Constraint]) -> frozenset[tuple[int, int]]:
    """Return pairs of unknowns, an award and one below it, that must not be out of order."""
    kinds = {one.kind for one in wanted}
    pays = [(at, one.place) for at, one in enumerate(model.unknowns) if one.kind == PAY]
    descending = model.spec.descending_pairs if DESCENDING in kinds else frozenset()
    return frozenset(
        (upper, lower)
        for upper, upper_place in pays
        for lower, lower_place in pays
        if (FALLING in kinds and upper_place < lower_place) or (upper_place, lower_place) in descending
    )


def _parts(many: NDArray[np.int64]) -> Iterator[slice]:
    """Divide rows so that what they come to together is not too much."""
    number = np.cumsum(many) // AT_A_TIME
    starts = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(many)]
    yield from (slice(one, other) for one, other in pairwise(starts) if one < other)


def _limit(figure: Linear, low: Fraction | None, high: Fraction | None, values: Sequence[Sequence[int]]) -> _Limit:
    """Turn limits of a figure into limits of a sum of 64 bits, counted from the lowest value of each unknown.

    The figure is (constant - sum) / over, so that its upper limit is the lower one of the sum.
    """
    if any(factor < 0 for factor in figure.factors):
        raise ArithmeticError("a pay that is higher must not raise the edge")
    lowest = sum(factor * one[0] for factor, one in zip(figure.factors, values, strict=True))
    every = sum(factor * (one[-1] - one[0]) for factor, one in zip(figure.factors, values, strict=True))
    ceiling = figure.constant - lowest
    at_least = 0 if high is None else max(0, -((high * figure.over - ceiling).__floor__()))
    at_most = every if low is None else min(every, (ceiling - low * figure.over).__floor__())
    shift = max(0, every.bit_length() - LARGEST.bit_length() + 2)
    added = tuple(
        np.array([factor * (value - one[0]) >> shift for value in one], dtype=np.int64)
        for factor, one in zip(figure.factors, values, strict=True)
    )
    if at_least > every or at_most < 0:
        return _Limit(added, 1, -1, None)  # unreachable: beyond every sum, perhaps by more than 64 bits
    slack = sum(len(one) > 1 for one in values) if shift else 0  # each of these loses less than one by the shift
    return _Limit(
        added,
        max(0, (at_least >> shift) - slack),
        at_most >> shift,
        (figure, low, high) if shift else None,
    )
