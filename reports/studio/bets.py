"""Parse the bets of a request: a catalog id or the text of a file, never the path of a local file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combinat.bets.catalog import find_in_catalog, mark_if_variant, parse_file_argument, select_paytables
from combinat.bets.load import parse_bet
from combinat.bets.paytable import Paytable
from combinat.bets.schema import MAX_BYTES
from decks import InputError
from decks.errors import quote, truncate_middle
from reports.cli.arguments import StudyRequest
from reports.cli.table import BlackjackTable, Table
from reports.cli.trial import PayOverrides

USUAL_NAME = "bet.toml"
_SUFFIX = ".toml"


class PostedRequest(StudyRequest, frozen=True):
    """A request about bets whose texts it contains."""

    texts: Mapping[str, str] = {}
    """The texts of bets by their names in messages."""

    def resolved(self, argument: str) -> tuple[Paytable, ...]:
        """Return the paytables of an argument: those of a posted text, or one of the catalog.

        >>> text = find_in_catalog("TRI-03").bet.file
        >>> [one.id for one in PostedRequest((), texts={"mine.toml": text}).resolved("mine.toml:TRI-01")]
        ['TRI-01']
        >>> PostedRequest(()).resolved("/etc/passwd")
        Traceback (most recent call last):
            ...
        decks.errors.InputError: no text was sent for '/etc/passwd'; files of this machine are not read
        """
        file = parse_file_argument(argument)
        if file is None:
            return (find_in_catalog(argument),)
        name, id = file
        if name not in self.texts:
            raise InputError(f"no text was sent for {quote(argument)}; files of this machine are not read")
        paytables, problems = parse_bet(check_text_size(self.texts[name]), name)
        if problems:
            raise InputError(problems[0])
        return tuple(map(mark_if_variant, select_paytables(paytables, id, name)))


def check_text_size(text: str) -> str:
    """Return a text; raise `InputError` if it is longer than a bet's file may be."""
    size = len(text.encode("utf-8", "replace"))
    if size > MAX_BYTES:
        raise InputError(f"the text has {size:,} bytes; at most {MAX_BYTES:,} are read")
    return text


def parse_request(body: Mapping[str, Any]) -> PostedRequest:
    """Parse the body of a request: bets, shoes and table rules.

    >>> parse_request({"bets": [{"id": "TRI-03"}], "decks": "6"}).arguments
    ('TRI-03',)
    """
    arguments: list[str] = []
    texts: dict[str, str] = {}
    for number, bet in enumerate(body["bets"], 1):
        id, text, paytable = bet.get("id"), bet.get("toml"), bet.get("paytable")
        if (id is None) == (text is None):
            raise InputError(f"bet {number}: give either its id in the catalog or its text, as 'toml'")
        if text is None:
            arguments.append(str(id))
            continue
        name = _unique_name(bet.get("name") or USUAL_NAME, texts)
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


def parse_table(body: Mapping[str, Any]) -> Table:
    """Parse the table rules of a request."""
    return Table(
        BlackjackTable(**(body.get("blackjack") or {})),
        {key: str(value) for key, value in (body.get("settings") or {}).items()},
    )


def _parse_overrides(body: Mapping[str, Any]) -> PayOverrides:
    """Parse the overrides of pays and meters."""
    pays, seeds, rates = (tuple(body.get(key) or ()) for key in ("pays", "seed", "rate"))
    return PayOverrides(pays, seeds, rates, body.get("wager"))


def _unique_name(name: str, existing: Mapping[str, str]) -> str:
    """Return a file name for a text that is not in `existing`."""
    stem = truncate_middle(name.removesuffix(_SUFFIX), 60)
    unique, number = f"{stem}{_SUFFIX}", 1
    while unique in existing:
        number += 1
        unique = f"{stem}-{number}{_SUFFIX}"
    return unique
