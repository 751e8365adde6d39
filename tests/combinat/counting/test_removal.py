"""Effects of removal, compared with a recount of the shoe without the card, and their sums."""

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
from tests.parlay import PARLAY_BET, SMALL_SHOES, small_shoe
from tests.parlay import TWO_HANDS as QUICK_RULES
from tests.profiles import tries
from tests.slow_cases import slow_cases
from tests.small_bets import build_shoe

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
"""Fixed deals, with distinguished suits and with meters; a dealer bet under a condition; baccarat."""


FIVE_RANKS = Shoe(1, removed=[card for card in ALL_CARDS if card.rank not in (5, 6, 10, 13, 14)])
"""Shoes with all suits, in which the cards of a rank have one effect."""


def effects(paytable, shoe):
    return removals(build_study(paytable, shoe), lambda other: build_study(paytable, other))


@given(st.sampled_from(ONE_OF_EACH), st.sampled_from(ALL_CARDS), st.integers(1, 8))
@tries(40, quick=2)
def test_edge_without_a_card_matches_a_recount(name, card, decks):
    paytable = get_paytable(name)
    full = analyze_wager(paytable, Shoe(decks)).house_edge
    (result,) = effects(paytable, Shoe(decks))
    recount = analyze_wager(paytable, Shoe(decks, removed=[card])).house_edge
    assert (result.effect_of(card).house_edge, result.effect_of(card).change) == (recount, recount - full)
    assert result.effect_of(card).scaled == (recount - full) * Fraction(52 * decks - 1, 51)


@slow_cases("PKR-3-CARD-1", "BAC-DRAGON-7", "BB-1")
@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_effects_without_decisions_sum_to_zero(name):
    paytable = get_paytable(name)
    for shoe in (Shoe(paytable.decks[-1]), Shoe(2, removed="As Kd Kd 7h")):
        (result,) = effects(paytable, shoe)
        assert result.balance == 0
        assert not result.is_reoptimized
        assert sorted(card for effect in result.effects for card in effect.cards) == [
            card for card, _ in shoe.composition
        ]
        assert sum(effect.copies for effect in result.effects) == shoe.size


def smaller(paytable):
    """Return the same bet from few ranks where the full pack takes long."""
    pack, dealt = paytable.bet.pack, getattr(paytable.bet.deal, "cards_dealt", 0)
    is_round = paytable.bet.game == "Lucky 9"
    is_long = is_round or dealt > 5 or paytable.id == "PKR-CARIBBEAN" or paytable.id.endswith("-PC-PEEK")
    if not pack.jokers and not is_long:
        return paytable
    kept = (7, 10, 11, 12, 13, 14) if dealt == 5 else (9, 10, 11, 12, 13, 14)  # sevens win on five cards
    kept = (4, 5, 8, 9, 10, 14) if is_round else kept  # two ways to a lucky 9, pairs, and third cards for the dealer
    ranks = [rank for rank in pack.ranks if rank in kept]
    join = " ".join(str(rank) for rank in pack.ranks if rank not in ranks)
    name = f"standard without {join} with 1 joker" if pack.jokers else f"standard without {join}"
    return replace(paytable, bet=replace(paytable.bet, pack=pack._replace(name=name, ranks=tuple(ranks))))


@pytest.fixture
def counted_once(monkeypatch):
    """Count shoes once for all paytables with the same ladder."""
    counts, count = {}, removal._count_without_each

    def count_once(experiment, composition, groups, shoes):
        key = experiment, tuple(shoe.composition for shoe in shoes)
        if key not in counts:
            counts[key] = list(count(experiment, composition, groups, shoes))
        return counts[key]

    monkeypatch.setattr(removal, "_count_without_each", count_once)


@pytest.mark.slow
@pytest.mark.usefixtures("counted_once")
@pytest.mark.parametrize("collection", ["main", "baccarat", "poker"])
def test_effects_of_catalog_bets_sum_to_zero(collection):
    for paytable in map(smaller, iter_collection(collection)):
        if paytable.bet.option is None:
            (result,) = effects(paytable, Shoe(paytable.decks[-1], paytable.bet.pack))
            if result.basis is not Basis.MAIN:
                assert result.balance.constant <= 0 if result.is_reoptimized else result.balance == 0


def test_one_card_deal_is_checked_by_hand():
    ((bet,), problems) = parse_bet(ACE, "ace.toml")
    assert problems == ()
    (result,) = effects(bet, Shoe(1))
    assert result.house_edge == Fraction(1, 13)
    by_cards = {len(effect.cards): (effect.copies, effect.house_edge) for effect in result.effects}
    assert by_cards == {4: (4, 1 - 12 * Fraction(3, 51)), 48: (48, 1 - 12 * Fraction(4, 51))}


@pytest.mark.slow
def test_effects_with_best_play_favor_the_player():
    paytable = apply_settings(get_paytable("L9"), {"hands": "1"})  # resplits are tested with few ranks
    (result,) = effects(paytable, Shoe(1))
    assert result.is_reoptimized
    assert result.basis is Basis.BEST
    assert result.balance.constant < 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "shoe"), [("HM-2", small_shoe()), ("TRILXDLX-01", FIVE_RANKS)])
