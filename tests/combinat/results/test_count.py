"""The answer of `count`: the Python function, the generated schema, and reports that survive the journal and pickle."""

import json
import pickle
from fractions import Fraction

import pytest
from jsonschema import Draft202012Validator

import combinat
from combinat import InputError
from combinat.requests.count import Count, Counting, CountReport
from combinat.results.answer import answer_schema
from combinat.results.count import CountAnswer, parse_count_answer

OPTIONS = {"depths": [40, 90], "tags": {"2": 1, "Q": -1}, "any_decks": True, "jobs": 1}


@pytest.fixture(scope="module")
def answer():
    return combinat.count("TRI-02", 2, **OPTIONS)


def test_function_returns_exact_figures(answer):
    assert answer.house_edge == combinat.analyze("TRI-02", 2).house_edge == -answer.always.edge
    assert answer.best in answer.triggers
    assert max(value.won_per_100_rounds for value in answer.triggers) == answer.best.won_per_100_rounds
    assert [value.seen for value in answer.by_depth] == [40, 90]


def test_several_bets_or_deck_counts_give_a_table(answer):
    table = combinat.count(["TRI-02", "TRI-04"], 2, **OPTIONS)
    assert [row.paytable for row in table] == ["TRI-02", "TRI-04"]
    assert combinat.count("TRI-02", [2], **OPTIONS)[0] == answer == table.at(2)


def test_bet_that_is_given_twice_is_counted_once(answer):
    assert list(combinat.count(["TRI-02", "TRI-02"], 2, **OPTIONS)) == [answer]


@pytest.mark.parametrize(
    "options",
    [{"depths": "40,90"}, {"tags": "2=1 Q=-1"}, {"view": []}, {"every": None, "cut": None}],
)
def test_options_may_be_texts_numbers_and_sequences(answer, options):
    assert combinat.count("TRI-02", 2, **(OPTIONS | options)) == answer


def test_json_follows_the_generated_schema(answer):
    validator = Draft202012Validator(answer_schema([CountAnswer]))
    sampled = combinat.count("TRI-02", 2, **OPTIONS, bound=True, samples=6, chunk=5, wager=25)
    validator.validate([answer.to_dict(), sampled.to_dict()])
    assert not validator.is_valid([{}])
    assert (sampled.perfect_play.samples, sampled.rounds_per_hour) == (6, 70)


def test_answer_is_parsed_from_its_json(answer):
    sampled = combinat.count("TRI-02", 2, **OPTIONS, bound=True, samples=50, wager=Fraction(5, 2))
    for result in (answer, sampled):
        assert parse_count_answer(json.loads(json.dumps(result.to_dict()))) == result
        assert pickle.loads(pickle.dumps(result)) == result
    assert "TRI-02" in answer._repr_html_()


def test_report_of_the_journal_is_what_was_computed():
    request = Count("TRI-02", 2, **OPTIONS, bound=True)
    (bet,) = request.counted_bets(print)
    report = Counting(request.options)(bet)
    assert report.rounds
    assert CountReport.parse(json.loads(json.dumps(report.to_dict()))) == report
    for damaged in (None, [], {}, report.to_dict() | {"answer": {}}, report.to_dict() | {"rounds": "?"}):
        assert CountReport.parse(damaged) is None


@pytest.mark.parametrize(
    ("bets", "options", "token"),
    [
        ((), {}, "no paytable"),
        ("TRI-02", {"rounds_per_hour": 70}, "wager"),
        ("TRI-02", {"samples": 10}, "--samples"),
        ("TRI-02", {"wager_alone": True}, "TRI-02"),
        ("TRI-02", {"collection": "public", "all": True}, "--collection"),
        ("TRI-02", {"hit_split_aces": True}, "TRI-02"),
    ],
)
def test_contradictory_options_are_refused(bets, options, token):
    with pytest.raises(InputError, match=token):
        combinat.count(bets, 2, **(OPTIONS | options))
