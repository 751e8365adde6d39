"""The market view: the bet beside public bets with the same deal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.bets.paytable import Paytable
from combinat.enumeration.decision import Progress
from combinat.figures import FIGURES
from combinat.requests.catalog import Catalog
from decks import InputError, Shoe
from reports.page.model import Column, Style, Table
from reports.studio import page_json
from reports.studio.ladder import number_cell
from reports.studio.panels import selected_study

_MAX_BETS = 60


def market_panel(body: Mapping[str, Any], progress: Progress | None) -> dict[str, Any]:
    """Return edge, hit frequency and volatility of the bet and of catalog paytables with the same deal."""
    study = selected_study(body)
    decks = study.shoe.decks
    peers = [
        paytable
        for paytables in Catalog().answer(lambda _: None).values()
        for paytable in paytables
        if str(paytable.bet.deal) == str(study.paytable.bet.deal) and paytable.id != study.paytable.id
    ][:_MAX_BETS]
    analyses = [study.analysis]
    for done, paytable in enumerate(peers, 1):
        analyses += _analyze(paytable, decks)
        if progress:
            progress(done, len(peers))
    known = [analysis for analysis in analyses if analysis.house_edge.is_constant]
    columns = (
        Column("Paytable"),
        Column("Title"),
        Column("Decks", Style.COUNT),
        Column(FIGURES["house_edge"].label, Style.PERCENT),
        Column(FIGURES["hit_frequency"].label, Style.PERCENT),
        Column(FIGURES["standard_deviation"].label, Style.DECIMAL),
    )
    rows = tuple(
        (
            "This bet" if analysis is study.analysis else analysis.paytable.id,
            analysis.paytable.title,
            analysis.shoe.decks,
            analysis.house_edge.constant,
            analysis.hit_frequency,
            analysis.standard_deviation,
        )
        for analysis in sorted(known, key=lambda analysis: analysis.house_edge.constant)
    )
    return {
        "subtitle": f"{len(known) - 1} paytables of the catalog have the same deal ({study.paytable.bet.deal}); "
        f"with {decks} decks, or the largest number of their design.",
        "table": page_json.table_json(Table(columns, rows), 5),
        "points": [_point(analysis, is_bet=analysis is study.analysis) for analysis in known],
    }


def _analyze(paytable: Paytable, decks: int) -> Iterator[Analysis]:
    """Yield the analysis of a paytable at these decks, or at the largest number of its design."""
    count = decks if paytable.is_designed_for(decks) else paytable.decks[-1]
    try:
        yield analyze_wager(paytable, Shoe(count, paytable.bet.pack))
    except InputError:
        return


def _point(analysis: Analysis, *, is_bet: bool) -> dict[str, Any]:
    deviation = analysis.standard_deviation
    return {
        "id": analysis.paytable.id,
        "name": "This bet" if is_bet else analysis.paytable.title,
        "is_bet": is_bet,
        "edge": number_cell(analysis.house_edge, Style.PERCENT),
        "hits": number_cell(analysis.hit_frequency, Style.PERCENT),
        "deviation": number_cell(deviation, Style.DECIMAL),
    }
