"""The effect of removal: the bet counted again from the shoe without each card."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.verify.amounts import Amount, Whole
from combinat.verify.bet import OutOfReachError
from combinat.verify.cards import Shoe
from combinat.verify.compare import NotChecked
from combinat.verify.counted_bets import count_rows
from combinat.verify.reading import said
from combinat.verify.tables import Counted, count

UNREACHED = NotChecked("of shoes without a card that the second method does not reach")
ONE_DECK_LEFT = 51


def watching_part(counted: Counted) -> Any:
    """Work out how the edge of the wager alone moves without each card, and what can be said of counts then."""
    sheet = counted.sheet
    part = said(sheet, "watching", dict)
    base = sheet | {"meters": said(part, "meters", dict)}
    try:
        whole = count(base)
        without = [count(base | {"removed": [*sheet["removed"], card]}) for card in gone_of(part)]
    except OutOfReachError:
        return {"removal": UNREACHED}
    edges = [one.figures["house_edge"] for one in without]
    return effects_and_counts(whole.bet.shoe, part, whole.figures["house_edge"], edges, edges)


def gone_of(part: dict[str, Any]) -> list[Any]:
    """The first card of each row of effects."""
    return [row["cards"][0] for row in said(said(part, "removal", dict), "effects", list)]


def effects_and_counts(
    shoe: Shoe, part: dict[str, Any], edge: Amount, without: list[Amount], kept: list[Amount]
) -> dict[str, Any]:
    """Give the effects of the edges without each card, and of those of a play that is kept what a count is worth."""
    rows, left = part["removal"]["effects"], shoe.size(shoe.decks) - 1
    effects = []
    for row, one in zip(rows, without, strict=True):
        change = one - edge
        effects.append(
            {
                "copies": sum([shoe.left(shoe.card_of(name)) for name in row["cards"]]),
                "house_edge": one,
                "change": change,
                "scaled": change.times(Fraction(left, ONE_DECK_LEFT)),
            }
        )
    found: dict[str, Any] = {"removal": Whole({"house_edge": edge, "effects": effects})}
    changes = [one - edge for one in kept]
    if not any(change.is_open for change in changes):
        named = [(row["cards"], change.number) for row, change in zip(rows, changes, strict=True)]
        found["counts"] = count_rows(shoe, part, named)
    return found
