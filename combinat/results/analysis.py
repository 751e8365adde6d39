"""The answer to `analyze`: awards and figures of a bet at a shoe.

The fields of the figures are generated from the table of figures (`combinat.figures`): each figure of the
`ANSWER_GROUPS` has a field, and a figure with best play has two more: its bounds, and the wager alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType, defstruct, field

from combinat.analysis.analysis import Analysis, AwardLine, award_components
from combinat.analysis.sensitivity import ConditionalResult
from combinat.bets.pay import Pay
from combinat.bets.paytable import Paytable
from combinat.enumeration.decision import PlayerOption, RoundStrategy
from combinat.enumeration.experiment import ExposedView
from combinat.exact.interval import Interval
from combinat.figures import (
    ANSWER_GROUPS,
    SECOND_BASIS,
    SHEET_GROUPS,
    Group,
    figure_values,
    figures_in,
    headline_value,
)
from combinat.finder.checks import is_check, matches_published
from combinat.results.answer import (
    ANSWER_FORMAT,
    Answer,
    CardText,
    Count,
    DeckCount,
    MeterName,
    NonNegative,
    Percentage,
    Probability,
    Text,
    Value,
)
from combinat.results.flags import flags
from combinat.study import Basis, Study

_BOUNDS = "{}_bounds"
_RENAMES = {"return_": "return"}
UP_CARDS = "up_cards"
"""The key of the view of up cards, which every answer has."""
_CASE_FIGURES = ("hit_frequency", "return", "house_edge")
"""Figures of each case of exposed cards, for the wager alone."""


PaytableId = Annotated[str, Meta(pattern="^[A-Za-z0-9][A-Za-z0-9+._-]{0,39}$")]
PayUnit = Annotated[str, Meta(pattern="^((to|for) 1|of [A-Za-z_][A-Za-z0-9_]{0,19})$")]
FigureKey = Annotated[
    str,
    Meta(
        extra_json_schema={
            "enum": [
                key
                for figure in figures_in(*SHEET_GROUPS)
                for key in (figure.key, SECOND_BASIS.format(figure.key))[: len(figure.on)]
            ]
        }
    ),
]
ViewCase = Annotated[
    dict[str, Any],
    Meta(
        extra_json_schema={
            "properties": {
                "probability": {"$ref": "#/$defs/probability"},
                "awards": {"type": "array", "items": {"$ref": "#/$defs/CaseAwardAnswer"}},
                **{key: {"$ref": "#/$defs/value"} for key in _CASE_FIGURES},
            },
            "required": ["probability", "awards", *_CASE_FIGURES],
            "additionalProperties": {
                "anyOf": [
                    {"type": "string", "minLength": 1},
                    {"$ref": "#/$defs/probability"},
                    {"$ref": "#/$defs/Basis"},
                ]
            },
        }
    ),
]
"""One case of exposed cards: its name under the key of the view, and its figures."""


class VariantAnswer(Answer, frozen=True, kw_only=True):
    """The paytable that a variant is based on."""

    of: Annotated[PaytableId, Meta(description="The id of the paytable that the variant is based on.")]
    differences: Annotated[list[Text], Meta(description="What differs, such as pays, rules or decks.")]


class AwardAnswer(Answer, frozen=True, kw_only=True, rename=_RENAMES):
    """An award of a paytable."""

    name: Annotated[Text, Meta(description="The name of the award.")]
    rule: Annotated[Text, Meta(description="The rule of the award, in the rule language.")]
    pays: Annotated[
        Fraction,
        Meta(description="The pay in its unit, or the share of a meter; the mean of the prizes where a wheel decides."),
    ]
    unit: Annotated[
        PayUnit, Meta(description="to 1 (the wager is returned too), for 1 (it is not), or the meter that pays.")
    ]
    pays_text: Annotated[Text, Meta(description="The pay as the paytable states it, such as 9 to 1.")]
    inclusive_count: Annotated[Count, Meta(description="Inclusive count: ways of all hands that match the rule.")]
    ways: Annotated[Count, Meta(description="Ways of the hands that the award pays.")]
    probability: Annotated[Probability, Meta(description="ways / cycle.")]
    return_: Annotated[Value, Meta(description="Contribution to the return: total pay for 1 times probability.")]
    net: Annotated[Value, Meta(description="Contribution to the expected value: net pay times probability.")]
    one_in: Annotated[
        NonNegative | None,
        Meta(description="Mean number of plays per award: 1 / probability; null if it cannot be won."),
    ]
    true_odds: Annotated[
        NonNegative | None, Meta(description="Odds against the award, to 1; null if it cannot be won.")
    ]
    possible: Annotated[bool, Meta(description="Whether a hand from this shoe can win the award.")]

    @classmethod
    def of(cls, line: AwardLine) -> AwardAnswer:
        """Build the answer from a line of an analysis."""
        pay = line.award.pay
        return cls(
            name=line.award.name,
            rule=str(line.award.rule),
            pays=pay.amount,
            unit=pay.unit if pay.meter is None else f"of {pay.meter}",
            pays_text=str(pay),
            inclusive_count=line.matches,
            ways=line.ways,
            probability=line.probability,
            return_=line.return_,
            net=line.net * line.probability,
            one_in=line.one_in,
            true_odds=line.true_odds,
            possible=line.is_possible,
        )


class AddedAwardAnswer(Answer, frozen=True, kw_only=True):
    """One of the awards that are added to the pay of a hand."""

    name: Annotated[Text, Meta(description="The name of the award.")]
    rule: Annotated[Text, Meta(description="The rule of the award, in the rule language.")]
    per: Annotated[str | None, Meta(description="What the award is paid for each of; null if it is paid once.")]
    pays_text: Annotated[Text, Meta(description="The pay as the paytable states it, for each.")]
    inclusive_count: Annotated[Count, Meta(description="Ways of the hands with at least one such award.")]
    probability: Annotated[Probability, Meta(description="inclusive_count / cycle.")]
    mean_times: Annotated[Fraction, Meta(description="Mean number of such awards in a hand.")]
    paid: Annotated[Value, Meta(description="Mean payment of the award per wager of 1.")]


class AddedSumAnswer(Answer, frozen=True, kw_only=True):
    """How often each added award is in one sum."""

    award: Annotated[Text, Meta(description="The name of the combined award.")]
    times: Annotated[list[Count], Meta(description="How often each award is in the sum, in their order.")]


class AddedAwardsAnswer(Answer, frozen=True, kw_only=True):
    """Awards that are all paid if a hand matches several."""

    awards: Annotated[list[AddedAwardAnswer], Meta(description="The awards as the paytable states them.")]
    sums: Annotated[
        list[AddedSumAnswer], Meta(description="The combined awards, in the order of the awards of the answer.")
    ]
    losing_ways: Annotated[Count, Meta(description="Ways of the hands without an award.")]

    @classmethod
    def of(cls, analysis: Analysis) -> AddedAwardsAnswer | UnsetType:
        """Build the answer; `UNSET` if only one award is paid per hand."""
        components = award_components(analysis)
        if not components:
            return UNSET
        awards = [
            AddedAwardAnswer(
                name=component.award.name,
                rule=str(component.award.rule),
                per=str(component.award.per) if component.award.per else None,
                pays_text=str(component.award.pay),
                inclusive_count=component.ways,
                probability=component.probability,
                mean_times=component.mean_count,
                paid=component.mean_pay,
            )
            for component in components
        ]
        sums = [
            AddedSumAnswer(award=line.award.name, times=list(line.award.component_counts)) for line in analysis.lines
        ]
        return cls(awards=awards, sums=sums, losing_ways=analysis.ways.losing)


class StopAnswer(Answer, frozen=True, kw_only=True):
    """A stop of a wheel, or a face of a die."""

    times: Annotated[Fraction, Meta(description="What the pay is multiplied by.")]
    weight: Annotated[int, Meta(description="How many such stops the wheel has.")]
    probability: Annotated[Probability, Meta(description="The weight divided by that of all stops.")]


class WheelAnswer(Answer, frozen=True, kw_only=True):
    """A wheel or a die."""

    name: Annotated[Text, Meta(description="The name of the wheel.")]
    stops: Annotated[list[StopAnswer], Meta(description="The stops of the wheel.")]


class PrizeAnswer(Answer, frozen=True, kw_only=True, rename=_RENAMES):
    """A prize that a wheel decides."""

    award: Annotated[Text, Meta(description="The name of the award.")]
    pays_to_1: Annotated[Value, Meta(description="Net win for a wager of 1.")]
    pays_for_1: Annotated[Value, Meta(description="Total payment for a wager of 1.")]
    probability: Annotated[Probability, Meta(description="Probability of the award with this prize.")]
    return_: Annotated[Value, Meta(description="Contribution to the return: total payment times probability.")]


class WheelsAnswer(Answer, frozen=True, kw_only=True):
    """Wheels and dice that multiply pays, and their prizes."""

    wheels: Annotated[list[WheelAnswer], Meta(description="The wheels and dice of the paytable.")]
    prizes: Annotated[list[PrizeAnswer], Meta(description="Each prize of each award that a wheel multiplies.")]

    @classmethod
    def of(cls, analysis: Analysis) -> WheelsAnswer | UnsetType:
        """Build the answer; `UNSET` without wheels."""
        if not analysis.paytable.wheels:
            return UNSET
        wheels = [
            WheelAnswer(
                name=wheel.name,
                stops=[
                    StopAnswer(times=times, weight=weight, probability=Fraction(weight, wheel.weight))
                    for times, weight in wheel.stops
                ],
            )
            for wheel in analysis.paytable.wheels
        ]
        prizes = [
            PrizeAnswer(
                award=line.award.name,
                pays_to_1=pay.net,
                pays_for_1=pay.gross,
                probability=probability,
                return_=pay.gross * probability,
            )
            for line, pay, probability in wheel_prizes(analysis)
        ]
        return cls(wheels=wheels, prizes=prizes)


def wheel_prizes(analysis: Analysis) -> list[tuple[AwardLine, Pay, Fraction]]:
    """Return each prize that a wheel decides, with its award and its probability."""
    return [
        (line, pay, line.probability * probability)
        for line in analysis.lines
        if line.has_wheel
        for pay, probability in line.award.pay.outcomes
    ]


class CaseAwardAnswer(Answer, frozen=True, kw_only=True):
    """The probability of an award in one case of exposed cards."""

    name: Annotated[Text, Meta(description="The name of the award.")]
    pays_text: Annotated[Text, Meta(description="The pay as the paytable states it.")]
    probability: Annotated[Probability, Meta(description="Probability of the award in this case.")]


class UpCardAnswer(Answer, frozen=True, kw_only=True, rename=_RENAMES):
    """The bet given one up card of the dealer."""

    up: Annotated[Text, Meta(description="The rank of the up card, or ranks that no rule distinguishes.")]
    probability: Annotated[Probability, Meta(description="Probability that the bet is made with this up card.")]
    bust: Annotated[Probability, Meta(description="Probability that the dealer busts.")]
    suited_bust: Annotated[Probability, Meta(description="Probability that the dealer busts with cards of one suit.")]
    awards: Annotated[list[CaseAwardAnswer], Meta(description="The awards that are possible with this up card.")]
    hit_frequency: Annotated[Probability, Meta(description="Hit frequency given this up card.")]
    return_: Annotated[Value, Meta(description="Return given this up card.")]
    house_edge: Annotated[Value, Meta(description="House edge given this up card.")]
    basis: Annotated[Basis, Meta(description="The basis of the figures.")]


def _case_values(view: ExposedView, case: ConditionalResult, basis: Basis) -> dict[str, Any]:
    """Return the values of one case of exposed cards by key."""
    awards = [
        CaseAwardAnswer(name=line.award.name, pays_text=str(line.award.pay), probability=line.probability)
        for line in case.analysis.lines
        if line.is_possible
    ]
    figures = {key: headline_value(Study(case.analysis), key) for key in _CASE_FIGURES}
    values = {view.case_key: case.name, "probability": case.probability, **case.extras, "awards": awards}
    return values | figures | {"basis": basis}


class LosingAnswer(Answer, frozen=True, kw_only=True):
    """The hands that no award pays."""

    ways: Annotated[Count, Meta(description="The cycle less the ways of all awards.")]
    probability: Annotated[Probability, Meta(description="ways / cycle.")]


class OptionDecisionAnswer(Answer, frozen=True, kw_only=True):
    """The best choice about winnings in one decision state."""

    hand: Annotated[Text, Meta(description="The values of the player's cards.")]
    up: Annotated[Text, Meta(description="The value of the up card.")]
    probability: Annotated[Probability, Meta(description="Probability of the state, with no blackjack of the dealer.")]
    amount: Annotated[NonNegative, Meta(description="Amount at stake in wagers, times the probability of the state.")]
    value: Annotated[Fraction, Meta(description="Mean gain per unit that is left on the hand.")]
    choice: Annotated[Text, Meta(description="The better choice.")]
    gain: Annotated[Fraction, Meta(description="What the choice adds to the return.")]
    first_action: Annotated[Text, Meta(description="The first action on the blackjack hand.")]


class OptionAnswer(Answer, frozen=True, kw_only=True):
    """The choice after a win, such as a parlay of the winnings, and its best use."""

    kind: Annotated[Text, Meta(description="parlay: the winnings and the wager may be left; press: the winnings only.")]
    parlayed: Annotated[Text, Meta(description="What may be left on the hand.")]
    rules: Annotated[Text, Meta(description="Rules of blackjack in words.")]
    table: Annotated[dict[str, bool | int | str], Meta(description="Rules of blackjack by name.")]
    strategy: Annotated[Text, Meta(description="The strategy of the blackjack hand.")]
    charts: Annotated[list[dict[str, Any]], Meta(description="Charts of a fixed strategy.")]
    gain: Annotated[Fraction, Meta(description="What the best choices add to the return.")]
    used: Annotated[Probability, Meta(description="Probability that the option is used.")]
    decisions: Annotated[list[OptionDecisionAnswer], Meta(description="Each decision state with the better choice.")]

    @classmethod
    def of(cls, option: PlayerOption | None) -> OptionAnswer | UnsetType:
        """Build the answer; `UNSET` without an option."""
        if option is None:
            return UNSET
        decisions = [
            OptionDecisionAnswer(
                hand=decision.known_cards[0],
                up=decision.known_cards[1],
                probability=decision.probability,
                amount=decision.amount,
                value=next(reversed(decision.values.values())),
                choice=decision.best,
                gain=decision.gain,
                first_action=decision.first_action,
            )
            for decision in option.decisions
        ]
        return cls(kind=option.kind, **option.data, gain=option.gain, used=option.use_probability, decisions=decisions)


class ChartRowAnswer(Answer, frozen=True, kw_only=True):
    """A row of a chart."""

    name: Annotated[Text, Meta(description="The hand, total or pair.")]
    cells: Annotated[list[str], Meta(description="The action for each column; empty if the state cannot occur.")]


class ChartAnswer(Answer, frozen=True, kw_only=True):
    """A chart of actions."""

    caption: Annotated[Text, Meta(description="The title of the chart.")]
    columns: Annotated[list[Text], Meta(description="The titles of the columns, such as up cards.")]
    rows: Annotated[list[ChartRowAnswer], Meta(description="The rows of the chart.")]


class PlayAnswer(Answer, frozen=True, kw_only=True):
    """The strategy of a round with decisions."""

    basis: Annotated[Basis, Meta(description="What the strategy is best for.")]
    figures: Annotated[
        dict[str, Value], Meta(description="Other figures of the strategy, such as the cost of a simpler one.")
    ]
    charts: Annotated[list[ChartAnswer], Meta(description="The strategy as charts.")]

    @classmethod
    def of(cls, play: RoundStrategy | None) -> PlayAnswer | UnsetType:
        """Build the answer; `UNSET` without decisions."""
        if play is None:
            return UNSET
        charts = [
            ChartAnswer(
                caption=chart.caption,
                columns=list(chart.column_titles),
                rows=[ChartRowAnswer(name=name, cells=list(map(str, cells))) for name, cells in chart.rows],
            )
            for chart in play.charts
            if not chart.has_values
        ]
        figures: dict[str, Value] = {figure.key: figure.value for figure in play.figures}
        return cls(basis=Basis(play.basis), figures=figures, charts=charts)


class DecisionAnswer(Answer, frozen=True, kw_only=True):
    """The value of each action in one decision state."""

    hand: Annotated[Text, Meta(description="The first cards of the player.")]
    up: Annotated[Text, Meta(description="The up card of the dealer.")]
    probability: Annotated[Probability, Meta(description="Probability of the state.")]
    best: Annotated[Text, Meta(description="The action with the highest value.")]
    values: Annotated[
        dict[str, Fraction], Meta(description="Expected value of each action per unit of the main wager.")
    ]

    @classmethod
    def list_of(cls, play: RoundStrategy | None) -> list[DecisionAnswer] | UnsetType:
        """Build an answer for each decision state; `UNSET` without decisions."""
        if play is None:
            return UNSET
        return [
            cls(
                hand=decision.known_cards[0],
                up=decision.known_cards[1],
                probability=decision.probability,
                best=decision.best,
                values=dict(decision.values),
            )
            for decision in play.decisions
        ]


class PublishedAnswer(Answer, frozen=True, kw_only=True):
    """A figure that a source prints, and whether it is reproduced."""

    figure: Annotated[Text, Meta(description="The key of the figure.")]
    text: Annotated[Percentage, Meta(description="The figure as printed.")]
    decks: Annotated[DeckCount, Meta(description="The deck count that it is printed for.")]
    agrees: Annotated[bool | None, Meta(description="Whether it is reproduced; null if it depends on a meter.")]
    is_check: Annotated[
        bool, Meta(description="Whether it checks anything: not if meter terms were chosen to reproduce it.")
    ]


class _BetAndAwards(Answer, frozen=True, kw_only=True, rename=_RENAMES):
    """The fields of an answer up to the headline figures."""

    format: Annotated[str, Meta(description="The name of the format.")] = ANSWER_FORMAT
    paytable: Annotated[PaytableId, Meta(description="The id of the paytable.")]
    title: Annotated[Text, Meta(description="The title of the paytable.")]
    variant: Annotated[VariantAnswer | UnsetType, Meta(description="For a variant: what it is based on.")] = UNSET
    bet: Annotated[Text, Meta(description="The name of the bet.")]
    deal: Annotated[
        Annotated[str, Meta(min_length=1, max_length=2000)],
        Meta(description="The deal: roles with their numbers of cards."),
    ]
    given: Annotated[Text | None, Meta(description="The condition: hands that do not match it are not counted.")]
    ordered_by_role: Annotated[bool, Meta(description="Whether hands that differ by role only are counted apart.")]
    settings: Annotated[dict[str, Text] | UnsetType, Meta(description="Settings of the game by key.")] = UNSET
    pack: Annotated[Text, Meta(description="The pack: standard, spanish (no tens), or with removed or added cards.")]
    decks: Annotated[DeckCount, Meta(description="The number of packs in the shoe.")]
    cards: Annotated[Count, Meta(description="Cards in the shoe.")]
    removed: Annotated[list[CardText], Meta(description="Cards that are out of the shoe.")]
    designed_decks: Annotated[
        Annotated[list[DeckCount], Meta(min_length=1)],
        Meta(description="Deck counts that the paytable is designed for."),
    ]
    designed: Annotated[bool, Meta(description="Whether the paytable is designed for this deck count.")]
    cycle: Annotated[Annotated[int, Meta(ge=1)], Meta(description="Number of equally likely hands.")]
    awards: Annotated[
        Annotated[Sequence[AwardAnswer], Meta(min_length=1)],
        Meta(description="The awards; a hand is paid the first that it matches."),
    ]
    settlement: Annotated[
        Literal["first match", "all matches"],
        Meta(description="Whether a hand is paid the first award that it matches, or all of them."),
    ]
    all_matches: Annotated[
        AddedAwardsAnswer | UnsetType, Meta(description="For awards that are added: each of them.")
    ] = UNSET
    wheels: Annotated[WheelsAnswer | UnsetType, Meta(description="Wheels and dice that multiply pays.")] = UNSET
    up_cards: Annotated[list[UpCardAnswer], Meta(description="For a bet on the dealer: figures given each up card.")]
    views: Annotated[
        dict[str, Annotated[list[ViewCase], Meta(min_length=1)]],
        Meta(description="Cases of other exposed cards; each view has a key of its own in JSON."),
    ] = field(default_factory=dict)
    losing_hands: Annotated[LosingAnswer, Meta(description="The hands that no award pays.")]
    meters: Annotated[
        dict[MeterName, NonNegative], Meta(description="Given amounts of meters, in money for the wager of the meters.")
    ]
    meter_wager: Annotated[
        NonNegative | None, Meta(description="The wager that meter amounts are for, in money; null without meters.")
    ]
    basis: Annotated[Basis, Meta(description="Basis of the house edge.")]


def figure_fields(*groups: Group) -> Iterator[tuple[str, Any] | tuple[str, Any, Any]]:
    """Iterate over the fields of the figures of some groups."""
    for figure in figures_in(*groups):
        value = Value | None if figure.is_optional else Value
        yield figure.attribute, Annotated[value, Meta(description=figure.meaning)]
        if Basis.BEST in figure.on:
            bounds = Meta(description=f"{figure.label}: lower and upper bound, where only these are known.")
            yield _BOUNDS.format(figure.key), Annotated[list[Value] | UnsetType, bounds], UNSET
            alone = Meta(description=f"{figure.label} of the wager alone.")
            yield SECOND_BASIS.format(figure.key), Annotated[Value | UnsetType | None, alone], UNSET


if TYPE_CHECKING:
    _WithHeadline = _BetAndAwards
else:
    _WithHeadline = defstruct(
        "_WithHeadline",
        figure_fields(Group.HEADLINE),
        bases=(_BetAndAwards,),
        module=__name__,
        frozen=True,
        kw_only=True,
        rename=_RENAMES,
    )


class _WithDecisions(_WithHeadline, frozen=True, kw_only=True):
    """The fields of an answer up to the decisions."""

    option: Annotated[OptionAnswer | UnsetType, Meta(description="The choice after a win, and its best use.")] = UNSET
    play: Annotated[PlayAnswer | UnsetType, Meta(description="The strategy of a round with decisions.")] = UNSET
    decisions: Annotated[
        list[DecisionAnswer] | UnsetType, Meta(description="The value of each action in each decision state.")
    ] = UNSET


if TYPE_CHECKING:
    _WithFigures = _WithDecisions
else:
    _WithFigures = defstruct(
        "_WithFigures",
        figure_fields(Group.FIXED_PAYS, Group.ANSWER),
        bases=(_WithDecisions,),
        module=__name__,
        frozen=True,
        kw_only=True,
        rename=_RENAMES,
    )


class AnalysisAnswer(_WithFigures, frozen=True, kw_only=True):
    """The awards and figures of a bet at a shoe."""

    bases: Annotated[dict[FigureKey, Basis], Meta(description="The basis of each figure by its key.")]
    favors_player: Annotated[bool, Meta(description="Whether the house edge is negative, unknown meters at zero.")]
    flags: Annotated[list[Text], Meta(description="Warnings, such as an edge for the player.")]
    published: Annotated[list[PublishedAnswer], Meta(description="Figures that a source prints for this deck count.")]
    requires: Annotated[Text | None, Meta(description="The bet that must be made with this one.")]
    example: Annotated[bool, Meta(description="Whether the paytable is an example, not a published one.")]
    notes: Annotated[list[Text], Meta(description="Notes on the bet and the paytable.")]
    sources: Annotated[list[Text], Meta(description="Sources of the paytable.")]

    @classmethod
    def of(cls, study: Study) -> AnalysisAnswer:
        """Build the answer from a study."""
        return cls(**analysis_fields(study))

    def to_dict(self) -> dict[str, Any]:
        return insert_views(super().to_dict())


def insert_views(data: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON data of an answer with each of its `views` under a key of its own.

    >>> insert_views({"bet": "Bust", "views": {"first_cards": []}, "notes": []})
    {'bet': 'Bust', 'first_cards': [], 'notes': []}
    """
    items: list[tuple[str, Any]] = []
    for key, value in data.items():
        items += value.items() if key == "views" else [(key, value)]
    return dict(items)


