"""What a paytable's maker leaves open: the values that a pay, a seed or a rate may take."""

from __future__ import annotations

import re
from fractions import Fraction

from msgspec import Struct

from combinat.exact.amounts import decimal_text, number_in
from decks import InputError
from decks.errors import quoted

OUT = "out"
MOST_VALUES = 100_000
"""Values of one unknown."""
_FORMS = "write 9, 1..50, 2..30 step 2, or 1|2|5, with |out where it may be left out"
_RANGE = re.compile(r"(?P<low>[^\s.]+(?:\.\d+)?%?)\s*\.\.\s*(?P<high>\S+?)(?:\s+step\s+(?P<step>\S+))?", re.IGNORECASE)


class Choice(Struct, frozen=True):
    """The values that something may take, from the lowest up; an award may also be left out."""

    values: tuple[Fraction, ...]
    may_be_out: bool = False

    def __str__(self) -> str:
        most = decimal_text(self.values[-1]) if self.values else OUT
        return most if len(self.values) < 2 else f"{decimal_text(self.values[0])}..{most}"


def parse_choice(text: object, what: str, *, percent: bool = False, may_be_out: bool = False) -> Choice:
    """Read the values that are left open: one, a range with or without a step, or a list of these.

    >>> parse_choice("1..4", "pay").values == (1, 2, 3, 4), parse_choice("2..8 step 3|0.5", "pay").values[0]
    (True, Fraction(1, 2))
    >>> parse_choice("5|out", "pay", may_be_out=True).may_be_out
    True
    """
    values: set[Fraction] = set()
    is_out = False
    listed = "|".join(map(str, text)) if isinstance(text, list) else str(text)
    for part in listed.split("|"):
        said = part.strip()
        if may_be_out and said.lower() == OUT:
            is_out = True
            continue
        values |= _values(said, text, what, percent)
        if len(values) > MOST_VALUES:
            raise InputError(f"{what}: {quoted(text)} has more than {MOST_VALUES:,} values; give a larger step")
    return Choice(tuple(sorted(values)), is_out)


def _values(said: str, text: object, what: str, percent: bool) -> set[Fraction]:
    if ".." not in said:
        return {_number(said, text, what, percent)}
    ends = _RANGE.fullmatch(said)
    if ends is None:
        raise InputError(f"{what}: cannot read {quoted(text)}; {_FORMS}")
    low, high = (_number(ends[key], text, what, percent) for key in ("low", "high"))
    step = _number(ends["step"], text, what, percent) if ends["step"] else Fraction(1, 100 if percent else 1)
    if step <= 0:
        raise InputError(f"{what}: the step of {quoted(text)} must be more than nothing")
    if low > high:
        raise InputError(f"{what}: the range {quoted(said)} is empty, since it ends below where it begins")
    count = (high - low) // step + 1
    if count > MOST_VALUES:
        raise InputError(f"{what}: {quoted(text)} has {count:,} values; give a larger step")
    return {low + step * number for number in range(count)}


def _number(said: str, text: object, what: str, percent: bool) -> Fraction:
    words = said.strip().lstrip("$")
    number = number_in(words.removesuffix("%").strip()) if percent or not words.endswith("%") else None
    if number is None and (odds := re.fullmatch(r"(\d+)/(\d+)", words, re.ASCII)) and int(odds[2]):
        number = Fraction(int(odds[1]), int(odds[2]))
    if number is None or (percent and not words.endswith("%")):
        sign = "; a rate is a percentage, as in 5%..20% step 1%" if percent else f"; {_FORMS}"
        raise InputError(f"{what}: cannot read {quoted(said or text)}{sign}")
    return number / 100 if percent else number
