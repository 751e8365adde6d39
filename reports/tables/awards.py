"""Tables of awards: ways, probabilities and returns; awards that add up; rounded pays; wheels and their prizes."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, AwardLine, award_components
from combinat.analysis.sensitivity import fractional_pays, rounded_edges
from combinat.bets.paytable import Paytable
from combinat.exact.numbers import format_decimal
from combinat.exact.polynomial import Polynomial
from combinat.figures import FIGURES
from combinat.language.english import describe_rule
from combinat.results.analysis import wheel_prizes
from combinat.study import Study
from reports.page.figures import page_figures
from reports.page.model import Cell, Column, Figure, Style, Styled, Table
from reports.page.numerals import format_fixed, format_significant

PROBABILITY = Column("Probability", Style.DECIMAL, key="probability")
ONE_IN = Column("1 in", Style.ODDS, key="one in")
TRUE_ODDS = Column("True odds to 1", Style.ODDS, is_spare=True, key="odds")
WAYS = Column("Ways", Style.COUNT, key="ways")
PAYS = Column("Pays", Style.COUNT, key="words")
RETURN = Column(FIGURES["return"].label, Style.DECIMAL, key="return")
NO_AWARD, TOTAL = "no award", "total"
"""Names of the rows after the awards; formulas of a workbook find the rows by these names."""
LOSES, IMPOSSIBLE = "loses", "impossible"
"""Texts instead of a pay and instead of a number."""
AWARDS = "awards"
"""Workbook key of the tables whose rows are awards."""


def value_if_possible(line: AwardLine, value: Cell) -> Cell:
    """Return `value`, or "impossible" for an award that cannot be won."""
    return value if line.is_possible else IMPOSSIBLE


def ladder_table(analysis: Analysis) -> Table:
    """Return the paytable with ways, probabilities and returns, which add up to the cycle and the total return."""
    rows: list[tuple[Cell, ...]] = [
        (
            line.award.name,
            str(line.award.pay),
            line.ways,
            line.probability,
            value_if_possible(line, line.one_in),
            value_if_possible(line, line.true_odds),
            line.return_,
        )
        for line in analysis.lines
    ]
    lose = analysis.lose_probability
    rows.append(
        (
            NO_AWARD,
            LOSES,
            analysis.ways.losing,
            lose,
            1 / lose if lose else None,
            (1 - lose) / lose if lose else None,
            Polynomial.of(0),
        )
    )
    rows.append((TOTAL, "", analysis.ways.cycle, 1, "", "", Styled(analysis.return_, Style.SUM)))
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


def reset_probability(analysis: Analysis, meter: str) -> Fraction:
    """Return the probability of the awards that pay the whole meter."""
    pays = ((line.award.pay, line.probability) for line in analysis.lines)
    return sum((probability for pay, probability in pays if pay.meter == meter and pay.amount == 1), Fraction(0))


def hold_formula(analysis: Analysis) -> str:
    """Format the long-run hold as a formula in the contribution rates (shares of the wager) and seeds (money)."""
    terms = []
    for name in analysis.paytable.meters:
        seed_factor = reset_probability(analysis, name) / analysis.meter_wager
        meter_suffix = "" if name == "meter" else f" of {name}"
        terms.append(f" − rate{meter_suffix} − {format_significant(seed_factor, 8)} × seed{meter_suffix}")
    return format_fixed(1 - analysis.fixed_return, 8) + "".join(terms)


def hold_figures(study: Study) -> tuple[Figure, ...]:
    """Return the long-run hold, its bounds, or its formula where the terms of the meters are unknown."""
    if study.paytable.up is not None:
        return ()  # the long run covers all up cards
    figures = study.meters
    if figures is None:
        return (Figure(FIGURES["hold"].label, hold_formula(study.analysis), key="hold"),)
    if not figures.has_closed_form:
        return page_figures(study, "hold_at_least", "hold_at_most")
    inferred = ", rates and seeds inferred" if figures.system.basis else ""
    return tuple(replace(figure, label=figure.label + inferred) for figure in page_figures(study, "hold"))


def added_awards_table(analysis: Analysis) -> Table:
    """Return the awards that add up, with their probabilities and mean payments."""
    columns = (
        Column("Award"),
        Column("Pays", Style.COUNT),
        Column("Probability of one or more", Style.DECIMAL),
        Column("Mean number in a hand", Style.DECIMAL),
        Column("Paid on average", Style.DECIMAL),
    )
    rows = [
        (
            component.award.name,
            component.award.pays_text,
            component.probability,
            component.mean_count,
            component.mean_pay,
        )
        for component in award_components(analysis)
    ]
    return Table(columns, tuple(rows), "The awards that add up, each by itself")


def added_rules_table(paytable: Paytable) -> Table:
    """Return the awards that add up, with their rules in words."""
    deal = paytable.bet.deal
    rows = [
        (award.name, describe_rule(award.rule, deal), str(award.per) if award.per else "once", award.pays_text)
        for award in paytable.stated_awards
    ]
    columns = (Column("Award"), Column("What it is for"), Column("How often"), Column("Pays"))
    return Table(columns, tuple(rows), "The awards that add up")


def rounding_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Return the edge with fractional pays rounded up and down, by wager; empty if all pays are whole."""
    roundings = rounded_edges(analysis)
    if not roundings:
        return ()
    edge = analysis.house_edge.constant
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (rounding.wager, rounding.rounded_up, edge, rounding.rounded_down) for rounding in roundings
    )
    columns = (
        Column("Wager in chips", Style.COUNT),
        Column("Edge, rounded up", Style.PERCENT),
        Column("Edge as stated", Style.PERCENT),
        Column("Edge, rounded down", Style.PERCENT),
    )
    names = ", ".join(f"{line.award.name} ({line.award.pay})" for line in fractional_pays(analysis))
    return (Table(columns, rows, f"If pays of no whole number of chips are rounded: {names}"),)


WHEEL_PRIZES = "spun"
"""Workbook key of the table of prizes."""


def wheel_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Return the wheels and their prizes; empty without wheels."""
    if not analysis.paytable.wheels:
        return ()
    stops = [
        (wheel.name, format_decimal(multiplier), weight, Fraction(weight, wheel.weight))
        for wheel in analysis.paytable.wheels
        for multiplier, weight in wheel.stops
    ]
    prizes = [
        (
            line.award.name,
            str(pay),
            probability,
            1 / probability if probability else IMPOSSIBLE,
            pay.gross * probability,
        )
        for line, pay, probability in wheel_prizes(analysis)
    ]
    stop_columns = (Column("Wheel"), Column("Multiplies by", Style.COUNT), Column("Weight", Style.COUNT), PROBABILITY)
    prize_columns = (Column("Award"), PAYS, PROBABILITY, ONE_IN, RETURN)
    return (
        Table(stop_columns, tuple(stops), "Wheels and dice, independent of the cards"),
        Table(prize_columns, tuple(prizes), "Every prize that they decide", keys=2, key=WHEEL_PRIZES),
    )
