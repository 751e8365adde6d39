"""The effect of removal against a recount of the shoe without the card, and the sums that it must come to."""

import json
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.bets.load import parse_bet
from combinat.bets.paytable import apply_settings
from combinat.counting import removal
from combinat.counting.removal import removals
from combinat.exact.numbers import MiscountError
from combinat.exact.polynomial import Polynomial
from combinat.study import Basis, Study, build_study, compute_edge_only
from decks import Card, InputError, Shoe
from decks.cards import ALL_CARDS
from tests.made_bets import shoe_of
from tests.profiles import tries
from tests.riding import MADE, SMALL, small_shoe
from tests.riding import QUICK as QUICK_RULES

ACE = """
bet = "Ace"
deal = "player:1"
[hands]
"Ace" = "has(A)"
[[paytable]]
id = "ACE"
decks = "1"
awards = [{ hand = "Ace", pays = "11 to 1" }]
"""

ONE_OF_EACH = ["TRI-03", "BLZ-1-UP", "BB-1", "21+3-PT1", "BAC-DRAGON-7", "PKR-3-CARD-1"]
"""Fixed deals, with suits told apart and with meters; the dealer's hand under a condition; baccarat."""


FIVE_RANKS = Shoe(1, removed=[card for card in ALL_CARDS if card.rank not in (5, 6, 10, 13, 14)])
"""Of which all suits are there, so that the cards of a rank have one effect."""


def effects(paytable, shoe):
    return removals(build_study(paytable, shoe), lambda other: build_study(paytable, other))


@given(st.sampled_from(ONE_OF_EACH), st.sampled_from(ALL_CARDS), st.integers(1, 8))
@tries(40, quick=2)
def test_the_edge_without_a_card_is_that_of_the_shoe_counted_again(name, card, decks):
    paytable = get_paytable(name)
    whole = analyze_wager(paytable, Shoe(decks)).house_edge
    (found,) = effects(paytable, Shoe(decks))
    again = analyze_wager(paytable, Shoe(decks, removed=[card])).house_edge
    assert (found.of(card).house_edge, found.of(card).change) == (again, again - whole)
    assert found.of(card).scaled == (again - whole) * Fraction(52 * decks - 1, 51)


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_effects_of_a_wager_without_play_come_to_zero_in_every_shoe(name):
    paytable = get_paytable(name)
    for shoe in (Shoe(paytable.decks[-1]), Shoe(2, removed="As Kd Kd 7h")):
        (found,) = effects(paytable, shoe)
        assert found.balance == 0
        assert not found.chosen_anew
        assert sorted(card for one in found.effects for card in one.cards) == [card for card, _ in shoe.composition]
        assert sum(one.copies for one in found.effects) == shoe.size


def smaller(paytable):
    """The same bet where it takes as long with all its cards: from few ranks."""
    pack, dealt = paytable.bet.pack, getattr(paytable.bet.deal, "cards_dealt", 0)
    is_round = paytable.bet.game == "Lucky 9"
    is_long = is_round or dealt > 5 or paytable.id == "PKR-CARIBBEAN" or paytable.id.endswith("-PC-PEEK")
    if not pack.jokers and not is_long:
        return paytable
    kept = (7, 10, 11, 12, 13, 14) if dealt == 5 else (9, 10, 11, 12, 13, 14)  # sevens win of five cards
    kept = (4, 5, 8, 9, 10, 14) if is_round else kept  # two ways to a lucky 9, pairs, and third cards for the dealer
    ranks = [rank for rank in pack.ranks if rank in kept]
    gone = " ".join(str(rank) for rank in pack.ranks if rank not in ranks)
    name = f"standard without {gone} with 1 joker" if pack.jokers else f"standard without {gone}"
    return replace(paytable, bet=replace(paytable.bet, pack=pack._replace(name=name, ranks=tuple(ranks))))


@pytest.fixture
def counted_once(monkeypatch):
    """Count shoes once for all paytables with the same ladder."""
    known, weigh = {}, removal.count_many

    def weigh_many(trial, compositions):
        key = trial, tuple(compositions)
        if key not in known:
            known[key] = list(weigh(*key))
        return known[key]

    monkeypatch.setattr(removal, "count_many", weigh_many)


@pytest.mark.slow
@pytest.mark.usefixtures("counted_once")
@pytest.mark.parametrize("shelf", ["main", "baccarat", "poker"])
def test_effects_of_every_bet_of_the_catalog_balance(shelf):
    for paytable in map(smaller, iter_collection(shelf)):
        if paytable.bet.option is None:
            (found,) = effects(paytable, Shoe(paytable.decks[-1], paytable.bet.pack))
            if found.basis is not Basis.MAIN:
                assert found.balance.constant <= 0 if found.chosen_anew else found.balance == 0


def test_one_card_dealt_is_counted_by_hand():
    ((bet,), problems) = parse_bet(ACE, "ace.toml")
    assert problems == ()
    (found,) = effects(bet, Shoe(1))
    assert found.house_edge == Fraction(1, 13)
    by_cards = {len(one.cards): (one.copies, one.house_edge) for one in found.effects}
    assert by_cards == {4: (4, 1 - 12 * Fraction(3, 51)), 48: (48, 1 - 12 * Fraction(4, 51))}


@pytest.mark.slow
def test_with_play_chosen_anew_effects_come_to_less_than_zero_for_the_house():
    paytable = apply_settings(get_paytable("L9"), {"hands": "1"})  # what is resplit is on the shelf, of few ranks
    (found,) = effects(paytable, Shoe(1))
    assert found.chosen_anew
    assert found.basis is Basis.BEST
    assert found.balance.constant < 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "shoe"), [("HM-2", small_shoe()), ("TRILXDLX-01", FIVE_RANKS)])
