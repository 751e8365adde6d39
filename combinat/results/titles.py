"""The answers to `blackjack games` and `blackjack title`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from msgspec import Meta, field

from combinat.blackjack.titles.figures import TitleFigures
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
    up_cards: list[str]
    rows: list[FirstActionsAnswer]

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
            up_cards=list(figures.up_cards),
            rows=[FirstActionsAnswer(hand=hand, actions=list(actions)) for hand, actions in figures.rows],
        )
