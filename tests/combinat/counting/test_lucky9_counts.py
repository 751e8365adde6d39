"""Counts of Lucky 9 with the fixed strategy of a full shoe, compared with every order of a small shoe."""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import perm

import pytest
from hypothesis import given
from hypothesis import strategies as st
from more_itertools import distinct_permutations
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.paytable import apply_settings
from combinat.counting.bound import exact_bound, sample_bound
from combinat.counting.conventions import BLACKJACK, LUCKY_9, starts_at_depths
from combinat.counting.counts import compute_count
from combinat.counting.evaluation import evaluate_count
from combinat.counting.options import CountOptions
from combinat.counting.removal import fixed_strategy_removal, removals
from combinat.counting.tags import parse_tags
from combinat.results.count import CountAnswer
from combinat.study import build_study
from decks import InputError, Shoe
from reports.answers.count import counts_document, many_counts_document
from tests.profiles import tries
from tests.slow import lucky9 as slow
from tests.slow_cases import slow_cases
from tests.small_bets import build_shoe

FEW = "9c 9d 8h Kc 10c 10d 4s 4h"
SHOES = {
    "no split": ("L9", "1", FEW, "9=-1 K=2 4=1", 2),
    "no split, maker": ("L9-MAKER", "1", "9c 9d 9h Ac 8d 5d 4s 4h", "9=-1 8=2 4=1", 1),
    "tie": ("L9-TIE", "1", FEW, "10=-1 K=0 9=2", 1),
    "one split": ("L9", "2", "6c 6d 6h 6s 3d 3h 10c Kh 2c", "10=1 K=-1 6=1 3=2", 1),
    "one split, tie": ("L9-TIE", "2", "6c 6d 6h 6s 3d 3h 10c 10h 2c", "10=1 6=1 3=2", 2),
    "four hands": ("L9", "4", "7c 7d 7h 7s 7s 7h 7d 2c 2d 2h 2s 10c", "2=1 10=-2", 1),
    "four hands, tie": ("L9-TIE", "4", "7c 7d 7h 7s 7s 7h 7d 2c 2d 2h 2s 10c", "2=1 7=2", 1),
}


def worth(card):
    return 1 if card == 14 else 0 if card >= 10 else card


class Table:
    """Return the rules of a paytable and the best action for every first hand and up card of a full shoe."""

    def __init__(self, paytable, hands, ranks):
        self.hands = int(hands)
        self.nines, self.qualify = ("maker", "three") if paytable.id == "L9-MAKER" else ("push", "any")
        self.is_tie = paytable.id == "L9-TIE"
        self.stock = [sum(worth(rank) == kind for rank in ranks) for kind in range(10)]
        self.best = cache(self._best)
        self.split = 0

    def _best(self, hand, up):
        stock = list(self.stock)
        for kind in (*hand, up):
            stock[kind] -= 1
        values = {}
        for action in slow.actions(hand, self.nines, self.hands):
            outcomes = slow.outcomes(hand, up, stock, action, self.nines, self.qualify, self.hands)
            values[action] = sum(
                chance * (Fraction(3, 2) if lucky and units == 1 else units)
                for (units, _, _, lucky), chance in outcomes.items()
            )
        return max(values, key=values.get)

    def settle(self, ranks):
        first, second, up, hole, *remaining = map(worth, ranks)
        hand, action = [first, second], self.best((min(first, second), max(first, second)), up)
        if action == "hit":
            finished = [[*hand, remaining.pop(0)]]
        elif action == "stand":
            finished = [hand]
        else:
            self.split += 1
            finished = self.dealt_to_split(hand, remaining, self.hands if action == "resplit" else 0)
        dealer = [up, hole] if slow.total([up, hole]) > 4 else [up, hole, remaining.pop(0)]
        if self.is_tie:
            return 7 if slow.total(finished[0]) == slow.total(dealer) else -1
        is_split = "split" in action
        units = sum(slow.settled(first, dealer, self.nines, self.qualify, after_split=is_split) for first in finished)
        return Fraction(3, 2) if units == 1 and not is_split and slow.is_lucky(finished[0]) else units

    @staticmethod
    def dealt_to_split(waiting, rest, most):
        finished = []
        while waiting:
            card = rest.pop(0)
            if card == waiting[0] and len(waiting) + len(finished) < most:
                waiting.append(card)
            else:
                finished.append([waiting.pop(0), card])
        return finished


