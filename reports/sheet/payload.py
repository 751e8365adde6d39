"""JSON of a par sheet: the analysis and every section, exact values only."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.analysis.basis import Basis, PlayResult
from combinat.analysis.outlook import CONFIDENCE, Z, volatility_index
from combinat.analysis.sensitivity import FOR_ONE, TO_ONE, find_misrankings, rounded_edges
from combinat.bets.export import describe_award
from combinat.enumeration.outcomes import Outcome
from combinat.meters.accrual import accounting_result
from combinat.meters.hold import MeterFigures
from combinat.study import Study
from reports.answers.meters import level_payload, meter_payload
from reports.answers.studies import figures_payload, study_payload
from reports.page.numerals import MINUS, exact, exact_or_bounds, format_fixed
from reports.sheet.sections.awards import share_of_return
from reports.sheet.sections.derivation import derivation_payload
from reports.sheet.sections.exposure import exposure_payload
from reports.sheet.sections.jurisdictions import jurisdictions_payload
from reports.sheet.sections.request import Request
from reports.sheet.sections.spots import spots_payload
from reports.tables.meters import MeterOptions, iter_round_costs, pace_payload, posted_prizes

FORMAT = "combinat par sheet 3"
_LONG = 30
_FIGURES = ("expected_value", "plays_per_hit", "edge_per_resolved_bet", "return_without_top_award")
_AT_DECKS = ("house_edge", "return", "hit_frequency", "standard_deviation", "top_award_one_in")


def sheet_payload(request: Request) -> dict[str, Any]:
    """Return all figures of a sheet."""
    study, analysis = request.study, request.analysis
    payload = {"format": FORMAT, "identification": _identification(request)} | study_payload(study)
    figures, bases = figures_payload(study, *_FIGURES)
    payload["bases"] |= bases
    for award, line, example in zip(payload["awards"], analysis.lines, study.examples, strict=True):
        award["rule_in_words"] = describe_award(line.award, analysis.paytable)
        award["taken_by_higher"] = line.matches - line.ways
        award["pays_to_1"] = exact(line.net)
        award["pays_for_1"] = exact(line.gross)
        award["share_of_return"] = exact(share_of_return(analysis, line))
        award["fair_pay_for_1"] = exact(line.one_in)
        award["example"] = _hand_payload(example)
    if study.option is not None:
        payload["option"]["other_decks"] = study.options_by_decks is not None
    settled_analysis = study.settled.analysis if study.settled else None
    return payload | {
        **figures,
        "volatility_index": [
            {
                "confidence": f"{confidence * 100}%",
                "z": format_fixed(z, 6),
                **exact_or_bounds(
                    "index", volatility_index(study.result.standard_deviation if study.result else None, confidence)
                ),
                "basis": str(study.result.basis if study.result else study.wager_basis),
            }
            for confidence, z in Z.items()
        ],
        "settled_meters": {name: exact(value) for name, value in settled_analysis.meters.items()}
        if settled_analysis
        else None,
        "results": [_result_payload(result) for result in study.results],
        "expectation": [
            {
                "plays": outlook.plays,
                "basis": str(basis),
                "confidence": f"{CONFIDENCE * 100}%",
                "method": outlook.method,
                "rough": outlook.is_rough,
                # Fractions of large powers are given to thirty decimals.
                "least_hold": _format_long(outlook.least_hold),
                "most_hold": _format_long(outlook.most_hold),
                "house_ahead": _format_long(outlook.house_ahead),
            }
            for basis, outlooks in study.outlooks
            for outlook in outlooks
        ],
        "deck_sensitivity": _deck_rows(study),
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
        "paid_otherwise": {
            "basis": str(study.basis),
            "to_as_for": exact(study.edge_change_in_unit(TO_ONE)),
            "for_as_to": exact(study.edge_change_in_unit(FOR_ONE)),
        },
        "misranked": [
            {
                "award": analysis.lines[misranking.award].award.name,
                "below": None if misranking.below is None else analysis.lines[misranking.below].award.name,
                "change": exact(misranking.change),
            }
            for misranking in find_misrankings(analysis)
        ],
        "rounding": [
            {"wager": edges.wager, "rounded_up": exact(edges.rounded_up), "rounded_down": exact(edges.rounded_down)}
            for edges in rounded_edges(analysis)
        ],
        "meter": _meter_payload(request),
        **(pace_payload(request.analysis, request.pace) if study.paytable.meters else {}),
        "house_jackpot": _house_jackpot(study),
        "rounds": _rounds(study),
        "spots": spots_payload(request),
        "exposure": exposure_payload(request),
        **_counting_payload(request),
        "jurisdiction_tests": jurisdictions_payload(request),
        "derivation": derivation_payload(request),
    }


def _counting_payload(request: Request) -> dict[str, Any]:
    if request.rounds_per_hour is None:
        return {}
    from reports.sheet.sections.counting import counting_payload  # few sheets need it

    return counting_payload(request)


def _result_payload(result: PlayResult) -> dict[str, Any]:
    """Return the result of a play on one basis."""
    return {
        "basis": str(result.basis),
        "meters": {name: exact(amount) for name, amount in result.meters.items()},
        "house_edge": exact(result.house_edge),
        **exact_or_bounds("variance", result.spread),
        "variance_is_bound": result.is_bound,
        **exact_or_bounds("standard_deviation", result.standard_deviation),
        "skewness": exact(result.skewness),
        "excess_kurtosis": exact(result.excess_kurtosis),
    }


def _deck_rows(study: Study) -> list[dict[str, Any]]:
    """Return the figures by number of decks, also on the headline's basis if that is not the wager alone."""
    rows = []
    options = study.options_by_decks or (None,) * len(study.by_decks)
    for at_decks, figures, option in zip(study.by_decks, study.meters_by_decks, options, strict=True):
        row = {
            "decks": "infinite" if at_decks.decks is None else at_decks.decks,
            "designed": at_decks.decks in study.paytable.decks,
            "basis": str(study.wager_basis),
            **_at_decks(at_decks.analysis),
            "headline": None,
        }
        if study.paytable.meters:
            result = accounting_result(figures) if figures else None
            row["headline"] = {
                "basis": str(result.basis) if result else None,
                "hold": exact(result.house_edge) if result else None,
                "standard_deviation": exact(result.standard_deviation) if result else None,
                "terms": _terms(figures)
                if figures and study.meters and _have_different_terms(figures, study.meters)
                else None,
                "hits": {level.level.name: exact(level.reset) for level in figures.levels}
                if figures and result
                else None,
            }
        elif option is not None:
            best = PlayResult.between(Basis.BEST, option.results)
            row["headline"] = {
                "basis": str(best.basis),
                "hold": exact(best.house_edge),
                **exact_or_bounds("standard_deviation", best.standard_deviation),
            }
        rows.append(row)
    return rows


