"""Counts, compared with every order of a small shoe, and invariants of every bet."""

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
from tests.profiles import tries
from tests.slow_cases import slow_case, slow_cases
from tests.small_bets import build_paytable as made
from tests.small_bets import build_shoe, parse_paytable

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
    first, second, up = cards[:3]
    if first == second or (first.rank == second.rank and first.suit == second.suit):
        return Fraction(7)
    if first.rank == second.rank == up.rank:
        return Fraction(5, 2)
    return Fraction(0) if up.rank in (first.rank, second.rank) else Fraction(-1)


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
    player, banker, remaining = [ranks[0], ranks[2]], [ranks[1], ranks[3]], ranks[4:]
    if points(player) < 8 and points(banker) < 8:
        third = None
        if points(player) <= 5:
            third = remaining.pop(0)
            player.append(third)
        has = points(banker)
        if third is None:
            draws = has <= 5
        else:
            worth = points([third])
            draws = has <= 2 or (has == 3 and worth != 8) or (has == 4 and 2 <= worth <= 7)
            draws = draws or (has == 5 and 4 <= worth <= 7) or (has == 6 and worth in (6, 7))
        if draws:
            banker.append(remaining.pop(0))
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
    """Return a bet, a shoe small enough to deal in every order, and the tags of its cards."""
    text, _, cards, tags, _ = SMALL[name]
    bet = parse_paytable(text)
    shoe, pile = build_shoe(cards, bet.bet.pack)
    return bet, shoe, pile, parse_tags(tags, shoe.composition)


@lru_cache(maxsize=None)
def dealt_small(name, depth):
    _, _, cards, tags = small(name)
    return dealt(SMALL[name][1], cards, tags, depth)


def dealt(settle, cards, tags, depth):
    """Deal every order and return, by count: its probability, that of a bet, and the mean and second moment of wins."""
    results = {}
    for order in permutations(cards):
        seen = sum([tags.tag_by_card[card] for card in order[:depth]])
        results.setdefault(seen, Counter())[settle(order[depth:])] += 1
    every, result = sum(count.total() for count in results.values()), {}
    for seen, count in results.items():
        comes, of = count.total(), [(won, repeats) for won, repeats in count.items() if won is not None]
        sums = [sum((won**power * repeats for won, repeats in of), Fraction(0)) for power in (0, 1, 2)]
        result[seen] = [figure / every for figure in (Fraction(comes), *sums)]
    return result


@slow_cases(
    "dealer", "dealer, of few", "dealer, under a condition", "baccarat"
)  # 8 cards have 40,320 orders, 7 have 5,040
@pytest.mark.parametrize("name", SMALL)
def test_counts_match_every_order_of_a_small_shoe(name):
    (bet, shoe, _, marks), depths = small(name), SMALL[name][-1]
    for depth in depths[-1:] if name != "fixed" else depths:
        slow = dealt_small(name, depth)
        fast = compute_count(bet, shoe, marks, BLACKJACK, depths=[depth])
        at_depth, unit, low = fast.by_cards_seen[depth], fast.usage.unit, fast.usage.lowest_result
        assert {count.count: Fraction(count.ways, at_depth.total_ways) for count in at_depth.counts} == {
            seen: sums_of_count[0] for seen, sums_of_count in slow.items()
        }
        for count in at_depth.counts:
            made = Fraction(count.bets, at_depth.total_ways)
            won = Fraction(count.gains, at_depth.total_ways * unit) + low * made
            assert (made, won) == tuple(slow[count.count][1:3])
        for trigger in (-3, 0, 1, 2):
            reached = [
                sums_of_count for seen, sums_of_count in slow.items() if seen * 52 >= trigger * (shoe.size - depth)
            ]
            worth = fast.betting_value(trigger)
            sums = [sum((sums_of_count[index] for sums_of_count in reached), Fraction(0)) for index in (1, 2, 3)]
            assert [worth.frequency, worth.mean_win, worth.second_moment] == sums


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_counts_match_every_order_at_every_depth(name):
    (bet, shoe, _, marks), depths = small(name), SMALL[name][-1]
    fast = compute_count(bet, shoe, marks, BLACKJACK, depths=depths)
    for depth in depths:
        slow = dealt_small(name, depth)
        for count in fast.by_cards_seen[depth].counts:
            made = Fraction(count.bets, fast.by_cards_seen[depth].total_ways)
            won = (
                Fraction(count.gains, fast.by_cards_seen[depth].total_ways * fast.usage.unit)
                + fast.usage.lowest_result * made
            )
            assert (made, won) == tuple(slow[count.count][1:3])


