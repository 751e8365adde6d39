"""Wagers of eligible hands on the dealer's hand, against a reference implementation that deals card by card."""

from collections import Counter
from fractions import Fraction
from math import factorial

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.blackjack.charts import chart_for
from combinat.blackjack.eligibility import analyze_eligible, eligible_hands
from combinat.blackjack.hands import hand_of, value_index
from combinat.blackjack.rules import BlackjackRules
from decks import Shoe
from tests.slow.eligible_hands import simulate

BET = """
bet = "Bust"
deal = "dealer:h17"
given = "not blackjack"
[[paytable]]
id = "B"
decks = 1
awards = [
  {{ name = "Three 8s", when = "8-8-8", pays = "25 to 1" }},
  {{ name = "Suited bust, 8 up", when = "bust and suited and up.has(8)", pays = "20 to 1" }},
  {{ name = "Suited bust", when = "bust and suited", pays = "10 to 1" }},
  {{ name = "Bust", when = "bust", pays = "1 to 1" }},
]
[pack]
without = {without}
"""
ALL_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


class Table:
    """Rounds dealt card by card: cards are (value, suit), and every physical card is a branch.

    A weight is the number of orders of the whole pack that begin with the cards dealt so far, so it is an integer.
    """

    def __init__(self, cards, rules):
        self.cards = Counter(cards)
        self.rules = rules
        self.chart = chart_for(1, rules)
        self.hands = self.net = self.rounds = 0
        """Sums over rounds in which the dealer has no blackjack: eligible hands, their net result, rounds."""

    def draw(self, weight):
        """Yield each card with its weight; the card is out of the pack meanwhile."""
        size = self.cards.total()
        for card, count in list(self.cards.items()):
            if count:
                self.cards[card] -= 1
                yield card, weight * count // size
                self.cards[card] += 1

    def play_all_rounds(self):
        for first, p1 in self.draw(factorial(self.cards.total())):
            for up, p2 in self.draw(p1):
                for second, p3 in self.draw(p2):
                    for hole, p4 in self.draw(p3):
                        if total([up, hole]) != 21:
                            self.rounds += p4
                            self.play_round([first, second], [up, hole], p4)

    def play_round(self, hand, dealer, weight):
        if total(hand) == 21:
            return  # a blackjack is not eligible, so nothing is counted
        self.play_hands([], [hand], 1, dealer, weight)

    def play_hands(self, finished, waiting, hand_count, dealer, weight):
        """Play the hands in turn; `hand_count` is the number of hands of the split so far."""
        if not waiting:
            self.finish_dealer(dealer, sum(total(hand) <= 21 for hand in finished), weight)
            return
        hand, *remaining = waiting
        if len(hand) == 1:
            for card, p in self.draw(weight):
                self.play_hands(finished, [[*hand, card], *remaining], hand_count, dealer, p)
            return
        action = self.choose(hand, dealer[0], hand_count)
        if action == "split":
            self.play_hands(finished, [[hand[0]], [hand[1]], *remaining], hand_count + 1, dealer, weight)
        elif action == "stand":
            self.play_hands([*finished, hand], remaining, hand_count, dealer, weight)
        elif action == "double":
            for card, p in self.draw(weight):
                self.play_hands([*finished, [*hand, card]], remaining, hand_count, dealer, p)
        else:
            for card, p in self.draw(weight):
                self.play_hands(finished, [[*hand, card], *remaining], hand_count, dealer, p)

    def choose(self, hand, up, hand_count):
        if total(hand) >= 21:
            return "stand"
        is_first = len(hand) == 2
        of_aces = hand_count > 1 and hand[0][0] == 1 and is_first
        is_pair = is_first and hand[0][0] == hand[1][0]
        if of_aces:
            return "stand"
        allowed = {"stand", "hit"}
        if is_first and (hand_count == 1 or self.rules.double_after_split):
            allowed.add("double")
        if is_pair and hand_count < (2 if hand[0][0] == 1 else self.rules.max_hands):
            allowed.add("split")
        by_value = hand_of(value - 1 for value, _ in hand)
        preferences = self.chart.preferences(by_value, up[0] - 1, self.rules.double_after_split)
        return next(str(action) for action in preferences if str(action) in allowed)

    def finish_dealer(self, dealer, eligible, weight):
        if not eligible:
            return
        self.hands += eligible * weight
        self.net += eligible * self.dealer_net(dealer, weight)

    def dealer_net(self, dealer, weight):
        """Return the net result of a wager, times its weight, summed over the dealer's further cards."""
        hard = sum(value for value, _ in dealer)
        is_soft = hard <= 11 and any(value == 1 for value, _ in dealer)
        best = total(dealer)
        if best > 17 or (best == 17 and not is_soft):
            return weight * self.pay(dealer)
        return sum(self.dealer_net([*dealer, card], p) for card, p in self.draw(weight))

    def pay(self, dealer):
        if total(dealer) <= 21:
            return -1
        if [value for value, _ in dealer] == [8, 8, 8]:
            return 25
        if len({suit for _, suit in dealer}) == 1:
            return 20 if dealer[0][0] == 8 else 10
        return 1


def total(cards):
    hard = sum(value for value, _ in cards)
    return hard + 10 if hard <= 11 and any(value == 1 for value, _ in cards) else hard


def small_bet(*ranks):
    without = [rank for rank in ALL_RANKS if rank not in ranks]
    ((paytable,), problems) = parse_bet(BET.format(without=without), "bust.toml")
    assert not problems
    return paytable


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ranks", "max_hands"),
    [(("6", "8", "10"), 2), (("7", "10", "K"), 3), (("9", "10", "A"), 2)],
    ids=lambda case: "-".join(case) if isinstance(case, tuple) else str(case),
)
def test_eligible_wagers_agree_with_dealing_card_by_card(ranks, max_hands):
    paytable = small_bet(*ranks)
    rules = BlackjackRules(max_hands=max_hands)
    shoe = Shoe(1, paytable.bet.pack)
    cards = [(value_index(card.rank) + 1, int(card.suit)) for card, count in shoe.composition for _ in range(count)]
    table = Table(cards, rules)
    table.play_all_rounds()
    eligibility = analyze_eligible(analyze_wager(paytable, shoe), rules)
    assert eligibility.analysis.house_edge == Fraction(-table.net, table.hands)
    assert eligibility.hands_per_round == Fraction(table.hands, table.rounds)


@pytest.mark.slow
def test_hands_by_up_card_add_up_and_agree_with_simulated_rounds():
    eligibility = analyze_eligible(analyze_wager(get_paytable("BB-1"), Shoe(2)))
    assert sum(case.share for case in eligibility.cases) == 1
    mean = sum(case.share * case.analysis.house_edge.constant for case in eligibility.cases)
    assert mean == eligibility.analysis.house_edge.constant
    edge, error = simulate(decks=2, rounds=20_000)
    assert abs(float(mean) - edge) < 4 * error


def test_a_player_who_never_busts_is_always_eligible_except_for_a_blackjack():
    """Against a 6 the chart never hits a stiff hand; only blackjacks and hits of 12 after small cards are missing."""
    hands = eligible_hands(chart_for(6, BlackjackRules(max_hands=1)), BlackjackRules(max_hands=1), 5)
    assert all(coefficient > 0 for coefficient in hands.values())
    assert hand_of((0, 9)) not in hands
