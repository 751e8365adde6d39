"""Counts, views and burned cards against every order of a tiny shoe, dealt by the rules of the game."""

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
from combinat.counting.sampling.shoes import draw_sample, sample_shoes
from combinat.counting.tags import Tags
from combinat.parallel.pool import ProcessPool
from decks import InputError, Shoe, find_pack
from decks.cards import ALL_CARDS
from tests.made_bets import bet as made
from tests.made_bets import shoe_of
from tests.profiles import tries
from tests.slow.dealer import RanOutError
from tests.slow.watching import by_count, every_round, perfect_play, settle, worth_of_shown

WATCHED = [
    ("dealer:h17", ["bust and suited", "bust", "total == 20"], ""),
    ("dealer:s17", ["bust and up.has(9)", "cards == 2"], "not blackjack"),
    ("player:1, dealer:h17", ["player.has(A) and dealer.bust", "player.rank < up.rank"], ""),
    ("player:2, up:1", ["player.pair and player.suited", "player.count(up.rank) >= 1"], "not up.has(A)"),
    ("baccarat", ["tie", "banker wins and banker.cards == 3"], ""),
    ("baccarat", ["player_first.pair", "player wins"], "not banker_first.has(9)"),
]
"""Deals with rules and perhaps a condition."""
STOCK = "Ac 7c 9h 9s 10c Kd"
FEW = "standard without 2 3 4 5 6 8 J Q"
"""Of few ranks a dealer has few finished hands."""
LOW = ["As", "2d", "3h", "3c"]
"""Few are burned after these."""


def named(bet):
    """The names of cards that always come."""
    deal = bet.bet.deal
    return [name for name, places in deal.in_view.items() if deal.size(places) is not None]


def tags_by_value(draw, shoe):
    of = {}
    return Tags({card: of.setdefault(min(card.rank, 10), draw(st.integers(-2, 2))) for card, _ in shoe.composition})


@st.composite
def watched_bets(draw):
    deal, ladder, condition = draw(st.sampled_from(WATCHED))
    size = 7 if deal == "baccarat" else draw(st.integers(5, 6))
    shoe, pile = shoe_of(" ".join(draw(st.lists(st.sampled_from(STOCK.split()), min_size=size, max_size=size))), FEW)
    bet = made(deal, ladder, condition, pays=draw(st.permutations([1, 3, 8])), pack=FEW)
    view = draw(st.lists(st.sampled_from(named(bet)), unique=True, max_size=2))
    return bet, shoe, pile, tags_by_value(draw, shoe), draw(st.integers(0, 1 if deal == "baccarat" else 2)), view


@given(watched_bets())
@tries(60, quick=4)
def test_counts_and_perfect_play_with_any_cards_in_view_are_those_of_every_order(watched):
    bet, shoe, pile, tags, depth, view = watched
    try:
        slow = list(every_round(bet, pile, depth, view))
        fast = compute_count(bet, shoe, tags, BLACKJACK, depths=[depth], view=view)
    except (RanOutError, InputError, StopIteration):
        assume(False)
    assert sums(fast, depth) == by_count(slow, tags)
    begun = starts_at_depths([depth], shoe.size, 1)
    perfect = exact_bound(bet, shoe, begun, view=view)
    if perfect is not None:
        assert perfect.won == perfect_play(slow)


def sums(found, depth):
    """For each count how often a bet is made, what is won, and its square."""
    here, unit, low = found.at[depth], found.uses.unit, found.uses.lowest
    told = {}
    for one in here.counts:
        made_, gain = Fraction(one.made, here.every), Fraction(one.gained, here.every * unit)
        square = Fraction(one.squared, here.every * unit**2)
        if made_:
            told[one.count] = (made_, gain + low * made_, square + 2 * low * gain + low * low * made_)
    return told


