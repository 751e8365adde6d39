"""Integer model of a search: every open value in small integer units, every edge a linear function of these.

The edge is linear in the pays, and in the seed and rate of a meter. So with N decks and the values v of the unknowns it
is (A - B·v) / E with integers A, B and E, and a limit on the edge is an integer inequality. A meter without a cap pays
out exactly its contributions and the seeds of its resets, so its cost is a constant, plus a term for each unit of the
seed, plus a term for each unit of the rate. If an award is dropped, its hands go to the awards below, or lose. Sums of
products are computed for many rows at once, in 64 bits only where these are certain to suffice.
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
from combinat.enumeration.crosstab import build_crosstab
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
    bound = max(bound, *map(abs, factors), 0)  # a factor must fit into 64 bits too, even if it is multiplied by zero
    dtype: Any = np.int64 if bound < LARGEST and rows.dtype != object else object
    products: NDArray[Any] = rows.astype(dtype, copy=False) @ np.array(factors, dtype=dtype) + constant
    return products


def integer_array(integers: Sequence[int] | Sequence[Sequence[int]]) -> NDArray[Any]:
    """Return integers, or rows of equal length, as an array of 64 bits where these suffice, else of Python integers.

    NumPy would convert 2**63 to an unsigned integer, and that beside a negative one to a float.

    >>> integer_array([1, 2]).dtype.name, integer_array([2**63, -1]).tolist() == [2**63, -1]
    ('int64', True)
    """
    object_array = np.array(integers, dtype=object)
    fits_int64 = all(abs(number) < LARGEST for number in object_array.ravel().tolist())
    return object_array.astype(np.int64) if fits_int64 else object_array


def floor_divide(dividends: NDArray[Any], divisor: int) -> NDArray[Any]:
    """Divide integers by a positive divisor of any size, exactly, rounding down.

    >>> floor_divide(np.array([7, -1]), 2**80).tolist()
    [0, -1]
    """
    quotients: NDArray[Any] = (dividends if divisor < LARGEST else dividends.astype(object)) // divisor
    return quotients


def max_absolute_values(rows: NDArray[Any]) -> list[int]:
    """Return the largest absolute value of each column."""
    return (
        [max(abs(int(column.max())), abs(int(column.min()))) for column in rows.T] if len(rows) else [0] * rows.shape[1]
    )


def square_exactly(integers: NDArray[Any]) -> NDArray[Any]:
    """Square numbers, exactly."""
    size = max(abs(int(integers.max())), abs(int(integers.min()))) if integers.size else 0
    squares: NDArray[Any] = (integers if size**2 < LARGEST else integers.astype(object)) ** 2
    return squares


def multiply(integers: NDArray[Any], factor: int) -> NDArray[Any]:
    """Multiply integers by a factor, exactly.

    >>> multiply(np.array([0, 0]), 2**80).tolist()
    [0, 0]
    """
    size = max(abs(int(integers.max())), abs(int(integers.min())), 1) if integers.size else 1
    products: NDArray[Any] = (integers if size * abs(factor) < LARGEST else integers.astype(object)) * factor
    return products


def subtract(minuends: NDArray[Any], subtrahends: NDArray[Any]) -> NDArray[Any]:
    """Subtract arrays of integers below `LARGEST`, or of Python integers."""
    differences: NDArray[Any] = minuends - subtrahends
    return differences


def is_within(integers: NDArray[Any], low: Fraction | None, high: Fraction | None) -> NDArray[np.bool_]:
    """Return which integers lie in an interval.

    >>> is_within(np.array([1, 2, 3]), Fraction(3, 2), None).tolist()
    [False, True, True]
    """
    mask = np.ones(len(integers), dtype=bool)
    if low is not None:
        mask &= np.asarray(integers >= _fits_in_64_bits(-((-low).__floor__()), integers), dtype=bool)
    if high is not None:
        mask &= np.asarray(integers <= _fits_in_64_bits(high.__floor__(), integers), dtype=bool)
    return mask


def _fits_in_64_bits(limit: int, integers: NDArray[Any]) -> int:
    """Return a limit that 64-bit integers can be compared with: beyond their range all limits are equivalent."""
    return limit if integers.dtype == object else max(-2 * LARGEST + 1, min(limit, 2 * LARGEST - 1))


MAX_OPTIONAL_AWARDS = 12
"""Maximum number of optional awards: each doubles the number of ladders."""
MAX_DIRECT_LADDERS = 16
"""Up to this many ladders are counted one by one; beyond, hands are classified once by all awards they match."""

Times = tuple[int, ...]
"""Number of times that an outcome wins each stated award; an outcome that wins none loses."""


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
    if sum(len(flags) > 1 for flags in choices) > MAX_OPTIONAL_AWARDS:
        raise InputError(f"at most {MAX_OPTIONAL_AWARDS} awards may be optional; write |out for fewer of them")
    ladders = [is_kept for is_kept in product(*choices) if any(is_kept)]
    matching_ladder = None
    if paytable.stated_awards:
        matching_ladder = _count_ladder(paytable, [award.component_counts for award in paytable.awards], spec.decks)
    elif len(ladders) > MAX_DIRECT_LADDERS:
        matching_ladder = _count_matches(paytable, spec.decks)
    for is_kept in ladders:
        if matching_ladder is None:
            ladder = _count_ladder(*_drop_awards(paytable, is_kept), spec.decks, is_kept)
        else:
            ways = tuple(
                _settle_kept(deck_ways, is_kept, bool(paytable.stated_awards)) for deck_ways in matching_ladder.ways
            )
            ladder = ReducedLadder(is_kept, ways, matching_ladder.cycles)
        has_winner = any(count and any(awards_won) for ways in ladder.ways for awards_won, count in ways.items())
        if has_winner:
            yield ladder


def _drop_awards(paytable: Paytable, is_kept: tuple[bool, ...]) -> tuple[Paytable, list[Times]]:
    """Drop awards from a ladder; also return, for each remaining award, its unit vector."""
    indices = [index for index, is_included in enumerate(is_kept) if is_included]
    unit_vectors = [tuple(int(index == column) for column in range(len(is_kept))) for index in indices]
    if all(is_kept):
        return paytable, unit_vectors
    return replace(paytable, awards=tuple(paytable.awards[index] for index in indices)), unit_vectors


def _count_ladder(
    paytable: Paytable, awards_won: Sequence[Times], decks: tuple[int, ...], is_kept: tuple[bool, ...] = ()
) -> ReducedLadder:
    """Count a ladder whose awards stand for the given vectors of awards won."""
    counts = [paytable.ways(Shoe(count, paytable.bet.pack)) for count in decks]
    no_awards = (0,) * len(awards_won[0])
    ways = tuple(
        dict(zip(awards_won, award_counts.wins, strict=True)) | {no_awards: award_counts.losing}
        for award_counts in counts
    )
    return ReducedLadder(is_kept, ways, tuple(award_counts.cycle for award_counts in counts))


def _count_matches(paytable: Paytable, decks: tuple[int, ...]) -> ReducedLadder:
    """Classify the outcomes by all the awards that they match."""
    bet = paytable.bet
    award_facts = [(award.rule.fact, Not(award.rule.fact)) for award in paytable.awards]
    crosstab = build_crosstab(bet.deal, bet.pack, award_facts, bet.condition, roles_distinct=paytable.roles_distinct)
    counts_by_deck = [crosstab.at(Shoe(deck_count, bet.pack)) for deck_count in decks]
    ways = tuple(
        {tuple(1 - answer for answer in loss_flags): count for loss_flags, count in counts.items()}
        for counts in counts_by_deck
    )
    return ReducedLadder((), ways, tuple(sum(deck_ways.values()) for deck_ways in ways))


def _settle_kept(ways_by_matches: Mapping[Times, int], is_kept: tuple[bool, ...], adds_up: bool) -> Mapping[Times, int]:
    """Settle each outcome by the remaining awards: all of them where awards add up, else the first that it matches."""
    unit_vectors = [
        tuple(int(index == column) for column in range(len(is_kept)))
        for index, is_included in enumerate(is_kept)
        if is_included
    ]
    ways_by_awards_won: Counter[Times] = Counter({} if adds_up else dict.fromkeys(unit_vectors, 0))
    for match_counts, ways in ways_by_matches.items():
        remaining = [
            multiplicity if is_included else 0 for multiplicity, is_included in zip(match_counts, is_kept, strict=True)
        ]
        first_index = next((index for index, multiplicity in enumerate(remaining) if multiplicity), None)
        won_awards = remaining if adds_up else [int(index == first_index) for index in range(len(remaining))]
        ways_by_awards_won[tuple(won_awards)] += ways
    return ways_by_awards_won


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
                f"{paytable.id}: its fixed pays are deducted from the meter; the finder does not support such meters"
            )
        return system
    for name in paytable.meters:
        if name not in dict(spec.seeds) or name not in dict(spec.rates):
            key = "" if name == "meter" else f"{name}="
            raise InputError(
                f"{paytable.id}: the meter {quote(name)} has no seed and rate; add --seed {key}AMOUNT and --rate "
                f"{key}PERCENT, or its amount with --meter {key}AMOUNT"
            )
    return MeterSystem(tuple(MeterLevel(name, Fraction(0)) for name in paytable.meters))


def _terms(spec: Spec, level: MeterLevel, system: MeterSystem, ladder: ReducedLadder, deck_index: int) -> LevelTerms:
    is_seed_open, is_rate_open = (level.name in dict(choices) for choices in (spec.seeds, spec.rates))
    if (is_seed_open or is_rate_open) and (level.cap is not None or level.seed_paid_by != "house"):
        reason = "a cap" if level.cap is not None else "a reserve that pays its seed"
        raise InputError(f"the meter {quote(level.name)} has {reason}; its seed and rate must be fixed")
    if is_rate_open and system.kind == HOUSE_JACKPOT:
        raise InputError(f"the meter {quote(level.name)} is a posted jackpot, which has no rate")
    reset_probability, partial_hits = Fraction(0), []
    for awards_won, ways in ladder.ways[deck_index].items():
        award = next(
            (stated_award for stated_award, multiplicity in zip(spec.stated, awards_won, strict=True) if multiplicity),
            None,
        )
        if award is not None and award.pay.meter == level.name:
            probability = Fraction(ways, ladder.cycles[deck_index])
            if award.pay.amount == 1:
                reset_probability += probability
            elif probability:
                partial_hits.append((award.pay.amount, probability))
    if not reset_probability:
        raise InputError(
            f"{spec.paytable.id}: no award takes all of the meter {quote(level.name)} "
            f"with {Shoe(spec.decks[deck_index])}, so it is never reset"
        )
    base_level = replace(
        level,
        deducted=level.deducted and system.kind != HOUSE_JACKPOT,  # a posted jackpot is not reduced by hits
        seed=Fraction(0) if is_seed_open else level.seed,
        rate=Fraction(0) if is_rate_open else level.rate,
    )

    def cost(meter_level: MeterLevel) -> Fraction:
        return LevelFigures(meter_level, system.wager, reset_probability, tuple(partial_hits)).house_pays

    constant = cost(base_level)
    by_seed = cost(replace(base_level, seed=base_level.seed + 1)) - constant if is_seed_open else Fraction(0)
    by_rate = cost(replace(base_level, rate=base_level.rate + 1)) - constant if is_rate_open else Fraction(0)
    return LevelTerms(level.name, constant, by_seed, by_rate, base_level.rate + base_level.reserve)


PAY, SEED, RATE = "pay", "seed", "rate"


class Variable(Struct, frozen=True):
    """An unknown: what an award wins for a wager of one, or the seed or rate of a meter."""

    kind: str
    name: str
    index: int
    """Index of the award in the ladder, or of the meter among all meters."""
    unit: int
    """Number of units in one, so that every value is an integer."""
    values: tuple[int, ...]
    is_for_one: bool = False

    def value(self, unit_count: int) -> Fraction:
        """Return a value as a spec writes it."""
        return Fraction(unit_count, self.unit) + self.is_for_one


class Linear(Struct, frozen=True):
    """A figure that is linear in the unknowns: (constant - factors · values) / denominator."""

    constant: int
    factors: tuple[int, ...]
    denominator: int

    def at(self, values: tuple[int, ...]) -> Fraction:
        """Evaluate the figure."""
        return Fraction(self.constant - sum(map(int.__mul__, self.factors, values)), self.denominator)


class Payout(Struct, frozen=True):
    """Outcomes that win: their ways for each deck count, and their net win as a function of the unknowns."""

    ways: tuple[int, ...]
    base: int
    """Net win that does not depend on the unknowns, in the unit of the pays."""
    factors: tuple[int, ...]
    """Number of times that each unknown is won, in addition to `base`."""
    fixed: tuple[tuple[tuple[Fraction, Fraction], ...], ...] = ()
    """If no unknown is won: for each deck count the possible results with their probabilities."""
    award: int | None = None
    """Index of the award, if the outcomes win only one."""


class Model(Struct, frozen=True):
    """Integer model of a spec for one ladder."""

    spec: Spec
    ladder: ReducedLadder
    unknowns: tuple[Variable, ...]
    pay_unit: int
    edges: tuple[Linear, ...]
    """House edge for each deck count, or the long-run hold."""
    remainders: tuple[Linear, ...]
    """For each deck count, what remains of a wager after the fixed pays and the contributions; at least 0."""
    payouts: tuple[Payout, ...]
    losing: tuple[int, ...]
    meter_ways: tuple[int, ...]
    """For each deck count, the ways of outcomes that a growing meter pays; they have no payout and always win."""

    @property
    def max_fixed_pay(self) -> Fraction | None:
        """The highest pay that no unknown affects: a seed, a given meter, or a prize of a wheel."""
        spec, amounts_paid = self.spec, []
        for award, is_included in zip(spec.stated, self.ladder.is_included, strict=True):
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
    stated_awards, level_terms = spec.stated, iter_level_terms(spec, ladder) if spec.has_meters else ()
    plain_awards = {
        position: award
        for position, award in enumerate(stated_awards)
        if ladder.is_included[position] and is_plain(award)
    }
    nets = {position: spec.nets(position) for position in plain_awards}
    unit = lcm(*(net.denominator for values in nets.values() for net in values))
    unknowns = [
        Variable(
            PAY, award.name, position, unit, tuple(int(net * unit) for net in nets[position]), award.pay.is_for_one
        )
        for position, award in plain_awards.items()
    ]
    unknowns += _meter_variables(spec, SEED) + _meter_variables(spec, RATE)
    variable_by_award = {variable.index: index for index, variable in enumerate(unknowns) if variable.kind == PAY}
    rows = {awards_won for ways_by_awards in ladder.ways for awards_won in ways_by_awards if any(awards_won)}
    candidates = (
        _build_payout(spec, ladder, awards_won, variable_by_award, len(unknowns), unit, bool(level_terms))
        for awards_won in sorted(rows, reverse=True)
    )
    payouts = [payout for payout in candidates if payout is not None]
    losing = tuple(ways_by_awards.get((0,) * len(stated_awards), 0) for ways_by_awards in ladder.ways)
    meter_ways = tuple(
        sum(ways_by_awards.values()) - losing[index] - sum(payout.ways[index] for payout in payouts)
        for index, ways_by_awards in enumerate(ladder.ways)
    )
    edges, remainders = [], []
    for index, cycle in enumerate(ladder.cycles):
        constant, factors = _linear(payouts, index, cycle, unknowns, unit)
        edges.append(
            _to_integers(
                *_with_meters(constant, factors, unknowns, level_terms[index] if level_terms else ()), unknowns
            )
        )
        if level_terms:
            rate_factors = [Fraction(variable.kind == RATE) for variable in unknowns]
            fixed_rates = sum((term.fixed_rate for term in level_terms[index]), Fraction(0))
            factors_with_rates = [
                factor + rate_factor for factor, rate_factor in zip(factors, rate_factors, strict=True)
            ]
            remainders.append(_to_integers(constant - fixed_rates, factors_with_rates, unknowns))
    return Model(
        spec, ladder, tuple(unknowns), unit, tuple(edges), tuple(remainders), tuple(payouts), losing, meter_ways
    )


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
    awards_won: Times,
    variable_by_award: dict[int, int],
    unknowns: int,
    unit: int,
    has_growing_meter: bool,
) -> Payout | None:
    """Return what outcomes with these awards win; `None` for those paid by a growing meter."""
    stated_awards = spec.stated
    ways = tuple(ladder_ways.get(awards_won, 0) for ladder_ways in ladder.ways)
    positions = [position for position, multiplicity in enumerate(awards_won) if multiplicity]
    award_index = positions[0] if len(positions) == 1 else None
    if all(position in variable_by_award for position in positions):
        factors = [0] * unknowns
        for position in positions:
            factors[variable_by_award[position]] = awards_won[position]
        # Pays "for 1" add up to the gross; the wager is subtracted once.
        is_for_one = all(stated_awards[position].pay.is_for_one for position in positions)
        base = unit * (sum(awards_won) - 1) if is_for_one else 0
        return Payout(ways, base, tuple(factors), award=award_index)
    award = (
        stated_awards[positions[0]]
        if len(positions) == 1
        else next(award for award in spec.paytable.awards if award.component_counts == awards_won)
    )
    if has_growing_meter and award.pay.meter is not None:
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
        award_index,
    )


def _linear(
    payouts: list[Payout], deck_index: int, cycle: int, unknowns: list[Variable], unit: int
) -> tuple[Fraction, list[Fraction]]:
    """Return the edge at one deck count as a constant and the factor of each unknown."""
    constant, factors = Fraction(1), [Fraction(0)] * len(unknowns)
    for payout in payouts:
        probability = Fraction(payout.ways[deck_index], cycle)
        if payout.fixed:
            constant -= probability * sum(
                ((result + 1) * prize_probability for result, prize_probability in payout.fixed[deck_index]),
                Fraction(0),
            )
            continue
        constant -= probability * (1 + Fraction(payout.base, unit))
        for index, multiplicity in enumerate(payout.factors):
            factors[index] += probability * multiplicity
    return constant, factors


def _with_meters(
    constant: Fraction, factors: list[Fraction], unknowns: list[Variable], terms: tuple[LevelTerms, ...]
) -> tuple[Fraction, list[Fraction]]:
    """Subtract the long-run cost of the meters from the edge."""
    factors = list(factors)
    for term in terms:
        constant -= term.constant
        for index, unknown in enumerate(unknowns):
            if unknown.kind != PAY and unknown.name == term.name:
                factors[index] += term.by_seed if unknown.kind == SEED else term.by_rate
    return constant, factors


def _to_integers(constant: Fraction, factors: list[Fraction], unknowns: list[Variable]) -> Linear:
    """Scale a figure to integers, for values in the units of the unknowns."""
    factors_per_unit = [factor / unknown.unit for factor, unknown in zip(factors, unknowns, strict=True)]
    denominator = lcm(constant.denominator, *(factor_per_unit.denominator for factor_per_unit in factors_per_unit))
    return Linear(
        int(constant * denominator),
        tuple(int(factor_per_unit * denominator) for factor_per_unit in factors_per_unit),
        denominator,
    )
