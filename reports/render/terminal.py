"""Plain text for the terminal."""

from __future__ import annotations

from reports.model import Document, written
from reports.render.grid import grid


def render(document: Document, digits: int) -> str:
    """Write a document as plain text."""
    parts = ["\n".join(line for line in (document.title, document.subtitle) if line)]
    if document.flags:
        parts.append("\n".join(f"! {flag}" for flag in document.flags))
    for table in document.tables:
        parts.append((f"{table.caption}\n" if table.caption else "") + grid(table, "simple", digits))
    if document.figures:
        width = max(len(figure.label) for figure in document.figures)
        parts.append(
            "\n".join(
                f"{figure.label:<{width}}  {written(figure.value, figure.style, digits)}" for figure in document.figures
            )
        )
    if document.notes:
        parts.append("\n".join(f"* {note}" for note in document.notes))
    return "\n\n".join(part for part in parts if part) + "\n"