def assert_mean_is_the_edge(paytable, decks, tags, depths):
    shoe = Shoe(decks, paytable.bet.pack)
    meters = {name: Fraction(5000) for name in paytable.meters}
    result = compute_count(paytable, shoe, parse_tags(tags, shoe.composition), BLACKJACK, depths=depths, meters=meters)
    edge = analyze_wager(paytable, shoe, meters).house_edge.constant
    for _, value in result.by_depth(None):
        assert value.edge == -edge
        assert paytable.bet.condition or value.frequency == 1


@pytest.mark.parametrize("name", ["TRI-03", "BLZ-1-UP", "21+3-PT1", "HM-1", "MATCH-THE-DEALER-4-12"])
def test_mean_edge_over_counts_is_the_full_shoe_edge(name):
    paytable = get_paytable(name)
    assert_mean_is_the_edge(paytable, paytable.decks[-1], "A=-2 5=2 7=1 K=-1", [0, 1, 26])


def test_meter_wager_follows_the_deck_count():
    systems = "".join(
        f"[[paytable.meters]]\ndecks = {decks}\nwager = {wager}\n"
        'levels = [{ name = "meter", seed = 9, rate = "9%" }]\n'
        for decks, wager in ((1, 5), (2, 2))
    )
    awards = 'awards = [{ name = "Kings", when = "count(K) == 2", pays = "100% of meter" }]\n'
    text = f'bet = "M"\ndeal = "player:2"\n[[paytable]]\nid = "M"\ndecks = "1-2"\n{awards}'
    for decks in (1, 2):
        assert_mean_is_the_edge(parse_paytable(text + systems), decks, "K=1", [0, 5])
    with pytest.raises(InputError, match="meters for different wagers"):
        next(iter_house_edges(parse_paytable(text + systems), [Shoe(1).composition], {"meter": Fraction(9)}))


def with_few_ranks(paytable):
    """Return the same bet from a pack without low cards if it deals six or more cards."""
    is_long = getattr(paytable.bet.deal, "cards_dealt", 0) > 5 or paytable.id == "BUSTER-2-S17"
    if not is_long:
        return paytable
    pack = paytable.bet.pack
    name = "standard without 2 3 4 5 6 8" + (" with 1 joker" if pack.jokers else "")
    fewer = pack._replace(name=name, ranks=tuple(rank for rank in pack.ranks if rank == 7 or rank > 8))
    return replace(paytable, bet=replace(paytable.bet, pack=fewer))


@pytest.mark.slow
@pytest.mark.parametrize("collection", list_collections())
def test_mean_edge_over_counts_holds_for_every_bet(collection):
    bets = set()
    for paytable in iter_collection(collection):
        if paytable.bet not in bets:
            bets.add(paytable.bet)
            assert_mean_is_the_edge(with_few_ranks(paytable), paytable.decks[-1], "A=-2 7=1 9=1 10=-2", [0, 20])


