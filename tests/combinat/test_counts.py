"""Counts against every order of a small shoe dealt out, and what must hold for every bet."""

import json
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.batch import iter_house_edges
from combinat.bets.catalog import get_paytable, iter_collection, list_collections
from combinat.counting.conventions import BACCARAT, BLACKJACK, round_starts, starts_at_depths
from combinat.counting.counts import compute_count
from combinat.counting.removal import removals
from combinat.counting.tags import Tags, best_tags, betting_correlation, parse_tags
from combinat.enumeration.experiment import experiment
from combinat.study import build_study
from decks import InputError, Shoe
from decks.cards import ALL_CARDS
from decks.shoe import find_pack
from tests.made_bets import bet as made
from tests.made_bets import bet_of, shoe_of
from tests.profiles import tries

PAIR = """
bet = "Pair"
deal = "player:2, up:1"
[hands]
"Suited pair" = "player.pair and player.suited"
"Three" = "three of a kind"
"Match" = "player.count(up.rank) >= 1"
[[paytable]]
id = "P"
decks = "1"
awards = [
  { hand = "Suited pair", pays = "7 to 1" },
  { hand = "Three", pays = "5 to 2" },
  { hand = "Match", pays = "push" },
]
"""
BUST = """
bet = "Bust"
deal = "dealer:s17"
GIVEN[hands]
"Three" = "bust and cards == 3"
"More" = "bust"
[[paytable]]
id = "B"
decks = "1"
awards = [{ hand = "Three", pays = "3 to 1" }, { hand = "More", pays = "1 to 2" }]
"""
COUP = """
bet = "Coup"
deal = "baccarat"
pack = "standard without A 5 7 8 J Q"
[hands]
"Tie" = "tie"
"Three cards" = "banker wins and banker.cards == 3"
[[paytable]]
id = "C"
decks = "1"
awards = [{ hand = "Tie", pays = "8 to 1" }, { hand = "Three cards", pays = "2 to 1" }]
"""


def settle_pair(cards):
    one, other, up = cards[:3]
    if one == other or (one.rank == other.rank and one.suit == other.suit):
        return Fraction(7)
    if one.rank == other.rank == up.rank:
        return Fraction(5, 2)
    return Fraction(0) if up.rank in (one.rank, other.rank) else Fraction(-1)


def total_of(ranks):
    hard = sum(1 if rank == 14 else min(rank, 10) for rank in ranks)
    soft = 14 in ranks and hard <= 11
    return hard + 10 * soft


def dealers_hand(cards):
    for size in range(2, len(cards) + 1):
        ranks = [int(card.rank) for card in cards[:size]]
        if total_of(ranks) >= 17:
            return ranks
    raise AssertionError("the shoe is out of cards")


def settle_bust(cards):
    ranks = dealers_hand(cards)
    if total_of(ranks) <= 21:
        return Fraction(-1)
    return Fraction(3) if len(ranks) == 3 else Fraction(1, 2)


def settle_bust_without_blackjack(cards):
    return None if total_of([int(card.rank) for card in cards[:2]]) == 21 else settle_bust(cards)


def points(ranks):
    return sum(1 if rank == 14 else rank if rank < 10 else 0 for rank in ranks) % 10


def settle_coup(cards):
    ranks = [int(card.rank) for card in cards]
    player, banker, rest = [ranks[0], ranks[2]], [ranks[1], ranks[3]], ranks[4:]
    if points(player) < 8 and points(banker) < 8:
        third = None
        if points(player) <= 5:
            third = rest.pop(0)
            player.append(third)
        has = points(banker)
        if third is None:
            draws = has <= 5
        else:
            worth = points([third])
            draws = has <= 2 or (has == 3 and worth != 8) or (has == 4 and 2 <= worth <= 7)
            draws = draws or (has == 5 and 4 <= worth <= 7) or (has == 6 and worth in (6, 7))
        if draws:
            banker.append(rest.pop(0))
    if points(player) == points(banker):
        return Fraction(8)
    return Fraction(2) if points(banker) > points(player) and len(banker) == 3 else Fraction(-1)


