"""Sums of products of whole numbers for many rows at once, in 64 bits only where these surely hold them.

A ladder from which awards are left out: the hands that they took fall to the awards below, or lose.

What meters cost the house in the long run, in terms of their seeds and rates.

A meter without a cap pays out what comes in: its seed whenever it is set back, and the contributions. So what it costs
is a constant, plus something for each unit of the seed, plus something for each part of the wager that it takes.

A spec in whole numbers: every open value a whole number of small units, every edge a sum of products of these.

The edge is linear in the pays, and in a meter's seed and rate too. So with N decks and the values v of the unknowns it
is (A - B·v) / E with whole numbers A, B and E, and whether it lies within limits is a question about whole numbers.
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

from combinat.analysis.analysis import analyze
from combinat.bets.meters import HOUSE_JACKPOT, Level, MeterSystem
from combinat.bets.paytable import Paytable
from combinat.enumeration.crosstab import cross
from combinat.finder.spec import Spec, is_plain
from combinat.language.rules import Not
from combinat.meters.hold import LevelFigures
from decks import InputError, Shoe
from decks.errors import quoted

LARGEST = 2**62
"""Sums stay below this, so that two of them can still be added in 64 bits."""


def dot(rows: NDArray[Any], factors: Sequence[int], constant: int = 0) -> NDArray[Any]:
    """Multiply each row by the factors and add up, exactly.

    >>> dot(np.array([[1, 2], [3, 4]]), [10, 1], 5).tolist(), dot(np.array([[2]]), [2**80]).tolist() == [2**81]
    ([17, 39], True)
    >>> dot(np.array([[0, 2]]), [2**80, 1]).tolist()
    [2]
    """
    most = largest(rows)
    bound = abs(constant) + sum(abs(factor) * one for factor, one in zip(factors, most, strict=True))
    bound = max(bound, *map(abs, factors), 0)  # a factor must fit too, even beside zeros alone
    kind: Any = np.int64 if bound < LARGEST and rows.dtype != object else object
    found: NDArray[Any] = rows.astype(kind, copy=False) @ np.array(factors, dtype=kind) + constant
    return found


def integer_array(numbers: Sequence[int] | Sequence[Sequence[int]]) -> NDArray[Any]:
    """Return numbers, or rows of equal length, as an array of 64 bits where these hold them, else of Python's integers.

    NumPy by itself would take 2**63 for an unsigned number, and that beside a negative one for a float.

    >>> integer_array([1, 2]).dtype.name, integer_array([2**63, -1]).tolist() == [2**63, -1]
    ('int64', True)
    """
    exact = np.array(numbers, dtype=object)
    fits = all(abs(number) < LARGEST for number in exact.ravel().tolist())
    return exact.astype(np.int64) if fits else exact


def floor_divide(numbers: NDArray[Any], divisor: int) -> NDArray[Any]:
    """Divide numbers by a positive one and round down, exactly, also where the divisor has more than 64 bits.

    >>> floor_divide(np.array([7, -1]), 2**80).tolist()
    [0, -1]
    """
    quotients: NDArray[Any] = (numbers if divisor < LARGEST else numbers.astype(object)) // divisor
    return quotients


def largest(rows: NDArray[Any]) -> list[int]:
    """The largest size of the numbers in each column."""
    return (
        [max(abs(int(column.max())), abs(int(column.min()))) for column in rows.T] if len(rows) else [0] * rows.shape[1]
    )


def squared(numbers: NDArray[Any]) -> NDArray[Any]:
    """Square numbers, exactly."""
    most = max(abs(int(numbers.max())), abs(int(numbers.min()))) if numbers.size else 0
    found: NDArray[Any] = (numbers if most**2 < LARGEST else numbers.astype(object)) ** 2
    return found


def times(numbers: NDArray[Any], factor: int) -> NDArray[Any]:
    """Multiply numbers by one, exactly.

    >>> times(np.array([0, 0]), 2**80).tolist()
    [0, 0]
    """
    most = max(abs(int(numbers.max())), abs(int(numbers.min())), 1) if numbers.size else 1
    found: NDArray[Any] = (numbers if most * abs(factor) < LARGEST else numbers.astype(object)) * factor
    return found


def minus(numbers: NDArray[Any], others: NDArray[Any]) -> NDArray[Any]:
    """Take numbers from others that are each below the largest, or any if they are Python's."""
    found: NDArray[Any] = numbers - others
    return found


