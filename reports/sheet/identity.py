"""Identification of a par sheet: document number, revision, date, names, and SHA-256 fingerprints of its input."""

from __future__ import annotations

import hashlib
import os
import re
from datetime import UTC, date, datetime

from msgspec import Struct

from combinat.bets.paytable import Paytable
from combinat.version import VERSION
from decks import InputError
from decks.errors import quote

_MAX_LENGTH = 80
_MAX_CHANGE_LENGTH = 200


_STATES = (
    *("alabama", "alaska", "arizona", "arkansas", "california", "colorado", "connecticut", "delaware", "florida"),
    *("georgia", "hawaii", "idaho", "illinois", "indiana", "iowa", "kansas", "kentucky", "louisiana", "maine"),
    *("maryland", "massachusetts", "michigan", "minnesota", "mississippi", "missouri", "montana", "nebraska", "nevada"),
    *("new hampshire", "new jersey", "new mexico", "new york", "north carolina", "north dakota", "ohio", "oklahoma"),
    *("oregon", "pennsylvania", "puerto rico", "rhode island", "south carolina", "south dakota", "tennessee", "texas"),
    *("utah", "vermont", "virginia", "washington", "west virginia", "wisconsin", "wyoming", "district of columbia"),
    *("united states", "usa", "u.s."),
)


def is_in_united_states(jurisdiction: str) -> bool:
    """Return whether the name of a jurisdiction begins with a state of the United States.

    >>> is_in_united_states("Washington State Gambling Commission"), is_in_united_states("Ontario")
    (True, False)
    """
    return jurisdiction.strip().lower().startswith(_STATES)


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
    if not match or len(text) > _MAX_CHANGE_LENGTH or not text.isprintable():
        raise InputError(
            f"invalid revision {quote(text[:_MAX_LENGTH])}; write it as '2, 2026-11-16: what was changed', on "
            f"one line of up to {_MAX_CHANGE_LENGTH} characters"
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
    """Earlier revisions and this one."""

    def __post_init__(self) -> None:
        for field in ("document", "revision", "date", "prepared_by", "reviewed_by", "jurisdiction"):
            text = getattr(self, field)
            if len(text) > _MAX_LENGTH or not text.isprintable():
                raise InputError(
                    f"{field.replace('_', ' ')} must be one line of up to {_MAX_LENGTH} characters, got {quote(text)}"
                )


def sheet_date(text: str | None) -> str:
    """Return the date of a sheet: `text`, else `SOURCE_DATE_EPOCH`, else an empty string; never the current date.

    >>> sheet_date("2026-11-16")
    '2026-11-16'
    """
    if text is not None:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            raise InputError(f"invalid date {quote(text)}; write it as 2026-11-16")
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            raise InputError(f"date {quote(text)} does not exist; write year, month and day as 2026-11-16") from None
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return ""
    if not re.fullmatch(r"\d{1,11}", epoch):
        raise InputError(f"SOURCE_DATE_EPOCH must be seconds since 1970, got {quote(epoch)}")
    return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()


def sheet_name(id: str, decks: int, *suffixes: str) -> str:
    """Return the name of a sheet: paytable, deck count, then the suffixes of a variant and of other table rules.

    It is the document number, the beginning of the title, and the file name without extension.

    >>> sheet_name("TRI-03", 6), sheet_name("HM-1", 6, "s17")
    ('TRI-03-6D', 'HM-1-6D-s17')
    """
    return "-".join((id, f"{decks}D", *suffixes))


def software_version() -> str:
    """Return the name and version of the program."""
    return f"combinat {VERSION}"


def fingerprint(content: bytes) -> str:
    """Return the SHA-256 of `content` in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def input_fingerprint(paytable: Paytable) -> str:
    """Return the SHA-256 of the file that the paytable was loaded from."""
    return fingerprint(paytable.bet.file.encode("utf-8"))
