"""Counts of bets with a parlay, compared with rounds dealt card by card, and their invariants."""

from fractions import Fraction
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.bets.catalog import get_paytable
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.counting import running_count as counted_module
from combinat.counting.card_usage import CardUsage, Weight
from combinat.counting.conventions import BLACKJACK
from combinat.counting.counts import compute_count
from combinat.counting.evaluation import counting_basis
from combinat.counting.parlay import ParlayCounter
from combinat.counting.running_count import iter_count_distributions
from combinat.counting.tags import best_tags, betting_correlation, parse_tags
from combinat.study import Basis, Study, build_study
from decks import InputError, Shoe
from tests.parlay import ONE_HAND, PARLAY_BET, SMALL_SHOES, TWO_HANDS, small_shoe
from tests.profiles import tries
from tests.slow import parlay as reference
from tests.slow.catalog import LADDERS
from tests.slow.deals import physical_cards
from tests.slow_cases import slow_cases
from tests.small_bets import build_shoe, parse_paytable


def settle_made(first, second, up):
    del up
    if first.rank == second.rank:
        return Fraction(10) if first.suit == second.suit else Fraction(5, 2)
    if 13 in (first.rank, second.rank):
        return Fraction(3)
    return Fraction(first.suit == second.suit)


def settle_by_hand(paytable):
    """Return the gross of a wager of 1, with the awards written by hand."""
    grosses = [award.pay.gross.constant for award in paytable.awards]

    def settle(*cards):
        first, second, up = ((int(card.rank), str(card)[-1]) for card in cards)
        index = LADDERS[paytable.id]([first, second], up)
        return Fraction(0) if index is None else grosses[index]

    return settle


@lru_cache(maxsize=None)
def ride_of(paytable, shoe, rules):
    return ParlayCounter(build_study(paytable, shoe, rules=rules))


@lru_cache(maxsize=None)
def made(option, name):
    cards, rules, tags = SMALL_SHOES[name]
    shoe, _ = build_shoe(cards)
    return ride_of(parse_paytable(PARLAY_BET.replace("OPTION", option)), shoe, rules), parse_tags(
        tags, shoe.composition
    )


def assert_agrees(ride, marks, settle, depth):
    """Remove every choice of cards, and play every round of the rest card by card."""
    paytable, shoe = ride.study.paytable, ride.study.shoe
    result = compute_count(paytable, shoe, marks, BLACKJACK, depths=[depth], ride=ride)
    pile = physical_cards(shoe.composition)
    rounds = reference.Round(pile, ride.study.option.rules, settle, paytable.bet.option == "parlay")
    slow = reference.count_rounds(rounds, pile, marks, depth)
    at_depth, uses = result.by_cards_seen[depth], result.usage
    fast = {
        at_count.count: (
            Fraction(at_count.ways, at_depth.total_ways),
            Fraction(at_count.bets, at_depth.total_ways),
            won_at(at_count, at_depth, uses),
        )
        for at_count in at_depth.counts
    }
    assert fast == {seen: sums_of_count[:3] for seen, sums_of_count in slow.items()}
    for trigger in (-5, 0, 1, 4):
        reached = [sums_of_count for seen, sums_of_count in slow.items() if seen * 52 >= trigger * (shoe.size - depth)]
        worth = result.betting_value(trigger)
        frequency, won, squared = (
            sum((sums_of_count[index] for sums_of_count in reached), Fraction(0)) for index in (1, 2, 3)
        )
        assert (worth.frequency, worth.mean_win) == (frequency, won)
        assert worth.second_moment <= squared <= worth.max_second_moment
        if all(
            at_count.action is not Action.SPLIT for at_count in ride.study.option.decisions if at_count.should_parlay
        ):
            assert worth.second_moment == squared == worth.max_second_moment


def won_at(at_count, at_depth, uses):
    return Fraction(at_count.gains, at_depth.total_ways * uses.unit) + uses.lowest_result * Fraction(
        at_count.bets, at_depth.total_ways
    )


