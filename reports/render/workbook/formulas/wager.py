"""Workbook formulas of the wager: headline, statistics, awards, results given exposed cards, jurisdiction tests.

Results given exposed cards use the probabilities as analyzed and the pays of the inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import compress
from typing import Any

from combinat.analysis.basis import Basis, PlayResult
from combinat.analysis.outlook import (
    CONFIDENCE,
    PLAYS_PER_SQUARED_SKEWNESS,
    Z,
    normal_is_adequate,
    plays_to_positive_hold,
    round_to_3_digits,
    volatility_index,
)
from combinat.analysis.sensitivity import ConditionalResult
from combinat.bets.settlement import LOSS
from combinat.exact.interval import Interval
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.figures import figure_values
from reports.page.model import Style, Value
from reports.page.numerals import format_fixed as with_decimals
from reports.render.workbook.bases import BasisCells, cells_of_basis, decimal_literal
from reports.render.workbook.formulas.meters import MeterFormulaCollector, add_exposure
from reports.render.workbook.formulas.outlook import OutlookFormulas
from reports.render.workbook.index import FormulaIndex, LiveCell
from reports.render.workbook.inputs import MAX_WAGER
from reports.render.workbook.model import METER_WAGER, AwardRow, Calculation, CountsSheet
from reports.render.workbook.working import CalculationSheet, FormulaCollector
from reports.render.workbook.writer import Number, string_literal, to_cell_number
from reports.sheet.sections.awards import VOLATILITY, exact_pay_text
from reports.sheet.sections.headline import TOP_AWARD
from reports.sheet.sections.jurisdictions import TESTED, result_text
from reports.sheet.sections.outlook import curve_in_words
from reports.tables.awards import AWARDS, IMPOSSIBLE, LOSES, TOTAL, WHEEL_PRIZES
from reports.tables.headings import top_award_text
from reports.tables.results import BASES, award_blocks_key, cases_key


def add_exposed_card_cases(formulas: FormulaIndex, calculation: Calculation, working: CalculationSheet) -> None:
    """Add the returns of each case of exposed cards; not for meters and wheels, which need a new analysis."""
    if calculation.meters or calculation.analysis.paytable.wheels or not calculation.is_ladder:
        return
    for view, cases in calculation.study.views:
        for case in cases:
            formulas.add_row(cases_key(view), case.name, _case_cells(calculation, working, case))
            for row, cells in _award_cells(calculation, working, case):
                formulas.add_row(award_blocks_key(view), (case.name, row), cells)


def _case_cells(calculation: Calculation, working: CalculationSheet, case: ConditionalResult) -> list[LiveCell]:
    """Return the figures of the wager in one case."""
    analysis, returned = case.analysis, _return_formula(calculation, working, case)
    hits = "+".join(
        f"{to_cell_number(line.probability)}*({working.at('net', calculation.row_by_award[award_index])}>0)"
        for award_index, line in enumerate(analysis.lines)
        if line.is_possible
    )
    figures: list[tuple[str, str, Number]] = [
        ("hit_frequency", hits or "0", analysis.hit_frequency),
        ("return", returned, analysis.return_.constant),
        ("house_edge", f"1-({returned})", analysis.house_edge.constant),
    ]
    return [LiveCell(key, calculation.if_analyzed_decks(formula), value) for key, formula, value in figures]


def _return_formula(calculation: Calculation, working: CalculationSheet, case: ConditionalResult) -> str:
    terms = [
        f"{to_cell_number(line.probability)}*{working.at('gross', calculation.row_by_award[award_index])}"
        for award_index, line in enumerate(case.analysis.lines)
        if line.is_possible
    ]
    return "+".join(terms) or "0"


def _award_cells(
    calculation: Calculation, working: CalculationSheet, case: ConditionalResult
) -> Iterable[tuple[str, list[LiveCell]]]:
    """Yield each award's row in one case, and their total."""
    for award_index, line in enumerate(case.analysis.lines):
        if line.is_possible:
            index = calculation.row_by_award[award_index]
            formula = calculation.if_analyzed_decks(f"{to_cell_number(line.probability)}*{working.at('gross', index)}")
            yield (
                line.award.name,
                [
                    LiveCell("words", working.at("words", index), str(line.award.pay)),
                    LiveCell("return", formula, line.return_.constant),
                ],
            )
    total: Fraction = case.analysis.return_.constant
    yield (
        TOTAL,
        [LiveCell("return", calculation.if_analyzed_decks(_return_formula(calculation, working, case)), total)],
    )