@slow_cases("no split, maker", "one split, tie", "four hands, tie")
@pytest.mark.parametrize("name", SHOES)
def test_counts_match_every_order_of_a_small_shoe(name):
    id, hands, text, tags, depth = SHOES[name]
    paytable, (shoe, pile) = apply_settings(get_paytable(id), {"hands": hands}), build_shoe(text)
    marks = parse_tags(tags, shoe.composition)
    tag_of = {int(card.rank): marks.tag_by_card[card] for card in pile}
    ranks = sorted(int(card.rank) for card in pile)
    table, dealt = Table(paytable, hands, ranks), {}
    for order in distinct_permutations(ranks):
        sums_of_count = dealt.setdefault(sum(tag_of[rank] for rank in order[:depth]), [0, Fraction(0), Fraction(0)])
        won = table.settle(order[depth:])
        sums_of_count[0] += 1
        sums_of_count[1] += won
        sums_of_count[2] += won**2
    total = sum(sums_of_count[0] for sums_of_count in dealt.values())
    assert (table.split > 0) == (hands > "1")
    result = compute_count(paytable, shoe, marks, BLACKJACK, depths=[0, depth])
    at_depth = result.by_cards_seen[depth]
    assert {at_count.count: Fraction(at_count.ways, at_depth.total_ways) for at_count in at_depth.counts} == {
        seen: Fraction(sums_of_count[0], total) for seen, sums_of_count in dealt.items()
    }
    for trigger in (-30, -6, 0, 4, 10):
        reached = [sums_of_count for seen, sums_of_count in dealt.items() if seen * 52 >= trigger * (shoe.size - depth)]
        mine = result.betting_value(trigger, [at_count for at_count in result.rounds if at_count.cards_seen == depth])
        sums = [
            sum((Fraction(sums_of_count[index]) / total for sums_of_count in reached), Fraction(0))
            for index in (0, 1, 2)
        ]
        assert [mine.frequency, mine.mean_win, mine.second_moment] == sums
    edge = -analyze_wager(paytable, shoe).house_edge.constant
    assert [at_count.edge for _, at_count in result.by_depth(None)] == [edge, edge]


@pytest.mark.parametrize(
    ("id", "text"), [("L9", "6c 6d 6h 6s 3d 3h 10c Kh 2c"), ("L9-TIE", "9c 9d 8h Kc 10c 10d 4s 4h 8c")]
)
def test_fixed_strategy_effects_match_one_exposed_card(id, text):
    """The effects sum to zero exactly; with best play for each shoe, the player only gains."""
    paytable, (shoe, _) = apply_settings(get_paytable(id), {"hands": "2"}), build_shoe(text)
    study = build_study(paytable, shoe)
    kept, (anew,) = fixed_strategy_removal(study), removals(study, lambda other: build_study(paytable, other))
    assert (kept.is_reoptimized, kept.balance, anew.is_reoptimized) == (False, 0, True)
    for effect in kept.effects:
        card = effect.cards[0]
        marks = parse_tags(f"{card.rank}=1", shoe.composition)
        if {other.rank for other in effect.cards} == {card.rank} and sum(marks.tag_by_card.values()) < 3:
            result = compute_count(paytable, shoe, marks, replace(BLACKJACK, true_count="running"), depths=[1])
            assert result.betting_value(1).edge == -effect.house_edge.constant
        assert id == "L9-TIE" or anew.effect_of(card).house_edge.constant <= effect.house_edge.constant


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (CountOptions(tags="hearts=1"), "L9: rounds of Lucky 9 are too many to be listed; give tags by rank alone"),
        (CountOptions(suits=True), "L9: rounds of Lucky 9 are too many to be listed; give tags by rank alone"),
        (CountOptions(tags="9=1", view=("dealer",)), "cards of dealer is not known"),
    ],
)
def test_suit_tags_and_exposed_cards_are_refused(asked, message):
    paytable, (shoe, _) = apply_settings(get_paytable("L9"), {"hands": "1"}), build_shoe(FEW)
    with pytest.raises(InputError, match=message):
        evaluate_count(replace(asked, depths=(1,)), build_study(paytable, shoe))


