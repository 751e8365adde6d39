"""Counts and returns as formulas in the number of decks, factored by sympy."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from keyword import iskeyword
from typing import Any

import sympy
from msgspec import Struct

from combinat.paytable import Paytable
from combinat.polynomial import Polynomial
from combinat.up_cards import bust_tallies, name_of


class Formula(Struct, frozen=True):
    """A count of hands as a formula, its probability, and what that tends to as the decks multiply."""

    name: str
    ways: Any
    probability: Any
    limit: Any


DECKS = sympy.Symbol("n")


def meter_symbols(paytable: Paytable) -> dict[str, Any]:
    """Give each meter a symbol of its own: called like the meter, unless that name means something else in a formula.

    Such names are n, the number of decks, and all that sympy or Python would not read back as a symbol.
    """
    plain = {name for name in paytable.meters if not _means_something(name)}
    symbols: dict[str, Any] = {}
    for name in paytable.meters:
        written = name
        while _means_something(written) or (written != name and written in plain):
            written += "_meter"
        symbols[name] = sympy.Symbol(written)
    return symbols


def _means_something(name: str) -> bool:
    return name == DECKS.name or iskeyword(name) or hasattr(builtins, name) or hasattr(sympy, name)


def as_sympy(polynomial: Polynomial, symbols: Mapping[str, Any] | None = None) -> Any:
    """Turn a polynomial into a sympy expression, in the symbols given or in those of the same names."""
    own = symbols or {}
    total = sympy.Integer(0)
    for powers, factor in polynomial.terms.items():
        term = sympy.Rational(factor.numerator, factor.denominator)
        for name, power in powers:
            term *= own.get(name, sympy.Symbol(name)) ** power
        total += term
    return total


def formulas(paytable: Paytable) -> tuple[Formula, ...]:
    """Give the formula of every award, then of the hands that win nothing, then of all hands.

    >>> from combinat.finding import find
    >>> print(formulas(find("TRI-03"))[0].ways)  # four suited A-K-Q, each card from any of n decks
    4*n**3
    """
    tally = paytable.tally
    cycle = as_sympy(tally.cycle_polynomial)
    named = [(award.name, counts) for award, counts in zip(paytable.awards, tally.takes, strict=True)]
    rows = [
        (name, as_sympy(tally.polynomial(counts)), tally.limit(counts))
        for name, counts in [*named, ("no award", tally.none)]
    ]
    result = [
        Formula(
            name, sympy.factor(ways), sympy.factor(ways / cycle), sympy.Rational(limit.numerator, limit.denominator)
        )
        for name, ways, limit in rows
    ]
    return (*result, Formula("all hands", sympy.factor(cycle), sympy.Integer(1), sympy.Integer(1)))


class UpCardFormula(Struct, frozen=True):
    """The chance that the dealer busts with an up card, as a formula, and what it tends to; likewise suited."""

    name: str
    bust: Any
    limit: Any
    suited_bust: Any
    suited_limit: Any


def up_card_formulas(paytable: Paytable) -> tuple[UpCardFormula, ...]:
    """Give the chances of a bust for each up card of a bet on the dealer's finished hand."""
    found = []
    for ranks, tally in bust_tallies(paytable).items():
        cycle = as_sympy(tally.cycle_polynomial)
        suited, other = (tally.polynomial(counts) for counts in tally.takes)
        limits = [tally.limit(counts) for counts in tally.takes]
        found.append(
            UpCardFormula(
                name=name_of(ranks),
                bust=sympy.factor(sympy.cancel(as_sympy(suited + other) / cycle)),
                limit=as_sympy(Polynomial.of(sum(limits))),
                suited_bust=sympy.factor(sympy.cancel(as_sympy(suited) / cycle)),
                suited_limit=as_sympy(Polynomial.of(limits[0])),
            )
        )
    return tuple(found)


def house_edge_formula(paytable: Paytable) -> tuple[Any, Any]:
    """Give the house edge as a function of the number of decks (and of meters), with its limit."""
    tally, symbols = paytable.tally, meter_symbols(paytable)
    cycle = as_sympy(tally.cycle_polynomial)
    edge, limit = sympy.Integer(1), sympy.Integer(1)
    for award, counts in zip(paytable.awards, tally.takes, strict=True):
        gross = as_sympy(award.pay.gross_for(paytable.meter_wager()), symbols)
        edge -= gross * as_sympy(tally.polynomial(counts)) / cycle
        share = tally.limit(counts)
        limit -= gross * sympy.Rational(share.numerator, share.denominator)
    return sympy.factor(edge), sympy.expand(limit)
