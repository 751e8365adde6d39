"""Winnings that ride on hands played as was best from the full shoe, dealt card by card from what is left of it."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

from tests.slow.blackjack import Table, best_total, draws
from tests.slow.dealer import dealer_stands


def value_of(card) -> int:
    """The value of a card, an ace being 1."""
    return 1 if int(card.rank) == 14 else min(int(card.rank), 10)


def by_value(cards):
    """How many aces, twos to tens there are."""
    held = Counter(map(value_of, cards))
    return tuple(held[value] for value in range(1, 11))


class Fixed(Table):
    """A hand dealt from what is left, by somebody who plays as if nothing had been dealt."""

    def __init__(self, left, policy, power):
        """Take the profit as it is, or its square."""
        super().__init__(left, policy.rules, policy.up)
        self.policy, self.power = policy, power

    def _result(self, dealer, totals, left):
        if dealer_stands(dealer, self.rules.hits_soft_17):
            return super()._result(dealer, totals, left) ** self.power
        return super()._result(dealer, totals, left)

    def next_card(self, hand, then):
        value = Fraction(0)
        for _, chance, rest in self.holes(hand):
            for card, likely, _ in draws(rest):
                after = tuple(sorted((*hand, card)))
                value += chance * likely * ((-1) ** self.power if best_total(after) > 21 else then(after))
        return value

    def choice(self, hand, pair):
        return self.policy.choice(hand, pair)

    def follow(self, hand):
        """Go on with three cards or more."""
        if best_total(hand) == 21:
            return self.stand(hand)
        worth = self.policy.unsplit(hand)
        return self.stand(hand) if worth["stand"] >= worth["hit"] else self.next_card(hand, self.follow)

    def profit(self, hand):
        """What a bet of one wins on two cards, the dealer having no blackjack, or the square of that."""
        worth = self.policy.values(hand)
        action = max(worth, key=worth.__getitem__)
        if action == "split":
            return self.split(hand[0])
        if action == "double":
            return 2**self.power * self.next_card(hand, self.stand)
        return self.stand(hand) if action == "stand" else self.next_card(hand, self.follow)


class Round:
    """Rounds of a bet from any cards that are left of a shoe."""

    def __init__(self, shoe, rules, settle, is_parlay):
        self.shoe, self.rules, self.settle, self.is_parlay = by_value(shoe), rules, settle, is_parlay
        self.policy = cache(lambda up: Table(self.shoe, rules, up))
        self.profit = cache(self._profit)

    def _profit(self, left, hand, up, power):
        """What a unit wins that rides if that is best from the full shoe; nothing with a dealer's blackjack.

        Or the square of it.
        """
        after = list(left)
        for value in (*hand, up):
            after[value - 1] -= 1
        alive = sum(chance for hole, chance, _ in draws(tuple(after)) if {up, hole} != {1, 10})
        if not alive:
            return Fraction(0)
        if hand == (1, 10):
            return alive * (self.rules.blackjack_pays if self.is_parlay else 1) ** power
        if max(self.policy(up).values(hand).values()) <= 0:
            return Fraction(0)
        return alive * Fixed(left, self.policy(up), power).profit(hand)

    def won(self, cards):
        """How often a wager of one is made, what it wins on average, and its square; the player is dealt to first."""
        left, total, square, deals, made = by_value(cards), Fraction(0), Fraction(0), 0, 0
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
                won, squared = (self.profit(left, hand, value_of(up), power) for power in (1, 2))
                total += rides * won
                square += 2 * (handed - 1) * rides * won + rides**2 * squared
        return Fraction(made, deals), total / deals, square / deals


def counted(one, cards, tags, depth):
    """Lay every choice of so many cards aside: for each count how often it comes and one bets, and what that wins.

    And the square of that.
    """
    found, every = {}, 0
    for seen in combinations(range(len(cards)), depth):
        every += 1
        count = sum(tags.of[cards[place]] for place in seen)
        worth = one.won([card for place, card in enumerate(cards) if place not in seen])
        known = found.setdefault(count, (0, 0, 0, 0))
        found[count] = tuple(so_far + more for so_far, more in zip(known, (1, *worth), strict=True))
    return {count: tuple(Fraction(value) / every for value in known) for count, known in found.items()}
