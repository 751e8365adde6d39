"""What stands above and below tables: names of paytables, the unit of meters, what sources print.

What a reader must not miss about a bet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.bets.paytable import Paytable
from combinat.exact.numbers import format_decimal
from combinat.finder.checks import NOT_A_CHECK, agrees, is_check, label, places, published_figure
from combinat.study import Study
from decks import Shoe
from decks.errors import printable
from reports.page import numerals

INFINITE = "∞"
"""How an infinite number of decks is written."""


def heading(paytable: Paytable) -> str:
    """Name a paytable with its id and title, once each."""
    return paytable.title if paytable.id in paytable.title else f"{paytable.id}: {paytable.title}"


def names(paytables: Iterable[Paytable]) -> dict[Paytable, str]:
    """Name paytables by their ids; where several have one id, as two states of a file do, with the file of each."""
    different = list(dict.fromkeys(paytables))
    ids = Counter(paytable.id for paytable in different)
    return {
        paytable: paytable.id if ids[paytable.id] == 1 else f"{paytable.id} ({printable(paytable.bet.origin)})"
        for paytable in different
    }


def meter_unit(wager: Fraction) -> str:
    """Say what the amounts of meters are, which is the same on every page and in every file."""
    return f"Amounts of meters are money, for a wager of {format_decimal(wager)}."


def meter_units(analyses: Sequence[Analysis]) -> tuple[str, ...]:
    """Say it of several paytables, each of which may have its own wager."""
    wagers = {analysis.meter_wager for analysis in analyses if analysis.paytable.meters}
    if len(wagers) <= 1:
        return tuple(map(meter_unit, wagers))
    labels = names(analysis.paytable for analysis in analyses)
    units = dict.fromkeys(
        (labels[analysis.paytable], analysis.shoe.decks, analysis.meter_wager)
        for analysis in analyses
        if analysis.paytable.meters
    )
    return tuple(f"{name}, {decks} deck{'s' * (decks > 1)}: {meter_unit(wager)}" for name, decks, wager in units)


def meters_shown(analysis: Analysis) -> list[str]:
    """Say what meters show where that was given, which every figure depends on.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.catalog import find
    >>> meters_shown(analyze(find("BLZ-1-UP"), Shoe(6), {"meter": Fraction(25_000)}))
    ['meter at 25,000']
    """
    return [f"{name} at {format_decimal(value)}" for name, value in analysis.meters.items()]


def conditions(analysis: Analysis) -> str:
    """Say under what figures stand, as CSV names it: what must hold, which cards are gone, what meters show.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.catalog import find
    >>> from decks import parse_cards
    >>> conditions(analyze(find("BB-1"), Shoe(6, removed=parse_cards("7h"))))
    'not blackjack; less 7h'
    """
    condition = analysis.paytable.bet.given
    assumptions = (str(condition) if condition else "", cards_gone(analysis.shoe), *meters_shown(analysis))
    return "; ".join(filter(None, assumptions))


def published_notes(analysis: Analysis) -> list[str]:
    """Say of each figure that a source prints for this deck count whether it is ours."""
    notes = []
    for printed in analysis.paytable.published:
        if printed.decks == analysis.shoe.decks and analysis.shoe.is_full:
            verdict = {
                True: "reproduced to every printed digit",
                False: "not reproduced",
                None: "depends on the meters",
            }
            result = verdict[agrees(analysis, printed)] if is_check(analysis, printed) else NOT_A_CHECK
            notes.append(f"Published {label(printed)} {printed.text}: {result}.")
    return notes


def cards_gone(shoe: Shoe) -> str:
    """Say which cards are gone from a shoe, if any are."""
    return f"less {' '.join(map(str, shoe.removed))}" if shoe.removed else ""


INFERRED = "the rates and seeds of the meters are inferred, not stated by a source, and so is the hold"


def flags(study: Study) -> tuple[str, ...]:
    """Say what is out of the ordinary: the player's edge, a deck count off the design, awards that cannot happen."""
    messages: list[str] = []
    analysis, paytable, shoe = study.analysis, study.paytable, study.shoe
    if study.favors_player:
        gain = numerals.percent(-study.house_edge.constant, 4)
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
                f"{line.award.name}: impossible with {shoe}{_since(paytable.first_decks[index], shoe.decks)}"
            )
    for printed in paytable.published:
        if printed.decks == shoe.decks and shoe.is_full and agrees(analysis, printed) is False:
            ours = published_figure(analysis, printed)
            assert ours is not None  # agrees() compared it
            right = numerals.percent(ours, places(printed))
            messages.append(f"the source prints a {label(printed)} of {printed.text}; it is {right}")
    return tuple(messages)


def _since(first_decks: int | None, decks: int) -> str:
    if first_decks is None:
        return ", or from any number of decks"
    return f"; it needs at least {first_decks} decks" if first_decks > decks else ""
