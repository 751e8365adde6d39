"""The JSON of a par sheet: the analysis of a bet, every section, and the result of the verifier.

To add a field, add it here with a type and a description, and fill it in `reports/sheet/payload.py`. The JSON Schema
(`sheet_schema`, printed by `combinat schema`) follows from the types.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, defstruct

from combinat.alternatives import AssumptionEffect
from combinat.figures import FIGURES, Group
from combinat.results.analysis import AnalysisAnswer, AwardAnswer, OptionAnswer, figure_fields
from combinat.results.answer import (
    JSON_SCHEMA,
    Answer,
    CardText,
    Count,
    DeckCount,
    LongDecimal,
    MeterName,
    NonNegative,
    Percentage,
    Probability,
    Root,
    Sha256,
    Text,
    Value,
    schema_parts,
)
from combinat.results.meters import MetersSection, MeterSystemTerms, PaceAnswer
from combinat.results.removal import EffectAnswer
from combinat.study import Basis

SHEET_FORMAT: Literal["combinat par sheet 3"] = "combinat par sheet 3"
"""The name of the format."""
_OWN_DEALS = "^[a-z][a-z0-9_]*:([1-7]|h17|s17)(, [a-z][a-z0-9_]*:([1-7]|h17|s17))*$"
"""Pattern of the deals that have steps of the two known kinds in their derivation."""
_Bounds = Annotated[list[Value], Meta(min_length=2, max_length=2)]


class RevisionAnswer(Answer, frozen=True, kw_only=True):
    """A revision of the document."""

    revision: Annotated[str, Meta(description="The number of the revision.")]
    date: Annotated[str, Meta(description="Its date, such as 2026-11-16.")]
    change: Annotated[str, Meta(description="What was changed.")]


class IdentificationAnswer(Answer, frozen=True, kw_only=True):
    """The identification of the document; what is blank is null."""

    game: Annotated[Text, Meta(description="The table game of the bet.")]
    document: Annotated[Text, Meta(description="The document number.")]
    document_is_given: Annotated[
        bool, Meta(description="Whether the preparer gave the number; otherwise it is built from id and deck count.")
    ]
    revision: Annotated[str, Meta(description="The revision of the document.")]
    date: Annotated[
        Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] | None,
        Meta(description="The date of the document, as year-month-day."),
    ]
    prepared_by: Annotated[Text | None, Meta(description="Who prepared the document.")]
    reviewed_by: Annotated[Text | None, Meta(description="Who reviewed the document.")]
    jurisdiction: Annotated[Text | None, Meta(description="The jurisdiction that the document is for.")]
    software: Annotated[Text, Meta(description="Name and version of the program.")]
    input_sha256: Annotated[Sha256, Meta(description="SHA-256 of the file of the bet, in UTF-8.")]
    history: Annotated[list[RevisionAnswer], Meta(description="The revisions, oldest first.")]


class InputFileAnswer(Answer, frozen=True, kw_only=True):
    """A file that the sheet was made from."""

    sha256: Annotated[Sha256, Meta(description="SHA-256 of the text, in UTF-8.")]
    text: Annotated[str, Meta(description="The text of the file.")]


class BetFileAnswer(InputFileAnswer, frozen=True, kw_only=True):
    """The bet's TOML file."""

    changed: Annotated[list[str], Meta(description="Topics that options of the command line changed.")]


class InputFilesAnswer(Answer, frozen=True, kw_only=True):
    """The files that the sheet was made from, so that a verifier can compare the sheet with them."""

    bet: Annotated[BetFileAnswer, Meta(description="The bet's file.")]
    tests: Annotated[InputFileAnswer, Meta(description="The jurisdiction tests.")]


class AssumptionAnswer(Answer, frozen=True, kw_only=True):
    """An assumption behind the figures, with its effect on the house edge."""

    text: Annotated[Text, Meta(description="The assumption.")]
    origin: Annotated[Text, Meta(description="Whose words it follows.")]
    effect: Annotated[Text, Meta(description="Its effect, or the alternative whose edge is given.")]
    edge: Annotated[Fraction | None, Meta(description="House edge under the alternative; with meters, the hold.")]
    change: Annotated[Fraction | None, Meta(description="That edge less the edge of the sheet.")]

    @classmethod
    def of(cls, effect: AssumptionEffect) -> AssumptionAnswer:
        """Build the answer."""
        assumption = effect.assumption
        text = assumption.effect if assumption.alternative is None else assumption.alternative.text
        return cls(
            text=assumption.text,
            origin=assumption.origin_text,
            effect=text,
            edge=effect.edge,
            change=effect.change,
        )


