"""Awards and figures as numbers: exact ones, and where a meter's amount is missing a refusal that says what to give."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from combinat.analysis.analysis import Line
from combinat.bets.pay import Pay
from combinat.exact.exact import Exact
from combinat.exact.polynomial import Polynomial
from combinat.exact.root import Root
from combinat.exact.span import Span
from combinat.figures import Value
from decks import InputError, suggestion


def number(value: Value, name: str, open_meters: tuple[str, ...]) -> Any:
    """Give a value as a number; one that depends on a meter of unknown amount is refused with what to do."""
    if isinstance(value, Polynomial):
        if not value.is_constant:
            raise NeedsMeterError(name, open_meters)
        value = value.constant
    return Exact(value) if isinstance(value, Fraction) else value


class NeedsMeterError(InputError):
    """A figure depends on what a meter shows, which was not given."""

    def __init__(self, name: str, meters: tuple[str, ...], formula: str = "") -> None:
        given = ", ".join(f"'{meter}': amount" for meter in meters)
        super().__init__(
            f"{name} depends on what {'the meters show' if len(meters) > 1 else 'the meter shows'}; give "
            f"meters={{{given}}}, or take the formula, in_meters.{formula or name}"
        )


class InMeters:
    """Figures as formulas in the meters whose amounts were not given, under the names of the figures."""

    def __init__(self, values: Mapping[str, partial[Value]]) -> None:
        self._values = values

    def __eq__(self, other: object) -> bool:
        return self._sources == other._sources if isinstance(other, InMeters) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._values))

    @property
    def _sources(self) -> dict[str, tuple[Any, ...]]:
        """What each figure is computed from."""
        return {name: (value.func, *value.args) for name, value in self._values.items()}

    def __repr__(self) -> str:
        return f"<formulas in the meters: {', '.join(list(self._values)[:3])}{', …' * (len(self._values) > 3)}>"

    def __getattr__(self, name: str) -> Polynomial | Root | Span | None:
        if name.startswith("_"):
            raise AttributeError(name)  # `_values` too, which a copy does not have yet
        if name not in self._values:
            raise AttributeError(f"no figure {name!r}{suggestion(name, self._values)}")
        value = self._values[name]()
        return Polynomial.of(value) if isinstance(value, (int, Fraction)) else value

    def __dir__(self) -> list[str]:
        return list(self._values)


_TOO_MANY_TO_TELL = 10**15


class Likelihood:
    """Some hands among all: their ways, and the chance and odds that follow."""

    def __init__(self, name: str, ways: int, cycle: int) -> None:
        self.name = name
        self.ways = ways
        self.cycle = cycle

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), self.name, self.ways, self.cycle))

    def __repr__(self) -> str:
        return f"<{self.name}: {self._in_short}>"

    @property
    def _in_short(self) -> str:
        """Ways and chance; orders of a dozen cards, whose numbers tell nothing, are left out."""
        ways = f"{self.ways:,} of {self.cycle:,} ways, " if self.cycle < _TOO_MANY_TO_TELL else ""
        return f"{ways}probability {self.probability:.6g}"

    @property
    def probability(self) -> Fraction:
        """The chance of such a hand."""
        return Exact(self.ways, self.cycle)

    @property
    def one_in(self) -> Fraction | None:
        """Once in how many hands one comes, on average; none if it never does."""
        return Exact(self.cycle, self.ways) if self.ways else None

    @property
    def true_odds(self) -> Fraction | None:
        """The odds against such a hand, to one."""
        return Exact(self.cycle - self.ways, self.ways) if self.ways else None


class AwardResult(Likelihood):
    """One award's figures: its ways and chance, what it pays, and its part of the return."""

    def __init__(self, line: Line, open_meters: tuple[str, ...]) -> None:
        super().__init__(line.award.name, line.ways, line.cycle)
        self._line = line
        self._open = open_meters

    def __repr__(self) -> str:
        return f"<{self.name}, {self.pays}: {self._in_short}>"

    @property
    def pays(self) -> Pay:
        """What the award pays, which prints as a paytable writes it."""
        return self._line.award.pay

    @property
    def rule(self) -> str:
        """Which hands the award is for."""
        return str(self._line.award.rule)

    @property
    def fits(self) -> int:
        """The ways of all hands that fit the rule, those that a higher award takes included."""
        return self._line.matches

    @property
    def gross(self) -> Fraction:
        """All that comes back for a wager of one."""
        return self._number("gross", self._line.gross)

    @property
    def net(self) -> Fraction:
        """What is won for a wager of one."""
        return self._number("net", self._line.net)

    @property
    def return_(self) -> Fraction:
        """The award's part of the return."""
        return self._number("return_", self._line.return_)

    @property
    def in_meters(self) -> InMeters:
        """The same as formulas in the meters whose amounts were not given."""
        line = self._line
        return InMeters({name: partial(getattr, line, name) for name in ("gross", "net", "return_")})

    def _number(self, name: str, value: Polynomial) -> Fraction:
        found: Fraction = number(value, name, self._open)
        return found
