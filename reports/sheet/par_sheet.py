"""The par sheet: one paytable at one shoe in numbered sections, exact and unformatted."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from msgspec import Struct

from combinat.analysis.exposure import JurisdictionTest, jurisdiction_tests
from combinat.enumeration.progress import report_progress
from combinat.meters.session import Pace
from combinat.study import Study
from combinat.verifier import verify
from reports.page.model import Document, Section, number_sections
from reports.sheet.identity import Identity, fingerprint
from reports.sheet.payload import sheet_payload
from reports.sheet.sections.awards import award_section, statistics_section
from reports.sheet.sections.closing import identification_section
from reports.sheet.sections.decks import deck_section
from reports.sheet.sections.derivation import derivation_section
from reports.sheet.sections.exposure import exposure_section
from reports.sheet.sections.jurisdictions import failed_tests, jurisdiction_section
from reports.sheet.sections.opening import headline_figures, headline_section, rules_section, signatures_section
from reports.sheet.sections.outlook import outlook_section, pay_sensitivity_section
from reports.sheet.sections.request import Request
from reports.sheet.sections.special import special_section
from reports.sheet.sections.verification import add_verifier_checks, checks_payload, run_checks, verification_section
from reports.tables.headings import flags, paytable_heading


class ParSheet(Struct, frozen=True):
    """A par sheet, ready for every output format."""

    study: Study
    identity: Identity
    document: Document
    """The pages, section by section."""
    payload: dict[str, Any]
    """The exact data of the JSON sheet."""


_STEPS = 4
"""Progress steps: figures, internal checks, verifier, pages."""


def build_par_sheet(
    study: Study,
    identity: Identity | None = None,
    max_wager: Fraction = Fraction(100),
    tests: tuple[JurisdictionTest, ...] | None = None,
    rounds_per_hour: Fraction | None = None,
    samples: int = 0,
    pace: Pace | None = None,
    table: tuple[str, ...] = (),
) -> ParSheet:
    """Build the par sheet of a study; `tests` defaults to the jurisdiction tests that come with the program.

    `rounds_per_hour` adds the section on card counting, `pace` the hits of meters per day and year. `table` names the
    blackjack rules that are not the default ones, for the document number.
    """
    applied_tests = jurisdiction_tests() if tests is None else tests
    request = Request(study, identity or Identity(), max_wager, applied_tests, rounds_per_hour, samples, pace, table)
    payload = sheet_payload(request)
    report_progress(1, _STEPS)
    checks = run_checks(request)
    payload["checks"] = checks_payload(checks)
    report_progress(2, _STEPS)
    verdict = verify(payload, is_finished=False)  # coverage and fingerprint are added below
    report_progress(3, _STEPS)
    checks = add_verifier_checks(checks, verdict)
    payload["checks"] = checks_payload(checks)
    payload["verification"] = verdict.coverage
    payload["data_sha256"] = data_fingerprint(payload)
    paytable, shoe = study.paytable, study.shoe
    failures = [check for check in checks if check.has_failed]
    flagged = [f"A check failed: {check.what}" for check in failures[:3]]
    flagged += [f"{len(failures) - 3} more checks failed; see Verification"] if len(failures) > 3 else []
    flagged += [flag[0].upper() + flag[1:] for flag in (*failed_tests(request), *flags(study))]
    document = Document(
        title=paytable_heading(paytable),
        subtitle=f"{shoe}, {shoe.size:,} cards; {paytable.bet.deal.description(paytable.roles_distinct)}",
        flags=tuple(flagged),
        figures=headline_figures(request),
        number=request.document_number,
        sections=number_sections(
            headline_section(request),
            signatures_section(request),
            rules_section(request),
            award_section(request),
            statistics_section(request),
            outlook_section(request),
            deck_section(request),
            pay_sensitivity_section(request),
            special_section(request),
            exposure_section(request),
            _counting_section(request),
            jurisdiction_section(request),
            derivation_section(request),
            verification_section(checks, verdict.coverage),
            identification_section(request, payload["data_sha256"]),
        ),
    )
    report_progress(_STEPS, _STEPS)
    return ParSheet(study, request.identity, document, payload)


def _counting_section(request: Request) -> Section | None:
    if request.rounds_per_hour is None:
        return None
    from reports.sheet.sections.counting import counting_section  # few sheets need it

    return counting_section(request)


def data_fingerprint(payload: dict[str, Any]) -> str:
    """Return the SHA-256 of a sheet's data: compact JSON with sorted keys, without the fingerprint itself."""
    data = {key: value for key, value in payload.items() if key != "data_sha256"}
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return fingerprint(text.encode("utf-8"))
