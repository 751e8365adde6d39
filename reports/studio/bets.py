"""The bets and options of a request: a bet is a catalog id or the text of a file, never the path of a local file."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from itertools import chain, count
from typing import Any

from msgspec import Struct

from combinat.bets.catalog import find_in_catalog, mark_if_variant, parse_file_argument, select_paytables
from combinat.bets.load import inspect_text, parse_bet
from combinat.bets.paytable import Paytable
from combinat.bets.schema import MAX_BYTES
from combinat.requests.request import Request, request_fields
from decks import InputError
from decks.errors import quote, truncate_middle

DEFAULT_NAME = "bet.toml"
_SUFFIX = ".toml"
BetBody = str | Mapping[str, Any]
"""A catalog id, or an object with `id`, or with `toml` and perhaps `paytable` and `name`."""
_EMPTY: tuple[Any, ...] = (None, "", [], {})
"""Values that mean that an option is not given."""


class PostedText(Struct, frozen=True):
    """A posted text, its name in messages, and the id of the wanted paytable; `None` for all."""

    name: str
    text: str
    paytable: str | None

    def load(self) -> tuple[Paytable, ...]:
        """Return the wanted paytables; raise `InputError` for a problem of the text."""
        paytables, problems = parse_bet(check_text_size(self.text), self.name)
        if problems:
            raise InputError(problems[0])
        return tuple(map(mark_if_variant, select_paytables(paytables, self.paytable, self.name)))

    def inspect(self) -> tuple[Sequence[Paytable], Sequence[str]]:
        """Return the valid paytables of the text and all its problems."""
        return inspect_text(check_text_size(self.text), self.name)


def posted_bets(bets: BetBody | Sequence[BetBody]) -> list[str | PostedText]:
    """Return bets as ids or texts with distinct names.

    >>> posted_bets("TRI-03"), posted_bets([{"id": "TRI-03"}, {"toml": "bet = 1"}])[1].name
    (['TRI-03'], 'bet.toml')
    """
    names: set[str] = set()
    posted: list[str | PostedText] = []
    for number, bet in enumerate([bets] if isinstance(bets, (str, Mapping)) else bets, 1):
        fields: Mapping[str, Any] = {"id": bet} if isinstance(bet, str) else bet
        id, text = fields.get("id"), fields.get("toml")
        if (id is None) == (text is None):
            raise InputError(f"bet {number}: give either its catalog id ('id') or its text ('toml')")
        if text is None:
            posted.append(str(id))
            continue
        stem = truncate_middle((fields.get("name") or DEFAULT_NAME).removesuffix(_SUFFIX), 60)
        name = unique_name(stem, names, "{}-{}")
        names.add(name)
        posted.append(PostedText(name + _SUFFIX, text, fields.get("paytable")))
    return posted


def load_posted(bet: str | PostedText) -> tuple[Paytable, ...]:
    """Return the paytables of a text, or the one of the catalog.

    >>> [paytable.id for paytable in load_posted("TRI-03")]
    ['TRI-03']
    >>> load_posted("/etc/passwd.toml")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: the request has no text for '/etc/passwd.toml'; local files are not read
    """
    if isinstance(bet, PostedText):
        return bet.load()
    if parse_file_argument(bet) is not None:
        raise InputError(f"the request has no text for {quote(bet)}; local files are not read")
    return (find_in_catalog(bet),)


def posted_paytables(bets: BetBody | Sequence[BetBody]) -> list[Paytable]:
    """Return all paytables of posted bets."""
    return [paytable for bet in posted_bets(bets) for paytable in load_posted(bet)]


def posted_paytable(bet: BetBody) -> Paytable:
    """Return the paytable of a posted bet; raise `InputError` if it has several."""
    paytables = posted_paytables(bet)
    if len(paytables) > 1:
        ids = ", ".join(paytable.id for paytable in paytables)
        raise InputError(f"the text has several paytables; give 'paytable', one of {ids}")
    return paytables[0]


def given_options(request: type[Request[Any, Any]], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a request that a body gives; the work is done in this process."""
    names = [field.name for field in request_fields(request)]
    options = {name: body[name] for name in names if name in body and body[name] not in _EMPTY}
    return options | ({"jobs": 1} if "jobs" in names else {})


def posted_request(request: type[Request[Any, Any]], body: Mapping[str, Any]) -> Any:
    """Return the request of a body, with its bets loaded."""
    options = given_options(request, body)
    bet_field = next((field for field in request_fields(request) if field.name == "bet"), None)
    if bet_field is not None:
        load: Callable[[Any], Any] = posted_paytables if bet_field.option.is_repeated else posted_paytable
        options["bet"] = load(body["bet"])
    return request(**options)


def check_text_size(text: str) -> str:
    """Return a text; raise `InputError` if it is longer than a bet's file may be."""
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_BYTES:
        raise InputError(f"the text has {size:,} bytes; the maximum is {MAX_BYTES:,}")
    return text


def unique_name(name: str, existing: Container[str], template: str) -> str:
    """Return `name`, or the first name by `template` with a number from 2 on that is not in `existing`.

    >>> unique_name("before", {"before": 1, "before (2)": 2}, "{} ({})"), unique_name("after", {"before"}, "{} ({})")
    ('before (3)', 'after')
    """
    candidates = chain([name], (template.format(name, copy_number) for copy_number in count(2)))
    return next(candidate for candidate in candidates if candidate not in existing)
