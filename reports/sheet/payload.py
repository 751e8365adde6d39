"""The JSON of a par sheet: the analysis and every section, exact values only.

The fields are declared in `combinat/results/par_sheet.py`; a field that is added there is filled here.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict, replace

from combinat.analysis.analysis import Analysis, AwardLine
from combinat.analysis.basis import Basis, PlayResult
from combinat.analysis.exposure import format_tests
from combinat.analysis.outlook import CONFIDENCE, Z, volatility_index
from combinat.analysis.sensitivity import FOR_ONE, TO_ONE, find_misrankings, rounded_edges
from combinat.bets.export import describe_award, find_changes
from combinat.blackjack.certificate import count_states
from combinat.blackjack.charts import charts_payload
from combinat.enumeration.outcomes import Outcome
from combinat.exact.interval import Interval
from combinat.figures import Group, figures_in
from combinat.meters.accrual import accounting_result
from combinat.meters.hold import MeterFigures
from combinat.results.analysis import AwardAnswer, OptionAnswer, analysis_fields, by_attribute, figure_entries
from combinat.results.meters import MetersSection, MeterSystemTerms, PaceAnswer
from combinat.results.par_sheet import (
    AssumptionAnswer,
    BetFileAnswer,
    BetTermsAnswer,
    CertificateAnswer,
    CountingAnswer,
    DeckCountAnswer,
    DeckHeadlineAnswer,
    EligibilityAnswer,
    EligibleCaseAnswer,
    IdentificationAnswer,
    InputFileAnswer,
    InputFilesAnswer,
    MispaidUnitsAnswer,
    MisrankingAnswer,
    OutlookAnswer,
    PaySensitivityAnswer,
    PlayResultAnswer,
    PostedJackpotAnswer,
    PostedPrizeAnswer,
    RevisionAnswer,
    RoundAnswer,
    RoundingAnswer,
    SheetAwardAnswer,
    SheetCheckAnswer,
    SheetDraft,
    SheetOptionAnswer,
    VolatilityAnswer,
)
from combinat.study import Study
from reports.page.numerals import MINUS, format_fixed
from reports.sheet.identity import fingerprint
from reports.sheet.sections.awards import share_of_return
from reports.sheet.sections.derivation import derivation_answer
from reports.sheet.sections.exposure import exposure_answer, spots_answer
from reports.sheet.sections.jurisdictions import jurisdictions_answer
from reports.sheet.sections.request import Request
from reports.tables.meters import iter_round_costs, posted_prizes

_OUTLOOK_DECIMALS = 30
_DECK_FIGURES = ("house_edge", "return", "hit_frequency", "standard_deviation", "top_award_one_in")


def build_draft(request: Request, checks: Sequence[SheetCheckAnswer]) -> SheetDraft:
    """Return all figures of a sheet, which the verifier has not read yet."""
    study, analysis = request.study, request.analysis
    fields = analysis_fields(study)
    figures, bases = figure_entries(study, *(figure.key for figure in figures_in(Group.SHEET)))
    settled_analysis = study.at_seeds.analysis if study.at_seeds else None
    return SheetDraft(
        **fields
        | by_attribute(figures)
        | {"bases": fields["bases"] | bases}
        | {"awards": _awards(study), "option": _option(request, fields["option"])},
        identification=_identification(request),
        input_files=_input_files(request),
        terms=_terms(request),
        eligibility=_eligibility(study),
        volatility_index=[_volatility(study, confidence, z) for confidence, z in Z.items()],
        settled_meters=dict(settled_analysis.meters) if settled_analysis else None,
        results=list(map(_result, study.results)),
        outlook=[
            OutlookAnswer(
                plays=outlook.plays,
                basis=basis,
                confidence=f"{CONFIDENCE * 100}%",
                method=outlook.method,
                poor_approximation=outlook.is_rough,
                # Fractions of large powers are given to thirty decimals.
                least_hold=_format_long(outlook.least_hold),
                most_hold=_format_long(outlook.most_hold),
                house_ahead=_format_long(outlook.house_ahead),
            )
            for basis, outlooks in study.outlooks
            for outlook in outlooks
        ],
        deck_sensitivity=_deck_counts(study),
        pay_sensitivity=[
            PaySensitivityAnswer(
                award=line.award.name,
                one_more=study.edge_change(award, 1),
                one_less=study.edge_change(award, -1),
                basis=study.basis,
            )
            for award, line in enumerate(analysis.lines)
            if line.award.pay.meter is None
        ],
        wrong_unit=MispaidUnitsAnswer(
            basis=study.basis,
            to_as_for=study.edge_change_in_unit(TO_ONE),
            for_as_to=study.edge_change_in_unit(FOR_ONE),
        ),
        misranked=[
            MisrankingAnswer(
                award=analysis.lines[misranking.award].award.name,
                below=None if misranking.next_award is None else analysis.lines[misranking.next_award].award.name,
                change=misranking.change,
            )
            for misranking in find_misrankings(analysis)
        ],
        rounding=[
            RoundingAnswer(wager=edges.wager, rounded_up=edges.rounded_up, rounded_down=edges.rounded_down)
            for edges in rounded_edges(analysis)
        ],
        meter=_meters(request),
        pace=_pace(request),
        posted_jackpot=_posted_jackpot(study),
        rounds=_rounds(study),
        spots=spots_answer(request),
        exposure=exposure_answer(request),
        card_counting=_counting(request),
        jurisdiction_tests=jurisdictions_answer(request),
        derivation=derivation_answer(request),
        checks=list(checks),
    )


def _terms(request: Request) -> BetTermsAnswer:
    paytable = request.analysis.paytable
    return BetTermsAnswer(
        clause=paytable.clause,
        decks_clause=paytable.decks_clause,
        requirements=paytable.bet.requirements,
        rules_of_play=list(paytable.bet.rules_of_play),
        assumptions=list(map(AssumptionAnswer.of, request.assumption_effects)),
    )


def _eligibility(study: Study) -> EligibilityAnswer | UnsetType:
    """Return the figures per wager of an eligible hand; `UNSET` if any hand may make the wager."""
    eligibility = study.eligibility
    if eligibility is None:
        return UNSET
    rules = eligibility.rules
    return EligibilityAnswer(
        eligible_hands=study.paytable.bet.eligible_hands,
        rules=str(rules),
        table={key: value if isinstance(value, (bool, int)) else str(value) for key, value in asdict(rules).items()},
        charts=[chart for chart in charts_payload(rules) if chart["decks"][0] <= study.shoe.decks <= chart["decks"][1]],
        total=_eligible_case(None, eligibility.hands_per_round, Fraction(1), eligibility.analysis),
        up_cards=[
            _eligible_case(case.up, case.hands_per_round, case.share, case.analysis) for case in eligibility.cases
        ],
    )


def _eligible_case(up: str | None, hands: Fraction, share: Fraction, analysis: Analysis) -> EligibleCaseAnswer:
    return EligibleCaseAnswer(
        up=up,
        hands_per_round=hands,
        share=share,
        awards=[line.probability for line in analysis.lines],
        hit_frequency=analysis.hit_frequency,
        return_=analysis.return_,
        house_edge=analysis.house_edge,
    )


def _awards(study: Study) -> list[SheetAwardAnswer]:
    analysis = study.analysis

    def award(line: AwardLine, example: Outcome | None) -> SheetAwardAnswer:
        return SheetAwardAnswer(
            **asdict(AwardAnswer.of(line)),
            rule_in_words=describe_award(line.award, analysis.paytable),
            less_higher_ranked=line.matches - line.ways,
            pays_to_1=line.net,
            pays_for_1=line.gross,
            share_of_return=share_of_return(analysis, line),
            fair_pay_for_1=line.one_in,
            example=None if example is None else {role: list(map(str, cards)) for role, cards in example.dealt},
        )

    return [award(line, example) for line, example in zip(analysis.lines, study.examples, strict=True)]


def _option(request: Request, option: OptionAnswer | UnsetType) -> SheetOptionAnswer | UnsetType:
    if option is UNSET:
        return UNSET
    file = request.certificate
    certificate = CertificateAnswer(sha256=fingerprint(file), states=count_states(file)) if file else None
    other_decks = request.study.options_by_decks is not None
    return SheetOptionAnswer(**asdict(option), other_decks=other_decks, certificate=certificate)


def _volatility(study: Study, confidence: Fraction, z: Fraction) -> VolatilityAnswer:
    result = study.result
    index = volatility_index(result.standard_deviation if result else None, confidence)
    return VolatilityAnswer(
        confidence=f"{confidence * 100}%",
        z=format_fixed(z, 6),
        **_value_or_bounds("index", index),
        basis=result.basis if result else study.wager_basis,
    )


def _value_or_bounds(key: str, value: Any) -> dict[str, Any]:
    """Return a figure under its key, and its bounds under a second key where only these are known."""
    if isinstance(value, Interval):
        return {key: None, f"{key}_bounds": [value.low, value.high]}
    return {key: value, f"{key}_bounds": None}


def _counting(request: Request) -> CountingAnswer | UnsetType:
    if request.rounds_per_hour is None:
        return UNSET
    from reports.sheet.sections.counting import counting_answer  # few sheets need it

    return counting_answer(request)


def _result(result: PlayResult) -> PlayResultAnswer:
    """Return the result of a play on one basis."""
    return PlayResultAnswer(
        basis=result.basis,
        meters=dict(result.meters),
        house_edge=result.house_edge,
        **_value_or_bounds("variance", result.variance_or_bounds),
        variance_is_bound=result.is_bound,
        **_value_or_bounds("standard_deviation", result.standard_deviation),
        skewness=result.skewness,
        excess_kurtosis=result.excess_kurtosis,
    )


def _deck_counts(study: Study) -> list[DeckCountAnswer]:
    """Return the figures by number of decks, also on the headline's basis if that is not the wager alone."""
    rows = []
    options = study.options_by_decks or (None,) * len(study.by_decks)
    for at_decks, figures, option in zip(study.by_decks, study.meters_by_decks, options, strict=True):
        values: dict[str, Any] = dict.fromkeys(_DECK_FIGURES)
        if at_decks.analysis:  # else no hand satisfies the bet's condition
            values, _ = figure_entries(Study(at_decks.analysis), *_DECK_FIGURES)
        headline = None
        if study.paytable.meters:
            headline = _meter_headline(study, figures)
        elif option is not None:
            best = PlayResult.from_bounds(Basis.BEST, option.results)
            headline = DeckHeadlineAnswer(
                basis=best.basis,
                hold=best.house_edge,
                **_value_or_bounds("standard_deviation", best.standard_deviation),
            )
        rows.append(
            DeckCountAnswer(
                decks="infinite" if at_decks.decks is None else at_decks.decks,
                designed=at_decks.decks in study.paytable.decks,
                basis=study.wager_basis,
                **by_attribute(values),
                headline=headline,
            )
        )
    return rows


