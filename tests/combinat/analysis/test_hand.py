"""Judging one hand: it gets the award that the enumeration gives it, and each ruling names what fails."""

import json
from itertools import islice

import pytest

from combinat import InputError, judge
from combinat.analysis.hand import evaluate_hand as judge_laid
from combinat.bets.catalog import iter_collection
from combinat.bets.load import load_bet
from combinat.enumeration.experiment import register
from combinat.language.hand import hand_from_roles
from decks import Shoe
from tests.published_tables import BY_ID
from tests.slow_cases import slow_cases

FAST = {"TRI-03", "HM-1"}
ALL = [one for one in BY_ID.values() if one.bet.deal.kind != "lucky 9"]
"""Bets that cards decide; a round of Lucky 9 depends on how it is played, and is refused."""
LADDERS = {(one.bet.deal, one.bet.pack, one.ladder): one for one in sorted(ALL, key=lambda one: one.id in FAST)}
"""A paytable of each ladder: what hands take does not depend on pays."""
MOST = 3_000
"""Number of outcomes listed for a bet; those of the highest award come first."""
FEW = 40
"""Number of listed outcomes that are judged, evenly spaced, besides one example of each award."""


def shoe_of(paytable):
    return Shoe(max(2, min(paytable.decks)), paytable.bet.pack)


def is_judged_alike(paytable, outcome, shoe):
    judged = judge_laid(
        paytable, hand_from_roles(paytable.bet.deal, dict(outcome.dealt), paytable.ladder.all_rules), shoe
    )
    assert judged.is_bet
    assert judged.award == (None if outcome.award is None else paytable.awards[outcome.award].name)
    assert all(ruling.reasons for ruling in judged.rulings if not ruling.match_count)
    assert all(reason.failing and reason.observed for ruling in judged.rulings for reason in ruling.reasons)


