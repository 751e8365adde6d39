"""The shelf of public bets: what a designer compares with, each with its source and an id that can be guessed."""

import pytest
from msgspec.structs import replace

from combinat.bets.catalog import collection_files, get_paytable, iter_collection, iter_paytables, list_ids
from combinat.bets.load import load_bet, parse_bet
from decks import InputError
from reports import par_sheet

SHELF = list(iter_collection("public"))


def test_the_public_shelf_has_forty_bets_with_sources_titles_and_ids_of_their_own():
    ids = [paytable.id.lower() for paytable in iter_paytables()]
    assert len(ids) == len(set(ids))
    assert len(collection_files("public")) >= 40
    for paytable in SHELF:
        assert all("(http" in source for source in paytable.bet.sources), paytable.id
        assert paytable.bet.sources, paytable.id
        assert paytable.id not in paytable.title, paytable.id  # a title of its own


def test_ids_are_known_without_reading_what_files_say_of_them():
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
def test_the_name_of_a_bet_leads_to_its_ids(guess, found):
    with pytest.raises(InputError) as caught:
        get_paytable(guess)
    assert f"did you mean '{found}" in str(caught.value)


@pytest.mark.parametrize("id", ["trifecta", "Super-Sevens", "PUSH-22", "in-between-10", "kings-bounty-6d", "over-13"])
def test_a_guessed_id_is_found_in_capitals_or_not(id):
    assert get_paytable(id) in SHELF


BET = """
bet = "Third card"
deal = "up:1, hole:1, next:1"
pack = "standard without 3 4 5 6 9 J Q"
[[paytable]]
id = "THIRD"
decks = 1
awards = [{ name = "Third 7", when = "dealer.total <= 12 and next.has(7)", pays = "20 to 1" }]
"""


def test_spots_that_share_an_up_card_and_a_hole_card_go_together_by_both_methods():
    (paytable,), problems = parse_bet(BET, "mine.toml")
    assert problems == ()
    assert agrees(par_sheet(paytable).payload)


OUT_OF_REACH = {"buster_blackjack_player"}
"""Where cards are dealt to the player before the dealer draws, which the second method says that it does not reach."""


FEWER_RANKS = {"super_4", "cash_queens"}
"""Where four cards of two hands lie, the second method lists millions of deals; those without low cards show as much:
no award asks for a rank below 9, and none of their straights goes below the jack, as an ace and a ten are in them."""


def with_fewer_ranks(paytable):
    """The same bet from a pack without 3 to 7."""
    pack = paytable.bet.pack
    ranks = tuple(rank for rank in pack.ranks if not 3 <= rank <= 7)
    fewer = pack._replace(name="standard without 3 4 5 6 7", ranks=ranks)
    return replace(paytable, bet=replace(paytable.bet, pack=fewer))


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [one for one in collection_files("public") if one.stem not in OUT_OF_REACH], ids=lambda one: one.stem
)
def test_the_second_method_gives_the_sheet_of_a_public_bet(path):
    paytable = load_bet(path)[0]
    if path.stem in FEWER_RANKS:
        paytable = with_fewer_ranks(paytable)
    assert agrees(par_sheet(paytable, decks=paytable.decks[-1]).payload)


def agrees(sheet):
    """Whether the second method was asked and gave the same."""
    told = [check["result"] for check in sheet["checks"] if "second method" in check["check"]]
    return bool(told) and set(told) == {"agrees"}
