"""Sheets altered with a recomputed fingerprint: `combinat verify` accepts none of them."""

import copy
import json

import pytest

from combinat.bets.catalog import get_paytable
from combinat.study import build_study
from decks import Shoe
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet, data_fingerprint
from tests.sheets import WITH_FEW_RANKS, read_sheet, sheet_of_text

BOUNDED = """
bet = "Aces and kings"
deal = "player:2"
[[paytable]]
id = "BOUNDED"
title = "Aces and kings with a cap"
decks = 6
awards = [
  { name = "Aces", when = "A-A and suited", pays = "100% of meter" },
  { name = "Kings", when = "K-K", pays = "10% of meter" },
  { name = "Queens", when = "Q-Q", pays = "2 to 1" },
]
[[paytable.meters]]
levels = [{ name = "meter", seed = 100, rate = "20%", cap = 500 }]
"""
"""A capped meter with deducted shares, whose hold is known only between bounds."""


@pytest.fixture(scope="module")
def parlay_sheet():
    """Return the sheet of a parlay whose hands of blackjack have few ranks."""
    return {"HM-2": read_sheet(f"HM-2{WITH_FEW_RANKS}", 1)}


@pytest.fixture(scope="module")
def sheets(tmp_path_factory):
    """Sheets by paytable id."""
    cases = [
        ("TRI-03", 6),
        ("ADDS-UP-DICE", 6),
        ("BUSTS", 2),
        ("METERS", 6),
        ("21+3-PT1", 6),
    ]
    found = {id: read_sheet(id, decks) for id, decks in cases}
    return found | {"BOUNDED": sheet_of_text(tmp_path_factory.mktemp("bounded"), BOUNDED)}


def forged(payload, changes):
    """Return the payload with other values at some paths and a matching fingerprint."""
    changed = copy.deepcopy(payload)
    for path, value in changes.items():
        part = changed
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value
    return changed | {"data_sha256": data_fingerprint(changed)}


def verdict_of(run, tmp_path, payload):
    """Run the command on one sheet; return its exit code and output."""
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(payload))
    code, out, err = run("verify", path)
    return code, out + err


def test_genuine_sheets_are_accepted(sheets, run, tmp_path):
    for payload in sheets.values():
        code, said = verdict_of(run, tmp_path, payload)
        assert (code, "all agree" in said) == (0, True)