class BetTermsAnswer(Answer, frozen=True, kw_only=True):
    """What the source says about the bet, and what is assumed beyond it."""

    clause: Annotated[str | None, Meta(description="The section of the source that states the paytable.")]
    decks_clause: Annotated[str | None, Meta(description="What the source says about deck counts.")]
    requirements: Annotated[str | None, Meta(description="What a player must wager or hold.")]
    rules_of_play: Annotated[list[str], Meta(description="The rules of play.")]
    assumptions: Annotated[list[AssumptionAnswer], Meta(description="The assumptions with their effects.")]


class EligibleCaseAnswer(Answer, frozen=True, kw_only=True, rename={"return_": "return"}):
    """The wagers of eligible hands, in total or with one up card."""

    up: Annotated[str | None, Meta(description="The up card; null for the total.")]
    hands_per_round: Annotated[NonNegative, Meta(description="Mean number of eligible hands of a round.")]
    share: Annotated[Probability, Meta(description="Share of all wagers.")]
    awards: Annotated[list[Probability], Meta(description="Probability of each award per wager.")]
    hit_frequency: Annotated[Probability, Meta(description="Probability that a wager wins.")]
    return_: Annotated[Value, Meta(description="Return per wager.")]
    house_edge: Annotated[Value, Meta(description="House edge per wager.")]


class EligibilityAnswer(Answer, frozen=True, kw_only=True):
    """The figures per wager if every eligible hand of a player who follows a chart makes one."""

    eligible_hands: Annotated[str, Meta(description="Which hands may make the wager.")]
    rules: Annotated[str, Meta(description="The rules of the blackjack table.")]
    table: Annotated[dict[str, bool | int | str], Meta(description="Rules of blackjack by name.")]
    charts: Annotated[list[dict[str, Any]], Meta(description="The chart that the player follows.")]
    total: Annotated[EligibleCaseAnswer, Meta(description="All up cards.")]
    up_cards: Annotated[list[EligibleCaseAnswer], Meta(description="Each up card.")]


class SheetAwardAnswer(AwardAnswer, frozen=True, kw_only=True):
    """An award on a sheet."""

    rule_in_words: Annotated[Text, Meta(description="The rule in English.")]
    less_higher_ranked: Annotated[Count, Meta(description="Matching hands that a higher-ranked award pays.")]
    pays_to_1: Annotated[Value, Meta(description="Net win for a wager of 1.")]
    pays_for_1: Annotated[Value, Meta(description="Total payment for a wager of 1, including a returned wager.")]
    share_of_return: Annotated[
        Fraction | None, Meta(description="Share of the total return; null if it depends on a meter.")
    ]
    fair_pay_for_1: Annotated[
        NonNegative | None, Meta(description="Total payment at which the award returns the whole wager.")
    ]
    example: Annotated[
        dict[str, Annotated[list[CardText], Meta(min_length=1)]] | None,
        Meta(description="A hand that wins the award, by role; null if there is none."),
    ]


class CertificateAnswer(Answer, frozen=True, kw_only=True):
    """The file beside a sheet with the strategy and the value of every unsplit decision state."""

    sha256: Annotated[Sha256, Meta(description="The SHA-256 of the file.")]
    states: Annotated[Count, Meta(description="The number of decision states.")]


class SheetOptionAnswer(OptionAnswer, frozen=True, kw_only=True):
    """The choice after a win, on a sheet."""

    other_decks: Annotated[bool, Meta(description="Whether best play was solved for the other deck counts too.")]
    certificate: Annotated[
        CertificateAnswer | None,
        Meta(description="The certificate of best play; null if the hand is played by a chart."),
    ]


class VolatilityAnswer(Answer, frozen=True, kw_only=True):
    """The volatility index at one confidence level."""

    confidence: Annotated[Percentage, Meta(description="The confidence level.")]
    z: Annotated[
        str, Meta(pattern=r"^[0-9]\.[0-9]{6}$", description="The quantile of the normal distribution, to six decimals.")
    ]
    index: Annotated[Root | None, Meta(description="The standard deviation times z.")]
    index_bounds: Annotated[_Bounds | None, Meta(description="Lower and upper bound, if only these are known.")]
    basis: Annotated[Basis, Meta(description="The basis of the index.")]


