"""Text helpers that several formats share: truncation, aligned decimal points, spreadsheet text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from decks.errors import one_line
from reports.page.numerals import MINUS

_NUMBER = re.compile(rf"(?:[<>≤≥] )?[-{MINUS}+]?[\d,]+(?P<decimals>\.\d+)?(?P<percent>%?)")
_FORMULA = re.compile(r"['\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""Start of a text that a spreadsheet would evaluate, including full-width characters."""


def truncate(text: str, max_length: int) -> str:
    """Return a text of at most `max_length` characters, with an ellipsis if it was cut.

    >>> truncate("paytable", 5)
    'payt…'
    """
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"


def decimal_pads(texts: Sequence[str]) -> list[str]:
    """Return the padding that each number needs so that the decimal points of a column align.

    >>> decimal_pads(["1,234", "5.25", "−0.5", "none"])
    ['.00', '', '0', '']
    """
    number_matches = [_NUMBER.fullmatch(text) for text in texts]
    max_decimals = max(
        (len(number_match["decimals"] or "") for number_match in number_matches if number_match), default=0
    )
    percent = max((number_match["percent"] for number_match in number_matches if number_match), default="")
    full_pad = "." + "0" * (max_decimals - 1) if max_decimals else ""
    return [
        full_pad[len(number_match["decimals"] or "") :] + ("" if number_match["percent"] else percent)
        if number_match
        else ""
        for number_match in number_matches
    ]


def escape_spreadsheet_text(text: str) -> str:
    """Prefix text that a spreadsheet would read as a formula with an apostrophe.

    >>> escape_spreadsheet_text("=1+1"), escape_spreadsheet_text("Pair")
    ("'=1+1", 'Pair')
    """
    line = text if text.isprintable() else one_line(text)
    return f"'{line}" if _FORMULA.match(line) else line