def test_an_option_has_effects_on_both_bases(name, shoe):
    paytable = get_paytable(name)
    best, alone = removals(
        build_study(paytable, shoe, rules=QUICK_RULES), lambda other: build_study(paytable, other, rules=QUICK_RULES)
    )
    assert (best.basis, alone.basis) == (Basis.BEST, Basis.WAGER)
    assert best.balance.constant < 0
    assert alone.balance == 0
    card = Card("5c")
    without = Shoe(1, removed=[*shoe.removed, card])
    assert best.of(card).house_edge == build_study(paytable, without, rules=QUICK_RULES).house_edge


@pytest.mark.parametrize("gone", ["5c", "Kd", "10d"])
@pytest.mark.parametrize("name", ["HM-2", "TRILXDLX-01"])
def test_edge_alone_is_that_of_the_whole_study(name, gone):
    shoe = Shoe(1, removed=[*FIVE_RANKS.removed, Card(gone)])
    whole = build_study(get_paytable(name), shoe, rules=QUICK_RULES)
    assert whole.option.gain > 0
    assert compute_edge_only(get_paytable(name), shoe, rules=QUICK_RULES).house_edge == whole.house_edge


def riding(gain):
    """A bet whose winnings can ride, with what that gains said instead of worked out."""
    return lambda shoe: Study(analyze_wager(get_paytable("TRI-01"), shoe), SimpleNamespace(gain=gain))


def test_what_a_meter_shows_is_named(run):
    asked = ("removal", "BLZ-1-UP", "--decks", "6", "--meter", "25000")
    assert "6 decks, 312 cards; at the given meters; meter at 25,000\n" in run(*asked)[1]
    (told,) = json.loads(run(*asked, "-f", "json")[1])
    assert (told["meters"], told["meter_wager"], told["designed"]) == ({"meter": 25000}, 1, True)


@pytest.mark.parametrize("command", ["removal", "formula"])
def test_the_condition_is_named_where_the_up_card_is_given(run, command):
    decks = ("--decks", "6") * (command == "removal")
    (told,) = json.loads(run(command, "TRI-03", *decks, "--up", "7", "-f", "json")[1])
    assert told["given"] == "up.has(7)"


def test_the_table_at_which_winnings_ride_is_named_on_the_basis_that_stands_on_it(run, tmp_path):
    path = tmp_path / "made.toml"
    path.write_text(MADE.replace("OPTION", "parlay"), encoding="utf-8")
    cards, rules, _ = SMALL["doubled"]
    gone = " ".join(map(str, shoe_of(cards)[0].removed))
    asked = ("removal", path, "--removed", gone, "--hands", rules.max_hands)
    assert f"* Blackjack: {rules}; the dealer peeks." in run(*asked)[1]
    best, alone = json.loads(run(*asked, "-f", "json")[1])
    assert (best["basis"], best["option"]["rules"]) == ("best play", str(rules))
    assert alone["basis"] == "wager alone"
    assert "option" not in alone


def test_what_rides_is_worked_out_anew_without_each_card():
    before, after = riding(Fraction(1, 100)), riding(Fraction(1, 50))
    best, alone = removals(before(Shoe(6)), after)
    assert (best.basis, alone.basis) == (Basis.BEST, Basis.WAGER)
    assert (best.chosen_anew, best.balance, alone.balance) == (True, Fraction(-1, 100), 0)
    assert all(one.house_edge == alone.of(one.cards[0]).house_edge - Fraction(1, 50) for one in best.effects)
    with pytest.raises(MiscountError, match="which no player would choose"):
        removals(after(Shoe(6)), before)


def test_tens_that_no_rule_tells_apart_stand_together():
    (found,) = effects(get_paytable("BB-1"), Shoe(6))
    assert sorted(len(one.cards) for one in found.effects) == [4] * 9 + [16]


def test_effects_that_do_not_balance_stop_the_program(monkeypatch):
    monkeypatch.setattr(removal.Removal, "balance", Polynomial.of(1))
    with pytest.raises(MiscountError, match="the effects of removal come to 1"):
        effects(get_paytable("TRI-01"), Shoe(6))


def test_a_shoe_that_cannot_do_without_a_card_is_refused():
    gone = [card for card in ALL_CARDS if card != Card("As")]
    ((bet,), _) = parse_bet(ACE, "ace.toml")
    with pytest.raises(InputError, match="ACE cannot do without a card of 1 deck less"):
        effects(bet, Shoe(1, removed=gone))


def test_the_command_names_cards_by_rank_and_gives_exact_values(run):
    code, out, _ = run("removal", "TRI-03", "--decks", "6", "--format", "json")
    (answer,) = json.loads(out)
    by_first = {one["cards"][0]: one for one in answer["effects"]}
    assert (code, answer["basis"], answer["mean_change"]) == (0, "wager alone", 0)
    assert by_first["2c"]["cards"] == ["2c", "2d", "2h", "2s"]
    assert Fraction(answer["house_edge"]) + Fraction(by_first["2c"]["change"]) == Fraction(by_first["2c"]["house_edge"])
    code, out, _ = run("removal", "TRI-03", "--decks", "6,8", "--format", "csv")
    assert code == 0
    assert "3-J" in out
    code, _, err = run("removal", "TRI-03", "--decks", "99")
    assert (code, "--any-decks" in err) == (2, True)


def test_the_command_tries_other_pays_and_names_each_variant(run):
    code, told, _ = run("removal", "TRI-02", "-d", "2", "--pays", "Straight=7", "--pays", "Straight=5")
    assert code == 0
    assert told.count("TRI-02+Straight-7") > 1
    assert "TRI-02+Straight-5, 2 decks, wager alone" in told
