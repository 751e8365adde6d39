"""The figures that stand for a sheet on an index page or a cover, each with its basis."""

from __future__ import annotations

from msgspec import Struct

from combinat.analysis.basis import Basis
from combinat.figures import FIGURES, figure_values
from combinat.study import Study
from reports.page.figures import STYLES
from reports.page.model import format_cell
from reports.tables.headings import ANY_ROUND, EACH_ELIGIBLE_HAND, top_award_text

_DIGITS = 6


class KeyFigure(Struct, frozen=True):
    """A figure with its label, its formatted value and its basis."""

    label: str
    text: str
    basis: str = ""


def key_figures(study: Study) -> tuple[KeyFigure, ...]:
    """Return the house edge, or the hold where the edge depends on meters, and the other key figures."""
    edge = "house_edge"
    if not study.house_edge.is_constant:
        edge = "hold" if study.hold is not None else ""
    analysis = study.analysis
    top_award = top_award_text([line.award.name for line in analysis.top_lines], str(analysis.top.award.pay))
    return (
        _figure(study, edge) if edge else KeyFigure(FIGURES["house_edge"].label, "by meter"),
        *(_figure(study, key) for key in ("hit_frequency", "fixed_return")),
        *_eligible_figures(study),
        KeyFigure("Top award", top_award),
    )


def _eligible_figures(study: Study) -> tuple[KeyFigure, ...]:
    """Return the house edge of a wager for each eligible hand, where only some hands can make the wager."""
    if study.eligibility is None:
        return ()
    edge = _figure(Study(study.eligibility.analysis), "house_edge")
    return (KeyFigure(f"{edge.label} per eligible hand", edge.text, EACH_ELIGIBLE_HAND),)


def _figure(study: Study, key: str) -> KeyFigure:
    value = next(figure_values(study, key))
    has_two_bases = study.eligibility is not None and value.basis == Basis.WAGER
    basis = ANY_ROUND if has_two_bases else str(value.basis)
    return KeyFigure(FIGURES[key].label, format_cell(value.value, STYLES[key].style, _DIGITS), basis)