@st.composite
def tables(draw):
    """A small shoe of low cards, a bet, tags, and customs where the first card may say how many are burned."""
    deal, ladder, condition = draw(
        st.sampled_from(
            [
                ("player:2", ["pair", "count(3) == 1"], ""),
                ("player:1, up:1", ["player.rank > up.rank", "player.has(hearts)"], ""),
                ("player:2", ["total == 3", "suited"], "count(2) < 2"),
            ]
        )
    )
    shoe, pile = shoe_of(" ".join(draw(st.lists(st.sampled_from(LOW), min_size=6, max_size=8))))
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
    """When rounds begin that take so many cards each: the next whole depths, each with its part."""
    found, number, late = {}, 0, 0
    while True:
        at = first + number * (customs.round_cards or 1)
        if at >= cut_at and number:
            late += 1
            if late > (customs.rounds_after_cut if customs.round_cards else 0):
                return found
        part = at - floor(at)
        for depth, weight in ((floor(at), 1 - part), (floor(at) + 1, part)):
            if weight:
                found[depth] = found.get(depth, 0) + weight
        number += 1


def true_count(customs, running, left):
    decks, part = Fraction(left, 52), {"exact": 0, "half": Fraction(1, 2), "whole": Fraction(1)}[customs.decks]
    if part:
        decks = max(floor(decks / part + Fraction(1, 2)) * part, part)
    read = {"exact": running / decks, "floored": floor(running / decks), "running": running}
    return read.get(customs.true_count, floor(running / decks + Fraction(1, 2)))


@given(tables(), st.sampled_from([Fraction(-7), Fraction(0), Fraction(5, 2), Fraction(10)]))
@tries(20, quick=4)
def test_what_a_trigger_wins_in_a_shoe_is_what_every_order_wins_whatever_is_burned(table, trigger):
    bet, shoe, pile, tags, customs, cut, view = table
    try:
        found = compute_count(bet, shoe, tags, customs, cut, view=view)
    except InputError:
        assume(False)
    totals, every, orders, by_sight = [Fraction(0)] * 3, Fraction(0), 0, {}
    for order in distinct_permutations(sorted(pile)):
        orders += 1
        hidden = worth_of_shown(order[0]) if customs.burns_by_first_card else 0
        first = customs.first + customs.burns_by_first_card
        for depth, weight in begins(customs, first + hidden, shoe.size - cut).items():
            every += weight
            won, names = settle(bet, order[depth:])
            seen = (*order[:1], *order[1 + hidden : depth]) if depth else ()
            shown = tuple(order[depth + place] for name in view for place in names[name])
            running = sum(tags.of[card] for card in (*seen, *shown)) + customs.start
            burned = hidden if customs.divisor == "physical" else 0
            if won is not None:
                sight = len(seen), burned, running
                by_sight[sight] = by_sight.get(sight, 0) + weight * won
                if true_count(customs, running, shoe.size - len(seen) - len(shown) - burned) >= trigger:
                    totals = [one + weight * more for one, more in zip(totals, (1, won, won**2), strict=True)]
    worth = found.worth(trigger)
    assert [worth.frequency, worth.won, worth.squared] == [one / every for one in totals]
    assert worth.rounds == every / orders
    assert found.max_win_by_count() == sum(one for one in by_sight.values() if one > 0) / every


@pytest.mark.parametrize("divisor", ["unseen", "physical"])
def test_perfect_play_after_a_card_that_says_how_many_are_burned_is_that_of_every_order(divisor):
    bet, (shoe, pile) = made("player:2", ["count(3) == 2", "has(A)"], pays=[9, 1]), shoe_of("As As 2d 2d 2d 3h 3h")
    customs = Conventions("mine", Fraction(1), burns_by_first_card=True, divisor=divisor)
    begun = round_starts(customs, shoe.composition, 2, 2)
    assert {one.shown for one in begun} >= {1, 2}
    won = sum(
        one.weight * perfect_play(every_round(bet, pile, one.seen, (), bool(one.shown), one.shown or None))
        for one in begun
    )
    assert exact_bound(bet, shoe, begun).won == won / sum(one.weight for one in begun)


