"""The registry of figures: key, label, meaning, exact value and style of each, for answers, sheets and workbooks.

The key is the name in JSON, and the label is the text that readers see; both are the same everywhere. Where a bet has a
figure on several bases, each value states its basis.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from keyword import iskeyword
from typing import Literal

from msgspec import Struct

from combinat.analysis.basis import PlayResult
from combinat.analysis.exposure import jackpot_odds, largest_win, second_prize
from combinat.analysis.outlook import CONFIDENCE, volatility_index
from combinat.exact.interval import Interval
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.study import Basis, Study

Value = int | Fraction | Polynomial | Surd | Interval[Fraction | Surd] | None


Style = Literal["percent", "decimal", "odds", "money", "count"]
"""How a figure is printed."""


class Group(StrEnum):
    """A place that shows a group of figures; a figure that names the group is shown there without further code."""

    HEADLINE = "headline"
    """The first figures of an answer."""
    FIXED_PAYS = "fixed pays"
    """Figures of the pays that are not from a meter; an answer has them before the other figures."""
    ANSWER = "answer"
    """The other figures of an answer."""
    SHEET = "sheet"
    """More figures of a par sheet."""
    COMPARISON = "comparison"
    """Figures in which paytables are compared."""


class Figure(Struct, frozen=True):
    """A figure: its key and label, the function that computes it on each possible basis, and how it is shown."""

    key: str
    label: str
    on: Mapping[Basis, Callable[[Study], Value]]
    meaning: str
    """One sentence that says what the figure is."""
    style: Style
    groups: tuple[Group, ...] = ()
    is_optional: bool = False
    """Whether some bets have no value, such as the mean win of a bet that cannot win."""
    is_root: bool = False
    """Whether the value is a square root; such figures are compared by their ratio."""
    cell: str = ""
    """The name of the figure's cell in a workbook."""
    formula: str = ""
    """The formula of the figure over the named cells of a workbook."""

    @property
    def attribute(self) -> str:
        """The name of the figure as a Python attribute: `return` is a keyword and gets an underscore."""
        return f"{self.key}_" if iskeyword(self.key) else self.key


class FigureValue(Struct, frozen=True):
    """The value of a figure of a study on one basis."""

    key: str
    label: str
    basis: Basis
    value: Value


def _wager_alone(value: Callable[[Study], Value]) -> Mapping[Basis, Callable[[Study], Value]]:
    """Return the basis of a figure that exists for the wager alone only."""
    return {Basis.WAGER: value}


def _both_bases(
    best: Callable[[Study], Value], alone: Callable[[Study], Value]
) -> Mapping[Basis, Callable[[Study], Value]]:
    """Return the bases of a figure that exists with best play of an option and for the wager alone."""
    return {Basis.BEST: best, Basis.WAGER: alone}


def _best_play_result(study: Study) -> PlayResult:
    """Return the result of a play with best play of the option."""
    return study.results[0]


def _largest_win(study: Study) -> Value:
    """Return the largest net win of a wager of 1, without parlay; `None` if a meter's value is unknown."""
    top_line = largest_win(study.analysis)
    return top_line.highest.constant - 1 if top_line else None


def _hold_bound(key: str, label: str, side: str, end: Callable[[Interval[Fraction]], Fraction]) -> Figure:
    """Build the figure of one end of the bounds of the hold, where the hold has no closed form."""

    def bound(study: Study) -> Value:
        return None if study.meters is None or study.meters.has_closed_form else end(study.meters.hold_bounds)

    meaning = f"The {side} bound of the hold, where the hold has no closed form."
    return Figure(key, label, {Basis.LONG_RUN: bound}, meaning, "percent")


def _mispaid_unit_figure(key: str, unit: str, mispaid_unit: str) -> Figure:
    """Build the figure of the change of the edge if all wins in `unit` are paid in `mispaid_unit`."""
    return Figure(
        key,
        f'Change of the edge, "{unit}" paid as "{mispaid_unit}"',
        _both_bases(
            lambda study: study.edge_change_in_unit(unit),
            lambda study: Study(study.analysis).edge_change_in_unit(unit),
        ),
        f"The change of the house edge if every win {unit} is paid {mispaid_unit} by mistake.",
        "percent",
    )


