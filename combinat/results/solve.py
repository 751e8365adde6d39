"""The answer to `solve`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from combinat.betting.report import GameReport
from combinat.exact.surd import Exact
from combinat.results.answer import ANSWER_FORMAT, Answer, Probability, Root


class EndingAnswer(Answer, frozen=True, kw_only=True):
    """How rounds end: the last action and the final stakes."""

    round: str
    action: str
    stakes: Annotated[dict[str, Fraction], Meta(description="Final stake of each bet in units of the ante.")]
    probability: Probability


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


class SolveAnswer(Answer, frozen=True, kw_only=True):
    """Best play of a game with betting rounds; amounts are in units of the ante."""

    format: str = ANSWER_FORMAT
    game: str
    title: str
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
    house_edge_of_constant_play: Annotated[
        dict[str, Fraction], Meta(description="House edge of players who act without looking at the cards.")
    ]
    endings: list[EndingAnswer]
    hands: list[HandResults]
    starting_hands: list[StartingHandAnswer]

    def __repr__(self) -> str:
        return f"<{self.game}: house edge {self.house_edge} per ante>"

    @classmethod
    def of(cls, report: GameReport) -> SolveAnswer:
        """Build the answer from a report."""
        game, cycle = report.game, report.cycle
        lowest, highest = report.element_of_risk
        return cls(
            game=game.id,
            title=game.title,
            cycle=cycle,
            house_edge=Exact(report.edge),
            mean_wager=Exact(report.mean_wager),
            highest_mean_wager=Exact(report.highest_wager),
            element_of_risk=Exact(highest),
            lowest_element_of_risk=Exact(lowest),
            variance=Exact(report.variance),
            standard_deviation=report.standard_deviation,
            weakest_hand_played=report.weakest_played,
            house_edge_of_constant_play={name: Exact(edge) for name, edge in report.constant_play.items()},
            endings=[
                EndingAnswer(
                    round=game.rounds[ending.round].name,
                    action=ending.action,
                    stakes={bet.name: Exact(stake) for bet, stake in zip(game.bets, ending.stakes, strict=True)},
                    probability=Exact(Fraction(ways, cycle)),
                )
                for ending, ways in report.ways_by_ending().items()
            ],
            hands=[
                HandResults(
                    hand=game.hand_classes[hand_class],
                    **{name: Exact(Fraction(ways.get(name, 0), cycle)) for name in ("win", "tie", "lose", "fold")},
                )
                for hand_class, ways in report.ways_by_hand().items()
            ],
            starting_hands=[
                StartingHandAnswer(
                    hand=hand.hand,
                    ways=hand.ways,
                    action=game.rounds[0].actions[hand.best].name,
                    values={
                        action.name: Exact(value)
                        for action, value in zip(game.rounds[0].actions, hand.values, strict=True)
                    },
                )
                for hand in report.starting_hands
            ],
        )
