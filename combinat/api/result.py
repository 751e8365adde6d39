"""Awards and figures as numbers: exact ones, and where a meter's amount is missing a refusal that says what to give.

Results at a glance: one line, and tables for notebooks.

The figures of a bet at a shoe, each an exact number under the name that JSON and the sheets give it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING, Any

from combinat.analysis.analysis import Analysis, Line
from combinat.api.arguments import as_text
from combinat.bets.pay import Pay
from combinat.bets.paytable import Paytable
from combinat.exact.distribution import Distribution
from combinat.exact.interval import Span
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Exact, Surd
from combinat.figures import FIGURES, Value, figure_values, headline
from combinat.study import Basis, Study
from decks import InputError, Shoe, did_you_mean
from decks.errors import quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from combinat.analysis.batch import PayVariants


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
        example = ", ".join(f"'{meter}': amount" for meter in meters)
        super().__init__(
            f"{name} depends on what {'the meters show' if len(meters) > 1 else 'the meter shows'}; give "
            f"meters={{{example}}}, or take the formula, in_meters.{formula or name}"
        )


class MeterFormulas:
    """Figures as formulas in the meters whose amounts were not given, under the names of the figures."""

    def __init__(self, values: Mapping[str, partial[Value]]) -> None:
        self._values = values

    def __eq__(self, other: object) -> bool:
        return self._sources == other._sources if isinstance(other, MeterFormulas) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._values))

    @property
    def _sources(self) -> dict[str, tuple[Any, ...]]:
        """What each figure is computed from."""
        return {name: (value.func, *value.args) for name, value in self._values.items()}

    def __repr__(self) -> str:
        return f"<formulas in the meters: {', '.join(list(self._values)[:3])}{', …' * (len(self._values) > 3)}>"

    def __getattr__(self, name: str) -> Polynomial | Surd | Span | None:
        if name.startswith("_"):
            raise AttributeError(name)  # `_values` too, which a copy does not have yet
        if name not in self._values:
            raise AttributeError(f"no figure {name!r}{did_you_mean(name, self._values)}")
        value = self._values[name]()
        return Polynomial.of(value) if isinstance(value, (int, Fraction)) else value

    def __dir__(self) -> list[str]:
        return list(self._values)


_MAX_SHOWN_CYCLE = 10**15


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
        ways = f"{self.ways:,} of {self.cycle:,} ways, " if self.cycle < _MAX_SHOWN_CYCLE else ""
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
    def in_meters(self) -> MeterFormulas:
        """The same as formulas in the meters whose amounts were not given."""
        line = self._line
        return MeterFormulas({name: partial(getattr, line, name) for name in ("gross", "net", "return_")})

    def _number(self, name: str, value: Polynomial) -> Fraction:
        exact: Fraction = number(value, name, self._open)
        return exact


_PERCENTAGES = ("house_edge", "return", "hold", "fixed_return", "hit_frequency", "push_rate")
_DECIMALS = ("mean_win", "variance", "standard_deviation", "skewness", "excess_kurtosis")
_OF_METERS = ("hold", "fixed_return")


def summary(analysis: Analysis) -> str:
    """Sum a bet up on one line, by its wager alone: what an option brings may take long.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> summary(analyze(find("TRI-03"), Shoe(6)))
    'TRI-03, 6 decks: house edge 4.4124%, hit frequency 9.6761%'
    """
    paytable, edge = analysis.paytable, analysis.house_edge
    designed = "" if analysis.is_designed else f", not among the designed {paytable.decks_text}"
    up_text = f", {paytable.up} up" if paytable.up else ""
    option = f" (no {paytable.bet.option})" if paytable.bet.option else ""
    names = ["the meter" if name == "meter" else name for name in edge.unknowns]
    edge_text = f"depends on {' and '.join(names)}" if names else _written(edge, ".4%")
    hits = f"hit frequency {_written(analysis.hit_frequency, '.4%')}"
    return f"{paytable.id}, {analysis.shoe}{designed}{up_text}: house edge{option} {edge_text}, {hits}"


def html(analysis: Analysis, study_for: Callable[[str], Study]) -> str:
    """Give a bet as an HTML table of its awards and one of its figures."""
    paytable, ways = analysis.paytable, analysis.ways
    awards = [
        (row.award.name, str(row.award.pay), f"{row.ways:,}", _decimal(row.probability), _decimal(row.return_))
        for row in analysis.lines
    ]
    awards.append(("no award", "loses", f"{ways.losing:,}", _decimal(analysis.lose_probability), _decimal(0)))
    shown = [key for key in (*_PERCENTAGES, *_DECIMALS) if paytable.meters or key not in _OF_METERS]
    figures = [
        (row.label, _written(row.value, ".6%" if key in _PERCENTAGES else ".8f"))
        for key in shown
        for row in figure_values(study_for(key), key)
        if row.value is not None
    ]
    return (
        f"<p><b>{escape(paytable.title)}</b>, {escape(str(analysis.shoe))}</p>"
        + html_table(("Award", "Pays", "Ways", "Probability", "Return"), awards)
        + html_table(("Figure", "Value"), figures)
    )


def _decimal(value: Value) -> str:
    return _written(value, ".8f")


def _written(value: Value, spec: str) -> str:
    """Write a number to some digits; what is a formula stays one."""
    if isinstance(value, Polynomial):
        if not value.is_constant:
            return str(value)
        value = value.constant
    if isinstance(value, Span):
        return f"{_written(value.low, spec)} to {_written(value.high, spec)}"
    return format(value if value is None or isinstance(value, Surd) else Exact(value), spec)


def html_table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Write a table for a notebook, every text of it escaped."""
    head = "".join(f"<th>{escape(title)}</th>" for title in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def attribute(key: str) -> str:
    """Name a figure as Python can: `return` is a word of the language and gets an underscore."""
    return f"{key}_" if key == "return" else key


class Result:
    """The exact figures of a bet at a shoe, and its awards by name; what takes long is worked out when asked for.

    Figures stand on the basis that the program shows first: with best play where winnings may ride, else of the wager
    alone. `bases` tells which, and `house_edge_without_option` is always the wager's own. Where hands of one split
    ride, the variance is known between bounds: a `Span` with `low` and `high`.
    """

    if TYPE_CHECKING:
        house_edge: Fraction
        return_: Fraction
        expected_value: Fraction
        hold: Fraction
        hold_at_least: Fraction
        hold_at_most: Fraction
        fixed_return: Fraction
        return_without_top_award: Fraction
        hit_frequency: Fraction
        plays_per_hit: Fraction | None
        push_rate: Fraction
        edge_per_resolved_bet: Fraction | None
        mean_win: Fraction | None
        variance: Fraction | Span
        standard_deviation: Surd | Span
        skewness: Surd | None
        excess_kurtosis: Fraction | None
        top_award_one_in: Fraction | None
        cycle: int

    def __init__(self, analysis: Analysis, work_out: partial[Study]) -> None:
        self.analysis = analysis
        self._work_out = work_out

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return self.analysis == other.analysis and self._work_out.args == other._work_out.args

    def __hash__(self) -> int:
        return hash((self.paytable.id, self.shoe))

    def __repr__(self) -> str:
        return f"<{summary(self.analysis)}>"

    def _repr_html_(self) -> str:
        return html(self.analysis, self.study_for)

    # What was asked

    @property
    def paytable(self) -> Paytable:
        """The bet's paytable."""
        return self.analysis.paytable

    @property
    def shoe(self) -> Shoe:
        """The shoe that cards come from."""
        return self.analysis.shoe

    @property
    def decks(self) -> int:
        """How many decks the shoe was made of."""
        return self.shoe.decks

    @property
    def meters(self) -> Mapping[str, Fraction]:
        """What the meters were said to show."""
        return self.analysis.meters

    @property
    def is_designed(self) -> bool:
        """Whether the paytable is meant for this deck count."""
        return self.analysis.is_designed

    # Awards

    @cached_property
    def awards(self) -> tuple[AwardResult, ...]:
        """The awards' figures, highest award first."""
        return tuple(AwardResult(line, self.analysis.open_meters) for line in self.analysis.lines)

    @property
    def losing(self) -> Likelihood:
        """The hands that no award takes."""
        return Likelihood("no award", self.analysis.ways.losing, self.analysis.ways.cycle)

    def __iter__(self) -> Iterator[AwardResult]:
        return iter(self.awards)

    def __len__(self) -> int:
        return len(self.awards)

    def __contains__(self, name: object) -> bool:
        return any(award.name.lower() == str(name).lower() for award in self.awards)

    def __getitem__(self, name: str | int) -> AwardResult:
        if isinstance(name, int):
            return self.awards[name]
        name = as_text(name, "the award")
        for award in self.awards:
            if award.name.lower() == name.strip().lower():
                return award
        names = [award.name for award in self.awards]
        hint = did_you_mean(name, names) or f"; its awards are {', '.join(names)}"
        raise NoAwardError(f"{self.paytable.id} has no award {quoted(name)}{hint}")

    # Figures

    @cached_property
    def study(self) -> Study:
        """Everything that the program knows of the bet, an option played as well as possible."""
        if self.paytable.bet.option and self.analysis.open_meters:
            option = f"what the {self.paytable.bet.option} brings"
            raise NeedsMeterError(option, self.analysis.open_meters, "house_edge_without_option")
        return self._work_out()

    @property
    def basis(self) -> Basis:
        """What the house edge stands on: `best play` where winnings may ride, else `wager alone` or the meters."""
        return Basis.BEST if self.paytable.bet.option else self._alone.basis

    @property
    def bases(self) -> dict[str, str]:
        """What each figure stands on."""
        return {attribute(key): str(next(figure_values(self.study_for(key), key)).basis) for key in FIGURES}

    @property
    def house_edge_without_option(self) -> Fraction:
        """What the house keeps of the wager alone, nothing riding."""
        edge: Fraction = number(self.analysis.house_edge, "house_edge_without_option", self.analysis.open_meters)
        return edge

    @property
    def return_without_option(self) -> Fraction:
        """What comes back for the wager alone, nothing riding."""
        return 1 - self.house_edge_without_option

    @property
    def variance_without_option(self) -> Fraction:
        """The variance of the wager alone, nothing riding."""
        variance: Fraction = number(self.analysis.variance, "variance_without_option", self.analysis.open_meters)
        return variance

    @property
    def standard_deviation_without_option(self) -> Surd:
        """The standard deviation of the wager alone, nothing riding."""
        return Surd(Fraction(self.variance_without_option))

    @property
    def in_meters(self) -> MeterFormulas:
        """The same figures as formulas in the meters whose amounts were not given."""
        figures: dict[str, partial[Value]] = {attribute(key): partial(Result._value, self, key) for key in FIGURES}
        for name in ("house_edge", "return", "variance"):
            figures[f"{name}_without_option"] = partial(getattr, self.analysis, attribute(name))
        return MeterFormulas(figures)

    @property
    def distribution(self) -> Distribution:
        """Each result of a wager of one, alone, with its probability."""
        return self.analysis.distribution

    def with_pays(self, pays: Sequence[Sequence[Fraction | int]] | NDArray[np.int64]) -> PayVariants:
        """The wager alone with many ladders of pays, a hundred thousand in less than a second.

        Each is a row of what every award pays to 1, in ladder order; the answer has `house_edges` and `variances`, an
        exact number for each row.

        >>> from combinat import analyze
        >>> variants = analyze("TRI-03", 6).with_pays([[100, 35, 33, 10, 4], [100, 35, 33, 10, 5]])
        >>> [f"{edge:.4%}" for edge in variants.house_edges]
        ['10.2548%', '4.4124%']
        """
        if self.paytable.wheels:
            raise InputError(f"{self.paytable.id} has a wheel; pays that it multiplies cannot be given as numbers")
        from combinat.analysis.batch import PayVariants  # it loads numpy

        return PayVariants(self.analysis.ways, pays)

    @cached_property
    def _alone(self) -> Study:
        return Study(self.analysis)

    def study_for(self, key: str) -> Study:
        """Take the study that a figure needs: most do not ask what an option brings, which takes long."""
        return self.study if FIGURES[key].on.keys() & {Basis.BEST, Basis.LONG_RUN} else self._alone

    def _value(self, key: str) -> Value:
        return headline(self.study_for(key), key)

    def _figure(self, key: str) -> Any:
        value, name, analysis = self._value(key), attribute(key), self.analysis
        if value is None:
            self._explain_lack(key)
        return number(value, name, analysis.open_meters)

    def _explain_lack(self, key: str) -> None:
        """Say why there is no figure, if one would expect it."""
        name, meters = attribute(key), self._alone.meters
        if key == "hold":
            if meters is None:
                raise InputError(f"hold: nothing is known of how the meters of {self.paytable.id} are run")
            raise InputError(f"hold: {self.paytable.id} has no closed form of it; take hold_at_least and hold_at_most")
        if Basis.LONG_RUN not in FIGURES[key].on and not self.distribution.is_known:
            raise NeedsMeterError(name, self.analysis.open_meters, "variance")


class NoAwardError(InputError, KeyError):
    """A paytable has no award of that name."""

    def __str__(self) -> str:
        return ValueError.__str__(self)


def _property(key: str) -> property:
    return property(lambda self: self._figure(key), doc=f"{FIGURES[key].label}.")


for _key in FIGURES:
    setattr(Result, attribute(_key), _property(_key))
