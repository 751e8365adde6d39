"""The command `sensitivity` agrees with `show` for the changed pays, in every format."""

import csv
import io
import json
import zipfile
from fractions import Fraction

import pytest

from combinat import analyze

COMMAND = ["sensitivity", "TRI-03", "--decks", "6,8", "--edge", "3%..5%"]


@pytest.fixture
def sensitivity_json(run):
    return json.loads(run(*COMMAND, "-f", "json")[1])[0]


def test_one_unit_more_matches_the_changed_bet(sensitivity_json):
    for row in sensitivity_json["by_decks"]:
        (flush,) = [award for award in row["awards"] if award["name"] == "Flush"]
        raised_edge = analyze("TRI-03", decks=row["decks"], pays={"Flush": 6}).house_edge
        assert Fraction(row["house_edge"]) + Fraction(flush["one_more"]) == raised_edge


def test_edge_limits_are_reached_at_the_pay_limits(sensitivity_json):
    for row in sensitivity_json["by_decks"]:
        for award in row["awards"]:
            for key, edge in (("least_pay", "5"), ("most_pay", "3")):
                pay = Fraction(award[key])
                result = analyze(
                    "TRI-03", decks=row["decks"], pays={award["name"]: f"{pay.numerator} to {pay.denominator}"}
                )
                assert result.house_edge == Fraction(edge) / 100


def test_all_deck_counts_use_the_narrowest_interval(sensitivity_json):
    for combined in sensitivity_json["all_decks"]:
        awards = [
            award
            for row in sensitivity_json["by_decks"]
            for award in row["awards"]
            if award["name"] == combined["name"]
        ]
        assert Fraction(combined["least_pay"]) == max(Fraction(award["least_pay"]) for award in awards)
        assert Fraction(combined["most_pay"]) == min(Fraction(award["most_pay"]) for award in awards)


def test_page_has_each_deck_count_and_all(run):
    code, out, err = run(*COMMAND)
    assert (code, err) == (0, "")
    assert "Pays for a house edge from 3% to 5% with 6 decks, one at a time" in out
    assert "with each of 6, 8 decks" in out
    assert run("sensitivity", "TRI-02")[0] == 0
    page = run("sensitivity", "TRI-02", "TRI-03", "--decks", "2")[1]
    assert "\nTRI-02, change of the house edge per unit added to an award" in page
    assert "\nTRI-03, pays for a house edge of 0% or more with 2 decks, one at a time" in page


def test_csv_has_a_row_per_award_and_deck_count(run):
    rows = list(csv.DictReader(io.StringIO(run(*COMMAND, "-f", "csv")[1])))
    assert [row["Decks"] for row in rows] == ["6"] * 5 + ["8"] * 5 + ["all"] * 5
    assert rows[4]["Award"] == "Flush"
    assert (rows[4]["Least whole pay"], rows[4]["Most whole pay"]) == ("5", "5")


@pytest.mark.parametrize("format", ["markdown", "latex", "html"])
def test_every_text_format_has_the_awards(run, format):
    assert "Mini royal" in run(*COMMAND, "-f", format)[1]


def test_workbook_has_the_tables(run, tmp_path):
    path = tmp_path / "moved.xlsx"
    assert run(*COMMAND, "-f", "xlsx", "-o", str(path))[0] == 0
    with zipfile.ZipFile(path) as archive:
        assert "Most pay" in archive.read("xl/sharedStrings.xml").decode()


def test_pay_and_meter_overrides_apply(run):
    sensitivity = json.loads(
        run("sensitivity", "SOB-EXAMPLE", "-d", "6", "--seed", "5000", "--rate", "8%", "-f", "json")[1]
    )
    shown = json.loads(run("show", "SOB-EXAMPLE", "-d", "6", "--seed", "5000", "--rate", "8%", "-f", "json")[1])
    assert (sensitivity[0]["figure"], sensitivity[0]["by_decks"][0]["hold"]) == ("hold", shown[0]["hold"])
    assert json.loads(run(*COMMAND, "--pays", "Flush=4", "-f", "json")[1])[0]["paytable"] == "TRI-03+Flush-4"


def test_given_meter_applies_the_limits_to_the_edge(run):
    (result,) = json.loads(run("sensitivity", "SUPER-4", "--meter", "50000", "--edge", "0%..30%", "-f", "json")[1])
    assert result["figure"] == "house_edge"
    assert all(award["name"] != "Royal flush" for award in result["all_decks"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["SUPER-4", "--edge", "3%..5%"],
            "SUPER-4 depends on the meter jackpot; give --meter jackpot=AMOUNT",
        ),
        # How a meter runs is not about a single up card, so that its seed and its rate do not help.
        (["BLZ-1-UP", "--up", "7", "--edge", "3%..5%"], "depends on the meter meter; give --meter meter=AMOUNT\n"),
        (["TRI-03", "--edge", "5%..3%"], "are reversed"),
        (["TRI-03", "--edge", "three"], "cannot read the limits 'three'"),
        (["TRI-33"], "unknown paytable 'TRI-33'"),
        (["TRI-03", "-f", "pdf"], "'pdf' is not a format"),
    ],
)
def test_invalid_requests_are_one_line(run, arguments, said):
    code, out, err = run("sensitivity", *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_up_card_changes_the_effect_of_one_unit(run):
    command = ("sensitivity", "TRI-03", "--decks", "6", "--up", "A", "-f", "json")
    (result,), (raised,) = (json.loads(run(*command, *pays)[1]) for pays in ((), ("--pays", "Flush=6")))
    assert result["given"] == "up.has(A)"
    (before,), (after,) = result["by_decks"], raised["by_decks"]
    assert Fraction(before["house_edge"]) + Fraction(before["awards"][-1]["one_more"]) == Fraction(after["house_edge"])
    assert "given A up" in run(*command[:-2])[1]
