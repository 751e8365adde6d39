"""Section with the figures by number of decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis
from combinat.analysis.basis import Basis, PlayResult
from combinat.bets.paytable import Paytable
from combinat.enumeration.decision import PlayerOption
from combinat.exact.interval import Interval
from combinat.exact.surd import Surd
from combinat.figures import FIGURES, figure_values, headline_value, label_of_wager
from combinat.meters.accrual import accounting_result
from combinat.study import Study
from decks import format_deck_counts
from reports.page.figures import figure_column
from reports.page.model import Cell, Column, Plot, Section, Style, Table
from reports.sheet.sections.request import Request
from reports.tables.awards import IMPOSSIBLE
from reports.tables.headings import INFINITE
from reports.tables.results import BOUNDED_NOTE


def deck_section(request: Request) -> Section:
    """Return the section with the figures for every common number of decks."""
    # A row says "impossible" if no hand satisfies the bet's condition.
    deck_rows = [_deck_row(request, index) for index in range(len(request.study.by_decks))]
    label, share_key = _share_label(request), _share_key(request.study)
    sheet_share = next(row.house_share for row in deck_rows if row.is_this_sheet)
    columns: list[Column] = [
        Column("Decks", Style.COUNT),
        Column(label, Style.PERCENT, key=share_key),
        Column("Change", Style.PERCENT, key=f"{share_key} change"),
        figure_column("hit_frequency"),
        replace(figure_column("standard_deviation"), key=f"{share_key} deviation"),
        figure_column("top_award_one_in"),
        Column("Designed" if _has_design(request.study.paytable) else "Shown"),
    ]
    rows: list[tuple[Cell, ...]] = []
    for row in deck_rows:
        decks, analysis = row.decks or INFINITE, row.analysis
        if analysis is None:
            rows.append((decks, *[IMPOSSIBLE] * 5, row.mark))
            continue
        share_cell: Cell = row.house_share
        if share_cell is None:
            share_cell = _TOO_FEW_CARDS if _is_solved_for_all_decks(request.study) else _NEVER_HIT
        change = None if row.house_share is None or sheet_share is None else row.house_share - sheet_share
        rows.append(
            (
                decks,
                share_cell,
                change,
                analysis.hit_frequency,
                row.deviation,
                analysis.top_one_in or IMPOSSIBLE,
                row.mark,
            )
        )
    if request.study.result is None:  # the deviation is a number only if every meter amount is known
        columns, rows = columns[:4] + columns[5:], [row[:4] + row[5:] for row in rows]
    if _is_solved_for_all_decks(request.study):
        columns, rows = _add_wager_columns(request.study, columns, rows)
    plotted_rows = [row for row in deck_rows if row.house_share is not None]
    plot = Plot(
        caption=f"{label} by number of decks; filled: "
        + ("designed for" if _has_design(request.study.paytable) else "this sheet"),
        steps=tuple(INFINITE if row.decks is None else str(row.decks) for row in plotted_rows),
        values=tuple(row.house_share for row in plotted_rows if row.house_share is not None),
        marked=frozenset(
            index
            for index, row in enumerate(plotted_rows)
            if (
                row.decks in request.analysis.paytable.decks
                if _has_design(request.study.paytable)
                else row.is_this_sheet
            )
        ),
        x_label="decks",
        y_label=label.lower(),
        source=label,
    )
    is_played = request.study.round_strategy is not None or _is_solved_for_all_decks(request.study)
    method = "Each number of decks with its own best play" if is_played else "All from one enumeration"
    return Section(
        "Deck sensitivity",
        key="deck_sensitivity",
        text=(f"{method}; the change is against this sheet's {request.analysis.shoe}.",),
        tables=(Table(tuple(columns), tuple(rows), "The figures by number of decks", key=BY_DECKS),),
        plots=(plot,),
        notes=tuple(_deck_notes(request, deck_rows)),
    )


BY_DECKS = "by decks"
"""Workbook key of the table."""
BOOKS, BEST, WAGER, FIXED = "books", "best", "wager", "fixed"
"""Workbook keys of the house's share: accounting basis, best play, wager alone, fixed pays."""
_NEVER_HIT = "never hit"
_TOO_FEW_CARDS = "too few cards"


def _is_solved_for_all_decks(study: Study) -> bool:
    """Return whether the option was solved for every number of decks."""
    return study.options_by_decks is not None


def _add_wager_columns(
    study: Study, columns: list[Column], rows: list[tuple[Cell, ...]]
) -> tuple[list[Column], list[tuple[Cell, ...]]]:
    """Add the columns of the wager alone to those of best play."""
    keys = ("house_edge", "standard_deviation")
    wager_cells = [
        tuple(headline_value(Study(at_decks.analysis), key) if at_decks.analysis else IMPOSSIBLE for key in keys)
        for at_decks in study.by_decks
    ]
    column_keys = (WAGER, f"{WAGER} deviation")
    wager_columns = [
        replace(figure_column(key, label_of_wager(study, key)), key=name)
        for key, name in zip(keys, column_keys, strict=True)
    ]
    pairs = zip(rows, wager_cells, strict=True)
    short_columns = [replace(column, title=_shorten_title(column.title)) for column in (*columns[:-1], *wager_columns)]
    return [*short_columns, columns[-1]], [(*row[:-1], *wager_row, row[-1]) for row, wager_row in pairs]


