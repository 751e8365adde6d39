"""Lucky 9 on the command line: settings, JSON, and sheets in every format."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from combinat.bets.catalog import get_paytable
from combinat.bets.paytable import apply_settings
from combinat.results.answer import Answer
from combinat.results.formula import FormulaAnswer
from reports.publish.sheets import SheetOptions, sheet_spec
from reports.render.formats import render_sheet, sheet_formats
from tests.sheets import BET_FILES, WITHOUT_SPLITS, build_sheet
from tests.slow_cases import slow_case

TESTS = Path(__file__).parents[2]
MAIN, TIE = TESTS / BET_FILES["FEW-9"], TESTS / BET_FILES["FEW-TIE"]
"""Bet files of the game with few ranks."""


def parse_answer(out):
    results = json.loads(out)
    return results[0] if isinstance(results, list) else results


def test_show_has_edge_settings_and_action_values(run):
    code, out, err = run("show", "L9", "--decks", "1", "--hands", "2", "--nines", "maker", "--format", "json")
    assert (code, err) == (0, "")
    result = parse_answer(out)
    assert result["settings"] == {
        "nines": "maker",
        "qualify": "any",
        "lucky_pays": "3 to 2",
        "hands": "2",
        "tie_pays": "7 to 1",
        "tie_stake": "0",
    }
    assert (result["basis"], result["bases"]["house_edge"]) == ("best play", "best play")
    decisions = result["decisions"]
    assert len(decisions) == 550
    assert sum(Fraction(decision["probability"]) for decision in decisions) == 1
    for decision in decisions:
        values = {action: Fraction(value) for action, value in decision["values"].items()}
        assert values[decision["best"]] == max(values.values())
    best = sum(
        Fraction(decision["probability"]) * Fraction(decision["values"][decision["best"]]) for decision in decisions
    )
    assert Fraction(result["house_edge"]) == -best
    pairs = [decision for decision in decisions if len(set(decision["hand"].split("-"))) == 1]
    assert len(pairs) == 100
    assert all(list(decision["values"]) == ["stand", "hit", "split"] for decision in pairs)


NAMES = {
    "L9-1D-hands-1": {},
    "L9-1D-nines-maker-hands-1": {"nines": "maker"},
    "L9-1D-nines-maker-lucky-pays-6-to-5-hands-1": {"nines": "maker", "lucky_pays": "6 to 5"},
}


@pytest.mark.parametrize("name", NAMES)
def test_other_settings_change_the_sheet_name(name):
    paytable = apply_settings(get_paytable("L9"), {"hands": "1"} | NAMES[name])
    assert sheet_spec(paytable, 1, SheetOptions()).name == name


@pytest.mark.slow
def test_sheets_of_different_settings_coexist(run, tmp_path):
    options = ["--decks", "1", "--hands", "1", "--format", "csv", "--output", str(tmp_path)]
    for settings in ([], ["--nines", "maker"], ["--nines", "maker", "--lucky-pays", "6 to 5"]):
        assert run("parsheet", MAIN, *options, *settings)[0] == 0
    names = [name.replace("L9", "FEW-9") for name in NAMES]
    assert sorted(path.name for path in tmp_path.glob("*.csv")) == [f"{name}.csv" for name in names]


@pytest.mark.parametrize(
    ("file", "other"),
    [
        slow_case(MAIN, ("--hands", "1", "--nines", "maker"), id="FEW-9-maker"),
        slow_case(TIE, ("--hands", "2"), id="FEW-TIE-2"),
        slow_case(TIE, ("--hands", "4"), id="FEW-TIE-4"),
    ],
)
def test_formula_uses_the_settings(run, file, other):
    (with_other,), (with_one_hand,) = (
        json.loads(run("formula", file, *options, "-f", "json")[1]) for options in (other, ("--hands", "1"))
    )
    assert with_other["awards"][0]["ways"] != with_one_hand["awards"][0]["ways"]


def test_formula_receives_the_settings_of_the_command(run, monkeypatch):
    paytables = []
    monkeypatch.setattr(FormulaAnswer, "of", lambda paytable: paytables.append(paytable) or Answer())
    assert run("formula", "L9", "--hands", "1", "--nines", "maker", "-f", "json")[0] == 0
    (paytable,) = paytables
    chosen = {choice.setting.key: choice.text for choice in paytable.bet.deal.settings}
    assert (chosen["hands"], chosen["nines"]) == ("1", "maker")
    assert run("formula", "TRI-03", "--nines", "maker")[0] == 2


def test_wager_that_pays_nothing_is_refused(run):
    code, _, err = run("show", "L9", "--decks", "1", "--lucky-pays", "0")
    assert code == 2
    assert "above 0" in err


def test_tie_stake_changes_the_strategy(run):
    code, out, err = run("show", TIE, "-d", "1", "--hands", "1", "--tie-stake", "1", "--tie-pays", "8", "-f", "json")
    assert (code, err) == (0, "")
    result = parse_answer(out)
    assert result["basis"] == "best play of both wagers"
    figures = {key: Fraction(value) for key, value in result["play"]["figures"].items()}
    assert figures["tie_edge"] == Fraction(result["house_edge"])
    assert figures["main_edge"] >= figures["alone_main_edge"]
    assert figures["tie_edge"] <= figures["alone_tie_edge"]
    assert figures["both_edge"] == (figures["main_edge"] + figures["tie_edge"]) / 2
    assert result["awards"][0]["pays_text"] == "8 to 1"


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (("L9", "--nines", "makers"), "nines cannot be 'makers'; did you mean 'maker'?"),
        (("L9", "--hands", "5"), "hands cannot be '5'"),
        (("L9", "--lucky-pays", "much"), "lucky_pays cannot be 'much'"),
        (("L9-TIE", "--tie-stake", "all"), "tie_stake cannot be 'all'"),
        (("TRI-03", "--qualify", "three"), "qualify does not affect TRI-03: its game has no such setting"),
        (("L9", "--no-das"), "blackjack rules do not affect L9"),
        (("L9", "--h17"), "soft-17 rule does not affect L9"),
        (("L9", "--up", "8"), "L9 has no single up card; its deal is 'lucky 9'"),
    ],
)
def test_invalid_setting_is_one_line(run, arguments, what):
    code, out, err = run("show", *arguments, "--decks", "6")
    assert (code, out) == (2, "")
    assert what in err
    assert err.count("\n") == 1


def test_lucky_9_and_blackjack_bets_can_be_combined(run):
    code, out, _ = run("show", MAIN, "TRI-03", "--decks", "2", "--hands", "2", "--nines", "maker")
    assert code == 0
    assert "Lucky 9 of few ranks, nines maker, hands 2" in out
    assert "TRI-03" in out


def test_settings_are_options_of_show_compare_and_parsheet(run):
    for command in ("show", "compare", "parsheet"):
        _, out, _ = run(command, "--help")
        for option in ("--nines", "--qualify", "--lucky-pays", "--tie-pays", "--tie-stake", "--hands"):
            assert option in out, command


@pytest.mark.slow
def test_formula_names_its_strategy(run):
    code, out, _ = run("formula", "L9-TIE", "--format", "json")
    assert code == 0
    (result,) = json.loads(out)
    assert "the best with infinite decks" in result["note"]
    assert result["awards"][0]["name"] == "Tie"


def test_every_format_has_charts_and_settings():
    sheet = build_sheet(*WITHOUT_SPLITS)
    for format in sheet_formats():
        data = render_sheet(sheet, format, 6)
        assert len(data) > 5_000
        if format in ("html", "markdown", "csv", "latex"):
            text = data.decode("utf-8")
            for heading in ("Best play, by hand and dealer", "The simple strategy, by total", "Settings of the game"):
                assert heading in text, format
            assert "which is finished before the others" in text or format == "csv"
    checks = {check["check"]: check["result"] for check in sheet.payload["checks"]}
    (verifier,) = [check for check in checks if "The verifier" in check]
    assert "'combinat verify' counts it" in checks.pop(verifier)
    assert set(checks.values()) == {"agrees"}
