"""A workbook's formulas worked out with exact fractions, without any spreadsheet program."""

import io
import re
from fractions import Fraction
from functools import cache
from math import isqrt

import openpyxl

TOKEN = re.compile(
    r'\s*(?:(?P<number>\d+(?:\.\d+)?)|"(?P<text>[^"]*)"|(?P<cell>[A-Z]{1,2}\d+)(?![\w(])|(?P<word>[A-Za-z_]\w*)|'
    r"(?P<sign><>|<=|>=|[-+*/^(),<>=]))"
)


@cache
def read_back(content):
    """Read a workbook, once with its formulas and once with the values stored with them."""
    return tuple(openpyxl.load_workbook(io.BytesIO(content), data_only=data_only) for data_only in (False, True))


class Spreadsheet:
    """Works out the formulas of a workbook: fractions throughout, roots to fifty digits, ranges as lists."""

    def __init__(self, content, changes=()):
        self.book, self.kept = read_back(content)
        self.changes = dict(changes)
        self.known = {}

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
                self.known[key] = Reading(self, sheet, held[1:]).result()
            else:
                self.known[key] = Fraction(str(held)) if isinstance(held, (int, float)) else held
        return self.known[key]

    def formulas(self):
        for sheet in self.book:
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.data_type == "f":
                        yield sheet.title, cell.coordinate, self.kept[sheet.title][cell.coordinate].value


class Reading:
    """Reads one formula from left to right."""

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
        left = self.sum()
        while sign := self.takes("=", "<", ">"):
            left = each(
                {"=": lambda a, b: a == b, "<": lambda a, b: a < b, ">": lambda a, b: a > b}[sign], left, self.sum()
            )
        return left

    def sum(self):
        left = self.product()
        while sign := self.takes("+", "-"):
            left = each((lambda a, b: a + b) if sign == "+" else (lambda a, b: a - b), left, self.product())
        return left

    def product(self):
        left = self.power()
        while sign := self.takes("*", "/"):
            left = each((lambda a, b: a * b) if sign == "*" else divided, left, self.power())
        return left

    def power(self):
        left = self.atom()
        while self.takes("^"):
            left = each(lambda a, b: a ** int(b), left, self.atom())
        return left

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
            return text
        if kind == "cell":
            return self.book.value(self.sheet, text)
        assert kind == "word"
        if not self.takes("("):
            return self.book.named(text)
        arguments = [self.comparison()]
        while self.takes(","):
            arguments.append(self.comparison())
        assert self.takes(")")
        return FUNCTIONS[text](*arguments)


def each(work, left, right):
    if isinstance(left, list) and isinstance(right, list):
        return [work(one, other) for one, other in zip(left, right, strict=True)]
    if isinstance(left, list):
        return [work(one, right) for one in left]
    return work(left, right)


def divided(left, right):
    return left / right if right else "#DIV/0!"  # which IF leaves aside


def root(value):
    scale = 10**50
    return Fraction(isqrt(value.numerator * scale**2 // value.denominator), scale)


def sum_if(tested, wanted, added):
    fits = (lambda value: value > 0) if wanted == ">0" else (lambda value: value == wanted)
    return sum((value for test, value in zip(tested, added, strict=True) if fits(test)), Fraction(0))


FUNCTIONS = {
    "SUM": sum,
    "SUMIF": sum_if,
    "SUMPRODUCT": lambda *lists: sum(a * b for a, b in zip(*lists, strict=True)),
    "IF": lambda test, then, otherwise: then if test else otherwise,
    "SQRT": root,
    "ABS": abs,
}
