"""Pays of awards: parsing of texts such as `9 to 1`, `200 for 1` or `100% of meter`, and their gross and net values.

A pay is one of six kinds: `OddsTo`, `OddsFor`, `Push`, `Loss`, `MeterShare` and `RandomPrize`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import ClassVar

from msgspec import Struct

from combinat.exact.numbers import format_decimal, parse_number
from combinat.exact.polynomial import Polynomial
from decks import InputError
from decks.errors import one_line, quote

MAX_PAY = 1_000_000
"""Upper limit of a pay; a larger number is rejected as a typing error."""

MAX_PRIZES = 1_000
"""Largest number of different prizes of one award."""

MAX_LOST_WAGERS = 100
"""Upper limit of the wagers that one round can lose."""
_PAY_FORMS = "write '9 to 1', '200 for 1', 'push', 'loses' or '100% of meter'"
DEFAULT_METER = "meter"

TO_1 = "to 1"
"""Unit of an amount that is paid in addition to the returned wager."""
FOR_1 = "for 1"
"""Unit of an amount that is the whole payment: the wager is not returned."""


class Pay(Struct, frozen=True):
    """The pay of an award for a wager of 1; each kind is a subclass.

    >>> str(parse_pay("2.5 to 1")), parse_pay("2.5 to 1").gross
    ('2.5 to 1', <Polynomial 7/2>)
    >>> parse_pay("10% of Mega").gross
    <Polynomial 1/10*Mega>
    """

    @property
    def amount(self) -> Fraction:
        """The number of the paytable: odds, a meter's share as a fraction of 1, or the mean of random prizes."""
        raise NotImplementedError

    @property
    def unit(self) -> str:
        """What the amount means: `to 1`, `for 1`, or `of` a meter."""
        raise NotImplementedError

    @property
    def meter(self) -> str | None:
        """The meter that pays, if any."""
        return None

    @property
    def prizes(self) -> tuple[tuple[Fraction, int], ...]:
        """The random prizes in the pay's unit, each with its weight; empty if the pay is not random."""
        return ()

    @property
    def is_for_one(self) -> bool:
        """Whether the amount is the positive gross pay; all other fixed pays state the net win or loss."""
        return self.unit == FOR_1 and self.amount > 0

    @property
    def gross(self) -> Polynomial:
        """The total returned for a wager of 1, including the wager if it is returned."""
        return self.gross_for(Fraction(1))

    def gross_for(self, meter_wager: Fraction) -> Polynomial:  # noqa: ARG002  # only meter shares depend on it
        """Return the gross pay for a wager of 1 if the meter's amount is for a wager of `meter_wager`.

        >>> parse_pay("10% of Mega").gross_for(Fraction(5))
        <Polynomial 1/50*Mega>
        """
        return Polynomial.of(self.amount + 1 if self.unit == TO_1 else self.amount)

    @property
    def net(self) -> Polynomial:
        """The profit for a wager of 1: gross pay less the wager."""
        return self.gross - 1

    @property
    def outcomes(self) -> tuple[tuple[Pay, Fraction], ...]:
        """The possible pays with their probabilities: the pay itself, unless it is random."""
        return ((self, Fraction(1)),)


class OddsTo(Pay, frozen=True):
    """Positive odds to 1: the amount is won, and the wager is returned."""

    amount: Fraction
    unit: ClassVar[str] = TO_1

    def __str__(self) -> str:
        return f"{format_decimal(self.amount)} {self.unit}"


class OddsFor(Pay, frozen=True):
    """Positive odds for 1: the amount is the whole payment."""

    amount: Fraction
    unit: ClassVar[str] = FOR_1

    def __str__(self) -> str:
        return f"{format_decimal(self.amount)} {self.unit}"


class Push(Pay, frozen=True):
    """The wager is returned, and nothing is won: 0 to 1."""

    amount: ClassVar[Fraction] = Fraction(0)
    unit: ClassVar[str] = TO_1

    def __str__(self) -> str:
        return "push"


