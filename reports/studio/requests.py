"""Bodies of the HTTP requests as pydantic models; OpenAPI descriptions are generated from them.

The body of a question has the options of its request (`combinat.requests`): name, type, default and description are
stated there only. A body adds limits, since it comes from the network, and bets as ids or texts, since files are never
read. The other bodies are the page's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from os import PathLike
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, create_model

from combinat.requests.bets import RulesRequest
from combinat.requests.count import Count as CountRequest
from combinat.requests.design import Design as DesignRequest
from combinat.requests.meters import MeterShow
from combinat.requests.request import Field as RequestField
from combinat.requests.request import Request, request_fields
from decks import Shoe
from reports.render.formats import sheet_formats

_MAX_BETS = 20
_MAX_TEXT = 300_000
_MAX_OPTION = 4000
_MAX_ITEMS = 50
Small = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
"""An integer of moderate size; its range is checked where it is used."""
_Text = Annotated[str, Field(max_length=_MAX_OPTION)]
_Values = Annotated[list[_Text | Small], Field(max_length=_MAX_ITEMS)]
_ByName = Annotated[dict[str, _Text | Small | bool | _Values], Field(max_length=_MAX_ITEMS)]
_Id = Annotated[str, Field(max_length=80, pattern=r"^[^/\\.:]*$")]
"""An id of the catalog: text that cannot be the path of a file."""
_LIMITS: Mapping[tuple[str, str], Any] = {
    ("Design", "best"): Annotated[int, Field(ge=1, le=200)],
    ("Count", "best"): Annotated[int, Field(ge=1, le=20)],
    ("Count", "samples"): Annotated[int, Field(ge=0, le=10_000_000)],
    ("Count", "chunk"): Annotated[int, Field(ge=1, le=10_000_000)],
    ("Count", "seed"): Annotated[int, Field(ge=0, lt=2**63)],
    ("Parsheet", "samples"): Annotated[int, Field(ge=0, le=100_000)],
    ("Ledger", "limit"): Annotated[int, Field(ge=1, le=100_000)],
}
"""Types of options with limits of their own, by request and option."""
NOT_OVER_HTTP = ("jobs", "cluster", "collection", "all")
"""Options about the machine of the program, and those that choose bets by the hundred."""


class Shape(BaseModel):
    """A JSON object with only these keys."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Bet(Shape):
    """A bet: a catalog id, or the text of a bet's file. Files of the server are never read."""

    id: str | None = Field(None, max_length=80, description="Catalog id, such as TRI-03.")
    toml: str | None = Field(None, max_length=_MAX_TEXT, description="The text of a bet's file.")
    paytable: str | None = Field(None, max_length=80, description="Id of one paytable of the text. Default: all.")
    name: str | None = Field(None, max_length=80, description="Name of the text in messages.")


BET_TAGS = ("list", "catalog id", "object")
"""The ways to write bets, which pydantic names in the locations of errors."""


def _tag_of_bet(value: Any) -> str:
    return "list" if isinstance(value, list) else "catalog id" if isinstance(value, str) else "object"


_CatalogId = Annotated[str, Field(max_length=120), Tag("catalog id")]
_BetObject = Annotated[Bet, Tag("object")]
OneBet = Annotated[_CatalogId | _BetObject, Discriminator(_tag_of_bet)]
"""A catalog id, or a bet as an object."""
SomeBets = Annotated[
    _CatalogId | _BetObject | Annotated[list[OneBet], Field(min_length=1, max_length=_MAX_BETS), Tag("list")],
    Discriminator(_tag_of_bet),
]
"""A bet, or a list of bets."""


def request_body(
    request: type[Request[Any, Any]],
    *,
    name: str = "",
    bases: tuple[type[Shape], ...] = (Shape,),
    only: Collection[str] | None = None,
    omitted: Iterable[str] = (),
) -> type[Shape]:
    """Return the body of a request: all options that HTTP can have, without those of `bases` and the `omitted`.

    Options whose value is a file have no field, since files are never read; of those that may also be a table, the
    body takes the table.
    """
    left_out = {*omitted, *NOT_OVER_HTTP, *(key for base in bases for key in base.model_fields)}
    definitions: dict[str, Any] = {}
    for field in request_fields(request):
        if field.name not in left_out and (only is None or field.name in only):
            kind = _LIMITS.get((request.__name__, field.name)) or _type_of(field)
            if kind is not None:
                definitions[field.name] = _definition(field, kind)
    summary = (request.__doc__ or "").partition("\n")[0]
    return create_model(name or request.__name__, __base__=bases, __doc__=summary, __module__=__name__, **definitions)