SMALL = {
    "fixed": (PAIR, settle_pair, "7c 7c 7d 9h 9s Kc 2d", "7=2 9=-1 K=-1", (0, 1, 3, 4)),
    "fixed, by suit": (PAIR, settle_pair, "7c 7c 7d 9h 9c Kc 2d", "clubs=1 7d=-3", (2, 4)),
    "dealer, of few": (BUST.replace("GIVEN", ""), settle_bust, "10c Kd 9h 7c 6d 5h 5s", "10=1 K=-1 5=-1 6=2", (0, 3)),
    "dealer": (BUST.replace("GIVEN", ""), settle_bust, "10c Kd 9h 8s 7c 6d 5h 5s", "10=1 K=-1 5=-1 6=2", (0, 2, 4)),
    "dealer, of few, under a condition": (
        BUST.replace("GIVEN", 'given = "not blackjack"\n'),
        settle_bust_without_blackjack,
        "10c Kd 9h 7c Ad 5h 5s",
        "A=2 5=-1 K=1",
        (0, 2),
    ),
    "dealer, under a condition": (
        BUST.replace("GIVEN", 'given = "not blackjack"\n'),
        settle_bust_without_blackjack,
        "10c Kd 9h 8s 7c Ad 5h 5s",
        "A=2 5=-1 K=1",
        (0, 2),
    ),
    "baccarat, of few": (COUP, settle_coup, "4c 4d 6h 9s 10c 2d Ks", "4=-1 9=2 2=1", (0, 1)),
    "baccarat": (COUP, settle_coup, "4c 4d 6h 9s 10c 2d 3h Ks", "4=-1 9=2 2=1", (0, 1, 2)),
}


def small(name):
    """Give a bet, a shoe so small that every order of its cards can be dealt, and the tags of its cards."""
    text, _, cards, tags, _ = SMALL[name]
    bet = bet_of(text)
    shoe, pile = shoe_of(cards, bet.bet.pack)
    return bet, shoe, pile, parse_tags(tags, shoe.composition)


@lru_cache(maxsize=None)
def dealt_small(name, depth):
    _, _, cards, tags = small(name)
    return dealt(SMALL[name][1], cards, tags, depth)


def dealt(settle, cards, tags, depth):
    """Deal every order of the cards: for each count how often it comes, how often there is a bet, what it wins."""
    results = {}
    for order in permutations(cards):
        seen = sum([tags.of[card] for card in order[:depth]])
        results.setdefault(seen, Counter())[settle(order[depth:])] += 1
    every, found = sum(many.total() for many in results.values()), {}
    for seen, many in results.items():
        comes, of = many.total(), [(won, times) for won, times in many.items() if won is not None]
        sums = [sum((won**power * times for won, times in of), Fraction(0)) for power in (0, 1, 2)]
        found[seen] = [one / every for one in (Fraction(comes), *sums)]
    return found


LONG = ("dealer", "dealer, under a condition", "baccarat")
"""With eight cards there are 40,320 orders, with seven 5,040."""


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * (one in LONG)) for one in SMALL])
def test_every_order_of_a_small_shoe_agrees(name):
    (bet, shoe, _, marks), depths = small(name), SMALL[name][-1]
    for depth in depths[-1:] if name != "fixed" else depths:
        slow = dealt_small(name, depth)
        fast = compute_count(bet, shoe, marks, BLACKJACK, depths=[depth])
        here, unit, low = fast.at[depth], fast.uses.unit, fast.uses.lowest
        assert {one.count: Fraction(one.ways, here.every) for one in here.counts} == {
            seen: known[0] for seen, known in slow.items()
        }
        for one in here.counts:
            made = Fraction(one.made, here.every)
            won = Fraction(one.gained, here.every * unit) + low * made
            assert (made, won) == tuple(slow[one.count][1:3])
        for trigger in (-3, 0, 1, 2):
            reached = [known for seen, known in slow.items() if seen * 52 >= trigger * (shoe.size - depth)]
            worth = fast.worth(trigger)
            sums = [sum((known[place] for known in reached), Fraction(0)) for place in (1, 2, 3)]
            assert [worth.frequency, worth.won, worth.squared] == sums


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_every_order_of_a_small_shoe_agrees_at_every_depth(name):
    (bet, shoe, _, marks), depths = small(name), SMALL[name][-1]
    fast = compute_count(bet, shoe, marks, BLACKJACK, depths=depths)
    for depth in depths:
        slow = dealt_small(name, depth)
        for one in fast.at[depth].counts:
            made = Fraction(one.made, fast.at[depth].every)
            won = Fraction(one.gained, fast.at[depth].every * fast.uses.unit) + fast.uses.lowest * made
            assert (made, won) == tuple(slow[one.count][1:3])


