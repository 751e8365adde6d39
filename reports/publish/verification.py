"""Verify files of par sheets of any kind: JSON, and PDF and workbooks by the data and the recipe that they carry.

A PDF or a workbook is checked in three steps: the verifier recounts the embedded JSON, the sheet is computed again from
the embedded recipe and must have the same JSON, and the file is rendered again and must be the same file.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from combinat.bets.schema import read_small_file
from combinat.enumeration.tally import NoHandError
from combinat.requests.request import Notify
from combinat.requests.verify import Verify
from combinat.results.verify import VerifyAnswer
from combinat.verifier import read_certificate
from decks import InputError
from decks.errors import one_line, printable
from reports.answers.verification import CheckedFile, verify_data, verify_file
from reports.page.files import format_json
from reports.publish.pdf_reader import PdfFile, describe_update
from reports.publish.recipe import Recipe, compute_sheet_with_recipe
from reports.publish.sheets import sheet_spec
from reports.publish.signature_state import signature_states
from reports.publish.workbook_reader import Worksheets, compare_workbooks, extract_files, read_workbook
from reports.render.formats import render_sheet
from reports.sheet.identity import software_version
from reports.sheet.par_sheet import DATA_FILE, RECIPE_FILE, ParSheet

_MAX_BYTES = 100_000_000
_MAX_LISTED = 20
_SIGNATURE_MARK = b"/ByteRange"
"""What a signature has, and no unsigned PDF."""


def verify_sheets(request: Verify, _notify: Notify) -> list[VerifyAnswer]:
    """Return the verdict on every sheet of a request."""
    return [check.answer for check in check_sheets(request)]


def check_sheets(request: Verify) -> list[CheckedFile]:
    """Verify every sheet of a request; a file that cannot be checked does not keep others from their verdicts."""
    return [
        verify_data(sheet, is_full=request.full)
        if isinstance(sheet, Mapping)
        else verify_path(Path(sheet), is_full=request.full)
        for sheet in request.sheets
    ]


def verify_path(path: Path, *, is_full: bool = False) -> CheckedFile:
    """Verify one file of a par sheet; a file that cannot be checked is reported as a problem."""
    try:
        content = read_small_file(path, _MAX_BYTES)
    except (InputError, OSError):
        return verify_file(path, is_full=is_full)  # says why the file cannot be read
    try:
        if content.startswith(b"%PDF-"):
            return _verify(path, content, _check_pdf, is_full)
        if content.startswith(b"PK\x03\x04"):
            return _verify(path, content, _check_workbook, is_full)
    except (InputError, NoHandError) as error:
        return CheckedFile(str(path), None, one_line(printable(str(error))))
    return verify_file(path, is_full=is_full)


class _Rendering(NamedTuple):
    """The result of rendering a file again."""

    differences: list[str]
    notes: list[str]


def _verify(
    path: Path,
    content: bytes,
    check: Callable[[bytes], tuple[dict[str, bytes], Callable[[ParSheet, Recipe], _Rendering]]],
    is_full: bool,
) -> CheckedFile:
    """Verify the data that a file carries, compute the sheet again, and compare the file with a new rendering."""
    files, compare = check(content)
    if DATA_FILE not in files:
        raise InputError("not a par sheet of combinat: no data is embedded; use the sheet's JSON file")
    checked_file = _verify_data(path, files[DATA_FILE], is_full)
    if checked_file.verdict is None:
        return checked_file
    if RECIPE_FILE not in files:
        raise InputError("the recipe of the sheet is not embedded; use the sheet's JSON file")
    recipe = Recipe.decode(files[RECIPE_FILE])
    sheet = _compute(recipe)
    rendering = compare(sheet, recipe)
    verdict = checked_file.verdict
    verdict.differences += [*_compare_data(files[DATA_FILE], sheet), *rendering.differences[:_MAX_LISTED]]
    if len(rendering.differences) > _MAX_LISTED:
        verdict.differences.append(f"{len(rendering.differences) - _MAX_LISTED} more differences in the rendered file")
    return replace(checked_file, notes=(*checked_file.notes, *rendering.notes))


def _verify_data(path: Path, data: bytes, is_full: bool) -> CheckedFile:
    """Verify the embedded JSON."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / DATA_FILE
        file.write_bytes(data)
        return replace(verify_file(file, is_full=is_full, certificate=read_certificate(path)), file=str(path))


