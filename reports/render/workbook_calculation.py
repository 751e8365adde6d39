"""What a workbook calculates: outcomes and figures, each as a formula over named cells together with its value."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import lcm

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.analysis.long_run import Z
from combinat.enumeration.tally import Ways
from combinat.exact.root import Root
from combinat.figures import Stated, Value, stated
from combinat.meters.hold import MeterFigures
from combinat.study import Basis, Study
from reports.page.figures import STYLES
from reports.page.model import Style
from reports.page.numerals import decimal, exact
from reports.render.workbook_cells import LARGEST_WHOLE, Number
from reports.render.workbook_rows import AwardRow, DeckColumn, Decks, Meter, meters_of
from reports.tables.headings import INFINITE

NEW_ANALYSIS = "takes a new analysis"
METER_WAGER = "MeterWager"
"""The name of the cell with the wager that amounts of meters are for; no meter's own cell is called so."""


THIS_SHOE = "this shoe"
"""How the input calls a shoe that is not so many full decks."""


class LiveFigure(Struct, frozen=True):
    """A figure with its name in formulas, its formula and its value."""

    key: str
    label: str
    name: str
    formula: str
    value: Number | str
    style: Style
    exact: str
    stated: Value = None
    """The figure as a page states it, which may be a formula in the meters."""
    basis: str = ""
    """What it then stands on."""


VOLATILITY = {confidence: f"volatility_index_{confidence * 100}" for confidence in Z}
"""The figures that take a z, which stands above them."""
_FIGURES = tuple(key for key, style in STYLES.items() if style.formula and key not in VOLATILITY.values())


