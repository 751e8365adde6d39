"""The answer to `solve`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from combinat.betting.report import SideBetReport
from combinat.betting.strategy import DecisionTable
from combinat.betting.variants import SolvedGame
from combinat.exact.surd import Exact
from combinat.results.answer import ANSWER_FORMAT, Answer, Probability, Root


class EndingAnswer(Answer, frozen=True, kw_only=True):
    """How rounds end: the last action and the final stakes."""

    round: str
    action: str
    stakes: Annotated[dict[str, Fraction], Meta(description="Final stake of each bet in units of the ante.")]
    probability: Probability


class ActionAnswer(Answer, frozen=True, kw_only=True):
    """How often an action is taken."""

    round: str
    action: str
    probability: Probability
    share: Annotated[Fraction, Meta(description="Probability of the action if the round's decision is made.")]


class RulesAnswer(Answer, frozen=True, kw_only=True):
    """Rules for a decision, found by a search; they can be written into a [[strategy]] of the game's file."""

    round: str
    condition: Annotated[str, Meta(description="Stakes so far, if they matter.")]
    rules: Annotated[
        dict[str, list[str]],
        Meta(description="Conditions by action, in order of priority; the action is taken if one of them holds."),
    ]
    otherwise: Annotated[str, Meta(description="The action if no condition holds.")]
    cost: Annotated[
        Fraction, Meta(description="Loss against best play in antes, if all other decisions are played best.")
    ]


class HandResults(Answer, frozen=True, kw_only=True):
    """Results of a final hand of the player."""

    hand: str
    win: Probability
    tie: Probability
    lose: Probability
    fold: Probability


class StartingHandAnswer(Answer, frozen=True, kw_only=True):
    """A starting hand up to suit permutation."""

    hand: str
    ways: Annotated[int, Meta(description="Number of card combinations of the starting hand.")]
    action: Annotated[str, Meta(description="The best action; of equal ones the one that bets least.")]
    values: Annotated[dict[str, Fraction], Meta(description="Mean net result of each action, in units of the ante.")]


class StrategyEdgeAnswer(Answer, frozen=True, kw_only=True):
    """A way to play other than best play."""

    name: str
    house_edge: Fraction
    cost: Annotated[Fraction, Meta(description="House edge less that of best play.")]
    mean_wager: Fraction
    rules: Annotated[dict[str, str], Meta(description="HandCondition by round and action, for a stated strategy.")]
    source: str


class SideBetLineAnswer(Answer, frozen=True, kw_only=True):
    """A line of a bonus bet."""

    hand: str
    odds: Annotated[Fraction, Meta(description="Pay to 1; -1 if the bet loses.")]
    probability: Probability
    mean_main_net: Annotated[Fraction, Meta(description="Mean net result of the main bets when the line is paid.")]


class SideBetAnswer(Answer, frozen=True, kw_only=True):
    """A bonus bet of one unit on the same cards."""

    name: str
    cards: str
    paytable: str
    house_edge: Fraction
    variance: Fraction
    covariance: Annotated[Fraction, Meta(description="Covariance with the net result of the main bets.")]
    lines: list[SideBetLineAnswer]


class HandSharesAnswer(Answer, frozen=True, kw_only=True):
    """A class of hands in a round."""

    hand: str
    combinations: int
    shares: Annotated[dict[str, Fraction], Meta(description="Share of the combinations in which an action is best.")]


class DecisionTableAnswer(Answer, frozen=True, kw_only=True):
    """Best play of a decision by the hand that the player sees."""

    round: str
    condition: str
    rows: list[HandSharesAnswer]


class PayEffectAnswer(Answer, frozen=True, kw_only=True):
    """Effect of a pay on the house edge."""

    bet: str
    outcome: str
    hand: str
    odds: Fraction
    effect: Annotated[Fraction, Meta(description="Change of the house edge if the pay rises by one, play unchanged.")]


class ComparedGameAnswer(Answer, frozen=True, kw_only=True):
    """Another game by best play."""

    game: str
    house_edge: Fraction
    difference: Annotated[Fraction, Meta(description="House edge less that of the first game.")]
    element_of_risk: Fraction
    mean_wager: Fraction
    standard_deviation: Root


class PayVariantAnswer(Answer, frozen=True, kw_only=True):
    """A variant of the game with other pays; best play is recomputed."""

    pays: list[str]
    house_edge: Fraction
    mean_wager: Fraction


