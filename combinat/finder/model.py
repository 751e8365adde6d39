"""Integer model of a search: every open value in small integer units, every edge a linear function of these.

The edge is linear in the pays, and in the seed and rate of a meter. So with N decks and the values v of the unknowns it
is (A - B·v) / E with integers A, B and E, and a limit on the edge is an integer inequality. A meter without a cap pays
out what enters it, its seed at each reset and the contributions; so its cost is a constant, plus a term for each unit
of the seed, plus a term for each unit of the rate. If an award is dropped, its hands go to the awards below, or lose.
Sums of products are computed for many rows at once, in 64 bits only where these are certain to suffice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from combinat.analysis.analysis import analyze_wager
from combinat.bets.meters import HOUSE_JACKPOT, MeterLevel, MeterSystem
from combinat.bets.paytable import Paytable
from combinat.enumeration.crosstab import cross
from combinat.finder.spec import Spec, is_plain
from combinat.language.rules import Not
from combinat.meters.hold import LevelFigures
from decks import InputError, Shoe
from decks.errors import quote

LARGEST = 2**62
"""Sums stay below this, so that two of them can still be added in 64 bits."""


def dot(rows: NDArray[Any], factors: Sequence[int], constant: int = 0) -> NDArray[Any]:
    """Return the exact dot product of each row with the factors, plus a constant.

    >>> dot(np.array([[1, 2], [3, 4]]), [10, 1], 5).tolist(), dot(np.array([[2]]), [2**80]).tolist() == [2**81]
    ([17, 39], True)
    >>> dot(np.array([[0, 2]]), [2**80, 1]).tolist()
    [2]
    """
    sizes = max_absolute_values(rows)
    bound = abs(constant) + sum(abs(factor) * size for factor, size in zip(factors, sizes, strict=True))
    bound = max(bound, *map(abs, factors), 0)  # a factor must fit too, even beside zeros alone
    kind: Any = np.int64 if bound < LARGEST and rows.dtype != object else object
    products: NDArray[Any] = rows.astype(kind, copy=False) @ np.array(factors, dtype=kind) + constant
    return products


def integer_array(numbers: Sequence[int] | Sequence[Sequence[int]]) -> NDArray[Any]:
    """Return integers, or rows of equal length, as an array of 64 bits where these suffice, else of Python integers.

    NumPy would convert 2**63 to an unsigned integer, and that beside a negative one to a float.

    >>> integer_array([1, 2]).dtype.name, integer_array([2**63, -1]).tolist() == [2**63, -1]
    ('int64', True)
    """
    exact = np.array(numbers, dtype=object)
    fits = all(abs(number) < LARGEST for number in exact.ravel().tolist())
    return exact.astype(np.int64) if fits else exact


def floor_divide(numbers: NDArray[Any], divisor: int) -> NDArray[Any]:
    """Divide integers by a positive divisor of any size, exactly, rounding down.

    >>> floor_divide(np.array([7, -1]), 2**80).tolist()
    [0, -1]
    """
    quotients: NDArray[Any] = (numbers if divisor < LARGEST else numbers.astype(object)) // divisor
    return quotients


def max_absolute_values(rows: NDArray[Any]) -> list[int]:
    """Return the largest absolute value of each column."""
    return (
        [max(abs(int(column.max())), abs(int(column.min()))) for column in rows.T] if len(rows) else [0] * rows.shape[1]
    )


def square_exactly(numbers: NDArray[Any]) -> NDArray[Any]:
    """Square numbers, exactly."""
    size = max(abs(int(numbers.max())), abs(int(numbers.min()))) if numbers.size else 0
    squares: NDArray[Any] = (numbers if size**2 < LARGEST else numbers.astype(object)) ** 2
    return squares


def multiply(numbers: NDArray[Any], factor: int) -> NDArray[Any]:
    """Multiply integers by a factor, exactly.

    >>> multiply(np.array([0, 0]), 2**80).tolist()
    [0, 0]
    """
    size = max(abs(int(numbers.max())), abs(int(numbers.min())), 1) if numbers.size else 1
    products: NDArray[Any] = (numbers if size * abs(factor) < LARGEST else numbers.astype(object)) * factor
    return products


def subtract(numbers: NDArray[Any], subtrahends: NDArray[Any]) -> NDArray[Any]:
    """Subtract arrays of integers below `LARGEST`, or of Python integers."""
    differences: NDArray[Any] = numbers - subtrahends
    return differences


def is_within(numbers: NDArray[Any], low: Fraction | None, high: Fraction | None) -> NDArray[np.bool_]:
    """Return which integers lie in an interval.

    >>> is_within(np.array([1, 2, 3]), Fraction(3, 2), None).tolist()
    [False, True, True]
    """
    mask = np.ones(len(numbers), dtype=bool)
    if low is not None:
        mask &= np.asarray(numbers >= _fits_in_64_bits(-((-low).__floor__()), numbers), dtype=bool)
    if high is not None:
        mask &= np.asarray(numbers <= _fits_in_64_bits(high.__floor__(), numbers), dtype=bool)
    return mask


def _fits_in_64_bits(limit: int, numbers: NDArray[Any]) -> int:
    """Return a limit that 64-bit integers can be compared with: beyond their range all limits are equivalent."""
    return limit if numbers.dtype == object else max(-2 * LARGEST + 1, min(limit, 2 * LARGEST - 1))


MAX_OPTIONAL_AWARDS = 12
"""Maximum number of optional awards: each doubles the number of ladders."""
MAX_DIRECT_LADDERS = 16
"""Up to this many ladders are counted one by one; beyond, hands are classified once by all awards they match."""

Times = tuple[int, ...]
"""How often an outcome wins each stated award; an outcome that wins none loses."""


class ReducedLadder(Struct, frozen=True):
    """A ladder with some awards dropped: the ways of outcomes by the awards they win, for each deck count."""

    is_included: tuple[bool, ...]
    ways: tuple[Mapping[Times, int], ...]
    cycles: tuple[int, ...]


def iter_ladders(spec: Spec) -> Iterator[ReducedLadder]:
    """Yield the ladders that remain if optional awards are dropped, the full ladder first."""
    paytable = spec.paytable
    for decks in spec.decks:
        analyze_wager(paytable, Shoe(decks, paytable.bet.pack))  # raises an error for impossible bets
    choices = [
        (True,) if choice is None or not choice.may_be_out else (True, False) if choice.values else (False,)
        for choice in spec.pays
    ]
    if sum(len(item) > 1 for item in choices) > MAX_OPTIONAL_AWARDS:
        raise InputError(f"more than {MAX_OPTIONAL_AWARDS} awards may be left out; let fewer be")
    ladders = [item for item in product(*choices) if any(item)]
    fitting = None
    if paytable.parts:
        fitting = _count_ladder(paytable, [item.component_counts for item in paytable.awards], spec.decks)
    elif len(ladders) > MAX_DIRECT_LADDERS:
        fitting = _count_matches(paytable, spec.decks)
    for is_kept in ladders:
        if fitting is None:
            ladder = _count_ladder(*_drop_awards(paytable, is_kept), spec.decks, is_kept)
        else:
            ways = tuple(_settle_kept(item, is_kept, bool(paytable.parts)) for item in fitting.ways)
            ladder = ReducedLadder(is_kept, ways, fitting.cycles)
        if any(
            count and any(awards_taken) for ways in ladder.ways for awards_taken, count in ways.items()
        ):  # else no award can be won
            yield ladder


def _drop_awards(paytable: Paytable, is_kept: tuple[bool, ...]) -> tuple[Paytable, list[Times]]:
    """Drop awards from a ladder; also return, for each remaining award, its unit vector."""
    indices = [index for index, is_included in enumerate(is_kept) if is_included]
    unit_vectors = [tuple(int(index == column) for column in range(len(is_kept))) for index in indices]
    if all(is_kept):
        return paytable, unit_vectors
    return replace(paytable, awards=tuple(paytable.awards[index] for index in indices)), unit_vectors


def _count_ladder(
    paytable: Paytable, awards_taken: Sequence[Times], decks: tuple[int, ...], is_kept: tuple[bool, ...] = ()
) -> ReducedLadder:
    """Count a ladder whose awards stand for the given vectors of awards won."""
    counts = [paytable.ways(Shoe(count, paytable.bet.pack)) for count in decks]
    none = (0,) * len(awards_taken[0])
    ways = tuple(
        dict(zip(awards_taken, award_counts.wins, strict=True)) | {none: award_counts.losing} for award_counts in counts
    )
    return ReducedLadder(is_kept, ways, tuple(award_counts.cycle for award_counts in counts))


def _count_matches(paytable: Paytable, decks: tuple[int, ...]) -> ReducedLadder:
    """Classify the outcomes by all the awards that they match."""
    bet = paytable.bet
    questions = [(award.rule.fact, Not(award.rule.fact)) for award in paytable.awards]
    crossing = cross(bet.deal, bet.pack, questions, bet.given, roles_distinct=paytable.roles_distinct)
    counted = [crossing.at(Shoe(deck_count, bet.pack)) for deck_count in decks]
    ways = tuple({tuple(1 - item for item in cell): count for cell, count in counts.items()} for counts in counted)
    return ReducedLadder((), ways, tuple(sum(item.values()) for item in ways))


def _settle_kept(fitting: Mapping[Times, int], is_kept: tuple[bool, ...], adds_up: bool) -> Mapping[Times, int]:
    """Settle each outcome by the remaining awards: all of them where awards add up, else the first that it matches."""
    unit_vectors = [
        tuple(int(index == column) for column in range(len(is_kept)))
        for index, is_included in enumerate(is_kept)
        if is_included
    ]
    ways_by_taken: Counter[Times] = Counter({} if adds_up else dict.fromkeys(unit_vectors, 0))
    for fits, ways in fitting.items():
        remaining = [
            multiplicity if is_included else 0 for multiplicity, is_included in zip(fits, is_kept, strict=True)
        ]
        first = next((index for index, multiplicity in enumerate(remaining) if multiplicity), None)
        settled = remaining if adds_up else [int(index == first) for index in range(len(remaining))]
        ways_by_taken[tuple(settled)] += ways
    return ways_by_taken


class LevelTerms(Struct, frozen=True):
    """Cost of one meter per unit wagered, as a linear function of its seed and rate."""

    name: str
    constant: Fraction
    by_seed: Fraction
    by_rate: Fraction
    fixed_rate: Fraction
    """Fixed part of the rates that it takes from each wager."""


def iter_level_terms(spec: Spec, ladder: ReducedLadder) -> tuple[tuple[LevelTerms, ...], ...]:
    """Return the terms of every meter for each deck count."""
    return tuple(
        tuple(_terms(spec, level, _system(spec, decks), ladder, deck_index) for level in _system(spec, decks).levels)
        for deck_index, decks in enumerate(spec.decks)
    )


def _system(spec: Spec, decks: int) -> MeterSystem:
    """Return the terms of the meters; if the paytable has none, all must be open."""
    system, paytable = spec.paytable.system_for(decks), spec.paytable
    if system is not None:
        if system.all_pays_deducted:
            raise InputError(
                f"{paytable.id}: fixed pays come out of its meter too; the finder does not know such meters"
            )
        return system
    for name in paytable.meters:
        if name not in dict(spec.seeds) or name not in dict(spec.rates):
            key = "" if name == "meter" else f"{name}="
            raise InputError(
                f"{paytable.id}: nobody says how the meter {quote(name)} is run; give --seed {key}AMOUNT and --rate "
                f"{key}PERCENT, or what it shows with --meter {key}AMOUNT"
            )
    return MeterSystem(tuple(MeterLevel(name, Fraction(0)) for name in paytable.meters))


def _terms(spec: Spec, level: MeterLevel, system: MeterSystem, ladder: ReducedLadder, deck_index: int) -> LevelTerms:
    is_seed_open, is_rate_open = (level.name in dict(open) for open in (spec.seeds, spec.rates))
    if (is_seed_open or is_rate_open) and (level.cap is not None or level.seed_paid_by != "house"):
        obstacle = "a cap" if level.cap is not None else "a reserve that pays its seed"
        raise InputError(f"the meter {quote(level.name)} has {obstacle}; then its seed and rate cannot be left open")
    if is_rate_open and system.kind == HOUSE_JACKPOT:
        raise InputError(f"the meter {quote(level.name)} is a posted prize, which has no rate to be left open")
    reset, partial_hits = Fraction(0), []
    for awards_taken, ways in ladder.ways[deck_index].items():
        award = next((item for item, multiplicity in zip(spec.stated, awards_taken, strict=True) if multiplicity), None)
        if award is not None and award.pay.meter == level.name:
            probability = Fraction(ways, ladder.cycles[deck_index])
            if award.pay.amount == 1:
                reset += probability
            elif probability:
                partial_hits.append((award.pay.amount, probability))
    if not reset:
        raise InputError(
            f"{spec.paytable.id}: no award takes all of the meter {quote(level.name)} "
            f"with {Shoe(spec.decks[deck_index])}, so it is never set back"
        )
    stands = replace(
        level,
        deducted=level.deducted and system.kind != HOUSE_JACKPOT,  # a posted prize stays as it is
        seed=Fraction(0) if is_seed_open else level.seed,
        rate=Fraction(0) if is_rate_open else level.rate,
    )

    def cost(item: MeterLevel) -> Fraction:
        return LevelFigures(item, system.wager, reset, tuple(partial_hits)).house_pays

    constant = cost(stands)
    by_seed = cost(replace(stands, seed=stands.seed + 1)) - constant if is_seed_open else Fraction(0)
    by_rate = cost(replace(stands, rate=stands.rate + 1)) - constant if is_rate_open else Fraction(0)
    return LevelTerms(level.name, constant, by_seed, by_rate, stands.rate + stands.reserve)


PAY, SEED, RATE = "pay", "seed", "rate"


class Variable(Struct, frozen=True):
    """An unknown: what an award wins for a wager of one, or the seed or rate of a meter."""

    kind: str
    name: str
    place: int
    """Index of the award in the ladder, or of the meter among all meters."""
    unit: int
    """Number of units in one, so that every value is an integer."""
    values: tuple[int, ...]
    is_for_one: bool = False

    def value(self, number: int) -> Fraction:
        """Return a value as a spec writes it."""
        return Fraction(number, self.unit) + self.is_for_one


class Linear(Struct, frozen=True):
    """A figure that is linear in the unknowns: (constant - factors · values) / over."""

    constant: int
    factors: tuple[int, ...]
    over: int

    def at(self, values: tuple[int, ...]) -> Fraction:
        """Evaluate the figure."""
        return Fraction(self.constant - sum(map(int.__mul__, self.factors, values)), self.over)


class Payout(Struct, frozen=True):
    """Outcomes that win: their ways for each deck count, and their net win as a function of the unknowns."""

    ways: tuple[int, ...]
    base: int
    """Net win that does not depend on the unknowns, in the unit of the pays."""
    factors: tuple[int, ...]
    """How often each unknown is won in addition."""
    fixed: tuple[tuple[tuple[Fraction, Fraction], ...], ...] = ()
    """If no unknown is won: for each deck count the possible results with their probabilities."""


class Model(Struct, frozen=True):
    """Integer model of a spec for one ladder."""

    spec: Spec
    kept: ReducedLadder
    unknowns: tuple[Variable, ...]
    pay_unit: int
    edges: tuple[Linear, ...]
    """House edge for each deck count, or the long-run hold."""
    room: tuple[Linear, ...]
    """What remains of a wager after the fixed pays and the meters; it cannot be negative."""
    paid: tuple[Payout, ...]
    losing: tuple[int, ...]

    @property
    def max_fixed_pay(self) -> Fraction | None:
        """The highest pay that no unknown affects: a seed, a given meter, or a prize of a wheel."""
        spec, amounts_paid = self.spec, []
        for award, is_included in zip(spec.stated, self.kept.is_included, strict=True):
            if is_included and award.pay.prizes:
                amounts_paid += [amount for amount, _ in award.pay.prizes]
            elif is_included and award.pay.meter is not None:
                amounts = dict(spec.amounts)
                systems = [system for decks in spec.decks if (system := spec.paytable.system_for(decks))]
                seeds = [system.level(award.pay.meter).seed for system in systems]
                is_open = award.pay.meter in dict(spec.seeds)
                amounts_paid += [amounts[award.pay.meter]] if award.pay.meter in amounts else [] if is_open else seeds
        return max(amounts_paid, default=None)

    @property
    def size(self) -> int:
        """Number of combinations of values."""
        total = 1
        for unknown in self.unknowns:
            total *= len(unknown.values)
        return total


def build_model(spec: Spec, ladder: ReducedLadder) -> Model:
    """Build the integer model of a spec for one ladder."""
    stated, terms = spec.stated, iter_level_terms(spec, ladder) if spec.has_meters else ()
    plain = {
        position: award for position, award in enumerate(stated) if ladder.is_included[position] and is_plain(award)
    }
    nets = {position: spec.nets(position) for position in plain}
    unit = lcm(*(net.denominator for values in nets.values() for net in values))
    unknowns = [
        Variable(
            PAY, award.name, position, unit, tuple(int(net * unit) for net in nets[position]), award.pay.is_for_one
        )
        for position, award in plain.items()
    ]
    unknowns += _meter_variables(spec, SEED) + _meter_variables(spec, RATE)
    number = {item.place: index for index, item in enumerate(unknowns) if item.kind == PAY}
    rows = {awards_taken for ways in ladder.ways for awards_taken in ways if any(awards_taken)}
    paid = [
        item
        for awards_taken in sorted(rows, reverse=True)
        if (item := _build_payout(spec, ladder, awards_taken, number, len(unknowns), unit, bool(terms))) is not None
    ]
    losing = tuple(ways.get((0,) * len(stated), 0) for ways in ladder.ways)
    edges, room = [], []
    for index, cycle in enumerate(ladder.cycles):
        constant, factors = _linear(paid, index, cycle, unknowns, unit)
        edges.append(_to_integers(*_with_meters(constant, factors, unknowns, terms[index] if terms else ()), unknowns))
        if terms:
            awards_taken = [Fraction(item.kind == RATE) for item in unknowns]
            fixed_rates = sum((item.fixed_rate for item in terms[index]), Fraction(0))
            factors_with_rates = [item + rate_factor for item, rate_factor in zip(factors, awards_taken, strict=True)]
            room.append(_to_integers(constant - fixed_rates, factors_with_rates, unknowns))
    return Model(spec, ladder, tuple(unknowns), unit, tuple(edges), tuple(room), tuple(paid), losing)


def _meter_variables(spec: Spec, kind: str) -> list[Variable]:
    variables = []
    for name, choice in spec.seeds if kind == SEED else spec.rates:
        unit = lcm(*(value.denominator for value in choice.values))
        values = tuple(int(value * unit) for value in choice.values)
        variables.append(Variable(kind, name, spec.paytable.meters.index(name), unit, values))
    return variables


def _build_payout(
    spec: Spec,
    ladder: ReducedLadder,
    awards_taken: Times,
    number: dict[int, int],
    unknowns: int,
    unit: int,
    grows: bool,
) -> Payout | None:
    """Return what outcomes with these awards win; `None` for those paid by a growing meter."""
    stated = spec.stated
    ways = tuple(item.get(awards_taken, 0) for item in ladder.ways)
    positions = [position for position, multiplicity in enumerate(awards_taken) if multiplicity]
    if all(position in number for position in positions):
        factors = [0] * unknowns
        for position in positions:
            factors[number[position]] = awards_taken[position]
        # Pays that do not return the wager add up to what comes back, of which the wager is lost once.
        is_for_one = all(stated[position].pay.is_for_one for position in positions)
        base = unit * (sum(awards_taken) - 1) if is_for_one else 0
        return Payout(ways, base, tuple(factors))
    award = (
        stated[positions[0]]
        if len(positions) == 1
        else next(item for item in spec.paytable.awards if item.component_counts == awards_taken)
    )
    if grows and award.pay.meter is not None:
        return None
    amounts = dict(spec.amounts)
    wagers = [spec.paytable.meter_wager(decks) for decks in spec.decks]
    return Payout(
        ways,
        0,
        (0,) * unknowns,
        tuple(
            tuple(
                (pay.gross_for(wager).at(amounts).constant - 1, probability) for pay, probability in award.pay.outcomes
            )
            for wager in wagers
        ),
    )


def _linear(
    paid: list[Payout], deck_index: int, cycle: int, unknowns: list[Variable], unit: int
) -> tuple[Fraction, list[Fraction]]:
    """Return the edge at one deck count as a constant and the factor of each unknown."""
    constant, factors = Fraction(1), [Fraction(0)] * len(unknowns)
    for item in paid:
        probability = Fraction(item.ways[deck_index], cycle)
        if item.fixed:
            constant -= probability * sum(
                ((result + 1) * prize_probability for result, prize_probability in item.fixed[deck_index]), Fraction(0)
            )
            continue
        constant -= probability * (1 + Fraction(item.base, unit))
        for number, multiplicity in enumerate(item.factors):
            factors[number] += probability * multiplicity
    return constant, factors


def _with_meters(
    constant: Fraction, factors: list[Fraction], unknowns: list[Variable], terms: tuple[LevelTerms, ...]
) -> tuple[Fraction, list[Fraction]]:
    """Subtract the long-run cost of the meters from the edge."""
    factors = list(factors)
    for term in terms:
        constant -= term.constant
        for number, unknown in enumerate(unknowns):
            if unknown.kind != PAY and unknown.name == term.name:
                factors[number] += term.by_seed if unknown.kind == SEED else term.by_rate
    return constant, factors


def _to_integers(constant: Fraction, factors: list[Fraction], unknowns: list[Variable]) -> Linear:
    """Scale a figure to integers, for values in the units of the unknowns."""
    scaled = [factor / unknown.unit for factor, unknown in zip(factors, unknowns, strict=True)]
    denominator = lcm(constant.denominator, *(factor_per_unit.denominator for factor_per_unit in scaled))
    return Linear(
        int(constant * denominator),
        tuple(int(factor_per_unit * denominator) for factor_per_unit in scaled),
        denominator,
    )
