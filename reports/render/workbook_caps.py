"""A meter with a cap in a workbook: what goes in up to the cap and beyond it, as formulas over its inputs."""

from __future__ import annotations

from collections.abc import Iterator

from combinat.bets.meter_rules import Level
from combinat.exact.chances import survival
from combinat.meters.hold import LevelFigures
from reports.page.model import Style
from reports.render.workbook_calculation import METER_WAGER
from reports.render.workbook_cells import Number

_NEVER = 10**12
"""So many plays add their whole contribution to a meter that no contribution brings to its cap."""
_A_LITTLE = "0.0000001"
"""Less than a play: so much rounding may take from a number of plays that is whole."""
_CENTS = 6
"""To so many decimals an amount of money is told from nothing."""

CapCell = tuple[str, str, str, Number, Style]
"""What a cell says, its name without the meter's, its formula, its value, and how it is written."""


def cap_cells(one: LevelFigures) -> Iterator[CapCell]:
    """Work out how many plays fill a meter, and how likely it is that no hit comes before; nothing without a cap."""
    level, name = one.level, one.level.name
    if level.cap is None:
        return
    whole = one.plays_to_cap()
    plays = _NEVER if whole is None else whole
    add, room = f"Rate_{name}*{METER_WAGER}", f"Cap_{name}-Seed_{name}"
    formula = f"IF({room}<=0,0,IF(Rate_{name}=0,{_NEVER},INT(({room})/({add})+{_A_LITTLE})))"
    yield "plays with a whole contribution below the cap", "Whole", formula, plays, Style.COUNT
    left = survival(one.reset, plays) if whole is not None else 0
    yield "chance of no hit in them", "Left", f"EXP(LogMiss_{name}*Whole_{name})", left, Style.DECIMAL
    last = 0 if whole is None else level.cap - level.seed - whole * one.contribution
    filled = f"IF(Rate_{name}=0,0,ROUND({room}-Whole_{name}*{add},{_CENTS}))"
    yield "what the next play adds to fill the meter", "Last", filled, last, Style.MONEY


def capped_average(level: Level) -> str:
    """Write the average of a meter with a cap."""
    name, hit, left = level.name, f"Reset_{level.name}", f"Left_{level.name}"
    after = f"RateAfter_{name}*{METER_WAGER}*{left}/{hit}"
    below = f"Seed_{name}+Rate_{name}*{METER_WAGER}*(1-{left})/{hit}"
    return f"{below}+IF(Last_{name}=0,{after},Last_{name}*{left}+{after}*(1-{hit}))"


def meter_after(level: Level, plays: str, added: str = "0") -> str:
    """Write what a meter shows so many plays after a reset, if nothing was taken out in between."""
    name = level.name
    growing = f"Seed_{name}+{plays}*(Rate_{name}*{METER_WAGER}+{added})"
    if level.cap is None:
        return growing
    beyond = f"({plays}-Whole_{name}-(Last_{name}>0))*RateAfter_{name}*{METER_WAGER}"
    return f"IF({plays}<=Whole_{name},{growing},Cap_{name}+{beyond})"


def misses_before(level: Level, amount: str) -> str:
    """Write the chance of no hit in the plays that leave a meter below an amount, zero if it never gets there."""
    name = level.name
    add, after = f"(Rate_{name}*{METER_WAGER})", f"(RateAfter_{name}*{METER_WAGER})"
    plays = f"MAX(1,ROUNDUP(({amount}-Seed_{name})/{add}-{_A_LITTLE},0))"
    found = f"EXP(LogMiss_{name}*({plays}-1))"
    if level.cap is None:
        return found
    beyond = f"Whole_{name}+(Last_{name}>0)+ROUNDUP(({amount}-Cap_{name})/{after}-{_A_LITTLE},0)"
    above = f"IF(RateAfter_{name}=0,0,EXP(LogMiss_{name}*({beyond}-1)))"
    return f"IF({amount}<=Cap_{name},{found},{above})"