FORGED = [
    # Awards that add up
    ("ADDS-UP-DICE", {("all_matches", "awards", 0, "rule"): "player.pair"}, "rule"),
    ("ADDS-UP-DICE", {("awards", 0, "pays_text"): "30 to 1 × Die + 0.5 to 1"}, "pays_text"),
    ("ADDS-UP-DICE", {("awards", 1, "rule"): "player.rank == up.rank"}, "rule"),
    # A capped meter with deducted shares
    ("BOUNDED", {("meter", "hold_at_least"): "1/100", ("meter", "hold_at_most"): "1/50"}, "hold_at_least"),
    ("BOUNDED", {("meter", "hold_at_most"): "99/100"}, "hold_at_most"),
    ("BOUNDED", {("meter", "terms", "levels", 0, "rate"): "1/100"}, "hold_at_least"),
    ("BOUNDED", {("meter", "terms", "levels", 0, "cap"): 300}, "hold_at_most"),
    ("BOUNDED", {("flags",): ["approved"]}, "flags"),
    ("BOUNDED", {("results", 0, "house_edge"): "1/2"}, "results"),
    ("BOUNDED", {("deck_sensitivity", 0, "headline", "terms"): "x"}, "terms"),
    # Unknown keys
    ("TRI-03", {("approved",): True}, "approved"),
    ("TRI-03", {("flags",): ["approved"]}, "flags"),
    ("TRI-03", {("name",): "Approved by the board"}, "name"),
    ("TRI-03", {("source",): "Approved by the board"}, "source"),
    ("TRI-03", {("awards", 0, "flags"): ["approved"]}, "flags"),
    ("TRI-03", {("awards", 0, "text"): "1000 to 1"}, "text"),
    ("TRI-03", {("identification", "approved_by"): "A. Regulator"}, "approved_by"),
    ("TRI-03", {("derivation", 0, "steps", 0, "note"): "approved"}, "note"),
    ("METERS", {("meter", "levels", 0, "terms"): {}}, "terms"),
    # Identification
    ("TRI-03", {("title",): "TriLux Bonus TRI-04"}, "title"),
    ("TRI-03", {("bet",): "Another bet"}, "bet"),
    ("TRI-03", {("paytable",): "TRI-04"}, "awards"),
    ("TRI-03", {("paytable",): "TRI-99"}, "paytable"),
    ("TRI-03", {("identification", "document"): "TRI-04-6D"}, "document"),
    ("TRI-03", {("identification", "document"): "TRI-03-8D"}, "document"),
    ("TRI-03", {("identification", "game"): "Baccarat"}, "game"),
    ("TRI-03", {("identification", "date"): "tomorrow"}, "date"),
    ("TRI-03", {("identification", "input_sha256"): "0"}, "input_sha256"),
    ("TRI-03", {("identification", "reviewed_by"): 1}, "reviewed_by"),
    ("TRI-03", {("sources",): ["the board"]}, "sources"),
    ("TRI-03", {("notes",): ["approved"]}, "notes"),
    ("TRI-03", {("requires",): "nothing"}, "requires"),
    ("TRI-03", {("example",): True}, "example"),
    ("TRI-03", {("awards", 1, "rule_in_words"): "any hand"}, "rule_in_words"),
    ("TRI-03", {("meter_wager",): 1}, "meter_wager"),
    ("BUSTS", {("title",): 5}, "title"),
    # Limits of jurisdiction tests
    ("21+3-PT1", {("jurisdiction_tests", 0, "at_least"): "1/100"}, "at_least"),
    ("21+3-PT1", {("jurisdiction_tests", 1, "at_most"): 5}, "at_most"),
    ("21+3-PT1", {("jurisdiction_tests", 1, "jurisdiction"): "New Jersey"}, "jurisdiction"),
    ("21+3-PT1", {("jurisdiction_tests", 1, "consequence"): "passes all the same"}, "consequence"),
    ("21+3-PT1", {("jurisdiction_tests", 1, "year"): 2030}, "year"),
]


@pytest.mark.parametrize(("id", "changes", "token"), FORGED, ids=[f"{id}-{token}" for id, _, token in FORGED])
def test_forged_sheet_is_not_accepted(sheets, run, tmp_path, id, changes, token):
    code, said = verdict_of(run, tmp_path, forged(sheets[id], changes))
    assert code in (1, 2)
    assert token in said
    assert "all agree" not in said


FORGED_PARLAYS = [
    ("HM-2", {("option", "table", "source"): "the house"}, "source"),
    ("HM-2", {("option", "rules"): "dealer stands on soft 17, no splits"}, "option.rules"),
    ("HM-2", {("option", "kind"): "press"}, "option"),
    ("HM-2", {("option", "table", "surrender"): True}, "option.rules"),
    ("HM-2", {("option", "table", "blackjack_pays"): "6/5"}, "option.rules"),
    ("HM-2", {("option", "table", "max_hands"): 3}, "option.rules"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("id", "changes", "token"), FORGED_PARLAYS[::2], ids=lambda value: str(value)[:30])
def test_forged_parlay_is_not_accepted(parlay_sheet, run, tmp_path, id, changes, token):
    code, said = verdict_of(run, tmp_path, forged(parlay_sheet[id], changes))
    assert code in (1, 2)
    assert token in said


def test_custom_document_number_is_accepted(run, tmp_path):
    sheet = build_par_sheet(build_study(get_paytable("TRI-03"), Shoe(6)), Identity(document="PS-2026-7"))
    code, _ = verdict_of(run, tmp_path, sheet.payload)
    assert code == 0
