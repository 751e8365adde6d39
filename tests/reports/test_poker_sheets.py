"""Sheets of poker hands, of packs of one's own and of jokers: as the schema says, and counted twice."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe, find_pack, parse_cards
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet

SCHEMA = json.loads((Path(__file__).parents[2] / "reports/publish/par_sheet.schema.json").read_text(encoding="utf-8"))
BET = """
bet = "Own pack"
deal = "{deal}"
pack = {pack}
[[paytable]]
id = "OWN"
decks = [1, 2]
awards = [{awards}]
"""
FEW = '{ name = "Two jokers", when = "count(joker) == 2", pays = "90 to 1" },' + ",".join(
    f'{{ name = "{word}", when = "best three.{word}", pays = "{pays} to 1" }}'
    for word, pays in [("royal flush", 80), ("straight flush", 40), ("three of a kind", 20), ("flush", 4), ("pair", 1)]
)
SHORT = ",".join(
    f'{{ name = "{rule}", when = "{rule}", pays = "2 to 1" }}'
    for rule in ("best four.two pair", "top pair == K", "count(A) == 2", "all ranks different")
)


def own(deal, pack, awards):
    (paytable,), problems = parse_bet(BET.format(deal=deal, pack=pack, awards=awards), "own.toml")
    assert problems == ()
    return paytable


def payload(paytable, decks=1, removed=""):
    sheet = build_par_sheet(build_study(paytable, Shoe(decks, paytable.bet.pack, parse_cards(removed))), Identity())
    return json.loads(json.dumps(sheet.payload))


def check(sheet):
    assert [error.message[:200] for error in Draft202012Validator(SCHEMA).iter_errors(sheet)] == []
    verdict = verify(sheet)
    assert verdict.not_reached is None
    assert verdict.agrees, verdict.differences


@pytest.mark.parametrize(
    ("deal", "pack", "awards", "decks", "removed"),
    [
        ("player:3", "{ jokers = 2 }", FEW, 2, ""),
        ("player:3", '{ jokers = 2, joker = "an ace, a straight or a flush" }', FEW, 1, "joker As Kd"),
        ("player:4", '{ without = [2, 3, 4, "clubs"] }', SHORT, 1, ""),
    ],
)
def test_sheet_of_an_own_pack_is_counted_twice(deal, pack, awards, decks, removed):
    check(payload(own(deal, pack, awards), decks, removed))


@pytest.mark.slow  # five cards are counted twice below, with what two winners of a meter bring
@pytest.mark.parametrize(
    ("id", "removed"),
    [
        pytest.param("PKR-ACES-UP-1", "", id="five cards"),
        pytest.param("PKR-PRIME", "", id="six cards by suits"),
        pytest.param("PKR-CARIBBEAN", "As 7h", id="five cards with two gone"),
        pytest.param("PKR-6-CARD-1", "7h 7d", id="six cards with two gone"),
        pytest.param("PKR-TRIPS-1", "", id="seven cards"),
    ],
)
def test_sheet_of_a_poker_bet_is_counted_twice(id, removed):
    check(payload(get_paytable(id), removed=removed))


@pytest.mark.slow
def test_seven_cards_with_a_joker_are_counted_twice():
    awards = ",".join(
        f'{{ name = "{word}", when = "best five.{word}", pays = "2 to 1" }}'
        for word in ("five of a kind", "royal flush", "straight flush", "four of a kind", "full house", "flush")
    )
    pack = '{ jokers = 1, joker = "an ace, a straight or a flush", without = [2, 3, 4, 5] }'  # Fortune has all cards
    check(payload(own("player:7", pack, awards)))


def test_a_figure_that_was_changed_differs():
    sheet = payload(own("player:3", "{ jokers = 2 }", FEW))
    sheet["awards"][1]["ways"] += 1
    assert not verify(sheet).agrees


HANDS_THAT_NAME = {
    "a suit beside jokers": (
        "player:3",
        "{ jokers = 2 }",
        ("best three.flush and has(7d)", "count(joker) == 1"),
        1,
        "",
    ),
    "jokers of a pack without some ranks": (
        "player:3",
        "{ jokers = 2, without = [2, 3, 7] }",
        ("best three.straight flush", "best three.straight", "best three.pair"),
        2,
        "",
    ),
    "roles of five cards": (
        "player:2, up:1, board:2",
        '"standard"',
        ("best five.flush and player.suited", "best five.straight", "player.A-K", "player.count(up.rank) == 1"),
        1,
        "",
    ),
    "two suits that can have enough cards": (
        "player:6",
        "{ without = [2, 3, 4, 5, 6, 7] }",
        ("best three.flush", "best three.pair"),
        1,
        "",
    ),
    "suits of cards of which some are gone": (
        "player:3, neighbor:2",
        '"standard"',
        ("player.count(hearts) == 2 and neighbor.pair", "player.same color", "neighbor.total == 20"),
        2,
        "As 7h 7h",
    ),
}


@pytest.mark.parametrize("case", HANDS_THAT_NAME)
def test_hands_that_rules_tell_apart_by_roles_suits_and_jokers_are_counted_twice(case):
    deal, pack, rules, decks, removed = HANDS_THAT_NAME[case]
    awards = ",".join(f'{{ name = "{rule}", when = "{rule}", pays = "2 to 1" }}' for rule in rules)
    check(payload(own(deal, pack, awards), decks, removed))


@pytest.mark.slow
def test_fortune_as_it_is_written_is_counted_twice():
    check(payload(get_paytable("PKR-FORTUNE-1")))


def test_winners_of_a_meter_in_one_round_are_counted_twice_with_five_cards():
    whole = get_paytable("PKR-CARIBBEAN")
    sheet = payload(replace(whole, bet=replace(whole.bet, pack=find_pack("standard without 2 3 4 5 6 7 8"))))
    check(sheet)
    assert "rounds" not in str(sheet["verification"]["not_checked"])
    assert [row["figures"] for row in sheet["verification"]["checked"] if row["part"] == "two winners in a round"] == [
        42
    ]
    sheet["rounds"][1]["two_or_more"] = "1/3"
    assert not verify(sheet).agrees


def test_what_the_second_method_does_not_reach_is_said(monkeypatch):
    monkeypatch.setattr("combinat.verifier.through_the_pack.MOST_STATES", 10)
    awards = '{ name = "A", when = "best three.flush and has(6d)", pays = "2 to 1" }'
    assert "more hands apart" in verify(payload(own("player:3", "{ jokers = 2 }", awards))).not_reached.reason
