"""What a bet on the dealer's finished hand is worth with each up card."""

from __future__ import annotations

from collections.abc import Sequence

from combinat.analysis.analysis import Analysis
from combinat.enumeration.dealer.up_cards import UpCard, best_selections
from combinat.exact.polynomial import Polynomial
from reports.answers.documents import ONE_IN, PROBABILITY
from reports.page.model import Cell, Column, Style, Styled, Table


def up_card_tables(analysis: Analysis) -> tuple[Table, ...]:
    """Lay out a bet on the dealer's hand by up card, and what comes of betting on the best up cards only."""
    found = _up_cards(analysis)
    if not found:
        return ()
    columns = (
        Column("Up card"),
        Column("Comes", Style.DECIMAL),
        Column("Bust", Style.DECIMAL),
        Column("Suited bust", Style.DECIMAL),
        Column("Hit frequency", Style.PERCENT),
        Column("Return", Style.PERCENT),
        Column("House edge", Style.PERCENT),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            one.name,
            one.probability,
            one.bust,
            one.suited_bust,
            one.analysis.hit_frequency,
            one.analysis.return_,
            one.analysis.house_edge,
        )
        for one in found
    ]
    by_up = Table(columns, tuple(rows), "Given the up card")
    if not analysis.return_.is_constant:
        return (by_up,)
    chosen = Table(
        (Column("Bet only with"), Column("Of the rounds", Style.PERCENT), Column("House edge", Style.PERCENT)),
        tuple(
            (
                _chosen(selection.up_cards, len(found)),
                selection.share,
                selection.house_edge,
            )
            for selection in best_selections(found)
        ),
        "Betting only on the best up cards",
    )
    return by_up, chosen


def _chosen(chosen: Sequence[UpCard], every: int) -> str:
    if len(chosen) == every:
        return "every up card"
    return chosen[0].name if len(chosen) == 1 else f"the above and {chosen[-1].name}"


def _up_cards(analysis: Analysis) -> tuple[UpCard, ...]:
    """The bet by up card, if more than one is possible."""
    found = analysis.by_up_card
    return found if len(found) > 1 else ()


def award_blocks(analysis: Analysis) -> tuple[Table, ...]:
    """Lay out the awards of a bet on the dealer's hand in blocks, one for each up card."""
    found = _up_cards(analysis)
    if not found:
        return ()
    columns = (
        Column("Up card"),
        Column("Award"),
        Column("Pays", Style.COUNT),
        PROBABILITY,
        ONE_IN,
        Column("True odds to 1", Style.ODDS),
        Column("Return", Style.DECIMAL),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        for line in one.analysis.lines:
            if line.is_possible:
                figures = (line.probability, line.one_in, line.true_odds, line.return_)
                rows.append((one.name, line.award.name, str(line.award.pay), *figures))
        rows.append((one.name, "no award", "loses", one.analysis.lose_probability, "", "", Polynomial.of(0)))
        rows.append((one.name, "total", "", 1, "", "", Styled(one.analysis.return_, Style.SUM)))
    return (Table(columns, tuple(rows), "Awards given the up card"),)