def assert_mean_is_the_edge(paytable, decks, tags, depths):
    shoe = Shoe(decks, paytable.bet.pack)
    meters = {name: Fraction(5000) for name in paytable.meters}
    found = compute_count(paytable, shoe, parse_tags(tags, shoe.composition), BLACKJACK, depths=depths, meters=meters)
    edge = analyze_wager(paytable, shoe, meters).house_edge.constant
    for _, one in found.by_depth(None):
        assert one.edge == -edge
        assert paytable.bet.given or one.frequency == 1


@pytest.mark.parametrize("name", ["TRI-03", "BLZ-1-UP", "21+3-PT1", "HM-1", "MATCH-THE-DEALER-4-12"])
def test_the_mean_edge_over_all_counts_is_the_edge_off_the_top(name):
    paytable = get_paytable(name)
    assert_mean_is_the_edge(paytable, paytable.decks[-1], "A=-2 5=2 7=1 K=-1", [0, 1, 26])


def test_a_meter_is_for_the_wager_that_is_stated_for_the_decks():
    systems = "".join(
        f"[[paytable.meters]]\ndecks = {decks}\nwager = {wager}\n"
        'levels = [{ name = "meter", seed = 9, rate = "9%" }]\n'
        for decks, wager in ((1, 5), (2, 2))
    )
    awards = 'awards = [{ name = "Kings", when = "count(K) == 2", pays = "100% of meter" }]\n'
    text = f'bet = "M"\ndeal = "player:2"\n[[paytable]]\nid = "M"\ndecks = "1-2"\n{awards}'
    for decks in (1, 2):
        assert_mean_is_the_edge(bet_of(text + systems), decks, "K=1", [0, 5])
    with pytest.raises(InputError, match="meters for other wagers at other numbers of decks"):
        next(iter_house_edges(bet_of(text + systems), [Shoe(1).composition], {"meter": Fraction(9)}))


def with_few_ranks(paytable):
    """The same bet from a pack without low cards if six or seven are dealt, or more drawn, which are very many."""
    is_long = getattr(paytable.bet.deal, "cards_dealt", 0) > 5 or paytable.id == "BUSTER-2-S17"
    if not is_long:
        return paytable
    pack = paytable.bet.pack
    name = "standard without 2 3 4 5 6 8" + (" with 1 joker" if pack.jokers else "")
    fewer = pack._replace(name=name, ranks=tuple(rank for rank in pack.ranks if rank == 7 or rank > 8))
    return replace(paytable, bet=replace(paytable.bet, pack=fewer))


@pytest.mark.slow
@pytest.mark.parametrize("shelf", list_collections())
def test_the_mean_edge_over_all_counts_is_the_edge_off_the_top_for_every_bet(shelf):
    bets = set()
    for paytable in iter_collection(shelf):
        if paytable.bet not in bets:
            bets.add(paytable.bet)
            assert_mean_is_the_edge(with_few_ranks(paytable), paytable.decks[-1], "A=-2 7=1 9=1 10=-2", [0, 20])


