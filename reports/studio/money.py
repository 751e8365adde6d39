"""The money view: win per hour with an interval, lease, jackpot funding and days to a hit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from combinat.analysis.outlook import CONFIDENCE, compute_outlook
from combinat.exact.numbers import parse_number
from combinat.meters.hold import meter_figures
from combinat.study import Study
from decks import InputError
from decks.errors import quote
from reports.page.model import Cell, Column, Style, Styled, Table
from reports.studio import page_json
from reports.studio.panels import selected_study

_LABELS = {
    "rounds": "rounds per hour",
    "spots": "wagers per round",
    "wager": "average wager",
    "hours": "hours per day",
    "lease": "lease fee per month",
}
_DAYS_PER_MONTH = Fraction(365, 12)
_MONEY_DIGITS = 2
_MAX_PLAYS = 10_000_000


def money_panel(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the bet wins at a table, from the fields of the page."""
    amounts = {key: _amount(body, key) for key in _LABELS}
    study = selected_study(body)
    wagers_per_hour = amounts["rounds"] * amounts["spots"]
    if not wagers_per_hour or not amounts["hours"]:
        raise InputError("rounds per hour, wagers per round and hours per day must be positive")
    wagers_per_day = wagers_per_hour * amounts["hours"]
    periods = [
        ("hour", wagers_per_hour, Fraction(0)),
        ("day", wagers_per_day, amounts["lease"] / _DAYS_PER_MONTH),
        ("month", wagers_per_day * _DAYS_PER_MONTH, amounts["lease"]),
    ]
    tables = [
        _win_table(study, amounts["wager"], periods),
        _hits_table(study, wagers_per_day),
        *_funding_tables(study, amounts["wager"] * wagers_per_day),
    ]
    notes = [
        f"The intervals have a probability of {CONFIDENCE * 100}% if wagers are independent of one another; those of "
        "one round share cards, so that real results spread a little more.",
        "A month has 365/12 days. The figures are of the wager alone.",
    ]
    return {"tables": [page_json.table_json(table, _MONEY_DIGITS) for table in tables], "notes": notes}


def _amount(body: Mapping[str, Any], key: str) -> Fraction:
    amount = parse_number(str(body[key]).strip().lstrip("$"))
    if amount is None or amount < 0:
        raise InputError(f"{_LABELS[key]} must be a number such as 60, got {quote(body[key])}")
    return amount


def _win_table(study: Study, wager: Fraction, periods: list[tuple[str, Fraction, Fraction]]) -> Table:
    columns = (
        Column("Per"),
        Column("Wagers", Style.COUNT),
        Column("Handle", Style.DECIMAL),
        Column("Expected win", Style.DECIMAL),
        Column("From", Style.DECIMAL),
        Column("To", Style.DECIMAL),
        Column("Lease", Style.DECIMAL),
        Column("Win less lease", Style.DECIMAL),
    )
    result = study.results[0]
    edge = result.house_edge
    rows: list[tuple[Cell, ...]] = []
    for name, wagers, lease in periods:
        outlook = compute_outlook(result, min(ceil(wagers), _MAX_PLAYS)) if edge is not None else None
        handle = wagers * wager
        win = None if edge is None else handle * edge
        ends = (None, None) if outlook is None else (handle * outlook.least_hold, handle * outlook.most_hold)
        rows.append((name, ceil(wagers), handle, win, *ends, lease, None if win is None else win - lease))
    return Table(columns, tuple(rows), "Win of the house")


def _hits_table(study: Study, wagers_per_day: Fraction) -> Table:
    columns = (
        Column("Award"),
        Column("1 in", Style.DECIMAL),
        Column("Hits per day", Style.DECIMAL),
        Column("Days to a hit", Style.DECIMAL),
    )
    rows = tuple(
        (
            line.award.name,
            None if not line.probability else 1 / line.probability,
            line.probability * wagers_per_day,
            None if not line.probability else 1 / (line.probability * wagers_per_day),
        )
        for line in study.analysis.lines
    )
    return Table(columns, rows, "Hits")


def _funding_tables(study: Study, handle_per_day: Fraction) -> list[Table]:
    """Return the table of contributions to meters, if the bet has any with known terms."""
    figures = meter_figures(study.analysis)
    if figures is None:
        return []
    columns = (
        Column("Meter"),
        Column("Seed", Style.DECIMAL),
        Column("Rate"),
        Column("Contributions per day", Style.DECIMAL),
        Column("Mean amount at a hit", Style.DECIMAL),
    )
    rows = tuple(
        (
            level.level.name,
            level.level.seed,
            Styled(level.level.rate, Style.PERCENT),
            handle_per_day * level.level.rate,
            level.average,
        )
        for level in figures.levels
    )
    return [Table(columns, rows, "Jackpot funding")]
