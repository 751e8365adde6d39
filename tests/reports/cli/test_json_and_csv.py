"""JSON and CSV have the same structure for one result and for several."""

import csv
import io
import json
from fractions import Fraction

import pytest
from typer.main import get_command

from combinat import analyze
from reports.cli.main import app

MULTI_DECK_COMMANDS = [
    ("show", "TRI-03", "-d"),
    ("compare", "TRI-03", "-d"),
    ("odds", "suited", "-d"),
    ("removal", "TRI-03", "-d"),
    ("joint", "TRI-03", "-d"),
    ("count", "TRI-03", "--tags", "A=1 K=-1", "--depths", "10-40", "-j", "1", "-d"),
]


FORMATS = {"combinat answer 3"}
FEW_CARDS = ("--decks", "1", "--hands", "1", "--removed", "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 6c 6d 6h 6s 7c 7d 7h 7s")
TWO_CARDS = """
bet = "Two"
deal = "player:2"
[[paytable]]
id = "TWO"
decks = 1
awards = [{ name = "Pair", when = "pair", pays = "10 to 1" }]
"""
ALL_COMMANDS = [
    ("list", "TRI-02"),
    ("analyze", "two.toml"),
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
    ("solve", "THREE-CARD-POKER", "-j", "1"),
    ("meter show", "BLZ-1-UP", "-d", "6"),
    ("meter break-even", "BLZ-1-UP", "-d", "6"),
    ("meter explain", "BLZ-1-UP", "-d", "6", "--rates", "24", "--seeds", "2000"),
    ("blackjack value", "--hand", "10 8", "--up", "K", *FEW_CARDS),
    ("blackjack edge", *FEW_CARDS),
    ("blackjack strategy", "--up", "K", *FEW_CARDS),
    ("blackjack games",),
    ("blackjack title", "house-money", "--decks", "1"),
    ("blackjack sevens", "--game", "house-money"),
    ("blackjack free-bets",),
    ("cache",),
]
SLOW = ("formula", "blackjack title", "blackjack sevens", "blackjack free-bets")
"""Commands that load sympy or take seconds."""
WRITING = {"parsheet", "parsheets", "submit", "rebuild", "sign"}
"""Commands that write files."""


def parse_rows(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("command", MULTI_DECK_COMMANDS, ids=" ".join)
def test_json_is_a_list_of_uniform_objects(run, command):
    single, several = (json.loads(run(*command, decks, "-f", "json")[1]) for decks in ("6", "2,6"))
    assert single == several[1:]
    assert single[0].keys() == several[0].keys()
    assert {result["format"] for result in several} <= FORMATS


@pytest.mark.parametrize(
    "asked",
    [pytest.param(result, marks=[pytest.mark.slow] if result[0] in SLOW else []) for result in ALL_COMMANDS],
    ids=[result[0] for result in ALL_COMMANDS],
)
def test_json_results_of_every_command_name_their_format(run, tmp_path, monkeypatch, asked):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.toml").write_text(TWO_CARDS)
    results = json.loads(run(*asked[0].split(), *asked[1:], "-f", "json")[1])
    assert isinstance(results, list)
    assert {result["format"] for result in results} <= FORMATS


def test_every_command_with_json_is_tested():
    root = get_command(app)
    commands_with_json = set()
    for name in root.list_commands(None):
        command = root.get_command(None, name)
        subcommands = command.commands if hasattr(command, "commands") else {"": command}
        commands_with_json |= {
            f"{name} {subcommand}".strip()
            for subcommand, subcommand_object in subcommands.items()
            if "format" in {parameter.name for parameter in subcommand_object.params}
        }
    assert commands_with_json - WRITING == {name for name, *_ in ALL_COMMANDS}


@pytest.mark.parametrize("command", MULTI_DECK_COMMANDS, ids=" ".join)
def test_csv_columns_do_not_depend_on_the_number_of_bets(run, command):
    single, several = (
        [row for row in parse_rows(run(*command, decks, "-f", "csv")[1]) if row["Decks"] == "6"]
        for decks in ("6", "2,6")
    )
    assert single == several
    assert None not in single[0]  # no row is longer than the heading


def test_csv_has_figures_below_tables(run):
    """CSV includes the figures of a meter even if the result has no table."""
    answer = io.StringIO(run("meter", "show", "BLZ-1-UP", "--cap", "20000", "--removed", "7h", "-f", "csv")[1])
    row_by_figure = {row["Figure"]: row for row in csv.DictReader(answer)}
    assert row_by_figure["Hold in the long run, at least"]["Value (exact)"].count("/") == 1
    assert {(row["Paytable"], row["Decks"], row["Given"]) for row in row_by_figure.values()} == {
        ("BLZ-1-UP", "6", "less 7h")
    }


def test_csv_of_joint_wagers_names_meter_amounts(run):
    rows = parse_rows(run("joint", "BLZ-1-UP=25", "--meter", "20000", "--removed", "7h", "-d", "6", "-f", "csv")[1])
    assert {row["Given"] for row in rows} == {"less 7h; BLZ-1-UP: meter at 20,000", "Given"}


def test_round_results_are_numbers_in_csv(run):
    rows = list(csv.reader(io.StringIO(run("joint", "TRI-03=1000", "-d", "2", "-f", "csv")[1])))
    assert [row[4] for row in rows if row[3] == "The result of one round"] == (
        ["100000", "35000", "33000", "10000", "5000", "-1000"]
    )


def test_csv_has_awards_and_figures_by_deck_count(run):
    rows = parse_rows(run("show", "TRI-03", "TRI-04", "-d", "2,6", "-f", "csv")[1])
    for id in ("TRI-03", "TRI-04"):
        for decks in (2, 6):
            own_rows = [row for row in rows if (row["Paytable"], row["Decks"]) == (id, str(decks))]
            result = analyze(id, decks)
            assert [int(row["Ways"]) for row in own_rows if row["Kind"] == "Award"] == [award.ways for award in result]
            figures = {row["Key"]: row["Value (exact)"] for row in own_rows if row["Kind"] == "Figure"}
            assert Fraction(figures["house_edge"]) == result.house_edge
            assert figures["standard_deviation"] == f"sqrt({result.variance})"


def test_csv_names_the_basis_of_each_figure(run):
    rows = {row["Key"]: row for row in parse_rows(run("show", "HM-2", "--hands", "1", "-f", "csv")[1]) if row["Key"]}
    assert rows["house_edge"]["Basis"] == "best play"
    assert rows["house_edge_without_option"]["Basis"] == "wager alone"
    assert rows["house_edge_without_option"]["Value (exact)"] == "11/39"


def test_csv_has_flag_rows(run):
    rows = parse_rows(run("show", "TRI-02", "-d", "6", "--any-decks", "-f", "csv")[1])
    flags = [row["Name"] for row in rows if row["Kind"] == "Flag"]
    assert any("not designed for 6 decks" in flag for flag in flags)


@pytest.mark.parametrize("decks", ["6", "2,6"])
def test_verify_of_an_answer_names_the_command_for_sheets(run, tmp_path, decks):
    path = tmp_path / "answer.json"
    path.write_text(run("show", "TRI-03", "-d", decks, "-f", "json")[1])
    code, _, err = run("verify", path)
    assert (code, err.count("\n")) == (2, 1)
    assert "combinat parsheet" in err