def within(numbers: NDArray[Any], low: Fraction | None, high: Fraction | None) -> NDArray[np.bool_]:
    """Tell of whole numbers whether they lie within limits.

    >>> within(np.array([1, 2, 3]), Fraction(3, 2), None).tolist()
    [False, True, True]
    """
    found = np.ones(len(numbers), dtype=bool)
    if low is not None:
        found &= np.asarray(numbers >= _fits_in_64_bits(-((-low).__floor__()), numbers), dtype=bool)
    if high is not None:
        found &= np.asarray(numbers <= _fits_in_64_bits(high.__floor__(), numbers), dtype=bool)
    return found


def _fits_in_64_bits(limit: int, numbers: NDArray[Any]) -> int:
    """A limit that numbers of 64 bits can be compared with: one that none of them reaches is as good as any beyond."""
    return limit if numbers.dtype == object else max(-2 * LARGEST + 1, min(limit, 2 * LARGEST - 1))


MOST_LEFT_OUT = 12
"""Awards that may be left out: each doubles the ladders that are looked at."""
FEW_LADDERS = 16
"""So many ladders are counted one by one; of more, the hands are sorted once by all the awards that they fit."""

Times = tuple[int, ...]
"""How often an outcome takes each stated award; an outcome that takes none loses."""


class ReducedLadder(Struct, frozen=True):
    """The outcomes by what they take if some awards are left out, for each of the deck counts."""

    is_kept: tuple[bool, ...]
    ways: tuple[Mapping[Times, int], ...]
    cycles: tuple[int, ...]


def kept_ladders(spec: Spec) -> Iterator[ReducedLadder]:
    """List the ladders that remain if awards are left out that may be, all of them kept first."""
    paytable = spec.paytable
    for decks in spec.decks:
        analyze(paytable, Shoe(decks, paytable.bet.pack))  # what has no probability is refused
    choices = [
        (True,) if choice is None or not choice.may_be_out else (True, False) if choice.values else (False,)
        for choice in spec.pays
    ]
    if sum(len(one) > 1 for one in choices) > MOST_LEFT_OUT:
        raise InputError(f"more than {MOST_LEFT_OUT} awards may be left out; let fewer be")
    ladders = [one for one in product(*choices) if any(one)]
    fitting = None
    if paytable.parts:
        fitting = _counted(paytable, [one.made_of for one in paytable.awards], spec.decks)
    elif len(ladders) > FEW_LADDERS:
        fitting = _fitting(paytable, spec.decks)
    for is_kept in ladders:
        if fitting is None:
            found = _counted(*_shortened(paytable, is_kept), spec.decks, is_kept)
        else:
            ways = tuple(_without(one, is_kept, bool(paytable.parts)) for one in fitting.ways)
            found = ReducedLadder(is_kept, ways, fitting.cycles)
        if any(many and any(taken) for ways in found.ways for taken, many in ways.items()):  # else nothing can be won
            yield found


def _shortened(paytable: Paytable, is_kept: tuple[bool, ...]) -> tuple[Paytable, list[Times]]:
    """Leave awards out of a ladder; for each that is kept, what an outcome takes which takes it."""
    places = [place for place, kept in enumerate(is_kept) if kept]
    taken = [tuple(int(place == at) for at in range(len(is_kept))) for place in places]
    if all(is_kept):
        return paytable, taken
    return replace(paytable, awards=tuple(paytable.awards[place] for place in places)), taken


def _counted(
    paytable: Paytable, taken: Sequence[Times], decks: tuple[int, ...], is_kept: tuple[bool, ...] = ()
) -> ReducedLadder:
    """Count a ladder whose awards stand for what outcomes take."""
    found = [paytable.ways(Shoe(count, paytable.bet.pack)) for count in decks]
    none = (0,) * len(taken[0])
    ways = tuple(dict(zip(taken, one.wins, strict=True)) | {none: one.losing} for one in found)
    return ReducedLadder(is_kept, ways, tuple(one.cycle for one in found))


