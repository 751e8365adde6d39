"""Write workbook files with XlsxWriter; the only module that loads that library.

Exact values are rounded once to the digits of a cell (`to_cell_number`), `CellFormats` caches cell formats,
`WorksheetPage` fills one sheet from top to bottom and then sets widths, heights and print layout, and
`draw_line_chart` adds native charts. XlsxWriter has no types, so that its objects are `Any` here.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, BinaryIO, NamedTuple

from xlsxwriter import Workbook  # type: ignore[import-untyped]  # it comes without types
from xlsxwriter.utility import xl_col_to_name  # type: ignore[import-untyped]

from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from reports.page.model import Cell, Plot, Style, format_cell, percent_places, plain_value, style_of, unstyled
from reports.page.numerals import exact, format_fixed, format_percent
from reports.page.text import truncate


def create_workbook(file: BinaryIO) -> Any:
    """Return a new workbook that is written to `file`; it reads no text as a formula, a link or a number."""
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "default_format_properties": {"font_name": "Arial", "font_size": 10},
    }
    return Workbook(file, options)


EXACT_INTEGER_LIMIT = 2**53
"""From here on doubles do not distinguish neighboring integers."""

_CELL_PRECISION = Context(prec=20)
"""17 digits identify a double; finding the one nearest to an exact value takes a few more."""
_WORK_PRECISION = Context(prec=80)
_MAX_EXACT_LENGTH = 130
MAX_CELL_DIGITS = 30
"""Maximum decimals of a number format in spreadsheets; a cell keeps 17 digits anyway."""

INK, PALE, INPUT, FLAG = "#1B3A57", "#E8EEF4", "#FFF4C2", "#FBE3DF"

Number = int | Fraction | Surd


class CellNumber(Decimal):
    """The number of a cell, formatted with all its digits, some of which XlsxWriter would drop."""

    def __format__(self, specifier: str, context: Context | None = None) -> str:
        return str(self)


def to_cell_number(value: Number) -> CellNumber:
    """Round an exact value once, to the digits that a cell keeps.

    >>> str(to_cell_number(Fraction(1, 3))), str(to_cell_number(Surd(Fraction(2)))), str(to_cell_number(5013320))
    ('0.33333333333333333333', '1.4142135623730950488', '5013320')
    """
    if isinstance(value, Surd):
        size = _CELL_PRECISION.sqrt(
            _WORK_PRECISION.divide(Decimal(value.square.numerator), Decimal(value.square.denominator))
        )
        return CellNumber(-size if value.negative else size)
    value = Fraction(value)
    return CellNumber(_CELL_PRECISION.divide(Decimal(value.numerator), Decimal(value.denominator)))


def display_width(number: CellNumber, style: Style, digits: int) -> int:
    """Return the maximum number of characters of a number, including sign and thousands separators.

    >>> count, decimal = to_cell_number(5013320), to_cell_number(Fraction(-1, 3))
    >>> display_width(count, Style.COUNT, 10), display_width(decimal, Style.DECIMAL, 10)
    (9, 13)
    """
    integer_digits = max(number.adjusted(), 0) + 1
    match style:
        case Style.PERCENT | Style.POWER | Style.CHANCE | Style.APPROXIMATE | Style.APPROXIMATE_CHANCE:
            integer_digits, decimals = integer_digits + 2 * (number.adjusted() >= 0), percent_places(style, digits) + 1
        case Style.ROUGH | Style.ROUGH_CHANCE:
            integer_digits, decimals = integer_digits + 2 * (number.adjusted() >= 0), 2
        case Style.DECIMAL | Style.SUM:
            decimals = digits
        case Style.COUNT:
            decimals = 0
        case Style.TEXT:
            decimals = max(-int(number.as_tuple().exponent), 0)
        case _:
            decimals = 5
    return integer_digits + (integer_digits - 1) // 3 + (1 + decimals if decimals > 0 else 0) + number.is_signed()


def number_in_cell(cell: Cell) -> Number | None:
    """Return the number of a cell; `None` if it has to be text."""
    value = plain_value(cell)
    if isinstance(value, int):
        return value if abs(value) < EXACT_INTEGER_LIMIT else None
    return value if isinstance(value, (Fraction, Surd)) else None


def exact_text(cell: Cell) -> str | None:
    """Return the exact text of a value without a finite decimal; `None` if the number itself is exact."""
    value = unstyled(cell)
    if not isinstance(value, (int, Fraction, Polynomial, Surd)):
        return None
    text = exact(value)
    return text if isinstance(text, str) else None


def exact_or_note(text: str) -> str:
    """Return an exact value, or a note if it is too long to read."""
    return text if len(text) <= _MAX_EXACT_LENGTH else "long; the JSON file has it"


def number_format(style: Style, digits: int) -> str:
    """Return the number format of a style."""
    match style:
        case Style.PERCENT | Style.POWER | Style.APPROXIMATE | Style.ROUGH:
            return _with_decimals("0", percent_places(style, digits)) + "%"
        case Style.RATE:
            return "0.00%"  # an input may have decimals, and a number format cannot show them only if needed
        case Style.CHANCE | Style.APPROXIMATE_CHANCE | Style.ROUGH_CHANCE:
            return _probability_format(percent_places(style, digits))
        case Style.SIGNIFICANT:
            return "[=0]0;" + _with_decimals("0", max(digits // 2, 1) - 1) + "E+00"
        case Style.VALUE:
            return "+0.0000;-0.0000;0.0000"
        case Style.DECIMAL | Style.SUM:
            return _with_decimals("#,##0", digits)
        case Style.ODDS | Style.MONEY:
            return "#,##0.00"
        case Style.COUNT:
            return "#,##0"
        case _:
            return "General"  # optional decimals in a number format leave a point after integers


def _probability_format(decimals: int) -> str:
    """Return a number format that shows a probability which merely rounds to 0% or 100% with `<` or `>`.

    >>> _probability_format(2)
    '[>=0.99995]"> 99.99%";[<0.00005]"< 0.01%";0.00%'
    """
    smallest_shown = Fraction(1, 10 ** (decimals + 2))
    high_text, low_text = (
        format_percent(probability, decimals) for probability in (1 - smallest_shown, smallest_shown)
    )
    high_limit, low_limit = (
        format_fixed(probability, decimals + 3) for probability in (1 - smallest_shown / 2, smallest_shown / 2)
    )
    return f'[>={high_limit}]"> {high_text}";[<{low_limit}]"< {low_text}";{_with_decimals("0", decimals)}%'


def _with_decimals(pattern: str, decimals: int) -> str:
    return f"{pattern}.{'0' * decimals}" if decimals > 0 else pattern


class CellFormats:
    """The formats of a workbook, each made once."""

    def __init__(self, workbook: Any, digits: int) -> None:
        self.workbook = workbook
        self.digits = digits
        self.cell_digits = min(digits, MAX_CELL_DIGITS)
        self._format_by_properties: dict[tuple[tuple[str, Any], ...], Any] = {}

    def cell_format(self, **properties: Any) -> Any:
        """Return the cell format with the given properties."""
        key = tuple(sorted(properties.items()))
        if key not in self._format_by_properties:
            self._format_by_properties[key] = self.workbook.add_format(
                {"font_name": "Arial", "font_size": 10, **properties}
            )
        return self._format_by_properties[key]

    def number(self, style: Style, **properties: Any) -> Any:
        """Return the cell format of a number in a style."""
        pattern = number_format(style, self.cell_digits)
        return self.cell_format(num_format=pattern, align="right", valign="top", **properties)

    @cached_property
    def pale(self) -> Any:
        """The format of figures that do not follow the changed inputs."""
        return self.workbook.add_format({"font_color": "#B0B0B0", "bg_color": "#F2F2F2"})

    @property
    def header(self) -> Any:
        """The format of a table's header."""
        return self.cell_format(
            bold=True, font_color="#FFFFFF", bg_color=INK, text_wrap=True, align="center", valign="vcenter"
        )


