"""What `removal` answers: how the edge moves when a card is gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from combinat.counting.removal import Effect, Removal
from combinat.figures import FIGURES
from decks import Card
from reports.answers.studies import assumptions_payload
from reports.page.figures import STYLES
from reports.page.model import Column, Document, Figure, Style, Table, together
from reports.page.numerals import exact
from reports.tables.headings import cards_gone, conditions, flags, heading, meter_units, meters_shown, names

_EDGE = STYLES["house_edge"].style
COLUMNS = (
    Column("Cards"),
    Column("In the shoe", Style.COUNT),
    Column("House edge without one", _EDGE),
    Column("Change", _EDGE),
    Column("Scaled to one deck", _EDGE),
)


def cards_text(cards: Sequence[Card]) -> str:
    """Name cards in few words: by ranks where all suits are there, ranks that follow one another by the ends.

    >>> from decks import parse_cards
    >>> cards_text(parse_cards("2c 2d 2h 2s Kh")), cards_text(parse_cards("As"))
    ('2 Kh', 'As')
    """
    suits: dict[int, list[Card]] = {}
    for card in cards:
        suits.setdefault(int(card.rank), []).append(card)
    most = 4 if any(len(own) == 4 for own in suits.values()) else 0
    names: list[str] = []
    run: list[int] = []
    for rank in [*sorted(suits), None]:
        whole = rank is not None and len(suits[rank]) == most
        if run and (not whole or rank != run[-1] + 1):
            ends = [str(suits[one][0].rank) for one in (run[0], run[-1])]
            names.append("-".join(ends) if len(run) > 2 else " ".join(dict.fromkeys(ends)))
            run = []
        if whole and rank is not None:
            run.append(rank)
        elif rank is not None:
            names += map(str, suits[rank])
    return " ".join(names)


def removal_table(removal: Removal, caption: str = "") -> Table:
    """List the effects, those that are best for the player first."""
    ordered = sorted(removal.effects, key=lambda one: one.change.constant)
    rows = tuple((cards_text(one.cards), one.copies, one.house_edge, one.change, one.scaled) for one in ordered)
    return Table(COLUMNS, rows, caption)


def removal_document(found: Sequence[Sequence[Removal]]) -> Document:
    """Show the effects of removal for each shoe, on each basis."""
    studies = [one[0].study for one in found]
    several = len(found) > 1 or any(len(one) > 1 for one in found)
    called = names(one.paytable for one in studies)
    whose = {one: f"{name}, " if len(called) > 1 else "" for one, name in called.items()}
    captions = {
        id(one): f"{whose[one.study.paytable]}{one.study.shoe}, {one.basis}" if several else ""
        for every in found
        for one in every
    }
    first = studies[0]
    stands = [cards_gone(first.shoe)] if several else [f"{first.shoe}, {first.shoe.size} cards", str(found[0][0].basis)]
    tables_played = dict.fromkeys(note for one in studies if one.option for note in one.option.notes)
    figures = tuple(figure for every in found for one in every for figure in _figures(one, captions[id(one)]))
    return Document(
        title="\n".join(map(heading, called)),
        subtitle="; ".join(filter(None, [*stands, *meters_shown(first.analysis)])),
        flags=tuple(dict.fromkeys(flag for one in studies for flag in flags(one))),
        tables=tuple(removal_table(one, captions[id(one)]) for every in found for one in every),
        figures=figures,
        notes=(
            *notes([one for every in found for one in every]),
            *tables_played,
            *meter_units([one.analysis for one in studies]),
        ),
    )


def removal_lines(found: Sequence[Sequence[Removal]]) -> Document:
    """Lay the same out line by line, for spreadsheets, with one shape for one deck count and for many."""
    called = names(one[0].study.paytable for one in found)
    return together(
        [
            Document(
                "",
                flags=flags(one.study),
                tables=(removal_table(one),),
                figures=_figures(one, ""),
                told=(
                    ("Paytable", called[one.study.paytable]),
                    ("Decks", str(one.study.shoe.decks)),
                    ("Given", conditions(one.study.analysis)),
                    ("Basis", str(one.basis)),
                ),
            )
            for every in found
            for one in every
        ]
    )


def _figures(one: Removal, caption: str) -> tuple[Figure, ...]:
    return (
        Figure(_labelled(FIGURES["house_edge"].label, caption), one.house_edge, _EDGE),
        Figure(_labelled("Mean change, each card weighted", caption), one.balance, _EDGE),
    )


def _labelled(label: str, caption: str) -> str:
    return f"{label}; {caption}" if caption else label


def notes(removals: Sequence[Removal]) -> tuple[str, ...]:
    """Say what the columns are, and what the effects come to."""
    weighted = "the number of such cards"
    if any(one.study.paytable.bet.given for one in removals):
        weighted += " and how often the bet is then made"
    told = [
        "Change: the house edge when one such card is gone, less the edge with all; negative is good for the player.",
        "Scaled to one deck: the change times the cards left, over 51, as lists of effects are printed.",
    ]
    if any(not one.chosen_anew for one in removals):
        told.append(f"The changes, weighted by {weighted}, come to zero exactly; that was checked.")
    if any(one.chosen_anew for one in removals):
        told.append(
            "Play is chosen anew without each card, so that best play's changes come to zero or less for the house."
        )
    return tuple(told)


def removal_payload(removal: Removal) -> dict[str, Any]:
    """Give the effects of removal at one shoe on one basis."""
    study = removal.study
    return {
        "paytable": study.paytable.id,
        "bet": study.paytable.bet.name,
        "decks": study.shoe.decks,
        "cards": study.shoe.size,
        "removed": [str(card) for card in study.shoe.removed],
        "designed": study.analysis.is_designed,
        **assumptions_payload(study, rides=removal.basis is not study.wager_basis),
        "basis": str(removal.basis),
        **effects_payload(removal),
    }


def effects_payload(removal: Removal) -> dict[str, Any]:
    """Give the effects themselves."""
    return {
        "house_edge": exact(removal.house_edge),
        "play_chosen_anew": removal.chosen_anew,
        "mean_change": exact(removal.balance),
        "effects": [_effect(one) for one in removal.effects],
    }


def _effect(one: Effect) -> dict[str, Any]:
    return {
        "cards": [str(card) for card in one.cards],
        "copies": one.copies,
        "house_edge": exact(one.house_edge),
        "change": exact(one.change),
        "scaled": exact(one.scaled),
    }