def _compute(recipe: Recipe) -> ParSheet:
    spec = sheet_spec(recipe.load_paytable(), recipe.decks, recipe.options)
    return compute_sheet_with_recipe(spec, recipe.options)


def _is_other_version(data: bytes) -> bool:
    return f'"software": "{software_version()}"'.encode() not in data


def _compare_data(data: bytes, sheet: ParSheet) -> list[str]:
    """Compare the embedded JSON with that of the sheet computed again; another version may have other fields."""
    expected = format_json(sheet.payload).encode("utf-8")
    if data == expected or _is_other_version(data):
        return []
    lines = zip(data.decode("utf-8", "replace").splitlines(), expected.decode("utf-8").splitlines(), strict=False)
    for number, (line, expected_line) in enumerate(lines, 1):
        if line != expected_line:
            return [f"embedded data, line {number}: the file has {_cut(line)}, computed again {_cut(expected_line)}"]
    return ["embedded data: it is longer or shorter than the data computed again"]


def _cut(line: str) -> str:
    line = printable(line.strip())
    return line if len(line) <= 100 else f"{line[:100]}…"


def _check_pdf(content: bytes) -> tuple[dict[str, bytes], Callable[[ParSheet, Recipe], _Rendering]]:
    file = PdfFile(content)
    files = file.read_attachments()

    def compare(sheet: ParSheet, recipe: Recipe) -> _Rendering:
        rendering = compare_rendering(sheet, recipe)
        states = signature_states(content) if _SIGNATURE_MARK in content else []
        broken = [state.text for state in states if state.is_broken]
        return _Rendering(
            [*rendering.differences, *broken],
            [*rendering.notes, *(state.text for state in states if not state.is_broken)],
        )

    def compare_rendering(sheet: ParSheet, recipe: Recipe) -> _Rendering:
        rendered = render_sheet(sheet, "pdf", recipe.options.digits, recipe.options.paper)
        if content == rendered:
            return _Rendering([], ["the PDF is byte for byte the one that is rendered from its data"])
        if content.startswith(rendered):
            problems = describe_update(rendered, content)
            note = f"signed: the first {len(rendered):,} bytes are the PDF that is rendered from its data"
            return _Rendering(problems, [note])
        pages = _compare_pages(file.read_pages(), PdfFile(rendered).read_pages())
        if _is_other_version(files[DATA_FILE]):
            note = f"written by another version than {software_version()}: the text of the pages was compared"
            return _Rendering(pages, [note])
        return _Rendering(pages or ["the bytes of the PDF differ, although the text of its pages is the same"], [])

    return files, compare


def _compare_pages(pages: list[str], expected_pages: list[str]) -> list[str]:
    differences = [
        f"page {number}: the text differs from the page that is rendered from the data"
        for number, (page, expected) in enumerate(zip(pages, expected_pages, strict=False), 1)
        if _without_version(page) != _without_version(expected)
    ]
    if len(pages) != len(expected_pages):
        differences.append(f"the PDF has {len(pages)} pages, but {len(expected_pages)} are rendered from its data")
    return differences


def _without_version(page: str) -> str:
    """Return the text of a page without spaces, program version and fingerprints, which depend on the version."""
    return re.sub(r"combinat\d[\w.+]*|[0-9a-f]{64,}", "", "".join(page.split()))


def _check_workbook(content: bytes) -> tuple[dict[str, bytes], Callable[[ParSheet, Recipe], _Rendering]]:
    worksheets: Worksheets = read_workbook(content)
    files = extract_files(worksheets)

    def compare(sheet: ParSheet, recipe: Recipe) -> _Rendering:
        rendered = render_sheet(sheet, "xlsx", recipe.options.digits, recipe.options.paper)
        if content == rendered:
            return _Rendering([], ["the workbook is byte for byte the one that is rendered from its data"])
        differences = compare_workbooks(worksheets, read_workbook(rendered))
        cells = sum(map(len, worksheets.values()))
        notes = [f"the workbook was saved again: formulas and values of {cells:,} cells were compared"]
        return _Rendering(differences, notes)

    return files, compare
