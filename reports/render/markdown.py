"""Markdown, as it is kept beside a submission or pasted into a discussion."""

from __future__ import annotations

from reports.model import Cell, Document, Style, written
from reports.render.grid import grid


def _escaped(text: str) -> str:
    for sign in "\\|*_<`":
        text = text.replace(sign, f"\\{sign}")
    return text


def _written(cell: Cell, style: Style, digits: int) -> str:
    return _escaped(written(cell, style, digits))


def render(document: Document, digits: int) -> str:
    """Write a document as Markdown."""
    parts = [f"# {_escaped(document.title)}"]
    if document.subtitle:
        parts.append(_escaped(document.subtitle))
    if document.flags:
        parts.append("\n".join(f"> **{_escaped(flag)}**  " for flag in document.flags))
    for table in document.tables:
        if table.caption:
            parts.append(f"## {_escaped(table.caption)}")
        parts.append(grid(table, "pipe", digits, _written))
    if document.figures:
        parts.append(
            "\n".join(
                f"- {_escaped(figure.label)}: **{_written(figure.value, figure.style, digits)}**"
                for figure in document.figures
            )
        )
    if document.notes:
        parts.append("\n".join(f"- {_escaped(note)}" for note in document.notes))
    return "\n\n".join(parts) + "\n"
