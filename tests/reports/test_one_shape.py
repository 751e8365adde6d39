"""JSON and CSV have one shape, whether one answer is given or many."""

import csv
import io
import json
from fractions import Fraction

import pytest
from typer.main import get_command

from combinat import analyze
from reports.cli.main import app

ONE_AND_MANY = [
    ("show", "TRI-03", "-d"),
    ("compare", "TRI-03", "-d"),
    ("odds", "suited", "-d"),
    ("removal", "TRI-03", "-d"),
    ("joint", "TRI-03", "-d"),
    ("count", "TRI-03", "--tags", "A=1 K=-1", "--depths", "10-40", "-j", "1", "-d"),
]


FEW_CARDS = ("--decks", "1", "--hands", "1", "--removed", "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 6c 6d 6h 6s 7c 7d 7h 7s")
TWO_CARDS = """
bet = "Two"
deal = "player:2"
[[paytable]]
id = "TWO"
decks = 1
awards = [{ name = "Pair", when = "pair", pays = "10 to 1" }]
"""
EVERY = [
    ("list", "TRI-02"),
    ("show", "two.toml"),
    ("compare", "two.toml"),
    ("odds", "pair", "--deal", "player:2", "-d", "1"),
    ("check", "two.toml"),
    ("formula", "two.toml"),
    ("sensitivity", "two.toml"),
    ("joint", "two.toml"),
    ("design", "two.toml", "--pays", "Pair=9|10", "--target", "5%"),
    ("diff", "two.toml", "two.toml"),
    ("judge", "two.toml", "As Ah"),
    ("words", "--deal", "player:2"),
    ("removal", "two.toml"),
    ("count", "two.toml", "--cut", "40", "--tags", "A=1 K=-1"),
    ("verify", "missing.json"),
    ("meter show", "BLZ-1-UP", "-d", "6"),
    ("meter break-even", "BLZ-1-UP", "-d", "6"),
    ("meter explain", "BLZ-1-UP", "-d", "6", "--rates", "24", "--seeds", "2000"),
    ("blackjack value", "--hand", "10 8", "--up", "K", *FEW_CARDS),
    ("blackjack edge", *FEW_CARDS),
    ("blackjack strategy", "--up", "K", *FEW_CARDS),
    ("cache",),
]


