"""Text around tables: names of paytables, conditions, units of meters, published figures, and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.bets.paytable import Paytable
from combinat.exact.numbers import format_decimal
from combinat.finder.checks import NOT_A_CHECK, is_check, matches_published, published_label
from combinat.results.flags import decks_text
from combinat.results.flags import flags as flags
from combinat.results.flags import paytable_names as paytable_names
from combinat.results.flags import published_figures as published_figures
from decks import Shoe

INFINITE = "∞"
"""Sign for an infinite deck."""


ANY_ROUND = "any round"
EACH_ELIGIBLE_HAND = "each eligible hand"
"""Bases of a wager that only some hands can make."""


def paytable_heading(paytable: Paytable) -> str:
    """Return the id and the title of a paytable, each once."""
    return paytable.title if paytable.id in paytable.title else f"{paytable.id}: {paytable.title}"


def top_award_text(names: Sequence[str], pay: str) -> str:
    """Return the awards with the highest pay as text: the name of one, or the number of those that tie.

    >>> top_award_text(["Straight flush"], "20 to 1"), top_award_text(["Straight", "Flush"], "9 to 1")
    ('Straight flush, 20 to 1', '2 awards at 9 to 1')
    """
    return f"{names[0]}, {pay}" if len(names) == 1 else f"{len(names)} awards at {pay}"


def meter_unit(wager: Fraction) -> str:
    """Return the note on the unit of meter amounts."""
    return f"Amounts of meters are money, for a wager of {format_decimal(wager)}."


def meter_units(analyses: Sequence[Analysis]) -> tuple[str, ...]:
    """Return the notes on the unit of meter amounts, one for each wager if the paytables differ."""
    wagers = {analysis.meter_wager for analysis in analyses if analysis.paytable.meters}
    if len(wagers) <= 1:
        return tuple(map(meter_unit, wagers))
    labels = paytable_names(analysis.paytable for analysis in analyses)
    units = dict.fromkeys(
        (labels[analysis.paytable], analysis.shoe.decks, analysis.meter_wager)
        for analysis in analyses
        if analysis.paytable.meters
    )
    return tuple(f"{name}, {decks_text(decks)}: {meter_unit(wager)}" for name, decks, wager in units)


def meter_amount_texts(analysis: Analysis) -> list[str]:
    """Return the given meter amounts as text.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> meter_amount_texts(analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6), {"meter": Fraction(25_000)}))
    ['meter at 25,000']
    """
    return [f"{name} at {format_decimal(value)}" for name, value in analysis.meters.items()]


def conditions_text(analysis: Analysis) -> str:
    """Return the conditions of the figures as CSV names them: the rule, removed cards and meter amounts.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import parse_cards
    >>> conditions_text(analyze_wager(get_paytable("BB-1"), Shoe(6, removed=parse_cards("7h"))))
    'not blackjack; less 7h'
    """
    condition = analysis.paytable.bet.condition
    assumptions = (str(condition) if condition else "", removed_text(analysis.shoe), *meter_amount_texts(analysis))
    return "; ".join(filter(None, assumptions))


_RESULTS = {True: "reproduced to every printed digit", False: "not reproduced", None: "depends on the meters"}


def published_notes(analysis: Analysis) -> list[str]:
    """Return for each published figure of this deck count whether it is reproduced."""
    notes = []
    for published in published_figures(analysis):
        result = _RESULTS[matches_published(analysis, published)] if is_check(analysis, published) else NOT_A_CHECK
        notes.append(f"Published {published_label(published)} {published.text}: {result}.")
    return notes


def removed_text(shoe: Shoe) -> str:
    """Return the removed cards as text, or an empty string."""
    return f"less {' '.join(map(str, shoe.removed))}" if shoe.removed else ""
