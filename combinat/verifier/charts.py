"""Printed charts of basic strategy, as a sheet carries them: what is done by the total, whatever cards make it.

A row has a word for each up card from two to ten, then the ace. H is hit, S stand, P split; D doubles, or else hits,
and DS doubles, or else stands. Totals without a row hit below twelve and stand from there on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from combinat.verifier.cards import INFINITE
from combinat.verifier.reading import UnreadableError, said, shown

NAMES = ("A", *map(str, range(2, 11)))
WORDS = {"H": ("hit",), "S": ("stand",), "D": ("double", "hit"), "DS": ("double", "stand"), "P": ("split",)}
ROWS = ("hard", "soft", "pairs", "pairs_no_das", "surrender")
MANY = 8  # infinitely many decks are played as so many

Rows = tuple[tuple[str, tuple[str, ...]], ...]


class Chart(NamedTuple):
    """A chart for a table: its rows with their words."""

    hard: Rows
    soft: Rows
    pairs: Rows
    surrender: Rows

    def wishes(self, cards: tuple[int, ...], up: int) -> list[str]:
        """List what the chart would do with cards of these values, the first choice first."""
        hard = sum(cards)
        is_soft = 1 in cards and hard <= 11
        total, is_pair = hard + 10 * is_soft, len(cards) == 2 and cards[0] == cards[1]
        found: list[str] = []
        if len(cards) == 2 and not is_soft:
            name = NAMES[cards[0] - 1]
            given_up = dict(self.surrender).get(f"{name}-{name}" if is_pair else str(total), ())
            found += ["surrender"] if NAMES[up - 1] in given_up else []
        if is_pair:
            found += WORDS[row[(up - 2) % 10]] if (row := dict(self.pairs).get(NAMES[cards[0] - 1])) else ()
        row = dict(self.soft if is_soft else self.hard).get(str(total))
        return [*found, *(WORDS[row[(up - 2) % 10]] if row else WORDS["H" if total < 12 else "S"])]


def charts_of(part: dict[str, Any]) -> dict[range, Chart]:
    """Read the charts of a sheet, by the numbers of decks that they are for."""
    after_split = said(said(part, "table", dict), "double_after_split", bool)
    found = {}
    for chart in said(part, "charts", list):
        low, high = numbers_of(chart)
        rows = {key: rows_of(chart, key) for key in ROWS}
        pairs = dict(rows["pairs"]) | ({} if after_split else dict(rows["pairs_no_das"]))
        found[range(low, high + 1)] = Chart(rows["hard"], rows["soft"], tuple(pairs.items()), rows["surrender"])
    return found


def numbers_of(chart: Any) -> tuple[int, int]:
    """Read the numbers of decks that a chart is for, from the least to the most."""
    decks = said(chart, "decks", list)
    if len(decks) != 2 or any(type(one) is not int for one in decks):
        raise UnreadableError(f"no numbers of decks '{shown(decks)}' of a chart")
    return decks[0], decks[1]


def rows_of(chart: Any, key: str) -> Rows:
    """Read the rows of one kind."""
    rows = {str(name): tuple(str(text).split()) for name, text in said(chart, key, dict).items()}
    for words in rows.values() if key != "surrender" else ():
        if len(words) != len(NAMES) or not set(words) <= set(WORDS):
            raise UnreadableError(f"no row of a chart '{shown(' '.join(words))}'")
    return tuple(rows.items())


def chart_for(charts: dict[range, Chart], decks: int) -> Chart:
    """Find the chart for a number of decks."""
    for numbers, chart in charts.items():
        if (MANY if decks == INFINITE else decks) in numbers:
            return chart
    raise UnreadableError(f"no chart for {decks} decks")
