"""Counts of Lucky 9, played as is best off the top, against every order of a small shoe dealt out and played."""

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
from combinat.counting.removal import fixed_strategy_removal, removals
from combinat.counting.tags import parse_tags
from combinat.study import build_study
from decks import InputError, Shoe
from reports.answers.count import CountRequest, counted, counts_document, counts_payload, many_counts_document
from tests.made_bets import shoe_of
from tests.profiles import tries
from tests.slow import lucky9 as slow

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
    """The rules of play of one paytable, and what is best at every first hand and up card of a full shoe."""

    def __init__(self, paytable, hands, ranks):
        self.hands = int(hands)
        self.nines, self.qualify = ("maker", "three") if paytable.id == "L9-MAKER" else ("push", "any")
        self.is_tie = paytable.id == "L9-TIE"
        self.stock = [sum(worth(rank) == kind for rank in ranks) for kind in range(10)]
        self.best = cache(self._best)
        self.split = 0

    def _best(self, hand, up):
        left = list(self.stock)
        for kind in (*hand, up):
            left[kind] -= 1
        values = {}
        for action in slow.actions(hand, self.nines, self.hands):
            law = slow.outcomes(hand, up, left, action, self.nines, self.qualify, self.hands)
            values[action] = sum(
                chance * (Fraction(3, 2) if lucky and units == 1 else units)
                for (units, _, _, lucky), chance in law.items()
            )
        return max(values, key=values.get)

    def settle(self, ranks):
        one, other, up, hole, *rest = map(worth, ranks)
        hand, action = [one, other], self.best((min(one, other), max(one, other)), up)
        if action == "hit":
            finished = [[*hand, rest.pop(0)]]
        elif action == "stand":
            finished = [hand]
        else:
            self.split += 1
            finished = self.dealt_to_split(hand, rest, self.hands if action == "resplit" else 0)
        dealer = [up, hole] if slow.total([up, hole]) > 4 else [up, hole, rest.pop(0)]
        if self.is_tie:
            return 7 if slow.total(finished[0]) == slow.total(dealer) else -1
        is_split = "split" in action
        units = sum(slow.settled(one, dealer, self.nines, self.qualify, after_split=is_split) for one in finished)
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


@pytest.mark.parametrize("name", SHOES)
def test_every_order_of_a_small_shoe_agrees(name):
    id, hands, text, tags, depth = SHOES[name]
    paytable, (shoe, pile) = apply_settings(get_paytable(id), {"hands": hands}), shoe_of(text)
    marks = parse_tags(tags, shoe.composition)
    tag_of = {int(card.rank): marks.of[card] for card in pile}
    ranks = sorted(int(card.rank) for card in pile)
    table, dealt = Table(paytable, hands, ranks), {}
    for order in distinct_permutations(ranks):
        known = dealt.setdefault(sum(tag_of[rank] for rank in order[:depth]), [0, Fraction(0), Fraction(0)])
        won = table.settle(order[depth:])
        known[0] += 1
        known[1] += won
        known[2] += won**2
    every = sum(known[0] for known in dealt.values())
    assert (table.split > 0) == (hands > "1")
    found = compute_count(paytable, shoe, marks, BLACKJACK, depths=[0, depth])
    here = found.at[depth]
    assert {one.count: Fraction(one.ways, here.every) for one in here.counts} == {
        seen: Fraction(known[0], every) for seen, known in dealt.items()
    }
    for trigger in (-30, -6, 0, 4, 10):
        reached = [known for seen, known in dealt.items() if seen * 52 >= trigger * (shoe.size - depth)]
        mine = found.worth(trigger, [one for one in found.rounds if one.seen == depth])
        sums = [sum((Fraction(known[place]) / every for known in reached), Fraction(0)) for place in (0, 1, 2)]
        assert [mine.frequency, mine.won, mine.squared] == sums
    edge = -analyze_wager(paytable, shoe).house_edge.constant
    assert [one.edge for _, one in found.by_depth(None)] == [edge, edge]


