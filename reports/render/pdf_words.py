"""How numbers, formulas and long words are sent to the typesetter: where they may break and what stands in line."""

from __future__ import annotations

import re
from typing import Any

from reports.page.numerals import MINUS

_BREAK = "\u200b"
"""Where a line may break within a word."""
_LONGEST_WORD = 18
_LONGEST_FRACTION = 44
"""The most characters above or below the line of a fraction that is set as one."""
_NUMBER = re.compile(rf"(?:[<>≤≥] )?[{MINUS}+]?[\d,]+(?P<part>\.\d+)?(?P<sign>%?)")
_DIGIT = re.compile("[0-9]")
"""Those of other scripts have widths of their own."""
_FACTOR = re.compile(rf"(\([^(){_BREAK}]{{1,16}}\))")
_DECKS = re.compile(r"(?<![^\W⁰¹²³⁴⁵⁶⁷⁸⁹])(n)(?![^\W⁰¹²³⁴⁵⁶⁷⁸⁹])")
"""What a formula calls the number of decks; a power is no part of the name."""


def widest(values: list[Any]) -> list[Any]:
    """Choose what is as wide as the values of a column that may be the widest, since to measure takes time.

    All digits are equally wide, but for those on cards, and only the longer of many words can be the widest.

    >>> widest(["1,234", "5,678", "9", {"text": "17", "pad": ".5"}, {"text": "23", "pad": ".5"}])
    ['0,000', {'text': '00', 'pad': '.0'}]
    """
    longest = max((len(value.encode()) for value in values if isinstance(value, str)), default=0)
    shapes = []
    for value in values:
        if not isinstance(value, str) or 10 * len(value.encode()) >= 7 * longest:
            shape = value if "hand" in value else _without_digits(value)
            shapes += [] if shape in shapes else [shape]
    return shapes


def _without_digits(value: Any) -> Any:
    """Put a nought in the place of every digit."""
    if isinstance(value, str):
        return _DIGIT.sub("0", value)
    if isinstance(value, list):
        return [_without_digits(one) for one in value]
    return {name: _without_digits(one) for name, one in value.items()} if isinstance(value, dict) else value


def formula(text: str) -> list[Any]:
    """Take a formula apart: the number of decks stands by itself, a short factor is a list, to stay on one line.

    >>> formula("22·n²/(52·n − 1)")
    ['22·', 'n', '²/', ['(52·', 'n', ' − 1)']]
    """
    pieces: list[Any] = []
    for piece in filter(None, _FACTOR.split(text)):
        decks = [part for part in _DECKS.split(piece) if part]
        pieces += [decks] if _FACTOR.fullmatch(piece) else decks
    return pieces


def over_and_under(plain: str) -> list[str] | None:
    """Split a formula that is one fraction, and a short one, into what stands above and below its line.

    >>> over_and_under("4·(n − 1)/(52·n − 1)"), over_and_under("n/2 + 1"), over_and_under("22·n²")
    (['4·(n − 1)', '52·n − 1'], None, None)
    """
    depth, outside = 0, []
    for place, character in enumerate(plain):
        depth += (character == "(") - (character == ")")
        if not depth and character in f"/ +{MINUS}":
            outside.append(place)
    if len(outside) != 1 or plain[outside[0]] != "/":
        return None
    above, below = plain[: outside[0]], plain[outside[0] + 1 :]
    if max(len(above), len(below)) > _LONGEST_FRACTION or not {"n", "("} & set(plain):
        return None
    return [_bare(above), _bare(below)]


def _bare(plain: str) -> str:
    """Take off brackets around the whole.

    >>> _bare("(n − 1)"), _bare("(n − 1)·(n − 2)")
    ('n − 1', '(n − 1)·(n − 2)')
    """
    depth = 0
    for place, character in enumerate(plain):
        depth += (character == "(") - (character == ")")
        if not depth:
            return plain[1:-1] if place == len(plain) - 1 and character == ")" else plain
    return plain


def aligned(values: list[Any]) -> list[Any]:
    """Say what each number lacks at its end for the decimal points of a column to stand in line.

    >>> aligned(["1.25", "3", "none"])
    ['1.25', {'text': '3', 'pad': '.00'}, 'none']
    """
    numbers = [_NUMBER.fullmatch(value) if isinstance(value, str) else None for value in values]
    most = max((len(number["part"] or "") for number in numbers if number), default=0)
    sign = max((number["sign"] for number in numbers if number), default="")
    aligned: list[Any] = []
    for value, number in zip(values, numbers, strict=True):
        pad = ""
        if number:
            shown = number["part"] or ""
            whole = "." + "0" * (most - 1) if most else ""
            pad = whole[len(shown) :] + ("" if number["sign"] else sign)
        aligned.append({"text": value, "pad": pad} if pad else value)
    return aligned


def breakable(text: str) -> str:
    """Let long words break: formulas after signs of operation, very long numbers between groups of three digits.

    >>> breakable("1234567890123456789012345/7").replace(_BREAK, "|")
    '1|234|567|890|123|456|789|012|345/|7'
    >>> breakable("mini royal")
    'mini royal'
    """
    return " ".join(_pieces(word) if len(word) > _LONGEST_WORD else word for word in text.split())


def _pieces(word: str) -> str:
    word = re.sub(r"\d{24,}", lambda digits: _grouped(digits[0]), word)
    word = re.sub(r"(?<=[·/_=,;:)\-])(?=[^\s⁰¹²³⁴⁵⁶⁷⁸⁹])", _BREAK, word)
    return re.sub(rf"([^\W\d{_BREAK}]{{12}})(?=\w)", rf"\1{_BREAK}", word)


def _grouped(digits: str) -> str:
    first = len(digits) % 3
    groups = [digits[:first], *(digits[place : place + 3] for place in range(first, len(digits), 3))]
    return _BREAK.join(group for group in groups if group)
