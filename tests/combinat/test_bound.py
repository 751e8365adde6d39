"""Perfect play and counts of suits against every order of a small shoe, and insurance, whose perfect count is known."""

import json
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.counting.bound import compute_bound, exact_bound, sample_bound
from combinat.counting.conventions import BLACKJACK, round_starts, starts_at_depths
from combinat.counting.counts import compute_count, count_suits
from combinat.counting.sampling.estimator import MIN_GAINING
from combinat.counting.tags import parse_tags
from decks import InputError, Shoe, find_pack
from tests.made_bets import bet_of, shoe_of

INSURANCE = """
bet = "Insurance"
deal = "up:1, hole:1"
given = "up.has(A)"
[hands]
"Blackjack" = "hole.has(tens)"
[[paytable]]
id = "INS"
decks = "1-8"
awards = [{ hand = "Blackjack", pays = "2 to 1" }]
"""
FLUSH = """
bet = "Flush"
deal = "player:3"
[hands]
"Flush" = "suited"
"Pair" = "pair"
[[paytable]]
id = "F"
decks = "1"
awards = [{ hand = "Flush", pays = "3 to 1" }, { hand = "Pair", pays = "1 to 2" }]
"""
SEVENS = (
    FLUSH.replace('"Flush" = "suited"', '"Flush" = "count(7) == 3"')
    .replace("pair", "count(7) == 2")
    .replace("3 to 1", "150 to 1")
    .replace("1 to 2", "30 to 1")
)


@pytest.mark.parametrize(("decks", "depths"), [(1, (0, 9, 30)), (6, (5, 150))])
def test_the_perfect_insurance_count_reaches_the_bound_exactly(decks, depths):
    """Tens −2, others +1, the ace in view too: above four for each deck more than a third of the rest are tens."""
    insurance, shoe = bet_of(INSURANCE), Shoe(decks)
    tags = parse_tags("A=1 2=1 3=1 4=1 5=1 6=1 7=1 8=1 9=1 10=-2", shoe.composition)
    running = replace(BLACKJACK, true_count="running")
    watched = compute_count(insurance, shoe, tags, running, depths=depths, view=["up"])
    found = exact_bound(insurance, shoe, watched.rounds, view=["up"])
    assert watched.worth(4 * decks + 1).won == watched.max_win_by_count() == found.won
    assert watched.worth(4 * decks + 2).won <= found.won
    assert not found.is_sampled
    assert sorted(len(cards) for cards in found.classes) == [4, 16, 32]


def test_insurance_off_the_top_loses_what_it_is_known_to():
    assert analyze_wager(bet_of(INSURANCE), Shoe(1)).house_edge.constant == Fraction(3, 51)


def settle_flush(cards):
    ranks, suits = [card.rank for card in cards[:3]], {card.suit for card in cards[:3]}
    if len(suits) == 1:
        return Fraction(3)
    return Fraction(1, 2) if len(set(ranks)) == 2 else Fraction(-1)


def mean_of(settle, left):
    results = [settle(hand) for hand in permutations(left, 3)]
    return sum(results) / len(results)


def test_perfect_play_and_suits_agree_with_every_order_of_a_small_shoe():
    flush, (shoe, pile) = bet_of(FLUSH), shoe_of("2c 3c 4c 5c 2d 2h 3h 9h 9s")
    seen, total, triggered, won = 3, Fraction(0), 0, Fraction(0)
    gone = list(combinations(range(len(pile)), seen))
    for out in gone:
        left = [card for place, card in enumerate(pile) if place not in out]
        mean = mean_of(settle_flush, left)
        total += max(mean, 0)
        suits = [sum(card.suit == suit for card in left) for suit in range(4)]
        if (max(suits) - min(suits)) * 52 >= 30 * len(left):
            triggered, won = triggered + 1, won + mean
    watched = count_suits(flush, shoe, BLACKJACK, depths=[seen]).worth(30)
    assert (watched.frequency, watched.won) == (Fraction(triggered, len(gone)), won / len(gone))
    exactly = total / len(gone)
    estimate = sample_bound(flush, shoe, starts_at_depths([seen], shoe.size, 3), 400, seed=7)
    assert abs(estimate.won - exactly) <= estimate.half_width
    assert exact_bound(flush, shoe, starts_at_depths([seen], shoe.size, 3)) is None


