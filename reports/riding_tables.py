"""What winnings can do next, as a reader sees it: what to do with each hand, and what it is worth."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.blackjack_hands import ACE, NAMES, PLACES
from combinat.riding import Decision, Riding
from reports.model import Cell, Column, Figure, Style, Table
from reports.numerals import exact

UPS = (*(place for place in PLACES if place != ACE), ACE)
"""The up cards as tables list them, the ace last."""
WHAT_RIDES = {"parlay": "proceeds (win and wager)", "press": "winnings (not the wager)"}


def riding_figures(riding: Riding) -> tuple[Figure, ...]:
    """Sum the option up."""
    return (
        Figure(f"Gain from the best {riding.kind}", riding.gain, Style.PERCENT),
        Figure("Bets on which something is left to ride", riding.used, Style.PERCENT),
    )


def riding_tables(riding: Riding) -> tuple[Table, ...]:
    """Lay out what to do with each winning hand against each up card, and what a unit left on it gains."""
    found = {(one.hand, one.up): one for one in riding.decisions}
    hands = list(dict.fromkeys(one.hand for one in riding.decisions))
    names = {one.hand: one.hand_name for one in riding.decisions}

    def laid_out(columns_style: Style, caption: str, pick: Any) -> Table:
        columns = (Column("Hand"), *(Column(NAMES[up], columns_style) for up in UPS))
        rows: list[tuple[Cell, ...]] = [
            (names[hand], *(pick(found[hand, up]) if (hand, up) in found else "" for up in UPS)) for hand in hands
        ]
        return Table(columns, tuple(rows), caption)

    return (
        laid_out(Style.COUNT, "Leave or take, by the dealer's up card", _choice),
        laid_out(Style.VALUE, "What one unit left on the hand gains on average", _value),
    )


def _choice(one: Decision) -> str:
    return "leave" if one.leaves else "take"


def _value(one: Decision) -> Fraction:
    return one.value


def riding_notes(riding: Riding) -> tuple[str, ...]:
    """Say under which rules, and why part of the money is never left."""
    hand = "played for its own best value" if riding.strategy == "best" else "played by the printed chart"
    blackjack = "" if riding.kind == "parlay" else " It wins even money also on a blackjack."
    return (
        f"The {WHAT_RIDES[riding.kind]} may be left on the blackjack hand when the dealer has looked and has no "
        f"blackjack; there they double and split with the main wager, which is {hand}.{blackjack} Only a wager that "
        "wins gives the choice: with an award that pushes or loses nothing can be left.",
        f"Blackjack: {riding.rules}; the dealer peeks. Tens and faces are one value, so 10-10 stands for any two of "
        "them.",
        "The gain is the amount left times the value of the hand, a straight line in the amount: where the value is "
        "above zero all is left, elsewhere nothing, and a part is never better.",
    )


def riding_payload(riding: Riding) -> dict[str, Any]:
    """Give the option with every decision, exactly."""
    return {
        "kind": riding.kind,
        "rides": WHAT_RIDES[riding.kind],
        "rules": str(riding.rules),
        "strategy": riding.strategy,
        "gain": exact(riding.gain),
        "used": exact(riding.used),
        "decisions": [
            {
                "hand": one.hand_name,
                "up": one.up_name,
                "probability": exact(one.chance),
                "amount": exact(one.amount),
                "value": exact(one.value),
                "choice": _choice(one),
                "gain": exact(one.gain),
                "first_action": str(one.action),
            }
            for one in riding.decisions
        ],
    }
