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
from reports.page.model import Document, Section, numbered
from reports.sheet.identity import Identity, fingerprint
from reports.sheet.payload import sheet_payload
from reports.sheet.sections.awards import award_section, statistics
from reports.sheet.sections.closing import identification
from reports.sheet.sections.decks import deck_sensitivity
from reports.sheet.sections.derivation import derivation
from reports.sheet.sections.exposure import exposure
from reports.sheet.sections.jurisdictions import failed_tests, jurisdictions
from reports.sheet.sections.opening import headline, headline_section, rules, signatures
from reports.sheet.sections.outlook import expectation, pay_sensitivity
from reports.sheet.sections.request import Request
from reports.sheet.sections.special import special
from reports.sheet.sections.verification import own_checks, payload_of, second_checks, verification
from reports.tables.headings import flags, heading


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


def par_sheet(
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
    checks = own_checks(request)
    payload["checks"] = payload_of(checks)
    report_progress(2, _STEPS)
    verdict = verify(payload, is_finished=False)  # coverage and fingerprint are added below
    report_progress(3, _STEPS)
    checks = second_checks(checks, verdict)
    payload["checks"] = payload_of(checks)
    payload["verification"] = verdict.coverage
    payload["data_sha256"] = data_fingerprint(payload)
    paytable, shoe = study.paytable, study.shoe
    failures = [check for check in checks if check.failed]
    flagged = [f"A check failed: {check.what}" for check in failures[:3]]
    flagged += [f"{len(failures) - 3} more checks failed; see Verification"] if len(failures) > 3 else []
    flagged += [flag[0].upper() + flag[1:] for flag in (*failed_tests(request), *flags(study))]
    document = Document(
        title=heading(paytable),
        subtitle=f"{shoe}, {shoe.size:,} cards; {paytable.bet.deal.in_words(paytable.roles_distinct)}",
        flags=tuple(flagged),
        figures=headline(request),
        number=request.document_number,
        sections=numbered(
            headline_section(request),
            signatures(request),
            rules(request),
            award_section(request),
            statistics(request),
            expectation(request),
            deck_sensitivity(request),
            pay_sensitivity(request),
            special(request),
            exposure(request),
            _watching(request),
            jurisdictions(request),
            derivation(request),
            verification(checks, verdict.coverage),
            identification(request, payload["data_sha256"]),
        ),
    )
    report_progress(_STEPS, _STEPS)
    return ParSheet(study, request.identity, document, payload)


def _watching(request: Request) -> Section | None:
    if request.rounds_per_hour is None:
        return None
    from reports.sheet.sections.counting import watching  # few sheets need it

    return watching(request)


def data_fingerprint(payload: dict[str, Any]) -> str:
    """Return the SHA-256 of a sheet's data: compact JSON with sorted keys, without the fingerprint itself."""
    data = {key: value for key, value in payload.items() if key != "data_sha256"}
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return fingerprint(text.encode("utf-8"))
