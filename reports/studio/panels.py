"""Panels of the page, and the API requests behind them: meters, parlays, outlook, joint wagers, removal, finder.

The finder searches for paytables that meet targets; the page can copy a result into the bet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from combinat.bets.paytable import Paytable
from combinat.bets.variants import MeterOverrides, system_of
from combinat.counting.removal import Removal, removals
from combinat.enumeration.decision import Progress
from combinat.exact.numbers import format_decimal, parse_number
from combinat.finder.finder import SearchResult
from combinat.finder.spec import KEYS
from combinat.meters.hold import MeterFigures
from combinat.study import Study, edge_only, study
from decks import InputError
from decks.errors import quoted
from reports.answers.design import design_document, design_payload
from reports.answers.joint import Answer, joint_document
from reports.answers.meters import formula_note, meter_document, unknown_break_even_document
from reports.answers.show import award_document
from reports.cli.arguments import parse_meters
from reports.cli.design import searched
from reports.cli.joint import joined
from reports.sheet.sections.outlook import expectation
from reports.sheet.sections.request import Request
from reports.studio import page_json as drawn
from reports.studio.bets import PostedQuestion, question, table
from reports.studio.view import shown, studies
from reports.tables.meters import Question as MeterQuestion


def only(body: Mapping[str, Any]) -> Paytable:
    """Return the selected paytable of the page."""
    request = question({"bets": [{"toml": body["toml"], "paytable": body.get("paytable")}]})
    return request.resolved(request.arguments[0])[0]


def here(body: Mapping[str, Any]) -> Study:
    """Return the study of the wager alone at the selected deck count of the page."""
    return shown(studies(only(body), body), body)


def meters(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the meter panel: figures under the terms of the text or of the request, and break-even amounts."""
    analysis = here({**body, "meters": ()}).analysis
    if not analysis.paytable.meters:
        return {"meters": [], "documents": []}
    values = {key: tuple(body.get(key) or ()) for key in ("seed", "rate", "reserve", "cap", "rate_after_cap")}
    system = system_of(analysis.paytable, analysis.shoe.decks, MeterOverrides(values, body.get("wager") or None))
    request = MeterQuestion(meters=parse_meters(tuple(body.get("meters") or ()), [analysis.paytable]))
    if system is None:
        documents = [formula_note(analysis), unknown_break_even_document(analysis, request)]
    else:
        figures = MeterFigures(analysis, system)
        documents = [meter_document(figures, request)]
    return {"meters": list(analysis.paytable.meters), "documents": [drawn.document(document) for document in documents]}


def option(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return the panel of best play with parlayed winnings."""
    paytable = only(body)
    if paytable.bet.option is None:
        raise InputError(f"{paytable.id} has no option: its winnings cannot ride on the hand")
    alone = here(body)
    request = PostedQuestion((), typed=table(body))
    result = study(paytable, alone.shoe, alone.analysis.meters, request.table, request.strategy, progress)
    return {"document": drawn.document(award_document(result))}


def long_run(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the panel of the outlook over many plays."""
    return {"section": drawn.section(expectation(Request(here(body))))}


def joined_wagers(body: Mapping[str, Any], warn: Callable[[str], None]) -> list[Answer]:
    """Return the joint results of the wagers of one round."""
    request = question({**body, "bets": [wager["bet"] for wager in body["wagers"]]})
    return joined(request, [_stake(wager["stake"]) for wager in body["wagers"]], body["spots"], warn)


def _stake(text: str) -> Fraction:
    stake = parse_number(text.strip().lstrip("$"))
    if stake is None:
        raise InputError(f"cannot read the stake {quoted(text)}; write an amount, as in 10")
    return stake


def removals_of(
    request: PostedQuestion, warn: Callable[[str], None], progress: Progress | None
) -> list[Sequence[Removal]]:
    """Return the effects of removal of each bet at the requested table."""
    return [
        removals(
            study,
            lambda shoe, study=study: edge_only(
                study.paytable, shoe, study.analysis.meters, request.table, request.strategy
            ),  # type: ignore[misc]
            progress,
        )
        for study in request.studies(warn)
    ]


def wagers(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the panel of other wagers of the round beside the page's bet, at the selected deck count."""
    decks = here(body).shoe.decks
    page_wager = {
        "bet": {"toml": body["toml"], "paytable": body.get("paytable"), "name": "this bet"},
        "stake": body["stake"],
    }
    joint_body = {**body, "wagers": [page_wager, *body["others"]], "decks": str(decks), "any_decks": True}
    (result,) = joined_wagers(joint_body, lambda _: None)
    return {"document": drawn.document(joint_document(result))}


_MOST = 200
"""Maximum number of search results."""


def search(paytable: Paytable, body: Mapping[str, Any], progress: Progress | None) -> SearchResult:
    """Search the pays of a paytable for the targets in `body`; empty fields are ignored."""
    spec = {key: body[key] for key in KEYS if key != "bet" and body.get(key) not in (None, "", {})}
    spec["best"] = min(int(spec.get("best", 10)), _MOST)
    return searched(spec | {"bet": paytable}, progress)


def found(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return the finder panel: results, with pays, seeds and rates in the notation of a bet's text."""
    best = search(only(body), {**body, "decks": body.get("for_decks")}, progress)
    candidates = design_payload(best)["candidates"]
    return {
        "document": drawn.document(design_document(best)),
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
        for kind, name, value in best.best[number].of_meters
    ]
