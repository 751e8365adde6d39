"""Exhaustive search for the combinations of open values that meet the constraints (branch and bound on arrays).

Unknowns are assigned one after the other, for many rows at once. Rows that can no longer meet a limit are dropped: the
open unknowns add at least zero and at most their highest values. The last unknown is not enumerated; each row leaves it
a range. Where numbers have more than 64 bits, their low bits are cut off and the limits widened accordingly, and every
result is checked again with exact integers.

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

from combinat.finder.model import (
    LARGEST,
    PAY,
    SEED,
    Linear,
    Model,
    dot,
    integer_array,
    is_within,
    multiply,
    square_exactly,
    subtract,
)
from combinat.finder.spec import DESCENDING, DEVIATION, EDGE, FALLING, HITS, SHARE, TOP, Constraint

Rows = NDArray[Any]
"""Candidates: a row of values for each, one for every unknown; of 64 bits where these suffice."""


class ConstraintChecker:
    """Evaluates figures of candidates that are not linear in the values."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._open = [payout for payout in model.paid if not payout.fixed]
        self._closed = [payout for payout in model.paid if payout.fixed]

    def check_rows(self, rows: Rows, constraints: Sequence[Constraint]) -> NDArray[np.bool_]:
        """Return which candidates meet the nonlinear constraints."""
        mask = np.ones(len(rows), dtype=bool)
        if not len(rows):
            return mask
        for constraint in constraints:
            if constraint.kind == HITS:
                mask &= self._hits_within(rows, constraint)
            elif constraint.kind == DEVIATION:
                variance, denominator = self.variance(rows, constraint.at)
                low, high = (
                    None if end is None else end * abs(end) * denominator for end in (constraint.low, constraint.high)
                )
                mask &= is_within(variance, low, high)
            elif constraint.kind == SHARE:
                mask &= self._share_within(rows, constraint)
            elif constraint.kind == TOP:
                mask &= self._top_at_least(rows, constraint)
        return mask

    def can_meet(self, constraints: Sequence[Constraint]) -> bool:
        """Return whether any candidate can have the required hit frequency; pays matter only if some win can vanish."""
        lowest, highest = (integer_array([[item.values[end] for item in self._model.unknowns]]) for end in (0, -1))
        if not np.array_equal(self._won(lowest) > 0, self._won(highest) > 0):
            return True
        return bool(self.check_rows(lowest, [item for item in constraints if item.kind == HITS])[0])

    def _won(self, rows: Rows) -> Rows:
        """Return what the outcomes with an unknown win for each candidate, in the unit of the pays."""
        kind: Any = np.int64 if self._fits_in_64_bits else object
        factors = np.array([payout.factors for payout in self._open], dtype=kind).reshape(
            len(self._open), rows.shape[1]
        )
        won: Rows = rows.astype(kind, copy=False) @ factors.T + np.array(
            [payout.base for payout in self._open], dtype=kind
        )
        return won

    @cached_property
    def _fits_in_64_bits(self) -> bool:
        """Whether every possible win fits into 64 bits."""
        sizes = [max(abs(item.values[0]), abs(item.values[-1])) for item in self._model.unknowns]
        bounds = [
            abs(item.base) + sum(multiplicity * size for multiplicity, size in zip(item.factors, sizes, strict=True))
            for item in self._open
        ]
        return max([*sizes, *bounds]) + self._model.pay_unit < LARGEST

    def _hits_within(self, rows: Rows, constraint: Constraint) -> NDArray[np.bool_]:
        deck_index, cycle = constraint.at, self._model.kept.cycles[constraint.at]
        sure = sum(
            (payout.ways[deck_index] * _win_probability(payout.fixed[deck_index]) for payout in self._closed),
            Fraction(0),
        )
        hits = dot((self._won(rows) > 0).astype(np.int64), [payout.ways[deck_index] for payout in self._open])
        low, high = (None if end is None else end * cycle - sure for end in (constraint.low, constraint.high))
        return is_within(hits, low, high)

    def variance(self, rows: Rows, deck_index: int) -> tuple[NDArray[Any], int]:
        """Return the variance of each candidate at a deck count, as integers over one denominator."""
        model, unit, scale = self._model, self._model.pay_unit, self._scale
        cycle, losing = model.kept.cycles[deck_index], model.losing[deck_index]
        ways = [payout.ways[deck_index] for payout in self._open]
        first = [payout.ways[deck_index] * _mean(payout.fixed[deck_index], 1) * unit for payout in self._closed]
        second = [payout.ways[deck_index] * _mean(payout.fixed[deck_index], 2) * unit**2 for payout in self._closed]
        won = self._won(rows)
        mean = dot(won, [count * scale for count in ways], int(sum(first, Fraction(-losing * unit)) * scale))
        square = dot(
            square_exactly(won), [count * scale for count in ways], int(sum(second, Fraction(losing * unit**2)) * scale)
        )
        return subtract(multiply(square, cycle * scale), square_exactly(mean)), (cycle * unit * scale) ** 2

    @cached_property
    def _scale(self) -> int:
        """Factor that makes fixed results integers, in the unit of the pays."""
        unit = self._model.pay_unit
        moments = [
            _mean(results, power) * unit**power
            for payout in self._closed
            for results in payout.fixed
            for power in (1, 2)
        ]
        return lcm(*(moment.denominator for moment in moments))

    def _share_within(self, rows: Rows, constraint: Constraint) -> NDArray[np.bool_]:
        deck_index, unit, scale = constraint.at, self._model.pay_unit, self._scale
        returns = [np.array(multiply(self._won(rows) + unit, scale))]
        ways = [payout.ways[deck_index] for payout in (*self._open, *self._closed)]
        for payout in self._closed:
            returns.append(
                np.repeat(
                    integer_array([[int((_mean(payout.fixed[deck_index], 1) + 1) * unit * scale)]]), len(rows), axis=0
                )
            )
        all_returns = np.concatenate(returns, axis=1)
        order = self._ladder_order
        top = np.array(order)[all_returns[:, order].argmax(axis=1)]
        total = dot(all_returns, ways)
        highest = all_returns[np.arange(len(rows)), top].astype(object) * np.array(ways, dtype=object)[top]
        mask = np.asarray(total > 0, dtype=bool)
        for end, sign in ((constraint.low, 1), (constraint.high, -1)):
            if end is not None:
                difference = highest * end.denominator - total.astype(object) * end.numerator
                mask &= np.asarray(sign * difference >= 0, dtype=bool)
        return mask

    @property
    def _ladder_order(self) -> list[int]:
        """The outcomes in ladder order, which decides the top award among equal pays."""
        payouts = [*self._open, *self._closed]
        return sorted(range(len(payouts)), key=lambda number: self._model.paid.index(payouts[number]))

    def _top_at_least(self, rows: Rows, constraint: Constraint) -> NDArray[np.bool_]:
        model, minimum = self._model, constraint.low or Fraction(0)
        mask = np.full(len(rows), model.max_fixed_pay is not None and model.max_fixed_pay >= minimum)
        for number, unknown in enumerate(model.unknowns):
            if unknown.kind in (PAY, SEED):
                mask |= is_within(rows[:, number], (minimum - unknown.is_for_one) * unknown.unit, None)
        return mask


