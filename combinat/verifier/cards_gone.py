"""The effect of removal: the bet counted again from the shoe without each card."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.verifier.amounts import Amount, Whole
from combinat.verifier.bases import has_option
from combinat.verifier.bet import OutOfReachError
from combinat.verifier.cards import Shoe
from combinat.verifier.compare import NotChecked
from combinat.verifier.counted_bets import count_rows
from combinat.verifier.reading import UnreadableError, fraction_of, said, shown
from combinat.verifier.tables import Counted, count

UNREACHED = NotChecked("of shoes without a card that the verifier does not reach")
RIDDEN = NotChecked("of a bet whose winnings ride")
OFF_THE_TOP = "best play off the top"
ONE_DECK_LEFT = 51


def watching_part(counted: Counted, headline: Any) -> Any:
    """Work out how the edge of the wager alone moves without each card, and what can be said of counts then."""
    sheet = counted.sheet
    part = said(sheet, "card_counting", dict)
    rows = said(said(part, "removal", dict), "effects", list)
    if part.get("basis") == OFF_THE_TOP and has_option(sheet):
        return _ridden(counted, part, rows, headline)
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


def _ridden(counted: Counted, part: dict[str, Any], rows: list[Any], headline: Any) -> dict[str, Any]:
    """Hold what a sheet says of a bet whose winnings ride against itself, and its edge against that of best play.

    A card laid aside unseen changes nothing under a play that is fixed, so that the changes come to nothing.
    """
    shoe = counted.bet.shoe
    edge, size = _edge(part["removal"]), shoe.size(shoe.decks)
    effects, changes, total = [], [], Fraction(0)
    for row in rows:
        copies = sum([shoe.left(shoe.card_of(name)) for name in said(row, "cards", list)])
        change = _edge(row) - edge
        scaled = change * Fraction(size - 1, ONE_DECK_LEFT)
        effects.append({"copies": copies, "house_edge": RIDDEN, "change": change, "scaled": scaled})
        changes.append((row["cards"], change))
        total += copies * change
    removal = Whole({"house_edge": headline, "mean_change": total / size, "effects": effects})
    return {"removal": removal, "counts": count_rows(shoe, part, changes)}


def _edge(row: Any) -> Fraction:
    text = row.get("house_edge") if isinstance(row, dict) else None
    found = fraction_of(str(text))
    if found is None:
        raise UnreadableError(f"'house_edge' is no number: '{shown(text)}'")
    return found
