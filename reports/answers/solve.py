"""Answer of the `solve` command: figures of a game with betting rounds, its strategy, endings, hands and side bets."""

from __future__ import annotations

from fractions import Fraction

from combinat.betting.report import GameReport, SideBetReport
from combinat.betting.rules import RoundRules
from combinat.betting.strategy import DecisionTable
from combinat.betting.variants import PayVariant, SolvedGame
from combinat.exact.surd import Surd
from combinat.figures import FIGURES
from reports.page.model import Cell, Column, Document, Figure, Section, Style, Styled, Table, number_sections

_MAX_HANDS = 200
"""Starting hands that a page lists; JSON has all."""
_NEVER, _ALWAYS = Fraction(0), Fraction(1)


def solve_document(solved: SolvedGame) -> Document:
    """Return the figures of a solved game; with other games or pays, only their comparison."""
    report = solved.report
    if solved.variants is not None:
        return _variant_document(report, solved.variants)
    if solved.compared:
        return _compare_document([report, *solved.compared])
    tables = [_play_table(report), _action_table(report), _ending_table(report), _hand_table(report)]
    return Document(
        title=report.title,
        subtitle=report.deal,
        figures=_headline_figures(report),
        tables=(*tables, *strategy_tables(report), *map(side_bet_table, report.side_bets), *_effect_tables(report)),
        notes=notes(report),
    )


def _variant_document(report: GameReport, variants: tuple[PayVariant, ...]) -> Document:
    """Return the variants of a game with other pays."""
    columns = (
        Column("Pays to 1"),
        Column("House edge per ante", Style.PERCENT),
        Column("Difference", Style.PERCENT),
        Column("Mean wager", Style.DECIMAL),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (", ".join(variant.pays), variant.edge, variant.edge - report.edge, variant.mean_wager) for variant in variants
    )
    note = "Best play is recomputed for every variant." if rows else "No variant has such an edge; every pay was tried."
    return Document(
        title=f"{report.title}: other pays",
        figures=(Figure("House edge per ante of the file", report.edge, Style.PERCENT),),
        tables=(Table(columns, rows, "Variants, lowest edge first"),) if rows else (),
        notes=(note,),
    )


def game_sheet_document(report: GameReport) -> Document:
    """Return the par sheet of a game."""
    strategies = tuple(f"{play.name}: {_describe_rules(play.rules)}" for play in report.plays if play.rules)
    sections = number_sections(
        Section("Game", text=(f"Cards: {report.deal}.", *report.notes), notes=_source_notes(report)),
        Section("Figures by best play", figures=_headline_figures(report), notes=(_TIES,)),
        Section("House edge by strategy", text=strategies, tables=(_play_table(report),)),
        Section("Best play", tables=strategy_tables(report)),
        Section(
            "Results", tables=(_action_table(report), _ending_table(report), _hand_table(report), _net_table(report))
        ),
        Section("Bonus bets", tables=tuple(map(side_bet_table, report.side_bets))) if report.side_bets else None,
        Section("Effect of each pay", tables=_effect_tables(report), notes=(_EFFECTS,)) if report.pay_effects else None,
    )
    return Document(title=f"Par sheet: {report.title}", subtitle=report.id, sections=sections)


def _describe_rules(rules: tuple[tuple[str, str], ...]) -> str:
    return "; ".join(f"{action} if {condition}" for action, condition in rules)


_TIES = "Where actions tie, the one that bets least is taken; the edge does not depend on it."
_EFFECTS = "The change is exact while best play stays the same; a player who adapts gains at least as much."


def _compare_document(reports: list[GameReport]) -> Document:
    """Return several games side by side."""
    columns = (
        Column("Game"),
        Column("House edge per ante", Style.PERCENT),
        Column("Difference from the first", Style.PERCENT),
        Column("Element of risk", Style.PERCENT),
        Column("Mean wager", Style.DECIMAL),
        Column(FIGURES["standard_deviation"].label, Style.DECIMAL),
    )
    rows = tuple(
        (
            report.id,
            report.edge,
            report.edge - reports[0].edge,
            report.element_of_risk[1],
            report.mean_wager,
            report.standard_deviation,
        )
        for report in reports
    )
    return Document(
        "Games by best play", tables=(Table(columns, rows, "Games by best play, in antes"),), notes=(_TIES,)
    )


def _headline_figures(report: GameReport) -> tuple[Figure, ...]:
    """Return the figures of best play."""
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


def _play_table(report: GameReport) -> Table:
    """Return the edge by strategy and what each costs."""
    rows: list[tuple[Cell, ...]] = [("best play", report.edge, Fraction(), report.mean_wager)]
    rows += [(play.name, play.edge, play.edge - report.edge, play.mean_wager) for play in report.plays]
    columns = (
        Column("Strategy"),
        Column("House edge per ante", Style.PERCENT),
        Column("Cost", Style.PERCENT),
        Column("Mean wager", Style.DECIMAL),
    )
    return Table(columns, tuple(rows), "House edge by strategy")