@pytest.mark.parametrize(
    "name", ["BLZ-2-UP", slow_case("LUCKY-LADIES-A"), slow_case("KINGS-BOUNTY-6D"), slow_case("WAR")]
)
def test_rank_classes_match_the_ledger(name):
    """Rules about the suits of all cards, of some and of none, from a shoe whose suits differ."""
    bet, classes = get_paytable(name), ((7, 12), (13, 14))
    pack = find_pack("standard without 2 3 4 5 6 8 9 10 J")
    trial = experiment(bet.bet.deal, pack, bet.ladder, bet.roles_distinct)
    shoe = Shoe(2, pack, removed=["7d", "Qh"])
    slow, orders = Counter(), trial.enumerator.orders
    for outcome in trial.outcomes(shoe.composition):
        used = tuple(sum(int(card.rank) in ranks for card in outcome.cards) for ranks in classes)
        slow[outcome.award, used] += outcome.ways * orders
    fast = {(award, used): ways for award, used, ways in trial.count_by_rank(shoe.composition, classes)}
    assert fast == slow


def test_depth_zero_gives_the_plain_edge_and_deviation():
    shoe, paytable = Shoe(6), get_paytable("TRI-03")
    betting_value = compute_count(
        paytable, shoe, parse_tags("A=1", shoe.composition), BLACKJACK, depths=[0]
    ).betting_value(0)
    plain = analyze_wager(paytable, shoe)
    assert (betting_value.frequency, betting_value.edge, betting_value.deviation) == (
        1,
        -plain.house_edge.constant,
        plain.standard_deviation,
    )


def test_trigger_wins_the_sum_of_its_counts():
    shoe, paytable = Shoe(2), get_paytable("TRI-03")
    result = compute_count(paytable, shoe, parse_tags("2=1 A=1 K=1 Q=-1 J=-1 10=-1", shoe.composition), BLACKJACK, 30)
    assert result.best.mean_win == max(value.mean_win for value in result.by_trigger) > 0
    assert result.max_win_by_count() >= result.best.mean_win
    by_depth = [(value.rounds, value.mean_win) for _, value in result.by_depth(result.best.trigger)]
    assert sum(weight * won for weight, won in by_depth) == result.best.per_shoe
    cuts = dict(result.by_cut(30))
    assert list(cuts) == [30, 52]
    assert (
        cuts[52].best.mean_win
        == compute_count(paytable, shoe, result.tags, BLACKJACK, 52).best.mean_win
        < result.best.mean_win
    )


def test_tags_within_a_rank_class_are_split_by_probability():
    """Tens are identical to the dealer; a tag on kings alone applies to one ten in four."""
    bet, (shoe, _) = parse_paytable(BUST.replace("GIVEN", "")), build_shoe("10c Kd Js Qh Qh 9h 9s 8s 7c 6d 5h")
    kings = compute_count(bet, shoe, parse_tags("K=1", shoe.composition), BLACKJACK, depths=[4])
    tens = compute_count(bet, shoe, parse_tags("10=1 J=0", shoe.composition), BLACKJACK, depths=[4])
    assert kings.by_cards_seen == tens.by_cards_seen


def test_suit_tags_on_finished_hands_are_refused():
    """Two suited tens are not any two tens, so a tag on kings alone cannot be split by probability."""
    shoe = Shoe(6)
    with pytest.raises(InputError, match="ranks that they do not tell apart need one tag"):
        compute_count(get_paytable("BB-1"), shoe, parse_tags("K=1", shoe.composition), BLACKJACK, depths=[4])
    with pytest.raises(InputError, match="tags by suit are for dealt cards"):
        compute_count(get_paytable("BB-1"), shoe, parse_tags("hearts=1", shoe.composition), BLACKJACK, depths=[4])


