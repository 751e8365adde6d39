"""Tables of player decisions: the action in each decision state and its expected value."""

from __future__ import annotations

from collections.abc import Callable

from combinat.enumeration.decision import Decision, DecisionChart, PlayerOption, RoundStrategy
from combinat.language.deal import SettingValue
from reports.page.model import Cell, Column, Figure, Style, Table

_RANK_ORDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def option_figures(option: PlayerOption) -> tuple[Figure, ...]:
    """Return the summary figures of an option."""
    return (
        Figure(f"Gain from best play of the {option.kind}", option.gain, Style.PERCENT),
        Figure(f"Probability that best play uses the {option.kind}", option.use_probability, Style.PERCENT),
    )


def option_tables(option: PlayerOption) -> tuple[Table, ...]:
    """Return the best action by hand and up card, and the gain per unit left on the hand."""
    by_state = {decision.known_cards: decision for decision in option.decisions}
    hands = list(dict.fromkeys(hand for hand, _ in by_state))
    up_cards = sorted({up_card for _, up_card in by_state}, key=_RANK_ORDER.index)

    def build_table(style: Style, caption: str, cell_of: Callable[[Decision], Cell]) -> Table:
        columns = (Column("Hand"), *(Column(up_card, style) for up_card in up_cards))
        rows: list[tuple[Cell, ...]] = [
            (hand, *(cell_of(by_state[hand, up_card]) if (hand, up_card) in by_state else "" for up_card in up_cards))
            for hand in hands
        ]
        return Table(columns, tuple(rows), caption)

    actions = list(dict.fromkeys(action for decision in option.decisions for action in reversed(decision.values)))
    letters = {action: action[0].upper() for action in actions}
    legend = " or ".join(f"{action} ({letter})" for action, letter in letters.items())
    caption = f"{legend[0].upper()}{legend[1:]}, by the dealer's up card"
    return (
        build_table(Style.CHOICE, caption, lambda decision: letters[decision.best]),
        build_table(Style.VALUE, "Expected net win of one unit left on the hand", _action_gain),
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
    columns = (Column(chart.row_title), *(Column(name, style) for name in chart.column_titles))
    rows: list[tuple[Cell, ...]] = [(name, *cells) for name, cells in chart.rows]
    return Table(columns, tuple(rows), chart.caption)


def settings_table(settings: tuple[SettingValue, ...]) -> Table:
    """Return the game settings that are in force."""
    columns = (Column("Rule"), Column("Setting"), Column("Chosen"), Column("Meaning"))
    rows: list[tuple[Cell, ...]] = [
        (choice.setting.title, choice.setting.key, choice.text + ("" if choice.is_default else " *"), _meaning(choice))
        for choice in settings
    ]
    star_note = "; * not the default" if not all(choice.is_default for choice in settings) else ""
    return Table(columns, tuple(rows), f"Settings of the game{star_note}")


def _meaning(choice: SettingValue) -> str:
    description = choice.description
    return description if choice.setting.choices else choice.setting.meaning
