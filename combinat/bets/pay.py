"""What an award pays, as a paytable writes it and as a number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from combinat.exact.amounts import decimal_text, number_in
from combinat.exact.polynomial import Polynomial
from decks import InputError
from decks.errors import quoted

MOST_PAID = 1_000_000
"""More than any paytable pays; larger numbers are taken for slips of the finger."""

MOST_LOST = 100
"""More wagers than a round can cost."""
_FORMS = "write '9 to 1', '200 for 1', 'push', 'loses' or '100% of meter'"
DEFAULT_METER = "meter"


class Pay(Struct, frozen=True):
    """What an award pays for a wager of one; what a meter shows is money and stands beside a wager of its own.

    >>> str(parse_pay("2.5 to 1")), parse_pay("2.5 to 1").gross
    ('2.5 to 1', <Polynomial 7/2>)
    >>> parse_pay("10% of Mega").gross
    <Polynomial 1/10*Mega>
    """

    amount: Fraction
    """The number as the paytable gives it, negative if several wagers are lost; a meter's share as a part of one."""
    unit: str
    """`to 1`: the wager comes back too; `for 1`: it does not; otherwise `of` a meter, the wager not coming back."""
    meter: str | None = None

    def __str__(self) -> str:
        if self.meter is not None:
            return f"{decimal_text(self.amount * 100)}% of {self.meter}"
        if self.amount == 0:
            return "push" if self.unit == "to 1" else "loses"
        if self.amount < 0:
            return f"loses {decimal_text(-self.amount)}"
        return f"{decimal_text(self.amount)} {self.unit}"

    @property
    def is_for_one(self) -> bool:
        """Whether it says what comes back, and something does; every other fixed pay says what is won or lost."""
        return self.unit == "for 1" and self.amount > 0

    @property
    def gross(self) -> Polynomial:
        """All that the player gets back for a wager of one, counting the wager if it comes back."""
        return self.gross_for(Fraction(1))

    def gross_for(self, meter_wager: Fraction) -> Polynomial:
        """The same if a meter's amount is for another wager than one: each unit wagered gets its part of the meter.

        >>> parse_pay("10% of Mega").gross_for(Fraction(5))
        <Polynomial 1/50*Mega>
        """
        if self.meter is not None:
            return self.amount / meter_wager * Polynomial.unknown(self.meter)
        return Polynomial.of(self.amount + 1 if self.unit == "to 1" else self.amount)

    @property
    def net(self) -> Polynomial:
        """What the player wins for a wager of one, less the wager if it is kept."""
        return self.gross - 1


@lru_cache(maxsize=1024)  # ladders write the same few pays over and over
def parse_pay(text: str) -> Pay:
    """Read what an award pays.

    >>> parse_pay("3 to 2").gross
    <Polynomial 5/2>
    >>> parse_pay("nine")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: cannot read the pay 'nine'; write '9 to 1', '200 for 1', 'push', 'loses' or '100% of meter'
    """
    words = " ".join(text.split())
    written = words.replace("-", " ").replace("%", " % ").split()
    parts = [word.lower() for word in written]
    amount = number_in(parts[0]) if parts else None
    if parts == ["push"]:
        return Pay(Fraction(0), "to 1")
    if parts in (["loses"], ["loss"]):
        return Pay(Fraction(0), "for 1")
    if parts[:1] == ["loses"] and len(parts) == 2:
        return _loss(number_in(parts[1]), words)
    if amount is not None and not words.startswith("-"):
        match parts[1:]:
            case ["to" | "for" as unit, number] if stake := number_in(number):
                return _odds(amount / stake, unit, words)
            case ["%", *_]:
                return _share(amount / 100, written[2:], words)
            case []:
                raise InputError(f"the pay {quoted(words)} lacks its unit; write '{words} to 1' or '{words} for 1'")
            case _:
                pass
    if words.startswith("-"):
        raise InputError(f"the pay {quoted(words)} is negative; an award pays something, what takes none just loses")
    raise InputError(f"cannot read the pay {quoted(words)}; {_FORMS}")


def _loss(units: Fraction | None, words: str) -> Pay:
    """Make the pay of a round that costs several wagers.

    >>> parse_pay("loses 2").gross, str(parse_pay("loses 2"))
    (<Polynomial -1>, 'loses 2')
    """
    if units is None or not 1 <= units <= MOST_LOST:
        raise InputError(f"cannot read the pay {quoted(words)}; write 'loses' or 'loses 2', up to {MOST_LOST} wagers")
    return Pay(Fraction(0), "for 1") if units == 1 else Pay(-units, "to 1")


def _odds(amount: Fraction, unit: str, words: str) -> Pay:
    if amount > MOST_PAID:
        raise InputError(f"the pay {quoted(words)} is more than {MOST_PAID:,} to 1; is it a slip?")
    return Pay(amount, f"{unit} 1")


def _share(share: Fraction, rest: list[str], words: str) -> Pay:
    """Make the pay of a part of a meter: `of Mega`, `of the meter`, `Mega meter`, or nothing more."""
    if not 0 < share <= 1:
        raise InputError(f"the pay {quoted(words)} is not between 0% and 100% of a meter")
    named = [word for word in rest if word.lower() not in ("of", "the", DEFAULT_METER)]
    if len(named) > 1 or not all(name.isascii() and name.isidentifier() and len(name) <= 20 for name in named):
        raise InputError(f"cannot read the meter's name in the pay {quoted(words)}; {_FORMS}")
    return Pay(share, "of", named[0] if named else DEFAULT_METER)


def added(pays: Sequence[tuple[Pay, int]]) -> Pay:
    """Give what several fixed pays come to, each so many times, for one wager: it comes back once, or not at all.

    What is won or lost adds up, or all that comes back if every pay is "for 1".

    >>> str(added([(parse_pay("4 to 1"), 1), (parse_pay("12 to 1"), 2)])), str(added([(parse_pay("5 for 1"), 2)]))
    ('28 to 1', '10 for 1')
    """
    paid = [(pay, many) for pay, many in pays if many]
    if all(pay.is_for_one for pay, _ in paid):
        return Pay(sum((pay.amount * many for pay, many in paid), Fraction(0)), "for 1")
    won = sum((pay.net.constant * many for pay, many in paid), Fraction(0))
    return Pay(won + 1, "for 1") if -1 <= won < 0 else Pay(won, "to 1")
