"""Whatever a designer writes into a file or says of a sheet is shown as it is, and does nothing in any format."""

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
from combinat.study import build_study
from decks import InputError, Shoe
from reports.answers.catalog import collections_document
from reports.answers.compare import comparison_document
from reports.answers.ledger import ledger_lines
from reports.answers.show import award_document, overview_document
from reports.publish.sheets import EXTENSIONS, SheetOptions, SheetSpec, compute_sheet, render_sheet
from reports.render import render
from reports.sheet.identity import Identity
from tests.profiles import tries

NAMES = ("bet", "game", "made", "settled", "hand", "name", "title", "requires")
PARAGRAPHS = ("source", "notes", "own_notes", "basis")
FIELDS = (*NAMES, *PARAGRAPHS)
PERSON = ("document", "revision", "prepared_by", "reviewed_by", "jurisdiction")
PLAIN = {field: f"Plain {field.replace('_', ' ')}" for field in (*FIELDS, *PERSON)}

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
SIGNS = [
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
SHOWN = st.sampled_from([*TEX, *FORMULAS, *MARKUP, *MARKDOWN, *TYPST, *SIGNS]) | st.text(
    st.characters(exclude_categories=("C", "Z")), max_size=4
)
UNSEEN = ["\x00", "\x07", "\x1b[2J", "\x1b]0;x\x07", "\x7f", "\x85", "\x9b", "\u00ad", "\u200b", "\u200d", "\u2028"]
UNSEEN += ["\u202a", "\u202e", "\u2066", "\ufeff", "\ue000", "\uffff", "\U000e0041", "\x0b", "\x1c"]


def line(most):
    texts = st.lists(SHOWN, min_size=1, max_size=3).map(lambda parts: " ".join(parts)[:most].strip())
    return texts.filter(lambda text: text and text.isprintable())


def toml(text):
    """Write any text as TOML does."""
    return '"' + "".join(f"\\U{ord(sign):08X}" if not sign.isalnum() else sign for sign in text) + '"'


def file_with(said):
    said = {key: toml(text) for key, text in (PLAIN | said).items()}
    return f"""
bet = {said["bet"]}
game = {said["game"]}
made = {said["made"]}
settled = {said["settled"]}
source = [{said["source"]}]
notes = [{said["notes"]}]
deal = "first_card:1"
[hands]
{said["hand"]} = "has(7)"
[[paytable]]
id = "X"
decks = 1
title = {said["title"]}
requires = {said["requires"]}
notes = [{said["own_notes"]}]
awards = [
  {{ hand = {said["hand"]}, pays = "100% of Mega" }},
  {{ name = {said["name"]}, when = "has(8)", pays = "5 to 1" }},
]
meters = [{{ kind = "house jackpot", basis = {said["basis"]}, levels = [{{ name = "Mega", seed = 5 }}] }}]
"""


def sheet_with(said, formats=tuple(EXTENSIONS)):
    (paytable,), problems = parse_bet(file_with(said), "mine.toml")
    assert problems == ()
    identity = Identity(**{key: (PLAIN | said)[key] for key in PERSON})
    made = compute_sheet(SheetSpec(paytable, 1), SheetOptions(identity=identity))
    return paytable, {format: render_sheet(made, format, 6) for format in formats}


class Tags(HTMLParser):
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


def words_of(text):
    return "".join(text.split())


def check_html(page, plain, said):
    read, expected = Tags(page.decode()), Tags(plain.decode())
    assert read.tags == expected.tags
    everything = words_of("".join(read.words))
    for field, text in said.items():
        assert words_of(text) in everything, field


MARKED = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def markdown_shape(text):
    blocks, inline = [], []
    for token in MARKED.parse(text):
        blocks.append(token.type)
        kinds = [child.type for child in token.children or ()]
        inline.append([kind for kind in kinds if kind not in ("text", "text_special")])
    return blocks, inline


def check_markdown(text, plain, said):
    assert markdown_shape(text.decode()) == markdown_shape(plain.decode())
    children = [token.children or () for token in MARKED.parse(text.decode())]
    everything = words_of("".join(child.content for some in children for child in some))
    for field, words in said.items():
        assert words_of(words) in everything, field


def check_latex(text, plain):
    text, plain = text.decode(), plain.decode()
    assert len(text.splitlines()) == len(plain.splitlines())
    printed = [re.sub(r"(?<!\\)((\\\\)*)%.*", r"\1", one) for one in text.splitlines()]
    ours = set(re.findall(r"\\[A-Za-z]+\*?|\\.", plain)) | {r"\textbackslash", r"\textasciitilde", r"\textasciicircum"}
    ours |= {rf"\{sign}" for sign in "&%$#_{}"} | {r"\cdot", r"\times", r"\approx", r"\div", r"\infty", r"\ldots"}
    ours |= {r"\textbar", r"\leq", r"\geq"}
    body = "\n".join(printed)
    assert set(re.findall(r"\\[A-Za-z]+\*?|\\.", body)) <= ours
    bare = re.sub(r"\\[A-Za-z]+\*?|\\.", "", body)
    assert bare.count("{") == bare.count("}")
    assert not re.search(r"[#~%]", bare)
    assert not re.search(r"\\\\\s*[\[*]", body)


def is_number(cell):
    return re.fullmatch(r"[-+]?[\d.,]+(/\d+)?%?", cell) is not None


def unquoted(cell):
    return cell[1:] if re.match(r"'['\s]*[=+\-@＝＋－＠]", cell) else cell


def check_csv(data, said):
    cells = [cell for row in csv.reader(io.StringIO(data.decode(), newline="")) for cell in row]
    assert not any(cell[:1] in {*"=+-@\t\r＝＋－＠"} and not is_number(cell) for cell in cells if cell)
    restored = {unquoted(cell) for cell in cells}
    for field in ("bet", "game", "hand", "name", *PERSON):
        assert said[field] in restored, field


@lru_cache(maxsize=2)
def cells_of(data):
    """A workbook's formulas with where they stand, and its texts."""
    cells = [(sheet.title, cell) for sheet in load_workbook(io.BytesIO(data)) for row in sheet for cell in row]
    formulas = [(page, cell.coordinate, cell.value) for page, cell in cells if cell.data_type == "f"]
    return formulas, {str(cell.value) for _, cell in cells}


def check_xlsx(data, plain, said):
    formulas, values = cells_of(data)
    assert formulas == cells_of(plain)[0]
    for field in ("bet", "game", "hand", "name", "notes", *PERSON):
        assert any(said[field] in value for value in values), field


def check_pdf(data):
    pages = PdfReader(io.BytesIO(data)).pages
    assert len(pages) >= 2
    assert "Signatures" in pages[0].extract_text()


@lru_cache(maxsize=1)
def as_plain():
    """The files of a sheet of which nothing is nasty."""
    return sheet_with({}, ("json", "html", "markdown", "latex", "xlsx"))[1]


NASTY = st.fixed_dictionaries(
    {field: line(MAX_NAME) for field in (*NAMES, *PERSON)} | {field: line(300) for field in PARAGRAPHS}
).filter(lambda said: said["hand"] != said["name"])


ALL = [*TEX, *FORMULAS, *MARKUP, *MARKDOWN, *TYPST, *SIGNS]
SOUGHT = [Phase.explicit, *[Phase.generate] * (settings.get_current_profile_name() == "thorough")]
"""To find a smaller example takes minutes where each makes a sheet, and to make one in every format takes a second."""
EACH = {field: text.strip() for field, text in zip((*NAMES, *PERSON), ALL[::5], strict=False)}


@given(NASTY)
@example(EACH | {field: f"{text} {' '.join(ALL)}"[:490] for field, text in zip(PARAGRAPHS, FORMULAS, strict=False)})
@tries(4, quick=1, phases=SOUGHT, suppress_health_check=list(HealthCheck))
def test_any_text_is_written_in_every_format_and_does_nothing(said):
    paytable, files = sheet_with(said)
    payload = json.loads(files["json"])
    assert [award["name"] for award in payload["awards"]] == [said["hand"], said["name"]]
    assert {key: payload["identification"][key] for key in PERSON} == {key: said[key] for key in PERSON}
    plain = as_plain()
    check_html(files["html"], plain["html"], said)
    check_markdown(files["markdown"], plain["markdown"], said)
    check_latex(files["latex"], plain["latex"])
    check_csv(files["csv"], said)
    check_xlsx(files["xlsx"], plain["xlsx"], said)
    check_pdf(files["pdf"])
    check_answers(paytable, said)


def check_answers(paytable, said):
    """The answers of the other commands, in their formats."""
    both = [build_study(paytable, Shoe(decks)) for decks in (1, 2)]
    documents = [
        award_document(both[0]),
        overview_document(both),
        comparison_document(both),
        collections_document({"main": [paytable]}),
    ]
    for document in documents:
        for format in ("table", "markdown", "csv", "latex"):
            text = render(document, format, 6)
            assert all(sign.isprintable() or sign == "\n" for sign in text)
        cells = [cell for row in csv.reader(io.StringIO(render(document, "csv", 6))) for cell in row]
        assert not any(cell[:1] in {*"=+-@"} and not is_number(cell) for cell in cells if cell)
        kinds = {token.type for token in MARKED.parse(render(document, "markdown", 6))}
        assert not kinds & {"html_block", "fence", "code_block", "hr"}
    ledger = list(csv.reader(io.StringIO("".join(ledger_lines(both[0].analysis)))))
    assert {unquoted(row[-2]) for row in ledger[1:]} == {said["hand"], said["name"], "no award"}


@pytest.mark.parametrize("name", ["Bonus: Trips", "[0] a]: b.c"])
def test_what_was_checked_and_what_is_worked_out_anew_is_alike_whatever_awards_are_called(name):
    plain, named = as_plain(), sheet_with({"name": name}, ("json", "xlsx"))[1]
    assert json.loads(plain["json"])["verification"] == json.loads(named["json"])["verification"]
    assert cells_of(plain["xlsx"])[0] == cells_of(named["xlsx"])[0]


@given(st.sampled_from(FIELDS), st.sampled_from(UNSEEN), st.text(max_size=3), st.text(max_size=3))
@tries(150)
def test_a_sign_that_cannot_be_seen_is_refused_in_one_line(field, sign, before, after):
    text = f"{before}{sign}{after}"
    paytables, problems = parse_bet(file_with({field: "x" + text}), "mine.toml")
    assert paytables == ()
    assert problems
    assert all(one.startswith("mine.toml: ") and one.isprintable() and len(one) <= 600 for one in problems)


@pytest.mark.parametrize("field", [field for field in FIELDS if field != "hand"])
def test_lines_of_a_text_become_one(field):
    (paytable,), problems = parse_bet(file_with({field: "one\n  two\r\n\tthree"}), "mine.toml")
    assert problems == ()
    said = repr([getattr(paytable, name) for name in paytable.__struct_fields__])
    assert "one two three" in said
    assert "two\n" not in said.replace(repr(paytable.bet.file), "")


@pytest.mark.parametrize("field", FIELDS)
def test_a_text_of_any_length_is_refused_in_one_line(field):
    paytables, problems = parse_bet(file_with({field: "x" * 5000}), "mine.toml")
    assert paytables == ()
    assert problems
    assert all(len(one) <= 600 for one in problems)
    assert any(str(most) in problems[0].replace(",", "") for most in (MAX_NAME, MAX_TEXT))


@pytest.mark.parametrize("old", ['id = "X"', 'other_reading = "X"', 'name = "Mega"', "% of Mega"])
def test_an_id_or_a_meter_of_any_length_is_refused_in_one_line(old):
    text = file_with({}).replace('id = "X"', 'id = "X"\nother_reading = "X"')
    new = re.sub(r"X|Mega", "x" * 5000, old)
    assert old in text
    paytables, problems = parse_bet(text.replace(old, new), "mine.toml")
    assert paytables == ()
    assert problems
    assert all(one.isprintable() and len(one) <= 600 for one in problems)


@pytest.mark.parametrize("rule", ["has(7)\n", "has(7)\tand\r\nhas(7)", "has( 7\x1c)", "has(7)\u2028or has(8)"])
def test_a_rule_of_several_lines_is_shown_in_one(rule):
    from combinat.enumeration.experiment import parse_deal
    from combinat.language.parser import parse_rule

    try:
        assert str(parse_rule(rule, parse_deal("player:1"))).isprintable()
    except InputError as error:
        assert str(error).isprintable()
