"""Plays that depend on one another through a meter, followed from one hit to the next.

With N the plays of such a cycle and R what the house wins in it, the variance of many plays is
Var(R - hold wager N) / E[N] for each play. What a play changes is a sum of multiples of what was before it. So plays
that put the same into the meter are followed two, four, eight and so on at a time, and millions take no longer than
some dozens.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

from combinat.verifier.meters import PRECISE, Level, decimal_of

LEAST_ALIVE = Decimal(10) ** -60

Table = list[list[Decimal]]
Chance = tuple[Fraction, Fraction]  # something, and how likely it comes


class State(NamedTuple):
    """Where a cycle stands after some plays."""

    alive: Decimal
    """The chance that it goes on."""
    meter: Decimal
    """That times what the meter then shows on average."""
    meter_squared: Decimal
    won: Decimal
    """The chance that it goes on times what the house has then won on average, less its hold."""
    won_times_meter: Decimal
    won_squared: Decimal
    total: Decimal
    """What the house has won in cycles that are over, less its hold, each times its chance."""
    total_squared: Decimal


class Cycle(NamedTuple):
    """What a play brings, whatever its age."""

    net: Decimal
    """What the house has of a play before anything goes into the meter or is paid, less its hold."""
    ends: Decimal
    """The chance that the meter is taken."""
    seed: Decimal
    """What that costs the house."""
    cost: Decimal
    """What awards cost on average that are none of the meter's, if they come in a play that does not end it."""
    cost_squared: Decimal
    share: Decimal
    """The share of the meter that awards take, on top of what was put aside, on average."""
    share_squared: Decimal

    def after(self, before: State, step: Decimal) -> State:
        """Follow one play, which puts so much into the meter before its cards are looked at."""
        alive, meter, meter_squared, won, won_times_meter, won_squared, total, total_squared = before
        meter_squared += 2 * step * meter + step * step * alive
        meter += step * alive
        won_times_meter += step * won
        stays, left = 1 - self.ends, self.net - step
        last = left - self.seed
        paid = self.cost * alive + self.share * meter
        return State(
            alive=stays * alive,
            meter=stays * meter,
            meter_squared=stays * meter_squared,
            won=stays * (won + left * alive) - paid,
            won_times_meter=stays * (won_times_meter + left * meter) - self.cost * meter - self.share * meter_squared,
            won_squared=stays * (won_squared + 2 * left * won + left * left * alive)
            - 2 * (self.cost * won + self.share * won_times_meter + left * paid)
            + (self.cost_squared * alive + self.share_squared * meter_squared),
            total=total + self.ends * (won + last * alive),
            total_squared=total_squared + self.ends * (won_squared + 2 * last * won + last * last * alive),
        )

    def doubled(self, step: Decimal) -> Doubling:
        """Give what follows plays that all put so much into the meter."""
        size = range(len(State._fields))
        each = [self.after(State(*[Decimal(one == other) for other in size]), step) for one in size]
        return Doubling([list(row) for row in zip(*each, strict=True)])

    def after_many(self, state: State, step: Decimal, plays: int) -> State:
        """Follow so many plays."""
        some = self.doubled(step)
        while plays:
            if plays % 2:
                state = some.after(state)
            some, plays = some.twice(), plays // 2
        return state

    def to_the_end(self, state: State, step: Decimal) -> State:
        """Follow plays until it is as good as certain that the cycle is over."""
        some = self.doubled(step)
        while state.alive > LEAST_ALIVE:
            state, some = some.after(state), some.twice()
        return state


class Doubling(NamedTuple):
    """What one play or more make of where a cycle stands: of each figure, how many times each one before it."""

    table: Table

    def after(self, state: State) -> State:
        """Follow these plays."""
        return State(*[_sum_of_products(row, state) for row in self.table])

    def twice(self) -> Doubling:
        """Give what twice as many plays make of it."""
        columns = list(zip(*self.table, strict=True))
        return Doubling([[_sum_of_products(row, column) for column in columns] for row in self.table])


def _sum_of_products(row: list[Decimal], column: tuple[Decimal, ...]) -> Decimal:
    return sum([one * other for one, other in zip(row, column, strict=True) if one and other], Decimal(0))


def has_variance(level: Level) -> bool:
    """Whether the variance of many plays that depend on one another through a meter can be told.

    There is no normal limit if the reserve just pays the seeds. What shares of a meter bring is not known if more than
    its age says what it shows.
    """
    is_just_paid = level.terms.paid_by_reserve and level.terms.reserve * level.wager == level.whole * level.terms.seed
    is_blurred = bool(level.drained or level.added)
    return not is_just_paid and not (is_blurred and level.parts and not level.terms.deducted)


def variance_of_cycles(
    level: Level, net: Fraction, seed: Fraction, costs: list[Chance], shares: list[Chance]
) -> Fraction:
    """Follow the cycles of one meter and give the variance of many plays, for each of them.

    The house has so much of a play before anything goes into the meter or is paid, less its hold. A hit costs it the
    seed; an award costs an amount, or a share of what the meter shows, with its chance.
    """
    with localcontext(PRECISE):
        cycle = Cycle(
            decimal_of(net), decimal_of(level.whole), decimal_of(seed), *moments_of(costs), *moments_of(shares)
        )
        begins = decimal_of(level.terms.seed)
        state = State(Decimal(1), begins, begins * begins, *[Decimal(0)] * 5)
        step = decimal_of(level.at_age(1) - level.at_age(0))
        if level.is_capped:  # one play fills what is left below it, and the later ones are alike again
            whole = level.plays_to_cap
            state = cycle.after_many(state, step, whole)
            state = cycle.after(state, decimal_of(level.at_age(whole + 1) - level.at_age(whole)))
            step = decimal_of(level.at_age(whole + 2) - level.at_age(whole + 1))
        state = cycle.to_the_end(state, step)
        return Fraction((state.total_squared - state.total * state.total) * cycle.ends)


def moments_of(costs: list[Chance]) -> tuple[Decimal, Decimal]:
    """Give the sums of costs and of their squares, each times its chance."""
    one = sum([cost * chance for cost, chance in costs], Fraction(0))
    return decimal_of(one), decimal_of(sum([cost * cost * chance for cost, chance in costs], Fraction(0)))
