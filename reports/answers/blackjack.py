"""Documents of the blackjack commands: action values of a hand, house edge of the game, strategy table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from combinat.blackjack.charts import chart_order, load_charts
from combinat.blackjack.game import BlackjackGame, HandValue
from combinat.blackjack.hands import NAMES, format_hand
from combinat.blackjack.strategy import StrategyRow, StrategyTable
from reports.page.figures import figure_column
from reports.page.model import Cell, Column, Document, Figure, Style, Table

_STRATEGY_NOTES = {
    "best": "Best composition-dependent play; hands of a split are played like the same cards without a split.",
    "basic": "Basic strategy by totals, from the printed charts.",
}
_LEGEND = "S stand, H hit, D double, P split, R surrender; a lowercase letter applies where that is not allowed."
_CAPTIONS_BY_KIND = {"hard": "Hard totals", "soft": "Soft totals", "pair": "Pairs"}


def value_document(game: BlackjackGame, hand_value: HandValue) -> Document:
    """Return the expected value of every action on a hand."""
    rows: list[tuple[Cell, ...]] = [
        (str(action), value, _action_marks(hand_value, action))
        for action, value in sorted(hand_value.values.items(), key=_by_value)
    ]
    if not rows:
        rows = [("blackjack", hand_value.value, "paid at once")]
    return Document(
        title=f"{format_hand(hand_value.hand)} against {NAMES[hand_value.up]}",
        subtitle=f"{game.shoe}; {game.rules}",
        tables=(Table((Column("Action"), Column("Value", Style.DECIMAL), Column("")), tuple(rows)),),
        csv_columns=(
            ("Hand", format_hand(hand_value.hand)),
            ("Up card", NAMES[hand_value.up]),
            ("Shoe", str(game.shoe)),
        ),
        figures=(
            Figure("Value of the hand if the dealer has no blackjack", hand_value.value, Style.DECIMAL),
            Figure("Dealer has blackjack with this up card", hand_value.dealer_blackjack, Style.PERCENT),
            Figure("Value of the hand before the peek", hand_value.value_before_peek, Style.DECIMAL),
        ),
        notes=("Values are the expected profit per initial bet of 1.", _STRATEGY_NOTES[game.strategy]),
    )


def _by_value(item: tuple[Any, Fraction]) -> Fraction:
    return -item[1]


def _action_marks(hand_value: HandValue, action: Any) -> str:
    marks = []
    if action == hand_value.best:
        marks.append("best")
    if action == hand_value.action != hand_value.best:
        marks.append("by the chart")
    return ", ".join(marks)


def edge_document(edges: Sequence[tuple[BlackjackGame, Fraction]]) -> Document:
    """Return the house edge of complete games."""
    rows: tuple[tuple[Cell, ...], ...] = tuple((str(game.shoe), edge, 1 - edge) for game, edge in edges)
    games = [game for game, _ in edges]
    notes = ["The edge is per initial bet; insurance is not taken.", _STRATEGY_NOTES[games[0].strategy]]
    favorable = [str(game.shoe) for game, edge in edges if edge < 0]
    return Document(
        title="Blackjack",
        subtitle=str(games[0].rules),
        flags=(f"favors the player with {', '.join(favorable)}",) if favorable else (),
        tables=(Table((Column("Shoe"), figure_column("house_edge"), figure_column("return")), rows),),
        notes=tuple(notes),
    )


def _strategy_row(row: StrategyRow, columns: Sequence[int]) -> tuple[Cell, ...]:
    decisions = [row.decisions[column] for column in columns]
    name = row.name if row.kind != "soft" else f"{row.name} (A-{int(row.name) - 11})"
    return (name, *(str(decision) if decision else None for decision in decisions))


def strategy_document(game: BlackjackGame, table: StrategyTable) -> Document:
    """Return the strategy table."""
    columns = chart_order(game.ups)
    head_columns = (Column("Hand"), *(Column(NAMES[game.ups[column]]) for column in columns))
    tables = [
        Table(head_columns, tuple(_strategy_row(row, columns) for row in table.rows if row.kind == kind), caption)
        for kind, caption in _CAPTIONS_BY_KIND.items()
        if any(row.kind == kind for row in table.rows)
    ]
    if table.departures:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (format_hand(departure.hand), NAMES[departure.up], str(departure.decision), str(departure.row_cell))
            for departure in table.departures
        )
        head_columns = (Column("Hand"), Column("Up card"), Column("Decision"), Column("By its total"))
        tables.append(Table(head_columns, rows, "Hands that are played differently from their total"))
    notes = [_LEGEND, _STRATEGY_NOTES[game.strategy]]
    if game.strategy == "basic":
        notes.append(f"The charts: {load_charts().source}.")
    return Document(
        title="Blackjack strategy", subtitle=f"{game.shoe}; {game.rules}", tables=tuple(tables), notes=tuple(notes)
    )
