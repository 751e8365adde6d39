"""Blackjack played literally: card after card, hole card and all, one hand of a split after the other."""

from fractions import Fraction
from functools import cache

from tests.slow.dealer import RanOutError, dealer_stands


def best_total(values) -> int:
    """The highest total that does not bust, an ace being 1 or 11; else the lowest."""
    totals = {0}
    for value in values:
        totals = {total + worth for total in totals for worth in ((1, 11) if value == 1 else (value,))}
    return max((total for total in totals if total <= 21), default=min(totals))


def draws(left):
    """Every next card from `left`, a tuple of how many aces, twos to tens there are: value, chance, what is left."""
    cards = sum(left)
    if not cards:
        raise RanOutError
    for place, count in enumerate(left):
        if count:
            yield place + 1, Fraction(count, cards), (*left[:place], count - 1, *left[place + 1 :])


def without(left, values):
    for value in values:
        left = (*left[: value - 1], left[value - 1] - 1, *left[value:])
    return left


class Table:
    """A shoe, the rules and an up card (1 for an ace); everything is given that the dealer has no blackjack."""

    def __init__(self, shoe, rules, up):
        self.shoe, self.rules, self.up = tuple(shoe), rules, up
        self.result = cache(self._result)
        self.unsplit = cache(self._unsplit)
        self.go_on = cache(self._go_on)

    def holes(self, hand):
        """Every hole card that makes no blackjack, given the own cards: value, chance, what is left."""
        left = without(self.shoe, (*hand, self.up))
        found = [one for one in draws(left) if {self.up, one[0]} != {1, 10}]
        all_of_them = sum(chance for _, chance, _ in found)
        return [(hole, chance / all_of_them, rest) for hole, chance, rest in found]

    def _result(self, dealer, totals, left):
        """Play the dealer's hand out and settle bets, each a total and a stake."""
        if dealer_stands(dealer, self.rules.hits_soft_17):
            end = best_total(dealer)
            return Fraction(
                sum(
                    stake * (-1 if own > 21 else 1 if end > 21 or own > end else -1 if own < end else 0)
                    for own, stake in totals
                )
            )
        return sum(chance * self.result((*dealer, card), totals, rest) for card, chance, rest in draws(left))

    # A single hand: what the next card is depends on what the hole card is not.

    def stand(self, hand, stake=1):
        bets = ((best_total(hand), stake),)
        return sum(chance * self.result((self.up, hole), bets, rest) for hole, chance, rest in self.holes(hand))

    def next_card(self, hand, then):
        value = Fraction(0)
        for _, chance, rest in self.holes(hand):
            for card, likely, _ in draws(rest):
                after = tuple(sorted((*hand, card)))
                value += chance * likely * (-1 if best_total(after) > 21 else then(after))
        return value

    def _unsplit(self, hand):
        """The value of each action but a split."""
        found = {"stand": self.stand(hand), "hit": self.next_card(hand, self.best_unsplit)}
        if len(hand) == 2 and self.may_double(hand):
            found["double"] = 2 * self.next_card(hand, self.stand)
        if len(hand) == 2 and self.rules.surrender:
            found["surrender"] = Fraction(-1, 2)
        return found

    def best_unsplit(self, hand):
        if best_total(hand) == 21:
            return self.stand(hand)
        return max(self.unsplit(hand).values())

    def may_double(self, hand):
        allowed = {"any": range(2, 22), "9-11": (9, 10, 11), "10-11": (10, 11)}[self.rules.double]
        return sum(hand) in allowed and (self.rules.double == "any" or 1 not in hand)

    # A split: the policy is what a single hand would do, and the hands are played in turn.

    def choice(self, hand, pair):
        """What is done with a hand of a split that is not split again."""
        if best_total(hand) == 21 or (pair == 1 and not self.rules.hit_split_aces and len(hand) == 2):
            return "stand"
        actions = dict(self.unsplit(hand))
        actions.pop("surrender", None)
        if not self.rules.double_after_split or pair == 1:
            actions.pop("double", None)
        return max(actions, key=actions.__getitem__)  # the first of equals, in the order above

    def split(self, pair):
        hand = (pair, pair)
        value = Fraction(0)
        for hole, chance, rest in self.holes(hand):
            value += chance * self.go_on(pair, hole, (pair,), 1, 2, (), rest)
        return value

    def _go_on(self, pair, hole, hand, waiting, hands, done, left):
        """Play the hand, then those waiting, each of them one card as yet, then the dealer's."""
        if not hand:
            if not waiting:
                return self.result((self.up, hole), tuple(sorted(done)), left)
            return self.go_on(pair, hole, (pair,), waiting - 1, hands, done, left)
        if len(hand) == 1:
            return sum(
                chance * self.go_on(pair, hole, tuple(sorted((*hand, card))), waiting, hands, done, rest)
                for card, chance, rest in draws(left)
            )
        most = 2 if pair == 1 and not self.rules.resplit_aces else self.rules.max_hands
        if hand == (pair, pair) and hands < most:
            return self.go_on(pair, hole, (pair,), waiting + 1, hands + 1, done, left)
        action = "stand" if best_total(hand) > 21 else self.choice(hand, pair)
        if action == "stand":
            finished = tuple(sorted((*done, (best_total(hand), 1))))
            return self.go_on(pair, hole, (), waiting, hands, finished, left)
        value = Fraction(0)
        for card, chance, rest in draws(left):
            after = tuple(sorted((*hand, card)))
            if action == "double":
                finished = tuple(sorted((*done, (best_total(after), 2))))
                value += chance * self.go_on(pair, hole, (), waiting, hands, finished, rest)
            else:
                value += chance * self.go_on(pair, hole, after, waiting, hands, done, rest)
        return value

    def values(self, hand):
        """The value of every action on two cards."""
        found = dict(self.unsplit(tuple(sorted(hand))))
        if hand[0] == hand[1] and self.rules.max_hands > 1:
            found["split"] = self.split(hand[0])
        return found


def edge(shoe, rules):
    """Deal every first hand, up card and hole card in turn and give what the house wins of the first bet."""
    lost = Fraction(0)
    for first, one, rest in draws(tuple(shoe)):
        for second, two, rest_of_hand in draws(rest):
            hand = tuple(sorted((first, second)))
            for up, three, after_up in draws(rest_of_hand):
                natural = sum(chance for hole, chance, _ in draws(after_up) if {up, hole} == {1, 10})
                own = hand == (1, 10)
                value = -natural if not own else Fraction(0)
                if natural < 1:
                    best = rules.blackjack_pays if own else max(_table(tuple(shoe), rules, up).values(hand).values())
                    value += (1 - natural) * best
                lost -= one * two * three * value
    return lost


@cache
def _table(shoe, rules, up):
    table = Table(shoe, rules, up)
    table.values = cache(table.values)
    return table
