"""Variants of a paytable: another soft-17 rule, a posted jackpot, an exposed up card, or other meter terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import compress

from msgspec import Struct
from msgspec.structs import replace

from combinat.bets.meters import HOUSE_JACKPOT, MeterLevel, MeterSystem, check_paid_meters, parse_amount, parse_rate
from combinat.bets.paytable import Paytable
from combinat.language.deal import DRAWING_RULES
from combinat.language.parser import parse_rule
from combinat.language.rules import Or
from decks import InputError, did_you_mean
from decks.cards import parse_rank
from decks.errors import quote


def apply_soft_17(paytable: Paytable, rule: str) -> Paytable:
    """Return the paytable under a soft-17 rule; unchanged with a parlay, where it is a rule of the blackjack hand."""
    return paytable if paytable.bet.option else with_soft_17(paytable, rule)


def with_soft_17(paytable: Paytable, rule: str) -> Paytable:
    """Return the paytable with the dealer hitting soft 17 (`h17`) or standing on it (`s17`).

    Published figures apply only to the rule of the file, so a change drops them.
    """
    deal = paytable.bet.deal
    changed_deal = deal.variant(rule)
    if changed_deal is None:
        raise InputError(
            f"the soft-17 rule does not affect {paytable.id}: it does not depend on the dealer's blackjack hand"
        )
    if changed_deal == deal:
        return paytable
    bet = replace(paytable.bet, deal=changed_deal)
    title = f"{paytable.title}, if the dealer {DRAWING_RULES[rule]}"
    return replace(paytable, bet=bet, title=title, variant=(*paytable.variant, rule), published=())


def as_posted_jackpot(paytable: Paytable, prizes: Mapping[str, Fraction]) -> Paytable:
    """Return the paytable with a posted jackpot for each meter, from `prizes` or else its seed, without contributions.

    Published figures apply only to growing meters, so they are dropped.
    """
    if not paytable.meters:
        raise InputError(f"{paytable.id} has no meters, so it cannot be run as a house jackpot")
    systems_by_decks = [system for system in paytable.systems if system.decks is not None]
    default_system = next((system for system in paytable.systems if system.decks is None), None)
    if default_system is None and (not systems_by_decks or set(paytable.meters) <= set(prizes)):
        default_system = MeterSystem((), paytable.meter_wager())
    systems = [*systems_by_decks, *([default_system] if default_system else [])]
    title = f"{paytable.title}, run as a house jackpot"
    posted_systems = tuple(_post_prizes(paytable, system, prizes) for system in systems)
    return replace(
        paytable,
        title=title,
        systems=posted_systems,
        variant=(*paytable.variant, "house-jackpot"),
        published=(),
        other_interpretation=None,
    )


def _post_prizes(paytable: Paytable, system: MeterSystem, prizes: Mapping[str, Fraction]) -> MeterSystem:
    """Return the meter system with posted jackpots from `prizes` or the seeds."""
    seeds = {level.name: level.seed for level in system.levels} | dict(prizes)
    for name in paytable.meters:
        if name not in seeds:
            example = "AMOUNT" if name == "meter" else f"{name}=AMOUNT"
            raise InputError(f"{paytable.id}: the posted prize is unknown; give it with --meter {example}")
    levels = tuple(MeterLevel(name, seeds[name]) for name in paytable.meters)
    is_given = set(paytable.meters) <= set(prizes)
    return replace(
        system, levels=levels, kind=HOUSE_JACKPOT, all_pays_deducted=False, basis=None if is_given else system.basis
    )


def condition_on_up_card(paytable: Paytable, text: str) -> Paytable:
    """Return the paytable conditioned on an exposed up card, with the awards that are then possible.

    Published figures, the alternative reading and meter systems apply only to the unconditional bet and are dropped.
    """
    rank = parse_rank(text)
    bet = paytable.bet
    if len(bet.deal.positions_by_role.get("up", ())) != 1:
        raise InputError(f"{paytable.id} has no single up card; its deal is '{bet.deal}'")
    if rank not in bet.pack.ranks:
        raise InputError(f"{paytable.id} has the pack '{bet.pack.name}', which has no {rank}")
    condition = f"up.has({rank})"
    if bet.condition is not None:
        original = f"({bet.condition})" if isinstance(bet.condition.fact, Or) else str(bet.condition)
        condition = f"{original} and {condition}"
    combined = parse_rule(condition, bet.deal)  # naming `up` makes roles matter
    conditioned = replace(
        paytable,
        bet=replace(bet, condition=combined, roles_distinct=None),
        title=f"{paytable.title}, given {rank} up",
        up=rank,
        published=(),
        other_interpretation=None,
        systems=(),
    )
    possible_awards = tuple(compress(conditioned.awards, conditioned.experiment.reachable_rules()))
    return replace(conditioned, awards=possible_awards or conditioned.awards)


def _values_by_meter(texts: Sequence[str], paytable: Paytable, option: str) -> dict[str, str]:
    """Return values by meter from texts such as `2000` (all meters) and `Mega=2000`; errors cite `option`."""
    values: dict[str, str] = {}
    name_by_lower_case = {name.lower(): name for name in paytable.meters}
    for text in texts:
        name, equals, value = text.rpartition("=")
        if not equals:
            values.update(dict.fromkeys(paytable.meters, value))
        elif name.strip().lower() in name_by_lower_case:
            values[name_by_lower_case[name.strip().lower()]] = value
        else:
            hint = did_you_mean(name, paytable.meters) or f"; its meters are {', '.join(paytable.meters)}"
            raise InputError(f"--{option} {quote(text)}: {paytable.id} has no meter {quote(name)}{hint}")
    return values


class MeterOverrides(Struct, frozen=True):
    """The meter terms that are overridden by command-line options."""

    values: Mapping[str, Sequence[str]] = {}
    """The typed values of each field, such as `seed` and `rate`."""
    wager: str | None = None
    seed_paid_by: str | None = None
    not_deducted: bool = False
    posted_jackpot: bool = False
    all_pays_deducted: bool = False

    @property
    def has_overrides(self) -> bool:
        """Whether anything is overridden."""
        settings = (self.wager, self.seed_paid_by, self.not_deducted, self.posted_jackpot, self.all_pays_deducted)
        return any(self.values.values()) or any(settings)


_AMOUNTS = ("seed", "cap")


def build_system(paytable: Paytable, decks: int, overrides: MeterOverrides) -> MeterSystem | None:
    """Return the meter system of a paytable for `decks` with `overrides` applied; `None` if no terms are known."""
    if not paytable.meters:
        raise InputError(f"{paytable.id} has no meters")
    stated_system = paytable.system_for(decks)
    values: dict[str, dict[str, str]] = {"seed": {}} | {
        field: _values_by_meter(texts, paytable, field) for field, texts in overrides.values.items()
    }
    if stated_system is None and not values["seed"]:
        if overrides.has_overrides:
            raise InputError(
                f"{paytable.id}: the terms of its meters are unknown; give --seed too, for example --seed 2000"
            )
        return None
    levels = []
    for name in paytable.meters:
        if stated_system is None and name not in values["seed"]:
            raise InputError(
                f"{paytable.id}: the meter {quote(name)} needs a seed too; write for example --seed {name}=1000"
            )
        level = stated_system.level(name) if stated_system else MeterLevel(name, Fraction(0))
        for field, texts in values.items():
            if name in texts:
                parse = parse_amount if field in _AMOUNTS else parse_rate
                level = replace(level, **{field: parse(texts[name], field.replace("_", " "))})
        if overrides.posted_jackpot:
            level = replace(level, rate=Fraction(0), reserve=Fraction(0), rate_after_cap=Fraction(0))
        if overrides.not_deducted:
            level = replace(level, deducted=False)
        if overrides.seed_paid_by:
            level = replace(level, seed_paid_by=overrides.seed_paid_by)
        levels.append(level)
    system = stated_system or MeterSystem((), paytable.meter_wager(decks))
    system = replace(system, levels=tuple(levels), basis=None if overrides.has_overrides else system.basis)
    if overrides.wager:
        system = replace(system, wager=parse_amount(overrides.wager, "wager"))
    if overrides.posted_jackpot:
        system = replace(system, kind=HOUSE_JACKPOT)
    if overrides.all_pays_deducted:
        system = replace(system, all_pays_deducted=True)
    system.check(f"{paytable.id}: ")
    check_paid_meters(system, paytable.meters, f"{paytable.id}: ")
    return system


def override_meters(paytable: Paytable, overrides: MeterOverrides, counts: Iterable[int]) -> Paytable:
    """Return the paytable with other meter terms, at its designed deck counts and at `counts`.

    Published figures apply only to the original terms, so they are dropped.

    >>> from combinat.bets.catalog import get_paytable
    >>> other = override_meters(get_paytable("SOB-EXAMPLE"), MeterOverrides({"seed": ["5,000"], "rate": ["10%"]}), ())
    >>> other.title, other.variant, other.system_for(6).levels[0].seed
    ('Suited or Booted, an example paytable, seed 5,000, rate 10%', ('seed-5000', 'rate-10'), Fraction(5000, 1))
    """
    if not overrides.has_overrides:
        return paytable
    systems = []
    for count in sorted({*paytable.decks, *counts}):
        system = build_system(paytable, count, overrides)
        if system is not None:
            systems.append(replace(system, decks=(count,)))
    changes = [f"{field.replace('_', ' ')} {text}" for field, texts in overrides.values.items() for text in texts]
    changes += [f"wager {overrides.wager}"] if overrides.wager else []
    return replace(
        paytable,
        title=", ".join([paytable.title, *changes]),
        variant=(
            *paytable.variant,
            *(re.sub(r"[^A-Za-z0-9.]+", "-", change.replace(",", "")).strip("-") for change in changes),
        ),
        systems=tuple(systems),
        published=(),
        other_interpretation=None,
    )
