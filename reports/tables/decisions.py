"""Tables of player decisions: the action in each decision state and its expected value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combinat.enumeration.decision import Decision, DecisionChart, PlayerOption, RoundStrategy
from combinat.language.deal import SettingValue
from reports.page.model import Cell, Column, Figure, Style, Table
from reports.page.numerals import exact

_RANK_ORDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def option_figures(option: PlayerOption) -> tuple[Figure, ...]:
    """Return the summary figures of an option."""
    return (
        Figure(f"Gain from the best {option.kind}", option.gain, Style.PERCENT),
        Figure("Bets on which something is left to ride", option.used, Style.PERCENT),
    )


def option_tables(option: PlayerOption) -> tuple[Table, ...]:
    """Return the best action by hand and up card, and the gain per unit left on the hand."""
    by_state = {decision.known: decision for decision in option.decisions}
    hands = list(dict.fromkeys(hand for hand, _ in by_state))
    ups = sorted({up for _, up in by_state}, key=_RANK_ORDER.index)

    def build_table(style: Style, caption: str, pick: Callable[[Decision], Cell]) -> Table:
        columns = (Column("Hand"), *(Column(up, style) for up in ups))
        rows: list[tuple[Cell, ...]] = [
            (hand, *(pick(by_state[hand, up]) if (hand, up) in by_state else "" for up in ups)) for hand in hands
        ]
        return Table(columns, tuple(rows), caption)

    actions = list(dict.fromkeys(action for decision in option.decisions for action in reversed(decision.values)))
    letters = {action: action[0].upper() for action in actions}
    legend = " or ".join(f"{action} ({letter})" for action, letter in letters.items())
    caption = f"{legend[0].upper()}{legend[1:]}, by the dealer's up card"
    return (
        build_table(Style.CHOICE, caption, lambda decision: letters[decision.best]),
        build_table(Style.VALUE, "What one unit left on the hand gains on average", _action_gain),
    )


def _action_gain(decision: Decision) -> Cell:
    """Return the gain of the action other than doing nothing."""
    return next(reversed(decision.values.values()))


def play_figures(play: RoundStrategy) -> tuple[Figure, ...]:
    """Return the summary figures of a strategy."""
    return tuple(Figure(figure.label, figure.value, Style.PERCENT) for figure in play.figures)


def play_tables(play: RoundStrategy, *, with_values: bool) -> tuple[Table, ...]:
    """Return the charts of a strategy, those of expected values only if `with_values`."""
    return tuple(_chart_table(chart) for chart in play.charts if with_values or not chart.has_values)


def _chart_table(chart: DecisionChart) -> Table:
    style = Style.VALUE if chart.has_values else Style.CHOICE
    columns = (Column(chart.down), *(Column(name, style) for name in chart.across))
    rows: list[tuple[Cell, ...]] = [(name, *cells) for name, cells in chart.rows]
    return Table(columns, tuple(rows), chart.caption)


def play_payload(play: RoundStrategy) -> dict[str, Any]:
    """Return a strategy as data, with the exact value of every action in every decision state."""
    return {
        "play": {
            "basis": play.basis,
            "figures": {figure.key: exact(figure.value) for figure in play.figures},
            "charts": [
                {
                    "caption": chart.caption,
                    "across": list(chart.across),
                    "rows": [{"name": name, "cells": list(cells)} for name, cells in chart.rows],
                }
                for chart in play.charts
                if not chart.has_values
            ],
        },
        "decisions": [
            {
                "hand": decision.known[0],
                "up": decision.known[1],
                "probability": exact(decision.chance),
                "best": decision.best,
                "values": {action: exact(value) for action, value in decision.values.items()},
            }
            for decision in play.decisions
        ],
    }


def settings_table(settings: tuple[SettingValue, ...]) -> Table:
    """Return the game settings that are in force."""
    columns = (Column("Rule"), Column("Setting"), Column("Chosen"), Column("Which means"))
    rows: list[tuple[Cell, ...]] = [
        (choice.setting.title, choice.setting.key, choice.said + ("" if choice.is_default else " *"), _meaning(choice))
        for choice in settings
    ]
    starred = "; * not the usual choice" if not all(choice.is_default for choice in settings) else ""
    return Table(columns, tuple(rows), f"Settings of the game{starred}")


def _meaning(choice: SettingValue) -> str:
    words = choice.description
    return words if choice.setting.choices else choice.setting.meaning


def option_payload(option: PlayerOption) -> dict[str, Any]:
    """Return the option as data, with every decision."""
    return {
        "kind": option.kind,
        **option.data,
        "gain": exact(option.gain),
        "used": exact(option.used),
        "decisions": [
            {
                "hand": decision.known[0],
                "up": decision.known[1],
                "probability": exact(decision.chance),
                "amount": exact(decision.amount),
                "value": exact(next(reversed(decision.values.values()))),
                "choice": decision.best,
                "gain": exact(decision.gain),
                "first_action": decision.played,
            }
            for decision in option.decisions
        ],
    }
