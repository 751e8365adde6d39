"""Free text of a bet file or of a sheet's identification is shown as is and is inert in every format."""

import csv
import io
import json
import re
from functools import lru_cache
from html.parser import HTMLParser

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from openpyxl import load_workbook
from pypdf import PdfReader

from combinat.bets.load import parse_bet
from combinat.bets.schema import MAX_NAME, MAX_TEXT
from combinat.results.comparison import Comparison
from combinat.study import build_study
from decks import InputError, Shoe
from reports.answers.catalog import collections_document
from reports.answers.compare import comparison_document
from reports.answers.ledger import ledger_lines
from reports.answers.show import award_document, overview_document
from reports.publish.sheets import SheetOptions, SheetSpec, compute_sheet
from reports.render.formats import render_sheet, render_text, sheet_formats
from reports.sheet.identity import Identity
from tests.profiles import tries
from tests.slow_cases import slow_case

NAMES = ("bet", "game", "made", "settled", "hand", "name", "title", "requires")
PARAGRAPHS = ("source", "notes", "own_notes", "basis")
FIELDS = (*NAMES, *PARAGRAPHS)
IDENTITY_FIELDS = ("document", "revision", "prepared_by", "reviewed_by", "jurisdiction")
PLAIN = {field: f"Plain {field.replace('_', ' ')}" for field in (*FIELDS, *IDENTITY_FIELDS)}

TEX = [r"\write18{ls}", r"\input{x}", "^^5cwrite18", "%", "{", "}", "$x$", "&", "#1", "_", "~", r"\\", "[2pt]", "*"]
FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x","y")', "'=1", "＝1", "=cmd|' /C calc'!A0", " =1"]
MARKUP = [
    "<script>alert(1)</script>",
    "</style>",
    "]]>",
    "<!--",
    "&lt;",
    "&amp;",
    '" onload="x',
    "{{ 7*7 }}",
    "{% x %}",
]
MARKDOWN = ["# heading", "- item", "+ item", "1. item", "2) x", "---", "===", "> quote", "```", "~~x~~", "**b**", "`c`"]
MARKDOWN += ["[x](javascript:alert(1))", "![x](http://y)", "<http://x.y>", "[a]: http://b", "| a | b |", "<b>", "\\"]
TYPST = ["#sys.inputs", "#import", '#eval("1")', "$ x $", "@label", "<label>"]
UNICODE = [
    "1\ufe0f\u20e3",
    "#\ufe0f\u20e3",
    "👩🏽",
    "🇩🇪",
    "e" + "\u0301" * 9,
    "نص",
    "עברית",
    "字漢",
    "ไทย",
    "x" * 70,
    "ﷺ",
    "'",
    '"',
]
PRINTABLE = st.sampled_from([*TEX, *FORMULAS, *MARKUP, *MARKDOWN, *TYPST, *UNICODE]) | st.text(
    st.characters(exclude_categories=("C", "Z")), max_size=4
)
INVISIBLE = ["\x00", "\x07", "\x1b[2J", "\x1b]0;x\x07", "\x7f", "\x85", "\x9b", "\u00ad", "\u200b", "\u200d", "\u2028"]
INVISIBLE += ["\u202a", "\u202e", "\u2066", "\ufeff", "\ue000", "\uffff", "\U000e0041", "\x0b", "\x1c"]


def text_of_length(max_length):
    texts = st.lists(PRINTABLE, min_size=1, max_size=3).map(lambda parts: " ".join(parts)[:max_length].strip())
    return texts.filter(lambda text: text and text.isprintable())


def toml_string(text):
    """Return a text as a TOML string."""
    return (
        '"' + "".join(f"\\U{ord(character):08X}" if not character.isalnum() else character for character in text) + '"'
    )


