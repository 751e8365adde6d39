"""The result of `analyze`: awards and figures as exact numbers, a one-line summary, and HTML tables for notebooks.

Figures have the same names as in JSON and on sheets. A figure that depends on a meter of unknown value raises an error
that says what to pass; `in_meters` has the figures as formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar

from combinat.analysis.analysis import Analysis, AwardLine
from combinat.api.net_distribution import NetDistribution
from combinat.bets.pay import Pay
from combinat.bets.paytable import Paytable
from combinat.exact.distribution import Likelihood
from combinat.exact.interval import Interval
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Exact, Surd
from combinat.figures import ANSWER_GROUPS, FIGURES, Figure, Value, figure_values, figures_in, headline_value
from combinat.requests.arguments import text_argument
from combinat.results.analysis import AnalysisAnswer
from combinat.results.html import html_table
from combinat.study import Basis, Study
from decks import InputError, Shoe, did_you_mean
from decks.errors import quote

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from combinat.analysis.batch import PayVariants


def exact_value(value: Value) -> Value:
    """Return a formula without meters as a number that formats like a float; any other value as it is."""
    if isinstance(value, Polynomial) and value.is_constant:
        value = value.constant
    return Exact(value) if isinstance(value, Fraction) else value


def as_number(value: Value, name: str, open_meters: tuple[str, ...]) -> Any:
    """Convert a value to an exact number; raise `NeedsMeterError` if it depends on a meter of unknown value."""
    if isinstance(value, Polynomial) and not value.is_constant:
        raise NeedsMeterError(name, open_meters)
    return exact_value(value)


class NeedsMeterError(InputError):
    """Raised if a figure depends on a meter of unknown value."""

    def __init__(self, name: str, meters: tuple[str, ...], formula: str = "") -> None:
        example = ", ".join(f"'{meter}': amount" for meter in meters)
        super().__init__(
            f"{name} depends on the amount of the meter{'s' if len(meters) > 1 else ''}; give "
            f"meters={{{example}}}, or use the formula in_meters.{formula or name}"
        )


class MeterFormulas:
    """Figures as formulas in the meters of unknown value, as attributes."""

    def __init__(self, values: Mapping[str, partial[Value]]) -> None:
        self._values = values

    def __eq__(self, other: object) -> bool:
        return self._partials == other._partials if isinstance(other, MeterFormulas) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self._values))

    @property
    def _partials(self) -> dict[str, tuple[Any, ...]]:
        """The function and arguments that compute each figure, for comparison."""
        return {name: (value.func, *value.args) for name, value in self._values.items()}

    def __repr__(self) -> str:
        return f"<formulas in the meters: {', '.join(list(self._values)[:3])}{', …' * (len(self._values) > 3)}>"

    def __getattr__(self, name: str) -> Polynomial | Surd | Interval[Fraction | Surd] | None:
        if name.startswith("_"):
            raise AttributeError(name)  # including `_values`, which a copy does not have yet
        if name not in self._values:
            raise AttributeError(f"no figure {name!r}{did_you_mean(name, self._values)}")
        value = self._values[name]()
        return Polynomial.of(value) if isinstance(value, (int, Fraction)) else value

    def __dir__(self) -> list[str]:
        return list(self._values)


_MAX_SHOWN_CYCLE = 10**15


class LikelihoodResult(Likelihood, frozen=True):
    """The ways of some hands among all, with their probability and odds."""

    number_type: ClassVar[type[Fraction]] = Exact

    name: str

    def __hash__(self) -> int:
        return hash((type(self), self.name, self.ways, self.cycle))

    def __repr__(self) -> str:
        return f"<{self.name}: {self._ways_text}>"

    @property
    def _ways_text(self) -> str:
        """Ways and probability; ways are omitted if the cycle is too large to be informative."""
        ways = f"{self.ways:,} of {self.cycle:,} ways, " if self.cycle < _MAX_SHOWN_CYCLE else ""
        return f"{ways}probability {self.probability:.6g}"


class AwardResult(LikelihoodResult, frozen=True):
    """The figures of one award: ways, probability, pay, and contribution to the return."""

    _line: AwardLine
    _open_meters: tuple[str, ...]

    @classmethod
    def of(cls, line: AwardLine, open_meters: tuple[str, ...]) -> AwardResult:
        """Return the figures of a line of an analysis."""
        return cls(line.ways, line.cycle, line.award.name, line, open_meters)

    def __hash__(self) -> int:
        return super().__hash__()

    def __repr__(self) -> str:
        return f"<{self.name}, {self.pays}: {self._ways_text}>"

    @property
    def pays(self) -> Pay:
        """The pay of the award; as text it is written as in the paytable."""
        return self._line.award.pay

    @property
    def rule(self) -> str:
        """The rule that a hand must match."""
        return str(self._line.award.rule)

    @property
    def inclusive_count(self) -> int:
        """The inclusive count: ways of all hands that match the rule, including those paid by a higher award."""
        return self._line.matches

    @property
    def gross(self) -> Fraction:
        """The total returned for a wager of 1."""
        return self._number("gross", self._line.gross)

    @property
    def net(self) -> Fraction:
        """The profit for a wager of 1."""
        return self._number("net", self._line.net)

    @property
    def return_(self) -> Fraction:
        """The contribution of the award to the return."""
        return self._number("return_", self._line.return_)

    @property
    def in_meters(self) -> MeterFormulas:
        """The figures of the award as formulas in the meters of unknown value."""
        line = self._line
        return MeterFormulas({name: partial(getattr, line, name) for name in ("gross", "net", "return_")})

    def _number(self, name: str, value: Polynomial) -> Fraction:
        number: Fraction = as_number(value, name, self._open_meters)
        return number


_OF_METERS = ("hold", "fixed_return")
"""Figures that differ from others only for bets with meters."""
_FORMATS = {"percent": ".6%", "decimal": ".8f"}


def summarize(analysis: Analysis) -> str:
    """Return a one-line summary of the wager alone; solving an option may be slow.

    >>> from combinat.analysis.analysis import analyze_wager
    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> summarize(analyze_wager(get_paytable("TRI-03"), Shoe(6)))
    'TRI-03, 6 decks: house edge 4.4124%, hit frequency 9.6761%'
    """
    paytable, edge = analysis.paytable, analysis.house_edge
    deck_note = "" if analysis.is_designed else f", not among the designed {paytable.decks_text}"
    up_text = f", {paytable.up} up" if paytable.up else ""
    option = " (wager alone)" if paytable.bet.option else ""
    names = ["the meter" if name == "meter" else name for name in edge.unknowns]
    edge_text = f"depends on {' and '.join(names)}" if names else format_value(edge, ".4%")
    hit_text = f"hit frequency {format_value(analysis.hit_frequency, '.4%')}"
    return f"{paytable.id}, {analysis.shoe}{deck_note}{up_text}: house edge{option} {edge_text}, {hit_text}"


def render_html(analysis: Analysis, study_for: Callable[[str], Study]) -> str:
    """Return an HTML table of the awards and one of the figures."""
    paytable, ways = analysis.paytable, analysis.ways
    awards = [
        (
            row.award.name,
            str(row.award.pay),
            f"{row.ways:,}",
            _format_decimal(row.probability),
            _format_decimal(row.return_),
        )
        for row in analysis.lines
    ]
    awards.append(
        ("no award", "loses", f"{ways.losing:,}", _format_decimal(analysis.lose_probability), _format_decimal(0))
    )
    shown = figures_in(*ANSWER_GROUPS)
    figures = [
        (row.label, format_value(row.value, _FORMATS[figure.style]))
        for figure in shown
        if paytable.meters or figure.key not in _OF_METERS
        for row in figure_values(study_for(figure.key), figure.key)
        if row.value is not None
    ]
    return (
        f"<p><b>{escape(paytable.title)}</b>, {escape(str(analysis.shoe))}</p>"
        + html_table(("Award", "Pays", "Ways", "Probability", "Return"), awards)
        + html_table(("Figure", "Value"), figures)
    )


def format_figure(study: Study, figure: Figure) -> str:
    """Format a figure of a study in its own style; empty if it has no value."""
    value = headline_value(study, figure.key)
    return "" if value is None else format_value(value, _FORMATS[figure.style])


def _format_decimal(value: Value) -> str:
    return format_value(value, ".8f")


def format_value(value: Value, spec: str) -> str:
    """Format a number with a format spec; a formula is printed as it is."""
    if isinstance(value, Polynomial):
        if not value.is_constant:
            return str(value)
        value = value.constant
    if isinstance(value, Interval):
        return f"{format_value(value.low, spec)} to {format_value(value.high, spec)}"
    return format(value if value is None or isinstance(value, Surd) else Exact(value), spec)


class Result:
    """The exact figures of a bet at a shoe, and its awards by name; slow figures are computed on first access.

    Figures are on the headline basis: best play where winnings may be parlayed, otherwise the wager alone. `bases` has
    the basis of each, and `house_edge_without_option` is always for the wager alone. Where split hands are parlayed,
    only bounds of the variance are known: `variance_bounds` and `standard_deviation_bounds`, with `low` and `high`.
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
        variance: Fraction
        standard_deviation: Surd
        skewness: Surd | None
        excess_kurtosis: Fraction | None
        top_award_one_in: Fraction | None
        cycle: int

    def __init__(self, analysis: Analysis, build_study: partial[Study]) -> None:
        self.analysis = analysis
        self._build_study = build_study

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return self.analysis == other.analysis and self._build_study.args == other._build_study.args

    def __hash__(self) -> int:
        return hash((self.paytable.id, self.shoe))

    def __repr__(self) -> str:
        return f"<{summarize(self.analysis)}>"

    def _repr_html_(self) -> str:
        return render_html(self.analysis, self.study_for)

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as JSON data: what `combinat analyze --format json` prints.

        >>> from combinat import analyze
        >>> analyze("TRI-03", 6).to_dict()["house_edge"]
        '2127/48205'
        """
        return AnalysisAnswer.of(self.study).to_dict()

    # The request

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
        """The number of decks of the shoe."""
        return self.shoe.decks

    @property
    def meters(self) -> Mapping[str, Fraction]:
        """The given meter values."""
        return self.analysis.meters

    @property
    def is_designed(self) -> bool:
        """Whether the paytable is designed for this deck count."""
        return self.analysis.is_designed

    # Awards

    @cached_property
    def awards(self) -> tuple[AwardResult, ...]:
        """The figures of the awards, highest award first."""
        return tuple(AwardResult.of(line, self.analysis.open_meters) for line in self.analysis.lines)

    @property
    def losing(self) -> LikelihoodResult:
        """The losing hands."""
        return LikelihoodResult(self.analysis.ways.losing, self.analysis.ways.cycle, "no award")

    def __iter__(self) -> Iterator[AwardResult]:
        return iter(self.awards)

    def __len__(self) -> int:
        return len(self.awards)

    def __contains__(self, name: object) -> bool:
        return any(award.name.lower() == str(name).lower() for award in self.awards)

    def __getitem__(self, name: str | int) -> AwardResult:
        if isinstance(name, int):
            return self.awards[name]
        name = text_argument(name, "the award")
        for award in self.awards:
            if award.name.lower() == name.strip().lower():
                return award
        names = [award.name for award in self.awards]
        hint = did_you_mean(name, names) or f"; its awards are {', '.join(names)}"
        raise NoAwardError(f"{self.paytable.id} has no award {quote(name)}{hint}")

    # Figures

    @cached_property
    def study(self) -> Study:
        """The full study of the bet, with best play of its option."""
        if self.paytable.bet.option and self.analysis.open_meters:
            option = f"the gain of the {self.paytable.bet.option}"
            raise NeedsMeterError(option, self.analysis.open_meters, "house_edge_without_option")
        return self._build_study()

    @property
    def basis(self) -> Basis:
        """The basis of the house edge: `best play` if winnings may be parlayed, else `wager alone` or the meters."""
        return Basis.BEST if self.paytable.bet.option else self._alone.basis

    @property
    def bases(self) -> dict[str, str]:
        """The basis of each figure."""
        return {FIGURES[key].attribute: str(next(figure_values(self.study_for(key), key)).basis) for key in FIGURES}

    @property
    def house_edge_without_option(self) -> Fraction:
        """The house edge of the wager alone, without parlay."""
        edge: Fraction = as_number(self.analysis.house_edge, "house_edge_without_option", self.analysis.open_meters)
        return edge

    @property
    def return_without_option(self) -> Fraction:
        """The return of the wager alone, without parlay."""
        return 1 - self.house_edge_without_option

    @property
    def variance_without_option(self) -> Fraction:
        """The variance of the wager alone, without parlay."""
        variance: Fraction = as_number(self.analysis.variance, "variance_without_option", self.analysis.open_meters)
        return variance

    @property
    def standard_deviation_without_option(self) -> Surd:
        """The standard deviation of the wager alone, without parlay."""
        return Surd(Fraction(self.variance_without_option))

    @property
    def variance_bounds(self) -> Interval[Fraction]:
        """The bounds of the variance; both are equal where it is known exactly."""
        bounds: Interval[Fraction] = self._bounds("variance")
        return bounds

    @property
    def standard_deviation_bounds(self) -> Interval[Surd]:
        """The bounds of the standard deviation; both are equal where it is known exactly."""
        bounds: Interval[Surd] = self._bounds("standard_deviation")
        return bounds

    def _bounds(self, key: str) -> Any:
        value = self._value(key)
        return value if isinstance(value, Interval) else Interval(self._figure(key), self._figure(key))

    @property
    def in_meters(self) -> MeterFormulas:
        """The figures as formulas in the meters of unknown value."""
        figures: dict[str, partial[Value]] = {
            figure.attribute: partial(Result._value, self, figure.key) for figure in FIGURES.values()
        }
        for name in ("house_edge", "return", "variance"):
            figures[f"{name}_without_option"] = partial(getattr, self.analysis, FIGURES[name].attribute)
        return MeterFormulas(figures)

    @property
    def distribution(self) -> NetDistribution:
        """The distribution of the net result of a wager of 1, without parlay: exact probabilities by exact result."""
        if not self.analysis.distribution.is_numeric:
            raise NeedsMeterError("distribution", self.analysis.open_meters, "variance")
        return NetDistribution(self.analysis.distribution)

    def with_pays(self, pays: Sequence[Sequence[Fraction | int]] | NDArray[np.int64]) -> PayVariants:
        """Return the wager alone with many sets of pays, a hundred thousand in less than a second.

        Each is a row of what every award pays to 1, in ladder order; the result has `house_edges` and `variances`, an
        exact number for each row.

        >>> from combinat import analyze
        >>> variants = analyze("TRI-03", 6).with_pays([[100, 35, 33, 10, 4], [100, 35, 33, 10, 5]])
        >>> [f"{edge:.4%}" for edge in variants.house_edges]
        ['10.2548%', '4.4124%']
        """
        if self.paytable.wheels:
            raise InputError(f"{self.paytable.id} has a wheel; its pays cannot be given as numbers")
        from combinat.analysis.batch import PayVariants  # imports numpy, which is slow

        return PayVariants(self.analysis.ways, pays)

    @cached_property
    def _alone(self) -> Study:
        return Study(self.analysis)

    def study_for(self, key: str) -> Study:
        """Return the study that a figure needs; most figures do not need the option, which is slow to solve."""
        return self.study if FIGURES[key].on.keys() & {Basis.BEST, Basis.LONG_RUN} else self._alone

    def _value(self, key: str) -> Value:
        return headline_value(self.study_for(key), key)

    def _figure(self, key: str) -> Any:
        value, name, analysis = self._value(key), FIGURES[key].attribute, self.analysis
        if value is None:
            self._raise_if_missing(key)
        if isinstance(value, Interval):
            raise InputError(f"{name} of {self.paytable.id} is known between bounds only; use {name}_bounds")
        return as_number(value, name, analysis.open_meters)

    def _raise_if_missing(self, key: str) -> None:
        """Raise an error that explains a missing figure, unless `None` is a proper value."""
        name, meters = FIGURES[key].attribute, self._alone.meters
        if key == "hold":
            if meters is None:
                raise InputError(f"hold: the meters of {self.paytable.id} have no terms (seed and rate)")
            raise InputError(f"hold: {self.paytable.id} has no exact value; use hold_at_least and hold_at_most")
        if Basis.LONG_RUN not in FIGURES[key].on and not self.analysis.distribution.is_numeric:
            raise NeedsMeterError(name, self.analysis.open_meters, "variance")


class NoAwardError(InputError, KeyError):
    """Raised if a paytable has no award with that name."""

    def __str__(self) -> str:
        return ValueError.__str__(self)


def _figure_property(key: str) -> property:
    return property(lambda self: self._figure(key), doc=FIGURES[key].meaning)


for _key in FIGURES:
    setattr(Result, FIGURES[_key].attribute, _figure_property(_key))
