"""A par sheet as JSON carries it: the analysis and every further section, exact values only."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.analysis.exposure import largest_win, reported, tax_rules
from combinat.analysis.long_run import CONFIDENCE, Z, volatility_index
from combinat.enumeration.outcomes import Outcome
from combinat.language.english import in_words
from combinat.study import Study
from reports.answers.payload import figures_payload, study_payload
from reports.page.numerals import MINUS, decimal, exact
from reports.sheet.sections.awards import share_of_return
from reports.sheet.sections.derivation import derivation_payload
from reports.sheet.sections.request import Request

FORMAT = "combinat par sheet 2"
_LONG = 30
_FIGURES = ("expected_value", "plays_per_hit", "edge_per_resolved_bet", "return_without_top_award")
_AT_DECKS = ("house_edge", "return", "hit_frequency", "standard_deviation", "top_award_one_in")


def sheet_payload(request: Request) -> dict[str, Any]:
    """Give all figures of a sheet."""
    study, analysis = request.study, request.analysis
    payload = {"format": FORMAT, "identification": _identification(request)} | study_payload(study)
    figures, bases = figures_payload(study, *_FIGURES)
    payload["bases"] |= bases
    for award, line, example in zip(payload["awards"], analysis.lines, study.examples, strict=True):
        award["rule_in_words"] = in_words(line.award.rule, analysis.paytable.bet.deal)
        award["taken_by_higher"] = line.matches - line.ways
        award["pays_to_1"] = exact(line.net)
        award["pays_for_1"] = exact(line.gross)
        award["share_of_return"] = exact(share_of_return(analysis, line))
        award["fair_pay_for_1"] = exact(line.one_in)
        award["example"] = _hand(example)
    settled = study.settled.analysis if study.settled else None
    return payload | {
        **figures,
        "volatility_index": [
            {
                "confidence": f"{confidence * 100}%",
                "z": decimal(z, 6),
                "index": exact(volatility_index(analysis, confidence)),
                "basis": str(study.wager_basis),
            }
            for confidence, z in Z.items()
        ],
        "settled_meters": {name: exact(value) for name, value in settled.meters.items()} if settled else None,
        "expectation": [
            {
                "plays": one.plays,
                "basis": str(study.settled_basis),
                "confidence": f"{CONFIDENCE * 100}%",
                "method": "distribution" if one.is_exact else "normal",
                "rough": one.is_rough,
                # Long fractions of powers are given to thirty decimals, more than anybody prints.
                "least_hold": _long(one.least_hold),
                "most_hold": _long(one.most_hold),
                "house_ahead": _long(one.house_ahead),
            }
            for one in study.stretches
        ],
        "deck_sensitivity": [
            {
                "decks": "infinite" if one.decks is None else one.decks,
                "designed": one.decks in analysis.paytable.decks,
                "basis": str(study.wager_basis),
                **_at_decks(one.analysis),
            }
            for one in study.by_decks
        ],
        "pay_sensitivity": [
            {
                "award": line.award.name,
                "one_more": exact(study.edge_change(award, 1)),
                "one_less": exact(study.edge_change(award, -1)),
                "basis": str(study.basis),
            }
            for award, line in enumerate(analysis.lines)
            if line.award.pay.meter is None
        ],
        "meter": _meter(request),
        "exposure": _exposure(request),
        "derivation": derivation_payload(request),
    }


def _at_decks(analysis: Analysis | None) -> dict[str, Any]:
    """Give the figures at a deck count; none of them if no hand fits the bet's condition there."""
    return figures_payload(Study(analysis), *_AT_DECKS)[0] if analysis else dict.fromkeys(_AT_DECKS)


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


def _hand(example: Outcome | None) -> dict[str, list[str]] | None:
    if example is None:
        return None
    return {role: [str(card) for card in cards] for role, cards in example.dealt}


def _meter(request: Request) -> dict[str, Any] | None:
    figures = request.study.meters
    if figures is None:
        return None
    from reports.answers.meter_payload import meter_payload
    from reports.answers.meters import Question

    return meter_payload(figures, Question(meters=request.analysis.meters))


def _exposure(request: Request) -> dict[str, Any]:
    study = request.study.settled or request.study
    settled = study.analysis
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
        "basis": str(request.study.settled_basis),
        "max_wager": exact(request.max_wager),
        "largest_win": exact(top.net * request.max_wager) if top else None,
        "largest_payment": exact(top.gross * request.max_wager) if top else None,
        "tax": awards,
    }