def _ending_table(report: GameReport) -> Table:
    """Return how rounds end."""
    columns = (
        Column("Round"),
        Column("Last action"),
        *(Column(name.capitalize(), Style.ODDS) for name in report.bets),
        Column("Probability", Style.PERCENT),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (report.rounds[ending.round], ending.action, *ending.stakes, Fraction(ways, report.cycle))
        for ending, ways in report.ways_by_ending().items()
    )
    return Table(columns, rows, "How rounds end, with final stakes in antes", keys=2)


def _action_table(report: GameReport) -> Table:
    """Return how often each action is taken."""
    columns = (
        Column("Round"),
        Column("Action"),
        Column("Probability", Style.PERCENT),
        Column("Share of the decisions", Style.PERCENT),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (report.rounds[round], action, Fraction(ways, report.cycle), Fraction(ways, report.decisions(round)))
        for (round, action), ways in report.ways_by_action().items()
    )
    return Table(columns, rows, "How often each action is taken", keys=2)


def _hand_table(report: GameReport) -> Table:
    """Return the probability of each final hand by result."""
    results = ["win", "tie", "lose", "fold"]
    by_hand = report.ways_by_hand()
    used = [name for name in results if any(name in ways for ways in by_hand.values())]
    titles = {"win": "Win" if report.has_dealer else "Not folded"}
    columns = (
        Column("Final hand"),
        *(Column(titles.get(name, name.capitalize()), Style.PERCENT) for name in used),
        Column("All", Style.PERCENT),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            report.hand_classes[hand_class].capitalize(),
            *(Fraction(ways.get(name, 0), report.cycle) for name in used),
            Fraction(sum(ways.values()), report.cycle),
        )
        for hand_class, ways in by_hand.items()
    ]
    totals = [Fraction(sum(ways.get(name, 0) for ways in by_hand.values()), report.cycle) for name in used]
    rows.append(("Total", *totals, Fraction(1)))
    return Table(columns, tuple(rows), "Final hand of the player by result", totals=1)


