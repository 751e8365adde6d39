"""Counts of bets whose winnings ride: against rounds dealt card by card, and what must hold for every count."""

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
from combinat.counting.counted_bet import counting_basis
from combinat.counting.counts import compute_count
from combinat.counting.parlay import ParlayCounter
from combinat.counting.running_count import iter_count_distributions
from combinat.counting.tags import best_tags, betting_correlation, parse_tags
from combinat.study import Basis, Study, build_study
from decks import InputError, Shoe
from tests.made_bets import bet_of, shoe_of
from tests.profiles import tries
from tests.riding import MADE, NO_SPLIT, QUICK, SMALL, small_shoe
from tests.slow import ridden
from tests.slow.catalog import LADDERS
from tests.slow.deals import physical_cards


def settle_made(first, second, up):
    del up
    if first.rank == second.rank:
        return Fraction(10) if first.suit == second.suit else Fraction(5, 2)
    if 13 in (first.rank, second.rank):
        return Fraction(3)
    return Fraction(first.suit == second.suit)


def settle_by_hand(paytable):
    """What comes back for a wager of one, by the awards as they are written by hand."""
    grosses = [award.pay.gross.constant for award in paytable.awards]

    def settle(*cards):
        first, second, up = ((int(card.rank), str(card)[-1]) for card in cards)
        place = LADDERS[paytable.id]([first, second], up)
        return Fraction(0) if place is None else grosses[place]

    return settle


@lru_cache(maxsize=None)
def ride_of(paytable, shoe, rules):
    return ParlayCounter(build_study(paytable, shoe, rules=rules))


@lru_cache(maxsize=None)
def made(option, name):
    cards, rules, tags = SMALL[name]
    shoe, _ = shoe_of(cards)
    return ride_of(bet_of(MADE.replace("OPTION", option)), shoe, rules), parse_tags(tags, shoe.composition)


def assert_agrees(ride, marks, settle, depth):
    """Lay every choice of cards aside, and play every round of the others card by card."""
    paytable, shoe = ride.study.paytable, ride.study.shoe
    found = compute_count(paytable, shoe, marks, BLACKJACK, depths=[depth], ride=ride)
    pile = physical_cards(shoe.composition)
    rounds = ridden.Round(pile, ride.study.option.rules, settle, paytable.bet.option == "parlay")
    slow = ridden.counted(rounds, pile, marks, depth)
    here, uses = found.at[depth], found.uses
    fast = {
        one.count: (Fraction(one.ways, here.every), Fraction(one.made, here.every), won_at(one, here, uses))
        for one in here.counts
    }
    assert fast == {seen: known[:3] for seen, known in slow.items()}
    for trigger in (-5, 0, 1, 4):
        reached = [known for seen, known in slow.items() if seen * 52 >= trigger * (shoe.size - depth)]
        worth = found.worth(trigger)
        frequency, won, squared = (sum((known[place] for known in reached), Fraction(0)) for place in (1, 2, 3))
        assert (worth.frequency, worth.won) == (frequency, won)
        assert worth.squared <= squared <= worth.max_second_moment
        if all(one.action is not Action.SPLIT for one in ride.study.option.decisions if one.should_parlay):
            assert worth.squared == squared == worth.max_second_moment


def won_at(one, here, uses):
    return Fraction(one.gained, here.every * uses.unit) + uses.lowest * Fraction(one.made, here.every)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("option", ["parlay", "press"])
def test_every_round_of_a_small_shoe_agrees(option, name):
    """With blackjacks, doubled hands and splits, kings told from other tens, and a push that does not ride."""
    assert_agrees(*made(option, name), settle_made, 1)


def test_a_bet_under_a_condition_is_made_where_it_holds():
    shoe, _ = shoe_of(SMALL["doubled"][0])
    text = MADE.replace("OPTION", "parlay").replace("[hands]", 'given = "not (suited and count(5) >= 1)"\n[hands]')
    ride = ride_of(bet_of(text), shoe, NO_SPLIT)

    def settle(first, second, up):
        is_left_out = first.suit == second.suit and 5 in (first.rank, second.rank)
        return None if is_left_out else settle_made(first, second, up)

    marks = parse_tags("A=-2 5=1 K=1", shoe.composition)
    assert_agrees(ride, marks, settle, 1)
    found = compute_count(ride.study.paytable, shoe, marks, BLACKJACK, depths=[0, 2], ride=ride)
    assert [worth.edge for _, worth in found.by_depth(None)] == [-ride.study.house_edge.constant] * 2
    pile = physical_cards(shoe.composition)
    made_then, won, _ = ridden.Round(pile, NO_SPLIT, settle, is_parlay=True).won(pile[1:])
    assert ride.removal().of(pile[0]).house_edge == -won / made_then


@pytest.mark.slow
@pytest.mark.parametrize("id", ["HM-2", "TRILXDLX-01"])
@pytest.mark.parametrize("depth", [0, 2])
def test_every_round_of_a_small_shoe_agrees_for_bets_of_the_catalog(id, depth):
    shoe, _ = shoe_of("10c 10d Kc Kd Kh 10h 8c 8d 7c 5c 5d")
    marks = parse_tags("8=2 7=1 K=-1", shoe.composition)
    assert_agrees(ride_of(get_paytable(id), shoe, QUICK), marks, settle_by_hand(get_paytable(id)), depth)


@pytest.mark.slow
def test_every_round_of_hands_that_are_split_again_agrees():
    shoe, _ = shoe_of("10c 10d Kc Kd Kh 10h 8c 8d 8h 9c 9d 7c")
    marks = parse_tags("8=2 9=1 K=-1 7=1", shoe.composition)
    assert_agrees(
        ride_of(get_paytable("HM-2"), shoe, BlackjackRules(max_hands=3)), marks, settle_by_hand(get_paytable("HM-2")), 1
    )


