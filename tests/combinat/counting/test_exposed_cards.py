"""Counts with exposed and burned cards, compared with every order of a tiny shoe."""

import json
from fractions import Fraction
from math import floor

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from more_itertools import distinct_permutations
from msgspec.structs import replace

from combinat.bets.catalog import get_paytable
from combinat.bets.overrides import make_reference
from combinat.counting.bound import exact_bound, sample_bound
from combinat.counting.conventions import BACCARAT, BLACKJACK, Conventions, RoundStart, round_starts, starts_at_depths
from combinat.counting.counts import compute_count
from combinat.counting.exposed_cards import ExposedCardValuer, max_win_with_exposed
from combinat.counting.sampling.driver import Sampling
from combinat.counting.sampling.estimator import draw_sample, sample_shoes
from combinat.counting.tags import Tags
from combinat.parallel.pool import ProcessPool
from decks import InputError, Shoe, find_pack
from decks.cards import ALL_CARDS
from tests.profiles import tries
from tests.slow.counting import burned_cards, iter_rounds, perfect_play, results_by_count, settle_round
from tests.slow.dealer import RanOutError
from tests.small_bets import build_paytable as made
from tests.small_bets import build_shoe

WATCHED = [
    ("dealer:h17", ["bust and suited", "bust", "total == 20"], ""),
    ("dealer:s17", ["bust and up.has(9)", "cards == 2"], "not blackjack"),
    ("player:1, dealer:h17", ["player.has(A) and dealer.bust", "player.rank < up.rank"], ""),
    ("player:2, up:1", ["player.pair and player.suited", "player.count(up.rank) >= 1"], "not up.has(A)"),
    ("baccarat", ["tie", "banker wins and banker.cards == 3"], ""),
    ("baccarat", ["player_first.pair", "player wins"], "not banker_first.has(9)"),
]
"""Deals with rules and an optional condition."""
STOCK = "Ac 7c 9h 9s 10c Kd"
FEW = "standard without 2 3 4 5 6 8 J Q"
"""With few ranks the dealer has few finished hands."""
LOW = ["As", "2d", "3h", "3c"]
"""Few cards are burned after these."""


def named(bet):
    """Roles that always get cards."""
    deal = bet.bet.deal
    return [name for name, positions in deal.exposable_positions.items() if deal.size(positions) is not None]


def tags_by_value(draw, shoe):
    of = {}
    return Tags({card: of.setdefault(min(card.rank, 10), draw(st.integers(-2, 2))) for card, _ in shoe.composition})


@st.composite
def watched_bets(draw):
    deal, ladder, condition = draw(st.sampled_from(WATCHED))
    size = 7 if deal == "baccarat" else draw(st.integers(5, 6))
    shoe, pile = build_shoe(" ".join(draw(st.lists(st.sampled_from(STOCK.split()), min_size=size, max_size=size))), FEW)
    bet = made(deal, ladder, condition, pays=draw(st.permutations([1, 3, 8])), pack=FEW)
    view = draw(st.lists(st.sampled_from(named(bet)), unique=True, max_size=2))
    return bet, shoe, pile, tags_by_value(draw, shoe), draw(st.integers(0, 1 if deal == "baccarat" else 2)), view


@given(watched_bets())
@tries(60, quick=4)
def test_exposed_cards_match_every_order(watched):
    bet, shoe, pile, tags, depth, view = watched
    try:
        slow = list(iter_rounds(bet, pile, depth, view))
        fast = compute_count(bet, shoe, tags, BLACKJACK, depths=[depth], view=view)
    except (RanOutError, InputError, StopIteration):
        assume(False)
    assert sums(fast, depth) == results_by_count(slow, tags)
    begun = starts_at_depths([depth], shoe.size, 1)
    perfect = exact_bound(bet, shoe, begun, exposed_roles=view)
    if perfect is not None:
        assert perfect.mean_win == perfect_play(slow)


def sums(found, depth):
    """Return by count: how often a bet is made, the mean win and its second moment."""
    at_depth, unit, low = found.by_cards_seen[depth], found.usage.unit, found.usage.lowest_result
    answer = {}
    for count in at_depth.counts:
        made_, gain = Fraction(count.bets, at_depth.total_ways), Fraction(count.gains, at_depth.total_ways * unit)
        square = Fraction(count.squares, at_depth.total_ways * unit**2)
        if made_:
            answer[count.count] = (made_, gain + low * made_, square + 2 * low * gain + low * low * made_)
    return answer


