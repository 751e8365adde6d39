"""Results at a glance: one line, and tables for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from combinat.analysis.analysis import Analysis
from combinat.exact.exact import Exact
from combinat.exact.polynomial import Polynomial
from combinat.exact.root import Root
from combinat.exact.span import Span
from combinat.figures import Value, stated
from combinat.study import Study

_PERCENTAGES = ("house_edge", "return", "hold", "fixed_return", "hit_frequency", "push_rate")
_DECIMALS = ("mean_win", "variance", "standard_deviation", "skewness", "excess_kurtosis")
_OF_METERS = ("hold", "fixed_return")


def summary(analysis: Analysis) -> str:
    """Sum a bet up on one line, by its wager alone: what an option brings may take long.

    >>> from combinat.analysis.analysis import analyze
    >>> from combinat.bets.lookup import find
    >>> from decks import Shoe
    >>> summary(analyze(find("TRI-03"), Shoe(6)))
    'TRI-03, 6 decks: house edge 4.4124%, hit frequency 9.6761%'
    """
    paytable, edge = analysis.paytable, analysis.house_edge
    designed = "" if analysis.is_designed else f", not among the designed {paytable.decks_text}"
    seen = f", {paytable.up} up" if paytable.up else ""
    option = f" (no {paytable.bet.option})" if paytable.bet.option else ""
    names = ["the meter" if name == "meter" else name for name in edge.unknowns]
    said = f"depends on {' and '.join(names)}" if names else _written(edge, ".4%")
    hits = f"hit frequency {_written(analysis.hit_frequency, '.4%')}"
    return f"{paytable.id}, {analysis.shoe}{designed}{seen}: house edge{option} {said}, {hits}"


def html(analysis: Analysis, study_for: Callable[[str], Study]) -> str:
    """Give a bet as an HTML table of its awards and one of its figures."""
    paytable, ways = analysis.paytable, analysis.ways
    awards = [
        (one.award.name, str(one.award.pay), f"{one.ways:,}", _decimal(one.probability), _decimal(one.return_))
        for one in analysis.lines
    ]
    awards.append(("no award", "loses", f"{ways.losing:,}", _decimal(analysis.lose_probability), _decimal(0)))
    shown = [key for key in (*_PERCENTAGES, *_DECIMALS) if paytable.meters or key not in _OF_METERS]
    figures = [
        (one.label, _written(one.value, ".6%" if key in _PERCENTAGES else ".8f"))
        for key in shown
        for one in stated(study_for(key), key)
        if one.value is not None
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
    return format(value if value is None or isinstance(value, Root) else Exact(value), spec)


def html_table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """Write a table for a notebook, every text of it escaped."""
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
