"""Render documents as plain text for terminals and pipes, without control characters.

Tables use the `simple` layout of the tabulate library. A table that is wider than the terminal wraps headings and
texts, hides spare columns and splits into blocks; numbers are never cut.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence

from msgspec import Struct

from reports.page.model import Cell, Document, Figure, Section, Style, Table, format_cell, is_numeric
from reports.page.numerals import MINUS, NO_VALUE

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_POWER = f"[{_SUPERSCRIPTS}]+"
_PLAIN_DIGITS = str.maketrans(_SUPERSCRIPTS, "0123456789-")
_ASCII_SIGNS = str.maketrans(
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
    return re.sub(_POWER, lambda power: f"^{power[0].translate(_PLAIN_DIGITS)}", text).translate(_ASCII_SIGNS)


CellFormatter = Callable[[Cell, Style, int], str]


def format_cells(
    table: Table, digits: int, format_value: CellFormatter = format_cell
) -> tuple[list[str], list[list[str]]]:
    """Return a table's titles and rows as text."""
    rows = [
        [format_value(cell, column.style, digits) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]
    return [format_value(column.title, Style.TEXT, digits) for column in table.columns], rows


def grid(table: Table, layout: str, digits: int, format_value: CellFormatter = format_cell) -> str:
    """Lay out a table with tabulate; all values are text already, so that nothing is rounded again."""
    from tabulate import tabulate  # it loads slowly, and commands that print JSON or CSV do not need it

    titles, rows = format_cells(table, digits, format_value)
    return tabulate(
        rows,
        headers=titles,
        tablefmt=layout,
        colalign=["right" if is_numeric(column) else "left" for column in table.columns] if rows else None,
        disable_numparse=True,
    )


_GAP = 2
_MIN_TEXT_WIDTH = 12


class TextColumn(Struct, frozen=True):
    """A column of formatted texts, and the width to which they are wrapped."""

    title: str
    cells: tuple[str, ...]
    is_numeric: bool
    is_spare: bool = False
    width: int = 0

    @property
    def min_width(self) -> int:
        """Minimum width: the longest word, number or short text of the column."""
        words = _longest_word([self.title, *self.cells])
        if self.is_numeric:
            return max([words, *[len(cell) for cell in self.cells if any(map(str.isdigit, cell))]])
        return max(words, min(_MIN_TEXT_WIDTH, max(map(len, self.cells), default=0)))

    @property
    def max_width(self) -> int:
        """Maximum width: every cell on one line, with the heading wrapped."""
        return max([_longest_word([self.title]), *map(len, self.cells)])

    def with_width(self, width: int) -> TextColumn:
        """Return the same column with another width."""
        return TextColumn(self.title, self.cells, self.is_numeric, self.is_spare, width)


def _longest_word(texts: Sequence[str]) -> int:
    return max((len(word) for text in texts for word in text.split()), default=0)


def wrap_text(text: str, width: int | None, indent: str = "") -> str:
    """Wrap a line of text between its words; lines after the first are indented."""
    if width is None or len(text) <= width:
        return text
    # Words are never broken, because some are numbers.
    lines = textwrap.wrap(text, max(width, 1), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)


def narrow_grid(table: Table, rows: Sequence[Sequence[str]], titles: Sequence[str], width: int) -> str:
    """Lay out a table in at most `width` characters, if its words allow it."""
    columns = [
        TextColumn(title, tuple(row[index] for row in rows), is_numeric(column), column.is_spare)
        for index, (title, column) in enumerate(zip(titles, table.columns, strict=True))
    ]
    hidden_titles: list[str] = []
    while _total_width([text_column.max_width for text_column in columns]) > width and any(
        text_column.is_spare for text_column in columns
    ):
        last_spare = max(index for index, text_column in enumerate(columns) if text_column.is_spare)
        hidden_titles.insert(0, columns.pop(last_spare).title)
    blocks = [_layout(block, width) for block in _blocks(columns, table.keys, width)]
    hidden_note = (
        [wrap_text(f"Not shown in {width} columns: {', '.join(hidden_titles)}", width)] if hidden_titles else []
    )
    return "\n\n".join([*blocks, *hidden_note])


def _total_width(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _blocks(columns: Sequence[TextColumn], key_count: int, width: int) -> list[list[TextColumn]]:
    """Split columns into blocks that fit; each begins with the key columns."""
    key_columns, blocks = list(columns[:key_count]), [list(columns[:key_count])]
    for column in columns[key_count:]:
        block = blocks[-1]
        if (
            len(block) > len(key_columns)
            and _total_width([block_column.min_width for block_column in (*block, column)]) > width
        ):
            blocks.append([*key_columns, column])
        else:
            block.append(column)
    return blocks


def _layout(columns: Sequence[TextColumn], width: int) -> str:
    """Shrink text columns, the widest first, until the block fits, and return its lines."""
    widths = [text_column.max_width for text_column in columns]
    while _total_width(widths) > width:
        widest = max(range(len(widths)), key=lambda index: widths[index] - columns[index].min_width)
        if widths[widest] == columns[widest].min_width:
            break  # nothing more can be wrapped
        widths[widest] -= 1
    sized_columns = [column.with_width(column_width) for column, column_width in zip(columns, widths, strict=True)]
    lines = [
        *_row([text_column.title for text_column in sized_columns], sized_columns, is_bottom_aligned=True),
        _join_cells(["-" * text_column.width for text_column in sized_columns]),
    ]
    for row_index in range(len(sized_columns[0].cells)):
        lines += _row([text_column.cells[row_index] for text_column in sized_columns], sized_columns)
    return "\n".join(lines)


def _row(texts: Sequence[str], columns: Sequence[TextColumn], *, is_bottom_aligned: bool = False) -> list[str]:
    cells = [wrap_text(text, column.width).split("\n") for text, column in zip(texts, columns, strict=True)]
    height = max(map(len, cells))
    padded = [
        [""] * (height - len(cell)) + cell if is_bottom_aligned else cell + [""] * (height - len(cell))
        for cell in cells
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
        title_lines = [
            wrap_text(line, self.width) for line in (*document.title.splitlines(), document.subtitle) if line
        ]
        flag_lines = [wrap_text(f"! {flag}", self.width, "  ") for flag in document.flags]
        blocks = ["\n".join(title_lines), "\n".join(flag_lines)]
        blocks += self._body(document.tables, document.figures, document.notes)
        for section in document.sections:
            blocks += self._section(section)
        text = "\n\n".join(block for block in blocks if block) + "\n"
        printable = "".join(character if character.isprintable() or character == "\n" else " " for character in text)
        return to_ascii(printable) if self.in_ascii else printable

    def _format_cell(self, cell: Cell, style: Style, digits: int) -> str:
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
        text = grid(table, "simple", self.digits, self._format_cell)
        if self.width is None or max(map(len, text.splitlines()), default=0) <= self.width:
            return text
        titles, rows = format_cells(table, self.digits, self._format_cell)
        return narrow_grid(table, rows, titles, self.width)

    def _figures(self, figures: tuple[Figure, ...]) -> str:
        label_width = max((len(figure.label) for figure in figures), default=0)
        return "\n".join(
            wrap_text(
                f"{figure.label:<{label_width}}  {self._format_cell(figure.value, figure.style, self.digits)}",
                self.width,
                "  ",
            )
            for figure in figures
        )

    def _section(self, section: Section) -> list[str]:
        return [
            section.numbered(section.title),
            "\n".join(wrap_text(text, self.width) for text in section.text),
            self._figures(section.figures),
            *self._body(section.tables, (), section.notes),
        ]