@pytest.mark.slow
def test_every_round_of_soft_hands_that_are_hit_agrees():
    marks = parse_tags("A=-2 2=1 5=1 6=2 10=-1 K=1", small_shoe().composition)
    assert_agrees(ride_of(get_paytable("HM-2"), small_shoe(), QUICK), marks, settle_by_hand(get_paytable("HM-2")), 1)


def test_the_mean_edge_over_all_counts_is_that_of_best_play():
    ride, marks = made("parlay", "split")
    found = compute_count(ride.study.paytable, ride.study.shoe, marks, BLACKJACK, depths=[0, 1, 2, 3], ride=ride)
    assert [one.edge for _, one in found.by_depth(None)] == [-ride.study.house_edge.constant] * 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "decks", "rules"), [("HM-1", 2, QUICK), ("HM-2", 1, BlackjackRules()), ("TRILXDLX-01", 1, BlackjackRules())]
)
def test_the_mean_edge_over_all_counts_is_what_show_prints(id, decks, rules):
    one = build_study(get_paytable(id), Shoe(decks), rules=rules)
    marks = parse_tags("A=-1 5=1 7=1 K=-1", one.shoe.composition)
    found = compute_count(one.paytable, one.shoe, marks, BLACKJACK, depths=[0, 1, 26], ride=ParlayCounter(one))
    assert [worth.edge for _, worth in found.by_depth(None)] == [-one.house_edge.constant] * 3
    assert one.house_edge.constant < one.analysis.house_edge.constant
    least, most = one.option.results.variance_bounds
    for _, worth in found.by_depth(None):
        assert worth.max_second_moment - worth.won**2 == most
        assert Fraction(999, 1000) * least < worth.squared - worth.won**2 <= least


@pytest.mark.parametrize("name", SMALL)
def test_the_effect_of_removal_is_what_a_round_without_the_card_brings(name):
    """Played as with all cards, card by card; suits differ here, since the shoe does not have all of them."""
    ride, _ = made("parlay", name)
    removal, pile = ride.removal(), physical_cards(ride.study.shoe.composition)
    rounds = ridden.Round(pile, ride.study.option.rules, settle_made, is_parlay=True)
    assert (removal.basis, removal.balance) == (Basis.OFF_THE_TOP, 0)
    assert removal.house_edge == ride.study.house_edge
    for place, card in enumerate(pile):
        made_then, won, _ = rounds.won(pile[:place] + pile[place + 1 :])
        assert removal.of(card).house_edge == -won / made_then


def test_the_best_tags_are_those_of_the_same_play():
    """Play that is fixed has other effects than the wager alone, and it is their correlation that is highest."""
    ride, _ = made("parlay", "doubled")
    removal, alone = ride.removal(), counting_basis(Study(ride.study.analysis)).removal
    reached = betting_correlation(best_tags(removal, 1, balanced=False), removal)
    assert reached > betting_correlation(best_tags(alone, 1, balanced=False), removal)


def test_what_goes_by_suits_or_with_cards_in_view_is_refused():
    ride, _ = made("parlay", "doubled")
    bet, shoe = ride.study.paytable, ride.study.shoe
    with pytest.raises(InputError, match="what rides on the hand goes by ranks"):
        compute_count(bet, shoe, parse_tags("clubs=1", shoe.composition), BLACKJACK, depths=[1], ride=ride)
    with pytest.raises(InputError, match="with cards in view only the wager alone"):
        compute_count(bet, shoe, parse_tags("5=1", shoe.composition), BLACKJACK, depths=[1], view=["player"], ride=ride)


def test_a_round_needs_cards_for_the_longest_hand_and_the_cut_card_goes_by_that():
    ride, marks = made("parlay", "split")
    way = counting_basis(ride.study)
    assert way.default_cut(BLACKJACK) == ride.longest - 1 == 4
    with pytest.raises(InputError, match="no round begins after 5 of 9 cards; it can take 5"):
        compute_count(ride.study.paytable, ride.study.shoe, marks, BLACKJACK, depths=[5], ride=ride)


@given(
    st.lists(st.integers(2, 5), min_size=1, max_size=3),
    st.dictionaries(st.tuples(*[st.integers(0, 2)] * 3), st.tuples(*[st.integers(1, 50)] * 3), min_size=1, max_size=9),
    st.lists(st.integers(-3, 3), min_size=3, max_size=3, unique=True),
    st.booleans(),
    st.booleans(),
)
@tries(150)
def test_products_summed_together_are_those_of_each_outcome(sizes, outcomes, tags, is_whole, are_many):
    """Of up to three classes, in one go where lengths are made alike and length by length where that is too much."""
    number = len(sizes)
    table = {((0,) * number, taken[:number]): Weight(*values) for taken, values in outcomes.items()}
    bet = CardUsage(sum(sizes), tuple(sizes), table, Fraction(-1), 1, is_whole)
    depths = range(min(4, bet.size - bet.longest) + 1)
    with pytest.MonkeyPatch.context() as patch:
        each = list(iter_count_distributions(bet, sorted(tags)[:number], depths))
        patch.setattr(counted_module, "_MIN_SUMMED", 0)
        patch.setattr("combinat.counting.running_count.MAX_OUTCOMES_TOGETHER", 10**6 if are_many else 0)
        assert list(iter_count_distributions(bet, sorted(tags)[:number], depths)) == each