@pytest.mark.parametrize("name", ["BLZ-2-UP", "LUCKY-LADIES-A", "KINGS-BOUNTY-6D", "WAR"])
def test_hands_summed_up_by_rank_are_those_of_the_ledger(name):
    """Suits that rules ask for of all cards, of some and of none, from a shoe whose suits differ."""
    bet, classes = get_paytable(name), ((7, 12), (13, 14))
    pack = find_pack("standard without 2 3 4 5 6 8 9 10 J")
    trial = experiment(bet.bet.deal, pack, bet.ladder, bet.roles_distinct)
    shoe = Shoe(2, pack, removed=["7d", "Qh"])
    slow, orders = Counter(), trial.orders
    for outcome in trial.outcomes(shoe.composition):
        taken = tuple(sum(int(card.rank) in ranks for card in outcome.cards) for ranks in classes)
        slow[outcome.award, taken] += outcome.ways * orders
    fast = {(award, taken): ways for award, taken, ways in trial.count_by_rank(shoe.composition, classes)}
    assert fast == slow


def test_no_card_seen_gives_the_plain_edge_and_deviation():
    shoe, paytable = Shoe(6), get_paytable("TRI-03")
    one = compute_count(paytable, shoe, parse_tags("A=1", shoe.composition), BLACKJACK, depths=[0]).worth(0)
    plain = analyze_wager(paytable, shoe)
    assert (one.frequency, one.edge, one.deviation) == (1, -plain.house_edge.constant, plain.standard_deviation)


def test_a_trigger_wins_what_its_counts_win_and_the_best_wins_most():
    shoe, paytable = Shoe(2), get_paytable("TRI-03")
    found = compute_count(paytable, shoe, parse_tags("2=1 A=1 K=1 Q=-1 J=-1 10=-1", shoe.composition), BLACKJACK, 30)
    assert found.best.won == max(one.won for one in found.by_trigger) > 0
    assert found.max_win_by_count() >= found.best.won
    by_depth = [(one.rounds, one.won) for _, one in found.by_depth(found.best.trigger)]
    assert sum(weight * won for weight, won in by_depth) == found.best.per_shoe
    cuts = dict(found.by_cut(30))
    assert list(cuts) == [30, 52]
    assert cuts[52].best.won == compute_count(paytable, shoe, found.tags, BLACKJACK, 52).best.won < found.best.won


def test_tags_within_ranks_that_no_rule_tells_apart_are_parted_by_chance():
    """Tens are one kind to the dealer; a tag of kings alone is that of one in four of them."""
    bet, (shoe, _) = bet_of(BUST.replace("GIVEN", "")), shoe_of("10c Kd Js Qh Qh 9h 9s 8s 7c 6d 5h")
    kings = compute_count(bet, shoe, parse_tags("K=1", shoe.composition), BLACKJACK, depths=[4])
    tens = compute_count(bet, shoe, parse_tags("10=1 J=0", shoe.composition), BLACKJACK, depths=[4])
    assert kings.at == tens.at


def test_tags_within_ranks_are_refused_where_suits_of_finished_hands_matter():
    """Two tens of one suit are not any two tens, so that a tag of kings alone cannot be parted off by chance."""
    shoe = Shoe(6)
    with pytest.raises(InputError, match="ranks that they do not tell apart need one tag"):
        compute_count(get_paytable("BB-1"), shoe, parse_tags("K=1", shoe.composition), BLACKJACK, depths=[4])
    with pytest.raises(InputError, match="tags by suit are for dealt cards"):
        compute_count(get_paytable("BB-1"), shoe, parse_tags("hearts=1", shoe.composition), BLACKJACK, depths=[4])


