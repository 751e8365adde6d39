"""Hand rows over classes of cards, compared with every deal of physical cards and with bit sets."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import perm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.joint import analyze_joint, analyze_spots, joint_outcomes
from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.fixed import enumerator as fixed_deal
from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.fixed.hand_rows import MAX_HAND_WORK, ClassRows
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.progress import progress_to
from combinat.enumeration.tally import new_partition, partition_from_row
from combinat.language.parser import parse_rule
from decks import STANDARD, Composition, InputError, Shoe, find_pack, parse_cards
from decks.cards import ALL_CARDS
from decks.shoe import BUG
from tests.profiles import tries
from tests.slow.deals import count_ladder
from tests.slow.rules import fits, judge
from tests.slow_cases import slow_case
from tests.small_bets import build_paytable
from tests.strategies import ladders, pack_with, rules, small_compositions

PILE = parse_cards("2c 2d 3c 4c 4h Kh Ks As 7d 7h 9s Jd")


def weigh_rows(deal, pack, ladder, composition, apart=True):
    """Count a ladder by hand rows at any cost."""
    rows = ClassRows(deal, pack, ladder, composition)
    counted = rows.count()
    assert len(rows.ways()) == rows.size
    total = perm(composition.size, deal.card_count)
    return ladder.ways(partition_from_row(counted), total, deal.orders(roles_distinct=apart))


def shoe_of(cards):
    """Return a shoe of some cards of one deck."""
    return Shoe(1, removed=[card for card in ALL_CARDS if card not in cards])


@given(ladders(), small_compositions)
@tries(40, quick=5)
def test_hand_rows_match_every_deal_of_a_small_shoe(ladder, composition):
    deal, parsed, apart = ladder
    ways = weigh_rows(deal, pack_with(composition), Ladder(parsed), composition, apart)
    matches, wins, losing = count_ladder(composition, deal, parsed, apart)
    assert (list(ways.matches), list(ways.wins), ways.losing) == (matches, wins, losing)


@given(ladders(), st.integers(1, 3))
@tries(20, quick=2)
def test_tally_matches_bit_sets(ladder, decks):
    deal, parsed, apart = ladder
    pack = find_pack("standard without 2 3 4 5 6 9 10 Q K")
    trial = FixedExperiment(deal, pack, Ladder(parsed), apart)
    rows = ClassRows(deal, pack, trial.ladder, pack.composition, any_decks=True)
    counts = new_partition(len(parsed), Counter)
    rows.tally(counts)
    assert trial.ladder.tally(counts, pack.size, deal.card_count, trial.enumerator.orders).at(
        decks
    ) == trial.tally().at(decks)


@pytest.mark.parametrize(
    ("deal", "pack", "texts"),
    [
        ("player:4", "standard with 2 jokers", ["best three.straight", "has(joker)", "points == 9", "count(7) > 1"]),
        ("player:4", f"standard with 1 joker for {BUG}", ["best three.flush", "best three.pair", "has(hearts)"]),
        ("a:1, b:1, c:1", "spanish", ["a.has(b.rank) or c.has(red)", "rainbow", "a.rank - b.rank > c.rank - 9"]),
        ("front:3, back:2", "standard", ["front.flush and back.suited", "back.high > front.top pair", "back.pair"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("has_condition", [False, True])
def test_counts_match_bit_sets(deal, pack, texts, has_condition):
    deal, pack = parse_deal(deal), find_pack(pack)
    parsed = tuple(parse_rule(text, deal) for text in texts)
    ladder = Ladder(parsed[1:], parsed[0]) if has_condition else Ladder(parsed)
    composition = Composition.of([*PILE, *PILE[:3]] + [card for card, _ in pack.composition if card.is_joker])
    missing = [card for card, count in composition for _ in range(count) if card.rank not in (0, *pack.ranks)]
    composition = composition.remove(missing)
    trial = FixedExperiment(deal, pack, ladder, True)
    assert weigh_rows(deal, pack, ladder, composition) == trial.count(composition)


ADDING = """
bet = "Adding"
deal = "player:{cards}"
settlement = "all matches"
[[paytable]]
id = "ADD"
decks = 1
awards = [
  {{ name = "Heart", per = "count(hearts)", pays = "1 to 1" }},
  {{ name = "Flush", when = "best five.flush", pays = "3 to 1" }},
  {{ name = "Seven", when = "has(7)", pays = "2 to 1" }},
]
"""


@pytest.mark.parametrize("cards", [6, slow_case(7)])
def test_summed_awards_match_every_hand_of_a_small_shoe(cards):
    (paytable,), problems = parse_bet(ADDING.format(cards=cards), "adding.toml")
    assert problems == ()
    remaining = parse_cards("2h 3h 4h 5c 6h 7h 7d Kc Ks 9d")
    result = paytable.ways(shoe_of(remaining))
    judges = [judge(award.rule.fact) for award in paytable.awards]
    wins = Counter()
    for hand in combinations(remaining, cards):
        wins[next((at for at, is_won in enumerate(judges) if is_won(hand)), None)] += 1
    assert {at: ways for at, ways in enumerate(result.wins) if ways} == {
        at: n for at, n in wins.items() if at is not None
    }
    assert result.losing == wins[None]


TWO_PARTS = (
    "front.flush and back.suited",
    "back.pair and back.high > front.top pair",
    "back.count(hearts) > front.count(hearts)",
)


def test_two_large_roles_need_a_small_shoe():
    deal = parse_deal("front:5, back:2")
    parsed = tuple(parse_rule(text, deal) for text in TWO_PARTS)
    trial = FixedExperiment(deal, STANDARD, Ladder(parsed), True)
    remaining = parse_cards("2h 3h 4h 5c 6h 7h 7d Kc Ks")
    ways = trial.count(Composition.of(remaining))
    judges = [judge(rule.fact) for rule in parsed]
    wins = Counter()
    for front in combinations(remaining, 5):
        for returned in combinations([card for card in remaining if card not in front], 2):
            wins[next((index for index, is_won in enumerate(judges) if is_won((*front, *returned))), 3)] += 1
    assert (*ways.wins, ways.losing) == tuple(wins[index] for index in range(4))
    long = (*parsed, parse_rule("front.count(spades) > back.count(diamonds)", deal))
    with pytest.raises(InputError, match="too long to be counted over 7 cards"):
        FixedExperiment(deal, STANDARD, Ladder(long), True).count(STANDARD.composition.remove(parse_cards("2c 3d 5h")))


def test_seven_roles_with_color_rules_are_counted():
    deal = parse_deal("a:1, b:1, c:1, d:1, e:1, f:1, g:1")
    texts = ["a.has(red) and b.has(red) and c.has(black)", "g.has(a.color)", "f.has(7)"]
    ladder = Ladder(tuple(parse_rule(text, deal) for text in texts))
    trial = FixedExperiment(deal, STANDARD, ladder, True)
    ways = trial.tally().at(1)
    assert ways == trial.count(STANDARD.composition)
    assert ways.matches[0] * 51 * 50 * 52 == ways.cycle * 26 * 25 * 26
    assert trial.reachable_rules() == (True, True, True)


def test_joint_wagers_on_six_cards_are_counted():
    prime = get_paytable("PKR-PRIME")
    removed = parse_cards("2c 5d 9h Ks As")
    joint = analyze_joint([(prime, 3), (prime, 4)], Shoe(1, removed=removed))
    alone = analyze_joint([(prime, 1)], Shoe(1, removed=removed))
    assert joint.total.mean.constant == 7 * alone.total.mean.constant
    assert joint.all_win == joint.any_wins == alone.all_win
    red, black = 24, 23
    of_one_color = sum(perm(count, 3) for count in (red, black))
    assert alone.all_win * perm(47, 3) == of_one_color


@pytest.mark.slow
def test_duplicate_wager_wins_with_the_original():
    fortune = get_paytable("PKR-FORTUNE-1")
    joint = analyze_joint([(fortune, 1), (fortune, 1)], Shoe(1, fortune.bet.pack))
    ways = fortune.tally.at(1)
    assert joint.all_win == joint.any_wins == Fraction(sum(ways.wins), ways.cycle)


@tries(12, 2)
@given(st.data())
def test_joint_awards_match_every_deal_of_a_small_shoe(data):
    deal = parse_deal("player:3, dealer:1")
    first, other = (
        build_paytable(str(deal), [data.draw(rules(deal, 1)) for _ in range(2)], id=name) for name in ("ONE", "TWO")
    )
    result = joint_outcomes([first, other], shoe_of(PILE[:7])).ways
    ways = Counter()
    for hand in permutations(PILE[:7], 4):
        row = []
        for paytable in (first, other):
            used = [fits(award.rule.fact, hand) for award in paytable.awards]
            row.append(used.index(True) if True in used else len(used))
        ways[tuple(row)] += 1
    total = sum(result.values())
    assert {row: count * perm(7, 4) for row, count in result.items()} == {
        row: count * total for row, count in ways.items()
    }


def test_hand_rows_are_used_only_where_cheaper(monkeypatch):
    listed = []
    monkeypatch.setattr(ClassRows, "count", lambda rows: listed.append(rows) or [0] * 6)
    deal = parse_deal("player:2, up:1")
    trial = FixedExperiment(deal, STANDARD, Ladder((parse_rule("suited", deal),)), False)
    trial.count(Composition.of(PILE))
    assert not listed
    monkeypatch.setattr(fixed_deal, "MIN_WORK", 0)
    rows = ClassRows(deal, STANDARD, trial.ladder, STANDARD.composition)
    assert not rows.is_cheaper_than(rows.work)
    assert rows.work < MAX_HAND_WORK


# Spots


@tries(12, 2)
@given(st.data(), st.sampled_from([("player:3", 3), ("player:3, dealer:1", 3), ("player:1, dealer:3", 1)]))
def test_spot_awards_match_every_deal_of_a_small_shoe(data, deal_of):
    deal, own = parse_deal(deal_of[0]), deal_of[1]
    parsed = tuple(parse_rule(data.draw(rules(deal, 1)), deal) for _ in range(2))
    cards = data.draw(st.lists(st.sampled_from(PILE[:8]), min_size=7, max_size=7))
    trial = experiment(deal, STANDARD, Ladder(parsed), roles_distinct=True)
    judges, ways = [judge(rule.fact) for rule in parsed], Counter()
    for row in permutations(cards, deal.card_count + own):
        dealer = row[2 * own :]
        judged = [[is_won((*hand, *dealer)) for is_won in judges] for hand in (row[:own], row[own : 2 * own])]
        ways[tuple(matches.index(True) if True in matches else 2 for matches in judged)] += 1
    assert trial.count_spots_jointly(Composition.of(cards), 2, by_class=True) == ways


def test_spots_with_color_rules_are_counted():
    prime = get_paytable("PKR-PRIME")
    alone = analyze_joint([(prime, 1)], Shoe(1))
    spots = analyze_spots(alone, 4)
    assert spots.total.mean.constant == spots.mean
    assert spots.total.variance.constant == spots.variance


def test_spots_with_too_many_card_classes_are_refused():
    trips = get_paytable("PKR-TRIPS-1")
    assert not trips.experiment.can_count_spots(STANDARD.composition, 2)
    with pytest.raises(InputError, match="too expensive to count"):
        analyze_spots(analyze_joint([(trips, 1)], Shoe(1)), 2)


def test_long_counts_report_progress():
    deal = parse_deal("player:3, dealer:3")
    parsed = tuple(parse_rule(text, deal) for text in ("same color", "player.has(7)"))
    reported = []
    with progress_to(lambda done, steps: reported.append((done, steps))):
        FixedExperiment(deal, STANDARD, Ladder(parsed), True).count(STANDARD.composition.remove(PILE[:5]))
    assert reported
    assert all(1 <= done <= steps for done, steps in reported)
    assert any(done == steps for done, steps in reported)