def build_file(texts):
    texts = {key: toml_string(text) for key, text in (PLAIN | texts).items()}
    return f"""
bet = {texts["bet"]}
game = {texts["game"]}
made = {texts["made"]}
settled = {texts["settled"]}
source = [{texts["source"]}]
notes = [{texts["notes"]}]
deal = "first_card:1"
[hands]
{texts["hand"]} = "has(7)"
[[paytable]]
id = "X"
decks = 1
title = {texts["title"]}
requires = {texts["requires"]}
notes = [{texts["own_notes"]}]
awards = [
  {{ hand = {texts["hand"]}, pays = "100% of Mega" }},
  {{ name = {texts["name"]}, when = "has(8)", pays = "5 to 1" }},
]
meters = [{{ kind = "house jackpot", basis = {texts["basis"]}, levels = [{{ name = "Mega", seed = 5 }}] }}]
"""


ALL_FORMATS = sheet_formats()


def render_sheet_with(texts, formats=ALL_FORMATS):
    (paytable,), problems = parse_bet(build_file(texts), "mine.toml")
    assert problems == ()
    identity = Identity(**{key: (PLAIN | texts)[key] for key in IDENTITY_FIELDS})
    sheet = compute_sheet(SheetSpec(paytable, 1), SheetOptions(identity=identity))
    return paytable, {format: render_sheet(sheet, format, 6) for format in formats}


class TagCollector(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.tags, self.words, self.within = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        names = sorted(name for name, _ in attributes)
        if tag not in ("wbr", "br", "span"):
            self.within.append(tag)
            self.tags.append((tag, tuple(name for name in names if name not in ("class", "style", "data-pad"))))
        assert not any(name.startswith("on") for name in names)
        assert not any(value.strip().lower().startswith("javascript") for _, value in attributes if value)

    def handle_data(self, data):
        self.words.append(data)

    def handle_comment(self, data):
        raise AssertionError(data)


def without_spaces(text):
    return "".join(text.split())


def check_html(page, plain, texts):
    tags, expected = TagCollector(page.decode()), TagCollector(plain.decode())
    assert tags.tags == expected.tags
    page_text = without_spaces("".join(tags.words))
    for field, text in texts.items():
        assert without_spaces(text) in page_text, field


MARKDOWN_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def markdown_shape(text):
    blocks, inline = [], []
    for token in MARKDOWN_PARSER.parse(text):
        blocks.append(token.type)
        types = [child.type for child in token.children or ()]
        inline.append([child_type for child_type in types if child_type not in ("text", "text_special")])
    return blocks, inline


def check_markdown(text, plain, texts):
    assert markdown_shape(text.decode()) == markdown_shape(plain.decode())
    children = [token.children or () for token in MARKDOWN_PARSER.parse(text.decode())]
    page_text = without_spaces("".join(child.content for tokens in children for child in tokens))
    for field, words in texts.items():
        assert without_spaces(words) in page_text, field


def check_latex(text, plain):
    text, plain = text.decode(), plain.decode()
    assert len(text.splitlines()) == len(plain.splitlines())
    printed = [re.sub(r"(?<!\\)((\\\\)*)%.*", r"\1", line) for line in text.splitlines()]
    allowed = set(re.findall(r"\\[A-Za-z]+\*?|\\.", plain)) | {
        r"\textbackslash",
        r"\textasciitilde",
        r"\textasciicircum",
    }
    allowed |= {rf"\{character}" for character in "&%$#_{}"} | {
        r"\cdot",
        r"\times",
        r"\approx",
        r"\div",
        r"\infty",
        r"\ldots",
    }
    allowed |= {r"\textbar", r"\leq", r"\geq"}
    body = "\n".join(printed)
    assert set(re.findall(r"\\[A-Za-z]+\*?|\\.", body)) <= allowed
    bare = re.sub(r"\\[A-Za-z]+\*?|\\.", "", body)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"[#~%]", bare)
    assert not re.search(r"\\\\\s*[\[*]", body)


def is_number(cell):
    return re.fullmatch(r"[-+]?[\d.,]+(/\d+)?%?", cell) is not None