class PlayResultAnswer(Answer, frozen=True, kw_only=True):
    """The result of a play on one basis."""

    basis: Annotated[Basis, Meta(description="The basis of the result.")]
    meters: Annotated[dict[MeterName, NonNegative], Meta(description="Amounts of the meters, where they are fixed.")]
    house_edge: Annotated[Fraction, Meta(description="The mean profit of the house per wager of 1.")]
    variance: Annotated[Fraction | None, Meta(description="The variance of the result of a wager of 1.")]
    variance_bounds: Annotated[_Bounds | None, Meta(description="Lower and upper bound, if only these are known.")]
    variance_is_bound: Annotated[bool, Meta(description="Whether the variance is an upper bound.")]
    standard_deviation: Annotated[Root | None, Meta(description="The square root of the variance.")]
    standard_deviation_bounds: Annotated[
        _Bounds | None, Meta(description="Lower and upper bound, if only these are known.")
    ]
    skewness: Annotated[Root | None, Meta(description="The skewness of the result.")]
    excess_kurtosis: Annotated[Fraction | None, Meta(description="The excess kurtosis of the result.")]


class OutlookAnswer(Answer, frozen=True, kw_only=True):
    """The confidence interval of the hold after a number of plays."""

    plays: Annotated[int, Meta(ge=1, description="The number of plays.")]
    basis: Annotated[Basis, Meta(description="The basis of the interval.")]
    confidence: Annotated[Percentage, Meta(description="The confidence level.")]
    method: Annotated[
        str,
        Meta(
            description="Exact distribution, or an approximation.",
            extra_json_schema={"enum": ["distribution", "normal", "asymptotic", "normal, largest deviation"]},
        ),
    ]
    poor_approximation: Annotated[bool, Meta(description="Whether the approximation may be far off.")]
    least_hold: Annotated[LongDecimal, Meta(description="Lower end of the hold, to thirty decimals.")]
    most_hold: Annotated[LongDecimal, Meta(description="Upper end of the hold, to thirty decimals.")]
    house_ahead: Annotated[LongDecimal, Meta(description="Probability that the house is ahead, to thirty decimals.")]


class DeckHeadlineAnswer(Answer, frozen=True, kw_only=True):
    """The hold at a deck count, on the basis of the headline."""

    basis: Annotated[Basis | None, Meta(description="The basis of the hold; null if it is unknown.")]
    hold: Annotated[Fraction | None, Meta(description="The hold; null if it is unknown.")]
    standard_deviation: Annotated[Root | None, Meta(description="The standard deviation on this basis.")]
    standard_deviation_bounds: Annotated[
        _Bounds | UnsetType | None, Meta(description="Lower and upper bound, if only these are known.")
    ] = UNSET
    terms: Annotated[
        MeterSystemTerms | UnsetType | None,
        Meta(description="Terms of the meters, if they differ from those of the sheet."),
    ] = UNSET
    hits: Annotated[
        dict[MeterName, Probability] | UnsetType | None,
        Meta(description="Probability of a hit that resets each meter."),
    ] = UNSET


class DeckCountAnswer(Answer, frozen=True, kw_only=True, rename={"return_": "return"}):
    """The figures at a deck count."""

    decks: Annotated[DeckCount | Literal["infinite"], Meta(description="The deck count.")]
    designed: Annotated[bool, Meta(description="Whether the paytable is designed for this deck count.")]
    basis: Annotated[Basis, Meta(description="The basis of the figures.")]
    house_edge: Annotated[Value | None, Meta(description=FIGURES["house_edge"].meaning)]
    return_: Annotated[Value | None, Meta(description=FIGURES["return"].meaning)]
    hit_frequency: Annotated[Probability | None, Meta(description=FIGURES["hit_frequency"].meaning)]
    standard_deviation: Annotated[Root | None, Meta(description=FIGURES["standard_deviation"].meaning)]
    top_award_one_in: Annotated[NonNegative | None, Meta(description=FIGURES["top_award_one_in"].meaning)]
    headline: Annotated[
        DeckHeadlineAnswer | None, Meta(description="The hold, if the headline is not of the wager alone.")
    ]


