"""One algorithm in two number systems: floating point, and residues modulo primes.

Arrays are float64 in both. With residues they hold integers below a prime p < 2^21.5, so that a sum of 512 products
stays below 2^52 and is exact; matrix products then run at the speed of floating point. A rational number whose
denominator divides D is recovered from its residues modulo enough primes by the Chinese remainder theorem.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
MAX_PRIME = 2_965_820
"""Below 2^21.5."""
MAX_TERMS = 512
"""Largest number of products in one sum before it is reduced."""


class NumberSystem(Protocol):
    """Addition and multiplication on float64 arrays."""

    def reduce(self, numbers: FloatArray) -> FloatArray:
        """Reduce sums of at most `MAX_TERMS` products."""
        ...

    def convert(self, number: Fraction | int) -> float:
        """Convert one exact number."""
        ...


class Floats:
    """Floating-point numbers."""

    def reduce(self, numbers: FloatArray) -> FloatArray:
        """Return the numbers unchanged."""
        return numbers

    def convert(self, number: Fraction | int) -> float:
        """Round an exact number."""
        return number.numerator / number.denominator


class Residues:
    """Residues modulo a prime.

    >>> seven = Residues(7)
    >>> int(seven.convert(Fraction(1, 2))), seven.reduce(np.array([-1, 16])).astype(int).tolist()
    (4, [6, 2])
    """

    def __init__(self, modulus: int) -> None:
        self.modulus = modulus

    def reduce(self, numbers: FloatArray) -> FloatArray:
        """Return the remainders."""
        # Quotients are below 2^31, where floats are 2^-22 apart at most; a quotient that is no integer is 2^-21.5 or
        # more below the next one, so rounding does not reach it and the floor is exact.
        quotients = numbers / self.modulus
        np.floor(quotients, out=quotients)
        quotients *= self.modulus
        remainders: FloatArray = np.subtract(numbers, quotients, out=quotients)
        return remainders

    def convert(self, number: Fraction | int) -> float:
        """Return the residue of a number whose denominator the modulus does not divide."""
        fraction = Fraction(number)
        return fraction.numerator * pow(fraction.denominator, -1, self.modulus) % self.modulus / 1


def multiply_matrices(numbers: NumberSystem, left: FloatArray, right: FloatArray) -> FloatArray:
    """Return the matrix product, reduced after every `MAX_TERMS` terms."""
    if left.shape[1] <= MAX_TERMS:
        return numbers.reduce(left @ right)
    product = np.zeros((len(left), right.shape[1]))
    for begin in range(0, left.shape[1], MAX_TERMS):
        part = slice(begin, begin + MAX_TERMS)
        product = product + numbers.reduce(left[:, part] @ right[part])
    return numbers.reduce(product)


@lru_cache(maxsize=1)
def _primes() -> tuple[int, ...]:
    """Return primes below the limit, largest first."""
    low = MAX_PRIME - 4000
    is_composite = bytearray(4000)
    for divisor in range(2, 1723):
        for multiple in range(-(-low // divisor) * divisor, MAX_PRIME, divisor):
            is_composite[multiple - low] = 1
    return tuple(low + index for index in reversed(range(4000)) if not is_composite[index])


class Reconstruction:
    """Recovery of rational numbers x with a known denominator and |x| <= `limit` from their residues.

    >>> numbers = Reconstruction(Fraction(5), 6)
    >>> numbers.fractions([np.array([Residues(p).convert(Fraction(-7, 3))]) for p in numbers.primes])
    [Fraction(-7, 3)]
    """

    def __init__(self, limit: Fraction, denominator: int) -> None:
        self.denominator = denominator
        needed = 2 * int(limit * denominator) + 3
        count = 1
        while prod(_primes()[:count]) < needed:
            count += 1
            if count > len(_primes()):
                raise ValueError("too few primes")
        self.primes = tuple(islice(_primes(), count))
        self._modulus = prod(self.primes)
        self._basis = [
            self._modulus // prime * pow(self._modulus // prime, -1, prime) % self._modulus for prime in self.primes
        ]
        self._denominators = [denominator % prime for prime in self.primes]

    def numerators(self, residues: Sequence[FloatArray]) -> list[int]:
        """Return the numerators of numbers over the common denominator."""
        columns = [
            (numbers.astype(np.int64).ravel() * factor % prime).tolist()
            for numbers, factor, prime in zip(residues, self._denominators, self.primes, strict=True)
        ]
        basis, modulus, half = self._basis, self._modulus, self._modulus // 2
        numerators = []
        for row in zip(*columns, strict=True):
            numerator = sum(map(int.__mul__, row, basis)) % modulus
            numerators.append(numerator - modulus if numerator > half else numerator)
        return numerators

    def fractions(self, residues: Sequence[FloatArray]) -> list[Fraction]:
        """Return the numbers themselves."""
        return [Fraction(numerator, self.denominator) for numerator in self.numerators(residues)]
