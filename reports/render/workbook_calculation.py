"""What a workbook calculates: outcomes and figures, each as a formula over named cells together with its value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from combinat.analysis import Analysis
from combinat.long_run import Z
from combinat.paytable import PARLAY, Pay
from combinat.roots import Root
from reports.model import Style
from reports.numerals import decimal, exact
from reports.render.workbook_cells import LARGEST_WHOLE, Number

_IMPOSSIBLE = "impossible"
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


class Outcome(Struct, frozen=True):
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
        return value(self.probability) if self.ways else _IMPOSSIBLE


class Kept(Struct, frozen=True):
    """A figure with its name in formulas, its formula and its value."""

    label: str
    name: str
    formula: str
    value: Number | str
    style: Style
    exact: str
    is_input: bool = False


class Calculation(Struct, frozen=True, dict=True):
    """The figures of an analysis with every meter at an amount, and the formulas that give them."""

    analysis: Analysis

    @cached_property
    def meters(self) -> tuple[Meter, ...]:
        """The meters with their amounts."""
        return meters_of(self.analysis)

    @cached_property
    def settled(self) -> Analysis:
        """The analysis with the meters at these amounts, so that every figure is a number."""
        amounts = {meter.name: meter.amount for meter in self.meters}
        return Analysis(self.analysis.paytable, self.analysis.shoe, self.analysis.ways, amounts)

    @property
    def counts_ways(self) -> bool:
        """Whether the ways are small enough for cells to count them; else the chances are what is put in."""
        return self.analysis.ways.cycle < LARGEST_WHOLE

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The awards in ladder order, then that none is won."""
        cycle, riding = self.analysis.ways.cycle, self.analysis.riding
        gains = riding.per_unit if riding else {}
        awards = [
            Outcome(
                line.award.name,
                line.award.pay,
                line.fits,
                line.ways,
                cycle,
                line.gross.constant,
                gains.get(line.award, Fraction(0)),
            )
            for line in self.settled.lines
        ]
        return (*awards, Outcome("no award", None, None, self.analysis.ways.none, cycle, Fraction(0)))

    @property
    def option(self) -> str | None:
        """What winnings may do next."""
        return self.analysis.paytable.bet.option

    def _with_the_option(self, kept: _Keeper) -> tuple[Kept, ...]:
        """The edge and the return with the best choice: each unit that rides gains so much, whatever the pays are."""
        if self.option is None:
            return ()
        rides = "GrossPay" if self.option == PARLAY else "NetPay"
        gain, edge = f"SUMPRODUCT(GainPerUnit,{rides})", self.analysis.best_edge.constant
        return (
            kept.value(f"House edge, best {self.option}", "BestHouseEdge", f"HouseEdge-{gain}", edge, Style.PERCENT),
            kept.value(f"Return, best {self.option}", "BestReturn", "1-BestHouseEdge", 1 - edge, Style.PERCENT),
        )

    @cached_property
    def figures(self) -> tuple[Kept, ...]:
        """The figures below the awards, each with its formula over the named cells."""
        one, kept = self.settled, _Keeper(self.analysis, self.settled)
        edge = one.house_edge.constant
        resolved = 1 - one.push_rate
        mean_win = one.mean_win.constant if one.mean_win is not None else "none"
        deviation = one.standard_deviation
        assert deviation is not None  # every meter has an amount
        option = f", no {self.option}" if self.option else ""
        central = "SUMPRODUCT(Probability,(NetPay-ExpectedValue)^{})/StandardDeviation^{}"
        return (
            kept(f"Return{option}", "ReturnTotal", "SUM(Return)", "return_", Style.PERCENT),
            kept(f"House edge{option}", "HouseEdge", "1-ReturnTotal", "house_edge", Style.PERCENT),
            *self._with_the_option(kept),
            kept.value("Expected value", "ExpectedValue", "SUM(NetShare)", -edge, Style.DECIMAL),
            kept("Hit frequency", "HitFrequency", 'SUMIF(NetPay,">0",Probability)', "hit_frequency", Style.PERCENT),
            kept.value(
                "One win in",
                "OneWinIn",
                'IF(HitFrequency=0,"none",1/HitFrequency)',
                1 / one.hit_frequency if one.hit_frequency else "none",
                Style.ODDS,
            ),
            kept("Push rate", "PushRate", "SUMIF(NetPay,0,Probability)", "push_rate", Style.PERCENT),
            kept.value(
                "House edge per wager that does not push",
                "HouseEdgeResolved",
                'IF(PushRate=1,"none",HouseEdge/(1-PushRate))',
                edge / resolved if resolved else "none",
                Style.PERCENT,
            ),
            kept.value(
                "Mean win when winning",
                "MeanWin",
                'IF(HitFrequency=0,"none",SUMIF(NetPay,">0",NetShare)/HitFrequency)',
                mean_win,
                Style.DECIMAL,
            ),
            kept("Variance", "Variance", "SUM(SquareShare)-ExpectedValue^2", "variance", Style.DECIMAL),
            kept("Standard deviation", "StandardDeviation", "SQRT(Variance)", "standard_deviation", Style.DECIMAL),
            kept.value(
                "Skewness",
                "Skewness",
                f'IF(Variance=0,"none",{central.format(3, 3)})',
                one.skewness if one.skewness is not None else "none",
                Style.DECIMAL,
            ),
            kept.value(
                "Excess kurtosis",
                "ExcessKurtosis",
                f'IF(Variance=0,"none",{central.format(4, 4)}-3)',
                one.kurtosis if one.kurtosis is not None else "none",
                Style.DECIMAL,
            ),
            *(figure for confidence, z in Z.items() for figure in _volatility(confidence, z, deviation)),
        )