@pytest.mark.parametrize(
    "paytable",
    [
        pytest.param(example, marks=[] if example.id in FAST else [pytest.mark.slow], id=example.id)
        for example in LADDERS.values()
    ],
)
def test_hand_gets_the_award_of_its_outcome(paytable):
    shoe = shoe_of(paytable)
    try:
        outcomes = list(islice(paytable.experiment.outcomes(shoe.composition), MOST))
    except InputError as error:  # too many outcomes to list
        assert "million classes" in str(error) or "too many to be listed" in str(error)
        return
    examples = [example for example in paytable.experiment.examples(shoe.composition) if example]
    for outcome in [*outcomes[:: max(1, len(outcomes) // FEW)], *outcomes[-5:], *examples]:
        is_judged_alike(paytable, outcome, shoe)
    assert len({outcome.award for outcome in outcomes}) > 1 or len(outcomes) == MOST


@slow_cases("BLZ-1-PC-PEEK", "BB-1")
@pytest.mark.parametrize(
    "paytable",
    [paytable_ for paytable_ in iter_collection() if paytable_.id.endswith("1") or paytable_.id == "BLZ-1-PC-PEEK"],
    ids=lambda paytable_: paytable_.id,
)
def test_example_gets_its_award(paytable):
    shoe = shoe_of(paytable)
    result = [outcome for outcome in paytable.experiment.examples(shoe.composition) if outcome]
    assert result
    for outcome in result:
        is_judged_alike(paytable, outcome, shoe)


def test_registered_experiment_is_judged(tmp_path):
    register("until ace", r"^until ace", "tests.combinat.enumeration.toy_experiment")
    path = tmp_path / "toy.toml"
    path.write_text(
        'bet = "Toy"\ndeal = "until ace"\n[hands]\n"Low" = "low cards == 2"\n[[paytable]]\nid = "TOY"\ndecks = "1"\n'
        'awards = [{ hand = "Low", pays = "2 to 1" }]\n'
    )
    (paytable,) = load_bet(path)
    assert judge(paytable, "2h 3h As").award == "Low"
    lost = judge(paytable, drawn="2h 9h As")
    assert str(lost.awards[0].reasons[0]) == "the number of low cards is not 2 (number of low cards 1)"


COUPS = """
bet = "Coups"
deal = "baccarat"
[hands]
"Three-card 8" = "player.cards == 3 and player.points == 8 and player wins"
"Third card alike" = "player_third.count(banker_third.rank) == 1"
"By four" = "margin >= 4"
"Suited tie" = "tie and player_first.suited"
"No third six" = "player_third.rank != 6 and banker wins"
[[paytable]]
id = "COUPS"
decks = "8"
awards = [
  { hand = "Three-card 8", pays = "40 to 1" },
  { hand = "Third card alike", pays = "9 to 1" },
  { hand = "By four", pays = "4 to 1" },
  { hand = "Suited tie", pays = "10 to 1" },
  { hand = "No third six", pays = "1 to 1" },
]
"""


@pytest.fixture
def coups(tmp_path):
    path = tmp_path / "coups.toml"
    path.write_text(COUPS)
    return load_bet(path)[0]


@pytest.mark.slow
def test_coup_gets_the_award_of_its_outcome(coups):
    shoe = shoe_of(coups)
    outcomes = list(islice(coups.experiment.outcomes(shoe.composition), 0, 60_000, 97))
    for outcome in outcomes + [outcome for outcome in coups.experiment.examples(shoe.composition) if outcome]:
        is_judged_alike(coups, outcome, shoe)


def test_pair_bet_needs_only_the_first_cards():
    judged = judge("BAC-PLAYER-PAIR", player_first="8h 8c")
    assert (judged.award, judged.hand["player"]) == ("Player pair", ["8h", "8c"])
    with pytest.raises(InputError, match="the cards of 'player' or 'player_first' are missing"):
        judge("BAC-PLAYER-PAIR", banker_first="8h 8c")


def test_hand_without_a_pair_has_no_top_pair():
    judged = judge("PKR-ACES-UP-1", "2c 3c 4c 6d 9h")
    assert judged.award is None
    assert any("none" in award.why for award in judged.awards)


def test_round_with_decisions_is_not_judged():
    with pytest.raises(InputError, match="from its cards alone"):
        judge("L9", "4s 5h 2c 3d")
    for cards in ({"hand": "player=4s 5h; dealer=9h Kh"}, {"player": "4s 5h", "dealer": "9h Kh"}):
        with pytest.raises(InputError, match="from its cards alone"):
            judge("L9", **cards)


def test_coup_follows_the_third_card_rules(coups):
    tied = judge(coups, player="9h Kh", banker="9d Kc")
    assert tied.award == "Suited tie"
    assert "the player does not win (9h Kh 9d Kc)" in tied.awards[0].why
    for player, banker, message in [
        ("9h Kh 2c", "9d Kc", "the player draws no third card with 9 points"),
        ("2h 3h", "Kc Kd 4c", "the player draws a third card with 5 points"),
        ("2h 4h", "Kc 2d", "the banker draws a third card with 2 points"),
    ]:
        with pytest.raises(InputError, match=message):
            judge(coups, player=player, banker=banker)
    with pytest.raises(InputError, match="for example player="):
        judge(coups, "9h Kh 9d Kc")


@pytest.mark.parametrize(
    ("bet", "hand", "award", "why"),
    [
        ("TRI-03", "As Ks 9s", "Flush", "not (ace, king and queen) (As Ks 9s)"),
        ("TRI-03", "As Ks Qh", "Straight", "not all cards of one suit (spades and hearts)"),
        ("HM-1", "Ah Ks", "Straight", "not both cards of one suit (hearts and spades)"),
        ("BLZ-ML03-PC-PEEK", "7d 7d 7d Ac Kc", "First two cards 7", "the dealer has a blackjack (Ac Kc)"),
        ("BB-1", "6h 10s 8d", "Bust, 6 up", "the dealer's hand is not three 8s (6h 10s 8d)"),
        ("BN9-EXAMPLE", "4h 4h Kh", None, "points other than 9 (number of points 8)"),
    ],
)
def test_ruling_names_the_failing_part_and_its_value(bet, hand, award, why):
    judged = judge(bet, hand)
    assert judged.award == award
    assert judged.awards[0].why == why


def test_straight_flush_names_both_failing_parts():
    assert judge("TRI-03", "As Kh 9s").awards[1].why == "no straight flush (As Kh 9s, spades and hearts)"


@pytest.mark.parametrize(
    "given",
    [
        {"hand": "As Ks Qs"},
        {"hand": ["As", "Ks", "Qs"]},
        {"player": "As Ks", "up": "Qs"},
        {"up": "Qs", "player": ["As", "Ks"]},
        {"player": "Ks As", "dealer": "Qs"},
        {"hand": "player: As Ks; up: Qs"},
        {"hand": "player=As Ks; up=Qs"},
    ],
)
def test_roles_are_given_in_order_or_by_name(given):
    judged = judge("TRI-03", **given)
    assert (judged.award, judged.pays_text, judged.net) == ("Mini royal", "100 to 1", 100)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"hand": "As Ks"}, "the deal player:2, up:1 needs three cards, got 2"),
        ({"hand": "As Ks Qs Js"}, "needs three cards, got 4"),
        ({"hand": "As As As", "decks": 2}, "2 decks cannot deal this hand: it would take 3 of As: there are only 2"),
        ({"hand": "As Ks Qs", "decks": 1, "removed": "Qs"}, "1 deck less Qs cannot deal this hand"),
        ({"player": "As Ks"}, "the cards of 'up' or 'dealer' are missing"),
        ({"player": "As Ks Qs", "up": "2c"}, "player needs two cards, got 3"),
        ({"playr": "As Ks", "up": "Qs"}, "did you mean 'player'?"),
        (
            {"player": "As Ks", "up": "Qs", "dealer": "2c"},
            "'up' and 'dealer' are the same cards, but different ones are given",
        ),
        ({"hand": "As Ks Qz"}, "'Qz' is not a card"),
        ({"hand": "player: As Ks; Qs"}, "the cards 'Qs' have no role"),
        ({"hand": "player: As Ks; player: Qs"}, "given twice"),
        ({}, "a hand in the order of player:2, up:1"),
    ],
)
def test_impossible_hand_is_refused(given, said):
    with pytest.raises(InputError) as caught:
        judge("TRI-03", **given)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("6h 10s", "a dealer who hits soft 17 draws another card with 6h 10s"),
        ("10h 8s 2d", "a dealer who hits soft 17 draws no more with 10h 8s"),
        ("Ah 6s", "draws another card with Ah 6s"),
        ("6h", "needs at least two cards, got 1"),
    ],
)
def test_unfinished_dealer_hand_is_refused(hand, said):
    with pytest.raises(InputError) as caught:
        judge("BB-1", hand)
    assert said in str(caught.value)
    assert judge("BB-1", "Ah 6s", hits_soft_17=False).award is None


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ({"up": "6h", "dealer": "Ks 9d"}, "the card of 'up' is 6h, but the cards of 'dealer' have Ks"),
        ({"dealer": "Ks 9d", "up": "6h"}, "omit 'up'"),
        ({"up": "6h"}, "some cards of 'dealer' are missing"),
    ],
)
def test_dealer_hand_includes_the_up_card(roles, said):
    with pytest.raises(InputError) as caught:
        judge("BB-1", **roles)
    assert said in str(caught.value)
    assert judge("BB-1", up="6h", dealer="6h Ks 9d").award == judge("BB-1", dealer="6h Ks 9d").award == "Bust, 6 up"


