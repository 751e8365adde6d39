"""Answers at several deck counts, or to several questions, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from types import NoneType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from msgspec.structs import asdict

from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.results.answer import Answer, to_json_data
from combinat.results.frames import build_records, to_frame
from combinat.results.html import answer_html
from decks import InputError

if TYPE_CHECKING:
    import pandas
    import polars

A = TypeVar("A", bound=Answer)
_SINGLE = (str, int, Fraction, Surd, Polynomial, NoneType)
"""Types of the values that a data frame has in one cell."""


class AnswerTable(Sequence[A], Generic[A]):
    """A sequence of answers, one row each."""

    def __init__(self, answers: Sequence[A]) -> None:
        self._answers = tuple(answers)

    def __repr__(self) -> str:
        kinds = ", ".join(dict.fromkeys(type(answer).__name__ for answer in self))
        return f"<{len(self)} rows of {kinds or 'no answer'}>"

    def _repr_html_(self) -> str:
        return answer_html({"answers": self.to_dict()})

    def __eq__(self, other: object) -> bool:
        return self._answers == other._answers if isinstance(other, AnswerTable) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), len(self)))

    def __len__(self) -> int:
        return len(self._answers)

    @overload
    def __getitem__(self, index: int) -> A: ...
    @overload
    def __getitem__(self, index: slice) -> AnswerTable[A]: ...
    def __getitem__(self, index: int | slice) -> A | AnswerTable[A]:
        return AnswerTable(self._answers[index]) if isinstance(index, slice) else self._answers[index]

    def at(self, decks: int) -> A:
        """Return the first answer at a deck count.

        >>> from combinat import odds
        >>> odds("pair", "player:2", [1, 6]).at(1).probability
        Fraction(1, 17)
        """
        counts = [getattr(answer, "decks", None) for answer in self]
        if decks not in counts:
            listed = ", ".join(map(str, counts))
            raise InputError(f"the table has no row for {decks} decks; its deck counts are {listed}")
        return self[counts.index(decks)]

    def to_dict(self) -> list[dict[str, Any]]:
        """Return the answers as JSON data."""
        return to_json_data(self)

    def records(self, *, exact: bool = False) -> list[dict[str, Any]]:
        """Return a dictionary of the single values of each answer, as floats unless `exact`.

        >>> from combinat import odds
        >>> [row["probability"] for row in odds("pair", "player:2", [1, 6]).records(exact=True)]
        [Fraction(1, 17), Fraction(23, 311)]
        """
        rows = [
            {name: value for name, value in asdict(answer).items() if isinstance(value, _SINGLE) and name != "format"}
            for answer in self
        ]
        return build_records(rows, exact=exact)

    def to_pandas(self, *, exact: bool = False) -> pandas.DataFrame:
        """Return the single values as a data frame of pandas, a row for each answer, as floats unless `exact`."""
        return to_frame("pandas", self.records(exact=True), exact=exact)

    def to_polars(self, *, exact: bool = False) -> polars.DataFrame:
        """Return the single values as a data frame of polars, a row for each answer, as floats unless `exact`."""
        return to_frame("polars", self.records(exact=True), exact=exact)
