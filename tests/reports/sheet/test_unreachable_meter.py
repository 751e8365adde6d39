"""Sheets of a bet whose meter award is impossible with one deck state nothing that depends on that meter."""

import json

import pytest

from combinat.bets.load import load_bet
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe
from reports.publish.sheets import SheetOptions, SheetSpec, compute_sheet
from reports.render.formats import render_sheet, sheet_formats
from reports.sheet.par_sheet import build_par_sheet
from tests.slow_cases import slow_case, slow_cases

BET = """
bet = "Sevens"
deal = "player:3"
[[paytable]]
id = "SEVENS"
decks = [1, 6]
awards = [
  {{ name = "Suited sevens", when = "7-7-7 and suited", pays = "100% of Mega" }},
  {{ name = "Sevens", when = "7-7-7", pays = "100% of Minor" }},
  {{ name = "Pair", when = "pair", pays = "{pair}" }},
]
meters = [{{ kind = "{kind}", basis = "chosen", levels = [
  {{ name = "Mega", seed = 5000{rate} }}, {{ name = "Minor", seed = 300{rate} }}
] }}]
"""
KINDS = {"house jackpot": "", "progressive": ', rate = "1%"'}


def write_bet(folder, kind, pair="2 to 1"):
    path = folder / "sevens.toml"
    path.write_text(BET.format(kind=kind, rate=KINDS[kind], pair=pair))
    return load_bet(path)[0]


@pytest.fixture(params=KINDS)
def sevens(request, tmp_path):
    return write_bet(tmp_path, request.param)


@slow_cases("house jackpot-{}", "house jackpot-{'Mega': 5000, 'Minor': 400}")
@pytest.mark.parametrize("amounts", [{}, slow_case({"Mega": 5000}), {"Mega": 5000, "Minor": 400}], ids=str)
def test_verifier_agrees_on_known_figures(sevens, amounts):
    """Figures at the seeds are stated only where the sheet states the seeds."""
    sheets = [build_par_sheet(build_study(sevens, Shoe(decks), amounts)).payload for decks in (1, 6)]
    assert [verify(json.loads(json.dumps(sheet))).differences for sheet in sheets] == [[], []]
    assert [sheet["settled_meters"] is not None for sheet in sheets] == [len(amounts) == 2, True]
    assert [any("inferred" in flag for flag in sheet["flags"]) for sheet in sheets] == [False, True]
    assert "Suited sevens: impossible with 1 deck" in str(sheets[0]["flags"])


def test_rounding_ignores_a_meter_that_never_pays(tmp_path):
    sheet = build_par_sheet(build_study(write_bet(tmp_path, "progressive", "3 to 2"), Shoe(1), {"Minor": 400})).payload
    assert sheet["rounding"]
    assert verify(json.loads(json.dumps(sheet))).differences == []


def test_every_format_is_written_without_a_failed_check(sevens):
    sheet = compute_sheet(SheetSpec(sevens, 1), SheetOptions())
    for format in sheet_formats():
        assert render_sheet(sheet, format, 6)
    assert all(row["result"] == "agrees" for row in json.loads(render_sheet(sheet, "json", 6))["checks"])
