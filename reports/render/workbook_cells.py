"""The cells of a workbook: exact values as stored numbers, looks by style, and pages that fit what stands on them.

XlsxWriter offers no types, so what it makes is `Any` here.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from combinat.exact.polynomial import Polynomial
from combinat.exact.root import Root
from reports.page.model import Cell, Style, Styled, written
from reports.page.numerals import exact

LARGEST_WHOLE = 2**53
"""From here on a spreadsheet no longer tells neighboring whole numbers apart."""

LONGEST_TEXT = 32_767
"""More does not fit into a cell."""

_KEPT = Context(prec=20)
"""With 17 digits a double is found again, but to find the one nearest to an exact value takes some more."""
_FINE = Context(prec=80)
_NARROWEST, _WIDEST = 5, 64
_LONGEST_EXACT = 130
_TEXT_WIDTH = 100
"""How many characters a line of running text has at least, however narrow the tables are."""
_LANDSCAPE_FROM = 112
_LINE_HEIGHT = 13
_A4 = 9
_ONE_PAGE_ROWS = 48
"""As many rows are still easy to read when they are made to fit one printed page."""

INK, PALE, INPUT, FLAG = "#1B3A57", "#E8EEF4", "#FFF4C2", "#FBE3DF"

Number = int | Fraction | Root


class Stored(Decimal):
    """A number as a cell keeps it, written with all its digits, of which XlsxWriter would drop some."""

    def __format__(self, specifier: str, context: Context | None = None) -> str:
        return str(self)


def stored(value: Number) -> Stored:
    """Round an exact value once, to the digits that a cell keeps.

    >>> str(stored(Fraction(1, 3))), str(stored(Root(Fraction(2)))), str(stored(5013320))
    ('0.33333333333333333333', '1.4142135623730950488', '5013320')
    """
    if isinstance(value, Root):
        size = _KEPT.sqrt(_FINE.divide(Decimal(value.square.numerator), Decimal(value.square.denominator)))
        return Stored(-size if value.negative else size)
    value = Fraction(value)
    return Stored(_KEPT.divide(Decimal(value.numerator), Decimal(value.denominator)))


def number_in_cell(cell: Cell) -> Number | None:
    """Give the number that a cell can keep as one; `None` if it has to be text."""
    if isinstance(cell, Styled):
        return number_in_cell(cell.value)
    if isinstance(cell, Polynomial) and cell.is_constant:
        cell = cell.constant
    if isinstance(cell, int):
        return cell if abs(cell) < LARGEST_WHOLE else None
    return cell if isinstance(cell, (Fraction, Root)) else None


def exact_text(cell: Cell) -> str | None:
    """Give a value that no decimal shows in full as exact text; `None` if the number itself is exact."""
    value = cell.value if isinstance(cell, Styled) else cell
    if not isinstance(value, (int, Fraction, Polynomial, Root)):
        return None
    text = exact(value)
    return text if isinstance(text, str) else None


def shortened(text: str) -> str:
    """Give an exact value as it is, unless nobody could read it."""
    return text if len(text) <= _LONGEST_EXACT else "long; the JSON file has it"


def number_format(style: Style, digits: int) -> str:
    """Give the pattern that shows a number as the style asks."""
    match style:
        case Style.PERCENT:
            return _places("0", digits - 2) + "%"
        case Style.DECIMAL | Style.SUM:
            return _places("#,##0", digits)
        case Style.ODDS | Style.MONEY:
            return "#,##0.00"
        case Style.COUNT:
            return "#,##0"
        case _:
            return "General"  # a pattern with optional decimals would leave a point behind whole numbers


def _places(whole: str, places: int) -> str:
    return f"{whole}.{'0' * places}" if places > 0 else whole


class Formats:
    """The formats of a workbook, each made once."""

    def __init__(self, workbook: Any, digits: int) -> None:
        self.workbook = workbook
        self.digits = digits
        self._made: dict[tuple[tuple[str, Any], ...], Any] = {}

    def look(self, **properties: Any) -> Any:
        """Give the format with some properties."""
        key = tuple(sorted(properties.items()))
        if key not in self._made:
            self._made[key] = self.workbook.add_format({"font_name": "Arial", "font_size": 10, **properties})
        return self._made[key]

    def number(self, style: Style, **properties: Any) -> Any:
        """Give the format of a number of some style."""
        pattern = number_format(style, self.digits)
        return self.look(num_format=pattern, align="right", valign="top", **properties)

    @property
    def header(self) -> Any:
        """The format of a table's head."""
        return self.look(
            bold=True, font_color="#FFFFFF", bg_color=INK, text_wrap=True, align="center", valign="vcenter"
        )


