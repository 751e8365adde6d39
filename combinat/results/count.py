"""The answer to `count`: the value of a card count by trigger, depth and cut-card position."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, convert

from combinat.counting.bound import PerfectPlayBound
from combinat.counting.conventions import Conventions
from combinat.counting.counts import BettingValue, CountResult
from combinat.counting.evaluation import CountEvaluation
from combinat.enumeration.decision import PlayerOption
from combinat.exact.interval import Interval
from combinat.exact.surd import Surd
from combinat.results.answer import ANSWER_FORMAT, Answer, Value
from combinat.results.flags import flags


class BettingValueAnswer(Answer, frozen=True, kw_only=True):
    """The value of betting only when the count reaches a trigger."""

    seen: Annotated[int | UnsetType, Meta(description="Cards seen before the round, in figures by depth.")] = UNSET
    trigger: Annotated[Fraction | None, Meta(description="Lowest count with a bet; null to bet always.")]
    frequency: Annotated[Fraction, Meta(description="Fraction of rounds with a bet.")]
    edge: Annotated[Fraction | None, Meta(description="The player's average edge when betting.")]
    won_per_100_rounds: Fraction
    won_per_shoe: Fraction | None
    standard_deviation: Value | None
    standard_deviation_bounds: Annotated[
        list[Value] | UnsetType, Meta(description="Lower and upper bound, if only these are known.")
    ] = UNSET
    desirability: Annotated[
        Value | None, Meta(description="1,000 times the win per round divided by its standard deviation.")
    ]
    desirability_bounds: Annotated[
        list[Value] | UnsetType, Meta(description="Lower and upper bound, if only these are known.")
    ] = UNSET

    @classmethod
    def of(cls, count: CountResult, value: BettingValue, seen: int | None = None) -> BettingValueAnswer:
        """Build the answer from the value of a trigger; `seen` is the depth, in figures by depth."""
        return cls(
            seen=UNSET if seen is None else seen,
            trigger=value.trigger,
            frequency=value.frequency,
            edge=value.edge,
            won_per_100_rounds=value.per_hundred,
            won_per_shoe=value.per_shoe if count.has_rounds else None,
            **_value_or_bounds("standard_deviation", value.deviation),
            **_value_or_bounds("desirability", value.desirability),
        )

    def value_or_bounds(self, key: str) -> Any:
        """Return the figure `key`, or its bounds if only these are known."""
        bounds = getattr(self, f"{key}_bounds", UNSET)
        return getattr(self, key) if bounds is UNSET else Interval(*bounds)


def _value_or_bounds(key: str, value: Surd | Interval[Surd] | None) -> dict[str, Any]:
    if isinstance(value, Interval):
        return {key: None, f"{key}_bounds": list(value)}
    return {key: value}


class CutAnswer(Answer, frozen=True, kw_only=True):
    """The best trigger at a cut-card position."""

    cut: Annotated[int, Meta(description="Cut-card position, in cards from the end of the shoe.")]
    best: BettingValueAnswer | None


class BoundAnswer(Answer, frozen=True, kw_only=True):
    """The upper bound of all counts: perfect play, exact or sampled."""

    sampled: bool
    won_per_100_rounds: Fraction
    confidence_99: Annotated[
        Value | None,
        Meta(description="Half-width of the 99% confidence interval; null if too few sampled shoes favor the player."),
    ]
    strategy_recomputed: Annotated[
        bool, Meta(description="Whether decisions in a round were recomputed for each shoe.")
    ]
    samples: int | None
    in_favor_of_the_player: Annotated[int | None, Meta(description="Sampled shoes that favor the player.")]
    seed: int | None
    classes: Annotated[list[list[str]], Meta(description="Classes of cards that matter, if the bound is exact.")]
    chunk: Annotated[int | None, Meta(description="Shoes sampled at a time.")]

    @classmethod
    def of(cls, bound: PerfectPlayBound) -> BoundAnswer:
        """Build the answer from a bound."""
        return cls(
            sampled=bound.is_sampled,
            won_per_100_rounds=bound.per_hundred,
            confidence_99=None if bound.half_width is None else 100 * bound.half_width,
            strategy_recomputed=bound.is_reoptimized,
            samples=bound.samples or None,
            in_favor_of_the_player=bound.favorable_count if bound.is_sampled else None,
            seed=bound.seed if bound.is_sampled else None,
            classes=[[str(card) for card in cards] for cards in bound.classes],
            chunk=bound.chunk or None,
        )


class ConventionsAnswer(Answer, frozen=True, kw_only=True):
    """The conventions of rounds and counts."""

    name: str
    round_cards: Annotated[Fraction, Meta(description="Mean number of cards per round; 0 weighs all depths equally.")]
    lengths: Annotated[dict[str, Fraction], Meta(description="Probability of each number of cards of a round.")]
    first: Annotated[int, Meta(description="Cards seen before the first round.")]
    burned: int
    burned_seen: int
    burns_by_first_card: bool
    rounds_after_cut: int
    divisor: str
    decks: str
    true_count: str
    start: int

    @classmethod
    def of(cls, conventions: Conventions) -> ConventionsAnswer:
        """Build the answer from conventions."""
        return cls(
            name=conventions.name,
            round_cards=Fraction(conventions.round_cards),
            lengths={str(cards): probability for cards, probability in conventions.lengths},
            first=conventions.first,
            burned=conventions.burned,
            burned_seen=conventions.burned_seen,
            burns_by_first_card=conventions.burns_by_first_card,
            rounds_after_cut=conventions.rounds_after_cut,
            divisor=conventions.divisor,
            decks=conventions.decks,
            true_count=conventions.true_count,
            start=conventions.start,
        )


class CountedOptionAnswer(Answer, frozen=True, kw_only=True):
    """The parlay or press that is part of a count, with the rules of its table."""

    kind: Annotated[str, Meta(description="parlay or press.")]
    parlayed: Annotated[str, Meta(description="What may be left on the hand.")]
    rules: str
    table: Annotated[dict[str, Any], Meta(description="The rules of blackjack by name.")]
    strategy: str
    charts: Annotated[list[Any], Meta(description="The charts of basic strategy, if it is used.")]

    @classmethod
    def of(cls, option: PlayerOption) -> CountedOptionAnswer:
        """Build the answer from an option."""
        data = option.data
        names = ("rules", "table", "strategy", "charts")
        return cls(kind=option.kind, parlayed=data["parlayed"], **{name: data[name] for name in names})


class CountAnswer(Answer, frozen=True, kw_only=True):
    """The value of a card count, with all triggers, depths and cut-card positions."""

    format: str = ANSWER_FORMAT
    paytable: str
    bet: str
    decks: int
    cards: Annotated[int, Meta(description="Number of cards in the shoe.")]
    designed: Annotated[bool, Meta(description="Whether the paytable is designed for this number of decks.")]
    removed: list[str]
    flags: list[str]
    given: Annotated[str | None, Meta(description="The condition of the bet.")]
    settings: Annotated[dict[str, str] | UnsetType, Meta(description="Settings of a game that has some.")] = UNSET
    meters: dict[str, Fraction]
    meter_wager: Fraction | None
    option: Annotated[
        CountedOptionAnswer | UnsetType, Meta(description="The parlay or press, if it is part of the count.")
    ] = UNSET
    tags: Annotated[dict[str, int], Meta(description="Tag of each card; empty for a count of suits.")]
    tags_text: str
    tags_total: int
    betting_correlation: Value | None
    conventions: ConventionsAnswer
    rounds_are_approximate: bool
    cut: Annotated[int | None, Meta(description="Cut-card position; null if depths were given.")]
    rounds: Annotated[Fraction | None, Meta(description="Rounds per shoe.")]
    basis: str
    house_edge: Annotated[Fraction, Meta(description="House edge before a card is dealt.")]
    house_edge_without_option: Annotated[
        Fraction | UnsetType, Meta(description="House edge of the wager alone, if a parlay or press is counted.")
    ] = UNSET
    wager_basis: Annotated[str | UnsetType, Meta(description="Basis of the house edge of the wager alone.")] = UNSET
    always: BettingValueAnswer
    triggers: list[BettingValueAnswer]
    best: BettingValueAnswer | None
    at_every_gaining_count: Annotated[
        Fraction, Meta(description="Won per 100 rounds by betting at every favorable count.")
    ]
    by_depth: list[BettingValueAnswer]
    by_cut: list[CutAnswer]
    information: Annotated[
        dict[str, Fraction | None],
        Meta(description="Gain per 100 rounds by additional information; null if it is too expensive to compute."),
    ]
    perfect_play: BoundAnswer | None
    largest_wager: Fraction | None
    rounds_per_hour: Annotated[Fraction | None, Meta(description="Rounds per hour, if a largest wager is given.")]
    won_per_hour: Annotated[Fraction | None, Meta(description="Won per hour with the largest wager.")]

    @classmethod
    def of(cls, evaluation: CountEvaluation) -> CountAnswer:
        """Build the answer from an evaluated count."""
        count, basis, chosen = evaluation.count, evaluation.basis, evaluation.betting_value
        study, analysis = basis.study, basis.study.analysis
        settings = count.paytable.bet.deal.settings
        has_option = basis.parlay is not None
        largest_wager, rounds_per_hour = evaluation.table or (None, None)
        return cls(
            paytable=count.paytable.id,
            bet=count.paytable.bet.name,
            decks=count.shoe.decks,
            cards=count.shoe.size,
            designed=analysis.is_designed,
            removed=[str(card) for card in count.shoe.removed],
            flags=list(flags(study)),
            given=str(count.paytable.bet.condition) if count.paytable.bet.condition else None,
            settings={choice.setting.key: choice.text for choice in settings} if settings else UNSET,
            meters=dict(analysis.meters),
            meter_wager=analysis.meter_wager if count.paytable.meters else None,
            option=CountedOptionAnswer.of(study.option) if has_option and study.option is not None else UNSET,
            tags={str(card): tag for card, tag in count.tags.tag_by_card.items()},
            tags_text=str(count.tags),
            tags_total=count.tags.total(count.shoe.composition),
            betting_correlation=evaluation.correlation,
            conventions=ConventionsAnswer.of(count.conventions),
            rounds_are_approximate=evaluation.cut is not None and bool(count.conventions.round_cards),
            cut=evaluation.cut,
            rounds=count.number_of_rounds if count.has_rounds else None,
            basis=str(basis.basis),
            house_edge=basis.house_edge,
            house_edge_without_option=analysis.house_edge.constant if has_option else UNSET,
            wager_basis=str(study.wager_basis) if has_option else UNSET,
            always=BettingValueAnswer.of(count, count.every_round),
            triggers=[BettingValueAnswer.of(count, value) for value in count.by_trigger],
            best=BettingValueAnswer.of(count, count.best) if count.best else None,
            at_every_gaining_count=100 * count.max_win_by_count(),
            by_depth=[]
            if chosen is None
            else [BettingValueAnswer.of(count, value, seen) for seen, value in count.by_depth(chosen.trigger)],
            by_cut=[]
            if evaluation.cut is None
            else [_cut_answer(cut, at_cut) for cut, at_cut in count.by_cut(evaluation.cut)],
            information=dict(evaluation.information),
            perfect_play=None if evaluation.bound is None else BoundAnswer.of(evaluation.bound),
            largest_wager=largest_wager,
            rounds_per_hour=rounds_per_hour,
            won_per_hour=evaluation.per_hour,
        )

    def __repr__(self) -> str:
        best = "no trigger wins" if self.best is None else f"best trigger {self.best.trigger}"
        return f"<{self.paytable}, {self.decks} deck{'s' * (self.decks != 1)}: {best}>"


def _cut_answer(cut: int, count: CountResult) -> CutAnswer:
    return CutAnswer(cut=cut, best=BettingValueAnswer.of(count, count.best) if count.best else None)


def parse_count_answer(data: Any) -> CountAnswer:
    """Parse an answer from its JSON data; raise `msgspec.ValidationError` or `ValueError` if it is not one."""
    return convert(data, CountAnswer, dec_hook=_decode_value)


def _decode_value(kind: type, data: Any) -> Any:
    """Parse an exact value: a fraction, or a root such as `-sqrt(9/4)`."""
    if issubclass(kind, Fraction):
        return Fraction(data)
    sign, is_root, radicand = str(data).partition("sqrt(")
    return Surd(Fraction(radicand.removesuffix(")")), sign == "-") if is_root else Fraction(data)