class WagerFormulas(FormulaCollector, frozen=True):
    """Collects the formulas of the wager."""

    def collect(self) -> None:
        """Add all formulas of the wager alone."""
        self._headline()
        self._awards()
        self._volatility()

    def _headline(self) -> None:
        calculation = self.calculation
        for figure in calculation.figures:
            if figure.key and (calculation.is_ladder or figure.key not in _MOMENT_KEYS):
                live_cell = LiveCell(figure.key, figure.name, figure.value, _if_open(figure.stated))
                self.formulas.add_figure(figure.key, figure.basis, live_cell)
        self._results()
        at_amounts = calculation.at_fixed_meters.analysis
        top_outcome = calculation.outcomes[calculation.top_index]
        top_outcomes = list(compress(calculation.outcomes, calculation.is_top))
        top_probability = sum((outcome.probability for outcome in top_outcomes), Fraction(0))
        return_without_top = at_amounts.return_.constant - top_probability * top_outcome.gross
        top_rows = calculation.top_rows_formula
        top_probability_formula = f"SUMPRODUCT(Probability*{top_rows})"
        for key, formula, value in (
            ("return_without_top_award", f"ReturnTotal-SUMPRODUCT(Return*{top_rows})", return_without_top),
            ("fixed_return", "FixedReturn", at_amounts.fixed_return),
            (
                "top_award_one_in",
                f'IF({top_probability_formula}=0,"{IMPOSSIBLE}",1/{top_probability_formula})',
                1 / top_probability if top_probability else IMPOSSIBLE,
            ),
        ):
            is_open = key == "return_without_top_award"  # the others do not depend on unknown meters
            alternatives = _if_open(self.study.analysis.return_without_top) if is_open else ()
            self.formulas.add_figure(key, self._basis(key), LiveCell(key, formula, value, alternatives))
        if calculation.counts_ways and calculation.wheel_factor == 1:
            self.formulas.add_figure(
                "cycle", self._basis("cycle"), LiveCell("cycle", "Cycle", calculation.analysis.ways.cycle)
            )
        if not calculation.meters:
            edge, edge_value = "BestHouseEdge" if calculation.option else "HouseEdge", self.study.house_edge.constant
            self.formulas.add_figure("hold", self._basis("hold"), LiveCell("hold", edge, edge_value))
        count = f"SUMPRODUCT(--{top_rows})"
        top_name = f'IF({count}>1,{count}&" awards at ",{self.working.name_of("TopPlace")}&", ")'
        text = top_award_text([outcome.name for outcome in top_outcomes], str(top_outcome.pay))
        self.formulas.add_figure(TOP_AWARD, "", LiveCell(TOP_AWARD, f"{top_name}&INDEX(PayInWords,TopPlace)", text))

    def _basis(self, key: str) -> str:
        """Return the name of the basis of a figure of the wager."""
        *_, wager_value = figure_values(self.study, key)
        return str(wager_value.basis)

    def _results(self) -> None:
        """Add the results on each basis."""
        for result in self.study.results:
            basis_cells = cells_of_basis(self.calculation, result)
            if basis_cells is None:
                self._long_run(result)
                continue
            self._moments(basis_cells, result)
            volatility = _exact_deviation(volatility_index(result.standard_deviation))
            cells = (
                LiveCell("keeps", basis_cells.house_edge, result.house_edge),
                LiveCell("deviation", basis_cells.standard_deviation, _exact_deviation(result.standard_deviation) or 0),
                LiveCell("index", f"z_{CONFIDENCE * 100}*{basis_cells.standard_deviation}", volatility or 0),
            )
            self.formulas.add_row(BASES, str(result.basis), cells)

    def _long_run(self, result: PlayResult) -> None:
        """Add the mean on a basis where plays depend on each other; no formula gives the variance."""
        edge_cell = {Basis.LONG_RUN: "Hold", Basis.PLAYER: "AveragesKeeps"}.get(result.basis)
        if self.calculation.terms is None or edge_cell is None:
            return
        self.formulas.add_row(BASES, str(result.basis), [LiveCell("keeps", edge_cell, result.house_edge)])
        for key, formula, value in (
            ("house_edge", edge_cell, result.house_edge),
            ("return", f"1-{edge_cell}", 1 - result.house_edge),
            ("expected_value", f"-{edge_cell}", -result.house_edge),
        ):
            self.formulas.add_figure(key, str(result.basis), LiveCell(key, formula, value))

    def _moments(self, basis_cells: BasisCells, result: PlayResult) -> None:
        moments: list[tuple[str, str, Number | None]] = [
            ("house_edge", basis_cells.house_edge, result.house_edge),
            ("return", f"1-{basis_cells.house_edge}", 1 - result.house_edge),
            ("expected_value", f"-{basis_cells.house_edge}", -result.house_edge),
            ("variance", basis_cells.variance, result.variance),
            ("standard_deviation", basis_cells.standard_deviation, _exact_deviation(result.standard_deviation)),
        ]
        if result is self.study.result:  # shown only on the basis of the headline
            moments.append(("skewness", basis_cells.skewness, result.skewness))
            moments.append(("excess_kurtosis", basis_cells.excess_kurtosis, result.excess_kurtosis))
        for level in Z:
            index = _exact_deviation(volatility_index(result.standard_deviation, level))
            moments.append(
                (f"volatility_index_{level * 100}", f"z_{level * 100}*{basis_cells.standard_deviation}", index)
            )
        for key, formula, value in moments:
            if value is not None and formula:
                self.formulas.add_figure(key, str(result.basis), LiveCell(key, formula, value))

    def _volatility(self) -> None:
        result = self.study.result
        basis_cells = cells_of_basis(self.calculation, result) if result is not None else None
        if result is None or basis_cells is None:
            return
        for level, z in Z.items():
            level_text = f"{level * 100}"
            edge, variance = basis_cells.house_edge, basis_cells.variance
            needed_plays_formula = f"ROUNDUP(z_{level_text}^2*{variance}/{edge}^2,0)"
            # Rounded to three significant digits.
            plays = f'IF({edge}<=0,"—",ROUND({needed_plays_formula},MIN(0,2-INT(LOG10({needed_plays_formula})))))'
            exact_plays = plays_to_positive_hold(result, level)
            plays_value = None if exact_plays is None else round_to_3_digits(exact_plays)
            index = _exact_deviation(volatility_index(result.standard_deviation, level))
            live_cells = [
                LiveCell("confidence", f'Confidence_{level_text}*100&"%"', f"{level_text}%"),
                LiveCell("z", f"z_{level_text}", z, (with_decimals(z, 6),), Style.TEXT),
                LiveCell("plays", plays, "—" if plays_value is None else plays_value, (plays_value,)),
            ]
            if basis_cells.skewness and exact_plays is not None:
                smooth_text, rough_text = curve_in_words(True), curve_in_words(False)
                is_adequate = f"{needed_plays_formula}>={PLAYS_PER_SQUARED_SKEWNESS}*{basis_cells.skewness}^2"
                curve_text = smooth_text if normal_is_adequate(result, exact_plays) else rough_text
                live_cells.append(
                    LiveCell("by", f'IF({edge}<=0,"—",IF({is_adequate},"{smooth_text}","{rough_text}"))', curve_text)
                )
            if index is not None:
                live_cells.append(LiveCell("index", f"z_{level_text}*{basis_cells.standard_deviation}", index))
            self.formulas.add_row(VOLATILITY, f"{level_text}%", live_cells)

    def _awards(self) -> None:
        calculation = self.calculation
        at_amounts, lines = calculation.at_fixed_meters.analysis, self.study.analysis.lines
        total = at_amounts.return_.constant
        cumulative = [Fraction(0), Fraction(0), Fraction(0)]
        for index, outcome in enumerate(calculation.outcomes):
            cells = {
                key: self.working.at(key, index) for key in ("gross", "net", "chance", "return", "net_share", "words")
            }
            line = lines[outcome.award_index] if outcome.award_index is not None and outcome.share == 1 else None
            probability, return_, net = (
                outcome.probability,
                outcome.probability * outcome.gross,
                outcome.probability * outcome.net,
            )
            cumulative = [
                running_total + term
                for running_total, term in zip(cumulative, (probability, return_, net), strict=True)
            ]
            live_cells = [
                *self._counts(index, outcome),
                LiveCell("probability", cells["chance"], probability),
                LiveCell("one in", *_per_probability("1/{chance}", cells, outcome, lambda p: 1 / p)),
                LiveCell("odds", *_per_probability("(1-{chance})/{chance}", cells, outcome, lambda p: (1 - p) / p)),
                LiveCell("words", cells["words"], str(outcome.pay) if outcome.pay else LOSES),
                LiveCell(
                    "to",
                    cells["net"],
                    outcome.net,
                    (exact_pay_text(line.net),) if line else (exact_pay_text(LOSS),),
                    Style.TEXT,
                ),
                LiveCell(
                    "for",
                    cells["gross"],
                    outcome.gross,
                    (exact_pay_text(line.gross),) if line else (exact_pay_text(LOSS + 1),),
                    Style.TEXT,
                ),
                LiveCell("return", cells["return"], return_, (line.return_,) if line else ()),
                LiveCell(
                    "share", f"IF(ReturnTotal=0,0,{cells['return']}/ReturnTotal)", return_ / total if total else 0
                ),
                LiveCell("net", cells["net_share"], net, (line.return_ - line.probability,) if line else ()),
                *self._cumulative_cells(index, cumulative),
            ]
            if outcome.pay is not None and outcome.ways:
                shortfall_formula = f'IF({cells["chance"]}=0,"{IMPOSSIBLE}",1/{cells["chance"]}-{cells["gross"]})'
                live_cells.append(LiveCell("short", shortfall_formula, 1 / probability - outcome.gross))
            self.formulas.add_row(AWARDS, outcome.name, live_cells)
            if outcome.award_index is not None and outcome.share != 1:
                self.formulas.add_row(
                    WHEEL_PRIZES, (lines[outcome.award_index].award.name, str(outcome.pay)), live_cells
                )
        self.formulas.add_row(AWARDS, TOTAL, self._total(total))

    def _cumulative_cells(self, index: int, values: list[Fraction]) -> Iterator[LiveCell]:
        """Yield the cumulative sums from the first award to this one."""
        for key, value in zip(("chance", "return", "net_share"), values, strict=True):
            first_cell, last_cell = self.working.at(key, 0), self.working.at(key, index).partition("!")[2]
            yield LiveCell(f"{key} so far", f"SUM({first_cell}:{last_cell})", value)

    def _counts(self, index: int, outcome: AwardRow) -> Iterator[LiveCell]:
        if not self.calculation.counts_ways:
            return
        ways_formula = self.working.at("ways", index)
        yield LiveCell("ways", ways_formula, outcome.ways)
        if outcome.inclusive_ways is not None and self.data.has_inclusive_counts:
            inclusive_formula = self.data.inclusive_count(index)
            yield LiveCell("inclusive_count", inclusive_formula, outcome.inclusive_ways)
            yield LiveCell("taken", f"{inclusive_formula}-{ways_formula}", outcome.inclusive_ways - outcome.ways)

    def _total(self, total: Fraction) -> Iterator[LiveCell]:
        analysis = self.study.analysis
        if self.calculation.counts_ways:
            yield LiveCell("ways", "SUM(Ways)", analysis.ways.cycle * self.calculation.wheel_factor)
        yield LiveCell("probability", "SUM(Probability)", 1)
        yield LiveCell("return", "SUM(Return)", total, (analysis.return_,))
        yield LiveCell("share", "IF(ReturnTotal=0,0,SUM(Return)/ReturnTotal)", 1 if total else 0)
        yield LiveCell("net", "SUM(NetShare)", total - 1, (analysis.return_ - 1,))