@given(st.integers(1, 2), st.sampled_from(["TRI-03", "BAC-3-GIVING-8"]), st.booleans())
@tries(5, quick=1)
def test_best_tags_have_the_highest_correlation_of_all(level, name, balanced):
    paytable = get_paytable(name)
    one = build_study(paytable, Shoe(6))
    (removal,) = removals(one, lambda shoe: build_study(paytable, shoe))
    best = best_tags(removal, level, balanced)
    reached = betting_correlation(best, removal)
    assert max(map(abs, best.of.values())) <= level
    assert not balanced or best.total(Shoe(6).composition) == 0
    kinds = [effect.cards for effect in removal.effects][:6]
    rest = {card: best.of[card] for effect in removal.effects for card in effect.cards}
    for tags in product((-1, 0, 1), repeat=len(kinds)):
        of = rest | {card: tag for cards, tag in zip(kinds, tags, strict=True) for card in cards}
        other = Tags(of)
        if not balanced or other.total(Shoe(6).composition) == 0:
            correlation = betting_correlation(other, removal)
            assert correlation is None or correlation <= reached


def test_rounds_of_baccarat_average_over_the_card_that_is_shown():
    begun = round_starts(replace(BACCARAT, divisor="physical"), Shoe(8).composition, 14, 6)
    first = [one for one in begun if one.seen == 1]
    assert sum(one.weight for one in first) == 1
    assert {one.unseen_burned: one.weight for one in first}[10] == Fraction(4, 13)
    number = sum(one.weight for one in begun)
    assert 81 < number < 82
    assert sum(one.weight for one in round_starts(BACCARAT, Shoe(8).composition, 14, 6)) == number


def test_the_card_that_is_shown_is_one_of_the_shoe():
    """Where tens are gone, ten cards are burned less often, and where only fours are left, four always are."""
    shoe, _ = shoe_of("4c 4c 4c 4d 4d 4d 4h 4h 4h 4s 4s 4s")
    begun = round_starts(replace(BACCARAT, divisor="physical", rounds_after_cut=0), shoe.composition, 8, 6)
    assert {one.unseen_burned for one in begun} == {4}
    gone = Shoe(1, removed=[card for card in ALL_CARDS if card.rank in (10, 11)])
    begun = round_starts(replace(BACCARAT, divisor="physical"), gone.composition, 14, 6)
    assert {one.unseen_burned: one.weight for one in begun if one.seen == 1}[10] == Fraction(8, 44)


def test_rounds_of_random_length_begin_as_often_as_their_mean_says():
    """Deep in a shoe a round begins at every depth with a chance of one over the mean length."""
    lengths = ((2, Fraction(1, 2)), (3, Fraction(1, 2)))
    begun = {
        one.seen: one.weight
        for one in round_starts(replace(BLACKJACK, lengths=lengths, burned=0), Shoe(6).composition, 52, 3)
    }
    assert [begun[seen] for seen in (0, 2, 3, 4)] == [1, Fraction(1, 2), Fraction(1, 2), Fraction(1, 4)]
    assert 1 not in begun
    assert abs(begun[200] - Fraction(2, 5)) < Fraction(1, 10**9)
    assert max(begun) < 260


def test_conventions_change_which_counts_reach_a_trigger():
    least = [
        replace(BLACKJACK, **one).least(Fraction(2), 234, 312, 10)
        for one in (
            {},
            {"true_count": "rounded"},
            {"decks": "whole"},
            {"decks": "half"},
            {"divisor": "physical"},
            {"true_count": "running", "start": -7},
        )
    ]
    assert least == [3, 3, 4, 3, 3, 9]
    assert BLACKJACK.least(Fraction(4), 261, 312) == 4


def test_a_trigger_between_whole_numbers_is_reached_by_what_the_count_is_read_as():
    """A true count of 2.7 is read as 2 if it is floored and as 3 if it is rounded: only the latter reaches 2.5."""
    left, half = 52, Fraction(5, 2)
    reached = {
        name: replace(BLACKJACK, true_count=name).least(half, 104 - 2 * left, 104)
        for name in ("exact", "floored", "rounded")
    }
    assert reached == {"exact": 5, "floored": 6, "rounded": 5}


