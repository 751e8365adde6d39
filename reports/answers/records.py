"""Studies as one table of lines, whatever their number: every award, figure and flag of each, for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from combinat.exact.polynomial import Polynomial
from combinat.figures import FIGURES, headline, stated
from combinat.study import Study
from reports.answers.payload import SECOND_BASIS
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Style, Styled, Table
from reports.tables.awards import ONE_IN, PROBABILITY, TRUE_ODDS, WAYS
from reports.tables.flags import flags
from reports.tables.headings import conditions, names

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
    """Lay studies out line by line; each tells its paytable, its deck count, its condition and what kind it is."""
    called = names(one.paytable for one in studies)
    rows = tuple(
        (called[one.paytable], one.shoe.decks, conditions(one.analysis), *line)
        for one in studies
        for line in _lines(one)
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
        for number, one in enumerate(stated(study, key)):
            if one.value is not None:
                name = SECOND_BASIS.format(key) if number else key
                yield ("Figure", one.label, name, str(one.basis), *empty, Styled(one.value, STYLES[key].style))
    for view, cases in study.views:
        for case in cases:
            seen = Study(case.analysis)
            edge = Styled(headline(seen, "house_edge"), STYLES["house_edge"].style)
            told = (f"Given the {view.case_title.lower()}", case.name, "house_edge", basis)
            yield (*told, None, None, case.probability, None, None, headline(seen, "return"), edge)
    for flag in flags(study):
        yield ("Flag", flag, None, None, *empty, None)
