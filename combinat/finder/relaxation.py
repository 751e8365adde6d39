"""Relaxed limits: a limit of a search with the bound that it would need, and its description."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, isqrt

from msgspec import Struct

from combinat.exact.numbers import format_decimal
from combinat.exact.surd import Surd
from combinat.finder.spec import (
    AWARD_SHARE,
    DESCENDING,
    DEVIATION,
    EDGE,
    FALLING,
    GAIN,
    HITS,
    RATIO,
    SHARE,
    TOP,
    Constraint,
    Spec,
)

Limit = tuple[Constraint, ...]
"""The constraints of one limit, for each deck count."""


class RelaxedLimit(Struct, frozen=True):
    """A limit and the value that it would need."""

    limit: Limit
    value: Fraction | None
    """The needed bound, of a standard deviation its square; `None` if the limit is dropped, as the order of pays."""

    @property
    def kind(self) -> str:
        """The kind of the limit."""
        return self.limit[0].kind

    @property
    def is_minimum(self) -> bool:
        """Whether the limit is a lower bound."""
        return self.limit[0].high is None

    @property
    def bound(self) -> Fraction | None:
        """The bound as it was given, of a standard deviation its square."""
        return self.limit[0].low if self.is_minimum else self.limit[0].high

    @property
    def needed(self) -> Fraction | Surd | None:
        """The needed bound."""
        return Surd(self.value) if self.kind == DEVIATION and self.value is not None else self.value

    @property
    def relative_change(self) -> Fraction | None:
        """Change of the bound relative to its size; `None` if the limit is dropped."""
        if self.value is None or self.bound is None:
            return None
        return abs(self.value - self.bound) / (abs(self.bound) or 1)


_LABELS = {
    EDGE: "house edge",
    HITS: "hit frequency",
    DEVIATION: "standard deviation",
    SHARE: "top award's share of the return",
    TOP: "pay of the top award",
    RATIO: "ratio between neighboring pays",
    GAIN: "gain of a counter",
    FALLING: "strictly decreasing pays",
    DESCENDING: "pays in descending order",
}
_PERCENTAGES = (EDGE, HITS, SHARE, AWARD_SHARE)
_DECIMALS = 6
"""Decimals of a suggested bound."""
_PERCENT_DECIMALS = 4
"""Decimals of a suggested percentage, as a fraction."""


def suggest_bound(relaxed: RelaxedLimit) -> str:
    """Return the needed bound as it is written in a request, rounded so that it still suffices; empty if dropped.

    >>> limit = (Constraint(EDGE, high=Fraction(4, 100)),)
    >>> suggest_bound(RelaxedLimit(limit, Fraction(41234567, 10**9)))
    '4.13%'
    """
    if relaxed.value is None:
        return ""
    is_percentage = relaxed.kind in _PERCENTAGES
    scale = 10 ** (_PERCENT_DECIMALS if is_percentage else _DECIMALS)
    if relaxed.kind == DEVIATION:
        root = isqrt(int(relaxed.value * scale**2))
        steps = root if relaxed.is_minimum or Fraction(root, scale) ** 2 == relaxed.value else root + 1
    else:
        scaled = relaxed.value * scale
        steps = floor(scaled) if relaxed.is_minimum else ceil(scaled)
    return _format_bound(Fraction(steps, scale), relaxed.kind)


def _format_bound(bound: Fraction, kind: str) -> str:
    is_percentage = kind in _PERCENTAGES
    sign = "-" if bound < 0 else ""
    return f"{sign}{format_decimal(abs(bound) * (100 if is_percentage else 1))}{'%' if is_percentage else ''}"


def describe_relaxed(relaxed: RelaxedLimit, spec: Spec) -> str:
    """Describe the change of a limit, such as `house edge up to 4.13% instead of 4%`."""
    label = _LABELS.get(relaxed.kind, "")
    if relaxed.kind == AWARD_SHARE:
        label = f"share of {spec.stated[relaxed.limit[0].award].name}"
    if relaxed.kind == EDGE and spec.has_meters:
        label = "hold"
    if relaxed.value is None or relaxed.bound is None:
        return f"without the limit: {label}"
    bound = relaxed.bound
    if relaxed.kind == DEVIATION:  # the bound is the square of what was given
        bound = Fraction(isqrt(bound.numerator), isqrt(bound.denominator))
    given = _format_bound(bound, relaxed.kind)
    return f"{label} {'from' if relaxed.is_minimum else 'up to'} {suggest_bound(relaxed)} instead of {given}"