def _mean(results: Sequence[tuple[Fraction, Fraction]], power: int) -> Fraction:
    return sum((result**power * probability for result, probability in results), Fraction(0))


def _win_probability(results: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    return sum((probability for result, probability in results if result > 0), Fraction(0))


BATCH_SIZE = 1 << 18
"""Rows in one batch."""
STEPS = 1 << 30
"""Number of steps into which a search is divided for its progress."""


class CandidateBlock(Struct, frozen=True):
    """Candidates that meet all constraints, and the progress of the search."""

    rows: Rows
    done: int


class _Limit(Struct, frozen=True):
    """Bounds of a sum over the unknowns, each counted from its lowest value."""

    added: tuple[NDArray[np.int64], ...]
    """For each unknown, what each of its values adds, in ascending order."""
    low: int
    high: int
    exact: tuple[Linear, Fraction | None, Fraction | None] | None
    """The exact figure with its limits, if the sum is rounded."""

    def most(self, unknown: int) -> int:
        """Return the maximum that an unknown adds."""
        return int(self.added[unknown][-1])


def iter_candidates(
    model: Model, constraints: Sequence[Constraint], index: int = 0, part_count: int = 1
) -> Iterator[CandidateBlock]:
    """Yield all candidates of a model that meet the constraints, or those of part `index` of `part_count`."""
    yield from _Search(model, constraints).blocks(index, part_count)


class _Search:
    def __init__(self, model: Model, constraints: Sequence[Constraint]) -> None:
        unknowns = model.unknowns
        pays = integer_array(sorted({value for item in unknowns if item.kind == PAY for value in item.values}))
        self._scales = [pays if unknown.kind == PAY else integer_array(unknown.values) for unknown in unknowns]
        """For each unknown the values that its ranks stand for; pays share one scale, so that their ranks compare."""
        self._ranks = [
            np.searchsorted(scale, integer_array(unknown.values)).astype(np.int64)
            for scale, unknown in zip(self._scales, unknowns, strict=True)
        ]
        figures = [(model.edges[item.at], item.low, item.high) for item in constraints if item.kind == EDGE]
        figures += [(room, Fraction(0), None) for room in model.room]
        values = [unknown.values for unknown in unknowns]
        self._limits = [_limit(figure, low, high, values) for figure, low, high in figures]
        self._judge, self._wanted = ConstraintChecker(model), constraints
        self._equal = 0 if any(item.kind == FALLING for item in constraints) else 1
        """A lower award's rank is below an upper one's rank plus this: 1 where equal pays are in order."""
        self._ordered = _ordered_pairs(model, constraints)
        weight = [max((limit.most(index) for limit in self._limits), default=0) for index in range(len(values))]
        last = max(range(len(values)), key=lambda index: len(values[index]))
        earlier = [index for index in range(len(values)) if index != last]
        self._order = [*sorted(earlier, key=lambda index: (len(values[index]) > 1, -weight[index])), last]

    def blocks(self, index: int, part_count: int) -> Iterator[CandidateBlock]:
        """Assign one unknown after the other; of the rows that the first few make, those of the part are continued."""
        if not self._judge.can_meet(self._wanted):
            yield CandidateBlock(np.zeros((0, len(self._order)), dtype=np.int64), STEPS)
            return
        rows, sums = np.zeros((1, 0), dtype=np.int64), np.zeros((1, len(self._limits)), dtype=np.int64)
        level = 0
        while 0 < len(rows) < part_count and level < len(self._order) - 1:
            rows, sums = self._place_next(rows, sums, level)
            level += 1
        selection = slice(len(rows) * index // part_count, len(rows) * (index + 1) // part_count)
        yield from self._grow(rows[selection], sums[selection], level, 0, STEPS)

    def _grow(self, rows: Rows, sums: Rows, level: int, start: int, end: int) -> Iterator[CandidateBlock]:
        """Assign the next unknown, in batches of limited size."""
        ranks = self._ranks[self._order[level]]
        is_last = level == len(self._order) - 1
        batch_size = BATCH_SIZE if is_last else max(1, BATCH_SIZE // len(ranks))
        for first in range(0, len(rows), batch_size):
            until = start + (end - start) * min(first + batch_size, len(rows)) // len(rows)
            batch, batch_sums = rows[first : first + batch_size], sums[first : first + batch_size]
            if is_last:
                yield from self._finished(batch, batch_sums, until)
            else:
                placed, total = self._place_next(batch, batch_sums, level)
                yield from self._grow(placed, total, level + 1, start + (end - start) * first // len(rows), until)
        if not len(rows):
            yield CandidateBlock(np.zeros((0, len(self._order)), dtype=np.int64), end)

    def _place_next(self, rows: Rows, sums: Rows, level: int) -> tuple[Rows, Rows]:
        unknown = self._order[level]
        ranks, repeats = self._ranks[unknown], len(rows)
        column = np.tile(ranks, repeats)
        rows, sums = np.repeat(rows, len(ranks), axis=0), np.repeat(sums, len(ranks), axis=0)
        fits = np.ones(len(rows), dtype=bool)
        for number, earlier in enumerate(self._order[:level]):
            if (earlier, unknown) in self._ordered:
                fits &= column < rows[:, number] + self._equal
            elif (unknown, earlier) in self._ordered:
                fits &= column > rows[:, number] - self._equal
        later = self._order[level + 1 :]
        for number, limit in enumerate(self._limits):
            sums[:, number] += np.tile(limit.added[unknown], repeats)
            fits &= sums[:, number] <= limit.high
            fits &= sums[:, number] + sum(limit.most(earlier) for earlier in later) >= limit.low
        return np.concatenate([rows[fits], column[fits][:, None]], axis=1), sums[fits]

    def _finished(self, rows: Rows, sums: Rows, done: int) -> Iterator[CandidateBlock]:
        """Assign the last unknown by its range for each row."""
        unknown = self._order[-1]
        ranks = self._ranks[unknown]
        first, end = np.zeros(len(rows), dtype=np.int64), np.full(len(rows), len(ranks), dtype=np.int64)
        for number, limit in enumerate(self._limits):
            end = np.minimum(end, np.searchsorted(limit.added[unknown], limit.high - sums[:, number], side="right"))
            first = np.maximum(first, np.searchsorted(limit.added[unknown], limit.low - sums[:, number], side="left"))
        for number, earlier in enumerate(self._order[:-1]):
            if (earlier, unknown) in self._ordered:
                end = np.minimum(end, np.searchsorted(ranks, rows[:, number] + self._equal, side="left"))
            elif (unknown, earlier) in self._ordered:
                first = np.maximum(first, np.searchsorted(ranks, rows[:, number] - self._equal, side="right"))
        counts = np.maximum(end - first, 0)
        keeps = counts > 0
        rows, first, counts = rows[keeps], first[keeps], counts[keeps]
        for batch in _split_batches(counts):
            count = counts[batch]
            within_row = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
            column = ranks[np.repeat(first[batch], count) + within_row]
            complete_rows = np.concatenate([np.repeat(rows[batch], count, axis=0), column[:, None]], axis=1)
            yield CandidateBlock(self._judged(complete_rows), done)
        if not len(rows):
            yield CandidateBlock(np.zeros((0, len(self._order)), dtype=np.int64), done)

    def _judged(self, placed: Rows) -> Rows:
        """Restore the order of the unknowns, and keep the candidates that meet every constraint."""
        rows = self._values_of(placed)
        fits = self._judge.check_rows(rows, self._wanted)
        for limit in self._limits:
            if limit.exact is not None and fits.any():
                figure, low, high = limit.exact
                figures = dot(rows, [-factor for factor in figure.factors], figure.constant)
                ends = (None if end is None else end * figure.over for end in (low, high))
                fits &= is_within(figures, *ends)
        return rows[fits]

    def _values_of(self, placed: Rows) -> Rows:
        """Return the values of the ranks in rows, with the unknowns in their original order."""
        is_small = all(scale.dtype != object for scale in self._scales)
        rows = np.empty(placed.shape, dtype=np.int64 if is_small else object)
        for number, unknown in enumerate(self._order):
            rows[:, unknown] = self._scales[unknown][placed[:, number]]
        return rows


def _ordered_pairs(model: Model, constraints: Sequence[Constraint]) -> frozenset[tuple[int, int]]:
    """Return pairs of unknowns, an award and a lower one, whose pays must be in order."""
    kinds = {item.kind for item in constraints}
    pays = [(index, item.place) for index, item in enumerate(model.unknowns) if item.kind == PAY]
    descending = model.spec.descending_pairs if DESCENDING in kinds else frozenset()
    return frozenset(
        (upper, lower)
        for upper, upper_place in pays
        for lower, lower_place in pays
        if (FALLING in kinds and upper_place < lower_place) or (upper_place, lower_place) in descending
    )


def _split_batches(counts: NDArray[np.int64]) -> Iterator[slice]:
    """Divide rows into slices whose total count is limited."""
    number = np.cumsum(counts) // BATCH_SIZE
    starts = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(counts)]
    yield from (slice(start, end) for start, end in pairwise(starts) if start < end)


def _limit(figure: Linear, low: Fraction | None, high: Fraction | None, values: Sequence[Sequence[int]]) -> _Limit:
    """Convert limits of a figure to bounds of a 64-bit sum, counted from the lowest value of each unknown.

    The figure is (constant - sum) / over, so that its upper limit is the lower bound of the sum.
    """
    if any(factor < 0 for factor in figure.factors):
        raise ArithmeticError("a pay that is higher must not raise the edge")
    lowest = sum(factor * choices[0] for factor, choices in zip(figure.factors, values, strict=True))
    span = sum(factor * (choices[-1] - choices[0]) for factor, choices in zip(figure.factors, values, strict=True))
    ceiling = figure.constant - lowest
    at_least = 0 if high is None else max(0, -((high * figure.over - ceiling).__floor__()))
    at_most = span if low is None else min(span, (ceiling - low * figure.over).__floor__())
    shift = max(0, span.bit_length() - LARGEST.bit_length() + 2)
    added = tuple(
        np.array([factor * (value - choices[0]) >> shift for value in choices], dtype=np.int64)
        for factor, choices in zip(figure.factors, values, strict=True)
    )
    if at_least > span or at_most < 0:
        return _Limit(added, 1, -1, None)  # unreachable: beyond every sum, perhaps by more than 64 bits
    slack = (
        sum(len(choices) > 1 for choices in values) if shift else 0
    )  # each of these loses less than one by the shift
    return _Limit(
        added,
        max(0, (at_least >> shift) - slack),
        at_most >> shift,
        (figure, low, high) if shift else None,
    )
