"""Par sheets as files: one for each paytable, deck count and format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from combinat.analysis import Analysis, analyze
from combinat.paytable import Paytable
from decks import InputError, Shoe, suggestion
from decks.errors import quoted
from reports.documents import sheet_document
from reports.files import write_file
from reports.payload import analysis_payload
from reports.render import render

EXTENSIONS = {"markdown": "md", "json": "json", "csv": "csv", "latex": "tex"}
SHEET_FORMATS = ("markdown", "json")
SHEET_DIGITS = 10


class Sheet(Struct, frozen=True):
    """A par sheet to be written."""

    paytable: Paytable
    decks: int

    @property
    def name(self) -> str:
        """The file's name without its extension."""
        return f"{self.paytable.id}_{self.decks}-deck{'s' if self.decks > 1 else ''}"


def json_text(payload: object) -> str:
    """Write JSON as every command and sheet does."""
    return json.dumps(payload, indent=2, ensure_ascii=False) + "\n"


def sheet_formats(text: str) -> tuple[str, ...]:
    """Read the formats that sheets are wanted in."""
    formats = tuple(dict.fromkeys(part.strip().lower() for part in text.split(",")))
    extensions = {extension: name for name, extension in EXTENSIONS.items()}
    named = tuple(extensions.get(name, name) for name in formats)
    for name in named:
        if name not in EXTENSIONS:
            hint = suggestion(name, EXTENSIONS) or f"; sheets are written as {', '.join(EXTENSIONS)}"
            raise InputError(f"no sheet format {quoted(name)}{hint}")
    return named


def sheet_text(analysis: Analysis, format: str, digits: int) -> str:
    """Write one sheet in one format."""
    if format == "json":
        return json_text(analysis_payload(analysis))
    return render(sheet_document(analysis), format, digits)


def sheets_of(paytables: Iterable[Paytable], decks: Sequence[int] | None = None) -> tuple[Sheet, ...]:
    """List a sheet for each paytable at each deck count that it is designed for, or at those of them asked for."""
    return tuple(
        Sheet(paytable, count) for paytable in paytables for count in paytable.decks if decks is None or count in decks
    )


def write_sheets(
    sheets: Iterable[Sheet], folder: Path, formats: Sequence[str] = SHEET_FORMATS, digits: int = SHEET_DIGITS
) -> Iterator[tuple[Sheet, Path]]:
    """Write sheets into a folder, giving each file as it is done."""
    for sheet in sheets:
        analysis = analyze(sheet.paytable, Shoe(sheet.decks, sheet.paytable.bet.pack))
        for format in formats:
            path = folder / f"{sheet.name}.{EXTENSIONS[format]}"
            write_file(path, sheet_text(analysis, format, digits))
            yield sheet, path