class PaySensitivityAnswer(Answer, frozen=True, kw_only=True):
    """How the pay of an award affects the house edge."""

    award: Annotated[Text, Meta(description="The name of the award.")]
    one_more: Annotated[Fraction, Meta(description="Change of the house edge if it pays 1 more.")]
    one_less: Annotated[Fraction, Meta(description="Change of the house edge if it pays 1 less.")]
    basis: Annotated[Basis, Meta(description="The basis of the changes.")]


class MispaidUnitsAnswer(Answer, frozen=True, kw_only=True):
    """The change of the house edge if pays are read in the wrong unit."""

    basis: Annotated[Basis, Meta(description="The basis of the changes.")]
    to_as_for: Annotated[Fraction | None, Meta(description=FIGURES["to_as_for"].meaning)]
    for_as_to: Annotated[Fraction | None, Meta(description=FIGURES["for_as_to"].meaning)]


class MisrankingAnswer(Answer, frozen=True, kw_only=True):
    """An award that is paid after a lower one by mistake."""

    award: Annotated[Text, Meta(description="The award that is not noticed.")]
    below: Annotated[Text | None, Meta(description="The award that is paid instead; null for a loss.")]
    change: Annotated[NonNegative, Meta(description="The change of the house edge.")]


class RoundingAnswer(Answer, frozen=True, kw_only=True):
    """The house edge if pays are rounded to whole units of money."""

    wager: Annotated[int, Meta(ge=1, description="The wager.")]
    rounded_up: Annotated[Fraction, Meta(description="House edge with pays rounded up.")]
    rounded_down: Annotated[Fraction, Meta(description="House edge with pays rounded down.")]


class PostedPrizeAnswer(Answer, frozen=True, kw_only=True):
    """The posted prize of a meter for a house edge."""

    meter: Annotated[Text, Meta(description="The name of the meter.")]
    edge: Annotated[Probability, Meta(description="The house edge.")]
    prize: Annotated[NonNegative | None, Meta(description="The posted prize; null if there is none.")]


class PostedJackpotAnswer(Answer, frozen=True, kw_only=True):
    """Posted prizes for given house edges, the other prizes at their seeds."""

    basis: Annotated[Basis, Meta(description="The basis of the edges.")]
    prizes: Annotated[list[PostedPrizeAnswer], Meta(description="A prize for each meter and edge.")]


class RoundAnswer(Answer, frozen=True, kw_only=True):
    """Several winners of one meter in a round."""

    meter: Annotated[Text, Meta(description="The name of the meter.")]
    spots: Annotated[int, Meta(ge=1, le=7, description="Spots in the round.")]
    one_or_more: Annotated[Probability, Meta(description="Probability of at least one winner.")]
    two_or_more: Annotated[Probability, Meta(description="Probability of at least two winners.")]
    winners_after_the_first: Annotated[NonNegative, Meta(description="Mean number of winners after the first.")]
    cost_at_average: Annotated[
        Fraction | None, Meta(description="Mean cost of the further winners, with the meter at its average.")
    ]


class SpotsTogetherAnswer(Answer, frozen=True, kw_only=True):
    """Several spots of a round together."""

    spots: Annotated[int, Meta(ge=2, description="The number of spots.")]
    variance: Annotated[Fraction, Meta(description="Variance of their total result.")]
    standard_deviation: Annotated[Root, Meta(description="Standard deviation of their total result.")]


class SpotRiskAnswer(Answer, frozen=True, kw_only=True):
    """How the results of spots in one round depend on each other."""

    basis: Annotated[Basis, Meta(description="The basis of the figures.")]
    covariance: Annotated[Fraction, Meta(description=FIGURES["spot_covariance"].meaning)]
    correlation: Annotated[Fraction | None, Meta(description=FIGURES["spot_correlation"].meaning)]
    by_spots: Annotated[list[SpotsTogetherAnswer], Meta(description="Two spots and more.")]
    seven_spots: Annotated[Root | None, Meta(description=FIGURES["seven_spots"].meaning)]


class LargestByAnswer(Answer, frozen=True, kw_only=True):
    """How the largest win is won."""

    award: Annotated[str | None, Meta(description="The award.")]
    hand: Annotated[str | None, Meta(description="The hand of the player, if winnings are left on it.")]
    up: Annotated[str | None, Meta(description="The up card, if winnings are left on the hand.")]
    action: Annotated[str | None, Meta(description="The first action on the hand.")]


