"""Parse the bets of a request: each is a catalog id or the text of a file, never the path of a local file."""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import chain, count
from typing import Any

from combinat.bets.catalog import find_in_catalog, mark_if_variant, parse_file_argument, select_paytables
from combinat.bets.load import parse_bet
from combinat.bets.paytable import Paytable
from combinat.bets.schema import MAX_BYTES
from decks import InputError
from decks.errors import quote, truncate_middle
from reports.answers.requests import BlackjackOptions, PaytableOverrides, StudyRequest, TableOptions

DEFAULT_NAME = "bet.toml"
_SUFFIX = ".toml"


class PostedRequest(StudyRequest, frozen=True):
    """A request about bets whose texts it contains."""

    texts: Mapping[str, str] = {}
    """The texts of bets by their names in messages."""

    def load_paytables(self, argument: str) -> tuple[Paytable, ...]:
        """Return the paytables of an argument: those of a posted text, or one of the catalog.

        >>> text = find_in_catalog("TRI-03").bet.file
        >>> request = PostedRequest((), texts={"mine.toml": text})
        >>> [paytable.id for paytable in request.load_paytables("mine.toml:TRI-01")]
        ['TRI-01']
        >>> PostedRequest(()).load_paytables("/etc/passwd")
        Traceback (most recent call last):
            ...
        decks.errors.InputError: the request has no text for '/etc/passwd'; local files are not read
        """
        file = parse_file_argument(argument)
        if file is None:
            return (find_in_catalog(argument),)
        name, id = file
        if name not in self.texts:
            raise InputError(f"the request has no text for {quote(argument)}; local files are not read")
        paytables, problems = parse_bet(check_text_size(self.texts[name]), name)
        if problems:
            raise InputError(problems[0])
        return tuple(map(mark_if_variant, select_paytables(paytables, id, name)))


def check_text_size(text: str) -> str:
    """Return a text; raise `InputError` if it is longer than a bet's file may be."""
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_BYTES:
        raise InputError(f"the text has {size:,} bytes; the maximum is {MAX_BYTES:,}")
    return text


def parse_request(body: Mapping[str, Any]) -> PostedRequest:
    """Parse the body of a request: bets, shoes and table rules.

    >>> parse_request({"bets": [{"id": "TRI-03"}], "decks": "6"}).arguments
    ('TRI-03',)
    """
    arguments: list[str] = []
    texts: dict[str, str] = {}
    for bet_number, bet in enumerate(body["bets"], 1):
        id, text, paytable = bet.get("id"), bet.get("toml"), bet.get("paytable")
        if (id is None) == (text is None):
            raise InputError(f"bet {bet_number}: give either its catalog id ('id') or its text ('toml')")
        if text is None:
            arguments.append(str(id))
            continue
        stem = truncate_middle((bet.get("name") or DEFAULT_NAME).removesuffix(_SUFFIX), 60)
        name = unique_name(stem, [text_name.removesuffix(_SUFFIX) for text_name in texts], "{}-{}") + _SUFFIX
        texts[name] = text
        arguments.append(f"{name}:{paytable}" if paytable is not None else name)
    return PostedRequest(
        tuple(arguments),
        body.get("decks"),
        body.get("removed") or "",
        tuple(body.get("meters") or ()),
        bool(body.get("any_decks")),
        body.get("up"),
        parse_table(body),
        _parse_overrides(body),
        texts=texts,
    )


def parse_table(body: Mapping[str, Any]) -> TableOptions:
    """Parse the table rules of a request."""
    return TableOptions(
        BlackjackOptions(**(body.get("blackjack") or {})),
        {key: str(value) for key, value in (body.get("settings") or {}).items()},
    )


def _parse_overrides(body: Mapping[str, Any]) -> PaytableOverrides:
    """Parse the overrides of pays and meters."""
    pays, seeds, rates = (tuple(body.get(key) or ()) for key in ("pays", "seed", "rate"))
    return PaytableOverrides(pays, seeds, rates, body.get("wager"))


def unique_name(name: str, existing: Container[str], template: str) -> str:
    """Return `name`, or the first name by `template` with a number from 2 on that is not in `existing`.

    >>> unique_name("before", {"before": 1, "before (2)": 2}, "{} ({})"), unique_name("after", {"before"}, "{} ({})")
    ('before (3)', 'after')
    """
    candidates = chain([name], (template.format(name, copy_number) for copy_number in count(2)))
    return next(candidate for candidate in candidates if candidate not in existing)
