"""Workbook formulas of other deck counts, of changed pays, and of the outlook over many plays."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from combinat.analysis.outlook import CONFIDENCE, DISTRIBUTION, NORMAL, PLAYS_PER_SQUARED_SKEWNESS, SessionOutlook
from combinat.analysis.sensitivity import find_misrankings
from combinat.figures import figure_values
from combinat.study import Study
from reports.page.numerals import NO_VALUE
from reports.render.workbook.bases import cells_of_basis
from reports.render.workbook.index import LiveCell
from reports.render.workbook.inputs import DIFFERING
from reports.render.workbook.working import FormulaCollector
from reports.render.workbook.writer import Number, to_cell_number
from reports.sheet.sections.decks import BOOKS, BY_DECKS, FIXED, WAGER
from reports.sheet.sections.outlook import ONE_UNIT, OUTLOOKS, method_text
from reports.tables.headings import INFINITE

ROUGH = "rough"
_EDGE_KEYS = (
    (WAGER, "house_edge", "standard_deviation"),
    (BOOKS, "books", "books_deviation"),
    (FIXED, "fixed", "standard_deviation"),
)
"""Figures at each deck count: their name in the document, and the keys of the edge and its standard deviation."""


class OutlookFormulas(FormulaCollector, frozen=True):
    """Collects the formulas of a sheet's outlook."""

    def collect(self) -> None:
        """Add formulas for other deck counts, changed pays and many plays."""
        self._decks()
        self._pays()
        self._plays()

    def _decks(self) -> None:
        calculation, data = self.calculation, self.data
        analyzed_column, study = calculation.decks.analyzed_index, self.study
        for row in study.by_decks:
            column = data.column_of(row.decks)
            if column is None or row.analysis is None:
                continue
            values, analyzed_values = data.values[column], data.values[analyzed_column]
            live_cells = []
            for name, edge_key, deviation in _EDGE_KEYS:
                if edge_key not in values or (name == BOOKS and not self._has_all_meters(column)):
                    continue
                live_cells.append(LiveCell(name, data.at(edge_key, column), values[edge_key]))
                if deviation:
                    live_cells.append(LiveCell(f"{name} deviation", data.at(deviation, column), values[deviation]))
                change = f"{data.at(edge_key, column)}-{data.lookup(edge_key)}"
                live_cells.append(
                    LiveCell(f"{name} change", change, _subtract(values[edge_key], analyzed_values[edge_key]))
                )
            live_cells += [
                LiveCell(key, data.at(key, column), values[key]) for key in ("hit_frequency", "top_award_one_in")
            ]
            self.formulas.add_row(BY_DECKS, INFINITE if row.decks is None else row.decks, live_cells)

    def _has_all_meters(self, column: int) -> bool:
        """Return whether every meter award is possible at a deck count."""
        hands = self.calculation.row_ways(self.calculation.decks.columns[column].ways)
        metered = (count for count, row in zip(hands, self.calculation.outcomes, strict=True) if row.is_metered)
        return self.calculation.terms is not None and all(metered)

    def _pays(self) -> None:
        """Add the change of the edge for one unit more or less on each award, including parlayed winnings."""
        calculation, study = self.calculation, self.study
        option = study.option
        edge_name = "BestHouseEdge" if option else "HouseEdge"
        edge = study.house_edge.constant if study.house_edge.is_constant else None
        for award_index, line in enumerate(study.analysis.lines):
            if line.award.pay.meter is not None or award_index not in calculation.row_by_award:
                continue
            index = calculation.row_by_award[award_index]
            live_cells = [LiveCell("words", self.working.at("words", index), str(line.award.pay))]
            for units in (1, -1):
                value, sign = study.edge_change(award_index, units), "+" if units > 0 else "-"
                formula = f"{'-' if units > 0 else ''}{self.working.at('chance', index)}"
                if option:
                    formula += f"-{self._parlay_formula(index, units)}"
                    formula = calculation.if_analyzed_decks(formula)
                if units < 0:
                    pays = self.working.inputs.at(index)[0]
                    formula = f'IF({pays}<1,"—",{formula})'
                live_cells.append(LiveCell(f"{sign}1", formula, value))
                if edge is not None:
                    live_cells.append(LiveCell(f"{sign}1 edge", f"{edge_name}+({formula})", edge + value))
            self.formulas.add_row(ONE_UNIT, line.award.name, [*live_cells, *self._misranking_cells(award_index)])
        for key, unit, sign in (("to_as_for", "to 1", ""), ("for_as_to", "for 1", "-")):
            change = Study(self.study.analysis).edge_change_in_unit(unit)
            if change is not None:
                formula = f'{sign}SUMPRODUCT((Unit="{unit}")*(NetPay>0)*Probability)'
                *_, wager_value = figure_values(self.study, key)
                self.formulas.add_figure(key, str(wager_value.basis), LiveCell(key, formula, change))

    def _misranking_cells(self, award_index: int) -> Iterator[LiveCell]:
        """Yield the change of the edge if an award is paid as the next possible one, or as a loss after the last."""
        calculation, lines = self.calculation, self.study.analysis.lines
        if not calculation.is_ladder or not lines[award_index].is_possible:
            return
        next_index = next((later for later in range(award_index + 1, len(lines)) if lines[later].is_possible), None)
        if next_index is not None and lines[next_index].award.pay.meter is not None:
            return
        index = calculation.row_by_award[award_index]
        net, chance = self.working.at("net", index), self.working.at("chance", index)
        next_net = self.working.at(
            "net", len(calculation.outcomes) - 1 if next_index is None else calculation.row_by_award[next_index]
        )
        changes = {change.award: change.change for change in find_misrankings(self.study.analysis)}
        yield LiveCell(
            "below",
            f'IF({next_net}<{net},{chance}*({net}-{next_net}),"{NO_VALUE}")',
            changes.get(award_index, NO_VALUE),
        )

    def _parlay_formula(self, index: int, units: int) -> str:
        """Return the formula of the additional parlay gain if an award pays `units` more."""
        net, gain = self.working.at("net", index), self.working.at("gain", index)
        wager_units = 1 if self.study.option and self.study.option.includes_wager else 0
        changed, current = f"({net}{units:+d}+{wager_units})*({net}{units:+d}>0)", f"({net}+{wager_units})*({net}>0)"
        return f"{gain}*({changed}-{current})"

    def _plays(self) -> None:
        """Add the outlooks: by the normal approximation, or as analyzed while no input differs."""
        results = {result.basis: result for result in self.study.results}
        for basis_index, (basis, sessions) in enumerate(self.study.outlooks):
            basis_cells = cells_of_basis(self.calculation, results[basis])
            if basis_cells is None or not basis_cells.skewness:
                continue
            for session in sessions:
                half_width = f"z_{CONFIDENCE * 100}*{basis_cells.standard_deviation}/SQRT({session.plays})"
                is_adequate = f"{session.plays}>={PLAYS_PER_SQUARED_SKEWNESS}*{basis_cells.skewness}^2"
                bounds = (("from", "-", session.least_hold), ("to", "+", session.most_hold))
                live_cells = []
                for key, sign, value in bounds:
                    stated_value: Number | str = value
                    normal_formula = f"{basis_cells.house_edge}{sign}{half_width}"
                    if basis_index:  # only the first basis shows rough figures
                        normal_formula, stated_value = (
                            f'IF({is_adequate},{normal_formula},"{ROUGH}")',
                            ROUGH if session.is_rough else value,
                        )
                    live_cells.append(
                        LiveCell(f"{basis} {key}", _unless_changed(session, normal_formula, value), stated_value)
                    )
                ahead_formula = (
                    f"NORMSDIST({basis_cells.house_edge}*SQRT({session.plays})/{basis_cells.standard_deviation})"
                )
                live_cells.append(
                    LiveCell(
                        f"{basis} ahead",
                        _unless_changed(session, ahead_formula, session.house_ahead),
                        session.house_ahead,
                    )
                )
                live_cells.append(LiveCell(f"{basis} by", _method_formula(session, is_adequate), method_text(session)))
                self.formulas.add_row(OUTLOOKS, session.plays, live_cells)


def _subtract(value: Number | str, subtrahend: Number | str) -> Number:
    if isinstance(value, Fraction) and isinstance(subtrahend, Fraction):
        return value - subtrahend
    raise TypeError("only fractions are subtracted here")


def _unless_changed(session: SessionOutlook, normal_formula: str, analyzed_value: Fraction) -> str:
    """Return the normal approximation, or the value of the exact distribution while no input differs."""
    return (
        f"IF({DIFFERING}>0,{normal_formula},{to_cell_number(analyzed_value)})"
        if session.method == DISTRIBUTION
        else normal_formula
    )


def _method_formula(session: SessionOutlook, is_adequate: str) -> str:
    """Return the formula of the method's name: the normal approximation, rough or not, once an input differs."""
    smooth_text, rough_text = (
        method_text(replace(session, method=NORMAL, is_rough=is_rough)) for is_rough in (False, True)
    )
    normal_method = f'IF({is_adequate},"{smooth_text}","{rough_text}")'
    return (
        f'IF({DIFFERING}>0,{normal_method},"{method_text(session)}")'
        if session.method == DISTRIBUTION
        else normal_method
    )
