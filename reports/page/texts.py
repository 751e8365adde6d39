"""Words that go into spreadsheets, where some would be taken for formulas."""

from __future__ import annotations

import re

_FORMULA = re.compile(r"['\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
"""How a text begins that a spreadsheet would work out, also as it is typed in full width."""


def as_text(words: str) -> str:
    """Put an apostrophe before words that a spreadsheet would take for a formula.

    >>> as_text("=1+1"), as_text("Pair")
    ("'=1+1", 'Pair')
    """
    line = " ".join(words.split()) if not words.isprintable() else words
    return f"'{line}" if _FORMULA.match(line) else line
