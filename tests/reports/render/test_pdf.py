"""PDFs contain every value, embed their fonts and are byte-identical on each run."""

import io
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from functools import cache

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from combinat.bets.catalog import get_paytable
from combinat.study import build_study
from decks import Shoe, parse_cards
from reports.answers.show import award_document
from reports.page.model import Column, Document, Figure, Formula, Hand, Plot, Section, Style, Table, format_cell
from reports.render.charts import draw_plot
from reports.render.pdf import render, widest
from reports.tables.awards import ladder_table

DIGITS = 8
LONG_FRACTION = f"{'1234567890' * 7}/{'9876543210' * 7}"
LONG_FORMULA = "n·(" + " + ".join(f"20949025536966656·n{power}" for power in "⁹⁸⁷⁶⁵⁴³²") + ")/((13·n − 2)·(13·n − 1))"
EDGES = tuple(Fraction(40 + 100 // decks, 1000) for decks in range(1, 10))
PLOT = Plot("Edge by decks", (*"12345678", "∞"), EDGES, frozenset({5, 7}), "decks", "house edge")
NASTY = '#import "x"; $x$ *bold* _it_ \\ " \' <a> @b // /* `raw` [#panic()] {1} ~ = #set page(fill: red)'


@pytest.fixture(scope="module")
def document():
    study = build_study(get_paytable("TRI-03"), Shoe(6))
    analysis, base = study.analysis, award_document(study)
    hand = Hand((("player", tuple(parse_cards("10s Kh"))), ("dealer", tuple(parse_cards("7d")))))
    examples = Table(
        (Column("Award"), Column("Example")), tuple((line.award.name, hand) for line in analysis.lines), "Examples"
    )
    exact = Table(
        (Column("Name"), Column("Exact"), Column("Formula")),
        (
            ("long", LONG_FRACTION, Formula(LONG_FORMULA, "")),
            ("short", "1/7", Formula("4·(n − 1)/(52·n − 1)", "")),
            ("signs", "− × ⁰¹²³⁴⁵⁶⁷⁸⁹ ∞ ≥ ≤ – — · ≈ √ ± σ", Formula("n", "")),
        ),
        "Exact values",
    )
    ledger = Table(
        (Column("Outcome"), Column("Ways", Style.COUNT)),
        (*((f"outcome {index}", index) for index in range(120)), ("total", 7140)),
        "Ledger",
        totals=1,
    )
    identity = (Figure("Document number", "PAR-007"), Figure("Game", "Blackjack"), Figure("Prepared by", ""))
    return replace(
        base,
        number="PAR-007",
        flags=("Favors the player.",),
        tables=(),
        sections=(
            Section("Identification", number=1, figures=identity),
            Section(
                "Awards", number=2, text=("In words.",), tables=(replace(ladder_table(analysis), totals=1), examples)
            ),
            Section("Statistics", number=3, figures=base.figures, notes=("A note.",)),
            Section("Decks", number=4, plots=(PLOT,)),
            Section("Appendix", number=5, tables=(exact, ledger)),
        ),
    )


@pytest.fixture(scope="module")
def pdf(document):
    return render(document, DIGITS, "A. Mathematician", "2026-11-16")


def read_pdf(pdf):
    return PdfReader(io.BytesIO(pdf))


def without_spaces(text):
    """Return a text without spaces, because lines may break anywhere in a long value."""
    return "".join(text.split())


@cache
def page_texts(pdf):
    return [page.extract_text() for page in read_pdf(pdf).pages]


def text_without_spaces(pdf):
    return without_spaces("".join(page_texts(pdf)))


def test_every_value_is_printed(document, pdf):
    text = text_without_spaces(pdf)
    for expected in (document.title, document.subtitle, *document.flags, *document.notes, "In words.", "A note."):
        assert without_spaces(expected) in text
    figures = [*document.figures, *(figure for section in document.sections for figure in section.figures)]
    for figure in figures:
        assert without_spaces(figure.label) in text
        assert without_spaces(format_cell(figure.value, figure.style, DIGITS)) in text
    for section in document.sections:
        assert without_spaces(f"{section.number or ''}{section.title}") in text
        for table in section.tables:
            assert without_spaces(table.caption) in text
            for row in table.rows:
                for cell, column in zip(row, table.columns, strict=True):
                    if isinstance(cell, str | int | Fraction):
                        assert without_spaces(format_cell(cell, column.style, DIGITS)) in text


def test_cards_show_rank_and_suit(pdf):
    assert "player10♠K♥dealer7♦" in text_without_spaces(pdf)


def test_long_values_wrap(pdf):
    text = text_without_spaces(pdf)
    assert without_spaces(LONG_FRACTION) in text
    assert without_spaces(LONG_FORMULA) in text
    assert "\u200b" not in text
    longest = max(len(line) for page in page_texts(pdf) for line in page.splitlines())
    assert longest < 150  # the most characters that fit on a line in the smallest font


def test_short_formulas_are_typeset_as_fractions(pdf):
    text = text_without_spaces(pdf)
    assert "4·(n−1)52·n−1" in text
    assert "4·(n−1)/(52·n−1)" not in text


def test_pages_are_numbered_and_headers_repeat(pdf):
    pages = page_texts(pdf)
    assert 4 <= len(pages) <= 8
    for number, page in enumerate(pages, 1):
        text = without_spaces(page)
        assert f"Page{number}of{len(pages)}" in text
        assert ("PAR-007" in text) == (number == 1 or text.startswith(without_spaces("TriLux Bonus TRI-03")))
    with_ledger = [page for page in pages if "outcome " in page]
    assert len(with_ledger) >= 3
    assert all("Ways" in text for text in with_ledger)


def test_fonts_are_embedded_and_author_is_set(document, pdf):
    reader = read_pdf(pdf)
    assert reader.metadata.title == document.title
    assert reader.metadata.author == "A. Mathematician"
    assert reader.metadata["/CreationDate"].startswith("D:20261116")
    assert reader.trailer["/Root"]["/MarkInfo"]["/Marked"]
    assert [entry.title for entry in reader.outline[1]] == [
        "1\u2002Identification",
        "2\u2002Awards",
        "3\u2002Statistics",
        "4\u2002Decks",
        "5\u2002Appendix",
    ]
    names = set()
    for page in reader.pages:
        for font in page["/Resources"]["/Font"].values():
            descriptor = font.get_object()["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & set(descriptor)
            names.add(descriptor["/FontName"].partition("+")[2])
    assert any(name.startswith("LibertinusSerif") for name in names)


@pytest.mark.slow  # fast: publish/test_batch.py::test_batch_is_deterministic_in_every_format
def test_rendering_is_deterministic(document, pdf, tmp_path):
    render(replace(document, title="Another"), DIGITS)
    assert render(document, DIGITS, "A. Mathematician", "2026-11-16") == pdf
    program = (
        "import sys, msgspec; from reports.page.model import *; from reports.render.pdf import render;"
        "sys.stdout.buffer.write(render(Document('T', figures=(Figure('f', 7),)), 8))"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env={"TZ": "Asia/Tokyo"}, capture_output=True, check=True
    )
    rendered = render(Document("T", figures=(Figure("f", 7),)), 8)
    assert process.stdout == rendered
    assert b"CreationDate" not in rendered


def test_text_is_never_read_as_markup():
    document = Document(
        NASTY,
        NASTY,
        (NASTY,),
        (Table((Column(NASTY),), ((NASTY,),), NASTY),),
        (Figure(NASTY, NASTY),),
        (NASTY,),
        (Section(NASTY, number=1, text=(NASTY,), plots=(replace(PLOT, caption=NASTY, x_label=NASTY),)),),
    )
    pdf = render(document, DIGITS, NASTY)
    assert text_without_spaces(pdf).count(without_spaces(NASTY)) >= 10
    assert read_pdf(pdf).metadata.title == NASTY


def test_long_title_words_wrap():
    title = "Donaudampfschifffahrtsgesellschaftskapitänsmützen" * 2
    first, second, *_ = read_pdf(render(Document(title), DIGITS)).pages[0].extract_text().splitlines()
    assert (first + second, len(second) > 0) == (title, True)


def test_characters_without_glyph_are_named():
    text = text_without_spaces(render(Document("Slots 🎰 中", figures=(Figure("long", "x" * 400),)), DIGITS))
    assert "Slots[U+1F3B0][U+4E2D]" in text
    assert "x" * 400 in text


def test_columns_fit_named_characters_and_other_digits():
    assert widest(["٣٣٣", "12345", "67890"]) == ["٣٣٣", "00000"]
    table = Table((Column("A"), Column("B")), (("中" * 8, "b"), ("c" * 40, "d")))
    assert (
        "[U+4E2D]" * 8 in read_pdf(render(Document("T", tables=(table,)), DIGITS)).pages[0].extract_text()
    )  # on one line


def test_key_figures_are_shown_once():
    figures = (Figure("House edge", Fraction(1, 32), Style.PERCENT),)
    for sections in ((), (Section("Headline", number=1, key="headline", figures=figures),)):
        assert (
            text_without_spaces(render(Document("T", figures=figures, sections=sections), DIGITS)).count("3.125000%")
            == 1
        )


def test_wide_tables_shrink_or_turn_landscape():
    for count, is_landscape in ((9, False), (24, True), (60, True)):
        columns = tuple(Column(f"Column {index}", Style.COUNT) for index in range(count))
        pdf = render(Document("Wide", tables=(Table(columns, ((1_234_567,) * count,) * 3),)), DIGITS)
        repeated = 0 if count < 60 else 9  # the widest is split into four tables that repeat the first column
        assert text_without_spaces(pdf).count("1,234,567") == 3 * count + repeated
        assert any(page.mediabox.width > page.mediabox.height for page in read_pdf(pdf).pages) == is_landscape


def test_plot_has_its_numbers():
    svg = draw_plot(PLOT)
    assert draw_plot(PLOT) == svg
    root = ElementTree.fromstring(svg)
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"decks", "house edge", "∞", "14.00%", "5.60%"} <= set(words)
    fills = [circle.get("fill") for circle in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert [index for index, fill in enumerate(fills) if fill != "#ffffff"] == [5, 7]
    assert "1 14.00%" in root.get("aria-label")


@pytest.mark.parametrize("values", [(), (Fraction(0),), (Fraction(1, 20),) * 3, (Fraction(-1, 3), Fraction(200))])
def test_any_values_can_be_plotted(values):
    svg = draw_plot(Plot('<&">', tuple(map(str, range(len(values)))), values, style=Style.DECIMAL))
    assert ElementTree.fromstring(svg).get("aria-label").startswith('<&">')


def test_typesetter_loads_with_the_first_page():
    modules = "sys, reports.render.pdf, reports.render.meter_plots"
    program = f"import {modules}; assert not {{'typst', 'matplotlib'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 595, 842), ("letter", 612, 792)])
def test_pages_have_the_paper_size(paper, width, height):
    pages = PdfReader(io.BytesIO(render(Document("t", "words " * 40), 6, paper=paper))).pages
    assert [(round(page.mediabox.width), round(page.mediabox.height)) for page in pages] == [(width, height)]


def test_actions_are_shaded():
    columns = (Column("Hand"), Column("2", Style.CHOICE))
    plain, shaded = (
        PdfReader(io.BytesIO(render(Document("t", tables=(Table(columns, (("A-A", cell),)),)), 6)))
        .pages[0]
        .get_contents()
        .get_data()
        for cell in ("—", "L")
    )
    assert shaded.count(b"scn") == plain.count(b"scn") + 1
