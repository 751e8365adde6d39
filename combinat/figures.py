"""Every figure's key, its label and its exact value: the one list that answers, sheets and workbooks read.

A key is what JSON calls the figure and a label what a reader is shown, the same everywhere. Where a bet has a figure on
several bases, each says its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from combinat.exact.polynomial import Polynomial
from combinat.exact.root import Root
from combinat.study import Basis, Study

Value = int | Fraction | Polynomial | Root | None


class Figure(Struct, frozen=True):
    """One figure: what it is called, and what it comes to on each basis that it can stand on."""

    key: str
    label: str
    on: Mapping[Basis, Callable[[Study], Value]]


class Stated(Struct, frozen=True):
    """A figure of a study on one basis, as it is stated."""

    key: str
    label: str
    basis: Basis
    value: Value


def _alone(key: str, label: str, value: Callable[[Study], Value]) -> Figure:
    """A figure of the wager alone."""
    return Figure(key, label, {Basis.WAGER: value})


_FIGURES = (
    Figure(
        "house_edge",
        "House edge",
        {Basis.BEST: lambda study: study.house_edge, Basis.WAGER: lambda study: study.analysis.house_edge},
    ),
    Figure(
        "return",
        "Return",
        {Basis.BEST: lambda study: study.return_, Basis.WAGER: lambda study: study.analysis.return_},
    ),
    Figure(
        "expected_value",
        "Expected value",
        {Basis.BEST: lambda study: -study.house_edge, Basis.WAGER: lambda study: -study.analysis.house_edge},
    ),
    Figure("hold", "Hold in the long run", {Basis.LONG_RUN: lambda study: study.hold}),
    _alone("fixed_return", "Return of the fixed pays", lambda study: study.analysis.fixed_return),
    _alone("return_without_top_award", "Return without the top award", lambda study: study.analysis.return_without_top),
    _alone("hit_frequency", "Hit frequency", lambda study: study.analysis.hit_frequency),
    _alone("plays_per_hit", "Plays per hit", lambda study: study.analysis.plays_per_hit),
    _alone("push_rate", "Push rate", lambda study: study.analysis.push_rate),
    _alone("edge_per_resolved_bet", "House edge per resolved bet", lambda study: study.analysis.edge_per_resolved_bet),
    _alone("mean_win", "Mean win when winning", lambda study: study.analysis.mean_win),
    _alone("variance", "Variance", lambda study: study.analysis.variance),
    _alone("standard_deviation", "Standard deviation", lambda study: study.analysis.standard_deviation),
    _alone("skewness", "Skewness", lambda study: study.analysis.skewness),
    _alone("excess_kurtosis", "Excess kurtosis", lambda study: study.analysis.excess_kurtosis),
    _alone("top_award_one_in", "Top award: once in", lambda study: study.analysis.top.one_in),
    _alone("cycle", "Cycle", lambda study: study.analysis.ways.cycle),
)
FIGURES: Mapping[str, Figure] = {figure.key: figure for figure in _FIGURES}


def stated(study: Study, key: str) -> Iterator[Stated]:
    """State a figure on every basis that the bet has it on, the headline's first."""
    figure = FIGURES[key]
    for basis, value in figure.on.items():
        if basis is Basis.BEST and study.option is None:
            continue
        label = figure.label
        if study.option is not None and len(figure.on) > 1:
            label += f", {'best' if basis is Basis.BEST else 'no'} {study.option.kind}"
        yield Stated(key, label, study.wager_basis if basis is Basis.WAGER else basis, value(study))


def headline(study: Study, key: str) -> Value:
    """Give a figure on the basis that comes first."""
    return next(stated(study, key)).value
