"""A par sheet as JSON carries it: the analysis and every further section, exact values only."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.exposure import largest_win, reported, tax_rules
from combinat.long_run import CONFIDENCE, Z, volatility_index
from combinat.meters import meter_figures
from combinat.outcomes import Outcome
from combinat.sensitivity import edge_change
from combinat.wording import in_words
from reports.numerals import MINUS, decimal, exact
from reports.payload import analysis_payload
from reports.sections.awards import share_of_return
from reports.sections.request import Request

FORMAT = "combinat par sheet 1"
_LONG = 30


def sheet_payload(request: Request) -> dict[str, Any]:
    """Give all figures of a sheet."""
    analysis = request.analysis
    payload = {"format": FORMAT, "identification": _identification(request)} | analysis_payload(analysis)
    for award, line, example in zip(payload["awards"], analysis.lines, request.examples, strict=True):
        award["rule_in_words"] = in_words(line.award.rule, analysis.paytable.bet.deal)
        award["taken_by_higher"] = line.fits - line.ways
        award["pays_to_1"] = exact(line.net)
        award["pays_for_1"] = exact(line.gross)
        award["share_of_return"] = exact(share_of_return(analysis, line))
        award["fair_pay_for_1"] = exact(line.one_in)
        award["example"] = _hand(request, example)
    settled = request.settled
    return payload | {
        "expected_value": exact(-analysis.best_edge),
        "plays_per_hit": exact(analysis.plays_per_hit),
        "edge_per_resolved_bet": exact(analysis.edge_per_resolved_bet),
        "return_without_top_award": exact(analysis.return_without_top),
        "volatility_index": [
            {
                "confidence": f"{confidence * 100}%",
                "z": decimal(z, 6),
                "index": exact(volatility_index(analysis, confidence)),
            }
            for confidence, z in Z.items()
        ],
        "settled_meters": {name: exact(value) for name, value in settled.meters.items()} if settled else None,
        "expectation": [
            {
                "plays": one.plays,
                "confidence": f"{CONFIDENCE * 100}%",
                "method": "distribution" if one.is_exact else "normal",
                "rough": one.is_rough,
                # Long fractions of powers are given to thirty decimals, more than anybody prints.
                "least_hold": _long(one.least_hold),
                "most_hold": _long(one.most_hold),
                "house_ahead": _long(one.house_ahead),
            }
            for one in request.stretches
        ],
        "deck_sensitivity": [
            {
                "decks": "infinite" if one.decks is None else one.decks,
                "designed": one.decks in analysis.paytable.decks,
                "house_edge": exact(one.analysis.house_edge),
                "return": exact(one.analysis.return_),
                "hit_frequency": exact(one.analysis.hit_frequency),
                "standard_deviation": exact(one.analysis.standard_deviation),
                "top_award_one_in": exact(one.analysis.top.one_in),
            }
            for one in request.by_decks
        ],
        "pay_sensitivity": [
            {
                "award": line.award.name,
                "one_more": exact(edge_change(analysis, line, 1)),
                "one_less": exact(edge_change(analysis, line, -1)),
            }
            for line in analysis.lines
            if line.award.pay.meter is None
        ],
        "meter": _meter(request),
        "exposure": _exposure(request),
        "derivation": _derivation(request),
    }


def _long(value: Fraction) -> str:
    return decimal(value, _LONG, grouped=False).replace(MINUS, "-")


def _identification(request: Request) -> dict[str, Any]:
    identity = request.identity
    return {
        "game": request.analysis.paytable.bet.game,
        "document": request.document_number,
        "revision": identity.revision,
        "date": identity.date or None,
        "prepared_by": identity.prepared_by or None,
        "reviewed_by": identity.reviewed_by or None,
        "jurisdiction": identity.jurisdiction or None,
        "software": request.software,
        "input_sha256": request.input_sha256,
    }


def _hand(request: Request, example: Outcome | None) -> dict[str, list[str]] | None:
    if example is None:
        return None
    return {role: [str(card) for card in cards] for role, cards in example.dealt(request.analysis.paytable.bet.deal)}


def _meter(request: Request) -> dict[str, Any] | None:
    figures = meter_figures(request.analysis) if request.analysis.paytable.meters else None
    if figures is None:
        return None
    from reports.meter_documents import Question, meter_payload

    return meter_payload(figures, Question(meters=request.analysis.meters))


def _exposure(request: Request) -> dict[str, Any]:
    settled = request.settled or request.analysis
    top = largest_win(settled)
    awards = []
    for line in settled.lines:
        for rule in tax_rules():
            found = reported(line, rule)
            if found is not None and line.is_possible:
                awards.append(
                    {
                        "award": line.award.name,
                        "rule": rule.name,
                        "years": rule.years,
                        "reported_from_wager": exact(found.on_all_paid),
                        "reported_from_wager_less_the_wager": exact(found.less_the_wager),
                        "withheld_above_wager": exact(found.withheld_above),
                    }
                )
    return {
        "max_wager": exact(request.max_wager),
        "largest_win": exact(top.net * request.max_wager) if top else None,
        "largest_payment": exact(top.gross * request.max_wager) if top else None,
        "tax": awards,
    }


def _derivation(request: Request) -> list[dict[str, Any]]:
    analysis = request.analysis
    if analysis.paytable.bet.deal.draw or not analysis.shoe.is_full:
        return []
    from combinat.derivation import derivations

    return [
        {
            "award": one.name,
            "ways": one.ways,
            "steps": [
                {
                    "cards": step.cards,
                    "hands": step.hands,
                    "formula": step.formula,
                    "numbers": step.numbers,
                    "ways": step.ways,
                }
                for step in one.steps
            ],
        }
        for one in derivations(analysis.paytable, analysis.shoe)
    ]
