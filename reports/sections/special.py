"""What only some bets have: meters, the dealer's up card, and what the winnings can do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combinat.meters import meter_figures
from reports.documents import hold_formula
from reports.model import Figure, Section, Style
from reports.sections.request import Request

if TYPE_CHECKING:  # few bets play blackjack
    from combinat.riding import Riding


def special(request: Request) -> Section:
    """Show the meters of a progressive and the up cards of a bet on the dealer's hand."""
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
                "them: seeds in wagers, rates as parts of the wager. With --seed and --rate it becomes a number.",
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
        text=(f"The meters are run as a {figures.system.kind}, for a wager of {figures.system.wager}.",),
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
