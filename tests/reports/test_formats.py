"""An output format is one entry of the table of formats and its renderer."""

import pytest

from combinat import par_sheet
from reports.render.formats import FORMATS, Format, Use, parse_sheet_formats, sheet_formats
from reports.studio.answers import answer_request


def render_toy(document, _):
    """Render a document as its title and the number of its sections."""
    return f"toy: {document.title.splitlines()[0]}, {len(document.sections)} sections\n"


@pytest.fixture
def toy(monkeypatch):
    """Register a format that nothing else in the program knows."""
    format = Format("toy", "toyfile", "text/x-toy", "Toy", "TOY", Use.ANSWERS | Use.PAGES | Use.SHEETS, render_toy)
    monkeypatch.setitem(FORMATS, "toy", format)


@pytest.mark.usefixtures("toy")
def test_answer_is_printed_in_a_new_format(run):
    assert run("show", "TRI-03", "--format", "toy")[1].startswith("toy: ")
    assert run("odds", "pair", "--deal", "player:2", "--decks", "1", "--format", "toy")[1].startswith("toy: ")


@pytest.mark.usefixtures("toy")
def test_answer_is_written_to_a_file_by_its_extension(run, tmp_path):
    run("compare", "TRI-03", "TRI-04", "--output", str(tmp_path / "x.toyfile"))
    assert (tmp_path / "x.toyfile").read_text().startswith("toy: ")


@pytest.mark.usefixtures("toy")
def test_sheets_and_their_index_are_written_in_a_new_format(run, tmp_path):
    run("parsheet", "TRI-03", "--decks", "6", "--format", "toy", "--output", str(tmp_path))
    run("parsheet", "TRI-03", "--decks", "6", "--output", str(tmp_path / "named.toyfile"))
    text = (tmp_path / "TRI-03-6D.toyfile").read_text()
    assert (text, text.startswith("toy: ")) == ((tmp_path / "named.toyfile").read_text(), True)
    options = ("--only", "TRI-03", "--decks", "6", "--format", "toyfile", "--jobs", "1")
    run("parsheets", *options, "--output", str(tmp_path / "batch"))
    assert ">TOY</a>" in (tmp_path / "batch" / "index.html").read_text()


@pytest.mark.usefixtures("toy")
def test_api_and_studio_offer_a_new_format():
    assert "toy" in parse_sheet_formats("all")
    assert par_sheet("TRI-03", 6).text("toy").startswith("toy: ")
    answer = answer_request("par_sheet", {"bet": {"id": "TRI-03"}, "decks": 6, "format": "toy"})
    assert (answer.type, answer.file) == ("text/x-toy", "TRI-03-6D.toyfile")


def test_formats_have_distinct_names_and_extensions():
    extensions = [name for format in FORMATS.values() for name in (format.extension, *format.more_extensions)]
    assert len(extensions) == len(set(extensions))
    assert all(format.name == name for name, format in FORMATS.items())
    assert all(FORMATS[name].render_sheet or FORMATS[name].render_document for name in sheet_formats())
