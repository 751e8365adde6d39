"""Joint results of wagers on the same cards, compared with every deal of a small shoe and with each wager alone."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.joint import analyze_joint, analyze_spots, cross_tabulate, joint_outcomes
from combinat.bets.catalog import get_paytable
from combinat.enumeration.experiment import parse_deal
from decks import Composition, InputError, Shoe, parse_cards
from decks.cards import ALL_CARDS
from tests.profiles import tries
from tests.slow.dealer import iter_drawn_hands
from tests.slow.rules import fits
from tests.slow_cases import slow_case, slow_cases
from tests.small_bets import build_paytable
from tests.strategies import rules

F = Fraction
PILE = parse_cards("2c 2d 3c 4c 4h Kh Ks As")


def shoe_of(cards):
    """Return a shoe of exactly these cards of one deck."""
    return Shoe(1, removed=[card for card in ALL_CARDS if card not in cards])


def verdict(paytable, hand):
    """Return the index of the hand's award; the next index is a loss, the one after it means no bet."""
    if paytable.bet.condition and not fits(paytable.bet.condition.fact, hand):
        return len(paytable.awards) + 1
    return next(
        (index for index, award in enumerate(paytable.awards) if fits(award.rule.fact, hand)), len(paytable.awards)
    )


def chances(ways):
    """Return the probability of each row."""
    total = sum(ways.values())
    return {row: F(count, total) for row, count in ways.items()}


@tries(20, 3)
@given(st.data(), st.sampled_from(["player:2", "up:1, player:2", "player:1, up:1", "player:3"]))
def test_joint_awards_of_two_bets_match_every_deal(data, other):
    first_deal, second_deal = parse_deal("player:2, up:1"), parse_deal(other)
    first = build_paytable("player:2, up:1", [data.draw(rules(first_deal, 1)) for _ in range(2)], id="ONE")
    second = build_paytable(other, [data.draw(rules(second_deal, 1)) for _ in range(2)], id="TWO")
    result = joint_outcomes([first, second], shoe_of(PILE[:6])).ways
    held = {"player": 0, "up": 3}
    ways = Counter()
    for cards in permutations(PILE[:6], 4):  # the player's three cards, then the up card
        hands = [
            [cards[held[role] + number] for role, count in deal.roles for number in range(count)]
            for deal in (first_deal, second_deal)
        ]
        ways[tuple(verdict(paytable, hand) for paytable, hand in zip((first, second), hands, strict=True))] += 1
    assert chances(result) == chances(ways)


LADDERS = [
    slow_case("player:2, up:1", ["suited", "pair or player.has(9)", "up.has(tens)"]),
    ("player:1, up:1", ["up.has(10h)", "up.has(red) and player.has(red)", "pair"]),
    ("up:1", ["has(hearts)", "has(9, 8)"]),
    ("player:2", ["pair", "same color", "has(9)"]),
]
DRAWN = [("", ["bust and suited", "bust and same color", "bust"]), ("not blackjack", ["same color", "total == 19"])]


@slow_cases("bust-player:1, up:1-ladder1", "colors-player:2-ladder3", "bust-up:1-ladder2")
@pytest.mark.parametrize(("deal", "ladder"), LADDERS)
@pytest.mark.parametrize(("condition", "drawn"), DRAWN, ids=["bust", "colors"])
def test_joint_awards_with_a_dealer_bet_match_every_draw(deal, ladder, condition, drawn):
    pile = parse_cards("10h Kh 9h 9c 8d As 10s")
    first, second = build_paytable(deal, ladder, id="DEALT"), build_paytable("dealer:h17", drawn, condition, id="DRAWN")
    result = joint_outcomes([first, second], shoe_of(pile)).ways
    dealt = parse_deal(deal)
    own = sum(count for role, count in dealt.roles if role == "player")
    both = parse_deal(f"player:{own}, dealer:h17" if own else "dealer:h17")
    ways = Counter()
    for hand, probability in iter_drawn_hands(pile, both, True):
        cards = [*hand[:own], hand[own]]
        ways[verdict(first, cards), verdict(second, [hand[own], hand[own + 1]])] += probability
    assert chances(result) == dict(ways)


@pytest.mark.slow
def test_joint_counts_match_the_cross_tabulation():
    paytables = [
        build_paytable("player:2", ["suited", "pair"], id="P"),
        build_paytable("dealer:h17", ["bust and suited", "bust"], id="D"),
    ]
    shoe = Shoe(1, removed="7h 7d")
    assert chances(joint_outcomes(paytables, shoe).ways) == chances(cross_tabulate(paytables).at(shoe))


