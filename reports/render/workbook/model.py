"""The model of a workbook: what it computes, each figure as a formula over named cells with its exact value.

`Calculation` holds the awards as rows, the deck counts, the meters at fixed amounts and the figures. `CountsSheet` is
the worksheet of counts that the formulas look up: the ways of every outcome at each deck count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import compress
from math import lcm

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.analysis.outlook import Z
from combinat.bets.pay import Pay
from combinat.enumeration.tally import AwardCounts
from combinat.exact.surd import Surd
from combinat.figures import FIGURES, FigureValue, Value, figure_values
from combinat.meters.hold import MeterFigures
from combinat.study import Basis, Study
from reports.page.figures import STYLES
from reports.page.model import Style
from reports.page.numerals import exact, format_fixed
from reports.render.workbook.writer import EXACT_INTEGER_LIMIT, Number, WorksheetPage, column_letter
from reports.tables.awards import IMPOSSIBLE, NO_AWARD
from reports.tables.headings import INFINITE


class WorkbookMeter(Struct, frozen=True):
    """A meter's amount for the wager that the paytable states, and the origin of the amount."""

    name: str
    defined_name: str
    amount: Fraction
    origin: str
    is_seed: bool = False


def meters_of(analysis: Analysis) -> tuple[WorkbookMeter, ...]:
    """Return the meters with their amounts in the workbook: as given, else the seed, else zero."""
    system = analysis.system
    meters: list[WorkbookMeter] = []
    for name in analysis.paytable.meters:
        defined_name = f"Meter_{name}"
        if name in analysis.meters:
            meters.append(WorkbookMeter(name, defined_name, analysis.meters[name], "as given"))
        elif system is not None:
            basis = "its seed, which is inferred" if system.basis else "its seed"
            meters.append(WorkbookMeter(name, defined_name, system.level(name).seed, basis, is_seed=True))
        else:
            meters.append(WorkbookMeter(name, defined_name, Fraction(0), "not known: put the amount in"))
    return tuple(meters)


class AwardRow(Struct, frozen=True):
    """One row of the calculation: an award, or the losing hands."""

    name: str
    pay: Pay | None
    inclusive_ways: int | None
    ways: int
    cycle: int
    gross: Fraction
    gain: Fraction = Fraction(0)
    """What best play adds to the return for each unit that could be parlayed."""
    award_index: int | None = None
    """The index of its award in the ladder."""
    share: Fraction = Fraction(1)
    """Its share of the award's hands: less than 1 where a wheel decides."""

    @property
    def probability(self) -> Fraction:
        """The probability of the outcome."""
        return Fraction(self.ways, self.cycle)

    @property
    def net(self) -> Fraction:
        """Profit for a wager of 1."""
        return self.gross - 1

    @property
    def is_metered(self) -> bool:
        """Whether the award pays from a meter."""
        return self.pay is not None and self.pay.meter is not None

    def per_probability(self, value: Callable[[Fraction], Fraction]) -> Number | str:
        """Return `value` of the probability, or `IMPOSSIBLE` if it is zero."""
        return value(self.probability) if self.ways else IMPOSSIBLE


class DeckColumn(Struct, frozen=True):
    """The ways of each outcome at one deck count."""

    title: int | str
    """Its name in the input: the number, `INFINITE` or `THIS_SHOE`."""
    ways: AwardCounts


class DeckColumns(Struct, frozen=True):
    """The deck counts of a workbook, and the index of the analyzed one."""

    columns: tuple[DeckColumn, ...]
    analyzed_index: int

    @property
    def analyzed(self) -> DeckColumn:
        """The column of the analyzed shoe."""
        return self.columns[self.analyzed_index]


NEW_ANALYSIS = "takes a new analysis"
METER_WAGER = "MeterWager"
"""Name of the cell with the wager for which meter amounts are stated; no meter's cell has this name."""


