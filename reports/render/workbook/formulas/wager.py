"""Workbook formulas of the wager: headline, statistics, awards, and results given exposed cards.

Results given exposed cards use the probabilities as analyzed and the pays of the inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

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
from combinat.exact.interval import Span
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.figures import figure_values
from reports.page.model import Style, Value
from reports.page.numerals import format_fixed as with_decimals
from reports.render.workbook.bases import BasisCells, cells_of_basis
from reports.render.workbook.formulas.meters import MeterFormulaCollector, add_exposure
from reports.render.workbook.formulas.outlook import OutlookFormulas
from reports.render.workbook.index import FormulaIndex, LiveCell
from reports.render.workbook.model import IMPOSSIBLE, AwardRow, Calculation, CountsSheet
from reports.render.workbook.working import CalculationSheet, Collector
from reports.render.workbook.writer import Number, to_cell_number
from reports.sheet.sections.awards import VOLATILITY, exact_pay_text
from reports.sheet.sections.opening import TOP_AWARD
from reports.sheet.sections.outlook import curve_in_words
from reports.tables.awards import AWARDS, SPUN
from reports.tables.results import BASES, award_blocks_key, cases_key


def add_exposed_card_cases(facts: FormulaIndex, calculation: Calculation, working: CalculationSheet) -> None:
    """Add the returns of each case of exposed cards; not for meters and wheels, which need a new analysis."""
    if calculation.meters or calculation.analysis.paytable.wheels or not calculation.is_ladder:
        return
    for view, cases in calculation.study.views:
        for case in cases:
            facts.add_row(cases_key(view), case.name, _case(calculation, working, case))
            for row, cells in _awards(calculation, working, case):
                facts.add_row(award_blocks_key(view), (case.name, row), cells)


def _case(calculation: Calculation, working: CalculationSheet, case: ConditionalResult) -> list[LiveCell]:
    """Return the figures of the wager in one case."""
    analysis, returned = case.analysis, _return_formula(calculation, working, case)
    hits = "+".join(
        f"{to_cell_number(line.probability)}*({working.at('net', calculation.places[award_index])}>0)"
        for award_index, line in enumerate(analysis.lines)
        if line.is_possible
    )
    figures: list[tuple[str, str, Number]] = [
        ("hit_frequency", hits or "0", analysis.hit_frequency),
        ("return", returned, analysis.return_.constant),
        ("house_edge", f"1-({returned})", analysis.house_edge.constant),
    ]
    return [LiveCell(key, calculation.at_these_decks(formula), value) for key, formula, value in figures]


def _return_formula(calculation: Calculation, working: CalculationSheet, case: ConditionalResult) -> str:
    terms = [
        f"{to_cell_number(line.probability)}*{working.at('gross', calculation.places[award_index])}"
        for award_index, line in enumerate(case.analysis.lines)
        if line.is_possible
    ]
    return "+".join(terms) or "0"


def _awards(
    calculation: Calculation, working: CalculationSheet, case: ConditionalResult
) -> Iterable[tuple[str, list[LiveCell]]]:
    """Yield each award's row in one case, and their total."""
    for award_index, line in enumerate(case.analysis.lines):
        if line.is_possible:
            index = calculation.places[award_index]
            formula = calculation.at_these_decks(f"{to_cell_number(line.probability)}*{working.at('gross', index)}")
            yield (
                line.award.name,
                [
                    LiveCell("words", working.at("words", index), str(line.award.pay)),
                    LiveCell("return", formula, line.return_.constant),
                ],
            )
    total: Fraction = case.analysis.return_.constant
    yield "total", [LiveCell("return", calculation.at_these_decks(_return_formula(calculation, working, case)), total)]