def _fitting(paytable: Paytable, decks: tuple[int, ...]) -> ReducedLadder:
    """Sort the outcomes by all the awards that they fit."""
    bet = paytable.bet
    questions = [(award.rule.fact, Not(award.rule.fact)) for award in paytable.awards]
    crossing = cross(bet.deal, bet.pack, questions, bet.given, roles_distinct=paytable.roles_distinct)
    counted = [crossing.at(Shoe(count, bet.pack)) for count in decks]
    ways = tuple({tuple(1 - one for one in cell): many for cell, many in counts.items()} for counts in counted)
    return ReducedLadder((), ways, tuple(sum(one.values()) for one in ways))


def _without(fitting: Mapping[Times, int], is_kept: tuple[bool, ...], adds_up: bool) -> Mapping[Times, int]:
    """Let each outcome take what is kept: all of it where awards add up, else the first that it fits."""
    every = [tuple(int(place == at) for at in range(len(is_kept))) for place, kept in enumerate(is_kept) if kept]
    found: Counter[Times] = Counter({} if adds_up else dict.fromkeys(every, 0))
    for fits, ways in fitting.items():
        left = [times if kept else 0 for times, kept in zip(fits, is_kept, strict=True)]
        first = next((place for place, times in enumerate(left) if times), None)
        taken = left if adds_up else [int(place == first) for place in range(len(left))]
        found[tuple(taken)] += ways
    return found


class LevelTerms(Struct, frozen=True):
    """What one meter costs of each unit wagered."""

    name: str
    constant: Fraction
    by_seed: Fraction
    by_rate: Fraction
    fixed_rate: Fraction
    """What it takes of each wager that is not left open."""


def level_terms(spec: Spec, kept: ReducedLadder) -> tuple[tuple[LevelTerms, ...], ...]:
    """For each deck count the terms of every meter."""
    return tuple(
        tuple(_terms(spec, level, _system(spec, decks), kept, at) for level in _system(spec, decks).levels)
        for at, decks in enumerate(spec.decks)
    )


def _system(spec: Spec, decks: int) -> MeterSystem:
    """How the meters are run, those that the paytable does not say being all open."""
    system, paytable = spec.paytable.system_for(decks), spec.paytable
    if system is not None:
        if system.all_pays_deducted:
            raise InputError(
                f"{paytable.id}: fixed pays come out of its meter too; the finder does not know such meters"
            )
        return system
    for name in paytable.meters:
        if name not in dict(spec.seeds) or name not in dict(spec.rates):
            said = "" if name == "meter" else f"{name}="
            raise InputError(
                f"{paytable.id}: nobody says how the meter {quoted(name)} is run; give --seed {said}AMOUNT and --rate "
                f"{said}PERCENT, or what it shows with --meter {said}AMOUNT"
            )
    return MeterSystem(tuple(Level(name, Fraction(0)) for name in paytable.meters))


def _terms(spec: Spec, level: Level, system: MeterSystem, kept: ReducedLadder, at: int) -> LevelTerms:
    is_seed_open, is_rate_open = (level.name in dict(open) for open in (spec.seeds, spec.rates))
    if (is_seed_open or is_rate_open) and (level.cap is not None or level.seed_paid_by != "house"):
        what = "a cap" if level.cap is not None else "a reserve that pays its seed"
        raise InputError(f"the meter {quoted(level.name)} has {what}; then its seed and rate cannot be left open")
    if is_rate_open and system.kind == HOUSE_JACKPOT:
        raise InputError(f"the meter {quoted(level.name)} is a posted prize, which has no rate to be left open")
    reset, parts = Fraction(0), []
    for taken, ways in kept.ways[at].items():
        award = next((one for one, times in zip(spec.stated, taken, strict=True) if times), None)
        if award is not None and award.pay.meter == level.name:
            chance = Fraction(ways, kept.cycles[at])
            if award.pay.amount == 1:
                reset += chance
            elif chance:
                parts.append((award.pay.amount, chance))
    if not reset:
        raise InputError(
            f"{spec.paytable.id}: no award takes all of the meter {quoted(level.name)} with {Shoe(spec.decks[at])}, so "
            "it is never set back"
        )
    stands = replace(
        level,
        deducted=level.deducted and system.kind != HOUSE_JACKPOT,  # a posted prize stays as it is
        seed=Fraction(0) if is_seed_open else level.seed,
        rate=Fraction(0) if is_rate_open else level.rate,
    )

    def cost(one: Level) -> Fraction:
        return LevelFigures(one, system.wager, reset, tuple(parts)).house_pays

    constant = cost(stands)
    by_seed = cost(replace(stands, seed=stands.seed + 1)) - constant if is_seed_open else Fraction(0)
    by_rate = cost(replace(stands, rate=stands.rate + 1)) - constant if is_rate_open else Fraction(0)
    return LevelTerms(level.name, constant, by_seed, by_rate, stands.rate + stands.reserve)


