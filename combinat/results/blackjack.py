"""The answers to `blackjack value`, `blackjack edge` and `blackjack strategy`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from msgspec import Meta, field
from msgspec.structs import asdict

from combinat.blackjack.charts import chart_order
from combinat.blackjack.game import BlackjackGame, HandValue
from combinat.blackjack.hands import NAMES, format_hand, is_natural
from combinat.blackjack.rules import BlackjackRules
from combinat.blackjack.strategy import ChartCell, StrategyTable
from combinat.results.answer import ANSWER_FORMAT, Answer


class RulesAnswer(Answer, frozen=True, kw_only=True):
    """The rules of a blackjack table."""

    hits_soft_17: bool
    double: Annotated[str, Meta(description="Totals of two cards that may be doubled: any, 9-11 or 10-11.")]
    double_after_split: bool
    max_hands: Annotated[int, Meta(description="Maximum number of hands after splits.")]
    resplit_aces: bool
    hit_split_aces: bool
    blackjack_pays: Fraction
    surrender: bool

    @classmethod
    def of(cls, rules: BlackjackRules) -> RulesAnswer:
        """Build the answer from rules."""
        return cls(**asdict(rules))


class GameAnswer(Answer, frozen=True, kw_only=True):
    """The shoe, the rules and the strategy of a game of blackjack."""

    format: str = ANSWER_FORMAT
    decks: int
    cards: Annotated[int, Meta(description="Number of cards in the shoe.")]
    removed: list[str]
    rules: RulesAnswer
    strategy: str


def _game_fields(game: BlackjackGame) -> dict[str, Any]:
    """Return the fields of a game."""
    return {
        "decks": game.shoe.decks,
        "cards": game.shoe.size,
        "removed": [str(card) for card in game.shoe.removed],
        "rules": RulesAnswer.of(game.rules),
        "strategy": game.strategy,
    }


class BlackjackValueAnswer(GameAnswer, frozen=True, kw_only=True):
    """The expected value of every action on a hand, given that the dealer has no blackjack."""

    hand: str
    up: str
    blackjack: Annotated[bool, Meta(description="Whether the hand is a blackjack.")]
    values: Annotated[dict[str, Fraction], Meta(description="Expected profit per initial bet of 1, by action.")]
    best: Annotated[str | None, Meta(description="The action of the highest value; null for a blackjack.")]
    action: Annotated[str | None, Meta(description="The action of the strategy; null for a blackjack.")]
    value: Annotated[Fraction, Meta(description="Expected profit with the action of the strategy.")]
    dealer_blackjack: Annotated[Fraction, Meta(description="Probability of a dealer's blackjack with this up card.")]
    value_before_peek: Annotated[
        Fraction, Meta(description="Expected profit including rounds in which the dealer has blackjack.")
    ]
    probability: Annotated[
        Fraction, Meta(description="Probability of this hand, this up card and no dealer's blackjack.")
    ]

    @classmethod
    def of(cls, game: BlackjackGame, hand_value: HandValue) -> BlackjackValueAnswer:
        """Build the answer from the value of a hand."""
        return cls(
            **_game_fields(game),
            hand=format_hand(hand_value.hand),
            up=NAMES[hand_value.up],
            blackjack=is_natural(hand_value.hand),
            values={str(action): value for action, value in hand_value.values.items()},
            best=str(hand_value.best) if hand_value.values else None,
            action=str(hand_value.action) if hand_value.values else None,
            value=hand_value.value,
            dealer_blackjack=hand_value.dealer_blackjack,
            value_before_peek=hand_value.value_before_peek,
            probability=hand_value.probability,
        )


class BlackjackEdgeAnswer(GameAnswer, frozen=True, kw_only=True):
    """The house edge of a game of blackjack."""

    house_edge: Annotated[Fraction, Meta(description="House edge per initial bet, without insurance.")]
    return_: Annotated[Fraction, Meta(description="1 less the house edge.")] = field(name="return")

    @classmethod
    def of(cls, game: BlackjackGame, edge: Fraction) -> BlackjackEdgeAnswer:
        """Build the answer from a house edge."""
        return cls(**_game_fields(game), house_edge=edge, return_=1 - edge)


class StrategyRowAnswer(Answer, frozen=True, kw_only=True):
    """The decisions on one total or pair, an entry for each up card."""

    kind: str
    hand: str
    decisions: list[str | None]


class StrategyExceptionAnswer(Answer, frozen=True, kw_only=True):
    """A hand whose cards are played differently from their total."""

    hand: str
    up: str
    decision: str
    by_total: Annotated[str, Meta(description="The decision by the total of the hand.")]


class BlackjackStrategyAnswer(GameAnswer, frozen=True, kw_only=True):
    """The strategy by total, and its exceptions."""

    up_cards: list[str]
    rows: list[StrategyRowAnswer]
    exceptions: list[StrategyExceptionAnswer]

    @classmethod
    def of(cls, game: BlackjackGame, table: StrategyTable) -> BlackjackStrategyAnswer:
        """Build the answer from a strategy table."""
        columns = chart_order(game.ups)
        return cls(
            **_game_fields(game),
            up_cards=[NAMES[game.ups[column]] for column in columns],
            rows=[
                StrategyRowAnswer(
                    kind=row.kind,
                    hand=row.name,
                    decisions=[_cell_text(row.decisions[column]) for column in columns],
                )
                for row in table.rows
            ],
            exceptions=[
                StrategyExceptionAnswer(
                    hand=format_hand(departure.hand),
                    up=NAMES[departure.up],
                    decision=str(departure.decision),
                    by_total=str(departure.row_cell),
                )
                for departure in table.departures
            ],
        )


def _cell_text(cell: ChartCell | None) -> str | None:
    return None if cell is None else str(cell)