def test_option_has_effects_on_both_bases(name, shoe):
    paytable = get_paytable(name)
    best, alone = removals(
        build_study(paytable, shoe, rules=QUICK_RULES), lambda other: build_study(paytable, other, rules=QUICK_RULES)
    )
    assert (best.basis, alone.basis) == (Basis.BEST, Basis.WAGER)
    assert best.balance.constant < 0
    assert alone.balance == 0
    card = Card("5c")
    without = Shoe(1, removed=[*shoe.removed, card])
    assert best.effect_of(card).house_edge == build_study(paytable, without, rules=QUICK_RULES).house_edge


@pytest.mark.parametrize("gone", ["5c", "Kd", "10d"])
@pytest.mark.parametrize("name", ["HM-2", "TRILXDLX-01"])
def test_quick_edge_matches_the_study(name, gone):
    shoe = Shoe(1, removed=[*FIVE_RANKS.removed, Card(gone)])
    study = build_study(get_paytable(name), shoe, rules=QUICK_RULES)
    assert study.option.gain > 0
    assert compute_edge_only(get_paytable(name), shoe, rules=QUICK_RULES).house_edge == study.house_edge


def riding(gain):
    """A bet with a parlay whose gain is stated instead of computed."""
    return lambda shoe: Study(analyze_wager(get_paytable("TRI-01"), shoe), SimpleNamespace(gain=gain))


def test_meter_amounts_are_named(run):
    arguments = ("removal", "BLZ-1-UP", "--decks", "6", "--meter", "25000")
    assert "6 decks, 312 cards; at the given meters; meter at 25,000\n" in run(*arguments)[1]
    (answer,) = json.loads(run(*arguments, "-f", "json")[1])
    assert (answer["meters"], answer["meter_wager"], answer["designed"]) == ({"meter": 25000}, 1, True)


@pytest.mark.parametrize("command", ["removal", "formula"])
def test_condition_is_named_with_an_up_card(run, command):
    decks = ("--decks", "6") * (command == "removal")
    (answer,) = json.loads(run(command, "TRI-03", *decks, "--up", "7", "-f", "json")[1])
    assert answer["given"] == "up.has(7)"


def test_table_rules_are_named_on_the_parlay_basis(run, tmp_path):
    path = tmp_path / "made.toml"
    path.write_text(PARLAY_BET.replace("OPTION", "parlay"), encoding="utf-8")
    cards, rules, _ = SMALL_SHOES["doubled"]
    join = " ".join(map(str, build_shoe(cards)[0].removed))
    arguments = ("removal", path, "--removed", join, "--hands", rules.max_hands)
    assert f"* Blackjack: {rules}; the dealer peeks." in run(*arguments)[1]
    best, alone = json.loads(run(*arguments, "-f", "json")[1])
    assert (best["basis"], best["option"]["rules"]) == ("best play", str(rules))
    assert alone["basis"] == "wager alone"
    assert "option" not in alone


def test_parlay_is_solved_again_without_each_card():
    before, after = riding(Fraction(1, 100)), riding(Fraction(1, 50))
    best, alone = removals(before(Shoe(6)), after)
    assert (best.basis, alone.basis) == (Basis.BEST, Basis.WAGER)
    assert (best.is_reoptimized, best.balance, alone.balance) == (True, Fraction(-1, 100), 0)
    assert all(
        effect.house_edge == alone.effect_of(effect.cards[0]).house_edge - Fraction(1, 50) for effect in best.effects
    )
    with pytest.raises(MiscountError, match="1/100"):
        removals(after(Shoe(6)), before)


def test_identical_ten_cards_share_a_row():
    (result,) = effects(get_paytable("BB-1"), Shoe(6))
    assert sorted(len(effect.cards) for effect in result.effects) == [4] * 9 + [16]


def test_effects_that_do_not_balance_raise(monkeypatch):
    monkeypatch.setattr(removal.RemovalEffects, "balance", Polynomial.of(1))
    with pytest.raises(MiscountError, match="add up to 1"):
        effects(get_paytable("TRI-01"), Shoe(6))


def test_shoe_too_small_for_a_removal_is_refused():
    removed = [card for card in ALL_CARDS if card != Card("As")]
    ((bet,), _) = parse_bet(ACE, "ace.toml")
    with pytest.raises(InputError, match="ACE cannot do without a card of 1 deck less"):
        effects(bet, Shoe(1, removed=removed))


def test_removal_command_gives_exact_values_by_rank(run):
    code, out, _ = run("removal", "TRI-03", "--decks", "6", "--format", "json")
    (answer,) = json.loads(out)
    by_first = {effect["cards"][0]: effect for effect in answer["effects"]}
    assert (code, answer["basis"], answer["mean_change"]) == (0, "wager alone", 0)
    assert by_first["2c"]["cards"] == ["2c", "2d", "2h", "2s"]
    assert Fraction(answer["house_edge"]) + Fraction(by_first["2c"]["change"]) == Fraction(by_first["2c"]["house_edge"])
    code, out, _ = run("removal", "TRI-03", "--decks", "6,8", "--format", "csv")
    assert code == 0
    assert "3-J" in out
    code, _, err = run("removal", "TRI-03", "--decks", "99")
    assert (code, "--any-decks" in err) == (2, True)


def test_removal_command_accepts_overrides(run):
    code, answer, _ = run("removal", "TRI-02", "-d", "2", "--pays", "Straight=7", "--pays", "Straight=5")
    assert code == 0
    assert answer.count("TRI-02+Straight-7") > 1
    assert "TRI-02+Straight-5, 2 decks, wager alone" in answer
