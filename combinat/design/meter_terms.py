"""What meters cost the house in the long run, in terms of their seeds and rates.

A meter without a cap pays out what comes in: its seed whenever it is set back, and the contributions. So what it costs
is a constant, plus something for each unit of the seed, plus something for each part of the wager that it takes.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from combinat.bets.meter_rules import HOUSE_JACKPOT, Level, MeterSystem
from combinat.design.kept import Kept
from combinat.design.spec import Spec
from combinat.meters.hold import LevelFigures
from decks import InputError, Shoe
from decks.errors import quoted


class LevelTerms(Struct, frozen=True):
    """What one meter costs of each unit wagered."""

    name: str
    constant: Fraction
    by_seed: Fraction
    by_rate: Fraction
    fixed_rate: Fraction
    """What it takes of each wager that is not left open."""


def level_terms(spec: Spec, kept: Kept) -> tuple[tuple[LevelTerms, ...], ...]:
    """For each deck count the terms of every meter."""
    return tuple(
        tuple(_terms(spec, level, _system(spec, decks), kept, at) for level in _system(spec, decks).levels)
        for at, decks in enumerate(spec.decks)
    )


def _system(spec: Spec, decks: int) -> MeterSystem:
    """How the meters are run, those that the paytable does not say being all open."""
    system, paytable = spec.paytable.system_for(decks), spec.paytable
    if system is not None:
        if system.all_pays_deducted:
            raise InputError(
                f"{paytable.id}: fixed pays come out of its meter too; the finder does not know such meters"
            )
        return system
    for name in paytable.meters:
        if name not in dict(spec.seeds) or name not in dict(spec.rates):
            said = "" if name == "meter" else f"{name}="
            raise InputError(
                f"{paytable.id}: nobody says how the meter {quoted(name)} is run; give --seed {said}AMOUNT and --rate "
                f"{said}PERCENT, or what it shows with --meter {said}AMOUNT"
            )
    return MeterSystem(tuple(Level(name, Fraction(0)) for name in paytable.meters))


def _terms(spec: Spec, level: Level, system: MeterSystem, kept: Kept, at: int) -> LevelTerms:
    is_seed_open, is_rate_open = (level.name in dict(open) for open in (spec.seeds, spec.rates))
    if (is_seed_open or is_rate_open) and (level.cap is not None or level.seed_paid_by != "house"):
        what = "a cap" if level.cap is not None else "a reserve that pays its seed"
        raise InputError(f"the meter {quoted(level.name)} has {what}; then its seed and rate cannot be left open")
    if is_rate_open and system.kind == HOUSE_JACKPOT:
        raise InputError(f"the meter {quoted(level.name)} is a posted prize, which has no rate to be left open")
    reset, parts = Fraction(0), []
    for taken, ways in kept.ways[at].items():
        award = next((one for one, times in zip(spec.stated, taken, strict=True) if times), None)
        if award is not None and award.pay.meter == level.name:
            chance = Fraction(ways, kept.cycles[at])
            if award.pay.amount == 1:
                reset += chance
            elif chance:
                parts.append((award.pay.amount, chance))
    if not reset:
        raise InputError(
            f"{spec.paytable.id}: no award takes all of the meter {quoted(level.name)} with {Shoe(spec.decks[at])}, so "
            "it is never set back"
        )
    stands = replace(
        level,
        deducted=level.deducted and system.kind != HOUSE_JACKPOT,  # a posted prize stays as it is
        seed=Fraction(0) if is_seed_open else level.seed,
        rate=Fraction(0) if is_rate_open else level.rate,
    )

    def cost(one: Level) -> Fraction:
        return LevelFigures(one, system.wager, reset, tuple(parts)).house_pays

    constant = cost(stands)
    by_seed = cost(replace(stands, seed=stands.seed + 1)) - constant if is_seed_open else Fraction(0)
    by_rate = cost(replace(stands, rate=stands.rate + 1)) - constant if is_rate_open else Fraction(0)
    return LevelTerms(level.name, constant, by_seed, by_rate, stands.rate + stands.reserve)