@slow_cases("parlay-doubled", "press-split")
@pytest.mark.parametrize("name", SMALL_SHOES)
@pytest.mark.parametrize("option", ["parlay", "press"])
def test_counts_match_every_round_of_a_small_shoe(option, name):
    """Cover blackjacks, doubles and splits, kings distinguished from other tens, and a push that is not parlayed."""
    assert_agrees(*made(option, name), settle_made, 1)


def test_condition_limits_the_rounds_with_a_bet():
    shoe, _ = build_shoe(SMALL_SHOES["doubled"][0])
    text = PARLAY_BET.replace("OPTION", "parlay").replace(
        "[hands]", 'given = "not (suited and count(5) >= 1)"\n[hands]'
    )
    ride = ride_of(parse_paytable(text), shoe, ONE_HAND)

    def settle(first, second, up):
        is_left_out = first.suit == second.suit and 5 in (first.rank, second.rank)
        return None if is_left_out else settle_made(first, second, up)

    marks = parse_tags("A=-2 5=1 K=1", shoe.composition)
    assert_agrees(ride, marks, settle, 1)
    result = compute_count(ride.study.paytable, shoe, marks, BLACKJACK, depths=[0, 2], ride=ride)
    assert [worth.edge for _, worth in result.by_depth(None)] == [-ride.study.house_edge.constant] * 2
    pile = physical_cards(shoe.composition)
    made_then, won, _ = reference.Round(pile, ONE_HAND, settle, is_parlay=True).mean_win(pile[1:])
    assert ride.removal().effect_of(pile[0]).house_edge == -won / made_then


@pytest.mark.slow
@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
@pytest.mark.parametrize("depth", [0, 2])
def test_counts_match_every_round_for_catalog_bets(id, depth):
    shoe, _ = build_shoe("10c 10d Kc Kd Kh 10h 8c 8d 7c 5c 5d")
    marks = parse_tags("8=2 7=1 K=-1", shoe.composition)
    assert_agrees(ride_of(get_paytable(id), shoe, TWO_HANDS), marks, settle_by_hand(get_paytable(id)), depth)


@pytest.mark.slow
def test_counts_match_every_round_with_resplits():
    shoe, _ = build_shoe("10c 10d Kc Kd Kh 10h 8c 8d 8h 9c 9d 7c")
    marks = parse_tags("8=2 9=1 K=-1 7=1", shoe.composition)
    assert_agrees(
        ride_of(get_paytable("HM-2"), shoe, BlackjackRules(max_hands=3)), marks, settle_by_hand(get_paytable("HM-2")), 1
    )


@pytest.mark.slow
def test_counts_match_every_round_with_soft_hands():
    marks = parse_tags("A=-2 2=1 5=1 6=2 10=-1 K=1", small_shoe().composition)
    assert_agrees(
        ride_of(get_paytable("HM-2"), small_shoe(), TWO_HANDS), marks, settle_by_hand(get_paytable("HM-2")), 1
    )


def test_mean_edge_over_counts_is_that_of_best_play():
    ride, marks = made("parlay", "split")
    result = compute_count(ride.study.paytable, ride.study.shoe, marks, BLACKJACK, depths=[0, 1, 2, 3], ride=ride)
    assert [value.edge for _, value in result.by_depth(None)] == [-ride.study.house_edge.constant] * 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "decks", "rules"),
    [("HM-1", 2, TWO_HANDS), ("HM-2", 1, BlackjackRules()), ("TRILXDLX-01", 1, BlackjackRules())],
)
def test_mean_edge_over_counts_matches_show(id, decks, rules):
    study = build_study(get_paytable(id), Shoe(decks), rules=rules)
    marks = parse_tags("A=-1 5=1 7=1 K=-1", study.shoe.composition)
    result = compute_count(study.paytable, study.shoe, marks, BLACKJACK, depths=[0, 1, 26], ride=ParlayCounter(study))
    assert [worth.edge for _, worth in result.by_depth(None)] == [-study.house_edge.constant] * 3
    assert study.house_edge.constant < study.analysis.house_edge.constant
    lowest, highest = study.option.results.variance_bounds
    for _, worth in result.by_depth(None):
        assert worth.max_second_moment - worth.mean_win**2 == highest
        assert Fraction(999, 1000) * lowest < worth.second_moment - worth.mean_win**2 <= lowest


