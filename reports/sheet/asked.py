"""What a person gives with a sheet in files of their own: tests of jurisdictions, each of a figure that there is."""

from __future__ import annotations

from pathlib import Path

from combinat.analysis.jurisdictions import JurisdictionTest, parse_tests
from combinat.bets.reading import read_text
from combinat.figures import FIGURES
from decks import InputError, suggestion
from decks.errors import quoted


def read_tests(path: Path) -> tuple[JurisdictionTest, ...]:
    """Read a file of tests."""
    try:
        text = read_text(path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    found = parse_tests(text, str(path))
    for number, test in enumerate(found, 1):
        if test.figure not in FIGURES:
            hint = suggestion(test.figure, FIGURES) or f"; figures are {', '.join(FIGURES)}"
            raise InputError(f"{path}: test {number}: no figure {quoted(test.figure)}{hint}")
    return found
