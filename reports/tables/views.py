"""What a bet is worth once something is seen, such as the dealer's up card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from combinat.analysis.viewed import Viewed, best_selections
from combinat.enumeration.experiment import View
from combinat.exact.polynomial import Polynomial
from combinat.figures import headline, label_of_wager
from combinat.study import Study
from reports.page.figures import column
from reports.page.model import Cell, Column, Style, Styled, Table
from reports.page.numerals import exact
from reports.tables.awards import ONE_IN, PAYS, PROBABILITY, RETURN

_CASE_FIGURES = ("hit_frequency", "return", "house_edge")
"""What is told of each case of a view, of the wager alone."""


def cases_key(view: View) -> str:
    """What a workbook calls the table of a view's cases."""
    return f"cases, {view.key}"


def blocks_key(view: View) -> str:
    """What a workbook calls the table of awards in each case of a view."""
    return f"awards, {view.key}"


def view_tables(study: Study) -> tuple[Table, ...]:
    """Lay out a bet case by case for everything that can be seen, and what comes of betting in the best cases only."""
    return tuple(table for view, found in study.views if len(found) > 1 for table in _tables(study, view, found))


def _tables(study: Study, view: View, found: tuple[Viewed, ...]) -> tuple[Table, ...]:
    case = view.case_title.lower()
    edge = column("house_edge", label_of_wager(study, "house_edge"))
    columns = (
        Column(view.case_title),
        PROBABILITY,
        *(Column(label, Style.DECIMAL) for _, label in view.extras),
        *(column(key, label_of_wager(study, key)) for key in _CASE_FIGURES),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            one.name,
            one.probability,
            *one.extras.values(),
            *(headline(Study(one.analysis), key) for key in _CASE_FIGURES),
        )
        for one in found
    ]
    by_case = Table(columns, tuple(rows), f"Given the {case}", key=cases_key(view))
    if not study.analysis.return_.is_constant:
        return (by_case,)
    chosen = Table(
        (Column("Bet only with"), Column("Of the rounds", Style.PERCENT), edge),
        tuple(
            (_chosen(selection.cases, len(found), case), selection.share, selection.house_edge)
            for selection in best_selections(found)
        ),
        f"Betting only on the best {case}s",
    )
    return by_case, chosen


def _chosen(chosen: Sequence[Viewed], every: int, case: str) -> str:
    if len(chosen) == every:
        return f"every {case}"
    return chosen[0].name if len(chosen) == 1 else f"the above and {chosen[-1].name}"


def award_blocks(study: Study) -> tuple[Table, ...]:
    """Lay out the awards in blocks, one for each case of a view."""
    tables = []
    for view, found in study.views:
        if len(found) <= 1:
            continue
        columns = (
            Column(view.case_title),
            Column("Award"),
            PAYS,
            PROBABILITY,
            ONE_IN,
            Column("True odds to 1", Style.ODDS),
            RETURN,
        )
        rows: list[tuple[Cell, ...]] = []
        for one in found:
            for line in one.analysis.lines:
                if line.is_possible:
                    figures = (line.probability, line.one_in, line.true_odds, line.return_)
                    rows.append((one.name, line.award.name, str(line.award.pay), *figures))
            rows.append((one.name, "no award", "loses", one.analysis.lose_probability, "", "", Polynomial.of(0)))
            rows.append((one.name, "total", "", 1, "", "", Styled(one.analysis.return_, Style.SUM)))
        blocks = tuple(Counter(row[0] for row in rows).values())
        caption = f"Awards given the {view.case_title.lower()}"
        tables.append(Table(columns, tuple(rows), caption, keys=2, key=blocks_key(view), blocks=blocks))
    return tuple(tables)


def view_payload(study: Study) -> dict[str, list[dict[str, Any]]]:
    """Give every view of a bet, case by case; `up_cards` is there for every bet, empty where no card is up."""
    empty: dict[str, list[dict[str, Any]]] = {"up_cards": []}
    return empty | {
        view.key: [
            {
                view.case_key: one.name,
                "probability": exact(one.probability),
                **{key: exact(chance) for key, chance in one.extras.items()},
                "awards": [
                    {"name": line.award.name, "pays_text": str(line.award.pay), "probability": exact(line.probability)}
                    for line in one.analysis.lines
                    if line.is_possible
                ],
                **{key: exact(headline(Study(one.analysis), key)) for key in _CASE_FIGURES},
                "basis": str(study.wager_basis),
            }
            for one in found
        ]
        for view, found in study.views
    }
