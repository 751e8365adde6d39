"""Bodies of the HTTP requests as pydantic models; OpenAPI descriptions are generated from them.

Options of a question come from its request (`combinat.requests`): name, type, default and description are stated there
only. A body adds limits, since it comes from the network, and bets as ids or texts, since files are never read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from combinat.requests.count import Count as CountRequest
from combinat.requests.design import Design as DesignRequest
from combinat.requests.odds import Odds as OddsRequest
from combinat.requests.request import Field as RequestField
from combinat.requests.request import Request, request_fields
from reports.render.formats import sheet_formats

_MAX_BETS = 20
_MAX_TEXT = 300_000
_MAX_OPTION = 4000
Small = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
"""An integer of moderate size; its range is checked where it is used."""


class Shape(BaseModel):
    """A JSON object with only these keys."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Bet(Shape):
    """A bet: a catalog id, or the text of a bet's file. Files of the server are never read."""

    id: str | None = Field(None, max_length=80, description="Catalog id, such as TRI-03.")
    toml: str | None = Field(None, max_length=_MAX_TEXT, description="The text of a bet's file.")
    paytable: str | None = Field(None, max_length=80, description="Id of one paytable of the text. Default: all.")
    name: str | None = Field(None, max_length=80, description="Name of the text in messages.")


class Blackjack(Shape):
    """The blackjack table of a bet whose winnings can be parlayed; the defaults are the default table."""

    hits_soft_17: bool | None = None
    double_after_split: bool = True
    double: str = Field("any", max_length=40)
    hands: Small | None = None
    resplit_aces: bool = False
    hit_split_aces: bool = False
    blackjack: str = Field("3:2", max_length=20)
    surrender: bool = False
    strategy: str = Field("best", max_length=40)


class _WithMeters(Shape):
    meters: list[str] = Field([], max_length=50, description="Meter amounts: 25000, or Mega=50000.")


class _Shoe(_WithMeters):
    removed: str = Field("", max_length=4000, description="Removed cards, such as 7h 7d Ks.")


class _Table(Shape):
    blackjack: Blackjack | None = None
    settings: dict[str, str | Small] = Field({}, max_length=50, description="Settings of the game, by key.")


class _Overrides(Shape):
    pays: list[str] = Field([], max_length=50, description="Pay overrides: Flush=6, Straight=9 to 1.")
    seed: list[str] = Field([], max_length=50, description="Seed overrides: 2000, or Mega=2000.")
    rate: list[str] = Field([], max_length=50, description="Contribution rate overrides: 24%, or Mega=24%.")
    wager: str | None = Field(None, max_length=40, description="Override of the fixed wager.")


class Studies(_Shoe, _Table, _Overrides):
    """Bets and shoes."""

    bets: list[Bet] = Field(min_length=1, max_length=_MAX_BETS)
    decks: str | None = Field(None, max_length=100, description="6, or 1,2,4-8. Default: those of the design.")
    any_decks: bool = Field(False, description="Allow deck counts that a paytable is not designed for.")
    up: str | None = Field(None, max_length=20, description="The dealer's up card; all figures are conditional on it.")


class Wager(Shape):
    """A bet and its stake."""

    bet: Bet
    stake: str = Field("1", max_length=40)


class Joint(_Shoe):
    """Wagers on the same cards, at one spot or at several."""

    wagers: list[Wager] = Field(min_length=1, max_length=_MAX_BETS)
    decks: str | None = Field(None, max_length=100)
    any_decks: bool = False
    spots: Small = 1
    blackjack: Blackjack | None = None


Choices = str | dict[str, str]


def _body(
    name: str,
    doc: str,
    request: type[Request[Any, Any]],
    bases: tuple[type[Shape], ...] = (Shape,),
    *,
    omitted: tuple[str, ...] = (),
    empty: str | None = None,
    limits: Mapping[str, tuple[Any, Any]] | None = None,
) -> type[Shape]:
    """Return the body of a request: its fields, without those of `bases` and `omitted`.

    `empty` is the default of optional texts, and `limits` the type and default of fields with limits of their own.
    """
    inherited = {key for base in bases for key in base.model_fields}
    fields = [field for field in request_fields(request) if field.name not in (*omitted, *inherited)]
    definitions: dict[str, Any] = {field.name: _definition(field, empty) for field in fields}
    definitions |= {key: definition for key, definition in (limits or {}).items() if key not in inherited}
    return create_model(name, __base__=bases, __doc__=doc, __module__=__name__, **definitions)


