"""The mean of any function of a hand's results, by playing the hand literally."""

from fractions import Fraction

from tests.slow.blackjack import Table, best_total, iter_draws
from tests.slow.dealer import dealer_stands


def profits(end, bets):
    """Return what each bet (a total and a stake) wins against a final dealer total."""
    return [stake * (-1 if own > 21 else 1 if end > 21 or own > end else -1 if own < end else 0) for own, stake in bets]


def square(end, bets):
    return sum(profits(end, bets)) ** 2


def squares_times_hands(end, bets):
    return len(bets) * sum(profit**2 for profit in profits(end, bets))


class Asked(Table):
    """A table that averages a function of the dealer's total and of all bets; the strategy maximizes the mean."""

    def __init__(self, shoe, rules, up, asked):
        super().__init__(shoe, rules, up)
        self.asked, self.player = asked, Table(shoe, rules, up)

    def _result(self, dealer, totals, remaining):
        if dealer_stands(dealer, self.rules.hits_soft_17):
            return Fraction(self.asked(best_total(dealer), totals))
        return sum(
            probability * self.result((*dealer, card), totals, rest)
            for card, probability, rest in iter_draws(remaining)
        )

    def choice(self, hand, pair):
        return self.player.choice(hand, pair)

    def played(self, hand, action):
        """Return the mean for an action on two cards: all player cards first, then the dealer's, without blackjack."""
        if action == "split":
            return self.split(hand[0])
        if action == "surrender":
            raise ValueError("nothing is settled then")
        return sum(probability * self.drawn(hole, hand, action, rest) for hole, probability, rest in self.holes(hand))

    def drawn(self, hole, hand, action, remaining):
        if action == "stand" or best_total(hand) > 21:
            return self.result((self.up, hole), ((best_total(hand), 1),), remaining)
        found = Fraction(0)
        for card, probability, rest in iter_draws(remaining):
            after = tuple(sorted((*hand, card)))
            if action == "double":
                found += probability * self.result((self.up, hole), ((best_total(after), 2),), rest)
            else:
                actions = {} if best_total(after) >= 21 else self.player.unsplit(after)
                then = max(actions, key=actions.__getitem__) if actions else "stand"
                found += probability * self.drawn(hole, after, then, rest)
        return found


def square_bounds_of_a_split(shoe, rules, pair, up):
    """Return the bounds by their definition, and the second moment between them."""

    def mean(asked):
        return Asked(shoe, rules, up, asked).played((pair, pair), "split")

    least = Fraction(0)
    for total in (17, 18, 19, 20, 21, 22):
        ends = [total] if total < 22 else range(22, 40)
        probability = mean(lambda end, _, ends=ends: end in ends)
        gained = mean(lambda end, bets, ends=ends: (end in ends) * sum(profits(end, bets)))
        least += gained**2 / probability if probability else 0
    return least, mean(square), mean(squares_times_hands)