_SHORT_LABELS = {"house_edge": "Edge", "standard_deviation": "Deviation", "top_award_one_in": "Top 1 in"}


def _shorten_title(title: str) -> str:
    """Shorten a heading, so that the wider table needs at most two lines of headings."""
    for key, short_label in _SHORT_LABELS.items():
        label = FIGURES[key].label
        if title.startswith(f"{label},") or (title == label and key == "top_award_one_in"):
            return short_label + title.removeprefix(label)
    return title


class _DeckRow(Struct, frozen=True):
    """A row of the deck table, on the basis of the headline."""

    decks: int | None
    analysis: Analysis | None
    house_share: Fraction | None
    deviation: Surd | Interval[Surd] | None
    is_this_sheet: bool
    mark: str


def _deck_row(request: Request, index: int) -> _DeckRow:
    """Build a row: house edge and standard deviation, on the accounting basis where the meters are known."""
    study = request.study
    row, figures = study.by_decks[index], study.meters_by_decks[index]
    is_this_sheet = row.decks == study.shoe.decks
    marks = ["yes" if row.decks in study.paytable.decks else "no"] if _has_design(study.paytable) else []
    mark = ", ".join(marks + ["this sheet"] * is_this_sheet)
    analysis = row.analysis
    if analysis is None:
        return _DeckRow(row.decks, None, None, None, is_this_sheet, mark)
    if study.options_by_decks is not None:
        option = study.options_by_decks[index]
        best = PlayResult.from_bounds(Basis.BEST, option.results) if option else None
        share, deviation = (best.house_edge, best.standard_deviation) if best else (None, None)
        return _DeckRow(row.decks, analysis, share, deviation, is_this_sheet, mark)
    if study.meters is None:
        edge = analysis.house_edge.constant if analysis.house_edge.is_constant else 1 - analysis.fixed_return
        return _DeckRow(row.decks, analysis, edge, analysis.standard_deviation, is_this_sheet, mark)
    result = accounting_result(figures) if figures else None
    share = result.house_edge if result else None
    return _DeckRow(row.decks, analysis, share, result.standard_deviation if result else None, is_this_sheet, mark)


def _has_design(paytable: Paytable) -> bool:
    """Return whether somebody designed the paytable for its deck counts; nobody did for an example or a variant."""
    return not paytable.is_example and paytable.based_on is None


def _share_key(study: Study) -> str:
    """Return the workbook key of the house's share in this table."""
    if study.meters is not None:
        return BOOKS
    if _is_solved_for_all_decks(study):
        return BEST
    return WAGER if study.analysis.house_edge.is_constant else FIXED


def _share_label(request: Request) -> str:
    """Return the label of the house's share."""
    study = request.study
    if study.meters is not None:
        return FIGURES["hold"].label
    if _is_solved_for_all_decks(study):
        return next(figure_values(study, "house_edge")).label
    if study.analysis.house_edge.is_constant:
        return label_of_wager(study, "house_edge")
    return "House advantage of the fixed pays"


def _deck_notes(request: Request, rows: Sequence[_DeckRow]) -> Iterator[str]:
    study = request.study
    yield f"{INFINITE}: every card drawn as if from a full deck, independent of the others."
    missing_decks = [row.decks for row in rows if row.decks and row.analysis is None]
    if missing_decks:
        counts = format_deck_counts(missing_decks)
        yield (
            f"With {counts} deck{'' if counts == '1' else 's'} the bet is impossible: no hand fits the condition "
            "under which it is made."
        )
    if study.option is not None:
        yield from _option_notes(study, study.option, rows)
    if study.meters is not None and not _is_solved_for_all_decks(study):
        yield (
            f"Hold and standard deviation stand on this basis: {study.results[0].basis}. The meters are run at each "
            "deck count as the paytable says for it, else as on this sheet."
        )
        if any(row.analysis is not None and row.house_share is None for row in rows):
            yield f"{_NEVER_HIT.capitalize()}: an award that takes a whole meter is impossible, so no long run exists."


def _option_notes(study: Study, option: PlayerOption, rows: Sequence[_DeckRow]) -> Iterator[str]:
    """Return the notes on best play, or that it was omitted."""
    if not _is_solved_for_all_decks(study):
        yield (
            f"These figures are of the wager alone: best play of the {option.kind} with other numbers of decks was "
            f"omitted by request. With {study.shoe} it is in the headline."
        )
        return
    yield (
        f"Edge, change and standard deviation are those of best play of the {option.kind}, solved for each "
        f"number of decks; the last columns are the wager alone. {BOUNDED_NOTE} "
        f"With {INFINITE} decks the hands of a split "
        "are independent once the dealer's total is known, so that it is exact."
    )
    if any(row.analysis is not None and row.house_share is None for row in rows):
        yield f"{_TOO_FEW_CARDS.capitalize()}: hands could not be played to their end."
