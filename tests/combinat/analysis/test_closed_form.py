"""Meter names in closed forms: no name clashes with anything else in a formula."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import example, given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.closed_form import DECKS_SYMBOL, house_edge_formula, meter_symbols
from combinat.bets.load import parse_bet
from combinat.results.formula import FormulaAnswer
from decks import Shoe
from reports.answers.formulas import formula_document
from tests.profiles import tries

TAKEN = ["n", "E", "I", "S", "N", "O", "Q", "C", "pi", "oo", "nan", "lambda", "True", "None", "max", "beta", "symbols"]
NAMES = [*TAKEN, "n_meter", "E_meter", "n_meter_meter", "_", "Megabar", "Mega_1", "decks", "x" * 20]


def bet(names):
    awards = "\n".join(
        f'  {{ name = "award {index}", when = "player.{rank}-{rank}", pays = "{10 * index + 10}% of {name}" }},'
        for index, (rank, name) in enumerate(zip("AKQJ", names, strict=False))
    )
    text = f'bet = "B"\ndeal = "player:2"\n[[paytable]]\nid = "B"\ndecks = "1-8"\nawards = [\n{awards}\n]\n'
    return parse_bet(text, "b.toml")


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique_by=str.lower))
@example(["n", "n_meter", "n_meter_meter"])
@example(["n_meter", "n"])
@tries(25)
def test_formula_holds_for_any_meter_name(names):
    (paytable,), problems = bet(names)
    assert not problems
    symbols = meter_symbols(paytable)
    assert len({DECKS_SYMBOL, *symbols.values()}) == len(names) + 1
    amounts = {name: Fraction(100 + index) for index, name in enumerate(names)}
    # Parse the text with sympy, as a reader of the JSON would.
    payload = FormulaAnswer.of(paytable).to_dict()
    edge, read_back = house_edge_formula(paytable)[0], sympy.sympify(payload["house_edge"])
    assert payload["meters"] == {name: symbol.name for name, symbol in symbols.items()}
    for decks in (1, 3):
        expected = analyze_wager(paytable, Shoe(decks), amounts).house_edge.constant
        put_in = {symbols[name]: amount for name, amount in amounts.items()} | {DECKS_SYMBOL: decks}
        for formula in (edge, read_back):
            assert formula.free_symbols <= put_in.keys()
            assert formula.subs(put_in) == sympy.Rational(expected.numerator, expected.denominator)


@pytest.mark.parametrize("name", ["n", "lambda", "Megabar", "Mega_1"])
def test_formula_pages_show_the_meter_name(name):
    (paytable,), _ = bet([name])
    document = formula_document(paytable)
    written = meter_symbols(paytable)[name].name
    assert written in document.figures[0].value.plain
    assert rf"\mathrm{{{written.replace('_', chr(92) + '_')}}}" in document.figures[0].value.latex
    assert any(f"the meter {name};" in note for note in document.notes) == (written != name)


@pytest.mark.parametrize(("first", "second"), [("Mega", "mega"), ("n", "N"), ("Pi", "pI")])
def test_meter_names_differing_only_in_case_are_refused(first, second):
    _, problems = bet([first, second])
    assert any(f"the meters '{first}' and '{second}' differ" in problem for problem in problems)


@pytest.mark.parametrize("name", ["Méga", "Mega meter two", "100", "a-b", "a;b", "Ω"])
def test_malformed_meter_names_are_refused(name):
    assert bet([name])[1]
