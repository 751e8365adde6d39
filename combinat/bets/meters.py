"""Meter systems of progressive jackpots: seeds, contribution rates, reserves and caps."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from combinat.exact.numbers import format_decimal, parse_number
from decks import InputError
from decks.errors import quote

PROGRESSIVE = "progressive"
HOUSE_JACKPOT = "house jackpot"
JACKPOT_KINDS = (PROGRESSIVE, HOUSE_JACKPOT)
SEED_PAYERS = ("house", "reserve")


class MeterLevel(Struct, frozen=True):
    """The terms of one meter; amounts are money, rates are fractions of the wager."""

    name: str
    seed: Fraction
    rate: Fraction = Fraction(0)
    reserve: Fraction = Fraction(0)
    """An additional fraction of each wager, set aside to pay the next seed or to be added to it."""
    cap: Fraction | None = None
    rate_after_cap: Fraction = Fraction(0)
    deducted: bool = True
    """Whether an award of a share of the meter is deducted from it."""
    seed_paid_by: str = "house"

    def check(self, where: str) -> None:
        """Raise `InputError` if the terms are invalid; `where` precedes the message."""
        label = f"{where}meter {quote(self.name)}"
        for name, value in (("seed", self.seed), ("rate", self.rate), ("reserve", self.reserve)):
            if value < 0:
                raise InputError(f"{label}: {name} cannot be negative, got {value}")
        if self.rate_after_cap and self.cap is None:
            raise InputError(f"{label}: rate_after_cap needs a cap; add cap = ...")
        contributions = max(self.rate, self.rate_after_cap) + self.reserve
        if contributions > 1:
            raise InputError(
                f"{label}: rate and reserve must be at most 100%, got {format_decimal(contributions * 100)}%"
            )
        if self.cap is not None and self.cap < self.seed:
            cap, seed = format_decimal(self.cap), format_decimal(self.seed)
            raise InputError(f"{label}: the cap of {cap} must be at least the seed of {seed}")
        if self.seed_paid_by not in SEED_PAYERS:
            raise InputError(
                f"{label}: seed_paid_by must be {' or '.join(SEED_PAYERS)}, got {quote(self.seed_paid_by)}"
            )
        if self.seed_paid_by == "reserve" and not self.reserve:
            raise InputError(f"{label}: a reserve that pays the seed needs a rate; add reserve = ...")
        if self.cap is not None and self.reserve and self.seed_paid_by == "house":
            raise InputError(
                f"{label}: a cap cannot be combined with a reserve that is added to the seed; "
                'write seed_paid_by = "reserve", or remove the cap or the reserve'
            )


class MeterSystem(Struct, frozen=True):
    """The meters of a paytable: their levels, the fixed wager, and the origin of the terms."""

    levels: tuple[MeterLevel, ...]
    wager: Fraction = Fraction(1)
    kind: str = PROGRESSIVE
    all_pays_deducted: bool = False
    """Whether fixed pays are deducted from the meter too, which then can become empty."""
    decks: tuple[int, ...] | None = None
    """The deck counts that the system applies to; `None` for all."""
    basis: str | None = None
    """The origin of the terms, if no source states them."""

    def level(self, name: str) -> MeterLevel:
        """Return the level with this name, ignoring case."""
        for level in self.levels:
            if level.name.lower() == name.lower():
                return level
        raise InputError(
            f"unknown meter {quote(name)}; the meters are {', '.join(level.name for level in self.levels)}"
        )

    def check(self, where: str = "") -> None:
        """Raise `InputError` if the system is invalid; `where` precedes the message."""
        if self.wager <= 0:
            raise InputError(f"{where}the wager must be positive, got {self.wager}")
        if self.kind not in JACKPOT_KINDS:
            raise InputError(f"{where}unknown kind {quote(self.kind)}; write {' or '.join(map(quote, JACKPOT_KINDS))}")
        for level in self.levels:
            level.check(where)
            if self.kind == HOUSE_JACKPOT and (level.rate or level.reserve or level.rate_after_cap):
                raise InputError(
                    f"{where}meter {quote(level.name)}: a house jackpot is a fixed prize; remove its rate and reserve"
                )
        if self.all_pays_deducted and len(self.levels) > 1:
            raise InputError(f"{where}all_pays_deducted needs a single meter, got {len(self.levels)}; remove it")
        if self.all_pays_deducted and any(level.cap is not None for level in self.levels):
            raise InputError(f"{where}all_pays_deducted cannot be combined with a cap; remove one of them")
        total = sum((level.rate + level.reserve for level in self.levels), Fraction(0))
        if total > 1:
            share = format_decimal(total * 100)
            raise InputError(f"{where}the rates and reserves of all meters must be at most 100% together, got {share}%")


def check_meter_names(meters: Iterable[str], where: str = "") -> None:
    """Refuse meters whose names differ only in case, since meters are looked up ignoring case."""
    spellings: dict[str, str] = {}
    for name in meters:
        spelling = spellings.setdefault(name.lower(), name)
        if spelling != name:
            names = f"{quote(spelling)} and {quote(name)}"
            raise InputError(
                f"{where}the meters {names} differ only in upper and lower case; use the same spelling or other names"
            )


def check_paid_meters(system: MeterSystem, paid_meters: tuple[str, ...], where: str = "") -> None:
    """Refuse a system whose levels are not exactly the meters that awards pay from."""
    level_names = [level.name for level in system.levels]
    for name in level_names:
        if level_names.count(name) > 1:
            raise InputError(f"{where}the meter {quote(name)} is declared twice")
        if name not in paid_meters:
            hint = f"meters paid from are {', '.join(paid_meters)}" if paid_meters else "no award pays from a meter"
            raise InputError(f"{where}no award pays from the meter {quote(name)}; {hint}")
    for name in paid_meters:
        if name not in level_names:
            raise InputError(f"{where}an award pays from the meter {quote(name)}, which has no level; add one")


def parse_amount(text: object, label: str) -> Fraction:
    """Parse an amount of money such as 2000, "2,000" or "0.50"."""
    amount = None if isinstance(text, bool) else parse_number(str(text).strip().lstrip("$"))
    if amount is None:
        if str(text).strip().startswith("-"):
            raise InputError(f"the {label} cannot be negative, got {quote(text)}")
        raise InputError(f"cannot read the {label} {quote(text)}; write an amount such as 2000")
    return amount


def parse_rate(text: object, label: str) -> Fraction:
    """Parse a fraction of the wager such as "24%" or "0.5%".

    >>> parse_rate("24%", "rate")
    Fraction(6, 25)
    """
    percentage = str(text).strip()
    if not percentage.endswith("%") or "$" in percentage:
        is_share = re.fullmatch(r"0?\.[0-9]+", percentage)  # 0.12 means 12%, not 0.12%
        example = str(Decimal(percentage) * 100).rstrip("0").rstrip(".") if is_share else percentage
        raise InputError(f'the {label} {quote(text)} needs a percent sign; write for example "{example}%"')
    rate = parse_amount(percentage[:-1].strip(), label) / 100
    if rate > 1:
        raise InputError(f"the {label} must be at most 100%, got {quote(text)}")
    return rate