def _meter_headline(study: Study, figures: MeterFigures | None) -> DeckHeadlineAnswer:
    result = accounting_result(figures) if figures else None
    deviation = result.standard_deviation if result else None
    terms = MeterSystemTerms.of(figures.system) if figures else None
    is_other = terms is not None and study.meters and terms != MeterSystemTerms.of(study.meters.system)
    return DeckHeadlineAnswer(
        basis=result.basis if result else None,
        hold=result.house_edge if result else None,
        standard_deviation=None if deviation is None or isinstance(deviation, Interval) else deviation,
        terms=terms if is_other else None,
        hits={level.level.name: level.reset_probability for level in figures.levels} if figures and result else None,
    )


def _posted_jackpot(study: Study) -> PostedJackpotAnswer | None:
    """Return the posted prizes for given house edges, the other prizes at the seeds."""
    if not study.paytable.meters:
        return None
    prizes = [
        PostedPrizeAnswer(meter=row.meter, edge=row.edge, prize=row.prize)
        for row in posted_prizes(study.analysis, study.meters)
    ]
    return PostedJackpotAnswer(basis=Basis.POSTED, prizes=prizes)


def _rounds(study: Study) -> list[RoundAnswer]:
    """Return the probabilities of several winners of one meter in a round."""
    return [
        RoundAnswer(
            meter=meter,
            spots=round_.spots,
            one_or_more=round_.at_least_one,
            two_or_more=round_.two_or_more,
            winners_after_the_first=round_.extra_winners,
            cost_at_average=cost,
        )
        for meter, round_, cost in iter_round_costs(study.analysis, study.meters)
    ]


