"""Section for what only some bets have: decisions, meters, exposed cards, alternative readings of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.meters import HOUSE_JACKPOT
from combinat.bets.paytable import Paytable
from combinat.enumeration.decision import PlayerOption, RoundStrategy
from combinat.figures import FIGURES
from combinat.meters.hold import MeterFigures, compute_hold
from combinat.meters.session import Pace
from reports.answers.meters import meter_document
from reports.page.figures import page_figures
from reports.page.model import Cell, Column, Figure, Section, Style, Styled, Table
from reports.sheet.sections.request import Request
from reports.tables.awards import hold_formula
from reports.tables.decisions import option_figures, option_tables, play_figures, play_tables
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
from reports.tables.results import award_blocks, view_tables


def special_section(request: Request) -> Section | None:
    """Return the section on options, meters, views and alternative readings, or `None` if the bet has none."""
    study = request.study
    parts = [
        *([_option(study.option)] if study.option is not None else []),
        *([_play(study.play)] if study.play is not None else []),
        *([_meters(request)] if study.paytable.meters else []),
        *([_views(request)] if study.views else []),
    ]
    if other := study.paytable.other_reading:
        parts.append(Section("Another reading", tables=(_readings(request.analysis, get_paytable(other)),)))
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


def _readings(analysis: Analysis, other: Paytable) -> Table:
    """Return the figures under both readings of the rules, side by side."""
    readings = (analysis, analyze_wager(other, analysis.shoe, analysis.meters))
    columns = (Column("Figure"), *(Column(reading.paytable.id, Style.COUNT) for reading in readings))
    rows: list[tuple[Cell, ...]] = [
        (FIGURES["hold"].label, *(_percent(compute_hold(reading)) for reading in readings)),
        (FIGURES["fixed_return"].label, *(_percent(reading.fixed_return) for reading in readings)),
        (FIGURES["hit_frequency"].label, *(_percent(reading.hit_frequency) for reading in readings)),
    ]
    for ours, theirs in zip(*(reading.lines for reading in readings), strict=True):
        rows.append(
            (f"{ours.award.name}, once in", *(Styled(reading.one_in, Style.ODDS) for reading in (ours, theirs)))
        )
    return Table(columns, tuple(rows), "Both readings of the rules")


def _percent(value: Fraction | None) -> Cell:
    return None if value is None else Styled(value, Style.PERCENT)


def _option(option: PlayerOption) -> Section:
    return Section(
        f"The {option.kind}", text=option.notes, figures=option_figures(option), tables=option_tables(option)
    )


def _play(play: RoundStrategy) -> Section:
    tables = play_tables(play, with_values=True)
    return Section("How the hand is played", text=play.notes, figures=play_figures(play), tables=tables)


def _meters(request: Request) -> Section:
    analysis = request.analysis
    figures = request.study.meters
    if figures is None:
        return Section(
            "Meters",
            text=(
                "The source states neither the seeds nor the contributions of the meters, so the hold is a formula in "
                "them: rates as parts of the wager, seeds as amounts. With --seed and --rate of the meter commands it "
                f"becomes a number. {meter_unit(analysis.meter_wager)}",
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


_PARAMETERS = (
    "In the terms of N.J.A.C. 13:69E-1.39A (2024) the seed is the base amount and the reset amount, the rate the "
    "incrementation rate{more}. A wager's contribution is on the meter before its hand is settled."
)
_LINKED = (
    "Tables that share a meter have the same chance of it only with the same number of decks; the table shows how far "
    "others are apart. WAC 230-15-685(6) (2015) asks for the same probability where different games are "
    "linked."
)


_PACE = (
    "No source states a pace of play: with so many plays a day, plays to a hit divided by them are days. With "
    "--plays-per-day a sheet gives them, the chances of no hit and of two in some days, and the hits of a year."
)


def _regulator_notes(figures: MeterFigures, pace: Pace | None) -> Iterator[str]:
    """Yield notes on the pace of play, regulators' names of meter parameters, and linked meters."""
    levels = figures.system.levels
    if figures.system.kind != HOUSE_JACKPOT and pace is None:
        yield _PACE
    if figures.system.kind != HOUSE_JACKPOT:
        more = ", the reserve the hidden rate" * any(level.reserve for level in levels)
        more += ", the cap the progressive limit" * any(level.cap is not None for level in levels)
        yield _PARAMETERS.format(more=more)
    if len(figures.analysis.paytable.decks) > 1:
        yield _LINKED


def _views(request: Request) -> Section:
    views = [view for view, _ in request.study.views]
    return Section(
        " and ".join(view.title for view in views),
        text=tuple(view.text for view in views),
        tables=(*view_tables(request.study), *award_blocks(request.study)),
    )
