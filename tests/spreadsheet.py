"""Evaluate a workbook's formulas with exact fractions, without a spreadsheet program."""

import io
import re
import zipfile
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import ceil, floor, isqrt
from statistics import NormalDist
from xml.etree import ElementTree

import openpyxl
from mpmath import mp, mpf, ncdf, nstr

TOKEN = re.compile(
    r'\s*(?:(?P<number>\d+(?:\.\d+)?(?:E[-+]?\d+)?)|"(?P<text>(?:[^"]|"")*)"|'
    r"(?P<cell>(?:\w+!)?\$?[A-Z]{1,2}\$?\d+(?::\$?[A-Z]{1,2}\$?\d+)?)(?![\w(])|(?P<word>[A-Za-z_]\w*)|"
    r"(?P<sign><>|<=|>=|[-+*/^(),<>=&]))"
)
DIGITS = 50
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@cache
def read_back(content, kept=False):
    """Read a workbook with its formulas, or with their stored values."""
    return openpyxl.load_workbook(io.BytesIO(content), data_only=kept)


@cache
def values_of(content):
    """Return the rows of each page with stored values, without styles, which take long to read."""
    book = openpyxl.load_workbook(io.BytesIO(content), data_only=True, read_only=True)
    return {page.title: list(page.iter_rows(values_only=True)) for page in book}


@cache
def stored(content):
    """Return the stored values of formulas by page and cell, without reading anything else."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        titles = [
            one.get("name") for one in ElementTree.fromstring(archive.read("xl/workbook.xml")).iter(f"{MAIN}sheet")
        ]
        pages = [ElementTree.fromstring(archive.read(f"xl/worksheets/sheet{n}.xml")) for n, _ in enumerate(titles, 1)]
    return {
        title: {cell.get("r"): stored_in(cell) for cell in page.iter(f"{MAIN}c") if cell.find(f"{MAIN}f") is not None}
        for title, page in zip(titles, pages, strict=True)
    }


def stored_in(cell):
    """Return the value of a formula cell: a text, a number, or `None`."""
    text = cell.findtext(f"{MAIN}v") or None
    if text is None or cell.get("t") == "str":
        return text
    assert cell.get("t", "n") == "n"
    return float(text)


class Spreadsheet:
    """Evaluate the formulas of a workbook: fractions throughout, roots to fifty digits, ranges as lists."""

    def __init__(self, content, changes=()):
        self.content, self.book = content, read_back(content)
        self.changes = dict(changes)
        self.known = {}

    def shown(self, sheet, cell):
        """Return what a viewer without a formula engine shows: the stored value of a formula, or the cell's content."""
        found = stored(self.content)[sheet]
        return found[cell] if cell in found else self.book[sheet][cell].value

    def named_cells(self, name):
        sheet, _, cells = self.book.defined_names[name].attr_text.partition("!")
        found = self.book[sheet.strip("'")][cells.replace("$", "")]
        return sheet.strip("'"), [row[0].coordinate for row in found] if isinstance(found, tuple) else found.coordinate

    def named(self, name):
        sheet, cells = self.named_cells(name)
        return [self.value(sheet, cell) for cell in cells] if isinstance(cells, list) else self.value(sheet, cells)

    def value(self, sheet, cell):
        key = sheet, cell
        if key not in self.known:
            held = self.changes.get(key, self.book[sheet][cell].value)
            if isinstance(held, str) and held.startswith("=") and self.book[sheet][cell].data_type == "f":
                self.known[key] = kept_short(Reading(self, sheet, held[1:]).result())
            else:
                self.known[key] = Fraction(str(held)) if isinstance(held, (int, float)) else held
        return self.known[key]

    def range(self, sheet, cells):
        """Return the value of a cell, or those of a row or column of cells."""
        found = self.book[sheet][cells]
        if not isinstance(found, tuple):
            return self.value(sheet, cells)
        return [self.value(sheet, cell.coordinate) for row in found for cell in row]

    def formulas(self):
        for title, kept in stored(self.content).items():
            for cell, value in kept.items():
                assert self.book[title][cell].data_type == "f"
                yield title, cell, value


class Reading:
    """Parse one formula from left to right."""

    def __init__(self, book, sheet, formula):
        self.book, self.sheet = book, sheet
        self.tokens, place = [], 0
        while place < len(formula):
            found = TOKEN.match(formula, place)
            assert found, formula[place:]
            self.tokens.append((found.lastgroup, found[found.lastgroup]))
            place = found.end()

    def result(self):
        value = self.comparison()
        assert not self.tokens
        return value

    def takes(self, *signs):
        if self.tokens and self.tokens[0][0] == "sign" and self.tokens[0][1] in signs:
            return self.tokens.pop(0)[1]
        return None

    def comparison(self):
        remaining = self.joined()
        while sign := self.takes(*COMPARISONS):
            remaining = each(COMPARISONS[sign], remaining, self.joined())
        return remaining

    def joined(self):
        remaining = self.sum()
        while self.takes("&"):
            remaining = each(lambda a, b: as_text(a) + as_text(b), remaining, self.sum())
        return remaining

    def sum(self):
        remaining = self.product()
        while sign := self.takes("+", "-"):
            remaining = each((lambda a, b: a + b) if sign == "+" else (lambda a, b: a - b), remaining, self.product())
        return remaining

    def product(self):
        remaining = self.power()
        while sign := self.takes("*", "/"):
            remaining = each((lambda a, b: a * b) if sign == "*" else divided, remaining, self.power())
        return remaining

    def power(self):
        remaining = self.atom()
        while self.takes("^"):
            remaining = each(lambda a, b: a ** int(b), remaining, self.atom())
        return remaining

    def atom(self):
        if self.takes("-"):
            return each(lambda a, b: a * b, self.atom(), Fraction(-1))
        if self.takes("("):
            value = self.comparison()
            assert self.takes(")")
            return value
        kind, text = self.tokens.pop(0)
        if kind == "number":
            return Fraction(text)
        if kind == "text":
            return text.replace('""', '"')
        if kind == "cell":
            sheet, _, cells = text.replace("$", "").rpartition("!")
            return self.book.range(sheet or self.sheet, cells)
        assert kind == "word"
        if not self.takes("("):
            return self.book.named(text)
        arguments = [self.comparison()]
        while self.takes(","):
            arguments.append(self.comparison())
        assert self.takes(")")
        return FUNCTIONS[text](*arguments)