class LargestWinAnswer(Answer, frozen=True, kw_only=True):
    """The largest win with meters at given amounts."""

    basis: Annotated[Basis, Meta(description="The amounts of the meters.")]
    meters: Annotated[dict[MeterName, NonNegative], Meta(description="Amounts of the meters by name.")]
    at_most: Annotated[bool, Meta(description="Whether the amounts are upper bounds.")]
    award: Annotated[str | None, Meta(description="The award that wins most.")]
    win: Annotated[Fraction | None, Meta(description="Its net win, in money.")]
    payment: Annotated[Fraction | None, Meta(description="Its total payment including the wager, in money.")]


class TaxAnswer(Answer, frozen=True, kw_only=True):
    """When an award is reported and tax is withheld.

    An award of a bet without meters has the wagers from which it is; an award of a bet with meters has the result for
    the fixed wager, or the amount of its meter from which it is.
    """

    award: Annotated[Text, Meta(description="The name of the award.")]
    rule: Annotated[Text, Meta(description="The name of the tax rule.")]
    years: Annotated[Text, Meta(description="The years in which the rule applies.")]
    reported_from_wager: Annotated[
        NonNegative | UnsetType | None, Meta(description="Least wager at which the total payment is reported.")
    ] = UNSET
    reported_from_wager_less_the_wager: Annotated[
        NonNegative | UnsetType | None, Meta(description="Least wager at which the net win is reported.")
    ] = UNSET
    withheld_above_wager: Annotated[
        NonNegative | UnsetType | None, Meta(description="Wager above which tax is withheld.")
    ] = UNSET
    reported: Annotated[bool | UnsetType, Meta(description="Whether the total payment is reported.")] = UNSET
    reported_less_the_wager: Annotated[bool | UnsetType, Meta(description="Whether the net win is reported.")] = UNSET
    withheld: Annotated[bool | UnsetType, Meta(description="Whether tax is withheld.")] = UNSET
    reported_from_meter: Annotated[
        NonNegative | UnsetType, Meta(description="Least amount of the meter at which the total payment is reported.")
    ] = UNSET
    reported_from_meter_less_the_wager: Annotated[
        NonNegative | UnsetType, Meta(description="Least amount of the meter at which the net win is reported.")
    ] = UNSET
    withheld_above_meter: Annotated[
        NonNegative | UnsetType, Meta(description="Amount of the meter above which tax is withheld.")
    ] = UNSET


class ExposureAnswer(Answer, frozen=True, kw_only=True):
    """The largest payment for one wager, and the tax thresholds."""

    basis: Annotated[Basis, Meta(description="The basis of the largest win.")]
    max_wager: Annotated[NonNegative, Meta(description="The largest wager, or the fixed one, in money.")]
    wager_is_fixed: Annotated[bool, Meta(description="Whether the wager is fixed, as for meters.")]
    largest_win: Annotated[Fraction | None, Meta(description="The largest net win, in money.")]
    largest_payment: Annotated[Fraction | None, Meta(description="Its total payment, including the wager.")]
    largest_by: Annotated[LargestByAnswer, Meta(description="How the largest win is won.")]
    largest_win_without_option: Annotated[
        Fraction | None, Meta(description="The largest net win of the wager alone, if there is an option.")
    ]
    largest_payment_without_option: Annotated[
        Fraction | None, Meta(description="The largest payment of the wager alone, if there is an option.")
    ]
    by_meter: Annotated[list[LargestWinAnswer], Meta(description="The largest win at several amounts of meters.")]
    tax: Annotated[list[TaxAnswer], Meta(description="Tax thresholds of each award by rule.")]


class RemovalSectionAnswer(Answer, frozen=True, kw_only=True):
    """The effects of removal."""

    house_edge: Annotated[Value, Meta(description="House edge of the full shoe.")]
    strategy_recomputed: Annotated[bool, Meta(description="Whether the strategy was chosen again without each card.")]
    mean_change: Annotated[Value, Meta(description="Weighted mean of the changes; zero for a fixed strategy.")]
    effects: Annotated[list[EffectAnswer], Meta(description="The effect of each class of cards.")]


