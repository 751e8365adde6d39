"""The answer to `removal`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from combinat.bets.paytable import settings_in_force
from combinat.counting.removal import Effect, RemovalEffects
from combinat.enumeration.decision import PlayerOption
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Exact
from combinat.results.answer import ANSWER_FORMAT, Answer, Value
from decks import Card, InputError
from decks.cards import as_cards


class EffectAnswer(Answer, frozen=True, kw_only=True):
    """Cards whose removal has the same effect."""

    cards: Annotated[list[str], Meta(description="The cards.")]
    copies: Annotated[int, Meta(description="Number of these cards in the shoe.")]
    house_edge: Annotated[Value, Meta(description="House edge of the shoe without one such card.")]
    change: Annotated[Value, Meta(description="Change of the house edge; negative if the removal helps the player.")]
    scaled: Annotated[Value, Meta(description="The change, scaled to one deck.")]

    @classmethod
    def of(cls, effect: Effect) -> EffectAnswer:
        """Build the answer from the effect of some cards."""
        return cls(
            cards=[str(card) for card in effect.cards],
            copies=effect.copies,
            house_edge=_number(effect.house_edge),
            change=_number(effect.change),
            scaled=_number(effect.scaled),
        )


class ParlayTableAnswer(Answer, frozen=True, kw_only=True):
    """The blackjack table on which winnings are parlayed."""

    parlayed: Annotated[str, Meta(description="What may be left on the blackjack hand.")]
    rules: str
    table: dict[str, Any]
    strategy: str
    charts: list[Any]

    @classmethod
    def of(cls, option: PlayerOption) -> ParlayTableAnswer:
        """Build the answer from an option."""
        data = option.data
        return cls(
            parlayed=data["parlayed"],
            rules=data["rules"],
            table=data["table"],
            strategy=data["strategy"],
            charts=data["charts"],
        )


class RemovalAnswer(Answer, frozen=True, kw_only=True):
    """The effects of removal at one shoe on one basis."""

    format: str = ANSWER_FORMAT
    paytable: str
    bet: str
    decks: int
    cards: Annotated[int, Meta(description="Number of cards in the shoe.")]
    removed: list[str]
    designed: Annotated[bool, Meta(description="Whether the paytable is designed for this deck count.")]
    given: Annotated[str | None, Meta(description="The condition under which the bet is made.")]
    settings: Annotated[dict[str, str] | UnsetType, Meta(description="Settings of the game by key.")] = UNSET
    meters: Annotated[dict[str, Fraction], Meta(description="Meter values by name.")]
    meter_wager: Annotated[Fraction | None, Meta(description="The wager that meter values are for.")]
    option: Annotated[ParlayTableAnswer | UnsetType, Meta(description="The table of best play.")] = UNSET
    basis: str
    house_edge: Value
    strategy_recomputed: Annotated[bool, Meta(description="Whether the strategy was chosen again without each card.")]
    mean_change: Annotated[Value, Meta(description="Weighted mean of the changes; zero for a fixed strategy.")]
    effects: list[EffectAnswer]

    def __repr__(self) -> str:
        edge = f"{self.house_edge:.4%}" if isinstance(self.house_edge, Fraction) else str(self.house_edge)
        return f"<Removal from {self.paytable}, {self.decks} decks, {self.basis}: house edge {edge}>"

    def __getitem__(self, card: Card | str) -> EffectAnswer:
        """Return the effect of removing a card.

        >>> from combinat import removal
        >>> f"{removal('TRI-03', 6)['As'].change:.4%}"
        '-0.0725%'
        """
        (text,) = map(str, as_cards(card))
        for effect in self.effects:
            if text in effect.cards:
                return effect
        raise InputError(f"the shoe has no {text}")

    @classmethod
    def of(cls, removal: RemovalEffects) -> RemovalAnswer:
        """Build the answer from computed effects."""
        study, analysis = removal.study, removal.study.analysis
        paytable, shoe = study.paytable, study.shoe
        is_parlayed = study.option is not None and removal.basis is not study.wager_basis
        return cls(
            paytable=paytable.id,
            bet=paytable.bet.name,
            decks=shoe.decks,
            cards=shoe.size,
            removed=[str(card) for card in shoe.removed],
            designed=analysis.is_designed,
            given=str(paytable.bet.condition) if paytable.bet.condition else None,
            settings=settings_in_force(paytable) or UNSET,
            meters={name: Exact(value) for name, value in analysis.meters.items()},
            meter_wager=Exact(analysis.meter_wager) if paytable.meters else None,
            option=ParlayTableAnswer.of(study.option) if study.option is not None and is_parlayed else UNSET,
            basis=str(removal.basis),
            house_edge=_number(removal.house_edge),
            strategy_recomputed=removal.is_reoptimized,
            mean_change=_number(removal.balance),
            effects=[EffectAnswer.of(effect) for effect in removal.effects],
        )


def _number(value: Polynomial) -> Exact | Polynomial:
    """Return a fraction, or a formula if the value depends on a meter."""
    return Exact(value.constant) if value.is_constant else value
