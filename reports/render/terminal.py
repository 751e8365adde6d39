"""Plain text for the terminal, without any character that would move its cursor or change its looks."""

from __future__ import annotations

from msgspec import Struct

from reports.page.model import Cell, Document, Figure, Section, Style, Table, written
from reports.render.grid import simple_grid, texts
from reports.render.narrow import narrow_grid, wrapped
from reports.render.plain import plain


def render(document: Document, digits: int, width: int | None = None, in_ascii: bool = False) -> str:
    """Write a document as plain text, in no more than a width if there is one, its signs in ASCII if they must be."""
    return Page(digits, width, in_ascii).text(document)


class Page(Struct, frozen=True):
    """How a page is written: with so many decimals, in such a width, in such characters."""

    digits: int
    width: int | None
    in_ascii: bool

    def text(self, document: Document) -> str:
        """Write a whole document."""
        head = [wrapped(line, self.width) for line in (*document.title.splitlines(), document.subtitle) if line]
        flags = [wrapped(f"! {flag}", self.width, "  ") for flag in document.flags]
        parts = ["\n".join(head), "\n".join(flags)]
        parts += self._body(document.tables, document.figures, document.notes)
        for section in document.sections:
            parts += self._section(section)
        text = "\n\n".join(part for part in parts if part) + "\n"
        seen = "".join(character if character.isprintable() or character == "\n" else " " for character in text)
        return plain(seen) if self.in_ascii else seen

    def _written(self, cell: Cell, style: Style, digits: int) -> str:
        """Write a value in the characters of the page, before anything is aligned."""
        text = written(cell, style, digits)
        return plain(text) if self.in_ascii else text

    def _body(self, tables: tuple[Table, ...], figures: tuple[Figure, ...], notes: tuple[str, ...]) -> list[str]:
        parts = [
            (f"{wrapped(table.caption, self.width)}\n" if table.caption else "") + self._grid(table) for table in tables
        ]
        parts.append(self._figures(figures))
        parts.append("\n".join(wrapped(f"* {note}", self.width, "  ") for note in notes))
        return parts

    def _grid(self, table: Table) -> str:
        laid_out = simple_grid(table, self.digits, self._written)
        if self.width is None or max(map(len, laid_out.splitlines()), default=0) <= self.width:
            return laid_out
        titles, rows = texts(table, self.digits, self._written)
        return narrow_grid(table, rows, titles, self.width)

    def _figures(self, figures: tuple[Figure, ...]) -> str:
        widest = max((len(figure.label) for figure in figures), default=0)
        return "\n".join(
            wrapped(
                f"{figure.label:<{widest}}  {self._written(figure.value, figure.style, self.digits)}", self.width, "  "
            )
            for figure in figures
        )

    def _section(self, section: Section) -> list[str]:
        return [
            f"{section.number}. {section.title}",
            "\n".join(wrapped(text, self.width) for text in section.text),
            self._figures(section.figures),
            *self._body(section.tables, (), section.notes),
        ]