def test_answers_name_their_strategy():
    paytable, (shoe, _) = apply_settings(get_paytable("L9-TIE"), {"hands": "1"}), build_shoe(FEW)
    answer, rounds = evaluate_count(CountOptions(depths=(1,), tags="9=1 4=-1", bound=True), build_study(paytable, shoe))
    assert [start.cards_seen for start in rounds] == [1]
    shown = counts_document(answer)
    assert shown.subtitle == f"{shoe}, 8 cards; best play of the main wager, chosen off the top; at given depths"
    assert any("played as is best off the top, whatever the count is" in note for note in shown.notes)
    sampled = CountAnswer.of(replace(answer, bound=sample_bound(paytable, shoe, rounds, 2)))
    output = sampled.to_dict()
    assert output["basis"] == "best play of the main wager, chosen off the top"
    assert output["perfect_play"]["strategy_recomputed"]
    assert Fraction(output["always"]["edge"]) == -Fraction(output["house_edge"])
    assert "are played by the strategy of the full shoe" in str(many_counts_document([sampled]).notes)


def test_bound_uses_the_best_strategy_of_each_sample():
    """A sample of a nearly empty shoe has the value of its own best play."""
    paytable, (shoe, _) = apply_settings(get_paytable("L9"), {"hands": "1"}), build_shoe(FEW)
    begun = starts_at_depths([0], shoe.size, 6)
    assert exact_bound(paytable, shoe, begun) is None
    bound = sample_bound(paytable, shoe, begun, 2)
    assert (bound.is_reoptimized, bound.mean_win) == (True, max(0, -analyze_wager(paytable, shoe).house_edge.constant))


@given(
    st.sampled_from(["L9", "L9-MAKER", "L9-TIE"]),
    st.integers(1, 4),
    st.lists(st.integers(0, 3), min_size=13, max_size=13),
)
@tries(24, quick=3)
def test_rank_classes_cover_all_rounds(id, hands, class_of):
    """List each round with the cards that may follow, up to the longest; tens may form several classes."""
    paytable, (shoe, _) = (
        apply_settings(get_paytable(id), {"hands": str(hands)}),
        build_shoe(f"{FEW} 7c 7d 7h 7s Jc 2c 2d"),
    )
    classes = [[rank for rank, own in zip(range(2, 15), class_of, strict=True) if own == index] for index in range(4)]
    trial, size, longest = paytable.experiment, shoe.size, paytable.bet.deal.rules.length
    result = Counter()
    for award, used, ways in trial.count_by_rank(shoe.composition, classes):
        result[award] += ways * perm(size - sum(used), longest - sum(used))
    weighed = trial.count(shoe.composition)
    assert [result[award] for award in (*range(len(weighed.wins)), None)] == [*weighed.wins, weighed.losing]
    assert sum(result.values()) == perm(size, longest)


@pytest.mark.slow
def test_cards_per_round_follow_the_conventions():
    composition, often = Shoe(6).composition, Counter()
    for _, (used,), ways in get_paytable("L9").experiment.count_by_rank(composition, [range(2, 15)]):
        often[used] += Fraction(ways, perm(composition.size, used))
    assert sum(often.values()) == 1
    assert all(abs(often[cards] - chance) < Fraction(1, 1000) for cards, chance in LUCKY_9.lengths)
    assert sum(often[cards] for cards in (10, 11)) < Fraction(4, 10_000)
    assert sum(cards * chance for cards, chance in LUCKY_9.lengths) == LUCKY_9.round_cards
