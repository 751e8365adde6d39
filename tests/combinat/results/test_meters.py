"""The answers of the meter commands: the Python function, the generated schema, and results that survive pickle."""

import pickle
from fractions import Fraction

import pytest
from jsonschema import Draft202012Validator
from msgspec import UNSET

import combinat
from combinat import InputError
from combinat.requests.meters import MeterBreakEven, MeterExplain
from combinat.results.answer import answer_schema
from combinat.results.meters import ExplainAnswer, MeterAnswer

TERMS = {"seed": 2000, "rate": "24%"}


def _answers():
    yield combinat.meter("BLZ-1-UP", 6)
    yield combinat.meter("BLZ-1-UP", 6, **TERMS, wager=5, plays_per_day=2000)
    yield combinat.meter("BLZ-ML03-UP", 6, meters={"Mega": 50_000})
    yield combinat.meter("BLZ-1-UP", 6, cap=20_000, removed="7h")
    yield combinat.meter("21+3-PT2", 6)


def test_json_follows_the_generated_schema():
    validator = Draft202012Validator(answer_schema([MeterAnswer, ExplainAnswer]))
    for answer in _answers():
        validator.validate([answer.to_dict()])
        assert pickle.loads(pickle.dumps(answer)) == answer
        assert answer.paytable in answer._repr_html_()
        assert answer.paytable in repr(answer)
    explain = MeterExplain("BLZ-1-UP", decks="6", rates="24", seeds="2000").answer(print)
    validator.validate([ExplainAnswer.of(*group).to_dict() for group in explain])
    assert not validator.is_valid([{}])


def test_hold_is_what_fixed_pays_and_meters_leave():
    answer = combinat.meter("BLZ-1-UP", 6, **TERMS)
    (level,) = answer.levels
    assert answer.hold == 1 - answer.fixed_return - level.long_run_return
    at_break_even = combinat.analyze("BLZ-1-UP", 6, meters=level.break_even)
    assert at_break_even.house_edge == 0


def test_terms_of_a_meter_may_be_numbers_texts_and_mappings():
    expected = combinat.meter("BLZ-1-UP", 6, seed=2000, rate="24%")
    for seed in ("2,000", ["2000"], {"meter": 2000}, Fraction(2000)):
        assert combinat.meter("BLZ-1-UP", 6, seed=seed, rate="24%") == expected


def test_unknown_terms_leave_the_hold_open():
    answer = combinat.meter("21+3-PT2", 6)
    assert (answer.hold, answer.kind, answer.return_at_seed) == (None, None, UNSET)
    assert answer.levels[0].break_even > 0


def test_break_even_has_a_report_for_each_deck_count():
    reports = MeterBreakEven("BLZ-1-UP", [6, 8], any_decks=True).answer(print)
    assert [report.analysis.shoe.decks for report in reports] == [6, 8]


@pytest.mark.parametrize(
    ("bet", "options", "token"),
    [
        ("TRI-03", {}, "TRI-03"),
        ("BLZ-1-UP", {"decks": [6, 8], "any_decks": True}, "one number of decks"),
        ("BLZ-1-UP", {"days": 30}, "--plays-per-day"),
        ("BLZ-1-UP", {"seed": -5}, "negative"),
        ("BLZ-1-UP", {"meters": {"mtr": 5}}, "mtr"),
    ],
)
def test_bad_terms_are_refused(bet, options, token):
    with pytest.raises(InputError, match=token):
        combinat.meter(bet, **options)