def _net_table(report: GameReport) -> Table:
    """Return the probability of each net result."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (net, ways, Fraction(ways, report.cycle)) for net, ways in report.net_distribution().items()
    )
    columns = (
        Column("Net result in antes", Style.ODDS),
        Column("Ways", Style.COUNT),
        Column("Probability", Style.PERCENT),
    )
    return Table(columns, rows, "Net result of a round")


# Strategy


def strategy_tables(report: GameReport) -> tuple[Table, ...]:
    """Return best play as tables: starting hands first, then the later rounds."""
    tables: list[Table] = []
    if _is_chart(report):
        tables.append(_chart(report))
        tables.append(_value_chart(report))
    elif 0 < len(report.starting_hands) <= _MAX_HANDS:
        tables.append(_starting_table(report))
    by_card = [table for table in report.strategy if table.condition.startswith("dealer shows ")]
    if by_card:
        tables.append(_up_card_table(by_card))
    else:
        tables += map(_round_table, report.strategy)
    if report.rules:
        tables.append(_rules_table(report.rules))
    return tuple(tables)


def _is_chart(report: GameReport) -> bool:
    """Whether starting hands have two cards."""
    return bool(report.starting_hands) and len(report.starting_hands[0].hand) in (2, 3)


def _grid(report: GameReport) -> tuple[list[str], list[list[str]]]:
    """Return the ranks and the names of two-card hands: suited above the diagonal, offsuit below."""
    names = [rank for rank in "AKQJT98765432" if any(hand.hand == rank * 2 for hand in report.starting_hands)]

    def name(row: int, column: int) -> str:
        if row == column:
            return names[row] * 2
        return f"{names[row]}{names[column]}s" if row < column else f"{names[column]}{names[row]}o"

    return names, [[name(row, column) for column in range(len(names))] for row in range(len(names))]


def _chart(report: GameReport) -> Table:
    """Return the best action of two-card starting hands."""
    actions = {hand.hand: report.actions[hand.best] for hand in report.starting_hands}
    names, grid = _grid(report)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (names[row], *(actions[hand] for hand in grid[row])) for row in range(len(names))
    )
    columns = (Column("Cards"), *(Column(rank, Style.CHOICE) for rank in names))
    return Table(columns, rows, "Best action by starting hand: suited above the diagonal, offsuit below")


def _value_chart(report: GameReport) -> Table:
    """Return the value of two-card starting hands by best play."""
    values = {hand.hand: max(hand.values) for hand in report.starting_hands}
    names, grid = _grid(report)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (names[row], *(values[hand] for hand in grid[row])) for row in range(len(names))
    )
    columns = (Column("Cards"), *(Column(rank, Style.ODDS) for rank in names))
    return Table(columns, rows, "Mean net result by starting hand, in antes")


def _starting_table(report: GameReport) -> Table:
    """Return the value of each action of every starting hand."""
    columns = (
        Column("Starting hand"),
        Column("Ways", Style.COUNT),
        *(Column(action, Style.VALUE) for action in report.actions),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple((hand.hand, hand.ways, *hand.values) for hand in report.starting_hands)
    return Table(columns, rows, "Mean net result by starting hand and action, in antes")


def _share(share: Fraction) -> Cell:
    """Return how often an action is best: always, never, or a percentage."""
    if share in (_NEVER, _ALWAYS):
        return "always" if share else "never"
    return Styled(share, Style.APPROXIMATE_CHANCE)


def _round_table(table: DecisionTable) -> Table:
    """Return how often each action is best, by the hand seen."""
    columns = (
        Column("Hand seen"),
        Column("Combinations", Style.COUNT),
        *(Column(action.capitalize(), Style.CHOICE) for action in table.actions),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (row.hand.capitalize(), row.combinations, *map(_share, row.shares)) for row in table.rows
    )
    condition = f" ({table.condition})" if table.condition else ""
    return Table(columns, rows, f"Best play, {table.round}{condition}")


def _rules_table(rules: tuple[RoundRules, ...]) -> Table:
    """Return rules for later rounds, one condition in each row, and what they cost."""
    rows: list[tuple[Cell, ...]] = []
    for decision in rules:
        name = f"{decision.round} ({decision.condition})" if decision.condition else decision.round
        for action, conditions in decision.rules:
            for index, condition in enumerate(conditions):
                rows.append((name, action, f"or {condition}" if index else condition, None))
                name = ""
        rows.append((name, decision.default, "otherwise", decision.cost))
    columns = (Column("Round"), Column("Action"), Column("If the player has"), Column("Cost", Style.PERCENT))
    return Table(columns, tuple(rows), "Rules for later rounds, and their cost if all other decisions are best play")


def _up_card_table(tables: list[DecisionTable]) -> Table:
    """Return how often the last action is best, by hand and the dealer's exposed card."""
    cards = [table.condition.removeprefix("dealer shows ") for table in tables]
    hands = list(dict.fromkeys(row.hand for table in tables for row in table.rows))
    shares = {(row.hand, card): row.shares[-1] for table, card in zip(tables, cards, strict=True) for row in table.rows}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (hand.capitalize(), *(_share(shares[hand, card]) if (hand, card) in shares else None for card in cards))
        for hand in hands
    )
    columns = (Column("Hand"), *(Column(card, Style.CHOICE) for card in cards))
    return Table(columns, rows, f"How often to {tables[0].actions[-1]}, by the dealer's card")


# Bonus bets and effects of pays


def side_bet_table(bet: SideBetReport) -> Table:
    """Return a bonus bet: its lines, its edge, and the main bets when it is paid."""
    paytable = f" ({bet.paytable})" if bet.paytable else ""
    rows: list[tuple[Cell, ...]] = [
        (line.hand.capitalize(), line.odds, line.ways, Fraction(line.ways, bet.cycle), line.main_net)
        for line in bet.lines
    ]
    rows += [
        (FIGURES["house_edge"].label, None, None, bet.edge, None),
        (FIGURES["standard_deviation"].label, None, None, Styled(Surd(bet.variance), Style.DECIMAL), None),
        ("Covariance with the main bets", None, None, Styled(bet.covariance, Style.DECIMAL), None),
    ]
    columns = (
        Column("Hand"),
        Column("Pays to 1", Style.ODDS),
        Column("Ways", Style.COUNT),
        Column("Probability", Style.PERCENT),
        Column("Mean of the main bets", Style.VALUE),
    )
    return Table(columns, tuple(rows), f"Bonus bet {bet.name}{paytable}, {bet.cards}", totals=3)


def _effect_tables(report: GameReport) -> tuple[Table, ...]:
    """Return the change of the edge by each pay."""
    if not report.pay_effects:
        return ()
    columns = (
        Column("Bet"),
        Column("Outcome"),
        Column("Hand"),
        Column("Pays to 1", Style.ODDS),
        Column("Edge if it pays 1 more", Style.PERCENT),
        Column("Change", Style.PERCENT),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (effect.bet, effect.outcome, effect.hand, effect.odds, report.edge - effect.weight, -effect.weight)
        for effect in report.pay_effects
    )
    return (Table(columns, rows, "Effect of each pay, with unchanged play", keys=3),)


def _source_notes(report: GameReport) -> tuple[str, ...]:
    return tuple(f"Rules: {source}." for source in report.sources)


def notes(report: GameReport) -> tuple[str, ...]:
    """Return the notes of a game."""
    return (*report.notes, _TIES, *_source_notes(report))
