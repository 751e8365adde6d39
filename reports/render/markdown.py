"""Render documents as Markdown."""

from __future__ import annotations

import re

from decks.errors import one_line
from reports.page.model import Cell, Document, Figure, Hand, Section, Style, Table, format_cell, unstyled
from reports.render.terminal import grid

_SPECIAL = re.compile(r"[\\|*_<>`~&$]|\](?=[(\[:]|$)")
"""Characters that are markup anywhere; a bracket is if it closes the name of a link."""
_FIRST = re.compile(r"([#\[]|[-+=](?=[-+=\s]|$)|\d{1,9}(?=[.)](\s|$)))")
"""Characters that start a heading, a list or a rule at the beginning of a line."""


def _escape(text: str) -> str:
    r"""Return a text as one line in which markup characters are escaped.

    >>> _escape("# [x](y)"), _escape("1. a_b"), _escape("- −1")
    ('\\# [x\\](y)', '1\\. a\\_b', '\\- −1')
    """
    line = _SPECIAL.sub(r"\\\g<0>", one_line(text))
    start = _FIRST.match(line)
    if start is None:
        return line
    index = start.end() if start[0].isdecimal() else 0
    return f"{line[:index]}\\{line[index:]}"


def _format_cell(cell: Cell, style: Style, digits: int) -> str:
    value = unstyled(cell)
    if isinstance(value, Hand):
        return "; ".join(
            f"{_escape(role)} {' '.join(''.join(card.face) for card in cards)}" for role, cards in value.roles
        )
    return _escape(format_cell(cell, style, digits))


def render(document: Document, digits: int) -> str:
    """Return a document as Markdown."""
    blocks = [f"# {_escape('; '.join(document.title.splitlines()))}"]
    if document.subtitle:
        blocks.append(_escape(document.subtitle))
    if document.flags:
        blocks.append("\n".join(f"> **{_escape(flag)}**  " for flag in document.flags))
    if document.sections:
        for section in document.sections:
            blocks += _section(section, digits)
    else:
        blocks += [*_tables(document.tables, "##", digits), *_figures(document.figures, digits)]
        blocks += _notes(document.notes)
    return "\n\n".join(blocks) + "\n"


def _section(section: Section, digits: int) -> list[str]:
    return [
        f"## {section.numbered(_escape(section.title))}",
        *map(_escape, section.text),
        *_figures(section.figures, digits),
        *_tables(section.tables, "###", digits),
        *_notes(section.notes),
    ]


def _tables(tables: tuple[Table, ...], level: str, digits: int) -> list[str]:
    blocks = []
    for table in tables:
        if table.caption:
            blocks.append(f"{level} {_escape(table.caption)}")
        blocks.append(grid(table, "pipe", digits, _format_cell))
    return blocks


def _figures(figures: tuple[Figure, ...], digits: int) -> list[str]:
    lines = [
        f"- {_escape(figure.label)}: **{text}**" if text else f"- {_escape(figure.label)}:"
        for figure in figures
        for text in [_format_cell(figure.value, figure.style, digits)]
    ]
    return ["\n".join(lines)] if lines else []


def _notes(notes: tuple[str, ...]) -> list[str]:
    return ["\n".join(f"- {_escape(note)}" for note in notes)] if notes else []
