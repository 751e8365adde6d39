"""Documents of the blackjack titles: their list, and the house edge and first actions of one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from combinat.blackjack.hands import NAMES, format_hand
from combinat.blackjack.titles.figures import FreeBetFigures, SevensRow, TitleFigures, TitleHand
from combinat.blackjack.titles.presets import Title
from combinat.exact.interval import Interval
from combinat.exact.surd import Surd
from combinat.figures import FIGURES
from reports.page.figures import figure_column
from reports.page.model import Cell, Column, Document, Figure, Style, Table

_LEGEND = "S stand, H hit, D double, P split, R surrender, Z exchange of both cards (zap)."


def games_document(games: Sequence[Title]) -> Document:
    """Return the list of titles."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (title.key, title.name, title.decks, "; ".join(title.rules.further_rules) or "ordinary blackjack")
        for title in games
    )
    columns = (Column("Game"), Column("Name"), Column("Decks", Style.COUNT), Column("Special rules"))
    return Document(
        title="Blackjack titles",
        tables=(Table(columns, rows),),
        notes=("The figures of one of them: combinat blackjack title GAME. A TOML file describes further ones.",),
    )


def _hand_table(figures: TitleFigures, value: TitleHand) -> Table:
    """Return the values of the actions on a first hand."""
    dealer = "-".join(NAMES[index] for index in figures.rules.views[value.view])
    rows: list[tuple[Cell, ...]] = [
        (action, profit, "chosen" if action == value.action else "")
        for action, profit in sorted(value.values.items(), key=lambda item: -item[1])
    ]
    return Table(
        (Column("Action"), Column("Value", Style.DECIMAL), Column("")),
        tuple(rows) or (("blackjack", value.value, ""),),
        f"{format_hand(value.hand)} against {dealer}, rounds with a dealer's blackjack included",
    )


def _results_table(figures: TitleFigures) -> Table:
    """Return the results by final hand."""
    names = ("Hands", "Win", "Push", "Lose")
    columns = (
        Column("Final hand"),
        *(Column(name, Style.DECIMAL) for name in names),
        Column("Part of the return", Style.PERCENT),
    )
    rows = tuple((end.end, end.hands, end.win, end.push, end.lose, end.profit) for end in figures.results)
    return Table(columns, rows, "Results by final hand: expected numbers in a round")


def _deviation(variance: Interval[Fraction]) -> tuple[Figure, ...]:
    """Return the standard deviation, or its bounds."""
    label = FIGURES["standard_deviation"].label
    low, high = (Surd(value) for value in variance)
    if low == high:
        return (Figure(label, low, Style.DECIMAL),)
    return Figure(f"{label}, at least", low, Style.DECIMAL), Figure(f"{label}, at most", high, Style.DECIMAL)


def title_document(figures: TitleFigures) -> Document:
    """Return the house edge and the first actions of a title."""
    tables = [_hand_table(figures, value) for value in figures.hand_values]
    if figures.up_cards:
        columns = (Column("Hand"), *(Column(up) for up in figures.up_cards))
        tables.append(
            Table(columns, tuple((hand, *actions) for hand, actions in figures.rows), "First actions by up card")
        )
    tables.append(_results_table(figures))
    if figures.rule_costs:
        columns = (Column("Rule"), Column("Changed to"), figure_column("house_edge"), Column("Change", Style.PERCENT))
        rows = tuple((cost.rule, cost.value, cost.house_edge, cost.change) for cost in figures.rule_costs)
        tables.append(Table(columns, rows, "What each rule costs: the house edge with one rule changed"))
    notes = [
        "The edge is per initial bet; insurance is not taken.",
        "The strategy looks at the cards of the hand and the dealer's visible cards, not at suits; hands of a split "
        "are played like the same cards with the same stake without a split.",
        "The joint distribution of split hands is not computed, so the standard deviation is given as exact bounds.",
        *figures.title.notes,
        *(f"Published: {edge.edge} ({edge.source})." for edge in figures.title.published),
    ]
    return Document(
        title=figures.title.name,
        subtitle=f"{figures.shoe}; {figures.rules}; strategy: {figures.strategy}",
        figures=(
            Figure(FIGURES["house_edge"].label, figures.house_edge, Style.PERCENT),
            Figure(FIGURES["return"].label, 1 - figures.house_edge, Style.PERCENT),
            Figure("Element of risk: house edge per unit of money bet", figures.element_of_risk, Style.PERCENT),
            Figure("Mean money bet in a round", figures.mean_bet, Style.DECIMAL),
            *_deviation(figures.variance),
        ),
        tables=tuple(tables),
        notes=(*((_LEGEND,) if tables else ()), *notes),
    )


def sevens_document(bet: str, exchanged: str, rows: Sequence[SevensRow]) -> Document:
    """Return what a jackpot on the player's own 7s holds under each title."""
    names = [name for name, _ in rows[0].break_even]
    columns = (
        Column("Game"),
        Column("Decks", Style.COUNT),
        Column("Hold", Style.PERCENT),
        Column(FIGURES["hit_frequency"].label, Style.PERCENT),
        Column("Three 7s", Style.DECIMAL),
        *(Column(f"Break-even, {name}", Style.DECIMAL) for name in names),
    )
    table: tuple[tuple[Cell, ...], ...] = tuple(
        (row.title.key, row.shoe.decks, row.hold, row.hit_frequency, row.three, *(dict(row.break_even).values()))
        for row in rows
    )
    differ = len({row.hold for row in rows}) > 1
    notes = [
        "The titles are played by best play; a third card comes if two 7s are hit, doubled or split.",
        "A meter breaks even where the house edge is zero while the other meters are at their seeds.",
        f"Interpretation: after an exchange of two cards, the {exchanged} count.",
    ]
    if len(rows) > 1:
        notes.append("The holds of these games differ." if differ else "The holds of these games are equal.")
    return Document(title=f"{bet} under blackjack titles", tables=(Table(columns, table),), notes=tuple(notes))


def free_bets_document(figures: FreeBetFigures) -> Document:
    """Return the number of free bets in a round, and bets on it."""
    columns = (
        Column("Free bets", Style.COUNT),
        Column("Probability", Style.DECIMAL),
        *(Column(f"{row.bet.name}, pays to 1") for row in figures.bets),
    )
    table: tuple[tuple[Cell, ...], ...] = tuple(
        (number, probability, *(str(row.bet.pays.get(number, "loses")) for row in figures.bets))
        for number, probability in figures.probabilities.items()
    )
    lines = []
    for row in figures.bets:
        lines += [
            Figure(f"{row.bet.name}: {FIGURES['house_edge'].label}", row.house_edge, Style.PERCENT),
            Figure(f"{row.bet.name}: {FIGURES['hit_frequency'].label}", row.hit_frequency, Style.PERCENT),
            Figure(f"{row.bet.name}: {FIGURES['standard_deviation'].label}", Surd(row.variance), Style.DECIMAL),
        ]
    return Document(
        title=f"{figures.title.name}: number of free bets in a round",
        subtitle=f"{figures.shoe}; {figures.rules}",
        figures=tuple(lines),
        tables=(Table(columns, table),),
        notes=(
            "Free splits and free doubles are counted; the title is played by best play.",
            *(f"{row.bet.name}: {row.bet.source}." for row in figures.bets if row.bet.source),
        ),
    )
