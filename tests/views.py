"""What a bet is worth once something is seen."""

from combinat.study import build_study
from decks.cards import parse_rank


def up_cards(paytable, shoe):
    """The bet given each up card, which is the one thing in view."""
    ((view, found),) = build_study(paytable, shoe).views
    assert view.key == "up_cards"
    return found


def ranks_of(one):
    """The ranks of an up card, read from its name."""
    return [int(parse_rank(rank)) for rank in one.name.split(", ")]