def test_ranks_alone_give_the_bound_exactly_and_samples_agree():
    pair = bet_of(SEVENS)
    shoe = Shoe(1)
    begun = starts_at_depths([30], 52, 3)
    exactly, estimate = exact_bound(pair, shoe, begun), sample_bound(pair, shoe, begun, 300, seed=3)
    assert len(exactly.classes) == 2
    assert abs(estimate.won - exactly.won) <= estimate.half_width
    tags = parse_tags("7=1", shoe.composition)
    assert compute_count(pair, shoe, tags, BLACKJACK, depths=[30]).max_win_by_count() == exactly.won


def test_too_few_shoes_in_favor_of_the_player_give_no_interval():
    """Three sevens of twelve cards favor the player so seldom that most samples see nothing vary."""
    rare = bet_of(SEVENS.replace("150 to 1", "60 to 1").replace("30 to 1", "4 to 1"))
    begun = starts_at_depths([40], 52, 3)
    few = sample_bound(rare, Shoe(1), begun, 60)
    assert exact_bound(rare, Shoe(1), begun).won > 0
    assert (few.gaining < MIN_GAINING, few.half_width) == (True, None)


@pytest.mark.slow
def test_intervals_of_99_percent_hold_the_truth_about_as_often():
    pair = bet_of(SEVENS)
    begun = starts_at_depths([30], 52, 3)
    exactly = exact_bound(pair, Shoe(1), begun).won
    found = [sample_bound(pair, Shoe(1), begun, 400, seed) for seed in range(200)]
    told = [one for one in found if one.half_width is not None]
    held = sum(abs(one.won - exactly) <= one.half_width for one in told)
    assert held >= len(told) * Fraction(97, 100)
    assert len(told) > 100


def test_samples_are_the_same_for_the_same_seed_however_many_follow():
    paytable, begun = get_paytable("TRI-01"), round_starts(BLACKJACK, Shoe(6).composition, 52, 3)
    one, same, other = (sample_bound(paytable, Shoe(6), begun, 12, seed) for seed in (1, 1, 2))
    assert one == same
    assert one.won != other.won


def test_what_is_sampled_says_so_with_its_interval_samples_and_seed(run):
    shared = ("count", "TRI-01", "--decks", "6", "--depths", "260", "--tags", "2=1", "--bound", "--samples", "20")
    code, out, _ = run(*shared, "--seed", "5", "--wager", "100")
    assert code == 0
    for words in ("perfect play, sampled", "99% confidence", "too few shoes", "Shoes sampled", "Seed", "Won per hour"):
        assert words in out
    code, out, _ = run(*shared, "--format", "json")
    (told,) = json.loads(out)
    assert (told["perfect_play"]["sampled"], told["perfect_play"]["samples"]) == (True, 20)


@pytest.mark.parametrize(
    ("samples", "seed", "message"),
    [(1, 1, "cannot sample 1 shoes"), (10, -1, "no seed -1"), (10**12, 1, "cannot sample")],
)
def test_samples_and_seeds_that_there_are_not_are_refused(samples, seed, message):
    with pytest.raises(InputError, match=message):
        sample_bound(get_paytable("TRI-01"), Shoe(6), starts_at_depths([260], 312, 3), samples, seed)


def test_perfect_play_with_cards_in_view_is_sampled_where_too_many_classes_matter():
    whole, pack = get_paytable("TRI-01"), find_pack("standard without 2 3 4 5 6 7")
    bet, shoe = replace(whole, bet=replace(whole.bet, pack=pack)), Shoe(1, pack)
    found = compute_bound(bet, shoe, starts_at_depths([10], shoe.size, 3), 3, view=["up"])
    assert (found.is_sampled, found.samples) == (True, 3)