def kept_short(value):
    """Return a value for further formulas: exact, or rounded to eighty decimals if it has hundreds of digits."""
    if not isinstance(value, Fraction) or value.denominator < 10**100:
        return value
    return Fraction(round(value * 10**80), 10**80)


COMPARISONS = {
    "=": lambda a, b: (a or "") == (b or "") if isinstance(a, str) or isinstance(b, str) else a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: (
        isinstance(b, str) or (not isinstance(a, str) and a < b)
    ),  # in spreadsheets text is greater than numbers
    ">": lambda a, b: isinstance(a, str) or (not isinstance(b, str) and a > b),
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
ERROR = "#ERROR!"


def each(work, left, right):
    if isinstance(left, list) and isinstance(right, list):
        return [each(work, one, other) for one, other in zip(left, right, strict=True)]
    if isinstance(left, list):
        return [each(work, one, right) for one in left]
    if isinstance(right, list):
        return [each(work, left, one) for one in right]
    try:
        return work(left, right)
    except TypeError:
        return ERROR  # IF ignores it


def divided(left, right):
    return left / right if right else ERROR


def as_text(value):
    if not isinstance(value, Fraction):
        return str(value)
    return str(value.numerator) if value.denominator == 1 else str(float(value))


def root(value):
    scale = 10**DIGITS
    return Fraction(isqrt(value.numerator * scale**2 // value.denominator), scale)


def by_mpmath(work):
    """Return a function of a real number to fifty digits."""

    def worked_out(value):
        if value == ERROR:
            return ERROR
        with mp.workdps(DIGITS + 10):
            return Fraction(nstr(work(mpf(value.numerator) / value.denominator), DIGITS))

    return worked_out


def sum_if(tested, wanted, added):
    fits = (lambda value: value > 0) if wanted == ">0" else (lambda value: value == wanted)
    return sum((value for test, value in zip(tested, added, strict=True) if fits(test)), Fraction(0))


def rounded(value, places):
    if value == ERROR:
        return ERROR
    unit = Fraction(10) ** int(places)
    scaled = value * unit
    return floor(abs(scaled) + Fraction(1, 2)) * (1 if scaled >= 0 else -1) / unit


def rounded_up(value, places):
    assert not places
    return value if value == ERROR else Fraction(ceil(value) if value >= 0 else floor(value))


def text_of(value, pattern):
    if value == ERROR:
        return ERROR
    sign = "%" if pattern.endswith("%") else ""
    places = len(pattern.rstrip("%").partition(".")[2])
    shown = rounded(value * (100 if sign else 1), places)
    digits = Decimal(shown.numerator) / Decimal(shown.denominator)
    text = f"{digits:{',' if ',' in pattern else ''}.{places}f}"
    return (text.rstrip("0") if pattern.endswith("#") else text) + sign


FUNCTIONS = {
    "SUM": sum,
    "SUMIF": sum_if,
    "SUMPRODUCT": lambda first, *others: (
        sum(a * b for a, b in zip(first, *others, strict=True))
        if others
        else sum(first)
        if isinstance(first, list)
        else first
    ),
    "IF": lambda test, then, otherwise: then if test else otherwise,
    "AND": lambda *tests: all(tests),
    "OR": lambda *tests: any(tests),
    "NOT": lambda test: not test,
    "ISNUMBER": lambda value: isinstance(value, (int, Fraction)),
    "COUNT": lambda *values: Fraction(sum(isinstance(value, (int, Fraction)) for value in values)),
    "SQRT": root,
    "ABS": abs,
    "MAX": lambda *values: max(one for value in values for one in (value if isinstance(value, list) else [value])),
    "INDEX": lambda values, place: values[int(place) - 1],
    "MATCH": lambda wanted, values, _: Fraction(values.index(wanted) + 1),
    "COUNTIF": lambda values, wanted: Fraction(values.count(wanted)),
    "LEFT": lambda value, many: [one[: int(many)] for one in value] if isinstance(value, list) else value[: int(many)],
    "INT": lambda value: value if value == ERROR else Fraction(floor(value)),
    "LARGE": lambda values, place: sorted(values)[-int(place)],
    "ROUND": rounded,
    "ROUNDUP": rounded_up,
    "TEXT": text_of,
    "EXP": by_mpmath(mp.exp),
    "LN": by_mpmath(mp.log),
    "LOG10": by_mpmath(mp.log10),
    "MIN": lambda *values: min(one for value in values for one in (value if isinstance(value, list) else [value])),
    "NORMSDIST": by_mpmath(ncdf),
    "NORMSINV": lambda value: Fraction(NormalDist().inv_cdf(float(value))),
}