PAY, SEED, RATE = "pay", "seed", "rate"


class Variable(Struct, frozen=True):
    """Something that may take several values: what an award wins for a wager of one, or a meter's seed or rate."""

    kind: str
    name: str
    place: int
    """The award's place in the ladder; of a meter, its place among all."""
    unit: int
    """Into how many parts one is divided, so that every value is whole."""
    values: tuple[int, ...]
    is_for_one: bool = False

    def value(self, whole: int) -> Fraction:
        """Give a value as a spec writes it."""
        return Fraction(whole, self.unit) + self.is_for_one


class Linear(Struct, frozen=True):
    """A figure that is linear in the unknowns: (constant - factors · values) / over."""

    constant: int
    factors: tuple[int, ...]
    over: int

    def at(self, values: tuple[int, ...]) -> Fraction:
        """Work it out."""
        return Fraction(self.constant - sum(map(int.__mul__, self.factors, values)), self.over)


class Paid(Struct, frozen=True):
    """Outcomes that take something: their ways at each deck count, and what they win in terms of the unknowns."""

    ways: tuple[int, ...]
    base: int
    """What is won whatever the unknowns are, in the unit of the pays."""
    factors: tuple[int, ...]
    """How often each unknown is won on top."""
    fixed: tuple[tuple[tuple[Fraction, Fraction], ...], ...] = ()
    """Where no unknown is won: for each deck count the results that are possible, with their chances."""


class Model(Struct, frozen=True):
    """One ladder of a spec, some awards perhaps left out."""

    spec: Spec
    kept: ReducedLadder
    unknowns: tuple[Variable, ...]
    pay_unit: int
    edges: tuple[Linear, ...]
    """The house edge at each deck count, or the hold in the long run."""
    room: tuple[Linear, ...]
    """What is left of a wager after the fixed pays and the meters; it cannot be less than nothing."""
    paid: tuple[Paid, ...]
    losing: tuple[int, ...]

    @property
    def highest_fixed(self) -> Fraction | None:
        """The most that an award pays which no unknown is about: a seed, what a meter shows, or a prize of a wheel."""
        spec, found = self.spec, []
        for award, kept in zip(spec.stated, self.kept.is_kept, strict=True):
            if kept and award.pay.prizes:
                found += [amount for amount, _ in award.pay.prizes]
            elif kept and award.pay.meter is not None:
                amounts = dict(spec.amounts)
                systems = [system for decks in spec.decks if (system := spec.paytable.system_for(decks))]
                seeds = [system.level(award.pay.meter).seed for system in systems]
                is_open = award.pay.meter in dict(spec.seeds)
                found += [amounts[award.pay.meter]] if award.pay.meter in amounts else [] if is_open else seeds
        return max(found, default=None)

    @property
    def size(self) -> int:
        """How many combinations of values there are."""
        total = 1
        for one in self.unknowns:
            total *= len(one.values)
        return total