def _volatility(confidence: Fraction, z: Fraction, deviation: Root) -> tuple[Kept, Kept]:
    level = confidence * 100
    name = f"z_{level}"
    return (
        Kept(f"z for {level}% confidence", name, "", z, Style.DECIMAL, "", is_input=True),
        Kept(
            f"Volatility index, {level}%, z = {decimal(z, 6)}",
            f"VolatilityIndex_{level}",
            f"{name}*StandardDeviation",
            Root(z**2 * deviation.square),
            Style.DECIMAL,
            "z × standard deviation",
        ),
    )


class _Keeper(Struct, frozen=True):
    """Makes figures with their exact values as text, in terms of the meters where their amounts were not given."""

    analysis: Analysis
    settled: Analysis

    def __call__(self, label: str, name: str, formula: str, figure: str, style: Style) -> Kept:
        number = exact_number(getattr(self.settled, figure))
        found = getattr(self.analysis, figure)
        # Products of several open meters fill a page; the value at the amounts shown says more.
        is_readable = figure != "variance" or len(self.analysis.open_meters) <= 1
        text = exact(found if found is not None and is_readable else getattr(self.settled, figure))
        return Kept(label, name, formula, number, style, str(text))

    def value(self, label: str, name: str, formula: str, value: Number | str, style: Style) -> Kept:
        return Kept(label, name, formula, value, style, "" if isinstance(value, str) else str(exact(value)))


def exact_number(value: object) -> Number:
    """Take the number out of a figure that no meter is open in."""
    constant = getattr(value, "constant", value)
    assert isinstance(constant, (int, Fraction, Root))
    return constant


class Field(Struct, frozen=True):
    """A column of the calculation: its name in formulas, its title, and its formula and value in each row."""

    key: str
    title: str
    style: Style
    formula: Callable[[Mapping[str, str], Outcome], str] | None = None
    value: Callable[[Outcome], Number | str] | None = None
    name: str = ""
    """The name of the column's cells in formulas."""


Block = tuple[Field, ...]
"""Columns that stand side by side."""


def blocks(calculation: Calculation) -> tuple[Block, Block]:
    """Lay out the calculation: first from pays and ways to chances, then what follows from these."""
    total = calculation.settled.return_.constant
    names = {meter.name: meter.defined_name for meter in calculation.meters}

    def gross(at: Mapping[str, str], outcome: Outcome) -> str:
        if outcome.pay is not None and outcome.pay.meter is not None:
            return f"{at['pays']}*{names[outcome.pay.meter]}/{METER_WAGER}"
        return f'IF({at["unit"]}="to 1",{at["pays"]}+1,{at["pays"]})'

    def chance(at: Mapping[str, str], formula: str) -> str:
        return f'IF({at["chance"]}=0,"{_IMPOSSIBLE}",{formula.format_map(at)})'

    counted = calculation.counts_ways
    put_in: Block = (
        Field("pays", "Pays", Style.TEXT, name="Pays"),
        Field("unit", "Unit", Style.TEXT, name="Unit"),
        Field("gross", "Pays for 1", Style.ODDS, gross, lambda one: one.gross, "GrossPay"),
        Field("net", "Net to 1", Style.ODDS, lambda at, _: f"{at['gross']}-1", lambda one: one.net, "NetPay"),
        Field("fits", "Hands that fit" if counted else "Chance that it fits", Style.COUNT),
        Field("taken", "Taken by higher awards", Style.COUNT),
        # Ways of ordered deals of a dozen cards run to thirty digits, more than a cell keeps.
        *([Field("ways", "Ways", Style.COUNT, name="Ways")] if counted else []),
        Field("chance", "Probability", Style.DECIMAL, name="Probability"),
        Field("exact", "Exact probability", Style.TEXT),
    )
    following: Block = (
        Field(
            "one_in",
            "1 in",
            Style.ODDS,
            lambda at, _: chance(at, "1/{chance}"),
            lambda one: one.per_chance(lambda chance: 1 / chance),
        ),
        Field(
            "odds",
            "True odds to 1",
            Style.ODDS,
            lambda at, _: chance(at, "(1-{chance})/{chance}"),
            lambda one: one.per_chance(lambda chance: (1 - chance) / chance),
        ),
        Field(
            "fair",
            "Fair pay for 1",
            Style.ODDS,
            lambda at, one: chance(at, "1/{chance}") if one.pay else "",
            lambda one: one.per_chance(lambda chance: 1 / chance),
        ),
        Field(
            "return",
            "Return",
            Style.DECIMAL,
            lambda at, _: "{chance}*{gross}".format_map(at),
            lambda one: one.probability * one.gross,
            "Return",
        ),
        Field(
            "share",
            "Share of return",
            Style.PERCENT,
            lambda at, _: f"IF(ReturnTotal=0,0,{at['return']}/ReturnTotal)",
            lambda one: one.probability * one.gross / total if total else 0,
        ),
        Field(
            "net_share",
            "Net × probability",
            Style.DECIMAL,
            lambda at, _: "{chance}*{net}".format_map(at),
            lambda one: one.probability * one.net,
            "NetShare",
        ),
        Field(
            "square_share",
            "Net² × probability",
            Style.DECIMAL,
            lambda at, _: "{chance}*{net}^2".format_map(at),
            lambda one: one.probability * one.net**2,
            "SquareShare",
        ),
    )
    if calculation.option:
        following += (
            Field("gain", f"{calculation.option.capitalize()} gain per unit", Style.DECIMAL, name="GainPerUnit"),
        )
    return put_in, following


def amounts_text(calculation: Calculation) -> str:
    """Say at which meters the figures stand."""
    parts = [f"{meter.name} at {decimal(meter.amount, 2)} ({meter.origin})" for meter in calculation.meters]
    return ", ".join(parts)
