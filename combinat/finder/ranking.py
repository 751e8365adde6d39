"""Rank candidates: roughly by integers, many at a time, and the best of them exactly; and figures of a candidate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
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
from combinat.finder.spec import CLOSEST, HIGHEST, LOWEST, ROUNDEST, replace_amount
from combinat.meters.hold import compute_hold
from decks import Shoe

_FINE = 30
"""Bits after the binary point for rough sorting by edge."""
_COARSE = 10
"""Bits after the binary point for rough sorting by variance."""

Rank = tuple[Fraction, Fraction, tuple[Fraction, ...]]
"""Sort key of a candidate: the requested order, the distance from the target edge, and its values."""


def roundness(pay: Fraction) -> int:
    """Return a penalty for a pay that is not round: 2 for each digit after the first, but 1 for a final 5.

    Zeros at the end do not count, and a pay that is no finite decimal counts like one of twelve digits.

    >>> [roundness(Fraction(pay)) for pay in ("30", "35", "33", "125", "2.5", "1000", "1/3")]
    [0, 1, 2, 3, 1, 0, 24]
    """
    scaled = pay
    for _ in range(12):
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).strip("0")
            last = 1 if digits.endswith("5") else 2
            return 0 if len(digits) < 2 else 2 * (len(digits) - 2) + last
        scaled *= 10
    return 24


class Ranking:
    """Sorts the candidates of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._spec = model.spec
        self._judge = ConstraintChecker(model)
        self._round = [[roundness(unknown.value(value)) for value in unknown.values] for unknown in model.unknowns]
        self._values = [integer_array(unknown.values) for unknown in model.unknowns]

    def rough(self, rows: Rows) -> NDArray[Any]:
        """Return an integer for each candidate; of two that differ in it, the lower comes first."""
        if self._spec.order in (LOWEST, HIGHEST):
            variance, denominator = self._judge.variance(rows, 0)
            rough = floor_divide(multiply(variance, 1 << _COARSE), denominator)
            return rough if self._spec.order == LOWEST else -rough
        distance = self._distance(rows)
        if self._spec.order == CLOSEST:
            return distance
        combined: NDArray[Any] = self._roundness(rows) * (1 << _FINE + 2) + np.minimum(distance, (1 << _FINE + 2) - 1)
        return combined

    def rank(self, row: Sequence[int]) -> Rank:
        """Return the exact sort key of a candidate."""
        values = tuple(map(int, row))
        model, spec = self._model, self._spec
        target = spec.target_edge
        distance = Fraction(0) if target is None else max(abs(edge.at(values) - target) for edge in model.edges)
        first = distance
        if spec.order == ROUNDEST:
            first = Fraction(
                sum(roundness(unknown.value(value)) for unknown, value in zip(model.unknowns, values, strict=True))
            )
        elif spec.order in (LOWEST, HIGHEST):
            variance, denominator = self._judge.variance(integer_array([values]), 0)
            first = Fraction(int(variance[0]), denominator) * (1 if spec.order == LOWEST else -1)
        return (
            first,
            distance,
            tuple(unknown.value(value) for unknown, value in zip(model.unknowns, values, strict=True)),
        )

    def _roundness(self, rows: Rows) -> NDArray[np.int64]:
        total = np.zeros(len(rows), dtype=np.int64)
        for number, (values, costs) in enumerate(zip(self._values, self._round, strict=True)):
            total += np.array(costs, dtype=np.int64)[np.searchsorted(values, rows[:, number])]
        return total

    def _distance(self, rows: Rows) -> NDArray[Any]:
        """Return the largest distance of the edge from the target over all deck counts, in units of a power of two.

        Zero if there is no target.
        """
        target, furthest = self._spec.target_edge, np.zeros(len(rows), dtype=np.int64)
        if target is None:
            return furthest
        for edge in self._model.edges:
            factors = [-factor * target.denominator for factor in edge.factors]
            constant = edge.constant * target.denominator - target.numerator * edge.over
            difference = abs(dot(rows, factors, constant))
            furthest = np.maximum(
                furthest, floor_divide(multiply(difference, 1 << _FINE), edge.over * target.denominator)
            )
        return furthest


class Candidate(Struct, frozen=True, dict=True):
    """A combination of values that meets the constraints."""

    model: Model
    values: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<Candidate {', '.join(pay or 'out' for pay in self.pays)}>"

    @property
    def pays(self) -> tuple[str | None, ...]:
        """Text of each award's pay; `None` for a dropped award."""
        return tuple(str(award.pay) if award else None for award in self.stated)

    @property
    def meter_values(self) -> tuple[tuple[str, str, Fraction], ...]:
        """The seeds and rates that were open: which of the two, of which meter, and its value."""
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
            unknown.place: unknown.value(value)
            for unknown, value in zip(self.model.unknowns, self.values, strict=True)
            if unknown.kind == PAY and spec.pays[unknown.place] is not None
        }
        return tuple(
            None
            if not is_included
            else replace(award, pay=pay, said=str(pay))
            if index in amounts and (pay := replace_amount(award.pay, amounts[index]))
            else award
            for index, (award, is_included) in enumerate(zip(spec.stated, self.model.kept.is_included, strict=True))
        )

    @cached_property
    def paytable(self) -> Paytable:
        """The paytable with these values, without the published figures of the original."""
        spec = self.model.spec
        original = spec.paytable
        stated = tuple(award for award in self.stated if award is not None)
        awards = reachable_sums(stated, original.bet) if original.parts else stated
        return replace(
            original,
            awards=awards,
            parts=stated if original.parts else (),
            decks=spec.decks,
            systems=self._systems,
            published=(),
            other_reading=None,
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
            raise MiscountError(f"the search found edges {self.edges} where the paytable has {edges}")
        return analyses
