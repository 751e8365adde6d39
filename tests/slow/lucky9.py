"""Lucky 9 dealt card by card in the order of play: slow and obvious.

A card is its count, a stock a list of counts. Nothing is cached, grouped or memoized: every order of cards is dealt and
settled by the rules.
"""

from collections import Counter
from fractions import Fraction


def draws(stock):
    """Yield each possible next card, its probability, and the stock without it."""
    size = sum(stock)
    for card, copies in enumerate(stock):
        if copies:
            rest = list(stock)
            rest[card] -= 1
            yield card, Fraction(copies, size), rest


def total(cards):
    return sum(cards) % 10


def is_lucky(cards):
    return len(cards) == 2 and total(cards) == 9 and 0 not in cards


def is_natural(cards):
    return len(cards) == 2 and total(cards) == 9 and 0 in cards


def settled(hand, dealer, nines, qualify, *, after_split=False):
    """Return the net of one unit on a hand, and whether it won as a Lucky 9."""
    own, other = total(hand), total(dealer)
    if own in (0, 1, 2) and (qualify == "any" or len(hand) == 3):
        return -1
    if own > other:
        return 1
    if own < other:
        return -1
    if own == 9 and nines == "maker":
        lucky = is_lucky(hand) and not after_split
        if lucky and len(dealer) == 3:
            return 1
        if is_lucky(dealer) and len(hand) == 3:
            return -1
    return 0


def dealers(up, stock):
    """Yield every final hand of the dealer."""
    for hole, probability, rest in draws(stock):
        if total([up, hole]) > 4:
            yield [up, hole], probability
        else:
            for card, then, _ in draws(rest):
                yield [up, hole, card], probability * then


def split_hands(waiting, finished, stock, most, *, again):
    """Deal to split hands in turn, resplitting pairs if allowed."""
    if not waiting:
        yield finished, Fraction(1), stock
        return
    first, *others = waiting
    for card, probability, rest in draws(stock):
        hands = len(waiting) + len(finished)
        if again and card == first and hands < most:
            # The first card keeps its position; the new one starts a hand at the end.
            after = split_hands([first, *others, card], finished, rest, most, again=again)
        else:
            after = split_hands(others, [*finished, [first, card]], rest, most, again=again)
        for done, then, remaining in after:
            yield done, probability * then, remaining


def outcomes(hand, up, stock, action, nines="push", qualify="any", hands=4):
    """Return the probability of each outcome: net, whether the first hand ties, the dealer's total, Lucky 9."""
    counter = Counter()
    if action == "stand":
        played = [([list(hand)], Fraction(1), stock)]
    elif action == "hit":
        played = [([[*hand, card]], probability, rest) for card, probability, rest in draws(stock)]
    else:
        played = split_hands(list(hand), [], stock, hands, again=action == "resplit")
    for finished, probability, rest in played:
        is_split = action not in ("stand", "hit")
        for dealer, then in dealers(up, rest):
            units = sum(settled(one, dealer, nines, qualify, after_split=is_split) for one in finished)
            tie = total(finished[0]) == total(dealer)
            lucky = not is_split and is_lucky(finished[0])
            counter[units, tie, total(dealer), lucky] += probability * then
    return counter


def actions(hand, nines, hands):
    """Return the actions of a hand."""
    found = ["stand"]
    if not (nines == "maker" and total(hand) == 9):
        found.append("hit")
    if hand[0] == hand[1] and hands > 1:
        found += ["split"] + ["resplit"] * (hands > 2)
    return found