def _definition(field: RequestField, empty: str | None) -> tuple[Any, Any]:
    """Return the type and the description of a field for pydantic."""
    default = ... if field.is_required else field.default
    kind: Any
    if field.is_flag:
        kind = bool
    elif field.is_integer:
        kind = Small
    else:
        default = empty if default is None else default
        kind = Choices if Mapping in field.choices else Annotated[str, Field(max_length=_MAX_OPTION)]
    described = Field(default, description=field.option.description)
    return (kind | None if default is None else kind), described


_SHOE_FIELDS = ("bet", "decks", "removed", "any_decks", "meters", "pays", "settings", "table")
_RULE_FIELDS = ("hits_soft_17", "double_after_split", "double", "max_hands", "resplit_aces", "hit_split_aces")
_RUN_FIELDS = ("jobs", "cluster", "collection", "all")
_DESIGN_LIMITS = {
    "order": (str, Field("closest", max_length=40, description="Order of the results.")),
    "target": (str | None, Field(None, max_length=40, description="Edge to be near to.")),
    "best": (int, Field(10, ge=1, le=200, description="Maximum number of results.")),
}
_COUNT_LIMITS = {
    "tags": (str | None, Field(None, max_length=400, description="Tags: A=-2 2=1 10=-1. Default: the best tags.")),
    "best": (int | None, Field(None, ge=1, le=20, description="Without tags: highest level of the best tags.")),
    "samples": (int | None, Field(None, ge=0, le=10_000_000, description="Shoes to sample.")),
    "chunk": (int | None, Field(None, ge=1, le=10_000_000, description="Shoes per chunk of the sample.")),
    "rounds_per_hour": (str, Field("70", max_length=40, description="Rounds per hour.")),
}
_COUNT_OMITTED = (*_SHOE_FIELDS, *_RULE_FIELDS, *_RUN_FIELDS, "blackjack_pays", "surrender", "strategy", "seed")


class _DesignedBet(Shape):
    bet: Bet
    decks: str | None = Field(
        None, max_length=100, description="Deck counts at which the requirements hold. Default: those of the design."
    )


Design = _body(
    "Design",
    "A search for paytables that meet requirements, in the notation of `combinat design`.",
    DesignRequest,
    (_DesignedBet,),
    omitted=("jobs", "cluster"),
    empty="",
    limits=_DESIGN_LIMITS,
)


class _CountedBets(_Shoe, _Table):
    bets: list[Bet] = Field(min_length=1, max_length=_MAX_BETS)
    decks: str | None = Field(None, max_length=100, description="6, or 1,2,4-8. Default: those of the design.")
    any_decks: bool = Field(False, description="Allow deck counts that a paytable is not designed for.")
    seed: int = Field(1, ge=0, lt=2**63, description="Seed of the sample.")


Count = _body(
    "Count",
    "The value of a card count, for bets at shoes.",
    CountRequest,
    (_CountedBets,),
    omitted=_COUNT_OMITTED,
    limits=_COUNT_LIMITS,
)


class Check(Shape):
    """Bets to check."""

    bets: list[Bet] = Field(min_length=1, max_length=_MAX_BETS)


Odds = _body("Odds", "A rule whose probability is requested.", OddsRequest)


class Sheet(_WithMeters, _Table, _Overrides):
    """A par sheet, as one file."""

    bet: Bet
    decks: Small | None = Field(None, description="Default: the largest deck count of the design.")
    format: str = Field("pdf", max_length=20, description=f"One of {', '.join(sheet_formats())}.")
    document: str = Field("", max_length=200)
    revision: str = Field("1", max_length=200)
    date: str | None = Field(None, max_length=40)
    prepared_by: str = Field("", max_length=200)
    reviewed_by: str = Field("", max_length=200)
    jurisdiction: str = Field("", max_length=200)
    history: list[str] = Field([], max_length=50, description="Earlier revisions: 1; 2026-01-31; first issue.")
    max_wager: str = Field("", max_length=40, description="Largest wager of the table, if it is stated.")
    rounds_per_hour: str | None = Field(None, max_length=40, description="Adds a section on card counting.")
    digits: int = Field(10, ge=0, le=100)
    paper: str = Field("", max_length=20, description="a4 or letter; by default that of the jurisdiction.")
    posted_jackpot: bool = False
    other_decks: bool = Field(False, description="Compute the option at the other deck counts too; slow.")