def model(spec: Spec, kept: ReducedLadder) -> Model:
    """Write a spec in whole numbers for one ladder."""
    stated, terms = spec.stated, level_terms(spec, kept) if spec.has_meters else ()
    plain = {place: award for place, award in enumerate(stated) if kept.is_kept[place] and is_plain(award)}
    nets = {place: spec.nets(place) for place in plain}
    unit = lcm(*(net.denominator for values in nets.values() for net in values))
    unknowns = [
        Variable(PAY, award.name, place, unit, tuple(int(net * unit) for net in nets[place]), award.pay.is_for_one)
        for place, award in plain.items()
    ]
    unknowns += _of_meters(spec, SEED) + _of_meters(spec, RATE)
    number = {one.place: at for at, one in enumerate(unknowns) if one.kind == PAY}
    rows = {taken for ways in kept.ways for taken in ways if any(taken)}
    paid = [
        one
        for taken in sorted(rows, reverse=True)
        if (one := _paid(spec, kept, taken, number, len(unknowns), unit, bool(terms))) is not None
    ]
    losing = tuple(ways.get((0,) * len(stated), 0) for ways in kept.ways)
    edges, room = [], []
    for at, cycle in enumerate(kept.cycles):
        constant, factors = _linear(paid, at, cycle, unknowns, unit)
        edges.append(_whole(*_with_meters(constant, factors, unknowns, terms[at] if terms else ()), unknowns))
        if terms:
            taken = [Fraction(one.kind == RATE) for one in unknowns]
            fixed_rates = sum((one.fixed_rate for one in terms[at]), Fraction(0))
            less = [one + other for one, other in zip(factors, taken, strict=True)]
            room.append(_whole(constant - fixed_rates, less, unknowns))
    return Model(spec, kept, tuple(unknowns), unit, tuple(edges), tuple(room), tuple(paid), losing)


def _of_meters(spec: Spec, kind: str) -> list[Variable]:
    found = []
    for name, choice in spec.seeds if kind == SEED else spec.rates:
        unit = lcm(*(value.denominator for value in choice.values))
        values = tuple(int(value * unit) for value in choice.values)
        found.append(Variable(kind, name, spec.paytable.meters.index(name), unit, values))
    return found


def _paid(
    spec: Spec, kept: ReducedLadder, taken: Times, number: dict[int, int], unknowns: int, unit: int, grows: bool
) -> Paid | None:
    """Tell what outcomes win that take awards so often; nothing of those that a meter pays which grows."""
    stated = spec.stated
    ways = tuple(one.get(taken, 0) for one in kept.ways)
    places = [place for place, times in enumerate(taken) if times]
    if all(place in number for place in places):
        factors = [0] * unknowns
        for place in places:
            factors[number[place]] = taken[place]
        # Pays that do not return the wager add up to what comes back, of which the wager is lost once.
        is_for_one = all(stated[place].pay.is_for_one for place in places)
        base = unit * (sum(taken) - 1) if is_for_one else 0
        return Paid(ways, base, tuple(factors))
    award = stated[places[0]] if len(places) == 1 else next(one for one in spec.paytable.awards if one.made_of == taken)
    if grows and award.pay.meter is not None:
        return None
    amounts = dict(spec.amounts)
    wagers = [spec.paytable.meter_wager(decks) for decks in spec.decks]
    return Paid(
        ways,
        0,
        (0,) * unknowns,
        tuple(
            tuple((pay.gross_for(wager).at(amounts).constant - 1, chance) for pay, chance in award.pay.outcomes)
            for wager in wagers
        ),
    )


def _linear(
    paid: list[Paid], at: int, cycle: int, unknowns: list[Variable], unit: int
) -> tuple[Fraction, list[Fraction]]:
    """The edge of all that is paid at one deck count: what is lost of one, and what each unit of an unknown takes."""
    constant, factors = Fraction(1), [Fraction(0)] * len(unknowns)
    for one in paid:
        chance = Fraction(one.ways[at], cycle)
        if one.fixed:
            constant -= chance * sum(((result + 1) * part for result, part in one.fixed[at]), Fraction(0))
            continue
        constant -= chance * (1 + Fraction(one.base, unit))
        for number, times in enumerate(one.factors):
            factors[number] += chance * times
    return constant, factors


def _with_meters(
    constant: Fraction, factors: list[Fraction], unknowns: list[Variable], terms: tuple[LevelTerms, ...]
) -> tuple[Fraction, list[Fraction]]:
    """Take what meters pay in the long run from the edge."""
    factors = list(factors)
    for term in terms:
        constant -= term.constant
        for number, one in enumerate(unknowns):
            if one.kind != PAY and one.name == term.name:
                factors[number] += term.by_seed if one.kind == SEED else term.by_rate
    return constant, factors


def _whole(constant: Fraction, factors: list[Fraction], unknowns: list[Variable]) -> Linear:
    """Write a figure with whole numbers, for values in the units of the unknowns."""
    parts = [factor / one.unit for factor, one in zip(factors, unknowns, strict=True)]
    over = lcm(constant.denominator, *(part.denominator for part in parts))
    return Linear(int(constant * over), tuple(int(part * over) for part in parts), over)
