"""Whatever a meter is called, a formula keeps it apart from everything else that stands there."""

from fractions import Fraction

import pytest
import sympy
from hypothesis import example, given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.closed_form import DECKS_SYMBOL, house_edge_formula, meter_symbols
from combinat.bets.load import parse_bet
from decks import Shoe
from reports.answers.formulas import formula_document, formula_payload
from tests.profiles import tries

TAKEN = ["n", "E", "I", "S", "N", "O", "Q", "C", "pi", "oo", "nan", "lambda", "True", "None", "max", "beta", "symbols"]
NAMES = [*TAKEN, "n_meter", "E_meter", "n_meter_meter", "_", "Megabar", "Mega_1", "decks", "x" * 20]


def bet(names):
    awards = "\n".join(
        f'  {{ name = "award {place}", when = "player.{rank}-{rank}", pays = "{10 * place + 10}% of {name}" }},'
        for place, (rank, name) in enumerate(zip("AKQJ", names, strict=False))
    )
    text = f'bet = "B"\ndeal = "player:2"\n[[paytable]]\nid = "B"\ndecks = "1-8"\nawards = [\n{awards}\n]\n'
    return parse_bet(text, "b.toml")


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique_by=str.lower))
@example(["n", "n_meter", "n_meter_meter"])
@example(["n_meter", "n"])
@tries(25)
def test_formula_holds_at_every_deck_count_whatever_its_meters_are_called(names):
    (paytable,), problems = bet(names)
    assert not problems
    symbols = meter_symbols(paytable)
    assert len({DECKS_SYMBOL, *symbols.values()}) == len(names) + 1
    amounts = {name: Fraction(100 + place) for place, name in enumerate(names)}
    # As whoever reads the JSON would: the text, read back by sympy.
    payload = formula_payload(paytable)
    edge, read_back = house_edge_formula(paytable)[0], sympy.sympify(payload["house_edge"])
    assert payload["meters"] == {name: symbol.name for name, symbol in symbols.items()}
    for decks in (1, 3):
        expected = analyze_wager(paytable, Shoe(decks), amounts).house_edge.constant
        put_in = {symbols[name]: amount for name, amount in amounts.items()} | {DECKS_SYMBOL: decks}
        for formula in (edge, read_back):
            assert formula.free_symbols <= put_in.keys()
            assert formula.subs(put_in) == sympy.Rational(expected.numerator, expected.denominator)


@pytest.mark.parametrize("name", ["n", "lambda", "Megabar", "Mega_1"])
def test_page_and_latex_write_the_meter_by_its_name(name):
    (paytable,), _ = bet([name])
    document = formula_document(paytable)
    written = meter_symbols(paytable)[name].name
    assert written in document.figures[0].value.plain
    assert rf"\mathrm{{{written.replace('_', chr(92) + '_')}}}" in document.figures[0].value.latex
    assert any(f"what the meter {name} shows" in note for note in document.notes) == (written != name)


@pytest.mark.parametrize(("one", "other"), [("Mega", "mega"), ("n", "N"), ("Pi", "pI")])
def test_meters_that_differ_in_capitals_only_are_refused(one, other):
    _, problems = bet([one, other])
    assert any(f"the meters '{one}' and '{other}' differ in capitals only" in problem for problem in problems)


@pytest.mark.parametrize("name", ["Méga", "Mega meter two", "100", "a-b", "a;b", "Ω"])
def test_names_that_are_no_plain_word_are_refused(name):
    assert bet([name])[1]