_LITERAL_LENGTH = 200
"""Maximum length of a string literal in a formula."""


def string_literal(text: str) -> str:
    """Return a text as concatenated string literals, each short enough for a formula."""
    pieces = (text[start : start + _LITERAL_LENGTH] for start in range(0, len(text), _LITERAL_LENGTH))
    return "&".join('"{}"'.format(piece.replace('"', '""')) for piece in pieces)


def column_letter(column: int) -> str:
    """Return the letters of a column, counted from 0."""
    return str(xl_col_to_name(column))


_MIN_COLUMN_WIDTH, _MAX_COLUMN_WIDTH = 5, 64
_TEXT_WIDTH = 100
"""Minimum characters of a line of running text, however narrow the tables are."""
_MIN_LANDSCAPE_WIDTH = 112
_LINE_HEIGHT = 13
_A4 = 9
_MAX_ONE_PAGE_ROWS = 58
"""Maximum rows that are scaled to one printed page."""
_MIN_PERCENT = 50
"""Minimum scale for one page; smaller content continues over several pages at full paper width."""
_PAPER, _MARGINS = (595, 842), (86, 108)
"""Width and height of A4 in points, and the total margins of each."""
_CHARACTER_WIDTH, _ROW_HEIGHT = 6, 15
_MIN_BLOCK_ROWS = 4
"""Rows that stay on one page: a heading, a table header and two rows."""
MAX_TEXT_LENGTH = 32_767
"""Maximum characters of a cell."""