@pytest.mark.parametrize("name", SMALL_SHOES)
def test_effect_of_removal_matches_a_round_without_the_card(name):
    """Play the strategy of the full shoe card by card; suits differ, since the shoe lacks some of them."""
    ride, _ = made("parlay", name)
    removal, pile = ride.removal(), physical_cards(ride.study.shoe.composition)
    rounds = reference.Round(pile, ride.study.option.rules, settle_made, is_parlay=True)
    assert (removal.basis, removal.balance) == (Basis.OFF_THE_TOP, 0)
    assert removal.house_edge == ride.study.house_edge
    for index, card in enumerate(pile):
        made_then, won, _ = rounds.mean_win(pile[:index] + pile[index + 1 :])
        assert removal.effect_of(card).house_edge == -won / made_then


def test_best_tags_use_the_same_strategy():
    """A fixed strategy has other effects than the wager alone, and the best tags maximize their correlation."""
    ride, _ = made("parlay", "doubled")
    removal, alone = ride.removal(), counting_basis(Study(ride.study.analysis)).removal
    reached = betting_correlation(best_tags(removal, 1, balanced=False), removal)
    assert reached > betting_correlation(best_tags(alone, 1, balanced=False), removal)


def test_suit_tags_and_exposed_cards_are_refused():
    ride, _ = made("parlay", "doubled")
    bet, shoe = ride.study.paytable, ride.study.shoe
    with pytest.raises(InputError, match="by rank"):
        compute_count(bet, shoe, parse_tags("clubs=1", shoe.composition), BLACKJACK, depths=[1], ride=ride)
    with pytest.raises(InputError, match="only the wager alone"):
        compute_count(bet, shoe, parse_tags("5=1", shoe.composition), BLACKJACK, depths=[1], view=["player"], ride=ride)


def test_cut_card_leaves_cards_for_the_longest_round():
    ride, marks = made("parlay", "split")
    way = counting_basis(ride.study)
    assert way.default_cut(BLACKJACK) == ride.longest - 1 == 4
    with pytest.raises(InputError, match="got 5"):
        compute_count(ride.study.paytable, ride.study.shoe, marks, BLACKJACK, depths=[5], ride=ride)


@given(
    st.lists(st.integers(2, 5), min_size=1, max_size=3),
    st.dictionaries(st.tuples(*[st.integers(0, 2)] * 3), st.tuples(*[st.integers(1, 50)] * 3), min_size=1, max_size=9),
    st.lists(st.integers(-3, 3), min_size=3, max_size=3, unique=True),
    st.booleans(),
    st.booleans(),
)
@tries(150)
def test_batched_products_match_single_ones(sizes, outcomes, tags, is_whole, are_many):
    """Use up to three classes: one pass where lengths are padded, and one per length where that is too much."""
    number = len(sizes)
    table = {((0,) * number, used[:number]): Weight(*values) for used, values in outcomes.items()}
    bet = CardUsage(sum(sizes), tuple(sizes), table, Fraction(-1), 1, is_whole)
    depths = range(min(4, bet.shoe_size - bet.max_cards) + 1)
    with pytest.MonkeyPatch.context() as patch:
        each = list(iter_count_distributions(bet, sorted(tags)[:number], depths))
        patch.setattr(counted_module, "_MIN_SUMMED", 0)
        patch.setattr("combinat.counting.running_count.MAX_OUTCOMES_TOGETHER", 10**6 if are_many else 0)
        assert list(iter_count_distributions(bet, sorted(tags)[:number], depths)) == each
