"""How a sheet's file is read, and how what it says is asked for; whatever is wrong is told on one line."""

from __future__ import annotations

import json
import re
import stat
from fractions import Fraction
from pathlib import Path
from typing import Any

MOST_BYTES = 20_000_000  # many times the largest sheet
MOST_SHOWN = 200
MAX_BRACKETS = 500_000
MAX_DEPTH = 50
NOT_A_SHEET = "is not a par sheet's JSON"
FORMATS = {"combinat par sheet 3": 3}
ANSWERS = {"combinat answer 2": 2}
"""Formats of answers to a question; the first of them had no name."""
SINCE_FORMAT_2 = ("basis", "bases")
"""What an answer to a question that names no format has since the sheets are of format 2."""

_BRACKETS = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)


class UnreadableError(ValueError):
    """The file is no par sheet, or says something about the bet that cannot be understood."""


def shown(value: object) -> str:
    """Write what a file says so that it fits on a line."""
    text = str(value)[:MOST_SHOWN]
    if not text.isprintable():
        text = "".join([one if one.isprintable() else " " for one in text])
    return text if len(text) < MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"


def read(path: str | Path) -> dict[str, Any]:
    """Read a sheet's file."""
    sheet = load_json(path)
    if isinstance(sheet, list) and len(sheet) > 1:
        raise UnreadableError(f"has {len(sheet)} answers; one is checked at a time, as show gives for one deck count")
    if isinstance(sheet, list) and sheet:
        sheet = sheet[0]
    if not isinstance(sheet, dict):
        raise UnreadableError("is no par sheet: an object was expected")
    return sheet


def load_json(path: str | Path) -> Any:
    """Parse a JSON file; whatever is wrong with it raises `UnreadableError` with one line."""
    try:
        text = content_of(Path(path)).decode("utf-8-sig")
        check_limits(text)
        return json.loads(text, object_pairs_hook=said_once, parse_constant=_refuse_constant)
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from None
    except UnreadableError:
        raise
    except UnicodeDecodeError:
        raise UnreadableError(f"{NOT_A_SHEET}: it is not text; name the .json file of the sheet") from None
    except RecursionError:
        raise UnreadableError(f"{NOT_A_SHEET}: it is nested too deeply") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UnreadableError(f"{NOT_A_SHEET}: {where}: {shown(error.msg)}") from None
    except ValueError as error:  # a number of thousands of digits, or a path that cannot be
        what = "a number is too long" if "digits" in str(error) else shown(error)
        raise UnreadableError(f"{NOT_A_SHEET}: {what}") from None


def check_limits(text: str) -> None:
    """Refuse JSON text with more or deeper brackets than any sheet has, before it is parsed.

    >>> check_limits("[" * 100)
    Traceback (most recent call last):
        ...
    combinat.verifier.reading.UnreadableError: is not a par sheet's JSON: it is nested more than 50 deep
    """
    if "\0" in text:
        raise UnreadableError(f"{NOT_A_SHEET}: it is not text; name the .json file of the sheet")
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        raise UnreadableError(f"{NOT_A_SHEET}: it has more than {MAX_BRACKETS:,} objects and lists")
    depth = 0
    for token in _BRACKETS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > MAX_DEPTH:
            raise UnreadableError(f"{NOT_A_SHEET}: it is nested more than {MAX_DEPTH} deep")


def _refuse_constant(name: str) -> Any:
    raise UnreadableError(f"{NOT_A_SHEET}: {name} is not a number")


def content_of(path: Path) -> bytes:
    """Read the bytes of a regular file that is not too long; others could keep a reader waiting forever."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise UnreadableError("is no regular file: save the sheet to a file and name that")
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise UnreadableError(f"is no par sheet: it has more than {MOST_BYTES:,} bytes")
    return content


def said_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse an object that says a thing twice: a person would see the one and a program the other."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise UnreadableError("a key stands twice in one object")
    return found


def said(part: Any, key: str, kind: type) -> Any:
    """Give what a sheet, or a part of it, must say."""
    if not isinstance(part, dict) or type(part.get(key)) is not kind:
        raise UnreadableError(f"'{key}' is missing or is no {kind.__name__}")
    return part[key]


def number_of(value: object) -> Fraction:
    """Read an exact number.

    >>> [str(number_of(text)) for text in (5, "5/2", "2,000", "2.5")]
    ['5', '5/2', '2000', '5/2']
    """
    digits = str(value).replace(",", "")
    if not re.fullmatch(r"\d{1,40}(\.\d{1,20}|/0*[1-9]\d{0,39})?", digits, re.ASCII):
        raise UnreadableError(f"no number '{shown(value)}'")
    return Fraction(digits)


def fraction_of(value: object) -> Fraction | None:
    """Read a figure of any length as a sheet writes it; nothing if it is no number.

    >>> fraction_of("-7/21675"), fraction_of(3), fraction_of("1.5")
    (Fraction(-7, 21675), Fraction(3, 1), None)
    >>> fraction_of("1" * 4_300) is not None, fraction_of("1" * 4_301)
    (True, None)
    """
    # As long as Python writes and reads numbers: those of a meter's cap take thousands of digits.
    is_number = re.fullmatch(r"-?\d{1,4300}(/[1-9]\d{0,4299})?", str(value), re.ASCII)
    return Fraction(str(value)) if is_number else None


def format_of(sheet: dict[str, Any]) -> int:
    """Tell of which format a sheet is: 1 is that of version 0.1.0; in 2 figures name their basis."""
    if "format" not in sheet:
        return 1 if set(SINCE_FORMAT_2).isdisjoint(sheet) else 2
    name = sheet["format"]
    if isinstance(name, str) and name in ANSWERS:
        return ANSWERS[name]
    if not isinstance(name, str) or name not in FORMATS:
        known = ", ".join(f"'{one}'" for one in FORMATS)
        raise UnreadableError(f"it is of the format '{shown(name)}', which is not known here; known are {known}")
    return FORMATS[name]
