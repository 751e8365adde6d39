"""Progressive meters: hold and break-even amounts, and explanations of a published hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.bets.meters import parse_amount
from combinat.bets.paytable import Paytable
from combinat.bets.variants import MeterOverrides, build_system
from combinat.exact.numbers import parse_number
from combinat.meters.explain import RATES, SEEDS, Explanation, Goal, explain_hold
from combinat.meters.hold import MeterFigures
from combinat.meters.session import Pace, parse_pace
from combinat.requests.arguments import Amount
from combinat.requests.bets import BetRequest, DeckCounts, ShoeRequest, resolve_bet
from combinat.requests.request import Group, Notify, Option
from combinat.results.meters import ExplainAnswer, MeterAnswer
from decks import InputError
from decks.errors import quote

R = TypeVar("R")
A = TypeVar("A")
MeterValues = Amount | Sequence[str] | Mapping[str, Amount]
"""A value for the only meter, or a value for each of several, as texts such as `Mega=2000` or by name."""
ExplainedGoals = tuple[Sequence[Goal], Sequence[Explanation]]
"""Published figures, and the terms of meters that explain them."""
_LARGEST = "the largest that the paytable is designed for"


def _help(text: str, example: str) -> str:
    return f"{text}: {example}, or Mega={example} for one of several meters. May be repeated."


class MeterReport(Struct, frozen=True):
    """The meters of a bet at a deck count, with what is to be shown."""

    analysis: Analysis
    figures: MeterFigures | None
    """The figures; `None` if the terms of the meters are unknown."""
    meters: Mapping[str, Fraction] = {}
    """Amounts on meters; others are at their averages."""
    pace: Pace | None = None
    floor: Fraction | None = None
    plays: int | None = None

    def to_answer(self) -> MeterAnswer:
        """Return the report as a result."""
        if self.figures is None:
            return MeterAnswer.of_unknown(self.analysis, self.meters)
        return MeterAnswer.of(self.figures, self.meters, self.pace)


class _MeterBet(ShoeRequest[R, A], Generic[R, A], frozen=True):
    """The deck counts of a request about meters, with their default."""

    decks: Annotated[
        DeckCounts,
        Option("Numbers of decks, such as 6 or 1,2,4-8.", ("--decks", "-d"), group=Group.TABLE, default=_LARGEST),
    ] = None


class MeterRequest(_MeterBet[R, A], Generic[R, A], frozen=True, kw_only=True):
    """A request about the meters of a bet, with other terms."""

    seed: Annotated[
        MeterValues,
        Option(_help("Seed of a meter, in money for the fixed wager", "2000"), unit="money", is_repeated=True),
    ] = ()
    rate: Annotated[
        MeterValues,
        Option(_help("Contribution rate of a meter, per wager", "24%"), unit="percent of each wager", is_repeated=True),
    ] = ()
    wager: Annotated[
        Amount | None,
        Option("Fixed wager of the meters, such as 5.", unit="money", default="as the paytable states, otherwise 1"),
    ] = None

    def iter_analyses(self, notify: Notify, command: str) -> list[tuple[Analysis, Mapping[str, Fraction]]]:
        """Return the bet at each requested deck count, by default the last of its design, with its meter amounts."""
        cases = list(self.iter_cases(notify))
        if len({paytable.id for paytable, _, _ in cases}) > 1:
            raise InputError(f"{command} needs one paytable; write for example mine.toml:ID")
        selected = cases if self.decks is not None else cases[-1:]
        for paytable, _, _ in selected:
            if not paytable.meters:  # before anything is counted
                raise InputError(f"{paytable.id} has no meters")
        return [(analyze_wager(paytable, shoe), meters) for paytable, shoe, meters in selected]


class MeterShow(MeterRequest[MeterReport, MeterAnswer], frozen=True, kw_only=True):
    """Show long-run hold, return by meter amount and waiting times."""

    reserve: Annotated[
        MeterValues,
        Option(
            _help("Part of each wager that goes to a reserve", "2%"), unit="percent of each wager", is_repeated=True
        ),
    ] = ()
    cap: Annotated[
        MeterValues,
        Option(
            _help("Amount at which a meter stops growing, in money for the fixed wager", "50000"),
            unit="money",
            is_repeated=True,
        ),
    ] = ()
    rate_after_cap: Annotated[
        MeterValues,
        Option(_help("Contribution rate above the cap", "2%"), unit="percent of each wager", is_repeated=True),
    ] = ()
    seed_paid_by: Annotated[
        str | None,
        Option("Source of the seed after a hit: house or reserve.", default="as the paytable states, otherwise house"),
    ] = None
    not_deducted: Annotated[bool, Option("Do not deduct awards of a part of a meter from it.")] = False
    posted_jackpot: Annotated[
        bool, Option("Use the seed as a posted jackpot, a fixed prize without contributions.")
    ] = False
    all_pays_deducted: Annotated[bool, Option("Pay the fixed awards from the meter too.")] = False
    plays_per_day: Annotated[
        Amount | None,
        Option("Wagers per day on each meter, such as 2000. Adds days between hits and hits per year."),
    ] = None
    days: Annotated[
        Amount | None,
        Option("With --plays-per-day: number of days for the probabilities of hits.", unit="days", default="30"),
    ] = None
    floor: Annotated[
        Amount | None, Option("With --plays: floor of the meter, in money.", unit="money", default="0")
    ] = None
    plays: Annotated[
        int | None,
        Option(
            "Number of plays, such as 300. Adds the probability that a meter which also pays the fixed awards falls "
            "below --floor."
        ),
    ] = None

    def answer(self, notify: Notify) -> MeterReport:
        analyses = self.iter_analyses(notify, "meter show")
        if len(analyses) > 1:
            raise InputError("meter show needs one paytable and one number of decks; write for example --decks 6")
        ((analysis, meters),) = analyses
        names = ("seed", "rate", "reserve", "cap", "rate_after_cap")
        overrides = MeterOverrides(
            {name: _meter_texts(getattr(self, name)) for name in names},
            None if self.wager is None else str(self.wager),
            self.seed_paid_by,
            self.not_deducted,
            self.posted_jackpot,
            self.all_pays_deducted,
        )
        system = build_system(analysis.paytable, analysis.shoe.decks, overrides)
        pace = parse_pace(_text(self.plays_per_day), _text(self.days))
        floor = None if self.floor is None else parse_amount(self.floor, "floor")
        figures = None if system is None else MeterFigures(analysis, system)
        return MeterReport(analysis, figures, meters, pace, floor, self.plays)

    def results(self, computed: MeterReport) -> Sequence[MeterAnswer]:
        return [computed.to_answer()]


class MeterBreakEven(MeterRequest[Sequence[MeterReport], MeterAnswer], frozen=True, kw_only=True):
    """Show the meter amounts at which the house edge is zero.

    Other meters are at their averages, or at the amounts given by --meter.
    """

    def answer(self, notify: Notify) -> Sequence[MeterReport]:
        overrides = MeterOverrides(
            {"seed": _meter_texts(self.seed), "rate": _meter_texts(self.rate)},
            None if self.wager is None else str(self.wager),
        )
        reports = []
        for analysis, meters in self.iter_analyses(notify, "meter break-even"):
            system = build_system(analysis.paytable, analysis.shoe.decks, overrides)
            has_rate = bool(overrides.values["rate"]) or analysis.paytable.system_for(analysis.shoe.decks) is not None
            if system is not None and has_rate:
                reports.append(MeterReport(analysis, MeterFigures(analysis, system), meters))
            else:
                at_wager = replace(analysis, stated_wager=system.wager) if system else analysis
                reports.append(MeterReport(at_wager, None, meters))
        return reports

    def results(self, computed: Sequence[MeterReport]) -> Sequence[MeterAnswer]:
        return [report.to_answer() for report in computed]


class MeterExplain(BetRequest[Sequence[ExplainedGoals], ExplainAnswer], frozen=True):
    """Find rates and seeds of meters that explain a published hold.

    Lists the round rates and seeds whose hold agrees with every printed digit, simplest first.
    """

    decks: Annotated[
        DeckCounts, Option("Numbers of decks to try.", ("--decks", "-d"), group=Group.TABLE, default="1-8")
    ] = None
    hold: Annotated[
        str | None,
        Option(
            "Published hold in percent, with its printed digits, such as 24.78.",
            unit="percent",
            default="from the catalog",
        ),
    ] = None
    hit_frequency: Annotated[
        str | None,
        Option("Published hit frequency in percent, such as 14.82.", unit="percent", default="from the catalog"),
    ] = None
    together: Annotated[bool, Option("Use the same rate and seeds for all paytables.")] = False
    rates: Annotated[
        str | None,
        Option("Contribution rates to try, in percent, such as 10-30 or 20,22.5.", unit="percent", default="1-50"),
    ] = None
    seeds: Annotated[
        str | None,
        Option(
            "Seeds to try, in money, such as 1000,1500,2000.", unit="money", default="100,200,500 and so on to 50000"
        ),
    ] = None

    def answer(self, _notify: Notify) -> Sequence[ExplainedGoals]:
        counts = self.deck_counts
        goals = [
            _goal(paytable, self.hold, self.hit_frequency, counts) for bet in self.bets for paytable in resolve_bet(bet)
        ]
        rates = RATES if self.rates is None else _parse_rates(self.rates)
        seeds = SEEDS if self.seeds is None else _parse_seeds(self.seeds)
        groups = [goals] if self.together else [[goal] for goal in goals]
        return [(group, explain_hold(group, rates, seeds)) for group in groups]

    def results(self, computed: Sequence[ExplainedGoals]) -> Sequence[ExplainAnswer]:
        return [ExplainAnswer.of(*group) for group in computed]


def _text(value: Amount | None) -> str | None:
    return None if value is None else str(value)


def _meter_texts(values: MeterValues) -> list[str]:
    """Return values of meters as texts such as `Mega=2000`."""
    if isinstance(values, Mapping):
        return [f"{name}={value}" for name, value in values.items()]
    if isinstance(values, Sequence) and not isinstance(values, str):
        return [str(value) for value in values]
    return [str(values)]


def _goal(paytable: Paytable, hold: str | None, hits: str | None, decks: tuple[int, ...] | None) -> Goal:
    printed_texts = {figure.figure: figure.text for figure in paytable.published}
    hold_text = hold or printed_texts.get("hold")
    if hold_text is None:
        raise InputError(f"the catalog has no published hold of {paytable.id}; add for example --hold 24.78")
    return Goal(paytable, hold_text, hits or printed_texts.get("hit_frequency"), decks)


def _parse_rates(text: str) -> tuple[Fraction, ...]:
    """Parse rates in percent: single values, or the integers of a range."""
    rates: set[Fraction] = set()
    prefix = f"--rates {quote(text)}"
    for range_text in text.split(","):
        first_text, dash, last_text = (end.strip() for end in range_text.replace("%", "").partition("-"))
        lower, upper = parse_number(first_text), parse_number(last_text) if dash else None
        if lower is None or (dash and (upper is None or lower.denominator * upper.denominator > 1)):
            raise InputError(f"{prefix}: {quote(range_text)} is not a percentage; write for example 10-30 or 20,22.5")
        last_rate = lower if upper is None else upper
        if max(lower, last_rate) > 100:
            raise InputError(f"{prefix}: rates must be 0 to 100 percent, got {quote(range_text)}")
        if last_rate < lower:
            raise InputError(f"{prefix}: {quote(range_text)} is in descending order; write {last_text}-{first_text}")
        rates.update(
            [lower / 100]
            if upper is None
            else (Fraction(percent, 100) for percent in range(int(lower), int(last_rate) + 1))
        )
    return tuple(sorted(rates))


def _parse_seeds(text: str) -> tuple[Fraction, ...]:
    return tuple(sorted({parse_amount(item, "seed") for item in text.split(",")}))