@pytest.mark.parametrize(
    "ids",
    [
        ("TRI-01", "SUP-01"),
        ("TRI-04", "HM-1", "TRI-03"),
        ("BAC-TIE", "BAC-PLAYER"),
        slow_case(("BLZ-1-PC-PEEK", "TRI-01")),
        slow_case(("BB-1", "TRI-03")),
    ],
)
def test_margins_match_each_wager_alone(ids):
    paytables = [get_paytable(id) for id in ids]
    joint = analyze_joint(
        [(wager, F(index + 1)) for index, wager in enumerate(paytables)], Shoe(6), {"meter": F(20_000)}
    )
    for index, wager in enumerate(joint.wagers):
        alone, made = wager.analysis.distribution, joint.bet_probabilities[index]
        together = joint.results.marginal(index)
        unmade = [(F(0), 1 - made)] if made < 1 else []
        assert dict(together.numeric_outcomes) == dict(
            [(result, probability * made) for result, probability in alone.numeric_outcomes] + unmade
        )
    mean = sum(wager.stake * joint.results.marginal(index).mean.constant for index, wager in enumerate(joint.wagers))
    assert joint.total.mean.constant == mean == -joint.house_edge * joint.total_stake


def test_shared_condition_applies_to_all_wagers():
    first, second = (
        build_paytable("dealer:h17", ["bust"], "not blackjack", "A"),
        build_paytable("dealer:h17", ["suited"], "not blackjack", "B"),
    )
    joint = analyze_joint([(first, F(1)), (second, F(1))], Shoe(1))
    assert joint.bet_probabilities == (1, 1)
    assert joint.results.marginal(0) == analyze_wager(first, Shoe(1)).distribution


def test_total_variance_follows_stakes_and_covariance():
    joint = analyze_joint([(get_paytable("TRI-01"), F(10)), (get_paytable("SUP-01"), F(5))], Shoe(6))
    first_variance, second_variance = (joint.results.marginal(index).variance.constant for index in (0, 1))
    assert (
        joint.total.variance.constant
        == 100 * first_variance + 25 * second_variance + 2 * 50 * joint.results.covariance(0, 1)
    )
    assert joint.all_win + joint.any_wins == sum(
        joint.results.marginal(index).probability(lambda result: result.constant > 0) for index in (0, 1)
    )


@pytest.mark.parametrize("spots", [2, slow_case(3)])
def test_total_of_spots_follows_mean_and_covariance(spots):
    joint_spots = analyze_spots(
        analyze_joint([(get_paytable("TRI-01"), F(10)), (get_paytable("HM-1"), F(5))], Shoe(1)), spots
    )
    assert (joint_spots.total.mean.constant, joint_spots.total.variance.constant) == (
        joint_spots.mean,
        joint_spots.variance,
    )
    assert joint_spots.rows.marginal(spots - 1) == joint_spots.joint.total


def test_more_than_three_spots_have_only_moments():
    wagers = analyze_joint([(get_paytable("TRI-01"), F(1))], Shoe(6))
    two, five = analyze_spots(wagers, 2), analyze_spots(wagers, 5)
    alone = wagers.total.variance.constant
    assert five.total is None
    assert five.variance == 5 * alone + 20 * (two.total.variance.constant - 2 * alone) / 2


def test_spots_on_a_dealer_bet_win_together():
    paytable = build_paytable("dealer:h17", ["bust"])
    spots = analyze_spots(analyze_joint([(paytable, F(2))], Shoe(1)), 3)
    assert spots.total == spots.joint.total.times(3)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (("TRI-01", "BAC-LUCKY-6"), "do not share cards"),
        (("BLZ-1-PC-PEEK", "BB-1"), "no common deal"),
        (("L9", "L9-TIE"), "no common deal"),
        (("L9", "L9"), "not counted for the deal 'lucky 9'"),
    ],
)
def test_wagers_on_different_cards_are_refused(ids, message):
    with pytest.raises(InputError, match=message):
        joint_outcomes([get_paytable(id) for id in ids], Shoe(6))


def test_meter_without_amount_or_seed_is_refused():
    with pytest.raises(InputError, match="--meter AMOUNT"):
        analyze_joint([(get_paytable("21+3-PT2"), F(1))], Shoe(6))


def test_order_of_removed_cards_does_not_matter():
    pile = Composition.of(PILE)
    assert pile.remove(card for card in PILE[:3]) == Composition.of(PILE[3:])


@pytest.mark.parametrize("removed", ["", "2c 5d 9h Ks As"])
def test_bets_with_the_same_rules_are_counted_once(removed):
    first, other = get_paytable("TRI-03"), get_paytable("TRI-04")
    shoe = Shoe(6, removed=parse_cards(removed))
    pairs, triples = joint_outcomes([first, other], shoe), joint_outcomes([first, other, first], shoe)
    assert triples.ways == {(own, others, own): count for (own, others), count in pairs.ways.items()}
    assert triples.crosstab.experiment.ladder == pairs.crosstab.experiment.ladder


@pytest.mark.parametrize("id", ["TRI-03", "BB-1", "BAC-TIE", "KINGS-BOUNTY-6D"])
@pytest.mark.parametrize("removed", ["", "2c 5d 9h Ks As"])
def test_bet_beside_itself_has_its_own_ways(id, removed):
    paytable, shoe = get_paytable(id), Shoe(6, removed=parse_cards(removed))
    alone, ways = paytable.ways(shoe), joint_outcomes([paytable, paytable], shoe).ways
    total = sum(ways.values())
    wins = {row: Fraction(count, total) for row, count in ways.items() if row[0] < len(paytable.awards)}
    assert wins == {(index, index): Fraction(count, alone.cycle) for index, count in enumerate(alone.wins) if count}
