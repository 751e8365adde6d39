"""Where meters stand when the largest win is paid, and whether what a fixed wager then pays is reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from combinat.analysis.analysis import Analysis, Line
from combinat.analysis.basis import Basis
from combinat.analysis.exposure import TaxRule
from combinat.bets.meter_rules import HOUSE_JACKPOT
from reports.sheet.sections.request import Request

WIN, PAID = "largest_win", "largest_payment"
"""The keys of the largest win and of all that is then paid."""


class At(Struct, frozen=True):
    """Where the meters stand when an award is paid."""

    basis: Basis
    meters: Mapping[str, Fraction]
    is_bound: bool = False
    """Whether the amounts are ones that the meters do not exceed there."""

    @property
    def title(self) -> str:
        """How a column of what is then paid is headed."""
        return f"Paid, {self.basis}" if self.meters else "Paid"


def amounts(request: Request) -> Iterator[At]:
    """Say where the meters are taken to stand: as given, at the seeds, the averages and the 99th percentiles."""
    study, analysis = request.study, request.analysis
    if not analysis.paytable.meters:
        yield At(study.wager_basis, {})
        return
    if study.meters is None:
        if not analysis.open_meters:
            yield At(Basis.METERS, analysis.meters)
        return
    from combinat.meters.percentiles import percentile  # few bets have meters

    figures = study.meters
    if figures.system.kind == HOUSE_JACKPOT:
        yield At(Basis.POSTED, figures.at_seed)
        return
    yield At(Basis.SEEDS, figures.at_seed)
    if figures.has_closed_form:
        yield At(Basis.AVERAGES, figures.at_average)
    found = {level.level.name: percentile(level) for level in figures.levels}
    is_bound = any(one.is_bound for one in found.values())
    yield At(Basis.PERCENTILES, {name: one.amount for name, one in found.items()}, is_bound)
    if analysis.meters:
        yield At(Basis.METERS, figures.at_seed | dict(analysis.meters))


def settled(request: Request, at: At) -> Analysis:
    """The wager with the meters at these amounts."""
    analysis = request.analysis
    return Analysis(analysis.paytable, analysis.shoe, analysis.ways, at.meters, analysis.stated_wager)


def fixed_tests(line: Line, rule: TaxRule, stake: Fraction) -> dict[str, bool]:
    """Tell whether an award of a fixed pay is reported at a fixed wager, and whether tax is withheld."""
    paid, least = line.gross.constant * stake, rule.times_the_wager * stake
    won, reached = paid - stake, max(Fraction(rule.reported_from), least)
    return {
        "reported": paid >= reached,
        "reported_less_the_wager": won >= reached,
        "withheld": won > rule.withheld_above and won >= least,
    }
