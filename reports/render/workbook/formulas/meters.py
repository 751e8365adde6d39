"""Workbook formulas of exposure, meters and pace of play.

Exposure: the largest payments and the awards that are reported for tax. Meters: hold, averages, break-even, waiting
times and posted prizes. Pace: hits of meters per day and year.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from combinat.analysis.basis import Basis
from combinat.analysis.exposure import tax_rules
from combinat.bets.meters import HOUSE_JACKPOT
from combinat.exact.numbers import format_decimal
from combinat.exact.surd import Surd
from combinat.figures import figure_values
from combinat.meters.hits import fraction_of_plays_above, jackpot_quantile, percentile, plays_quantile
from combinat.meters.hold import LevelFigures, MeterFigures
from combinat.meters.session import HIGH_QUANTILE, LOW_QUANTILE, POSTED_PRIZE_EDGES, Hits, Pace, compute_hits
from reports.page.model import AtMost
from reports.page.numerals import format_fixed as with_decimals
from reports.page.numerals import format_percent
from reports.render.workbook.bases import decimal_literal, meter_after_formula, no_hit_before_formula, unless_reserved
from reports.render.workbook.index import FormulaIndex, LiveCell
from reports.render.workbook.inputs import MAX_WAGER
from reports.render.workbook.model import METER_WAGER, Calculation
from reports.render.workbook.working import CalculationSheet
from reports.sheet.sections.exposure import PAID, STAKE, TAXED, WIN
from reports.tables.meters import (
    AS_GIVEN,
    AT_AVERAGES,
    AT_SEEDS,
    HOLD,
    LEVELS,
    PACE,
    PRIZES,
    QUANTILES,
    STANDING,
    WAITING,
    hold_parts,
)

_NEVER, _YES, _NO = "never", "yes", "no"


def add_exposure(formulas: FormulaIndex, working: CalculationSheet) -> None:
    """Add the payments at the largest wager, and the wagers from which they are reported for tax."""
    stake, lines = working.inputs.max_wager, working.calculation.at_fixed_meters.analysis.lines
    for award_index, index in working.calculation.row_by_award.items():
        line = lines[award_index]
        gross, net = working.at("gross", index), working.at("net", index)
        gross_payment, net_win = line.gross.constant, line.net.constant
        live_cells = [LiveCell("paid", f"{gross}*{MAX_WAGER}", gross_payment * stake)]
        for rule_number, rule in enumerate(tax_rules(), 1):
            multiple, times_cell = rule.times_the_wager, f"Times_{rule_number}"
            threshold = rule.reported_from / gross_payment if gross_payment >= multiple else _NEVER
            formula = f'IF({gross}>={times_cell},ReportedFrom_{rule_number}/{gross},"{_NEVER}")'
            live_cells.append(LiveCell(f"reported {rule.years}", formula, threshold))
        first_rule = tax_rules()[0]
        live_cells += [
            LiveCell(
                "pays",
                f'IF({gross}>=Times_1,"{_YES}","{_NO}")',
                _YES if gross_payment >= first_rule.times_the_wager else _NO,
            ),
            LiveCell(
                "wins", f'IF({net}>=Times_1,"{_YES}","{_NO}")', _YES if net_win >= first_rule.times_the_wager else _NO
            ),
        ]
        threshold = first_rule.withheld_above / net_win if net_win >= first_rule.times_the_wager else _NEVER
        formula = f'IF({net}>=Times_1,WithheldAbove_1/{net},"{_NEVER}")'
        live_cells.append(LiveCell("withheld", formula, threshold))
        formulas.add_row(TAXED, line.award.name, live_cells)
    nets = [outcome.net for outcome in working.calculation.outcomes if outcome.ways]
    formulas.add_figure(STAKE, "", LiveCell(STAKE, MAX_WAGER, stake))
    basis = str(working.calculation.study.wager_basis)
    formulas.add_figure(WIN, basis, LiveCell(WIN, f"INDEX(NetPay,LargestPlace)*{MAX_WAGER}", max(nets) * stake))
    formula = f"INDEX(GrossPay,LargestPlace)*{MAX_WAGER}"
    formulas.add_figure(PAID, basis, LiveCell(PAID, formula, (max(nets) + 1) * stake))


_UNREACHABLE = "out of reach"
_CELL_BY_SHARE = {
    "fixed": "FixedReturn",
    "paid": "LongRunReturn",
    "seed": "SeedShare",
    "reserve": "Reserve",
    "hold": "Hold",
}
_CELL_BY_SHARE |= {"kept out": "KeptOut", "beyond": "-KeptOut"}
"""Names of the cells with the shares of each wager; those of a meter are followed by its name."""

PAY_COLUMNS = {
    "seeds": ("SeedsPay", Basis.SEEDS),
    "averages": ("AveragesPay", Basis.AVERAGES),
    "high": ("HighPay", Basis.PERCENTILES),
}
"""Columns of pays with the meters at their seeds, averages and 99th percentiles."""


class MeterFormulaCollector(Struct, frozen=True):
    """Collects the formulas of a sheet's meters."""

    calculation: Calculation
    working: CalculationSheet
    terms: MeterFigures
    formulas: FormulaIndex

    def collect(self) -> None:
        """Add all formulas that depend on seeds, rates and the wager."""
        study = self.calculation.study
        self.formulas.add_figure(
            "hold", str(next(figure_values(study, "hold")).basis), LiveCell("hold", "Hold", self.terms.hold)
        )
        self.formulas.add_figure(
            "long_run_return",
            str(next(figure_values(study, "long_run_return")).basis),
            LiveCell("long_run_return", "1-Hold", 1 - self.terms.hold),
        )
        self._parts()
        for level in self.terms.levels:
            self.formulas.add_row(LEVELS, level.level.name, self._level(level))
        self._returns()
        for quantile in QUANTILES:
            live_cells = [live_cell for level in self.terms.levels for live_cell in self._waiting(level, quantile)]
            self.formulas.add_row(WAITING, f"{quantile * 100}%", live_cells)
        for edge in POSTED_PRIZE_EDGES:
            self.formulas.add_row(PRIZES, edge, self._prizes(edge))
        self._exposure()

    @property
    def _given_amounts(self) -> dict[str, Fraction]:
        return dict(self.calculation.analysis.meters)

    def _parts(self) -> None:
        """Add the long-run shares of each wager."""
        for share in hold_parts(self.terms):
            cell = _CELL_BY_SHARE[share.what]
            formula = f"{cell}_{share.meter}" if share.meter else cell
            self.formulas.add_row(HOLD, share.label, [LiveCell("share", formula, share.share)])

    def _level(self, level: LevelFigures) -> Iterator[LiveCell]:
        """Yield the figures of one meter, with the others at their averages or as given."""
        terms, name = self.terms, level.level.name
        yield LiveCell("seed", f"Seed_{name}", level.level.seed)
        yield LiveCell("rate", f"Rate_{name}", level.level.rate)
        yield LiveCell("hit", f"1/Reset_{name}", 1 / level.reset_probability)
        yield LiveCell("average", f"Average_{name}", level.average)
        if level.variance is not None:
            deviation = f'IF(ISNUMBER(MeterVariance_{name}),SQRT(MeterVariance_{name}),"not computed")'
            yield LiveCell("deviation", deviation, Surd(level.variance))
        break_even, formula = terms.break_even(name, terms.at_average | self._given_amounts), self._break_even(name)
        yield LiveCell("even", formula, break_even)
        yield LiveCell("slope", f"Slope_{name}*10000", terms.slope(name) * 10_000)
        share = fraction_of_plays_above(level, break_even)
        if share is None or not level.contribution:
            return
        probability = no_hit_before_formula(level, formula)
        if level.deducted_awards or level.mean_deduction:
            text = f'"{AtMost.SIGN}"&TEXT({probability},"0.0000%")'
            yield LiveCell("share", unless_reserved(level, text), f"{AtMost.SIGN}{format_percent(share, 4)}")
        else:
            yield LiveCell("share", unless_reserved(level, probability), share)

    def _break_even(self, name: str) -> str:
        other_terms = "".join(
            f"-Slope_{other_name}*{self._amount_cell(other_name)}" for other_name in self._names if other_name != name
        )
        return f"(1-FixedReturn{other_terms})/Slope_{name}"

    @property
    def _names(self) -> list[str]:
        return [level.level.name for level in self.terms.levels]

    def _amount_cell(self, name: str) -> str:
        """Return the cell of another meter's amount: as given, else its average."""
        return f"Meter_{name}" if name in self._given_amounts else f"Average_{name}"

    def _returns(self) -> None:
        terms, names = self.terms, self._names
        cases = [(AT_SEEDS, "Seed", terms.at_seed), (AT_AVERAGES, "Average", terms.at_average)]
        for row, prefix, amounts in cases:
            self._return(row, [f"{prefix}_{name}" for name in names], amounts)
        if self._given_amounts:
            self._return(AS_GIVEN, [self._amount_cell(name) for name in names], terms.at_average | self._given_amounts)

    def _return(self, row: str, cells: list[str], amounts: dict[str, Fraction]) -> None:
        formula = "FixedReturn" + "".join(
            f"+Slope_{name}*{cell}" for name, cell in zip(self._names, cells, strict=True)
        )
        value = self.terms.return_at(amounts)
        amount_cells = [
            LiveCell(f"meter {name}", cell, amounts[name]) for name, cell in zip(self._names, cells, strict=True)
        ]
        live_cells = [
            *amount_cells,
            LiveCell("return", formula, value),
            LiveCell("house_edge", f"1-({formula})", 1 - value),
        ]
        self.formulas.add_row(STANDING, row, live_cells)

    def _waiting(self, level: LevelFigures, quantile: Fraction) -> Iterator[LiveCell]:
        """Yield the quantile of plays until a hit, and the jackpot then."""
        name = level.level.name
        plays = f"ROUNDUP(LN({decimal_literal(1 - quantile)})/LogMiss_{name},0)"
        yield LiveCell(f"{name} plays", plays, plays_quantile(level, quantile))
        jackpot = jackpot_quantile(level, quantile)
        if jackpot is not None:
            formula = unless_reserved(level, meter_after_formula(level, plays))
            yield LiveCell(f"{name} jackpot", formula, jackpot)

    def _prizes(self, edge: Fraction) -> Iterator[LiveCell]:
        """Yield the posted prizes at which the house edge is `edge`, with the others at their seeds or as given."""
        terms, amounts = self.terms, self.terms.at_seed | self._given_amounts
        returned = terms.return_at(amounts)
        for name in self._names:
            slope = terms.slope(name)
            prize = (1 - edge - returned) / slope + amounts[name]
            cells = {
                meter: f"Meter_{meter}" if meter in self._given_amounts else f"Seed_{meter}" for meter in self._names
            }
            other_terms = "".join(f"-Slope_{meter}*{cells[meter]}" for meter in self._names if meter != name)
            available = f"1-{decimal_literal(edge)}-FixedReturn{other_terms}"
            formula = f'IF({available}<0,"{_UNREACHABLE}",({available})/Slope_{name})'
            yield LiveCell(name, formula, _UNREACHABLE if prize < 0 else prize)

    def _exposure(self) -> None:
        terms, working = self.terms, self.working
        wager = terms.system.wager
        has_bounds = any(percentile(level).is_bound for level in terms.levels)
        for index, outcome in enumerate(self.calculation.outcomes[:-1]):
            fields = {field.key: field for block in working.blocks for field in block}
            live_cells = []
            for key, (_, basis) in self._pay_columns.items():
                payment = fields[key].value(outcome)
                if isinstance(payment, Fraction):
                    is_bound = key == "high" and has_bounds and outcome.is_metered
                    live_cells.append(
                        _money_cell(
                            f"paid, {basis}", f"{working.at(key, index)}*{METER_WAGER}", payment * wager, is_bound
                        )
                    )
            self.formulas.add_row(TAXED, outcome.name, [*live_cells, *self._tax_cells(index)])
        self.formulas.add_figure(STAKE, "", LiveCell(STAKE, METER_WAGER, wager))
        for key, (column, basis) in self._pay_columns.items():
            values = [fields[key].value(item) for item in self.calculation.outcomes if item.ways]
            highest = max(item for item in values if isinstance(item, Fraction))
            largest, is_bound = f"SUMPRODUCT(MAX((Probability>0)*{column}))", key == "high" and has_bounds
            win = _money_cell(WIN, f"({largest}-1)*{METER_WAGER}", (highest - 1) * wager, is_bound)
            self.formulas.add_figure(WIN, str(basis), win)
            total = _money_cell(PAID, f"{largest}*{METER_WAGER}", highest * wager, is_bound)
            self.formulas.add_figure(PAID, str(basis), total)

    @property
    def _pay_columns(self) -> dict[str, tuple[str, Basis]]:
        """Columns of meter amounts when an award is paid; a posted prize is constant."""
        if self.terms.system.kind == HOUSE_JACKPOT:
            return {"seeds": (PAY_COLUMNS["seeds"][0], Basis.POSTED)}
        return PAY_COLUMNS

    def _tax_cells(self, index: int) -> Iterator[LiveCell]:
        """Yield whether an award is reported and taxed; for a meter award, from which amount."""
        outcome, wager = self.calculation.outcomes[index], self.terms.system.wager
        pays, gross = self.working.inputs.at(index)[0], self.working.at("gross", index)
        payment = outcome.gross * wager
        for rule_number, rule in enumerate(tax_rules(), 1):
            minimum = Fraction(rule.times_the_wager) * wager
            times_formula, threshold = f"Times_{rule_number}*{METER_WAGER}", max(Fraction(rule.reported_from), minimum)
            threshold_formula = f"MAX(ReportedFrom_{rule_number},{times_formula})"
            if outcome.is_metered and outcome.pay is not None:
                yield LiveCell(
                    f"reported {rule.years}",
                    f'"from "&{_amount_formula(f"{threshold_formula}/{pays}")}',
                    _amount_text("from", threshold / outcome.pay.amount),
                )
            else:
                formula = f'IF({gross}*{METER_WAGER}>={threshold_formula},"{_YES}","{_NO}")'
                yield LiveCell(f"reported {rule.years}", formula, _YES if payment >= threshold else _NO)
        rule = tax_rules()[0]
        minimum = Fraction(rule.times_the_wager) * wager
        if outcome.is_metered and outcome.pay is not None:
            withheld_above = (max(Fraction(rule.withheld_above), minimum) + wager) / outcome.pay.amount
            formula = f"(MAX(WithheldAbove_1,Times_1*{METER_WAGER})+{METER_WAGER})/{pays}"
            yield LiveCell("withheld", f'"above "&{_amount_formula(formula)}', _amount_text("above", withheld_above))
        else:
            win_formula = f"({gross}-1)*{METER_WAGER}"
            is_withheld = payment - wager > rule.withheld_above and payment - wager >= minimum
            formula = f'IF(AND({win_formula}>WithheldAbove_1,{win_formula}>=Times_1*{METER_WAGER}),"{_YES}","{_NO}")'
            yield LiveCell("withheld", formula, _YES if is_withheld else _NO)


