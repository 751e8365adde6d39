"""Conditions that fit no hand, and up cards in view, at the command line: clear refusals, or the figures."""

import csv
import io
import json
from fractions import Fraction

import jsonschema
import openpyxl
import pytest
from pypdf import PdfReader

from reports.publish.sheets import SCHEMA

BET = """
bet = "Conditional"
deal = "{deal}"
pack = "{pack}"
given = "{given}"
[[paytable]]
id = "COND"
decks = {decks}
awards = [
  {{ name = "Award", when = "{rule}", pays = "{pays}" }},
  {{ name = "Other", when = "{other}", pays = "2 to 1" }},
]
"""
DEALT = {"deal": "player:2, up:1", "rule": "up.has(hearts)", "other": "player.pair"}
PAIR = {"deal": "player:2", "rule": "has(hearts)", "other": "blackjack"}
DRAWN = {"deal": "dealer:h17", "rule": "bust", "other": "total == 20"}
COMMANDS = [
    ("show",),
    ("compare",),
    ("formula",),
    ("ledger",),
    ("parsheet", "-f", "json"),
    ("meter", "show"),
    ("meter", "break-even"),
]
FEW = "standard without 3 4 6 7 9 J"
NEVER = "no hand fits the condition"


@pytest.fixture
def bet(tmp_path, monkeypatch):
    """Write the file of a bet made under a condition."""
    monkeypatch.chdir(tmp_path)

    def write(given, decks="6", pays="5 to 1", pack="standard", **fields):
        path = tmp_path / "cond.toml"
        path.write_text(BET.format(given=given, decks=decks, pays=pays, pack=pack, **fields))
        return path

    return write


@pytest.mark.parametrize(
    "command",
    [
        ("show", "-f", "csv"),
        ("compare", "-f", "csv"),
        ("sensitivity", "-f", "csv"),
        ("removal", "-f", "csv"),
        ("ledger",),
        pytest.param(("formula", "-f", "csv"), marks=pytest.mark.slow),  # it loads algebra
    ],
    ids=lambda command: command[0],
)
def test_every_line_of_csv_names_the_condition_and_the_up_card(bet, run, command):
    path = bet("player.pair", decks="1", pack=FEW, **DEALT)
    asked = ("--up", "8", *(("-d", "1") if command[0] != "formula" else ()))
    code, out, _ = run(command[0], path, *asked, *command[1:])
    heading, *rows = csv.reader(io.StringIO(out))
    given = [name.lower() for name in heading].index("given")
    assert (code, {row[given] for row in rows} - {"Given"}) == (0, {"player.pair and up.has(8)"})


def test_csv_of_odds_names_the_rule_and_what_is_given(run):
    asked = ("odds", "player.has(7)", "--given", "suited", "--removed", "7h", "-d", "1,2", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(run(*asked)[1])))
    assert {(row["Rule"], row["Deal"], row["Given"]) for row in rows} == {
        ("player.has(7)", "player:2, up:1", "suited; less 7h")
    }


def is_refusal(answer, said):
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err
    return True


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("fields", [DEALT | {"given": "player.total > 30"}, DRAWN | {"given": "total == 5"}])
def test_condition_that_fits_no_hand_is_refused_by_every_command(run, bet, tmp_path, command, fields):
    path = bet(decks="[1, 6]", **fields)
    answer = run(*command, path)
    assert is_refusal(answer, f"COND: {NEVER} '{fields['given']}' at any deck count")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("format", ["table", "json"])
def test_check_names_a_condition_that_fits_no_hand(run, bet, format):
    code, out, _ = run("check", bet("player.total > 30", **DEALT), "-f", format)
    assert code == 1
    assert out.count(NEVER) == 1
    assert out.count("error") == 1


def test_odds_and_explanations_under_a_condition_that_fits_no_hand_are_refused(run, bet):
    for deal, given in (("player:2", "total > 30"), ("dealer:h17", "total == 5")):
        assert is_refusal(run("odds", "bust", "--deal", deal, "--given", given), f"{NEVER} '{given}' at any deck count")
    path = bet("player.total > 30", pays="100% of meter", **DEALT)
    assert is_refusal(run("meter", "explain", path, "--hold", "20"), NEVER)


@pytest.mark.parametrize("command", COMMANDS[:2] + COMMANDS[3:], ids=" ".join)
@pytest.mark.parametrize(
    ("fields", "fewest"), [(DEALT | {"given": "player.identical"}, 2), (DRAWN | {"given": "8-8-8 and suited"}, 3)]
)
def test_condition_that_needs_more_decks_says_how_many(run, bet, command, fields, fewest):
    said = f"COND: no hand of 1 deck fits the condition '{fields['given']}'; it needs at least {fewest} decks"
    assert is_refusal(run(*command, bet(decks="[1, 6]", **fields), "-d", "1"), said)


def test_condition_that_no_hand_fits_once_cards_are_gone_is_refused(run, bet):
    gone = ("-d", "1", "--removed", "Kc Kd Kh Ks")
    for fields in (DEALT | {"given": "player.has(K)"}, DRAWN | {"given": "has(K)"}):
        path, said = (
            bet(decks="1", pack=FEW, **fields),
            f"no hand of 1 deck ({FEW}) less Kc Kd Kh Ks fits the condition '{fields['given']}'",
        )
        for command in ("show", "compare", "ledger"):
            assert is_refusal(run(command, path, *gone), said)
            assert run(command, path, "-d", "1", "--removed", "Kc")[0] == 0
        assert is_refusal(
            run("odds", "dealer.bust", "--deal", "dealer:h17", "--given", "dealer.has(K)", *gone), "less Kc"
        )
    path = bet(decks="1", **DEALT | {"given": "up.rank < 7"})
    assert is_refusal(run("show", path, "--up", "7"), f"COND: {NEVER} 'up.rank < 7 and up.has(7)' at any deck count")


