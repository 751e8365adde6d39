"""The result of `compare`: paytables at the same deck counts, with their differences from the first."""

from __future__ import annotations

from typing import Any

from combinat.api.result import Result, exact_value, format_value
from combinat.api.result_table import ResultTable
from combinat.figures import FIGURES, Value
from combinat.results.answer import to_json_data
from combinat.results.comparison import Comparison
from combinat.results.html import html_table
from decks import InputError, did_you_mean
from decks.errors import quote


class ComparisonResult(Comparison):
    """Paytables compared with the first one: figures, differences, and which is better for the player."""

    def __init__(self, results: ResultTable) -> None:
        self.results = results
        super().__init__([result.study for result in results])

    def __repr__(self) -> str:
        return f"<{' and '.join(self.names)} compared at {', '.join(map(str, self.decks))} decks>"

    def __eq__(self, other: object) -> bool:
        return self.results == other.results if isinstance(other, ComparisonResult) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.results)

    def _repr_html_(self) -> str:
        headings = (
            "Paytable",
            "Decks",
            FIGURES["house_edge"].label,
            f"Less {self.first}",
            "Better for the player than",
        )
        rows = [
            (
                name,
                str(decks),
                format_value(study.house_edge, ".6%"),
                format_value(self.difference(study, "house_edge"), ".6%"),
                ", ".join(self.better_than(name, decks)),
            )
            for (name, decks), study in self.study_by_key.items()
        ]
        return html_table(headings, rows)

    def result(self, name: str, decks: int) -> Result:
        """Return the result of one paytable at a number of decks."""
        if name not in self.names:
            hint = did_you_mean(name, self.names) or f"; the paytables are {', '.join(self.names)}"
            raise InputError(f"no paytable {quote(name)} is compared{hint}")
        if (name, decks) not in self.study_by_key:
            counts = ", ".join(str(study.shoe.decks) for study in self.of(name))
            raise InputError(f"{name} is not compared at {decks} decks; its deck counts are {counts}")
        return self.results[list(self.study_by_key).index((name, decks))]

    def differences(self, figure: str = "house_edge") -> dict[tuple[str, int], Value]:
        """Return the exact differences of a figure from the first paytable, by paytable and number of decks.

        Standard deviations are compared by their ratio.

        >>> from combinat import compare
        >>> changes = compare(["TRI-03", "TRI-04"], 6).differences()
        >>> {name: f"{change:.4%}" for (name, _), change in changes.items()}
        {'TRI-03': '0.0000%', 'TRI-04': '8.9772%'}
        """
        if figure not in FIGURES:
            raise InputError(f"no figure {quote(figure)}{did_you_mean(figure, FIGURES)}")
        changes = {key: self.difference(study, figure) for key, study in self.study_by_key.items()}
        return {key: exact_value(change) for key, change in changes.items()}

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the comparison as JSON data: what `combinat compare --format json` prints."""
        return to_json_data(self.answers())