class CutCardAnswer(Answer, frozen=True, kw_only=True):
    """The best trigger at a cut-card position; null if no trigger wins."""

    cut: Annotated[int, Meta(description="Cut-card position, in cards from the end of the shoe.")]
    trigger: Annotated[Fraction | None, Meta(description="Lowest true count with a bet.")]
    frequency: Annotated[Fraction | None, Meta(description="Fraction of rounds with a bet.")]
    edge: Annotated[Fraction | None, Meta(description="Average edge of the player when betting.")]
    won_per_100_rounds: Annotated[Fraction | None, Meta(description="Won per 100 rounds with a wager of 1.")]
    won_per_shoe: Annotated[Fraction | None, Meta(description="Won per shoe with a wager of 1.")]
    won_per_hour: Annotated[Fraction | None, Meta(description="Won per hour with the largest wager, in money.")]


class BestCountAnswer(Answer, frozen=True, kw_only=True):
    """The best count of a level."""

    level: Annotated[int, Meta(description="The largest tag.")]
    basis: Annotated[str, Meta(description="The basis of the figures.")]
    tags: Annotated[dict[str, int], Meta(description="The tag of each card.")]
    betting_correlation: Annotated[Root | None, Meta(description="Correlation of the tags with the effects.")]
    conventions: Annotated[str, Meta(description="The conventions of the count.")]
    by_cut: Annotated[list[CutCardAnswer], Meta(description="The best trigger by cut-card position.")]


class BreakEvenAnswer(Answer, frozen=True, kw_only=True):
    """The amount of a meter at which the counted bet breaks even."""

    meter: Annotated[str, Meta(description="The name of the meter.")]
    amount: Annotated[Fraction, Meta(description="The amount, in money.")]


class PerfectPlayAnswer(Answer, frozen=True, kw_only=True):
    """The upper bound of all counts."""

    sampled: Annotated[bool, Meta(description="Whether the bound is estimated from sampled shoes.")]
    won_per_100_rounds: Annotated[Fraction, Meta(description="Won per 100 rounds with a wager of 1.")]
    confidence_99: Annotated[Root | None, Meta(description="Half-width of the 99% confidence interval.")]
    strategy_recomputed: Annotated[bool, Meta(description="Whether decisions were chosen again for each shoe.")]
    samples: Annotated[int | None, Meta(description="Sampled shoes.")]
    in_favor_of_the_player: Annotated[int | None, Meta(description="Sampled shoes that favor the player.")]
    seed: Annotated[int | None, Meta(description="Seed of the random numbers.")]
    classes: Annotated[list[list[str]], Meta(description="Classes of cards that matter, if the bound is exact.")]


class CountingAnswer(Answer, frozen=True, kw_only=True):
    """Card counting: effects of removal, and the best counts."""

    basis: Annotated[Basis, Meta(description="The basis of the effects.")]
    meters: Annotated[dict[str, Fraction], Meta(description="Amounts of the meters.")]
    removal: Annotated[RemovalSectionAnswer, Meta(description="The effects of removal.")]
    counts: Annotated[list[BestCountAnswer], Meta(description="The best count of each level.")]
    no_counts: Annotated[str | None, Meta(description="Why there are no counts; null if there are some.")]
    rounds_per_hour: Annotated[Fraction, Meta(description="Rounds per hour.")]
    wager: Annotated[Fraction, Meta(description="The largest wager, in money.")]
    break_even_meters: Annotated[
        list[BreakEvenAnswer], Meta(description="Break-even amounts of meters for the counted bet.")
    ]
    perfect_play: Annotated[PerfectPlayAnswer | None, Meta(description="The upper bound of all counts.")]


class JurisdictionTestAnswer(Answer, frozen=True, kw_only=True):
    """A test of a jurisdiction with its result."""

    jurisdiction: Annotated[str, Meta(description="The jurisdiction.")]
    test: Annotated[str, Meta(description="The name of the test.")]
    applies_to: Annotated[str, Meta(description="The bets that the test is for.")]
    figure: Annotated[
        Annotated[str, Meta(extra_json_schema={"enum": list(FIGURES)})], Meta(description="The key of the figure.")
    ]
    in_money: Annotated[bool, Meta(description="Whether the figure is for the maximum wager, in money.")]
    at_least: Annotated[Fraction | None, Meta(description="Lower limit, inclusive; null if there is none.")]
    at_most: Annotated[Fraction | None, Meta(description="Upper limit, inclusive; null if there is none.")]
    value: Annotated[Fraction, Meta(description="The value of the figure.")]
    passes: Annotated[bool, Meta(description="Whether the value is within the limits.")]
    consequence: Annotated[str | None, Meta(description="The consequence of a value outside the limits.")]
    source: Annotated[str, Meta(description="The source of the requirement.")]
    year: Annotated[int, Meta(description="The year of the source.")]


