"""The formulas behind a sheet's figures of the wager: awards, headline, decks, pays, many plays, exposure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.long_run import CONFIDENCE, DISTRIBUTION, NORMAL, Z, Stretch, sure_plays, volatility_index
from combinat.bets.settlement import LOST
from combinat.figures import stated
from combinat.study import Study
from reports.page.model import Style, Value
from reports.page.numerals import decimal as with_decimals
from reports.render.workbook_bases import spread_of
from reports.render.workbook_calculation import IMPOSSIBLE, AwardRow, Calculation
from reports.render.workbook_cells import Number, stored
from reports.render.workbook_data import Data
from reports.render.workbook_exposure import add_exposure
from reports.render.workbook_facts import Fact, Facts
from reports.render.workbook_inputs import DIFFERING
from reports.render.workbook_working import Working
from reports.sheet.sections.awards import pay_text
from reports.sheet.sections.outlook import method
from reports.tables.headings import INFINITE

_PIECE = 200
_SERVES = 25
"""So many times the squared skewness are the plays from which the normal curve serves."""


class Live(Struct, frozen=True):
    """Collects the formulas of a sheet."""

    calculation: Calculation
    working: Working
    data: Data
    facts: Facts

    @property
    def study(self) -> Study:
        """The study that the sheet is of."""
        return self.calculation.study

    def collect(self) -> None:
        """Put everything in that the wager itself needs."""
        self._headline()
        self._awards()
        self._volatility()
        self._plays()
        self._decks()
        self._pays()

    # the headline and the statistics

    def _headline(self) -> None:
        calculation = self.calculation
        for figure in calculation.figures:
            if figure.key and (calculation.is_ladder or figure.key not in _SPREAD):
                fact = Fact(figure.key, figure.name, figure.value, self._open(figure.key, figure.label))
                self.facts.add_figure(figure.key, fact)
        settled = calculation.settled.analysis
        without = settled.return_.constant - settled.lines[calculation.top_place].return_.constant
        top = calculation.outcomes[calculation.top_place]
        for key, formula, value in (
            ("return_without_top_award", "ReturnTotal-INDEX(Return,TopPlace)", without),
            ("fixed_return", "FixedReturn", settled.fixed_return),
            (
                "top_award_one_in",
                f'IF(INDEX(Probability,TopPlace)=0,"{IMPOSSIBLE}",1/INDEX(Probability,TopPlace))',
                1 / top.probability if top.ways else IMPOSSIBLE,
            ),
        ):
            self.facts.add_figure(key, Fact(key, formula, value, self._open(key)))
        if calculation.counts_ways:
            self.facts.add_figure("cycle", Fact("cycle", "Cycle", calculation.analysis.ways.cycle))
        if not calculation.meters and calculation.option is None:
            self.facts.add_figure("hold", Fact("hold", "HouseEdge", settled.house_edge.constant))
        name = f'{self.working.name_of("TopPlace")}&", "&INDEX(PayInWords,TopPlace)'
        for section in ("headline", "statistics"):
            self.facts.add_group(section, [Fact("top", name, f"{top.name}, {top.pay}")])
        for result in self.study.results:
            spread = spread_of(calculation, result)
            if spread is None:
                continue
            self._result("house_edge", spread.house_edge, result.house_edge)
            self._result("return", f"1-{spread.house_edge}", 1 - result.house_edge)
            self._result("expected_value", f"-{spread.house_edge}", -result.house_edge)
            self._result("variance", spread.variance, result.variance)
            self._result("standard_deviation", spread.standard_deviation, result.standard_deviation)
            self._result("skewness", spread.skewness, result.skewness)
            self._result("excess_kurtosis", spread.excess_kurtosis, result.excess_kurtosis)
            for level in Z:
                key = f"volatility_index_{level * 100}"
                formula = f"z_{level * 100}*{spread.standard_deviation}"
                self._result(key, formula, volatility_index(result.standard_deviation, level))
            known = (
                Fact("keeps", spread.house_edge, result.house_edge),
                Fact("deviation", spread.standard_deviation, result.standard_deviation or 0),
                *(
                    Fact(f"index {level}", f"z_{level * 100}*{spread.standard_deviation}", index)
                    for level in Z
                    if (index := volatility_index(result.standard_deviation, level)) is not None
                ),
            )
            for section in ("statistics", "special"):
                self.facts.add_row(section, str(result.basis), known)

    def _result(self, key: str, formula: str, value: Number | None) -> None:
        if value is not None and formula not in ("", "-", "1-"):
            self.facts.add_figure(key, Fact(key, formula, value))

    def _open(self, key: str, label: str = "") -> tuple[Value, ...]:
        """The figure as a formula in the meters, where their amounts were not given."""
        return tuple(one.value for one in stated(self.study, key) if label in ("", one.label))

    def _volatility(self) -> None:
        result = self.study.result
        spread = spread_of(self.calculation, result) if result is not None else None
        if result is None or spread is None:
            return
        for level, z in Z.items():
            name = f"{level * 100}"
            edge, variance = spread.house_edge, spread.variance
            plays = f'IF({edge}<=0,"—",ROUNDUP(z_{name}^2*{variance}/{edge}^2,0))'
            sure = sure_plays(result, level)
            index = volatility_index(result.standard_deviation, level)
            facts = [
                Fact("confidence", f'Confidence_{name}*100&"%"', f"{name}%"),
                Fact("z", f"z_{name}", z, (with_decimals(z, 6),), Style.TEXT),
                Fact("plays", plays, "—" if sure is None else sure, (sure,)),
            ]
            if index is not None:
                facts.append(Fact("index", f"z_{name}*{spread.standard_deviation}", index))
            self.facts.add_row("statistics", f"{name}%", facts)

    # the awards

    def _awards(self) -> None:
        calculation = self.calculation
        settled, lines = calculation.settled.analysis, self.study.analysis.lines
        total = settled.return_.constant
        so_far = [Fraction(0), Fraction(0), Fraction(0)]
        for index, outcome in enumerate(calculation.outcomes):
            at = {
                key: self.working.at(key, index) for key in ("gross", "net", "chance", "return", "net_share", "words")
            }
            line = lines[index] if outcome.pay is not None else None
            chance, returned, net = (
                outcome.probability,
                outcome.probability * outcome.gross,
                outcome.probability * outcome.net,
            )
            so_far = [one + more for one, more in zip(so_far, (chance, returned, net), strict=True)]
            facts = [
                *self._counts(index, outcome),
                Fact("probability", at["chance"], chance),
                Fact("one in", *_per_chance("1/{chance}", at, outcome, lambda p: 1 / p)),
                Fact("odds", *_per_chance("(1-{chance})/{chance}", at, outcome, lambda p: (1 - p) / p)),
                Fact("words", at["words"], str(outcome.pay) if outcome.pay else "loses"),
                Fact("to", at["net"], outcome.net, (pay_text(line.net if line else LOST),), Style.TEXT),
                Fact("for", at["gross"], outcome.gross, (pay_text(line.gross if line else LOST + 1),), Style.TEXT),
                Fact("return", at["return"], returned, (line.return_,) if line else ()),
                Fact("share", f"IF(ReturnTotal=0,0,{at['return']}/ReturnTotal)", returned / total if total else 0),
                Fact("net", at["net_share"], net, (line.return_ - line.probability,) if line else ()),
                *self._so_far(index, so_far),
            ]
            if outcome.pay is not None and outcome.ways:
                short = f'IF({at["chance"]}=0,"{IMPOSSIBLE}",1/{at["chance"]}-{at["gross"]})'
                facts.append(Fact("short", short, 1 / chance - outcome.gross))
            self.facts.add_row("", outcome.name, facts)
        self.facts.add_row("", "total", self._total(total))

    def _so_far(self, index: int, values: list[Fraction]) -> Iterator[Fact]:
        """The sums from the first award down to this one."""
        for key, value in zip(("chance", "return", "net_share"), values, strict=True):
            first, last = self.working.at(key, 0), self.working.at(key, index).partition("!")[2]
            yield Fact(f"{key} so far", f"SUM({first}:{last})", value)

    def _counts(self, index: int, outcome: AwardRow) -> Iterator[Fact]:
        if not self.calculation.counts_ways:
            return
        ways = self.working.at("ways", index)
        yield Fact("ways", ways, outcome.ways)
        if outcome.fits is not None and self.data.has_fits:
            fits = self.data.fits(index)
            yield Fact("fits", fits, outcome.fits)
            yield Fact("taken", f"{fits}-{ways}", outcome.fits - outcome.ways)

    def _total(self, total: Fraction) -> Iterator[Fact]:
        analysis = self.study.analysis
        if self.calculation.counts_ways:
            yield Fact("ways", "SUM(Ways)", analysis.ways.cycle)
        yield Fact("probability", "SUM(Probability)", 1)
        yield Fact("return", "SUM(Return)", total, (analysis.return_,))
        yield Fact("share", "IF(ReturnTotal=0,0,SUM(Return)/ReturnTotal)", 1 if total else 0)
        yield Fact("net", "SUM(NetShare)", total - 1, (analysis.return_ - 1,))

    # decks, pays, many plays

    def _decks(self) -> None:
        calculation, data = self.calculation, self.data
        here, study = calculation.decks.place, self.study
        terms = calculation.terms
        for row in study.by_decks:
            place = data.place(row.decks)
            if place is None or row.analysis is None:
                continue
            values, now = data.values[place], data.values[here]
            facts = []
            for kept, deviation in (("house_edge", "standard_deviation"), ("books", "books_deviation"), ("fixed", "")):
                if kept not in values or (kept == "books" and terms is None):
                    continue
                facts.append(Fact(kept, data.at(kept, place), values[kept]))
                if deviation:
                    facts.append(Fact(deviation, data.at(deviation, place), values[deviation]))
                change = f"{data.at(kept, place)}-{data.at(kept, here)}"
                facts.append(Fact(f"{kept} change", change, _less(values[kept], now[kept])))
            facts += [
                Fact(key, data.at(key, place), values[key]) for key in ("hit_frequency", "top_award_one_in", "return")
            ]
            self.facts.add_row("deck_sensitivity", INFINITE if row.decks is None else row.decks, facts)

    def _pays(self) -> None:
        """One unit more or less on each award; with an option what rides moves along, as long as the award wins."""
        calculation, study = self.calculation, self.study
        option = study.option
        edge_name = "BestHouseEdge" if option else "HouseEdge"
        edge = study.house_edge.constant if study.house_edge.is_constant else None
        for index, line in enumerate(study.analysis.lines):
            if line.award.pay.meter is not None:
                continue
            facts = [Fact("words", self.working.at("words", index), str(line.award.pay))]
            for units in (1, -1):
                value, sign = study.edge_change(index, units), "+" if units > 0 else "-"
                formula = f"{'-' if units > 0 else ''}{self.working.at('chance', index)}"
                if option:
                    formula += f"-{self._rides(index, units)}"
                    formula = calculation.at_these_decks(formula)
                if units < 0:
                    pays = self.working.inputs.at(index)[0]
                    formula = f'IF({pays}<1,"—",{formula})'
                facts.append(Fact(f"{sign}1", formula, value))
                if edge is not None:
                    facts.append(Fact(f"{sign}1 edge", f"{edge_name}+({formula})", edge + value))
            self.facts.add_row("pay_sensitivity", line.award.name, facts)

    def _rides(self, index: int, units: int) -> str:
        """What more gains by riding if an award pays so many units more."""
        net, gain = self.working.at("net", index), self.working.at("gain", index)
        rides = 1 if self.study.option and self.study.option.with_wager else 0
        then, sign = f"({net}{units:+d}+{rides})*({net}{units:+d}>0)", f"({net}+{rides})*({net}>0)"
        return f"{gain}*({then}-{sign})"

    def _plays(self) -> None:
        results = {result.basis: result for result in self.study.results}
        for basis, stretches in self.study.stretches:
            spread = spread_of(self.calculation, results[basis])
            if spread is None or not spread.skewness:
                continue
            for one in stretches:
                z = f"z_{CONFIDENCE * 100}*{spread.standard_deviation}/SQRT({one.plays})"
                serves = f"{one.plays}>={_SERVES}*{spread.skewness}^2"
                least, most = f"{spread.house_edge}-{z}", f"{spread.house_edge}+{z}"
                ahead = f"NORMSDIST({spread.house_edge}*SQRT({one.plays})/{spread.standard_deviation})"
                facts = [
                    Fact(f"{basis} from", _until(one, least, one.least_hold), one.least_hold),
                    Fact(f"{basis} to", _until(one, most, one.most_hold), one.most_hold),
                    Fact(f"{basis} ahead", _until(one, ahead, one.house_ahead), one.house_ahead),
                    Fact(f"{basis} by", _named(one, serves), method(one)),
                ]
                if one.is_rough:
                    facts += [
                        Fact(f"{basis} {key}, if not rough", f'IF({serves},{bound},"rough")', "rough")
                        for key, bound in (("from", least), ("to", most))
                    ]
                self.facts.add_row("expectation", one.plays, facts)


def collected(calculation: Calculation, working: Working, data: Data) -> Facts:
    """Collect every formula that figures of a sheet can stand on."""
    facts = Facts()
    Live(calculation, working, data, facts).collect()
    if not calculation.meters:
        add_exposure(facts, working)
    return facts


class Labels(Struct, frozen=True):
    """Words that name what was put in, such as a confidence, as formulas."""

    working: Working

    def __call__(self, text: str) -> str:
        """Give the formula of words that name a confidence, its z or the largest win; nothing for others."""
        for level, z in Z.items():
            confidence, point = f"{level * 100}%", with_decimals(z, 6)
            if confidence in text:
                said = _quoted(text).replace(confidence, f'"&Confidence_{level * 100}*100&"%')
                return "=" + said.replace(point, f'"&TEXT(z_{level * 100},"0.000000")&"')
        return ""


def _quoted(text: str) -> str:
    """Quote words in a formula, in pieces as long as spreadsheets take."""
    whole = text.replace('"', '""')
    return "&".join(f'"{whole[start : start + _PIECE]}"' for start in range(0, len(whole), _PIECE))


_SPREAD = (
    "variance",
    "standard_deviation",
    "skewness",
    "excess_kurtosis",
    *(f"volatility_index_{level * 100}" for level in Z),
)
"""Figures that follow from the rows only where each outcome takes one award at most."""


def _per_chance(
    formula: str, at: Mapping[str, str], outcome: AwardRow, value: Callable[[Fraction], Fraction]
) -> tuple[str, Number | str]:
    """A figure that there is not for what cannot come."""
    return f'IF({at["chance"]}=0,"{IMPOSSIBLE}",{formula.format_map(at)})', outcome.per_chance(value)


def _less(value: Number | str, other: Number | str) -> Number:
    if isinstance(value, Fraction) and isinstance(other, Fraction):
        return value - other
    raise TypeError("only fractions are subtracted here")


def _until(one: Stretch, curve: str, analyzed: Fraction) -> str:
    """The normal curve, but while the inputs are those analyzed what the distribution itself gave."""
    return f"IF({DIFFERING}>0,{curve},{stored(analyzed)})" if one.method == DISTRIBUTION else curve


def _named(one: Stretch, serves: str) -> str:
    """Name the way a figure was found: the curve, rough or not, once an input differs."""
    smooth, rough = (method(replace(one, method=NORMAL, is_rough=is_rough)) for is_rough in (False, True))
    curve = f'IF({serves},"{smooth}","{rough}")'
    return f'IF({DIFFERING}>0,{curve},"{method(one)}")' if one.method == DISTRIBUTION else curve