def test_false_condition_means_no_bet(tmp_path):
    path = tmp_path / "given.toml"
    path.write_text(
        'bet = "G"\ndeal = "player:2, up:1"\ngiven = "up.has(A)"\n[hands]\n"Pair" = "player.pair"\n'
        '[[paytable]]\nid = "G"\ndecks = "6"\nawards = [{ hand = "Pair", pays = "11 to 1" }]\n'
    )
    judged = judge(path, "7h 7d Kc")
    assert (judged.bet_is_made, judged.award, judged.net) == (False, None, 0)
    assert "no bet" in repr(judged)
    assert judge(path, "7h 7d Ac").award == "Pair"


def test_round_not_settled_by_its_cards_is_refused():
    with pytest.raises(InputError, match="'units won' does not follow from the cards alone"):
        judge("L9", dealer="9h Kh")


def test_meter_award_pays_the_shown_amount():
    assert judge("BLZ-1-UP", "7h 7h 7h", meters=25000).net == 24999
    assert judge("BLZ-1-UP", "7h 7h 7h").net.unknowns == ("meter",)


def test_judge_command_prints_every_format(run):
    code, answer, _ = run("judge", "tri-03", "player=As Ks", "up=9s")
    assert code == 0
    assert "Flush" in answer
    assert "not (ace, king and queen) (As Ks 9s)" in answer
    assert run("judge", "TRI-03", "As", "Ks", "9s")[1] == answer
    (data,) = json.loads(run("judge", "TRI-03", "As Ks 9s", "-f", "json")[1])
    assert (data["award"], data["net"], data["hand"]) == ("Flush", 5, {"player": ["As", "Ks"], "up": ["9s"]})
    assert data["awards"][0]["reasons"] == [{"failing": "not (ace, king and queen)", "has": "As Ks 9s"}]
    for format in ("markdown", "csv", "latex"):
        code, answer, _ = run("judge", "TRI-03", "As Ks 9s", "-f", format)
        assert code == 0
        assert "Mini royal" in answer
    assert "A wager of 1 wins  24,999" in run("judge", "BLZ-1-UP", "7h 7h 7h", "--meter", "25000")[1]


def test_judge_command_refuses_bad_hands(run):
    for wrong in (("As Ks",), ("As As As", "-d", "1"), ("playr=As Ks",), ("As Ks 9x",)):
        code, out, complaint = run("judge", "TRI-03", *wrong)
        assert (code, out, complaint.count("\n")) == (2, "", 1)
