"""A spec in whole numbers: every open value a whole number of small units, every edge a sum of products of these.

The edge is linear in the pays, and in a meter's seed and rate too. So with N decks and the values v of the unknowns it
is (A - B·v) / E with whole numbers A, B and E, and whether it lies within limits is a question about whole numbers.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from msgspec import Struct

from combinat.design.kept import Kept, Times
from combinat.design.meter_terms import LevelTerms, level_terms
from combinat.design.spec import Spec, is_plain

PAY, SEED, RATE = "pay", "seed", "rate"


class Unknown(Struct, frozen=True):
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
    kept: Kept
    unknowns: tuple[Unknown, ...]
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


def model(spec: Spec, kept: Kept) -> Model:
    """Write a spec in whole numbers for one ladder."""
    stated, terms = spec.stated, level_terms(spec, kept) if spec.has_meters else ()
    plain = {place: award for place, award in enumerate(stated) if kept.is_kept[place] and is_plain(award)}
    nets = {place: spec.nets(place) for place in plain}
    unit = lcm(*(net.denominator for values in nets.values() for net in values))
    unknowns = [
        Unknown(PAY, award.name, place, unit, tuple(int(net * unit) for net in nets[place]), award.pay.is_for_one)
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


def _of_meters(spec: Spec, kind: str) -> list[Unknown]:
    found = []
    for name, choice in spec.seeds if kind == SEED else spec.rates:
        unit = lcm(*(value.denominator for value in choice.values))
        values = tuple(int(value * unit) for value in choice.values)
        found.append(Unknown(kind, name, spec.paytable.meters.index(name), unit, values))
    return found


def _paid(
    spec: Spec, kept: Kept, taken: Times, number: dict[int, int], unknowns: int, unit: int, grows: bool
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
    paid: list[Paid], at: int, cycle: int, unknowns: list[Unknown], unit: int
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
    constant: Fraction, factors: list[Fraction], unknowns: list[Unknown], terms: tuple[LevelTerms, ...]
) -> tuple[Fraction, list[Fraction]]:
    """Take what meters pay in the long run from the edge."""
    factors = list(factors)
    for term in terms:
        constant -= term.constant
        for number, one in enumerate(unknowns):
            if one.kind != PAY and one.name == term.name:
                factors[number] += term.by_seed if one.kind == SEED else term.by_rate
    return constant, factors


def _whole(constant: Fraction, factors: list[Fraction], unknowns: list[Unknown]) -> Linear:
    """Write a figure with whole numbers, for values in the units of the unknowns."""
    parts = [factor / one.unit for factor, one in zip(factors, unknowns, strict=True)]
    over = lcm(constant.denominator, *(part.denominator for part in parts))
    return Linear(int(constant * over), tuple(int(part * over) for part in parts), over)
