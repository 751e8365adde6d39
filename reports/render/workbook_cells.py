"""The cells of a workbook: exact values as stored numbers, and looks by style.

XlsxWriter offers no types, so what it makes is `Any` here.
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from combinat.exact.polynomial import Polynomial
from combinat.exact.root import Root
from reports.page.model import Cell, Style, Styled, places_of
from reports.page.numerals import decimal, exact, percent

LARGEST_WHOLE = 2**53
"""From here on a spreadsheet no longer tells neighboring whole numbers apart."""

_KEPT = Context(prec=20)
"""With 17 digits a double is found again, but to find the one nearest to an exact value takes some more."""
_FINE = Context(prec=80)
_LONGEST_EXACT = 130
MAX_CELL_DIGITS = 30
"""Decimals that a number format can show: more is refused by spreadsheets, and a cell keeps 17 digits anyway."""

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


def shown_width(kept: Stored, style: Style, digits: int) -> int:
    """Say how many characters a number takes at most, its sign and the marks between thousands counted.

    >>> shown_width(stored(5013320), Style.COUNT, 10), shown_width(stored(Fraction(-1, 3)), Style.DECIMAL, 10)
    (9, 13)
    """
    whole = max(kept.adjusted(), 0) + 1
    match style:
        case Style.PERCENT | Style.POWER | Style.CHANCE | Style.APPROXIMATE | Style.APPROXIMATE_CHANCE:
            whole, places = whole + 2 * (kept.adjusted() >= 0), places_of(style, digits) + 1
        case Style.ROUGH | Style.ROUGH_CHANCE:
            whole, places = whole + 2 * (kept.adjusted() >= 0), 2
        case Style.DECIMAL | Style.SUM:
            places = digits
        case Style.COUNT:
            places = 0
        case Style.TEXT:
            places = max(-int(kept.as_tuple().exponent), 0)
        case _:
            places = 5
    return whole + (whole - 1) // 3 + (1 + places if places > 0 else 0) + kept.is_signed()


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
        case Style.PERCENT | Style.POWER | Style.APPROXIMATE | Style.ROUGH:
            return _places("0", places_of(style, digits)) + "%"
        case Style.RATE:
            return "0.00%"  # one that is put in may have decimals, and a pattern shows all or none
        case Style.CHANCE | Style.APPROXIMATE_CHANCE | Style.ROUGH_CHANCE:
            return _chance(places_of(style, digits))
        case Style.SIGNIFICANT:
            return "[=0]0;" + _places("0", max(digits // 2, 1) - 1) + "E+00"
        case Style.VALUE:
            return "+0.0000;-0.0000;0.0000"
        case Style.DECIMAL | Style.SUM:
            return _places("#,##0", digits)
        case Style.ODDS | Style.MONEY:
            return "#,##0.00"
        case Style.COUNT:
            return "#,##0"
        case _:
            return "General"  # a pattern with optional decimals would leave a point behind whole numbers


def _chance(places: int) -> str:
    """Tell a chance that only rounding makes certain or impossible from one that is.

    >>> _chance(2)
    '[>=0.99995]"> 99.99%";[<0.00005]"< 0.01%";0.00%'
    """
    least = Fraction(1, 10 ** (places + 2))
    high, low = (percent(one, places) for one in (1 - least, least))
    most, half = (decimal(one, places + 3) for one in (1 - least / 2, least / 2))
    return f'[>={most}]"> {high}";[<{half}]"< {low}";{_places("0", places)}%'


def _places(whole: str, places: int) -> str:
    return f"{whole}.{'0' * places}" if places > 0 else whole


class Formats:
    """The formats of a workbook, each made once."""

    def __init__(self, workbook: Any, digits: int) -> None:
        self.workbook = workbook
        self.digits = digits
        self.cell_digits = min(digits, MAX_CELL_DIGITS)
        self._made: dict[tuple[tuple[str, Any], ...], Any] = {}

    def look(self, **properties: Any) -> Any:
        """Give the format with some properties."""
        key = tuple(sorted(properties.items()))
        if key not in self._made:
            self._made[key] = self.workbook.add_format({"font_name": "Arial", "font_size": 10, **properties})
        return self._made[key]

    def number(self, style: Style, **properties: Any) -> Any:
        """Give the format of a number of some style."""
        pattern = number_format(style, self.cell_digits)
        return self.look(num_format=pattern, align="right", valign="top", **properties)

    @cached_property
    def pale(self) -> Any:
        """The format of figures that do not stand for the inputs as they are now."""
        return self.workbook.add_format({"font_color": "#B0B0B0", "bg_color": "#F2F2F2"})

    @property
    def header(self) -> Any:
        """The format of a table's head."""
        return self.look(
            bold=True, font_color="#FFFFFF", bg_color=INK, text_wrap=True, align="center", valign="vcenter"
        )


def column_letter(column: int) -> str:
    """Name a column as spreadsheets do.

    >>> column_letter(0), column_letter(25), column_letter(26), column_letter(53)
    ('A', 'Z', 'AA', 'BB')
    """
    before, last = divmod(column, 26)
    return (column_letter(before - 1) if before else "") + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[last]
