"""Closed forms of a bet: formulas by award name, and the house edge evaluated at any number of decks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from html import escape
from typing import Any

from combinat.analysis.closed_form import AwardFormula, award_formulas, house_edge_formula
from combinat.bets.paytable import Paytable
from combinat.exact.surd import Exact
from combinat.results.formula import FormulaAnswer
from combinat.results.html import html_table
from decks import InputError, Shoe, did_you_mean
from decks.errors import quote, truncate_middle


class ClosedForm:
    """Formulas of a bet in the number of decks, n: ways, probability and limit of each award, and the house edge."""

    def __init__(self, paytable: Paytable) -> None:
        self.paytable = paytable
        self.formulas: tuple[AwardFormula, ...] = award_formulas(paytable)
        self.house_edge: Any
        """The house edge of the wager alone, as a sympy expression in n and the meters."""
        self.limit: Any
        """The limit of the house edge for infinite decks."""
        self.house_edge, self.limit = house_edge_formula(paytable)

    def __eq__(self, other: object) -> bool:
        return self.paytable == other.paytable if isinstance(other, ClosedForm) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.paytable.id)

    def __repr__(self) -> str:
        return f"<{self.paytable.id}: house edge {truncate_middle(self.house_edge, 100)}>"

    def _repr_latex_(self) -> str:
        import sympy

        return f"$\\displaystyle {sympy.latex(self.house_edge)}$"

    def _repr_html_(self) -> str:
        rows = [(item.name, str(item.ways), str(item.probability), str(item.limit)) for item in self]
        headings = ("Award", "Ways from n decks", "Probability", "Limit for many decks")
        edge = escape(f"House edge: {self.house_edge}")
        return f"<p><b>{escape(self.paytable.title)}</b></p>{html_table(headings, rows)}<p>{edge}</p>"

    def to_dict(self) -> dict[str, Any]:
        """Return the formulas as JSON data: what `combinat formula --format json` prints."""
        return FormulaAnswer.of(self.paytable).to_dict()

    def __iter__(self) -> Iterator[AwardFormula]:
        return iter(self.formulas)

    def __getitem__(self, name: str) -> AwardFormula:
        for formula in self.formulas:
            if formula.name.lower() == name.strip().lower():
                return formula
        names = [formula.name for formula in self.formulas]
        hint = did_you_mean(name, names) or f"; its formulas are {', '.join(names)}"
        raise InputError(f"{self.paytable.id} has no formula {quote(name)}{hint}")

    def at(self, decks: int) -> Fraction:
        """Return the house edge at a number of decks."""
        value = self.house_edge.subs("n", Shoe(decks).decks)
        if not value.is_Rational:
            raise InputError(f"the edge of {self.paytable.id} depends on its meters; use analyze with meters=")
        return Exact(int(value.p), int(value.q))
