"""Section for what only some bets have: decisions, meters, exposed cards, alternative readings of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.meters import HOUSE_JACKPOT
from combinat.bets.paytable import Paytable
from combinat.blackjack.charts import COLUMNS, BasicChart, chart_for, load_charts
from combinat.blackjack.eligibility import Eligibility
from combinat.blackjack.hands import NAMES
from combinat.enumeration.decision import PlayerOption, RoundStrategy
from combinat.exact.polynomial import Polynomial
from combinat.figures import FIGURES
from combinat.meters.hold import MeterFigures, compute_hold
from combinat.meters.session import Pace
from reports.answers.meters import meter_document
from reports.page.figures import figure_column, page_figures
from reports.page.model import Cell, Column, Figure, Section, Style, Styled, Table
from reports.sheet.sections.request import Request
from reports.tables.awards import (
    IMPOSSIBLE,
    LOSES,
    NO_AWARD,
    ONE_IN,
    PAYS,
    PROBABILITY,
    RETURN,
    TOTAL,
    hold_formula,
)
from reports.tables.headings import meter_unit
from reports.tables.meters import (
    AS_HOUSE_JACKPOT,
    PAID_IN_TURN,
    MeterOptions,
    linked_table,
    pace_note,
    pace_table,
    prize_table,
    round_tables,
)
from reports.tables.results import award_blocks, option_figures, option_tables, play_figures, play_tables, view_tables


def special_section(request: Request) -> Section | None:
    """Return the section on options, meters, views and alternative readings, or `None` if the bet has none."""
    study = request.study
    parts = [
        *([_option_section(study.option)] if study.option is not None else []),
        *([_play_section(study.round_strategy)] if study.round_strategy is not None else []),
        *([_meter_section(request)] if study.paytable.meters else []),
        *([_view_section(request)] if study.views else []),
        *([_eligibility_section(study.eligibility)] if study.eligibility is not None else []),
    ]
    if other := study.paytable.other_interpretation:
        parts.append(
            Section("Another interpretation", tables=(_readings_table(request.analysis, get_paytable(other)),))
        )
    return replace(_combine_sections(parts), key="special") if parts else None


def _combine_sections(parts: list[Section]) -> Section:
    """Combine several sections into one."""
    return Section(
        " and ".join([parts[0].title, *(part.title.lower() for part in parts[1:])]),
        text=tuple(text for part in parts for text in part.text),
        figures=tuple(figure for part in parts for figure in part.figures),
        tables=tuple(table for part in parts for table in part.tables),
        notes=tuple(note for part in parts for note in part.notes),
    )


def _readings_table(analysis: Analysis, other: Paytable) -> Table:
    """Return the figures under both readings of the rules, side by side."""
    readings = (analysis, analyze_wager(other, analysis.shoe, analysis.meters))
    columns = (Column("Figure"), *(Column(reading.paytable.id, Style.COUNT) for reading in readings))
    rows: list[tuple[Cell, ...]] = [
        (FIGURES["hold"].label, *(_percent(compute_hold(reading)) for reading in readings)),
        (FIGURES["fixed_return"].label, *(_percent(reading.fixed_return) for reading in readings)),
        (FIGURES["hit_frequency"].label, *(_percent(reading.hit_frequency) for reading in readings)),
    ]
    for lines in zip(*(reading.lines for reading in readings), strict=True):
        rows.append((f"{lines[0].award.name}, once in", *(Styled(line.one_in, Style.ODDS) for line in lines)))
    return Table(columns, tuple(rows), "Both interpretations of the rules")


def _percent(value: Fraction | None) -> Cell:
    return None if value is None else Styled(value, Style.PERCENT)


def _option_section(option: PlayerOption) -> Section:
    return Section(
        f"The {option.kind}", text=option.notes, figures=option_figures(option), tables=option_tables(option)
    )


def _play_section(play: RoundStrategy) -> Section:
    tables = play_tables(play, with_values=True)
    return Section("How the hand is played", text=play.notes, figures=play_figures(play), tables=tables)


def _meter_section(request: Request) -> Section:
    analysis = request.analysis
    figures = request.study.meters
    if figures is None:
        return Section(
            "Meters",
            text=(
                "The source states neither the seeds nor the contributions of the meters, so the hold is a formula in "
                "them: rates as parts of the wager, seeds as amounts. A seed and a rate make it a number. "
                f"{meter_unit(analysis.meter_wager)}",
            ),
            figures=(
                *page_figures(request.study, "fixed_return"),
                Figure(FIGURES["return"].label, analysis.return_),
                Figure(FIGURES["hold"].label, hold_formula(analysis)),
            ),
            tables=(*prize_table(analysis, None), *round_tables(analysis, None), *pace_table(analysis, request.pace)),
            notes=(AS_HOUSE_JACKPOT, PAID_IN_TURN, *([pace_note(request.pace)] if request.pace else [])),
        )
    document = meter_document(figures, MeterOptions(analysis.meters, request.pace), with_results=False)
    return Section(
        "Meters",
        text=(f"The meters are run as a {figures.system.kind}.",),
        figures=document.figures,
        tables=(*document.tables, *linked_table(request.study)),
        notes=(*document.notes, *_regulator_notes(figures, request.pace)),
    )


_REGULATOR_TERMS = (
    "In the terms of N.J.A.C. 13:69E-1.39A (2024) the seed is the base amount and the reset amount, the rate the "
    "incrementation rate{more}. A wager's contribution is on the meter before its hand is settled."
)
_LINKED = (
    "Tables that share a meter have the same probability of a hit only with the same number of decks; the table gives "
    "the ratio. WAC 230-15-685(6) (2015) requires the same probability where different games are "
    "linked."
)


_NO_PACE = (
    "No source states a pace of play. With --plays-per-day a sheet gives the days between hits, the probabilities of "
    "no hit and of two hits within some days, and the hits of a year."
)


def _regulator_notes(figures: MeterFigures, pace: Pace | None) -> Iterator[str]:
    """Yield notes on the pace of play, regulators' names of meter parameters, and linked meters."""
    levels = figures.system.levels
    if figures.system.kind != HOUSE_JACKPOT and pace is None:
        yield _NO_PACE
    if figures.system.kind != HOUSE_JACKPOT:
        more_terms = ", the reserve the hidden rate" * any(level.reserve for level in levels)
        more_terms += ", the cap the progressive limit" * any(level.cap is not None for level in levels)
        yield _REGULATOR_TERMS.format(more=more_terms)
    if len(figures.analysis.paytable.decks) > 1:
        yield _LINKED