class Calculation(Struct, frozen=True, dict=True):
    """The figures of a study with every meter at an amount, and the formulas that give them."""

    study: Study

    @property
    def analysis(self) -> Analysis:
        """The figures of the wager alone."""
        return self.study.analysis

    @cached_property
    def meters(self) -> tuple[Meter, ...]:
        """The meters with their amounts."""
        return meters_of(self.analysis)

    @cached_property
    def settled(self) -> Study:
        """The study with the meters at these amounts, so that every figure is a number."""
        amounts = {meter.name: meter.amount for meter in self.meters}
        wager = self.analysis.stated_wager
        at_amounts = Analysis(self.analysis.paytable, self.analysis.shoe, self.analysis.ways, amounts, wager)
        return Study(at_amounts, self.study.option, self.study.seeds_taken or bool(self.analysis.open_meters))

    @cached_property
    def decks(self) -> Decks:
        """The deck counts that the ways are known for; a shoe that is not so many full decks is one more."""
        rows = [row for row in self.study.by_decks if row.analysis is not None]
        columns = [DeckColumn(row.decks or INFINITE, row.analysis.ways) for row in rows if row.analysis is not None]
        titles = [column.title for column in columns]
        if self.analysis.shoe.is_full and self.analysis.shoe.decks in titles:
            return Decks(tuple(columns), titles.index(self.analysis.shoe.decks))
        return Decks((DeckColumn(THIS_SHOE, self.analysis.ways), *columns), 0)

    @cached_property
    def counts_ways(self) -> bool:
        """Whether the ways are small enough for cells to count them; else the chances are what is kept."""
        finite = (column.ways.cycle for column in self.decks.columns if column.title != INFINITE)
        return max(finite) * self.turns < LARGEST_WHOLE

    @cached_property
    def terms(self) -> MeterFigures | None:
        """How the meters are run, if formulas can follow it: not where their hold is only known between bounds."""
        found = self.study.meters
        return found if found is not None and found.has_closed_form else None

    @cached_property
    def is_steady(self) -> bool:
        """Whether what a play costs depends on that play alone, so that the books have a row for each award."""
        result = self.study.result
        return self.terms is not None and result is not None and result.basis in (Basis.BOOKS, Basis.POSTED)

    @cached_property
    def outcomes(self) -> tuple[AwardRow, ...]:
        """The awards in ladder order, then that none is won."""
        cycle, lines = self.analysis.ways.cycle, self.settled.analysis.lines
        gains = self.study.option.gain_per_unit if self.study.option else (Fraction(0),) * len(lines)
        if self.analysis.paytable.wheels:
            return self._prizes
        awards = [
            AwardRow(line.award.name, line.award.pay, line.matches, line.ways, cycle, line.gross.constant, gain, place)
            for place, (line, gain) in enumerate(zip(lines, gains, strict=True))
        ]
        return (*awards, AwardRow("no award", None, None, self.analysis.ways.losing, cycle, Fraction(0)))

    @cached_property
    def is_ladder(self) -> bool:
        """Whether each outcome takes one award at most, so that the rows are all results with their chances."""
        one, rows = self.settled.analysis, self.outcomes
        squares = sum((row.probability * row.net**2 for row in rows), Fraction(0))
        mean = sum((row.probability * row.net for row in rows), Fraction(0))
        return sum(row.probability for row in rows) == 1 and squares - mean**2 == one.variance.constant

    @cached_property
    def top_place(self) -> int:
        """The place of the award that pays most: a meter whose amount was not given counts as more than any pay."""
        if self.analysis.open_meters:
            return self.analysis.lines.index(self.analysis.top)
        pays = [row.gross for row in self.outcomes]
        return pays.index(max(pays))

    def hands(self, ways: Ways) -> tuple[int, ...]:
        """Count the hands of each row, with every turn of the wheels."""
        turns = self.turns
        rows = (turns * row.share * (ways.losing if row.line is None else ways.wins[row.line]) for row in self.outcomes)
        return tuple(map(int, rows))

    @cached_property
    def places(self) -> dict[int, int]:
        """The row of each award that no wheel multiplies."""
        return {row.line: place for place, row in enumerate(self.outcomes) if row.line is not None and row.share == 1}

    @cached_property
    def costs(self) -> tuple[Fraction, ...]:
        """What each outcome costs the house on the books, besides what every play sets aside."""
        return tuple(map(self._cost, self.outcomes))

    def _cost(self, outcome: AwardRow) -> Fraction:
        if self.terms is None or outcome.pay is None or outcome.pay.meter is None:
            return outcome.gross
        level = next(one.level for one in self.terms.levels if one.level.name == outcome.pay.meter)
        share = outcome.pay.amount
        return (share if share == 1 or not level.deducted else 0) * level.seed / self.terms.system.wager

    @cached_property
    def set_aside(self) -> Fraction:
        """What every play puts into the meters and their reserves, of a wager of one."""
        levels = self.terms.system.levels if self.terms else ()
        return sum((level.rate + level.reserve for level in levels), Fraction(0))

    @cached_property
    def turns(self) -> int:
        """By how much ways are multiplied, so that every prize of a wheel has a whole number of them; else by one."""
        return lcm(*(chance.denominator for line in self.analysis.lines for _, chance in line.award.pay.outcomes))

    @cached_property
    def _prizes(self) -> tuple[AwardRow, ...]:
        """A row for each prize of each award, all ways taken with every turn of the wheels."""
        ways, turns = self.analysis.ways, self.turns
        rows = [
            AwardRow(
                line.award.name + (f", {pay}" if line.is_spun else ""),
                pay,
                None if line.is_spun else line.matches * turns,
                int(line.ways * turns * chance),
                ways.cycle * turns,
                pay.gross.constant,
                line=place,
                share=chance,
            )
            for place, line in enumerate(self.analysis.lines)
            for pay, chance in line.award.pay.outcomes
        ]
        return (*rows, AwardRow("no award", None, None, ways.losing * turns, ways.cycle * turns, Fraction(0)))

    @property
    def option(self) -> str | None:
        """What winnings may do next."""
        return self.study.option.kind if self.study.option else None

    @cached_property
    def figures(self) -> tuple[LiveFigure, ...]:
        """The figures below the awards, each with its formula over the named cells."""
        return (
            *(self._live(one, open_) for key in _FIGURES for one, open_ in self._both(key)),
            *(figure for confidence, z in Z.items() for figure in self._volatility(confidence, z)),
        )

    def _both(self, key: str) -> list[tuple[Stated, Stated]]:
        """A figure with every meter at an amount, and as analyzed; on the wager's own basis first."""
        pairs = list(zip(stated(self.settled, key), stated(self.study, key), strict=True))
        # How far results of the best choices spread no formula over the awards can tell.
        return [(one, open_) for one, open_ in pairs[::-1] if not self._is_best(one) or key in self._best]

    def _is_best(self, one: Stated) -> bool:
        """Whether a figure is that of the best choices of an option."""
        return one.basis is Basis.BEST and self.option is not None

    def _live(self, one: Stated, open_: Stated) -> LiveFigure:
        """Make a live figure, its exact value in terms of the meters where their amounts were not given."""
        style = STYLES[one.key]
        name, formula = style.name, style.formula
        if self._is_best(one):
            name, formula = f"Best{name}", self._best[one.key]
        if one.value is None:
            return LiveFigure(one.key, one.label, name, formula, "none", style.style, "", basis=str(open_.basis))
        # Products of several open meters fill a page; the value at the amounts shown says more.
        is_readable = one.key != "variance" or len(self.analysis.open_meters) <= 1
        text = str(exact(open_.value if open_.value is not None and is_readable else one.value))
        number = exact_number(one.value)
        return LiveFigure(one.key, one.label, name, formula, number, style.style, text, open_.value, str(open_.basis))

    def _volatility(self, confidence: Fraction, z: Fraction) -> tuple[LiveFigure, LiveFigure]:
        """Make the volatility index at a confidence, with its z before it."""
        level = confidence * 100
        *_, index = stated(self.settled, VOLATILITY[confidence])  # of the wager itself
        *_, open_ = stated(self.study, VOLATILITY[confidence])
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
        """With the best choice each unit that rides gains so much, whatever the pays; only what wins rides."""
        rides = "GrossPay" if self.study.option and self.study.option.with_wager else "NetPay"
        return {
            key: self.at_these_decks(formula)
            for key, formula in {
                "house_edge": f"HouseEdge-SUMPRODUCT(GainPerUnit,{rides}*(NetPay>0))",
                "return": "1-BestHouseEdge",
                "expected_value": "-BestHouseEdge",
            }.items()
        }

    def at_these_decks(self, formula: str) -> str:
        """Let a formula hold for the decks that were analyzed only: what it rests on was not worked out for others."""
        return f'IF(DeckPlace={self.decks.place + 1},{formula},"{NEW_ANALYSIS}")'


def exact_number(value: object) -> Number:
    """Take the number out of a figure that no meter is open in."""
    constant = getattr(value, "constant", value)
    assert isinstance(constant, (int, Fraction, Root))
    return constant


def amounts_text(calculation: Calculation) -> str:
    """Say at which meters the figures stand."""
    parts = [f"{meter.name} at {decimal(meter.amount, 2)} ({meter.origin})" for meter in calculation.meters]
    return ", ".join(parts)
