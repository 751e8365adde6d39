"""Render documents as PDF, typeset by typst from the template beside this module; all content goes in as JSON data.

The first half prepares values for the template: line-break opportunities in long words, padding that aligns decimal
points, fractions, and representative cells by which the template measures the width of a column.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from decks.errors import one_line
from reports.page.model import (
    Cell,
    Document,
    Figure,
    Formula,
    Hand,
    Plot,
    Section,
    Style,
    Table,
    format_cell,
    is_numeric,
    unstyled,
)
from reports.page.numerals import MINUS
from reports.page.text import decimal_pads, truncate
from reports.render.charts import draw_plot

if TYPE_CHECKING:
    from typst import Compiler

_BREAK = "\u200b"
"""Zero-width space: a line-break opportunity within a word."""
_MAX_WORD = 18
_MAX_FRACTION = 44
"""Maximum length of the numerator or denominator of a formula that is set as a fraction."""
_DIGIT = re.compile("[0-9]")
"""Only ASCII digits: those of other scripts have other widths."""
_FACTOR = re.compile(rf"(\([^(){_BREAK}]{{1,16}}\))")
_DECKS = re.compile(r"(?<![^\W⁰¹²³⁴⁵⁶⁷⁸⁹])(n)(?![^\W⁰¹²³⁴⁵⁶⁷⁸⁹])")
"""The name of the number of decks in a formula, without a power."""


def widest(values: list[Any]) -> list[Any]:
    """Return representatives of the values of a column that may be the widest, because measuring takes time.

    All digits are equally wide except those on cards, and only values of at least 70% of the longest can be the widest.

    >>> widest(["1,234", "5,678", "9", {"text": "17", "pad": ".5"}, {"text": "23", "pad": ".5"}])
    ['0,000', {'text': '00', 'pad': '.0'}]
    """
    max_length = max((len(value.encode()) for value in values if isinstance(value, str)), default=0)
    representatives = []
    for value in values:
        if not isinstance(value, str) or 10 * len(value.encode()) >= 7 * max_length:
            representative = value if "hand" in value else _without_digits(value)
            representatives += [] if representative in representatives else [representative]
    return representatives


def _without_digits(value: Any) -> Any:
    """Replace every digit by zero."""
    if isinstance(value, str):
        return _DIGIT.sub("0", value)
    if isinstance(value, list):
        return [_without_digits(item) for item in value]
    return {name: _without_digits(item) for name, item in value.items()} if isinstance(value, dict) else value


def split_formula(text: str) -> list[Any]:
    """Split a formula into pieces: the number of decks is a piece, a short factor is a list (kept on one line).

    >>> split_formula("22·n²/(52·n − 1)")
    ['22·', 'n', '²/', ['(52·', 'n', ' − 1)']]
    """
    pieces: list[Any] = []
    for piece in filter(None, _FACTOR.split(text)):
        decks = [token for token in _DECKS.split(piece) if token]
        pieces += [decks] if _FACTOR.fullmatch(piece) else decks
    return pieces


def split_fraction(formula_text: str) -> list[str] | None:
    """Return the numerator and the denominator of a formula that is one short fraction, else `None`.

    >>> split_fraction("4·(n − 1)/(52·n − 1)"), split_fraction("n/2 + 1"), split_fraction("22·n²")
    (['4·(n − 1)', '52·n − 1'], None, None)
    """
    depth, operators = 0, []
    for index, character in enumerate(formula_text):
        depth += (character == "(") - (character == ")")
        if not depth and character in f"/ +{MINUS}":
            operators.append(index)
    if len(operators) != 1 or formula_text[operators[0]] != "/":
        return None
    numerator, denominator = formula_text[: operators[0]], formula_text[operators[0] + 1 :]
    if max(len(numerator), len(denominator)) > _MAX_FRACTION or not {"n", "("} & set(formula_text):
        return None
    return [_strip_parentheses(numerator), _strip_parentheses(denominator)]


def _strip_parentheses(formula_text: str) -> str:
    """Remove parentheses that enclose the entire formula.

    >>> _strip_parentheses("(n − 1)"), _strip_parentheses("(n − 1)·(n − 2)")
    ('n − 1', '(n − 1)·(n − 2)')
    """
    depth = 0
    for index, character in enumerate(formula_text):
        depth += (character == "(") - (character == ")")
        if not depth:
            return formula_text[1:-1] if index == len(formula_text) - 1 and character == ")" else formula_text
    return formula_text


def align_decimals_for_typst(values: list[Any]) -> list[Any]:
    """Add the padding that each number needs so that the decimal points of a column align.

    >>> align_decimals_for_typst(["1.25", "3", "none"])
    ['1.25', {'text': '3', 'pad': '.00'}, 'none']
    """
    pads = decimal_pads([value if isinstance(value, str) else "" for value in values])
    return [{"text": value, "pad": pad} if pad else value for value, pad in zip(values, pads, strict=True)]


def breakable(text: str) -> str:
    """Add line-break opportunities to long words: after operators, and between groups of three digits of long numbers.

    >>> breakable("1234567890123456789012345/7").replace(_BREAK, "|")
    '1|234|567|890|123|456|789|012|345/|7'
    >>> breakable("mini royal")
    'mini royal'
    """
    return " ".join(_break_word(word) if len(word) > _MAX_WORD else word for word in text.split())


def _break_word(word: str) -> str:
    word = re.sub(r"\d{24,}", lambda digits: _group_digits(digits[0]), word)
    word = re.sub(r"(?<=[·/_=,;:)\-])(?=[^\s⁰¹²³⁴⁵⁶⁷⁸⁹])", _BREAK, word)
    return re.sub(rf"([^\W\d{_BREAK}]{{14}})(?=\w)", rf"\1{_BREAK}", word)


def _group_digits(digits: str) -> str:
    first_group_size = len(digits) % 3
    groups = [
        digits[:first_group_size],
        *(digits[start : start + 3] for start in range(first_group_size, len(digits), 3)),
    ]
    return _BREAK.join(group for group in groups if group)


_TEMPLATE = Path(__file__).with_name("sheet.typ")
_MAX_HEAD = 80
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_UNKNOWN_SIGN = re.compile(r"the text `\"(.+?)\"` could not be displayed")
_EMPTY_COMPILATIONS = 2
_UNTITLED = "Untitled"
"""Title of a document that has none; PDF/UA requires one."""


def render(
    document: Document,
    digits: int,
    author: str = "",
    date: str = "",
    paper: str = "a4",
    attachments: Mapping[str, bytes] = MappingProxyType({}),
) -> bytes:
    """Return a document as PDF; the bytes depend only on the arguments, and the only date in the file is `date`.

    `attachments` are JSON files by name, which the PDF carries.
    """
    from typst import TypstError

    data = _template_data(document, digits, author, date) | {"paper": paper, "attachments": list(attachments)}
    sheet = json.dumps(data, ensure_ascii=False)
    # PDF/A requires a date; a sheet without one is only PDF/UA. PDF/A-3 is the part that allows attached files.
    standards = ["ua-1", "a-3a"] if date else ["ua-1"]
    while True:
        try:
            return _typeset(sheet, standards, attachments)
        except TypstError as error:
            # ASCII can always be displayed, also where it is part of an unknown cluster such as a keycap.
            unknown_characters = {
                character for character in _missing_characters(error.diagnostic) if not character.isascii()
            }
            if unknown_characters.isdisjoint(sheet):
                raise
        # Characters that the bundled fonts lack are replaced by their code points; an empty box would hide them.
        content = json.loads(
            sheet.translate({ord(character): f"[U+{ord(character):04X}]" for character in unknown_characters})
        )
        for section in content["parts"]:
            section["tables"] = list(map(_with_widest, section["tables"]))  # code points are wider than the characters
        sheet = json.dumps(content, ensure_ascii=False)


_STAMP = """#let stamp = json("stamp.json")
#set page(width: stamp.width * 1pt, height: stamp.height * 1pt, margin: 1pt)
#set text(font: ("Libertinus Serif", "DejaVu Sans Mono"), size: 6.5pt, fill: rgb("#1f3a5f"))
#set par(leading: 0.35em, spacing: 0.35em)
#stack(spacing: 2.5pt, ..stamp.lines.map(text))
"""


def render_stamp(lines: Sequence[str], width: int, height: int) -> bytes:
    """Return lines of text as a PDF page of a size in points, for the stamp of a signature."""
    stamp = json.dumps(
        {"lines": [truncate(one_line(line), _MAX_HEAD) for line in lines], "width": width, "height": height}
    )
    files: Any = {"main": _STAMP.encode("utf-8"), "stamp.json": stamp.encode("utf-8")}
    page = _compiler().compile(files, format="pdf")
    assert isinstance(page, bytes)  # bytes, because no output file is named
    return page


def _missing_characters(diagnostic: str) -> str:
    r"""Return the characters that the typesetter could not display; it names some by their code point.

    >>> _missing_characters('error: the text `"1\\u{20e3}"` could not be displayed with font `"Libertinus Serif"`')
    '1⃣'
    """
    texts = "".join(_UNKNOWN_SIGN.findall(diagnostic))
    return re.sub(r"\\u\{([0-9a-f]{1,6})\}", lambda escape_match: chr(int(escape_match[1], 16)), texts)


@lru_cache(maxsize=1)
def _compiler() -> Compiler:
    """Return the shared compiler; it uses only bundled fonts, so that every machine produces the same pages."""
    from typst import Compiler, Fonts

    return Compiler(root=str(_TEMPLATE.parent), font_paths=Fonts(include_system_fonts=False))


def _typeset(sheet: str, standards: list[Any], attachments: Mapping[str, bytes]) -> bytes:
    # Data in a separate file, unlike an input of the compiler, does not invalidate the cached template.
    attached = {f"attached-{name}": content for name, content in attachments.items()}
    files: Any = {"main": _TEMPLATE, "sheet.json": sheet.encode("utf-8"), **attached}
    pages = _compiler().compile(files, format="pdf", pdf_standards=standards)
    # Typst evicts cache entries unused for ten compilations; empty ones free the memory sooner.
    for _ in range(_EMPTY_COMPILATIONS):
        _compiler().compile({"main": b""}, format="svg")  # type: ignore[type-var]  # files by name are accepted too
    assert isinstance(pages, bytes)  # bytes, because no output file is named
    return pages


def _template_data(document: Document, digits: int, author: str, date: str) -> dict[str, Any]:
    """Return all data that the template shows."""
    sections = [_section(section, digits) for section in document.sections]
    headline = _figures(document.figures, digits)
    if document.tables or document.notes:
        overview = Section("", tables=document.tables, notes=document.notes)
        sections.insert(0, _section(overview, digits))
    return {
        "title": one_line(document.title) or _UNTITLED,
        "heading": breakable(document.title) or _UNTITLED,
        "subtitle": breakable(document.subtitle),
        "head": _head_text(document.title),
        "foot": _head_text(document.subtitle.partition(";")[0]),
        "number": _head_text(document.number),
        "author": [author] if author else [],
        "keywords": ["par sheet", one_line(document.title)],
        "date": dict(zip(("year", "month", "day"), map(int, date.split("-")), strict=True)) if date else None,
        "flags": [breakable(flag) for flag in document.flags],
        # The key figures are shown once: in the section that lists them, if there is one, else at the top.
        "figures": [] if any(item["key"] == "headline" for item in sections) else headline,
        "parts": sections,
    }


def _section(section: Section, digits: int) -> dict[str, Any]:
    return {
        "number": str(section.number) if section.number else "",
        "key": section.key,
        "title": breakable(section.title),
        "text": [breakable(text) for text in section.text],
        "figures": _figures(section.figures, digits),
        "tables": [_table(table, digits) for table in section.tables],
        "plots": [_plot(plot) for plot in section.plots],
        "notes": [breakable(note) for note in section.notes],
    }


def _figures(figures: tuple[Figure, ...], digits: int) -> list[dict[str, Any]]:
    values = align_decimals_for_typst([_template_value(figure.value, figure.style, digits) for figure in figures])
    return [
        {"label": breakable(figure.label), "value": value, "right": figure.style is not Style.TEXT}
        for figure, value in zip(figures, values, strict=True)
    ]


def _table(table: Table, digits: int) -> dict[str, Any]:
    columns = []
    tones = {choice: tone for tone, choice in enumerate(table.choices())}
    for index, column in enumerate(table.columns):
        values = [_template_value(row[index], column.style, digits) for row in table.rows]
        if column.style is Style.CHOICE:
            values = [{"choice": value, "tone": tones[value]} if value in tones else value for value in values]
        columns.append(align_decimals_for_typst(values) if is_numeric(column) else values)
    content = {
        "caption": breakable(table.caption),
        "columns": [
            {"title": breakable(column.title), "right": is_numeric(column), "shaded": column.style is Style.CHOICE}
            for column in table.columns
        ],
        "rows": [list(row) for row in zip(*columns, strict=True)],
        "totals": table.totals,
        "blocks": list(table.blocks),
    }
    return _with_widest(content)


def _with_widest(table: dict[str, Any]) -> dict[str, Any]:
    """Add to each column the cells by which its width is measured; totals are bold and measured separately."""
    rows = table["rows"][: len(table["rows"]) - table["totals"]]
    columns = [
        column | {"widest": widest([row[index] for row in rows])} for index, column in enumerate(table["columns"])
    ]
    return table | {"columns": columns}


def _plot(plot: Plot) -> dict[str, str]:
    return {"caption": breakable(plot.caption), "alt": plot.caption, "picture": draw_plot(plot).decode()}


def _template_value(cell: Cell, style: Style, digits: int) -> Any:
    """Return a value for the template; hands, formulas and fingerprints are tagged because they look different."""
    value = unstyled(cell)
    if isinstance(value, Hand):
        return {
            "hand": [
                {"name": name, "cards": [[*card.face, card.is_red] for card in cards]} for name, cards in value.roles
            ]
        }
    if isinstance(value, str) and _FINGERPRINT.fullmatch(value):
        return {"fingerprint": value}
    text = format_cell(cell, style, digits)
    if isinstance(value, Formula):
        fraction = split_fraction(value.plain)
        return (
            {"plain": text, "over": list(map(split_formula, fraction))}
            if fraction
            else {"formula": split_formula(breakable(text))}
        )
    return breakable(text)


def _head_text(text: str) -> str:
    """Truncate a line for the head or the foot of a page."""
    return truncate(one_line(text), _MAX_HEAD)
