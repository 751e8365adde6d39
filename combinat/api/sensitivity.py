"""The result of `sensitivity`: the effect of each pay on the house edge, for one or more paytables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from combinat.api.result import format_value
from combinat.results.answer import to_json_data
from combinat.results.html import html_table
from combinat.results.sensitivity import PaySensitivity, SensitivityAnswer


class SensitivityResult(Sequence[PaySensitivity]):
    """The effect of each pay on the house edge, an entry for each paytable."""

    def __init__(self, sensitivities: Sequence[PaySensitivity]) -> None:
        self._sensitivities = tuple(sensitivities)

    def __repr__(self) -> str:
        return f"<effect of the pays of {', '.join(item.paytable.id for item in self)}>"

    def __eq__(self, other: object) -> bool:
        return self._sensitivities == other._sensitivities if isinstance(other, SensitivityResult) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(item.paytable.id for item in self))

    def __len__(self) -> int:
        return len(self._sensitivities)

    @overload
    def __getitem__(self, index: int) -> PaySensitivity: ...
    @overload
    def __getitem__(self, index: slice) -> SensitivityResult: ...
    def __getitem__(self, index: int | slice) -> PaySensitivity | SensitivityResult:
        items = self._sensitivities[index]
        return SensitivityResult(items) if isinstance(items, tuple) else items

    def _repr_html_(self) -> str:
        rows = [
            (item.paytable.id, str(row.decks), move.award, str(move.pay), format_value(-move.per_unit, ".6%"))
            for item in self
            for row in item.rows
            for move in row.moves
        ]
        return html_table(("Paytable", "Decks", "Award", "Pays", "Change of the edge per unit"), rows)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the effects as JSON data: what `combinat sensitivity --format json` prints.

        >>> from combinat import sensitivity
        >>> sensitivity("TRI-03", 6, edge="3%..5%").to_dict()[0]["all_decks"][-1]["whole_pays"]
        [5, 5]
        """
        return to_json_data(map(SensitivityAnswer.of, self))