class FixedStep(Answer, frozen=True, kw_only=True):
    """A step of the derivation of a fixed deal."""

    cards: Annotated[Text, Meta(description="The kind of hands.")]
    hands: Annotated[Count, Meta(description="Number of such hands from one deck.")]
    formula: Annotated[Text, Meta(description="Ways of each from n decks.")]
    numbers: Annotated[Text, Meta(description="The formula at this deck count.")]
    ways: Annotated[Count, Meta(description="Ways of all of them.")]


class DealerStep(Answer, frozen=True, kw_only=True):
    """A step of the derivation of a drawing dealer."""

    cards: Annotated[int, Meta(ge=2, description="Cards of the finished hand.")]
    hands: Annotated[Count, Meta(description="Number of such hands.")]
    orders: Annotated[Count, Meta(description="Number of orders in which they are drawn.")]
    ways: Annotated[Count, Meta(description="Ways of all of them.")]
    probability: Annotated[Probability, Meta(description="Probability of all of them.")]


Step = Annotated[
    dict[str, Any],
    Meta(
        extra_json_schema={
            "minProperties": 1,
            "propertyNames": {"pattern": "^[a-z][a-z0-9_]*$"},
            "additionalProperties": {"type": ["string", "integer"]},
        }
    ),
]
"""A step of a derivation; the columns depend on the experiment."""


class DerivationAnswer(Answer, frozen=True, kw_only=True):
    """The derivation of the ways of an award."""

    award: Annotated[Text, Meta(description="The name of the award, or no award.")]
    ways: Annotated[Count, Meta(description="The ways of the award.")]
    steps: Annotated[list[Step], Meta(description="The kinds of hands that add up to the ways.")]


class SheetCheckAnswer(Answer, frozen=True, kw_only=True):
    """A check that ran when the sheet was made."""

    check: Annotated[Text, Meta(description="What was checked.")]
    result: Annotated[
        str,
        Meta(
            pattern="^(agrees|DIFFERS|depends on the meters|not a check: .+|not reached.*|not checked: .+)$",
            description="The result of the check.",
        ),
    ]


class CheckedPartAnswer(Answer, frozen=True, kw_only=True):
    """Figures that the verifier checked by one method."""

    method: Annotated[Text, Meta(description="The method.")]
    figures: Annotated[int, Meta(ge=1, description="The number of figures.")]
    by: Annotated[Text, Meta(description="The method in words.")]


class NotCheckedAnswer(Answer, frozen=True, kw_only=True):
    """A figure that the verifier did not check."""

    key: Annotated[Text, Meta(description="The key of the figure.")]
    reason: Annotated[Text, Meta(description="Why it was not checked.")]


class CoverageAnswer(Answer, frozen=True, kw_only=True):
    """What the verifier checked, and what it did not check."""

    checked: Annotated[list[CheckedPartAnswer], Meta(description="Figures that were checked, by method.")]
    merged: Annotated[str, Meta(description="How hands were merged before they were tested; empty if none were.")]
    compared_with_source: Annotated[int, Meta(ge=0, description="Words compared with the bet's file and the figures.")]
    prose: Annotated[list[str], Meta(description="Keys of words for a reader, which are not checked.")]
    not_checked: Annotated[list[NotCheckedAnswer], Meta(description="What was not checked.")]


if TYPE_CHECKING:
    _WithSheetFigures = AnalysisAnswer
else:
    _WithSheetFigures = defstruct(
        "_WithSheetFigures",
        figure_fields(Group.SHEET),
        bases=(AnalysisAnswer,),
        module=__name__,
        frozen=True,
        kw_only=True,
    )


