"""Closed forms factored and written here, against sympy, which they take the place of."""

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
from reports.answers.closed_forms import format_factored, formula_tables
from reports.answers.formulas import _formula, factored_by_sympy
from reports.page.closed_forms import format_closed_form

N = Polynomial.variable("n")
WHOLE = st.integers(-60, 60)
FACTORS = st.one_of(
    st.just([0, 1]),
    st.lists(WHOLE, min_size=2, max_size=2),
    st.lists(WHOLE, min_size=3, max_size=3),
    st.lists(WHOLE, min_size=4, max_size=4),
)
PRODUCTS = st.tuples(st.fractions(max_denominator=60), st.lists(FACTORS, max_size=5))


def product(parts):
    number, factors = parts
    found = Polynomial.of(number)
    for factor in factors:
        found *= sum((N**power * one for power, one in enumerate(factor)), Polynomial.of(0))
    return found


@given(PRODUCTS, PRODUCTS)
@example((Fraction(2, 3), [[0, 1], [-1, 1], [-1, 1]]), (Fraction(5), [[0, 1], [0, 1], [1, 2]]))
@example((Fraction(1), []), (Fraction(1), [[-1, 52]]))
@example((Fraction(7), [[-1, 1]]), (Fraction(1), []))
@example((Fraction(1), [[-1, 1], [-1, 1]]), (Fraction(1), []))
def test_products_are_written_as_sympy_writes_them(above, below):
    ways, over = product(above), product(below)
    if not over.terms:
        return
    found = factorize(ways, over)
    if found is not None and found.number >= 0 and not is_power_below_one(found):
        assert format_closed_form(found) == factored_by_sympy(ways, over)


def is_power_below_one(found):
    """Whether it is what sympy writes as a power below nothing, (n - 1)**(-2), which no reader would."""
    return found.number == 1 and len(found.powers) == 1 and min(found.powers.values()) < -1


def test_a_power_below_one_is_written_as_a_fraction():
    assert format_factored(Polynomial.of(1), (N - 1) ** 2).plain == "1/(n − 1)²"


@given(st.lists(st.tuples(WHOLE, st.integers(1, 60)), max_size=6), st.fractions(max_denominator=60))
def test_whatever_has_rational_roots_only_is_factored_here(roots, number):
    found = factorize(product((number, [[-above, below] for above, below in roots])))
    assert found is not None
    assert all(len(factor) == 2 for factor in found.powers)


@given(PRODUCTS)
def test_factors_multiply_to_what_was_factored(parts):
    ways = product(parts)
    found = factorize(ways)
    if found is not None:
        again = [list(factor) for factor, power in found.powers.items() for _ in range(power)]
        assert product((found.number, again)) == ways


def test_a_product_without_roots_is_left_to_sympy():
    ways = (N**2 + 1) * (N**2 + 2) * 6
    assert factorize(ways) is None
    assert format_factored(ways).plain == "6·(n² + 1)·(n² + 2)"


def test_what_is_negative_is_left_to_sympy():
    assert format_factored(1 - N).plain == "1 − n"


def test_numbers_too_large_to_try_their_divisors_are_left_to_sympy():
    ways = N * 10**13 + 1
    assert factorize(ways) is None
    assert format_factored(ways).plain == "10000000000000·n + 1"


@pytest.mark.parametrize("number", [Fraction(0), Fraction(1), Fraction(6, 169), Fraction(3)])
def test_a_number_is_written_as_sympy_writes_it(number):
    assert format_closed_form(Factorization(number)) == _formula(sympy.Rational(number.numerator, number.denominator))


def in_closed_form(paytables):
    for one in paytables:
        found = one.experiment.derivation(Shoe(max(one.decks)))
        if found and found.is_closed_form:
            yield one


def assert_like_sympy(paytable):
    decks = max(paytable.decks)
    theirs = [
        (one.name, _formula(one.ways), int(one.ways.subs("n", decks)), _formula(one.probability), _formula(one.limit))
        for one in award_formulas(paytable)
    ]
    (table,) = formula_tables(paytable, decks)
    assert list(table.rows) == theirs, paytable.id


def test_closed_forms_of_some_bets_are_those_of_sympy():
    found = list(in_closed_form(map(get_paytable, ("TRI-03", "BLZ-1-PC-PEEK", "TBJ-06-2024", "BB-1", "SUP-01"))))
    assert [one.id for one in found] == ["TRI-03", "BLZ-1-PC-PEEK", "TBJ-06-2024", "SUP-01"]
    for paytable in found:
        assert_like_sympy(paytable)


@pytest.mark.slow
def test_closed_forms_of_the_catalog_are_those_of_sympy():
    found = list(in_closed_form(iter_collection()))
    assert len(found) > 30
    for paytable in found:
        assert_like_sympy(paytable)


def test_a_sheet_of_the_catalog_needs_no_algebra_library():
    code = (
        "import sys; from reports.publish.par_sheet import par_sheet\n"
        "par_sheet('TRI-02', 2).text('markdown')\n"
        "print('sympy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