def _volatility(percent: int) -> Figure:
    """Build the figure of the volatility index at a confidence level of `percent`."""
    confidence = Fraction(percent, 100)
    return Figure(
        f"volatility_index_{percent}",
        f"Volatility index, {percent}%",
        _both_bases(
            lambda study: volatility_index(_best_play_result(study).standard_deviation, confidence),
            lambda study: volatility_index(study.analysis.standard_deviation, confidence),
        ),
        f"The standard deviation times the quantile of the normal distribution for a confidence of {percent}%.",
        "decimal",
        (Group.COMPARISON,) if percent == CONFIDENCE * 100 else (),
        is_root=True,
        cell=f"VolatilityIndex_{percent}",
        formula=f"z_{percent}*StandardDeviation",
    )


_CENTRAL_MOMENT = "SUMPRODUCT(Probability,(NetPay-ExpectedValue)^{0})/StandardDeviation^{0}"

_FIGURES = (
    Figure(
        "house_edge",
        "House edge",
        _both_bases(lambda study: study.house_edge, lambda study: study.analysis.house_edge),
        "The mean loss of the player per wager of 1.",
        "percent",
        (Group.HEADLINE, Group.COMPARISON),
        cell="HouseEdge",
        formula="1-ReturnTotal",
    ),
    Figure(
        "return",
        "Return",
        _both_bases(lambda study: study.return_, lambda study: study.analysis.return_),
        "The mean amount paid to the player per wager of 1, including the wager itself.",
        "percent",
        (Group.HEADLINE,),
        cell="ReturnTotal",
        formula="SUM(Return)",
    ),
    Figure(
        "expected_value",
        "Expected value",
        _both_bases(lambda study: -study.house_edge, lambda study: -study.analysis.house_edge),
        "The mean net result of the player per wager of 1: the house edge with the sign reversed.",
        "decimal",
        (Group.SHEET,),
        cell="ExpectedValue",
        formula="SUM(NetShare)",
    ),
    Figure(
        "hold",
        "Hold in the long run",
        {Basis.LONG_RUN: lambda study: study.hold},
        "The share of all wagers that the house keeps in the long run, after contributions to meters.",
        "percent",
        (Group.ANSWER, Group.COMPARISON),
        is_optional=True,
    ),
    _hold_bound("hold_at_least", "Hold in the long run, at least", "lower", lambda bounds: bounds.low),
    _hold_bound("hold_at_most", "Hold in the long run, at most", "upper", lambda bounds: bounds.high),
    Figure(
        "fixed_return",
        "Return of the fixed pays",
        _wager_alone(lambda study: study.analysis.fixed_return),
        "The return of the awards that do not pay from a meter.",
        "percent",
        (Group.FIXED_PAYS,),
    ),
    Figure(
        "return_without_top_award",
        "Return without the top award",
        _wager_alone(lambda study: study.analysis.return_without_top),
        "The return of all awards but those with the highest pay.",
        "percent",
        (Group.SHEET,),
    ),
    Figure(
        "hit_frequency",
        "Hit frequency",
        _wager_alone(lambda study: study.analysis.hit_frequency),
        "The probability that a wager wins; a push is not a win.",
        "percent",
        (Group.ANSWER, Group.COMPARISON),
        cell="HitFrequency",
        formula='SUMIF(NetPay,">0",Probability)',
    ),
    Figure(
        "plays_per_hit",
        "Plays per hit",
        _wager_alone(lambda study: study.analysis.plays_per_hit),
        "The mean number of plays per win.",
        "odds",
        (Group.SHEET,),
        is_optional=True,
        cell="PlaysPerHit",
        formula='IF(HitFrequency=0,"none",1/HitFrequency)',
    ),
    Figure(
        "push_rate",
        "Push rate",
        _wager_alone(lambda study: study.analysis.push_rate),
        "The probability that exactly the wager is returned.",
        "percent",
        (Group.ANSWER, Group.COMPARISON),
        cell="PushRate",
        formula="SUMIF(NetPay,0,Probability)",
    ),
    Figure(
        "edge_per_resolved_bet",
        "House edge per resolved bet",
        _wager_alone(lambda study: study.analysis.edge_per_resolved_bet),
        "The house edge per wager that wins or loses, without pushes.",
        "percent",
        (Group.SHEET,),
        is_optional=True,
        cell="HouseEdgeResolved",
        formula='IF(PushRate=1,"none",HouseEdge/(1-PushRate))',
    ),
    Figure(
        "mean_win",
        "Mean win when winning",
        _wager_alone(lambda study: study.analysis.mean_win),
        "The mean net win of the wagers that win.",
        "decimal",
        (Group.ANSWER,),
        is_optional=True,
        cell="MeanWin",
        formula='IF(HitFrequency=0,"none",SUMIF(NetPay,">0",NetShare)/HitFrequency)',
    ),
    Figure(
        "variance",
        "Variance",
        _both_bases(lambda study: _best_play_result(study).variance_or_bounds, lambda study: study.analysis.variance),
        "The variance of the net result of a wager of 1.",
        "decimal",
        (Group.ANSWER,),
        is_optional=True,
        cell="Variance",
        formula="SUM(SquareShare)-ExpectedValue^2",
    ),
    Figure(
        "standard_deviation",
        "Standard deviation",
        _both_bases(
            lambda study: _best_play_result(study).standard_deviation,
            lambda study: study.analysis.standard_deviation,
        ),
        "The standard deviation of the net result of a wager of 1.",
        "decimal",
        (Group.ANSWER, Group.COMPARISON),
        is_optional=True,
        is_root=True,
        cell="StandardDeviation",
        formula="SQRT(Variance)",
    ),
    Figure(
        "skewness",
        "Skewness",
        _wager_alone(lambda study: study.analysis.skewness),
        "The third central moment of the net result, divided by the cube of the standard deviation.",
        "decimal",
        (Group.ANSWER,),
        is_optional=True,
        cell="Skewness",
        formula=f'IF(Variance=0,"none",{_CENTRAL_MOMENT.format(3)})',
    ),
    Figure(
        "excess_kurtosis",
        "Excess kurtosis",
        _wager_alone(lambda study: study.analysis.excess_kurtosis),
        "The fourth central moment of the net result, divided by the square of the variance, less 3.",
        "decimal",
        (Group.ANSWER,),
        is_optional=True,
        cell="ExcessKurtosis",
        formula=f'IF(Variance=0,"none",{_CENTRAL_MOMENT.format(4)}-3)',
    ),
    *map(_volatility, (90, 95, 99)),
    Figure(
        "top_award_one_in",
        "Top award: once in",
        _wager_alone(lambda study: study.analysis.top_one_in),
        "The mean number of plays per award with the highest pay; awards that tie for it count together.",
        "odds",
    ),
    Figure(
        "largest_win",
        "Largest win",
        _both_bases(lambda study: study.option.largest_win.net if study.option else None, _largest_win),
        "The largest net win of a wager of 1.",
        "money",
    ),
    Figure(
        "spot_covariance",
        "Covariance of two spots",
        _wager_alone(lambda study: study.spots.covariance if study.spots else None),
        "The covariance of the net results of two spots in the same round.",
        "decimal",
    ),
    Figure(
        "spot_correlation",
        "Correlation of two spots",
        _wager_alone(lambda study: study.spots.correlation if study.spots else None),
        "The correlation of the net results of two spots in the same round.",
        "decimal",
    ),
    Figure(
        "seven_spots",
        "Standard deviation of seven spots together",
        _wager_alone(
            lambda study: study.spots.standard_deviation_of(7) if study.spots and study.spots.max_spots >= 7 else None
        ),
        "The standard deviation of the total net result of seven spots in the same round.",
        "decimal",
    ),
    Figure(
        "long_run_return",
        "Return in the long run",
        {Basis.LONG_RUN: lambda study: None if study.hold is None else 1 - study.hold},
        "The share of all wagers that players get back in the long run.",
        "percent",
    ),
    Figure(
        "jackpot_odds",
        "Longest odds of a meter",
        _wager_alone(lambda study: jackpot_odds(study.analysis)),
        "The mean number of plays per hit of the meter that is hit least often.",
        "odds",
    ),
    Figure(
        "second_prize",
        "Second largest win of fixed pays",
        _wager_alone(lambda study: second_prize(study.analysis)),
        "The second largest net win among the awards that do not pay from a meter.",
        "odds",
    ),
    _mispaid_unit_figure("to_as_for", "to 1", "for 1"),
    _mispaid_unit_figure("for_as_to", "for 1", "to 1"),
    Figure(
        "cycle",
        "Cycle",
        _wager_alone(lambda study: study.analysis.ways.cycle),
        "The number of equally likely hands.",
        "count",
    ),
)
FIGURES: Mapping[str, Figure] = {figure.key: figure for figure in _FIGURES}
SECOND_BASIS = "{}_without_option"
"""Key of a figure on its second basis, the wager alone."""


