"""Section with the checks of a sheet, and with what the verifier checked and did not check."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.finder.checks import NOT_A_CHECK, is_check, matches_published, published_label
from combinat.results.par_sheet import SheetCheckAnswer
from combinat.verifier import Verdict
from reports.page.model import Cell, Column, Section, Style, Table
from reports.sheet.sections.request import Request
from reports.tables.headings import published_figures

OK, DIFFERS = "agrees", "DIFFERS"


class CheckResult(Struct, frozen=True):
    """One check and its result."""

    what: str
    result: str

    @property
    def has_failed(self) -> bool:
        """Return whether the check found a difference."""
        return self.result == DIFFERS


VERIFIER_CHECK = "The verifier agrees with every figure that it checks; the figures are listed below"


def run_checks(request: Request) -> tuple[CheckResult, ...]:
    """Run the internal checks and compare published figures."""
    analysis = request.analysis
    verifier_check = CheckResult(VERIFIER_CHECK, OK)  # replaced if the verifier finds a difference
    return (*_sum_checks(analysis), *_recount_checks(analysis), verifier_check, *_published_checks(analysis))


def add_verifier_checks(checks: tuple[CheckResult, ...], verdict: Verdict) -> tuple[CheckResult, ...]:
    """Add the verifier's result: each difference, or why it could not check the bet."""
    if verdict.differences:
        verifier_checks = [
            CheckResult(f"{VERIFIER_CHECK}: {difference}", DIFFERS) for difference in verdict.differences
        ]
    elif verdict.not_counted:
        verifier_checks = [CheckResult(VERIFIER_CHECK, f"not checked: {verdict.not_counted}")]
    else:
        return checks
    return tuple(
        new_check for check in checks for new_check in (verifier_checks if check.what == VERIFIER_CHECK else [check])
    )


def checks_answer(checks: tuple[CheckResult, ...]) -> list[SheetCheckAnswer]:
    """Return the checks as data."""
    return [SheetCheckAnswer(check=check.what, result=check.result) for check in checks]


def _check(name: str, is_ok: bool) -> CheckResult:
    return CheckResult(name, OK if is_ok else DIFFERS)


def _sum_checks(analysis: Analysis) -> tuple[CheckResult, ...]:
    award_counts, lines = analysis.ways, analysis.lines
    total_probability = sum((line.probability for line in lines), analysis.lose_probability)
    mean = sum((line.net * line.probability for line in lines), -Fraction(1) * analysis.lose_probability)
    return (
        _check(
            "The ways of all awards and of losing hands add up to the cycle",
            sum(award_counts.wins) + award_counts.losing == award_counts.cycle,
        ),
        _check("The probabilities add up to one", total_probability == 1),
        _check("The mean of all results is the house edge with the sign reversed", mean == -analysis.house_edge),
    )


def _recount_checks(analysis: Analysis) -> tuple[CheckResult, ...]:
    """Count the ways again by weighting the shoe card by card."""
    if not analysis.shoe.is_full or analysis.paytable.tally.note:
        return ()  # counted this way already, or there is no single formula
    recount = analysis.paytable.experiment.count(analysis.shoe.composition)
    scale = Fraction(analysis.ways.cycle, recount.cycle)  # the recount may use shorter deals than the tally
    is_equal = all(
        scale * recounted_ways == counted_ways
        for recounted_ways, counted_ways in zip(recount.wins, analysis.ways.wins, strict=True)
    )
    return (_check("A recount of the shoe card by card agrees with the formula in n", is_equal),)


def _published_checks(analysis: Analysis) -> tuple[CheckResult, ...]:
    checks = []
    for published in published_figures(analysis):
        is_equal = matches_published(analysis, published)
        name = f"Published {published_label(published)} of {published.text}"
        if is_equal is None:
            checks.append(CheckResult(name, "depends on the meters"))
        else:
            checks.append(_check(name, is_equal) if is_check(analysis, published) else CheckResult(name, NOT_A_CHECK))
    return tuple(checks)


def verification_section(checks: tuple[CheckResult, ...], verdict: Verdict) -> Section:
    """Return the section of checks, with what the verifier checked and did not check."""
    rows: tuple[tuple[Cell, ...], ...] = tuple((check.what, check.result) for check in checks)
    return Section(
        "Verification",
        key="verification",
        tables=(
            Table((Column("Check"), Column("Result")), rows, "Checks that ran when this sheet was made"),
            *(table for table in (checked_table(verdict), not_checked_table(verdict)) if table.rows),
        ),
        notes=(
            "The verifier shares no code with the program; what it checks, and how, is listed above. "
            "The command 'combinat verify' repeats the check on the JSON sheet and prints the same lists. The JSON "
            "sheet holds all data that an independent check needs.",
        ),
    )


def checked_table(verdict: Verdict) -> Table:
    """Return the table of checked figures, by method."""
    coverage = verdict.coverage
    rows: list[tuple[Cell, ...]] = [(row["by"], row["figures"]) for row in coverage["checked"]]
    if coverage["compared_with_source"]:
        rows.append(("names, rules and other words compared with the bet's file", coverage["compared_with_source"]))
    title = f"What the verifier checked; {coverage['merged']}" if coverage["merged"] else "What the verifier checked"
    return Table((Column("Checked"), Column("Values", Style.COUNT)), tuple(rows), title)


def not_checked_table(verdict: Verdict) -> Table:
    """Return the table of figures that were not checked, by reason."""
    columns = (Column("Not checked"), Column("Why"))
    by_reason: dict[str, list[str]] = {}
    for row in verdict.coverage["not_checked"]:
        by_reason.setdefault(row["reason"], []).append(row["key"])
    if prose := verdict.coverage["prose"]:
        by_reason["prose: words for a reader"] = prose
    rows = tuple((", ".join(fields), why) for why, fields in by_reason.items())
    return Table(columns, rows, "What it did not check")