class WagerFormulas(Collector, frozen=True):
    """Collects the formulas of the wager."""

    def collect(self) -> None:
        """Add all formulas of the wager alone."""
        self._headline()
        self._awards()
        self._volatility()

    # the headline and the statistics

    def _headline(self) -> None:
        calculation = self.calculation
        for figure in calculation.figures:
            if figure.key and (calculation.is_ladder or figure.key not in _SPREAD):
                fact = LiveCell(figure.key, figure.name, figure.value, _if_open(figure.stated))
                self.facts.add_figure(figure.key, figure.basis, fact)
        self._results()
        settled = calculation.settled.analysis
        top = calculation.outcomes[calculation.top_index]
        without = settled.return_.constant - top.probability * top.gross
        for key, formula, value in (
            ("return_without_top_award", "ReturnTotal-INDEX(Return,TopPlace)", without),
            ("fixed_return", "FixedReturn", settled.fixed_return),
            (
                "top_award_one_in",
                f'IF(INDEX(Probability,TopPlace)=0,"{IMPOSSIBLE}",1/INDEX(Probability,TopPlace))',
                1 / top.probability if top.ways else IMPOSSIBLE,
            ),
        ):
            is_open = key == "return_without_top_award"  # the others are no formulas in the meters
            also = _if_open(self.study.analysis.return_without_top) if is_open else ()
            self.facts.add_figure(key, self._basis(key), LiveCell(key, formula, value, also))
        if calculation.counts_ways and calculation.turns == 1:
            self.facts.add_figure(
                "cycle", self._basis("cycle"), LiveCell("cycle", "Cycle", calculation.analysis.ways.cycle)
            )
        if not calculation.meters:
            edge, edge_value = "BestHouseEdge" if calculation.option else "HouseEdge", self.study.house_edge.constant
            self.facts.add_figure("hold", self._basis("hold"), LiveCell("hold", edge, edge_value))
        name = f'{self.working.name_of("TopPlace")}&", "&INDEX(PayInWords,TopPlace)'
        self.facts.add_figure(TOP_AWARD, "", LiveCell(TOP_AWARD, name, f"{top.name}, {top.pay}"))

    def _basis(self, key: str) -> str:
        """Return the name of the basis of a figure of the wager."""
        *_, alone = figure_values(self.study, key)
        return str(alone.basis)

    def _results(self) -> None:
        """Add the results on each basis."""
        for result in self.study.results:
            spread = cells_of_basis(self.calculation, result)
            if spread is None:
                self._long_run(result)
                continue
            self._moments(spread, result)
            index = _exact_deviation(volatility_index(result.standard_deviation))
            cells = (
                LiveCell("keeps", spread.house_edge, result.house_edge),
                LiveCell("deviation", spread.standard_deviation, _exact_deviation(result.standard_deviation) or 0),
                LiveCell("index", f"z_{CONFIDENCE * 100}*{spread.standard_deviation}", index or 0),
            )
            self.facts.add_row(BASES, str(result.basis), cells)

    def _long_run(self, result: PlayResult) -> None:
        """Add the mean on a basis where plays depend on each other; no formula gives the variance."""
        edge_cell = {Basis.LONG_RUN: "Hold", Basis.PLAYER: "AveragesKeeps"}.get(result.basis)
        if self.calculation.terms is None or edge_cell is None:
            return
        self.facts.add_row(BASES, str(result.basis), [LiveCell("keeps", edge_cell, result.house_edge)])
        for key, formula, value in (
            ("house_edge", edge_cell, result.house_edge),
            ("return", f"1-{edge_cell}", 1 - result.house_edge),
            ("expected_value", f"-{edge_cell}", -result.house_edge),
        ):
            self.facts.add_figure(key, str(result.basis), LiveCell(key, formula, value))

    def _moments(self, spread: BasisCells, result: PlayResult) -> None:
        moments: list[tuple[str, str, Number | None]] = [
            ("house_edge", spread.house_edge, result.house_edge),
            ("return", f"1-{spread.house_edge}", 1 - result.house_edge),
            ("expected_value", f"-{spread.house_edge}", -result.house_edge),
            ("variance", spread.variance, result.variance),
            ("standard_deviation", spread.standard_deviation, _exact_deviation(result.standard_deviation)),
        ]
        if result is self.study.result:  # the shape is shown of the headline's basis only
            moments.append(("skewness", spread.skewness, result.skewness))
            moments.append(("excess_kurtosis", spread.excess_kurtosis, result.excess_kurtosis))
        for level in Z:
            index = _exact_deviation(volatility_index(result.standard_deviation, level))
            moments.append((f"volatility_index_{level * 100}", f"z_{level * 100}*{spread.standard_deviation}", index))
        for key, formula, value in moments:
            if value is not None and formula:
                self.facts.add_figure(key, str(result.basis), LiveCell(key, formula, value))

    def _volatility(self) -> None:
        result = self.study.result
        spread = cells_of_basis(self.calculation, result) if result is not None else None
        if result is None or spread is None:
            return
        for level, z in Z.items():
            name = f"{level * 100}"
            edge, variance = spread.house_edge, spread.variance
            needed = f"ROUNDUP(z_{name}^2*{variance}/{edge}^2,0)"
            # To three digits that count, of a number that has more.
            plays = f'IF({edge}<=0,"—",ROUND({needed},MIN(0,2-INT(LOG10({needed})))))'
            exactly = plays_to_positive_hold(result, level)
            sure = None if exactly is None else round_to_3_digits(exactly)
            index = _exact_deviation(volatility_index(result.standard_deviation, level))
            facts = [
                LiveCell("confidence", f'Confidence_{name}*100&"%"', f"{name}%"),
                LiveCell("z", f"z_{name}", z, (with_decimals(z, 6),), Style.TEXT),
                LiveCell("plays", plays, "—" if sure is None else sure, (sure,)),
            ]
            if spread.skewness and exactly is not None:
                smooth, rough = curve_in_words(True), curve_in_words(False)
                serves = f"{needed}>={PLAYS_PER_SQUARED_SKEWNESS}*{spread.skewness}^2"
                words = smooth if normal_is_adequate(result, exactly) else rough
                facts.append(LiveCell("by", f'IF({edge}<=0,"—",IF({serves},"{smooth}","{rough}"))', words))
            if index is not None:
                facts.append(LiveCell("index", f"z_{name}*{spread.standard_deviation}", index))
            self.facts.add_row(VOLATILITY, f"{name}%", facts)

    # the awards

    def _awards(self) -> None:
        calculation = self.calculation
        settled, lines = calculation.settled.analysis, self.study.analysis.lines
        total = settled.return_.constant
        cumulative = [Fraction(0), Fraction(0), Fraction(0)]
        for index, outcome in enumerate(calculation.outcomes):
            cells = {
                key: self.working.at(key, index) for key in ("gross", "net", "chance", "return", "net_share", "words")
            }
            line = lines[outcome.line] if outcome.line is not None and outcome.share == 1 else None
            probability, returned, net = (
                outcome.probability,
                outcome.probability * outcome.gross,
                outcome.probability * outcome.net,
            )
            cumulative = [
                running + term for running, term in zip(cumulative, (probability, returned, net), strict=True)
            ]
            facts = [
                *self._counts(index, outcome),
                LiveCell("probability", cells["chance"], probability),
                LiveCell("one in", *_per_chance("1/{chance}", cells, outcome, lambda p: 1 / p)),
                LiveCell("odds", *_per_chance("(1-{chance})/{chance}", cells, outcome, lambda p: (1 - p) / p)),
                LiveCell("words", cells["words"], str(outcome.pay) if outcome.pay else "loses"),
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
                LiveCell("return", cells["return"], returned, (line.return_,) if line else ()),
                LiveCell(
                    "share", f"IF(ReturnTotal=0,0,{cells['return']}/ReturnTotal)", returned / total if total else 0
                ),
                LiveCell("net", cells["net_share"], net, (line.return_ - line.probability,) if line else ()),
                *self._cumulative_cells(index, cumulative),
            ]
            if outcome.pay is not None and outcome.ways:
                short = f'IF({cells["chance"]}=0,"{IMPOSSIBLE}",1/{cells["chance"]}-{cells["gross"]})'
                facts.append(LiveCell("short", short, 1 / probability - outcome.gross))
            self.facts.add_row(AWARDS, outcome.name, facts)
            if outcome.line is not None and outcome.share != 1:
                self.facts.add_row(SPUN, (lines[outcome.line].award.name, str(outcome.pay)), facts)
        self.facts.add_row(AWARDS, "total", self._total(total))

    def _cumulative_cells(self, index: int, values: list[Fraction]) -> Iterator[LiveCell]:
        """Yield the cumulative sums from the first award to this one."""
        for key, value in zip(("chance", "return", "net_share"), values, strict=True):
            first, last = self.working.at(key, 0), self.working.at(key, index).partition("!")[2]
            yield LiveCell(f"{key} so far", f"SUM({first}:{last})", value)

    def _counts(self, index: int, outcome: AwardRow) -> Iterator[LiveCell]:
        if not self.calculation.counts_ways:
            return
        ways = self.working.at("ways", index)
        yield LiveCell("ways", ways, outcome.ways)
        if outcome.fits is not None and self.data.has_inclusive_counts:
            fits = self.data.fits(index)
            yield LiveCell("fits", fits, outcome.fits)
            yield LiveCell("taken", f"{fits}-{ways}", outcome.fits - outcome.ways)

    def _total(self, total: Fraction) -> Iterator[LiveCell]:
        analysis = self.study.analysis
        if self.calculation.counts_ways:
            yield LiveCell("ways", "SUM(Ways)", analysis.ways.cycle * self.calculation.turns)
        yield LiveCell("probability", "SUM(Probability)", 1)
        yield LiveCell("return", "SUM(Return)", total, (analysis.return_,))
        yield LiveCell("share", "IF(ReturnTotal=0,0,SUM(Return)/ReturnTotal)", 1 if total else 0)
        yield LiveCell("net", "SUM(NetShare)", total - 1, (analysis.return_ - 1,))


