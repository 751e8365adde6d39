"""Wagers on the same cards: dealt card by card from small shoes, and beside what each is worth alone."""

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
from tests.made_bets import bet
from tests.profiles import tries
from tests.slow.dealer import drawn_hands
from tests.slow.rules import fits
from tests.strategies import rules

F = Fraction
PILE = parse_cards("2c 2d 3c 4c 4h Kh Ks As")


def shoe_of(cards):
    """Make a shoe of just some cards of one deck."""
    return Shoe(1, removed=[card for card in ALL_CARDS if card not in cards])


def verdict(paytable, hand):
    """What a bet makes of a hand, its cards listed by place: an award, the loss after them, or not made."""
    if paytable.bet.given and not fits(paytable.bet.given.fact, hand):
        return len(paytable.awards) + 1
    return next((at for at, award in enumerate(paytable.awards) if fits(award.rule.fact, hand)), len(paytable.awards))


def chances(ways):
    """Give each row's share of all ways."""
    every = sum(ways.values())
    return {row: F(many, every) for row, many in ways.items()}


@tries(20, 3)
@given(st.data(), st.sampled_from(["player:2", "up:1, player:2", "player:1, up:1", "player:3"]))
def test_two_bets_take_awards_together_as_in_every_deal_of_a_small_shoe(data, other):
    one, two = parse_deal("player:2, up:1"), parse_deal(other)
    first = bet("player:2, up:1", [data.draw(rules(one, 1)) for _ in range(2)], id="ONE")
    second = bet(other, [data.draw(rules(two, 1)) for _ in range(2)], id="TWO")
    found = joint_outcomes([first, second], shoe_of(PILE[:6])).ways
    held = {"player": 0, "up": 3}
    ways = Counter()
    for cards in permutations(PILE[:6], 4):  # the player's three cards, then the up card
        hands = [
            [cards[held[role] + number] for role, count in deal.roles for number in range(count)] for deal in (one, two)
        ]
        ways[tuple(verdict(paytable, hand) for paytable, hand in zip((first, second), hands, strict=True))] += 1
    assert chances(found) == chances(ways)


LADDERS = [
    pytest.param("player:2, up:1", ["suited", "pair or player.has(9)", "up.has(tens)"], marks=pytest.mark.slow),
    ("player:1, up:1", ["up.has(10h)", "up.has(red) and player.has(red)", "pair"]),
    ("up:1", ["has(hearts)", "has(9, 8)"]),
    ("player:2", ["pair", "same color", "has(9)"]),
]
DRAWN = [("", ["bust and suited", "bust and same color", "bust"]), ("not blackjack", ["same color", "total == 19"])]


@pytest.mark.parametrize(("deal", "ladder"), LADDERS)
@pytest.mark.parametrize(("condition", "drawn"), DRAWN, ids=["bust", "colors"])
def test_dealt_cards_and_the_dealers_hand_go_together_as_in_every_draw_from_a_small_shoe(
    deal, ladder, condition, drawn
):
    pile = parse_cards("10h Kh 9h 9c 8d As 10s")
    first, second = bet(deal, ladder, id="DEALT"), bet("dealer:h17", drawn, condition, id="DRAWN")
    found = joint_outcomes([first, second], shoe_of(pile)).ways
    dealt = parse_deal(deal)
    own = sum(count for role, count in dealt.roles if role == "player")
    both = parse_deal(f"player:{own}, dealer:h17" if own else "dealer:h17")
    ways = Counter()
    for hand, chance in drawn_hands(pile, both, True):
        cards = [*hand[:own], hand[own]]
        ways[verdict(first, cards), verdict(second, [hand[own], hand[own + 1]])] += chance
    assert chances(found) == dict(ways)


@pytest.mark.slow
def test_bets_on_the_players_cards_and_the_dealers_hand_agree_by_two_methods():
    paytables = [bet("player:2", ["suited", "pair"], id="P"), bet("dealer:h17", ["bust and suited", "bust"], id="D")]
    shoe = Shoe(1, removed="7h 7d")
    assert chances(joint_outcomes(paytables, shoe).ways) == chances(cross_tabulate(paytables).at(shoe))


