"""Parlays on hands played by the strategy of the full shoe, dealt card by card from the remaining cards."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

from tests.slow.blackjack import Table, best_total, iter_draws
from tests.slow.dealer import dealer_stands


def value_of(card) -> int:
    """Return the value of a card, with an ace as 1."""
    return 1 if int(card.rank) == 14 else min(int(card.rank), 10)


def by_value(cards):
    """Return the numbers of aces, twos to tens."""
    held = Counter(map(value_of, cards))
    return tuple(held[value] for value in range(1, 11))


class Fixed(Table):
    """A hand dealt from the remaining cards and played by the strategy of the full shoe."""

    def __init__(self, remaining, policy, power):
        """Use the profit to the given power (1 or 2)."""
        super().__init__(remaining, policy.rules, policy.up)
        self.policy, self.power = policy, power

    def _result(self, dealer, totals, remaining):
        if dealer_stands(dealer, self.rules.hits_soft_17):
            return super()._result(dealer, totals, remaining) ** self.power
        return super()._result(dealer, totals, remaining)

    def next_card(self, hand, then):
        value = Fraction(0)
        for _, probability, rest in self.holes(hand):
            for card, likely, _ in iter_draws(rest):
                after = tuple(sorted((*hand, card)))
                value += probability * likely * ((-1) ** self.power if best_total(after) > 21 else then(after))
        return value

    def choice(self, hand, pair):
        return self.policy.choice(hand, pair)

    def follow(self, hand):
        """Continue a hand of three or more cards."""
        if best_total(hand) == 21:
            return self.stand(hand)
        worth = self.policy.unsplit(hand)
        return self.stand(hand) if worth["stand"] >= worth["hit"] else self.next_card(hand, self.follow)

    def profit(self, hand):
        """Return the mean profit (or its square) of a bet of 1 on two cards, given no dealer blackjack."""
        worth = self.policy.values(hand)
        action = max(worth, key=worth.__getitem__)
        if action == "split":
            return self.split(hand[0])
        if action == "double":
            return 2**self.power * self.next_card(hand, self.stand)
        return self.stand(hand) if action == "stand" else self.next_card(hand, self.follow)


class Round:
    """Rounds of a bet from any remaining cards of a shoe."""

    def __init__(self, shoe, rules, settle, is_parlay):
        self.shoe, self.rules, self.settle, self.is_parlay = by_value(shoe), rules, settle, is_parlay
        self.policy = cache(lambda up: Table(self.shoe, rules, up))
        self.profit = cache(self._profit)

    def _profit(self, remaining, hand, up, power):
        """Return the mean win (or its square) of a unit parlayed if that is best from the full shoe.

        A dealer's blackjack counts as zero.
        """
        after = list(remaining)
        for value in (*hand, up):
            after[value - 1] -= 1
        alive = sum(probability for hole, probability, _ in iter_draws(tuple(after)) if {up, hole} != {1, 10})
        if not alive:
            return Fraction(0)
        if hand == (1, 10):
            return alive * (self.rules.blackjack_pays if self.is_parlay else 1) ** power
        if max(self.policy(up).values(hand).values()) <= 0:
            return Fraction(0)
        return alive * Fixed(remaining, self.policy(up), power).profit(hand)

    def mean_win(self, cards):
        """Return the probability of a bet, its mean win and its second moment; the player is dealt first."""
        remaining, total, square, deals, made = by_value(cards), Fraction(0), Fraction(0), 0, 0
        for first, second, up in permutations(cards, 3):
            deals += 1
            handed = self.settle(first, second, up)
            if handed is None:
                continue
            made += 1
            total += handed - 1
            square += (handed - 1) ** 2
            if handed > 1:
                hand = tuple(sorted((value_of(first), value_of(second))))
                rides = handed if self.is_parlay else handed - 1
                won, squared = (self.profit(remaining, hand, value_of(up), power) for power in (1, 2))
                total += rides * won
                square += 2 * (handed - 1) * rides * won + rides**2 * squared
        return Fraction(made, deals), total / deals, square / deals


def count_rounds(one, cards, tags, depth):
    """Remove every choice of `depth` cards; return by count: probability, that of a bet, mean win, second moment."""
    results, every = {}, 0
    for seen in combinations(range(len(cards)), depth):
        every += 1
        count = sum(tags.tag_by_card[cards[place]] for place in seen)
        worth = one.mean_win([card for place, card in enumerate(cards) if place not in seen])
        known = results.setdefault(count, (0, 0, 0, 0))
        results[count] = tuple(so_far + more for so_far, more in zip(known, (1, *worth), strict=True))
    return {count: tuple(Fraction(value) / every for value in known) for count, known in results.items()}