def test_every_trigger_is_looked_at_down_to_the_last_cards():
    """Few cards are left, so that true counts are far above all running counts, and the best trigger with them."""
    bet, (shoe, pile) = bet_of(PAIR), shoe_of("7c 7c 7d 9h 2d 3d 4d")
    tags = parse_tags("7=-1 2=1 3=1 4=1", shoe.composition)
    found = compute_count(bet, shoe, tags, BLACKJACK, depths=[3])
    slow = dealt(settle_pair, pile, tags, 3)
    won = {count_: sum(row[2] for other, row in slow.items() if other >= count_) for count_ in slow}
    assert found.best.won == max(won.values()) > 0
    assert found.best.trigger > max(map(abs, slow)) + 10
    assert found.by_trigger[-1].frequency == slow[max(slow)][0]


def dealt_in_view(settle, cards, tags, depth, shown):
    """Deal every order: the cards at some places of the hand are counted before the bet is made."""
    found = {}
    for order in permutations(cards):
        seen = sum(tags.of[card] for card in (*order[:depth], *(order[depth + place] for place in shown)))
        known = found.setdefault(seen, [0, Fraction(0)])
        known[0] += 1
        known[1] += settle(order[depth:])
    every = sum(known[0] for known in found.values())
    return {seen: (Fraction(known[0], every), known[1] / every) for seen, known in found.items()}


@pytest.mark.parametrize(
    ("text", "settle", "cards", "tags", "view", "shown"),
    [
        (PAIR, settle_pair, "7c 7c 7d 9h 9s Kc 2d", "7=2 9=-1 K=-1", ["up"], [2]),
        (PAIR, settle_pair, "7c 7c 7d 9h 9s Kc 2d", "7=2 9=-1 K=-1", ["dealer"], [2]),
        (BUST.replace("GIVEN", ""), settle_bust, "10c Kd 9h 8s 7c 6d 5h", "10=1 K=-1 5=-1 6=2", ["up"], [0]),
        (COUP, settle_coup, "4c 4d 6h 9s 10c 2d 3h", "4=-1 9=2 2=1", ["banker_first"], [1, 3]),
    ],
    ids=["fixed", "a role's other name", "dealer", "baccarat"],
)
def test_cards_in_view_are_counted_for_every_kind_of_deal(text, settle, cards, tags, view, shown):
    bet = bet_of(text)
    shoe, pile = shoe_of(cards, bet.bet.pack)
    marks = parse_tags(tags, shoe.composition)
    found = compute_count(bet, shoe, marks, BLACKJACK, depths=[1], view=view)
    here, unit, low = found.at[1], found.uses.unit, found.uses.lowest
    ours = {
        one.count: (
            Fraction(one.made, here.every),
            Fraction(one.gained, here.every * unit) + low * Fraction(one.made, here.every),
        )
        for one in here.counts
    }
    assert ours == dealt_in_view(settle, pile, marks, 1, shown)
    assert found.uses.in_view == len(shown)


@pytest.mark.parametrize(
    ("text", "view", "message"),
    [
        (BUST.replace("GIVEN", ""), "dealer", "how many cards of dealer there are is not known when one bets"),
        (COUP, "banker_third", "how many cards of banker_third there are is not known"),
    ],
)
def test_cards_that_may_not_come_cannot_be_in_view(text, view, message):
    shoe, _ = shoe_of("10c Kd 9h 8s 7c 6d 5h 4c")
    with pytest.raises(InputError, match=message):
        compute_count(bet_of(text), shoe, parse_tags("4=1", shoe.composition), BLACKJACK, depths=[1], view=[view])