@given(st.integers(1, 2), st.sampled_from(["TRI-03", "BAC-3-GIVING-8"]), st.booleans())
@tries(5, quick=1)
def test_best_tags_have_the_highest_correlation(level, name, balanced):
    paytable = get_paytable(name)
    study = build_study(paytable, Shoe(6))
    (removal,) = removals(study, lambda shoe: build_study(paytable, shoe))
    best = best_tags(removal, level, balanced)
    reached = betting_correlation(best, removal)
    assert max(map(abs, best.tag_by_card.values())) <= level
    assert not balanced or best.total(Shoe(6).composition) == 0
    kinds = [effect.cards for effect in removal.effects][:6]
    remaining = {card: best.tag_by_card[card] for effect in removal.effects for card in effect.cards}
    for tags in product((-1, 0, 1), repeat=len(kinds)):
        of = remaining | {card: tag for cards, tag in zip(kinds, tags, strict=True) for card in cards}
        other = Tags(of)
        if not balanced or other.total(Shoe(6).composition) == 0:
            correlation = betting_correlation(other, removal)
            assert correlation is None or correlation <= reached


def test_baccarat_rounds_average_over_the_burn_card():
    begun = round_starts(replace(BACCARAT, divisor="physical"), Shoe(8).composition, 14, 6)
    first = [start for start in begun if start.cards_seen == 1]
    assert sum(start.weight for start in first) == 1
    assert {start.unseen_burned: start.weight for start in first}[10] == Fraction(4, 13)
    number = sum(start.weight for start in begun)
    assert 81 < number < 82
    assert sum(start.weight for start in round_starts(BACCARAT, Shoe(8).composition, 14, 6)) == number


def test_burned_cards_follow_the_composition():
    """With fewer tens, ten cards are burned less often; if only fours remain, four are always burned."""
    shoe, _ = build_shoe("4c 4c 4c 4d 4d 4d 4h 4h 4h 4s 4s 4s")
    begun = round_starts(replace(BACCARAT, divisor="physical", rounds_after_cut=0), shoe.composition, 8, 6)
    assert {start.unseen_burned for start in begun} == {4}
    removed = Shoe(1, removed=[card for card in ALL_CARDS if card.rank in (10, 11)])
    begun = round_starts(replace(BACCARAT, divisor="physical"), removed.composition, 14, 6)
    assert {start.unseen_burned: start.weight for start in begun if start.cards_seen == 1}[10] == Fraction(8, 44)


def test_rounds_per_shoe_follow_the_mean_length():
    """Deep in a shoe a round starts at any depth with probability 1 over the mean length."""
    lengths = ((2, Fraction(1, 2)), (3, Fraction(1, 2)))
    begun = {
        round_start.cards_seen: round_start.weight
        for round_start in round_starts(replace(BLACKJACK, lengths=lengths, burned=0), Shoe(6).composition, 52, 3)
    }
    assert [begun[seen] for seen in (0, 2, 3, 4)] == [1, Fraction(1, 2), Fraction(1, 2), Fraction(1, 4)]
    assert 1 not in begun
    assert abs(begun[200] - Fraction(2, 5)) < Fraction(1, 10**9)
    assert max(begun) < 260


def test_conventions_change_the_counts_at_a_trigger():
    lowest = [
        replace(BLACKJACK, **one).min_running_count(Fraction(2), 234, 312, 10)
        for one in (
            {},
            {"true_count": "rounded"},
            {"decks": "whole"},
            {"decks": "half"},
            {"divisor": "physical"},
            {"true_count": "running", "start": -7},
        )
    ]
    assert lowest == [3, 3, 4, 3, 3, 9]
    assert BLACKJACK.min_running_count(Fraction(4), 261, 312) == 4


def test_fractional_trigger_uses_the_rounded_count():
    """A true count of 2.7 is floored to 2 or rounded to 3: only the latter reaches 2.5."""
    remaining, half = 52, Fraction(5, 2)
    reached = {
        name: replace(BLACKJACK, true_count=name).min_running_count(half, 104 - 2 * remaining, 104)
        for name in ("exact", "floored", "rounded")
    }
    assert reached == {"exact": 5, "floored": 6, "rounded": 5}