def strip_quote(cell):
    return cell[1:] if re.match(r"'['\s]*[=+\-@＝＋－＠]", cell) else cell


def check_csv(data, texts):
    cells = [cell for row in csv.reader(io.StringIO(data.decode(), newline="")) for cell in row]
    assert not any(cell[:1] in {*"=+-@\t\r＝＋－＠"} and not is_number(cell) for cell in cells if cell)
    restored = {strip_quote(cell) for cell in cells}
    for field in ("bet", "game", "hand", "name", *IDENTITY_FIELDS):
        assert texts[field] in restored, field


@lru_cache(maxsize=2)
def cells_of(data):
    """Return a workbook's formulas with their positions, and the texts of all its cells."""
    cells = [(sheet.title, cell) for sheet in load_workbook(io.BytesIO(data)) for row in sheet for cell in row]
    without_texts = re.compile(r'"(?:[^"]|"")*"')  # the title stands in a formula, as a quoted text
    formulas = [
        (page, cell.coordinate, without_texts.sub('""', cell.value)) for page, cell in cells if cell.data_type == "f"
    ]
    return formulas, {str(cell.value) for _, cell in cells}


def check_xlsx(data, plain, texts):
    formulas, values = cells_of(data)
    assert formulas == cells_of(plain)[0]
    for field in ("bet", "game", "hand", "name", "notes", *IDENTITY_FIELDS):
        assert any(texts[field] in value for value in values), field


def check_pdf(data):
    pages = PdfReader(io.BytesIO(data)).pages
    assert len(pages) >= 2
    assert "Signatures" in pages[0].extract_text()


@lru_cache(maxsize=1)
def plain_files():
    """Return the files of a sheet with plain texts."""
    return render_sheet_with({}, ("json", "html", "markdown", "latex", "xlsx"))[1]


texts_by_field = st.fixed_dictionaries(
    {field: text_of_length(MAX_NAME) for field in (*NAMES, *IDENTITY_FIELDS)}
    | {field: text_of_length(300) for field in PARAGRAPHS}
).filter(lambda said: said["hand"] != said["name"])


HOSTILE_TEXTS = [*TEX, *FORMULAS, *MARKUP, *MARKDOWN, *TYPST, *UNICODE]
PHASES = [Phase.explicit, *[Phase.generate] * (settings.get_current_profile_name() == "thorough")]
"""Phases without shrinking: each example renders a sheet in every format, which takes a second."""
ONE_PER_FIELD = {
    field: text.strip() for field, text in zip((*NAMES, *IDENTITY_FIELDS), HOSTILE_TEXTS[::5], strict=False)
}


@given(texts_by_field)
@example(
    ONE_PER_FIELD
    | {field: f"{text} {' '.join(HOSTILE_TEXTS)}"[:490] for field, text in zip(PARAGRAPHS, FORMULAS, strict=False)}
)
@tries(4, quick=1, phases=PHASES, suppress_health_check=list(HealthCheck))
def test_text_is_inert_in_every_format(texts):
    paytable, files = render_sheet_with(texts)
    payload = json.loads(files["json"])
    assert [award["name"] for award in payload["awards"]] == [texts["hand"], texts["name"]]
    assert {key: payload["identification"][key] for key in IDENTITY_FIELDS} == {
        key: texts[key] for key in IDENTITY_FIELDS
    }
    plain = plain_files()
    check_html(files["html"], plain["html"], texts)
    check_markdown(files["markdown"], plain["markdown"], texts)
    check_latex(files["latex"], plain["latex"])
    check_csv(files["csv"], texts)
    check_xlsx(files["xlsx"], plain["xlsx"], texts)
    check_pdf(files["pdf"])
    check_answers(paytable, texts)