def analysis_fields(study: Study) -> dict[str, Any]:
    """Return the fields of the answer for a study."""
    analysis, paytable, shoe = study.analysis, study.paytable, study.shoe
    figures, bases = figure_entries(study, *(figure.key for figure in figures_in(*ANSWER_GROUPS)))
    basis = study.wager_basis
    cases_by_view = {view.key: [_case_values(view, case, basis) for case in cases] for view, cases in study.views}
    up_cards = [UpCardAnswer(**by_attribute(values)) for values in cases_by_view.pop(UP_CARDS, [])]
    return {
        "paytable": paytable.id,
        "title": paytable.title,
        "variant": UNSET
        if paytable.based_on is None
        else VariantAnswer(of=paytable.based_on.id, differences=list(paytable.based_on.differences)),
        "bet": paytable.bet.name,
        "deal": str(paytable.bet.deal),
        "given": condition_text(paytable),
        "ordered_by_role": paytable.roles_distinct,
        "settings": game_settings(paytable) or UNSET,
        "pack": paytable.bet.pack.name,
        "decks": shoe.decks,
        "cards": shoe.size,
        "removed": [str(card) for card in shoe.removed],
        "designed_decks": list(paytable.decks),
        "designed": analysis.is_designed,
        "cycle": analysis.ways.cycle,
        "awards": list(map(AwardAnswer.of, analysis.lines)),
        "settlement": "all matches" if paytable.stated_awards else "first match",
        "all_matches": AddedAwardsAnswer.of(analysis),
        "wheels": WheelsAnswer.of(analysis),
        "up_cards": up_cards,
        "views": cases_by_view,
        "losing_hands": LosingAnswer(ways=analysis.ways.losing, probability=analysis.lose_probability),
        "meters": dict(analysis.meters),
        "meter_wager": analysis.meter_wager if paytable.meters else None,
        "basis": study.basis,
        "option": OptionAnswer.of(study.option),
        "play": PlayAnswer.of(study.round_strategy),
        "decisions": DecisionAnswer.list_of(study.round_strategy),
        **by_attribute(figures),
        "bases": bases,
        "favors_player": study.favors_player,
        "flags": list(flags(study)),
        "published": [
            PublishedAnswer(
                figure=printed.figure,
                text=printed.text,
                decks=printed.decks,
                agrees=matches_published(analysis, printed),
                is_check=is_check(analysis, printed),
            )
            for printed in paytable.published
            if printed.decks == shoe.decks
        ],
        "requires": paytable.requires,
        "example": paytable.is_example,
        "notes": list(paytable.remarks),
        "sources": list(paytable.bet.sources),
    }


