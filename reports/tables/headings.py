"""Text around tables: names of paytables, conditions, units of meters, published figures, and warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.bets.paytable import Paytable
from combinat.exact.numbers import format_decimal
from combinat.finder.checks import (
    NOT_A_CHECK,
    count_decimals,
    figure_label,
    is_check,
    matches_published,
    published_figure,
)
from combinat.study import Study
from decks import Shoe
from decks.errors import printable
from reports.page import numerals

INFINITE = "∞"
"""Sign for an infinite deck."""


def paytable_heading(paytable: Paytable) -> str:
    """Return the id and the title of a paytable, each once."""
    return paytable.title if paytable.id in paytable.title else f"{paytable.id}: {paytable.title}"


def paytable_names(paytables: Iterable[Paytable]) -> dict[Paytable, str]:
    """Return a distinct name for each paytable: its id, with the file name where an id is used twice."""
    different = list(dict.fromkeys(paytables))
    ids = Counter(paytable.id for paytable in different)
    return {
        paytable: paytable.id if ids[paytable.id] == 1 else f"{paytable.id} ({printable(paytable.bet.origin)})"
        for paytable in different
    }


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
    return tuple(f"{name}, {decks} deck{'s' * (decks > 1)}: {meter_unit(wager)}" for name, decks, wager in units)


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
    condition = analysis.paytable.bet.given
    assumptions = (str(condition) if condition else "", removed_text(analysis.shoe), *meter_amount_texts(analysis))
    return "; ".join(filter(None, assumptions))


def published_notes(analysis: Analysis) -> list[str]:
    """Return for each published figure of this deck count whether it is reproduced."""
    notes = []
    for printed in analysis.paytable.published:
        if printed.decks == analysis.shoe.decks and analysis.shoe.is_full:
            verdict = {
                True: "reproduced to every printed digit",
                False: "not reproduced",
                None: "depends on the meters",
            }
            result = verdict[matches_published(analysis, printed)] if is_check(analysis, printed) else NOT_A_CHECK
            notes.append(f"Published {figure_label(printed)} {printed.text}: {result}.")
    return notes


def removed_text(shoe: Shoe) -> str:
    """Return the removed cards as text, or an empty string."""
    return f"less {' '.join(map(str, shoe.removed))}" if shoe.removed else ""


INFERRED = "the rates and seeds of the meters are inferred, not stated by a source, and so is the hold"


def flags(study: Study) -> tuple[str, ...]:
    """Return warnings: a player edge, a deck count outside the design, impossible awards, figures not reproduced."""
    messages: list[str] = []
    analysis, paytable, shoe = study.analysis, study.paytable, study.shoe
    if study.favors_player:
        gain = numerals.format_percent(-study.house_edge.constant, 4)
        even_without = "" if study.house_edge.is_constant else " even without the meter"
        messages.append(f"favors the player by {gain}{even_without} with {shoe}")
    if not analysis.is_designed:
        messages.append(
            f"not designed for {shoe.decks} deck{'s' if shoe.decks > 1 else ''}: "
            f"{paytable.id} is for {paytable.decks_text}"
        )
    if paytable.based_on is not None:
        messages.append(f"a variant of {paytable.based_on.id}, with other {', '.join(paytable.based_on.differences)}")
    if paytable.is_example:
        messages.append("an example paytable, not a published one")
    if paytable.meters and analysis.system is not None and analysis.system.basis is not None:
        messages.append(INFERRED)
    for index, line in enumerate(analysis.lines):
        if not line.is_possible:
            messages.append(
                f"{line.award.name}: impossible with {shoe}"
                f"{_needed_decks_text(paytable.first_decks[index], shoe.decks)}"
            )
    for printed in paytable.published:
        if printed.decks == shoe.decks and shoe.is_full and matches_published(analysis, printed) is False:
            ours = published_figure(analysis, printed)
            assert ours is not None  # agrees() compared it
            right = numerals.format_percent(ours, count_decimals(printed))
            messages.append(f"the source prints a {figure_label(printed)} of {printed.text}; it is {right}")
    return tuple(messages)


def _needed_decks_text(first_decks: int | None, decks: int) -> str:
    if first_decks is None:
        return ", or from any number of decks"
    return f"; it needs at least {first_decks} decks" if first_decks > decks else ""
