"""The bench itself: what it measures by name, in turn, and when it calls a goal missed."""

import pytest

from tests.bench.__main__ import PARTS, main, tell
from tests.bench.cards import counted, forget
from tests.bench.references import SIX_DECKS
from tests.bench.timing import Times, interleaved, rate, ratios, timed, told


def test_things_are_measured_in_turn():
    order = []

    def measure(name):
        order.append(name)
        return len(order)

    taken = interleaved({"one": lambda: measure("one"), "other": lambda: measure("other")}, 3)
    assert order == ["one", "other"] * 3
    assert taken["other"] == Times((2, 4, 6))
    assert (taken["one"].least, taken["one"].median) == (1, 3)


def test_a_goal_is_judged_by_the_least_of_the_runs():
    times = Times((0.9, 1.1, 1.3))
    assert [timed("", times, under=limit).met for limit in (1, 0.8, None)] == [True, False, None]
    assert [rate("", times, over=limit).met for limit in (1, 2)] == [True, False]


def test_a_missed_goal_is_marked(capsys):
    tell(timed("slow", Times((2.0,)), under=1))
    assert capsys.readouterr().out.split() == ["slow", "2.00", "s", "2.00", "s", "under", "1", "s", "MISSED"]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0000123, "12 µs"), (0.0123, "12.3 ms"), (1.234, "1.23 s"), (123.4, "123 s")]
)
def test_a_time_is_written_as_people_do(seconds, text):
    assert told(seconds) == text


def test_ratios_are_by_the_least_and_by_the_median():
    assert ratios(Times((30, 40, 90)), Times((1, 2, 5))) == "20-30x"
    assert ratios(Times((1,)), Times((8,))) == "0.12x"


def test_a_part_that_is_not_there_is_refused_with_those_that_are(capsys):
    assert main(["fives"]) == 2
    err = capsys.readouterr().err
    assert "'fives'" in err
    assert all(part in err for part in PARTS)


def test_the_bet_of_the_bench_counts_what_the_others_count():
    forget()
    assert counted("three_card.toml") == SIX_DECKS
