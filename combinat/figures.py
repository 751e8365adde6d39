"""The registry of figures: key, label and exact value of each, used by answers, sheets and workbooks.

The key is the name in JSON, and the label is the text that readers see; both are the same everywhere. Where a bet has a
figure on several bases, each value states its basis.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.basis import PlayResult
from combinat.analysis.exposure import jackpot_odds, largest_win, second_prize
from combinat.analysis.outlook import volatility_index
from combinat.exact.interval import Span
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.study import Basis, Study

Value = int | Fraction | Polynomial | Surd | Span | None


class Figure(Struct, frozen=True):
    """A figure: its key, its label, and the function that computes it on each possible basis."""

    key: str
    label: str
    on: Mapping[Basis, Callable[[Study], Value]]


class FigureValue(Struct, frozen=True):
    """The value of a figure of a study on one basis."""

    key: str
    label: str
    basis: Basis
    value: Value


def _wager_figure(key: str, label: str, value: Callable[[Study], Value]) -> Figure:
    """Build a figure of the wager alone."""
    return Figure(key, label, {Basis.WAGER: value})


def _figure_on_both_bases(
    key: str, label: str, best: Callable[[Study], Value], alone: Callable[[Study], Value]
) -> Figure:
    """Build a figure with best play of an option and for the wager alone."""
    return Figure(key, label, {Basis.BEST: best, Basis.WAGER: alone})


def _best_play_result(study: Study) -> PlayResult:
    """Return the result of a play with best play of the option."""
    return study.results[0]


def _largest_win(study: Study) -> Value:
    """Return the largest net win of a wager of 1, without parlay; `None` if a meter's value is unknown."""
    top = largest_win(study.analysis)
    return top.highest.constant - 1 if top else None


def _jackpot_odds(study: Study) -> Value:
    return jackpot_odds(study.analysis)


def _second_prize(study: Study) -> Value:
    return second_prize(study.analysis)


def _hold_bound(key: str, label: str, index: int) -> Figure:
    """Build the figure of a bound of the hold, where the hold has no closed form."""

    def bound(study: Study) -> Value:
        return None if study.meters is None or study.meters.has_closed_form else study.meters.hold_bounds[index]

    return Figure(key, label, {Basis.LONG_RUN: bound})


def _mispaid_unit_figure(key: str, unit: str, mispaid_unit: str) -> Figure:
    """Build the figure of the change of the edge if all wins in `unit` are paid in `mispaid_unit`."""
    return _figure_on_both_bases(
        key,
        f'Change of the edge, "{unit}" paid as "{mispaid_unit}"',
        lambda study: study.edge_change_in_unit(unit),
        lambda study: Study(study.analysis).edge_change_in_unit(unit),
    )


def _volatility(percent: int) -> Figure:
    """Build the figure of the volatility index at a confidence level; its z value is shown beside it."""

    def index(study: Study) -> Value:
        return volatility_index(study.analysis.standard_deviation, Fraction(percent, 100))

    def best(study: Study) -> Value:
        return volatility_index(_best_play_result(study).standard_deviation, Fraction(percent, 100))

    return _figure_on_both_bases(f"volatility_index_{percent}", f"Volatility index, {percent}%", best, index)