def _have_different_terms(first: MeterFigures, second: MeterFigures) -> bool:
    """Return whether two sets of meters have different terms."""
    return _terms(first) != _terms(second)


def _terms(figures: MeterFigures) -> dict[str, Any]:
    """Return the terms of the meters under the keys of the meter section."""
    system = figures.system
    return {
        "kind": system.kind,
        "wager": exact(system.wager),
        "all_pays_deducted": system.all_pays_deducted,
        "levels": [level_payload(level) for level in system.levels],
    }


def _house_jackpot(study: Study) -> dict[str, Any] | None:
    """Return the posted prizes for given house edges, the other prizes at the seeds."""
    if not study.paytable.meters:
        return None
    return {
        "basis": str(Basis.POSTED),
        "prizes": [
            {"meter": row.meter, "edge": exact(row.edge), "prize": exact(row.prize)}
            for row in posted_prizes(study.analysis, study.meters)
        ],
    }


def _rounds(study: Study) -> list[dict[str, Any]]:
    """Return the probabilities of several winners of one meter in a round."""
    return [
        {
            "meter": meter,
            "seats": round_.seats,
            "one_or_more": exact(round_.at_least_one),
            "two_or_more": exact(round_.two_or_more),
            "winners_after_the_first": exact(round_.after_the_first),
            "cost_at_average": exact(cost),
        }
        for meter, round_, cost in iter_round_costs(study.analysis, study.meters)
    ]


def _at_decks(analysis: Analysis | None) -> dict[str, Any]:
    """Return the figures at a deck count; `None` for each if no hand satisfies the bet's condition."""
    return figures_payload(Study(analysis), *_AT_DECKS)[0] if analysis else dict.fromkeys(_AT_DECKS)


def _format_long(value: Fraction) -> str:
    return format_fixed(value, _LONG, grouped=False).replace(MINUS, "-")


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
        "history": [
            {"revision": change.revision, "date": change.date, "change": change.what} for change in identity.history
        ],
    }


def _hand_payload(example: Outcome | None) -> dict[str, list[str]] | None:
    if example is None:
        return None
    return {role: [str(card) for card in cards] for role, cards in example.dealt}


def _meter_payload(request: Request) -> dict[str, Any] | None:
    figures = request.study.meters
    if figures is None:
        return None
    payload = meter_payload(figures, MeterOptions(meters=request.analysis.meters))
    if figures.has_closed_form:
        return payload
    # The verifier needs the terms of the meters to check the bounds of the hold.
    return payload | {"basis": figures.system.basis, "terms": _terms(figures)}
