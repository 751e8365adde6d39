"""The strategy of a game as a table: one row per total or pair, and composition-dependent departures from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement
from math import comb, prod
from operator import mul

from msgspec import Struct

from combinat.blackjack.exact.play import Strategy
from combinat.blackjack.exact.stand import Figures
from combinat.blackjack.game import BlackjackGame
from combinat.blackjack.hands import INDEXES, Hand, format_hand, hand_of, is_natural, is_soft, pair_index, total
from combinat.blackjack.rules import Action
from combinat.enumeration.decision import Progress

MAX_CARDS = 6
"""Maximum number of cards of a hand whose departures can be listed."""
LETTERS = {Action.STAND: "S", Action.HIT: "H", Action.DOUBLE: "D", Action.SPLIT: "P", Action.SURRENDER: "R"}


class ChartCell(Struct, frozen=True):
    """An action, and the action that replaces it where it is not allowed."""

    action: Action
    fallback: Action | None = None

    def __str__(self) -> str:
        """Format the cell as printed charts do.

        >>> str(ChartCell(Action.DOUBLE, Action.STAND)), str(ChartCell(Action.HIT))
        ('Ds', 'H')
        """
        return LETTERS[self.action] + (LETTERS[self.fallback].lower() if self.fallback else "")

    @property
    def with_more_cards(self) -> Action:
        """The action for a hand of three or more cards, which can only stand or hit."""
        return self.fallback or self.action


class StrategyRow(Struct, frozen=True):
    """A row of the table: a kind of hand, and the cell for each up card of the game."""

    kind: str
    name: str
    decisions: tuple[ChartCell | None, ...]


class Departure(Struct, frozen=True):
    """A hand whose best action differs from the row of its total or pair."""

    hand: Hand
    up: int
    decision: ChartCell
    row_cell: ChartCell


class StrategyTable(Struct, frozen=True):
    """Rows by hard total, soft total and pair, and the hands that depart from them."""

    rows: tuple[StrategyRow, ...]
    departures: tuple[Departure, ...]


def chart_cells(strategy: Strategy, hand: Hand, figures_by_action: Mapping[Action, Figures]) -> list[ChartCell]:
    """Return the cell for two cards against each up card; `figures_by_action` maps actions to their values."""
    cells = []
    choices_without: dict[Action, list[Action]] = {}
    for column, action in enumerate(strategy.choose(hand, figures_by_action)):
        if action not in (Action.DOUBLE, Action.SURRENDER):
            cells.append(ChartCell(action))
            continue
        if action not in choices_without:
            other_figures: dict[Action, Figures] = dict(figures_by_action)
            other_figures.pop(action)
            other_figures.pop(Action.SURRENDER, None)
            if action is Action.DOUBLE:
                other_figures.pop(Action.SPLIT, None)
            choices_without[action] = strategy.choose(hand, other_figures)
        cells.append(ChartCell(action, choices_without[action][column]))
    return cells


def _row_of(hand: Hand) -> tuple[str, str]:
    """Return the row that a hand belongs to."""
    if pair_index(hand) is not None:
        return ("pair", format_hand(hand))
    return ("soft" if is_soft(hand) else "hard", str(total(hand)))


def strategy_table(game: BlackjackGame, max_cards: int = 2, progress: Progress | None = None) -> StrategyTable:
    """Build the strategy table of a game, with departures among hands of up to `max_cards` cards.

    A row shows the action that would be best if its two-card hands could not be distinguished.

    >>> from combinat.blackjack.rules import BlackjackRules
    >>> from decks import Shoe
    >>> table = strategy_table(BlackjackGame(Shoe(1), BlackjackRules(max_hands=1), ups=(3,)))
    >>> [(format_hand(row.hand), str(row.decision), str(row.row_cell)) for row in table.departures]
    [('10-2', 'H', 'S')]
    """
    game.play.prepare()
    strategy = game.play.strategy
    hands_by_row: dict[tuple[str, str], list[Hand]] = {}
    for hand in game.first_hands():
        if not is_natural(hand):
            hands_by_row.setdefault(_row_of(hand), []).append(hand)
    cells_by_row: dict[tuple[str, str], tuple[ChartCell | None, ...]] = {}
    departures: list[Departure] = []
    for row_index, (row_key, hands) in enumerate(hands_by_row.items()):
        if progress is not None:
            progress(row_index, len(hands_by_row))
        ways = [prod(map(comb, game.counts, hand)) for hand in hands]
        row_figures = {
            action: [
                sum(map(mul, ways, column))
                for column in zip(*(game.figures(hand)[0][action] for hand in hands), strict=True)
            ]
            for action in game.figures(hands[0])[0]
        }
        row_cells = chart_cells(strategy, hands[0], row_figures)
        is_possible = [any(_can_occur(game, hand, up) for hand in hands) for up in game.ups]
        cells_by_row[row_key] = tuple(
            cell if possible else None for cell, possible in zip(row_cells, is_possible, strict=True)
        )
        for hand in hands:
            hand_cells = chart_cells(strategy, hand, game.figures(hand)[0])
            departures += [
                Departure(hand, up, decision, expected)
                for up, decision, expected in zip(game.ups, hand_cells, row_cells, strict=True)
                if decision != expected and _can_occur(game, hand, up)
            ]
    departures += _longer_departures(game, cells_by_row, max_cards)
    if progress is not None:
        progress(len(hands_by_row), len(hands_by_row))
    order = {"hard": 0, "soft": 1, "pair": 2}
    rows = [StrategyRow(kind, name, cells) for (kind, name), cells in cells_by_row.items()]
    rows.sort(key=lambda row: (order[row.kind], _size(row.name)))
    return StrategyTable(tuple(rows), tuple(departures))


def _can_occur(game: BlackjackGame, hand: Hand, up: int) -> bool:
    """Return whether the matchup can occur without a certain dealer's blackjack."""
    return game.counts[up] > hand[up] and game.dealer_blackjack(hand, up) < 1


def _size(name: str) -> int:
    first_card = name.partition("-")[0]
    return 11 if first_card == "A" else int(first_card)


def _longer_departures(
    game: BlackjackGame, cells_by_row: dict[tuple[str, str], tuple[ChartCell | None, ...]], max_cards: int
) -> Iterator[Departure]:
    """Iterate over hands of three or more cards, with totals of 12 to 20, that depart from the row of their total."""
    for card_count in range(3, max_cards + 1):
        for indexes in combinations_with_replacement(INDEXES, card_count):
            hand = hand_of(indexes)
            row_cells = cells_by_row.get(("soft" if is_soft(hand) else "hard", str(total(hand))))
            can_be_dealt = all(needed_count <= count for needed_count, count in zip(hand, game.counts, strict=True))
            if row_cells is None or not can_be_dealt or not 12 <= total(hand) <= 20:
                continue
            for up, action, expected in zip(game.ups, game.play.choices(hand), row_cells, strict=True):
                if expected and game.counts[up] > hand[up] and action != expected.with_more_cards:
                    yield Departure(hand, up, ChartCell(action), expected)
