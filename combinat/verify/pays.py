"""What an award pays, read from the words in which the paytable says it."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verify.amounts import Amount, plain
from combinat.verify.reading import UnreadableError, number_of, said, shown

PLAINLY = {"push": "0 to 1", "loses": "0 for 1"}


class Pay(NamedTuple):
    """What an award pays for a wager of one."""

    award: str
    text: str
    amount: Fraction
    unit: str
    gross: Amount
    """All that comes back, the wager too if it is returned."""

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
    return [pay_of(award, meters, wager) for award in sheet["awards"]]


def pay_of(award: dict[str, Any], meters: dict[str, Fraction], wager: Fraction) -> Pay:
    """Read an award's pay: `9 to 1` returns the wager, `200 for 1` and `10% of meter` do not.

    A meter shows money, of which its award pays the share to whoever wagered the amount of money that the meter is for.
    """
    name, text = said(award, "name", str), said(award, "pays_text", str)
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