class Loss(Pay, frozen=True):
    """Wagers are lost: one (0 for 1), or several."""

    wagers: Fraction = Fraction(1)

    @property
    def amount(self) -> Fraction:
        """0 (for 1) if one wager is lost, otherwise the negative number of wagers (to 1)."""
        return Fraction(0) if self.wagers == 1 else -self.wagers

    @property
    def unit(self) -> str:
        """The unit of `amount`."""
        return FOR_1 if self.wagers == 1 else TO_1

    def __str__(self) -> str:
        return "loses" if self.wagers == 1 else f"loses {format_decimal(self.wagers)}"


class MeterShare(Pay, frozen=True):
    """A share of a meter, without the wager. The meter is money, posted for the wager of its meter system."""

    amount: Fraction
    meter: str
    unit: ClassVar[str] = "of"

    def __str__(self) -> str:
        return f"{format_decimal(self.amount * 100)}% of {self.meter}"

    def gross_for(self, meter_wager: Fraction) -> Polynomial:
        """Return the share of the meter, divided by `meter_wager`."""
        return self.amount / meter_wager * Polynomial.variable(self.meter)


class RandomPrize(Pay, frozen=True):
    """A fixed pay multiplied by a wheel or dice, or a sum of such pays: one of several prizes, at random."""

    prizes: tuple[tuple[Fraction, int], ...]
    unit: str
    text: str
    """The pay as a product or sum, such as `10 to 1 × Wheel`."""

    @property
    def amount(self) -> Fraction:
        """The mean prize."""
        return sum((amount * weight for amount, weight in self.prizes), Fraction(0)) / self._total_weight

    @property
    def _total_weight(self) -> int:
        return sum(weight for _, weight in self.prizes)

    def __str__(self) -> str:
        return self.text

    @property
    def outcomes(self) -> tuple[tuple[Pay, Fraction], ...]:
        """The prizes as fixed pays with their probabilities."""
        total = self._total_weight
        return tuple((fixed_pay(amount, self.unit), Fraction(weight, total)) for amount, weight in self.prizes)


def fixed_pay(amount: Fraction, unit: str) -> Pay:
    """Return the pay of an amount in the unit `to 1` or `for 1`; 0 to 1 is a push, 0 for 1 a loss.

    >>> [str(fixed_pay(Fraction(amount), "to 1")) for amount in (2, 0, -2)], str(fixed_pay(Fraction(0), "for 1"))
    (['2 to 1', 'push', 'loses 2'], 'loses')
    """
    if amount > 0:
        return OddsTo(amount) if unit == TO_1 else OddsFor(amount)
    if amount < 0:
        return Loss(-amount)
    return Push() if unit == TO_1 else Loss()


@lru_cache(maxsize=1024)  # paytables repeat the same few pays
def parse_pay(text: str) -> Pay:
    """Parse the pay of an award; a colon means `to`, so `9:1` is 9 to 1.

    >>> parse_pay("3 to 2").gross, str(parse_pay("9:1"))
    (<Polynomial 5/2>, '9 to 1')
    >>> parse_pay("nine")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: cannot read the pay 'nine'; write '9 to 1', '200 for 1', 'push', 'loses' or '100% of meter'
    """
    line = one_line(text)
    words = line.replace("-", " ").replace("%", " % ").replace(":", " : ").split()
    tokens = [word.lower() for word in words]
    amount = parse_number(tokens[0]) if tokens else None
    if tokens == ["push"]:
        return Push()
    if tokens in (["even", "money"], ["evens"]):
        return OddsTo(Fraction(1))
    if tokens in (["loses"], ["loss"]):
        return Loss()
    if tokens[:1] == ["loses"] and len(tokens) == 2:
        return _build_loss(parse_number(tokens[1]), line)
    if amount is not None and not line.startswith("-"):
        match tokens[1:]:
            case ["to" | "for" | ":" as unit, number] if stake := parse_number(number):
                return _build_odds(amount / stake, FOR_1 if unit == "for" else TO_1, line)
            case ["%", *_]:
                return _build_meter_share(amount / 100, words[2:], line)
            case []:
                raise InputError(f"the pay {quote(line)} lacks its unit; write '{line} to 1' or '{line} for 1'")
            case _:
                pass
    if odds := re.fullmatch(r"([0-9][0-9.,]*) ?[/-] ?([0-9]+)", line, re.ASCII):
        raise InputError(
            f"the pay {quote(line)} does not say whether the wager is returned; write '{odds[1]} to {odds[2]}' if it "
            f"is, '{odds[1]} for {odds[2]}' if it is not"
        )
    if line.startswith("-"):
        raise InputError(f"the pay {quote(line)} is negative; for a lost wager write 'loses', for two 'loses 2'")
    raise InputError(f"cannot read the pay {quote(line)}; {_PAY_FORMS}")


