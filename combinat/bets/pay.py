"""Pays of awards: parsing of texts such as `9 to 1`, `200 for 1` or `100% of meter`, and their gross and net values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd

from msgspec import Struct

from combinat.exact.numbers import format_decimal, parse_number
from combinat.exact.polynomial import Polynomial
from decks import InputError
from decks.errors import quote

MAX_PAY = 1_000_000
"""Upper limit of a pay; a larger number is rejected as a typing error."""

MAX_PRIZES = 1_000
"""Largest number of different prizes of one award."""

MAX_LOST_WAGERS = 100
"""Upper limit of the wagers that one round can lose."""
_PAY_FORMS = "write '9 to 1', '200 for 1', 'push', 'loses' or '100% of meter'"
DEFAULT_METER = "meter"


class Pay(Struct, frozen=True):
    """The pay of an award for a wager of 1. A meter's value is money and refers to the wager of its meter system.

    >>> str(parse_pay("2.5 to 1")), parse_pay("2.5 to 1").gross
    ('2.5 to 1', <Polynomial 7/2>)
    >>> parse_pay("10% of Mega").gross
    <Polynomial 1/10*Mega>
    """

    amount: Fraction
    """The number in the paytable, negative if several wagers are lost; for a meter, its share as a fraction of 1.

    With a wheel, it is the mean of the prizes.
    """
    unit: str
    """`to 1`: the wager is returned too; `for 1` and `of` (a share of a meter): it is not."""
    meter: str | None = None
    prizes: tuple[tuple[Fraction, int], ...] = ()
    """The prizes of a wheel in the same unit, each with its weight; empty without a wheel."""
    words: str = ""
    """The text of a pay with a wheel."""

    def __str__(self) -> str:
        if self.words:
            return self.words
        if self.meter is not None:
            return f"{format_decimal(self.amount * 100)}% of {self.meter}"
        if self.amount == 0:
            return "push" if self.unit == "to 1" else "loses"
        if self.amount < 0:
            return f"loses {format_decimal(-self.amount)}"
        return f"{format_decimal(self.amount)} {self.unit}"

    @property
    def is_for_one(self) -> bool:
        """Whether the amount is the positive gross pay; all other fixed pays state the net win or loss."""
        return self.unit == "for 1" and self.amount > 0

    @property
    def gross(self) -> Polynomial:
        """The total returned for a wager of 1, including the wager if it is returned."""
        return self.gross_for(Fraction(1))

    def gross_for(self, meter_wager: Fraction) -> Polynomial:
        """Return the gross pay for a wager of 1 if the meter's amount is for a wager of `meter_wager`.

        >>> parse_pay("10% of Mega").gross_for(Fraction(5))
        <Polynomial 1/50*Mega>
        """
        if self.meter is not None:
            return self.amount / meter_wager * Polynomial.variable(self.meter)
        return Polynomial.of(self.amount + 1 if self.unit == "to 1" else self.amount)

    @property
    def net(self) -> Polynomial:
        """The profit for a wager of 1: gross pay less the wager."""
        return self.gross - 1

    @property
    def outcomes(self) -> tuple[tuple[Pay, Fraction], ...]:
        """The possible pays with their probabilities: one, unless a wheel decides."""
        if not self.prizes:
            return ((self, Fraction(1)),)
        total = sum(weight for _, weight in self.prizes)
        return tuple((Pay(amount, self.unit), Fraction(weight, total)) for amount, weight in self.prizes)


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
    words = " ".join(text.split())
    split_words = words.replace("-", " ").replace("%", " % ").replace(":", " : ").split()
    tokens = [word.lower() for word in split_words]
    amount = parse_number(tokens[0]) if tokens else None
    if tokens == ["push"]:
        return Pay(Fraction(0), "to 1")
    if tokens in (["even", "money"], ["evens"]):
        return Pay(Fraction(1), "to 1")
    if tokens in (["loses"], ["loss"]):
        return Pay(Fraction(0), "for 1")
    if tokens[:1] == ["loses"] and len(tokens) == 2:
        return _build_loss(parse_number(tokens[1]), words)
    if amount is not None and not words.startswith("-"):
        match tokens[1:]:
            case ["to" | "for" | ":" as unit, number] if stake := parse_number(number):
                return _build_odds(amount / stake, "for" if unit == "for" else "to", words)
            case ["%", *_]:
                return _build_meter_share(amount / 100, split_words[2:], words)
            case []:
                raise InputError(f"the pay {quote(words)} lacks its unit; write '{words} to 1' or '{words} for 1'")
            case _:
                pass
    if odds := re.fullmatch(r"([0-9][0-9.,]*) ?[/-] ?([0-9]+)", words, re.ASCII):
        raise InputError(
            f"the pay {quote(words)} does not say whether the wager comes back; write '{odds[1]} to {odds[2]}' if it "
            f"does, '{odds[1]} for {odds[2]}' if it does not"
        )
    if words.startswith("-"):
        raise InputError(f"the pay {quote(words)} is negative; an award pays something, what takes none just loses")
    raise InputError(f"cannot read the pay {quote(words)}; {_PAY_FORMS}")


def _build_loss(units: Fraction | None, words: str) -> Pay:
    """Build the pay of an outcome that loses `units` wagers.

    >>> parse_pay("loses 2").gross, str(parse_pay("loses 2"))
    (<Polynomial -1>, 'loses 2')
    """
    if units is None or not 1 <= units <= MAX_LOST_WAGERS:
        raise InputError(
            f"cannot read the pay {quote(words)}; write 'loses' or 'loses 2', up to {MAX_LOST_WAGERS} wagers"
        )
    return Pay(Fraction(0), "for 1") if units == 1 else Pay(-units, "to 1")


def _build_odds(amount: Fraction, unit: str, words: str) -> Pay:
    if amount > MAX_PAY:
        raise InputError(f"the pay {quote(words)} is more than {MAX_PAY:,} to 1; is it a slip?")
    return Pay(amount, f"{unit} 1")


def _build_meter_share(share: Fraction, suffix: list[str], words: str) -> Pay:
    """Build the pay of a share of a meter; `suffix` is `of Mega`, `of the meter`, `Mega meter` or empty."""
    if not 0 < share <= 1:
        raise InputError(f"the pay {quote(words)} is not between 0% and 100% of a meter")
    names = [word for word in suffix if word.lower() not in ("of", "the", DEFAULT_METER)]
    if len(names) > 1 or not all(name.isascii() and name.isidentifier() and len(name) <= 20 for name in names):
        raise InputError(f"cannot read the meter's name in the pay {quote(words)}; {_PAY_FORMS}")
    return Pay(share, "of", names[0] if names else DEFAULT_METER)


def sum_pays(pays: Sequence[tuple[Pay, int]]) -> Pay:
    """Return the sum of fixed pays, each with its count, for one wager, which is returned at most once.

    Net pays are added; gross pays if every pay is "for 1".

    >>> str(sum_pays([(parse_pay("4 to 1"), 1), (parse_pay("12 to 1"), 2)])), str(sum_pays([(parse_pay("5 for 1"), 2)]))
    ('28 to 1', '10 for 1')
    """
    counted_pays = [(pay, count) for pay, count in pays if count]
    is_for_one = all(pay.is_for_one for pay, _ in counted_pays)
    sums = {Fraction(0): 1}
    for pay, count in counted_pays:
        prizes = pay.prizes or ((pay.amount if is_for_one else pay.net.constant, 1),)
        sums = _convolve(sums, [(amount * count, weight) for amount, weight in prizes])
    if len(sums) > 1:
        words = [str(pay) if count == 1 else f"{count} × ({pay})" for pay, count in counted_pays]
        return build_prize_pay(sums, "for 1" if is_for_one else "to 1", " + ".join(words))
    (total,) = sums
    is_part_lost = not is_for_one and -1 <= total < 0
    return Pay(total + is_part_lost, "for 1" if is_for_one or is_part_lost else "to 1")


def build_prize_pay(prizes: Mapping[Fraction, int], unit: str, words: str) -> Pay:
    """Build the pay of a wheel from its prizes and their weights."""
    divisor = gcd(*prizes.values())
    total = sum(prizes.values())
    mean = sum((amount * weight for amount, weight in prizes.items()), Fraction(0)) / total
    reduced = tuple((amount, weight // divisor) for amount, weight in sorted(prizes.items(), reverse=True))
    return Pay(mean, unit, prizes=reduced, words=words)


def _convolve(sums: Mapping[Fraction, int], prizes: Sequence[tuple[Fraction, int]]) -> dict[Fraction, int]:
    products: dict[Fraction, int] = {}
    for total, weight in sums.items():
        for amount, prize_weight in prizes:
            products[total + amount] = products.get(total + amount, 0) + weight * prize_weight
    if len(products) > MAX_PRIZES:
        raise InputError(f"the wheels come to more than {MAX_PRIZES:,} different prizes together")
    return products
