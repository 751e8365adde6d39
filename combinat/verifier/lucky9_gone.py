"""The effect of removal in a round of Lucky 9: played anew without each card, and as it was played with all of them."""

from __future__ import annotations

from typing import Any

from combinat.verifier.amounts import Amount
from combinat.verifier.cards import WORTH, Shoe, shoe_of
from combinat.verifier.cards_gone import effects_and_counts, gone_of
from combinat.verifier.figures import figures
from combinat.verifier.lucky9_dealers import Stock
from combinat.verifier.lucky9_judge import Judge
from combinat.verifier.lucky9_play import Play, add, play_of
from combinat.verifier.lucky9_round import Law, Table
from combinat.verifier.lucky9_rules import CARDS
from combinat.verifier.pays import Pay
from combinat.verifier.reading import said


def stock_of(shoe: Shoe, decks: int | None = None) -> Stock:
    """Count the cards of a shoe by what they are worth, or those of full decks, one standing for infinitely many."""
    left = {card: shoe.left(card) if decks is None else decks or 1 for card in shoe.kinds}
    return tuple([sum([many for (rank, _), many in left.items() if WORTH[rank] % 10 == worth]) for worth in CARDS])


def watched_round(sheet: dict[str, Any], judge: Judge, pays: list[Pay], play: Play) -> dict[str, Any]:
    """Work out how the edge moves without each card, and what can be said of counts if the play is kept."""
    part = said(sheet, "card_counting", dict)

    def edge(laws: list[Law]) -> Amount:
        found: Amount = figures(pays, judge.counts(laws))["house_edge"]
        return found

    without = [stock_of(shoe_of(sheet | {"removed": [*sheet["removed"], card]})) for card in gone_of(part)]
    anew = [edge(list(play_of(play.terms, stock, infinite=False).laws.values())) for stock in without]
    kept = [edge([kept_law(play, stock)]) for stock in without]
    return effects_and_counts(shoe_of(sheet), part, edge(list(play.laws.values())), anew, kept)


def kept_law(play: Play, stock: Stock) -> Law:
    """In how many ways rounds from another shoe come out if every spot is played as before."""
    table, found = Table(play.terms, stock, infinite=False), Law({}, {})
    for (one, other, up), action in play.best.items():
        times = table.times_dealt(one, other, up)
        if times > 0:
            add(found, table.law(action, one, other, up), times)
    return found
