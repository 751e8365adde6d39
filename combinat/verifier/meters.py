"""Progressive meters: average amounts, long-run hold, and the variance of plays that depend on each other.

In each play the contribution goes in first, then the cards are dealt; with probability p a player takes the whole
meter, which starts again at its seed. A play k plays after the last hit has age k, with probability p(1-p)^(k-1);
a mean over all plays is a mean over ages. A meter is money owed to players: a play costs the house the fixed pays, the
contribution, and with probability p a new seed. Where that makes plays depend on each other (a cap, a reserve that pays
seeds, shares of a meter that are not deducted), a cycle from one hit to the next is followed play by play, and the
variance per play is Var(R - hold·wager·N) / E[N], with N plays and result R of a cycle (renewal theorem).
"""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.figures import Awards, Pay, Results, central_moment
from combinat.verifier.sheet import Near, SheetError, field, parse_number

DIGITS = 100
PRECISE = Context(prec=DIGITS, Emin=-(10**9), Emax=10**9)
EXACT_POWERS = 64
NEVER = Decimal(10) ** -60
MAX_DOUBLINGS = 300
"""Doublings of the number of plays, after which a meter must have been hit."""


class StatedMeter(NamedTuple):
    """The terms of one meter; amounts are money, rates are parts of the wager."""

    name: str
    seed: Fraction
    rate: Fraction
    reserve: Fraction
    cap: Fraction | None
    rate_after_cap: Fraction
    deducted: bool
    """Whether partial awards are taken out of the meter."""
    paid_by_reserve: bool
    """Whether a reserve pays the seeds, not the house."""


class System(NamedTuple):
    """The terms of all meters."""

    levels: list[StatedMeter]
    wager: Fraction
    is_posted: bool
    """Whether the amounts are posted prizes that do not grow."""
    all_pays_deducted: bool
    is_inferred: bool


def parse_system(table: Any, is_inferred: bool) -> System:
    """Return the terms that a sheet states."""
    kind, wager = field(table, "kind", str), parse_number(table.get("wager"))
    if kind not in ("progressive", "house jackpot") or wager <= 0:
        raise SheetError("'meter' has an unknown 'kind' or no 'wager'")
    levels = []
    for level in field(table, "levels", list):
        payer = field(level, "seed_paid_by", str)
        if payer not in ("house", "reserve"):
            raise SheetError("'seed_paid_by' must be house or reserve")
        levels.append(
            StatedMeter(
                field(level, "name", str),
                parse_number(level.get("seed")),
                parse_number(level.get("rate")),
                parse_number(level.get("reserve")),
                None if level.get("cap") is None else parse_number(level["cap"]),
                parse_number(level.get("rate_after_cap")),
                field(level, "deducted", bool) and kind == "progressive",
                payer == "reserve",
            )
        )
    return System(levels, wager, kind == "house jackpot", field(table, "all_pays_deducted", bool), is_inferred)


def to_decimal(value: Fraction) -> Decimal:
    """Return a fraction to a hundred digits."""
    return PRECISE.divide(Decimal(value.numerator), Decimal(value.denominator))


def power(base: Fraction, exponent: int) -> Fraction:
    """Return a power of a probability: exact if it is short, else to a hundred digits."""
    if exponent <= EXACT_POWERS or base in (0, 1):
        return base**exponent
    value = PRECISE.power(to_decimal(base), exponent)
    return Fraction(value) if value.adjusted() > -DIGITS else Fraction(0)


