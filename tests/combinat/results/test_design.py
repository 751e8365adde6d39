"""The answer of `design`: the Python function, the generated schema, and results that survive pickle."""

import pickle
from fractions import Fraction

import pytest
from jsonschema import Draft202012Validator

import combinat
from combinat import InputError, Paytable, load
from combinat.requests.design import Design
from combinat.results.answer import answer_schema
from combinat.results.design import DesignAnswer

TARGETS = {"pays": "*=1..12", "edge": "2%..6%", "decks": 6}


def _ignore(message):
    del message


@pytest.fixture(scope="module")
def answer():
    return combinat.design("TRI-04", **TARGETS)


def test_function_returns_exact_figures(answer):
    assert answer.found >= len(answer.candidates) == 10
    for candidate in answer.candidates:
        (figures,) = candidate.figures
        assert Fraction(2, 100) <= figures.house_edge <= Fraction(6, 100)
        pays = {name: pay for name, pay in candidate.pays.items() if pay is not None}
        assert combinat.analyze("TRI-04", 6, pays=pays).house_edge == figures.house_edge


def test_json_follows_the_generated_schema(answer):
    validator = Draft202012Validator(answer_schema([DesignAnswer]))
    meters = combinat.design("BLZ-1-UP", seed="1000..3000 step 500", rate="20%..26%", edge="24%..25%")
    validator.validate([answer.to_dict(), meters.to_dict()])
    assert not validator.is_valid([{}])
    assert meters.to_dict()["candidates"][0]["figures"][0].keys() == {"decks", "hold", "hit_frequency"}


def test_answer_survives_pickle_and_is_shown_in_notebooks(answer):
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert "TRI-04" in answer._repr_html_()
    assert "TRI-04" in repr(answer)


@pytest.mark.parametrize(
    "targets",
    [
        {"edge": ["2%..6%"]},
        {"edge": {6: "2%..6%"}},
        {"edge": ["6=2%..", "..6%"]},
        {"decks": [6]},
        {"decks": "6"},
        {"pays": {"*": "1..12"}},
    ],
)
def test_targets_may_be_texts_lists_and_mappings(answer, targets):
    assert combinat.design("TRI-04", **(TARGETS | targets)) == answer


def test_bet_may_be_a_paytable(answer):
    paytable = load("TRI-04")
    assert isinstance(paytable, Paytable)
    assert combinat.design(paytable, **TARGETS) == answer


def test_values_of_several_meters_name_their_meter():
    with pytest.raises(InputError, match="1000"):
        Design("BLZ-ML03-UP", seed=["Mega=2000", "1000"], edge="1%..").answer(_ignore)
