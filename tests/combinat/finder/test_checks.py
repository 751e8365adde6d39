"""`check_paytable` warns once for each cause of absurd edges and misspelled meters."""

import pytest

from combinat.bets.catalog import iter_collection, list_collections
from combinat.bets.load import parse_bet
from combinat.finder.checks import MAX_USUAL_EDGE, check_paytable, is_misspelling


def findings(awards, decks="6", extra=""):
    text = f'bet = "B"\ndeal = "player:2"\n[[paytable]]\nid = "X"\ndecks = "{decks}"\nawards = [{awards}]\n{extra}'
    paytables, problems = parse_bet(text, "mine.toml")
    assert problems == ()
    return [finding for paytable in paytables for finding in check_paytable(paytable)]


def award(name, when, pays):
    return f'{{ name = "{name}", when = "{when}", pays = "{pays}" }}, '


@pytest.mark.parametrize(("pays", "count"), [("1 to 1", 1), ("11 to 1", 0)])
def test_house_edge_above_the_limit_is_one_warning_for_all_decks(pays, count):
    found = findings(award("Pair", "pair", pays), "1-8")
    assert [finding.is_error for finding in found] == [False] * count
    assert all("house edge" in finding.text and "1-8 decks" in finding.text for finding in found)


def test_player_edge_is_one_warning_for_all_decks():
    (found,) = findings(award("Pair", "pair", "100 to 1"), "1,2,4-8")
    assert not found.is_error
    assert "1, 2, 4-8 decks" in found.text


def test_edge_that_depends_on_a_meter_is_not_judged():
    assert findings(award("Pair of aces", "all(A)", "100% of meter")) == []


def test_error_replaces_the_edge_warning():
    assert [finding.is_error for finding in findings(award("Never", "pair and not pair", "1 to 1"))] == [True]


@pytest.mark.parametrize(
    ("first", "second", "suspect"),
    [
        ("100% of meter", "10% of metre", "metre"),
        ("100% of Mega", "10% of Mgea", "Mgea"),
        ("100% of Jackpot", "10% of Jackpo", "Jackpo"),
        ("100% of Diamond", "10% of Diamand", "Diamand"),
        ("100% of metr", "5 to 1", "metr"),
        ("100% of Mega", "100% of Mini", None),
        ("100% of Major", "100% of Minor", None),
        ("100% of Level1", "100% of Level2", None),
        ("100% of Gold", "10% of Gold", None),
        ("100% of Gold", "100% of Silver", None),
        ("100% of meter", "10% of the meter", None),
    ],
)
def test_misspelt_meter_is_named_with_a_suggestion(first, second, suspect):
    found = [
        one for one in findings(award("Aces", "all(A)", first) + award("Pair", "pair", second)) if "meter" in one.text
    ]
    assert [one.is_error for one in found] == [False] * (suspect is not None)
    assert all(f"'{suspect}'" in one.text and "did you mean" in one.text for one in found)


def test_misspelling_is_one_edit():
    assert all(is_misspelling("jackpot", other) for other in ("jackpt", "jackpott", "jackbot", "jakcpot", "ackpot"))
    assert not any(is_misspelling("jackpot", other) for other in ("jackpot", "jckpt", "pot", "jackpotxx"))
    assert not is_misspelling("a", "b")


def test_catalog_has_no_edge_above_the_limit_and_no_misspelt_meter():
    from combinat.analysis.analysis import analyze_wager
    from combinat.finder.checks import _find_misspelled_meters
    from decks import Shoe

    for collection in list_collections():
        for paytable in iter_collection(collection):
            assert list(_find_misspelled_meters(paytable)) == []
    analysis = analyze_wager(
        next(paytable for paytable in iter_collection("public") if paytable.id == "ANY-20"), Shoe(6)
    )
    assert analysis.house_edge.constant < MAX_USUAL_EDGE