def _format_long(value: Fraction) -> str:
    return format_fixed(value, _OUTLOOK_DECIMALS, grouped=False).replace(MINUS, "-")


def _identification(request: Request) -> IdentificationAnswer:
    identity = request.identity
    return IdentificationAnswer(
        game=request.analysis.paytable.bet.game,
        document=request.document_number,
        document_is_given=bool(identity.document),
        revision=identity.revision,
        date=identity.date or None,
        prepared_by=identity.prepared_by or None,
        reviewed_by=identity.reviewed_by or None,
        jurisdiction=identity.jurisdiction or None,
        software=request.software,
        input_sha256=request.input_sha256,
        history=[
            RevisionAnswer(revision=change.revision, date=change.date, change=change.what)
            for change in identity.history
        ],
    )


def _input_files(request: Request) -> InputFilesAnswer:
    """Return the text of the bet's file and of the jurisdiction tests, for the verifier."""
    bet, tests = request.analysis.paytable.bet, format_tests(request.applicable_tests)
    return InputFilesAnswer(
        bet=BetFileAnswer(
            sha256=request.input_sha256,
            text=bet.file,
            changed=list(find_changes(request.analysis.paytable)),
        ),
        tests=InputFileAnswer(sha256=fingerprint(tests.encode("utf-8")), text=tests),
    )


def _pace(request: Request) -> PaceAnswer | UnsetType:
    if request.pace is None or not request.study.paytable.meters:
        return UNSET
    return PaceAnswer.of(request.analysis, request.pace)


def _meters(request: Request) -> MetersSection | None:
    figures = request.study.meters
    if figures is None:
        return None
    section = MetersSection.of(figures, request.analysis.meters)
    if figures.has_closed_form:
        return section
    # The verifier needs the terms of the meters to check the bounds of the hold.
    return replace(section, basis=figures.system.basis, terms=MeterSystemTerms.of(figures.system))
