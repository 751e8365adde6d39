"""The answers to `blackjack games` and `blackjack title`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec
from msgspec import Meta, field

from combinat.blackjack.hands import NAMES, format_hand
from combinat.blackjack.titles.figures import FreeBetFigures, SevensRow, TitleFigures
from combinat.blackjack.titles.presets import Title
from combinat.results.answer import ANSWER_FORMAT, Answer


class BlackjackGamesAnswer(Answer, frozen=True, kw_only=True):
    """A blackjack title with its rules."""

    format: str = ANSWER_FORMAT
    game: Annotated[str, Meta(description="Name on the command line.")]
    name: str
    decks: int
    pack: str
    rules: Annotated[str, Meta(description="The rules in words.")]
    source: list[str]
    date: Annotated[str, Meta(description="When the rules were written down.")]
    notes: list[str]

    @classmethod
    def of(cls, title: Title) -> BlackjackGamesAnswer:
        """Build the answer from a title."""
        return cls(
            game=title.key,
            name=title.name,
            decks=title.decks,
            pack=title.pack.name,
            rules=str(title.rules),
            source=list(title.source),
            date=title.date,
            notes=list(title.notes),
        )


class FirstActionsAnswer(Answer, frozen=True, kw_only=True):
    """The first actions on a hand, one for each up card."""

    hand: str
    actions: list[str]


class FinalHandsAnswer(Answer, frozen=True, kw_only=True):
    """Final hands of the player that end in one way: expected numbers in a round."""

    end: str
    hands: Fraction
    win: Fraction
    push: Fraction
    lose: Fraction
    profit: Annotated[Fraction, Meta(description="What they add to the expected profit of a round.")]


class RuleCostAnswer(Answer, frozen=True, kw_only=True):
    """The house edge with one rule changed."""

    rule: str
    value: str
    house_edge: Fraction
    change: Fraction


class HandValuesAnswer(Answer, frozen=True, kw_only=True):
    """The values of the actions on a first hand."""

    hand: str
    dealer: Annotated[str, Meta(description="The dealer's visible cards.")]
    probability: Annotated[Fraction, Meta(description="Probability of this hand and these cards.")]
    dealer_blackjack: Fraction
    values: Annotated[dict[str, Fraction], Meta(description="Expected profit of each action.")]
    action: str
    value: Fraction


class BlackjackTitleAnswer(Answer, frozen=True, kw_only=True):
    """The house edge and the first actions of a blackjack title."""

    format: str = ANSWER_FORMAT
    game: str
    name: str
    decks: int
    cards: Annotated[int, Meta(description="Number of cards in the shoe.")]
    removed: list[str]
    rules: Annotated[str, Meta(description="The rules in words.")]
    strategy: str
    house_edge: Annotated[Fraction, Meta(description="House edge per initial bet, without insurance.")]
    return_: Annotated[Fraction, Meta(description="1 less the house edge.")] = field(name="return")
    element_of_risk: Annotated[Fraction, Meta(description="House edge per unit of money bet.")]
    mean_bet: Annotated[Fraction, Meta(description="Expected money on all hands of a round.")]
    variance_bounds: Annotated[list[Fraction], Meta(description="Exact bounds of the variance of a round.")]
    results: list[FinalHandsAnswer]
    up_cards: list[str]
    rows: list[FirstActionsAnswer]
    rule_costs: list[RuleCostAnswer]
    hand_values: list[HandValuesAnswer]

    @classmethod
    def of(cls, figures: TitleFigures) -> BlackjackTitleAnswer:
        """Build the answer from the figures of a title."""
        return cls(
            game=figures.title.key,
            name=figures.title.name,
            decks=figures.shoe.decks,
            cards=figures.shoe.size,
            removed=[str(card) for card in figures.shoe.removed],
            rules=str(figures.rules),
            strategy=figures.strategy,
            house_edge=figures.house_edge,
            return_=1 - figures.house_edge,
            element_of_risk=figures.element_of_risk,
            mean_bet=figures.mean_bet,
            variance_bounds=list(figures.variance),
            results=[FinalHandsAnswer(**msgspec.structs.asdict(end)) for end in figures.results],
            rule_costs=[RuleCostAnswer(**msgspec.structs.asdict(cost)) for cost in figures.rule_costs],
            hand_values=[
                HandValuesAnswer(
                    hand=format_hand(value.hand),
                    dealer="-".join(NAMES[index] for index in figures.rules.views[value.view]),
                    probability=value.probability,
                    dealer_blackjack=value.dealer_blackjack,
                    values=value.values,
                    action=value.action,
                    value=value.value,
                )
                for value in figures.hand_values
            ],
            up_cards=list(figures.up_cards),
            rows=[FirstActionsAnswer(hand=hand, actions=list(actions)) for hand, actions in figures.rows],
        )


class SevensAnswer(Answer, frozen=True, kw_only=True):
    """A jackpot on the player's own 7s under one title."""

    format: str = ANSWER_FORMAT
    game: str
    name: str
    decks: int
    hold: Annotated[Fraction, Meta(description="Hold in the long run.")]
    hit_frequency: Fraction
    three: Annotated[Fraction, Meta(description="Probability of three 7s.")]
    two: Annotated[Fraction, Meta(description="Probability of two 7s without a third.")]
    one: Annotated[Fraction, Meta(description="Probability of one 7.")]
    break_even: Annotated[dict[str, Fraction], Meta(description="Amount of each meter at which the edge is zero.")]

    @classmethod
    def of(cls, row: SevensRow) -> SevensAnswer:
        """Build the answer from the figures under a title."""
        return cls(
            game=row.title.key,
            name=row.title.name,
            decks=row.shoe.decks,
            hold=row.hold,
            hit_frequency=row.hit_frequency,
            three=row.three,
            two=row.two,
            one=row.one,
            break_even=dict(row.break_even),
        )


class SideBetAnswer(Answer, frozen=True, kw_only=True):
    """A bet on the number of free bets."""

    name: str
    pays: Annotated[dict[str, Fraction], Meta(description="Pay to 1 by the number of free bets.")]
    house_edge: Fraction
    hit_frequency: Fraction
    variance: Fraction


class FreeBetsAnswer(Answer, frozen=True, kw_only=True):
    """The number of free bets in a round of a title, and bets on it."""

    format: str = ANSWER_FORMAT
    game: str
    name: str
    decks: int
    probabilities: Annotated[dict[str, Fraction], Meta(description="Probability by the number of free bets.")]
    bets: list[SideBetAnswer]

    @classmethod
    def of(cls, figures: FreeBetFigures) -> FreeBetsAnswer:
        """Build the answer from the figures."""
        bets = [
            SideBetAnswer(
                name=row.bet.name,
                pays={str(number): pay for number, pay in row.bet.pays.items()},
                house_edge=row.house_edge,
                hit_frequency=row.hit_frequency,
                variance=row.variance,
            )
            for row in figures.bets
        ]
        return cls(
            game=figures.title.key,
            name=figures.title.name,
            decks=figures.shoe.decks,
            probabilities={str(number): probability for number, probability in figures.probabilities.items()},
            bets=bets,
        )
