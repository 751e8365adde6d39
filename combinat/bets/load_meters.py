"""How a file says that meters are run."""

from __future__ import annotations

from collections.abc import Callable

from combinat.bets.fields import MetersFields
from combinat.bets.meter_rules import Level, MeterSystem, check_paid_meters, parse_amount, parse_rate


def meter_system(
    fields: MetersFields, paid: tuple[str, ...], deck_counts: Callable[[int | str | list[int]], tuple[int, ...]]
) -> MeterSystem:
    """Read how the meters of a paytable are run, at some deck counts or at all."""
    levels = tuple(
        Level(
            name=one.name,
            seed=parse_amount(one.seed, "seed"),
            rate=parse_rate(one.rate, "rate"),
            reserve=parse_rate(one.reserve, "reserve"),
            cap=None if one.cap is None else parse_amount(one.cap, "cap"),
            rate_after_cap=parse_rate(one.rate_after_cap, "rate_after_cap"),
            deducted=one.deducted,
            seed_paid_by=one.seed_paid_by,
        )
        for one in fields.levels
    )
    system = MeterSystem(
        levels=levels,
        wager=parse_amount(fields.wager, "wager"),
        kind=fields.kind,
        all_pays_deducted=fields.all_pays_deducted,
        decks=None if fields.decks is None else deck_counts(fields.decks),
        basis=fields.basis,
    )
    system.check()
    check_paid_meters(system, paid)
    return system
