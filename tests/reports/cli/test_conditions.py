"""Commands with impossible conditions refuse them or name the deck counts; commands with a known up card."""

import csv
import io
import json
from fractions import Fraction

import jsonschema
import openpyxl
import pytest
from pypdf import PdfReader

from combinat.results.par_sheet import sheet_schema
from combinat.verifier import verify
from tests.slow_cases import slow_case

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
PLAYER_AND_UP_CARD = {"deal": "player:2, up:1", "rule": "up.has(hearts)", "other": "player.pair"}
TWO_CARDS = {"deal": "player:2", "rule": "has(hearts)", "other": "blackjack"}
DEALER_HAND = {"deal": "dealer:h17", "rule": "bust", "other": "total == 20"}
COMMANDS = [
    ("show",),
    ("compare",),
    ("formula",),
    ("ledger",),
    ("parsheet", "-f", "json"),
    ("meter", "show"),
    ("meter", "break-even"),
]
SMALL_PACK = "standard without 3 4 6 7 9 J"
NO_HAND_FITS = "no hand fits the condition"


@pytest.fixture
def bet(tmp_path, monkeypatch):
    """Return a function that writes the file of a bet with a condition."""
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
        slow_case(("formula", "-f", "csv")),  # loads sympy
    ],
    ids=lambda command: command[0],
)
def test_csv_rows_name_condition_and_up_card(bet, run, command):
    path = bet("player.pair", decks="1", pack=SMALL_PACK, **PLAYER_AND_UP_CARD)
    options = ("--up", "8", *(("-d", "1") if command[0] != "formula" else ()))
    code, out, _ = run(command[0], path, *options, *command[1:])
    heading, *rows = csv.reader(io.StringIO(out))
    given = [name.lower() for name in heading].index("given")
    assert (code, {row[given] for row in rows} - {"Given"}) == (0, {"player.pair and up.has(8)"})


def test_csv_of_odds_names_rule_and_condition(run):
    command = ("odds", "player.has(7)", "--given", "suited", "--removed", "7h", "-d", "1,2", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(run(*command)[1])))
    assert {(row["Rule"], row["Deal"], row["Given"]) for row in rows} == {
        ("player.has(7)", "player:2, up:1", "suited; less 7h")
    }


def assert_refused(answer, token):
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert token in err
    return True


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    "fields", [PLAYER_AND_UP_CARD | {"given": "player.total > 30"}, DEALER_HAND | {"given": "total == 5"}]
)
def test_impossible_condition_is_refused_by_every_command(run, bet, tmp_path, command, fields):
    path = bet(decks="[1, 6]", **fields)
    answer = run(*command, path)
    assert assert_refused(answer, f"COND: {NO_HAND_FITS} '{fields['given']}' at any deck count")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("format", ["table", "json"])
def test_check_names_an_impossible_condition(run, bet, format):
    code, out, _ = run("check", bet("player.total > 30", **PLAYER_AND_UP_CARD), "-f", format)
    assert code == 1
    assert out.count(NO_HAND_FITS) == 1
    assert out.count("error") == 1


def test_odds_and_explain_refuse_an_impossible_condition(run, bet):
    for deal, given in (("player:2", "total > 30"), ("dealer:h17", "total == 5")):
        assert assert_refused(
            run("odds", "bust", "--deal", deal, "--given", given), f"{NO_HAND_FITS} '{given}' at any deck count"
        )
    path = bet("player.total > 30", pays="100% of meter", **PLAYER_AND_UP_CARD)
    assert assert_refused(run("meter", "explain", path, "--hold", "20"), NO_HAND_FITS)


@pytest.mark.parametrize("command", COMMANDS[:2] + COMMANDS[3:], ids=" ".join)
@pytest.mark.parametrize(
    ("fields", "fewest"),
    [(PLAYER_AND_UP_CARD | {"given": "player.identical"}, 2), (DEALER_HAND | {"given": "8-8-8 and suited"}, 3)],
)
def test_condition_names_the_decks_it_needs(run, bet, command, fields, fewest):
    message = f"COND: no hand of 1 deck fits the condition '{fields['given']}'; it needs at least {fewest} decks"
    assert assert_refused(run(*command, bet(decks="[1, 6]", **fields), "-d", "1"), message)


def test_condition_impossible_after_removal_is_refused(run, bet):
    removal_options = ("-d", "1", "--removed", "Kc Kd Kh Ks")
    for fields in (PLAYER_AND_UP_CARD | {"given": "player.has(K)"}, DEALER_HAND | {"given": "has(K)"}):
        path, message = (
            bet(decks="1", pack=SMALL_PACK, **fields),
            f"no hand of 1 deck ({SMALL_PACK}) less Kc Kd Kh Ks fits the condition '{fields['given']}'",
        )
        for command in ("show", "compare", "ledger"):
            assert assert_refused(run(command, path, *removal_options), message)
            assert run(command, path, "-d", "1", "--removed", "Kc")[0] == 0
        assert assert_refused(
            run("odds", "dealer.bust", "--deal", "dealer:h17", "--given", "dealer.has(K)", *removal_options), "less Kc"
        )
    path = bet(decks="1", **PLAYER_AND_UP_CARD | {"given": "up.rank < 7"})
    assert assert_refused(
        run("show", path, "--up", "7"), f"COND: {NO_HAND_FITS} 'up.rank < 7 and up.has(7)' at any deck count"
    )


