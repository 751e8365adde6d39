"""What the largest wins cost at a maximum wager, and from which wagers on they are reported to the tax office.

Which amounts are reported, and from when, is data: `tax.toml`. The test of so many times the wager is given on both
bases, all that is paid and that less the wager, because the payer may choose.

What jurisdictions ask of a sheet's figures: tests as data, with their source and year; a reader may have others.
"""

from __future__ import annotations

import tomllib
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import msgspec

from combinat.analysis.analysis import Analysis, Line
from combinat.bets.toml_text import check_limits
from combinat.exact.numbers import parse_number
from decks import InputError
from decks.errors import quoted

FILE = Path(__file__).parent / "tax.toml"


class TaxRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a win is reported, and when tax is withheld from it."""

    name: str
    years: str
    reported_from: int
    times_the_wager: int
    withheld_above: int
    source: str


class _TaxFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rule: tuple[TaxRule, ...]


@lru_cache(maxsize=1)
def tax_rules() -> tuple[TaxRule, ...]:
    """Read the rules that come with the program.

    >>> [rule.reported_from for rule in tax_rules()]
    [600, 2000]
    """
    with FILE.open("rb") as file:
        return msgspec.convert(tomllib.load(file, parse_float=str), _TaxFile).rule


class ReportingThreshold(msgspec.Struct, frozen=True):
    """From which wager on an award is reported under a rule; none if it never is."""

    rule: TaxRule
    on_all_paid: Fraction | None
    """The least wager, counting all that is paid."""
    less_the_wager: Fraction | None
    """The least wager, counting what is paid less the wager."""
    withheld_above: Fraction | None
    """The wager above which tax is withheld."""


def reported(line: Line, rule: TaxRule) -> ReportingThreshold | None:
    """Say from which wager on an award is reported; nothing if it pays from a meter of unknown amount.

    Where a wheel decides it is the highest prize that may be.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> lines = analyze(find("21+3-PT7"), Shoe(6)).lines
    >>> print(reported(lines[1], tax_rules()[1]).on_all_paid, reported(lines[2], tax_rules()[1]).on_all_paid)
    1 None
    """
    if not line.gross.is_constant:
        return None
    paid, won = line.highest.constant, line.highest.constant - 1
    return ReportingThreshold(
        rule=rule,
        on_all_paid=rule.reported_from / paid if paid >= rule.times_the_wager else None,
        less_the_wager=rule.reported_from / won if won >= rule.times_the_wager else None,
        withheld_above=rule.withheld_above / won if won >= rule.times_the_wager else None,
    )


class ReportedMeter(msgspec.Struct, frozen=True):
    """From which amount of its meter on an award is reported, for the fixed wager that the meter is for."""

    rule: TaxRule
    on_all_paid: Fraction
    less_the_wager: Fraction
    withheld_above: Fraction
    """The amount above which tax is withheld, or from which it is if the multiple of the wager decides."""


def reported_meter(share: Fraction, wager: Fraction, rule: TaxRule) -> ReportedMeter:
    """Say from which amount of a meter on an award of a share of it is reported.

    >>> whole = reported_meter(Fraction(1), Fraction(5), tax_rules()[1])
    >>> print(whole.on_all_paid, whole.less_the_wager, whole.withheld_above)
    2000 2005 5005
    """
    minimum = rule.times_the_wager * wager
    return ReportedMeter(
        rule=rule,
        on_all_paid=max(Fraction(rule.reported_from), minimum) / share,
        less_the_wager=(max(Fraction(rule.reported_from), minimum) + wager) / share,
        withheld_above=(max(Fraction(rule.withheld_above), minimum) + wager) / share,
    )


def largest_win(analysis: Analysis) -> Line | None:
    """Give the award that wins most, if every award's pay is known."""
    if not analysis.return_.is_constant:
        return None
    return max(
        (line for line in analysis.lines if line.is_possible), key=lambda line: line.highest.constant, default=None
    )


def jackpot_odds(analysis: Analysis) -> Fraction | None:
    """Give the longest odds against taking the whole of a meter; nothing if nobody can.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> jackpot_odds(analyze(find("BLZ-ML03-UP"), Shoe(6))) == 312 * 311 * 310 / Fraction(6 * 5 * 4) - 1  # 7♦ 7♦ 7♦
    True
    """
    probabilities: dict[str, Fraction] = {}
    for line in analysis.lines:
        pay = line.award.pay
        if pay.meter is not None and pay.amount == 1:
            probabilities[pay.meter] = probabilities.get(pay.meter, Fraction(0)) + line.probability
    return max(((1 - probability) / probability for probability in probabilities.values() if probability), default=None)


def second_prize(analysis: Analysis) -> Fraction | None:
    """Give the second largest of the fixed wins for a wager of one; nothing if there is one at most."""
    fixed = [line for line in analysis.lines if line.is_possible and line.award.pay.meter is None]
    wins = sorted(line.highest.constant - 1 for line in fixed)
    return wins[-2] if len(wins) > 1 else None


JURISDICTIONS_FILE = Path(__file__).parent / "jurisdictions.toml"
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
        low, high = (parse_number(text) if text else None for text in (self.at_least, self.at_most))
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
    return parse_tests(JURISDICTIONS_FILE.read_text(encoding="utf-8"), JURISDICTIONS_FILE.name)


def parse_tests(text: str, name: str) -> tuple[JurisdictionTest, ...]:
    """Read a file of tests; what is wrong with it is told with its name."""
    try:
        check_limits(text)
        tests = msgspec.convert(tomllib.loads(text), _File).test
    except (InputError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InputError(f"{name}: {error}") from None
    for number, test in enumerate(tests, 1):
        where = f"{name}: test {number}"
        if any(
            bound_text and bound is None
            for bound_text, bound in zip((test.at_least, test.at_most), test.bounds, strict=True)
        ):
            raise InputError(f'{where}: at_least and at_most are numbers such as "0.75" or "25000"')
        if test.bounds == (None, None):
            raise InputError(f"{where}: it asks nothing; write at_least or at_most")
        for text in (test.jurisdiction, test.name, test.applies_to, test.source, test.if_not):
            if len(text) > _LONGEST or not text.isprintable():
                raise InputError(f"{where}: {quoted(text[:40])}: write one line of up to {_LONGEST} characters")
    return tests
