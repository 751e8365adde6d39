"""Tables of the result of a play on every basis, and of a bet by exposed cards such as the dealer's up card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from combinat.analysis.basis import Basis, PlayResult
from combinat.analysis.outlook import CONFIDENCE, volatility_index
from combinat.analysis.sensitivity import ConditionalResult, best_selections
from combinat.enumeration.decision import Decision, DecisionChart, PlayerOption, RoundStrategy
from combinat.enumeration.experiment import ExposedView
from combinat.exact.polynomial import Polynomial
from combinat.figures import FIGURES, headline_value, label_of_wager
from combinat.language.deal import SettingValue
from combinat.study import Study
from reports.page.figures import STYLES, figure_column
from reports.page.model import Cell, Column, Figure, Style, Styled, Table
from reports.page.numerals import format_fixed
from reports.tables.awards import LOSES, NO_AWARD, ONE_IN, PAYS, PROBABILITY, RETURN, TOTAL

BASES = "bases"
"""Workbook key of the table of bases."""
MEANINGS = {
    Basis.BOOKS: "Accounting basis: a play costs the house the fixed pays and the contribution to the meters, and a "
    "hit that resets a meter costs its seed; plays are independent and identically distributed.",
    Basis.LONG_RUN: "Long run: what a play costs depends on those before it, by a cap, a share that is not deducted, a "
    "reserve or pays out of the meter; the mean is that of the long run and the variance that of many plays, by the "
    "cycle from one hit to the next. Intervals from it are asymptotic.",
    Basis.POSTED: "At the posted prize: nothing is contributed, and the house pays the prize each time.",
    Basis.SEEDS: "Meters at their seeds: a single wager just after a hit; contributions to the meters count as hold.",
    Basis.AVERAGES: "Meters at their averages: a single wager with every meter at its average.",
    Basis.PLAYER: "Per wager at a random meter: a single play at a random time; its mean is that of the long run, and "
    "its variance includes that of the meters. Consecutive plays have nearly the same meters.",
    Basis.BEST: "Best play: after a win the player makes the best choice, hand by hand; plays are independent and "
    "identically distributed.",
    Basis.METERS: "At the given meters: a single wager with the meters at the amounts given, others at their averages.",
}


def results_table(results: tuple[PlayResult, ...]) -> Table:
    """Return house edge, standard deviation and volatility index by basis."""
    index_key = f"volatility_index_{CONFIDENCE * 100}"
    columns = (
        Column("Basis"),
        Column("House advantage", Style.PERCENT, key="keeps"),
        Column(FIGURES["standard_deviation"].label, STYLES["standard_deviation"].style, key="deviation"),
        Column(FIGURES[index_key].label, STYLES[index_key].style, key="index"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            str(result.basis),
            result.house_edge,
            result.standard_deviation,
            volatility_index(result.standard_deviation),
        )
        for result in results
    ]
    return Table(columns, tuple(rows), "A play on every basis", key=BASES)


BOUNDED_NOTE = (
    "The standard deviation with best play is an interval whose ends are exact bounds. The distribution of hands that "
    "are not split is exact; the joint distribution of the hands of one split is not computed. The square of the sum "
    "of K hands is at most K times the sum of their squares; and given the dealer's total, the mean of that square is "
    "at least the square of the mean."
)


def basis_explanations(results: tuple[PlayResult, ...]) -> list[str]:
    """Return the explanation of each basis that needs one."""
    texts = [MEANINGS[result.basis] for result in results if result.basis in MEANINGS]
    if any(result.variance_bounds is not None for result in results):
        texts.append(BOUNDED_NOTE)
    if any(result.is_bound for result in results):
        texts.append(
            "Where several meters depend on their pasts, the variance is an upper bound: the dependence of their "
            "cycles lowers it slightly."
        )
    return texts


def meter_amounts_text(result: PlayResult) -> str:
    """Return the meter amounts of a result as text."""
    return ", ".join(f"{name} at {format_fixed(amount, 2)}" for name, amount in result.meters.items())


_CASE_FIGURES = ("hit_frequency", "return", "house_edge")
"""Figures of each case of a view, for the wager alone."""


def cases_key(view: ExposedView) -> str:
    """Return the workbook key of the table of a view's cases."""
    return f"cases, {view.key}"


def award_blocks_key(view: ExposedView) -> str:
    """Return the workbook key of the table of awards in each case of a view."""
    return f"awards, {view.key}"


def view_tables(study: Study) -> tuple[Table, ...]:
    """Return a bet by what can be seen, and the result of betting in the best cases only."""
    return tuple(table for view, cases in study.views if len(cases) > 1 for table in _case_tables(study, view, cases))


def _case_tables(study: Study, view: ExposedView, cases: tuple[ConditionalResult, ...]) -> tuple[Table, ...]:
    case_name = view.case_title.lower()
    edge = figure_column("house_edge", label_of_wager(study, "house_edge"))
    columns = (
        Column(view.case_title),
        PROBABILITY,
        *(Column(label, Style.DECIMAL) for _, label in view.extras),
        *(figure_column(key, label_of_wager(study, key)) for key in _CASE_FIGURES),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            case.name,
            case.probability,
            *case.extras.values(),
            *(headline_value(Study(case.analysis), key) for key in _CASE_FIGURES),
        )
        for case in cases
    ]
    by_case = Table(columns, tuple(rows), f"Given the {case_name}", key=cases_key(view))
    if not study.analysis.return_.is_constant:
        return (by_case,)
    selections = Table(
        (Column("Bet only with"), Column("Of the rounds", Style.PERCENT), edge),
        tuple(
            (_cases_text(selection.cases, len(cases), case_name), selection.share, selection.house_edge)
            for selection in best_selections(cases)
        ),
        f"Betting only on the best {case_name}s",
    )
    return by_case, selections


def _cases_text(selected: Sequence[ConditionalResult], case_count: int, case_name: str) -> str:
    if len(selected) == case_count:
        return f"every {case_name}"
    return selected[0].name if len(selected) == 1 else f"the above and {selected[-1].name}"


def award_blocks(study: Study) -> tuple[Table, ...]:
    """Return the awards in blocks, one for each case of a view."""
    tables = []
    for view, cases in study.views:
        if len(cases) <= 1:
            continue
        columns = (
            Column(view.case_title),
            Column("Award"),
            PAYS,
            PROBABILITY,
            ONE_IN,
            Column("True odds to 1", Style.ODDS),
            RETURN,
        )
        rows: list[tuple[Cell, ...]] = []
        for case in cases:
            for line in case.analysis.lines:
                if line.is_possible:
                    figures = (line.probability, line.one_in, line.true_odds, line.return_)
                    rows.append((case.name, line.award.name, str(line.award.pay), *figures))
            rows.append((case.name, NO_AWARD, LOSES, case.analysis.lose_probability, "", "", Polynomial.of(0)))
            rows.append((case.name, TOTAL, "", 1, "", "", Styled(case.analysis.return_, Style.SUM)))
        blocks = tuple(Counter(row[0] for row in rows).values())
        caption = f"Awards given the {view.case_title.lower()}"
        tables.append(Table(columns, tuple(rows), caption, keys=2, key=award_blocks_key(view), blocks=blocks))
    return tuple(tables)


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