def _type_of(field: RequestField) -> Any:
    """Return the type of an option in JSON; `None` if its value would be the name of a file."""
    if field.option.names == "paytable":
        return SomeBets if field.option.is_repeated else OneBet
    if field.option.names == "game":
        return Annotated[list[_Id], Field(max_length=_MAX_ITEMS)] if field.option.is_repeated else _Id
    if PathLike in field.choices:
        return _ByName if Mapping in field.choices else None
    if field.is_flag:
        return bool
    if field.is_integer:
        return Small
    kinds: list[Any] = [] if field.choices & {Mapping, Sequence} and str not in field.choices else [_Text]
    if int in field.choices:
        kinds.append(Small)
    if Sequence in field.choices or Shoe in field.choices:
        kinds.append(_Values)
    if Mapping in field.choices:
        kinds.append(_ByName)
    union = kinds[0]
    for kind in kinds[1:]:
        union = union | kind
    return union


def _definition(field: RequestField, kind: Any) -> tuple[Any, Any]:
    """Return the type, the default and the description of a field for pydantic."""
    default: Any = ... if field.is_required else [] if field.default == () else field.default
    unit: Any = {"unit": field.option.unit} if field.option.unit else None
    described = Field(default, description=field.option.description, json_schema_extra=unit)
    return (kind | None if default is None else kind), described


BLACKJACK_OPTIONS = (
    *("hits_soft_17", "double_after_split", "double", "max_hands", "resplit_aces", "hit_split_aces"),
    *("blackjack_pays", "surrender", "strategy"),
)
"""Options of the blackjack table around a bet."""


class View(Shape):
    """The state of the page: the bet's text, one of its paytables, and the deck counts."""

    meters: list[str] = Field([], max_length=50, description="Meter amounts: 25000, or Mega=50000.")
    removed: str = Field("", max_length=4000, description="Removed cards, such as 7h 7d Ks.")
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


Amounts = Annotated[dict[str, Annotated[str, Field(max_length=40)]], Field(max_length=50)]
"""Meter amounts as they are typed, by the name of the meter."""


class SavedVariant(Shape):
    """A kept variant in a project."""

    name: str = Field("", max_length=80)
    note: str = Field("", max_length=2000)
    toml: str = Field(max_length=_MAX_TEXT)
    paytable: str | None = Field(None, max_length=80)
    meters: Amounts = {}


class SavedProject(Shape):
    """The state of the page that a project file holds."""

    name: str = Field("", max_length=80)
    notes: str = Field("", max_length=20_000)
    toml: str = Field(max_length=_MAX_TEXT)
    paytable: str | None = Field(None, max_length=80)
    decks: str = Field("", max_length=100)
    target: str = Field("", max_length=80)
    removed: str = Field("", max_length=4000)
    meters: Amounts = {}
    locks: list[str] = Field([], max_length=200)
    variants: list[SavedVariant] = Field([], max_length=_MAX_BETS)


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


class Wager(Shape):
    """A bet and its stake."""

    bet: Bet
    stake: str = Field("1", max_length=40)


class Wagers(View):
    """Other wagers on the cards of the bet."""

    stake: str = Field("1", max_length=40)
    others: list[Wager] = Field([], max_length=_MAX_BETS)
    spots: Small = 1


class _FinderView(View):
    for_decks: str | None = Field(None, max_length=100)


_SEARCH = [field.name for field in request_fields(DesignRequest) if field.name not in ("bet", "decks", "meter")]
Finder = request_body(DesignRequest, name="Finder", bases=(_FinderView,), only=_SEARCH)
"""A search for pays of the page's bet."""
_SHOE_OPTIONS = {field.name for field in request_fields(RulesRequest)}
_COUNTED = [field.name for field in request_fields(CountRequest) if field.name not in _SHOE_OPTIONS]
Counting = request_body(CountRequest, name="Counting", bases=(View,), only=_COUNTED)
"""A card count for the page's bet."""
Meters = request_body(
    MeterShow, name="Meters", bases=(View,), only=("seed", "rate", "reserve", "cap", "rate_after_cap", "wager")
)
"""Meter terms that override those of the text."""
BlackjackTable = request_body(RulesRequest, name="BlackjackTable", bases=(View,), only=BLACKJACK_OPTIONS)
"""The blackjack table for parlays."""


class SheetFile(Shape):
    """What a sheet as one file needs besides its options."""

    format: str = Field("pdf", max_length=20, description=f"One of {', '.join(sheet_formats())}.")
    other_decks: bool | None = Field(
        None, description="Solve best play at the other deck counts too; slow. Default: only without an option."
    )


class Refusal(BaseModel):
    """An error in one line."""

    error: str
