"""A bet given its exposed cards."""

from combinat.study import build_study
from decks.cards import parse_rank


def up_cards(paytable, shoe):
    """Return the bet given each up card, its only exposed card."""
    ((view, found),) = build_study(paytable, shoe).views
    assert view.key == "up_cards"
    return found


def parse_ranks(one):
    """Return the ranks of an up card from its name."""
    return [int(parse_rank(rank)) for rank in one.name.split(", ")]
