"""PDF, to be filed and signed: typeset by typst from the template beside this file, the words going in as data."""

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
    is_numeric,
    written,
)
from reports.render.pdf_words import aligned, breakable, formula, over_and_under, widest

if TYPE_CHECKING:  # a command loads the typesetter only when it writes a PDF
    from typst import Compiler

_TEMPLATE = Path(__file__).with_name("sheet.typ")
_LONGEST_HEAD = 48
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")
_UNKNOWN_SIGN = re.compile(r"the text `\"(.+?)\"` could not be displayed")
_EMPTY_RUNS = 2
_UNTITLED = "Untitled"
"""What stands where a document must have a title."""


def render(document: Document, digits: int, author: str = "", date: str = "", paper: str = "a4") -> bytes:
    """Typeset a document; the same document gives the same bytes, and bears no date but the given one."""
    from typst import TypstError

    sheet = json.dumps(_sheet(document, digits, author, date) | {"paper": paper}, ensure_ascii=False)
    # Archives ask for a date of the document, so that a sheet without one is only made accessible.
    standards = ["ua-1", "a-2a"] if date else ["ua-1"]
    while True:
        try:
            return _typeset(sheet, standards)
        except TypstError as error:
            # What cannot be displayed may be a cluster, such as a keycap around a digit; letters and digits always can.
            unknown = {character for character in _undisplayed(error.diagnostic) if not character.isascii()}
            if unknown.isdisjoint(sheet):
                raise
        # The fonts that come with the typesetter lack some characters; they are named, as an empty box would hide them.
        named = json.loads(sheet.translate({ord(character): f"[U+{ord(character):04X}]" for character in unknown}))
        for part in named["parts"]:
            part["tables"] = list(map(_with_widest, part["tables"]))  # names are longer than what they name
        sheet = json.dumps(named, ensure_ascii=False)


def _undisplayed(diagnostic: str) -> str:
    r"""Find the characters that the typesetter could not display, some of which it names by their number.

    >>> _undisplayed('error: the text `"1\\u{20e3}"` could not be displayed with font `"Libertinus Serif"`')
    '1⃣'
    """
    texts = "".join(_UNKNOWN_SIGN.findall(diagnostic))
    return re.sub(r"\\u\{([0-9a-f]{1,6})\}", lambda named: chr(int(named[1], 16)), texts)


@lru_cache(maxsize=1)
def _compiler() -> Compiler:
    """Make the typesetter once; it uses its own fonts only, so that every machine gives the same pages."""
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
    """Write everything that the template shows."""
    parts = [_part(section, digits) for section in document.sections]
    headline = _figures(document.figures, digits)
    if document.tables or document.notes:
        whole = Section("", tables=document.tables, notes=document.notes)
        parts.insert(0, _part(whole, digits))
    return {
        "title": _one_line(document.title) or _UNTITLED,
        "heading": breakable(document.title) or _UNTITLED,
        "subtitle": breakable(document.subtitle),
        "head": _shortened(document.title),
        "foot": _shortened(document.subtitle.partition(";")[0]),
        "number": _shortened(document.number),
        "author": [author] if author else [],
        "keywords": ["par sheet", _one_line(document.title)],
        "date": dict(zip(("year", "month", "day"), map(int, date.split("-")), strict=True)) if date else None,
        "flags": [breakable(flag) for flag in document.flags],
        # The key figures are shown once: in the section that lists them, if there is one, else at the top.
        "figures": [] if any(part["key"] == "headline" for part in parts) else headline,
        "parts": parts,
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
    values = aligned([_shown(figure.value, figure.style, digits) for figure in figures])
    return [
        {"label": breakable(figure.label), "value": value, "right": figure.style is not Style.TEXT}
        for figure, value in zip(figures, values, strict=True)
    ]


def _table(table: Table, digits: int) -> dict[str, Any]:
    columns = []
    tones = {choice: tone for tone, choice in enumerate(table.choices())}
    for place, column in enumerate(table.columns):
        values = [_shown(row[place], column.style, digits) for row in table.rows]
        if column.style is Style.CHOICE:
            values = [{"choice": value, "tone": tones[value]} if value in tones else value for value in values]
        columns.append(aligned(values) if is_numeric(column) else values)
    shown = {
        "caption": breakable(table.caption),
        "columns": [
            {"title": breakable(column.title), "right": is_numeric(column), "shaded": column.style is Style.CHOICE}
            for column in table.columns
        ],
        "rows": [list(row) for row in zip(*columns, strict=True)],
        "totals": table.totals,
        "blocks": list(table.blocks),
    }
    return _with_widest(shown)


def _with_widest(table: dict[str, Any]) -> dict[str, Any]:
    """Add to each column what its width is measured by; totals are measured one by one, as they are bold."""
    rows = table["rows"][: len(table["rows"]) - table["totals"]]
    columns = [
        column | {"widest": widest([row[place] for row in rows])} for place, column in enumerate(table["columns"])
    ]
    return table | {"columns": columns}


def _plot(plot: Plot) -> dict[str, str]:
    from reports.render.plots import draw_plot

    return {"caption": breakable(plot.caption), "alt": plot.caption, "picture": draw_plot(plot).decode()}


def _shown(cell: Cell, style: Style, digits: int) -> Any:
    """Write a value; hands, formulas and fingerprints are told apart, as they look different."""
    value = cell.value if isinstance(cell, Styled) else cell
    if isinstance(value, Hand):
        return {
            "hand": [
                {"name": name, "cards": [[*card.marks, card.is_red] for card in cards]} for name, cards in value.roles
            ]
        }
    if isinstance(value, str) and _FINGERPRINT.fullmatch(value):
        return {"fingerprint": value}
    text = written(cell, style, digits)
    if isinstance(value, Formula):
        parts = over_and_under(value.plain)
        return {"plain": text, "over": list(map(formula, parts))} if parts else {"formula": formula(breakable(text))}
    return breakable(text)


def _shortened(text: str) -> str:
    """Cut a line that the head or the foot of a page has no room for."""
    text = _one_line(text)
    return text if len(text) <= _LONGEST_HEAD else text[: _LONGEST_HEAD - 1] + "…"


def _one_line(text: str) -> str:
    return " ".join(text.split())
