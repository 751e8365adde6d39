"""Wheels and dice that multiply a pay: what each stop pays, with its chance, whatever the cards are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.verifier.reading import UnreadableError, number_of, said, shown

Stops = list[tuple[Fraction, Fraction]]
"""What a pay is multiplied by, each with its chance."""
MOST_STOPS = 1000
TIMES = " × "


def wheels_of(sheet: dict[str, Any]) -> dict[str, Stops]:
    """Read the wheels of a sheet by their names; most sheets have none."""
    if "wheels" not in sheet:
        return {}
    return {said(row, "name", str): stops_of(row) for row in said(said(sheet, "wheels", dict), "wheels", list)}


def stops_of(row: dict[str, Any]) -> Stops:
    """Read the stops of one wheel: their weights are whole, and tell their chances."""
    rows = said(row, "stops", list)
    weights = [said(stop, "weight", int) for stop in rows]
    if not 1 <= len(rows) <= MOST_STOPS or min(weights) < 1:
        raise UnreadableError(f"no wheel: {shown(row.get('name'))}")
    return [
        (number_of(stop.get("times")), Fraction(weight, sum(weights)))
        for stop, weight in zip(rows, weights, strict=True)
    ]


def stop_figures(sheet: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the chances of the stops of each wheel."""
    return [{"stops": [{"probability": chance} for _, chance in stops]} for stops in wheels_of(sheet).values()]
