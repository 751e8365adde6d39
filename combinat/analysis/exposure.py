"""Exposure: largest wins, tax reporting thresholds, and tests of figures by jurisdiction.

The reporting rules are data in `tax.toml`. The test for a multiple of the wager is done on both bases, the total
payment and the payment less the wager, because the payer may choose. The tests of jurisdictions are data in
`jurisdictions.toml`, with their source and year; users can provide their own file.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import msgspec

from combinat.analysis.analysis import Analysis, AwardLine
from combinat.bets.schema import parse_toml
from combinat.exact.numbers import parse_number
from decks import InputError
from decks.errors import quote

TAX_FILE = Path(__file__).parent / "tax.toml"


class TaxRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The thresholds for reporting a win and for withholding tax."""

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
    """Load the built-in reporting rules.

    >>> [rule.reported_from for rule in tax_rules()]
    [600, 2000]
    """
    return msgspec.convert(parse_toml(TAX_FILE.read_text(encoding="utf-8")), _TaxFile).rule


class ReportingThreshold(msgspec.Struct, frozen=True):
    """The smallest wagers at which an award is reported under a rule; `None` if it never is."""

    rule: TaxRule
    on_all_paid: Fraction | None
    """The smallest wager, by the total payment."""
    less_the_wager: Fraction | None
    """The smallest wager, by the payment less the wager."""
    withheld_above: Fraction | None
    """The wager above which tax is withheld."""


def reporting_threshold(line: AwardLine, rule: TaxRule) -> ReportingThreshold | None:
    """Return the wagers from which an award is reported; `None` if it pays from a meter of unknown value.

    With a wheel, this is for the highest prize.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> lines = analyze_wager(get_paytable("21+3-PT7"), Shoe(6)).lines
    >>> rule = tax_rules()[1]
    >>> print(*(reporting_threshold(line, rule).on_all_paid for line in lines[1:3]))
    1 None
    """
    if not line.gross.is_constant:
        return None
    total_payment, net_win = line.highest.constant, line.highest.constant - 1
    return ReportingThreshold(
        rule=rule,
        on_all_paid=rule.reported_from / total_payment if total_payment >= rule.times_the_wager else None,
        less_the_wager=rule.reported_from / net_win if net_win >= rule.times_the_wager else None,
        withheld_above=rule.withheld_above / net_win if net_win >= rule.times_the_wager else None,
    )


class MeterThreshold(msgspec.Struct, frozen=True):
    """The smallest meter values at which an award is reported, for the fixed wager of the meter."""

    rule: TaxRule
    on_all_paid: Fraction
    less_the_wager: Fraction
    withheld_above: Fraction
    """The value above which tax is withheld, or from which it is withheld if the multiple of the wager decides."""


def meter_threshold(share: Fraction, wager: Fraction, rule: TaxRule) -> MeterThreshold:
    """Return the meter values from which an award of `share` of the meter is reported.

    >>> whole = meter_threshold(Fraction(1), Fraction(5), tax_rules()[1])
    >>> print(whole.on_all_paid, whole.less_the_wager, whole.withheld_above)
    2000 2005 5005
    """
    minimum = rule.times_the_wager * wager
    return MeterThreshold(
        rule=rule,
        on_all_paid=max(Fraction(rule.reported_from), minimum) / share,
        less_the_wager=(max(Fraction(rule.reported_from), minimum) + wager) / share,
        withheld_above=(max(Fraction(rule.withheld_above), minimum) + wager) / share,
    )


def largest_win(analysis: Analysis) -> AwardLine | None:
    """Return the possible award with the largest win; `None` if a meter's value is unknown."""
    if not analysis.return_.is_constant:
        return None
    return max(
        (line for line in analysis.lines if line.is_possible), key=lambda line: line.highest.constant, default=None
    )


def jackpot_odds(analysis: Analysis) -> Fraction | None:
    """Return the longest odds against winning 100% of a meter; `None` if no award does.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> odds = jackpot_odds(analyze_wager(get_paytable("BLZ-ML03-UP"), Shoe(6)))  # of 7♦ 7♦ 7♦
    >>> odds == 312 * 311 * 310 / Fraction(6 * 5 * 4) - 1
    True
    """
    probabilities: dict[str, Fraction] = {}
    for line in analysis.lines:
        pay = line.award.pay
        if pay.meter is not None and pay.amount == 1:
            probabilities[pay.meter] = probabilities.get(pay.meter, Fraction(0)) + line.probability
    return max(((1 - probability) / probability for probability in probabilities.values() if probability), default=None)


