"""Simulate the wagers of eligible hands on Bust Bonanza, paytable 1: `python -m tests.slow.eligible_hands --decks 2`.

Rounds are dealt card by card from shuffled decks. Several rounds start at fixed places of one shuffle, each far from
the next; a round sees a random order of all cards, so that its distribution is exact. The rounds of a shuffle depend
on one another, and the standard error is that of the shuffles.
"""

import argparse
import random
from functools import cache
from math import sqrt

from combinat.blackjack.charts import chart_for
from combinat.blackjack.hands import hand_of
from combinat.blackjack.rules import BlackjackRules

SPACING = 26
"""Cards between the starts of two rounds."""
BUST = {2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 2, 8: 2, 9: 2, 10: 2, 1: 3}
SUITED_BUST = {2: 25, 3: 15, 4: 10, 5: 5, 6: 3, 7: 15, 8: 10, 9: 20, 10: 20, 1: 50}
THREE_EIGHTS = 25
RULES = BlackjackRules()


def total(values):
    hard = sum(values)
    return hard + 10 if hard <= 11 and 1 in values else hard


@cache
def first_action(values, up, decks, hand_count):
    """Return what the chart does with a hand (sorted values) that is one of `hand_count`."""
    if total(values) >= 21:
        return "stand"
    allowed = {"stand", "hit"}
    if len(values) == 2:
        allowed.add("double")
        if values[0] == values[1] and hand_count < (2 if values[0] == 1 else RULES.max_hands):
            allowed.add("split")
    chart = chart_for(decks, RULES)
    preferences = chart.preferences(hand_of(value - 1 for value in values), up - 1, RULES.double_after_split)
    return next(str(action) for action in preferences if str(action) in allowed)


def play_round(cards, decks):
    """Deal one round; return the number of eligible hands and their net result, or `None` after a blackjack."""
    first, up, second, hole = (next(cards) for _ in range(4))
    dealer = [up, hole]
    if total((up[0], hole[0])) == 21:
        return None
    eligible, hand_count = 0, 1
    waiting = [[first[0], second[0]]]
    if total(waiting[0]) == 21:
        return 0, 0
    while waiting:
        hand = waiting.pop()
        is_split_ace = len(hand) == 1 and hand[0] == 1
        if len(hand) == 1:
            hand.append(next(cards)[0])
        while not is_split_ace:
            action = first_action(tuple(sorted(hand)), up[0], decks, hand_count)
            if action == "split":
                hand_count += 1
                waiting.append([hand.pop()])
                is_split_ace = hand[0] == 1
                hand.append(next(cards)[0])
                continue
            if action == "stand":
                break
            hand.append(next(cards)[0])
            if action == "double":
                break
        eligible += total(hand) <= 21
    if not eligible:
        return 0, 0
    values = [up[0], hole[0]]
    while (points := total(values)) < 17 or (points == 17 and sum(values) <= 11):
        dealer.append(next(cards))
        values.append(dealer[-1][0])
    if points <= 21:
        return eligible, -eligible
    if values == [8, 8, 8]:
        return eligible, THREE_EIGHTS * eligible
    is_suited = all(suit == up[1] for _, suit in dealer)
    return eligible, (SUITED_BUST if is_suited else BUST)[up[0]] * eligible


def rotate(cards, start):
    yield from cards[start:]
    yield from cards[:start]


def simulate(decks, rounds, seed=1):
    """Return the house edge per eligible hand and its standard error."""
    generator = random.Random(seed)
    shoe = [(min(rank, 10), suit) for rank in range(1, 14) for suit in range(4)] * decks
    starts = range(0, len(shoe), SPACING)
    hands = net = played = 0
    sums = [0, 0, 0]  # of net², net · hands and hands², by shuffle
    while played < rounds:
        generator.shuffle(shoe)
        shuffle_hands = shuffle_net = 0
        for start in starts:
            result = play_round(rotate(shoe, start), decks)
            if result is not None:
                shuffle_hands += result[0]
                shuffle_net += result[1]
        played += len(starts)
        hands += shuffle_hands
        net += shuffle_net
        sums[0] += shuffle_net**2
        sums[1] += shuffle_net * shuffle_hands
        sums[2] += shuffle_hands**2
    mean = net / hands
    return -mean, sqrt(sums[0] - 2 * mean * sums[1] + mean**2 * sums[2]) / hands


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    edge, error = simulate(options.decks, options.rounds, options.seed)
    print(f"{options.rounds:,} rounds, {options.decks} decks: house edge {edge:.4%}, standard error {error:.4%}")


if __name__ == "__main__":
    main()
