"""Tables that are too wide for the terminal: headings and texts wrap, columns wait or stand below, no number is cut."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from reports.page.model import Table, is_numeric

_GAP = 2
_NARROWEST_TEXT = 12


class TextColumn(Struct, frozen=True):
    """A column of finished texts, and the width that they are wrapped to."""

    title: str
    cells: tuple[str, ...]
    is_numeric: bool
    is_spare: bool = False
    width: int = 0

    @property
    def least(self) -> int:
        """No column is narrower than its longest word, or than a number or a short text in it."""
        words = _longest_word([self.title, *self.cells])
        if self.is_numeric:
            return max([words, *[len(cell) for cell in self.cells if any(map(str.isdigit, cell))]])
        return max(words, min(_NARROWEST_TEXT, max(map(len, self.cells), default=0)))

    @property
    def most(self) -> int:
        """Wide enough for every cell, the heading being wrapped."""
        return max([_longest_word([self.title]), *map(len, self.cells)])

    def at(self, width: int) -> TextColumn:
        """The same column in another width."""
        return TextColumn(self.title, self.cells, self.is_numeric, self.is_spare, width)


def _longest_word(texts: Sequence[str]) -> int:
    return max((len(word) for text in texts for word in text.split()), default=0)


def wrapped(text: str, width: int | None, indent: str = "") -> str:
    """Wrap a line of text between its words; lines after the first are indented."""
    if width is None or len(text) <= width:
        return text
    import textwrap  # what is wide enough needs none of it

    lines = textwrap.wrap(
        text, max(width, 1), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )  # what is one word, such as a number, stays in one piece
    return "\n".join(lines)


def narrow_grid(table: Table, rows: Sequence[Sequence[str]], titles: Sequence[str], width: int) -> str:
    """Lay a table out in no more than a width, if its words allow it."""
    columns = [
        TextColumn(title, tuple(row[place] for row in rows), is_numeric(column), column.is_spare)
        for place, (title, column) in enumerate(zip(titles, table.columns, strict=True))
    ]
    waiting: list[str] = []
    while _total([one.most for one in columns]) > width and any(one.is_spare for one in columns):
        last = max(place for place, one in enumerate(columns) if one.is_spare)
        waiting.insert(0, columns.pop(last).title)
    blocks = [_layout(block, width) for block in _blocks(columns, table.keys, width)]
    left_out = [wrapped(f"Not shown in {width} columns: {', '.join(waiting)}", width)] if waiting else []
    return "\n\n".join([*blocks, *left_out])


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)


def _blocks(columns: Sequence[TextColumn], keys: int, width: int) -> list[list[TextColumn]]:
    """Split columns into blocks that fit, each of which begins with the columns that name a row."""
    key, blocks = list(columns[:keys]), [list(columns[:keys])]
    for column in columns[keys:]:
        block = blocks[-1]
        if len(block) > len(key) and _total([one.least for one in (*block, column)]) > width:
            blocks.append([*key, column])
        else:
            block.append(column)
    return blocks


def _layout(columns: Sequence[TextColumn], width: int) -> str:
    """Give texts the room that numbers leave them, the longest losing most, and write the block."""
    widths = [one.most for one in columns]
    while _total(widths) > width:
        wide = max(range(len(widths)), key=lambda place: widths[place] - columns[place].least)
        if widths[wide] == columns[wide].least:
            break  # nothing more can be wrapped
        widths[wide] -= 1
    own = [column.at(room) for column, room in zip(columns, widths, strict=True)]
    lines = [*_row([one.title for one in own], own, at_the_bottom=True), _joined(["-" * one.width for one in own])]
    for number in range(len(own[0].cells)):
        lines += _row([one.cells[number] for one in own], own)
    return "\n".join(lines)


def _row(texts: Sequence[str], columns: Sequence[TextColumn], *, at_the_bottom: bool = False) -> list[str]:
    cells = [wrapped(text, column.width).split("\n") for text, column in zip(texts, columns, strict=True)]
    height = max(map(len, cells))
    padded = [
        [""] * (height - len(cell)) + cell if at_the_bottom else cell + [""] * (height - len(cell)) for cell in cells
    ]
    return [
        _joined(
            [
                line.rjust(column.width) if column.is_numeric else line.ljust(column.width)
                for line, column in zip(lines, columns, strict=True)
            ]
        )
        for lines in zip(*padded, strict=True)
    ]


def _joined(cells: Sequence[str]) -> str:
    return (" " * _GAP).join(cells).rstrip()