_FIGURES = (
    _figure_on_both_bases(
        "house_edge", "House edge", lambda study: study.house_edge, lambda study: study.analysis.house_edge
    ),
    _figure_on_both_bases("return", "Return", lambda study: study.return_, lambda study: study.analysis.return_),
    _figure_on_both_bases(
        "expected_value", "Expected value", lambda study: -study.house_edge, lambda study: -study.analysis.house_edge
    ),
    Figure("hold", "Hold in the long run", {Basis.LONG_RUN: lambda study: study.hold}),
    _hold_bound("hold_at_least", "Hold in the long run, at least", 0),
    _hold_bound("hold_at_most", "Hold in the long run, at most", 1),
    _wager_figure("fixed_return", "Return of the fixed pays", lambda study: study.analysis.fixed_return),
    _wager_figure(
        "return_without_top_award", "Return without the top award", lambda study: study.analysis.return_without_top
    ),
    _wager_figure("hit_frequency", "Hit frequency", lambda study: study.analysis.hit_frequency),
    _wager_figure("plays_per_hit", "Plays per hit", lambda study: study.analysis.plays_per_hit),
    _wager_figure("push_rate", "Push rate", lambda study: study.analysis.push_rate),
    _wager_figure(
        "edge_per_resolved_bet", "House edge per resolved bet", lambda study: study.analysis.edge_per_resolved_bet
    ),
    _wager_figure("mean_win", "Mean win when winning", lambda study: study.analysis.mean_win),
    _figure_on_both_bases(
        "variance", "Variance", lambda study: _best_play_result(study).spread, lambda study: study.analysis.variance
    ),
    _figure_on_both_bases(
        "standard_deviation",
        "Standard deviation",
        lambda study: _best_play_result(study).standard_deviation,
        lambda study: study.analysis.standard_deviation,
    ),
    _wager_figure("skewness", "Skewness", lambda study: study.analysis.skewness),
    _wager_figure("excess_kurtosis", "Excess kurtosis", lambda study: study.analysis.excess_kurtosis),
    *map(_volatility, (90, 95, 99)),
    _wager_figure("top_award_one_in", "Top award: once in", lambda study: study.analysis.top.one_in),
    _figure_on_both_bases(
        "largest_win",
        "Largest win",
        lambda study: study.option.largest.net if study.option else None,
        _largest_win,
    ),
    _wager_figure(
        "spot_covariance", "Covariance of two spots", lambda study: study.spots.covariance if study.spots else None
    ),
    _wager_figure(
        "spot_correlation", "Correlation of two spots", lambda study: study.spots.correlation if study.spots else None
    ),
    _wager_figure(
        "seven_spots",
        "Standard deviation of seven spots together",
        lambda study: study.spots.standard_deviation_of(7) if study.spots and study.spots.most >= 7 else None,
    ),
    Figure(
        "long_run_return",
        "Return in the long run",
        {Basis.LONG_RUN: lambda study: None if study.hold is None else 1 - study.hold},
    ),
    _wager_figure("jackpot_odds", "Longest odds of a meter", _jackpot_odds),
    _wager_figure("second_prize", "Second largest win of fixed pays", _second_prize),
    _mispaid_unit_figure("to_as_for", "to 1", "for 1"),
    _mispaid_unit_figure("for_as_to", "for 1", "to 1"),
    _wager_figure("cycle", "Cycle", lambda study: study.analysis.ways.cycle),
)
FIGURES: Mapping[str, Figure] = {figure.key: figure for figure in _FIGURES}


def figure_values(study: Study, key: str) -> Iterator[FigureValue]:
    """Yield the values of a figure on every basis that applies to the study, the headline basis first."""
    figure = FIGURES[key]
    for basis, value in figure.on.items():
        if basis is Basis.BEST and study.option is None:
            continue
        label = figure.label
        if study.option is not None and len(figure.on) > 1:
            kind = study.option.kind
            label = f"{label}, best {kind}" if basis is Basis.BEST else label_without_option(key, {kind})
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


def label_without_option(key: str, kinds: Collection[str]) -> str:
    """Return the label of a figure of the wager alone beside one with an option; `kinds` are the options shown.

    >>> label_without_option("house_edge", {"parlay"}), label_without_option("house_edge", {"parlay", "press"})
    ('House edge, no parlay', 'House edge, wager alone')
    """
    return f"{FIGURES[key].label}, {f'no {next(iter(kinds))}' if len(kinds) == 1 else Basis.WAGER}"


def label_of_wager(study: Study, key: str) -> str:
    """Return the label of a figure of the wager alone, which says so if there is another with the option."""
    if study.option is None or len(FIGURES[key].on) == 1:
        return FIGURES[key].label
    return label_without_option(key, {study.option.kind})


def headline_value(study: Study, key: str) -> Value:
    """Return the value of a figure on its first basis."""
    return next(figure_values(study, key)).value
