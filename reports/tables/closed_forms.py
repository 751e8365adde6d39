"""Closed forms in n as plain text and LaTeX, with the term order and signs of sympy."""

from __future__ import annotations

import re
from fractions import Fraction

from combinat.bets.paytable import Paytable
from combinat.exact.polynomial import Factor, Factorization, Polynomial, factorize
from reports.page import numerals
from reports.page.model import Cell, Column, Formula, Style, Table

_N: Factor = (0, 1)


def build_formula(plain_text: str, latex: str) -> Formula:
    """Build a `Formula` from program notation: superscript exponents, printed signs.

    >>> build_formula("4*n**2 - n", "4 n^{2} - n").plain
    '4·n² − n'
    """
    plain_text = re.sub(r"\*\*(\d+)", lambda power: power[1].translate(numerals.SUPERSCRIPTS), plain_text)
    return Formula(plain_text.replace("*", "·").replace("-", numerals.MINUS), latex)


def format_closed_form(factorization: Factorization) -> Formula:
    r"""Format a factored rational function of n that is not negative (a number of ways or a probability).

    >>> from fractions import Fraction
    >>> format_closed_form(Factorization(Fraction(2, 13), {(0, 1): 1, (-1, 52): -1}))
    Formula(plain='2·n/(13·(52·n − 1))', latex='\\frac{2 n}{13 \\left(52 n - 1\\right)}')
    """
    return build_formula(_format_plain(factorization), _format_latex(factorization))


def _split_fraction(factorization: Factorization) -> tuple[list[tuple[Factor, int]], list[tuple[Factor, int]]]:
    """Return the factors of the numerator and of the denominator, each in printing order."""
    numerator = [(factor, power) for factor, power in factorization.powers.items() if power > 0]
    denominator = [(factor, -power) for factor, power in factorization.powers.items() if power < 0]
    return sorted(numerator, key=_factor_sort_key), sorted(denominator, key=_factor_sort_key)


def _factor_sort_key(factor: tuple[Factor, int]) -> tuple[int, list[tuple[int, int]]]:
    """Return the sort key of a factor: fewer terms first, then by powers and coefficients from the highest power."""
    terms = _terms(factor[0])
    return len(terms), terms


def _terms(factor: Factor) -> list[tuple[int, int]]:
    """Return the nonzero terms as (power, coefficient), highest power first."""
    return [(power, coefficient) for power, coefficient in reversed(list(enumerate(factor))) if coefficient]


def _format_plain(factorization: Factorization) -> str:
    numerator, denominator = _split_fraction(factorization)
    numerator_factors = _format_factors(factorization.number.numerator, numerator)
    denominator_factors = _format_factors(factorization.number.denominator, denominator)
    if denominator_factors == ["1"]:
        is_sum = len(numerator_factors) == 1 and numerator_factors[0].endswith(")")  # a single sum needs no brackets
        return numerator_factors[0][1:-1] if is_sum else "*".join(numerator_factors)
    denominator_text = "*".join(denominator_factors)
    if len(denominator_factors) > 1:
        denominator_text = f"({denominator_text})"
    return f"{'*'.join(numerator_factors)}/{denominator_text}"


def _format_factors(constant: int, factors: list[tuple[Factor, int]]) -> list[str]:
    """Format a number and its factors, omitting a redundant factor 1."""
    return [*([str(constant)] if constant != 1 or not factors else []), *(_format_power(*factor) for factor in factors)]


def _format_power(factor: Factor, power: int) -> str:
    base = _format_terms(factor, "*", "**", "")
    return (base if factor == _N else f"({base})") + (f"**{power}" if power > 1 else "")


def _format_latex(factorization: Factorization) -> str:
    numerator, denominator = _split_fraction(factorization)
    numerator_text = _format_latex_product(factorization.number.numerator, numerator)
    denominator_text = _format_latex_product(factorization.number.denominator, denominator)
    return numerator_text if denominator_text == "1" else rf"\frac{{{numerator_text}}}{{{denominator_text}}}"


def _format_latex_product(constant: int, factors: list[tuple[Factor, int]]) -> str:
    texts = [str(constant)] if constant != 1 or not factors else []
    is_alone = len(factors) == 1 and not texts and factors[0][1] == 1
    for factor, power in factors:
        base = _format_terms(factor, " ", "^{", "}")
        exponent = f"^{{{power}}}" if power > 1 else ""
        texts.append((base if is_alone or factor == _N else rf"\left({base}\right)") + exponent)
    return " ".join(texts)


def _format_terms(factor: Factor, product_sign: str, power_start: str, power_end: str) -> str:
    """Format the terms of a factor, highest power first."""
    text = ""
    for power, coefficient in _terms(factor):
        letter = "n" if power == 1 else f"n{power_start}{power}{power_end}"
        size = (
            str(abs(coefficient))
            if not power
            else letter
            if abs(coefficient) == 1
            else f"{abs(coefficient)}{product_sign}{letter}"
        )
        text += f" {'-' if coefficient < 0 else '+'} {size}" if text else size
    return text


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
    return format_factored_by_sympy(ways, Polynomial.of(over))


def format_factored_by_sympy(ways: Polynomial, over: Polynomial) -> Formula:
    """Format the quotient of two polynomials in n as sympy factors it."""
    from sympy import factor, latex

    from combinat.analysis.closed_form import as_sympy  # imports sympy

    quotient = factor(as_sympy(ways) / as_sympy(over))
    return build_formula(str(quotient), latex(quotient))
