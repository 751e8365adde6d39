"""Every combination of open values that meets the demands, block by block, none missed.

The values are placed one unknown after the other, many rows at once. Rows from which no limit can be kept any more are
dropped: what is still open can add at least nothing and at most its highest value. The last unknown is not tried value
by value; each row leaves it a range. Where numbers have more than 64 bits they are cut off at the low end, the limits
widened by as much as that can matter, and whatever is found is judged once more by the whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from combinat.design.constraint import EDGE, FALLING, Constraint
from combinat.design.judged import Judge, Rows
from combinat.design.model import PAY, Linear, Model
from combinat.design.whole_numbers import LARGEST, dot, within

AT_A_TIME = 1 << 18
"""Rows that are looked at together."""
STEPS = 1 << 30
"""Into how many steps the whole search is divided, to tell how far it is."""


class Block(Struct, frozen=True):
    """Some candidates that meet all demands, and how much of the search is done."""

    rows: Rows
    done: int


class _Limit(Struct, frozen=True):
    """A sum of factors times values, counted from the lowest of each, that must lie between two whole numbers."""

    factors: NDArray[np.int64]
    low: int
    high: int
    most: NDArray[np.int64]
    """For each unknown how much it can add at most."""
    exact: tuple[Linear, Fraction | None, Fraction | None] | None
    """The figure itself with its limits, if the sum is but a part of it."""


def search(model: Model, wanted: Sequence[Constraint], part: int = 0, parts: int = 1) -> Iterator[Block]:
    """Find all candidates of a model that meet the demands, or those in one of so many parts of the search."""
    yield from _Search(model, wanted).blocks(part, parts)


class _Search:
    def __init__(self, model: Model, wanted: Sequence[Constraint]) -> None:
        self._values = [np.array(one.values, dtype=np.int64) for one in model.unknowns]
        figures = [(model.edges[one.at], one.low, one.high) for one in wanted if one.kind == EDGE]
        figures += [(room, Fraction(0), None) for room in model.room]
        self._limits = [_limit(figure, low, high, self._values) for figure, low, high in figures]
        self._judge, self._wanted = Judge(model), wanted
        falls = any(one.kind == FALLING for one in wanted)
        self._ladder = {at: one.place for at, one in enumerate(model.unknowns) if one.kind == PAY} if falls else {}
        weight = [max((int(limit.most[at]) for limit in self._limits), default=0) for at in range(len(self._values))]
        last = max(range(len(self._values)), key=lambda at: len(self._values[at]))
        rest = [at for at in range(len(self._values)) if at != last]
        self._order = [*sorted(rest, key=lambda at: (len(self._values[at]) > 1, -weight[at])), last]

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
        values = self._values[self._order[level]]
        is_last = level == len(self._order) - 1
        some = AT_A_TIME if is_last else max(1, AT_A_TIME // len(values))
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
        values = self._values[at]
        column = np.tile(values, len(rows))
        rows, sums = np.repeat(rows, len(values), axis=0), np.repeat(sums, len(values), axis=0)
        fits = np.ones(len(rows), dtype=bool)
        for number, other in enumerate(self._order[:level]):
            if (falls := self._falls(at, other)) is not None:
                fits &= (column < rows[:, number]) if falls else (column > rows[:, number])
        after = self._order[level + 1 :]
        for number, limit in enumerate(self._limits):
            sums[:, number] += limit.factors[at] * (column - values[0])
            fits &= sums[:, number] <= limit.high
            fits &= sums[:, number] + int(limit.most[after].sum()) >= limit.low
        return np.concatenate([rows[fits], column[fits][:, None]], axis=1), sums[fits]

    def _falls(self, one: int, other: int) -> bool | None:
        """Whether an unknown must be less than another (true) or more (false); neither if they are no such awards."""
        if one not in self._ladder or other not in self._ladder:
            return None
        return self._ladder[one] > self._ladder[other]

    def _finished(self, rows: Rows, sums: Rows, done: int) -> Iterator[Block]:
        """Give the last unknown its range beside each row."""
        at = self._order[-1]
        values = self._values[at]
        above = values - values[0]
        first, end = np.zeros(len(rows), dtype=np.int64), np.full(len(rows), len(values), dtype=np.int64)
        for number, limit in enumerate(self._limits):
            factor, left = int(limit.factors[at]), limit.high - sums[:, number]
            needed = limit.low - sums[:, number]
            if factor:
                end = np.minimum(end, np.searchsorted(above, left // factor, side="right"))
                first = np.maximum(first, np.searchsorted(above, -(-needed // factor), side="left"))
            else:
                end = np.where((left >= 0) & (needed <= 0), end, 0)
        for number, other in enumerate(self._order[:-1]):
            if (falls := self._falls(at, other)) is True:
                end = np.minimum(end, np.searchsorted(values, rows[:, number], side="left"))
            elif falls is False:
                first = np.maximum(first, np.searchsorted(values, rows[:, number], side="right"))
        many = np.maximum(end - first, 0)
        keeps = many > 0
        rows, first, many = rows[keeps], first[keeps], many[keeps]
        for part in _parts(many):
            count = many[part]
            within_row = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
            column = values[np.repeat(first[part], count) + within_row]
            whole = np.concatenate([np.repeat(rows[part], count, axis=0), column[:, None]], axis=1)
            yield Block(self._judged(whole), done)
        if not len(rows):
            yield Block(np.zeros((0, len(self._order)), dtype=np.int64), done)

    def _judged(self, placed: Rows) -> Rows:
        """Put the unknowns back into their order, and keep the candidates that meet every demand."""
        rows = np.empty_like(placed)
        rows[:, self._order] = placed
        fits = self._judge.meets(rows, self._wanted)
        for limit in self._limits:
            if limit.exact is not None and fits.any():
                figure, low, high = limit.exact
                found = dot(rows, [-factor for factor in figure.factors], figure.constant)
                ends = (None if end is None else end * figure.over for end in (low, high))
                fits &= within(found, *ends)
        return rows[fits]


def _parts(many: NDArray[np.int64]) -> Iterator[slice]:
    """Divide rows so that what they come to together is not too much."""
    number = np.cumsum(many) // AT_A_TIME
    starts = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(many)]
    yield from (slice(one, other) for one, other in pairwise(starts) if one < other)


def _limit(figure: Linear, low: Fraction | None, high: Fraction | None, values: Sequence[NDArray[Any]]) -> _Limit:
    """Turn limits of a figure into limits of a sum of 64 bits, counted from the lowest value of each unknown.

    The figure is (constant - sum) / over, so that its upper limit is the lower one of the sum.
    """
    if any(factor < 0 for factor in figure.factors):
        raise ArithmeticError("a pay that is higher must not raise the edge")
    lowest = sum(factor * int(one[0]) for factor, one in zip(figure.factors, values, strict=True))
    spans = [int(one[-1] - one[0]) for one in values]
    every = sum(factor * span for factor, span in zip(figure.factors, spans, strict=True))
    ceiling = figure.constant - lowest
    at_least = 0 if high is None else max(0, -((high * figure.over - ceiling).__floor__()))
    at_most = every if low is None else min(every, (ceiling - low * figure.over).__floor__())
    shift = max(0, every.bit_length() - LARGEST.bit_length() + 2)
    factors = [factor >> shift for factor in figure.factors]
    slack = sum(spans) if shift else 0  # what is cut off is less than one for each unit of a value
    return _Limit(
        np.array(factors, dtype=np.int64),
        max(0, (at_least >> shift) - slack),
        max(-1, at_most >> shift),
        np.array([factor * span for factor, span in zip(factors, spans, strict=True)], dtype=np.int64),
        (figure, low, high) if shift else None,
    )
