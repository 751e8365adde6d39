"""A bet with an award from a meter that a shoe cannot give: its sheet says nothing that stands on that meter."""

import json

import pytest

from combinat.bets.load import load_bet
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe
from reports.publish.sheets import EXTENSIONS, SheetOptions, SheetSpec, compute_sheet, render_sheet
from reports.sheet.par_sheet import build_par_sheet

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


def bet_of(folder, kind, pair="2 to 1"):
    path = folder / "sevens.toml"
    path.write_text(BET.format(kind=kind, rate=KINDS[kind], pair=pair))
    return load_bet(path)[0]


@pytest.fixture(params=KINDS)
def sevens(request, tmp_path):
    return bet_of(tmp_path, request.param)


@pytest.mark.parametrize("amounts", [{}, {"Mega": 5000}, {"Mega": 5000, "Minor": 400}], ids=str)
def test_both_methods_agree_on_what_is_known(sevens, amounts):
    """It was taken for granted that meters stand at their seeds, which the sheet did not state."""
    sheets = [build_par_sheet(build_study(sevens, Shoe(decks), amounts)).payload for decks in (1, 6)]
    assert [verify(json.loads(json.dumps(sheet))).details for sheet in sheets] == [[], []]
    assert [sheet["settled_meters"] is not None for sheet in sheets] == [len(amounts) == 2, True]
    assert [any("inferred" in flag for flag in sheet["flags"]) for sheet in sheets] == [False, True]
    assert "Suited sevens: impossible with 1 deck" in str(sheets[0]["flags"])


def test_what_rounding_costs_does_not_depend_on_a_meter_that_never_pays(tmp_path):
    sheet = build_par_sheet(build_study(bet_of(tmp_path, "progressive", "3 to 2"), Shoe(1), {"Minor": 400})).payload
    assert sheet["rounding"]
    assert verify(json.loads(json.dumps(sheet))).details == []


def test_sheet_is_written_in_every_format_without_a_failed_check(sevens):
    made = compute_sheet(SheetSpec(sevens, 1), SheetOptions())
    for format in EXTENSIONS:
        assert render_sheet(made, format, 6)
    assert all(row["result"] == "agrees" for row in json.loads(render_sheet(made, "json", 6))["checks"])
