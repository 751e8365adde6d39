"""Every allowed value of --digits works in every format, and spreadsheets accept the number formats."""

import io
import re
import zipfile

import pytest

from reports.page.numerals import MAX_DIGITS
from reports.render.formats import render_sheet, sheet_formats
from reports.render.workbook.writer import MAX_CELL_DIGITS
from tests.sheets import build_sheet
from tests.slow_cases import slow_case

SHEETS = [("TRI-03", 6), ("METERS", 6), ("BUSTS", 6), ("FEW-9", 6)]
MAX_FORMAT_CODE = 255
"""Longest number format that spreadsheets accept, in characters."""


def number_formats(workbook):
    styles = zipfile.ZipFile(io.BytesIO(workbook)).read("xl/styles.xml").decode("utf-8")
    return [code.replace("&quot;", '"').replace("&gt;", ">") for code in re.findall(r'formatCode="([^"]*)"', styles)]


@pytest.mark.parametrize("digits", [0, 15, 31, 61, MAX_DIGITS, *map(slow_case, (1, 2, 17, 30, 45, 60, 255))])
@pytest.mark.parametrize(("id", "decks"), [*SHEETS[:3], slow_case(*SHEETS[3])])
def test_workbook_accepts_any_digits(id, decks, digits):
    codes = number_formats(render_sheet(build_sheet(id, decks), "xlsx", digits))
    assert max(map(len, codes)) <= MAX_FORMAT_CODE
    assert max(len(zeros) for code in codes for zeros in re.findall(r"\.(0+)", code)) <= max(MAX_CELL_DIGITS + 3, 4)


@pytest.mark.slow
def test_workbook_accepts_digits_across_the_range():
    for digits in (*range(101), *range(101, MAX_DIGITS, 60), MAX_DIGITS):
        assert render_sheet(build_sheet("TRI-03", 6), "xlsx", digits)[:2] == b"PK"


@pytest.mark.parametrize("format", [format for format in sheet_formats() if format not in ("xlsx", "pdf")])
def test_text_formats_accept_any_digits(format):
    for digits in (0, 1, 60, MAX_DIGITS):
        assert render_sheet(build_sheet("METERS", 6), format, digits)


@pytest.mark.slow
@pytest.mark.parametrize("digits", [0, 1, 60, MAX_DIGITS])
def test_pdf_accepts_any_digits(digits):
    assert render_sheet(build_sheet("METERS", 6), "pdf", digits)[:4] == b"%PDF"


@pytest.mark.parametrize("command", ["compare", "sensitivity"])
def test_workbooks_of_answers_accept_any_digits(run, tmp_path, command):
    for digits in (0, 60, MAX_DIGITS):
        target = tmp_path / f"{digits}.xlsx"
        assert run(command, "TRI-03", "--decks", "6", "--digits", str(digits), "--output", target)[0] == 0
        assert max(map(len, number_formats(target.read_bytes()))) <= MAX_FORMAT_CODE
