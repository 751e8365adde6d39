"""Render documents as PDF, typeset by typst from the template beside this module; all content goes in as JSON data.

The first half prepares values for the template: line-break opportunities in long words, padding that aligns decimal
points, fractions, and representative cells by which the template measures the width of a column.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.page.model import (
    Cell,
    Document,
    Figure,
    Formula,
    Hand,
    Plot,
    Section,
    Style,
    Styled,
    Table,
    format_cell,
    is_numeric,
)
from reports.page.numerals import MINUS
from reports.render.plots import draw_plot

if TYPE_CHECKING:
    from typst import Compiler

_BREAK = "\u200b"
"""Zero-width space: a line-break opportunity within a word."""
_LONGEST_WORD = 18
_LONGEST_FRACTION = 44
"""Maximum length of the numerator or denominator of a formula that is set as a fraction."""
_NUMBER = re.compile(rf"(?:[<>≤≥] )?[{MINUS}+]?[\d,]+(?P<part>\.\d+)?(?P<sign>%?)")
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
    longest = max((len(value.encode()) for value in values if isinstance(value, str)), default=0)
    shapes = []
    for value in values:
        if not isinstance(value, str) or 10 * len(value.encode()) >= 7 * longest:
            shape = value if "hand" in value else _without_digits(value)
            shapes += [] if shape in shapes else [shape]
    return shapes


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


def split_fraction(plain: str) -> list[str] | None:
    """Return the numerator and the denominator of a formula that is one short fraction, else `None`.

    >>> split_fraction("4·(n − 1)/(52·n − 1)"), split_fraction("n/2 + 1"), split_fraction("22·n²")
    (['4·(n − 1)', '52·n − 1'], None, None)
    """
    depth, operators = 0, []
    for index, character in enumerate(plain):
        depth += (character == "(") - (character == ")")
        if not depth and character in f"/ +{MINUS}":
            operators.append(index)
    if len(operators) != 1 or plain[operators[0]] != "/":
        return None
    numerator, denominator = plain[: operators[0]], plain[operators[0] + 1 :]
    if max(len(numerator), len(denominator)) > _LONGEST_FRACTION or not {"n", "("} & set(plain):
        return None
    return [_strip_parentheses(numerator), _strip_parentheses(denominator)]


def _strip_parentheses(plain: str) -> str:
    """Remove parentheses that enclose the entire formula.

    >>> _strip_parentheses("(n − 1)"), _strip_parentheses("(n − 1)·(n − 2)")
    ('n − 1', '(n − 1)·(n − 2)')
    """
    depth = 0
    for index, character in enumerate(plain):
        depth += (character == "(") - (character == ")")
        if not depth:
            return plain[1:-1] if index == len(plain) - 1 and character == ")" else plain
    return plain


def align_decimals_for_typst(values: list[Any]) -> list[Any]:
    """Add the padding that each number needs so that the decimal points of a column align.

    >>> align_decimals_for_typst(["1.25", "3", "none"])
    ['1.25', {'text': '3', 'pad': '.00'}, 'none']
    """
    numbers = [_NUMBER.fullmatch(value) if isinstance(value, str) else None for value in values]
    longest = max((len(number["part"] or "") for number in numbers if number), default=0)
    sign = max((number["sign"] for number in numbers if number), default="")
    aligned: list[Any] = []
    for value, number in zip(values, numbers, strict=True):
        pad = ""
        if number:
            decimals = number["part"] or ""
            full_pad = "." + "0" * (longest - 1) if longest else ""
            pad = full_pad[len(decimals) :] + ("" if number["sign"] else sign)
        aligned.append({"text": value, "pad": pad} if pad else value)
    return aligned


def breakable(text: str) -> str:
    """Add line-break opportunities to long words: after operators, and between groups of three digits of long numbers.

    >>> breakable("1234567890123456789012345/7").replace(_BREAK, "|")
    '1|234|567|890|123|456|789|012|345/|7'
    >>> breakable("mini royal")
    'mini royal'
    """
    return " ".join(_pieces(word) if len(word) > _LONGEST_WORD else word for word in text.split())


def _pieces(word: str) -> str:
    word = re.sub(r"\d{24,}", lambda digits: _group_digits(digits[0]), word)
    word = re.sub(r"(?<=[·/_=,;:)\-])(?=[^\s⁰¹²³⁴⁵⁶⁷⁸⁹])", _BREAK, word)
    return re.sub(rf"([^\W\d{_BREAK}]{{12}})(?=\w)", rf"\1{_BREAK}", word)


def _group_digits(digits: str) -> str:
    first = len(digits) % 3
    groups = [digits[:first], *(digits[start : start + 3] for start in range(first, len(digits), 3))]
    return _BREAK.join(group for group in groups if group)


_TEMPLATE = Path(__file__).with_name("sheet.typ")
_LONGEST_HEAD = 48
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_UNKNOWN_SIGN = re.compile(r"the text `\"(.+?)\"` could not be displayed")
_EMPTY_RUNS = 2
_UNTITLED = "Untitled"
"""Title of a document that has none; PDF/UA requires one."""


def render(document: Document, digits: int, author: str = "", date: str = "", paper: str = "a4") -> bytes:
    """Return a document as PDF; the bytes depend only on the arguments, and the only date in the file is `date`."""
    from typst import TypstError

    sheet = json.dumps(_sheet(document, digits, author, date) | {"paper": paper}, ensure_ascii=False)
    # Archives ask for a date of the document, so that a sheet without one is only made accessible.
    standards = ["ua-1", "a-2a"] if date else ["ua-1"]
    while True:
        try:
            return _typeset(sheet, standards)
        except TypstError as error:
            # What cannot be displayed may be a cluster, such as a keycap around a digit; letters and digits always can.
            unknown = {character for character in _missing_characters(error.diagnostic) if not character.isascii()}
            if unknown.isdisjoint(sheet):
                raise
        # The fonts that come with the typesetter lack some characters; they are named, as an empty box would hide them.
        content = json.loads(sheet.translate({ord(character): f"[U+{ord(character):04X}]" for character in unknown}))
        for section in content["parts"]:
            section["tables"] = list(map(_with_widest, section["tables"]))  # names are longer than what they name
        sheet = json.dumps(content, ensure_ascii=False)


def _missing_characters(diagnostic: str) -> str:
    r"""Return the characters that the typesetter could not display; it names some by their code point.

    >>> _missing_characters('error: the text `"1\\u{20e3}"` could not be displayed with font `"Libertinus Serif"`')
    '1⃣'
    """
    texts = "".join(_UNKNOWN_SIGN.findall(diagnostic))
    return re.sub(r"\\u\{([0-9a-f]{1,6})\}", lambda named: chr(int(named[1], 16)), texts)


@lru_cache(maxsize=1)
def _compiler() -> Compiler:
    """Return the shared compiler; it uses only bundled fonts, so that every machine produces the same pages."""
    from typst import Compiler, Fonts

    return Compiler(root=str(_TEMPLATE.parent), font_paths=Fonts(include_system_fonts=False))


def _typeset(sheet: str, standards: list[Any]) -> bytes:
    # As a file beside the template, not as an input to all of it, the words leave what is known of the template known.
    files: Any = {"main": _TEMPLATE, "sheet.json": sheet.encode("utf-8")}
    pages = _compiler().compile(files, format="pdf", pdf_standards=standards)
    # The typesetter forgets what ten runs had no use for; empty ones have it forget sooner what fills the memory.
    for _ in range(_EMPTY_RUNS):
        _compiler().compile({"main": b""}, format="svg")  # type: ignore[type-var]  # of several files too
    assert isinstance(pages, bytes)  # without a file to write to, the typesetter gives the bytes
    return pages


def _sheet(document: Document, digits: int, author: str, date: str) -> dict[str, Any]:
    """Return all data that the template shows."""
    sections = [_part(section, digits) for section in document.sections]
    headline = _figures(document.figures, digits)
    if document.tables or document.notes:
        overview = Section("", tables=document.tables, notes=document.notes)
        sections.insert(0, _part(overview, digits))
    return {
        "title": _one_line(document.title) or _UNTITLED,
        "heading": breakable(document.title) or _UNTITLED,
        "subtitle": breakable(document.subtitle),
        "head": _truncate(document.title),
        "foot": _truncate(document.subtitle.partition(";")[0]),
        "number": _truncate(document.number),
        "author": [author] if author else [],
        "keywords": ["par sheet", _one_line(document.title)],
        "date": dict(zip(("year", "month", "day"), map(int, date.split("-")), strict=True)) if date else None,
        "flags": [breakable(flag) for flag in document.flags],
        # The key figures are shown once: in the section that lists them, if there is one, else at the top.
        "figures": [] if any(item["key"] == "headline" for item in sections) else headline,
        "parts": sections,
    }


def _part(section: Section, digits: int) -> dict[str, Any]:
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
    value = cell.value if isinstance(cell, Styled) else cell
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


def _truncate(text: str) -> str:
    """Truncate a line for the head or the foot of a page."""
    text = _one_line(text)
    return text if len(text) <= _LONGEST_HEAD else text[: _LONGEST_HEAD - 1] + "…"


def _one_line(text: str) -> str:
    return " ".join(text.split())
