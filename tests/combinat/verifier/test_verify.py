"""The plain verifier: sheets of every kind agree, edited sheets do not, and broken ones are named."""

import copy
import json
import random
import subprocess
import sys
from itertools import permutations
from math import factorial

import pytest

from combinat import par_sheet
from combinat.bets.catalog import get_paytable
from combinat.verifier import SheetError, attempt, parse_sheet, verify, verify_file
from combinat.verifier.deal import Bet, FixedDeal, Shoe, role_positions
from combinat.verifier.rules import Row, Rule
from combinat.verifier.sheet import fingerprint
from tests.combinat.verifier.edits import Counted, Edit, Result, is_accepted, patched, try_edits

FAST = ("TRI-03", "21+3-PT1", "BAC-PLAYER-PAIR", "PAIR-SQUARE-11")
SLOW = (
    *("BB-1", "BAC-TIE", "BAC-PERFECT-PAIR", "BLZ-1-PC-PEEK", "KINGS-BOUNTY-6D", "BUST-BONUS", "L9", "L9-TIE"),
    *("TRILXDLX-01", "MATCH-THE-DEALER-4-19", "NEXT-STEP"),
)
"""One paytable of each kind of game."""
MAX_HANDS = 100_000


@pytest.fixture(scope="module")
def payload():
    """Return a function that makes the JSON of a catalog paytable's sheet at its first deck count."""
    made = {}

    def make(id):
        if id not in made:
            sheet = par_sheet(id, get_paytable(id).decks[0], other_decks=False)
            made[id] = json.loads(json.dumps(sheet.payload))
        return copy.deepcopy(made[id])

    return make


def seal(sheet):
    sheet["data_sha256"] = fingerprint(sheet)
    return sheet


@pytest.mark.parametrize("id", FAST)
def test_sheet_agrees(payload, id):
    verdict = verify(payload(id), max_hands=MAX_HANDS)
    assert verdict.differences == []
    assert verdict.agrees
    assert verdict.total > 100


@pytest.mark.slow
@pytest.mark.parametrize("id", SLOW)
def test_sheet_of_each_kind_of_game_agrees(payload, id):
    verdict = verify(payload(id), max_hands=MAX_HANDS)
    assert verdict.differences == []
    assert verdict.agrees


def test_merging_gives_the_counts_of_brute_force(payload):
    sheet = payload("TRI-03")
    brute, merged = verify(sheet), verify(sheet, max_hands=1)
    assert merged.agrees
    assert (brute.merged, bool(merged.merged)) == ("", True)
    assert brute.total == merged.total


def test_figures_exclude_null_and_words(payload):
    sheet = payload("TRI-03")
    total = verify(sheet).total
    numbers = json.dumps(sheet["awards"]).count(":")
    assert total < 300
    assert numbers > 0


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("notes", 0), "Interpretation: a royal flush is any flush."),
        (("sources", 0), "Rules of another game"),
        (("title",), "TriLux Bonus TRI-04"),
        (("bet",), "TriLux"),
        (("paytable",), "TRI-04"),
        (("identification", "document"), "TRI-04-2D"),
        (("identification", "input_sha256"), "0" * 64),
        (("designed_decks",), [2, 3]),
        (("requires",), "Another bet"),
        (("awards", 0, "rule"), "A-K-J and suited"),
        (("awards", 0, "pays_text"), "101 to 1"),
        (("flags",), ["approved"]),
        (("approved",), True),
        (("input_files", "bet", "changed"), ["pays"]),
    ],
)
def test_false_input_is_named(payload, path, value):
    sheet = payload("TRI-03")
    part = sheet
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    assert not is_accepted(seal(sheet))


def test_limit_of_a_jurisdiction_test_is_compared_with_the_file(payload):
    sheet = payload("21+3-PT1")
    sheet["jurisdiction_tests"][0]["at_most"] = 10**9
    assert not is_accepted(seal(sheet))


@pytest.mark.slow  # fast: test_false_input_is_named
def test_pay_of_awards_that_add_up_is_compared_with_the_file(payload):
    sheet = payload("MATCH-THE-DEALER-4-19")
    sheet["all_matches"]["awards"][0] |= {"pays_text": "1,000 to 1", "rule": "player.pair"}
    sheet["awards"][0]["pays_text"] = "1,000 to 1"
    assert not is_accepted(seal(sheet))