def collect_formulas(calculation: Calculation, working: CalculationSheet, data: CountsSheet) -> FormulaIndex:
    """Return the index of all formulas of a sheet."""
    formulas = FormulaIndex()
    WagerFormulas(calculation, working, data, formulas).collect()
    OutlookFormulas(calculation, working, data, formulas).collect()
    if not calculation.meters:
        add_exposure(formulas, working)
    add_exposed_card_cases(formulas, calculation, working)
    if calculation.terms is not None:
        MeterFormulaCollector(calculation, working, calculation.terms, formulas).collect()
    return formulas


def _if_open(value: Value) -> tuple[Value, ...]:
    """Return a figure that is a polynomial in the meters, else nothing."""
    return (value,) if isinstance(value, Polynomial) and not value.is_constant else ()


_MOMENT_KEYS = (
    "variance",
    "standard_deviation",
    "skewness",
    "excess_kurtosis",
    *(f"volatility_index_{level * 100}" for level in Z),
)
"""Figures that follow from the rows only if each outcome takes at most one award."""


def _exact_deviation(deviation: Surd | Interval[Surd] | None) -> Surd | None:
    """Return a standard deviation, or `None` if only its bounds are known."""
    return None if isinstance(deviation, Interval) else deviation


def _per_probability(
    formula: str, cells: Mapping[str, str], outcome: AwardRow, value: Callable[[Fraction], Fraction]
) -> tuple[str, Number | str]:
    """Return a formula of the probability, and its value, that shows `IMPOSSIBLE` where it is zero."""
    return f'IF({cells["chance"]}=0,"{IMPOSSIBLE}",{formula.format_map(cells)})', outcome.per_probability(value)


