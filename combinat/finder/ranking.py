"""Rank candidates: first by rounded integer scores, many at a time, then the best of them exactly.

`Candidate` is a found combination of values, with its paytable and figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.bets.award import Award
from combinat.bets.load import reachable_sums
from combinat.bets.meters import MeterLevel, MeterSystem
from combinat.bets.paytable import Paytable
from combinat.exact.numbers import MiscountError
from combinat.finder.model import PAY, RATE, SEED, Model, dot, floor_divide, integer_array, multiply
from combinat.finder.search import ConstraintChecker, Rows
from combinat.finder.spec import CLOSEST, HIGHEST, LOWEST, ROUNDEST, OrderKey, replace_amount
from combinat.meters.hold import compute_hold
from decks import Shoe

_EDGE_BITS = 30
"""Bits after the binary point of rough scores by edge."""
_VARIANCE_BITS = 10
"""Bits after the binary point of rough scores by variance."""

_SECOND_KEY_BITS = 48
"""Bits of the rough score of a second key; larger scores are equal."""

Rank = tuple[tuple[Fraction, ...], Fraction, tuple[Fraction, ...]]
"""Sort key of a candidate: the requested order, the distance from the target edge, and its values."""


def roundness(pay: Fraction) -> int:
    """Return a penalty for a pay that is not round: 2 for each digit after the first, but 1 for a final 5.

    Trailing zeros do not count, and a pay that is not a finite decimal has the penalty of thirteen digits.

    >>> [roundness(Fraction(pay)) for pay in ("30", "35", "33", "125", "2.5", "1000", "1/3")]
    [0, 1, 2, 3, 1, 0, 24]
    """
    scaled_pay = pay
    for _ in range(12):
        if scaled_pay.denominator == 1:
            digits = str(abs(scaled_pay.numerator)).strip("0")
            last_digit_penalty = 1 if digits.endswith("5") else 2
            return 0 if len(digits) < 2 else 2 * (len(digits) - 2) + last_digit_penalty
        scaled_pay *= 10
    return 24


def pay_change(original: Fraction, pay: Fraction) -> Fraction:
    """Return the change of a pay relative to the original one; absolute if the original is zero.

    >>> pay_change(Fraction(10), Fraction(12)), pay_change(Fraction(10), Fraction(8))
    (Fraction(1, 5), Fraction(1, 5))
    """
    return abs(pay - original) / (abs(original) or 1)


class Ranking:
    """Sorts the candidates of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._spec = model.spec
        self._keys = model.spec.order_keys
        self._checker = ConstraintChecker(model)
        self._values = [integer_array(unknown.values) for unknown in model.unknowns]
        self._costs_by_key: dict[OrderKey, list[NDArray[Any]]] = {}

    def rough(self, rows: Rows) -> NDArray[Any]:
        """Return a rough integer score for each candidate; a lower score always ranks first.

        Scores of a first key that are exact are combined with those of the next key, since many are equal.
        """
        first_key, *other_keys = self._keys
        first = self._rough_key(rows, first_key)
        if not self._is_exact(first_key):
            return first
        second = self._rough_key(rows, (*other_keys, OrderKey(CLOSEST))[0])
        half_range = 1 << (_SECOND_KEY_BITS - 1)
        clipped = np.clip(second, -half_range, half_range - 1) + half_range
        combined: NDArray[Any] = multiply(first, 1 << _SECOND_KEY_BITS) + clipped
        return combined

    def _is_exact(self, key: OrderKey) -> bool:
        """Return whether rough scores of a key are exact, not rounded."""
        return key.step is not None or key.name not in (CLOSEST, LOWEST, HIGHEST)

    def _rough_key(self, rows: Rows, key: OrderKey) -> NDArray[Any]:
        if key.name in (LOWEST, HIGHEST):
            variance, denominator = self._checker.variance(rows, 0)
            rough = floor_divide(multiply(variance, 1 << _VARIANCE_BITS), denominator)
            return rough if key.name == LOWEST else -rough
        if key.name == CLOSEST:
            return self._distance(rows, Fraction(1, 1 << _EDGE_BITS) if key.step is None else key.step)
        total: NDArray[Any] = np.zeros(len(rows), dtype=np.int64)
        for column, costs in enumerate(self._integer_costs(key)):
            total = total + costs[np.searchsorted(self._values[column], rows[:, column])]
        return total

    def rank(self, row: Sequence[int]) -> Rank:
        """Return the exact sort key of a candidate."""
        values = tuple(map(int, row))
        model, target = self._model, self._spec.target_edge
        distance = Fraction(0) if target is None else max(abs(edge.at(values) - target) for edge in model.edges)
        return (
            tuple(self._exact_key(values, key, distance) for key in self._keys),
            distance,
            tuple(unknown.value(value) for unknown, value in zip(model.unknowns, values, strict=True)),
        )

    def _exact_key(self, values: tuple[int, ...], key: OrderKey, distance: Fraction) -> Fraction:
        if key.name == CLOSEST:
            return distance if key.step is None else Fraction(distance // key.step)
        if key.name in (LOWEST, HIGHEST):
            variance, denominator = self._checker.variance(integer_array([values]), 0)
            return Fraction(int(variance[0]), denominator) * (1 if key.name == LOWEST else -1)
        costs = (self._cost(key, column, value) for column, value in enumerate(values))
        return sum(costs, self._dropped_cost(key))

    def _cost(self, key: OrderKey, column: int, value: int) -> Fraction:
        """Return what a value adds to the key: its roundness, or its change from the original pay."""
        unknown = self._model.unknowns[column]
        if key.name == ROUNDEST:
            return Fraction(roundness(unknown.value(value)))
        original = self._original_value(column)
        return Fraction(0) if original is None else pay_change(original, unknown.value(value))

    def _dropped_cost(self, key: OrderKey) -> Fraction:
        """Return what dropped awards add to the key: each counts as a change of its entire pay."""
        return Fraction(0 if key.name == ROUNDEST else self._model.ladder.is_included.count(False))

    def _original_value(self, column: int) -> Fraction | None:
        """Return the pay, seed or rate of the paytable itself; `None` if it states none."""
        unknown, paytable = self._model.unknowns[column], self._spec.paytable
        if unknown.kind == PAY:
            return None if self._spec.pays[unknown.index] is None else self._spec.stated[unknown.index].pay.amount
        system = paytable.system_for(self._spec.decks[0])
        if system is None:
            return None
        level = system.level(unknown.name)
        return level.seed if unknown.kind == SEED else level.rate

    def _integer_costs(self, key: OrderKey) -> list[NDArray[Any]]:
        """Return for each unknown what each of its values adds to the key, as integers over one denominator.

        The first unknown includes the cost of dropped awards.
        """
        if key not in self._costs_by_key:
            costs = [
                [self._cost(key, column, value) for value in unknown.values]
                for column, unknown in enumerate(self._model.unknowns)
            ]
            denominator = self._cost_denominator(key)
            integers = [[int(cost * denominator) for cost in column_costs] for column_costs in costs]
            dropped = int(self._dropped_cost(key) * denominator)
            integers[0] = [cost + dropped for cost in integers[0]]
            self._costs_by_key[key] = [integer_array(column_costs) for column_costs in integers]
        return self._costs_by_key[key]

    def _cost_denominator(self, key: OrderKey) -> int:
        """Return a common denominator of all costs of a key, which is the same for every ladder of a spec."""
        if key.name == ROUNDEST:
            return 1
        spec = self._spec
        changes = [
            pay_change(award.pay.amount, value)
            for award, choice in zip(spec.stated, spec.pays, strict=True)
            if choice is not None
            for value in choice.values
        ]
        systems = [system for decks in spec.decks[:1] if (system := spec.paytable.system_for(decks))]
        for kind, choices in ((SEED, spec.seeds), (RATE, spec.rates)):
            for name, choice in choices:
                for system in systems:
                    level = system.level(name)
                    original = level.seed if kind == SEED else level.rate
                    changes += [pay_change(original, value) for value in choice.values]
        return lcm(*(change.denominator for change in changes))

    def _distance(self, rows: Rows, step: Fraction) -> NDArray[Any]:
        """Return the largest distance of the edge from the target over all deck counts, in whole steps.

        Zero if there is no target.
        """
        target, max_distance = self._spec.target_edge, np.zeros(len(rows), dtype=np.int64)
        if target is None:
            return max_distance
        for edge in self._model.edges:
            factors = [-factor * target.denominator for factor in edge.factors]
            constant = edge.constant * target.denominator - target.numerator * edge.denominator
            difference = abs(dot(rows, factors, constant))
            divisor = edge.denominator * target.denominator * step.numerator
            max_distance = np.maximum(max_distance, floor_divide(multiply(difference, step.denominator), divisor))
        return max_distance


class Candidate(Struct, frozen=True, dict=True):
    """A combination of values that meets the constraints."""

    model: Model
    values: tuple[int, ...]
    count_gains: tuple[Fraction, ...] = ()
    """For each deck count, what a card counter wins per 100 rounds, if this is limited."""

    def __repr__(self) -> str:
        return f"<Candidate {', '.join(pay or 'out' for pay in self.pays)}>"

    @property
    def pays(self) -> tuple[str | None, ...]:
        """Text of each award's pay; `None` for a dropped award."""
        return tuple(str(award.pay) if award else None for award in self.stated)

    @property
    def pays_by_award(self) -> dict[str, str | None]:
        """Text of each award's pay by its name; `None` for a dropped award."""
        return {award.name: pay for award, pay in zip(self.model.spec.stated, self.pays, strict=True)}

    @property
    def meter_values(self) -> tuple[tuple[str, str, Fraction], ...]:
        """The seeds and rates that were open: (seed or rate, meter, value)."""
        pairs = zip(self.model.unknowns, self.values, strict=True)
        return tuple(
            (unknown.kind, unknown.name, unknown.value(value)) for unknown, value in pairs if unknown.kind != PAY
        )

    @cached_property
    def edges(self) -> tuple[Fraction, ...]:
        """House edge for each deck count, or the long-run hold."""
        return tuple(edge.at(self.values) for edge in self.model.edges)

    @cached_property
    def stated(self) -> tuple[Award | None, ...]:
        """The stated awards with their pays; `None` for a dropped award."""
        spec = self.model.spec
        amounts = {
            unknown.index: unknown.value(value)
            for unknown, value in zip(self.model.unknowns, self.values, strict=True)
            if unknown.kind == PAY and spec.pays[unknown.index] is not None
        }
        return tuple(
            None
            if not is_included
            else replace(award, pay=pay, stated_pay=str(pay))
            if index in amounts and (pay := replace_amount(award.pay, amounts[index]))
            else award
            for index, (award, is_included) in enumerate(zip(spec.stated, self.model.ladder.is_included, strict=True))
        )

    @cached_property
    def paytable(self) -> Paytable:
        """The paytable with these values, without the published figures of the original."""
        spec = self.model.spec
        original = spec.paytable
        stated_awards = tuple(award for award in self.stated if award is not None)
        awards = reachable_sums(stated_awards, original.bet) if original.stated_awards else stated_awards
        return replace(
            original,
            awards=awards,
            stated_awards=stated_awards if original.stated_awards else (),
            decks=spec.decks,
            systems=self._systems,
            published=(),
            other_interpretation=None,
        )

    @property
    def _systems(self) -> tuple[MeterSystem, ...]:
        """Terms of the meters with the seeds and rates that were found."""
        original, values = self.model.spec.paytable, {(kind, name): value for kind, name, value in self.meter_values}
        if not values:
            return original.systems
        systems = original.systems or (MeterSystem(tuple(MeterLevel(name, Fraction(0)) for name in original.meters)),)
        return tuple(
            replace(
                system,
                levels=tuple(
                    replace(
                        level,
                        seed=values.get((SEED, level.name), level.seed),
                        rate=values.get((RATE, level.name), level.rate),
                    )
                    for level in system.levels
                ),
                basis=None,
            )
            for system in systems
        )

    @cached_property
    def analyses(self) -> tuple[Analysis, ...]:
        """Independent analyses for each deck count, which check the search."""
        return self.check(self.paytable)

    def check(self, paytable: Paytable) -> tuple[Analysis, ...]:
        """Analyze a paytable for each deck count, and check that it has the edges that were found."""
        spec = self.model.spec
        shoes = [Shoe(decks, spec.paytable.bet.pack) for decks in spec.decks]
        analyses = tuple(analyze_wager(paytable, shoe, dict(spec.amounts)) for shoe in shoes)
        edges = [compute_hold(analysis) if spec.has_meters else analysis.house_edge.constant for analysis in analyses]
        if edges != list(self.edges):
            raise MiscountError(f"the search computed the edges {self.edges}, the analysis {edges}")
        return analyses
