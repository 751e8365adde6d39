"""Plain text for the terminal, without any character that would move its cursor or change its looks."""

from __future__ import annotations

from reports.page.model import Document, Figure, Section, Table, written
from reports.render.grid import grid


def render(document: Document, digits: int) -> str:
    """Write a document as plain text."""
    parts = ["\n".join(line for line in (document.title, document.subtitle) if line)]
    if document.flags:
        parts.append("\n".join(f"! {flag}" for flag in document.flags))
    parts += _body(document.tables, document.figures, document.notes, digits)
    for section in document.sections:
        parts += _section(section, digits)
    text = "\n\n".join(part for part in parts if part) + "\n"
    return "".join(character if character.isprintable() or character == "\n" else " " for character in text)


def _body(tables: tuple[Table, ...], figures: tuple[Figure, ...], notes: tuple[str, ...], digits: int) -> list[str]:
    parts = [(f"{table.caption}\n" if table.caption else "") + grid(table, "simple", digits) for table in tables]
    if figures:
        parts.append(_figures(figures, digits))
    if notes:
        parts.append("\n".join(f"* {note}" for note in notes))
    return parts


def _figures(figures: tuple[Figure, ...], digits: int) -> str:
    width = max(len(figure.label) for figure in figures)
    return "\n".join(f"{figure.label:<{width}}  {written(figure.value, figure.style, digits)}" for figure in figures)


def _section(section: Section, digits: int) -> list[str]:
    figures = [_figures(section.figures, digits)] if section.figures else []
    return [
        f"{section.number}. {section.title}",
        "\n".join(section.text),
        *figures,
        *_body(section.tables, (), section.notes, digits),
    ]