def _eligibility_section(eligibility: Eligibility) -> Section:
    """Return the figures per wager of an eligible hand, in total and by up card."""
    analysis = eligibility.analysis
    columns = (
        Column("Up card"),
        Column("Eligible hands per round", Style.DECIMAL),
        Column("Share of wagers", Style.DECIMAL),
        *(figure_column(key) for key in ("hit_frequency", "return", "house_edge")),
    )
    rows: list[tuple[Cell, ...]] = [
        (case.up, case.hands_per_round, case.share, *_eligible_figures(case.analysis)) for case in eligibility.cases
    ]
    rows.append((TOTAL, eligibility.hands_per_round, 1, *_eligible_figures(analysis)))
    awards = Table(
        (Column("Award"), PAYS, PROBABILITY, ONE_IN, RETURN),
        (
            *(
                (line.award.name, str(line.award.pay), line.probability, line.one_in or IMPOSSIBLE, line.return_)
                for line in analysis.lines
            ),
            (NO_AWARD, LOSES, analysis.lose_probability, 1 / analysis.lose_probability, Polynomial.of(0)),
            (TOTAL, "", 1, "", Styled(analysis.return_, Style.SUM)),
        ),
        "Awards per wager of an eligible hand",
        totals=1,
    )
    chart = chart_for(analysis.shoe.decks, eligibility.rules)
    return Section(
        "Eligible hands",
        text=(_ELIGIBILITY_TEXT, f"Table rules: {eligibility.rules}; the dealer peeks under an ace or a ten."),
        tables=(
            Table(columns, tuple(rows), "Each eligible hand, by the dealer's up card", totals=1),
            awards,
            _chart_table(chart),
        ),
        notes=(f"Chart: {load_charts().source}.", _CHART_LETTERS),
    )


_ELIGIBILITY_TEXT = (
    "On the basis of eligible hands, one wager is made for each hand of a player who follows the chart below and whose "
    "hand is neither busted nor a blackjack; hands of a split count separately, and 21 after a split is eligible. The "
    "figure is the expected net result of all eligible hands of a round divided by the expected number of such hands, "
    "exact by linearity over the hands of a split. The chart uses values only, so that, given the values of the "
    "dealer's cards, suits are independent of eligibility."
)
_CHART_LETTERS = (
    "H hit, S stand, D double or else hit, DS double or else stand, P split; hands without a row are hit below 12 and "
    "stood on above."
)


def _eligible_figures(analysis: Analysis) -> tuple[Cell, ...]:
    return analysis.hit_frequency, analysis.return_, analysis.house_edge


def _chart_table(chart: BasicChart) -> Table:
    """Return the rows of a chart: hard totals, soft totals and pairs by the dealer's up card."""
    columns = (Column("Hand"), *(Column(NAMES[up], Style.CHOICE) for up in COLUMNS))
    kinds = (("Hard", chart.hard), ("Soft", chart.soft), ("Pair of", chart.pairs))
    rows = tuple(
        (f"{kind} {name}", *cells.split()) for kind, cells_by_name in kinds for name, cells in cells_by_name.items()
    )
    return Table(columns, rows, "Chart of the player")


def _view_section(request: Request) -> Section:
    views = [view for view, _ in request.study.views]
    return Section(
        " and ".join(view.title for view in views),
        text=tuple(view.text for view in views),
        tables=(*view_tables(request.study), *award_blocks(request.study)),
    )
