"""The answer to `catalog`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from combinat.bets.paytable import Paytable, settings_in_force
from combinat.results.answer import ANSWER_FORMAT, Answer


class CatalogAward(Answer, frozen=True, kw_only=True):
    """An award of a paytable."""

    name: str
    rule: str
    pays_text: str


class CatalogEntry(Answer, frozen=True, kw_only=True):
    """A paytable of the catalog, or of a file."""

    format: str = ANSWER_FORMAT
    paytable: str
    collection: Annotated[str | None, Meta(description="The collection of the catalog; null for a file.")]
    title: str
    bet: str
    deal: str
    settings: Annotated[dict[str, str] | UnsetType, Meta(description="Settings of the game by key.")] = UNSET
    decks: Annotated[list[int], Meta(description="The deck counts that the paytable is designed for.")]
    awards: list[CatalogAward]
    meters: Annotated[list[str], Meta(description="Names of the meters.")]
    requires: Annotated[str | None, Meta(description="What the bet needs, such as a wager on the game.")]
    example: Annotated[bool, Meta(description="Whether the paytable is an example and not an offered bet.")]
    sources: list[str]

    @classmethod
    def of(cls, paytable: Paytable, collection: str | None) -> CatalogEntry:
        """Build the entry of a paytable."""
        return cls(
            paytable=paytable.id,
            collection=collection,
            title=paytable.title,
            bet=paytable.bet.name,
            deal=str(paytable.bet.deal),
            settings=settings_in_force(paytable) or UNSET,
            decks=list(paytable.decks),
            awards=[
                CatalogAward(name=award.name, rule=str(award.rule), pays_text=str(award.pay))
                for award in paytable.awards
            ],
            meters=list(paytable.meters),
            requires=paytable.requires,
            example=paytable.is_example,
            sources=list(paytable.bet.sources),
        )
