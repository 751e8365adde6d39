"""Where a paytable comes from: maker, collection, jurisdiction and status, by which an index page is filtered."""

from __future__ import annotations

from pathlib import PurePosixPath

from msgspec import Struct

from combinat.bets.catalog import MAIN_COLLECTION
from combinat.bets.paytable import Paytable
from combinat.bets.sources import load_documents

NOT_STATED = "not stated"
OWN_FILE = "own file"
_AUTHORITIES = {"Washington State Gambling Commission": "Washington", "58 Pa. Code": "Pennsylvania"}
"""Jurisdictions by what the citation of a source names."""


class Origin(Struct, frozen=True):
    """The origin of a paytable."""

    maker: str = NOT_STATED
    jurisdiction: str = NOT_STATED
    collection: str = OWN_FILE
    status: str = OWN_FILE


FILTERS = ("maker", "jurisdiction", "collection", "status")
"""The fields of an origin, in the order in which a page offers them."""


def origin_of(paytable: Paytable, jurisdiction: str = "") -> Origin:
    """Return the origin of a paytable; `jurisdiction` is that of the sheet, if it is stated.

    >>> from combinat.bets.catalog import get_paytable
    >>> origin_of(get_paytable("TRI-03"))
    Origin(maker='not stated', jurisdiction='Washington', collection='main', status='source')
    >>> origin_of(get_paytable("BUSTER-1")).status
    'published'
    """
    sources = " ".join(paytable.bet.sources)
    cited = (name for authority, name in _AUTHORITIES.items() if authority in sources)
    return Origin(
        paytable.bet.maker or NOT_STATED,
        jurisdiction or next(cited, NOT_STATED),
        _collection(paytable.bet.origin),
        _status(paytable),
    )


def _collection(name: str) -> str:
    parts = PurePosixPath(name).parts
    if not parts or parts[0] != "catalog":
        return OWN_FILE
    return parts[1] if len(parts) > 2 else MAIN_COLLECTION


def _status(paytable: Paytable) -> str:
    """Return the status: variant, example, source (the document is on file), published (cited), or own file."""
    if paytable.based_on is not None:
        return "variant"
    if paytable.is_example:
        return "example"
    if any(document.title in paytable.bet.sources for document in load_documents()):
        return "source"
    return "published" if paytable.bet.sources else OWN_FILE
