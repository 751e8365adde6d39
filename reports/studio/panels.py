"""Panels of the page, and the API requests behind them: meters, parlays, outlook, joint wagers, removal, finder.

The finder searches for paytables that meet targets; the page can copy a result into the bet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from combinat.bets.paytable import Paytable
from combinat.bets.variants import MeterOverrides, build_system
from combinat.enumeration.decision import Progress
from combinat.exact.numbers import format_decimal, parse_number
from combinat.finder.finder import SearchResult, find_requested
from combinat.finder.model import RATE
from combinat.finder.ranking import Candidate
from combinat.finder.relaxation import describe_relaxed, suggest_bound
from combinat.finder.spec import KEYS
from combinat.meters.hold import MeterFigures
from combinat.requests.joint import Joint, JointRound
from combinat.study import Study, build_study
from decks import InputError
from decks.errors import quote
from reports.answers.design import design_document
from reports.answers.joint import joint_document
from reports.answers.meters import hold_formula_document, meter_document, unknown_break_even_document
from reports.answers.requests import parse_meters
from reports.answers.show import award_document, overview_document
from reports.page.model import Style
from reports.sheet.sections.awards import statistics_section
from reports.sheet.sections.decks import deck_section
from reports.sheet.sections.outlook import outlook_section, pay_sensitivity_section
from reports.sheet.sections.request import Request
from reports.studio import page_json
from reports.studio.bets import PostedRequest, parse_request, parse_table
from reports.studio.ladder import number_cell
from reports.studio.view import select_study, studies_by_decks
from reports.tables.meters import MeterOptions


def selected_paytable(body: Mapping[str, Any]) -> Paytable:
    """Return the selected paytable of the page."""
    request = parse_request({"bets": [{"toml": body["toml"], "paytable": body.get("paytable")}]})
    return request.load_paytables(request.arguments[0])[0]


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
    analysis = selected_study({**body, "meters": ()}).analysis
    if not analysis.paytable.meters:
        return {"meters": [], "documents": []}
    values = {key: tuple(body.get(key) or ()) for key in ("seed", "rate", "reserve", "cap", "rate_after_cap")}
    system = build_system(analysis.paytable, analysis.shoe.decks, MeterOverrides(values, body.get("wager") or None))
    options = MeterOptions(meters=parse_meters(tuple(body.get("meters") or ()), [analysis.paytable]))
    if system is None:
        documents = [hold_formula_document(analysis), unknown_break_even_document(analysis, options)]
    else:
        figures = MeterFigures(analysis, system)
        documents = [meter_document(figures, options)]
    return {
        "meters": list(analysis.paytable.meters),
        "documents": [page_json.document_json(document) for document in documents],
    }


def parlay_panel(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return the panel of best play with parlayed winnings."""
    paytable = selected_paytable(body)
    if paytable.bet.option is None:
        raise InputError(f"{paytable.id} has no option: its winnings cannot be parlayed")
    wager_study = selected_study(body)
    request = PostedRequest((), table=parse_table(body))
    result = build_study(
        paytable, wager_study.shoe, wager_study.analysis.meters, request.blackjack_rules, request.strategy, progress
    )
    return {"document": page_json.document_json(award_document(result))}


def outlook_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the panel of the outlook over many plays."""
    return {"section": page_json.section_json(outlook_section(Request(selected_study(body))))}


def join_wagers(body: Mapping[str, Any], warn: Callable[[str], None]) -> Sequence[JointRound]:
    """Return the joint results of the wagers of one round."""
    request = parse_request({**body, "bets": [wager["bet"] for wager in body["wagers"]]})
    joint = Joint(
        [replace(request, arguments=[argument]).resolve_one() for argument in request.arguments],
        request.decks,
        removed=request.removed,
        any_decks=request.any_decks,
        meters=request.meters,
        spots=body["spots"],
        stakes=[_stake(wager["stake"]) for wager in body["wagers"]],
    )
    return joint.answer(warn)


def _stake(text: str) -> Fraction:
    stake = parse_number(text.strip().lstrip("$"))
    if stake is None:
        raise InputError(f"{quote(text)} is not a stake; write an amount such as 10")
    return stake


def wagers_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the panel of other wagers of the round beside the page's bet, at the selected deck count."""
    decks = selected_study(body).shoe.decks
    page_wager = {
        "bet": {"toml": body["toml"], "paytable": body.get("paytable"), "name": "this bet"},
        "stake": body["stake"],
    }
    joint_body = {**body, "wagers": [page_wager, *body["others"]], "decks": str(decks), "any_decks": True}
    (result,) = join_wagers(joint_body, lambda _: None)
    return {"document": page_json.document_json(joint_document(result))}


_MAX_RESULTS = 200
"""Maximum number of search results."""


def search_pays(paytable: Paytable, body: Mapping[str, Any], progress: Progress | None) -> SearchResult:
    """Search the pays of a paytable for the targets in `body`; empty fields are ignored."""
    spec = {key: body[key] for key in KEYS if key != "bet" and body.get(key) not in (None, "", {})}
    spec["best"] = min(int(spec.get("best", 10)), _MAX_RESULTS)
    return find_requested(spec | {"bet": paytable}, progress)


def finder_panel(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return the finder panel: solutions or nearest misses, with values in the notation of a bet's text."""
    result = search_pays(selected_paytable(body), {**body, "decks": body.get("for_decks")}, progress)
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
