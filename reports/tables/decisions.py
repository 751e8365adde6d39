"""What a player may choose, as a reader sees it: what to do in each situation, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combinat.enumeration.decision import Chart, Decision, Option, Play
from combinat.language.deal import SettingValue
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
    letters = {action: action[0].upper() for action in actions}
    legend = " or ".join(f"{action} ({letter})" for action, letter in letters.items())
    caption = f"{legend[0].upper()}{legend[1:]}, by the dealer's up card"
    return (
        laid_out(Style.CHOICE, caption, lambda one: letters[one.best]),
        laid_out(Style.VALUE, "What one unit left on the hand gains on average", _gained),
    )


def _gained(one: Decision) -> Cell:
    """What the action that is not doing nothing gains."""
    return next(reversed(one.values.values()))


def play_figures(play: Play) -> tuple[Figure, ...]:
    """Say what a way to play comes to."""
    return tuple(Figure(one.label, one.value, Style.PERCENT) for one in play.figures)


def play_tables(play: Play, *, with_values: bool) -> tuple[Table, ...]:
    """Lay out what to do in each situation, and what it is worth if that is wanted."""
    return tuple(_chart(chart) for chart in play.charts if with_values or not chart.has_values)


def _chart(chart: Chart) -> Table:
    style = Style.VALUE if chart.has_values else Style.CHOICE
    columns = (Column(chart.down), *(Column(name, style) for name in chart.across))
    rows: list[tuple[Cell, ...]] = [(name, *cells) for name, cells in chart.rows]
    return Table(columns, tuple(rows), chart.caption)


def play_payload(play: Play) -> dict[str, Any]:
    """Give a way to play with the value of every action in every situation, exactly."""
    return {
        "play": {
            "basis": play.basis,
            "figures": {one.key: exact(one.value) for one in play.figures},
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
                "hand": one.known[0],
                "up": one.known[1],
                "probability": exact(one.chance),
                "best": one.best,
                "values": {action: exact(value) for action, value in one.values.items()},
            }
            for one in play.decisions
        ],
    }


def settings_table(settings: tuple[SettingValue, ...]) -> Table:
    """Show what the table has chosen of the rules of the game."""
    columns = (Column("Rule"), Column("Setting"), Column("Chosen"), Column("Which means"))
    rows: list[tuple[Cell, ...]] = [
        (one.setting.title, one.setting.key, one.said + ("" if one.is_usual else " *"), _meaning(one))
        for one in settings
    ]
    starred = "; * not the usual choice" if not all(one.is_usual for one in settings) else ""
    return Table(columns, tuple(rows), f"Settings of the game{starred}")


def _meaning(chosen: SettingValue) -> str:
    said = chosen.in_words
    return said if chosen.setting.choices else chosen.setting.meaning


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
