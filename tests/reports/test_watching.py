"""The section on watching the cards: on sheets that ask for it, in every format, counted again where it can be."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from combinat.bets.catalog import get_paytable
from combinat.counting.summary import summarize_counting
from combinat.study import build_study
from combinat.verifier import verify
from combinat.verifier.reading import UnreadableError
from decks import Shoe
from reports.render import render
from reports.sheet.par_sheet import build_par_sheet
from tests.made_bets import bet, bet_of

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "reports" / "publish" / "par_sheet.schema.json").read_text(encoding="utf-8")
)
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


def section_of(sheet):
    return next(one for one in sheet.document.sections if one.key == "watching")


def test_the_section_is_there_only_if_it_is_asked_for(sheet):
    plain = build_par_sheet(build_study(get_paytable("PAIR-SQUARE-11"), Shoe(1)))
    assert "watching" not in plain.payload
    assert all(one.key != "watching" for one in plain.document.sections)
    assert section_of(sheet).title == "Watching the cards"
    assert section_of(sheet).tables[0].caption == "Effect of removal"
    assert len(section_of(sheet).plots) == 2
    for format in ("markdown", "html", "csv", "latex"):
        assert "Watching the cards" in render(sheet.document, format, 8)


def test_effects_and_how_often_one_bets_are_counted_again_and_edges_at_a_count_are_said_not_to_be(sheet):
    verdict = verify(json.loads(json.dumps(sheet.payload)))
    assert verdict.differences == []
    checked = {row["part"]: row["figures"] for row in verdict.coverage["checked"]}
    part = sheet.payload["watching"]
    assert checked["watching the cards"] > 4 * len(part["removal"]["effects"]) + 1 + len(part["counts"])
    left_out = {row["what"]: row["why"] for row in verdict.coverage["not_checked"]}
    assert "worked out by one method" in left_out["watching.counts[].by_cut[].edge"]
    assert "watching.counts[].betting_correlation" not in left_out


def test_a_sheet_with_the_section_is_as_the_schema_says(sheet):
    assert list(Draft202012Validator(SCHEMA).iter_errors(json.loads(json.dumps(sheet.payload)))) == []
    spoiled = json.loads(json.dumps(sheet.payload))
    spoiled["watching"]["counts"][0]["by_cut"][0]["trigger"] = "0.5"
    assert len(list(Draft202012Validator(SCHEMA).iter_errors(spoiled))) == 1


def test_an_effect_that_is_not_so_is_found(sheet):
    altered = json.loads(json.dumps(sheet.payload))
    altered["watching"]["removal"]["effects"][0]["change"] = "1/1000"
    assert any("watching.removal.effects[0]" in one for one in verify(altered).differences)


@pytest.mark.parametrize(
    ("key", "value"),
    [("betting_correlation", "sqrt(1/2)"), ("frequency", "1/7"), ("won_per_100_rounds", "1"), ("won_per_hour", "5")],
)
def test_a_figure_of_a_count_that_is_not_so_is_found(sheet, key, value):
    altered = json.loads(json.dumps(sheet.payload))
    level = altered["watching"]["counts"][0]
    row = next(row for row in level["by_cut"] if row["trigger"] is not None)
    (row if key in row else level)[key] = value
    assert any("watching.counts[0]" in one and key in one for one in verify(altered).differences)


@pytest.mark.parametrize("value", [None, "x", -1, {}, [], "1/0", 1.5, 10**9])
def test_nothing_that_a_sheet_says_of_counts_breaks_the_check(sheet, value):
    whole = json.loads(json.dumps(sheet.payload))
    row = next(row for row in whole["watching"]["counts"][0]["by_cut"] if row["trigger"] is not None)
    level, part = whole["watching"]["counts"][0], whole["watching"]
    places = [(row, key) for key in ("cut", "trigger", "frequency", "edge")]
    places += [(level, "tags"), (level, "by_cut"), (level, "conventions"), (level["tags"], "As")]
    for where, key in [*places, (part, "counts"), (part, "wager")]:
        before, where[key] = where[key], value
        try:
            assert verify(whole).differences
        except UnreadableError as error:
            assert "\n" not in str(error)
        where[key] = before


def test_what_an_hour_wins_goes_by_the_wager_and_the_rounds(sheet):
    told = sheet.payload["watching"]
    assert [one["level"] for one in told["counts"]] == [1, 2]
    for row in (row for one in told["counts"] for row in one["by_cut"] if row["trigger"] is not None):
        assert Fraction(row["won_per_hour"]) == 50 * 60 * Fraction(row["won_per_100_rounds"]) / 100


@pytest.fixture(scope="module")
def played():
    """A sheet of Lucky 9 with few ranks, which are soon played."""
    paytable = bet_of(LUCKY)
    return build_par_sheet(build_study(paytable, Shoe(2, paytable.bet.pack)), rounds_per_hour=Fraction(60))


def test_rounds_that_are_played_are_counted_as_is_best_off_the_top(played):
    """The effects are those of play chosen anew, the counts those of one play; both are played a second time."""
    told = json.loads(json.dumps(played.payload))
    assert told["watching"]["removal"]["play_chosen_anew"]
    assert {one["basis"] for one in told["watching"]["counts"]} == {"best play, chosen off the top"}
    assert {one["conventions"] for one in told["watching"]["counts"]} == {"lucky 9"}
    assert any("as is best off the top" in note for note in section_of(played).notes)
    assert section_of(played).text[0].startswith("How the edge of best play moves")
    assert list(Draft202012Validator(SCHEMA).iter_errors(told)) == []
    verdict = verify(told)
    assert verdict.differences == []
    assert verdict.by_part["watching"] > 20
    for key, value in (("betting_correlation", "sqrt(1/2)"), ("frequency", "1/7")):
        altered = json.loads(json.dumps(told))
        level = altered["watching"]["counts"][0]
        (level if key in level else level["by_cut"][0])[key] = value
        assert any(key in one for one in verify(altered).differences)


def test_bets_without_a_count_say_why():
    told = summarize_counting(build_study(bet("player:2", ["player.count(7) >= 0"]), Shoe(1)))
    assert told.levels == ()
    assert "no card's removal moves the edge" in told.reason


@pytest.mark.slow
def test_a_meter_is_told_at_which_the_counted_bet_turns():
    paytable = get_paytable("BLZ-1-UP")
    sheet = build_par_sheet(build_study(paytable, Shoe(3), {"meter": Fraction(25000)}), rounds_per_hour=Fraction(60))
    (turn,) = sheet.payload["watching"]["turns"]
    assert turn["meter"] == "meter"
    assert verify(json.loads(json.dumps(sheet.payload))).differences == []


def test_the_command_refuses_rounds_and_samples_that_there_are_not(run, tmp_path):
    shared = ("parsheet", "TRI-02", "--decks", "2", "--format", "json", "--output", tmp_path / "out", "--watching")
    for arguments, message in (
        (("--rounds-per-hour", "no"), "cannot read the rounds per hour 'no'"),
        (("--bound", "1"), "cannot sample 1 shoes"),
    ):
        code, _, err = run(*shared, *arguments)
        assert (code, message in err) == (2, True)
    for option in ("--rounds-per-hour", "--bound"):
        code, _, err = run(*shared[:-1], option, "70")
        assert (code, err) == (2, f"combinat: {option} is about watching the cards; give --watching too\n")
    assert not (tmp_path / "out").exists()
