"""How meters are to be run, put together from the paytable and from what a command line or a program says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

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

    values: Mapping[str, Sequence[str]] = {}
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


def system_of(paytable: Paytable, decks: int, run: Run) -> MeterSystem | None:
    """Put together how the meters are run with so many decks: as the paytable says, with what was given instead."""
    if not paytable.meters:
        raise InputError(f"{paytable.id} pays from no meter")
    known = paytable.system_for(decks)
    given: dict[str, dict[str, str]] = {"seed": {}} | {
        field: _by_name(texts, paytable, field) for field, texts in run.values.items()
    }
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
    system = known or MeterSystem((), paytable.meter_wager(decks))
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


def run_by(paytable: Paytable, run: Run, counts: Iterable[int]) -> Paytable:
    """Give the paytable with its meters run as is said, at its own deck counts and at some more.

    What is published is about the meters as they are run there, so it is left behind.

    >>> from combinat.bets.lookup import find
    >>> other = run_by(find("SOB-EXAMPLE"), Run({"seed": ["5,000"], "rate": ["10%"]}), ())
    >>> other.title, other.variant, other.system_for(6).levels[0].seed
    ('Suited or Booted, an example paytable, seed 5,000, rate 10%', ('seed-5000', 'rate-10'), Fraction(5000, 1))
    """
    if not run.says_something:
        return paytable
    systems = []
    for count in sorted({*paytable.decks, *counts}):
        system = system_of(paytable, count, run)
        if system is not None:
            systems.append(replace(system, decks=(count,)))
    said = [f"{field.replace('_', ' ')} {text}" for field, texts in run.values.items() for text in texts]
    said += [f"wager {run.wager}"] if run.wager else []
    return replace(
        paytable,
        title=", ".join([paytable.title, *said]),
        variant=(*paytable.variant, *(re.sub(r"[^A-Za-z0-9.]+", "-", one.replace(",", "")).strip("-") for one in said)),
        systems=tuple(systems),
        published=(),
        other_reading=None,
    )
