"""Answers of the blackjack commands: action values of a hand, house edge of the game, strategy table."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from combinat.blackjack.charts import COLUMNS, load_charts
from combinat.blackjack.game import BlackjackGame, HandValue
from combinat.blackjack.hands import NAMES, format_hand, is_natural
from combinat.blackjack.strategy import StrategyRow, StrategyTable
from reports.page.figures import figure_column
from reports.page.model import Cell, Column, Document, Figure, Style, Table
from reports.page.numerals import exact

_STRATEGY_NOTES = {
    "best": "Best play by the very cards of the hand; hands of a split are played as the same cards would be unsplit.",
    "basic": "Basic strategy by totals, from the printed charts.",
}
_LEGEND = "S stand, H hit, D double, P split, R surrender; a small letter is for where that is not allowed."
_KINDS = {"hard": "Hard totals", "soft": "Soft totals", "pair": "Pairs"}


def _value_before_peek(hand_value: HandValue) -> Fraction:
    """Return the value of the hand including rounds in which the dealer has blackjack."""
    lost = Fraction(0) if is_natural(hand_value.hand) else hand_value.dealer_blackjack
    return (1 - hand_value.dealer_blackjack) * hand_value.value - lost


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
        told=(("Hand", format_hand(hand_value.hand)), ("Up card", NAMES[hand_value.up]), ("Shoe", str(game.shoe))),
        figures=(
            Figure("Value of the hand, when the dealer has no blackjack", hand_value.value, Style.DECIMAL),
            Figure("Dealer's blackjack with this up card", hand_value.dealer_blackjack, Style.PERCENT),
            Figure("Value of the hand before the peek", _value_before_peek(hand_value), Style.DECIMAL),
        ),
        notes=("Values are the profit on a first bet of one.", _STRATEGY_NOTES[game.strategy]),
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


def value_payload(game: BlackjackGame, hand_value: HandValue) -> dict[str, Any]:
    """Return the exact expected value of every action on a hand."""
    return {
        **_game_payload(game),
        "hand": format_hand(hand_value.hand),
        "up": NAMES[hand_value.up],
        "blackjack": is_natural(hand_value.hand),
        "values": {str(action): exact(value) for action, value in hand_value.values.items()},
        "best": str(hand_value.best) if hand_value.values else None,
        "action": str(hand_value.action) if hand_value.values else None,
        "value": exact(hand_value.value),
        "dealer_blackjack": exact(hand_value.dealer_blackjack),
        "value_before_peek": exact(_value_before_peek(hand_value)),
        "probability": exact(hand_value.chance),
    }


def _game_payload(game: BlackjackGame) -> dict[str, Any]:
    return {
        "decks": game.shoe.decks,
        "cards": game.shoe.size,
        "removed": [str(card) for card in game.shoe.removed],
        "rules": {
            name: value if isinstance(value, (bool, int, str)) else exact(value)
            for name, value in msgspec.structs.asdict(game.rules).items()
        },
        "strategy": game.strategy,
    }


def edge_document(edges: Sequence[tuple[BlackjackGame, Fraction]]) -> Document:
    """Return the house edge of complete games."""
    rows: tuple[tuple[Cell, ...], ...] = tuple((str(game.shoe), edge, 1 - edge) for game, edge in edges)
    games = [game for game, _ in edges]
    notes = ["The edge is of the first bet; insurance is not taken.", _STRATEGY_NOTES[games[0].strategy]]
    favorable = [str(game.shoe) for game, edge in edges if edge < 0]
    return Document(
        title="Blackjack",
        subtitle=str(games[0].rules),
        flags=(f"favors the player with {', '.join(favorable)}",) if favorable else (),
        tables=(Table((Column("Shoe"), figure_column("house_edge"), figure_column("return")), rows),),
        notes=tuple(notes),
    )


def edge_payload(game: BlackjackGame, edge: Fraction) -> dict[str, Any]:
    """Return the exact house edge of a complete game."""
    return {**_game_payload(game), "house_edge": exact(edge), "return": exact(1 - edge)}


def _columns(game: BlackjackGame) -> list[int]:
    """Return the indices of the up cards in chart order."""
    return [game.ups.index(up) for up in COLUMNS if up in game.ups]


def _line(row: StrategyRow, columns: Sequence[int]) -> tuple[Cell, ...]:
    decisions = [row.decisions[column] for column in columns]
    name = row.name if row.kind != "soft" else f"{row.name} (A-{int(row.name) - 11})"
    return (name, *(str(decision) if decision else None for decision in decisions))


def strategy_document(game: BlackjackGame, table: StrategyTable) -> Document:
    """Return the strategy table."""
    columns = _columns(game)
    heads = (Column("Hand"), *(Column(NAMES[game.ups[column]]) for column in columns))
    tables = [
        Table(heads, tuple(_line(row, columns) for row in table.rows if row.kind == kind), caption)
        for kind, caption in _KINDS.items()
        if any(row.kind == kind for row in table.rows)
    ]
    if table.departures:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (format_hand(departure.hand), NAMES[departure.up], str(departure.decision), str(departure.usual))
            for departure in table.departures
        )
        heads = (Column("Hand"), Column("Up card"), Column("Decision"), Column("By its total"))
        tables.append(Table(heads, rows, "Cards that are played differently from their total"))
    notes = [_LEGEND, _STRATEGY_NOTES[game.strategy]]
    if game.strategy == "basic":
        notes.append(f"The charts: {load_charts().source}.")
    return Document(
        title="Blackjack strategy", subtitle=f"{game.shoe}; {game.rules}", tables=tuple(tables), notes=tuple(notes)
    )


def strategy_payload(game: BlackjackGame, table: StrategyTable) -> dict[str, Any]:
    """Return the strategy table as data."""
    columns = _columns(game)
    return {
        **_game_payload(game),
        "up_cards": [NAMES[game.ups[column]] for column in columns],
        "rows": [
            {
                "kind": row.kind,
                "hand": row.name,
                "decisions": [str(move) if move else None for move in (row.decisions[column] for column in columns)],
            }
            for row in table.rows
        ],
        "exceptions": [
            {
                "hand": format_hand(departure.hand),
                "up": NAMES[departure.up],
                "decision": str(departure.decision),
                "by_total": str(departure.usual),
            }
            for departure in table.departures
        ],
    }
