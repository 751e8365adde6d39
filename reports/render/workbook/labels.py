"""Words of a workbook that name what was put in, as formulas that say it anew."""

from __future__ import annotations

from msgspec import Struct

from combinat.analysis.outlook import Z
from reports.page.numerals import decimal
from reports.render.workbook.formulas.meters import COLUMNS
from reports.render.workbook.working import Working

_PIECE = 200
"""So many characters of text at most stand in one piece in a formula."""


class Labels(Struct, frozen=True):
    """Words that name what was put in, such as a confidence, as formulas."""

    working: Working

    def __call__(self, text: str) -> str:
        """Give the formula of words that name a confidence, its z or the largest win; nothing for others."""
        for level, z in Z.items() if "%" in text else ():
            confidence, z_text = f"{level * 100}%", decimal(z, 6)
            if confidence in text:
                quoted_text = quoted(text).replace(confidence, f'"&Confidence_{level * 100}*100&"%')
                return "=" + quoted_text.replace(z_text, f'"&TEXT(z_{level * 100},"0.000000")&"')
        return self._largest(text)

    def _largest(self, text: str) -> str:
        """Name the largest win, which may be another once pays are changed."""
        names = [outcome.name for outcome in self.working.calculation.outcomes if text.endswith(f": {outcome.name}")]
        if not names:
            return ""
        words = text.removesuffix(max(names, key=len))  # a name may have a colon itself, and end like another
        position = "LargestPlace"
        for pays, basis in COLUMNS.values():
            if str(basis) in words and self.working.calculation.terms:
                position = f"MATCH(SUMPRODUCT(MAX((Probability>0)*{pays})),{pays},0)"
        return f"={quoted(words)}&{self.working.name_of(position)}"


def quoted(text: str) -> str:
    """Quote words in a formula, in pieces as long as spreadsheets take."""
    escaped = text.replace('"', '""')
    return "&".join(f'"{escaped[start : start + _PIECE]}"' for start in range(0, len(escaped), _PIECE))
