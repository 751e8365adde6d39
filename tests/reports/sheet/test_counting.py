"""The optional card-counting section: present in every format, verified where the verifier can recompute it."""

import json
from fractions import Fraction

import pytest
from jsonschema import Draft202012Validator

from combinat.bets.catalog import get_paytable
from combinat.counting.summary import summarize_counting
from combinat.results.par_sheet import sheet_schema
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe
from reports.render.formats import render_text
from reports.sheet.par_sheet import build_par_sheet
from tests.small_bets import build_paytable, parse_paytable

SCHEMA = sheet_schema()
LUCKY = """
bet = "Lucky 9 with few ranks"
game = "Lucky 9"
deal = "lucky 9"
pack = { without = ["2", "3", "5", "7", "8", "A", "J", "Q"] }
[[paytable]]
id = "L9-FEW"
decks = "1-8"
settings = { hands = "2" }
"""


@pytest.fixture(scope="module")
def sheet():
    return build_par_sheet(
        build_study(get_paytable("TRI-03"), Shoe(1)), max_wager=Fraction(50), rounds_per_hour=Fraction(60)
    )


def counting_section(sheet):
    return next(section for section in sheet.document.sections if section.key == "card_counting")


def test_section_is_optional(sheet):
    sheet_without = build_par_sheet(build_study(get_paytable("PAIR-SQUARE-11"), Shoe(1)))
    assert "card_counting" not in sheet_without.payload
    assert all(section.key != "card_counting" for section in sheet_without.document.sections)
    assert counting_section(sheet).title == "Watching the cards"
    assert counting_section(sheet).tables[0].caption == "Effect of removal"
    assert len(counting_section(sheet).plots) == 2
    for format in ("markdown", "html", "csv", "latex"):
        assert "Watching the cards" in render_text(sheet.document, format, 8)


def test_report_says_that_counting_is_not_checked(sheet):
    verdict = verify(json.loads(json.dumps(sheet.payload)))
    assert verdict.differences == []
    assert "one method" in verdict.not_checked["card_counting"]


def test_sheet_with_the_section_fits_the_schema(sheet):
    assert list(Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(sheet.payload)))) == []
    spoiled = json.loads(json.dumps(sheet.payload))
    spoiled["card_counting"]["counts"][0]["by_cut"][0]["trigger"] = "0.5"
    assert len(list(Draft202012Validator(SCHEMA).iter_errors(spoiled))) == 1


def test_hourly_win_is_wager_times_rounds(sheet):
    counting = sheet.payload["card_counting"]
    assert [count["level"] for count in counting["counts"]] == [1, 2]
    for row in (row for count in counting["counts"] for row in count["by_cut"] if row["trigger"] is not None):
        assert Fraction(row["won_per_hour"]) == 50 * 60 * Fraction(row["won_per_100_rounds"]) / 100


@pytest.fixture(scope="module")
def lucky9_sheet():
    """Return a sheet of Lucky 9 with few ranks, which is solved quickly."""
    paytable = parse_paytable(LUCKY)
    return build_par_sheet(build_study(paytable, Shoe(2, paytable.bet.pack)), rounds_per_hour=Fraction(60))


@pytest.mark.slow  # fast: tests/combinat/counting/test_lucky9_counts.py
def test_played_rounds_use_the_fixed_strategy(lucky9_sheet):
    """Effects reoptimize the strategy, counts keep it fixed."""
    payload = json.loads(json.dumps(lucky9_sheet.payload))
    assert payload["card_counting"]["removal"]["strategy_recomputed"]
    assert {count["basis"] for count in payload["card_counting"]["counts"]} == {"best play, chosen off the top"}
    assert {count["conventions"] for count in payload["card_counting"]["counts"]} == {"lucky 9"}
    assert any("as is best off the top" in note for note in counting_section(lucky9_sheet).notes)
    assert counting_section(lucky9_sheet).text[0].startswith("How the edge of best play moves")
    assert list(Draft202012Validator(SCHEMA).iter_errors(payload)) == []


def test_bet_without_a_count_gives_a_reason():
    summary = summarize_counting(build_study(build_paytable("player:2", ["player.count(7) >= 0"]), Shoe(1)))
    assert summary.levels == ()
    assert "no card's removal moves the edge" in summary.reason


@pytest.mark.slow
def test_break_even_meter_of_counting_is_given():
    paytable = get_paytable("BLZ-1-UP")
    sheet = build_par_sheet(build_study(paytable, Shoe(3), {"meter": Fraction(25000)}), rounds_per_hour=Fraction(60))
    (break_even,) = sheet.payload["card_counting"]["break_even_meters"]
    assert break_even["meter"] == "meter"
    assert verify(json.loads(json.dumps(sheet.payload))).differences == []


def test_impossible_rounds_and_samples_are_refused(run, tmp_path):
    shared = ("parsheet", "TRI-02", "--decks", "2", "--format", "json", "--output", tmp_path / "out", "--counting")
    for option, value in (("--rounds-per-hour", "no"), ("--bound", "1")):
        code, _, err = run(*shared, option, value)
        assert (code, err.count("\n")) == (2, 1)
        assert option in err
        assert f"got {value!r}" in err or f"got {value}" in err
    for option in ("--rounds-per-hour", "--bound"):
        code, _, err = run(*shared[:-1], option, "70")
        assert (code, err.count("\n")) == (2, 1)
        assert option in err
        assert "--counting" in err
    assert not (tmp_path / "out").exists()
