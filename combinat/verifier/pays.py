"""What an award pays, read from the words in which the paytable says it."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.amounts import Amount, plain
from combinat.verifier.reading import UnreadableError, number_of, said, shown
from combinat.verifier.wheels import TIMES, Stops, wheels_of

PLAINLY = {"push": "0 to 1", "loses": "0 for 1"}


class Pay(NamedTuple):
    """What an award pays for a wager of one."""

    award: str
    text: str
    amount: Fraction
    unit: str
    gross: Amount
    """All that comes back, the wager too if it is returned; on average, if a wheel decides."""
    prizes: tuple[tuple[Fraction, Fraction], ...] = ()
    """All that comes back where a wheel decides, with the chances."""

    @property
    def outcomes(self) -> list[tuple[Amount, Fraction]]:
        """All that comes back, with the chances once the award is won."""
        return [(plain(back), chance) for back, chance in self.prizes] or [(self.gross, Fraction(1))]

    @property
    def highest(self) -> Fraction:
        """All that comes back at most, where that is a number."""
        return max([back for back, _ in self.prizes], default=self.gross.number)

    @property
    def is_fixed(self) -> bool:
        """Whether it comes from no meter."""
        return self.unit in ("to 1", "for 1")


def pays_of(sheet: dict[str, Any]) -> list[Pay]:
    """Read the pays of all awards."""
    meters = {name: number_of(value) for name, value in said(sheet, "meters", dict).items()}
    # Sheets from before there was this key have amounts of meters in wagers.
    wager = Fraction(1) if sheet.get("meter_wager") is None else number_of(sheet["meter_wager"])
    if not wager:
        raise UnreadableError("a wager of nothing")
    wheels = wheels_of(sheet)
    return [pay_of(award, meters, wager, wheels) for award in sheet["awards"]]


def pay_of(award: dict[str, Any], meters: dict[str, Fraction], wager: Fraction, wheels: dict[str, Stops]) -> Pay:
    """Read an award's pay: `9 to 1` returns the wager, `200 for 1` and `10% of meter` do not.

    A meter shows money, of which its award pays the share to whoever wagered the amount of money that the meter is for.
    """
    name, text = said(award, "name", str), said(award, "pays_text", str)
    if TIMES in text:
        return spun(award, text, wheels)
    if lost := re.fullmatch(r"loses (\S+)", text):
        amount = -number_of(lost[1])
        return Pay(name, text, amount, "to 1", plain(amount + 1))
    found = re.fullmatch(r"(\S+?)(?: (to|for) 1|% of ([A-Za-z_]\w*))", PLAINLY.get(text, text), re.ASCII)
    if not found:
        raise UnreadableError(f"cannot read the pay '{shown(text)}'")
    amount, meter = number_of(found[1]), found[3]
    if not meter:
        return Pay(name, text, amount, f"{found[2]} 1", plain(amount + (found[2] == "to")))
    worth = plain(meters[meter]) if meter in meters else Amount({(meter,): Fraction(1)})
    return Pay(name, text, amount / 100, f"of {meter}", worth.times(amount / 100 / wager))


def spun(award: dict[str, Any], text: str, wheels: dict[str, Stops]) -> Pay:
    """Multiply the number of a pay by each stop of its wheel; a wager that comes back does so once."""
    once, _, wheel = text.partition(TIMES)
    if wheel not in wheels:
        raise UnreadableError(f"no wheel '{shown(wheel)}'")
    pay = pay_of({**award, "pays_text": once}, {}, Fraction(1), {})
    comes_back = pay.unit == "to 1"
    prizes = [(pay.amount * times + comes_back, chance) for times, chance in wheels[wheel]]
    return of_prizes(pay.award, text, pay.unit, prizes)


def of_prizes(award: str, text: str, unit: str, prizes: list[tuple[Fraction, Fraction]]) -> Pay:
    """Make the pay of several prizes, from all that comes back with each, equal ones taken together."""
    together: Counter[Fraction] = Counter()
    for back, chance in prizes:
        together[back] += chance  # type: ignore[assignment]
    mean = sum([back * chance for back, chance in together.items()], Fraction(0))
    in_order = tuple(sorted(together.items(), reverse=True))
    return Pay(award, text, mean - (unit == "to 1"), unit, plain(mean), in_order)  # type: ignore[arg-type]