@st.composite
def tables(draw):
    """Draw a small shoe of low cards, a bet, tags, and conventions that may burn cards by the first one."""
    deal, ladder, condition = draw(
        st.sampled_from(
            [
                ("player:2", ["pair", "count(3) == 1"], ""),
                ("player:1, up:1", ["player.rank > up.rank", "player.has(hearts)"], ""),
                ("player:2", ["total == 3", "suited"], "count(2) < 2"),
            ]
        )
    )
    shoe, pile = build_shoe(" ".join(draw(st.lists(st.sampled_from(LOW), min_size=6, max_size=8))))
    customs = Conventions(
        "mine",
        draw(st.sampled_from([Fraction(0), Fraction(1), Fraction(3, 2), Fraction(2)])),
        first=draw(st.integers(0, 1)),
        burns_by_first_card=draw(st.booleans()),
        rounds_after_cut=draw(st.integers(0, 1)),
        divisor=draw(st.sampled_from(["unseen", "physical"])),
        decks=draw(st.sampled_from(["exact", "half", "whole"])),
        true_count=draw(st.sampled_from(["exact", "floored", "rounded", "running"])),
        start=draw(st.integers(-2, 2)),
    )
    view = draw(st.sampled_from([[], ["player"]]))
    tags = Tags({card: draw(st.integers(-3, 3)) for card, _ in shoe.composition})
    return made(deal, ladder, condition), shoe, pile, tags, customs, draw(st.integers(1, 5)), view


def begins(customs, first, cut_at):
    """Return the depths at which rounds of a mean length start, each with its weight."""
    result, number, late = {}, 0, 0
    while True:
        at = first + number * (customs.round_cards or 1)
        if at >= cut_at and number:
            late += 1
            if late > (customs.rounds_after_cut if customs.round_cards else 0):
                return result
        part = at - floor(at)
        for depth, weight in ((floor(at), 1 - part), (floor(at) + 1, part)):
            if weight:
                result[depth] = result.get(depth, 0) + weight
        number += 1


def true_count(customs, running, left):
    decks, part = Fraction(left, 52), {"exact": 0, "half": Fraction(1, 2), "whole": Fraction(1)}[customs.decks]
    if part:
        decks = max(floor(decks / part + Fraction(1, 2)) * part, part)
    read = {"exact": running / decks, "floored": floor(running / decks), "running": running}
    return read.get(customs.true_count, floor(running / decks + Fraction(1, 2)))


@given(tables(), st.sampled_from([Fraction(-7), Fraction(0), Fraction(5, 2), Fraction(10)]))
@tries(20, quick=4)
def test_trigger_with_burn_cards_matches_every_order(table, trigger):
    bet, shoe, pile, tags, customs, cut, view = table
    try:
        result = compute_count(bet, shoe, tags, customs, cut, view=view)
    except InputError:
        assume(False)
    totals, every, orders, by_sight = [Fraction(0)] * 3, Fraction(0), 0, {}
    for order in distinct_permutations(sorted(pile)):
        orders += 1
        hidden = burned_cards(order[0]) if customs.burns_by_first_card else 0
        first = customs.first + customs.burns_by_first_card
        for depth, weight in begins(customs, first + hidden, shoe.size - cut).items():
            every += weight
            won, names = settle_round(bet, order[depth:])
            seen = (*order[:1], *order[1 + hidden : depth]) if depth else ()
            shown = tuple(order[depth + index] for name in view for index in names[name])
            running = sum(tags.tag_by_card[card] for card in (*seen, *shown)) + customs.start
            burned = hidden if customs.divisor == "physical" else 0
            if won is not None:
                sight = len(seen), burned, running
                by_sight[sight] = by_sight.get(sight, 0) + weight * won
                if true_count(customs, running, shoe.size - len(seen) - len(shown) - burned) >= trigger:
                    totals = [
                        running_total + weight * more
                        for running_total, more in zip(totals, (1, won, won**2), strict=True)
                    ]
    worth = result.betting_value(trigger)
    assert [worth.frequency, worth.mean_win, worth.second_moment] == [running_total / every for running_total in totals]
    assert worth.rounds == every / orders
    assert (
        result.max_win_by_count()
        == sum(running_total for running_total in by_sight.values() if running_total > 0) / every
    )


