"""Closed forms as a reader sees them; loading this loads sympy."""

from __future__ import annotations

from typing import Any

from sympy import factor, latex

from combinat.analysis.closed_form import (
    DECKS,
    CaseFormula,
    as_sympy,
    case_formulas,
    formulas,
    house_edge_formula,
    meter_symbols,
)
from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import View
from combinat.exact.polynomial import Polynomial
from combinat.figures import FIGURES
from reports.answers.studies import given_text
from reports.page import numerals
from reports.page.closed_forms import formula
from reports.page.model import Column, Document, Figure, Formula, Table
from reports.tables.headings import heading, meter_unit


def formula_document(paytable: Paytable) -> Document:
    """Show the closed forms of a paytable."""
    views = _views(paytable)
    if views:
        return _view_document(paytable, views)
    columns = (Column("Award"), Column("Ways from n decks"), Column("Probability"), Column("Limit for many decks"))
    rows = tuple(
        (one.name, _formula(one.ways), _formula(one.probability), _formula(one.limit)) for one in formulas(paytable)
    )
    edge, limit = house_edge_formula(paytable)
    return Document(
        title=heading(paytable),
        subtitle=f"n decks of {paytable.bet.pack.size} cards; {_cards(paytable)}",
        tables=(Table(columns, rows),),
        told=_told(paytable),
        figures=(
            Figure(FIGURES["house_edge"].label, _formula(edge), key="house_edge"),
            Figure("Limit for many decks", _formula(limit)),
        ),
        notes=(
            *_meter_notes(paytable),
            *_least(paytable.tally.fewest_decks or 1),
            *([paytable.tally.note] if paytable.tally.note else []),
        ),
    )


def _meter_notes(paytable: Paytable) -> tuple[str, ...]:
    """Say what the meters are for, and which are called by another name because theirs is taken."""
    if not paytable.meters:
        return ()
    renamed = [(name, symbol.name) for name, symbol in meter_symbols(paytable).items() if symbol.name != name]
    return (
        meter_unit(paytable.meter_wager()),
        *(
            f"{symbol} stands for what the meter {name} shows; {name} by itself means something else."
            for name, symbol in renamed
        ),
    )


def _least(fewest_decks: int, what: str = "") -> tuple[str, ...]:
    """Say from how many decks on the formulas hold, if fewer give no hand that fits the condition."""
    if fewest_decks == 1:
        return ()
    return (f"{what}The formulas hold from {fewest_decks} decks on; with fewer no hand fits the condition.",)


def factored_by_sympy(ways: Polynomial, over: Polynomial) -> Formula:
    """Write one polynomial over another as a product."""
    return _formula(factor(as_sympy(ways) / as_sympy(over)))


def _cards(paytable: Paytable) -> str:
    return paytable.bet.deal.in_words(paytable.roles_distinct)


def _views(paytable: Paytable) -> list[tuple[View, tuple[CaseFormula, ...]]]:
    """Give the views that have closed forms of their own; the awards' are shown where there is none."""
    views = [(view, case_formulas(paytable, view)) for view in paytable.experiment.views()]
    return [(view, found) for view, found in views if found]


def _view_document(paytable: Paytable, views: list[tuple[View, tuple[CaseFormula, ...]]]) -> Document:
    """Show what else is likely in each case of a view in closed form, such as a bust with each up card."""
    tables, notes = [], []
    for view, found in views:
        columns = (Column(view.case_title), Column("Limit for many decks"), Column("Probability from n decks"))
        for place, (_, label) in enumerate(view.extras):
            rows = tuple((one.name, _formula(one.limits[place]), _formula(one.chances[place])) for one in found)
            tables.append(Table(columns, rows, label))
        notes += [note for one in found for note in _least(one.fewest_decks, f"{one.name} {view.case_key}: ")]
    given = f"; given {paytable.bet.given}" if paytable.bet.given else ""
    return Document(
        title=heading(paytable),
        subtitle=f"n decks of {paytable.bet.pack.size} cards; {_cards(paytable)}{given}",
        tables=tuple(tables),
        told=_told(paytable),
        notes=tuple(notes),
    )


def _told(paytable: Paytable) -> tuple[tuple[str, str], ...]:
    return (("Paytable", paytable.id), ("Given", given_text(paytable) or ""))


def _formula(expression: Any) -> Formula:
    """Write a sympy expression as one writes it by hand."""
    # Without this, a meter called lambda becomes a Greek letter, and one called Megabar an M with a bar.
    upright = {
        symbol: rf"\mathrm{{{symbol.name.replace('_', chr(92) + '_')}}}"
        for symbol in expression.free_symbols
        if symbol != DECKS
    }
    return formula(str(expression), latex(expression, symbol_names=upright))


def formula_payload(paytable: Paytable) -> dict[str, Any]:
    """Give the closed forms of a paytable."""
    views = _views(paytable)
    whose = {
        "paytable": paytable.id,
        "bet": paytable.bet.name,
        "given": given_text(paytable),
    }
    if views:
        return whose | {view.key: _cases(view, found) for view, found in views}
    edge, limit = house_edge_formula(paytable)
    return {
        **whose,
        "awards": [
            {
                "name": one.name,
                "ways": str(one.ways),
                "probability": str(one.probability),
                "limit": str(one.limit),
            }
            for one in formulas(paytable)
        ],
        "house_edge": str(edge),
        "house_edge_limit": str(limit),
        "fewest_decks": paytable.tally.fewest_decks,
        **({"note": paytable.tally.note} if paytable.tally.note else {}),
        "meters": {name: symbol.name for name, symbol in meter_symbols(paytable).items()},
        "meter_wager": numerals.exact(paytable.meter_wager()) if paytable.meters else None,
    }


def _cases(view: View, cases: tuple[CaseFormula, ...]) -> list[dict[str, Any]]:
    """Give the closed forms of each case of a view."""
    found = []
    for one in cases:
        case: dict[str, Any] = {view.case_key: one.name}
        for (key, _), chance, limit in zip(view.extras, one.chances, one.limits, strict=True):
            case |= {key: str(chance), f"{key}_limit": str(limit)}
        found.append(case | {"fewest_decks": one.fewest_decks})
    return found
