"""A split computed separately for each number of removed cards of the pair's rank."""

from math import perm

from combinat.blackjack.exact.play import double_profit, select_figures
from combinat.blackjack.exact.resplits import count_split_hands
from combinat.blackjack.hands import ACE, EMPTY, INDEXES, total, with_card
from combinat.blackjack.rules import Action


class OneNumberAtATime:
    """A split hand when exactly this many cards of the pair's rank are removed."""

    def __init__(self, play, place, gone):
        self.play, self.place, self.others = play, place, gone - 1
        self.known = {}

    def gone(self, hand):
        return with_card(hand, self.place, self.others)

    def stand(self, hand):
        return self.play.standing.stand(self.gone(hand), total(hand))

    def follow(self, hand, choices):
        worth = {}
        for action in set(choices):
            if action is Action.STAND:
                worth[action] = self.stand(hand)
            elif action is Action.HIT:
                worth[action] = self.play.next_card(hand, self.gone(hand), self.played)
            else:
                drawn = self.play.next_card(hand, self.gone(hand), self.stand)
                worth[action] = double_profit(drawn, self.play.standing.no_blackjack(self.gone(hand)))
        return select_figures(worth, choices)

    def played(self, hand):
        if hand not in self.known:
            self.known[hand] = self.follow(hand, self.play.choices(hand))
        return self.known[hand]

    def second_card(self, place):
        start = with_card(EMPTY, self.place)
        left = self.play.counts[place] - self.gone(start)[place]
        if not left:
            return [0] * len(self.play.ups)
        hand = with_card(start, place)
        back = self.follow(hand, self.play.choices_after_split(hand, self.place == ACE))
        alive = self.play.standing.no_blackjack(self.gone(hand))
        return [left * (one - other) for one, other in zip(back, alive, strict=True)]


def split_one_number_at_a_time(play, place):
    other_rank, any_card = count_split_hands(play.rules.max_split_hands(place))
    back = play.standing.no_blackjack(with_card(EMPTY, place, 2))
    for gone in other_rank | any_card:
        ways = perm(play.counts[place] - 2, gone - 2)
        for second in INDEXES if ways else ():
            times = any_card.get(gone, 0) + (other_rank.get(gone, 0) if second != place else 0)
            profit = OneNumberAtATime(play, place, gone).second_card(second)
            back = [one + ways * times * two for one, two in zip(back, profit, strict=True)]
    return back
