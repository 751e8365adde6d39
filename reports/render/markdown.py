"""Render documents as Markdown."""

from __future__ import annotations

import re

from reports.page.model import Cell, Document, Figure, Hand, Section, Style, Styled, Table, written
from reports.render.terminal import grid

_SPECIAL = re.compile(r"[\\|*_<>`~&$]|\](?=[(\[:]|$)")
"""Characters that are markup anywhere; a bracket is if it closes the name of a link."""
_FIRST = re.compile(r"([#\[]|[-+=](?=[-+=\s]|$)|\d{1,9}(?=[.)](\s|$)))")
"""Characters that start a heading, a list or a rule at the beginning of a line."""


def _escaped(text: str) -> str:
    r"""Return a text as one line in which markup characters are escaped.

    >>> _escaped("# [x](y)"), _escaped("1. a_b"), _escaped("- −1")
    ('\\# [x\\](y)', '1\\. a\\_b', '\\- −1')
    """
    line = _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))
    first = _FIRST.match(line)
    if first is None:
        return line
    index = first.end() if first[0].isdecimal() else 0
    return f"{line[:index]}\\{line[index:]}"


def _written(cell: Cell, style: Style, digits: int) -> str:
    value = cell.value if isinstance(cell, Styled) else cell
    if isinstance(value, Hand):
        return "; ".join(
            f"{_escaped(role)} {' '.join(''.join(card.marks) for card in cards)}" for role, cards in value.roles
        )
    return _escaped(written(cell, style, digits))


def render(document: Document, digits: int) -> str:
    """Return a document as Markdown."""
    blocks = [f"# {_escaped('; '.join(document.title.splitlines()))}"]
    if document.subtitle:
        blocks.append(_escaped(document.subtitle))
    if document.flags:
        blocks.append("\n".join(f"> **{_escaped(flag)}**  " for flag in document.flags))
    if document.sections:
        for section in document.sections:
            blocks += _section(section, digits)
    else:
        blocks += [*_tables(document.tables, "##", digits), *_figures(document.figures, digits)]
        blocks += _notes(document.notes)
    return "\n\n".join(blocks) + "\n"


def _section(section: Section, digits: int) -> list[str]:
    return [
        f"## {section.number}. {_escaped(section.title)}",
        *map(_escaped, section.text),
        *_figures(section.figures, digits),
        *_tables(section.tables, "###", digits),
        *_notes(section.notes),
    ]


def _tables(tables: tuple[Table, ...], level: str, digits: int) -> list[str]:
    blocks = []
    for table in tables:
        if table.caption:
            blocks.append(f"{level} {_escaped(table.caption)}")
        blocks.append(grid(table, "pipe", digits, _written))
    return blocks


def _figures(figures: tuple[Figure, ...], digits: int) -> list[str]:
    lines = [
        f"- {_escaped(figure.label)}: **{text}**" if text else f"- {_escaped(figure.label)}:"
        for figure in figures
        for text in [_written(figure.value, figure.style, digits)]
    ]
    return ["\n".join(lines)] if lines else []


def _notes(notes: tuple[str, ...]) -> list[str]:
    return ["\n".join(f"- {_escaped(note)}" for note in notes)] if notes else []
