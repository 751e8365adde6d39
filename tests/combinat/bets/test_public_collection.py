"""The collection of public bets: each has a source and an id that can be guessed."""

import pytest
from msgspec.structs import replace

from combinat import par_sheet
from combinat.bets.catalog import collection_files, get_paytable, iter_collection, iter_paytables, list_ids
from combinat.bets.load import load_bet, parse_bet
from combinat.verifier import verify
from decks import InputError

COLLECTION = list(iter_collection("public"))


def test_public_bets_have_sources_titles_and_unique_ids():
    ids = [paytable.id.lower() for paytable in iter_paytables()]
    assert len(ids) == len(set(ids))
    assert len(collection_files("public")) >= 40
    for paytable in COLLECTION:
        assert all("(http" in source for source in paytable.bet.sources), paytable.id
        assert paytable.bet.sources, paytable.id
        assert paytable.id not in paytable.title, paytable.id  # unique titles


def test_ids_are_listed_without_loading_files():
    assert list_ids() == [paytable.id for paytable in iter_paytables()]


@pytest.mark.parametrize(
    ("guess", "found"),
    [
        ("21+3", "21+3-"),
        ("perfect-pairs", "PERFECT-PAIRS-A"),
        ("Lucky-Ladies", "LUCKY-LADIES-A"),
        ("buster", "BUSTER-1"),
        ("royal-match", "ROYAL-MATCH-1"),
        ("match-the-dealer", "MATCH-THE-DEALER-4-19"),
        ("pair-plus", "PAIR-PLUS-1"),
    ],
)
def test_bet_name_suggests_its_ids(guess, found):
    with pytest.raises(InputError) as caught:
        get_paytable(guess)
    assert f"'{found}" in str(caught.value)


@pytest.mark.parametrize("id", ["trifecta", "Super-Sevens", "PUSH-22", "in-between-10", "kings-bounty-6d", "over-13"])
def test_id_is_found_in_any_case(id):
    assert get_paytable(id) in COLLECTION


BET = """
bet = "Third card"
deal = "up:1, hole:1, next:1"
pack = "standard without 3 4 5 6 9 J Q"
[[paytable]]
id = "THIRD"
decks = 1
awards = [{ name = "Third 7", when = "dealer.total <= 12 and next.has(7)", pays = "20 to 1" }]
"""


def test_spots_sharing_dealer_cards_match_the_verifier():
    (paytable,), problems = parse_bet(BET, "mine.toml")
    assert problems == ()
    assert agrees(par_sheet(paytable).payload)


OUT_OF_REACH = {"buster_blackjack_player"}
"""Bets with player cards before the dealer draws: the verifier does not support them."""


FEWER_RANKS = {
    *("super_4", "cash_queens", "kings_bounty", "lucky_ladies", "casino_war", "next_step_blackjack"),
    *("red_flex", "red_flex_s17"),
}
"""Bets whose hands the verifier would test by the million: a pack without low cards is used."""


def with_fewer_ranks(paytable):
    """Return the same bet dealt from a pack without 3 to 7."""
    pack = paytable.bet.pack
    ranks = tuple(rank for rank in pack.ranks if not 3 <= rank <= 7)
    fewer = pack._replace(name="standard without 3 4 5 6 7", ranks=ranks)
    return replace(paytable, bet=replace(paytable.bet, pack=fewer))


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [one for one in collection_files("public") if one.stem not in OUT_OF_REACH], ids=lambda one: one.stem
)
def test_verifier_agrees_on_public_bets(path):
    paytable = load_bet(path)[0]
    if path.stem in FEWER_RANKS:
        paytable = with_fewer_ranks(paytable)
    verdict = verify(par_sheet(paytable, decks=paytable.decks[-1]).payload)
    assert verdict.not_counted == ""
    assert verdict.agrees, verdict.differences


def agrees(sheet):
    """Return whether the verifier ran and agreed."""
    answer = [check["result"] for check in sheet["checks"] if "The verifier" in check["check"]]
    return bool(answer) and set(answer) == {"agrees"}