_INDEPENDENT_OF_PLAY = ("second_prize", "jackpot_odds")
"""Keys of figures that do not depend on the player's decisions."""
_PAY_OFFSET = 1000
"""Offset larger than any loss, so that fixed pays differ from the zeros of other pays."""


def add_jurisdictions(formulas: FormulaIndex, calculation: Calculation, tests: Sequence[dict[str, Any]]) -> None:
    """Add formulas for the tests of a sheet's JSON data; figures without a formula stay as analyzed."""
    for test in tests:
        formula = _tested_formula(formulas, calculation, test["figure"])
        if formula is None:
            continue
        if test["in_money"]:
            formula = f"({formula})*{METER_WAGER if calculation.meters else MAX_WAGER}"
        bounds = [None if test[key] is None else Fraction(test[key]) for key in ("at_least", "at_most")]
        comparisons = [
            f"{formula}{sign}{decimal_literal(bound)}"
            for sign, bound in zip((">=", "<="), bounds, strict=True)
            if bound
        ]
        fails = test["consequence"] or "fails"
        passes = (
            f"IF(AND({','.join(comparisons)}),{string_literal(result_text(True, fails))},{string_literal(fails)})"
            if comparisons
            else ""
        )
        if calculation.option and test["figure"] not in _INDEPENDENT_OF_PLAY:
            formula, passes = calculation.if_analyzed_decks(formula), passes and calculation.if_analyzed_decks(passes)
        cells = [LiveCell("here", formula, Fraction(test["value"]))]
        cells += [LiveCell("result", passes, result_text(test["passes"], fails))] * bool(passes)
        formulas.add_row(TESTED, (test["jurisdiction"], test["test"]), cells)


def _tested_formula(formulas: FormulaIndex, calculation: Calculation, key: str) -> str | None:
    """Return the formula of a tested figure, or `None`."""
    if key == "long_run_return":
        hold = _headline_formula(formulas, calculation, "hold")
        return f"1-{hold}" if hold else None
    if key == "jackpot_odds" and calculation.terms is not None:
        return f"MAX({','.join(f'1/Reset_{level.level.name}-1' for level in calculation.terms.levels)})"
    if key == "second_prize" and not calculation.analysis.paytable.wheels:
        fixed_pays_formula = f'(LEFT(Unit,2)<>"of")*(PossibleNet+{_PAY_OFFSET})'
        return f"SUMPRODUCT(LARGE({fixed_pays_formula},2))-{_PAY_OFFSET}"
    return _headline_formula(formulas, calculation, key)


def _headline_formula(formulas: FormulaIndex, calculation: Calculation, key: str) -> str | None:
    first_figure = next(figure_values(calculation.study, key))
    if isinstance(first_figure.value, Polynomial) and not first_figure.value.is_constant:
        return None
    return formulas.formula_of(key, str(first_figure.basis))