def by_attribute(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by attribute name: `return` is a keyword and is the attribute `return_`."""
    attributes = {key: name for name, key in _RENAMES.items()}
    return {attributes.get(key, key): value for key, value in values.items()}


def figure_entries(study: Study, *keys: str) -> tuple[dict[str, Any], dict[str, Basis]]:
    """Return the exact values of figures by key, and the basis of each; a second basis has its own key.

    Where only bounds are known, the value is `None` and the bounds have a key of their own.
    """
    values: dict[str, Any] = {}
    bases: dict[str, Basis] = {}
    for key in keys:
        for index, figure_value in enumerate(figure_values(study, key)):
            name = SECOND_BASIS.format(key) if index else key
            value = figure_value.value
            values[name] = None if isinstance(value, Interval) else value
            if isinstance(value, Interval):
                values[_BOUNDS.format(name)] = [value.low, value.high]
            bases[name] = figure_value.basis
    return values, bases


def top_award_share(analysis: Analysis) -> Fraction | None:
    """Return the top award's share of the return; `None` if the return is zero or depends on a meter."""
    total, top = analysis.return_, analysis.top.return_
    is_defined = total.is_constant and top.is_constant and total.constant
    return top.constant / total.constant if is_defined else None


def condition_text(paytable: Paytable) -> str | None:
    """Return the condition of a bet, or `None`."""
    return str(paytable.bet.condition) if paytable.bet.condition else None


def game_settings(paytable: Paytable) -> dict[str, str]:
    """Return the game settings that are in force by key; empty if the game has none."""
    return {choice.setting.key: choice.text for choice in paytable.bet.deal.settings}
