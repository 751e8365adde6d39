"""Closed forms as a reader sees them; loading this loads sympy."""

from __future__ import annotations

import re
from typing import Any

from sympy import latex

from combinat.closed_form import DECKS, formulas, house_edge_formula, meter_symbols, up_card_formulas
from combinat.paytable import Paytable
from reports import numerals
from reports.documents import dealt, heading, meter_unit
from reports.model import Column, Document, Figure, Formula, Style, Table


def formula_document(paytable: Paytable) -> Document:
    """Show the closed forms of a paytable."""
    if paytable.bet.deal.draw:
        return _draw_formula_document(paytable)
    columns = (Column("Award"), Column("Ways from n decks"), Column("Probability"), Column("Limit for many decks"))
    rows = tuple(
        (one.name, _formula(one.ways), _formula(one.probability), _formula(one.limit)) for one in formulas(paytable)
    )
    edge, limit = house_edge_formula(paytable)
    return Document(
        title=heading(paytable),
        subtitle=f"n decks of {paytable.bet.pack.size} cards; {dealt(paytable.bet.deal, paytable.apart)}",
        tables=(Table(columns, rows),),
        figures=(Figure("House edge", _formula(edge)), Figure("Limit for many decks", _formula(limit))),
        notes=_meter_notes(paytable),
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


def formula_tables(paytable: Paytable, decks: int) -> tuple[Table, ...]:
    """Lay out the closed forms with a number of decks put in."""
    columns = (
        Column("Award"),
        Column("Ways from n decks"),
        Column(f"With n = {decks}", Style.COUNT),
        Column("Probability from n decks"),
        Column("Limit for many decks"),
    )
    rows = tuple(
        (one.name, _formula(one.ways), int(one.ways.subs("n", decks)), _formula(one.probability), _formula(one.limit))
        for one in formulas(paytable)
    )
    return (Table(columns, rows, "Closed forms"),)


def _draw_formula_document(paytable: Paytable) -> Document:
    """Show the chances of a bust in closed form, a line for each up card."""
    found = up_card_formulas(paytable)
    columns = (Column("Up card"), Column("Limit for many decks"), Column("Probability from n decks"))
    given = f"; given {paytable.bet.given}" if paytable.bet.given else ""
    return Document(
        title=heading(paytable),
        subtitle=f"n decks of {paytable.bet.pack.size} cards; {dealt(paytable.bet.deal, paytable.apart)}{given}",
        tables=(
            Table(columns, tuple((one.name, _formula(one.limit), _formula(one.bust)) for one in found), "Bust"),
            Table(
                columns,
                tuple((one.name, _formula(one.suited_limit), _formula(one.suited_bust)) for one in found),
                "Suited bust",
            ),
        ),
    )


def _formula(expression: Any) -> Formula:
    """Write a sympy expression as one writes it by hand."""
    plain = re.sub(r"\*\*(\d+)", lambda power: power[1].translate(numerals.SUPERSCRIPTS), str(expression))
    # Without this, a meter called lambda becomes a Greek letter, and one called Megabar an M with a bar.
    upright = {
        symbol: rf"\mathrm{{{symbol.name.replace('_', chr(92) + '_')}}}"
        for symbol in expression.free_symbols
        if symbol != DECKS
    }
    return Formula(plain.replace("*", "·").replace("-", numerals.MINUS), latex(expression, symbol_names=upright))


def formula_payload(paytable: Paytable) -> dict[str, Any]:
    """Give the closed forms of a paytable."""
    if paytable.bet.deal.draw:
        return {
            "paytable": paytable.id,
            "bet": paytable.bet.name,
            "given": str(paytable.bet.given) if paytable.bet.given else None,
            "up_cards": [
                {
                    "up": one.name,
                    "bust": str(one.bust),
                    "bust_limit": str(one.limit),
                    "suited_bust": str(one.suited_bust),
                    "suited_bust_limit": str(one.suited_limit),
                }
                for one in up_card_formulas(paytable)
            ],
        }
    edge, limit = house_edge_formula(paytable)
    return {
        "paytable": paytable.id,
        "bet": paytable.bet.name,
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
        "meters": {name: symbol.name for name, symbol in meter_symbols(paytable).items()},
        "meter_wager": numerals.exact(paytable.meter_wager()) if paytable.meters else None,
    }
