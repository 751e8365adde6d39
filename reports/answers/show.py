"""Answer of the `show` command: one bet at one shoe, or several with one row each."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.exact.numbers import format_decimal
from combinat.figures import ANSWER_GROUPS, headline_value, label_without_option, other_figures
from combinat.study import Study
from reports.page.figures import figure_column, page_figures
from reports.page.model import Cell, Column, Document, Figure, Style, Table
from reports.tables.awards import added_awards_table, hold_figures, ladder_table, wheel_tables
from reports.tables.headings import flags, meter_units, paytable_heading, paytable_names, published_notes, removed_text
from reports.tables.results import option_tables, play_figures, play_tables, settings_table, view_tables

_CYCLE = figure_column("cycle")
_MARKS = Column("Marks")


_NAMED = {"house_edge", "return", "fixed_return", "hold", "hit_frequency", "push_rate", "mean_win", "variance"}
_NAMED |= {"standard_deviation", "skewness", "excess_kurtosis"}
"""Figures whose place on the page depends on the bet; others of the same groups follow."""


def _figures(study: Study) -> tuple[Figure, ...]:
    """Return the summary figures of a bet."""
    analysis, has_meters = study.analysis, bool(study.paytable.meters)
    return (
        *page_figures(study, "house_edge", "return"),
        *(page_figures(study, "fixed_return") if has_meters else ()),
        *(hold_figures(study) if has_meters else ()),
        *page_figures(study, "hit_frequency", *(["push_rate"] if analysis.push_rate else []), "mean_win"),
        # With several open meters the variance is a page-long polynomial; only JSON has it.
        *page_figures(study, *(["variance"] if len(analysis.open_meters) <= 1 else [])),
        *page_figures(study, "standard_deviation", "skewness", "excess_kurtosis"),
        *page_figures(study, *other_figures(ANSWER_GROUPS, _NAMED)),
    )


def award_document(study: Study) -> Document:
    """Return one paytable at one shoe."""
    analysis, paytable, shoe = study.analysis, study.paytable, study.shoe
    notes = [*published_notes(analysis)]
    if paytable.requires:
        notes.append(f"May be bet only together with {paytable.requires}.")
    if analysis.open_meters:
        options = " ".join(f"--meter {'' if name == 'meter' else name + '='}AMOUNT" for name in analysis.open_meters)
        notes.append(f"Figures in terms of a meter become numbers with {options}.")
    notes += meter_units([analysis])
    notes += paytable.remarks
    if paytable.bet.sources:
        notes.append(f"Source: {'; '.join(paytable.bet.sources)}.")
    meters = "".join(f"; {name} at {format_decimal(value)}" for name, value in analysis.meters.items())
    figures = _figures(study)
    decisions: tuple[Table, ...] = ()
    if study.option is not None:
        decisions = option_tables(study.option)
        notes = [*study.option.notes, *notes]
    if study.round_strategy is not None:
        decisions, figures = (
            play_tables(study.round_strategy, with_values=False),
            (*figures, *play_figures(study.round_strategy)),
        )
        notes = [*study.round_strategy.notes, *notes]
    if paytable.bet.deal.settings:
        decisions = (*decisions, settings_table(paytable.bet.deal.settings))
    views: tuple[Table, ...] = ()
    if study.views:
        views = view_tables(study)
    detail_tables: tuple[Table, ...] = ()
    if paytable.stated_awards:
        detail_tables, notes = (added_awards_table(analysis),), [paytable.settlement.description, *notes]
    if paytable.wheels:
        detail_tables = (*detail_tables, *wheel_tables(analysis))
    cards = paytable.bet.deal.describe(paytable.roles_distinct)
    return Document(
        title=paytable_heading(paytable),
        subtitle=f"{shoe}, {shoe.size:,} cards; {cards}{_hands(study)}{meters}",
        flags=flags(study),
        tables=(ladder_table(analysis), *detail_tables, *views, *decisions),
        figures=figures,
        notes=tuple(notes),
    )


def _hands(study: Study) -> str:
    """Return the condition of the bet and the number of hands as text."""
    rule = study.paytable.bet.condition
    condition = f"; given {rule}" if rule else ""
    return f"{condition}: {study.analysis.ways.cycle:,} hands" if study.paytable.experiment.counts_hands else condition


def _marks(study: Study) -> str:
    marks = []
    if study.favors_player:
        marks.append("favors the player")
    if not study.analysis.is_designed:
        marks.append("not designed")
    impossible = [line.award.name for line in study.analysis.lines if not line.is_possible]
    if impossible:
        marks.append(f"impossible: {', '.join(impossible)}")
    if study.paytable.is_example:
        marks.append("example")
    return "; ".join(marks)


def overview_document(studies: Sequence[Study]) -> Document:
    """Return several paytables or deck counts, one row each."""
    labels = paytable_names(study.paytable for study in studies)
    without_option = figure_column("house_edge", label_without_option("house_edge"))
    columns = (
        Column("Paytable"),
        Column("Decks", Style.COUNT),
        _CYCLE,
        figure_column("house_edge"),
        without_option,
        figure_column("return"),
        figure_column("hit_frequency"),
        figure_column("standard_deviation"),
        _MARKS,
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            labels[study.paytable],
            study.shoe.decks,
            headline_value(study, "cycle"),
            headline_value(study, "house_edge"),
            study.analysis.house_edge,
            headline_value(study, "return"),
            headline_value(study, "hit_frequency"),
            headline_value(study, "standard_deviation"),
            _marks(study),
        )
        for study in studies
    )
    hidden_columns = []
    if not any(study.option for study in studies):
        hidden_columns.append(without_option)
    if not all(study.paytable.experiment.counts_hands for study in studies):
        hidden_columns.append(_CYCLE)
    if not any(row[-1] for row in rows):
        hidden_columns.append(_MARKS)
    return Document(
        title="\n".join(dict.fromkeys(paytable_heading(study.paytable) for study in studies)),
        subtitle=removed_text(studies[0].shoe),
        tables=(Table(columns, rows, keys=2).without(*hidden_columns),),
        notes=meter_units([study.analysis for study in studies]),
    )