def test_all_triggers_are_tried_at_every_depth():
    """With few cards left, true counts and the best trigger are far above all running counts."""
    bet, (shoe, pile) = parse_paytable(PAIR), build_shoe("7c 7c 7d 9h 2d 3d 4d")
    tags = parse_tags("7=-1 2=1 3=1 4=1", shoe.composition)
    result = compute_count(bet, shoe, tags, BLACKJACK, depths=[3])
    slow = dealt(settle_pair, pile, tags, 3)
    won = {count_: sum(row[2] for other, row in slow.items() if other >= count_) for count_ in slow}
    assert result.best.mean_win == max(won.values()) > 0
    assert result.best.trigger > max(map(abs, slow)) + 10
    assert result.by_trigger[-1].frequency == slow[max(slow)][0]


def dealt_in_view(settle, cards, tags, depth, shown):
    """Deal every order; cards at some positions are counted before the bet."""
    result = {}
    for order in permutations(cards):
        seen = sum(tags.tag_by_card[card] for card in (*order[:depth], *(order[depth + index] for index in shown)))
        sums = result.setdefault(seen, [0, Fraction(0)])
        sums[0] += 1
        sums[1] += settle(order[depth:])
    total = sum(sums[0] for sums in result.values())
    return {seen: (Fraction(sums[0], total), sums[1] / total) for seen, sums in result.items()}


@pytest.mark.parametrize(
    ("text", "settle", "cards", "tags", "view", "shown"),
    [
        slow_case(PAIR, settle_pair, "7c 7c 7d 9h 9s Kc 2d", "7=2 9=-1 K=-1", ["up"], [2]),
        slow_case(PAIR, settle_pair, "7c 7c 7d 9h 9s Kc 2d", "7=2 9=-1 K=-1", ["dealer"], [2]),
        (BUST.replace("GIVEN", ""), settle_bust, "10c Kd 9h 8s 7c 6d 5h", "10=1 K=-1 5=-1 6=2", ["up"], [0]),
        (COUP, settle_coup, "4c 4d 6h 9s 10c 2d 3h", "4=-1 9=2 2=1", ["banker_first"], [1, 3]),
    ],
    ids=["fixed", "a role's other name", "dealer", "baccarat"],
)
def test_exposed_cards_are_counted_in_every_experiment(text, settle, cards, tags, view, shown):
    bet = parse_paytable(text)
    shoe, pile = build_shoe(cards, bet.bet.pack)
    marks = parse_tags(tags, shoe.composition)
    result = compute_count(bet, shoe, marks, BLACKJACK, depths=[1], view=view)
    at_depth, unit, low = result.by_cards_seen[1], result.usage.unit, result.usage.lowest_result
    ours = {
        count.count: (
            Fraction(count.bets, at_depth.total_ways),
            Fraction(count.gains, at_depth.total_ways * unit) + low * Fraction(count.bets, at_depth.total_ways),
        )
        for count in at_depth.counts
    }
    assert ours == dealt_in_view(settle, pile, marks, 1, shown)
    assert result.usage.exposed_count == len(shown)


@pytest.mark.parametrize(
    ("text", "view", "message"),
    [
        (BUST.replace("GIVEN", ""), "dealer", "cards of dealer is not known"),
        (COUP, "banker_third", "cards of banker_third is not known"),
    ],
)
def test_optional_cards_cannot_be_exposed(text, view, message):
    shoe, _ = build_shoe("10c Kd 9h 8s 7c 6d 5h 4c")
    with pytest.raises(InputError, match=message):
        compute_count(
            parse_paytable(text), shoe, parse_tags("4=1", shoe.composition), BLACKJACK, depths=[1], view=[view]
        )


