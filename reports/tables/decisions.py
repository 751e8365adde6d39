"""What a player may choose, as a reader sees it: what to do in each situation, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combinat.enumeration.decision import Decision, Option
from reports.page.model import Cell, Column, Figure, Style, Table
from reports.page.numerals import exact

_RANK_ORDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def option_figures(option: Option) -> tuple[Figure, ...]:
    """Sum the option up."""
    return (
        Figure(f"Gain from the best {option.kind}", option.gain, Style.PERCENT),
        Figure("Bets on which something is left to ride", option.used, Style.PERCENT),
    )


def option_tables(option: Option) -> tuple[Table, ...]:
    """Lay out what to do with each hand against each up card, and what a unit left on it gains."""
    found = {one.known: one for one in option.decisions}
    hands = list(dict.fromkeys(hand for hand, _ in found))
    ups = sorted({up for _, up in found}, key=_RANK_ORDER.index)

    def laid_out(style: Style, caption: str, pick: Callable[[Decision], Cell]) -> Table:
        columns = (Column("Hand"), *(Column(up, style) for up in ups))
        rows: list[tuple[Cell, ...]] = [
            (hand, *(pick(found[hand, up]) if (hand, up) in found else "" for up in ups)) for hand in hands
        ]
        return Table(columns, tuple(rows), caption)

    actions = list(dict.fromkeys(action for one in option.decisions for action in reversed(one.values)))
    return (
        laid_out(Style.COUNT, f"{' or '.join(actions).capitalize()}, by the dealer's up card", lambda one: one.best),
        laid_out(Style.VALUE, "What one unit left on the hand gains on average", _gained),
    )


def _gained(one: Decision) -> Cell:
    """What the action that is not doing nothing gains."""
    return next(reversed(one.values.values()))


def option_payload(option: Option) -> dict[str, Any]:
    """Give the option with every decision, exactly."""
    return {
        "kind": option.kind,
        **option.data,
        "gain": exact(option.gain),
        "used": exact(option.used),
        "decisions": [
            {
                "hand": one.known[0],
                "up": one.known[1],
                "probability": exact(one.chance),
                "amount": exact(one.amount),
                "value": exact(next(reversed(one.values.values()))),
                "choice": one.best,
                "gain": exact(one.gain),
                "first_action": one.played,
            }
            for one in option.decisions
        ],
    }
