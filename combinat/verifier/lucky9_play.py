"""How a round of Lucky 9 is best played: what every action is worth, and what follows for both wagers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from combinat.verifier.lucky9_dealers import Stock
from combinat.verifier.lucky9_round import Law, Table
from combinat.verifier.lucky9_rules import CARDS, Terms

Spot = tuple[int, int, int]
"""The player's two cards, the one worth less first, and the up card."""


class Means(NamedTuple):
    """What a unit on the main wager and one on the Tie win on average."""

    main: Fraction
    tie: Fraction

    def with_stake(self, terms: Terms) -> Fraction:
        """What both win, a unit on the main wager and the stake on the Tie."""
        return self.main + terms.tie_stake * self.tie


class Choice(NamedTuple):
    """A spot with what each action wins there."""

    spot: Spot
    chance: Fraction
    means: dict[str, Means]
    values: dict[str, Fraction]
    best: str


@dataclass(frozen=True)
class Play:
    """The best play from a shoe, and in how many ways rounds come out by each action."""

    terms: Terms
    choices: list[Choice]
    laws: dict[str, Law]
    cycle: int

    def on_average(self, actions: dict[Spot, str]) -> Means:
        """What both wagers win if the spots are played so."""
        chosen = [(one.chance, one.means[actions[one.spot]]) for one in self.choices]
        return Means(
            sum([chance * means.main for chance, means in chosen], Fraction(0)),
            sum([chance * means.tie for chance, means in chosen], Fraction(0)),
        )

    @cached_property
    def best(self) -> dict[Spot, str]:
        """What to do at each spot."""
        return {one.spot: one.best for one in self.choices}

    @property
    def simple(self) -> dict[Spot, str]:
        """What to do by the total and the up card, pairs being split where that is better than what the total says."""
        return {spot: action for _, plan in self.by_total.values() for spot, action in plan.items()}

    @cached_property
    def by_total(self) -> dict[tuple[int, int], tuple[str, dict[Spot, str]]]:
        """For each total and up card that can be, what the simple strategy says and what is done at each spot then."""
        found: dict[tuple[int, int], tuple[str, dict[Spot, str]]] = {}
        for total in CARDS:
            for up in CARDS:
                here = [one for one in self.choices if sum(one.spot[:2]) % 10 == total and one.spot[2] == up]
                plans = {
                    action: {one.spot: best_of(one, [action, "split", "resplit"]) for one in here}
                    for action in ("stand", "hit")
                    if all(action in one.values for one in here)
                }
                if here:
                    worths = [sum([one.chance * one.values[plan[one.spot]] for one in here]) for plan in plans.values()]
                    found[total, up] = list(plans.items())[worths.index(max(worths))]
        return found


def best_of(choice: Choice, actions: list[str]) -> str:
    """Give the first of the actions that win most, among those that are allowed."""
    allowed = [action for action in actions if action in choice.values]
    return max(allowed, key=lambda action: choice.values[action])


def actions_with(terms: Terms, one: int, other: int) -> list[str]:
    """List what may be done with two cards."""
    is_kept = terms.nines == "maker" and (one + other) % 10 == 9
    is_split = one == other and terms.hands > 1
    return ["stand"] + ["hit"] * (not is_kept) + ["split"] * is_split + ["resplit"] * (is_split and terms.hands > 2)


def means_of(terms: Terms, law: Law, every: int) -> Means:
    """Work out what both wagers win."""
    units = sum([units * ways for (units, _, _), ways in law.main.items()])
    lucky = sum([ways for (units, is_lucky, _), ways in law.main.items() if is_lucky and units == 1])
    main, tied = units + (terms.lucky_pays - 1) * lucky, sum(law.tied.values())
    return Means(Fraction(main) / every, (terms.tie_pays * tied - (every - tied)) / every)


@lru_cache(maxsize=64)
def play_of(terms: Terms, stock: Stock, infinite: bool) -> Play:
    """Compare all actions at all spots."""
    table, choices, laws = Table(terms, stock, infinite=infinite), list[Choice](), dict[str, Law]()
    for one in CARDS:
        for other in CARDS[one:]:
            for up in CARDS:
                times = table.times_dealt(one, other, up)
                if times <= 0:
                    continue
                found = {action: table.law(action, one, other, up) for action in actions_with(terms, one, other)}
                means = {action: means_of(terms, law, table.after_three) for action, law in found.items()}
                values = {action: mean.with_stake(terms) for action, mean in means.items()}
                best = max(values, key=lambda action: values[action])
                chance = Fraction(times * table.after_three, table.cycle)
                choices.append(Choice((one, other, up), chance, means, values, best))
                add(laws.setdefault(best, Law({}, {})), found[best], times)
    return Play(terms, choices, laws, table.cycle)


def add(into: Law, law: Law, times: int) -> None:
    """Add ways to others, each so many times."""
    for key, ways in law.main.items():
        into.main[key] = into.main.get(key, 0) + ways * times
    for points, ways in law.tied.items():
        into.tied[points] = into.tied.get(points, 0) + ways * times
