"""What only some bets have: meters, the dealer's up card, and what the winnings can do next."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec.structs import replace

from combinat.analysis import Analysis, analyze
from combinat.finding import find
from combinat.meters import known_hold, meter_figures
from combinat.paytable import Paytable
from reports.documents import hold_formula, meter_unit
from reports.model import Cell, Column, Figure, Section, Style, Styled, Table
from reports.sections.request import Request

if TYPE_CHECKING:  # few bets play blackjack
    from combinat.riding import Riding


def special(request: Request) -> Section:
    """Show the meters of a progressive, the up cards of a bet on the dealer's hand, options and other readings."""
    section = _own(request)
    other = request.analysis.paytable.other_reading
    return replace(section, tables=(*section.tables, _readings(request.analysis, find(other)))) if other else section


def _readings(analysis: Analysis, other: Paytable) -> Table:
    """Lay out the figures under both readings of the rules, side by side."""
    both = (analysis, analyze(other, analysis.shoe, analysis.meters))
    columns = (Column("Figure"), *(Column(one.paytable.id, Style.COUNT) for one in both))
    rows: list[tuple[Cell, ...]] = [
        ("Hold in the long run", *(_percent(known_hold(one)) for one in both)),
        ("Return of the fixed pays", *(_percent(one.fixed_return) for one in both)),
        ("Hit frequency", *(_percent(one.hit_frequency) for one in both)),
    ]
    for ours, theirs in zip(*(one.lines for one in both), strict=True):
        rows.append((f"{ours.award.name}, once in", *(Styled(one.one_in, Style.ODDS) for one in (ours, theirs))))
    return Table(columns, tuple(rows), "Both readings of the rules")


def _percent(value: Fraction | None) -> Cell:
    return None if value is None else Styled(value, Style.PERCENT)


def _own(request: Request) -> Section:
    analysis = request.analysis
    if analysis.riding is not None:
        return _riding(analysis.riding)
    if analysis.paytable.meters:
        return _meters(request)
    if analysis.paytable.bet.deal.draw:
        return _up_cards(request)
    return Section(
        9, "Meters, up cards and options", text=("The bet pays from no meter, and there is nothing to decide.",)
    )


def _riding(riding: Riding) -> Section:
    from reports.riding_tables import riding_figures, riding_notes, riding_tables

    return Section(
        9,
        f"The {riding.kind}",
        text=riding_notes(riding),
        figures=riding_figures(riding),
        tables=riding_tables(riding),
    )


def _meters(request: Request) -> Section:
    from reports.meter_documents import Question, meter_document

    analysis = request.analysis
    figures = meter_figures(analysis)
    if figures is None:
        return Section(
            9,
            "Meters",
            text=(
                "The source states neither the seeds nor the contributions of the meters, so the hold is a formula in "
                "them: rates as parts of the wager, seeds as amounts. With --seed and --rate of the meter commands it "
                f"becomes a number. {meter_unit(analysis.meter_wager)}",
            ),
            figures=(
                Figure("Return of the fixed pays", analysis.fixed_return, Style.PERCENT),
                Figure("Return", analysis.return_),
                Figure("Hold in the long run", hold_formula(analysis)),
            ),
        )
    document = meter_document(figures, Question(meters=analysis.meters))
    return Section(
        9,
        "Meters",
        text=(f"The meters are run as a {figures.system.kind}.",),
        figures=document.figures,
        tables=document.tables,
        notes=document.notes,
    )


def _up_cards(request: Request) -> Section:
    from reports.dealer_tables import award_blocks, up_card_tables

    analysis = request.analysis
    return Section(
        9,
        "By the dealer's up card",
        text=("The bet is made with the up card in view, so its edge is another for each.",),
        tables=(*up_card_tables(analysis), *award_blocks(analysis)),
    )
