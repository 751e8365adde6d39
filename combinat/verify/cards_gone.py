"""The effect of removal: the bet counted again from the shoe without each card."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.verify.amounts import Whole
from combinat.verify.bet import OutOfReachError
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
    rows = said(said(part, "removal", dict), "effects", list)
    base = sheet | {"meters": said(part, "meters", dict)}
    try:
        whole = count(base)
        without = [count(base | {"removed": [*sheet["removed"], row["cards"][0]]}) for row in rows]
    except OutOfReachError:
        return {"removal": UNREACHED}
    edge, left = whole.figures["house_edge"], whole.bet.shoe.size(whole.bet.shoe.decks) - 1
    effects = []
    for row, one in zip(rows, without, strict=True):
        change = one.figures["house_edge"] - edge
        effects.append(
            {
                "copies": sum([whole.bet.shoe.left(whole.bet.shoe.card_of(name)) for name in row["cards"]]),
                "house_edge": one.figures["house_edge"],
                "change": change,
                "scaled": change.times(Fraction(left, ONE_DECK_LEFT)),
            }
        )
    found: dict[str, Any] = {"removal": Whole({"house_edge": edge, "effects": effects})}
    if not any(one["change"].is_open for one in effects):
        changes = [(row["cards"], one["change"].number) for row, one in zip(rows, effects, strict=True)]
        found["counts"] = count_rows(whole.bet.shoe, part, changes)
    return found
