"""The rules of a blackjack table, as far as hands that are not split depend on them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verify.reading import UnreadableError, number_of, said, shown

LEAST_DOUBLED = {"any": 0, "9-11": 9, "10-11": 10}
MOST_HANDS = 10
OF_SPLITS = ("double_after_split", "resplit_aces", "hit_split_aces")


class TableRules(NamedTuple):
    """The rules of the table; what goes for hands after a split is not kept, since splits are not played here."""

    hits_soft_17: bool
    blackjack_pays: Fraction
    least_doubled: int
    """The lowest hard total that may be doubled, up to 11; nothing if any two cards may be."""
    splits: bool
    surrender: bool


def rules_of_table(table: dict[str, Any]) -> TableRules:
    """Read the rules from the table of a sheet of format 2."""
    double, hands, pays = said(table, "double", str), said(table, "max_hands", int), table.get("blackjack_pays")
    if double not in LEAST_DOUBLED:
        raise UnreadableError(f"no rule for doubling '{shown(double)}'; known are {', '.join(LEAST_DOUBLED)}")
    if not 1 <= hands <= MOST_HANDS:
        raise UnreadableError(f"no table splits to {shown(hands)} hands")
    for key in OF_SPLITS:
        said(table, key, bool)
    return TableRules(
        hits_soft_17=said(table, "hits_soft_17", bool),
        blackjack_pays=number_of(pays),
        least_doubled=LEAST_DOUBLED[double],
        splits=hands > 1,
        surrender=said(table, "surrender", bool),
    )
