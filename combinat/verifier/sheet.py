"""A par sheet as data: reading it within limits, writing numbers as it does, and comparing it leaf by leaf.

The rule of comparison: what the sheet should say is worked out as one tree of the same shape. Every key of that tree
must be on the sheet, every key of the sheet must be in that tree, lists have equal lengths, each leaf must be equal.
A leaf that is not worked out says so (`Unchecked`, `Prose`), and the report lists it. Nothing is skipped silently.
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

FORMAT = "combinat par sheet 3"
FORMER_KEYS = {
    "adds_up": "settlement",
    "expectation": "outlook",
    "fits": "inclusive_count",
    "house_jackpot": "posted_jackpot",
    "if_not": "consequence",
    "loses": "losing_hands",
    "paid_otherwise": "wrong_unit",
    "play_chosen_anew": "strategy_recomputed",
    "rides": "parlayed",
    "roles_told_apart": "ordered_by_role",
    "seats": "spots",
    "taken_by_higher": "less_higher_ranked",
    "together": "by_spots",
    "turns": "break_even_meters",
    "watching": "card_counting",
}
"""Former keys of sheets with their present names."""
MAX_BYTES = 20_000_000
MAX_DEPTH = 50
MAX_SHOWN = 200
_NUMBER = re.compile(r"-?\d{1,4300}(?:/[1-9]\d{0,4299})?", re.ASCII)
_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)


class SheetError(ValueError):
    """The file is not a par sheet, or says something that cannot be read."""


class NotCountedError(Exception):
    """The bet is understood, but it is beyond what this verifier counts."""


def show(value: object) -> str:
    """Return a value as short printable text on one line."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = "".join(character if character.isprintable() else " " for character in text[:MAX_SHOWN])
    return text if len(text) < MAX_SHOWN else text[:-1] + "…"


# Reading


def read_sheet(path: str | Path) -> Any:
    """Read a sheet's JSON file; raise `SheetError` with one line for anything else."""
    try:
        mode = Path(path).stat().st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # opening any other file may block
            with Path(path).open("rb") as file:
                return parse_sheet(file.read(MAX_BYTES + 1))
    except SheetError:
        raise
    except (OSError, ValueError) as error:
        raise SheetError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    raise SheetError("is not an ordinary file")


def read_certificate(path: str | Path) -> bytes | None:
    """Return the certificate beside a sheet: the file of the same name that ends in `.certificate`."""
    try:
        beside = Path(path).with_suffix(".certificate")
        content = beside.read_bytes() if beside.is_file() and beside.stat().st_size <= MAX_BYTES else None
    except (OSError, ValueError):
        content = None
    return content


def parse_sheet(content: bytes) -> Any:
    """Parse the bytes of a sheet's JSON file."""
    if len(content) > MAX_BYTES:
        raise SheetError(f"is not a par sheet: it has more than {MAX_BYTES:,} bytes")
    try:
        text = content.decode("utf-8-sig")
        _check_depth(text)
        sheet = json.loads(text, object_pairs_hook=_unique_keys, parse_float=_refuse, parse_constant=_refuse)
    except UnicodeDecodeError:
        raise SheetError("is not a par sheet's JSON: it is not text") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise SheetError(f"is not a par sheet's JSON: {where}: {show(error.msg)}") from None
    except RecursionError:
        raise SheetError("is not a par sheet's JSON: it is nested too deeply") from None
    except SheetError:
        raise
    except ValueError:
        raise SheetError("is not a par sheet's JSON: a number has thousands of digits") from None
    return sheet


def _check_depth(text: str) -> None:
    depth = 0
    for token in _BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > MAX_DEPTH:
            raise SheetError(f"is not a par sheet's JSON: it is nested more than {MAX_DEPTH} deep")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise SheetError("is not a par sheet's JSON: a key occurs twice in one object")
    return values


def _refuse(text: str) -> Any:
    raise SheetError(f"is not a par sheet's JSON: {show(text)} is not an exact number")


def field(part: Any, key: str, kind: type) -> Any:
    """Return a value that must be there with this type."""
    if not isinstance(part, dict) or type(part.get(key)) is not kind:
        raise SheetError(f"'{key}' is missing or is not a {kind.__name__}")
    return part[key]


def parse_number(value: object) -> Fraction:
    """Parse an exact number: 5, "5/2", "2,000" or "2.5"."""
    text = str(value).replace(",", "")
    if isinstance(value, bool) or not re.fullmatch(r"-?\d{1,4300}(\.\d{1,40}|/0*[1-9]\d{0,4299})?", text, re.ASCII):
        raise SheetError(f"'{show(value)}' is not a number")
    return Fraction(text)


