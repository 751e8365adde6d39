"""The headline of a sheet: the figures on one basis, both bases where there are two, and the pay table.

All figures of the headline are on the basis that the sheet is read for: the hold in the long run with meters, otherwise
the wager alone. Where a bet has a second basis (best play after a win, or one wager for each eligible hand), a table
states both with their difference, so that no figure stands beside one of another basis without saying so.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from combinat.analysis.basis import Basis
from combinat.analysis.outlook import CONFIDENCE, Z, volatility_index
from combinat.exact.interval import Interval
from combinat.exact.numbers import format_decimal
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd, SurdDifference
from combinat.figures import FIGURES, Value, headline_value
from combinat.study import Study
from reports.page.figures import STYLES, page_figures
from reports.page.model import Cell, Column, Figure, Section, Style, Styled, Table
from reports.page.numerals import format_fixed
from reports.sheet.sections.request import Request
from reports.tables.awards import IMPOSSIBLE, TRUE_ODDS, hold_figures, ladder_table
from reports.tables.headings import ANY_ROUND, EACH_ELIGIBLE_HAND, meter_units, top_award_text

TOP_AWARD = "top_award"
"""Key of the top award, as text."""
_VOLATILITY = f"volatility_index_{CONFIDENCE * 100}"
_BASIS_KEYS = ("house_edge", "return", "hit_frequency", "standard_deviation", _VOLATILITY)
"""Figures that are compared between two bases."""


def headline_figures(request: Request) -> tuple[Figure, ...]:
    """Return the headline figures, all on one basis."""
    study, analysis = request.study, request.analysis
    figures: list[Figure] = []
    if analysis.paytable.meters and analysis.paytable.up is None:
        figures += [*hold_figures(study), *page_figures(study, "long_run_return", "fixed_return")]
        if analysis.meters:  # amounts were given: the edge of a wager at these amounts
            figures += map(_with_basis, page_figures(study, "house_edge", "return"))
    elif study.option is None:
        figures += page_figures(study, "house_edge", "return")
    figures += page_figures(study, "hit_frequency")
    figures += page_figures(study, *(["push_rate"] if analysis.push_rate else []))
    if study.option is None and study.result is not None and study.result.variance_or_bounds is not None:
        deviation = study.result.standard_deviation
        figures.append(_basis_figure(study, "standard_deviation", deviation))
        figures.append(
            _basis_figure(study, _VOLATILITY, volatility_index(deviation), f" (z {format_fixed(Z[CONFIDENCE], 6)})")
        )
    text = top_award_text([line.award.name for line in analysis.top_lines], str(analysis.top.award.pay))
    figures.append(Figure("Top award", text, key=TOP_AWARD))
    return (*figures, *(page_figures(study, "top_award_one_in") or (_impossible("top_award_one_in"),)))


def all_figures(request: Request) -> tuple[Figure, ...]:
    """Return the headline figures and those on other bases, each labeled with its basis, for the workbook."""
    study = request.study
    figures = headline_figures(request)
    if study.option is not None:
        deviation = study.results[0].standard_deviation
        best = f", {Basis.BEST}"
        values = {"standard_deviation": deviation, _VOLATILITY: volatility_index(deviation)}
        return (
            *page_figures(study, "house_edge", "return"),
            *(
                Figure(FIGURES[key].label + best, value, STYLES[key].style, key, str(study.results[0].basis))
                for key, value in values.items()
            ),
            *figures,
        )
    if study.paytable.meters and not request.analysis.meters and study.paytable.up is None:
        at_amounts = page_figures(study, "house_edge", "return")
        return (*figures, *(replace(figure, label=f"{figure.label}, {study.valued_basis}") for figure in at_amounts))
    return figures


def _with_basis(figure: Figure) -> Figure:
    """Append the basis to the label of a figure."""
    return replace(figure, label=f"{figure.label}, {figure.basis}")


def _basis_figure(study: Study, key: str, value: Surd | Interval[Surd] | None, suffix: str = "") -> Figure:
    """Return a figure of a result, labeled with its basis if the bet has several."""
    basis = f", {study.results[0].basis}" if len(study.results) > 1 else ""
    return Figure(f"{FIGURES[key].label}{basis}{suffix}", value, STYLES[key].style, key, str(study.results[0].basis))


def _impossible(key: str) -> Figure:
    return Figure(FIGURES[key].label, IMPOSSIBLE, STYLES[key].style)


def headline_section(request: Request) -> Section:
    """Return the headline section: summary figures, both bases, and the pay table."""
    notes = [f"{name} at {format_decimal(value)}" for name, value in request.analysis.meters.items()]
    notes = [f"With {', '.join(notes)}."] * bool(notes)
    notes += meter_units([request.analysis])
    ladder = ladder_table(request.analysis).without(TRUE_ODDS)
    pay_table = replace(ladder, totals=1, caption=f"Pay table{_first_basis_suffix(request.study)}")
    tables = (*_option_table(request.study), *_eligibility_table(request.study), pay_table)
    return Section(
        "Headline",
        key="headline",
        text=_basis_text(request.study),
        figures=headline_figures(request),
        tables=tables,
        notes=tuple(notes),
    )


def _basis_text(study: Study) -> tuple[str, ...]:
    """Return the basis of the headline figures, where the bet has two."""
    basis = _first_basis_suffix(study).removeprefix(", ")
    return (f"Basis of the figures and of the pay table: {basis}.",) if basis else ()


def _first_basis_suffix(study: Study) -> str:
    if study.option is not None:
        return f", {Basis.WAGER}"
    return f", {ANY_ROUND}" if study.eligibility is not None else ""


def _option_table(study: Study) -> tuple[Table, ...]:
    """Return the figures of the wager alone, with best play after a win, and their difference."""
    option = study.option
    if option is None:
        return ()
    keys = ("house_edge", "return", "standard_deviation", _VOLATILITY)
    alone = {key: headline_value(Study(study.analysis), key) for key in keys}
    best = {key: headline_value(study, key) for key in keys}
    return (
        _bases_table(
            "Wager alone", alone, "Best play", best, f"Both bases: the wager alone, and best play of the {option.kind}"
        ),
    )


def _eligibility_table(study: Study) -> tuple[Table, ...]:
    """Return the figures of any round, those of one wager for each eligible hand, and their difference."""
    if study.eligibility is None:
        return ()
    first, second = Study(study.analysis), Study(study.eligibility.analysis)
    values = [{key: headline_value(basis, key) for key in _BASIS_KEYS} for basis in (first, second)]
    caption = f"Both bases: {ANY_ROUND}, {EACH_ELIGIBLE_HAND} of a player who follows the stated chart"
    titles = ANY_ROUND.capitalize(), EACH_ELIGIBLE_HAND.capitalize()
    return (_bases_table(titles[0], values[0], titles[1], values[1], caption),)


def _bases_table(
    first_title: str, first: dict[str, Value], second_title: str, second: dict[str, Value], caption: str
) -> Table:
    columns = (
        Column("Figure"),
        *(Column(title, Style.DECIMAL) for title in (first_title, second_title, "Difference")),
    )
    rows: list[tuple[Cell, ...]] = []
    for key in first:
        style = STYLES[key].style
        values = (first[key], second[key], _difference(first[key], second[key]))
        rows.append((FIGURES[key].label, *(Styled(value, style) for value in values)))
    return Table(columns, tuple(rows), caption)


def _difference(first: Value, second: Value) -> Value | SurdDifference | str:
    """Return the second value less the first, or a text if only bounds of one are known."""
    if isinstance(first, Surd) and isinstance(second, Surd):
        return SurdDifference(second, first)
    if isinstance(first, (int, Fraction, Polynomial)) and isinstance(second, (int, Fraction, Polynomial)):
        return second - first
    return "bounds only"
