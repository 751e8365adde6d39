"""Perfect play and suit counts, compared with every order of a small shoe; insurance has a known perfect count."""

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
from tests.slow_cases import slow_case
from tests.small_bets import build_shoe, parse_paytable

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


@pytest.mark.parametrize(("decks", "depths"), [(1, (0, 9, 30)), slow_case(6, (5, 150))])
def test_perfect_insurance_count_reaches_the_bound(decks, depths):
    """Tens −2, others +1, including the exposed ace: above 4 per deck, more than a third of the rest are tens."""
    insurance, shoe = parse_paytable(INSURANCE), Shoe(decks)
    tags = parse_tags("A=1 2=1 3=1 4=1 5=1 6=1 7=1 8=1 9=1 10=-2", shoe.composition)
    running = replace(BLACKJACK, true_count="running")
    watched = compute_count(insurance, shoe, tags, running, depths=depths, view=["up"])
    bound = exact_bound(insurance, shoe, watched.rounds, exposed_roles=["up"])
    assert watched.betting_value(4 * decks + 1).mean_win == watched.max_win_by_count() == bound.mean_win
    assert watched.betting_value(4 * decks + 2).mean_win <= bound.mean_win
    assert not bound.is_sampled
    assert sorted(len(cards) for cards in bound.classes) == [4, 16, 32]


def test_insurance_from_a_full_shoe_has_the_known_edge():
    assert analyze_wager(parse_paytable(INSURANCE), Shoe(1)).house_edge.constant == Fraction(3, 51)


def settle_flush(cards):
    ranks, suits = [card.rank for card in cards[:3]], {card.suit for card in cards[:3]}
    if len(suits) == 1:
        return Fraction(3)
    return Fraction(1, 2) if len(set(ranks)) == 2 else Fraction(-1)


def mean_of(settle, left):
    results = [settle(hand) for hand in permutations(left, 3)]
    return sum(results) / len(results)


def test_bound_and_suit_counts_match_every_order():
    flush, (shoe, pile) = parse_paytable(FLUSH), build_shoe("2c 3c 4c 5c 2d 2h 3h 9h 9s")
    seen, total, triggered, won = 3, Fraction(0), 0, Fraction(0)
    removed = list(combinations(range(len(pile)), seen))
    for out in removed:
        remaining = [card for index, card in enumerate(pile) if index not in out]
        mean = mean_of(settle_flush, remaining)
        total += max(mean, 0)
        suits = [sum(card.suit == suit for card in remaining) for suit in range(4)]
        if (max(suits) - min(suits)) * 52 >= 30 * len(remaining):
            triggered, won = triggered + 1, won + mean
    watched = count_suits(flush, shoe, BLACKJACK, depths=[seen]).betting_value(30)
    assert (watched.frequency, watched.mean_win) == (Fraction(triggered, len(removed)), won / len(removed))
    exactly = total / len(removed)
    estimate = sample_bound(flush, shoe, starts_at_depths([seen], shoe.size, 3), 400, seed=7)
    assert abs(estimate.mean_win - exactly) <= estimate.half_width
    assert exact_bound(flush, shoe, starts_at_depths([seen], shoe.size, 3)) is None


def test_exact_bound_matches_samples():
    pair = parse_paytable(SEVENS)
    shoe = Shoe(1)
    begun = starts_at_depths([30], 52, 3)
    exactly, estimate = exact_bound(pair, shoe, begun), sample_bound(pair, shoe, begun, 300, seed=3)
    assert len(exactly.classes) == 2
    assert abs(estimate.mean_win - exactly.mean_win) <= estimate.half_width
    tags = parse_tags("7=1", shoe.composition)
    assert compute_count(pair, shoe, tags, BLACKJACK, depths=[30]).max_win_by_count() == exactly.mean_win


def test_few_favorable_samples_give_no_interval():
    """Three sevens of twelve cards rarely favor the player, so most samples show no variance."""
    rare = parse_paytable(SEVENS.replace("150 to 1", "60 to 1").replace("30 to 1", "4 to 1"))
    begun = starts_at_depths([40], 52, 3)
    bound = sample_bound(rare, Shoe(1), begun, 60)
    assert exact_bound(rare, Shoe(1), begun).mean_win > 0
    assert (bound.favorable_count < MIN_GAINING, bound.half_width) == (True, None)


@pytest.mark.slow
def test_99_percent_intervals_cover_the_exact_value():
    pair = parse_paytable(SEVENS)
    begun = starts_at_depths([30], 52, 3)
    exactly = exact_bound(pair, Shoe(1), begun).mean_win
    result = [sample_bound(pair, Shoe(1), begun, 400, seed) for seed in range(200)]
    answer = [sampled for sampled in result if sampled.half_width is not None]
    held = sum(abs(sampled.mean_win - exactly) <= sampled.half_width for sampled in answer)
    assert held >= len(answer) * Fraction(97, 100)
    assert len(answer) > 100


def test_samples_are_reproducible_by_seed():
    paytable, begun = get_paytable("TRI-01"), round_starts(BLACKJACK, Shoe(6).composition, 52, 3)
    first, same, other = (sample_bound(paytable, Shoe(6), begun, 12, seed) for seed in (1, 1, 2))
    assert first == same
    assert first.mean_win != other.mean_win


def test_sampled_bound_gives_interval_samples_and_seed(run):
    shared = ("count", "TRI-01", "--decks", "6", "--depths", "260", "--tags", "2=1", "--bound", "--samples", "20")
    code, out, _ = run(*shared, "--seed", "5", "--wager", "100")
    assert code == 0
    for words in ("perfect play, sampled", "99% confidence", "too few shoes", "Shoes sampled", "Seed", "Won per hour"):
        assert words in out
    code, out, _ = run(*shared, "--format", "json")
    (payload,) = json.loads(out)
    assert (payload["perfect_play"]["sampled"], payload["perfect_play"]["samples"]) == (True, 20)


@pytest.mark.parametrize(
    ("samples", "seed", "message"),
    [(1, 1, "got 1"), (10, -1, "got -1"), (10**12, 1, "got 1000000000000")],
)
def test_invalid_samples_and_seeds_are_refused(samples, seed, message):
    with pytest.raises(InputError, match=message):
        sample_bound(get_paytable("TRI-01"), Shoe(6), starts_at_depths([260], 312, 3), samples, seed)


def test_exposed_cards_with_many_classes_are_sampled():
    full, pack = get_paytable("TRI-01"), find_pack("standard without 2 3 4 5 6 7")
    bet, shoe = replace(full, bet=replace(full.bet, pack=pack)), Shoe(1, pack)
    bound = compute_bound(bet, shoe, starts_at_depths([10], shoe.size, 3), 3, view=["up"])
    assert (bound.is_sampled, bound.samples) == (True, 3)
