"""HTML sheets and the index page, read back as a browser reads them."""

import base64
import hashlib
import re
import subprocess
import sys
import time
from fractions import Fraction
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from msgspec.structs import replace

from combinat.bets.catalog import get_paytable
from combinat.exact.surd import Surd
from combinat.study import build_study
from decks import Shoe, parse_cards
from reports.answers.show import award_document
from reports.page import numerals
from reports.page.model import Column, Document, Figure, Formula, Hand, Plot, Section, Style, Styled, Table, format_cell
from reports.page.text import decimal_pads
from reports.publish.index import Failure, IndexEntry, index_html
from reports.publish.key_figures import KeyFigure
from reports.publish.origin import Origin
from reports.render import html
from reports.render import html as markup
from tests.sheets import build_sheet

DIGITS = 10
VOID = {"meta", "link", "br", "hr", "img", "input", "wbr"}
HOSTILE = (
    "<script>alert(1)</script>",
    "\"quoted\" & 'quoted'",
    "{{ 7 * 7 }} {% raw %}",
    "</style></td></table>",
    "W" * 5000,
    "🂡 🎰 é",
    "<!-- -->",
    'x" onmouseover="alert(1)',
)


class PageReader(HTMLParser):
    """Collect a page's tables, figures, attributes and texts, and check that every tag is closed."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.tables, self.figures, self.attributes, self.ids = [], [], [], [], []
        self.texts = {}
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"{tag} has an attribute twice"
        self.attributes += [(tag, name, value) for name, value in attrs]
        self.ids += [value for name, value in attrs if name == "id"]
        if tag in VOID:
            return
        self.open.append(tag)
        match tag:
            case "table":
                self.tables.append({"caption": "", "thead": [], "tbody": [], "tfoot": []})
            case "tr":
                self.tables[-1][self.part].append([])
            case "th" | "td":
                self.tables[-1][self.part][-1].append("")
            case "dt":
                self.figures.append(["", ""])

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if not self.open:
            return
        for tag in ("h1", "h2", "p", "li", "script", "figcaption"):
            if tag in self.open:
                self.texts[tag] = self.texts.get(tag, "") + data
        if "caption" in self.open:
            self.tables[-1]["caption"] += data
        elif "td" in self.open or "th" in self.open:
            self.tables[-1][self.part][-1][-1] += data
        elif "dt" in self.open or "dd" in self.open:
            self.figures[-1]["dd" in self.open] += data

    @property
    def part(self):
        return next(tag for tag in reversed(self.open) if tag in ("thead", "tbody", "tfoot"))


def expected_text(cell, style):
    """Return the text expected on the page: cards for a hand, the common format for everything else."""
    value = cell.value if isinstance(cell, Styled) else cell
    if isinstance(value, Hand):
        return "".join(
            f"{role.replace('_', ' ')} " + "".join(f"{card.rank}{card.suit.symbol}\ufe0e" for card in cards)
            for role, cards in value.roles
        )
    return format_cell(cell, style, DIGITS)


def assert_reads_back(document):
    page = PageReader(html.render(document, DIGITS))
    blocks = [document, *document.sections]
    tables = [table for block in blocks for table in block.tables]
    assert len(page.tables) == len(tables)
    for read, table in zip(page.tables, tables, strict=True):
        rows = [
            [expected_text(cell, column.style) for cell, column in zip(row, table.columns, strict=True)]
            for row in table.rows
        ]
        body = len(rows) - table.totals
        assert read == {
            "caption": table.caption,
            "thead": [[column.title for column in table.columns]],
            "tbody": rows[:body],
            "tfoot": rows[body:],
        }
    # The key figures are shown once: in the headline section if there is one, else at the top.
    sections_with_figures = blocks[1:] if any(section.key == "headline" for section in document.sections) else blocks
    figures = [figure for block in sections_with_figures for figure in block.figures]
    assert page.figures == [[figure.label, expected_text(figure.value, figure.style)] for figure in figures]
    for block in blocks:
        for note in block.notes:
            assert note in page.texts["li"]
    for section in document.sections:
        assert (f"{section.number} {section.title}" if section.number else section.title) in page.texts["h2"]
        for text in section.text:
            assert text in page.texts["p"]
        for plot in section.plots:
            assert plot.caption in page.texts["figcaption"]
    for flag in document.flags:
        assert flag in page.texts["li"]
    assert page.texts["h1"].startswith(document.title)
    assert_self_contained(page)
    return page


def assert_self_contained(page):
    assert len(page.ids) == len(set(page.ids))
    for tag, name, value in page.attributes:
        assert name not in ("src", "srcset", "xlink:href")
        assert not name.startswith("on")
        if name == "href":
            assert ":" not in value
            assert not value.startswith("//")
            assert tag == "a"
            if value.startswith("#"):
                assert value[1:] in page.ids


def build_document(*, words=("plain",)):
    """Return a document with every type of content."""
    hand = Hand((("player", parse_cards("7h 10d")), ("up_card", parse_cards("As"))))
    columns = (Column(words[0]), Column("Ways", Style.COUNT), Column("Probability", Style.DECIMAL), Column("Hand"))
    rows = (
        *((word, 864, Fraction(2, 125333), hand) for word in words),
        ("root", None, Surd(Fraction(2)), Formula("4·n³", "4n^3")),
        ("other style", "impossible", Styled(Fraction(1, 3), Style.PERCENT), ""),
        ("total", 5_013_320, 1, None),
    )
    plot = Plot(" ".join(words), ("1", words[0]), (Fraction(1, 20), Fraction(1, 30)), frozenset({1}))
    return Document(
        title=words[0],
        subtitle=words[-1],
        flags=words,
        figures=(Figure("House edge", Fraction(1, 30), Style.PERCENT), *(Figure(word, word) for word in words)),
        notes=words,
        sections=(
            Section("Identification", number=1, figures=(Figure("Prepared by", ""), Figure("SHA-256", "a3" * 32))),
            Section(words[0], number=2, text=words, tables=(Table(columns, rows, words[0], totals=1),), plots=(plot,)),
        ),
    )


@pytest.mark.parametrize(("id", "decks"), [("TRI-03", 6), ("METERS", 6), ("BUSTS", 2)])
def test_every_cell_of_a_sheet_reads_back(id, decks):
    sheet = build_sheet(id, decks)
    assert_reads_back(sheet.document)
    assert_reads_back(award_document(sheet.study))


def test_every_value_type_reads_back():
    page = assert_reads_back(build_document())
    assert page.tables[0]["tfoot"] == [["total", "5,013,320", "1.0000000000", numerals.NO_VALUE]]
    assert ("span", "aria-label", "7 of hearts, 10 of diamonds") in page.attributes
    assert ("span", "aria-label", "a line to fill in") in page.attributes
    text = html.render(build_document(), DIGITS)
    assert [word for word in ("http:", "https:", "url(", "@import", "<script") if word in text] == []


def content_policy(page):
    assert page.index("Content-Security-Policy") < page.index("<style>")
    return re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")


def test_content_policy_allows_only_the_own_script():
    sheet, index = html.render(build_document(), DIGITS), index_html([])
    assert "script-src" not in content_policy(sheet)
    (script,) = re.findall(r"<script>(.*?)</script>", index, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}';" in content_policy(index)
    for policy in map(content_policy, (sheet, index)):
        assert policy.startswith("default-src 'none'; ")
        assert "//" not in policy


def test_bet_text_is_escaped():
    document = build_document(words=HOSTILE)
    page = assert_reads_back(document)
    text = html.render(document, DIGITS)
    assert "script" not in page.texts
    assert "<script" not in text
    assert text.count("</style>") == 1
    assert all(name not in ("onmouseover",) for _, name, _ in page.attributes)


def test_only_long_words_may_break():
    assert markup.split_breakable("W" * 40) == ("W" * 16, "W" * 16, "W" * 8)
    assert "".join(markup.split_breakable(f"a {'1234567,' * 9}/{'9' * 30} z")) == f"a {'1234567,' * 9}/{'9' * 30} z"
    assert markup.split_breakable("a table of short words " * 9) == ("a table of short words " * 9,)


def test_rounded_numbers_have_exact_titles():
    study = build_study(get_paytable("TRI-03"), Shoe(6))
    analysis = study.analysis
    page = PageReader(html.render(award_document(study), DIGITS))
    titles = {value for tag, name, value in page.attributes if (tag, name) == ("td", "title")}
    assert {str(line.probability) for line in analysis.lines} <= titles
    assert str(analysis.standard_deviation) in {
        text for tag, name, text in page.attributes if (tag, name) == ("dd", "title")
    }


def test_huge_fractions_have_no_title():
    huge = Fraction(1, 3**20_000)  # beyond Python's limit for converting integers to text
    table = Table((Column("Plays"), Column("Chance", Style.DECIMAL)), (("a million", huge), ("root", Surd(huge))))
    page = PageReader(html.render(Document("t", tables=(table,)), DIGITS))
    assert page.tables[0]["tbody"] == [["a million", "0.0000000000"], ["root", "0.0000000000"]]
    assert all(name != "title" for _, name, _ in page.attributes)


def test_decimal_points_are_aligned():
    texts = ["1,234", "5.25", "−0.5", "12.5%", "none"]
    padded = [text + pad for text, pad in zip(texts, decimal_pads(texts), strict=True)]
    suffix_lengths = {len(text) - re.search(r"[.%]|$", text).start() for text in padded[:-1]}
    assert suffix_lengths == {len(".25%")}
    assert padded[-1] == "none"


def test_rendering_is_deterministic():
    document = build_document(words=HOSTILE)
    first = html.render(document, DIGITS)
    html._environment.cache_clear()
    assert html.render(document, DIGITS) == first


def test_sections_are_linked_from_the_top():
    page = PageReader(html.render(build_document(), DIGITS))
    links = [value for tag, name, value in page.attributes if (tag, name) == ("a", "href")]
    assert links == ["#section-1", "#section-2"] * 2  # one list for wide screens, a collapsible one for phones


def test_template_library_loads_with_the_first_page():
    code = "import sys, reports.render.html, reports.publish.index; print('jinja2' in sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "False"


@pytest.mark.slow  # fast: test_every_cell_of_a_sheet_reads_back
def test_page_renders_quickly():
    document = award_document(build_study(get_paytable("BB-1"), Shoe(6)))
    html.render(document, DIGITS)
    times = []
    for _ in range(5):
        start = time.process_time()  # CPU time, independent of other processes
        html.render(document, DIGITS)
        times.append(time.process_time() - start)
    assert min(times) < 0.25  # about 0.01 s on an idle machine


def build_entries(folder, bet_names=("TriLux Bonus",)):
    entries = []
    for bet_name in bet_names:
        for decks in (6, 8):
            files = []
            for format, extension in (("pdf", "pdf"), ("html", "html"), ("markdown", "md"), ("latex", "tex")):
                name = f"21+3 #{len(entries)}%: é_{decks}.{extension}"
                (folder / name).write_text("")
                files.append((format, name))
            figures = (KeyFigure("House edge", "4.41%"), KeyFigure("Hit frequency", bet_name))
            entries.append(IndexEntry(bet_name, bet_name, bet_name, decks, figures, (bet_name,), tuple(files)))
    return entries


def test_index_links_to_every_file_and_the_manifest(tmp_path):
    batch_entries = build_entries(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    page = PageReader(index_html(batch_entries))
    links = [unquote(value) for tag, name, value in page.attributes if (tag, name) == ("a", "href")]
    written = {name for entry in batch_entries for _, name in entry.files} | {"manifest.json"}
    assert written | {"checker.html"} == set(links)
    assert all((tmp_path / link).is_file() for link in written)
    assert_self_contained(page)


def test_index_has_paytable_rows_and_deck_columns(tmp_path):
    figures = (KeyFigure("House edge", "2%"), KeyFigure("Top award", "9 to 1"))
    other = replace(build_entries(tmp_path)[0], bet="House Money", figures=figures)
    (table,) = PageReader(index_html([*build_entries(tmp_path), other])).tables
    assert table["thead"] == [
        ["Paytable", "Bet", "House edge by number of decks", "Hit frequency", "Top award", "Files"],
        ["6", "8"],
    ]
    (trilux, house_money) = table["tbody"]
    assert trilux[1:-1] == ["TriLux Bonus", "4.41%", "4.41%", "TriLux Bonus", ""]
    assert house_money[1:-1] == ["House Money", "2%", "", "", "9 to 1"]
    assert trilux[-1].startswith("8 files")


def test_index_filters_by_origin_and_labels_other_bases(tmp_path):
    first, second = build_entries(tmp_path, ("TriLux Bonus", "House Money"))[::2]
    first = replace(first, figures=(KeyFigure("House edge", "4%", "wager alone"),), origin=Origin(status="source"))
    second = replace(second, figures=(KeyFigure("Hold", "9%", "long run"),), origin=Origin(status="example"))
    text = index_html([first, second])
    page = PageReader(text)
    (table,) = page.tables
    assert "house edge, wager alone, unless a cell says otherwise" in text
    assert [row[2] for row in table["tbody"]] == ["4%", "9%hold, long run"]
    selects = [value for tag, name, value in page.attributes if (tag, name) == ("select", "name")]
    assert selects == ["status"]  # there is nothing to choose among one value
    assert 'data-status="example"' in text


def test_flag_of_some_deck_counts_names_them(tmp_path):
    first, second = build_entries(tmp_path)
    page = PageReader(index_html([first, replace(second, flags=("Not designed for 8 decks",))]))
    (row,) = page.tables[0]["tbody"]
    assert "Not designed for 8 decks (8)" in row[0]  # next to the name, which stays visible while scrolling


def test_index_begins_with_failures():
    page = index_html([], [Failure("TRI-03-6D", "no room on the disk"), Failure("<b>", "{{ 1 }}")])
    reader = PageReader(page)
    assert "2 sheets could not be written" in reader.texts["p"]
    assert "TRI-03-6D: no room on the disk" in reader.texts["li"]
    assert "<b>: {{ 1 }}" in reader.texts["li"]
    assert page.index("no room on the disk") < page.index("<table")
    assert "could not" not in index_html([])


def test_bet_text_is_escaped_in_the_index(tmp_path):
    page = index_html(build_entries(tmp_path, HOSTILE), title=HOSTILE[0])
    reader = PageReader(page)
    assert_self_contained(reader)
    assert page.count("<script") == 1
    assert "alert" not in reader.texts["script"]
    assert [row[1] for row in reader.tables[0]["tbody"]] == list(HOSTILE)
    assert index_html(build_entries(tmp_path, HOSTILE), title=HOSTILE[0]) == page


def test_equal_actions_have_equal_shading():
    columns = (Column("Hand"), Column("2", Style.CHOICE), Column("3", Style.CHOICE))
    rows = (("A-A", "L", "T"), ("A-2", "T", "—"))
    page = PageReader(html.render(Document("t", tables=(Table(columns, rows),)), DIGITS))
    classes = [value for tag, name, value in page.attributes if tag == "td" and name == "class"]
    assert [class_name for class_name in classes if "choice" in class_name] == [
        "choice tone-0",
        "choice tone-1",
        "choice tone-1",
    ]