def collect_formulas(calculation: Calculation, working: CalculationSheet, data: CountsSheet) -> FormulaIndex:
    """Return the index of all formulas of a sheet."""
    facts = FormulaIndex()
    WagerFormulas(calculation, working, data, facts).collect()
    OutlookFormulas(calculation, working, data, facts).collect()
    if not calculation.meters:
        add_exposure(facts, working)
    add_exposed_card_cases(facts, calculation, working)
    if calculation.terms is not None:
        MeterFormulaCollector(calculation, working, calculation.terms, facts).collect()
    return facts


def _if_open(value: Value) -> tuple[Value, ...]:
    """Return a figure that is a polynomial in the meters, else nothing."""
    return (value,) if isinstance(value, Polynomial) and not value.is_constant else ()


_SPREAD = (
    "variance",
    "standard_deviation",
    "skewness",
    "excess_kurtosis",
    *(f"volatility_index_{level * 100}" for level in Z),
)
"""Figures that follow from the rows only if each outcome takes at most one award."""


def _exact_deviation(deviation: Surd | Span | None) -> Surd | None:
    """Return a standard deviation, or `None` if only its bounds are known."""
    return None if isinstance(deviation, Span) else deviation


def _per_chance(
    formula: str, cells: Mapping[str, str], outcome: AwardRow, value: Callable[[Fraction], Fraction]
) -> tuple[str, Number | str]:
    """Return a formula of the probability, and its value, that shows `IMPOSSIBLE` where it is zero."""
    return f'IF({cells["chance"]}=0,"{IMPOSSIBLE}",{formula.format_map(cells)})', outcome.per_probability(value)
