"""Answer of the `removal` command: the change of the house edge when one card is removed."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.counting.removal import RemovalEffects
from combinat.figures import FIGURES
from decks import Card
from reports.answers.studies import record_fields
from reports.page.figures import STYLES
from reports.page.model import Column, Document, Figure, Style, Table, combine_documents
from reports.tables.headings import (
    flags,
    meter_amount_texts,
    meter_units,
    paytable_heading,
    paytable_names,
    removed_text,
)

_EDGE = STYLES["house_edge"].style
COLUMNS = (
    Column("Cards"),
    Column("In the shoe", Style.COUNT),
    Column("House edge without one", _EDGE),
    Column("Change", _EDGE),
    Column("Scaled to one deck", _EDGE),
)


def cards_text(cards: Sequence[Card]) -> str:
    """Name cards briefly: by rank if all suits are present, consecutive ranks as a range.

    >>> from decks import parse_cards
    >>> cards_text(parse_cards("2c 2d 2h 2s Kh")), cards_text(parse_cards("As"))
    ('2 Kh', 'As')
    """
    cards_by_rank: dict[int, list[Card]] = {}
    for card in cards:
        cards_by_rank.setdefault(int(card.rank), []).append(card)
    suit_count = 4 if any(len(cards_of_rank) == 4 for cards_of_rank in cards_by_rank.values()) else 0
    names: list[str] = []
    run: list[int] = []
    for rank in [*sorted(cards_by_rank), None]:
        is_complete = rank is not None and len(cards_by_rank[rank]) == suit_count
        if run and (not is_complete or rank != run[-1] + 1):
            ends = [str(cards_by_rank[end][0].rank) for end in (run[0], run[-1])]
            names.append("-".join(ends) if len(run) > 2 else " ".join(dict.fromkeys(ends)))
            run = []
        if is_complete and rank is not None:
            run.append(rank)
        elif rank is not None:
            names += map(str, cards_by_rank[rank])
    return " ".join(names)


def removal_table(removal: RemovalEffects, caption: str = "") -> Table:
    """Return the effects of removal, best for the player first."""
    ordered = sorted(removal.effects, key=lambda effect: effect.change.constant)
    rows = tuple(
        (cards_text(effect.cards), effect.copies, effect.house_edge, effect.change, effect.scaled) for effect in ordered
    )
    return Table(COLUMNS, rows, caption)


def removal_document(removals_by_shoe: Sequence[Sequence[RemovalEffects]]) -> Document:
    """Return the effects of removal for each shoe and basis."""
    studies = [removals[0].study for removals in removals_by_shoe]
    has_several_tables = len(removals_by_shoe) > 1 or any(len(removals) > 1 for removals in removals_by_shoe)
    labels = paytable_names(study.paytable for study in studies)
    prefixes = {paytable: f"{label}, " if len(labels) > 1 else "" for paytable, label in labels.items()}
    captions = {
        id(removal): f"{prefixes[removal.study.paytable]}{removal.study.shoe}, {removal.basis}"
        if has_several_tables
        else ""
        for removals in removals_by_shoe
        for removal in removals
    }
    first_study = studies[0]
    details = (
        [removed_text(first_study.shoe)]
        if has_several_tables
        else [f"{first_study.shoe}, {first_study.shoe.size} cards", str(removals_by_shoe[0][0].basis)]
    )
    option_notes = dict.fromkeys(note for study in studies if study.option for note in study.option.notes)
    figures = tuple(
        figure
        for removals in removals_by_shoe
        for removal in removals
        for figure in _figures(removal, captions[id(removal)])
    )
    return Document(
        title="\n".join(map(paytable_heading, labels)),
        subtitle="; ".join(filter(None, [*details, *meter_amount_texts(first_study.analysis)])),
        flags=tuple(dict.fromkeys(flag for study in studies for flag in flags(study))),
        tables=tuple(
            removal_table(removal, captions[id(removal)]) for removals in removals_by_shoe for removal in removals
        ),
        figures=figures,
        notes=(
            *effect_notes([removal for removals in removals_by_shoe for removal in removals]),
            *option_notes,
            *meter_units([study.analysis for study in studies]),
        ),
    )


def removal_lines(removals_by_shoe: Sequence[Sequence[RemovalEffects]]) -> Document:
    """Return the effects as records, in the same shape for one deck count and for several."""
    labels = paytable_names(removals[0].study.paytable for removals in removals_by_shoe)
    return combine_documents(
        [
            Document(
                "",
                flags=flags(removal.study),
                tables=(removal_table(removal),),
                figures=_figures(removal, ""),
                csv_columns=(
                    ("Paytable", labels[removal.study.paytable]),
                    *record_fields(removal.study.analysis)[1:],
                    ("Basis", str(removal.basis)),
                ),
            )
            for removals in removals_by_shoe
            for removal in removals
        ]
    )


def _figures(removal: RemovalEffects, caption: str) -> tuple[Figure, ...]:
    return (
        Figure(_label_with_caption(FIGURES["house_edge"].label, caption), removal.house_edge, _EDGE),
        Figure(_label_with_caption("Mean change, each card weighted", caption), removal.balance, _EDGE),
    )


def _label_with_caption(label: str, caption: str) -> str:
    return f"{label}; {caption}" if caption else label


def effect_notes(removals: Sequence[RemovalEffects]) -> tuple[str, ...]:
    """Return the notes on the columns and on the sum of the effects."""
    weighted = "the number of such cards"
    if any(removal.study.paytable.bet.condition for removal in removals):
        weighted += " and how often the bet is then made"
    lines = [
        "Change: the house edge when one such card is gone, less the edge with all; negative is good for the player.",
        "Scaled to one deck: the change times the cards left, over 51, as lists of effects are printed.",
    ]
    if any(not removal.is_reoptimized for removal in removals):
        lines.append(f"The changes, weighted by {weighted}, come to zero exactly; that was checked.")
    if any(removal.is_reoptimized for removal in removals):
        lines.append(
            "Play is chosen anew without each card, so that best play's changes come to zero or less for the house."
        )
    return tuple(lines)
