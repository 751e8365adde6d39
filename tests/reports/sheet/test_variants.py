"""A sheet of a changed catalog paytable is marked as a variant in every format, and the verifier accepts it."""

import json
import re
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest
from jsonschema import Draft202012Validator

from combinat import par_sheet
from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.blackjack.rules import BlackjackRules
from combinat.results.par_sheet import sheet_schema
from combinat.study import Study
from combinat.verifier import verify
from decks import Shoe
from reports.publish.sheets import SheetOptions, sheet_spec
from reports.sheet.identity import Identity
from reports.sheet.sections.request import Request
from tests.slow_cases import slow_case

SOURCES = get_paytable("TRI-03").bet.sources
VALIDATOR = Draft202012Validator(sheet_schema())


@pytest.fixture
def changed_copy(tmp_path):
    head, body = get_paytable("TRI-03").bet.file.split('id = "TRI-03"')
    path = tmp_path / "changed.toml"
    path.write_text(f'{head}id = "TRI-03"{body.replace("100 to 1", "90 to 1", 1)}')
    return f"{path}:TRI-03"


def check_variant(sheet, document=None):
    """Check that a payload is marked as a variant, fits the schema and verifies."""
    assert any(flag.startswith(f"a variant of {sheet['variant']['of']}, ") for flag in sheet["flags"])
    assert sheet["variant"]["differences"]
    assert all(source.startswith("Based on ") for source in sheet["sources"])
    assert sheet["sources"]
    assert not list(VALIDATOR.iter_errors(sheet))
    verdict = verify(sheet)
    assert not verdict.differences
    assert [row["result"] for row in sheet["checks"] if row["result"] == "DIFFERS"] == []
    if document is not None:
        assert sheet["identification"]["document"] == document


def test_changed_copy_is_marked_in_every_text_format(changed_copy):
    sheet = par_sheet(changed_copy, 6)
    assert sheet.name.startswith("TRI-03-6D-variant-")
    mark = sheet.name.removeprefix("TRI-03-6D-")
    check_variant(sheet.payload, f"TRI-03-6D-{mark}")
    assert sheet.payload["title"] == "TriLux Bonus TRI-03, variant"
    for format in ("json", "markdown", "html", "csv", "latex"):
        text = " ".join(re.sub(r"<[^>]*>|\\\\|\u200b", "", sheet.text(format)).split())
        assert "TriLux Bonus TRI-03, variant" in text or format == "csv"  # CSV has no title
        assert "variant of TRI-03" in text
        assert f"TRI-03-6D-{mark}" in text
        in_file = sum(source in str(sheet.payload["input_files"]) for source in SOURCES) if format == "json" else 0
        for source in SOURCES:
            assert text.count(source) - bool(in_file) == text.count(f"Based on TRI-03: {source}") > 0


@pytest.mark.parametrize(("id", "options"), [("TRI-03", {"pays": "Flush=6"}), ("BB-1", {"hits_soft_17": False})])
def test_title_of_every_page_names_the_original(id, options):
    sheet = par_sheet(id, 2, **options)
    assert sheet.document.title.startswith(f"{sheet.name}, variant of {id}: ")
    assert sheet.name != f"{id}-2D"


def test_changed_copy_is_marked_in_the_workbook(changed_copy):
    book = openpyxl.load_workbook(BytesIO(par_sheet(changed_copy, 6).content("xlsx")), data_only=True)
    cells = [
        str(cell.value)
        for page in book
        if page.sheet_state == "visible"
        for row in page.iter_rows()
        for cell in row
        if cell.value is not None
    ]
    assert any(cell.endswith("TriLux Bonus TRI-03, variant") for cell in cells)
    assert any(cell.startswith("TRI-03-6D-variant-") for cell in cells)
    assert not [cell for cell in cells for source in SOURCES if source in cell and "Based on TRI-03" not in cell]


def test_unchanged_copy_gives_the_catalog_sheet(tmp_path):
    path = tmp_path / "copy.toml"
    path.write_text(get_paytable("TRI-03").bet.file)
    copy, original = par_sheet(f"{path}:TRI-03", 6), par_sheet("TRI-03", 6)
    assert copy.name == original.name
    assert copy.payload == original.payload
    assert "variant" not in original.payload


@pytest.mark.parametrize(
    ("original", "overrides"),
    [
        (("TRI-03", "--decks", "6"), [("--pays", "Flush=6"), ("--pays", "Flush=7")]),
        slow_case(("BB-1", "--decks", "2"), [("--s17",)]),
        slow_case(
            ("SOB-EXAMPLE", "--decks", "6"),
            [("--seed", "5000"), ("--rate", "9%"), ("--posted-jackpot", "--meter", "5000")],
        ),
    ],
)
def test_variants_have_distinct_document_numbers(original, overrides, run, tmp_path):
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


def test_document_number_includes_table_rules():
    options = SheetOptions(rules=BlackjackRules(hits_soft_17=False))
    sheet = sheet_spec(get_paytable("HM-1"), 6, options)
    assert sheet.table == ("s17",)
    study = Study(analyze_wager(sheet.paytable, Shoe(6)))
    assert Request(study, table=sheet.table).document_number == "HM-1-6D-s17"
    assert Request(study).document_number == "HM-1-6D"
    assert Request(study, Identity(document="A-1"), table=sheet.table).document_number == "A-1"


def test_verifier_finds_an_unmarked_variant(changed_copy):
    sheet = json.loads(par_sheet(changed_copy, 6).text("json"))
    del sheet["variant"]
    assert any("flags" in difference for difference in verify(sheet).differences)
    sheet = json.loads(par_sheet(changed_copy, 6).text("json"))
    sheet["flags"] = []
    assert any("flags" in difference for difference in verify(sheet).differences)


def test_answer_about_a_changed_copy_is_marked(run, changed_copy):
    code, out, _ = run("show", changed_copy, "--decks", "6", "--format", "json")
    assert code == 0
    (answer,) = json.loads(out)
    assert answer["variant"] == {"of": "TRI-03", "differences": ["pays"]}
    assert "Based on TRI-03" in run("show", changed_copy, "--decks", "6")[1]
