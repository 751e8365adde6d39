"""The par sheet: one paytable at one shoe in numbered sections, exact and unformatted."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import asdict, replace

from combinat.analysis.exposure import JurisdictionTest, jurisdiction_tests
from combinat.enumeration.progress import report_progress
from combinat.meters.session import Pace
from combinat.results.par_sheet import CoverageAnswer, ParSheetAnswer, SheetDraft
from combinat.study import Study
from combinat.verifier import WRITING_HANDS, Verdict, verify_draft
from reports.page.files import format_json
from reports.page.model import Document, Section, number_sections
from reports.sheet.identity import Identity, fingerprint
from reports.sheet.payload import build_draft
from reports.sheet.sections.awards import award_section, statistics_section
from reports.sheet.sections.clauses import clauses_section
from reports.sheet.sections.decks import deck_section
from reports.sheet.sections.derivation import derivation_section
from reports.sheet.sections.exposure import exposure_section
from reports.sheet.sections.headline import all_figures, headline_section
from reports.sheet.sections.identification import identification_section, signatures_section, terms_section
from reports.sheet.sections.jurisdictions import failed_tests, jurisdiction_section
from reports.sheet.sections.outlook import outlook_section, pay_sensitivity_section
from reports.sheet.sections.request import Request
from reports.sheet.sections.rules import rules_section
from reports.sheet.sections.source import assumptions_section, effect_text
from reports.sheet.sections.special import special_section
from reports.sheet.sections.verification import (
    CheckResult,
    add_verifier_checks,
    checks_answer,
    run_checks,
    verification_section,
)
from reports.tables.headings import flags

CERTIFICATE_EXTENSION = "certificate"
"""The extension of the certificate, beside a sheet with the same name."""
DATA_FILE, RECIPE_FILE = "par-sheet.json", "recipe.json"
"""Names of the files that a PDF and a workbook carry."""


class ParSheet(Struct, frozen=True, dict=True):
    """A par sheet, ready for every output format."""

    study: Study
    identity: Identity
    document: Document
    """The pages, section by section."""
    answer: ParSheetAnswer
    """The exact data of the JSON sheet."""
    certificate: bytes = b""
    """The file beside the sheet that proves best play; empty if nothing is played."""
    recipe: bytes = b""
    """What its files are made from, as JSON; empty if it was not made from a bet's file."""

    @cached_property
    def payload(self) -> dict[str, Any]:
        """The JSON of the sheet."""
        return self.answer.to_dict()

    @property
    def embedded_files(self) -> dict[str, bytes]:
        """The files that a PDF and a workbook carry, so that `combinat verify` can check them."""
        files = {DATA_FILE: format_json(self.payload).encode("utf-8"), RECIPE_FILE: self.recipe}
        return {name: content for name, content in files.items() if content}


ORIGIN_FLAGS = {
    "maker": "From the maker's public description, not from the rules of play",
    "other": "From another published source, not from the rules of play",
}
"""Warnings on page one about assumptions that follow a text outside the rules of play, by origin."""

_MAX_COUNTED = 4
"""Bets whose counts the verifier keeps: sheets of one bet at several deck counts are written in turn."""


@lru_cache(maxsize=1)
def _counted_bets() -> dict[Any, Any]:
    return {}


_STEPS = 4
"""Progress steps: figures, internal checks, verifier, pages."""


def build_par_sheet(
    study: Study,
    identity: Identity | None = None,
    max_wager: Fraction | None = None,
    tests: tuple[JurisdictionTest, ...] | None = None,
    rounds_per_hour: Fraction | None = None,
    samples: int = 0,
    pace: Pace | None = None,
    table: tuple[str, ...] = (),
    is_verified: bool = False,
) -> ParSheet:
    """Build the par sheet of a study; `tests` defaults to the jurisdiction tests that come with the program.

    `rounds_per_hour` adds the section on card counting, `pace` the hits of meters per day and year. `table` names the
    blackjack rules that are not the default ones, for the document number. `is_verified` recounts every bet; without it
    bets that take long to recount say that they were not.
    """
    applied_tests = jurisdiction_tests() if tests is None else tests
    request = Request(study, identity or Identity(), max_wager, applied_tests, rounds_per_hour, samples, pace, table)
    checks = run_checks(request)
    draft = build_draft(request, checks_answer(checks))
    report_progress(2, _STEPS)
    counted = _counted_bets()
    if len(counted) >= _MAX_COUNTED:
        counted.clear()
    max_tested = None if is_verified else WRITING_HANDS
    verdict = verify_draft(draft.to_dict(), counted, max_tested=max_tested, certificate=request.certificate or None)
    report_progress(3, _STEPS)
    checks = add_verifier_checks(checks, verdict)
    answer = _finish(draft, checks, verdict)
    paytable, shoe = study.paytable, study.shoe
    failures = [check for check in checks if check.has_failed]
    flag_texts = [f"A check failed: {check.what}" for check in failures[:3]]
    flag_texts += [f"{len(failures) - 3} more checks failed; see Verification"] if len(failures) > 3 else []
    flag_texts += [flag[0].upper() + flag[1:] for flag in (*failed_tests(request), *flags(study))]
    if paytable.meters and study.meters is None and paytable.up is None:
        flag_texts.append(
            "No source states the seed and the contribution rate of a meter: the hold is a formula in them"
        )
    flag_texts += [
        f"{ORIGIN_FLAGS[effect.assumption.origin]}: {effect.assumption.text} Effect: {effect_text(effect)}."
        for effect in request.assumption_effects
        if effect.assumption.origin in ORIGIN_FLAGS
    ]
    document = Document(
        title=f"{_marked_name(request)}: {paytable.title}",
        subtitle=f"{shoe}, {shoe.size:,} cards; {paytable.bet.deal.describe(paytable.roles_distinct)}",
        flags=tuple(flag_texts),
        figures=all_figures(request),
        number=request.document_number,
        sections=number_sections(
            identification_section(request, answer.data_sha256),
            headline_section(request),
            assumptions_section(request),
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
            terms_section(request),
            verification_section(checks, verdict),
            clauses_section(request),
        ),
    )
    report_progress(_STEPS, _STEPS)
    return ParSheet(study, request.identity, document, answer, request.certificate)


def _marked_name(request: Request) -> str:
    """Return the name of the sheet, which each page shows; that of a variant says so."""
    based_on = request.analysis.paytable.based_on
    return (
        request.name if based_on is None or "variant" in request.name else f"{request.name}, variant of {based_on.id}"
    )


def _finish(draft: SheetDraft, checks: tuple[CheckResult, ...], verdict: Verdict) -> ParSheetAnswer:
    """Return the sheet with the checks of the verifier, its coverage and the fingerprint of the data."""
    fields = asdict(draft) | {"checks": checks_answer(checks)}
    coverage = convert(verdict.coverage, CoverageAnswer)
    unsigned = ParSheetAnswer(**fields, verification=coverage, data_sha256="")
    return replace(unsigned, data_sha256=data_fingerprint(unsigned.to_dict()))


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
