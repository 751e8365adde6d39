"""Render documents as plain text for terminals and pipes, without control characters.

Tables use the `simple` layout of the tabulate library, reimplemented because loading the library is slow. A table that
is wider than the terminal wraps headings and texts, hides spare columns and splits into blocks; numbers are never cut.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any

from msgspec import Struct

from reports.page.model import Cell, Document, Figure, Section, Style, Table, format_cell, is_numeric
from reports.page.numerals import MINUS, NO_VALUE

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_POWER = f"[{_SUPERSCRIPTS}]+"
_DIGITS = str.maketrans(_SUPERSCRIPTS, "0123456789-")
_PLAIN = str.maketrans(
    {
        MINUS: "-",
        NO_VALUE: "-",
        "–": "-",
        "×": "*",
        "·": "*",
        "÷": "/",
        "≈": "~",
        "≤": "<=",
        "≥": ">=",
        "∞": "infinite",
        "…": "...",
        "♣": "c",
        "♦": "d",
        "♥": "h",
        "♠": "s",
    }
)


def to_ascii(text: str) -> str:
    """Replace typographic signs by ASCII; other characters, such as names from a bet's file, stay.

    >>> to_ascii("−2.087639%"), to_ascii("26·n²·(4·n − 1)"), to_ascii("0.75 + 0.2 × Mega¹⁰"), to_ascii("−3.333 × 10⁻¹⁰")
    ('-2.087639%', '26*n^2*(4*n - 1)', '0.75 + 0.2 * Mega^10', '-3.333 * 10^-10')
    """
    if text.isascii():
        return text
    return re.sub(_POWER, lambda power: f"^{power[0].translate(_DIGITS)}", text).translate(_PLAIN)


Writer = Callable[[Cell, Style, int], str]


@lru_cache(maxsize=1)
def _tabulate() -> Any:
    """Load tabulate without `importlib.metadata`, which it uses only to find its own version.

    That module imports email, sockets and archives, and takes longer to load than this whole program.
    """
    name = "importlib.metadata"
    stand_in = ModuleType(name)
    stand_in.version, stand_in.PackageNotFoundError = str, LookupError  # type: ignore[attr-defined]
    is_loaded = sys.modules.setdefault(name, stand_in) is not stand_in
    try:
        from tabulate import tabulate
    finally:
        if not is_loaded:
            del sys.modules[name]
    return tabulate


def format_cells(table: Table, digits: int, write: Writer = format_cell) -> tuple[list[str], list[list[str]]]:
    """Return a table's titles and rows as text."""
    rows = [
        [write(cell, column.style, digits) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    return [write(column.title, Style.TEXT, digits) for column in table.columns], rows


def grid(table: Table, layout: str, digits: int, write: Writer = format_cell) -> str:
    """Lay out a table with tabulate; all values are text already, so that nothing is rounded again."""
    titles, rows = format_cells(table, digits, write)
    text: str = _tabulate()(
        rows,
        headers=titles,
        tablefmt=layout,
        colalign=["right" if is_numeric(column) else "left" for column in table.columns] if rows else None,
        disable_numparse=True,
    )
    return text


def simple_grid(table: Table, digits: int, write: Writer = format_cell) -> str:
    """Lay out a table exactly as tabulate's layout `simple` does, without loading the library.

    Loading it takes as long as counting a bet, and most answers are one table on the terminal.
    """
    titles, rows = format_cells(table, digits, write)
    if any("\n" in text for row in (titles, *rows) for text in row):
        return grid(table, "simple", digits, write)
    cells = [[text.strip() for text in row] for row in rows]
    widths = [max([len(title) + 2, *(len(row[index]) for row in cells)]) for index, title in enumerate(titles)]
    numeric = [bool(rows) and is_numeric(column) for column in table.columns]
    lines = [titles, ["-" * width for width in widths], *cells]
    return "\n".join(
        "  ".join(
            [
                text.rjust(width) if is_right else text.ljust(width)
                for text, width, is_right in zip(line, widths, numeric, strict=True)
            ]
        ).rstrip()
        for line in lines
    )


_GAP = 2
_NARROWEST_TEXT = 12


class TextColumn(Struct, frozen=True):
    """A column of formatted texts, and the width to which they are wrapped."""

    title: str
    cells: tuple[str, ...]
    is_numeric: bool
    is_spare: bool = False
    width: int = 0

    @property
    def least(self) -> int:
        """Minimum width: the longest word, number or short text of the column."""
        words = _longest_word([self.title, *self.cells])
        if self.is_numeric:
            return max([words, *[len(cell) for cell in self.cells if any(map(str.isdigit, cell))]])
        return max(words, min(_NARROWEST_TEXT, max(map(len, self.cells), default=0)))

    @property
    def most(self) -> int:
        """Maximum width: every cell on one line, with the heading wrapped."""
        return max([_longest_word([self.title]), *map(len, self.cells)])

    def at(self, width: int) -> TextColumn:
        """Return the same column with another width."""
        return TextColumn(self.title, self.cells, self.is_numeric, self.is_spare, width)


def _longest_word(texts: Sequence[str]) -> int:
    return max((len(word) for text in texts for word in text.split()), default=0)


def wrap_text(text: str, width: int | None, indent: str = "") -> str:
    """Wrap a line of text between its words; lines after the first are indented."""
    if width is None or len(text) <= width:
        return text
    lines = textwrap.wrap(
        text, max(width, 1), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )  # what is one word, such as a number, stays in one piece
    return "\n".join(lines)


def narrow_grid(table: Table, rows: Sequence[Sequence[str]], titles: Sequence[str], width: int) -> str:
    """Lay out a table in at most `width` characters, if its words allow it."""
    columns = [
        TextColumn(title, tuple(row[index] for row in rows), is_numeric(column), column.is_spare)
        for index, (title, column) in enumerate(zip(titles, table.columns, strict=True))
    ]
    hidden: list[str] = []
    while _total([text_column.most for text_column in columns]) > width and any(
        text_column.is_spare for text_column in columns
    ):
        last = max(index for index, text_column in enumerate(columns) if text_column.is_spare)
        hidden.insert(0, columns.pop(last).title)
    blocks = [_layout(block, width) for block in _blocks(columns, table.keys, width)]
    hidden_note = [wrap_text(f"Not shown in {width} columns: {', '.join(hidden)}", width)] if hidden else []
    return "\n\n".join([*blocks, *hidden_note])


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _blocks(columns: Sequence[TextColumn], keys: int, width: int) -> list[list[TextColumn]]:
    """Split columns into blocks that fit; each begins with the key columns."""
    key, blocks = list(columns[:keys]), [list(columns[:keys])]
    for column in columns[keys:]:
        block = blocks[-1]
        if len(block) > len(key) and _total([block_column.least for block_column in (*block, column)]) > width:
            blocks.append([*key, column])
        else:
            block.append(column)
    return blocks


def _layout(columns: Sequence[TextColumn], width: int) -> str:
    """Shrink text columns, the widest first, until the block fits, and return its lines."""
    widths = [text_column.most for text_column in columns]
    while _total(widths) > width:
        widest = max(range(len(widths)), key=lambda index: widths[index] - columns[index].least)
        if widths[widest] == columns[widest].least:
            break  # nothing more can be wrapped
        widths[widest] -= 1
    sized = [column.at(column_width) for column, column_width in zip(columns, widths, strict=True)]
    lines = [
        *_row([text_column.title for text_column in sized], sized, at_the_bottom=True),
        _join_cells(["-" * text_column.width for text_column in sized]),
    ]
    for number in range(len(sized[0].cells)):
        lines += _row([text_column.cells[number] for text_column in sized], sized)
    return "\n".join(lines)


def _row(texts: Sequence[str], columns: Sequence[TextColumn], *, at_the_bottom: bool = False) -> list[str]:
    cells = [wrap_text(text, column.width).split("\n") for text, column in zip(texts, columns, strict=True)]
    height = max(map(len, cells))
    padded = [
        [""] * (height - len(cell)) + cell if at_the_bottom else cell + [""] * (height - len(cell)) for cell in cells
    ]
    return [
        _join_cells(
            [
                line.rjust(column.width) if column.is_numeric else line.ljust(column.width)
                for line, column in zip(lines, columns, strict=True)
            ]
        )
        for lines in zip(*padded, strict=True)
    ]


def _join_cells(cells: Sequence[str]) -> str:
    return (" " * _GAP).join(cells).rstrip()


def render(document: Document, digits: int, width: int | None = None, in_ascii: bool = False) -> str:
    """Return a document as plain text of at most `width` columns, with signs in ASCII if `in_ascii`."""
    return PlainTextPage(digits, width, in_ascii).text(document)


class PlainTextPage(Struct, frozen=True):
    """Settings of a plain-text page, and the methods that write it."""

    digits: int
    width: int | None
    in_ascii: bool

    def text(self, document: Document) -> str:
        """Return a whole document as text."""
        head = [wrap_text(line, self.width) for line in (*document.title.splitlines(), document.subtitle) if line]
        flags = [wrap_text(f"! {flag}", self.width, "  ") for flag in document.flags]
        blocks = ["\n".join(head), "\n".join(flags)]
        blocks += self._body(document.tables, document.figures, document.notes)
        for section in document.sections:
            blocks += self._section(section)
        text = "\n\n".join(block for block in blocks if block) + "\n"
        printable = "".join(character if character.isprintable() or character == "\n" else " " for character in text)
        return to_ascii(printable) if self.in_ascii else printable

    def _written(self, cell: Cell, style: Style, digits: int) -> str:
        """Format a value in the character set of the page, before alignment."""
        text = format_cell(cell, style, digits)
        return to_ascii(text) if self.in_ascii else text

    def _body(self, tables: tuple[Table, ...], figures: tuple[Figure, ...], notes: tuple[str, ...]) -> list[str]:
        blocks = [
            (f"{wrap_text(table.caption, self.width)}\n" if table.caption else "") + self._grid(table)
            for table in tables
        ]
        blocks.append(self._figures(figures))
        blocks.append("\n".join(wrap_text(f"* {note}", self.width, "  ") for note in notes))
        return blocks

    def _grid(self, table: Table) -> str:
        text = simple_grid(table, self.digits, self._written)
        if self.width is None or max(map(len, text.splitlines()), default=0) <= self.width:
            return text
        titles, rows = format_cells(table, self.digits, self._written)
        return narrow_grid(table, rows, titles, self.width)

    def _figures(self, figures: tuple[Figure, ...]) -> str:
        widest = max((len(figure.label) for figure in figures), default=0)
        return "\n".join(
            wrap_text(
                f"{figure.label:<{widest}}  {self._written(figure.value, figure.style, self.digits)}", self.width, "  "
            )
            for figure in figures
        )

    def _section(self, section: Section) -> list[str]:
        return [
            f"{section.number}. {section.title}",
            "\n".join(wrap_text(text, self.width) for text in section.text),
            self._figures(section.figures),
            *self._body(section.tables, (), section.notes),
        ]
