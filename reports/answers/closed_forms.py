"""Closed forms of a sheet, factored by rational roots where possible, else by sympy."""

from __future__ import annotations

from fractions import Fraction

from combinat.bets.paytable import Paytable
from combinat.exact.polynomial import Factorization, Polynomial, factorize
from reports.page.closed_forms import format_closed_form
from reports.page.model import Cell, Column, Formula, Style, Table


def formula_tables(paytable: Paytable, decks: int) -> tuple[Table, ...]:
    """Return the closed forms and their values for `decks`."""
    columns = (
        Column("Award"),
        Column("Ways from n decks"),
        Column(f"With n = {decks}", Style.COUNT),
        Column("Probability from n decks"),
        Column("Limit for many decks"),
    )
    tally = paytable.tally
    cycle = tally.cycle_polynomial
    counts_by_name = [
        *zip((award.name for award in paytable.awards), tally.wins, strict=True),
        ("no award", tally.losing),
    ]
    rows: list[tuple[Cell, ...]] = []
    for name, counts in counts_by_name:
        ways = tally.polynomial(counts)
        limit = format_closed_form(Factorization(tally.limit(counts)))
        rows.append((name, format_factored(ways), _value_at(ways, decks), format_factored(ways, cycle), limit))
    one_formula = format_closed_form(Factorization(Fraction(1)))
    rows.append(("all hands", format_factored(cycle), _value_at(cycle, decks), one_formula, one_formula))
    return (Table(columns, tuple(rows), "Closed forms"),)


def _value_at(ways: Polynomial, decks: int) -> int:
    return int(ways.at({"n": decks}).constant)


def format_factored(ways: Polynomial, over: Polynomial | int = 1) -> Formula:
    """Format a polynomial in n, or the quotient of two, as a product.

    >>> n = Polynomial.variable("n")
    >>> format_factored(n * n * 4 - n * 4, n * n * 52 - n).plain
    '4·(n − 1)/(52·n − 1)'
    """
    factorization = factorize(ways, over)
    if factorization is not None and factorization.number >= 0:
        return format_closed_form(factorization)
    from reports.answers.formulas import factored_by_sympy  # imports sympy

    return factored_by_sympy(ways, Polynomial.of(over))