def lines(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("command", ONE_AND_MANY, ids=" ".join)
def test_json_is_a_list_of_objects_of_one_form(run, command):
    one, many = (json.loads(run(*command, decks, "-f", "json")[1]) for decks in ("6", "2,6"))
    assert one == many[1:]
    assert one[0].keys() == many[0].keys()
    assert {each["format"] for each in many} == {"combinat answer 2"}


@pytest.mark.parametrize(
    "asked",
    [pytest.param(one, marks=[pytest.mark.slow] if one[0] == "formula" else []) for one in EVERY],  # it loads algebra
    ids=[one[0] for one in EVERY],
)
def test_json_of_every_command_is_a_list_of_answers_that_name_their_format(run, tmp_path, monkeypatch, asked):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.toml").write_text(TWO_CARDS)
    found = json.loads(run(*asked[0].split(), *asked[1:], "-f", "json")[1])
    assert isinstance(found, list)
    assert {one["format"] for one in found} == {"combinat answer 2"}


def test_every_command_that_answers_in_json_is_asked_for_it():
    whole = get_command(app)
    known = set()
    for name in whole.list_commands(None):
        command = whole.get_command(None, name)
        parts = command.commands if hasattr(command, "commands") else {"": command}
        known |= {f"{name} {part}".strip() for part, one in parts.items() if "format" in {p.name for p in one.params}}
    assert known - {"parsheet", "parsheets"} == {name for name, *_ in EVERY}  # which write files, each in its own form


@pytest.mark.parametrize("command", ONE_AND_MANY, ids=" ".join)
def test_csv_has_the_same_columns_for_one_and_for_many(run, command):
    one, many = (
        [row for row in lines(run(*command, decks, "-f", "csv")[1]) if row["Decks"] == "6"] for decks in ("6", "2,6")
    )
    assert one == many
    assert None not in one[0]  # no row is longer than the heading


def test_csv_has_the_figures_of_an_answer_below_its_tables(run):
    """What CSV left out: a meter's answer without any table was empty."""
    answer = io.StringIO(run("meter", "show", "BLZ-1-UP", "--cap", "20000", "--removed", "7h", "-f", "csv")[1])
    found = {row["Figure"]: row for row in csv.DictReader(answer)}
    assert found["Hold in the long run, at least"]["Value (exact)"].count("/") == 1
    assert {(row["Paytable"], row["Decks"], row["Given"]) for row in found.values()} == {("BLZ-1-UP", "6", "less 7h")}


def test_csv_of_wagers_together_names_what_meters_show(run):
    rows = lines(run("joint", "BLZ-1-UP=25", "--meter", "20000", "--removed", "7h", "-d", "6", "-f", "csv")[1])
    assert {row["Given"] for row in rows} == {"less 7h; BLZ-1-UP: meter at 20,000", "Given"}


def test_results_of_a_round_are_numbers_in_csv(run):
    rows = list(csv.reader(io.StringIO(run("joint", "TRI-03=1000", "-d", "2", "-f", "csv")[1])))
    assert [row[4] for row in rows if row[3] == "The result of one round"] == (
        ["100000", "35000", "33000", "10000", "5000", "-1000"]
    )


def test_csv_has_awards_and_figures_for_each_deck_count(run):
    rows = lines(run("show", "TRI-03", "TRI-04", "-d", "2,6", "-f", "csv")[1])
    for id in ("TRI-03", "TRI-04"):
        for decks in (2, 6):
            own = [row for row in rows if (row["Paytable"], row["Decks"]) == (id, str(decks))]
            result = analyze(id, decks)
            assert [int(row["Ways"]) for row in own if row["Kind"] == "Award"] == [award.ways for award in result]
            figures = {row["Key"]: row["Value (exact)"] for row in own if row["Kind"] == "Figure"}
            assert Fraction(figures["house_edge"]) == result.house_edge
            assert figures["standard_deviation"] == f"sqrt({result.variance})"


def test_csv_names_the_basis_of_each_figure(run):
    rows = {row["Key"]: row for row in lines(run("show", "HM-2", "--hands", "1", "-f", "csv")[1]) if row["Key"]}
    assert rows["house_edge"]["Basis"] == "best play"
    assert rows["house_edge_without_option"]["Basis"] == "wager alone"
    assert rows["house_edge_without_option"]["Value (exact)"] == "11/39"


def test_csv_has_flags_as_lines_of_their_own(run):
    rows = lines(run("show", "TRI-02", "-d", "6", "--any-decks", "-f", "csv")[1])
    flags = [row["Name"] for row in rows if row["Kind"] == "Flag"]
    assert any("not designed for 6 decks" in flag for flag in flags)


@pytest.mark.parametrize(
    "bet", [("TRI-03", "-d", "6"), ("HM-2", "--hands", "1"), ("BLZ-1-UP", "-d", "6")], ids=" ".join
)
def test_answer_of_either_format_is_verified(run, tmp_path, bet):
    told = run("show", *bet, "-f", "json")[1]
    before = {key: value for key, value in json.loads(told)[0].items() if key != "format"}
    for number, text in enumerate([told, json.dumps(before)]):
        path = tmp_path / f"{number}.json"
        path.write_text(text)
        code, out, err = run("verify", path)
        assert (code, err) == (0, "")
        assert "all agree" in out
    wrong = json.loads(told)
    wrong[0]["house_edge"] = "1/7"
    path.write_text(json.dumps(wrong))
    assert run("verify", path)[0] == 1


def test_several_answers_in_one_file_are_told_apart(run, tmp_path):
    path = tmp_path / "two.json"
    path.write_text(run("show", "TRI-03", "-d", "2,6", "-f", "json")[1])
    code, _, err = run("verify", path)
    assert (code, err.count("\n")) == (2, 1)
    assert "has 2 answers" in err