def test_other_rules_under_the_same_id_change_the_hash(payload):
    sheet = payload("TRI-03")
    bet = sheet["input_files"]["bet"]
    bet["text"] = bet["text"].replace('"100 to 1"', '"90 to 1"')
    assert not is_accepted(seal(sheet))


@pytest.mark.parametrize("id", [*(pytest.param(id, marks=pytest.mark.slow) for id in FAST[:-1]), FAST[-1]])
def test_random_edits_are_rejected(payload, id):
    result = Result()
    with patched():
        try_edits(Counted(payload(id)), 10, random.Random(id), result)
    assert result.wrong == []


def test_edit_of_a_value_that_was_not_read_needs_no_second_count(payload):
    with patched():
        sheet = Counted(payload("PAIR-SQUARE-11"))
        assert not sheet.is_read([("house_edge",), ("awards", 0, "probability")])
        assert sheet.is_read([("awards", 0, "rule"), ("decks",)])
        edit = Edit(sheet.sheet, random.Random(1))
        assert sheet.is_accepted(sheet.sheet, [("house_edge",)])
        assert not sheet.is_accepted(seal(edit.sheet | {"house_edge": 1}), [("house_edge",)])


@pytest.mark.parametrize("key", ["edge", "change"])
def test_effect_of_an_assumption_is_counted(payload, key):
    sheet = payload("TRI-03")
    assert sheet["terms"]["assumptions"][0]["effect"] == "ace high only"
    sheet["terms"]["assumptions"][0][key] = "1/100"
    assert not is_accepted(seal(sheet))


@pytest.mark.parametrize("rule", ["0-7-7", "A-1", "11-12-13", "total-total-total", "5()", "__import__('os')", "((((("])
def test_broken_rule_is_one_line(payload, rule):
    sheet = payload("TRI-03")
    sheet["awards"][0]["rule"] = rule
    sheet["input_files"]["bet"]["text"] = sheet["input_files"]["bet"]["text"].replace("A-K-Q and suited", rule)
    with pytest.raises(SheetError) as caught:
        verify(seal(sheet))
    assert "\n" not in str(caught.value)


def test_deal_of_eight_cards_is_not_counted(payload):
    sheet = payload("TRI-03")
    sheet["deal"] = "player:8"
    assert verify(seal(sheet)).not_counted


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"format": 1}', b"\xff", b'{"a": 1, "a": 2}', b"[" * 100])
def test_other_files_are_not_sheets(content):
    verdict, problem = attempt(lambda: parse_sheet(content), is_full=False)
    assert verdict is None
    assert problem


def test_each_file_gets_its_verdict(payload, tmp_path):
    (tmp_path / "good.json").write_text(json.dumps(payload("PAIR-SQUARE-11")), encoding="utf-8")
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    command = [sys.executable, "-S", "-m", "combinat.verifier", str(tmp_path / "bad.json"), str(tmp_path / "good.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 2
    assert "good.json" in done.stdout
    assert "all agree" in done.stdout
    assert "bad.json" in done.stderr
    assert verify_file(str(tmp_path / "missing.json"))[0] is None


@pytest.mark.parametrize(
    "text",
    [
        "player.pair and up.has(A)",
        "player.count(up) == 1 or suited",
        "straight flush",
        "player.high > up.rank",
        "has(Ah)",
    ],
)
def test_fixed_deal_counts_every_order_of_physical_cards(text):
    """Compare the rows of card types with all orders of the physical cards of a small shoe."""
    sizes, shoe = {"player": 2, "up": 1}, Shoe((2, 3, 14), "hs", 0, False, 2)
    rule = Rule(text, [role for role in role_positions(sizes) if role])
    physical = [card for card in shoe.types for _ in range(shoe.decks)]
    positions = role_positions(sizes)
    matching = sum(
        bool(rule.test(Row([rank for rank, _ in hand], positions), Row([suit for _, suit in hand], positions)))
        for hand in permutations(physical, 3)
    )
    for max_hands in (10_000, 0):  # by brute force and after merging
        deal = FixedDeal(Bet(sizes, shoe, [rule], None, roles_apart=True), max_hands, 1)
        counts = deal.counts(shoe.decks, 1)
        assert counts.winning == [matching // factorial(2)]
        assert counts.cycle == 12 * 11 * 10 // factorial(2)
