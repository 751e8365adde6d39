from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from decks import InputError
from reports.page import numerals

fractions = st.fractions(max_denominator=10**9)


@given(fractions, st.integers(0, 30))
def test_decimals_round_half_to_even_once(value, places):
    with localcontext(Context(prec=200)):
        # Scaling by the denominator keeps the reference exact: only the quotient is rounded, by the decimal module.
        quotient, rest = divmod(abs(value.numerator) * 10**places, value.denominator)
        comparison_with_half = Decimal(2 * rest).compare(Decimal(value.denominator))
        expected = quotient + (comparison_with_half > 0 or (comparison_with_half == 0 and quotient % 2))
        text = str(Decimal(int(expected)).scaleb(-places).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN))
    sign = "-" if value < 0 and expected else ""
    assert (
        numerals.format_fixed(value, places, grouped=False).replace(numerals.MINUS, "-") == sign + f"{Decimal(text):f}"
    )


@given(st.fractions(min_value=0, max_value=10**6, max_denominator=10**6), st.integers(0, 25))
def test_square_root_is_the_nearest_decimal(square, places):
    text = numerals.format_root(Surd(square), places).replace(",", "")
    value, half_unit = Fraction(text), Fraction(1, 2 * 10**places)
    assert max(value - half_unit, Fraction(0)) ** 2 <= square <= (value + half_unit) ** 2


def test_square_root_tie_rounds_to_even():
    assert [numerals.format_root(Surd(Fraction(half, 2) ** 2), 0) for half in (1, 3, 5, 7)] == ["0", "2", "2", "4"]


def test_ties_round_to_even():
    assert [numerals.format_fixed(Fraction(half, 2), 0) for half in (-3, -1, 1, 3, 5)] == [
        f"{numerals.MINUS}2",
        "0",
        "0",
        "2",
        "2",
    ]


def test_rounding_keeps_figures_that_fit():
    assert numerals.format_percent(Fraction(1, 8), 1) == "12.5%"
    assert numerals.format_fixed(Fraction(10**30 + 1, 10), 1) == f"{10**29:,}.1"


@given(st.fractions(min_value=Fraction(1, 10**12), max_value=1, max_denominator=10**12), st.integers(2, 12))
def test_significant_digits_keep_small_numbers_readable(value, digits):
    shown = Fraction(numerals.format_significant(value, digits))
    assert abs(shown - value) * 10 ** (digits - 1) <= value


def test_meter_is_named_in_figures():
    value = (
        Polynomial.of(Fraction(1, 2)) - Polynomial.variable("Mega") * Fraction(1, 8) + Polynomial.variable("Mega") ** 2
    )
    assert numerals.format_polynomial(value, 3) == "0.500 − 0.125 × Mega + Mega²"
    assert numerals.exact(value) == "Mega**2 - 1/8*Mega + 1/2"


def test_exact_values_are_integers_or_fractions():
    assert numerals.exact(Polynomial.of(Fraction(4, 2))) == 2
    assert numerals.exact(Fraction(-1, 3)) == "-1/3"
    assert numerals.exact(None) is None


def test_figure_beyond_the_digit_limit_is_refused():
    assert len(numerals.exact(Fraction(10**4299, 3))) > 4_300
    with pytest.raises(InputError, match=r"more than 4,300 digits"):
        numerals.exact(Surd(Fraction(10**4300, 3)))
