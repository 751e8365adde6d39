"""The certificate of best play at blackjack: a file beside the sheet, whose SHA-256 is on the sheet.

It states for every unsplit decision state (a hand of two or more cards below 21 and an up card, the dealer having no
blackjack) the best action and its value V, the mean gain of a bet of 1. With W = V times the probability of no
blackjack, and left(v) cards of value v among N, each state is checked by itself from the stated values of the hands
with one card more (W of a bust is that of losing, W of 21 that of standing):

    W(h) = max( S(h), Σ_v left(v)/N · W(h+v), on two cards also 2·Σ_v left(v)/N · S(h+v) and surrender )

and the action is the first of the largest. The strategy after splits follows from it (see `blackjack`).
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.blackjack import (
    EMPTY,
    NAMES,
    VALUES,
    ActionTable,
    Hand,
    best_total,
    hand_name,
    hard_total,
    with_card,
)
from combinat.verifier.sheet import SheetError, field, parse_number

FORMAT = "combinat certificate 1"
ACTIONS = ("stand", "hit", "double", "surrender")


class State(NamedTuple):
    """What a certificate states of a hand against an up card."""

    action: str
    value: Fraction


def hands_below_21(counts: Hand) -> list[Hand]:
    """Return every hand of two or more cards below 21 that a shoe can deal."""
    found, hands = [], [EMPTY]
    for value in VALUES:
        hands = [
            with_card(hand, value, times)
            for hand in hands
            for times in range(counts[value - 1] + 1)
            if hard_total(hand) + times * value <= 21
        ]
    found += [hand for hand in hands if sum(hand) > 1 and best_total(hand) < 21]
    return found


def parse_states(content: bytes, sheet: dict[str, Any]) -> dict[str, dict[str, State]]:
    """Return the states of a certificate, by up card and hand, if it is that of the sheet."""
    stated = (field(sheet, "option", dict).get("certificate") or {}).get("sha256")
    if hashlib.sha256(content).hexdigest() != stated:
        raise SheetError("the SHA-256 of its certificate is not the one on the sheet")
    try:
        part = json.loads(content)
    except ValueError:
        raise SheetError("its certificate is not JSON") from None
    own = (part.get("format"), part.get("paytable"), part.get("decks"), part.get("rules"))
    if own != (FORMAT, sheet["paytable"], sheet["decks"], sheet["option"]["rules"]):
        raise SheetError("its certificate is that of another sheet")
    states: dict[str, dict[str, State]] = {}
    for up, rows in field(part, "states", dict).items():
        states[up] = {}
        for name, text in rows.items():
            action, _, value = str(text).partition(" ")
            if action not in ACTIONS or not re.fullmatch(r"-?\d+(/\d+)?", value, re.ASCII):
                raise SheetError(f"its certificate has no action and value for {name} against {up}")
            states[up][name] = State(action, parse_number(value))
    return states


def check_states(table: ActionTable, counts: Hand, states: dict[str, State]) -> list[str]:
    """Check the Bellman equation of every state against an up card; return what is wrong."""
    up = NAMES[table.up - 1]
    hands = [hand for hand in hands_below_21(counts) if hand[table.up - 1] < counts[table.up - 1]]
    names = {hand: hand_name(hand) for hand in hands if table.no_blackjack(hand)}
    if set(names.values()) != set(states):
        return [f"certificate: it does not have every hand against {up} once"]

    def stated(hand: Hand) -> tuple[Fraction, Fraction]:
        if hand not in names:
            return table.stand(hand)
        return states[names[hand]].value * table.no_blackjack(hand), Fraction(0)

    wrong = []
    for hand, name in names.items():
        alive = table.no_blackjack(hand)
        values = {"stand": table.stand(hand)[0], "hit": table.next_card(hand, stated)[0]}
        if sum(hand) == 2:
            if table.may_double(hand):
                values["double"] = 2 * table.next_card(hand, table.stand)[0]
            if table.rules.surrender:
                values["surrender"] = -alive / 2
        best = max(values, key=lambda action: values[action])
        if states[name] != State(best, values[best] / alive):
            wrong.append(f"certificate: {name} against {up}: the file says {' '.join(map(str, states[name]))}, "
                         f"but it is {best} {values[best] / alive}")  # fmt: skip
    return wrong
