"""Closed forms: ways, probabilities and the house edge as factored sympy formulas in the number of decks, n."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from keyword import iskeyword
from typing import Any

import sympy
from msgspec import Struct

from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import ExposedView
from combinat.enumeration.tally import NoHandError, Tally
from combinat.exact.polynomial import Polynomial


class AwardFormula(Struct, frozen=True):
    """The ways of an award as a formula, its probability, and the limit for infinite decks."""

    name: str
    ways: Any
    probability: Any
    limit: Any


DECKS_SYMBOL = sympy.Symbol("n")


def meter_symbols(paytable: Paytable) -> dict[str, Any]:
    """Return a symbol for each meter: with the meter's name, unless that name is reserved in a formula.

    Reserved are n, the number of decks, and all names that sympy or Python would not parse as a symbol.
    """
    plain_names = {name for name in paytable.meters if not _is_reserved(name)}
    symbols: dict[str, Any] = {}
    for name in paytable.meters:
        symbol_name = name
        while _is_reserved(symbol_name) or (symbol_name != name and symbol_name in plain_names):
            symbol_name += "_meter"
        symbols[name] = sympy.Symbol(symbol_name)
    return symbols


def _is_reserved(name: str) -> bool:
    return name == DECKS_SYMBOL.name or iskeyword(name) or hasattr(builtins, name) or hasattr(sympy, name)


def as_sympy(polynomial: Polynomial, symbols: Mapping[str, Any] | None = None) -> Any:
    """Convert a polynomial to a sympy expression, with `symbols` or symbols of the same names."""
    known_symbols = symbols or {}
    total = sympy.Integer(0)
    for powers, factor in polynomial.terms.items():
        term = sympy.Rational(factor.numerator, factor.denominator)
        for name, power in powers:
            term *= known_symbols.get(name, sympy.Symbol(name)) ** power
        total += term
    return total


def _tally(paytable: Paytable) -> Tally:
    """Return the tally; raise `NoHandError` if no hand meets the bet's condition."""
    if paytable.tally.fewest_decks is None:
        raise NoHandError(paytable.bet.condition, bet=paytable.id)
    return paytable.tally


def award_formulas(paytable: Paytable) -> tuple[AwardFormula, ...]:
    """Return the formula of every award, then of the losing hands, then of all hands.

    >>> from combinat.bets.catalog import get_paytable
    >>> print(award_formulas(get_paytable("TRI-03"))[0].ways)  # four suited A-K-Q, each card from any of n decks
    4*n**3
    """
    tally = _tally(paytable)
    cycle = as_sympy(tally.cycle_polynomial)
    counts_by_name = [(award.name, counts) for award, counts in zip(paytable.awards, tally.wins, strict=True)]
    rows = [
        (name, as_sympy(tally.polynomial(counts)), tally.limit(counts))
        for name, counts in [*counts_by_name, ("no award", tally.losing)]
    ]
    result = [
        AwardFormula(
            name, sympy.factor(ways), sympy.factor(ways / cycle), sympy.Rational(limit.numerator, limit.denominator)
        )
        for name, ways, limit in rows
    ]
    return (*result, AwardFormula("all hands", sympy.factor(cycle), sympy.Integer(1), sympy.Integer(1)))


class CaseFormula(Struct, frozen=True):
    """One case of a view: the probability of each of its extras as a formula, and their limits."""

    name: str
    probabilities: tuple[Any, ...]
    limits: tuple[Any, ...]
    fewest_decks: int
    """The smallest deck count at which the case is possible under the bet's condition."""


def case_formulas(paytable: Paytable, view: ExposedView) -> tuple[CaseFormula, ...]:
    """Return the probabilities of a view's extras in each case, such as a bust for each up card."""
    rows = []
    cases = view.extra_tallies() if view.extras else ()
    for case in cases:
        tally, fewest = case.tally, case.tally.fewest_decks
        if fewest is None:
            continue  # the condition rules this case out
        cycle = as_sympy(tally.cycle_polynomial)
        probabilities = [
            sympy.factor(sympy.cancel(as_sympy(tally.polynomial(counts)) / cycle)) for counts in tally.matches
        ]
        limits = [as_sympy(Polynomial.of(tally.limit(counts))) for counts in tally.matches]
        rows.append(CaseFormula(case.name, tuple(probabilities), tuple(limits), fewest))
    if cases and not rows:
        raise NoHandError(paytable.bet.condition, bet=paytable.id)
    return tuple(rows)


def house_edge_formula(paytable: Paytable) -> tuple[Any, Any]:
    """Return the house edge as a function of the number of decks (and of meters), with its limit."""
    tally, symbols = _tally(paytable), meter_symbols(paytable)
    cycle = as_sympy(tally.cycle_polynomial)
    edge, limit = sympy.Integer(0), sympy.Integer(0)
    means = paytable.settlement.means(paytable.meter_wager())
    for mean, counts in zip(means, (*tally.wins, tally.losing), strict=True):
        mean_win = as_sympy(mean, symbols)
        edge -= mean_win * as_sympy(tally.polynomial(counts)) / cycle
        share = tally.limit(counts)
        limit -= mean_win * sympy.Rational(share.numerator, share.denominator)
    return sympy.factor(edge), sympy.expand(limit)
