"""Studies as JSON (integers as numbers, fractions as "p/q") and as records for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.exact.polynomial import Polynomial
from combinat.figures import FIGURES, figure_values, headline_value
from combinat.figures import SECOND_BASIS as SECOND_BASIS
from combinat.results.analysis import AnalysisAnswer
from combinat.results.analysis import top_award_share as top_award_share
from combinat.results.flags import decks_text as decks_text
from combinat.results.flags import flags, paytable_names
from combinat.study import Study
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Style, Styled, Table
from reports.tables.awards import ONE_IN, PROBABILITY, TRUE_ODDS, WAYS
from reports.tables.headings import conditions_text


def plural(count: int, noun: str) -> str:
    """Format a number of things whose plural ends in s."""
    return f"{count:,} {noun}{'s' if count != 1 else ''}"


def record_fields(analysis: Analysis) -> tuple[tuple[str, str], ...]:
    """Return the columns that identify an analysis in CSV: title and text."""
    return (
        ("Paytable", analysis.paytable.id),
        ("Decks", str(analysis.shoe.decks)),
        ("Given", conditions_text(analysis)),
    )


def study_payload(study: Study) -> dict[str, Any]:
    """Return all figures of a bet at a shoe, without the name of a format: a par sheet has its own."""
    payload = AnalysisAnswer.of(study).to_dict()
    del payload["format"]
    return payload


COLUMNS = (
    Column("Paytable"),
    Column("Decks", Style.COUNT),
    Column("Given"),
    Column("Kind"),
    Column("Name"),
    Column("Key"),
    Column("Basis"),
    Column("Pays"),
    WAYS,
    PROBABILITY,
    ONE_IN,
    TRUE_ODDS,
    Column(FIGURES["return"].label, Style.DECIMAL),
    Column("Value", Style.DECIMAL),
)


def records_document(studies: Sequence[Study]) -> Document:
    """Return studies as records, each with paytable, deck count, condition and kind."""
    labels = paytable_names(study.paytable for study in studies)
    rows = tuple(
        (labels[study.paytable], study.shoe.decks, conditions_text(study.analysis), *line)
        for study in studies
        for line in _lines(study)
    )
    return Document("", tables=(Table(COLUMNS, rows),))


def _lines(study: Study) -> Iterator[tuple[Cell, ...]]:
    analysis, basis = study.analysis, str(study.wager_basis)
    for line in analysis.lines:
        chances = (line.ways, line.probability, line.one_in, line.true_odds)
        yield ("Award", line.award.name, None, basis, str(line.award.pay), *chances, line.return_, None)
    lose, ways = analysis.lose_probability, analysis.ways
    chances = (ways.losing, lose, 1 / lose if lose else None, (1 - lose) / lose if lose else None)
    yield ("No award", "no award", None, basis, "loses", *chances, Polynomial.of(0), None)
    yield ("Total", "total", None, basis, None, ways.cycle, 1, None, None, analysis.return_, None)
    empty = (None,) * 6
    for key in FIGURES:
        for index, figure_value in enumerate(figure_values(study, key)):
            if figure_value.value is not None:
                name = SECOND_BASIS.format(key) if index else key
                yield (
                    "Figure",
                    figure_value.label,
                    name,
                    str(figure_value.basis),
                    *empty,
                    Styled(figure_value.value, STYLES[key].style),
                )
    for view, cases in study.views:
        for case in cases:
            case_study = Study(case.analysis)
            edge = Styled(headline_value(case_study, "house_edge"), STYLES["house_edge"].style)
            labels = (f"Given the {view.case_title.lower()}", case.name, "house_edge", basis)
            yield (*labels, None, None, case.probability, None, None, headline_value(case_study, "return"), edge)
    for flag in flags(study):
        yield ("Flag", flag, None, None, *empty, None)
