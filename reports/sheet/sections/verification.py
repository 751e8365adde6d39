"""Section with the checks of a sheet and their results."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.finder.checks import NOT_A_CHECK, figure_label, is_check, matches_published
from combinat.verifier import Verdict
from reports.page.model import Cell, Column, Section, Table
from reports.sheet.sections.request import Request
from reports.tables.coverage import checked_table, not_checked_table

OK, DIFFERS = "agrees", "DIFFERS"


class CheckResult(Struct, frozen=True):
    """One check and its result."""

    what: str
    result: str

    @property
    def has_failed(self) -> bool:
        """Return whether the check found a difference."""
        return self.result == DIFFERS


VERIFIER_CHECK = "The second method gives every figure that it reaches; what it reached is listed below"


def run_checks(request: Request) -> tuple[CheckResult, ...]:
    """Run the internal checks and compare published figures."""
    analysis = request.analysis
    second = CheckResult(VERIFIER_CHECK, OK)  # replaced if the verifier finds a difference
    return (*_sum_checks(analysis), *_recount_checks(analysis), second, *_published_checks(analysis))


def add_verifier_checks(checks: tuple[CheckResult, ...], verdict: Verdict) -> tuple[CheckResult, ...]:
    """Add the verifier's result: each difference, or why it could not check the bet."""
    if verdict.differences:
        second = [CheckResult(f"{VERIFIER_CHECK}: {difference}", DIFFERS) for difference in verdict.differences]
    elif verdict.not_reached:
        kind = "not reached" if verdict.not_reached.is_deal_known else "not checked"
        second = [CheckResult(VERIFIER_CHECK, f"{kind}: {verdict.not_reached.reason}")]
    else:
        return checks
    return tuple(new for check in checks for new in (second if check.what == VERIFIER_CHECK else [check]))


def checks_payload(checks: tuple[CheckResult, ...]) -> list[dict[str, str]]:
    """Return the checks as data."""
    return [{"check": check.what, "result": check.result} for check in checks]


def _check(name: str, is_ok: bool) -> CheckResult:
    return CheckResult(name, OK if is_ok else DIFFERS)


def _sum_checks(analysis: Analysis) -> tuple[CheckResult, ...]:
    ways, lines = analysis.ways, analysis.lines
    total_probability = sum((line.probability for line in lines), analysis.lose_probability)
    mean = sum((line.net * line.probability for line in lines), -Fraction(1) * analysis.lose_probability)
    return (
        _check(
            "The ways of all awards and of losing hands add up to the cycle", sum(ways.wins) + ways.losing == ways.cycle
        ),
        _check("The probabilities add up to one", total_probability == 1),
        _check("The mean of all results is the house edge, turned around", mean == -analysis.house_edge),
    )


def _recount_checks(analysis: Analysis) -> tuple[CheckResult, ...]:
    """Count the ways again by weighting the shoe card by card."""
    if not analysis.shoe.is_full or analysis.paytable.tally.note:
        return ()  # counted this way already, or there is no single formula
    recount = analysis.paytable.experiment.count(analysis.shoe.composition)
    scale = Fraction(analysis.ways.cycle, recount.cycle)  # a draw is weighted over only as many cards as needed
    is_equal = all(
        scale * recounted == counted for recounted, counted in zip(recount.wins, analysis.ways.wins, strict=True)
    )
    return (_check("The shoe weighed card by card gives the counts of the formula in n", is_equal),)


def _published_checks(analysis: Analysis) -> tuple[CheckResult, ...]:
    checks = []
    for printed in analysis.paytable.published:
        if printed.decks == analysis.shoe.decks and analysis.shoe.is_full:
            is_equal = matches_published(analysis, printed)
            name = f"Published {figure_label(printed)} of {printed.text}"
            if is_equal is None:
                checks.append(CheckResult(name, "depends on the meters"))
            else:
                checks.append(_check(name, is_equal) if is_check(analysis, printed) else CheckResult(name, NOT_A_CHECK))
    return tuple(checks)


def verification_section(checks: tuple[CheckResult, ...], listed: dict[str, list[dict[str, Any]]]) -> Section:
    """Return the section of checks, with what the verifier checked and did not check."""
    rows: tuple[tuple[Cell, ...], ...] = tuple((check.what, check.result) for check in checks)
    return Section(
        "Verification",
        key="verification",
        tables=(
            Table((Column("Check"), Column("Result")), rows, "Checks that ran when this sheet was made"),
            checked_table(listed),
            not_checked_table(listed),
        ),
        notes=(
            "The second method shares no code with the first; what it counts, and how, is listed above. "
            "The command 'combinat verify' repeats it on the JSON sheet, which also stands by itself for a method of "
            "your own, and prints the same two lists.",
        ),
    )