def check_answers(paytable, texts):
    """Check the documents of other commands in their formats."""
    studies = [build_study(paytable, Shoe(decks)) for decks in (1, 2)]
    documents = [
        award_document(studies[0]),
        overview_document(studies),
        comparison_document(Comparison(studies)),
        collections_document({"main": [paytable]}),
    ]
    for document in documents:
        for format in ("table", "markdown", "csv", "latex"):
            text = render_text(document, format, 6)
            assert all(character.isprintable() or character == "\n" for character in text)
        cells = [cell for row in csv.reader(io.StringIO(render_text(document, "csv", 6))) for cell in row]
        assert not any(cell[:1] in {*"=+-@"} and not is_number(cell) for cell in cells if cell)
        types = {token.type for token in MARKDOWN_PARSER.parse(render_text(document, "markdown", 6))}
        assert not types & {"html_block", "fence", "code_block", "hr"}
    ledger = list(csv.reader(io.StringIO("".join(ledger_lines(studies[0].analysis)))))
    assert {strip_quote(row[-2]) for row in ledger[1:]} == {texts["hand"], texts["name"], "no award"}


@pytest.mark.parametrize("name", [slow_case("Bonus: Trips"), "[0] a]: b.c"])
def test_award_names_do_not_affect_coverage_or_formulas(name):
    plain, renamed = plain_files(), render_sheet_with({"name": name}, ("json", "xlsx"))[1]
    assert json.loads(plain["json"])["verification"] == json.loads(renamed["json"])["verification"]
    assert cells_of(plain["xlsx"])[0] == cells_of(renamed["xlsx"])[0]


@given(st.sampled_from(FIELDS), st.sampled_from(INVISIBLE), st.text(max_size=3), st.text(max_size=3))
@tries(150)
def test_invisible_character_is_refused_in_one_line(field, character, before, after):
    text = f"{before}{character}{after}"
    paytables, problems = parse_bet(build_file({field: "x" + text}), "mine.toml")
    assert paytables == ()
    assert problems
    assert all(
        problem.startswith("mine.toml: ") and problem.isprintable() and len(problem) <= 600 for problem in problems
    )


@pytest.mark.parametrize("field", [field for field in FIELDS if field != "hand"])
def test_line_breaks_become_spaces(field):
    (paytable,), problems = parse_bet(build_file({field: "one\n  two\r\n\tthree"}), "mine.toml")
    assert problems == ()
    fields = repr([getattr(paytable, name) for name in paytable.__struct_fields__])
    assert "one two three" in fields
    assert "two\n" not in fields.replace(repr(paytable.bet.file), "")


@pytest.mark.parametrize("field", FIELDS)
def test_overlong_text_is_refused_in_one_line(field):
    paytables, problems = parse_bet(build_file({field: "x" * 5000}), "mine.toml")
    assert paytables == ()
    assert problems
    assert all(len(problem) <= 600 for problem in problems)
    assert any(str(limit) in problems[0].replace(",", "") for limit in (MAX_NAME, MAX_TEXT))


@pytest.mark.parametrize("old", ['id = "X"', 'other_interpretation = "X"', 'name = "Mega"', "% of Mega"])
def test_overlong_id_or_meter_is_refused_in_one_line(old):
    text = build_file({}).replace('id = "X"', 'id = "X"\nother_interpretation = "X"')
    new = re.sub(r"X|Mega", "x" * 5000, old)
    assert old in text
    paytables, problems = parse_bet(text.replace(old, new), "mine.toml")
    assert paytables == ()
    assert problems
    assert all(problem.isprintable() and len(problem) <= 600 for problem in problems)


@pytest.mark.parametrize("rule", ["has(7)\n", "has(7)\tand\r\nhas(7)", "has( 7\x1c)", "has(7)\u2028or has(8)"])
def test_rule_is_shown_on_one_line(rule):
    from combinat.enumeration.experiment import parse_deal
    from combinat.language.parser import parse_rule

    try:
        assert str(parse_rule(rule, parse_deal("player:1"))).isprintable()
    except InputError as error:
        assert str(error).isprintable()
