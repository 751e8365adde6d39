"""The best play of a round: every action of every first hand against every up card compared exactly.

The player knows the own two cards and the up card. Whether a hand of a split that pairs again is split again is decided
beforehand, always or never. What is best depends on the shoe, so it is worked out for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm

from msgspec import Struct

from combinat.enumeration.lucky9.all_cells import AllCells, Totals
from combinat.enumeration.lucky9.round import CELLS, Cell, Counts, Key, Law, Round
from combinat.enumeration.lucky9.scoring import Rules

Policy = dict[Cell, str]


class Aim(Struct, frozen=True, dict=True):
    """What the play is to be best for: the main wager, and a stake on the Tie beside it."""

    rules: Rules
    tie_pays: Fraction
    tie_stake: Fraction

    def score(self, totals: Totals) -> int:
        """Return an integer that orders the actions of one situation by what both wagers win."""
        units, lucky, tied = self._factors
        return units * totals.units + lucky * totals.lucky + tied * totals.tied

    @cached_property
    def _factors(self) -> tuple[int, int, int]:
        lucky, tied = self.rules.lucky_pays - 1, self.tie_stake * (self.tie_pays + 1)
        scale = lcm(lucky.denominator, tied.denominator)
        return scale, int(scale * lucky), int(scale * tied)


class Worth(Struct, frozen=True):
    """What both wagers win on average for a wager of one each."""

    main: Fraction
    tie: Fraction

    def together(self, aim: Aim) -> Fraction:
        """What a unit on the main wager wins, and the stake on the Tie with it."""
        return self.main + aim.tie_stake * self.tie


class Situation(Struct, frozen=True, dict=True):
    """A first hand against an up card: how often it comes, and what each action is worth."""

    cell: Cell
    aim: Aim
    totals: dict[str, Totals]
    """What each action comes to, over all orders of the cards after."""
    ways: int
    """All orders of the cards of a round that begin so."""
    after: int
    """All orders of the cards after the first hand and the up card."""
    cycle: int

    @cached_property
    def chance(self) -> Fraction:
        """How often the hand meets the up card."""
        return Fraction(self.ways, self.cycle)

    @cached_property
    def worth(self) -> dict[str, Worth]:
        """What each action wins on average on both wagers."""
        return {action: self._worth(totals) for action, totals in self.totals.items()}

    def _worth(self, totals: Totals) -> Worth:
        main = totals.units + (self.aim.rules.lucky_pays - 1) * totals.lucky
        return Worth(Fraction(main, self.after), (self.aim.tie_pays + 1) * Fraction(totals.tied, self.after) - 1)

    @property
    def known(self) -> tuple[str, str]:
        """The own hand and the up card, as one writes them."""
        return f"{name_of(self.cell.one)}-{name_of(self.cell.other)}", name_of(self.cell.up)

    @cached_property
    def values(self) -> dict[str, Fraction]:
        """What each action wins on average for one unit on the main wager, with any stake on the Tie."""
        return {action: worth.together(self.aim) for action, worth in self.worth.items()}

    @cached_property
    def best(self) -> str:
        """The action that is worth most; of equals the one that draws fewer cards."""
        return max(self.totals, key=lambda action: self.aim.score(self.totals[action]))


class Played(Struct, frozen=True, dict=True):
    """A round from one shoe, played as well as possible."""

    aim: Aim
    situations: tuple[Situation, ...]
    """Every hand and up card that the shoe can give."""
    ways: dict[str, Law]
    """For each action, the ways of the outcomes where it was the best."""
    cycle: int

    @cached_property
    def law(self) -> Law:
        """The ways of each outcome."""
        return added(self.ways.values())

    @property
    def policy(self) -> Policy:
        """What is done with each hand against each up card."""
        return {one.cell: one.best for one in self.situations}

    def mean(self, policy: Policy | None = None) -> Worth:
        """What both wagers win on average, with the best play or with another."""
        found = [
            (one.chance, one.worth[policy[one.cell] if policy is not None else one.best]) for one in self.situations
        ]
        return Worth(
            sum((chance * worth.main for chance, worth in found), Fraction(0)),
            sum((chance * worth.tie for chance, worth in found), Fraction(0)),
        )


def name_of(kind: int) -> str:
    """Write a card by what it counts.

    >>> [name_of(kind) for kind in (0, 1, 9)]
    ['10', 'A', '9']
    """
    return {0: "10", 1: "A"}.get(kind, str(kind))


def added(laws: Iterable[Law]) -> Law:
    """Add up the ways of outcomes."""
    found: Counter[Key] = Counter()
    for law in laws:
        found.update(law)
    return dict(found)


@lru_cache(maxsize=32)
def played(aim: Aim, counts: Counts, infinite: bool = False) -> Played:
    """Find the best play from a shoe, or from infinite decks of these cards."""
    table = Round(aim.rules, counts, infinite=infinite)
    cells, after, cycle = AllCells(table), table.after, table.cycle
    found = {
        row: Situation(CELLS[row], aim, totals, cells.ways[row] * after, after, cycle) for row, totals in cells.totals()
    }
    law = cells.law({row: situation.best for row, situation in found.items()})
    return Played(aim, tuple(found.values()), law, cycle)


def followed(rules: Rules, counts: Counts, policy: Policy) -> Law:
    """Give the ways of each outcome if a round is played by a fixed policy."""
    cells = AllCells(Round(rules, counts))
    return added(cells.law({row: policy[CELLS[row]] for row in cells.rows if CELLS[row] in policy}).values())
