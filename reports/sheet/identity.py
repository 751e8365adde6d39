"""Identification of a par sheet: document number, revision, date, names, and SHA-256 fingerprints of its input."""

from __future__ import annotations

import hashlib
import os
import re
from datetime import UTC, date, datetime
from importlib.metadata import version

from msgspec import Struct

from combinat.bets.paytable import Paytable
from decks import InputError
from decks.errors import quote

_LONGEST = 80
_LONGEST_CHANGE = 200


class Change(Struct, frozen=True):
    """One revision of a sheet: its number, its date and what was changed."""

    revision: str
    date: str
    what: str


def parse_change(text: str) -> Change:
    """Parse one line of a revision history.

    >>> parse_change("2, 2026-11-16: straights pay 11 to 1")
    Change(revision='2', date='2026-11-16', what='straights pay 11 to 1')
    """
    match = re.fullmatch(r"([^,:]{1,20}), (\d{4}-\d\d-\d\d): (.+)", text)
    if not match or len(text) > _LONGEST_CHANGE or not text.isprintable():
        raise InputError(
            f"cannot read the revision {quote(text[:_LONGEST])}; write it as '2, 2026-11-16: what was changed', on "
            f"one line of up to {_LONGEST_CHANGE} characters"
        )
    return Change(match[1], sheet_date(match[2]), match[3])


class Identity(Struct, frozen=True):
    """Identification of a sheet as given by the user; missing fields stay blank."""

    document: str = ""
    """Document number; if empty, it is built from the paytable and the deck count."""
    revision: str = "1"
    date: str = ""
    prepared_by: str = ""
    reviewed_by: str = ""
    jurisdiction: str = ""
    history: tuple[Change, ...] = ()
    """Revisions up to this one, as far as given."""

    def __post_init__(self) -> None:
        for field in ("document", "revision", "date", "prepared_by", "reviewed_by", "jurisdiction"):
            text = getattr(self, field)
            if len(text) > _LONGEST or not text.isprintable():
                raise InputError(
                    f"{field.replace('_', ' ')} {quote(text)}: write one line of up to {_LONGEST} characters"
                )


def sheet_date(text: str | None) -> str:
    """Return the date of a sheet: `text`, else `SOURCE_DATE_EPOCH`, else an empty string; never the current date.

    >>> sheet_date("2026-11-16")
    '2026-11-16'
    """
    if text is not None:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            raise InputError(f"cannot read the date {quote(text)}; write it as 2026-11-16")
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            raise InputError(f"there is no date {quote(text)}; write year, month and day as 2026-11-16") from None
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return ""
    if not re.fullmatch(r"\d{1,11}", epoch):
        raise InputError(f"SOURCE_DATE_EPOCH is {quote(epoch)}; it must be seconds since 1970")
    return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()


def software_version() -> str:
    """Return the name and version of the program."""
    return f"combinat {version('combinat')}"


def fingerprint(content: bytes) -> str:
    """Return the SHA-256 of `content` in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def input_fingerprint(paytable: Paytable) -> str:
    """Return the SHA-256 of the file that the paytable was loaded from."""
    return fingerprint(paytable.bet.file.encode("utf-8"))