class SheetDraft(_WithSheetFigures, frozen=True, kw_only=True):
    """A sheet before the verifier has read it."""

    format: Annotated[Literal["combinat par sheet 3"], Meta(description="The name of the format.")] = SHEET_FORMAT
    identification: Annotated[IdentificationAnswer, Meta(description="The identification of the document.")]
    input_files: Annotated[InputFilesAnswer, Meta(description="The files that the sheet was made from.")]
    awards: Annotated[
        Sequence[SheetAwardAnswer], Meta(min_length=1, description="The awards; a hand is paid the first it matches.")
    ]
    option: Annotated[SheetOptionAnswer | UnsetType, Meta(description="The choice after a win, and its best use.")] = (
        UNSET
    )
    terms: Annotated[BetTermsAnswer, Meta(description="Source, requirements, rules of play and assumptions.")]
    eligibility: Annotated[
        EligibilityAnswer | UnsetType, Meta(description="Figures per wager of an eligible hand.")
    ] = UNSET
    volatility_index: Annotated[list[VolatilityAnswer], Meta(description="The volatility index by confidence level.")]
    settled_meters: Annotated[
        dict[MeterName, NonNegative] | None,
        Meta(description="Amounts of the meters for which spots are computed; null without meters."),
    ]
    results: Annotated[list[PlayResultAnswer], Meta(description="The result of a play on each basis.")]
    outlook: Annotated[list[OutlookAnswer], Meta(description="Confidence intervals for the hold.")]
    deck_sensitivity: Annotated[list[DeckCountAnswer], Meta(description="Figures by deck count.")]
    pay_sensitivity: Annotated[list[PaySensitivityAnswer], Meta(description="House edge if a pay changes by 1.")]
    wrong_unit: Annotated[MispaidUnitsAnswer, Meta(description="House edge if pays are read in the wrong unit.")]
    misranked: Annotated[list[MisrankingAnswer], Meta(description="House edge if an award is paid as a lower one.")]
    rounding: Annotated[list[RoundingAnswer], Meta(description="House edge if pays are rounded.")]
    meter: Annotated[MetersSection | None, Meta(description="The figures of the meters; null without known terms.")]
    pace: Annotated[PaceAnswer | UnsetType, Meta(description="Hits of the meters at a pace of play.")] = UNSET
    posted_jackpot: Annotated[PostedJackpotAnswer | None, Meta(description="Posted prizes for given house edges.")]
    rounds: Annotated[list[RoundAnswer], Meta(description="Several winners of a meter in one round.")]
    spots: Annotated[SpotRiskAnswer | None, Meta(description="Dependence of spots in one round; null if unknown.")]
    exposure: Annotated[ExposureAnswer, Meta(description="The largest payment, and tax thresholds.")]
    card_counting: Annotated[CountingAnswer | UnsetType, Meta(description="Card counting.")] = UNSET
    jurisdiction_tests: Annotated[list[JurisdictionTestAnswer], Meta(description="Tests of jurisdictions.")]
    derivation: Annotated[list[DerivationAnswer], Meta(description="How the ways of each award are counted.")]
    checks: Annotated[list[SheetCheckAnswer], Meta(min_length=1, description="Checks that ran with the sheet.")]

    def to_dict(self) -> dict[str, Any]:
        data = super().to_dict()
        return {"format": data["format"], "identification": data["identification"], **data}


class ParSheetAnswer(SheetDraft, frozen=True, kw_only=True):
    """A par sheet of one paytable at one shoe.

    All values are exact. Pays, returns and edges are for a wager of 1 unless the description says money.
    """

    verification: Annotated[CoverageAnswer, Meta(description="What the verifier checked and did not check.")]
    data_sha256: Annotated[
        Sha256, Meta(description="SHA-256 of the other data: compact JSON with sorted keys, in UTF-8.")
    ]


def sheet_schema() -> dict[str, Any]:
    """Return the JSON Schema of a par sheet.

    >>> sheet_schema()["properties"]["cycle"]
    {'description': 'Number of equally likely hands.', 'type': 'integer', 'minimum': 1}
    """
    _, definitions = schema_parts((ParSheetAnswer, FixedStep, DealerStep))
    sheet = definitions.pop(ParSheetAnswer.__name__)
    steps = {"items": {"anyOf": [{"$ref": f"#/$defs/{step.__name__}"} for step in (FixedStep, DealerStep)]}}
    return {
        "$schema": JSON_SCHEMA,
        "$id": SHEET_FORMAT.replace(" ", "-"),
        **sheet,
        "title": SHEET_FORMAT,
        "if": {"properties": {"deal": {"pattern": _OWN_DEALS}}},
        "then": {"properties": {"derivation": {"items": {"properties": {"steps": steps}}}}},
        "$defs": definitions,
    }
