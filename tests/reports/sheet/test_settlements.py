"""Sheets of bets whose awards add up, whose pays are multiplied by dice, or that lose more than the wager."""

import json
from fractions import Fraction

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe
from reports.sheet.par_sheet import build_par_sheet
from tests.sheets import BET_FILES, find_paytable
from tests.slow_cases import slow_case

EXPECTED_TEXTS = {
    "MATCH-THE-DEALER-4-19": ("2 × Suited match", "The awards that add up"),
    "NEXT-STEP": ("Wheels and dice, independent of the cards", "highest prize"),
    "WAR": ("War lost", "loses 2"),
    "LOSES-2": ("Same rank", "loses 2"),
}
QUICK = "LOSES-2"


@pytest.mark.parametrize("id", [pytest.param(QUICK), *(slow_case(id) for id in EXPECTED_TEXTS if id != QUICK)])
def test_every_format_states_the_settlement(id, run, tmp_path):
    bet, decks = f"tests/{BET_FILES[id]}:{id}" if id in BET_FILES else id, find_paytable(id).decks[0]
    code, out, err = run("parsheet", bet, "--format", "json,md,html,xlsx,csv,tex,pdf", "--output", tmp_path)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 7
    written = {path.suffix: path for path in tmp_path.iterdir() if path.name != "checker.html"}
    for text in EXPECTED_TEXTS[id]:
        assert text in written[".md"].read_text(encoding="utf-8")
        assert text in written[".html"].read_text(encoding="utf-8")
    sheet = json.loads(written[".json"].read_text(encoding="utf-8"))
    if id in BET_FILES:  # tests/combinat/bets/test_public_collection.py verifies the others
        assert verify(sheet).agrees
    assert sheet["decks"] == decks


def test_losing_two_costs_two_wagers():
    paytable = find_paytable(QUICK)
    sheet = build_par_sheet(build_study(paytable, Shoe(6))).payload
    lost = sheet["awards"][2]
    assert (lost["pays_text"], lost["pays_to_1"], lost["pays_for_1"]) == ("loses 2", -2, -1)
    assert lost["probability"] == "23/311"
    assert sheet["exposure"]["largest_win"] == 200
    assert min(net for net, _ in build_study(paytable, Shoe(6)).result.distribution.numeric_outcomes) == -2


@pytest.mark.slow
def test_lost_war_costs_two_wagers():
    paytable = find_paytable("WAR")
    analysis = analyze_wager(paytable, Shoe(6))
    results = dict(analysis.distribution.numeric_outcomes)
    assert set(results) == {-2, -1, 1}
    assert analysis.push_rate == 0
    assert analysis.lines[1].probability + analysis.lines[2].probability == Fraction(23, 311)  # the ties
    sheet = build_par_sheet(build_study(paytable, Shoe(6))).payload
    lost = sheet["awards"][2]
    assert (lost["pays_text"], lost["pays_to_1"], lost["pays_for_1"]) == ("loses 2", -2, -1)
    assert sheet["exposure"]["largest_win"] == 100
    assert min(net for net, _ in build_study(paytable, Shoe(6)).result.distribution.numeric_outcomes) == -2
