"""Section of jurisdiction tests: limits on the figures of a sheet, with the result of each."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from combinat.analysis.exposure import JurisdictionTest, parse_jurisdiction_tests
from combinat.bets.schema import read_text
from combinat.exact.numbers import format_decimal
from combinat.exact.polynomial import Polynomial
from combinat.figures import FIGURES, headline_value
from combinat.results.par_sheet import JurisdictionTestAnswer
from decks import InputError, did_you_mean
from decks.errors import quote
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Section, Style, Styled, Table
from reports.sheet.sections.request import Request

TESTED = "tested"
"""Workbook key of the table."""
_LOOK_UP = (
    "Tests are data with a clause and a year, not legal advice: look up whether a test applies and what it requires "
    "today. Returns are those of the headline, with meters in the long run."
)


def iter_applicable_tests(request: Request) -> Iterator[tuple[JurisdictionTest, Fraction]]:
    """Yield (test, figure) for every test that applies and whose figure is a number."""
    for test in request.applicable_tests:
        value = headline_value(request.study, test.figure)
        if isinstance(value, Polynomial):
            value = value.constant if value.is_constant else None
        if isinstance(value, (int, Fraction)):
            yield test, Fraction(value) * (request.stake if test.in_money else 1)


def jurisdiction_section(request: Request) -> Section | None:
    """Return the section of jurisdiction tests: clause, requirement, figure and result; `None` if none applies."""
    results = list(iter_applicable_tests(request))
    if not results:
        return None
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            test.jurisdiction,
            test.name,
            f"{test.clause or test.source} ({test.year})",
            _requirement_text(test),
            Styled(value, _style(test)),
            _result(test, value),
        )
        for test, value in results
    )
    columns = (
        *(Column(title) for title in ("Jurisdiction", "Test", "Clause", "Requirement")),
        Column("Figure", Style.COUNT, key="here"),
        Column("Result", key="result"),
    )
    sources = {f"{test.jurisdiction}, {test.name}: {test.source} ({test.year})." for test, _ in results}
    money = [f"Figure of {test.name}: {FIGURES[test.figure].label.lower()}." for test, _ in results if test.in_money]
    money += [_WAGER.format(format_decimal(request.stake))] * bool(money)
    return Section(
        "Jurisdiction tests",
        key="jurisdictions",
        tables=(Table(columns, rows, "Limits that apply to table games", keys=2, key=TESTED),),
        notes=(*sorted(sources), *dict.fromkeys(money), _LOOK_UP),
    )


_WAGER = "Amounts of money are for the stated largest wager of {}."


def failed_tests(request: Request) -> list[str]:
    """Return the tests of the sheet's jurisdiction that fail."""
    jurisdiction = request.identity.jurisdiction.strip().lower()
    return [
        f"{test.jurisdiction}, {test.name}: {_result(test, value)}"
        for test, value in iter_applicable_tests(request)
        if test.jurisdiction.lower() == jurisdiction and not test.passes(value)
    ]


def _style(test: JurisdictionTest) -> Style:
    return Style.MONEY if test.in_money else STYLES[test.figure].style


def _requirement_text(test: JurisdictionTest) -> str:
    """Format the bounds of a test like its figure, without trailing zeros."""
    is_percent = _style(test) is Style.PERCENT
    texts = []
    for relation, bound in zip(("at least", "at most"), test.bounds, strict=True):
        if bound is not None:
            bound_text = f"{format_decimal(bound * 100)}%" if is_percent else format_decimal(bound)
            texts.append(f"{relation} {bound_text}")
    return ", ".join(texts)


def _result(test: JurisdictionTest, value: Fraction) -> str:
    return result_text(test.passes(value), test.consequence or "fails")


def result_text(passes: bool, fails: str) -> str:
    """Return "passes" or the consequence of failing."""
    return "passes" if passes else fails


def jurisdictions_answer(request: Request) -> list[JurisdictionTestAnswer]:
    """Return the tests as data, with bounds, figure and result."""
    return [
        JurisdictionTestAnswer(
            jurisdiction=test.jurisdiction,
            test=test.name,
            applies_to=test.applies_to,
            figure=test.figure,
            in_money=test.in_money,
            at_least=test.bounds[0],
            at_most=test.bounds[1],
            value=value,
            passes=test.passes(value),
            consequence=test.consequence or None,
            source=test.source,
            year=test.year,
        )
        for test, value in iter_applicable_tests(request)
    ]


def load_tests(path: Path) -> tuple[JurisdictionTest, ...]:
    """Load a file of jurisdiction tests."""
    try:
        text = read_text(path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    tests = parse_jurisdiction_tests(text, str(path))
    for test_number, test in enumerate(tests, 1):
        if test.figure not in FIGURES:
            hint = did_you_mean(test.figure, FIGURES) or f"; figures are {', '.join(FIGURES)}"
            raise InputError(f"{path}: test {test_number}: unknown figure {quote(test.figure)}{hint}")
    return tests
