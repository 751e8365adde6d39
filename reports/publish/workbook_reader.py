"""Read workbooks of par sheets: formulas and cached values of all cells, from the XML of the file."""

from __future__ import annotations

import io
import re
import zipfile
from decimal import Decimal, InvalidOperation
from typing import NamedTuple
from xml.etree import ElementTree

from decks import InputError
from reports.render.workbook.embedded import NAME as EMBEDDED

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_MAX_BYTES = 200_000_000
_TOLERANCE = Decimal("1e-12")
"""Relative difference of a cached number that a spreadsheet has recalculated."""
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


class WorkbookCell(NamedTuple):
    """A cell: its formula, if it has one, and its value as text."""

    formula: str
    value: str
    is_number: bool

    def agrees(self, other: WorkbookCell) -> bool:
        """Return whether both have the same formula and value; a recalculated number may differ in its last digits."""
        if self.formula != other.formula or self.is_number != other.is_number:
            return False
        if not self.is_number or self.value == other.value:
            return self.value == other.value
        number, expected = Decimal(self.value), Decimal(other.value)
        return bool(self.formula) and abs(number - expected) <= _TOLERANCE * max(abs(number), abs(expected), _TOLERANCE)


Worksheets = dict[str, dict[str, WorkbookCell]]
"""Cells by worksheet and by reference, such as `B7`."""


def read_workbook(content: bytes) -> Worksheets:
    """Return the cells of all worksheets of an Excel workbook."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _MAX_BYTES:
                raise InputError("this workbook is too large for a par sheet")
            names = archive.namelist()
            strings = _read_strings(archive) if "xl/sharedStrings.xml" in names else []
            return {name: _read_cells(_parse(archive, path), strings) for name, path in _worksheet_paths(archive)}
    except InputError:
        raise
    except (
        zipfile.BadZipFile,
        KeyError,
        IndexError,
        ValueError,
        ElementTree.ParseError,
        NotImplementedError,
        OSError,
        InvalidOperation,
    ):
        raise InputError("this is not a readable Excel workbook") from None


def _parse(archive: zipfile.ZipFile, path: str) -> ElementTree.Element:
    text = archive.read(path)
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise InputError("this workbook contains XML that no spreadsheet writes")
    return ElementTree.fromstring(text)  # noqa: S314  # without a document type there are no entities to expand


def _worksheet_paths(archive: zipfile.ZipFile) -> list[tuple[str, str]]:
    targets = {
        relation.attrib["Id"]: relation.attrib["Target"].removeprefix("/xl/")
        for relation in _parse(archive, "xl/_rels/workbook.xml.rels")
    }
    sheets = _parse(archive, "xl/workbook.xml").iter(f"{_MAIN}sheet")
    return [(sheet.attrib["name"], f"xl/{targets[sheet.attrib[_RELATION]]}") for sheet in sheets]


def _read_strings(archive: zipfile.ZipFile) -> list[str]:
    items = _parse(archive, "xl/sharedStrings.xml").iter(f"{_MAIN}si")
    return ["".join(text.text or "" for text in item.iter(f"{_MAIN}t")) for item in items]


def _read_cells(worksheet: ElementTree.Element, strings: list[str]) -> dict[str, WorkbookCell]:
    cells = {}
    for cell in worksheet.iter(f"{_MAIN}c"):
        kind, formula = cell.get("t", "n"), cell.findtext(f"{_MAIN}f") or ""
        value = cell.findtext(f"{_MAIN}v") or ""
        if kind == "s":
            value = strings[int(value)]
        elif kind == "inlineStr":
            value = "".join(text.text or "" for text in cell.iter(f"{_MAIN}t"))
        if kind == "n" and value:
            Decimal(value)  # raises InvalidOperation for a damaged file
        if formula or value:
            text = value if kind == "n" else _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)
            cells[cell.attrib["r"]] = WorkbookCell(formula, text, kind == "n" and value != "")
    return cells


def extract_files(worksheets: Worksheets) -> dict[str, bytes]:
    """Return the files that a workbook carries on its hidden worksheet, by name."""
    columns: dict[str, dict[int, str]] = {}
    for reference, cell in worksheets.get(EMBEDDED, {}).items():
        match = re.fullmatch(r"([A-Z]+)(\d+)", reference)
        if match:
            columns.setdefault(match[1], {})[int(match[2])] = cell.value
    return {
        column[1]: "".join(column[row] for row in sorted(column) if row > 1).encode("utf-8")
        for column in columns.values()
        if 1 in column
    }


def compare_workbooks(stated: Worksheets, expected: Worksheets) -> list[str]:
    """Return every cell that differs."""
    differences = [f"worksheet {name}: missing" for name in expected if name not in stated]
    differences += [f"worksheet {name}: added" for name in stated if name not in expected]
    for name in [name for name in expected if name in stated]:
        cells, expected_cells = stated[name], expected[name]
        for reference in dict.fromkeys((*expected_cells, *cells)):
            cell, expected_cell = cells.get(reference), expected_cells.get(reference)
            if cell is None or expected_cell is None or not cell.agrees(expected_cell):
                differences.append(
                    f"{name}!{reference}: the file has {_show(cell)}, but {_show(expected_cell)} is rendered"
                )
    return differences


def _show(cell: WorkbookCell | None) -> str:
    if cell is None:
        return "nothing"
    text = cell.value if not cell.formula else f"{cell.value} (={cell.formula})"
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