@pytest.mark.parametrize(
    "ids",
    [
        ("TRI-01", "SUP-01"),
        ("TRI-04", "HM-1", "TRI-03"),
        ("BAC-TIE", "BAC-PLAYER"),
        pytest.param(("BLZ-1-PC-PEEK", "TRI-01"), marks=pytest.mark.slow),
        pytest.param(("BB-1", "TRI-03"), marks=pytest.mark.slow),
    ],
)
def test_each_wager_is_worth_what_it_is_alone(ids):
    paytables = [get_paytable(id) for id in ids]
    found = analyze_joint([(one, F(place + 1)) for place, one in enumerate(paytables)], Shoe(6), {"meter": F(20_000)})
    for place, one in enumerate(found.wagers):
        alone, made = one.analysis.distribution, found.made[place]
        together = found.results.marginal(place)
        unmade = [(F(0), 1 - made)] if made < 1 else []
        assert dict(together.known) == dict([(result, chance * made) for result, chance in alone.known] + unmade)
    mean = sum(one.stake * found.results.marginal(place).mean.constant for place, one in enumerate(found.wagers))
    assert found.total.mean.constant == mean == -found.house_edge * found.total_stake


def test_bets_under_one_condition_are_given_it():
    one, other = bet("dealer:h17", ["bust"], "not blackjack", "A"), bet("dealer:h17", ["suited"], "not blackjack", "B")
    found = analyze_joint([(one, F(1)), (other, F(1))], Shoe(1))
    assert found.made == (1, 1)
    assert found.results.marginal(0) == analyze_wager(one, Shoe(1)).distribution


def test_variance_of_the_total_is_that_of_stakes_and_covariance():
    found = analyze_joint([(get_paytable("TRI-01"), F(10)), (get_paytable("SUP-01"), F(5))], Shoe(6))
    one, other = (found.results.marginal(place).variance.constant for place in (0, 1))
    assert found.total.variance.constant == 100 * one + 25 * other + 2 * 50 * found.results.covariance(0, 1)
    assert found.all_win + found.one_wins == sum(
        found.results.marginal(place).chance(lambda result: result.constant > 0) for place in (0, 1)
    )


@pytest.mark.parametrize("spots", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_spots_bring_what_their_mean_and_covariance_say(spots):
    found = analyze_spots(
        analyze_joint([(get_paytable("TRI-01"), F(10)), (get_paytable("HM-1"), F(5))], Shoe(1)), spots
    )
    assert (found.total.mean.constant, found.total.variance.constant) == (found.mean, found.variance)
    assert found.rows.marginal(spots - 1) == found.joint.total


def test_spots_beyond_three_have_mean_and_deviation_only():
    wagers = analyze_joint([(get_paytable("TRI-01"), F(1))], Shoe(6))
    two, five = analyze_spots(wagers, 2), analyze_spots(wagers, 5)
    alone = wagers.total.variance.constant
    assert five.total is None
    assert five.variance == 5 * alone + 20 * (two.total.variance.constant - 2 * alone) / 2


def test_all_spots_win_or_lose_with_the_dealers_hand():
    one = bet("dealer:h17", ["bust"])
    found = analyze_spots(analyze_joint([(one, F(2))], Shoe(1)), 3)
    assert found.total == found.joint.total.times(3)


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        (("TRI-01", "BAC-LUCKY-6"), "not on the same cards"),
        (("BLZ-1-PC-PEEK", "BB-1"), "cannot be laid over one another"),
        (("L9", "L9-TIE"), "cannot be laid over one another"),
    ],
)
def test_bets_that_do_not_share_their_cards_are_refused(ids, said):
    with pytest.raises(InputError, match=said):
        joint_outcomes([get_paytable(id) for id in ids], Shoe(6))


def test_a_meter_without_amount_or_seed_is_asked_for():
    with pytest.raises(InputError, match="say what it shows with --meter AMOUNT"):
        analyze_joint([(get_paytable("21+3-PT2"), F(1))], Shoe(6))


def test_cards_are_removed_however_they_are_listed():
    pile = Composition.of(PILE)
    assert pile.remove(card for card in PILE[:3]) == Composition.of(PILE[3:])
