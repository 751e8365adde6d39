"""What a workbook calculates: outcomes and figures, each as a formula over named cells together with its value."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from math import lcm

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.analysis.long_run import Z
from combinat.bets.pay import Pay
from combinat.exact.root import Root
from combinat.figures import Stated, stated
from combinat.study import Basis, Study
from reports.page.figures import STYLES
from reports.page.model import Style
from reports.page.numerals import decimal, exact
from reports.render.workbook_cells import LARGEST_WHOLE, Number

IMPOSSIBLE = "impossible"
METER_WAGER = "MeterWager"
"""The name of the cell with the wager that amounts of meters are for; no meter's own cell is called so."""


class Meter(Struct, frozen=True):
    """A meter's amount in money, for the wager that the paytable states, and where it comes from."""

    name: str
    defined_name: str
    amount: Fraction
    origin: str


def meters_of(analysis: Analysis) -> tuple[Meter, ...]:
    """Say which amount each meter stands at in the workbook: as given, else its seed, else nothing."""
    system = analysis.paytable.system_for(analysis.shoe.decks)
    found: list[Meter] = []
    for name in analysis.paytable.meters:
        defined = f"Meter_{name}"
        if name in analysis.meters:
            found.append(Meter(name, defined, analysis.meters[name], "as given"))
        elif system is not None:
            basis = "its seed, which is inferred" if system.basis else "its seed"
            found.append(Meter(name, defined, system.level(name).seed, basis))
        else:
            found.append(Meter(name, defined, Fraction(0), "not known: put the amount in"))
    return tuple(found)


class AwardRow(Struct, frozen=True):
    """One row of the calculation: an award, or that none is won."""

    name: str
    pay: Pay | None
    fits: int | None
    ways: int
    cycle: int
    gross: Fraction
    gain: Fraction = Fraction(0)
    """What the best choices add to the return for each unit that could ride."""

    @property
    def probability(self) -> Fraction:
        """The chance of the outcome."""
        return Fraction(self.ways, self.cycle)

    @property
    def net(self) -> Fraction:
        """What is won for a wager of one."""
        return self.gross - 1

    def per_chance(self, value: Callable[[Fraction], Fraction]) -> Number | str:
        """Give what follows from the chance, unless there is none."""
        return value(self.probability) if self.ways else IMPOSSIBLE


class LiveFigure(Struct, frozen=True):
    """A figure with its name in formulas, its formula and its value."""

    key: str
    label: str
    name: str
    formula: str
    value: Number | str
    style: Style
    exact: str
    is_input: bool = False


VOLATILITY = {confidence: f"volatility_index_{confidence * 100}" for confidence in Z}
"""The figures that take a z, which is put in above them."""
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

    @property
    def counts_ways(self) -> bool:
        """Whether the ways are small enough for cells to count them; else the chances are what is put in."""
        return self.analysis.ways.cycle * self.turns < LARGEST_WHOLE

    @cached_property
    def outcomes(self) -> tuple[AwardRow, ...]:
        """The awards in ladder order, then that none is won."""
        cycle, lines = self.analysis.ways.cycle, self.settled.analysis.lines
        gains = self.study.option.gain_per_unit if self.study.option else (Fraction(0),) * len(lines)
        if self.analysis.paytable.wheels:
            return self._prizes
        awards = [
            AwardRow(line.award.name, line.award.pay, line.matches, line.ways, cycle, line.gross.constant, gain)
            for line, gain in zip(lines, gains, strict=True)
        ]
        return (*awards, AwardRow("no award", None, None, self.analysis.ways.losing, cycle, Fraction(0)))

    @property
    def turns(self) -> int:
        """By how much ways are multiplied, so that every prize of a wheel has a whole number of them; else by one."""
        return lcm(*(chance.denominator for line in self.analysis.lines for _, chance in line.award.pay.outcomes))

    @property
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
            )
            for line in self.analysis.lines
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
            return LiveFigure(one.key, one.label, name, formula, "none", style.style, "")
        # Products of several open meters fill a page; the value at the amounts shown says more.
        is_readable = one.key != "variance" or len(self.analysis.open_meters) <= 1
        text = str(exact(open_.value if open_.value is not None and is_readable else one.value))
        return LiveFigure(one.key, one.label, name, formula, exact_number(one.value), style.style, text)

    def _volatility(self, confidence: Fraction, z: Fraction) -> tuple[LiveFigure, LiveFigure]:
        """Make the volatility index at a confidence, with its z before it."""
        level = confidence * 100
        *_, index = stated(self.settled, VOLATILITY[confidence])
        style = STYLES[index.key]
        return (
            LiveFigure("", f"z for {level}% confidence", f"z_{level}", "", z, Style.DECIMAL, "", is_input=True),
            LiveFigure(
                index.key,
                index.label,
                style.name,
                style.formula,
                exact_number(index.value),
                style.style,
                "z × standard deviation",
            ),
        )

    @property
    def _best(self) -> dict[str, str]:
        """With the best choice each unit that rides gains so much, whatever the pays; only what wins rides."""
        rides = "GrossPay" if self.study.option and self.study.option.with_wager else "NetPay"
        return {
            "house_edge": f"HouseEdge-SUMPRODUCT(GainPerUnit,{rides}*(NetPay>0))",
            "return": "1-BestHouseEdge",
            "expected_value": "-BestHouseEdge",
        }


def exact_number(value: object) -> Number:
    """Take the number out of a figure that no meter is open in."""
    constant = getattr(value, "constant", value)
    assert isinstance(constant, (int, Fraction, Root))
    return constant


def amounts_text(calculation: Calculation) -> str:
    """Say at which meters the figures stand."""
    parts = [f"{meter.name} at {decimal(meter.amount, 2)} ({meter.origin})" for meter in calculation.meters]
    return ", ".join(parts)
