"""A sheet of a changed catalog paytable is marked as a variant in every format, and the verifier accepts it."""

import json
import re
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest
from jsonschema import Draft202012Validator

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.blackjack.rules import BlackjackRules
from combinat.study import Study
from combinat.verifier import verify
from decks import Shoe
from reports.publish.par_sheet import par_sheet
from reports.publish.sheets import SCHEMA, SheetOptions, sheet_spec
from reports.sheet.identity import Identity
from reports.sheet.sections.request import Request

SOURCES = get_paytable("TRI-03").bet.sources
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.fixture
def changed(tmp_path):
    head, body = get_paytable("TRI-03").bet.file.split('id = "TRI-03"')
    path = tmp_path / "changed.toml"
    path.write_text(f'{head}id = "TRI-03"{body.replace("100 to 1", "90 to 1", 1)}')
    return f"{path}:TRI-03"


def check_variant(sheet, document=None):
    """Check a sheet's data: its marks, its form, and every figure again."""
    assert any(flag.startswith(f"a variant of {sheet['variant']['of']}, ") for flag in sheet["flags"])
    assert sheet["variant"]["differences"]
    assert all(source.startswith("Based on ") for source in sheet["sources"])
    assert sheet["sources"]
    assert not list(VALIDATOR.iter_errors(sheet))
    verdict = verify(sheet)
    assert not verdict.differences
    assert [one["result"] for one in sheet["checks"] if one["result"] == "DIFFERS"] == []
    if document is not None:
        assert sheet["identification"]["document"] == document


def test_sheet_of_a_changed_copy_is_marked_in_every_text_format(changed):
    sheet = par_sheet(changed, 6)
    assert sheet.name.startswith("TRI-03_6-decks_variant-")
    mark = sheet.name.rpartition("_")[2]
    check_variant(sheet.payload, f"TRI-03-6D-{mark}")
    assert sheet.payload["title"] == "TriLux Bonus TRI-03, variant"
    for format in ("json", "markdown", "html", "csv", "latex"):
        text = " ".join(re.sub(r"<[^>]*>|\\\\|\u200b", "", sheet.text(format)).split())
        assert "TriLux Bonus TRI-03, variant" in text or format == "csv"  # which has no title
        assert "variant of TRI-03" in text
        assert f"TRI-03-6D-{mark}" in text
        for source in SOURCES:
            assert text.count(source) == text.count(f"Based on TRI-03: {source}") > 0


def test_workbook_of_a_changed_copy_is_marked(changed):
    book = openpyxl.load_workbook(BytesIO(par_sheet(changed, 6).content("xlsx")))
    cells = [str(cell.value) for page in book for row in page.iter_rows() for cell in row if cell.value is not None]
    assert "TriLux Bonus TRI-03, variant" in cells
    assert any(cell.startswith("TRI-03-6D-variant-") for cell in cells)
    assert not [cell for cell in cells for source in SOURCES if source in cell and not cell.startswith("Based on")]


def test_unchanged_copy_gives_the_catalogs_sheet(tmp_path):
    path = tmp_path / "copy.toml"
    path.write_text(get_paytable("TRI-03").bet.file)
    ours, theirs = par_sheet(f"{path}:TRI-03", 6), par_sheet("TRI-03", 6)
    assert ours.name == theirs.name
    assert ours.payload == theirs.payload
    assert "variant" not in theirs.payload


@pytest.mark.parametrize(
    ("original", "overrides"),
    [
        (("TRI-03", "--decks", "6"), [("--pays", "Flush=6"), ("--pays", "Flush=7")]),
        pytest.param(("BB-1", "--decks", "2"), [("--s17",)], marks=pytest.mark.slow),
        pytest.param(
            ("SOB-EXAMPLE", "--decks", "6"),
            [("--seed", "5000"), ("--rate", "9%"), ("--house-jackpot", "--meter", "5000")],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_document_numbers_of_variants_are_their_own(original, overrides, run, tmp_path):
    documents, names = [], []
    for override in ((), *overrides):
        code, out, error = run("parsheet", *original, *override, "--format", "json", "-o", str(tmp_path))
        assert (code, error) == (0, "")
        sheet = json.loads(Path(out.strip()).read_text())
        documents.append(sheet["identification"]["document"])
        names.append(out)
        if override:
            check_variant(sheet)
        else:
            assert "variant" not in sheet
    assert len(set(documents)) == len(set(names)) == len(documents)


def test_document_number_names_rules_of_the_table_that_winnings_ride_on():
    options = SheetOptions(rules=BlackjackRules(hits_soft_17=False))
    sheet = sheet_spec(get_paytable("HM-1"), 6, options)
    assert sheet.table == ("s17",)
    analyzed = Study(analyze_wager(sheet.paytable, Shoe(6)))
    assert Request(analyzed, table=sheet.table).document_number == "HM-1-6D-s17"
    assert Request(analyzed).document_number == "HM-1-6D"
    assert Request(analyzed, Identity(document="A-1"), table=sheet.table).document_number == "A-1"


def test_verifier_finds_a_variant_that_passes_for_the_original(changed):
    sheet = json.loads(par_sheet(changed, 6).text("json"))
    del sheet["variant"]
    assert any("flags" in one for one in verify(sheet).differences)
    sheet = json.loads(par_sheet(changed, 6).text("json"))
    sheet["flags"] = []
    assert any("flags" in one for one in verify(sheet).differences)


def test_answer_about_a_changed_copy_says_variant(run, changed):
    code, out, _ = run("show", changed, "--decks", "6", "--format", "json")
    assert code == 0
    (answer,) = json.loads(out)
    assert answer["variant"] == {"of": "TRI-03", "differences": ["pays"]}
    assert "Based on TRI-03" in run("show", changed, "--decks", "6")[1]