class View(_Shoe):
    """The state of the page: the bet's text, one of its paytables, and the deck counts."""

    toml: str = Field(max_length=_MAX_TEXT)
    paytable: str | None = Field(None, max_length=80)
    decks: str = Field("", max_length=100)
    at: Small | None = Field(None, description="The selected deck count.")


class Variant(Shape):
    """A kept variant."""

    name: str = Field("", max_length=80)
    note: str = Field("", max_length=2000)
    toml: str = Field(max_length=_MAX_TEXT)
    paytable: str | None = Field(None, max_length=80)
    meters: list[str] = Field([], max_length=50)


class TextEdit(Shape):
    """A change of a text: a value set or removed, an item appended to a list or swapped with the next one."""

    kind: Literal["set", "append", "swap"]
    path: list[Annotated[str, Field(max_length=200)] | Annotated[int, Field(ge=0, le=10_000)]] = Field(
        min_length=1, max_length=10
    )
    value: Any = None


class EditedText(Shape):
    """A text to change."""

    toml: str = Field(max_length=_MAX_TEXT)
    edits: list[TextEdit] = Field(max_length=200)


class Variants(View):
    """Variants to compare with the bet, and the target band of the edge."""

    variants: list[Variant] = Field(min_length=1, max_length=_MAX_BETS)
    target: str = Field("", max_length=80)


class TriedRule(View):
    """A rule of the rule builder, and a hand to try."""

    rule: str = Field("", max_length=4000)
    hand: str = Field("", max_length=400)


class SavedProject(Shape):
    """The state of the page that a project file holds."""

    name: str = Field("", max_length=80)
    notes: str = Field("", max_length=20_000)
    toml: str = Field(max_length=_MAX_TEXT)
    paytable: str | None = Field(None, max_length=80)
    decks: str = Field("", max_length=100)
    target: str = Field("", max_length=80)
    locks: list[str] = Field([], max_length=200)
    variants: list[Variant] = Field([], max_length=_MAX_BETS)


class OpenedProject(Shape):
    """The text of a project file, or of a bet."""

    text: str = Field(max_length=900_000)


class Money(View):
    """The table of the money view."""

    rounds: str = Field(max_length=40)
    spots: str = Field(max_length=40)
    wager: str = Field(max_length=40)
    hours: str = Field(max_length=40)
    lease: str = Field(max_length=40)


class RackCard(View):
    """The format of a rack card."""

    format: str = Field("pdf", max_length=20)


class Wagers(View):
    """Other wagers on the cards of the bet."""

    stake: str = Field("1", max_length=40)
    others: list[Wager] = Field([], max_length=_MAX_BETS)
    spots: Small = 1


class _FinderView(View):
    for_decks: str | None = Field(None, max_length=100)


Finder = _body(
    "Finder",
    "A search for pays of the page's bet.",
    DesignRequest,
    (_FinderView,),
    omitted=("bet", "meter", "jobs", "cluster"),
    empty="",
    limits=_DESIGN_LIMITS,
)
Counting = _body(
    "Counting",
    "A card count for the page's bet.",
    CountRequest,
    (View,),
    omitted=_COUNT_OMITTED,
    limits=_COUNT_LIMITS,
)


class Meters(View):
    """Meter terms that override those of the text."""

    seed: list[str] = Field([], max_length=50)
    rate: list[str] = Field([], max_length=50)
    reserve: list[str] = Field([], max_length=50)
    cap: list[str] = Field([], max_length=50)
    rate_after_cap: list[str] = Field([], max_length=50)
    wager: str = Field("", max_length=40)


class Option(View):
    """The blackjack table for parlays."""

    blackjack: Blackjack | None = None


class Refusal(BaseModel):
    """An error in one line."""

    error: str
