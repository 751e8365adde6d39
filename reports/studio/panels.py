"""Panels of the page, and the API requests behind them: meters, parlays, outlook, joint wagers, removal, finder.

The finder searches for paytables that meet targets; the page can copy a result into the bet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.bets.paytable import Paytable
from combinat.bets.variants import MeterOverrides, build_system
from combinat.counting.removal import Removal, removals
from combinat.enumeration.decision import Progress
from combinat.exact.numbers import format_decimal, parse_number
from combinat.finder.finder import SearchResult
from combinat.finder.spec import KEYS
from combinat.meters.hold import MeterFigures
from combinat.study import Study, build_study, compute_edge_only
from decks import InputError
from decks.errors import quote
from reports.answers.design import design_document, design_payload
from reports.answers.joint import JointAnswer, joint_document
from reports.answers.meters import hold_formula_document, meter_document, unknown_break_even_document
from reports.answers.show import award_document
from reports.cli.arguments import parse_meters
from reports.cli.design import search_paytable_designs
from reports.cli.joint import join_bets
from reports.sheet.sections.outlook import outlook_section
from reports.sheet.sections.request import Request
from reports.studio import page_json as drawn
from reports.studio.bets import PostedRequest, parse_request, parse_table
from reports.studio.view import selected, studies_by_decks
from reports.tables.meters import MeterOptions as MeterQuestion


def selected_paytable(body: Mapping[str, Any]) -> Paytable:
    """Return the selected paytable of the page."""
    request = parse_request({"bets": [{"toml": body["toml"], "paytable": body.get("paytable")}]})
    return request.resolved(request.arguments[0])[0]


def selected_study(body: Mapping[str, Any]) -> Study:
    """Return the study of the wager alone at the selected deck count of the page."""
    return selected(studies_by_decks(selected_paytable(body), body), body)


def meter_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the meter panel: figures under the terms of the text or of the request, and break-even amounts."""
    analysis = selected_study({**body, "meters": ()}).analysis
    if not analysis.paytable.meters:
        return {"meters": [], "documents": []}
    values = {key: tuple(body.get(key) or ()) for key in ("seed", "rate", "reserve", "cap", "rate_after_cap")}
    system = build_system(analysis.paytable, analysis.shoe.decks, MeterOverrides(values, body.get("wager") or None))
    request = MeterQuestion(meters=parse_meters(tuple(body.get("meters") or ()), [analysis.paytable]))
    if system is None:
        documents = [hold_formula_document(analysis), unknown_break_even_document(analysis, request)]
    else:
        figures = MeterFigures(analysis, system)
        documents = [meter_document(figures, request)]
    return {
        "meters": list(analysis.paytable.meters),
        "documents": [drawn.document_json(document) for document in documents],
    }


def parlay_panel(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return the panel of best play with parlayed winnings."""
    paytable = selected_paytable(body)
    if paytable.bet.option is None:
        raise InputError(f"{paytable.id} has no option: its winnings cannot ride on the hand")
    alone = selected_study(body)
    request = PostedRequest((), typed=parse_table(body))
    result = build_study(paytable, alone.shoe, alone.analysis.meters, request.table, request.strategy, progress)
    return {"document": drawn.document_json(award_document(result))}


def outlook_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the panel of the outlook over many plays."""
    return {"section": drawn.section_json(outlook_section(Request(selected_study(body))))}


def join_wagers(body: Mapping[str, Any], warn: Callable[[str], None]) -> list[JointAnswer]:
    """Return the joint results of the wagers of one round."""
    request = parse_request({**body, "bets": [wager["bet"] for wager in body["wagers"]]})
    return join_bets(request, [_stake(wager["stake"]) for wager in body["wagers"]], body["spots"], warn)


def _stake(text: str) -> Fraction:
    stake = parse_number(text.strip().lstrip("$"))
    if stake is None:
        raise InputError(f"cannot read the stake {quote(text)}; write an amount, as in 10")
    return stake


def compute_removals(
    request: PostedRequest, warn: Callable[[str], None], progress: Progress | None
) -> list[Sequence[Removal]]:
    """Return the effects of removal of each bet at the requested table."""
    return [
        removals(
            study,
            lambda shoe, study=study: compute_edge_only(
                study.paytable, shoe, study.analysis.meters, request.table, request.strategy
            ),  # type: ignore[misc]
            progress,
        )
        for study in request.studies(warn)
    ]


def wagers_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the panel of other wagers of the round beside the page's bet, at the selected deck count."""
    decks = selected_study(body).shoe.decks
    page_wager = {
        "bet": {"toml": body["toml"], "paytable": body.get("paytable"), "name": "this bet"},
        "stake": body["stake"],
    }
    joint_body = {**body, "wagers": [page_wager, *body["others"]], "decks": str(decks), "any_decks": True}
    (result,) = join_wagers(joint_body, lambda _: None)
    return {"document": drawn.document_json(joint_document(result))}


_MOST = 200
"""Maximum number of search results."""


def search_pays(paytable: Paytable, body: Mapping[str, Any], progress: Progress | None) -> SearchResult:
    """Search the pays of a paytable for the targets in `body`; empty fields are ignored."""
    spec = {key: body[key] for key in KEYS if key != "bet" and body.get(key) not in (None, "", {})}
    spec["best"] = min(int(spec.get("best", 10)), _MOST)
    return search_paytable_designs(spec | {"bet": paytable}, progress)


def finder_panel(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return the finder panel: results, with pays, seeds and rates in the notation of a bet's text."""
    best = search_pays(selected_paytable(body), {**body, "decks": body.get("for_decks")}, progress)
    candidates = design_payload(best)["candidates"]
    return {
        "document": drawn.document_json(design_document(best)),
        "candidates": [
            {"pays": candidate["pays"], "meters": _meters(number, best)} for number, candidate in enumerate(candidates)
        ],
    }


def _meters(number: int, best: SearchResult) -> list[dict[str, str]]:
    from combinat.finder.model import RATE

    return [
        {
            "meter": name,
            "key": kind,
            "value": f"{format_decimal(value * 100)}%" if kind == RATE else format_decimal(value),
        }
        for kind, name, value in best.best[number].meter_values
    ]
