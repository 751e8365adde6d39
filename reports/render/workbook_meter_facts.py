"""The formulas behind a sheet's figures of meters: hold, averages, break-even, waiting times, prizes, exposure."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.basis import Basis
from combinat.analysis.exposure import tax_rules
from combinat.bets.meter_rules import HOUSE_JACKPOT
from combinat.exact.amounts import decimal_text
from combinat.exact.root import Root
from combinat.figures import stated
from combinat.meters.hits import jackpot_quantile, plays_quantile, share_at_least
from combinat.meters.hold import LevelFigures, MeterFigures
from combinat.meters.percentiles import percentile
from combinat.meters.prizes import EDGES
from reports.page.model import AtMost
from reports.page.numerals import decimal as with_decimals
from reports.page.numerals import percent
from reports.render.workbook_calculation import METER_WAGER, Calculation
from reports.render.workbook_caps import meter_after, misses_before
from reports.render.workbook_exposure import NO, YES
from reports.render.workbook_facts import Fact, Facts
from reports.render.workbook_levels import decimal
from reports.render.workbook_working import Working
from reports.sheet.sections.exposed import PAID, WIN
from reports.sheet.sections.exposure import STAKE, TAXED
from reports.tables.jackpots import PRIZES
from reports.tables.meters import (
    AS_GIVEN,
    AT_AVERAGES,
    AT_SEEDS,
    HOLD,
    LEVELS,
    QUANTILES,
    STANDING,
    WAITING,
    hold_parts,
)

_OUT_OF_REACH = "out of reach"
_PARTS = {"fixed": "FixedReturn", "paid": "LongRunReturn", "seed": "SeedShare", "reserve": "Reserve", "hold": "Hold"}
_PARTS |= {"kept out": "KeptOut", "beyond": "-KeptOut"}
"""The cells of the parts of each wager, those of a meter with its name behind."""

COLUMNS = {
    "seeds": ("SeedsPay", Basis.SEEDS),
    "averages": ("AveragesPay", Basis.AVERAGES),
    "high": ("HighPay", Basis.PERCENTILES),
}
"""What awards pay with the meters at their seeds, averages and 99th percentiles."""


class MeterFacts(Struct, frozen=True):
    """Collects the formulas of a sheet's meters."""

    calculation: Calculation
    working: Working
    terms: MeterFigures
    facts: Facts

    def collect(self) -> None:
        """Put in everything that seeds, rates and the wager move."""
        study = self.calculation.study
        self.facts.add_figure("hold", str(next(stated(study, "hold")).basis), Fact("hold", "Hold", self.terms.hold))
        self._parts()
        for level in self.terms.levels:
            self.facts.add_row(LEVELS, level.level.name, self._level(level))
        self._returns()
        for quantile in QUANTILES:
            facts = [fact for level in self.terms.levels for fact in self._waiting(level, quantile)]
            self.facts.add_row(WAITING, f"{quantile * 100}%", facts)
        for edge in EDGES:
            self.facts.add_row(PRIZES, edge, self._prizes(edge))
        self._exposure()

    @property
    def _given(self) -> dict[str, Fraction]:
        return dict(self.calculation.analysis.meters)

    def _parts(self) -> None:
        """Where each wager goes in the long run."""
        for part in hold_parts(self.terms):
            cell = _PARTS[part.what]
            formula = f"{cell}_{part.meter}" if part.meter else cell
            self.facts.add_row(HOLD, part.label, [Fact("share", formula, part.share)])

    def _level(self, level: LevelFigures) -> Iterator[Fact]:
        """One meter, the others standing at their averages or as given."""
        terms, name = self.terms, level.level.name
        yield Fact("seed", f"Seed_{name}", level.level.seed)
        yield Fact("rate", f"Rate_{name}", level.level.rate)
        yield Fact("hit", f"1/Reset_{name}", 1 / level.reset)
        yield Fact("average", f"Average_{name}", level.average)
        if level.variance is not None:
            yield Fact("deviation", f"SQRT(MeterVariance_{name})", Root(level.variance))
        even, formula = terms.break_even(name, terms.at_average | self._given), self._break_even(name)
        yield Fact("even", formula, even)
        yield Fact("slope", f"Slope_{name}*10000", terms.slope(name) * 10_000)
        share = share_at_least(level, even)
        if share is None or not level.contribution:
            return
        found = misses_before(level.level, formula)
        if level.deducted_parts or level.drained:
            yield Fact("share", f'"{AtMost.SIGN}"&TEXT({found},"0.0000%")', f"{AtMost.SIGN}{percent(share, 4)}")
        else:
            yield Fact("share", found, share)

    def _break_even(self, name: str) -> str:
        others = "".join(f"-Slope_{one}*{self._stands(one)}" for one in self._names if one != name)
        return f"(1-FixedReturn{others})/Slope_{name}"

    @property
    def _names(self) -> list[str]:
        return [level.level.name for level in self.terms.levels]

    def _stands(self, name: str) -> str:
        """Where another meter stands: as given, else at its average."""
        return f"Meter_{name}" if name in self._given else f"Average_{name}"

    def _returns(self) -> None:
        terms, names = self.terms, self._names
        cases = [(AT_SEEDS, "Seed", terms.at_seed), (AT_AVERAGES, "Average", terms.at_average)]
        for row, prefix, amounts in cases:
            self._return(row, [f"{prefix}_{name}" for name in names], amounts)
        if self._given:
            self._return(AS_GIVEN, [self._stands(name) for name in names], terms.at_average | self._given)

    def _return(self, row: str, cells: list[str], amounts: dict[str, Fraction]) -> None:
        formula = "FixedReturn" + "".join(f"+Slope_{name}*{at}" for name, at in zip(self._names, cells, strict=True))
        value = self.terms.return_at(amounts)
        stand = [Fact(f"meter {name}", at, amounts[name]) for name, at in zip(self._names, cells, strict=True)]
        facts = [*stand, Fact("return", formula, value), Fact("house_edge", f"1-({formula})", 1 - value)]
        self.facts.add_row(STANDING, row, facts)

    def _waiting(self, level: LevelFigures, quantile: Fraction) -> Iterator[Fact]:
        """Within how many plays a meter is hit, and what it then pays."""
        name = level.level.name
        plays = f"ROUNDUP(LN({decimal(1 - quantile)})/LogMiss_{name},0)"
        yield Fact(f"{name} plays", plays, plays_quantile(level, quantile))
        jackpot = jackpot_quantile(level, quantile)
        if jackpot is not None:
            yield Fact(f"{name} jackpot", meter_after(level.level, plays), jackpot)

    def _prizes(self, edge: Fraction) -> Iterator[Fact]:
        """The posted prizes at which the edge is a given figure, the others at their seeds, or as given."""
        terms, others = self.terms, self.terms.at_seed | self._given
        returned = terms.return_at(others)
        for name in self._names:
            slope = terms.slope(name)
            prize = (1 - edge - returned) / slope + others[name]
            at = {one: f"Meter_{one}" if one in self._given else f"Seed_{one}" for one in self._names}
            rest = "".join(f"-Slope_{one}*{at[one]}" for one in self._names if one != name)
            kept = f"1-{decimal(edge)}-FixedReturn{rest}"
            formula = f'IF({kept}<0,"{_OUT_OF_REACH}",({kept})/Slope_{name})'
            yield Fact(name, formula, _OUT_OF_REACH if prize < 0 else prize)

    # exposure for the fixed wager

    def _exposure(self) -> None:
        terms, working = self.terms, self.working
        wager = terms.system.wager
        bounds = any(percentile(level).is_bound for level in terms.levels)
        for index, outcome in enumerate(self.calculation.outcomes[:-1]):
            fields = {field.key: field for block in working.blocks for field in block}
            facts = []
            for key, (_, basis) in self._places.items():
                paid = fields[key].value(outcome)
                if isinstance(paid, Fraction):
                    is_bound = key == "high" and bounds and outcome.is_metered
                    facts.append(
                        _money(f"paid, {basis}", f"{working.at(key, index)}*{METER_WAGER}", paid * wager, is_bound)
                    )
            self.facts.add_row(TAXED, outcome.name, [*facts, *self._tested(index)])
        self.facts.add_figure(STAKE, "", Fact(STAKE, METER_WAGER, wager))
        for key, (column, basis) in self._places.items():
            values = [fields[key].value(one) for one in self.calculation.outcomes if one.ways]
            most = max(one for one in values if isinstance(one, Fraction))
            largest, is_bound = f"SUMPRODUCT(MAX((Probability>0)*{column}))", key == "high" and bounds
            win = _money(WIN, f"({largest}-1)*{METER_WAGER}", (most - 1) * wager, is_bound)
            self.facts.add_figure(WIN, str(basis), win)
            whole = _money(PAID, f"{largest}*{METER_WAGER}", most * wager, is_bound)
            self.facts.add_figure(PAID, str(basis), whole)

    @property
    def _places(self) -> dict[str, tuple[str, Basis]]:
        """Where the meters stand when an award is paid: a posted prize is always the same."""
        if self.terms.system.kind == HOUSE_JACKPOT:
            return {"seeds": (COLUMNS["seeds"][0], Basis.POSTED)}
        return COLUMNS

    def _tested(self, index: int) -> Iterator[Fact]:
        """Whether an award is reported and taxed; of one from a meter, from which amount on."""
        outcome, wager = self.calculation.outcomes[index], self.terms.system.wager
        pays, gross = self.working.inputs.at(index)[0], self.working.at("gross", index)
        paid = outcome.gross * wager
        for number, rule in enumerate(tax_rules(), 1):
            least = Fraction(rule.times_the_wager) * wager
            times, reached = f"Times_{number}*{METER_WAGER}", max(Fraction(rule.reported_from), least)
            from_ = f"MAX(ReportedFrom_{number},{times})"
            if outcome.is_metered and outcome.pay is not None:
                yield Fact(
                    f"reported {rule.years}",
                    f'"from "&{_amount(f"{from_}/{pays}")}',
                    _words("from", reached / outcome.pay.amount),
                )
            else:
                formula = f'IF({gross}*{METER_WAGER}>={from_},"{YES}","{NO}")'
                yield Fact(f"reported {rule.years}", formula, YES if paid >= reached else NO)
        rule = tax_rules()[0]
        least = Fraction(rule.times_the_wager) * wager
        if outcome.is_metered and outcome.pay is not None:
            above = (max(Fraction(rule.withheld_above), least) + wager) / outcome.pay.amount
            formula = f"(MAX(WithheldAbove_1,Times_1*{METER_WAGER})+{METER_WAGER})/{pays}"
            yield Fact("withheld", f'"above "&{_amount(formula)}', _words("above", above))
        else:
            won = f"({gross}-1)*{METER_WAGER}"
            is_withheld = paid - wager > rule.withheld_above and paid - wager >= least
            formula = f'IF(AND({won}>WithheldAbove_1,{won}>=Times_1*{METER_WAGER}),"{YES}","{NO}")'
            yield Fact("withheld", formula, YES if is_withheld else NO)


def _money(name: str, formula: str, value: Fraction, is_bound: bool) -> Fact:
    """An amount of money; one that is not exceeded with its sign."""
    if not is_bound:
        return Fact(name, formula, value)
    return Fact(name, f'"{AtMost.SIGN}"&TEXT({formula},"#,##0.00")', f"{AtMost.SIGN}{with_decimals(value, 2)}")


def _words(word: str, value: Fraction) -> str:
    return f"{word} {decimal_text(value)}"


def _amount(formula: str) -> str:
    """Write an amount of money in words: with the decimals that it has, as sheets do."""
    return f'IF(INT({formula})={formula},TEXT({formula},"#,##0"),TEXT({formula},"#,##0.##"))'