class Level(NamedTuple):
    """A meter with the awards that it pays."""

    terms: StatedMeter
    wager: Fraction
    hit: Fraction
    """The probability that somebody takes all of it."""
    shares: list[tuple[Fraction, Fraction]]
    """Partial awards: their share of the meter and their probability."""
    drained: Fraction
    """What fixed pays take out of it per play, where all pays are deducted."""

    @property
    def contribution(self) -> Fraction:
        """What a play puts in below the cap."""
        return self.terms.rate * self.wager

    @property
    def added(self) -> Fraction:
        """What a play sets aside to be added to the next seed."""
        return Fraction(0) if self.terms.paid_by_reserve else self.terms.reserve * self.wager

    @property
    def mean_share(self) -> Fraction:
        """The mean share that partial awards pay per play."""
        return sum([share * chance for share, chance in self.shares], Fraction(0))

    @property
    def is_capped(self) -> bool:
        """Whether a cap ever keeps contributions out."""
        return self.terms.cap is not None and (self.contribution > 0 or self.terms.cap == self.terms.seed)

    @property
    def plays_to_cap(self) -> int:
        """How many plays put in their whole contribution before the cap."""
        room = (self.terms.cap or Fraction(0)) - self.terms.seed
        return int(room // self.contribution) if self.contribution else 0

    def at_age(self, age: int) -> Fraction:
        """Return what a play of some age finds if nothing else was taken out or added."""
        plays = self.plays_to_cap
        if not self.is_capped or age <= plays:
            return self.terms.seed + age * self.contribution
        full, remaining_age = self.terms.seed + plays * self.contribution, age - plays
        if self.terms.cap is not None and full < self.terms.cap:
            full, remaining_age = self.terms.cap, remaining_age - 1
        return full + remaining_age * self.terms.rate_after_cap * self.wager

    def average(self) -> Fraction:
        """Return the mean amount that a play finds."""
        stay = 1 - self.hit
        if self.is_capped:
            plays = self.plays_to_cap
            reached = power(stay, plays)
            step, later = self.at_age(plays + 1) - self.at_age(plays), self.terms.rate_after_cap * self.wager
            filled = self.contribution * (1 - reached) / self.hit
            return self.terms.seed + filled + step * reached + later * reached * stay / self.hit
        # mean = p·(seed + reserve of a cycle + c) + (1-p)·c - drained + (1 - p - deducted shares)·mean
        first = self.terms.seed + self.added / self.hit + self.contribution
        retained = stay - (self.mean_share if self.terms.deducted else 0)
        return (self.hit * first + stay * self.contribution - self.drained) / (1 - retained)

    def variance(self) -> Fraction | None:
        """Return the variance of the amount that a play finds; `None` where it has no closed form."""
        if self.terms.cap is not None or self.drained or (self.added and self.shares and self.terms.deducted):
            return None
        stay, c, mean = 1 - self.hit, self.contribution, self.average()
        if self.added:  # the age in this cycle, and the length of the cycle before
            return (c**2 + self.added**2) * stay / self.hit**2
        total, factor = self.hit * (self.terms.seed + c) ** 2, Fraction(0)
        for share, chance in self.shares if self.terms.deducted else []:
            total += chance * (c**2 + 2 * c * (1 - share) * mean)
            factor += chance * (1 - share) ** 2
            stay -= chance
        total += stay * (c**2 + 2 * c * mean)
        return total / (1 - factor - stay) - mean**2

    def cost(self) -> Fraction:
        """Return what the meter costs the house per play: contributions, seeds, and shares that are not deducted."""
        seeds = self.hit * self.terms.seed
        if self.terms.paid_by_reserve:
            seeds = max(seeds, self.terms.reserve * self.wager)
        put_in = self.hit * (self.average() - self.terms.seed) if self.is_capped else self.contribution
        beside = Fraction(0) if self.terms.deducted else self.mean_share * self.average()
        return put_in + self.added + seeds + beside

    def plays_until(self, chance: Fraction) -> int:
        """Return the fewest plays within which the meter is hit with at least this probability."""
        if self.hit == 1:
            return 1
        ratio = PRECISE.divide(PRECISE.ln(to_decimal(1 - chance)), PRECISE.ln(to_decimal(1 - self.hit)))
        plays = max(int(ratio.to_integral_value(ROUND_CEILING)), 1)
        return plays - 1 if plays > 1 and 1 - power(1 - self.hit, plays - 1) >= chance else plays

    def percentile_99(self) -> tuple[Fraction, bool]:
        """Return the amount that 99% of plays do not exceed, and whether it is only an upper bound."""
        if self.added:
            plays = self.plays_until(Fraction(199, 200))
            return self.at_age(plays) + plays * self.added, True
        is_bound = bool(self.drained) or (self.terms.deducted and bool(self.shares))
        return self.at_age(self.plays_until(Fraction(99, 100))), is_bound


class House(NamedTuple):
    """The house's side of a bet with meters."""

    awards: Awards
    system: System
    levels: list[Level]

    @property
    def seeds(self) -> dict[str, Fraction]:
        """The seeds by meter."""
        return {level.terms.name: level.terms.seed for level in self.levels}

    @property
    def averages(self) -> dict[str, Fraction]:
        """The average amounts by meter."""
        return {level.terms.name: level.average() for level in self.levels}

    @property
    def is_capped(self) -> bool:
        """Whether figures rest on long powers, which the sheet writes to many digits only."""
        return any(level.is_capped for level in self.levels)

    @property
    def hold(self) -> Fraction:
        """The long-run hold per unit wagered."""
        costs = sum([level.cost() for level in self.levels], Fraction(0)) / self.system.wager
        return 1 - costs - (0 if self.system.all_pays_deducted else self.awards.fixed_return)

    @property
    def hold_bounds(self) -> tuple[Fraction, Fraction]:
        """Bounds of the hold where a cap meets deducted shares: without the cap, and without the deductions."""
        uncapped = [level._replace(terms=level.terms._replace(cap=None)) for level in self.levels]
        undeducted = [level._replace(shares=[]) if level.terms.deducted else level for level in self.levels]
        return self._replace(levels=uncapped).hold, self._replace(levels=undeducted).hold

    @property
    def has_closed_form(self) -> bool:
        """Whether the hold is known exactly."""
        return all(
            level.terms.cap is None or not (level.added or level.drained or (level.shares and level.terms.deducted))
            for level in self.levels
        )

    def is_steady(self, level: Level) -> bool:
        """Return whether the cost of a level in a play depends on that play alone."""
        if level.terms.paid_by_reserve or self.system.all_pays_deducted:
            return False
        if not level.contribution and not level.added and not level.is_capped:
            return True
        return level.terms.cap is None and (level.terms.deducted or not level.shares)

    @property
    def is_independent(self) -> bool:
        """Whether plays are independent and alike on the house's books."""
        return all(map(self.is_steady, self.levels))

    @property
    def basis(self) -> str:
        """The basis of the house's result."""
        if not self.is_independent:
            return "long run"
        return "at the posted prize" if self.system.is_posted else "accounting basis"

    @property
    def set_aside(self) -> Fraction:
        """What each play sets aside per unit wagered."""
        return sum([level.terms.rate + level.terms.reserve for level in self.levels], Fraction(0))

    def cost(self, pay: Pay) -> Fraction:
        """Return what an award costs besides what was set aside, per unit wagered."""
        if pay.is_fixed:
            return pay.gross.number
        (terms,) = [level.terms for level in self.levels if level.terms.name == pay.meter]
        if pay.amount == 1:
            return terms.seed / self.system.wager
        return Fraction(0) if terms.deducted else pay.amount * terms.seed / self.system.wager

    def costs(self) -> Results:
        """Return what a play costs the house per unit wagered, with probabilities; only if plays are alike."""
        rows = [
            (self.set_aside + self.cost(pay), chance)
            for pay, chance in zip(self.awards.pays, self.awards.chances, strict=True)
        ]
        return [*rows, (self.set_aside, self.awards.losing)]

    @property
    def unsteady(self) -> list[Level]:
        """The levels through which plays depend on each other."""
        return [level for level in self.levels if not self.is_steady(level)]

    def variance(self) -> Fraction | None:
        """Return the variance per play; `None` if it is not known."""
        if self.is_independent:
            return central_moment(self.costs(), 2)
        if len(self.unsteady) > 1 or not has_variance(self.unsteady[0]):
            return None
        return self.variance_through(self.unsteady[0])

    def variance_through(self, level: Level) -> Fraction:
        """Return the variance per play where plays depend on each other through one meter."""
        wager, reserve = self.system.wager, level.terms.reserve * level.wager
        is_covered = level.terms.paid_by_reserve and reserve > level.hit * level.terms.seed
        aside = (self.set_aside - level.terms.rate - level.terms.reserve) * wager + level.added
        net = wager - aside - self.hold * wager - (reserve if is_covered else 0)
        costs, shares = [], []
        for pay, chance in zip(self.awards.pays, self.awards.chances, strict=True):
            if pay.is_fixed or pay.meter != level.terms.name:
                is_paid = not (pay.is_fixed and self.system.all_pays_deducted)
                costs.append((self.cost(pay) * wager if is_paid else Fraction(0), chance))
            elif pay.amount != 1:
                shares.append((Fraction(0) if level.terms.deducted else pay.amount, chance))
        seed = Fraction(0) if is_covered else level.terms.seed
        return cycle_variance(level, net, seed, costs, shares) / wager**2

    def player_variance(self) -> Fraction | None:
        """Return the variance of one play that finds the meters as they come."""
        mean = square = Fraction(0)
        for pay, chance in zip(self.awards.pays, self.awards.chances, strict=True):
            gross, gross_square = pay.gross.number, pay.gross.number**2
            if not pay.is_fixed:
                (level,) = [level for level in self.levels if level.terms.name == pay.meter]
                variance, share = level.variance(), pay.amount / self.system.wager
                if variance is None:
                    return None
                gross, gross_square = share * level.average(), share**2 * (variance + level.average() ** 2)
            mean += gross * chance
            square += gross_square * chance
        return square - mean**2

    def return_at(self, amounts: dict[str, Fraction]) -> Fraction:
        """Return the return while the meters stand at some amounts."""
        return sum([gross * chance for gross, chance in self.awards.results(amounts, self.system.wager)], Fraction(0))


def house_of(awards: Awards, system: System) -> House | None:
    """Return the house's side; `None` if a meter can never be hit."""
    levels = []
    for terms in system.levels:
        hit, shares = Fraction(0), []
        for pay, chance in zip(awards.pays, awards.chances, strict=True):
            if not pay.is_fixed and pay.meter == terms.name:
                hit += chance if pay.amount == 1 else 0
                shares += [(pay.amount, chance)] if pay.amount != 1 and chance else []
        if not hit:
            return None
        drained = awards.fixed_return * system.wager if system.all_pays_deducted else Fraction(0)
        levels.append(Level(terms, system.wager, hit, shares, drained))
    return House(awards, system, levels)


def has_variance(level: Level) -> bool:
    """Return whether a variance per play exists and is known.

    There is none if a reserve pays exactly the seeds; it is unknown if more than the age decides the amount of a meter
    whose shares are not deducted.
    """
    is_exhausted = level.terms.paid_by_reserve and level.terms.reserve * level.wager == level.hit * level.terms.seed
    is_blurred = bool(level.drained or level.added)
    return not is_exhausted and not (is_blurred and level.shares and not level.terms.deducted)


# A cycle from one hit to the next


class CycleState(NamedTuple):
    """A cycle after some plays: expectations over the event that it goes on, and sums over cycles that ended."""

    alive: Decimal
    meter: Decimal
    meter_square: Decimal
    won: Decimal
    """The house's result so far, less its hold."""
    won_times_meter: Decimal
    won_square: Decimal
    total: Decimal
    total_square: Decimal


class Cycle(NamedTuple):
    """What every play of a cycle brings."""

    net: Decimal
    hit: Decimal
    seed: Decimal
    cost: Decimal
    cost_square: Decimal
    share: Decimal
    share_square: Decimal

    def next(self, state: CycleState, step: Decimal) -> CycleState:
        """Return the state after one play, which puts `step` into the meter first."""
        alive, meter, meter_square, won, won_times_meter, won_square, total, total_square = state
        meter_square += 2 * step * meter + step * step * alive
        meter += step * alive
        won_times_meter += step * won
        stay, next_net = 1 - self.hit, self.net - step
        last = next_net - self.seed
        paid = self.cost * alive + self.share * meter
        return CycleState(
            stay * alive,
            stay * meter,
            stay * meter_square,
            stay * (won + next_net * alive) - paid,
            stay * (won_times_meter + next_net * meter) - self.cost * meter - self.share * meter_square,
            stay * (won_square + 2 * next_net * won + next_net * next_net * alive)
            - 2 * (self.cost * won + self.share * won_times_meter + next_net * paid)
            + (self.cost_square * alive + self.share_square * meter_square),
            total + self.hit * (won + last * alive),
            total_square + self.hit * (won_square + 2 * last * won + last * last * alive),
        )

    def matrix(self, step: Decimal) -> list[list[Decimal]]:
        """Return the linear map of one play."""
        size = range(len(CycleState._fields))
        columns = [self.next(CycleState(*[Decimal(row == column) for row in size]), step) for column in size]
        return [list(row) for row in zip(*columns, strict=True)]


def apply(matrix: list[list[Decimal]], state: CycleState) -> CycleState:
    """Apply a linear map to a state."""
    return CycleState(*[_dot(row, state) for row in matrix])


def square(matrix: list[list[Decimal]]) -> list[list[Decimal]]:
    """Return a linear map applied twice: repeated squaring follows millions of plays."""
    columns = list(zip(*matrix, strict=True))
    return [[_dot(row, column) for column in columns] for row in matrix]


def _dot(row: list[Decimal], column: tuple[Decimal, ...]) -> Decimal:
    """Return a sum of products."""
    return sum([a * b for a, b in zip(row, column, strict=True) if a and b], Decimal(0))


def cycle_variance(level: Level, net: Fraction, seed: Fraction, costs: Results, shares: Results) -> Fraction:
    """Return the variance of many plays per play, from the cycles of one meter."""
    with localcontext(PRECISE):
        cycle = Cycle(
            to_decimal(net), to_decimal(level.hit), to_decimal(seed), *two_moments(costs), *two_moments(shares)
        )
        begin = to_decimal(level.terms.seed)
        state = CycleState(Decimal(1), begin, begin * begin, *[Decimal(0)] * 5)
        step = to_decimal(level.at_age(1) - level.at_age(0))
        if level.is_capped:
            plays = level.plays_to_cap
            matrix, remaining_plays = cycle.matrix(step), plays
            while remaining_plays:
                state = apply(matrix, state) if remaining_plays % 2 else state
                matrix, remaining_plays = square(matrix), remaining_plays // 2
            state = cycle.next(state, to_decimal(level.at_age(plays + 1) - level.at_age(plays)))
            step = to_decimal(level.at_age(plays + 2) - level.at_age(plays + 1))
        matrix = cycle.matrix(step)
        for _ in range(MAX_DOUBLINGS):
            if state.alive <= NEVER:
                break
            state, matrix = apply(matrix, state), square(matrix)
        else:
            raise SheetError("has a meter that is practically never hit")
        return Fraction((state.total_square - state.total * state.total) * cycle.hit)


def two_moments(rows: Results) -> tuple[Decimal, Decimal]:
    """Return the sums of values and of their squares, each times its probability."""
    first = sum([value * chance for value, chance in rows], Fraction(0))
    return to_decimal(first), to_decimal(sum([value * value * chance for value, chance in rows], Fraction(0)))


# What a sheet says of its meters


def near(is_near: bool, value: Any) -> Any:
    """Return a value, as one that agrees to thirty digits if it rests on long powers."""
    return Near(value) if is_near and value is not None else value


def meter_part(house: House, values: dict[str, Fraction], stated: dict[str, Any], paytable: str, decks: int) -> Any:
    """Return the section on meters; the terms are compared with the bet's file."""
    if not house.has_closed_form:
        low, high = house.hold_bounds
        is_near = house.is_capped
        return {
            **{"paytable": paytable, "decks": decks, "basis": stated.get("basis"), "terms": stated.get("terms")},
            **{"hold_at_least": near(is_near, low), "hold_at_most": near(is_near, high)},
        }
    is_near = house.is_capped
    levels = []
    for level, row in zip(house.levels, field(stated, "levels", list), strict=True):
        slope = (level.hit + level.mean_share) / level.wager
        levels_at_zero = house.averages | values | {level.terms.name: Fraction(0)}
        amount, is_bound = level.percentile_99()
        terms = ("name", "seed", "rate", "reserve", "cap", "rate_after_cap", "deducted", "seed_paid_by")
        levels.append(
            {
                **{key: row[key] for key in terms},
                "reset_probability": level.hit,
                "average_meter": near(is_near, level.average()),
                "variance": near(is_near, level.variance()),
                "long_run_return": near(is_near, slope * level.average()),
                "break_even": near(is_near, (1 - house.return_at(levels_at_zero)) / slope),
                "slope": slope,
                "median_plays": level.plays_until(Fraction(1, 2)),
                "percentile_99": amount,
                "percentile_99_is_bound": is_bound,
            }
        )
    return {
        **{"paytable": paytable, "decks": decks, "kind": stated["kind"], "wager": house.system.wager},
        **{"basis": stated.get("basis"), "all_pays_deducted": house.system.all_pays_deducted},
        "fixed_return": house.awards.fixed_return,
        "hold": near(is_near, house.hold),
        "return_at_seed": house.return_at(house.seeds),
        "return_at_average": near(is_near, house.return_at(house.averages)),
        "levels": levels,
    }


def posted_prizes(awards: Awards, wager: Fraction, amounts: dict[str, Fraction]) -> list[dict[str, Any]]:
    """Return the prize at which the edge would be 0%, 5%, ... 25%, for each meter whose others have amounts."""
    rows = []
    for name in awards.meters:
        if set(awards.meters) <= {name, *amounts}:
            at_zero, at_one = [
                sum([gross * chance for gross, chance in awards.results(amounts | {name: prize}, wager)], Fraction(0))
                for prize in (Fraction(0), Fraction(1))
            ]
            for percent in (0, 5, 10, 15, 20, 25):
                edge = Fraction(percent, 100)
                prize = (1 - edge - at_zero) / (at_one - at_zero) if at_one > at_zero else Fraction(-1)
                rows.append({"meter": name, "edge": edge, "prize": prize if prize >= 0 else None})
    return rows
