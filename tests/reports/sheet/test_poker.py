"""Sheets of poker hands, custom packs and jokers fit the schema and agree with the verifier."""

import json

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.results.par_sheet import sheet_schema
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe, find_pack, parse_cards
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet
from tests.slow_cases import slow_case, slow_cases

SCHEMA = sheet_schema()
BET = """
bet = "Own pack"
deal = "{deal}"
pack = {pack}
[[paytable]]
id = "OWN"
decks = [1, 2]
awards = [{awards}]
"""
JOKER_AWARDS = '{ name = "Two jokers", when = "count(joker) == 2", pays = "90 to 1" },' + ",".join(
    f'{{ name = "{word}", when = "best three.{word}", pays = "{pays} to 1" }}'
    for word, pays in [("royal flush", 80), ("straight flush", 40), ("three of a kind", 20), ("flush", 4), ("pair", 1)]
)
PAIR_AWARDS = ",".join(
    f'{{ name = "{rule}", when = "{rule}", pays = "2 to 1" }}'
    for rule in ("best four.two pair", "top pair == K", "count(A) == 2", "all ranks different")
)


def parse_custom_bet(deal, pack, awards):
    (paytable,), problems = parse_bet(BET.format(deal=deal, pack=pack, awards=awards), "own.toml")
    assert problems == ()
    return paytable


def build_payload(paytable, decks=1, removed=""):
    sheet = build_par_sheet(build_study(paytable, Shoe(decks, paytable.bet.pack, parse_cards(removed))), Identity())
    return json.loads(json.dumps(sheet.payload))


def check_sheet(sheet):
    assert [error.message[:200] for error in Draft202012Validator(SCHEMA).iter_errors(sheet)] == []
    verdict = verify(sheet)
    if sheet["removed"]:
        assert "removed cards" in verdict.not_counted
        return
    assert verdict.not_counted == ""
    assert verdict.agrees, verdict.differences


@pytest.mark.parametrize(
    ("deal", "pack", "awards", "decks", "removed"),
    [
        slow_case("player:3", "{ jokers = 2 }", JOKER_AWARDS, 2, ""),
        ("player:3", '{ jokers = 2, joker = "an ace, a straight or a flush" }', JOKER_AWARDS, 1, "joker As Kd"),
        ("player:4", '{ without = [2, 3, 4, "clubs"] }', PAIR_AWARDS, 1, ""),
    ],
)
def test_sheet_of_a_custom_pack_is_verified(deal, pack, awards, decks, removed):
    check_sheet(build_payload(parse_custom_bet(deal, pack, awards), decks, removed))


@pytest.mark.slow  # fast: test_simultaneous_meter_winners_are_verified
@pytest.mark.parametrize(
    ("id", "removed"),
    [
        pytest.param("PKR-ACES-UP-1", "", id="five cards"),
        pytest.param("PKR-PRIME", "", id="six cards by suits"),
        pytest.param("PKR-CARIBBEAN", "As 7h", id="five cards, two removed"),
        pytest.param("PKR-6-CARD-1", "7h 7d", id="six cards, two removed"),
        pytest.param("PKR-TRIPS-1", "", id="seven cards"),
    ],
)
def test_sheet_of_a_poker_bet_is_verified(id, removed):
    check_sheet(build_payload(get_paytable(id), removed=removed))


@pytest.mark.slow
def test_seven_cards_with_a_joker_are_verified():
    awards = ",".join(
        f'{{ name = "{word}", when = "best five.{word}", pays = "2 to 1" }}'
        for word in ("five of a kind", "royal flush", "straight flush", "four of a kind", "full house", "flush")
    )
    pack = '{ jokers = 1, joker = "an ace, a straight or a flush", without = [2, 3, 4, 5] }'
    check_sheet(build_payload(parse_custom_bet("player:7", pack, awards)))


def test_altered_ways_differ():
    sheet = build_payload(parse_custom_bet("player:3", "{ jokers = 2 }", JOKER_AWARDS))
    sheet["awards"][1]["ways"] += 1
    assert not verify(sheet).agrees


CASES = {
    "a suit and jokers": (
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
    "two possible flush suits": (
        "player:6",
        "{ without = [2, 3, 4, 5, 6, 7, 8, 9] }",
        ("best three.flush", "best three.pair"),
        1,
        "",
    ),
    "suits with removed cards": (
        "player:3, neighbor:2",
        '"standard"',
        ("player.count(hearts) == 2 and neighbor.pair", "player.same color", "neighbor.total == 20"),
        2,
        "As 7h 7h",
    ),
}


@slow_cases(
    "two possible flush suits",
    "roles of five cards",
    "suits with removed cards",
    "a suit and jokers",
)
@pytest.mark.parametrize("case", CASES)
def test_rules_about_roles_suits_and_jokers_are_verified(case):
    deal, pack, rules, decks, removed = CASES[case]
    awards = ",".join(f'{{ name = "{rule}", when = "{rule}", pays = "2 to 1" }}' for rule in rules)
    sheet = build_payload(parse_custom_bet(deal, pack, awards), decks, removed)
    if case == "roles of five cards":
        assert "one role's cards" in verify(sheet).not_counted
    else:
        check_sheet(sheet)


def with_pack(paytable, pack):
    return replace(paytable, bet=replace(paytable.bet, pack=find_pack(pack)))


@pytest.mark.slow  # from the whole pack the verifier takes minutes
def test_fortune_pai_gow_is_verified():
    pack = "standard without 2 3 4 5 6 with 1 joker for an ace, a straight or a flush"
    check_sheet(build_payload(with_pack(get_paytable("PKR-FORTUNE-1"), pack)))


def test_simultaneous_meter_winners_are_verified():
    sheet = build_payload(with_pack(get_paytable("PKR-CARIBBEAN"), "standard without 2 3 4 5 6 7 8"))
    check_sheet(sheet)
    assert "rounds" not in str(sheet["verification"]["not_checked"])
    sheet["rounds"][1]["two_or_more"] = "1/3"
    assert not verify(sheet).agrees
