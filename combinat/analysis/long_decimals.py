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

DIGITS = 50
_KEPT = 60
_MOST = 10 ** (2 * _KEPT)
_FEWER = 10**_KEPT
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
    first, cycle = counts[0], sum(counts.values())
    steps = [(pay, (plays + 1) * pay * ways, ways) for pay, ways in counts.items() if pay]
    longest = steps[-1][0]
    value, exponent = _power(first, cycle, plays)
    found, start = [value], 0  # those from a sum on, of which the last `longest` are needed
    yield 10**DIGITS
    yield _shifted(value, exponent + DIGITS)
    for returned in range(1, most_long_decimals(counts, plays)):
        total = 0
        for pay, factor, ways in steps:
            if pay > returned:
                break
            total += (factor - returned * ways) * found[returned - pay - start]
        value = total // (first * returned)
        found.append(value)
        yield _shifted(value, exponent + DIGITS)
        if value > _MOST:
            found = [one // _FEWER for one in found[-longest:]]
            exponent += _KEPT
            start = returned + 1 - len(found)
        elif len(found) > 2 * longest + 1_000:
            del found[:-longest]
            start = returned + 1 - len(found)


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


def _shifted(value: int, places: int) -> int:
    """Move a number by some decimal places, cutting off what is behind the point.

    >>> _shifted(1234, -2), _shifted(12, 2), _shifted(12, -1000)
    (12, 1200, 0)
    """
    if places >= 0:
        return value * _ten_to(places)
    return 0 if value.bit_length() < -3 * places else value // _ten_to(-places)  # ten is more than three bits


@lru_cache(maxsize=4)  # the same for thousands of numbers
def _ten_to(places: int) -> int:
    power: int = 10**places
    return power
