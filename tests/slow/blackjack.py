"""Blackjack played literally: card after card, with the hole card, one split hand after the other."""

from fractions import Fraction
from functools import cache

from tests.slow.dealer import RanOutError, dealer_stands


def best_total(values) -> int:
    """Return the highest total that does not bust, with an ace as 1 or 11; if all bust, the lowest."""
    totals = {0}
    for value in values:
        totals = {total + worth for total in totals for worth in ((1, 11) if value == 1 else (value,))}
    return max((total for total in totals if total <= 21), default=min(totals))


def iter_draws(remaining):
    """Yield each next card from `left` (numbers of aces, twos to tens): value, probability, remaining cards."""
    cards = sum(remaining)
    if not cards:
        raise RanOutError
    for index, count in enumerate(remaining):
        if count:
            yield index + 1, Fraction(count, cards), (*remaining[:index], count - 1, *remaining[index + 1 :])


def remove_cards(remaining, values):
    for value in values:
        remaining = (*remaining[: value - 1], remaining[value - 1] - 1, *remaining[value:])
    return remaining


class Table:
    """A shoe, the rules and an up card (1 for an ace), given that the dealer has no blackjack."""

    def __init__(self, shoe, rules, up):
        self.shoe, self.rules, self.up = tuple(shoe), rules, up
        self.result = cache(self._result)
        self.unsplit = cache(self._unsplit)
        self.go_on = cache(self._go_on)

    def holes(self, hand):
        """Return the hole cards without blackjack, given the player's cards: value, probability, remaining cards."""
        remaining = remove_cards(self.shoe, (*hand, self.up))
        found = [one for one in iter_draws(remaining) if {self.up, one[0]} != {1, 10}]
        all_of_them = sum(probability for _, probability, _ in found)
        return [(hole, probability / all_of_them, rest) for hole, probability, rest in found]

    def _result(self, dealer, totals, remaining):
        """Finish the dealer's hand and settle bets, each a total and a stake."""
        if dealer_stands(dealer, self.rules.hits_soft_17):
            end = best_total(dealer)
            return Fraction(
                sum(
                    stake * (-1 if own > 21 else 1 if end > 21 or own > end else -1 if own < end else 0)
                    for own, stake in totals
                )
            )
        return sum(
            probability * self.result((*dealer, card), totals, rest)
            for card, probability, rest in iter_draws(remaining)
        )

    # A single hand: the next card is drawn given that the hole card makes no blackjack.

    def stand(self, hand, stake=1):
        bets = ((best_total(hand), stake),)
        return sum(
            probability * self.result((self.up, hole), bets, rest) for hole, probability, rest in self.holes(hand)
        )

    def next_card(self, hand, then):
        value = Fraction(0)
        for _, probability, rest in self.holes(hand):
            for card, likely, _ in iter_draws(rest):
                after = tuple(sorted((*hand, card)))
                value += probability * likely * (-1 if best_total(after) > 21 else then(after))
        return value

    def _unsplit(self, hand):
        """Return the value of each action except split."""
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

    # A split: each hand follows the strategy of a single hand, and the hands are played in turn.

    def choice(self, hand, pair):
        """Return the action for a split hand that is not split again."""
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
        for hole, probability, rest in self.holes(hand):
            value += probability * self.go_on(pair, hole, (pair,), 1, 2, (), rest)
        return value

    def _go_on(self, pair, hole, hand, waiting, hands, done, remaining):
        """Play the hand, then those waiting (one card each), then the dealer's."""
        if not hand:
            if not waiting:
                return self.result((self.up, hole), tuple(sorted(done)), remaining)
            return self.go_on(pair, hole, (pair,), waiting - 1, hands, done, remaining)
        if len(hand) == 1:
            return sum(
                probability * self.go_on(pair, hole, tuple(sorted((*hand, card))), waiting, hands, done, rest)
                for card, probability, rest in iter_draws(remaining)
            )
        most = 2 if pair == 1 and not self.rules.resplit_aces else self.rules.max_hands
        if hand == (pair, pair) and hands < most:
            return self.go_on(pair, hole, (pair,), waiting + 1, hands + 1, done, remaining)
        action = "stand" if best_total(hand) > 21 else self.choice(hand, pair)
        if action == "stand":
            finished = tuple(sorted((*done, (best_total(hand), 1))))
            return self.go_on(pair, hole, (), waiting, hands, finished, remaining)
        value = Fraction(0)
        for card, probability, rest in iter_draws(remaining):
            after = tuple(sorted((*hand, card)))
            if action == "double":
                finished = tuple(sorted((*done, (best_total(after), 2))))
                value += probability * self.go_on(pair, hole, (), waiting, hands, finished, rest)
            else:
                value += probability * self.go_on(pair, hole, after, waiting, hands, done, rest)
        return value

    def values(self, hand):
        """Return the value of every action on two cards."""
        found = dict(self.unsplit(tuple(sorted(hand))))
        if hand[0] == hand[1] and self.rules.max_hands > 1:
            found["split"] = self.split(hand[0])
        return found


def edge(shoe, rules):
    """Return the house edge by dealing every first hand, up card and hole card."""
    lost = Fraction(0)
    for first, one, rest in iter_draws(tuple(shoe)):
        for second, two, rest_of_hand in iter_draws(rest):
            hand = tuple(sorted((first, second)))
            for up, three, after_up in iter_draws(rest_of_hand):
                natural = sum(probability for hole, probability, _ in iter_draws(after_up) if {up, hole} == {1, 10})
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
