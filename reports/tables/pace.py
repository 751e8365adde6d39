"""How often meters are hit at a pace of play, as a table and as data."""

from __future__ import annotations

from typing import Any

from combinat.analysis.analysis import Analysis
from combinat.exact.amounts import decimal_text
from combinat.meters.pace import LEAST, MOST, YEAR, Pace, hits_at
from reports.page.model import Cell, Column, Style, Table
from reports.page.numerals import decimal, exact

_LONG = 30
PACE = "pace"
"""What a workbook calls the table."""


def pace_table(analysis: Analysis, pace: Pace | None) -> tuple[Table, ...]:
    """Lay out days between hits, chances of none and of two in some days, and hits in a year; none without a pace."""
    if pace is None:
        return ()
    days = decimal_text(pace.days)
    columns = (
        Column("Meter"),
        Column("Days between hits", Style.ODDS, key="days"),
        Column(f"No hit in {days} days", Style.CHANCE, key="none"),
        Column(f"Two hits or more in {days} days", Style.CHANCE, key="two"),
        Column("Hits in a year, mean", Style.ODDS, key="mean"),
        Column("5% of years, at most", Style.COUNT, key="least"),
        Column("95% of years, at most", Style.COUNT, key="most"),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            one.meter,
            one.days_between,
            one.no_hit,
            one.two_or_more,
            one.per_year,
            one.least_per_year,
            one.most_per_year,
        )
        for one in hits_at(analysis, pace)
    )
    return (Table(columns, rows, f"At {decimal_text(pace.plays_per_day)} plays a day", key=PACE),) if rows else ()


def pace_note(pace: Pace) -> str:
    """Say what the table stands on."""
    return (
        f"The pace of {decimal_text(pace.plays_per_day)} plays a day, on every meter, was given as an assumption, it "
        f"is no figure of the source. A year has {YEAR} days; {LEAST * 100}% of years have at most the first number of "
        f"hits, {MOST * 100}% at most the second, by the binomial distribution itself."
    )


def pace_payload(analysis: Analysis, pace: Pace | None) -> dict[str, Any]:
    """Give the same as data, under a key that is only there with a pace; long powers to thirty decimals."""
    if pace is None:
        return {}
    return {
        "pace": {
            "plays_per_day": exact(pace.plays_per_day),
            "days": exact(pace.days),
            "hits": [
                {
                    "meter": one.meter,
                    "days_between_hits": exact(one.days_between),
                    "no_hit": decimal(one.no_hit, _LONG, grouped=False),
                    "two_or_more": decimal(one.two_or_more, _LONG, grouped=False),
                    "hits_per_year": exact(one.per_year),
                    "least_per_year": one.least_per_year,
                    "most_per_year": one.most_per_year,
                }
                for one in hits_at(analysis, pace)
            ],
        }
    }