def figures_in(*groups: Group) -> tuple[Figure, ...]:
    """Return the figures of some groups, group by group.

    >>> [figure.key for figure in figures_in(Group.HEADLINE)]
    ['house_edge', 'return']
    """
    return tuple(figure for group in groups for figure in _FIGURES if group in figure.groups)


ANSWER_GROUPS = (Group.HEADLINE, Group.FIXED_PAYS, Group.ANSWER)
"""The groups of the figures of an answer, in order."""
SHEET_GROUPS = (*ANSWER_GROUPS, Group.SHEET)
"""The groups of the figures of a par sheet, in order."""


def other_figures(groups: Iterable[Group], named: Collection[str]) -> tuple[str, ...]:
    """Return the keys of the figures of some groups that are not `named`: a page shows them after those that it names.

    >>> other_figures([Group.HEADLINE], {"return"})
    ('house_edge',)
    """
    return tuple(figure.key for figure in figures_in(*groups) if figure.key not in named)


def figure_values(study: Study, key: str) -> Iterator[FigureValue]:
    """Yield the values of a figure on every basis that applies to the study, the headline basis first."""
    figure = FIGURES[key]
    for basis, value in figure.on.items():
        if basis is Basis.BEST and study.option is None:
            continue
        label = figure.label
        if study.option is not None and len(figure.on) > 1:
            label = f"{label}, {basis}" if basis is Basis.BEST else label_without_option(key)
        yield FigureValue(key, label, _resolve_basis(study, basis), value(study))


def _resolve_basis(study: Study, basis: Basis) -> Basis:
    """Return the basis that a figure has in this study."""
    if basis is Basis.WAGER:
        return study.wager_basis
    if basis is Basis.LONG_RUN and study.option is not None and not study.paytable.meters:
        return Basis.BEST  # without meters, the hold is the edge with best play
    if basis is Basis.LONG_RUN and study.paytable.meters and study.result is not None:
        return study.result.basis if study.result.basis in (Basis.BOOKS, Basis.POSTED) else basis
    return basis


def label_without_option(key: str) -> str:
    """Return the label of a figure of the wager alone, beside one of best play with an option.

    >>> label_without_option("house_edge")
    'House edge, wager alone'
    """
    return f"{FIGURES[key].label}, {Basis.WAGER}"


def label_of_wager(study: Study, key: str) -> str:
    """Return the label of a figure of the wager alone, which says so if there is another with the option."""
    if study.option is None or len(FIGURES[key].on) == 1:
        return FIGURES[key].label
    return label_without_option(key)


def headline_value(study: Study, key: str) -> Value:
    """Return the value of a figure on its first basis."""
    return next(figure_values(study, key)).value
