"""The shape of a bet's TOML file: which keys there are and what kind of value each takes."""

from __future__ import annotations

from typing import Any

import msgspec

from decks.packs import ANY_CARD


class Fields(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table of the file whose keys are known."""


class AwardFields(Fields):
    """One award: a shared hand, or a name with its own rule or number; and what it pays."""

    pays: Any  # a number is refused later, with advice on its unit
    hand: str | None = None
    name: str | None = None
    when: str | None = None
    per: str | None = None
    wheel: str | None = None


class PublishedFields(Fields):
    """Figures that a source prints for one deck count."""

    decks: int
    hold: str | None = None
    hit_frequency: str | None = None
    house_edge: str | None = None
    return_: str | None = msgspec.field(default=None, name="return")


class LevelFields(Fields):
    """How one meter is run."""

    name: str
    seed: str | int
    rate: str = "0%"
    reserve: str = "0%"
    cap: str | int | None = None
    rate_after_cap: str = "0%"
    deducted: bool = True
    seed_paid_by: str = "house"


class MetersFields(Fields):
    """How the meters of a paytable are run, at some deck counts or at all."""

    levels: list[LevelFields]
    decks: int | str | list[int] | None = None
    wager: str | int = 1
    kind: str = "progressive"
    all_pays_deducted: bool = False
    basis: str | None = None


class PaytableFields(Fields):
    """One paytable of the bet."""

    id: str
    decks: int | str | list[int]
    awards: list[AwardFields] | None = None
    settings: dict[str, str | int] = {}
    title: str | None = None
    published: list[PublishedFields] = []
    notes: list[str] = []
    requires: str | None = None
    example: bool = False
    other_reading: str | None = None
    meters: list[MetersFields] = []


class PackFields(Fields):
    """A pack of one's own: what is left out, and jokers with what they stand for."""

    base: str = "standard"
    without: list[str | int] = []
    jokers: int = 0
    joker: str = ANY_CARD


class BetFields(Fields):
    """The whole file: one bet with its paytables."""

    bet: str
    deal: str
    paytable: list[PaytableFields]
    pack: str | PackFields = "standard"
    tell_roles_apart: bool | None = None
    hands: dict[str, str] = {}
    settings: dict[str, str | int] = {}
    source: str | list[str] = []
    given: str | None = None
    awards_add_up: bool = False
    wheels: dict[str, dict[str, int] | str] = {}
    notes: list[str] = []
    game: str = "Blackjack"
    made: str = "before any card is dealt"
    settled: str = "when the cards that it looks at are known"
    option: str | None = None
