"""Exact figures of one bet in bulk: at many shoes, or with many sets of pays, in integers over a common denominator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import overload

import numpy as np
from numpy.typing import NDArray

from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import count_many
from combinat.enumeration.tally import AwardCounts, NoHandError
from combinat.exact.surd import Exact
from decks import Composition, InputError


class FractionArray(Sequence[Fraction]):
    """A sequence of fractions with a common denominator, stored as integers and reduced on access.

    >>> thirds = FractionArray([1, 3, -2], 3)
    >>> thirds[1], list(thirds[::2]), min(thirds)
    (Fraction(1, 1), [Fraction(1, 3), Fraction(-2, 3)], Fraction(-2, 3))
    """

    def __init__(self, numerators: Sequence[int], denominator: int) -> None:
        self.numerators = numerators
        self.denominator = denominator

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FractionArray):
            return NotImplemented
        return (self.denominator, list(self.numerators)) == (other.denominator, list(other.numerators)) or (
            len(self) == len(other)
            and all(left_value == right_value for left_value, right_value in zip(self, other, strict=True))
        )

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __len__(self) -> int:
        return len(self.numerators)

    @overload
    def __getitem__(self, index: int) -> Fraction: ...

    @overload
    def __getitem__(self, index: slice) -> FractionArray: ...

    def __getitem__(self, index: int | slice) -> Fraction | FractionArray:
        if isinstance(index, slice):
            return FractionArray(self.numerators[index], self.denominator)
        return Exact(self.numerators[index], self.denominator)

    def __repr__(self) -> str:
        shown = ", ".join(f"{value.numerator}/{value.denominator}" for value in self[:3])
        return f"<Column of {len(self):,}: {shown}{', ...' if len(self) > 3 else ''}>"


_MAX_INT64 = 2**63 - 1


def iter_house_edges(
    paytable: Paytable, compositions: Iterable[Composition], meters: Mapping[str, Fraction] | None = None
) -> Iterator[Fraction]:
    """Yield the house edge of the wager alone for each composition.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> [str(edge) for edge in iter_house_edges(get_paytable("TRI-01"), [Shoe(6).composition])]
    ['4059/125333']
    """
    paytable.check_meters(meters or {})
    if len({system.wager for system in paytable.systems}) > 1:  # a composition does not tell its number of decks
        raise InputError(
            f"{paytable.id} has meters for other wagers at other numbers of decks; analyze one shoe after the other"
        )
    pays = [award.pay.gross_for(paytable.meter_wager()).at(meters or {}) for award in paytable.awards]
    if unknown := sorted({name for pay in pays for name in pay.unknowns}):
        raise InputError(f"{paytable.id} pays from meters; say what {' and '.join(unknown)} shows")
    denominator = lcm(*(pay.constant.denominator for pay in pays))
    gross = [int(pay.constant * denominator) for pay in pays]
    for ways in count_many(paytable.experiment, compositions):
        if not ways.cycle:
            raise NoHandError(paytable.bet.given, bet=paytable.id)
        paid = sum([hands * pay for hands, pay in zip(ways.wins, gross, strict=True)])
        yield Exact(denominator * ways.cycle - paid, denominator * ways.cycle)


class PayVariants:
    """The ways of a bet with many sets of pays: each a row of what every award pays to 1, in ladder order.

    >>> coin = PayVariants(AwardCounts(cycle=2, matches=(1,), wins=(1,), losing=1), [[1], [2], [Fraction(1, 2)]])
    >>> list(coin.house_edges), coin.variances[1]
    ([Fraction(0, 1), Fraction(-1, 2), Fraction(1, 4)], Fraction(9, 4))
    """

    def __init__(self, ways: AwardCounts, pays: Sequence[Sequence[Fraction | int]] | NDArray[np.int64]) -> None:
        divisor = gcd(ways.cycle, ways.losing, *ways.wins)
        self._wins = [hands // divisor for hands in ways.wins]
        self._losing, self._cycle = ways.losing // divisor, ways.cycle // divisor
        self._pays, self._common = _to_integers(pays, len(ways.wins))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PayVariants):
            return NotImplemented
        return self._counts == other._counts and bool(np.array_equal(self._pays, other._pays))

    def __hash__(self) -> int:
        return hash((self._counts, self._pays.shape))

    def __repr__(self) -> str:
        rows, awards = self._pays.shape
        return f"<PayVariants: {rows:,} rows of {awards} pays>"

    @property
    def _counts(self) -> tuple[int, ...]:
        return (*self._wins, self._losing, self._cycle, self._common)

    @cached_property
    def _won(self) -> list[int]:
        """The total win of all winning hands for each row of pays, over the common denominator."""
        return self._total(self._pays, 1)

    def _total(self, pays: NDArray[np.object_] | NDArray[np.int64], power: int) -> list[int]:
        """Return for each row the sum of hands times pay to `power`; in 64 bits if the sum cannot overflow."""
        largest = [max(abs(int(column.max())), abs(int(column.min()))) for column in pays.T] if len(pays) else []
        bound = sum(hands * magnitude**power for hands, magnitude in zip(self._wins, largest, strict=bool(largest)))
        dtype = np.int64 if bound <= _MAX_INT64 and pays.dtype == np.int64 else object
        total: list[int] = (pays.astype(dtype) ** power @ np.array(self._wins, dtype=dtype)).tolist()
        return total

    @property
    def house_edges(self) -> FractionArray:
        """The house edge for each row of pays."""
        lost = self._common * self._losing
        return FractionArray([lost - won for won in self._won], self._common * self._cycle)

    @property
    def variances(self) -> FractionArray:
        """The variance of the net result of a wager of 1 for each row of pays."""
        lost = self._common * self._losing
        squares = (square + self._common * lost for square in self._total(self._pays, 2))
        moments = zip(squares, self._won, strict=True)
        return FractionArray(
            [self._cycle * square - (won - lost) ** 2 for square, won in moments], (self._common * self._cycle) ** 2
        )


def _to_integers(
    pays: Sequence[Sequence[Fraction | int]] | NDArray[np.int64], awards: int
) -> tuple[NDArray[np.int64] | NDArray[np.object_], int]:
    """Return the pays as integers over a common denominator, and that denominator."""
    if isinstance(pays, np.ndarray):
        if pays.dtype.kind not in "iu" or pays.ndim != 2 or pays.shape[1] != awards:
            raise InputError(f"pays must be whole numbers in rows of {awards}, one for each award")
        return pays.astype(np.int64), 1
    try:
        sizes = [len(row) for row in pays]
    except TypeError:
        raise InputError(f"pays must be numbers in rows of {awards}, one for each award") from None
    for index, size in enumerate(sizes):
        if size != awards:
            raise InputError(f"row {index + 1} of the pays has {size} numbers; the bet has {awards} awards")
    common = 1
    try:
        for denominator in {pay.denominator for row in pays for pay in row}:
            common = lcm(common, denominator)
    except AttributeError:
        raise InputError("pays must be whole numbers or fractions, what an award pays to 1") from None
    scaled = pays if common == 1 else [[pay.numerator * (common // pay.denominator) for pay in row] for row in pays]
    rows = [[int(pay) for pay in row] for row in scaled] if common == 1 else scaled
    fits = all(-_MAX_INT64 <= pay <= _MAX_INT64 for row in rows for pay in row)
    return np.array(rows, dtype=np.int64 if fits else object).reshape(len(rows), awards), common
