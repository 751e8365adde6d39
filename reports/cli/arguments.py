"""Parse the format of an answer."""

from __future__ import annotations

from collections.abc import Sequence

from decks import InputError, did_you_mean
from decks.errors import quote
from reports.render.formats import answer_formats, page_formats, sheet_formats


def parse_format(text: str, formats: Sequence[str] | None = None) -> str:
    """Parse the name of an output format; `formats` defaults to those of all answers."""
    name = text.strip().lower()
    formats = answer_formats() if formats is None else formats
    if name not in formats:
        hint = sheet_hint(name) or did_you_mean(name, formats) or f"; formats are {', '.join(formats)}"
        raise InputError(f"{quote(text)} is not a format of this command{hint}")
    return name


def sheet_hint(format: str) -> str:
    """Return the end of an error message for a format that only par sheets have; empty for any other.

    >>> sheet_hint("pdf"), sheet_hint("csv")
    ('; a par sheet can be: combinat parsheet TRI-03 --decks 6 --format pdf', '')
    """
    if format not in sheet_formats() or format in page_formats():
        return ""
    return f"; a par sheet can be: combinat parsheet TRI-03 --decks 6 --format {format}"