def test_ranks_that_trade_names_but_not_places_are_no_class_of_the_bound():
    """Any two ranks of a pair can change their names; yet what is left of each decides how likely a pair is."""
    assert exact_bound(get_paytable("PAIR"), Shoe(1), starts_at_depths([30], 52, 3)) is None
    bet, (shoe, pile) = made("player:2", ["pair"], pays=[2]), shoe_of("4c 4d 4h 6s 6c 7d")
    found = exact_bound(bet, shoe, starts_at_depths([2], shoe.size, 2))
    assert found.won == perfect_play(every_round(bet, pile, 2)) > 0


def test_what_it_is_worth_to_see_the_hole_card_is_what_every_order_wins_by_it():
    bet = made("dealer:h17", ["bust"], "not blackjack", pays=[2], pack=FEW)
    shoe, pile = shoe_of("Ac 7d 7c 9h 10c Kd", FEW)
    tags = Tags({card: {7: 1, 14: -1}.get(int(card.rank), 0) for card, _ in shoe.composition})
    found = compute_count(bet, shoe, tags, BLACKJACK, depths=[1])
    won = [found.max_win_by_count()]
    for view in (["up"], ["up", "hole"]):
        by_sight = {}
        dealt = list(every_round(bet, pile, 1, view))
        for one in dealt:
            ranks = tuple(10 if card.rank == 13 else int(card.rank) for card in one.view)
            by_sight.setdefault((tags.of[one.seen[0]], ranks), []).append(one.result or 0)
        won.append(max_win_with_exposed(found, tags, view))
        assert won[-1] == sum(max(sum(results), 0) for results in by_sight.values()) / Fraction(len(dealt))
    assert won == sorted(won)
    assert won[0] < won[2]


IN_VIEW = [
    ("player:2, up:1", ["player.suited", "player.count(up.rank) >= 1"], "", "7c 7d 9h 9c Kc Kd Ad", ["player"]),
    ("dealer:h17", ["bust", "total == 20"], "not blackjack", "10c Kd 9h Ac 7c 7d 9s", ["up", "hole"]),
    ("baccarat", ["player wins", "tie"], "not player_first.has(A)", "7c 7d 9h 9s 10c Ad Ks", ["banker_first"]),
]


@pytest.mark.parametrize(("deal", "ladder", "condition", "cards", "view"), IN_VIEW, ids=["fixed", "dealer", "baccarat"])
def test_every_sampled_shoe_is_worth_what_all_its_orders_win_with_cards_in_view(deal, ladder, condition, cards, view):
    bet, (shoe, _) = made(deal, ladder, condition, pack=FEW), shoe_of(cards, FEW)
    (left,) = sample_shoes(shoe.composition, [1], 4, seed=9)
    pile = [card for card, copies in left for _ in range(copies)]
    ((won, ways),) = ExposedCardValuer(bet, shoe, {}, view)([left])
    assert Fraction(won, ways) == perfect_play(every_round(bet, pile, 0, view)) > 0


@pytest.mark.usefixtures("forked")
def test_the_bound_with_cards_in_view_is_the_same_whoever_samples_it_and_holds_the_exact_one():
    insurance = made("up:1, hole:1", ["hole.has(tens)"], "up.has(A)", pays=[2])
    begun = starts_at_depths([26, 40], 52, 3)
    alone = sample_bound(insurance, Shoe(1), begun, 200, 3, how=Sampling(chunk=50), view=["up"])
    exactly = exact_bound(insurance, Shoe(1), begun, view=["up"])
    assert abs(alone.won - exactly.won) <= alone.half_width
    whole, pack = get_paytable("IN-BETWEEN-10"), find_pack("standard without 3 4 6 7 9 J Q")
    bet, shoe = replace(whole, bet=replace(whole.bet, pack=pack)), Shoe(1, pack)
    begun = starts_at_depths([10, 16], shoe.size, 3)
    here = sample_bound(bet, shoe, begun, 12, 3, how=Sampling(chunk=3), view=["up"])
    with ProcessPool(2) as workers:
        how = Sampling(chunk=3, workers=workers, bet=make_reference(bet))
        assert sample_bound(bet, shoe, begun, 12, 3, how=how, view=["up"]) == here
    assert here.won > sample_bound(bet, shoe, begun, 12, 3).won


