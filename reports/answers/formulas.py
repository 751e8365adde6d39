"""Closed forms as documents; importing this module imports sympy."""

from __future__ import annotations

from typing import Any

from sympy import latex

from combinat.analysis.closed_form import (
    DECKS_SYMBOL,
    award_formulas,
    house_edge_formula,
    meter_symbols,
)
from combinat.bets.paytable import Paytable
from combinat.figures import FIGURES
from combinat.results.analysis import condition_text
from combinat.results.formula import ViewFormulas, view_formulas
from reports.page.model import Column, Document, Figure, Formula, Table
from reports.tables.closed_forms import build_formula
from reports.tables.headings import meter_unit, paytable_heading


def formula_document(paytable: Paytable) -> Document:
    """Return the closed forms of a paytable."""
    views = view_formulas(paytable)
    if views:
        return _view_document(paytable, views)
    columns = (Column("Award"), Column("Ways from n decks"), Column("Probability"), Column("Limit for many decks"))
    rows = tuple(
        (
            award_formula.name,
            _formula(award_formula.ways),
            _formula(award_formula.probability),
            _formula(award_formula.limit),
        )
        for award_formula in award_formulas(paytable)
    )
    edge, limit = house_edge_formula(paytable)
    return Document(
        title=paytable_heading(paytable),
        subtitle=f"n decks of {paytable.bet.pack.size} cards; {_cards(paytable)}",
        tables=(Table(columns, rows),),
        csv_columns=_csv_columns(paytable),
        figures=(
            Figure(FIGURES["house_edge"].label, _formula(edge), key="house_edge"),
            Figure("Limit for many decks", _formula(limit)),
        ),
        notes=(
            *_meter_notes(paytable),
            *_fewest_decks_note(paytable.tally.fewest_decks or 1),
            *([paytable.tally.note] if paytable.tally.note else []),
        ),
    )


def _meter_notes(paytable: Paytable) -> tuple[str, ...]:
    """Return the notes on the unit of meters and on meters whose symbol is renamed."""
    if not paytable.meters:
        return ()
    renamed = [(name, symbol.name) for name, symbol in meter_symbols(paytable).items() if symbol.name != name]
    return (
        meter_unit(paytable.meter_wager()),
        *(
            f"{symbol} is the amount of the meter {name}; the name {name} means something else in a formula."
            for name, symbol in renamed
        ),
    )


def _fewest_decks_note(fewest_decks: int, prefix: str = "") -> tuple[str, ...]:
    """Return a note on the fewest decks for which the formulas hold, if more than one."""
    if fewest_decks == 1:
        return ()
    return (f"{prefix}The formulas hold for {fewest_decks} or more decks; with fewer, no hand meets the condition.",)


def _cards(paytable: Paytable) -> str:
    return paytable.bet.deal.describe(paytable.roles_distinct)


def _view_document(paytable: Paytable, views: list[ViewFormulas]) -> Document:
    """Return closed forms for each case of a view, such as a bust by up card."""
    tables, notes = [], []
    for view, cases in views:
        columns = (Column(view.case_title), Column("Limit for many decks"), Column("Probability from n decks"))
        for index, (_, label) in enumerate(view.extras):
            rows = tuple(
                (case.name, _formula(case.limits[index]), _formula(case.probabilities[index])) for case in cases
            )
            tables.append(Table(columns, rows, label))
        notes += [
            note for case in cases for note in _fewest_decks_note(case.fewest_decks, f"{case.name} {view.case_key}: ")
        ]
    condition = f"; given {paytable.bet.condition}" if paytable.bet.condition else ""
    return Document(
        title=paytable_heading(paytable),
        subtitle=f"n decks of {paytable.bet.pack.size} cards; {_cards(paytable)}{condition}",
        tables=tuple(tables),
        csv_columns=_csv_columns(paytable),
        notes=tuple(notes),
    )


def _csv_columns(paytable: Paytable) -> tuple[tuple[str, str], ...]:
    return (("Paytable", paytable.id), ("Given", condition_text(paytable) or ""))


def _formula(expression: Any) -> Formula:
    """Format a sympy expression in printed notation."""
    # Otherwise sympy typesets a meter called lambda as a Greek letter, and Megabar as an M with a bar.
    upright = {
        symbol: rf"\mathrm{{{symbol.name.replace('_', chr(92) + '_')}}}"
        for symbol in expression.free_symbols
        if symbol != DECKS_SYMBOL
    }
    return build_formula(str(expression), latex(expression, symbol_names=upright))