@pytest.mark.parametrize(
    ("id", "text"), [("L9", "6c 6d 6h 6s 3d 3h 10c Kh 2c"), ("L9-TIE", "9c 9d 8h Kc 10c 10d 4s 4h 8c")]
)
def test_effects_of_a_play_that_is_kept_are_what_one_card_seen_tells(id, text):
    """They come to zero exactly; where play is chosen anew, the main wager only gains by it."""
    paytable, (shoe, _) = apply_settings(get_paytable(id), {"hands": "2"}), shoe_of(text)
    one = build_study(paytable, shoe)
    kept, (anew,) = fixed_strategy_removal(one), removals(one, lambda other: build_study(paytable, other))
    assert (kept.chosen_anew, kept.balance, anew.chosen_anew) == (False, 0, True)
    for effect in kept.effects:
        card = effect.cards[0]
        marks = parse_tags(f"{card.rank}=1", shoe.composition)
        if {other.rank for other in effect.cards} == {card.rank} and sum(marks.of.values()) < 3:
            found = compute_count(paytable, shoe, marks, replace(BLACKJACK, true_count="running"), depths=[1])
            assert found.worth(1).edge == -effect.house_edge.constant
        assert id == "L9-TIE" or anew.of(card).house_edge.constant <= effect.house_edge.constant


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (CountRequest(tags="hearts=1"), "L9: rounds of Lucky 9 are too many to be listed; give tags by rank alone"),
        (CountRequest(suits=True), "L9: rounds of Lucky 9 are too many to be listed; give tags by rank alone"),
        (CountRequest(tags="9=1", view=("dealer",)), "how many cards of dealer there are is not known"),
    ],
)
def test_what_is_not_listed_card_by_card_is_refused(asked, message):
    paytable, (shoe, _) = apply_settings(get_paytable("L9"), {"hands": "1"}), shoe_of(FEW)
    with pytest.raises(InputError, match=message):
        counted(replace(asked, depths=(1,)), build_study(paytable, shoe))


def test_answers_name_the_play_that_they_stand_on():
    paytable, (shoe, _) = apply_settings(get_paytable("L9-TIE"), {"hands": "1"}), shoe_of(FEW)
    answer, rounds = counted(CountRequest(depths=(1,), tags="9=1 4=-1", bound=True), build_study(paytable, shoe))
    assert [one.seen for one in rounds] == [1]
    shown = counts_document(answer)
    assert shown.subtitle == f"{shoe}, 8 cards; best play of the main wager, chosen off the top; at given depths"
    assert any("played as is best off the top, whatever the count is" in note for note in shown.notes)
    told = counts_payload(replace(answer, bound=sample_bound(paytable, shoe, rounds, 2)))
    assert told["basis"] == "best play of the main wager, chosen off the top"
    assert told["perfect_play"]["play_chosen_anew"]
    assert Fraction(told["always"]["edge"]) == -Fraction(told["house_edge"])
    assert "are played as is best off the top" in str(many_counts_document([(told, None)]).notes)


def test_perfect_play_is_sampled_with_play_chosen_anew():
    """Of a shoe that is nearly gone each sample is worth what its own best play is worth."""
    paytable, (shoe, _) = apply_settings(get_paytable("L9"), {"hands": "1"}), shoe_of(FEW)
    begun = starts_at_depths([0], shoe.size, 6)
    assert exact_bound(paytable, shoe, begun) is None
    found = sample_bound(paytable, shoe, begun, 2)
    assert (found.chosen_anew, found.won) == (True, max(0, -analyze_wager(paytable, shoe).house_edge.constant))


@given(
    st.sampled_from(["L9", "L9-MAKER", "L9-TIE"]),
    st.integers(1, 4),
    st.lists(st.integers(0, 3), min_size=13, max_size=13),
)
@tries(24, quick=3)
def test_rounds_summed_up_by_any_classes_of_ranks_are_all_rounds(id, hands, class_of):
    """Each with the cards that may come after it, up to the longest; tens may be of several classes."""
    paytable, (shoe, _) = (
        apply_settings(get_paytable(id), {"hands": str(hands)}),
        shoe_of(f"{FEW} 7c 7d 7h 7s Jc 2c 2d"),
    )
    classes = [[rank for rank, own in zip(range(2, 15), class_of, strict=True) if own == one] for one in range(4)]
    trial, size, longest = paytable.experiment, shoe.size, paytable.bet.deal.rules.length
    found = Counter()
    for award, taken, ways in trial.count_by_rank(shoe.composition, classes):
        found[award] += ways * perm(size - sum(taken), longest - sum(taken))
    weighed = trial.count(shoe.composition)
    assert [found[award] for award in (*range(len(weighed.wins)), None)] == [*weighed.wins, weighed.losing]
    assert sum(found.values()) == perm(size, longest)


@pytest.mark.slow
def test_rounds_take_as_many_cards_as_the_conventions_say():
    composition, often = Shoe(6).composition, Counter()
    for _, (taken,), ways in get_paytable("L9").experiment.count_by_rank(composition, [range(2, 15)]):
        often[taken] += Fraction(ways, perm(composition.size, taken))
    assert sum(often.values()) == 1
    assert all(abs(often[cards] - chance) < Fraction(1, 1000) for cards, chance in LUCKY_9.lengths)
    assert sum(often[cards] for cards in (10, 11)) < Fraction(4, 10_000)
    assert sum(cards * chance for cards, chance in LUCKY_9.lengths) == LUCKY_9.round_cards
