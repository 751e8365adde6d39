"""The hidden worksheet of a workbook with the sheet's JSON and its recipe, for `combinat verify`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NAME = "Embedded files"
_CHUNK = 16_000
"""Characters of a cell, which holds 32,767 UTF-16 units: some characters need two."""


def write_embedded_files(workbook: Any, files: Mapping[str, bytes]) -> None:
    """Add a hidden worksheet with a column for each file: its name, then its text in chunks."""
    worksheet = workbook.add_worksheet(NAME)
    for column, (name, content) in enumerate(files.items()):
        for row, text in enumerate([name, *split_text(content.decode("utf-8"))]):
            worksheet.write_string(row, column, text)
    worksheet.hide()


def split_text(text: str) -> list[str]:
    """Split a text into chunks that fit into cells.

    >>> [len(chunk) for chunk in split_text("x" * 40_000)]
    [16000, 16000, 8000]
    """
    return [text[start : start + _CHUNK] for start in range(0, len(text), _CHUNK)]