@given(st.lists(st.tuples(st.integers(1, 20), st.sampled_from([0, 1, 7, 10])), min_size=1), st.integers(0, 2**64 - 1))
@tries(15)
def test_a_sample_begins_with_the_card_that_was_shown(some, seed):
    some = sorted(some)
    depths, shown = [depth for depth, _ in some], [worth for _, worth in some]
    composition = Shoe(1).composition
    found = sample_shoes(composition, depths, 3, seed, shown)
    assert found == [draw_sample(composition, seen, 3 + row, seed, shown[row]) for row, seen in enumerate(depths)]
    for (seen, worth), left in zip(some, found, strict=True):
        gone = [card for card in ALL_CARDS if not left[card]]
        assert len(gone) == seen
        assert not worth or worth in map(worth_of_shown, gone)


def test_perfect_play_after_a_shown_card_is_sampled_after_such_a_card():
    bet, (shoe, _) = made("player:2", ["count(3) == 2", "has(A)"], pays=[9, 1]), shoe_of("As As 2d 2d 2d 3h 3h")
    begun = [RoundStart(2, 0, Fraction(1), 1)]
    exactly, found = exact_bound(bet, shoe, begun), sample_bound(bet, shoe, begun, 400, 2)
    assert abs(found.won - exactly.won) <= found.half_width
    assert exactly.won != exact_bound(bet, shoe, starts_at_depths([2], shoe.size, 2)).won


def test_the_command_tells_what_the_hole_card_is_worth(run, tmp_path):
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
    (told,) = json.loads(out)
    assert code == 0
    both, hole = (Fraction(told["information"][f"seeing {what}"]) for what in ("up and hole", "hole besides up"))
    assert both > hole > 0
    code, out, _ = run(*shared, "--view", "up", "--format", "json")
    (told,) = json.loads(out)
    assert Fraction(told["information"]["seeing up"]) == both - hole
    code, out, err = run(*shared, "--view", "holes")
    assert (code, out, err.count("\n"), "did you mean 'hole'?" in err) == (2, "", 1, True)


@pytest.mark.parametrize(
    ("name", "view", "message"),
    [
        ("BB-1", "up", "its rules ask for suits of finished hands; with cards in view the bound is not sampled"),
        ("LUCKY-LADIES-A", "player", "hands are told apart, more than 500,000; the bound is not sampled"),
        ("BB-1", "dealer", "how many cards of dealer there are is not known"),
    ],
)
def test_a_bound_that_cannot_be_sampled_with_cards_in_view_is_refused(name, view, message):
    with pytest.raises(InputError, match=message):
        sample_bound(get_paytable(name), Shoe(6), starts_at_depths([9], 312, 3), 10, view=[view])


def test_with_the_cut_card_further_in_rounds_by_the_card_shown_are_as_counted_for_that_place():
    """Rounds that come more often after some cards than after others are counted when they are asked for."""
    bet, shoe = made("baccarat", ["tie", "banker wins"], pays=[8, 1], pack=FEW), Shoe(3, find_pack(FEW))
    tags = Tags({card: (card.rank == 9) - (card.rank == 7) for card, _ in shoe.composition})
    found = compute_count(bet, shoe, tags, BACCARAT, 14)
    cuts = dict(found.by_cut(14))
    assert list(cuts) == [14, 26]
    for cut, one in cuts.items():
        alone = compute_count(bet, shoe, tags, BACCARAT, cut)
        assert any(each.shown for each in alone.rounds)
        assert (one.rounds, one.by_trigger) == (alone.rounds, alone.by_trigger)
