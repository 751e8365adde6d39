"""Sheets of bets whose awards add up, whose pays dice multiply, or that lose more than the wager, in every format."""

import json
from fractions import Fraction

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe
from reports.sheet.par_sheet import build_par_sheet
from tests.sheets import FILES, paytable_of

SAID = {
    "MATCH-THE-DEALER-4-19": ("2 × Suited match", "The awards that add up"),
    "NEXT-STEP": ("Wheels and dice, independent of the cards", "highest prize"),
    "WAR": ("War lost", "loses 2"),
    "LOSES-2": ("Same rank", "loses 2"),
}
QUICK = "LOSES-2"


@pytest.mark.parametrize(
    "id", [pytest.param(QUICK), *(pytest.param(id, marks=pytest.mark.slow) for id in SAID if id != QUICK)]
)
def test_sheet_is_written_in_every_format_and_says_how_it_settles(id, run, tmp_path):
    bet, decks = f"tests/{FILES[id]}:{id}" if id in FILES else id, paytable_of(id).decks[0]
    code, out, err = run("parsheet", bet, "--format", "json,md,html,xlsx,csv,tex,pdf", "--output", tmp_path)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == 7
    written = {path.suffix: path for path in tmp_path.iterdir()}
    for said in SAID[id]:
        assert said in written[".md"].read_text(encoding="utf-8")
        assert said in written[".html"].read_text(encoding="utf-8")
    sheet = json.loads(written[".json"].read_text(encoding="utf-8"))
    assert verify(sheet).agrees
    assert sheet["decks"] == decks


def test_an_award_that_loses_two_costs_two_wagers_everywhere():
    paytable = paytable_of(QUICK)
    sheet = build_par_sheet(build_study(paytable, Shoe(6))).payload
    lost = sheet["awards"][2]
    assert (lost["pays_text"], lost["pays_to_1"], lost["pays_for_1"]) == ("loses 2", -2, -1)
    assert lost["probability"] == "23/311"
    assert sheet["exposure"]["largest_win"] == 200
    assert min(one for one, _ in build_study(paytable, Shoe(6)).result.distribution.known) == -2


@pytest.mark.slow
def test_a_war_that_is_lost_costs_two_wagers_everywhere():
    paytable = paytable_of("WAR")
    analysis = analyze_wager(paytable, Shoe(6))
    results = dict(analysis.distribution.known)
    assert set(results) == {-2, -1, 1}
    assert analysis.push_rate == 0
    assert analysis.lines[1].probability + analysis.lines[2].probability == Fraction(23, 311)  # the ties
    sheet = build_par_sheet(build_study(paytable, Shoe(6))).payload
    lost = sheet["awards"][2]
    assert (lost["pays_text"], lost["pays_to_1"], lost["pays_for_1"]) == ("loses 2", -2, -1)
    assert sheet["exposure"]["largest_win"] == 100
    assert min(one for one, _ in build_study(paytable, Shoe(6)).result.distribution.known) == -2
