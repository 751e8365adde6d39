"""The rules of a blackjack table, as far as what hands are worth depends on them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.reading import UnreadableError, number_of, said, shown

LEAST_DOUBLED = {"any": 0, "9-11": 9, "10-11": 10}
MOST_HANDS = 10


class TableRules(NamedTuple):
    """The rules of the table."""

    hits_soft_17: bool
    blackjack_pays: Fraction
    least_doubled: int
    """The lowest hard total that may be doubled, up to 11; nothing if any two cards may be."""
    most_hands: int
    """How many hands splits may make of one; one if there are none."""
    surrender: bool
    double_after_split: bool
    resplit_aces: bool
    hit_split_aces: bool
    """Whether split aces take more than one card each."""

    @property
    def splits(self) -> bool:
        """Whether pairs may be split at all."""
        return self.most_hands > 1

    @property
    def as_sentence_says(self) -> TableRules:
        """The same rules as far as a sentence says them: without those of splits or resplits that cannot come."""
        if self.splits:
            return self._replace(resplit_aces=self.resplit_aces and self.most_hands > 2)
        return self._replace(double_after_split=False, resplit_aces=False, hit_split_aces=False)

    def hands_of(self, value: int) -> int:
        """How many hands a pair of cards of a value may become: aces are split once, unless it is said otherwise."""
        return min(self.most_hands, 2) if value == 1 and not self.resplit_aces else self.most_hands


def rules_of_table(table: dict[str, Any]) -> TableRules:
    """Read the rules from the table of a sheet of format 2."""
    double, hands, pays = said(table, "double", str), said(table, "max_hands", int), table.get("blackjack_pays")
    if double not in LEAST_DOUBLED:
        raise UnreadableError(f"no rule for doubling '{shown(double)}'; known are {', '.join(LEAST_DOUBLED)}")
    if not 1 <= hands <= MOST_HANDS:
        raise UnreadableError(f"no table splits to {shown(hands)} hands")
    return TableRules(
        hits_soft_17=said(table, "hits_soft_17", bool),
        blackjack_pays=number_of(pays),
        least_doubled=LEAST_DOUBLED[double],
        most_hands=hands,
        surrender=said(table, "surrender", bool),
        double_after_split=said(table, "double_after_split", bool),
        resplit_aces=said(table, "resplit_aces", bool),
        hit_split_aces=said(table, "hit_split_aces", bool),
    )
