"""The counting panel: how the edge moves when a card is gone, and what it is worth to keep a count of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combinat.advantage.conventions import CONVENTIONS, convention, usual_cut
from combinat.advantage.counts import count
from combinat.advantage.removal import Removal, removals
from combinat.advantage.tags import best_tags, betting_correlation, parse_tags
from combinat.advantage.uses import check_listed
from combinat.enumeration.decision import Progress
from combinat.study import Study, study
from decks import InputError
from decks.errors import quoted
from reports.answers.counts import Answer, counts_document
from reports.answers.removal import removal_document
from reports.page.model import Document
from reports.studio import drawn
from reports.studio.panels import here

_LEVELS = ("1", "2", "3")


def watched(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Show both for the wager alone at the deck count that the page is at; a bet that none counts is told of."""
    one = here(body)
    found = removals(one, lambda shoe: study(one.paytable, shoe, one.analysis.meters), progress)
    documents = [removal_document([found])]
    problem = ""
    try:
        documents.insert(0, _counted(one, found[0], body))
    except InputError as error:
        problem = str(error)
    return {"documents": [drawn.document(each) for each in documents], "problem": problem}


def _counted(one: Study, removal: Removal, body: Mapping[str, Any]) -> Document:
    """Show what a count is worth by the customs of the bet's game: with the tags given, or the best of a level."""
    if one.analysis.open_meters:
        raise InputError(f"{one.paytable.id} pays from meters; say in the meters panel what they show")
    check_listed(one.paytable)
    game = one.paytable.bet.game.lower()
    customs = convention(game if game in CONVENTIONS else "blackjack")
    tags, level = str(body.get("tags") or "").strip(), str(body.get("level") or _LEVELS[0]).strip()
    if level not in _LEVELS:
        raise InputError(f"no tags of level {quoted(level)}; give {_LEVELS[0]} to {_LEVELS[-1]}")
    marks = parse_tags(tags, one.shoe.composition) if tags else best_tags(removal, int(level), balanced=True)
    cut = _cut(body, usual_cut(customs, one.shoe.size))
    counted = count(one.paytable, one.shoe, marks, customs, cut, None, one.analysis.meters)
    edge = one.analysis.house_edge.constant
    return counts_document(Answer(counted, cut, betting_correlation(marks, removal), edge))


def _cut(body: Mapping[str, Any], usual: int) -> int:
    text = str(body.get("cut") or "").strip()
    if not text:
        return usual
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise InputError(f"no cut card {quoted(text)}; say how many cards lie behind it, as in 78")
    return int(text)
