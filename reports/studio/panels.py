"""Panels of the page: figures, meters, parlays, outlook, joint wagers, finder.

The finder searches for paytables that meet targets; the page can copy a result into the bet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from combinat.bets.paytable import Paytable
from combinat.enumeration.decision import Progress
from combinat.enumeration.progress import progress_to
from combinat.exact.numbers import format_decimal
from combinat.finder.model import RATE
from combinat.finder.ranking import Candidate
from combinat.finder.relaxation import describe_relaxed, suggest_bound
from combinat.requests.analysis import Analyze
from combinat.requests.design import Design
from combinat.requests.joint import Joint
from combinat.requests.meters import MeterShow
from combinat.requests.request import Request as AnyRequest
from combinat.study import Study
from decks import InputError
from reports.answers.design import design_document
from reports.answers.joint import joint_document
from reports.answers.meters import hold_formula_document, meter_document, unknown_break_even_document
from reports.answers.show import award_document, overview_document
from reports.page.model import Style
from reports.sheet.sections.awards import statistics_section
from reports.sheet.sections.decks import deck_section
from reports.sheet.sections.outlook import outlook_section, pay_sensitivity_section
from reports.sheet.sections.request import Request
from reports.studio import page_json
from reports.studio.bets import given_options, posted_paytable, posted_paytables
from reports.studio.ladder import number_cell
from reports.studio.view import select_study, studies_by_decks
from reports.tables.meters import MeterOptions


def selected_paytable(body: Mapping[str, Any]) -> Paytable:
    """Return the selected paytable of the page."""
    return posted_paytables({"toml": body["toml"], "paytable": body.get("paytable")})[0]


def selected_study(body: Mapping[str, Any]) -> Study:
    """Return the study of the wager alone at the selected deck count of the page."""
    return select_study(studies_by_decks(selected_paytable(body), body), body)


def figures_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return all figures at the selected deck count, and those by deck count."""
    studies = studies_by_decks(selected_paytable(body), body)
    study = select_study(studies, body)
    request = Request(study)
    sections = [statistics_section(request), pay_sensitivity_section(request)]
    if not study.shoe.removed:  # the section compares full shoes
        sections.append(deck_section(request))
    (overview,) = overview_document(studies).tables
    return {
        "document": page_json.document_json(award_document(study)),
        "overview": page_json.table_json(replace(overview.without(overview.columns[0]), keys=1)),
        "sections": [page_json.section_json(section) for section in sections],
    }


def meter_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the meter panel: figures under the terms of the text or of the request, and break-even amounts."""
    study = selected_study({**body, "meters": ()})
    if not study.paytable.meters:
        return {"meters": [], "documents": []}
    report = MeterShow(**_at(study, MeterShow, body)).answer(lambda _: None)
    options = MeterOptions(meters=report.meters)
    if report.figures is None:
        documents = [hold_formula_document(report.analysis), unknown_break_even_document(report.analysis, options)]
    else:
        documents = [meter_document(report.figures, options)]
    return {
        "meters": list(study.paytable.meters),
        "documents": [page_json.document_json(document) for document in documents],
    }


def _at(study: Study, request: type[AnyRequest[Any, Any]], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a request about the page's bet at its selected shoe."""
    shoe = {"bet": study.paytable, "decks": study.shoe, "removed": "", "any_decks": True}
    return given_options(request, body) | shoe


def parlay_panel(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return the panel of best play with parlayed winnings."""
    study = selected_study(body)
    if study.paytable.bet.option is None:
        raise InputError(f"{study.paytable.id} has no option: its winnings cannot be parlayed")
    with progress_to(progress):
        (result,) = Analyze(**_at(study, Analyze, body)).answer(lambda _: None)
    return {"document": page_json.document_json(award_document(result))}


def outlook_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the panel of the outlook over many plays."""
    return {"section": page_json.section_json(outlook_section(Request(selected_study(body))))}


def wagers_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the panel of other wagers of the round beside the page's bet, at the selected deck count."""
    study = selected_study(body)
    options = _at(study, Joint, body) | {
        "bet": [study.paytable, *(posted_paytable(other["bet"]) for other in body["others"])],
        "stakes": [body["stake"], *(other["stake"] for other in body["others"])],
    }
    (result,) = Joint(**options).answer(lambda _: None)
    return {"document": page_json.document_json(joint_document(result))}


def finder_panel(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return the finder panel: solutions or nearest misses, with values in the notation of a bet's text."""
    options = given_options(Design, body) | {"bet": selected_paytable(body), "decks": body.get("for_decks") or None}
    with progress_to(progress):
        result = Design(**options).answer(lambda _: None)
    decks = body["at"] if body.get("at") in result.spec.decks else result.spec.decks[-1]
    at = result.spec.decks.index(decks)
    return {
        "decks": decks,
        "document": page_json.document_json(design_document(result), _FINDER_DIGITS),
        "count": result.count,
        "candidates": [_candidate_json(candidate, at) for candidate in result.best],
        "current": None if result.current is None else _candidate_json(result.current, at),
        "nearest": [
            {
                "change": [
                    {
                        "kind": relaxed.kind,
                        "award": result.spec.stated[relaxed.limit[0].award].name,
                        "is_minimum": relaxed.is_minimum,
                        "suggestion": suggest_bound(relaxed),
                        "text": describe_relaxed(relaxed, result.spec),
                    }
                    for relaxed in miss.relaxed
                ],
                "candidate": _candidate_json(miss.candidate, at),
            }
            for miss in result.nearest
        ],
    }


_FINDER_DIGITS = 5


def _candidate_json(candidate: Candidate, at: int) -> dict[str, Any]:
    """Return a solution: its values for the text, and its figures at one of the deck counts for charts."""
    analysis = candidate.analyses[at]
    has_meters = candidate.model.spec.has_meters
    return {
        "pays": candidate.pays_by_award,
        "meters": _meter_terms(candidate),
        "figures": {
            "edge": number_cell(candidate.edges[at], Style.PERCENT),
            "hits": number_cell(analysis.hit_frequency, Style.PERCENT),
            "deviation": None if has_meters else number_cell(analysis.standard_deviation, Style.DECIMAL),
        },
    }


def _meter_terms(candidate: Candidate) -> list[dict[str, str]]:
    """Return the seeds and rates of a solution in the notation of a bet's text."""
    return [
        {
            "meter": name,
            "key": kind,
            "value": f"{format_decimal(value * 100)}%" if kind == RATE else format_decimal(value),
        }
        for kind, name, value in candidate.meter_values
    ]
