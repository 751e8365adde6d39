"""A worksheet filled from top to bottom, whose widths, heights and printed page fit what stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from reports.page.model import Cell, Style, Styled, written
from reports.render.workbook_cells import INK, Formats, Number, number_in_cell, shown_width, stored

_NARROWEST, _WIDEST = 5, 64
_TEXT_WIDTH = 100
"""How many characters a line of running text has at least, however narrow the tables are."""
_LANDSCAPE_FROM = 112
_LINE_HEIGHT = 13
_A4 = 9
_ONE_PAGE_ROWS = 58
"""As many rows are still easy to read when they are made to fit one printed page, unless they are very wide."""
_SMALLEST_PERCENT = 50
"""What is made smaller than that to fit one page goes on over several, as wide as the paper is."""
_PAPER, _MARGINS = (595, 842), (86, 108)
"""The width and the height of A4 in points, and what the margins take of each."""
_POINTS_OF_A_CHARACTER, _ROW_HEIGHT = 6, 15
_KEPT_TOGETHER = 4
"""A heading, the head of its table, and two rows of it."""
LONGEST_TEXT = 32_767
"""More does not fit into a cell."""


class Page:
    """One worksheet, filled from top to bottom; widths and heights follow when all is on it."""

    def __init__(self, looks: Formats, worksheet: Any) -> None:
        self.looks = looks
        self.worksheet = worksheet
        self.row = 0
        self.columns = 1
        self._widths: dict[int, int] = {}
        self._words: list[tuple[int, int, str, dict[str, Any]]] = []
        self._formulas: dict[tuple[int, int], str] = {}
        self._wrapped: dict[int, list[tuple[int, str]]] = {}
        self._headings: list[int] = []
        self._heights: dict[int, int] = {}

    @property
    def name(self) -> str:
        """The worksheet's name."""
        return str(self.worksheet.get_name())

    def needs(self, column: int, characters: int) -> None:
        """Make a column wide enough for some characters and the space around them, within reason."""
        width = min(max(characters + 2, _NARROWEST), _WIDEST)
        self._widths[column] = max(self._widths.get(column, 0), width)
        self.columns = max(self.columns, column + 1)

    def text(self, row: int, column: int, text: str, fits: bool = True, **look: Any) -> None:
        """Write words that can never be taken for a formula; unless told otherwise the column grows to fit them."""
        if len(text) > LONGEST_TEXT:
            text = text[: LONGEST_TEXT - 1] + "…"
        if fits:
            self.needs(column, max((len(line) for line in text.splitlines()), default=0))
            if len(text) + 2 > _WIDEST or "\n" in text:
                look = {"text_wrap": True, **look}
                self._wrapped.setdefault(row, []).append((column, text))
        format = self.looks.look(**_beside(look))
        if text:
            self.worksheet.write_string(row, column, text, format)
        else:
            self.worksheet.write_blank(row, column, None, format)

    def number(self, row: int, column: int, value: Number, style: Style, **look: Any) -> None:
        """Write a number, exact to the last digit that a cell keeps."""
        kept = stored(value)
        self.needs(column, shown_width(kept, style, self.looks.cell_digits))
        self.worksheet.write_number(row, column, kept, self.looks.number(style, **look))

    def formula(self, row: int, column: int, formula: str, value: Number | str, style: Style, **look: Any) -> None:
        """Write a live formula together with its value, so that it shows in programs that do not calculate."""
        format = self.looks.look(**_beside(look)) if isinstance(value, str) and style is Style.TEXT else None
        kept = value if isinstance(value, str) else stored(value)
        width = len(kept) if isinstance(kept, str) else shown_width(kept, style, self.looks.cell_digits)
        self.needs(column, width)
        self.worksheet.write_formula(row, column, formula, format or self.looks.number(style, **look), kept)

    def share(self, row: int, column: int, value: Number, **look: Any) -> None:
        """Write a part of something, put in by people, as a percentage of two decimals."""
        self.needs(column, 8)
        format = self.looks.look(num_format="0.00%", align="right", valign="top", **look)
        self.worksheet.write_number(row, column, stored(value), format)

    def cell(self, row: int, column: int, cell: Cell, style: Style, **look: Any) -> None:
        """Write any value of the model, as a number where it is one."""
        style = cell.style if isinstance(cell, Styled) else style
        number = number_in_cell(cell)
        if number is not None and not (style is Style.COUNT and isinstance(number, Fraction)):
            self.number(row, column, number, style, **look)
        else:
            look = look if style is Style.TEXT else {"align": "right", **look}
            self.text(row, column, written(cell, style, self.looks.digits), **look)

    def grey(self, first_row: int, first_column: int, last_row: int, last_column: int, when: str) -> None:
        """Grey cells out while a formula holds."""
        look = self.looks.pale
        cells = (first_row, first_column, last_row, last_column)
        self.worksheet.conditional_format(*cells, {"type": "formula", "criteria": when, "format": look})

    def words(self, text: str, formula: str = "", **look: Any) -> None:
        """Write running text over the whole width, below what stands there; a formula may say it anew."""
        self.words_from(0, text, formula, **look)
        self.row += 1

    def words_from(self, column: int, text: str, formula: str = "", **look: Any) -> None:
        """Write running text from a column on to the right, where nothing else stands."""
        if not text:
            return
        if formula:
            self._formulas[self.row, column] = formula
        self._words.append((self.row, column, text, look))

    def title(self, text: str, subtitle: str) -> None:
        """Head the page."""
        self.words(text, bold=True, font_size=14, font_color=INK)
        if subtitle:
            self.words(subtitle, font_color="#555555")
        self.row += 1

    def heading(self, text: str, formula: str = "") -> None:
        """Head a part of the page."""
        self._headings.append(self.row)
        self.words(text, formula, bold=True, font_size=11, font_color=INK, bottom=1, bottom_color=INK)

    def header(self, titles: Sequence[str]) -> None:
        """Write the head of a table, whose titles may take two or three lines."""
        for column, title in enumerate(titles):
            longest_word = max(map(len, title.split() or [""]))
            self.needs(column, max(longest_word, -(-len(title) // 3)) + 1)
            self.worksheet.write_string(self.row, column, title, self.looks.header)
        self._wrapped[self.row] = list(enumerate(titles))
        self.row += 1

    def finish(self, head: str, foot: str) -> None:
        """Set widths, heights and the printed page."""
        widths = [self._widths.get(column, _NARROWEST) for column in range(self.columns)]
        while sum(widths) < _TEXT_WIDTH:
            widths.append(min(2 * _NARROWEST, _TEXT_WIDTH - sum(widths) + 1))
        words_end = max((column + 1 for _, column, _, _ in self._words), default=0)
        widths += [2 * _NARROWEST] * (words_end - len(widths))  # beside a column that is wide by itself
        for column, width in enumerate(widths):
            self.worksheet.set_column(column, column, width)
        for row, cells in self._wrapped.items():
            lines = max(_lines(text, widths[column] - 2) for column, text in cells)
            self._set_height(row, 3 + _LINE_HEIGHT * lines)
        for row, column, text, look in self._words:
            self._write_over(row, column, text, look, widths)
        self._set_up_print(head, foot, sum(widths))

    def _write_over(self, row: int, first: int, text: str, look: dict[str, Any], widths: Sequence[int]) -> None:
        """Write text across columns, as far as a comfortable line reaches."""
        last, total = first, widths[first]
        while last + 1 < len(widths) and total < _TEXT_WIDTH:
            last += 1
            total += widths[last]
        size = look.get("font_size", 10)
        format = self.looks.look(text_wrap=True, valign="top", **look)
        if last > first:
            self.worksheet.merge_range(row, first, row, last, "", format)
        if (row, first) in self._formulas:
            self.worksheet.write_formula(row, first, self._formulas[row, first], format, text)
        else:
            self.worksheet.write_string(row, first, text[:LONGEST_TEXT], format)
        lines = _lines_over(text, total, size)
        self._set_height(row, 3 + lines * _LINE_HEIGHT * size // 10)

    def _set_height(self, row: int, height: int) -> None:
        self._heights[row] = height
        self.worksheet.set_row(row, height)

    def _height(self, first: int, end: int) -> int:
        return sum(self._heights.get(row, _ROW_HEIGHT) for row in range(first, end))

    def _percent(self, width: int, is_landscape: bool) -> int:
        """Say how much of its size is left to what stands on the page if it is all to fit the paper."""
        paper = _PAPER[::-1] if is_landscape else _PAPER
        wide, high = paper[0] - _MARGINS[0], paper[1] - _MARGINS[1]
        return min(100, 100 * wide // (_POINTS_OF_A_CHARACTER * width), 100 * high // self._height(0, self.row))

    def _breaks(self, width: int, is_landscape: bool) -> list[int]:
        """Find the headings that would stand on a printed page without all that they head, if that fits on the next.

        A page that is fitted to the paper's width is made smaller by as much, so that more rows are on it.
        """
        paper = _PAPER[::-1] if is_landscape else _PAPER
        wide, high = paper[0] - _MARGINS[0], paper[1] - _MARGINS[1]
        page = high * max(_POINTS_OF_A_CHARACTER * width, wide) // wide
        found, used = [], 0
        parts = dict(pairwise([*self._headings, self.row]))
        for row in range(self.row):
            whole = self._height(row, parts.get(row, row))
            needed = whole if whole <= page else self._height(row, row + _KEPT_TOGETHER)
            if used and row in parts and used + needed > page:
                found.append(row)
                used = 0
            height = self._heights.get(row, _ROW_HEIGHT)
            used = used + height if used + height <= page else height
        return found

    def _set_up_print(self, head: str, foot: str, width: int) -> None:
        sheet = self.worksheet
        sheet.hide_gridlines(2)
        sheet.set_paper(_A4)
        upright, across = (self._percent(width, is_landscape) for is_landscape in (False, True))
        on_one = self.row <= _ONE_PAGE_ROWS and max(upright, across) >= _SMALLEST_PERCENT
        is_landscape = across > upright if on_one else width > _LANDSCAPE_FROM
        if is_landscape:
            sheet.set_landscape()
        sheet.fit_to_pages(1, 1 if on_one else 0)
        if not on_one and (breaks := self._breaks(width, is_landscape)):
            sheet.set_h_pagebreaks(breaks)
        sheet.set_margins(left=_inches(60), right=_inches(60), top=_inches(80), bottom=_inches(70))
        sheet.set_header(f"&L&8{_printed(head)}&R&8{_printed(self.name)}")
        sheet.set_footer(f"&L&8{_printed(foot)}&R&8Page &P of &N")


def _beside(look: dict[str, Any]) -> dict[str, Any]:
    """Keep words off the number that ends at the edge of the column before."""
    return {"valign": "top", **look} if "align" in look else {"valign": "top", "align": "left", "indent": 1, **look}


def _inches(hundredths: int) -> Decimal:
    return Decimal(hundredths) / 100


def _printed(text: str) -> str:
    """Make text fit for a printed head or foot, where & is a command and too much is refused."""
    # A space keeps digits at the start from being read as part of the font size before them.
    return " " + text[:90].replace("&", "&&")


def _lines_over(text: str, width: int, size: int) -> int:
    """Say how many lines a text takes across columns of so many digits in the usual size.

    >>> _lines_over("a few words that are more than one line of text", 40, 10), _lines_over("-1" + "0" * 90, 50, 10)
    (2, 3)
    """
    if " " in text:
        return _lines(text, width * 11 // size)  # letters are narrower on average than digits
    lines = _lines(text, width * 10 // size - 2)
    return lines + (lines > 1 and text.startswith("-"))  # a line may end after the sign of a long number


def _lines(text: str, width: int) -> int:
    """Say how many lines words take when they are wrapped."""
    total = 0
    for line in text.splitlines() or [""]:
        here, lines = 0, 1
        for word in line.split(" "):
            if here and here + 1 + len(word) > width:
                lines, here = lines + 1, 0
            here += len(word) + (1 if here else 0)
            lines, here = lines + here // (width + 1), here % (width + 1)  # a word longer than the line is broken
        total += lines
    return total
