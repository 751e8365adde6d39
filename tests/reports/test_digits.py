"""Every number of decimals that is allowed gives a file in every format, and a workbook that spreadsheets take."""

import io
import re
import zipfile

import pytest

from reports.cli.arguments import MAX_DIGITS
from reports.publish.sheets import EXTENSIONS, render_sheet
from reports.render.workbook.writer import MAX_CELL_DIGITS
from tests.sheets import made

SHEETS = [("TRI-03", 6), ("METERS", 6), ("BUSTS", 6), ("FEW-9", 6)]
MAX_FORMAT_CODE = 255
"""Characters of a number format that spreadsheets take."""


def number_formats(workbook):
    styles = zipfile.ZipFile(io.BytesIO(workbook)).read("xl/styles.xml").decode("utf-8")
    return [code.replace("&quot;", '"').replace("&gt;", ">") for code in re.findall(r'formatCode="([^"]*)"', styles)]


@pytest.mark.parametrize("digits", [0, 1, 2, 15, 17, 30, 31, 45, 60, 61, 255, MAX_DIGITS])
@pytest.mark.parametrize(("id", "decks"), SHEETS)
def test_workbook_takes_any_number_of_decimals(id, decks, digits):
    codes = number_formats(render_sheet(made(id, decks), "xlsx", digits))
    assert max(map(len, codes)) <= MAX_FORMAT_CODE
    assert max(len(zeros) for code in codes for zeros in re.findall(r"\.(0+)", code)) <= max(MAX_CELL_DIGITS + 3, 4)


@pytest.mark.slow
def test_workbook_takes_numbers_of_decimals_across_the_range():
    for digits in (*range(101), *range(101, MAX_DIGITS, 60), MAX_DIGITS):
        assert render_sheet(made("TRI-03", 6), "xlsx", digits)[:2] == b"PK"


@pytest.mark.parametrize("format", [format for format in EXTENSIONS if format not in ("xlsx", "pdf")])
def test_text_formats_take_any_number_of_decimals(format):
    for digits in (0, 1, 60, MAX_DIGITS):
        assert render_sheet(made("METERS", 6), format, digits)


@pytest.mark.slow
@pytest.mark.parametrize("digits", [0, 1, 60, MAX_DIGITS])
def test_pdf_takes_any_number_of_decimals(digits):
    assert render_sheet(made("METERS", 6), "pdf", digits)[:4] == b"%PDF"


@pytest.mark.parametrize("command", ["compare", "sensitivity"])
def test_answers_as_workbooks_take_any_number_of_decimals(run, tmp_path, command):
    for digits in (0, 60, MAX_DIGITS):
        target = tmp_path / f"{digits}.xlsx"
        assert run(command, "TRI-03", "--decks", "6", "--digits", str(digits), "--output", target)[0] == 0
        assert max(map(len, number_formats(target.read_bytes()))) <= MAX_FORMAT_CODE
