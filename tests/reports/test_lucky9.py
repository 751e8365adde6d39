"""Lucky 9 as people ask for it: commands, JSON, and sheets in every format."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from combinat.bets.catalog import get_paytable
from combinat.bets.paytable import apply_settings
from reports.publish.sheets import EXTENSIONS, SheetOptions, render_sheet, sheet_spec
from tests.sheets import FILES, WITHOUT_SPLITS, made

HERE = Path(__file__).parents[1]
MAIN, TIE = HERE / FILES["FEW-9"], HERE / FILES["FEW-TIE"]
"""The game from a pack of few ranks, as files."""


def answer(out):
    found = json.loads(out)
    return found[0] if isinstance(found, list) else found


def test_answer_has_the_edge_the_settings_and_the_value_of_every_action(run):
    code, out, err = run("show", "L9", "--decks", "1", "--hands", "2", "--nines", "maker", "--format", "json")
    assert (code, err) == (0, "")
    one = answer(out)
    assert one["settings"] == {
        "nines": "maker",
        "qualify": "any",
        "lucky_pays": "3 to 2",
        "hands": "2",
        "tie_pays": "7 to 1",
        "tie_stake": "0",
    }
    assert (one["basis"], one["bases"]["house_edge"]) == ("best play", "best play")
    decisions = one["decisions"]
    assert len(decisions) == 550
    assert sum(Fraction(each["probability"]) for each in decisions) == 1
    for each in decisions:
        values = {action: Fraction(value) for action, value in each["values"].items()}
        assert values[each["best"]] == max(values.values())
    best = sum(Fraction(each["probability"]) * Fraction(each["values"][each["best"]]) for each in decisions)
    assert Fraction(one["house_edge"]) == -best
    pairs = [each for each in decisions if len(set(each["hand"].split("-"))) == 1]
    assert len(pairs) == 100
    assert all(list(each["values"]) == ["stand", "hit", "split"] for each in pairs)


NAMES = {
    "L9_1-deck_hands-1": {},
    "L9_1-deck_nines-maker_hands-1": {"nines": "maker"},
    "L9_1-deck_nines-maker_lucky-pays-6-to-5_hands-1": {"nines": "maker", "lucky_pays": "6 to 5"},
}


@pytest.mark.parametrize("name", NAMES)
def test_sheet_under_other_settings_has_another_name(name):
    asked = apply_settings(get_paytable("L9"), {"hands": "1"} | NAMES[name])
    assert sheet_spec(asked, 1, SheetOptions()).name == name


@pytest.mark.slow
def test_sheets_under_other_settings_stand_side_by_side(run, tmp_path):
    asked = ["--decks", "1", "--hands", "1", "--format", "csv", "--output", str(tmp_path)]
    for said in ([], ["--nines", "maker"], ["--nines", "maker", "--lucky-pays", "6 to 5"]):
        assert run("parsheet", MAIN, *asked, *said)[0] == 0
    names = [name.replace("L9", "FEW-9") for name in NAMES]
    assert sorted(path.name for path in tmp_path.glob("*.csv")) == [f"{name}.csv" for name in names]


@pytest.mark.parametrize(
    ("file", "other"),
    [
        pytest.param(MAIN, ("--hands", "1", "--nines", "maker"), marks=pytest.mark.slow, id="FEW-9-maker"),
        pytest.param(TIE, ("--hands", "2"), marks=pytest.mark.slow, id="FEW-TIE-2"),
        pytest.param(TIE, ("--hands", "4"), marks=pytest.mark.slow, id="FEW-TIE-4"),
    ],
)
def test_formula_is_that_of_the_settings(run, file, other):
    (one,), (two,) = (json.loads(run("formula", file, *said, "-f", "json")[1]) for said in (other, ("--hands", "1")))
    assert one["awards"][0]["ways"] != two["awards"][0]["ways"]


def test_formula_is_asked_for_the_settings_of_the_command(run, monkeypatch):
    asked = []
    monkeypatch.setattr("reports.answers.formulas.formula_payload", lambda paytable: asked.append(paytable) or {})
    assert run("formula", "L9", "--hands", "1", "--nines", "maker", "-f", "json")[0] == 0
    (paytable,) = asked
    chosen = {one.setting.key: one.said for one in paytable.bet.deal.settings}
    assert (chosen["hands"], chosen["nines"]) == ("1", "maker")
    assert run("formula", "TRI-03", "--nines", "maker")[0] == 2


def test_wager_that_pays_nothing_is_refused(run):
    code, _, err = run("show", "L9", "--decks", "1", "--lucky-pays", "0")
    assert code == 2
    assert "more than nothing" in err


def test_stake_on_the_tie_changes_the_play_and_says_so(run):
    code, out, err = run("show", TIE, "-d", "1", "--hands", "1", "--tie-stake", "1", "--tie-pays", "8", "-f", "json")
    assert (code, err) == (0, "")
    one = answer(out)
    assert one["basis"] == "best play of both wagers"
    figures = {key: Fraction(value) for key, value in one["play"]["figures"].items()}
    assert figures["tie_edge"] == Fraction(one["house_edge"])
    assert figures["main_edge"] >= figures["alone_main_edge"]
    assert figures["tie_edge"] <= figures["alone_tie_edge"]
    assert figures["both_edge"] == (figures["main_edge"] + figures["tie_edge"]) / 2
    assert one["awards"][0]["pays_text"] == "8 to 1"


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("L9", "--nines", "makers"), "nines cannot be 'makers'; did you mean 'maker'?"),
        (("L9", "--hands", "5"), "hands cannot be '5'; it is 1, for no splits, to 4"),
        (("L9", "--lucky-pays", "much"), "lucky_pays cannot be 'much'; write what is paid to one"),
        (("L9-TIE", "--tie-stake", "all"), "tie_stake cannot be 'all'; write how many times the main wager"),
        (("TRI-03", "--qualify", "three"), "--qualify does not matter to TRI-03: its game has no such setting"),
        (("L9", "--no-das"), "the rules of blackjack do not matter to L9"),
        (("L9", "--h17"), "soft 17 does not matter to L9: it does not look at a dealer's blackjack hand"),
        (("L9", "--up", "8"), "L9 has no up card to be given: its deal, 'lucky 9', names no single one"),
    ],
)
def test_setting_that_makes_no_sense_is_one_line(run, arguments, what):
    code, out, err = run("show", *arguments, "--decks", "6")
    assert (code, out) == (2, "")
    assert what in err
    assert err.count("\n") == 1


def test_paytables_of_a_game_and_of_blackjack_can_be_asked_together(run):
    code, out, _ = run("show", MAIN, "TRI-03", "--decks", "2", "--hands", "2", "--nines", "maker")
    assert code == 0
    assert "Lucky 9 of few ranks, nines maker, hands 2" in out
    assert "TRI-03" in out


def test_settings_stand_among_the_options_of_show_compare_and_parsheet(run):
    for command in ("show", "compare", "parsheet"):
        _, out, _ = run(command, "--help")
        for option in ("--nines", "--qualify", "--lucky-pays", "--tie-pays", "--tie-stake", "--hands"):
            assert option in out, command


@pytest.mark.slow
def test_formula_says_which_play_it_is_of(run):
    code, out, _ = run("formula", "L9-TIE", "--format", "json")
    assert code == 0
    (one,) = json.loads(out)
    assert "the best with infinite decks" in one["note"]
    assert one["awards"][0]["name"] == "Tie"


def test_sheet_has_charts_settings_and_readings_in_every_format():
    sheet = made(*WITHOUT_SPLITS)
    for format in EXTENSIONS:
        data = render_sheet(sheet, format, 6)
        assert len(data) > 5_000
        if format in ("html", "markdown", "csv", "latex"):
            text = data.decode("utf-8")
            for said in ("Best play, by hand and dealer", "The simple strategy, by total", "Settings of the game"):
                assert said in text, format
            assert "which is finished before the others" in text or format == "csv"
    checks = {check["check"]: check["result"] for check in sheet.payload["checks"]}
    assert all(result == "agrees" for result in checks.values())
    assert any("second method" in check for check in checks)
