"""The source documents of the catalog, clause by clause, and how each clause is accounted for.

Each file in `source_documents` restates the clauses of one document that concern a bet, in the order of the document.
A clause is `modelled` (part of the figures), `stated` (on the sheet, without effect on the figures) or `procedural`
(not on the sheet); `where` names the place or the reason.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec

from combinat.bets.catalog import get_paytable
from combinat.bets.paytable import Paytable

SOURCES_FOLDER = Path(__file__).parent / "source_documents"
STATUSES = ("modelled", "stated", "procedural")


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clause of a document."""

    section: str
    """The place in the document."""
    text: str
    """The clause, restated."""
    bets: tuple[str, ...]
    """The names of the bets that it concerns."""
    status: str
    """One of `STATUSES`."""
    where: str
    """Where the sheet accounts for it, or why it does not."""
    paytables: tuple[str, ...] = ()
    """The ids of the paytables that it concerns; empty if it concerns every paytable of the bets."""


class SourceDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A source document with its clauses."""

    title: str
    """The title, as bet files cite it."""
    label: str
    """A short name for tables."""
    clause: tuple[Clause, ...]
    notes: tuple[str, ...] = ()
    """Parts of the document that concern no bet."""


@lru_cache(maxsize=1)
def load_documents() -> tuple[SourceDocument, ...]:
    """Load all source documents, sorted by file name.

    >>> [document.label for document in load_documents()]
    ['TriLux Deluxe', 'Lucky 9', 'WSGC 2024', 'WSGC rules', 'WSGC 2020']
    """
    return tuple(
        msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), SourceDocument)
        for path in sorted(SOURCES_FOLDER.glob("*.toml"))
    )


def clauses_of(paytable: Paytable) -> tuple[tuple[SourceDocument, Clause], ...]:
    """Return the clauses that concern a paytable, with their documents; those of the original for a variant."""
    original = get_paytable(paytable.based_on.id) if paytable.based_on else paytable
    return tuple(
        (document, clause)
        for document in load_documents()
        if document.title in original.bet.sources
        for clause in document.clause
        if original.bet.name in clause.bets and (not clause.paytables or original.id in clause.paytables)
    )
