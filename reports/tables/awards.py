"""The ladder of awards as a table, and what the house keeps of a bet with meters."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, Line
from combinat.exact.polynomial import Polynomial
from combinat.figures import FIGURES
from combinat.study import Study
from reports.page.figures import page_figures
from reports.page.model import Cell, Column, Figure, Style, Styled, Table
from reports.page.numerals import decimal, significant

PROBABILITY = Column("Probability", Style.DECIMAL, key="probability")
ONE_IN = Column("1 in", Style.ODDS, key="one in")
TRUE_ODDS = Column("True odds to 1", Style.ODDS, is_spare=True, key="odds")
WAYS = Column("Ways", Style.COUNT, key="ways")
PAYS = Column("Pays", Style.COUNT, key="words")
RETURN = Column(FIGURES["return"].label, Style.DECIMAL, key="return")
AWARDS = "awards"
"""What a workbook calls the tables whose rows are awards."""


def if_possible(line: Line, value: Cell) -> Cell:
    """Give a figure of an award, or say that the award cannot be won."""
    return value if line.is_possible else "impossible"


def award_table(analysis: Analysis) -> Table:
    """Lay out the ladder: ways, chances and returns, adding up to the cycle and the whole return."""
    rows: list[tuple[Cell, ...]] = [
        (
            line.award.name,
            str(line.award.pay),
            line.ways,
            line.probability,
            if_possible(line, line.one_in),
            if_possible(line, line.true_odds),
            line.return_,
        )
        for line in analysis.lines
    ]
    lose = analysis.lose_probability
    rows.append(
        (
            "no award",
            "loses",
            analysis.ways.losing,
            lose,
            1 / lose if lose else None,
            (1 - lose) / lose if lose else None,
            Polynomial.of(0),
        )
    )
    rows.append(("total", "", analysis.ways.cycle, 1, "", "", Styled(analysis.return_, Style.SUM)))
    columns: tuple[Column, ...] = (
        Column("Award"),
        PAYS,
        WAYS,
        PROBABILITY,
        ONE_IN,
        TRUE_ODDS,
        RETURN,
    )
    table = Table(columns, tuple(rows), key=AWARDS)
    return table if analysis.paytable.experiment.counts_hands else table.without(WAYS)


def hold_formula(analysis: Analysis) -> str:
    """Write the long-run hold in terms of rates, which are parts of the wager, and seeds, which are money."""
    terms = []
    for name in analysis.paytable.meters:
        whole = [line for line in analysis.lines if line.award.pay.meter == name and line.award.pay.amount == 1]
        reset = sum((line.probability for line in whole), Fraction(0))
        of = "" if name == "meter" else f" of {name}"
        terms.append(f" − rate{of} − {significant(reset / analysis.meter_wager, 8)} × seed{of}")
    return decimal(1 - analysis.fixed_return, 8) + "".join(terms)


def hold_figures(study: Study) -> tuple[Figure, ...]:
    """The long-run hold, its bounds, or its formula where nothing is known about how the meters are run."""
    if study.paytable.up is not None:
        return ()  # the long run is that of all up cards together
    figures = study.meters
    if figures is None:
        return (Figure(FIGURES["hold"].label, hold_formula(study.analysis), key="hold"),)
    if not figures.has_closed_form:
        return page_figures(study, "hold_at_least", "hold_at_most")
    inferred = ", rates and seeds inferred" if figures.system.basis else ""
    return tuple(replace(one, label=one.label + inferred) for one in page_figures(study, "hold"))
