"""The benchmark itself: parts by name, interleaved measurements, and missed goals."""

import pytest

from tests.bench.__main__ import PARTS, main, print_row
from tests.bench.cards import clear_caches, count_bet
from tests.bench.references import SIX_DECKS
from tests.bench.timing import Times, format_ratio, format_time, measure_in_turn, rate_row, time_row


def test_measurements_are_interleaved():
    order = []

    def measure(name):
        order.append(name)
        return len(order)

    times = measure_in_turn({"one": lambda: measure("one"), "other": lambda: measure("other")}, 3)
    assert order == ["one", "other"] * 3
    assert times["other"] == Times((2, 4, 6))
    assert (times["one"].least, times["one"].median) == (1, 3)


def test_goal_uses_the_fastest_run():
    times = Times((0.9, 1.1, 1.3))
    assert [time_row("", times, under=limit).met for limit in (1, 0.8, None)] == [True, False, None]
    assert [rate_row("", times, over=limit).met for limit in (1, 2)] == [True, False]


def test_missed_goal_is_marked(capsys):
    print_row(time_row("slow", Times((2.0,)), under=1))
    assert capsys.readouterr().out.split() == ["slow", "2.00", "s", "2.00", "s", "under", "1", "s", "MISSED"]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.0000123, "12 µs"), (0.0123, "12.3 ms"), (1.234, "1.23 s"), (123.4, "123 s")]
)
def test_times_are_formatted(seconds, text):
    assert format_time(seconds) == text


def test_ratios_use_minimum_and_median():
    assert format_ratio(Times((30, 40, 90)), Times((1, 2, 5))) == "20-30x"
    assert format_ratio(Times((1,)), Times((8,))) == "0.12x"


def test_unknown_part_lists_the_parts(capsys):
    assert main(["fives"]) == 2
    err = capsys.readouterr().err
    assert "'fives'" in err
    assert all(part in err for part in PARTS)


def test_benchmark_bet_counts_like_the_references():
    clear_caches()
    assert count_bet("three_card.toml") == SIX_DECKS
