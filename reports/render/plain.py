"""Text in plain characters, for pipes and for terminals that know no others."""

from __future__ import annotations

import re

from reports.page.numerals import MINUS, NOTHING

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_POWER = f"[{_SUPERSCRIPTS}]+"
_DIGITS = str.maketrans(_SUPERSCRIPTS, "0123456789-")
_PLAIN = str.maketrans(
    {
        MINUS: "-",
        NOTHING: "-",
        "–": "-",
        "×": "*",
        "·": "*",
        "÷": "/",
        "≈": "~",
        "≤": "<=",
        "≥": ">=",
        "∞": "infinite",
        "…": "...",
        "♣": "c",
        "♦": "d",
        "♥": "h",
        "♠": "s",
    }
)


def plain(text: str) -> str:
    """Write the program's own characters in ASCII; what a file calls things stays as it is.

    >>> plain("−2.087639%"), plain("26·n²·(4·n − 1)"), plain("0.75 + 0.2 × Mega¹⁰"), plain("−3.333 × 10⁻¹⁰")
    ('-2.087639%', '26*n^2*(4*n - 1)', '0.75 + 0.2 * Mega^10', '-3.333 * 10^-10')
    """
    if text.isascii():
        return text
    return re.sub(_POWER, lambda power: f"^{power[0].translate(_DIGITS)}", text).translate(_PLAIN)
