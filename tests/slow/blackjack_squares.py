"""Anything asked of a hand's results, by playing it literally: how its bets end is looked at, deal by deal."""

from fractions import Fraction

from tests.slow.blackjack import Table, best_total, draws
from tests.slow.dealer import dealer_stands


def profits(end, bets):
    """What each bet wins, a total and a stake, when the dealer ends with so much."""
    return [stake * (-1 if own > 21 else 1 if end > 21 or own > end else -1 if own < end else 0) for own, stake in bets]


def square(end, bets):
    return sum(profits(end, bets)) ** 2


def squares_times_hands(end, bets):
    return len(bets) * sum(profit**2 for profit in profits(end, bets))


class Asked(Table):
    """A table at which the mean of a function of the dealer's total and of all bets is taken; play is for the mean."""

    def __init__(self, shoe, rules, up, asked):
        super().__init__(shoe, rules, up)
        self.asked, self.player = asked, Table(shoe, rules, up)

    def _result(self, dealer, totals, left):
        if dealer_stands(dealer, self.rules.hits_soft_17):
            return Fraction(self.asked(best_total(dealer), totals))
        return sum(chance * self.result((*dealer, card), totals, rest) for card, chance, rest in draws(left))

    def choice(self, hand, pair):
        return self.player.choice(hand, pair)

    def played(self, hand, action):
        """The mean with an action on two cards: first all cards of the hand, then the dealer's, without a blackjack."""
        if action == "split":
            return self.split(hand[0])
        if action == "surrender":
            raise ValueError("nothing is settled then")
        return sum(chance * self.drawn(hole, hand, action, rest) for hole, chance, rest in self.holes(hand))

    def drawn(self, hole, hand, action, left):
        if action == "stand" or best_total(hand) > 21:
            return self.result((self.up, hole), ((best_total(hand), 1),), left)
        found = Fraction(0)
        for card, chance, rest in draws(left):
            after = tuple(sorted((*hand, card)))
            if action == "double":
                found += chance * self.result((self.up, hole), ((best_total(after), 2),), rest)
            else:
                actions = {} if best_total(after) >= 21 else self.player.unsplit(after)
                then = max(actions, key=actions.__getitem__) if actions else "stand"
                found += chance * self.drawn(hole, after, then, rest)
        return found


def square_bounds_of_a_split(shoe, rules, pair, up):
    """The bounds by their definition, and between them the mean square itself."""

    def mean(asked):
        return Asked(shoe, rules, up, asked).played((pair, pair), "split")

    least = Fraction(0)
    for total in (17, 18, 19, 20, 21, 22):
        ends = [total] if total < 22 else range(22, 40)
        chance = mean(lambda end, _, ends=ends: end in ends)
        gained = mean(lambda end, bets, ends=ends: (end in ends) * sum(profits(end, bets)))
        least += gained**2 / chance if chance else 0
    return least, mean(square), mean(squares_times_hands)
