"""The options for the pace of play at tables that have meters."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from combinat.bets.meters import parse_amount
from combinat.meters.session import Pace
from decks import InputError

if TYPE_CHECKING:
    from combinat.meters.session import Pace

PlaysPerDay = Annotated[
    str | None, typer.Option(help="Wagers a day on a meter, for how long a hit takes and hits in a year.")
]
Days = Annotated[str | None, typer.Option(help="With --plays-per-day: days to look ahead; 30 if left out.")]


def pace_of(plays_per_day: str | None, days: str | None) -> Pace | None:
    """Read the pace of play; there is none if no plays a day are given."""
    plays, ahead = _given(plays_per_day, "plays per day"), _given(days, "days")
    if plays is None and ahead is not None:
        raise InputError("days to look ahead need a pace of play; give --plays-per-day too")
    if plays is None:
        return None
    return Pace(plays) if ahead is None else Pace(plays, ahead)


def _given(text: str | None, what: str) -> Fraction | None:
    if text is None:
        return None
    amount = parse_amount(text, what)
    if not amount:
        raise InputError(f"{what} must be more than nothing")
    return amount
