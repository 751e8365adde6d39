"""The certificate of best play: the best action and the exact value of every unsplit decision state.

A state is a hand of two or more cards below 21 and an up card, the dealer having no blackjack. A reader checks each
state by itself: its value is the largest over its actions, computed from the values of hands with one card more.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from combinat.blackjack.exact.play import BestStrategy, HandPlay
from combinat.blackjack.hands import INDEXES, NAMES, count_by_value, format_hand, iter_hands, total
from combinat.blackjack.rules import Action, BlackjackRules
from decks import Shoe

FORMAT = "combinat certificate 1"


def solve_states(shoe: Shoe, rules: BlackjackRules) -> dict[str, dict[str, str]]:
    """Return for each up card and hand the best action and its expected profit per unit bet.

    >>> states = solve_states(Shoe(1), BlackjackRules(hits_soft_17=False))
    >>> states["6"]["10-6"].split()[0], states["10"]["10-6"].split()[0]
    ('stand', 'hit')
    """
    counts = count_by_value(shoe)
    play = HandPlay(counts, rules, INDEXES, BestStrategy())
    play.prepare()
    states: dict[str, dict[str, str]] = {name: {} for name in NAMES}
    for hand in sorted(iter_hands(counts), key=lambda hand: (sum(hand), format_hand(hand))):
        if sum(hand) < 2 or total(hand) == 21:
            continue
        figures = play.unsplit(hand) if sum(hand) == 2 else {Action.STAND: play.stand(hand), Action.HIT: play.hit(hand)}
        weights = play.standing.no_blackjack(hand)
        for field, action in enumerate(play.strategy.choose(hand, figures)):
            if weights[field] > 0:
                value = Fraction(figures[action][field] - weights[field], weights[field])
                states[NAMES[field]][format_hand(hand)] = f"{action} {value}"
    return states


def format_certificate(paytable: str, shoe: Shoe, rules: BlackjackRules) -> bytes:
    """Return the certificate's file: JSON with one state on each line."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "paytable": paytable,
        "decks": shoe.decks,
        "rules": str(rules),
        "states": solve_states(shoe, rules),
    }
    return (json.dumps(content, indent=1) + "\n").encode("utf-8")


def count_states(certificate: bytes) -> int:
    """Return the number of states of a certificate."""
    return sum(map(len, json.loads(certificate)["states"].values()))