def second_prize(analysis: Analysis) -> Fraction | None:
    """Return the second largest fixed win for a wager of 1; `None` with fewer than two."""
    fixed_lines = [line for line in analysis.lines if line.is_possible and line.award.pay.meter is None]
    wins = sorted(line.highest.constant - 1 for line in fixed_lines)
    return wins[-2] if len(wins) > 1 else None


JURISDICTIONS_FILE = Path(__file__).parent / "jurisdictions.toml"
_MAX_TEXT = 300
TABLE_GAMES = "table games"
"""The kind of game of every par sheet."""


class JurisdictionTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A required minimum or maximum of one figure."""

    jurisdiction: str
    name: str
    figure: str
    """The figure's key."""
    source: str
    year: int
    """The year of the text that was read."""
    clause: str = ""
    """The clause that sets the limit; the source if empty."""
    applies_to: str = TABLE_GAMES
    """The kind of game that the test is for; only tests for table games are applied to a sheet."""
    at_least: str = ""
    at_most: str = ""
    in_money: bool = False
    """Whether the figure, which is for a wager of 1, is scaled to the maximum wager."""
    consequence: str = ""
    """The consequence of a failed test, if it is not a rejection."""

    @property
    def bounds(self) -> tuple[Fraction | None, Fraction | None]:
        """The minimum and maximum of the figure; `None` for no limit."""
        minimum, maximum = (parse_number(text) if text else None for text in (self.at_least, self.at_most))
        return minimum, maximum

    def passes(self, value: Fraction) -> bool:
        """Return whether a value is within the bounds.

        >>> new_jersey = jurisdiction_tests()[0]
        >>> new_jersey.passes(Fraction(10**8)), new_jersey.passes(Fraction(10**8 + 1))
        (True, False)
        """
        minimum, maximum = self.bounds
        return (minimum is None or value >= minimum) and (maximum is None or value <= maximum)


class _JurisdictionFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    test: tuple[JurisdictionTest, ...]


@lru_cache(maxsize=1)
def jurisdiction_tests() -> tuple[JurisdictionTest, ...]:
    """Load the built-in tests.

    >>> sorted({test.jurisdiction for test in jurisdiction_tests()})
    ['New Jersey', 'Washington']
    """
    return parse_jurisdiction_tests(JURISDICTIONS_FILE.read_text(encoding="utf-8"), JURISDICTIONS_FILE.name)


def format_tests(tests: tuple[JurisdictionTest, ...]) -> str:
    """Return tests as the text of a file, which `parse_jurisdiction_tests` reads.

    >>> parse_jurisdiction_tests(format_tests(jurisdiction_tests()), "") == jurisdiction_tests()
    True
    """
    keys = ("jurisdiction", "name", "applies_to", "figure", "at_least", "at_most", "consequence", "clause", "source")
    lines: list[str] = []
    for test in tests:
        lines.append("[[test]]")
        lines += [f"{key} = {json.dumps(text, ensure_ascii=False)}" for key in keys if (text := getattr(test, key))]
        lines += [*(["in_money = true"] if test.in_money else []), f"year = {test.year}", ""]
    return "\n".join(lines)


def parse_jurisdiction_tests(text: str, name: str) -> tuple[JurisdictionTest, ...]:
    """Parse a file of tests; errors cite `name`."""
    try:
        tests = msgspec.convert(parse_toml(text), _JurisdictionFile).test
    except (InputError, msgspec.ValidationError) as error:
        if "`if_not`" in str(error):
            raise InputError(f"{name}: the key 'if_not' has another name now; write consequence = ...") from None
        raise InputError(f"{name}: {error}") from None
    for test_number, test in enumerate(tests, 1):
        where = f"{name}: test {test_number}"
        if any(
            bound_text and bound is None
            for bound_text, bound in zip((test.at_least, test.at_most), test.bounds, strict=True)
        ):
            raise InputError(f'{where}: at_least and at_most must be numbers such as "0.75" or "25000"')
        if test.bounds == (None, None):
            raise InputError(f"{where}: no limit; write at_least or at_most")
        for text in (test.jurisdiction, test.name, test.applies_to, test.clause, test.source, test.consequence):
            if len(text) > _MAX_TEXT or not text.isprintable():
                raise InputError(f"{where}: {quote(text[:40])}: write one line of up to {_MAX_TEXT} characters")
    return tests
