"""How meters are to be run, put together from the paytable and from what a command line says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis
from combinat.bets.meter_rules import HOUSE_JACKPOT, Level, MeterSystem, check_paid_meters, parse_amount, parse_rate
from combinat.bets.paytable import Paytable
from decks import InputError, suggestion
from decks.errors import quoted


def _by_name(texts: Sequence[str], paytable: Paytable, option: str) -> dict[str, str]:
    """Read values that are for all meters or for one of them."""
    found: dict[str, str] = {}
    known = {name.lower(): name for name in paytable.meters}
    for text in texts:
        name, equals, value = text.rpartition("=")
        if not equals:
            found.update(dict.fromkeys(paytable.meters, value))
        elif name.strip().lower() in known:
            found[known[name.strip().lower()]] = value
        else:
            hint = suggestion(name, paytable.meters) or f"; its meters are {', '.join(paytable.meters)}"
            raise InputError(f"--{option} {quoted(text)}: {paytable.id} has no meter {quoted(name)}{hint}")
    return found


class Run(Struct, frozen=True):
    """How the meters are to be run, as far as the command line says."""

    values: Mapping[str, Sequence[str]]
    """Seeds, rates and so on, as they were typed, by what they are."""
    wager: str | None = None
    seed_paid_by: str | None = None
    not_deducted: bool = False
    house_jackpot: bool = False
    all_pays_deducted: bool = False

    @property
    def says_something(self) -> bool:
        """Whether anything was said at all."""
        said = (self.wager, self.seed_paid_by, self.not_deducted, self.house_jackpot, self.all_pays_deducted)
        return any(self.values.values()) or any(said)


_AMOUNTS = ("seed", "cap")


def system_of(analysis: Analysis, run: Run) -> MeterSystem | None:
    """Put together how the meters are run: as the paytable says, with what was given instead."""
    paytable = analysis.paytable
    if not paytable.meters:
        raise InputError(f"{paytable.id} pays from no meter")
    known = paytable.system_for(analysis.shoe.decks)
    given = {field: _by_name(texts, paytable, field) for field, texts in run.values.items()}
    if known is None and not given["seed"]:
        if run.says_something:
            raise InputError(f"{paytable.id}: nothing is known about its meters; give --seed too, as in --seed 2000")
        return None
    levels = []
    for name in paytable.meters:
        if known is None and name not in given["seed"]:
            raise InputError(f"{paytable.id}: give a seed for the meter {quoted(name)} too, as in --seed {name}=1000")
        level = known.level(name) if known else Level(name, Fraction(0))
        for field, texts in given.items():
            if name in texts:
                read = parse_amount if field in _AMOUNTS else parse_rate
                level = replace(level, **{field: read(texts[name], field.replace("_", " "))})
        if run.house_jackpot:
            level = replace(level, rate=Fraction(0), reserve=Fraction(0), rate_after_cap=Fraction(0))
        if run.not_deducted:
            level = replace(level, deducted=False)
        if run.seed_paid_by:
            level = replace(level, seed_paid_by=run.seed_paid_by)
        levels.append(level)
    system = known or MeterSystem((), analysis.meter_wager)
    system = replace(system, levels=tuple(levels), basis=None if run.says_something else system.basis)
    if run.wager:
        system = replace(system, wager=parse_amount(run.wager, "wager"))
    if run.house_jackpot:
        system = replace(system, kind=HOUSE_JACKPOT)
    if run.all_pays_deducted:
        system = replace(system, all_pays_deducted=True)
    system.check(f"{paytable.id}: ")
    check_paid_meters(system, paytable.meters, f"{paytable.id}: ")
    return system
