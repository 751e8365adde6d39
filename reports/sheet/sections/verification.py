"""The checks that a sheet went through, each with what it found."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct

from combinat.analysis.analysis import Analysis
from combinat.design.published import agrees, label
from reports.page.model import Cell, Column, Section, Table
from reports.sheet.sections.request import Request

OK, DIFFERS = "agrees", "DIFFERS"


class Check(Struct, frozen=True):
    """One check and its result."""

    what: str
    result: str

    @property
    def failed(self) -> bool:
        """Whether it found something wrong."""
        return self.result == DIFFERS


def checks(request: Request, payload: dict[str, Any]) -> tuple[Check, ...]:
    """Run every check: sums, other ways to the same counts, the second method, and published figures."""
    analysis = request.analysis
    return (*_sums(analysis), *_other_ways(analysis), *_second_method(payload), *_published(analysis))


def _check(what: str, holds: bool) -> Check:
    return Check(what, OK if holds else DIFFERS)


def _sums(analysis: Analysis) -> tuple[Check, ...]:
    ways, lines = analysis.ways, analysis.lines
    chances = sum((line.probability for line in lines), analysis.lose_probability)
    mean = sum((line.net * line.probability for line in lines), -Fraction(1) * analysis.lose_probability)
    return (
        _check(
            "The ways of all awards and of losing hands add up to the cycle", sum(ways.wins) + ways.losing == ways.cycle
        ),
        _check("The probabilities add up to one", chances == 1),
        _check("The mean of all results is the house edge, turned around", mean == -analysis.house_edge),
    )


def _other_ways(analysis: Analysis) -> tuple[Check, ...]:
    """Count again along another path: the shoe weighed card by card."""
    if not analysis.shoe.is_full or analysis.paytable.tally.note:
        return ()  # that was the first path, or there is no one formula
    weighed = analysis.paytable.experiment.weigh(analysis.shoe.composition)
    scale = Fraction(analysis.ways.cycle, weighed.cycle)  # a draw is weighed over as many cards as are needed
    same = all(scale * theirs == ours for theirs, ours in zip(weighed.wins, analysis.ways.wins, strict=True))
    return (_check("The shoe weighed card by card gives the counts of the formula in n", same),)


def _second_method(payload: dict[str, Any]) -> tuple[Check, ...]:
    """Count the bet again by the second method and compare every figure that it reaches."""
    from combinat.verify import verify

    verdict = verify(payload, is_finished=False)  # this check and the fingerprint are still to come
    what = "The second method, ordered physical cards, re-derives the figures of this sheet"
    if verdict.differences:
        return tuple(Check(f"{what}: {difference}", DIFFERS) for difference in verdict.differences)
    if verdict.not_reached:
        kind = "not reached" if verdict.not_reached.is_deal_known else "not checked"
        return (Check(what, f"{kind}: {verdict.not_reached.reason}"),)
    return (Check(f"{what}: {verdict.checked:,} compared", OK),)


def _published(analysis: Analysis) -> tuple[Check, ...]:
    found = []
    for printed in analysis.paytable.published:
        if printed.decks == analysis.shoe.decks and analysis.shoe.is_full:
            same = agrees(analysis, printed)
            what = f"Published {label(printed)} of {printed.text}"
            found.append(Check(what, "depends on the meters") if same is None else _check(what, same))
    return tuple(found)


def verification(found: tuple[Check, ...]) -> Section:
    """List the checks with their results."""
    rows: tuple[tuple[Cell, ...], ...] = tuple((check.what, check.result) for check in found)
    return Section(
        12,
        "Verification",
        key="verification",
        tables=(Table((Column("Check"), Column("Result")), rows, "Checks that ran when this sheet was made"),),
        notes=(
            "The second method deals ordered physical cards, one after the other, and shares no counting code with the "
            "first. The command 'combinat verify' repeats it on the JSON sheet, which also stands by itself for a "
            "method of your own.",
        ),
    )