def fingerprint(sheet: dict[str, Any]) -> str:
    """Return the SHA-256 of a sheet's data: compact JSON with sorted keys, without the fingerprint itself."""
    data = {key: value for key, value in sheet.items() if key != "data_sha256"}
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# Exact values


class Amount(dict[tuple[str, ...], Fraction]):
    """A polynomial in the amounts of meters: the coefficient of each product of meter names, () for the constant."""

    @classmethod
    def of(cls, number: Fraction | int) -> Amount:
        """Return a constant."""
        return cls({(): Fraction(number)})

    def __add__(self, other: Amount) -> Amount:
        total = Amount(self)
        for names, factor in other.items():
            total[names] = total.get(names, Fraction(0)) + factor
        return total

    def __sub__(self, other: Amount) -> Amount:
        return self + other.times(Fraction(-1))

    def times(self, other: Amount | Fraction | int) -> Amount:
        """Return the product with a number or with another amount."""
        if not isinstance(other, Amount):
            return Amount({names: factor * other for names, factor in self.items()})
        total = Amount()
        for names, factor in other.items():
            total += Amount({tuple(sorted(names + own)): factor * value for own, value in self.items()})
        return total

    @property
    def number(self) -> Fraction:
        """The constant term."""
        return self.get((), Fraction(0))

    @property
    def is_open(self) -> bool:
        """Whether it depends on a meter without a given amount."""
        return any(factor for names, factor in self.items() if names)

    def __str__(self) -> str:
        terms = [(sorted(Counter(names).items()), factor) for names, factor in self.items() if factor]
        text = ""
        for powers, factor in sorted(terms, key=lambda term: (-sum(power for _, power in term[0]), term[0])):
            sign, size = ("-" if factor < 0 else "+"), abs(factor)
            text += f" {sign} " if text else sign.strip("+")
            product = "*".join(name if power == 1 else f"{name}**{power}" for name, power in powers)
            text += str(size) if not product else product if size == 1 else f"{size}*{product}"
        return text


class Root(NamedTuple):
    """The square root of a square, with the sign of a number."""

    square: Fraction
    is_negative: bool = False


def write(value: Any) -> Any:
    """Return a value as the sheet writes it: integers, fractions as "p/q", roots as "sqrt(p/q)", meters by name."""
    if isinstance(value, Amount):
        value = str(value) if value.is_open else value.number
    if isinstance(value, Root):
        return f"{'-' if value.is_negative else ''}sqrt({value.square})"
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return value


# Leaves that are not plain values


class Near(NamedTuple):
    """A number that the sheet writes from long powers: it must agree to thirty digits."""

    value: Fraction | Root

    def accepts(self, text: Any) -> bool:
        """Return whether the sheet's value is this number to thirty decimals."""
        stated, value = str(text), self.value
        if isinstance(value, Root):
            prefix = "-sqrt(" if value.is_negative else "sqrt("
            if not (stated.startswith(prefix) and stated.endswith(")")):
                return False
            stated, value = stated[len(prefix) : -1], value.square
        if isinstance(text, bool) or not _NUMBER.fullmatch(stated):
            return False
        return abs(Fraction(stated) - value) <= max(abs(value), Fraction(1)) / 10**30


class OneOf(NamedTuple):
    """A leaf or part that may be one of several: `accepts` decides, `words` describe what is expected."""

    words: str
    accepts: Callable[[Any], bool]


class Unchecked(NamedTuple):
    """A leaf or part that is not worked out, and why; `accepts` still checks its form."""

    why: str
    accepts: Callable[[Any], bool] = lambda _value: True


class Prose(NamedTuple):
    """Words for a reader."""

    accepts: Callable[[Any], bool] = lambda value: isinstance(value, str)


BRUTE, MERGED, CERTIFICATE, SAMPLE, ALGEBRA = "brute force", "after merging", "certificate", "sample", "algebra"
SOURCE, PROSE, UNCHECKED = "source", "prose", "not checked"