class Page:
    """One worksheet, filled from top to bottom; widths and heights follow when all is on it."""

    def __init__(self, looks: Formats, worksheet: Any) -> None:
        self.looks = looks
        self.worksheet = worksheet
        self.row = 0
        self.columns = 1
        self._widths: dict[int, int] = {}
        self._words: list[tuple[int, int, str, dict[str, Any]]] = []
        self._wrapped: dict[int, list[tuple[int, str]]] = {}

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
        self.needs(column, len(written(value, style, self.looks.digits)))
        self.worksheet.write_number(row, column, stored(value), self.looks.number(style, **look))

    def formula(self, row: int, column: int, formula: str, value: Number | str, style: Style, **look: Any) -> None:
        """Write a live formula together with its value, so that it shows in programs that do not calculate."""
        self.needs(column, len(written(value, style, self.looks.digits)))
        kept = value if isinstance(value, str) else stored(value)
        self.worksheet.write_formula(row, column, formula, self.looks.number(style, **look), kept)

    def cell(self, row: int, column: int, cell: Cell, style: Style, **look: Any) -> None:
        """Write any value of the model, as a number where it is one."""
        style = cell.style if isinstance(cell, Styled) else style
        number = number_in_cell(cell)
        if number is not None and not (style is Style.COUNT and isinstance(number, Fraction)):
            self.number(row, column, number, style, **look)
        else:
            look = look if style is Style.TEXT else {"align": "right", **look}
            self.text(row, column, written(cell, style, self.looks.digits), **look)

    def words(self, text: str, **look: Any) -> None:
        """Write running text over the whole width, below what stands there."""
        self.words_from(0, text, **look)
        self.row += 1

    def words_from(self, column: int, text: str, **look: Any) -> None:
        """Write running text from a column on to the right, where nothing else stands."""
        self._words.append((self.row, column, text, look))

    def title(self, text: str, subtitle: str) -> None:
        """Head the page."""
        self.words(text, bold=True, font_size=14, font_color=INK)
        if subtitle:
            self.words(subtitle, font_color="#555555")
        self.row += 1

    def heading(self, text: str) -> None:
        """Head a part of the page."""
        self.words(text, bold=True, font_size=11, font_color=INK, bottom=1, bottom_color=INK)

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
        for column, width in enumerate(widths):
            self.worksheet.set_column(column, column, width)
        for row, cells in self._wrapped.items():
            lines = max(_lines(text, widths[column] - 2) for column, text in cells)
            self.worksheet.set_row(row, 3 + _LINE_HEIGHT * lines)
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
        self.worksheet.write_string(row, first, text[:LONGEST_TEXT], format)
        lines = _lines(text, total * 11 // size)  # letters are narrower on average than the digits widths count
        self.worksheet.set_row(row, 3 + lines * _LINE_HEIGHT * size // 10)

    def _set_up_print(self, head: str, foot: str, width: int) -> None:
        sheet = self.worksheet
        sheet.hide_gridlines(2)
        sheet.set_paper(_A4)
        if width > _LANDSCAPE_FROM:
            sheet.set_landscape()
        sheet.fit_to_pages(1, 1 if self.row <= _ONE_PAGE_ROWS else 0)
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


def column_letter(column: int) -> str:
    """Name a column as spreadsheets do, for the first 26."""
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[column]