class WorksheetPage:
    """One worksheet, filled from top to bottom; `finish` sets widths and heights."""

    def __init__(self, formats: CellFormats, worksheet: Any) -> None:
        self.formats = formats
        self.worksheet = worksheet
        self.row = 0
        self.columns = 1
        self._widths: dict[int, int] = {}
        self._paragraphs: list[tuple[int, int, str, dict[str, Any]]] = []
        self._formulas: dict[tuple[int, int], str] = {}
        self._wrapped_cells: dict[int, list[tuple[int, str]]] = {}
        self._headings: list[int] = []
        self._heights: dict[int, int] = {}

    @property
    def name(self) -> str:
        """The worksheet's name."""
        return str(self.worksheet.get_name())

    def widen(self, column: int, characters: int) -> None:
        """Widen a column to fit `characters` and padding, up to a limit."""
        width = min(max(characters + 2, _MIN_COLUMN_WIDTH), _MAX_COLUMN_WIDTH)
        self._widths[column] = max(self._widths.get(column, 0), width)
        self.columns = max(self.columns, column + 1)

    def text(self, row: int, column: int, text: str, widens_column: bool = True, **properties: Any) -> None:
        """Write text that is never read as a formula; the column grows to fit it if `widens_column`."""
        text = truncate(text, MAX_TEXT_LENGTH)
        if widens_column:
            self.widen(column, max((len(line) for line in text.splitlines()), default=0))
            if len(text) + 2 > _MAX_COLUMN_WIDTH or "\n" in text:
                properties = {"text_wrap": True, **properties}
                self._wrapped_cells.setdefault(row, []).append((column, text))
        cell_format = self.formats.cell_format(**_indent(properties))
        if text:
            self.worksheet.write_string(row, column, text, cell_format)
        else:
            self.worksheet.write_blank(row, column, None, cell_format)

    def number(self, row: int, column: int, value: Number, style: Style, **properties: Any) -> None:
        """Write a number at full cell precision."""
        cell_value = to_cell_number(value)
        self.widen(column, display_width(cell_value, style, self.formats.cell_digits))
        self.worksheet.write_number(row, column, cell_value, self.formats.number(style, **properties))

    def formula(
        self, row: int, column: int, formula: str, value: Number | str, style: Style, **properties: Any
    ) -> None:
        """Write a live formula with its cached value, for programs that do not calculate."""
        text_format = (
            self.formats.cell_format(**_indent(properties)) if isinstance(value, str) and style is Style.TEXT else None
        )
        cell_value = value if isinstance(value, str) else to_cell_number(value)
        width = (
            len(cell_value)
            if isinstance(cell_value, str)
            else display_width(cell_value, style, self.formats.cell_digits)
        )
        self.widen(column, width)
        self.worksheet.write_formula(
            row, column, formula, text_format or self.formats.number(style, **properties), cell_value
        )

    def percent_input(self, row: int, column: int, value: Number, **properties: Any) -> None:
        """Write an input share as a percentage with two decimals."""
        self.widen(column, 8)
        cell_format = self.formats.cell_format(num_format="0.00%", align="right", valign="top", **properties)
        self.worksheet.write_number(row, column, to_cell_number(value), cell_format)

    def cell(self, row: int, column: int, cell: Cell, style: Style, **properties: Any) -> None:
        """Write any value of the document model, as a number if possible."""
        style = style_of(cell, style)
        number = number_in_cell(cell)
        if number is not None and not (style is Style.COUNT and isinstance(number, Fraction)):
            self.number(row, column, number, style, **properties)
        else:
            properties = properties if style is Style.TEXT else {"align": "right", **properties}
            self.text(row, column, format_cell(cell, style, self.formats.digits), **properties)

    def grey(self, first_row: int, first_column: int, last_row: int, last_column: int, condition: str) -> None:
        """Grey out cells while the formula `condition` is true."""
        grey_format = self.formats.pale
        cells = (first_row, first_column, last_row, last_column)
        self.worksheet.conditional_format(*cells, {"type": "formula", "criteria": condition, "format": grey_format})

    def paragraph(self, text: str, formula: str = "", **properties: Any) -> None:
        """Append running text over the full width; `formula` may replace the text."""
        self.write_across(0, text, formula, **properties)
        self.row += 1

    def write_across(self, column: int, text: str, formula: str = "", **properties: Any) -> None:
        """Write running text from a column to the right, where the row is empty."""
        if not text:
            return
        if formula:
            self._formulas[self.row, column] = formula
        self._paragraphs.append((self.row, column, text, properties))

    def title(self, text: str, subtitle: str, formula: str = "", subtitle_formula: str = "") -> None:
        """Write the title of the page; formulas may replace the texts."""
        self.paragraph(text, formula, bold=True, font_size=14, font_color=INK)
        if subtitle:
            self.paragraph(subtitle, subtitle_formula, font_color="#555555")
        self.row += 1

    def heading(self, text: str, formula: str = "") -> None:
        """Write the heading of a block."""
        self._headings.append(self.row)
        self.paragraph(text, formula, bold=True, font_size=11, font_color=INK, bottom=1, bottom_color=INK)

    def header(self, titles: Sequence[str]) -> None:
        """Write the header of a table, whose titles may take two or three lines."""
        for column, title in enumerate(titles):
            longest_word = max(map(len, title.split() or [""]))
            self.widen(column, max(longest_word, -(-len(title) // 3)) + 1)
            self.worksheet.write_string(self.row, column, title, self.formats.header)
        self._wrapped_cells[self.row] = list(enumerate(titles))
        self.row += 1

    def finish(self, head: str, foot: str) -> None:
        """Set widths, heights and the print layout."""
        widths = [self._widths.get(column, _MIN_COLUMN_WIDTH) for column in range(self.columns)]
        while sum(widths) < _TEXT_WIDTH:
            widths.append(min(2 * _MIN_COLUMN_WIDTH, _TEXT_WIDTH - sum(widths) + 1))
        words_end = max((column + 1 for _, column, _, _ in self._paragraphs), default=0)
        widths += [2 * _MIN_COLUMN_WIDTH] * (words_end - len(widths))  # text may start right of the last column
        for column, width in enumerate(widths):
            self.worksheet.set_column(column, column, width)
        for row, cells in self._wrapped_cells.items():
            lines = max(_count_lines(text, widths[column] - 2) for column, text in cells)
            self._set_height(row, 3 + _LINE_HEIGHT * lines)
        for row, column, text, properties in self._paragraphs:
            self._write_over(row, column, text, properties, widths)
        self._set_up_print(head, foot, sum(widths))

    def _write_over(
        self, row: int, first_column: int, text: str, properties: dict[str, Any], widths: Sequence[int]
    ) -> None:
        """Write text across merged columns, up to a comfortable line length."""
        last_column, total_width = first_column, widths[first_column]
        while last_column + 1 < len(widths) and total_width < _TEXT_WIDTH:
            last_column += 1
            total_width += widths[last_column]
        font_size = properties.get("font_size", 10)
        cell_format = self.formats.cell_format(text_wrap=True, valign="top", **properties)
        if last_column > first_column:
            self.worksheet.merge_range(row, first_column, row, last_column, "", cell_format)
        if (row, first_column) in self._formulas:
            self.worksheet.write_formula(row, first_column, self._formulas[row, first_column], cell_format, text)
        else:
            self.worksheet.write_string(row, first_column, text[:MAX_TEXT_LENGTH], cell_format)
        lines = _count_lines_across(text, total_width, font_size)
        self._set_height(row, 3 + lines * _LINE_HEIGHT * font_size // 10)

    def _set_height(self, row: int, height: int) -> None:
        self._heights[row] = height
        self.worksheet.set_row(row, height)

    def _height(self, first_row: int, end_row: int) -> int:
        return sum(self._heights.get(row, _ROW_HEIGHT) for row in range(first_row, end_row))

    def _percent(self, width: int, is_landscape: bool) -> int:
        """Return the scale in percent at which the worksheet fits on one page."""
        paper = _PAPER[::-1] if is_landscape else _PAPER
        page_width, page_height = paper[0] - _MARGINS[0], paper[1] - _MARGINS[1]
        return min(100, 100 * page_width // (_CHARACTER_WIDTH * width), 100 * page_height // self._height(0, self.row))

    def _breaks(self, width: int, is_landscape: bool) -> list[int]:
        """Return the rows of headings before which a page break keeps a block on one page.

        A worksheet that is scaled to the paper width has proportionally more rows on a page.
        """
        paper = _PAPER[::-1] if is_landscape else _PAPER
        page_width, paper_height = paper[0] - _MARGINS[0], paper[1] - _MARGINS[1]
        page_height = paper_height * max(_CHARACTER_WIDTH * width, page_width) // page_width
        breaks, used_height = [], 0
        block_ends = dict(pairwise([*self._headings, self.row]))
        for row in range(self.row):
            block_height = self._height(row, block_ends.get(row, row))
            needed_height = block_height if block_height <= page_height else self._height(row, row + _MIN_BLOCK_ROWS)
            if used_height and row in block_ends and used_height + needed_height > page_height:
                breaks.append(row)
                used_height = 0
            height = self._heights.get(row, _ROW_HEIGHT)
            used_height = used_height + height if used_height + height <= page_height else height
        return breaks

    def _set_up_print(self, head: str, foot: str, width: int) -> None:
        sheet = self.worksheet
        sheet.hide_gridlines(2)
        sheet.set_paper(_A4)
        portrait_percent, landscape_percent = (self._percent(width, is_landscape) for is_landscape in (False, True))
        is_one_page = self.row <= _MAX_ONE_PAGE_ROWS and max(portrait_percent, landscape_percent) >= _MIN_PERCENT
        is_landscape = landscape_percent > portrait_percent if is_one_page else width > _MIN_LANDSCAPE_WIDTH
        if is_landscape:
            sheet.set_landscape()
        sheet.fit_to_pages(1, 1 if is_one_page else 0)
        if not is_one_page and (breaks := self._breaks(width, is_landscape)):
            sheet.set_h_pagebreaks(breaks)
        sheet.set_margins(left=_inches(60), right=_inches(60), top=_inches(80), bottom=_inches(70))
        sheet.set_header(f"&L&8{_header_text(head)}&R&8{_header_text(self.name)}")
        sheet.set_footer(f"&L&8{_header_text(foot)}&R&8Page &P of &N")


def _indent(properties: dict[str, Any]) -> dict[str, Any]:
    """Indent text, to keep it off a number that ends at the edge of the previous column."""
    return (
        {"valign": "top", **properties}
        if "align" in properties
        else {"valign": "top", "align": "left", "indent": 1, **properties}
    )


def _inches(hundredths: int) -> Decimal:
    return Decimal(hundredths) / 100


def _header_text(text: str) -> str:
    """Escape and truncate text for a printed header or footer, where & is a command."""
    # The space separates leading digits from the font size before them.
    return " " + text[:90].replace("&", "&&")


def _count_lines_across(text: str, width: int, size: int) -> int:
    """Return how many lines a text takes in a cell `width` default digits wide, at font size `size`.

    >>> _count_lines_across("a few words that are more than one line of text", 40, 10)
    2
    >>> _count_lines_across("-1" + "0" * 90, 50, 10)
    3
    """
    if " " in text:
        return _count_lines(text, width * 11 // size)  # letters are narrower on average than digits
    lines = _count_lines(text, width * 10 // size - 2)
    return lines + (lines > 1 and text.startswith("-"))  # a line may end after the sign of a long number


def _count_lines(text: str, width: int) -> int:
    """Return the number of lines of a text wrapped to `width`."""
    line_count = 0
    for line in text.splitlines() or [""]:
        used_width, lines = 0, 1
        for word in line.split(" "):
            if used_width and used_width + 1 + len(word) > width:
                lines, used_width = lines + 1, 0
            used_width += len(word) + (1 if used_width else 0)
            lines, used_width = (
                lines + used_width // (width + 1),
                used_width % (width + 1),
            )  # a word longer than the line is broken
        line_count += lines
    return line_count


_CHART_ROWS = 20


class Source(NamedTuple):
    """The cells of a chart: its rows and the column of its values."""

    first: int
    last: int
    column: int


def draw_line_chart(page: WorksheetPage, plot: Plot, source: Source) -> None:
    """Draw a line chart over cells of the page."""
    ink = "#1B5E8C"
    points = [{"fill": {"color": ink if step in plot.marked else "#FFFFFF"}} for step in range(len(plot.values))]
    chart = page.formats.workbook.add_chart({"type": "line"})
    chart.add_series(
        {
            "name": plot.y_label or plot.caption,
            "categories": [page.name, source.first, 0, source.last, 0],
            "values": [page.name, source.first, source.column, source.last, source.column],
            "line": {"color": ink, "width": 2},
            "marker": {"type": "circle", "size": 8, "border": {"color": ink}, "fill": {"color": "#FFFFFF"}},
            "points": points,
        }
    )
    chart.set_title({"name": plot.caption, "overlay": False, "name_font": {"size": 11}})
    chart.set_x_axis({"name": plot.x_label, "label_position": "low"})
    grid = {"visible": True, "line": {"color": "#DDDDDD"}}
    axis_format = "0.0%" if plot.style is Style.PERCENT else "#,##0.00"
    chart.set_y_axis({"name": plot.y_label, "num_format": axis_format, "major_gridlines": grid})
    chart.set_legend({"none": True})
    chart.set_size({"width": 640, "height": 340})
    page.worksheet.insert_chart(page.row, 0, chart)
    page.row += _CHART_ROWS
