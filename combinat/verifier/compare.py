"""Compares what a file says with what it should say, part by part, and keeps the verdict."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.amounts import Whole
from combinat.verifier.reading import fraction_of, shown

INPUTS = {
    *("format", "deal", "given", "ordered_by_role", "pack", "decks", "removed", "designed_decks", "meters"),
    *("meter_wager", "name", "rule", "pays_text", "kind", "table", "rules", "strategy", "settings", "per", "times"),
    *("weight", "max_wager", "plays_per_day", "days", "terms", "text", "other_decks"),
    *("all_pays_deducted", "seed", "rate", "reserve", "cap", "rate_after_cap", "deducted", "seed_paid_by"),
    *(
        "charts",
        "jurisdiction",
        "test",
        "applies_to",
        "in_money",
        "at_least",
        "at_most",
        "consequence",
        "source",
        "year",
    ),
}
"""What the sheet says about the bet, from which everything else is worked out."""
NAMES = ("name", "hand", "up", "award", "decks", "confidence", "plays", "meter", "basis", "check", "part", "figure")
"""What tells the rows of a table apart."""
PLAIN = {str, int, bool, type(None)}
"""What a figure can be that has no parts."""


class NotChecked(NamedTuple):
    """Stands for a figure that cannot be compared."""

    which: str
    """Which figures of the name that are, in words that follow the name; all of them if there are none."""


class Described(NamedTuple):
    """Stands for what should be there, where many things would do and the one that is there does not."""

    words: str


class Near(NamedTuple):
    """Stands for a number that rests on long powers, which a sheet writes to many digits only."""

    value: Fraction
    is_root: bool = False
    """Whether the sheet writes the root of it."""
    is_negative: bool = False
    """Whether that root is below nothing."""

    def fits(self, there: Any) -> bool:
        """Whether what a file says is this number, to thirty decimals.

        >>> Near(Fraction(2), is_root=True).fits("sqrt(2)"), Near(Fraction(2), is_root=True).fits("-sqrt(2)")
        (True, False)
        """
        text = str(there)
        if self.is_root:
            begins = "-sqrt(" if self.is_negative else "sqrt("
            if not (text.startswith(begins) and text.endswith(")")):
                return False
            text = text.removeprefix(begins)[:-1]
        number = fraction_of(text)
        return number is not None and abs(number - self.value) <= max(abs(self.value), Fraction(1)) / 10**30


def near_if(is_near: bool, value: Fraction | None) -> Near | Fraction | None:
    """Give a number, as one that has to be near if it rests on long powers."""
    return Near(value) if is_near and value is not None else value


class Place(NamedTuple):
    """Where something stands in a file.

    >>> place = Place().under("awards").row(1, {"name": "Bonus: Trips"}).under("ways")
    >>> place.words, place.kind, place.part
    ('awards[1] Bonus: Trips: ways', 'awards[].ways', 'awards')
    """

    words: str = ""
    """In words, with the names of rows."""
    kind: str = ""
    """As all rows of a table have it."""
    part: str = ""
    """The part of the sheet that it is in."""
    joint: str = ""
    """What stands between this and a key within it."""

    def under(self, key: str) -> Place:
        """Give the place of what stands under a key."""
        name = shown(key)
        kind = f"{self.kind}.{name}" if self.kind else name
        return Place(f"{self.words}{self.joint}{name}", kind, self.part or name, ".")

    def row(self, at: int, row: Any) -> Place:
        """Give the place of a row of what stands here."""
        return Place(f"{self.words}[{at}]{label_of(row)}", f"{self.kind}[]", self.part, ": ")


TOP = Place()
"""The file as a whole."""


class NotReached(NamedTuple):
    """Why no figure was counted again."""

    reason: str
    is_deal_known: bool
    """Whether there is a second method for such deals, which does not reach this one."""

    def __str__(self) -> str:
        return f"{'cannot be re-derived' if self.is_deal_known else 'not checked'}: {self.reason}"


@dataclass(repr=False)
class Verdict:
    """What came of checking a sheet."""

    differences: list[str] = field(default_factory=list)
    """What differs, and what is missing."""
    checked: int = 0
    """How many figures were compared."""
    not_checked: list[str] = field(default_factory=list)
    """What was not looked at."""
    not_reached: NotReached | None = None
    """Why the bet was not counted again, if it was not."""
    by_part: Counter[str] = field(default_factory=Counter)
    """How many of them are in each part of the sheet."""
    coverage: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """What was checked, how many figures by what, and what was not, and why; a sheet prints the same list."""
    notes: list[str] = field(default_factory=list)
    """How the sheet was read, where there is more than one way."""

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    @property
    def agrees(self) -> bool:
        """Whether the bet was counted again and every figure is what it should be."""
        return not self.differences and self.not_reached is None

    @property
    def summary(self) -> str:
        """What came of it, on one line."""
        if self.not_reached is not None:
            return str(self.not_reached)
        if self.differences:
            return f"{len(self.differences)} of {self.checked} figures differ"
        return f"{self.checked} figures re-derived, all agree"

    @property
    def details(self) -> list[str]:
        """Every difference, and how the sheet was read."""
        return [*self.differences, *[f"note: {note}" for note in self.notes]]

    @property
    def listed(self) -> list[str]:
        """What was checked, how many figures and by what, and what was not, and why; as the sheet prints it."""
        if not self.coverage:
            return [f"not checked: {', '.join(self.not_checked)}"] if self.not_checked else []
        checked = [f"checked: {row['part']}, {row['figures']}, by {row['by']}" for row in self.coverage["checked"]]
        return checked + [f"not checked: {row['key']}: {row['reason']}" for row in self.coverage["not_checked"]]

    def compare(self, there: Any, expected: Any, place: Place = TOP) -> None:
        """Compare what the file says with what it should be."""
        if isinstance(there, dict) and isinstance(expected, dict):
            for key, value in there.items():
                self.compare_key(value, expected, key, place)
            for key in set(expected) - set(there) if isinstance(expected, Whole) else ():
                self.differences.append(f"{place.under(key).words}: missing")
        elif isinstance(there, list) and isinstance(expected, list) and len(there) == len(expected):
            for at, (one, other) in enumerate(zip(there, expected, strict=True)):
                self.compare(one, other, place.row(at, one))
        elif hasattr(expected, "fits"):  # what has to be near, or to begin so
            self.count(place)
            if not expected.fits(there):
                what = f"the file says {in_words(there)}, but it is about {shown(getattr(expected, 'value', expected))}"
                self.differences.append(f"{place.words}: {what}")
        else:
            self.count(place)
            if type(there) is not type(expected) or there != expected:
                what = f"the file says {in_words(there)}, but it is {in_words(expected)}"
                self.differences.append(f"{place.words}: {what}")

    def count(self, place: Place) -> None:
        """Count a figure that was compared, for the part of the sheet that it is in."""
        self.checked += 1
        self.by_part[place.part] += 1

    def compare_key(self, value: Any, expected: dict[str, Any], key: str, place: Place) -> None:
        """Compare what stands under a key, or note that it is not known here."""
        known = expected.get(key)
        if type(value) in PLAIN and type(known) is type(value) and known == value and key in expected:
            self.checked += 1  # as most are: nobody has to know where it stands
            self.by_part[place.part or shown(key)] += 1
        elif key in expected and not isinstance(known, NotChecked):
            self.compare(value, known, place.under(key))
        elif key not in INPUTS or known is not None:
            there = place.under(key)
            self.leave_out(f"{there.kind} {known.which}".rstrip() if isinstance(known, NotChecked) else there.kind)

    def leave_out(self, name: str) -> None:
        """Note once that something is not checked."""
        if name not in self.not_checked:
            self.not_checked.append(name)


def label_of(row: Any) -> str:
    """Name a row of a table by what tells it apart."""
    if not isinstance(row, dict):
        return ""
    names = [row[key] for key in NAMES if row.get(key) is not None]
    against = f" against {shown(row['up'])}" if "hand" in row and "up" in row else ""
    return f" {shown(names[0])}{against}" if names else against


def in_words(value: object) -> str:
    """Write a value as JSON has it, or in the words that describe it."""
    return value.words if isinstance(value, Described) else shown(json.dumps(value, ensure_ascii=False, default=str))
