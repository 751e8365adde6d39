"""The best play of a round: every action of every first hand against every up card compared exactly.

The player knows the own two cards and the up card. Whether a hand of a split that pairs again is split again is decided
beforehand, always or never. What is best depends on the shoe, so it is worked out for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property, lru_cache

from msgspec import Struct

from combinat.enumeration.lucky9.round import CELLS, Cell, Counts, Key, Law, Round
from combinat.enumeration.lucky9.scoring import Rules

Policy = dict[Cell, str]


class Aim(Struct, frozen=True):
    """What the play is to be best for: the main wager, and a stake on the Tie beside it."""

    rules: Rules
    tie_pays: Fraction
    tie_stake: Fraction


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
    chance: Fraction
    worth: dict[str, Worth]
    aim: Aim

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
        return max(self.values, key=lambda action: self.values[action])


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


def worth_of(law: Law, every: int, aim: Aim) -> Worth:
    """Work out what an action wins on average on both wagers."""
    units = lucky = tied = 0
    for (won, is_tie, _, is_lucky), ways in law.items():
        units += won * ways
        if is_tie:
            tied += ways
        if is_lucky and won == 1:
            lucky += ways
    main = Fraction(units, every) + (aim.rules.lucky_pays - 1) * Fraction(lucky, every)
    return Worth(main, (aim.tie_pays + 1) * Fraction(tied, every) - 1)


@lru_cache(maxsize=32)
def played(aim: Aim, counts: Counts, infinite: bool = False) -> Played:
    """Find the best play from a shoe, or from infinite decks of these cards."""
    table = Round(aim.rules, counts, infinite=infinite)
    situations, ways = [], dict[str, Law]()
    for cell in CELLS:
        times = table.ways(cell)
        if times <= 0:
            continue
        laws = table.laws(cell)
        worth = {action: worth_of(law, table.after, aim) for action, law in laws.items()}
        situation = Situation(cell, Fraction(times * table.after, table.cycle), worth, aim)
        situations.append(situation)
        into = ways.setdefault(situation.best, {})
        for key, many in laws[situation.best].items():
            into[key] = into.get(key, 0) + times * many
    return Played(aim, tuple(situations), ways, table.cycle)


def followed(rules: Rules, counts: Counts, policy: Policy) -> Law:
    """Give the ways of each outcome if a round is played by a fixed policy."""
    table, found = Round(rules, counts), dict[Key, int]()
    for cell, action in policy.items():
        times = table.ways(cell)
        if times > 0:
            for key, many in table.laws(cell, (action,))[action].items():
                found[key] = found.get(key, 0) + times * many
    return found