def test_deck_counts_at_which_a_condition_is_possible_are_answered_and_the_others_named(run, bet):
    path = bet("player.identical", "[1, 2, 6]", **DEALT)
    for command in ("show", "compare"):
        code, out, err = run(command, path, "-f", "json")
        assert (code, err.count("\n")) == (0, 1)
        assert "no hand of 1 deck fits" in err
        assert [one["decks"] for one in json.loads(out)] == [2, 6]
    code, out, err = run("check", path)
    assert code == 1
    assert "COND: error: no hand of 1 deck fits the condition 'player.identical'; it needs at least 2 decks" in out
    code, out, err = run("odds", "up.has(7)", "--given", "player.identical", "-f", "json")
    assert (code, err.count("\n")) == (0, 1)
    assert [one["decks"] for one in json.loads(out)] == [2, 4, 5, 6, 7, 8]
    assert "hold from 2 decks on" in run("formula", path)[1]
    assert json.loads(run("formula", path, "-f", "json")[1])[0]["fewest_decks"] == 2
    code, out, err = run("ledger", path, "-d", "1,2")
    assert code == 0
    assert sum(Fraction(row["probability"]) for row in csv.DictReader(io.StringIO(out))) == 1


@pytest.mark.parametrize(
    ("fields", "impossible"),
    [
        (PAIR | {"given": "identical"}, [1]),
        pytest.param(DRAWN | {"given": "8-8-8 and suited"}, [1, 2], marks=pytest.mark.slow),
    ],
)
def test_sheet_says_in_every_format_which_deck_counts_cannot_meet_the_condition(
    run,
    bet,
    tmp_path,
    fields,
    impossible,
):
    code, _, err = run("parsheet", bet(decks="[1, 6]", **fields), "-o", "out", "-f", "all")
    assert (code, err.count("\n")) == (0, 1)
    files = {path.suffix: path for path in (tmp_path / "out").iterdir()}
    assert {path.stem for path in files.values()} == {"COND_6-decks"}
    sheet = json.loads(files[".json"].read_text())
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(sheet)
    assert [row["decks"] for row in sheet["deck_sensitivity"] if row["house_edge"] is None] == impossible
    assert all(check["result"] == "agrees" for check in sheet["checks"])
    said = f"With {', '.join(map(str, impossible))} deck{'s' * (len(impossible) > 1)} the bet is impossible"
    book = openpyxl.load_workbook(files[".xlsx"])
    texts = {
        ".xlsx": " ".join(str(cell.value) for page in book for row in page.iter_rows() for cell in row),
        ".pdf": " ".join(" ".join(page.extract_text().split()) for page in PdfReader(files[".pdf"]).pages),
        **{suffix: files[suffix].read_text() for suffix in (".md", ".html", ".tex")},
    }
    for text in texts.values():
        assert said in text
    rows = list(csv.reader(io.StringIO(files[".csv"].read_text())))
    for decks in impossible:
        assert ["impossible"] * 5 in [row[2:7] for row in rows if row[1:2] == [str(decks)]]
    assert run("verify", files[".json"])[0] == 0
    sheet["deck_sensitivity"][0]["house_edge"] = 0
    files[".json"].write_text(json.dumps(sheet))
    assert "the file says 0, but it is null" in run("verify", files[".json"])[1]


# An up card in view


def test_up_card_works_for_every_option_of_a_fixed_deal(run):
    for more in ((), ("--meter", "25000"), ("--removed", "7s 7s Kd"), ("--any-decks", "-d", "2")):
        for up in ("7", "8", "K"):
            decks = () if "-d" in more else ("-d", "6")
            for command in ("show", "compare"):
                code, out, err = run(command, "BLZ-1-UP", *decks, "--up", up, *more)
                assert (code, err) == (0, "")
                assert "Hold in the long run" not in out
                assert "source prints" not in out
    (twin,) = json.loads(run("odds", "7-7-7 and suited", "--given", "up.has(7)", "-d", "6", "-f", "json")[1])
    sheet = json.loads(run("show", "BLZ-1-UP", "-d", "6", "--up", "7", "--meter", "25000", "-f", "json")[1])[0]
    assert sheet["awards"][0]["probability"] == twin["probability"]
    assert sheet["hold"] is None
    assert sheet["published"] == []


def test_up_card_that_is_gone_is_refused(run):
    for id in ("BB-1", "BLZ-1-UP"):
        for command in ("show", "compare"):
            gone = ("-d", "1", "--any-decks", "--removed", "Kc Kd Kh Ks")
            assert is_refusal(run(command, id, "--up", "K", *gone), f"{id}: no hand of 1 deck less Kc Kd Kh Ks fits")
            assert run(command, id, "--up", "Q", *gone)[0] == 0


@pytest.mark.parametrize("option", ["press", "parlay"])
def test_winnings_can_ride_with_the_up_card_in_view(run, tmp_path, option):
    path = tmp_path / "ride.toml"
    path.write_text(
        f'bet = "Ride"\ndeal = "player:2, up:1"\noption = "{option}"\n[[paytable]]\nid = "R"\ndecks = 2\n'
        'awards = [{ name = "Twenty", when = "player.10-K and suited", pays = "20 to 1" }]\n'
    )
    seen = json.loads(run("show", path, "--up", "6", "--hands", "1", "-f", "json")[1])[0]
    assert {one["up"] for one in seen["option"]["decisions"]} == {"6"}
    assert Fraction(seen["option"]["used"]) == Fraction(seen["awards"][0]["probability"])