class Comparison:
    """The result of comparing a sheet with what it should say."""

    def __init__(self, count_method: str = BRUTE) -> None:
        self.count_method = count_method
        self.differences: list[str] = []
        self.figures: Counter[str] = Counter()
        """Numbers that were compared, by method."""
        self.texts = 0
        """Names, words and yes-or-no values that were compared."""
        self.prose: Counter[str] = Counter()
        self.unchecked: dict[str, tuple[int, str]] = {}
        """Fields that were not checked: how many values each has, and why."""

    def differ(self, path: str, message: str) -> None:
        """Add a difference."""
        self.differences.append(f"{path}: {message}" if path else message)

    def compare(self, stated: Any, expected: Any, path: str = "", kind: str = "", method: str = ALGEBRA) -> None:
        """Compare a part of the sheet with what it should say.

        `path` names the part for the reader, `kind` is the same without row numbers.
        """
        if isinstance(expected, By):
            self.compare(stated, expected.part, path, kind, expected.method or self.count_method)
        elif isinstance(expected, (Unchecked, Prose)):
            if not expected.accepts(stated):
                self.differ(path, f"the file says {show(stated)}, which is not of the expected form")
            elif isinstance(expected, Prose):
                self.prose[kind] += count_leaves(stated)
            else:
                count, _ = self.unchecked.get(kind, (0, ""))
                self.unchecked[kind] = count + count_leaves(stated), expected.why
        elif isinstance(expected, dict) and not isinstance(expected, Amount):
            self._table(stated, expected, path, kind, method)
        elif isinstance(expected, list):
            self._rows(stated, expected, path, kind, method)
        else:
            self._leaf(stated, expected, path, method)

    def _table(self, stated: Any, expected: dict[str, Any], path: str, kind: str, method: str) -> None:
        if not isinstance(stated, dict):
            self.differ(path, f"the file says {show(stated)}, expected a table")
            return
        for key in [key for key in expected if key not in stated]:
            self.differ(f"{path}.{key}".lstrip("."), "missing")
        for key, value in stated.items():
            place = f"{path}.{show(key)}".lstrip(".")
            if key not in expected:
                name = FORMER_KEYS.get(key)
                self.differ(place, f"is not a key of a sheet{f'; it is named {name} now' if name else ''}")
            else:
                self.compare(value, expected[key], place, f"{kind}.{key}".lstrip("."), method)

    def _rows(self, stated: Any, expected: list[Any], path: str, kind: str, method: str) -> None:
        if not isinstance(stated, list):
            self.differ(path, f"the file says {show(stated)}, expected a list")
            return
        if len(stated) != len(expected):
            self.differ(path, f"the file has {len(stated)} rows, expected {len(expected)}")
        for index, (row, should) in enumerate(zip(stated, expected, strict=False)):
            self.compare(row, should, f"{path}[{index}]{label(row)}", f"{kind}[]", method)

    def _leaf(self, stated: Any, expected: Any, path: str, method: str) -> None:
        if isinstance(expected, (Near, OneOf)):
            is_equal = expected.accepts(stated)
            described = expected.words if isinstance(expected, OneOf) else f"about {show(write(expected.value))}"
        else:
            value = write(expected)
            is_equal, described = type(stated) is type(value) and stated == value, show(value)
        if not is_equal:
            self.differ(path, f"the file says {show(stated)}, but it is {described}")
        if is_figure(stated):
            self.figures[method] += 1
        elif stated is not None:
            self.texts += 1


class By(NamedTuple):
    """A part whose figures are worked out by a method; `None` for the method of the counts."""

    part: Any
    method: str | None = None


def is_figure(value: Any) -> bool:
    """Return whether a leaf is a number: an integer, a fraction, a root, a decimal or a polynomial in meters."""
    if isinstance(value, int):
        return not isinstance(value, bool)
    return (
        isinstance(value, str)
        and bool(re.fullmatch(r"-?(\d|sqrt\()[\d/.()*+\w -]*%?", value, re.ASCII))
        and (not re.search(r"[A-Za-z]", value.replace("sqrt", "")) or "*" in value)
    )


def count_leaves(value: Any) -> int:
    """Count the values of a part that are not null."""
    if isinstance(value, dict):
        return sum(map(count_leaves, value.values()))
    if isinstance(value, list):
        return sum(map(count_leaves, value))
    return int(value is not None)


def label(row: Any) -> str:
    """Return the name of a row, with a space before it."""
    if not isinstance(row, dict):
        return ""
    for key in ("name", "award", "hand", "meter", "check", "decks", "plays", "confidence", "basis", "figure"):
        if isinstance(row.get(key), (str, int)):
            return f" {show(row[key])}" + (f" against {show(row['up'])}" if "up" in row and key == "hand" else "")
    return ""