THIS_SHOE = "this shoe"
"""Name in the input of a shoe with removed cards."""


class LiveFigure(Struct, frozen=True):
    """A figure with its defined name, formula and value."""

    key: str
    label: str
    name: str
    formula: str
    value: Number | str
    style: Style
    exact: str
    stated: Value = None
    """The figure as a document states it, perhaps a polynomial in the meters."""
    basis: str = ""
    """The basis of that figure."""


VOLATILITY = {confidence: f"volatility_index_{confidence * 100}" for confidence in Z}
"""Keys of the volatility indexes by confidence; each has a row with its z above it."""
_FIGURES = tuple(key for key, style in STYLES.items() if style.formula and key not in VOLATILITY.values())


class Calculation(Struct, frozen=True, dict=True):
    """The figures of a study with every meter at an amount, and the formulas that give them."""

    study: Study

    @property
    def analysis(self) -> Analysis:
        """The figures of the wager alone."""
        return self.study.analysis

    @cached_property
    def meters(self) -> tuple[WorkbookMeter, ...]:
        """The meters with their amounts."""
        return meters_of(self.analysis)

    @cached_property
    def at_fixed_meters(self) -> Study:
        """The study with all meters at fixed amounts, so that every figure is a number."""
        amounts = {meter.name: meter.amount for meter in self.meters}
        wager = self.analysis.stated_wager
        at_amounts = Analysis(self.analysis.paytable, self.analysis.shoe, self.analysis.ways, amounts, wager)
        return Study(at_amounts, self.study.option, self.study.uses_seeds or bool(self.analysis.open_meters))

    @cached_property
    def decks(self) -> DeckColumns:
        """The deck counts with known ways; a shoe with removed cards is an additional first column."""
        rows = [row for row in self.study.by_decks if row.analysis is not None]
        columns = [DeckColumn(row.decks or INFINITE, row.analysis.ways) for row in rows if row.analysis is not None]
        titles = [column.title for column in columns]
        if self.analysis.shoe.is_full and self.analysis.shoe.decks in titles:
            return DeckColumns(tuple(columns), titles.index(self.analysis.shoe.decks))
        return DeckColumns((DeckColumn(THIS_SHOE, self.analysis.ways), *columns), 0)

    @cached_property
    def counts_ways(self) -> bool:
        """Whether ways fit into cells exactly; otherwise the cells hold probabilities."""
        finite = (column.ways.cycle for column in self.decks.columns if column.title != INFINITE)
        return max(finite) * self.wheel_factor < EXACT_INTEGER_LIMIT

    @cached_property
    def terms(self) -> MeterFigures | None:
        """The figures of the meters if they have a closed form, else `None`."""
        figures = self.study.meters
        return figures if figures is not None and figures.has_closed_form else None

    @cached_property
    def has_independent_plays(self) -> bool:
        """Whether each play has its own cost on the accounting basis, independent of other plays."""
        result = self.study.result
        return self.terms is not None and result is not None and result.basis in (Basis.BOOKS, Basis.POSTED)

    @cached_property
    def outcomes(self) -> tuple[AwardRow, ...]:
        """The awards in ladder order, then the losing hands."""
        cycle, lines = self.analysis.ways.cycle, self.at_fixed_meters.analysis.lines
        gains = self.study.option.gain_per_unit if self.study.option else (Fraction(0),) * len(lines)
        if self.analysis.paytable.wheels:
            return self._prizes
        awards = [
            AwardRow(line.award.name, line.award.pay, line.matches, line.ways, cycle, line.gross.constant, gain, index)
            for index, (line, gain) in enumerate(zip(lines, gains, strict=True))
        ]
        return (*awards, AwardRow(NO_AWARD, None, None, self.analysis.ways.losing, cycle, Fraction(0)))

    @cached_property
    def is_ladder(self) -> bool:
        """Whether each outcome takes at most one award, so that the rows are the exact distribution."""
        analysis, rows = self.at_fixed_meters.analysis, self.outcomes
        second_moment = sum((row.probability * row.net**2 for row in rows), Fraction(0))
        mean = sum((row.probability * row.net for row in rows), Fraction(0))
        return sum(row.probability for row in rows) == 1 and second_moment - mean**2 == analysis.variance.constant

    @cached_property
    def top_index(self) -> int:
        """The index of the top award; a meter without a given amount counts as more than any pay."""
        if self.analysis.open_meters:
            return self.analysis.lines.index(self.analysis.top)
        pays = [row.gross for row in self.outcomes]
        return pays.index(max(pays))

    @property
    def is_top(self) -> tuple[bool, ...]:
        """Whether each row has the highest pay; several if they tie."""
        top_row = self.outcomes[self.top_index]
        if self.analysis.open_meters:
            return tuple(row.pay == top_row.pay for row in self.outcomes)
        return tuple(row.gross == top_row.gross for row in self.outcomes)

    @property
    def top_rows_formula(self) -> str:
        """The formula of `is_top`, an array of truth values."""
        pays = "PayInWords" if self.analysis.open_meters else "GrossPay"
        return f"({pays}=INDEX({pays},TopPlace))"

    def row_ways(self, award_counts: AwardCounts) -> tuple[int, ...]:
        """Return the ways of each row, times the stops of the wheels."""
        wheel_factor = self.wheel_factor
        scaled_ways = (
            wheel_factor
            * row.share
            * (award_counts.losing if row.award_index is None else award_counts.wins[row.award_index])
            for row in self.outcomes
        )
        return tuple(map(int, scaled_ways))

    @cached_property
    def row_by_award(self) -> dict[int, int]:
        """The row index of each award that no wheel multiplies."""
        return {
            row.award_index: index
            for index, row in enumerate(self.outcomes)
            if row.award_index is not None and row.share == 1
        }

    @cached_property
    def accounting_costs(self) -> tuple[Fraction, ...]:
        """The cost of each outcome on the accounting basis, besides what every play sets aside."""
        return tuple(map(self._cost, self.outcomes))

    def _cost(self, outcome: AwardRow) -> Fraction:
        if self.terms is None or outcome.pay is None or outcome.pay.meter is None:
            return outcome.gross
        level = next(figures.level for figures in self.terms.levels if figures.level.name == outcome.pay.meter)
        share = outcome.pay.amount
        return (share if share == 1 or not level.deducted else 0) * level.seed / self.terms.system.wager

    @cached_property
    def set_aside(self) -> Fraction:
        """The share of each wager that goes into the meters and their reserves."""
        levels = self.terms.system.levels if self.terms else ()
        return sum((level.rate + level.reserve for level in levels), Fraction(0))

    @cached_property
    def wheel_factor(self) -> int:
        """The factor by which ways are multiplied so that every wheel prize has an integer count; 1 without wheels."""
        return lcm(
            *(probability.denominator for line in self.analysis.lines for _, probability in line.award.pay.outcomes)
        )

    @cached_property
    def _prizes(self) -> tuple[AwardRow, ...]:
        """A row for each prize of each award; all ways are multiplied by `wheel_factor`."""
        award_counts, wheel_factor = self.analysis.ways, self.wheel_factor
        rows = [
            AwardRow(
                line.award.name + (f", {pay}" if line.has_wheel else ""),
                pay,
                None if line.has_wheel else line.matches * wheel_factor,
                int(line.ways * wheel_factor * probability),
                award_counts.cycle * wheel_factor,
                pay.gross.constant,
                award_index=index,
                share=probability,
            )
            for index, line in enumerate(self.analysis.lines)
            for pay, probability in line.award.pay.outcomes
        ]
        return (
            *rows,
            AwardRow(
                NO_AWARD, None, None, award_counts.losing * wheel_factor, award_counts.cycle * wheel_factor, Fraction(0)
            ),
        )

    @property
    def option(self) -> str | None:
        """The kind of option for winnings, or `None`."""
        return self.study.option.kind if self.study.option else None

    @cached_property
    def figures(self) -> tuple[LiveFigure, ...]:
        """The figures below the awards, each with its formula over the named cells."""
        return (
            *(self._live(closed, open_) for key in _FIGURES for closed, open_ in self._closed_and_open(key)),
            *(figure for confidence, z in Z.items() for figure in self._volatility(confidence, z)),
        )

    def _closed_and_open(self, key: str) -> list[tuple[FigureValue, FigureValue]]:
        """Return each figure with meters at fixed amounts and as analyzed, on the wager's basis first."""
        pairs = list(zip(figure_values(self.at_fixed_meters, key), figure_values(self.study, key), strict=True))
        # No formula over the awards gives the variance of best play.
        return [(closed, open_) for closed, open_ in pairs[::-1] if not self._is_best(closed) or key in self._best]

    def _is_best(self, figure: FigureValue) -> bool:
        """Return whether a figure is on the basis of best play of an option."""
        return figure.basis is Basis.BEST and self.option is not None

    def _live(self, closed: FigureValue, open_: FigureValue) -> LiveFigure:
        """Return a live figure; its exact value is a polynomial in the meters whose amounts were not given."""
        style = STYLES[closed.key]
        name, formula = style.name, style.formula
        if self._is_best(closed):
            name, formula = f"Best{name}", self._best[closed.key]
        if closed.value is None:
            return LiveFigure(closed.key, closed.label, name, formula, "none", style.style, "", basis=str(open_.basis))
        # Products of several unknown meters fill a page; the value at the amounts shown is more useful.
        is_readable = closed.key != "variance" or len(self.analysis.open_meters) <= 1
        text = str(exact(open_.value if open_.value is not None and is_readable else closed.value))
        number = exact_number(closed.value)
        return LiveFigure(
            closed.key, closed.label, name, formula, number, style.style, text, open_.value, str(open_.basis)
        )

    def _volatility(self, confidence: Fraction, z: Fraction) -> tuple[LiveFigure, LiveFigure]:
        """Return the z of a confidence and the volatility index."""
        level = confidence * 100
        *_, index = figure_values(self.at_fixed_meters, VOLATILITY[confidence])  # the last is that of the wager alone
        *_, open_ = figure_values(self.study, VOLATILITY[confidence])
        style, point = STYLES[index.key], f"ROUND(NORMSINV((1+Confidence_{level})/2),6)"
        return (
            LiveFigure("", f"z for {level}% confidence", f"z_{level}", point, z, Style.DECIMAL, "to six decimals"),
            LiveFigure(
                index.key,
                index.label,
                style.name,
                style.formula,
                exact_number(index.value),
                style.style,
                "z × standard deviation",
                basis=str(open_.basis),
            ),
        )

    @property
    def _best(self) -> dict[str, str]:
        """Formulas of best play: each parlayed unit gains a fixed amount, and only winnings are parlayed."""
        parlayed = "GrossPay" if self.study.option and self.study.option.includes_wager else "NetPay"
        return {
            key: self.if_analyzed_decks(formula)
            for key, formula in {
                "house_edge": f"HouseEdge-SUMPRODUCT(GainPerUnit,{parlayed}*(NetPay>0))",
                "return": "1-BestHouseEdge",
                "expected_value": "-BestHouseEdge",
            }.items()
        }

    def if_analyzed_decks(self, formula: str) -> str:
        """Restrict a formula to the analyzed deck count; its data do not exist for others."""
        return f'IF(DeckPlace={self.decks.analyzed_index + 1},{formula},"{NEW_ANALYSIS}")'


