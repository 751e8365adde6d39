"""Exhaustive search for the combinations of open values that meet the constraints (branch and bound on arrays).

Unknowns are assigned one after the other, for many rows at once. Rows that can no longer meet a limit are dropped: the
unassigned unknowns add at least zero and at most their highest values. The last unknown is not enumerated; for each row
its feasible values are a range. Where numbers have more than 64 bits, their low bits are cut off and the limits widened
accordingly, and every result is checked again with exact integers.

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

from combinat.bets.pay import MAX_PAY
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
from combinat.finder.spec import (
    AWARD_SHARE,
    DESCENDING,
    DEVIATION,
    EDGE,
    FALLING,
    HITS,
    RATIO,
    SHARE,
    TOP,
    Constraint,
)

Rows = NDArray[Any]
"""Candidates: a row of values for each, one for every unknown; of 64 bits where these suffice."""


class ConstraintChecker:
    """Evaluates figures of candidates that are not linear in the values."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._open = [payout for payout in model.payouts if not payout.fixed]
        self._closed = [payout for payout in model.payouts if payout.fixed]

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
                mask &= is_within(
                    variance, *(None if end is None else end * denominator for end in (constraint.low, constraint.high))
                )
            elif constraint.kind == SHARE:
                mask &= self._share_within(rows, constraint)
            elif constraint.kind == AWARD_SHARE:
                mask &= self._award_share_within(rows, constraint)
            elif constraint.kind == TOP:
                mask &= self._top_within(rows, constraint)
            elif constraint.kind == RATIO:
                mask &= self._has_ratios(rows, constraint)
        return mask

    def figure(self, values: Sequence[int], constraint: Constraint) -> Fraction | None:
        """Return the figure of a candidate that a constraint limits; of a standard deviation, the variance.

        `None` if there is none: a bet that returns nothing has no shares of the return.
        """
        rows, deck_index = integer_array([list(values)]), constraint.at
        if constraint.kind == EDGE:
            return self._model.edges[deck_index].at(tuple(values))
        if constraint.kind == HITS:
            return (int(self._hits(rows, deck_index)[0]) + self._certain_hits(deck_index)) / self._model.ladder.cycles[
                deck_index
            ]
        if constraint.kind == DEVIATION:
            variance, denominator = self.variance(rows, deck_index)
            return Fraction(int(variance[0]), denominator)
        if constraint.kind in (SHARE, AWARD_SHARE):
            part, total = (
                self.top_shares(rows, deck_index)
                if constraint.kind == SHARE
                else self.award_shares(rows, deck_index, constraint.award)
            )
            return Fraction(int(part[0]), int(total[0])) if total[0] > 0 else None
        if constraint.kind == TOP:
            return self.top_pays(rows)[0]
        pairs = [
            (int(self.written_pays(rows, upper)[0]), int(self.written_pays(rows, lower)[0]))
            for upper, lower in self.neighbor_columns
        ]
        return min((Fraction(upper, lower) for upper, lower in pairs if lower > 0), default=Fraction(MAX_PAY))

    def can_meet(self, constraints: Sequence[Constraint]) -> bool:
        """Return whether any candidate can have the required hit frequency; pays matter only if some win can vanish."""
        lowest_row, highest_row = (
            integer_array([[variable.values[end] for variable in self._model.unknowns]]) for end in (0, -1)
        )
        if not np.array_equal(self._net_wins(lowest_row) > 0, self._net_wins(highest_row) > 0):
            return True
        return bool(
            self.check_rows(lowest_row, [constraint for constraint in constraints if constraint.kind == HITS])[0]
        )

    def _net_wins(self, rows: Rows) -> Rows:
        """Return what the outcomes with an unknown win for each candidate, in the unit of the pays."""
        dtype: Any = np.int64 if self._fits_in_64_bits else object
        factors = np.array([payout.factors for payout in self._open], dtype=dtype).reshape(
            len(self._open), rows.shape[1]
        )
        net_wins: Rows = rows.astype(dtype, copy=False) @ factors.T + np.array(
            [payout.base for payout in self._open], dtype=dtype
        )
        return net_wins

    @cached_property
    def _fits_in_64_bits(self) -> bool:
        """Whether every possible win fits into 64 bits."""
        sizes = [max(abs(variable.values[0]), abs(variable.values[-1])) for variable in self._model.unknowns]
        bounds = [
            abs(payout.base)
            + sum(multiplicity * size for multiplicity, size in zip(payout.factors, sizes, strict=True))
            for payout in self._open
        ]
        return max([*sizes, *bounds], default=0) + self._model.pay_unit < LARGEST

    def _hits_within(self, rows: Rows, constraint: Constraint) -> NDArray[np.bool_]:
        deck_index, cycle = constraint.at, self._model.ladder.cycles[constraint.at]
        certain_hits = self._certain_hits(deck_index)
        min_hits, max_hits = (
            None if end is None else end * cycle - certain_hits for end in (constraint.low, constraint.high)
        )
        return is_within(self._hits(rows, deck_index), min_hits, max_hits)

    def _hits(self, rows: Rows, deck_index: int) -> Rows:
        """Return the ways to win an award with an unknown pay."""
        return dot((self._net_wins(rows) > 0).astype(np.int64), [payout.ways[deck_index] for payout in self._open])

    def _certain_hits(self, deck_index: int) -> Fraction:
        """Return the ways to win other awards: of growing meters, and of wheels weighted by probability."""
        return sum(
            (payout.ways[deck_index] * _win_probability(payout.fixed[deck_index]) for payout in self._closed),
            Fraction(self._model.meter_ways[deck_index]),
        )

    def variance(self, rows: Rows, deck_index: int) -> tuple[NDArray[Any], int]:
        """Return the variance of each candidate at a deck count, as integers over one denominator."""
        model, unit, scale = self._model, self._model.pay_unit, self._scale
        cycle, losing = model.ladder.cycles[deck_index], model.losing[deck_index]
        ways = [payout.ways[deck_index] for payout in self._open]
        first_moments = [payout.ways[deck_index] * _mean(payout.fixed[deck_index], 1) * unit for payout in self._closed]
        second_moments = [
            payout.ways[deck_index] * _mean(payout.fixed[deck_index], 2) * unit**2 for payout in self._closed
        ]
        net_wins = self._net_wins(rows)
        mean = dot(
            net_wins, [count * scale for count in ways], int(sum(first_moments, Fraction(-losing * unit)) * scale)
        )
        square = dot(
            square_exactly(net_wins),
            [count * scale for count in ways],
            int(sum(second_moments, Fraction(losing * unit**2)) * scale),
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

    def _returns(self, rows: Rows, deck_index: int) -> tuple[Rows, list[int]]:
        """Return the gross result of each kind of outcome for each candidate, in one unit, and the ways of each."""
        unit, scale = self._model.pay_unit, self._scale
        columns = [np.array(multiply(self._net_wins(rows) + unit, scale))]
        ways = [payout.ways[deck_index] for payout in (*self._open, *self._closed)]
        for payout in self._closed:
            gross = int((_mean(payout.fixed[deck_index], 1) + 1) * unit * scale)
            columns.append(np.repeat(integer_array([[gross]]), len(rows), axis=0))
        return np.concatenate(columns, axis=1), ways

    def top_shares(self, rows: Rows, deck_index: int) -> tuple[Rows, Rows]:
        """Return for each candidate the return of its top award and the entire return, in one unit."""
        returns, ways = self._returns(rows, deck_index)
        order = self._ladder_order
        top_index = np.array(order)[returns[:, order].argmax(axis=1)]
        top_return = returns[np.arange(len(rows)), top_index].astype(object) * np.array(ways, dtype=object)[top_index]
        return top_return, dot(returns, ways).astype(object)

    def award_shares(self, rows: Rows, deck_index: int, award: int) -> tuple[Rows, Rows]:
        """Return for each candidate the return of an award, zero if it is dropped, and the entire return."""
        returns, ways = self._returns(rows, deck_index)
        award_return: Rows = np.zeros(len(rows), dtype=object)
        for column, payout in enumerate((*self._open, *self._closed)):
            if payout.award == award:
                award_return = award_return + returns[:, column].astype(object) * ways[column]
        return award_return, dot(returns, ways).astype(object)

    def _share_within(self, rows: Rows, constraint: Constraint) -> NDArray[np.bool_]:
        return _is_ratio_within(*self.top_shares(rows, constraint.at), constraint)

    def _award_share_within(self, rows: Rows, constraint: Constraint) -> NDArray[np.bool_]:
        return _is_ratio_within(*self.award_shares(rows, constraint.at, constraint.award), constraint)

    @property
    def _ladder_order(self) -> list[int]:
        """The outcomes in ladder order, which decides the top award among equal pays."""
        payouts = [*self._open, *self._closed]
        return sorted(range(len(payouts)), key=lambda payout_index: self._model.payouts.index(payouts[payout_index]))

    def top_pays(self, rows: Rows) -> list[Fraction]:
        """Return the highest pay of each candidate, as it is written; of a meter, its seed."""
        model = self._model
        columns = [(column, unknown) for column, unknown in enumerate(model.unknowns) if unknown.kind in (PAY, SEED)]
        fixed_pays = [] if model.max_fixed_pay is None else [model.max_fixed_pay]
        return [
            max([unknown.value(int(row[column])) for column, unknown in columns] + fixed_pays) for row in rows.tolist()
        ]

    def _top_within(self, rows: Rows, constraint: Constraint) -> NDArray[np.bool_]:
        model, low, high = self._model, constraint.low, constraint.high
        reaches_low: NDArray[np.bool_] = np.full(len(rows), low is None or (model.max_fixed_pay or 0) >= low)
        stays_below: NDArray[np.bool_] = np.full(
            len(rows), high is None or model.max_fixed_pay is None or model.max_fixed_pay <= high
        )
        for column, unknown in enumerate(model.unknowns):
            if unknown.kind in (PAY, SEED):
                low_value, high_value = (
                    None if end is None else (end - unknown.is_for_one) * unknown.unit for end in (low, high)
                )
                reaches_low |= is_within(rows[:, column], low_value, None)
                stays_below &= is_within(rows[:, column], None, high_value)
        return reaches_low & stays_below

    @cached_property
    def neighbor_columns(self) -> list[tuple[int, int]]:
        """Columns of neighboring awards whose pays have a minimum ratio."""
        column_by_award = {
            unknown.index: column for column, unknown in enumerate(self._model.unknowns) if unknown.kind == PAY
        }
        pairs = self._model.spec.neighbors(self._model.ladder.is_included)
        return [(column_by_award[upper], column_by_award[lower]) for upper, lower in pairs]

    def written_pays(self, rows: Rows, column: int) -> Rows:
        """Return the pays of an award as they are written, in the unit of the pays."""
        unknown = self._model.unknowns[column]
        written: Rows = rows[:, column].astype(object) + unknown.is_for_one * unknown.unit
        return written

    def _has_ratios(self, rows: Rows, constraint: Constraint) -> NDArray[np.bool_]:
        ratio = Fraction(1) if constraint.low is None else constraint.low  # 0 if an award above pays nothing
        mask = np.ones(len(rows), dtype=bool)
        for upper, lower in self.neighbor_columns:
            upper_pays, lower_pays = self.written_pays(rows, upper), self.written_pays(rows, lower)
            mask &= np.asarray(upper_pays * ratio.denominator >= lower_pays * ratio.numerator, dtype=bool)
        return mask


def _is_ratio_within(part: Rows, total: Rows, constraint: Constraint) -> NDArray[np.bool_]:
    """Return which parts have a share of a positive total within the limits."""
    mask = np.asarray(total > 0, dtype=bool)
    for end, sign in ((constraint.low, 1), (constraint.high, -1)):
        if end is not None:
            difference = part * end.denominator - total * end.numerator
            mask &= np.asarray(sign * difference >= 0, dtype=bool)
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

    def max_added(self, unknown: int) -> int:
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
        pays = integer_array(sorted({value for unknown in unknowns if unknown.kind == PAY for value in unknown.values}))
        self._scales = [pays if unknown.kind == PAY else integer_array(unknown.values) for unknown in unknowns]
        """For each unknown the values that its ranks stand for; pays share one scale, so that their ranks compare."""
        self._ranks = [
            np.searchsorted(scale, integer_array(unknown.values)).astype(np.int64)
            for scale, unknown in zip(self._scales, unknowns, strict=True)
        ]
        figures = [
            (model.edges[constraint.at], constraint.low, constraint.high)
            for constraint in constraints
            if constraint.kind == EDGE
        ]
        figures += [(room, Fraction(0), None) for room in model.remainders]
        values = [unknown.values for unknown in unknowns]
        self._limits = [_limit(figure, low, high, values) for figure, low, high in figures]
        self._checker, self._constraints = ConstraintChecker(model), constraints
        self._rank_tolerance = 0 if any(constraint.kind == FALLING for constraint in constraints) else 1
        """Ranks of ordered awards satisfy lower < upper + this: 1 if equal pays are allowed, else 0."""
        self._ordered_pairs = _ordered_pairs(model, constraints)
        max_addition = [
            max((limit.max_added(index) for limit in self._limits), default=0) for index in range(len(values))
        ]
        by_addition = sorted(range(len(values)), key=lambda index: (len(values[index]) > 1, -max_addition[index]))
        last_unknown = max(range(len(values)), key=lambda index: len(values[index]), default=None)
        self._order = sorted(by_addition, key=lambda index: index == last_unknown)

    def blocks(self, index: int, part_count: int) -> Iterator[CandidateBlock]:
        """Assign one unknown after the other; once there are enough rows, continue with those of the part."""
        if not self._checker.can_meet(self._constraints):
            yield CandidateBlock(np.zeros((0, len(self._order)), dtype=np.int64), STEPS)
            return
        rows, sums = np.zeros((1, 0), dtype=np.int64), np.zeros((1, len(self._limits)), dtype=np.int64)
        level = 0
        while 0 < len(rows) < part_count and level < len(self._order) - 1:
            rows, sums = self._assign_next(rows, sums, level)
            level += 1
        selection = slice(len(rows) * index // part_count, len(rows) * (index + 1) // part_count)
        if not self._order:  # every award with a fixed pay is omitted: only meters pay
            is_feasible = all(limit.low <= 0 <= limit.high for limit in self._limits)
            yield CandidateBlock(self._filter(rows[selection] if is_feasible else rows[:0]), STEPS)
            return
        yield from self._assign_rest(rows[selection], sums[selection], level, 0, STEPS)

    def _assign_rest(self, rows: Rows, sums: Rows, level: int, start: int, end: int) -> Iterator[CandidateBlock]:
        """Assign the next unknown, in batches of limited size."""
        ranks = self._ranks[self._order[level]]
        is_last = level == len(self._order) - 1
        batch_size = BATCH_SIZE if is_last else max(1, BATCH_SIZE // len(ranks))
        for batch_start in range(0, len(rows), batch_size):
            until = start + (end - start) * min(batch_start + batch_size, len(rows)) // len(rows)
            batch, batch_sums = (
                rows[batch_start : batch_start + batch_size],
                sums[batch_start : batch_start + batch_size],
            )
            if is_last:
                yield from self._assign_last(batch, batch_sums, until)
            else:
                rank_rows, total = self._assign_next(batch, batch_sums, level)
                yield from self._assign_rest(
                    rank_rows, total, level + 1, start + (end - start) * batch_start // len(rows), until
                )
        if not len(rows):
            yield CandidateBlock(np.zeros((0, len(self._order)), dtype=np.int64), end)

    def _assign_next(self, rows: Rows, sums: Rows, level: int) -> tuple[Rows, Rows]:
        unknown = self._order[level]
        ranks, repeats = self._ranks[unknown], len(rows)
        column = np.tile(ranks, repeats)
        rows, sums = np.repeat(rows, len(ranks), axis=0), np.repeat(sums, len(ranks), axis=0)
        is_allowed = np.ones(len(rows), dtype=bool)
        for column_index, earlier_unknown in enumerate(self._order[:level]):
            if (earlier_unknown, unknown) in self._ordered_pairs:
                is_allowed &= column < rows[:, column_index] + self._rank_tolerance
            elif (unknown, earlier_unknown) in self._ordered_pairs:
                is_allowed &= column > rows[:, column_index] - self._rank_tolerance
        later_unknowns = self._order[level + 1 :]
        for column_index, limit in enumerate(self._limits):
            sums[:, column_index] += np.tile(limit.added[unknown], repeats)
            is_allowed &= sums[:, column_index] <= limit.high
            is_allowed &= (
                sums[:, column_index] + sum(limit.max_added(earlier_unknown) for earlier_unknown in later_unknowns)
                >= limit.low
            )
        return np.concatenate([rows[is_allowed], column[is_allowed][:, None]], axis=1), sums[is_allowed]

    def _assign_last(self, rows: Rows, sums: Rows, done_steps: int) -> Iterator[CandidateBlock]:
        """Assign the last unknown by its range for each row."""
        unknown = self._order[-1]
        ranks = self._ranks[unknown]
        first_rank, end_rank = np.zeros(len(rows), dtype=np.int64), np.full(len(rows), len(ranks), dtype=np.int64)
        for column_index, limit in enumerate(self._limits):
            end_rank = np.minimum(
                end_rank, np.searchsorted(limit.added[unknown], limit.high - sums[:, column_index], side="right")
            )
            first_rank = np.maximum(
                first_rank, np.searchsorted(limit.added[unknown], limit.low - sums[:, column_index], side="left")
            )
        for column_index, earlier_unknown in enumerate(self._order[:-1]):
            if (earlier_unknown, unknown) in self._ordered_pairs:
                end_rank = np.minimum(
                    end_rank, np.searchsorted(ranks, rows[:, column_index] + self._rank_tolerance, side="left")
                )
            elif (unknown, earlier_unknown) in self._ordered_pairs:
                first_rank = np.maximum(
                    first_rank, np.searchsorted(ranks, rows[:, column_index] - self._rank_tolerance, side="right")
                )
        counts = np.maximum(end_rank - first_rank, 0)
        is_nonempty = counts > 0
        rows, first_rank, counts = rows[is_nonempty], first_rank[is_nonempty], counts[is_nonempty]
        for batch in _split_batches(counts):
            count = counts[batch]
            within_row = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
            column = ranks[np.repeat(first_rank[batch], count) + within_row]
            complete_rows = np.concatenate([np.repeat(rows[batch], count, axis=0), column[:, None]], axis=1)
            yield CandidateBlock(self._filter(complete_rows), done_steps)
        if not len(rows):
            yield CandidateBlock(np.zeros((0, len(self._order)), dtype=np.int64), done_steps)

    def _filter(self, rank_rows: Rows) -> Rows:
        """Restore the order of the unknowns, and keep the candidates that meet every constraint."""
        rows = self._values_of(rank_rows)
        is_allowed = self._checker.check_rows(rows, self._constraints)
        for limit in self._limits:
            if limit.exact is not None and is_allowed.any():
                figure, low, high = limit.exact
                figures = dot(rows, [-factor for factor in figure.factors], figure.constant)
                ends = (None if end is None else end * figure.denominator for end in (low, high))
                is_allowed &= is_within(figures, *ends)
        return rows[is_allowed]

    def _values_of(self, rank_rows: Rows) -> Rows:
        """Return the values of the ranks in rows, with the unknowns in their original order."""
        is_small = all(scale.dtype != object for scale in self._scales)
        rows = np.empty(rank_rows.shape, dtype=np.int64 if is_small else object)
        for column, unknown in enumerate(self._order):
            rows[:, unknown] = self._scales[unknown][rank_rows[:, column]]
        return rows


def _ordered_pairs(model: Model, constraints: Sequence[Constraint]) -> frozenset[tuple[int, int]]:
    """Return pairs of unknowns, an award and a lower one, whose pays must be in order."""
    kinds = {constraint.kind for constraint in constraints}
    pays = [(column, unknown.index) for column, unknown in enumerate(model.unknowns) if unknown.kind == PAY]
    descending = model.spec.descending_pairs if DESCENDING in kinds else frozenset()
    return frozenset(
        (upper_column, lower_column)
        for upper_column, upper_index in pays
        for lower_column, lower_index in pays
        if (FALLING in kinds and upper_index < lower_index) or (upper_index, lower_index) in descending
    )


def _split_batches(counts: NDArray[np.int64]) -> Iterator[slice]:
    """Divide rows into slices whose total count is limited."""
    batch_numbers = np.cumsum(counts) // BATCH_SIZE
    starts = [0, *(np.flatnonzero(np.diff(batch_numbers)) + 1).tolist(), len(counts)]
    yield from (slice(start, end) for start, end in pairwise(starts) if start < end)


def _limit(figure: Linear, low: Fraction | None, high: Fraction | None, values: Sequence[Sequence[int]]) -> _Limit:
    """Convert limits of a figure to bounds of a 64-bit sum, counted from the lowest value of each unknown.

    The figure is (constant - sum) / over, so that its upper limit is the lower bound of the sum.
    """
    if any(factor < 0 for factor in figure.factors):
        raise ArithmeticError("the edge must not rise with a pay")
    lowest = sum(factor * choices[0] for factor, choices in zip(figure.factors, values, strict=True))
    total_span = sum(
        factor * (choices[-1] - choices[0]) for factor, choices in zip(figure.factors, values, strict=True)
    )
    ceiling = figure.constant - lowest
    min_sum = 0 if high is None else max(0, -((high * figure.denominator - ceiling).__floor__()))
    max_sum = total_span if low is None else min(total_span, (ceiling - low * figure.denominator).__floor__())
    shift = max(0, total_span.bit_length() - LARGEST.bit_length() + 2)
    added_by_unknown = tuple(
        np.array([factor * (value - choices[0]) >> shift for value in choices], dtype=np.int64)
        for factor, choices in zip(figure.factors, values, strict=True)
    )
    if min_sum > total_span or max_sum < 0:
        return _Limit(added_by_unknown, 1, -1, None)  # unreachable: no sum satisfies it, and it may exceed 64 bits
    slack = sum(len(choices) > 1 for choices in values) if shift else 0  # the shift loses less than 1 for each of these
    return _Limit(
        added_by_unknown,
        max(0, (min_sum >> shift) - slack),
        max_sum >> shift,
        (figure, low, high) if shift else None,
    )