def _money_cell(name: str, formula: str, value: Fraction, is_bound: bool) -> LiveCell:
    """Return an amount of money; an upper bound as text with its sign."""
    if not is_bound:
        return LiveCell(name, formula, value)
    return LiveCell(name, f'"{AtMost.SIGN}"&TEXT({formula},"#,##0.00")', f"{AtMost.SIGN}{with_decimals(value, 2)}")


def _amount_text(word: str, value: Fraction) -> str:
    return f"{word} {format_decimal(value)}"


def _amount_formula(formula: str) -> str:
    """Return the formula of an amount of money as text, with the decimals that it has."""
    return f'IF(INT({formula})={formula},TEXT({formula},"#,##0"),TEXT({formula},"#,##0.##"))'


def add_pace(formulas: FormulaIndex, calculation: Calculation, pace_data: dict[str, Any] | None) -> None:
    """Add the hits of meters at the pace in a sheet's JSON data, if the meters have a closed form."""
    if pace_data is None or calculation.terms is None or not calculation.terms.has_closed_form:
        return
    pace = Pace(Fraction(pace_data["plays_per_day"]), Fraction(pace_data["days"]))
    for hits in compute_hits(calculation.analysis, pace):
        formulas.add_row(PACE, hits.meter, _pace_cells(hits, pace))


def _pace_cells(hits: Hits, pace: Pace) -> Iterator[LiveCell]:
    hit, miss, plays, plays_per_year = f"Reset_{hits.meter}", f"LogMiss_{hits.meter}", pace.plays, pace.plays_of_a_year
    plays_per_day = pace.plays_per_day
    no_hit_formula = f"EXP({plays}*{miss})"
    yield LiveCell("days", f"{plays_per_day.denominator}/({plays_per_day.numerator}*{hit})", hits.days_between)
    yield LiveCell("none", no_hit_formula, hits.no_hit)
    yield LiveCell("two", f"1-{no_hit_formula}-{plays}*{hit}*EXP({plays - 1}*{miss})", hits.two_or_more)
    yield LiveCell("mean", f"{plays_per_year}*{hit}", hits.per_year)
    yield LiveCell("least", f"CRITBINOM({plays_per_year},{hit},{decimal_literal(LOW_QUANTILE)})", hits.least_per_year)
    yield LiveCell("most", f"CRITBINOM({plays_per_year},{hit},{decimal_literal(HIGH_QUANTILE)})", hits.most_per_year)