def test_bet_needs_cards_for_the_deal():
    bet, (shoe, _) = parse_paytable(PAIR), build_shoe("7c 7c 7d 9h 9s Kc 2d")
    with pytest.raises(InputError, match="got 4"):
        compute_count(bet, shoe, parse_tags("7=1", shoe.composition), BLACKJACK, depths=[4], view=["player", "up"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tags", "Z=1"], "'Z' is not a card"),
        (["--tags", "A"], "'A' is not a tag"),
        (["--tags", "A=x"], "'A=x'"),
        (["--tags", "A=100"], "got 100"),
        (["--tags", "A=1 As=2"], "'As=2'"),
        (["--tags", " "], "empty"),
        (["--tags", "A=1", "--cut", "400"], "got 400"),
        (["--tags", "A=1", "--cut", "0", "--every", "1"], "put the cut card at least 2 cards from the end"),
        (["--tags", "A=1", "--depths", "310"], "got 310"),
        (["--tags", "A=1", "--depths", "x"], "--depths: 'x'"),
        (["--best", "9"], "got 9"),
        (["--every", "0.5"], "got 1/2"),
        (["--every", "x"], "--every 'x'"),
        (["--conventions", "black jack"], "did you mean 'blackjack'?"),
        (["--true-count", "rounder"], "did you mean 'rounded'?"),
        (["--divide-by", "third"], "'third'"),
        (["--divisor", "seen"], "did you mean 'unseen'?"),
        (["--burned", "1", "--burned-seen", "2"], "0 to 1"),
        (["--tags", "A=--1"], "'A=--1'"),
        (["--tags", "A=+-1"], "'A=+-1'"),
        (["--tags", "A=1", "--best", "2"], "excludes --best and --unbalanced"),
        (["--tags", "A=1", "--depths", "10", "--cut", "52"], "--depths"),
        (["--tags", "A=1", "--depths", "10", "--every", "5"], "excludes --every"),
        (["--tags", "A=1", "--wager", "-5"], "--wager must be positive, got '-5'"),
        (["--tags", "A=1", "--wager", "5", "--rounds-per-hour", "0"], "must be positive"),
        (["--tags", "A=1", "--rounds-per-hour", "x"], "--rounds-per-hour 'x'"),
        (["--tags", "A=1", "--rounds-per-hour", "60"], "--wager 100"),
        (["--tags", "A=1", "--samples", "50"], "--samples belongs to the upper bound"),
        (["--tags", "A=1", "--until", "1%"], "add --bound"),
        (["--tags", "A=1", "--seed", "2"], "add --bound"),
        (["--tags", "A=1", "--chunk", "50"], "add --bound"),
        (["--tags", "A=1", "--wager-alone"], "not for TRI-03"),
        (["TRI-04", "--wager-alone"], "not for these 2 bets"),
        (["--suits", "--unbalanced"], "excludes --best and --unbalanced"),
        (["--tags", "A=1", "--trigger", "+-5"], "--trigger '+-5'"),
        (["--burned", "-1"], "got -1"),
        (["--tags", "A=1", "--burned", "400"], "no round begins after 400 of 312 cards, which are seen or burned"),
        (["--tags", "A=1", "--first", "1000"], "no round begins after 1001 of 312 cards"),
        slow_case(["--tags", "A=1", "--after-cut", "100"], "have fewer rounds after it"),
        (["--view", "hole"], "no role 'hole'"),
    ],
)
def test_invalid_counts_are_refused(run, arguments, message):
    code, out, err = run("count", "TRI-03", "--decks", "6", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_open_meters_are_refused(run):
    code, _, err = run("count", "BLZ-1-UP", "--decks", "6", "--tags", "7=1")
    assert (code, "--meter" in err) == (2, True)


def test_count_command_gives_exact_values(run):
    shared = ("count", "TRI-03", "--decks", "2", "--cut", "20", "--tags", "2=1 Q=-1", "--burned", "1")
    code, out, _ = run(*shared, "--format", "json")
    (answer,) = json.loads(out)
    assert code == 0
    assert answer["rounds_are_approximate"]
    assert Fraction(answer["always"]["edge"]) == -Fraction(answer["house_edge"])
    assert answer["best"] in answer["triggers"]
    assert "seeing the burned cards" in answer["information"]
    code, out, _ = run(*shared)
    assert (code, "Rounds of 4 to 10 cards, 5.5 on average: an approximation" in out) == (0, True)


def test_page_notes_meters_and_unusual_decks(run):
    arguments = [
        "count",
        "BLZ-1-UP",
        "--decks",
        "1",
        "--any-decks",
        "--depths",
        "9",
        "--tags",
        "7=1",
        "--meter",
        "5000",
    ]
    code, out, _ = run(*arguments)
    assert (code, "meter at 5,000; at given depths" in out, "! not designed for 1 deck" in out) == (0, True, True)
    assert "Amounts of meters are money, for a wager of 1." in out
    (answer,) = json.loads(run(*arguments, "--format", "json")[1])
    assert (answer["meters"], answer["meter_wager"], answer["designed"]) == ({"meter": 5000}, 1, False)


def test_best_tags_need_meter_amounts():
    paytable = get_paytable("BLZ-1-UP")
    (removal,) = removals(build_study(paytable, Shoe(6)), lambda shoe: build_study(paytable, shoe))
    with pytest.raises(InputError, match="the best tags depend on what they show"):
        best_tags(removal, 1)


def test_depths_beyond_the_shoe_are_refused():
    with pytest.raises(InputError, match="got 50"):
        starts_at_depths([50], 52, 3)


@pytest.mark.parametrize("deal", ["dealer:h17", slow_case("player:1, dealer:s17")])
def test_dealer_outcome_classes_match_the_ledger(deal):
    bet = made(deal, ["dealer.bust and dealer.suited", "dealer.has(A) and dealer.cards > 2"])
    shoe, _ = build_shoe("10c Kd 10h 9h 8s 7c 6d Ah")
    ranks = bet.experiment.card_resolution(shoe.composition).ranks
    kind_of = {rank: number for number, some in enumerate(ranks) for rank in some}
    laid_out, listed = Counter(), Counter()
    for outcome in bet.experiment.outcomes(shoe.composition):
        laid_out[outcome.award, tuple(sorted(kind_of[int(card.rank)] for card in outcome.cards))] += outcome.ways
    for outcome in bet.experiment.iter_rank_classes(shoe.composition):
        listed[
            outcome.award, tuple(sorted(kind for kinds in outcome.classes_by_position.values() for kind in kinds))
        ] += outcome.ways
    assert listed == laid_out
    assert len(listed) > 10


def test_too_many_outcome_classes_are_refused(monkeypatch):
    shoe = Shoe(1)
    tags = parse_tags("A=1 2=2 3=3", shoe.composition)
    monkeypatch.setattr("combinat.counting.running_count.MAX_WORK", 100)
    monkeypatch.setattr("combinat.counting.running_count.MAX_OUTCOMES_TOGETHER", 10)
    message = "with 4 different tags and up to 3 cards in a round there are 11 classes of rounds, too many"
    with pytest.raises(InputError, match=message):
        compute_count(get_paytable("TRI-03"), shoe, tags, BLACKJACK, depths=[20])


@pytest.mark.parametrize("id", [slow_case("BAC-DRAGON-BONUS-B"), "BAC-DRAGON-BONUS-P"])
def test_summed_and_multiplied_outcomes_agree(id, monkeypatch):
    bet, shoe = get_paytable(id), Shoe(1)
    tags = parse_tags("A=1 2=1 8=-1 9=-1", shoe.composition)
    result = []
    for additions_per_product in (0, 10**9):
        monkeypatch.setattr("combinat.counting.running_count._MIN_SUMMED", 2)
        monkeypatch.setattr("combinat.counting.running_count._ADDITIONS_PER_PRODUCT", additions_per_product)
        result.append(compute_count(bet, shoe, tags, BLACKJACK, depths=[0, 7, 30]).by_cards_seen)
    assert result[0] == result[1]