@pytest.mark.parametrize("divisor", ["unseen", "physical"])
def test_bound_with_burn_card_matches_every_order(divisor):
    bet, (shoe, pile) = made("player:2", ["count(3) == 2", "has(A)"], pays=[9, 1]), build_shoe("As As 2d 2d 2d 3h 3h")
    customs = Conventions("mine", Fraction(1), burns_by_first_card=True, divisor=divisor)
    begun = round_starts(customs, shoe.composition, 2, 2)
    assert {start.burn_points for start in begun} >= {1, 2}
    won = sum(
        start.weight
        * perfect_play(iter_rounds(bet, pile, start.cards_seen, (), bool(start.burn_points), start.burn_points or None))
        for start in begun
    )
    assert exact_bound(bet, shoe, begun).mean_win == won / sum(start.weight for start in begun)


def test_ranks_at_different_positions_are_different_classes():
    """Any two ranks can be swapped, but the remaining cards of each decide the probability of a pair."""
    assert exact_bound(get_paytable("PAIR"), Shoe(1), starts_at_depths([30], 52, 3)) is None
    bet, (shoe, pile) = made("player:2", ["pair"], pays=[2]), build_shoe("4c 4d 4h 6s 6c 7d")
    result = exact_bound(bet, shoe, starts_at_depths([2], shoe.size, 2))
    assert result.mean_win == perfect_play(iter_rounds(bet, pile, 2)) > 0


def test_value_of_the_hole_card_matches_every_order():
    bet = made("dealer:h17", ["bust"], "not blackjack", pays=[2], pack=FEW)
    shoe, pile = build_shoe("Ac 7d 7c 9h 10c Kd", FEW)
    tags = Tags({card: {7: 1, 14: -1}.get(int(card.rank), 0) for card, _ in shoe.composition})
    result = compute_count(bet, shoe, tags, BLACKJACK, depths=[1])
    won = [result.max_win_by_count()]
    for view in (["up"], ["up", "hole"]):
        by_sight = {}
        dealt = list(iter_rounds(bet, pile, 1, view))
        for dealt_round in dealt:
            ranks = tuple(10 if card.rank == 13 else int(card.rank) for card in dealt_round.view)
            by_sight.setdefault((tags.tag_by_card[dealt_round.seen[0]], ranks), []).append(dealt_round.result or 0)
        won.append(max_win_with_exposed(result, tags, view))
        assert won[-1] == sum(max(sum(results), 0) for results in by_sight.values()) / Fraction(len(dealt))
    assert won == sorted(won)
    assert won[0] < won[2]


IN_VIEW = [
    ("player:2, up:1", ["player.suited", "player.count(up.rank) >= 1"], "", "7c 7d 9h 9c Kc Kd Ad", ["player"]),
    ("dealer:h17", ["bust", "total == 20"], "not blackjack", "10c Kd 9h Ac 7c 7d 9s", ["up", "hole"]),
    ("baccarat", ["player wins", "tie"], "not player_first.has(A)", "7c 7d 9h 9s 10c Ad Ks", ["banker_first"]),
]


@pytest.mark.parametrize(("deal", "ladder", "condition", "cards", "view"), IN_VIEW, ids=["fixed", "dealer", "baccarat"])
def test_sampled_shoe_value_matches_all_its_orders(deal, ladder, condition, cards, view):
    bet, (shoe, _) = made(deal, ladder, condition, pack=FEW), build_shoe(cards, FEW)
    (remaining,) = sample_shoes(shoe.composition, [1], 4, seed=9)
    pile = [card for card, copies in remaining for _ in range(copies)]
    ((won, ways),) = ExposedCardValuer(bet, shoe, {}, view)([remaining])
    assert Fraction(won, ways) == perfect_play(iter_rounds(bet, pile, 0, view)) > 0


@pytest.mark.usefixtures("forked")
def test_bound_with_exposed_cards_is_reproducible():
    insurance = made("up:1, hole:1", ["hole.has(tens)"], "up.has(A)", pays=[2])
    begun = starts_at_depths([26, 40], 52, 3)
    alone = sample_bound(insurance, Shoe(1), begun, 200, 3, sampling=Sampling(chunk=50), view=["up"])
    exactly = exact_bound(insurance, Shoe(1), begun, exposed_roles=["up"])
    assert abs(alone.mean_win - exactly.mean_win) <= alone.half_width
    full, pack = get_paytable("IN-BETWEEN-10"), find_pack("standard without 3 4 6 7 9 J Q")
    bet, shoe = replace(full, bet=replace(full.bet, pack=pack)), Shoe(1, pack)
    begun = starts_at_depths([10, 16], shoe.size, 3)
    bound = sample_bound(bet, shoe, begun, 12, 3, sampling=Sampling(chunk=3), view=["up"])
    with ProcessPool(2) as workers:
        how = Sampling(chunk=3, workers=workers, bet=make_reference(bet))
        assert sample_bound(bet, shoe, begun, 12, 3, sampling=how, view=["up"]) == bound
    assert bound.mean_win > sample_bound(bet, shoe, begun, 12, 3).mean_win


