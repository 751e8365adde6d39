"""Closed forms are factored and formatted like sympy does, without loading it."""

import subprocess
import sys
from fractions import Fraction

import pytest
import sympy
from hypothesis import example, given
from hypothesis import strategies as st

from combinat.analysis.closed_form import award_formulas
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.exact.polynomial import Factorization, Polynomial, factorize
from decks import Shoe
from reports.answers.formulas import _formula
from reports.tables.closed_forms import format_closed_form, format_factored, format_factored_by_sympy, formula_tables

N = Polynomial.variable("n")
INTEGERS = st.integers(-60, 60)
FACTORS = st.one_of(
    st.just([0, 1]),
    st.lists(INTEGERS, min_size=2, max_size=2),
    st.lists(INTEGERS, min_size=3, max_size=3),
    st.lists(INTEGERS, min_size=4, max_size=4),
)
PRODUCTS = st.tuples(st.fractions(max_denominator=60), st.lists(FACTORS, max_size=5))


def multiply_out(number_and_factors):
    number, factors = number_and_factors
    polynomial = Polynomial.of(number)
    for factor in factors:
        polynomial *= sum((N**power * coefficient for power, coefficient in enumerate(factor)), Polynomial.of(0))
    return polynomial


@given(PRODUCTS, PRODUCTS)
@example((Fraction(2, 3), [[0, 1], [-1, 1], [-1, 1]]), (Fraction(5), [[0, 1], [0, 1], [1, 2]]))
@example((Fraction(1), []), (Fraction(1), [[-1, 52]]))
@example((Fraction(7), [[-1, 1]]), (Fraction(1), []))
@example((Fraction(1), [[-1, 1], [-1, 1]]), (Fraction(1), []))
def test_products_match_sympy(numerator, denominator):
    ways, divisor = multiply_out(numerator), multiply_out(denominator)
    if not divisor.terms:
        return
    factorization = factorize(ways, divisor)
    if factorization is not None and factorization.number >= 0 and not is_single_negative_power(factorization):
        assert format_closed_form(factorization) == format_factored_by_sympy(ways, divisor)


def is_single_negative_power(factorization):
    """Return whether sympy writes it as a single negative power such as (n - 1)**(-2)."""
    return factorization.number == 1 and len(factorization.powers) == 1 and min(factorization.powers.values()) < -1


def test_negative_power_is_a_fraction():
    assert format_factored(Polynomial.of(1), (N - 1) ** 2).plain == "1/(n − 1)²"


@given(st.lists(st.tuples(INTEGERS, st.integers(1, 60)), max_size=6), st.fractions(max_denominator=60))
def test_polynomials_with_rational_roots_are_factored(roots, number):
    factorization = factorize(multiply_out((number, [[-numerator, denominator] for numerator, denominator in roots])))
    assert factorization is not None
    assert all(len(factor) == 2 for factor in factorization.powers)


@given(PRODUCTS)
def test_factors_multiply_to_the_polynomial(number_and_factors):
    ways = multiply_out(number_and_factors)
    factorization = factorize(ways)
    if factorization is not None:
        factors = [list(factor) for factor, power in factorization.powers.items() for _ in range(power)]
        assert multiply_out((factorization.number, factors)) == ways


def test_product_without_roots_is_left_to_sympy():
    ways = (N**2 + 1) * (N**2 + 2) * 6
    assert factorize(ways) is None
    assert format_factored(ways).plain == "6·(n² + 1)·(n² + 2)"


def test_negative_polynomial_is_left_to_sympy():
    assert format_factored(1 - N).plain == "1 − n"


def test_large_coefficients_are_left_to_sympy():
    ways = N * 10**13 + 1
    assert factorize(ways) is None
    assert format_factored(ways).plain == "10000000000000·n + 1"


@pytest.mark.parametrize("number", [Fraction(0), Fraction(1), Fraction(6, 169), Fraction(3)])
def test_constants_match_sympy(number):
    assert format_closed_form(Factorization(number)) == _formula(sympy.Rational(number.numerator, number.denominator))


def iter_closed_forms(paytables):
    for paytable in paytables:
        derivation = paytable.experiment.derivation(Shoe(max(paytable.decks)))
        if derivation and derivation.is_closed_form:
            yield paytable


def assert_like_sympy(paytable):
    decks = max(paytable.decks)
    expected = [
        (
            formula.name,
            _formula(formula.ways),
            int(formula.ways.subs("n", decks)),
            _formula(formula.probability),
            _formula(formula.limit),
        )
        for formula in award_formulas(paytable)
    ]
    (table,) = formula_tables(paytable, decks)
    assert list(table.rows) == expected, paytable.id


def test_closed_forms_of_sample_bets_match_sympy():
    paytables = list(iter_closed_forms(map(get_paytable, ("TRI-03", "BLZ-1-PC-PEEK", "TBJ-06-2024", "BB-1", "SUP-01"))))
    assert [candidate.id for candidate in paytables] == ["TRI-03", "BLZ-1-PC-PEEK", "TBJ-06-2024", "SUP-01"]
    for paytable in paytables:
        assert_like_sympy(paytable)


@pytest.mark.slow
def test_closed_forms_of_the_catalog_match_sympy():
    paytables = list(iter_closed_forms(iter_collection()))
    assert len(paytables) > 30
    for paytable in paytables:
        assert_like_sympy(paytable)


@pytest.mark.slow  # fast: reports/cli/test_optimized_python.py::test_output_is_the_same_without_asserts
def test_catalog_sheet_needs_no_sympy():
    code = (
        "import sys; from combinat import par_sheet\n"
        "par_sheet('TRI-02', 2).text('markdown')\n"
        "print('sympy' in sys.modules)"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "False"
