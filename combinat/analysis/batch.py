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
from combinat.enumeration.tally import AwardCounts, NoHandError
from combinat.exact.numbers import MAX_INT64
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
            and all(value == other_value for value, other_value in zip(self, other, strict=True))
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
        first_values = ", ".join(f"{value.numerator}/{value.denominator}" for value in self[:3])
        return f"<Column of {len(self):,}: {first_values}{', ...' if len(self) > 3 else ''}>"


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
    if len({system.wager for system in paytable.systems}) > 1:  # a composition has no number of decks
        raise InputError(
            f"{paytable.id} has meters for different wagers by number of decks; analyze one shoe at a time"
        )
    pays = [award.pay.gross_for(paytable.meter_wager()).at(meters or {}) for award in paytable.awards]
    if unknown := sorted({name for pay in pays for name in pay.unknowns}):
        raise InputError(f"{paytable.id} pays from meters; give the amount of {' and '.join(unknown)}")
    denominator = lcm(*(pay.constant.denominator for pay in pays))
    gross = [int(pay.constant * denominator) for pay in pays]
    for award_counts in paytable.experiment.count_many(compositions):
        if not award_counts.cycle:
            raise NoHandError(paytable.bet.condition, bet=paytable.id)
        total_paid = sum([hand_count * pay for hand_count, pay in zip(award_counts.wins, gross, strict=True)])
        yield Exact(denominator * award_counts.cycle - total_paid, denominator * award_counts.cycle)


class PayVariants:
    """The ways of a bet with many sets of pays: each a row of what every award pays to 1, in ladder order.

    >>> coin = PayVariants(AwardCounts(cycle=2, matches=(1,), wins=(1,), losing=1), [[1], [2], [Fraction(1, 2)]])
    >>> list(coin.house_edges), coin.variances[1]
    ([Fraction(0, 1), Fraction(-1, 2), Fraction(1, 4)], Fraction(9, 4))
    """

    def __init__(self, award_counts: AwardCounts, pays: Sequence[Sequence[Fraction | int]] | NDArray[np.int64]) -> None:
        divisor = gcd(award_counts.cycle, award_counts.losing, *award_counts.wins)
        self._wins = [hand_count // divisor for hand_count in award_counts.wins]
        self._losing, self._cycle = award_counts.losing // divisor, award_counts.cycle // divisor
        self._pays, self._common = _to_integers(pays, len(award_counts.wins))

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
        bound = sum(
            hand_count * magnitude**power for hand_count, magnitude in zip(self._wins, largest, strict=bool(largest))
        )
        dtype = np.int64 if bound <= MAX_INT64 and pays.dtype == np.int64 else object
        total: list[int] = (pays.astype(dtype) ** power @ np.array(self._wins, dtype=dtype)).tolist()
        return total

    @property
    def house_edges(self) -> FractionArray:
        """The house edge for each row of pays."""
        amount_lost = self._common * self._losing
        return FractionArray([amount_lost - amount_won for amount_won in self._won], self._common * self._cycle)

    @property
    def variances(self) -> FractionArray:
        """The variance of the net result of a wager of 1 for each row of pays."""
        amount_lost = self._common * self._losing
        squares = (square + self._common * amount_lost for square in self._total(self._pays, 2))
        moments = zip(squares, self._won, strict=True)
        return FractionArray(
            [self._cycle * square - (amount_won - amount_lost) ** 2 for square, amount_won in moments],
            (self._common * self._cycle) ** 2,
        )


def _to_integers(
    pays: Sequence[Sequence[Fraction | int]] | NDArray[np.int64], award_count: int
) -> tuple[NDArray[np.int64] | NDArray[np.object_], int]:
    """Return the pays as integers over a common denominator, and that denominator."""
    if isinstance(pays, np.ndarray):
        if pays.dtype.kind not in "iu" or pays.ndim != 2 or pays.shape[1] != award_count:
            raise InputError(f"pays must be whole numbers in rows of {award_count}, one for each award")
        return pays.astype(np.int64), 1
    try:
        sizes = [len(row) for row in pays]
    except TypeError:
        raise InputError(f"pays must be numbers in rows of {award_count}, one for each award") from None
    for index, size in enumerate(sizes):
        if size != award_count:
            raise InputError(f"row {index + 1} of the pays has {size} numbers; the bet has {award_count} awards")
    common_denominator = 1
    try:
        for denominator in {pay.denominator for row in pays for pay in row}:
            common_denominator = lcm(common_denominator, denominator)
    except AttributeError:
        raise InputError("pays must be whole numbers or fractions, as odds to 1") from None
    scaled = (
        pays
        if common_denominator == 1
        else [[pay.numerator * (common_denominator // pay.denominator) for pay in row] for row in pays]
    )
    rows = [[int(pay) for pay in row] for row in scaled] if common_denominator == 1 else scaled
    fits_int64 = all(-MAX_INT64 <= pay <= MAX_INT64 for row in rows for pay in row)
    return np.array(rows, dtype=np.int64 if fits_int64 else object).reshape(len(rows), award_count), common_denominator
