"""What jurisdictions ask of a sheet's figures: tests as data, with their source and year; a reader may have others."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import msgspec

from combinat.bets.toml_text import check_limits
from combinat.exact.amounts import number_in
from decks import InputError
from decks.errors import quoted

FILE = Path(__file__).parent / "jurisdictions.toml"
_LONGEST = 300


class JurisdictionTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One figure and the least or the largest that it may be."""

    jurisdiction: str
    name: str
    figure: str
    """The figure's key."""
    source: str
    year: int
    applies_to: str = ""
    at_least: str = ""
    at_most: str = ""
    in_money: bool = False
    """Whether the figure, which is for a wager of one, is looked at for the largest wager taken."""
    if_not: str = ""
    """What follows where the test is not passed, if that is no refusal."""

    @property
    def bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """The least and the largest that the figure may be."""
        low, high = (number_in(text) if text else None for text in (self.at_least, self.at_most))
        return low, high

    def passes(self, value: Fraction) -> bool:
        """Whether a value is within the bounds.

        >>> new_jersey = jurisdiction_tests()[0]
        >>> new_jersey.passes(Fraction(10**8)), new_jersey.passes(Fraction(10**8 + 1))
        (True, False)
        """
        low, high = self.bounds
        return (low is None or value >= low) and (high is None or value <= high)


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    test: tuple[JurisdictionTest, ...]


@lru_cache(maxsize=1)
def jurisdiction_tests() -> tuple[JurisdictionTest, ...]:
    """Read the tests that come with the program.

    >>> sorted({test.jurisdiction for test in jurisdiction_tests()})
    ['Illinois', 'Nevada', 'New Jersey', 'Washington']
    """
    return parse_tests(FILE.read_text(encoding="utf-8"), FILE.name)


def parse_tests(text: str, name: str) -> tuple[JurisdictionTest, ...]:
    """Read a file of tests; what is wrong with it is told with its name."""
    try:
        check_limits(text)
        found = msgspec.convert(tomllib.loads(text), _File).test
    except (InputError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InputError(f"{name}: {error}") from None
    for number, test in enumerate(found, 1):
        where = f"{name}: test {number}"
        if any(said and bound is None for said, bound in zip((test.at_least, test.at_most), test.bounds, strict=True)):
            raise InputError(f'{where}: at_least and at_most are numbers such as "0.75" or "25000"')
        if test.bounds == (None, None):
            raise InputError(f"{where}: it asks nothing; write at_least or at_most")
        for text in (test.jurisdiction, test.name, test.applies_to, test.source, test.if_not):
            if len(text) > _LONGEST or not text.isprintable():
                raise InputError(f"{where}: {quoted(text[:40])}: write one line of up to {_LONGEST} characters")
    return found
