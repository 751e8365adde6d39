"""What a reader must not miss about a bet."""

from __future__ import annotations

from combinat.design.published import agrees, label, places, published_figure
from combinat.study import Study
from reports.page import numerals

INFERRED = "the rates and seeds of the meters are inferred, not stated by a source, and so is the hold"


def flags(study: Study) -> tuple[str, ...]:
    """Say what is out of the ordinary: the player's edge, a deck count off the design, awards that cannot happen."""
    found: list[str] = []
    analysis, paytable, shoe = study.analysis, study.paytable, study.shoe
    if study.favors_player:
        gain = numerals.percent(-study.house_edge.constant, 4)
        even_without = "" if study.house_edge.is_constant else " even without the meter"
        found.append(f"favors the player by {gain}{even_without} with {shoe}")
    if not analysis.is_designed:
        found.append(
            f"not designed for {shoe.decks} deck{'s' if shoe.decks > 1 else ''}: "
            f"{paytable.id} is for {paytable.decks_text}"
        )
    if paytable.based_on is not None:
        found.append(f"a variant of {paytable.based_on.id}, with other {', '.join(paytable.based_on.differences)}")
    if paytable.is_example:
        found.append("an example paytable, not a published one")
    if paytable.meters and analysis.system is not None and analysis.system.basis is not None:
        found.append(INFERRED)
    for place, line in enumerate(analysis.lines):
        if not line.is_possible:
            found.append(f"{line.award.name}: impossible with {shoe}{_since(paytable.first_decks[place], shoe.decks)}")
    for printed in paytable.published:
        if printed.decks == shoe.decks and shoe.is_full and agrees(analysis, printed) is False:
            ours = published_figure(analysis, printed)
            assert ours is not None  # agrees() compared it
            right = numerals.percent(ours, places(printed))
            found.append(f"the source prints a {label(printed)} of {printed.text}; it is {right}")
    return tuple(found)


def _since(first_decks: int | None, decks: int) -> str:
    if first_decks is None:
        return ", or from any number of decks"
    return f"; it needs at least {first_decks} decks" if first_decks > decks else ""