class SolveAnswer(Answer, frozen=True, kw_only=True):
    """Best play of a game with betting rounds; amounts are in units of the ante."""

    format: str = ANSWER_FORMAT
    game: str
    title: str
    deal: str
    cycle: Annotated[int, Meta(description="Number of equally likely deals.")]
    house_edge: Annotated[Fraction, Meta(description="House edge by best play, per ante.")]
    mean_wager: Annotated[Fraction, Meta(description="Mean of all stakes; of equal actions the one that bets least.")]
    highest_mean_wager: Annotated[
        Fraction, Meta(description="Mean of all stakes; of equal actions the one that bets most.")
    ]
    element_of_risk: Annotated[Fraction, Meta(description="House edge divided by the mean wager.")]
    lowest_element_of_risk: Annotated[Fraction, Meta(description="House edge divided by the highest mean wager.")]
    variance: Fraction
    standard_deviation: Root
    weakest_hand_played: str | None
    plays: Annotated[
        list[StrategyEdgeAnswer], Meta(description="Stated strategies, and play without looking at the cards.")
    ]
    endings: list[EndingAnswer]
    actions: list[ActionAnswer]
    hands: list[HandResults]
    starting_hands: list[StartingHandAnswer]
    strategy: list[DecisionTableAnswer]
    rules: list[RulesAnswer]
    side_bets: list[SideBetAnswer]
    pay_effects: list[PayEffectAnswer]
    net_distribution: Annotated[dict[str, Fraction], Meta(description="Probability of each net result in antes.")]

    compared: list[ComparedGameAnswer]
    variants: list[PayVariantAnswer] | None

    def __repr__(self) -> str:
        return f"<{self.game}: house edge {self.house_edge} per ante>"

    @classmethod
    def of(cls, solved: SolvedGame) -> SolveAnswer:
        """Build the answer from a solved game."""
        report = solved.report
        cycle = report.cycle
        lowest, highest = report.element_of_risk
        return cls(
            game=report.id,
            title=report.title,
            deal=report.deal,
            cycle=cycle,
            house_edge=Exact(report.edge),
            mean_wager=Exact(report.mean_wager),
            highest_mean_wager=Exact(report.highest_wager),
            element_of_risk=Exact(highest),
            lowest_element_of_risk=Exact(lowest),
            variance=Exact(report.variance),
            standard_deviation=report.standard_deviation,
            weakest_hand_played=report.weakest_played,
            plays=[
                StrategyEdgeAnswer(
                    name=play.name,
                    house_edge=Exact(play.edge),
                    cost=Exact(play.edge - report.edge),
                    mean_wager=Exact(play.mean_wager),
                    rules=dict(play.rules),
                    source=play.source,
                )
                for play in report.plays
            ],
            endings=[
                EndingAnswer(
                    round=report.rounds[ending.round],
                    action=ending.action,
                    stakes={name: Exact(stake) for name, stake in zip(report.bets, ending.stakes, strict=True)},
                    probability=Exact(Fraction(ways, cycle)),
                )
                for ending, ways in report.ways_by_ending().items()
            ],
            actions=[
                ActionAnswer(
                    round=report.rounds[round],
                    action=action,
                    probability=Exact(Fraction(ways, cycle)),
                    share=Exact(Fraction(ways, report.decisions(round))),
                )
                for (round, action), ways in report.ways_by_action().items()
            ],
            hands=[
                HandResults(
                    hand=report.hand_classes[hand_class],
                    **{name: Exact(Fraction(ways.get(name, 0), cycle)) for name in ("win", "tie", "lose", "fold")},
                )
                for hand_class, ways in report.ways_by_hand().items()
            ],
            starting_hands=[
                StartingHandAnswer(
                    hand=hand.hand,
                    ways=hand.ways,
                    action=report.actions[hand.best],
                    values={action: Exact(value) for action, value in zip(report.actions, hand.values, strict=True)},
                )
                for hand in report.starting_hands
            ],
            strategy=[_round_strategy(table) for table in report.strategy],
            rules=[
                RulesAnswer(
                    round=rules.round,
                    condition=rules.condition,
                    rules={action: list(conditions) for action, conditions in rules.rules},
                    otherwise=rules.default,
                    cost=Exact(rules.cost),
                )
                for rules in report.rules
            ],
            side_bets=[_side_bet(bet) for bet in report.side_bets],
            pay_effects=[
                PayEffectAnswer(
                    bet=effect.bet,
                    outcome=effect.outcome,
                    hand=effect.hand,
                    odds=Exact(effect.odds),
                    effect=Exact(-effect.weight),
                )
                for effect in report.pay_effects
            ],
            compared=[
                ComparedGameAnswer(
                    game=other.id,
                    house_edge=Exact(other.edge),
                    difference=Exact(other.edge - report.edge),
                    element_of_risk=Exact(other.element_of_risk[1]),
                    mean_wager=Exact(other.mean_wager),
                    standard_deviation=other.standard_deviation,
                )
                for other in solved.compared
            ],
            variants=None
            if solved.variants is None
            else [
                PayVariantAnswer(
                    pays=list(variant.pays), house_edge=Exact(variant.edge), mean_wager=Exact(variant.mean_wager)
                )
                for variant in solved.variants
            ],
            net_distribution={
                str(net): Exact(Fraction(ways, cycle)) for net, ways in report.net_distribution().items()
            },
        )


def _round_strategy(table: DecisionTable) -> DecisionTableAnswer:
    return DecisionTableAnswer(
        round=table.round,
        condition=table.condition,
        rows=[
            HandSharesAnswer(
                hand=row.hand,
                combinations=row.combinations,
                shares={action: Exact(share) for action, share in zip(table.actions, row.shares, strict=True)},
            )
            for row in table.rows
        ],
    )


def _side_bet(bet: SideBetReport) -> SideBetAnswer:
    return SideBetAnswer(
        name=bet.name,
        cards=bet.cards,
        paytable=bet.paytable,
        house_edge=Exact(bet.edge),
        variance=Exact(bet.variance),
        covariance=Exact(bet.covariance),
        lines=[
            SideBetLineAnswer(
                hand=line.hand,
                odds=Exact(line.odds),
                probability=Exact(Fraction(line.ways, bet.cycle)),
                mean_main_net=Exact(line.main_net),
            )
            for line in bet.lines
        ],
    )
