"""The par sheet: everything about one paytable at one shoe, in numbered sections, exact and without any formatting."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from combinat.analysis import Analysis
from reports.documents import sheet_document
from reports.identity import Identity
from reports.model import Document
from reports.payload import analysis_payload


class ParSheet(Struct, frozen=True):
    """A par sheet as every format gets it."""

    analysis: Analysis
    identity: Identity
    document: Document
    """What a reader sees, section by section."""
    payload: dict[str, Any]
    """What JSON carries, exact."""


def par_sheet(analysis: Analysis, identity: Identity) -> ParSheet:
    """Put together the par sheet of an analysis."""
    return ParSheet(analysis, identity, sheet_document(analysis), analysis_payload(analysis))