@given(st.lists(st.tuples(st.integers(1, 20), st.sampled_from([0, 1, 7, 10])), min_size=1), st.integers(0, 2**64 - 1))
@tries(15)
def test_sample_starts_with_the_burn_card(some, seed):
    some = sorted(some)
    depths, shown = [depth for depth, _ in some], [worth for _, worth in some]
    composition = Shoe(1).composition
    result = sample_shoes(composition, depths, 3, seed, shown)
    assert result == [draw_sample(composition, seen, 3 + row, seed, shown[row]) for row, seen in enumerate(depths)]
    for (seen, worth), remaining in zip(some, result, strict=True):
        removed = [card for card in ALL_CARDS if not remaining[card]]
        assert len(removed) == seen
        assert not worth or worth in map(burned_cards, removed)


def test_bound_after_a_burn_card_is_sampled():
    bet, (shoe, _) = made("player:2", ["count(3) == 2", "has(A)"], pays=[9, 1]), build_shoe("As As 2d 2d 2d 3h 3h")
    begun = [RoundStart(2, 0, Fraction(1), 1)]
    exactly, result = exact_bound(bet, shoe, begun), sample_bound(bet, shoe, begun, 400, 2)
    assert abs(result.mean_win - exactly.mean_win) <= result.half_width
    assert exactly.mean_win != exact_bound(bet, shoe, starts_at_depths([2], shoe.size, 2)).mean_win


def test_count_command_values_the_hole_card(run, tmp_path):
    bet = tmp_path / "bust.toml"
    bet.write_text(
        f"""bet = "Bust"
deal = "dealer:h17"
pack = "{FEW}"
[[paytable]]
id = "B"
decks = 1
awards = [{{ name = "Bust", when = "bust", pays = "2 to 1" }}]
""",
        encoding="utf-8",
    )
    shared = ("count", str(bet), "--decks", "1", "--tags", "A=1 7=-1", "--depths", "4")
    code, out, _ = run(*shared, "--view", "up,hole", "--format", "json")
    (answer,) = json.loads(out)
    assert code == 0
    both, hole = (Fraction(answer["information"][f"seeing {what}"]) for what in ("up and hole", "hole besides up"))
    assert both > hole > 0
    code, out, _ = run(*shared, "--view", "up", "--format", "json")
    (answer,) = json.loads(out)
    assert Fraction(answer["information"]["seeing up"]) == both - hole
    code, out, err = run(*shared, "--view", "holes")
    assert (code, out, err.count("\n"), "did you mean 'hole'?" in err) == (2, "", 1, True)


@pytest.mark.parametrize(
    ("name", "view", "message"),
    [
        ("BB-1", "up", "suits of finished hands"),
        ("LUCKY-LADIES-A", "player", "more than 500,000"),
        ("BB-1", "dealer", "cards of dealer is not known"),
    ],
)
def test_unsupported_sampling_of_exposed_cards_is_refused(name, view, message):
    with pytest.raises(InputError, match=message):
        sample_bound(get_paytable(name), Shoe(6), starts_at_depths([9], 312, 3), 10, view=[view])


def test_burn_card_rounds_follow_the_cut_card():
    """Rounds that are more likely after some cards than after others are counted on request."""
    bet, shoe = made("baccarat", ["tie", "banker wins"], pays=[8, 1], pack=FEW), Shoe(3, find_pack(FEW))
    tags = Tags({card: (card.rank == 9) - (card.rank == 7) for card, _ in shoe.composition})
    result = compute_count(bet, shoe, tags, BACCARAT, 14)
    cuts = dict(result.by_cut(14))
    assert list(cuts) == [14, 26]
    for cut, count_at_cut in cuts.items():
        alone = compute_count(bet, shoe, tags, BACCARAT, cut)
        assert any(each.burn_points for each in alone.rounds)
        assert (count_at_cut.rounds, count_at_cut.by_trigger) == (alone.rounds, alone.by_trigger)
