"""The command `sensitivity`: what it says is what `show` says of the bet with such pays, in every format."""

import csv
import io
import json
import zipfile
from fractions import Fraction

import pytest

from combinat import analyze

ASKED = ["sensitivity", "TRI-03", "--decks", "6,8", "--edge", "3%..5%"]


@pytest.fixture
def told(run):
    return json.loads(run(*ASKED, "-f", "json")[1])[0]


def test_one_unit_more_moves_the_edge_as_the_bet_with_it_has(told):
    for row in told["by_decks"]:
        (flush,) = [one for one in row["awards"] if one["name"] == "Flush"]
        more = analyze("TRI-03", decks=row["decks"], pays={"Flush": 6}).house_edge
        assert Fraction(row["house_edge"]) + Fraction(flush["one_more"]) == more


def test_the_limits_are_reached_at_the_least_and_at_the_most_pay(told):
    for row in told["by_decks"]:
        for one in row["awards"]:
            for key, edge in (("least_pay", "5"), ("most_pay", "3")):
                pay = Fraction(one[key])
                found = analyze(
                    "TRI-03", decks=row["decks"], pays={one["name"]: f"{pay.numerator} to {pay.denominator}"}
                )
                assert found.house_edge == Fraction(edge) / 100


def test_at_all_deck_counts_the_narrowest_ends_count(told):
    for one in told["all_decks"]:
        each = [award for row in told["by_decks"] for award in row["awards"] if award["name"] == one["name"]]
        assert Fraction(one["least_pay"]) == max(Fraction(award["least_pay"]) for award in each)
        assert Fraction(one["most_pay"]) == min(Fraction(award["most_pay"]) for award in each)


def test_the_page_says_it_for_each_deck_count_and_for_all(run):
    code, out, err = run(*ASKED)
    assert (code, err) == (0, "")
    assert "Pays for a house edge from 3% to 5% with 6 decks, one at a time" in out
    assert "Pays for a house edge from 3% to 5% with 6, 8 decks alike, one at a time" in out
    assert run("sensitivity", "TRI-02")[0] == 0
    two = run("sensitivity", "TRI-02", "TRI-03", "--decks", "2")[1]
    assert "\nTRI-02, one unit more on an award" in two
    assert "\nTRI-03, pays for a house edge of nothing or more with 2 decks, one at a time" in two


def test_csv_has_a_line_for_each_award_and_deck_count(run):
    rows = list(csv.DictReader(io.StringIO(run(*ASKED, "-f", "csv")[1])))
    assert [row["Decks"] for row in rows] == ["6"] * 5 + ["8"] * 5 + ["all"] * 5
    assert rows[4]["Award"] == "Flush"
    assert (rows[4]["Least whole pay"], rows[4]["Most whole pay"]) == ("5", "5")


@pytest.mark.parametrize("format", ["markdown", "latex", "html"])
def test_every_text_format_has_the_awards(run, format):
    assert "Mini royal" in run(*ASKED, "-f", format)[1]


def test_the_workbook_has_the_tables(run, tmp_path):
    path = tmp_path / "moved.xlsx"
    assert run(*ASKED, "-f", "xlsx", "-o", str(path))[0] == 0
    with zipfile.ZipFile(path) as archive:
        assert "Most pay" in archive.read("xl/sharedStrings.xml").decode()


def test_pays_and_meters_can_be_tried(run):
    moved = json.loads(run("sensitivity", "SOB-EXAMPLE", "-d", "6", "--seed", "5000", "--rate", "8%", "-f", "json")[1])
    shown = json.loads(run("show", "SOB-EXAMPLE", "-d", "6", "--seed", "5000", "--rate", "8%", "-f", "json")[1])
    assert (moved[0]["figure"], moved[0]["by_decks"][0]["hold"]) == ("hold", shown[0]["hold"])
    assert json.loads(run(*ASKED, "--pays", "Flush=4", "-f", "json")[1])[0]["paytable"] == "TRI-03+Flush-4"


def test_with_the_meter_given_it_is_the_edge_that_is_kept_within(run):
    (found,) = json.loads(run("sensitivity", "SUPER-4", "--meter", "50000", "--edge", "0%..30%", "-f", "json")[1])
    assert found["figure"] == "house_edge"
    assert all(one["name"] != "Royal flush" for one in found["all_decks"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["SUPER-4", "--edge", "3%..5%"],
            "what SUPER-4 keeps depends on the meter jackpot; give --meter jackpot=AMOUNT",
        ),
        # How a meter runs is not about a single up card, so that its seed and its rate do not help.
        (["BLZ-1-UP", "--up", "7", "--edge", "3%..5%"], "depends on the meter meter; give --meter meter=AMOUNT\n"),
        (["TRI-03", "--edge", "5%..3%"], "are empty, since they end below where they begin"),
        (["TRI-03", "--edge", "three"], "cannot read the limits 'three'"),
        (["TRI-33"], "no paytable 'TRI-33'"),
        (["TRI-03", "-f", "pdf"], "no format 'pdf'"),
    ],
)
def test_what_cannot_be_told_is_one_line(run, arguments, said):
    code, out, err = run("sensitivity", *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_given_the_up_card_one_unit_moves_the_edge_that_it_has_then(run):
    asked = ("sensitivity", "TRI-03", "--decks", "6", "--up", "A", "-f", "json")
    (one,), (more,) = (json.loads(run(*asked, *pays)[1]) for pays in ((), ("--pays", "Flush=6")))
    assert one["given"] == "up.has(A)"
    (before,), (after,) = one["by_decks"], more["by_decks"]
    assert Fraction(before["house_edge"]) + Fraction(before["awards"][-1]["one_more"]) == Fraction(after["house_edge"])
    assert "given A up" in run(*asked[:-2])[1]
