"""The distribution of many plays to fifty decimals, in whole numbers of a tiny part.

While every term is positive nothing cancels, so what is cut off a number stays as small as it is, relative to the
largest of those that the next ones are made of. All of these count the same tiny part, of which the largest has 60 to
120 digits: where it has more, all lose 60 of them, and the part is so much larger from there on. A million steps leave
more than forty digits right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Context, Decimal
from functools import lru_cache
from itertools import accumulate, count, islice
from threading import Lock

DIGITS = 50
_KEPT = 60
_MOST = 10 ** (2 * _KEPT)
_FEWER = 10**_KEPT
_AT_ONCE = 1_000
_MOST_STEPS = 1_000_000
"""Sums times awards: about half a second."""


def in_long_decimals(counts: Mapping[int, int], plays: int) -> Iterator[int]:
    """Give the ways of all plays together, then those that give back 0, 1, 2 and so on, out of ten to the fiftieth.

    The counts are of one play, by what it gives back, the least first, which is nothing. The numbers end where a term
    would turn negative or the work would be too much.

    >>> whole, *parts = in_long_decimals({0: 1, 1: 1}, 3)  # three tosses of a coin
    >>> whole == 10**50, [part * 8 == number * whole for part, number in zip(parts, (1, 3, 3, 1))]
    (True, [True, True, True, True])
    """
    first, most = counts[0], most_long_decimals(counts, plays)
    # Where each award looks back to from the end of those found, of which the last `longest` are needed.
    waiting = [(-pay, (plays + 1) * pay * ways, ways) for pay, ways in counts.items() if 0 < pay < most][::-1]
    steps = list[tuple[int, int, int]]()
    longest = max([pay for pay in counts if pay < most])
    value, exponent = _power(first, sum(counts.values()), plays)
    found, part = [value], _ten_to(-exponent - DIGITS)
    yield 10**DIGITS
    yield value // part
    for returned in range(1, most):
        total = 0
        if waiting and returned + waiting[-1][0] == 0:  # from this sum on the award can be among those that make it
            steps.append(waiting.pop())
        for place, factor, ways in steps:
            total += (factor - returned * ways) * found[place]
        value = total // (first * returned)
        found.append(value)
        yield value // part
        if value > _MOST:
            found = [one and one // _FEWER for one in found[-longest:]]
            exponent += _KEPT
            part = _ten_to(-exponent - DIGITS)
        elif len(found) > 2 * longest + 1_000:
            del found[:-longest]


class _SummedUp:
    """The ways of sums added up, as far as anybody asked for them."""

    def __init__(self, ways: Iterator[int]) -> None:
        self.whole = next(ways)
        self._to_come, self._found, self._one_at_a_time = accumulate(ways), list[int](), Lock()

    def up_to_each(self) -> Iterator[int]:
        """Give the ways of no more than 0, 1, 2 and so on."""
        for place in count():
            if place == len(self._found):
                with self._one_at_a_time:
                    if place == len(self._found):  # nobody else has gone on
                        self._found += islice(self._to_come, _AT_ONCE)
                if place == len(self._found):
                    return
            yield self._found[place]


@lru_cache(maxsize=2)  # as many sums of fifty digits as were asked for: as many as plays, mostly
def _summed_up(counts: tuple[tuple[int, int], ...], plays: int) -> _SummedUp:
    return _SummedUp(in_long_decimals(dict(counts), plays))


def summed_up(counts: Mapping[int, int], plays: int) -> tuple[int, Iterator[int]]:
    """Give the ways of all plays together, and those that give back no more than 0, 1, 2 and so on.

    They are kept for the next who asks: what goes to a meter moves only where a stretch of plays comes out even.

    >>> whole, below = summed_up({0: 1, 1: 1}, 3)
    >>> [number * 8 // whole for number in below]
    [1, 4, 7, 8]
    """
    found = _summed_up(tuple(counts.items()), plays)
    return found.whole, found.up_to_each()


def most_long_decimals(counts: Mapping[int, int], plays: int) -> int:
    """Say how many sums there are until a term would turn negative or the work would be too much."""
    steps = [pay for pay in counts if pay]
    return min((plays + 1) * min(steps), _MOST_STEPS // len(steps))


def _power(first: int, cycle: int, plays: int) -> tuple[int, int]:
    """Give a share to the power of the plays, as a whole number of many digits and the power of ten that it counts."""
    context = Context(prec=2 * _KEPT, Emin=-(10**12), Emax=10**12)
    power = context.power(context.divide(Decimal(first), Decimal(cycle)), plays)
    exponent = power.adjusted() - 2 * _KEPT + 1
    return int(power.scaleb(-exponent, context)), exponent


def _ten_to(places: int) -> int:
    """Give a power of ten; where it is far beyond every number here, one that is so too and is soon written."""
    power: int = 10 ** min(places, 10 * _KEPT)
    return power
