"""What a reader must not miss about an analysis, and how published figures compare with ours."""

from __future__ import annotations

from fractions import Fraction

from combinat.analysis.analysis import Analysis
from combinat.bets.paytable import Published
from reports.page import numerals


def flags(analysis: Analysis) -> tuple[str, ...]:
    """Say what is out of the ordinary: the player's edge, a deck count off the design, awards that cannot happen."""
    found: list[str] = []
    paytable, shoe = analysis.paytable, analysis.shoe
    if analysis.best_edge.constant < 0:
        gain = numerals.percent(-analysis.best_edge.constant, 4)
        even_without = "" if analysis.best_edge.is_constant else " even without the meter"
        found.append(f"favors the player by {gain}{even_without} with {shoe}")
    if not analysis.is_designed:
        found.append(f"not designed for {shoe.decks} deck{'s' if shoe.decks > 1 else ''}: {designed(analysis)}")
    if paytable.is_example:
        found.append("an example paytable, not a published one")
    for line in analysis.lines:
        if not line.is_possible:
            found.append(f"{line.award.name}: impossible with {shoe}{_since(line.first_decks, shoe.decks)}")
    for printed in paytable.published:
        if printed.decks == shoe.decks and shoe.is_full and agrees(analysis, printed) is False:
            ours = published_figure(analysis, printed)
            assert ours is not None  # agrees() compared it
            found.append(f"the source prints a {label(printed)} of {printed.text}; it is {_as_printed(ours, printed)}")
    return tuple(found)


def designed(analysis: Analysis) -> str:
    """Name the deck counts that the paytable is designed for."""
    return f"{analysis.paytable.id} is for {analysis.paytable.decks_text}"


def _since(first_decks: int | None, decks: int) -> str:
    if first_decks is None:
        return ", or from any number of decks"
    return f"; it needs at least {first_decks} decks" if first_decks > decks else ""


def label(printed: Published) -> str:
    """Name a published figure in words."""
    return printed.figure.replace("_", " ")


def published_figure(analysis: Analysis, printed: Published) -> Fraction | None:
    """Give our value of a figure that a source prints, if it is settled without knowing the meters."""
    if printed.figure == "hit_frequency":
        return analysis.hit_frequency
    if printed.figure == "hold":
        from combinat.meters.hold import known_hold

        return known_hold(analysis)
    if not analysis.return_.is_constant or analysis.meters:
        return None
    return analysis.return_.constant if printed.figure == "return" else analysis.house_edge.constant


def _as_printed(value: Fraction, printed: Published) -> str:
    places = len(printed.text.rstrip("%").partition(".")[2])
    return numerals.percent(value, places)


def agrees(analysis: Analysis, printed: Published) -> bool | None:
    """Whether a published figure is ours to every printed digit; `None` if it depends on meters."""
    ours = published_figure(analysis, printed)
    return None if ours is None else _as_printed(ours, printed) == printed.text
