"""Answer of the `solve` command: figures of a game with betting rounds, its endings, hands and starting hands."""

from __future__ import annotations

from fractions import Fraction

from combinat.betting.game import BettingGame
from combinat.betting.report import GameReport
from decks import Rank
from reports.page.model import Cell, Column, Document, Figure, Style, Table

_MAX_HANDS = 200
"""Starting hands that a page lists; JSON has all."""


def solve_document(report: GameReport) -> Document:
    """Return the figures of a solved game."""
    game = report.game
    tables = [_policy_table(report), _ending_table(report), _hand_table(report)]
    if game.player_cards == 2 and report.starting_hands:
        tables.append(_chart(report))
    elif 0 < len(report.starting_hands) <= _MAX_HANDS:
        tables.append(_starting_table(report))
    return Document(
        title=game.title,
        subtitle=_describe_deal(game),
        figures=_figures(report),
        tables=tuple(tables),
        notes=_notes(report),
    )


def _describe_deal(game: BettingGame) -> str:
    """Return the cards in words."""
    parts = [f"{game.player_cards} player cards"]
    if game.has_dealer:
        shown = f", {game.dealer_exposed} shown" if game.dealer_exposed else ""
        parts.append(f"{game.dealer_hidden + game.dealer_exposed} dealer cards{shown}")
    parts += [f"{group.name} ({group.count})" for group in game.common]
    return ", ".join(parts)


def _figures(report: GameReport) -> tuple[Figure, ...]:
    lowest, highest = report.element_of_risk
    figures = [
        Figure("House edge per ante", report.edge, Style.PERCENT),
        Figure("Exactly", str(report.edge)),
        Figure("Mean wager in antes", report.mean_wager, Style.DECIMAL),
        Figure("Element of risk", highest, Style.PERCENT),
        Figure("Standard deviation in antes", report.standard_deviation, Style.DECIMAL),
        Figure("Deals", report.cycle, Style.COUNT),
    ]
    if lowest != highest:
        figures.insert(3, Figure("Mean wager if ties bet most", report.highest_wager, Style.DECIMAL))
        figures.insert(5, Figure("Element of risk if ties bet most", lowest, Style.PERCENT))
    if report.weakest_played:
        figures.append(Figure("Weakest hand played", report.weakest_played))
    return tuple(figures)


def _policy_table(report: GameReport) -> Table:
    """Return the edge by strategy."""
    rows = [("best play", report.edge), *report.constant_play.items()]
    return Table(
        (Column("Strategy"), Column("House edge per ante", Style.PERCENT)), tuple(rows), "House edge by strategy"
    )


def _ending_table(report: GameReport) -> Table:
    """Return how rounds end."""
    game = report.game
    columns = (
        Column("Round"),
        Column("Last action"),
        *(Column(bet.name.capitalize(), Style.ODDS) for bet in game.bets),
        Column("Probability", Style.PERCENT),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (game.rounds[ending.round].name, ending.action, *ending.stakes, Fraction(ways, report.cycle))
        for ending, ways in report.ways_by_ending().items()
    )
    return Table(columns, rows, "How rounds end, with final stakes in antes", keys=2)


def _hand_table(report: GameReport) -> Table:
    """Return the probability of each final hand by result."""
    results = ["win", "tie", "lose", "fold"]
    by_hand = report.ways_by_hand()
    used = [name for name in results if any(name in ways for ways in by_hand.values())]
    titles = {"win": "Win" if report.game.has_dealer else "Not folded"}
    columns = (
        Column("Final hand"),
        *(Column(titles.get(name, name.capitalize()), Style.PERCENT) for name in used),
        Column("All", Style.PERCENT),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            report.game.hand_classes[hand_class].capitalize(),
            *(Fraction(ways.get(name, 0), report.cycle) for name in used),
            Fraction(sum(ways.values()), report.cycle),
        )
        for hand_class, ways in by_hand.items()
    ]
    totals = [Fraction(sum(ways.get(name, 0) for ways in by_hand.values()), report.cycle) for name in used]
    rows.append(("Total", *totals, Fraction(1)))
    return Table(columns, tuple(rows), "Final hand of the player by result", totals=1)


def _chart(report: GameReport) -> Table:
    """Return the best action of two-card starting hands: suited above the diagonal, offsuit below."""
    actions = {hand.hand: report.game.rounds[0].actions[hand.best].name for hand in report.starting_hands}
    names = ["T" if rank == Rank.TEN else str(Rank(rank)) for rank in reversed(report.game.ranks)]

    def name(row: int, column: int) -> str:
        if row == column:
            return names[row] * 2
        return f"{names[row]}{names[column]}s" if row < column else f"{names[column]}{names[row]}o"

    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (names[row], *(actions[name(row, column)] for column in range(len(names)))) for row in range(len(names))
    )
    columns = (Column("Cards"), *(Column(rank, Style.CHOICE) for rank in names))
    return Table(columns, rows, "Best action by starting hand: suited above the diagonal, offsuit below")


def _starting_table(report: GameReport) -> Table:
    """Return the value of each action of every starting hand."""
    actions = report.game.rounds[0].actions
    columns = (
        Column("Starting hand"),
        Column("Ways", Style.COUNT),
        *(Column(action.name, Style.VALUE) for action in actions),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple((hand.hand, hand.ways, *hand.values) for hand in report.starting_hands)
    return Table(columns, rows, "Mean net result by starting hand and action, in antes")


def _notes(report: GameReport) -> tuple[str, ...]:
    ties = "Where actions tie, the one that bets least is taken; the edge does not depend on it."
    return (*report.game.notes, ties, *(f"Rules: {source}." for source in report.game.sources))