def test_a_card_that_is_not_seen_must_be_left_when_one_bets():
    bet, (shoe, _) = bet_of(PAIR), shoe_of("7c 7c 7d 9h 9s Kc 2d")
    with pytest.raises(InputError, match="no round begins after 4 of 7 cards; it can take 4"):
        compute_count(bet, shoe, parse_tags("7=1", shoe.composition), BLACKJACK, depths=[4], view=["player", "up"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tags", "Z=1"], "no card 'Z' to tag"),
        (["--tags", "A"], "cannot read the tag 'A'"),
        (["--tags", "A=x"], "cannot read the tag 'A=x'"),
        (["--tags", "A=100"], "no tag 100"),
        (["--tags", "A=1 As=2"], "have a tag already"),
        (["--tags", " "], "no tags"),
        (["--tags", "A=1", "--cut", "400"], "no cut card 400 cards from the end of 312"),
        (["--tags", "A=1", "--cut", "0", "--every", "1"], "put the cut card at least 2 cards from the end"),
        (["--tags", "A=1", "--depths", "310"], "no round begins after 310 of 312"),
        (["--tags", "A=1", "--depths", "x"], "no depth 'x'"),
        (["--best", "9"], "no level 9"),
        (["--every", "0.5"], "no round every 1/2 cards"),
        (["--every", "x"], "--every 'x': no number"),
        (["--conventions", "black jack"], "did you mean 'blackjack'?"),
        (["--true-count", "rounder"], "did you mean 'rounded'?"),
        (["--divide-by", "third"], "no decks 'third'"),
        (["--divisor", "seen"], "no divisor 'seen'"),
        (["--burned", "1", "--burned-seen", "2"], "2 of 1 burned cards cannot be seen"),
        (["--tags", "A=--1"], "cannot read the tag 'A=--1'"),
        (["--tags", "A=+-1"], "cannot read the tag 'A=+-1'"),
        (["--tags", "A=1", "--best", "2"], "goes with neither --best nor --unbalanced"),
        (["--tags", "A=1", "--depths", "10", "--cut", "52"], "--depths says where rounds begin"),
        (["--tags", "A=1", "--depths", "10", "--every", "5"], "it does not go with --every"),
        (["--tags", "A=1", "--wager", "-5"], "--wager '-5': must be more than nothing"),
        (["--tags", "A=1", "--wager", "5", "--rounds-per-hour", "0"], "must be more than nothing"),
        (["--tags", "A=1", "--rounds-per-hour", "x"], "--rounds-per-hour 'x': no number"),
        (["--tags", "A=1", "--rounds-per-hour", "60"], "give --wager too"),
        (["--tags", "A=1", "--samples", "50"], "--samples is about what no count can beat, which is sampled"),
        (["--tags", "A=1", "--until", "1%"], "give --bound too"),
        (["--tags", "A=1", "--seed", "2"], "give --bound too"),
        (["--tags", "A=1", "--chunk", "50"], "give --bound too"),
        (["--tags", "A=1", "--wager-alone"], "--wager-alone does not matter to TRI-03: its winnings cannot ride"),
        (["TRI-04", "--wager-alone"], "--wager-alone does not matter to these 2 bets: their winnings cannot ride"),
        (["--suits", "--unbalanced"], "goes with neither --best nor --unbalanced"),
        (["--tags", "A=1", "--trigger", "+-5"], "--trigger '+-5': no number"),
        (["--burned", "-1"], "no -1 burned cards"),
        (["--tags", "A=1", "--burned", "400"], "no round begins after 400 of 312 cards, which are seen or burned"),
        (["--tags", "A=1", "--first", "1000"], "no round begins after 1001 of 312 cards"),
        pytest.param(["--tags", "A=1", "--after-cut", "100"], "have fewer rounds after it", marks=pytest.mark.slow),
        (["--view", "hole"], "has no 'hole' that could be in view"),
    ],
)
def test_what_cannot_be_counted_is_said_in_one_line(run, arguments, message):
    code, out, err = run("count", "TRI-03", "--decks", "6", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_bets_whose_pays_are_not_known_are_refused(run):
    code, _, err = run("count", "BLZ-1-UP", "--decks", "6", "--tags", "7=1")
    assert (code, "--meter" in err) == (2, True)


def test_the_command_gives_exact_values_and_says_what_is_approximate(run):
    shared = ("count", "TRI-03", "--decks", "2", "--cut", "20", "--tags", "2=1 Q=-1", "--burned", "1")
    code, out, _ = run(*shared, "--format", "json")
    (told,) = json.loads(out)
    assert code == 0
    assert told["rounds_are_approximate"]
    assert Fraction(told["always"]["edge"]) == -Fraction(told["house_edge"])
    assert told["best"] in told["triggers"]
    assert "seeing the burned cards" in told["information"]
    code, out, _ = run(*shared)
    assert (code, "Rounds of 4 to 10 cards, 5.5 on average: an approximation" in out) == (0, True)


def test_the_page_says_what_meters_show_and_that_a_shoe_is_not_designed(run):
    asked = ["count", "BLZ-1-UP", "--decks", "1", "--any-decks", "--depths", "9", "--tags", "7=1", "--meter", "5000"]
    code, out, _ = run(*asked)
    assert (code, "meter at 5,000; at given depths" in out, "! not designed for 1 deck" in out) == (0, True, True)
    assert "Amounts of meters are money, for a wager of 1." in out
    (told,) = json.loads(run(*asked, "--format", "json")[1])
    assert (told["meters"], told["meter_wager"], told["designed"]) == ({"meter": 5000}, 1, False)


def test_best_tags_of_a_bet_with_open_meters_are_not_looked_for():
    paytable = get_paytable("BLZ-1-UP")
    (removal,) = removals(build_study(paytable, Shoe(6)), lambda shoe: build_study(paytable, shoe))
    with pytest.raises(InputError, match="the best tags depend on what they show"):
        best_tags(removal, 1)


def test_depths_that_a_shoe_does_not_reach_are_refused():
    with pytest.raises(InputError, match="no round begins after 50 of 52 cards; it can take 3"):
        starts_at_depths([50], 52, 3)


@pytest.mark.parametrize("deal", ["dealer:h17", "player:1, dealer:s17"])
def test_kinds_of_dealers_hands_are_those_of_the_hands_laid_out(deal):
    bet = made(deal, ["dealer.bust and dealer.suited", "dealer.has(A) and dealer.cards > 2"])
    shoe, _ = shoe_of("10c Kd 10h 9h 8s 7c 6d Ah")
    ranks = bet.experiment.listing(shoe.composition).ranks
    kind_of = {rank: number for number, some in enumerate(ranks) for rank in some}
    laid_out, listed = Counter(), Counter()
    for one in bet.experiment.outcomes(shoe.composition):
        laid_out[one.award, tuple(sorted(kind_of[int(card.rank)] for card in one.cards))] += one.ways
    for one in bet.experiment.kinds(shoe.composition):
        listed[one.award, tuple(sorted(kind for kinds in one.at.values() for kind in kinds))] += one.ways
    assert listed == laid_out
    assert len(listed) > 10


def test_classes_of_rounds_that_are_too_many_are_refused(monkeypatch):
    shoe = Shoe(1)
    tags = parse_tags("A=1 2=2 3=3", shoe.composition)
    monkeypatch.setattr("combinat.counting.running_count.MAX_WORK", 100)
    monkeypatch.setattr("combinat.counting.running_count.MAX_OUTCOMES_TOGETHER", 10)
    message = "with 4 different tags and up to 3 cards in a round there are 11 classes of rounds, too many"
    with pytest.raises(InputError, match=message):
        compute_count(get_paytable("TRI-03"), shoe, tags, BLACKJACK, depths=[20])


@pytest.mark.parametrize("id", ["BAC-DRAGON-BONUS-B", "BAC-DRAGON-BONUS-P"])
def test_outcomes_summed_or_multiplied_one_by_one_give_the_same_counts(id, monkeypatch):
    bet, shoe = get_paytable(id), Shoe(1)
    tags = parse_tags("A=1 2=1 8=-1 9=-1", shoe.composition)
    found = []
    for additions_per_product in (0, 10**9):
        monkeypatch.setattr("combinat.counting.running_count._MIN_SUMMED", 2)
        monkeypatch.setattr("combinat.counting.running_count._ADDITIONS_PER_PRODUCT", additions_per_product)
        found.append(compute_count(bet, shoe, tags, BLACKJACK, depths=[0, 7, 30]).at)
    assert found[0] == found[1]