def exact_number(value: object) -> Number:
    """Return the number of a figure that contains no open meter."""
    constant = getattr(value, "constant", value)
    assert isinstance(constant, (int, Fraction, Surd))
    return constant


def amounts_text(calculation: Calculation) -> str:
    """Describe the meter amounts of the figures."""
    texts = [f"{meter.name} at {format_fixed(meter.amount, 2)} ({meter.origin})" for meter in calculation.meters]
    return ", ".join(texts)


NAME = "Data"
CYCLE = "Cycle: all hands there are"
_FIRST_ROW, _FIRST_COLUMN = 5, 2
"""The row of the first outcome and the column of the first deck count, counted from zero."""


class DeckFigure(Struct, frozen=True):
    """A figure at each deck count, as a formula over the column of ways."""

    key: str
    label: str
    formula: str
    style: Style


class CountsSheet(Struct, frozen=True, dict=True):
    """The worksheet of counts, and the figures at each deck count."""

    calculation: Calculation

    @cached_property
    def _count(self) -> int:
        return len(self.calculation.outcomes)

    @cached_property
    def has_inclusive_counts(self) -> bool:
        """Whether the inclusive count of each award is known too."""
        paytable = self.calculation.analysis.paytable
        return self.calculation.counts_ways and paytable.experiment.counts_hands and not paytable.wheels

    @cached_property
    def figures(self) -> tuple[DeckFigure, ...]:
        """The figures at each deck count."""
        return tuple(self._figures())

    def _figures(self) -> Iterator[DeckFigure]:
        """Yield formulas over the ways of a column and their sum."""
        yield DeckFigure("return", FIGURES["return"].label, "SUMPRODUCT({ways},GrossPay)/{cycle}", Style.PERCENT)
        yield DeckFigure("house_edge", FIGURES["house_edge"].label, "1-{return}", Style.PERCENT)
        hits_formula = "SUMPRODUCT({ways}*(NetPay>0))/{cycle}"
        yield DeckFigure("hit_frequency", FIGURES["hit_frequency"].label, hits_formula, Style.PERCENT)
        deviation_formula = "SQRT(SUMPRODUCT({ways},(GrossPay-{return})^2)/{cycle})"
        yield DeckFigure("standard_deviation", FIGURES["standard_deviation"].label, deviation_formula, Style.DECIMAL)
        top_ways = f"SUMPRODUCT({{ways}}*{self.calculation.top_rows_formula})"
        top_formula = f'IF({top_ways}=0,"{IMPOSSIBLE}",{{cycle}}/{top_ways})'
        yield DeckFigure("top_award_one_in", FIGURES["top_award_one_in"].label, top_formula, Style.ODDS)
        if self.calculation.meters:
            fixed_formula = '1-SUMPRODUCT({ways}*GrossPay*(LEFT(Unit,2)<>"of"))/{cycle}'
            yield DeckFigure("fixed", "House advantage of the fixed pays", fixed_formula, Style.PERCENT)
        if self.calculation.has_independent_plays:
            yield DeckFigure(
                "books", "Hold, accounting basis", "1-SetAside-SUMPRODUCT({ways},BookCost)/{cycle}", Style.PERCENT
            )
            book_deviation_formula = "SQRT(SUMPRODUCT({ways},(BookCost-(1-SetAside-{books}))^2)/{cycle})"
            yield DeckFigure(
                "books_deviation", "Standard deviation, accounting basis", book_deviation_formula, Style.DECIMAL
            )

    @cached_property
    def values(self) -> tuple[dict[str, Number | str], ...]:
        """The exact values of `figures` at each deck count, for the inputs as analyzed."""
        return tuple(map(self._values, range(len(self.calculation.decks.columns))))

    def _values(self, column: int) -> dict[str, Number | str]:
        calculation = self.calculation
        award_counts = calculation.decks.columns[column].ways
        ways_by_row, cycle = calculation.row_ways(award_counts), award_counts.cycle * calculation.wheel_factor
        outcomes = calculation.outcomes
        house_edge, deviation = _moments(ways_by_row, cycle, [outcome.gross for outcome in outcomes])
        top_ways = sum(compress(ways_by_row, calculation.is_top))
        values: dict[str, Number | str] = {
            "return": 1 - house_edge,
            "house_edge": house_edge,
            "hit_frequency": Fraction(
                sum(count for count, outcome in zip(ways_by_row, outcomes, strict=True) if outcome.net > 0), cycle
            ),
            "standard_deviation": deviation,
            "top_award_one_in": Fraction(cycle, top_ways) if top_ways else IMPOSSIBLE,
        }
        if calculation.meters:
            fixed_pays = [Fraction(0) if outcome.is_metered else outcome.gross for outcome in outcomes]
            values["fixed"] = _moments(ways_by_row, cycle, fixed_pays)[0]
        if calculation.has_independent_plays:
            book_edge, book_deviation = _moments(ways_by_row, cycle, calculation.accounting_costs)
            values |= {"books": book_edge - calculation.set_aside, "books_deviation": book_deviation}
        return values

    @property
    def _inclusive_top(self) -> int:
        return _FIRST_ROW + self._count + 4

    @property
    def _figures_top(self) -> int:
        return self._inclusive_top + (self._count + 1 if self.has_inclusive_counts else -1)

    def column_of(self, decks: int | None) -> int | None:
        """Return the column index of a deck count, or `None`."""
        titles = [column.title for column in self.calculation.decks.columns]
        title = INFINITE if decks is None else decks
        return titles.index(title) if title in titles else None

    def at(self, key: str, column: int) -> str:
        """Return the address of a figure in a deck-count column."""
        row = self._figures_top + [figure.key for figure in self.figures].index(key)
        return f"{NAME}!${column_letter(_FIRST_COLUMN + column)}${row + 1}"

    def lookup(self, key: str) -> str:
        """Return the formula that looks up a figure at the input deck count."""
        return f"INDEX({self._row(self._figures_top + [figure.key for figure in self.figures].index(key))},DeckPlace)"

    def _row(self, row: int) -> str:
        last = column_letter(_FIRST_COLUMN + len(self.calculation.decks.columns) - 1)
        return f"{NAME}!${column_letter(_FIRST_COLUMN)}${row + 1}:${last}${row + 1}"

    def ways(self, index: int) -> str:
        """Return the formula that looks up the ways (or probability) of an outcome at the input deck count."""
        return f"INDEX({self._row(_FIRST_ROW + index)},DeckPlace)"

    @property
    def cycle(self) -> str:
        """The formula that looks up the cycle at the input deck count."""
        return f"INDEX({self._row(_FIRST_ROW + self._count)},DeckPlace)"

    def inclusive_count(self, index: int) -> str:
        """Return the formula that looks up the inclusive count of an award."""
        return f"INDEX({self._row(self._inclusive_top + index)},DeckPlace)"

    @property
    def deck_column_formula(self) -> str:
        """The formula that finds the column of the input deck count."""
        return f"MATCH(Decks,{self._row(_FIRST_ROW - 1)},0)"

    def _cell_values(self, column: DeckColumn) -> tuple[list[Number], list[Number], Number]:
        """Return the cell values of a column (ways, inclusive counts, cycle); probabilities if ways are too large."""
        award_counts, ways_by_row = column.ways, self.calculation.row_ways(column.ways)
        cycle = award_counts.cycle * self.calculation.wheel_factor
        if self.calculation.counts_ways and cycle < EXACT_INTEGER_LIMIT:
            return list(ways_by_row), list(award_counts.matches), cycle
        probabilities: list[Number] = [Fraction(count, cycle) for count in ways_by_row]
        return probabilities, [Fraction(count, award_counts.cycle) for count in award_counts.matches], 1

    def write(self, page: WorksheetPage) -> None:
        """Write the counts and the figures."""
        calculation = self.calculation
        columns = calculation.decks.columns
        page.title("Data", "")
        page.paragraph(
            "What was counted, as formulas look it up: no input changes it. Columns are numbers of decks; "
            + (
                "cells count ways."
                if calculation.counts_ways
                else "cells are probabilities, as ways have too many digits."
            ),
            italic=True,
        )
        page.row = _FIRST_ROW - 1
        self._write_header(page)
        stored_columns = [self._cell_values(column) for column in columns]
        for index, outcome in enumerate(calculation.outcomes):
            page.text(page.row, 1, outcome.name)
            for column_index, (ways_by_row, _, _) in enumerate(stored_columns):
                style = Style.COUNT if isinstance(ways_by_row[index], int) else Style.DECIMAL
                page.number(page.row, _FIRST_COLUMN + column_index, ways_by_row[index], style)
            page.row += 1
        page.text(page.row, 1, CYCLE if calculation.counts_ways else "all together", bold=True)
        for column_index, (_, _, cycle) in enumerate(stored_columns):
            page.number(page.row, _FIRST_COLUMN + column_index, cycle, Style.COUNT, bold=True)
        page.row += 2
        if self.has_inclusive_counts:
            page.row = self._inclusive_top - 1
            page.heading("Inclusive counts")
            for index, outcome in enumerate(calculation.outcomes[:-1]):
                page.text(page.row, 1, outcome.name)
                for column_index, (_, inclusive_counts, _) in enumerate(stored_columns):
                    style = Style.COUNT if isinstance(inclusive_counts[index], int) else Style.DECIMAL
                    page.number(page.row, _FIRST_COLUMN + column_index, inclusive_counts[index], style)
                page.row += 1
        page.row = self._figures_top - 1
        page.heading("What follows with the pays as they are now")
        self._write_figures(page)
        page.worksheet.freeze_panes(_FIRST_ROW, _FIRST_COLUMN)

    def _write_header(self, page: WorksheetPage) -> None:
        page.header(["", "Award", *(str(column.title) for column in self.calculation.decks.columns)])
        for column_index, column in enumerate(self.calculation.decks.columns):
            if isinstance(column.title, int):  # a number, because the deck count of the inputs is looked up here
                page.worksheet.write_number(
                    _FIRST_ROW - 1, _FIRST_COLUMN + column_index, column.title, page.formats.header
                )

    def _write_figures(self, page: WorksheetPage) -> None:
        for figure in self.figures:
            page.text(page.row, 1, figure.label)
            for column_index, values in enumerate(self.values):
                letter = column_letter(_FIRST_COLUMN + column_index)
                cells = {
                    named_figure.key: self.at(named_figure.key, column_index).partition("!")[2]
                    for named_figure in self.figures
                }
                cells["ways"] = f"${letter}${_FIRST_ROW + 1}:${letter}${_FIRST_ROW + self._count}"
                cells["cycle"] = f"${letter}${_FIRST_ROW + self._count + 1}"
                page.formula(
                    page.row,
                    _FIRST_COLUMN + column_index,
                    f"={figure.formula.format_map(cells)}",
                    values[figure.key],
                    figure.style,
                )
            page.row += 1


def _moments(ways_by_row: Sequence[int], cycle: int, pays: Sequence[Fraction]) -> tuple[Fraction, Surd]:
    """Return the house edge and the standard deviation of a wager.

    It pays `pays[i]` in `ways_by_row[i]` of `cycle` ways.

    >>> _moments([1, 1], 2, [Fraction(2), Fraction(0)])
    (Fraction(0, 1), sqrt(1))
    """
    mean = Fraction(sum((count * pay for count, pay in zip(ways_by_row, pays, strict=True)), Fraction(0))) / cycle
    second_moment = sum((count * pay**2 for count, pay in zip(ways_by_row, pays, strict=True)), Fraction(0)) / cycle
    return 1 - mean, Surd(second_moment - mean**2)
