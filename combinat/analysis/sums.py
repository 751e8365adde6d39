"""The chances of every sum of many plays, in whole numbers of a tiny unit that grows with them.

The chances begin far below anything that is printed and rise over thousands of digits. They are kept as whole numbers
of a common unit; when the latest has grown by a block of bits, all that are still needed are taken down by that block.
So the latest large one always has hundreds of bits, of which every step costs a fraction of the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import mul, sub

_BITS = 256
"""The fewest bits of a large chance: half as many again as the digits that are kept of a sum."""
_BLOCK = 256
_UNIT = 192
"""A chance is given as a whole number of parts of which two to this power make one: fifty-seven digits."""


def chances_of_sums(counts: dict[int, int], plays: int, most: int) -> Iterator[int]:
    """Give how many parts make one, then the parts of the chances of the sums 0, 1, 2 and so on, `most` of them.

    The counts are the ways of a play to bring each sum, among them none. With P(x) their generating function, that of
    all plays is G = P^n, and P G' = n P' G gives each chance from those before it. As long as no sum is more than the
    least step for each play and one more, no term is negative, nothing cancels, and errors do not outgrow the chances.

    >>> one, *chances = chances_of_sums({0: 1, 1: 1}, 2, 3)  # two tosses of a coin
    >>> [chance * 4 // one for chance in chances]
    [1, 2, 1]
    """
    first = counts[0]
    steps = [step for step in counts if step]
    ways = [counts[step] for step in steps]
    farthest = max(steps)
    chance, places = _power(first, sum(counts.values()), plays)
    found = [*[0] * (farthest - 1), chance]
    factors = [(plays + 1) * step * many for step, many in zip(steps, ways, strict=True)]
    limit = 1 << (_BITS + _BLOCK)
    yield 1 << _UNIT
    yield chance >> (places - _UNIT)
    for reached in range(1, most):
        factors = list(map(sub, factors, ways))
        chance = sum(map(mul, factors, [found[-step] for step in steps])) // first // reached
        if chance > limit:
            chance >>= _BLOCK
            places -= _BLOCK
            found = [one >> _BLOCK for one in found[-farthest:]]
        found.append(chance)
        yield chance >> (places - _UNIT)


def _power(above: int, below: int, times: int) -> tuple[int, int]:
    """Raise a fraction of at most one to a power: a whole number of many bits, over two to the power of the other.

    >>> chance, places = _power(1, 2, 10)
    >>> chance == 1 << (places - 10)
    True
    """
    bits = _BITS + _BLOCK
    power, places = 1 << bits, bits
    base = (above << bits + below.bit_length()) // below, bits + below.bit_length()
    for digit in f"{times:b}":
        power, places = _kept(power * power, 2 * places, bits)
        if digit == "1":
            power, places = _kept(power * base[0], places + base[1], bits)
    return power, places


def _kept(number: int, places: int, bits: int) -> tuple[int, int]:
    """Drop what is beyond so many bits."""
    beyond = max(number.bit_length() - bits, 0)
    return number >> beyond, places - beyond
