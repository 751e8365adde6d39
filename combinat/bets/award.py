"""The steps of a paytable's ladder, and which of them pays most."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from combinat.bets.pay import Pay
from combinat.exact.polynomial import Polynomial
from combinat.language.tree import Rule


class Award(Struct, frozen=True):
    """One step of the ladder: what it is called, which hands it is for, what it pays."""

    name: str
    rule: Rule
    pay: Pay
    said: str = ""
    """What it pays, in the file's own words."""


def top_place(pays: Sequence[Polynomial]) -> int:
    """Find which pay is most, a meter of unknown value being worth more than any pay; the first of equals.

    >>> from combinat.bets.pay import parse_pay
    >>> top_place([parse_pay(text).gross for text in ("25 to 1", "40 to 1", "40 to 1")])
    1
    """
    return max(range(len(pays)), key=lambda place: (not pays[place].is_constant, pays[place].constant))