def test_impossible_deck_counts_are_named_and_others_answered(run, bet):
    path = bet("player.identical", "[1, 2, 6]", **PLAYER_AND_UP_CARD)
    for command in ("show", "compare"):
        code, out, err = run(command, path, "-f", "json")
        assert (code, err.count("\n")) == (0, 1)
        assert "no hand of 1 deck fits" in err
        assert [result["decks"] for result in json.loads(out)] == [2, 6]
    code, out, err = run("check", path)
    assert code == 1
    assert "COND: error: no hand of 1 deck fits the condition 'player.identical'; it needs at least 2 decks" in out
    code, out, err = run("odds", "up.has(7)", "--given", "player.identical", "-f", "json")
    assert (code, err.count("\n")) == (0, 1)
    assert [result["decks"] for result in json.loads(out)] == [2, 4, 5, 6, 7, 8]
    assert "hold for 2 or more decks" in run("formula", path)[1]
    assert json.loads(run("formula", path, "-f", "json")[1])[0]["fewest_decks"] == 2
    code, out, err = run("ledger", path, "-d", "1,2")
    assert code == 0
    assert sum(Fraction(row["probability"]) for row in csv.DictReader(io.StringIO(out))) == 1


@pytest.mark.parametrize(
    ("fields", "impossible"),
    [
        (TWO_CARDS | {"given": "identical"}, [1]),
        slow_case(DEALER_HAND | {"given": "8-8-8 and suited"}, [1, 2]),
    ],
)
def test_every_format_names_impossible_deck_counts(
    run,
    bet,
    tmp_path,
    fields,
    impossible,
):
    code, _, err = run("parsheet", bet(decks="[1, 6]", **fields), "-o", "out", "-f", "all")
    assert (code, err.count("\n")) == (0, 1)
    files = {path.suffix: path for path in (tmp_path / "out").iterdir() if path.name != "checker.html"}
    assert {path.stem for path in files.values()} == {"COND-6D"}
    sheet = json.loads(files[".json"].read_text())
    jsonschema.Draft202012Validator(sheet_schema()).validate(sheet)
    assert [row["decks"] for row in sheet["deck_sensitivity"] if row["house_edge"] is None] == impossible
    assert all(check["result"].startswith(("agrees", "not checked")) for check in sheet["checks"])
    message = f"With {', '.join(map(str, impossible))} deck{'s' * (len(impossible) > 1)} the bet is impossible"
    book = openpyxl.load_workbook(files[".xlsx"])
    texts = {
        ".xlsx": " ".join(str(cell.value) for page in book for row in page.iter_rows() for cell in row),
        ".pdf": " ".join(" ".join(page.extract_text().split()) for page in PdfReader(files[".pdf"]).pages),
        **{suffix: files[suffix].read_text() for suffix in (".md", ".html", ".tex")},
    }
    for text in texts.values():
        assert message in text
    rows = list(csv.reader(io.StringIO(files[".csv"].read_text())))
    for decks in impossible:
        assert ["impossible"] * 5 in [row[2:7] for row in rows if row[1:2] == [str(decks)]]
    sheet["deck_sensitivity"][0]["house_edge"] = 0
    first, *others = verify(sheet).differences
    assert "the file says 0, but it is null" in first
    assert all(line.startswith(("data_sha256", "verification")) for line in others)


# A known up card


def test_up_card_works_with_every_option(run):
    for options in ((), ("--meter", "25000"), ("--removed", "7s 7s Kd"), ("--any-decks", "-d", "2")):
        for up in ("7", "8", "K"):
            decks = () if "-d" in options else ("-d", "6")
            for command in ("show", "compare"):
                code, out, err = run(command, "BLZ-1-UP", *decks, "--up", up, *options)
                assert (code, err) == (0, "")
                assert "Hold in the long run" not in out
                assert "source prints" not in out
    (odds,) = json.loads(run("odds", "7-7-7 and suited", "--given", "up.has(7)", "-d", "6", "-f", "json")[1])
    sheet = json.loads(run("show", "BLZ-1-UP", "-d", "6", "--up", "7", "--meter", "25000", "-f", "json")[1])[0]
    assert sheet["awards"][0]["probability"] == odds["probability"]
    assert sheet["hold"] is None
    assert sheet["published"] == []


def test_removed_up_card_is_refused(run):
    for id in ("BB-1", "BLZ-1-UP"):
        for command in ("show", "compare"):
            removal_options = ("-d", "1", "--any-decks", "--removed", "Kc Kd Kh Ks")
            assert assert_refused(
                run(command, id, "--up", "K", *removal_options), f"{id}: no hand of 1 deck less Kc Kd Kh Ks fits"
            )
            assert run(command, id, "--up", "Q", *removal_options)[0] == 0


@pytest.mark.parametrize("option", ["press", "parlay"])
def test_parlay_works_with_a_known_up_card(run, tmp_path, option):
    path = tmp_path / "ride.toml"
    path.write_text(
        f'bet = "Ride"\ndeal = "player:2, up:1"\noption = "{option}"\n[[paytable]]\nid = "R"\ndecks = 2\n'
        'awards = [{ name = "Twenty", when = "player.10-K and suited", pays = "20 to 1" }]\n'
    )
    result = json.loads(run("show", path, "--up", "6", "--hands", "1", "-f", "json")[1])[0]
    assert {decision["up"] for decision in result["option"]["decisions"]} == {"6"}
    assert Fraction(result["option"]["used"]) == Fraction(result["awards"][0]["probability"])