def _build_loss(wagers: Fraction | None, line: str) -> Loss:
    """Build the pay of an outcome that loses `wagers` wagers.

    >>> parse_pay("loses 2").gross, str(parse_pay("loses 2"))
    (<Polynomial -1>, 'loses 2')
    """
    if wagers is None or not 1 <= wagers <= MAX_LOST_WAGERS:
        raise InputError(
            f"cannot read the pay {quote(line)}; write 'loses' or 'loses 2', up to {MAX_LOST_WAGERS} wagers"
        )
    return Loss(wagers)


def _build_odds(amount: Fraction, unit: str, line: str) -> Pay:
    if amount > MAX_PAY:
        raise InputError(f"the pay {quote(line)} is too high; a pay must be at most {MAX_PAY:,} to 1")
    return fixed_pay(amount, unit)


def _build_meter_share(share: Fraction, suffix: list[str], line: str) -> MeterShare:
    """Build the pay of a share of a meter; `suffix` is `of Mega`, `of the meter`, `Mega meter` or empty."""
    if not 0 < share <= 1:
        raise InputError(f"the pay {quote(line)} must be more than 0% and at most 100% of a meter")
    names = [word for word in suffix if word.lower() not in ("of", "the", DEFAULT_METER)]
    if len(names) > 1 or not all(name.isascii() and name.isidentifier() and len(name) <= 20 for name in names):
        raise InputError(f"cannot read the meter's name in the pay {quote(line)}; {_PAY_FORMS}")
    return MeterShare(share, names[0] if names else DEFAULT_METER)


def sum_pays(pays: Sequence[tuple[Pay, int]]) -> Pay:
    """Return the sum of fixed pays, each with its count, for one wager, which is returned at most once.

    Net pays are added; gross pays if every pay is "for 1".

    >>> str(sum_pays([(parse_pay("4 to 1"), 1), (parse_pay("12 to 1"), 2)])), str(sum_pays([(parse_pay("5 for 1"), 2)]))
    ('28 to 1', '10 for 1')
    """
    counted_pays = [(pay, count) for pay, count in pays if count]
    is_for_one = all(pay.is_for_one for pay, _ in counted_pays)
    weights = {Fraction(0): 1}
    for pay, count in counted_pays:
        prizes = pay.prizes or ((pay.amount if is_for_one else pay.net.constant, 1),)
        weights = convolve(weights, {amount * count: weight for amount, weight in prizes})
        if len(weights) > MAX_PRIZES:
            raise InputError(f"the sum of the wheels has more than {MAX_PRIZES:,} different prizes; use fewer stops")
    if len(weights) > 1:
        texts = [str(pay) if count == 1 else f"{count} × ({pay})" for pay, count in counted_pays]
        return build_prize_pay(weights, FOR_1 if is_for_one else TO_1, " + ".join(texts))
    (total,) = weights
    if is_for_one:
        return fixed_pay(total, FOR_1)
    # A loss of part of the wager can only be written as the gross pay: -1/2 to 1 is 1/2 for 1.
    return fixed_pay(total + 1, FOR_1) if -1 <= total < 0 else fixed_pay(total, TO_1)


def build_prize_pay(weights: Mapping[Fraction, int], unit: str, text: str) -> RandomPrize:
    """Build the random pay of prizes with their weights."""
    divisor = gcd(*weights.values())
    reduced = tuple((amount, weight // divisor) for amount, weight in sorted(weights.items(), reverse=True))
    return RandomPrize(reduced, unit, text)


def convolve(first_weights: Mapping[Fraction, int], second_weights: Mapping[Fraction, int]) -> dict[Fraction, int]:
    """Return the weights of all sums of two independent amounts, each amount given with its weight."""
    sums: Counter[Fraction] = Counter()
    for first_amount, first_weight in first_weights.items():
        for second_amount, second_weight in second_weights.items():
            sums[first_amount + second_amount] += first_weight * second_weight
    return dict(sums)
