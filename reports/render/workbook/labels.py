"""Labels that mention an input, such as a confidence level, as formulas that follow it."""

from __future__ import annotations

from msgspec import Struct

from combinat.analysis.outlook import Z
from reports.page.numerals import format_fixed
from reports.render.workbook.formulas.meters import COLUMNS
from reports.render.workbook.working import CalculationSheet

_PIECE = 200
"""Maximum length of a string literal in a formula."""


class Labels(Struct, frozen=True):
    """Callable that turns a label into a formula if it mentions an input."""

    working: CalculationSheet

    def __call__(self, text: str) -> str:
        """Return the formula of a label with a confidence, its z or the largest win; an empty string for others."""
        for level, z in Z.items() if "%" in text else ():
            confidence, z_text = f"{level * 100}%", format_fixed(z, 6)
            if confidence in text:
                quoted_text = string_literal(text).replace(confidence, f'"&Confidence_{level * 100}*100&"%')
                return "=" + quoted_text.replace(z_text, f'"&TEXT(z_{level * 100},"0.000000")&"')
        return self._largest(text)

    def _largest(self, text: str) -> str:
        """Return a formula that names the award with the largest win, which may change with the pays."""
        names = [outcome.name for outcome in self.working.calculation.outcomes if text.endswith(f": {outcome.name}")]
        if not names:
            return ""
        words = text.removesuffix(max(names, key=len))  # a name may have a colon itself, and end like another
        position = "LargestPlace"
        for pays, basis in COLUMNS.values():
            if str(basis) in words and self.working.calculation.terms:
                position = f"MATCH(SUMPRODUCT(MAX((Probability>0)*{pays})),{pays},0)"
        return f"={string_literal(words)}&{self.working.name_of(position)}"


def string_literal(text: str) -> str:
    """Return a text as concatenated string literals, each short enough for a formula."""
    escaped = text.replace('"', '""')
    return "&".join(f'"{escaped[start : start + _PIECE]}"' for start in range(0, len(escaped), _PIECE))
