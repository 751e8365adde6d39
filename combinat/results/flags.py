"""Warnings about a study, and names and notes that answers and documents share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from combinat.analysis.analysis import Analysis
from combinat.bets.paytable import Paytable, Published
from combinat.exact.numbers import format_percent
from combinat.finder.checks import count_decimals, matches_published, published_figure, published_label
from combinat.study import Study
from decks.errors import printable

INFERRED = "the rates and seeds of the meters are inferred, not stated by a source, and so is the hold"


def paytable_names(paytables: Iterable[Paytable]) -> dict[Paytable, str]:
    """Return a distinct name for each paytable: its id, with the file name where an id is used twice."""
    distinct = list(dict.fromkeys(paytables))
    count_by_id = Counter(paytable.id for paytable in distinct)
    return {
        paytable: paytable.id if count_by_id[paytable.id] == 1 else f"{paytable.id} ({printable(paytable.bet.origin)})"
        for paytable in distinct
    }


def decks_text(count: int) -> str:
    """Format a number of decks.

    >>> decks_text(1), decks_text(6)
    ('1 deck', '6 decks')
    """
    return f"{count} deck{'' if count == 1 else 's'}"


def published_figures(analysis: Analysis) -> list[Published]:
    """Return the published figures of this deck count; none if cards are removed."""
    return [
        published
        for published in analysis.paytable.published
        if published.decks == analysis.shoe.decks and analysis.shoe.is_full
    ]


def flags(study: Study) -> tuple[str, ...]:
    """Return warnings: a player edge, a deck count outside the design, impossible awards, figures not reproduced."""
    messages: list[str] = []
    analysis, paytable, shoe = study.analysis, study.paytable, study.shoe
    if study.favors_player:
        player_edge = format_percent(-study.house_edge.constant, 4)
        suffix = "" if study.house_edge.is_constant else " even without the meter"
        messages.append(f"favors the player by {player_edge}{suffix} with {shoe}")
    if not analysis.is_designed:
        messages.append(f"not designed for {decks_text(shoe.decks)}: {paytable.id} is for {paytable.decks_text}")
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
    for published in published_figures(analysis):
        if matches_published(analysis, published) is False:
            figure = published_figure(analysis, published)
            assert figure is not None  # `matches_published` compared it
            text = format_percent(figure, count_decimals(published))
            messages.append(f"the source prints a {published_label(published)} of {published.text}; it is {text}")
    return tuple(messages)


def _needed_decks_text(first_decks: int | None, decks: int) -> str:
    if first_decks is None:
        return ", or from any number of decks"
    return f"; it needs at least {first_decks} decks" if first_decks > decks else ""
