"""Closed forms in n as they are written by hand and in LaTeX, in the order and with the signs of the sympy library."""

from __future__ import annotations

import re

from combinat.exact.polynomial import Factor, Factorization
from reports.page import numerals
from reports.page.model import Formula

_N: Factor = (0, 1)


def formula(plain: str, latex: str) -> Formula:
    """Make a formula of what a program would read: powers are raised, and signs are those of print.

    >>> formula("4*n**2 - n", "4 n^{2} - n").plain
    '4·n² − n'
    """
    plain = re.sub(r"\*\*(\d+)", lambda power: power[1].translate(numerals.SUPERSCRIPTS), plain)
    return Formula(plain.replace("*", "·").replace("-", numerals.MINUS), latex)


def closed_form(found: Factorization) -> Formula:
    r"""Write a fraction of polynomials in n, factored; a number of ways or a chance, and so not negative.

    >>> from fractions import Fraction
    >>> closed_form(Factorization(Fraction(2, 13), {(0, 1): 1, (-1, 52): -1}))
    Formula(plain='2·n/(13·(52·n − 1))', latex='\\frac{2 n}{13 \\left(52 n - 1\\right)}')
    """
    return formula(_plain(found), _latex(found))


def _sides(found: Factorization) -> tuple[list[tuple[Factor, int]], list[tuple[Factor, int]]]:
    """Give the factors above the line and below it, in the order in which they are written."""
    above = [(one, power) for one, power in found.powers.items() if power > 0]
    below = [(one, -power) for one, power in found.powers.items() if power < 0]
    return sorted(above, key=_order), sorted(below, key=_order)


def _order(factor: tuple[Factor, int]) -> tuple[int, list[tuple[int, int]]]:
    """Those of fewer terms first; of as many, by their powers and coefficients, the highest power's first."""
    terms = _terms(factor[0])
    return len(terms), terms


def _terms(factor: Factor) -> list[tuple[int, int]]:
    """Each power that occurs, the highest first, with its coefficient."""
    return [(power, one) for power, one in reversed(list(enumerate(factor))) if one]


def _plain(found: Factorization) -> str:
    above, below = _sides(found)
    top, bottom = _factors(found.number.numerator, above), _factors(found.number.denominator, below)
    if bottom == ["1"]:
        is_sum = len(top) == 1 and top[0].endswith(")")  # a sum by itself
        return top[0][1:-1] if is_sum else "*".join(top)
    return f"{'*'.join(top)}/{bottom[0] if len(bottom) == 1 else '(' + '*'.join(bottom) + ')'}"


def _factors(number: int, factors: list[tuple[Factor, int]]) -> list[str]:
    """Write a number and factors, without a one that can be left out."""
    return [*([str(number)] if number != 1 or not factors else []), *(_power(*one) for one in factors)]


def _power(factor: Factor, power: int) -> str:
    base = _sum(factor, "*", "**", "")
    return (base if factor == _N else f"({base})") + (f"**{power}" if power > 1 else "")


def _latex(found: Factorization) -> str:
    above, below = _sides(found)
    top, bottom = _latex_product(found.number.numerator, above), _latex_product(found.number.denominator, below)
    return top if bottom == "1" else rf"\frac{{{top}}}{{{bottom}}}"


def _latex_product(number: int, factors: list[tuple[Factor, int]]) -> str:
    parts = [str(number)] if number != 1 or not factors else []
    is_alone = len(factors) == 1 and not parts and factors[0][1] == 1
    for factor, power in factors:
        base = _sum(factor, " ", "^{", "}")
        raised = f"^{{{power}}}" if power > 1 else ""
        parts.append((base if is_alone or factor == _N else rf"\left({base}\right)") + raised)
    return " ".join(parts)


def _sum(factor: Factor, times: str, raised: str, end: str) -> str:
    """Write the terms of a factor, the highest power first."""
    text = ""
    for power, one in _terms(factor):
        letter = "n" if power == 1 else f"n{raised}{power}{end}"
        size = str(abs(one)) if not power else letter if abs(one) == 1 else f"{abs(one)}{times}{letter}"
        text += f" {'-' if one < 0 else '+'} {size}" if text else size
    return text
