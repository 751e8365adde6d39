"""Exact square roots and fractions compare and format like numbers."""

import math
from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.exact.surd import Exact, Surd, SurdDifference
from tests.profiles import tries

SQUARES = st.fractions(min_value=0, max_value=10**9, max_denominator=10**9)
NUMBERS = st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**6)
ROOTS = st.builds(Surd, SQUARES, st.booleans())
MANY = Context(prec=80)


def decimal(root):
    size = MANY.sqrt(MANY.divide(Decimal(root.square.numerator), Decimal(root.square.denominator)))
    return -size if root.negative else size


@given(ROOTS)
def test_float_is_correctly_rounded(root):
    assert float(root) == float(decimal(root))


@given(ROOTS, NUMBERS)
def test_comparison_with_numbers_is_exact(root, number):
    digits, other = decimal(root), MANY.divide(Decimal(number.numerator), Decimal(number.denominator))
    if abs(digits - other) > Decimal("1e-60"):
        assert (root < number, root > number, root == number) == (digits < other, digits > other, False)
        assert (number > root, number < root) == (digits < other, digits > other)


@given(NUMBERS)
def test_root_of_a_square_equals_the_number(number):
    root = Surd(number**2, negative=number < 0)
    assert root == number == root
    assert root <= number <= root
    assert hash(root) == hash(number)
    assert format(root, ".7f") == format(Exact(number), ".7f")
    assert root * number == number**2 == root**2


@given(ROOTS, ROOTS)
def test_roots_are_ordered(first, second):
    if first.square != second.square:
        assert (first < second) == (decimal(first) < decimal(second))
    assert first * second == second * first
    if second:
        assert first / second * second == first


@given(NUMBERS, st.integers(0, 12))
def test_fraction_formats_half_to_even(number, decimals):
    exactly = MANY.divide(Decimal(number.numerator), Decimal(number.denominator))
    if Fraction(exactly) == number:  # otherwise the digits themselves would be rounded
        assert Decimal(format(Exact(number), f".{decimals}f")) == exactly.quantize(Decimal(1).scaleb(-decimals))
    assert abs(Fraction(format(Exact(number), f".{decimals}f")) - number) <= Fraction(1, 2 * 10**decimals)


@given(NUMBERS.filter(bool), st.integers(1, 12))
def test_significant_digits_are_respected(number, digits):
    text = format(Exact(number), f".{digits - 1}e")
    assert len(text.lstrip("-").partition("e")[0].replace(".", "")) == digits
    unit = Fraction(10) ** (int(text.partition("e")[2]) - digits + 1)
    assert abs(Fraction(text) - number) <= unit / 2
    assert Fraction(format(Exact(number), f".{digits}g")) == Fraction(text)


@pytest.mark.parametrize(
    ("value", "spec", "text"),
    [
        (Surd(Fraction(25, 4)), ".0f", "2"),  # halves round to even
        (Surd(Fraction(49, 4)), ".0f", "4"),
        (Surd(Fraction(2)), ".50f", "1.41421356237309504880168872420969807856967187537695"),
        (Surd(Fraction(2), negative=True), "+,.3f", "-1.414"),
        (Surd(Fraction(2)), "", "sqrt(2)"),
        (Surd(Fraction(2)), "f", "1.414214"),
        (Surd(Fraction(1, 10**12)), ".2e", "1.00e-6"),
        (Surd(Fraction(0)), ".3g", "0"),
        (Exact(0), ".2e", "0.00e+0"),
        (Exact(1, 8), ".2f", "0.12"),
        (Exact(3, 8), ".2f", "0.38"),
        (Exact(1, 3), ".1%", "33.3%"),
        (Exact(10**30 + 1, 1), ",.1f", "1,000,000,000,000,000,000,000,000,000,001.0"),
        (Exact(1, 3), ">8", "     1/3"),
        (Exact(1, 3), "08.3f", "0000.333"),
    ],
)
def test_common_format_specs(value, spec, text):
    assert format(value, spec) == text


def test_comparison_with_other_types():
    assert Surd(Fraction(2)) != "sqrt(2)"
    assert Surd(Fraction(2)) != math.nan
    assert -math.inf < Surd(Fraction(2)) < math.inf
    with pytest.raises(TypeError):
        assert Surd(Fraction(2)) < "3"


@tries(100)
@given(ROOTS, ROOTS, st.integers(0, 12))
def test_difference_of_roots_is_correctly_rounded(minuend, subtrahend, decimals):
    scaleb = MANY.subtract(decimal(minuend), decimal(subtrahend)).scaleb(decimals, MANY)
    if abs(scaleb - scaleb.to_integral_value()) != Decimal("0.5"):
        assert SurdDifference(minuend, subtrahend).scaled(decimals) == int(scaleb.to_integral_value())


@pytest.mark.parametrize(
    ("minuend", "subtrahend", "printed"), [("5/2", 0, 2), ("7/2", 0, 4), ("-5/2", 0, -2), (2, "-3/2", 4)]
)
def test_difference_of_a_half_rounds_to_even(minuend, subtrahend, printed):
    roots = (Surd(Fraction(number) ** 2, negative=Fraction(number) < 0) for number in (minuend, subtrahend))
    assert SurdDifference(*roots).scaled(0) == printed


def test_difference_of_equal_roots_is_zero():
    assert SurdDifference(Surd(Fraction(2)), Surd(Fraction(2))).scaled(30) == 0
