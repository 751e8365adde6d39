"""Results at several deck counts, or of several bets, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from combinat.api.result import Result, format_figure
from combinat.figures import ANSWER_GROUPS, SECOND_BASIS, figure_values, figures_in
from combinat.results.frames import build_records, to_frame
from combinat.results.html import html_table
from decks import InputError

if TYPE_CHECKING:
    import pandas
    import polars

_SHOWN = ("house_edge", "return", "hit_frequency", "standard_deviation")
"""Figures in the columns of an HTML table."""


class ResultTable(Sequence[Result]):
    """The results of a bet at several deck counts, or of several bets, one row each."""

    def __init__(self, results: Sequence[Result]) -> None:
        self._results = tuple(results)

    def __repr__(self) -> str:
        return f"<{len(self)} results: {', '.join(f'{item.paytable.id} at {item.shoe}' for item in self)}>"

    def _repr_html_(self) -> str:
        figures = [figure for figure in figures_in(*ANSWER_GROUPS) if figure.key in _SHOWN]
        rows = [
            (item.paytable.id, str(item.shoe), *(format_figure(item.study, figure) for figure in figures))
            for item in self
        ]
        return html_table(("Paytable", "Shoe", *(figure.label for figure in figures)), rows)

    def __eq__(self, other: object) -> bool:
        return self._results == other._results if isinstance(other, ResultTable) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._results)

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> ResultTable: ...
    def __getitem__(self, index: int | slice) -> Result | ResultTable:
        return ResultTable(self._results[index]) if isinstance(index, slice) else self._results[index]

    def at(self, decks: int) -> Result:
        """Return the first result at a deck count.

        >>> from combinat import analyze
        >>> f"{analyze('TRI-03', [6, 8]).at(8).house_edge:.4%}"
        '3.7053%'
        """
        for result in self._results:
            if result.decks == decks:
                return result
        counts = ", ".join(str(result.decks) for result in self._results)
        raise InputError(f"the table has no row for {decks} decks; its deck counts are {counts}")

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the results as JSON data: what `combinat analyze --format json` prints."""
        return [result.to_dict() for result in self]

    def records(self, *, exact: bool = False) -> list[dict[str, Any]]:
        """Return a dictionary of figures for each result, as floats unless `exact`.

        >>> from combinat import analyze
        >>> [row["house_edge"] for row in analyze("TRI-03", [6, 8]).records(exact=True)]
        [Fraction(2127, 48205), Fraction(1061, 28635)]
        """
        return build_records(map(_figures_by_key, self), exact=exact)

    def to_pandas(self, *, exact: bool = False) -> pandas.DataFrame:
        """Return the figures as a data frame of pandas, a row for each result, as floats unless `exact`."""
        return to_frame("pandas", self.records(exact=True), exact=exact)

    def to_polars(self, *, exact: bool = False) -> polars.DataFrame:
        """Return the figures as a data frame of polars, a row for each result, as floats unless `exact`."""
        return to_frame("polars", self.records(exact=True), exact=exact)


def _figures_by_key(result: Result) -> dict[str, Any]:
    """Return the identification and the exact figures of a result."""
    study = result.study
    keys = [figure.key for figure in figures_in(*ANSWER_GROUPS)]
    return {"paytable": result.paytable.id, "decks": result.decks, "basis": str(study.basis)} | {
        (SECOND_BASIS.format(key) if index else key): row.value
        for key in keys
        for index, row in enumerate(figure_values(study, key))
    }
