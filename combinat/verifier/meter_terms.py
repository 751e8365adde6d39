"""How the meters of a sheet are run, as the sheet says: seeds, rates, caps, reserves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.reading import UnreadableError, number_of, said

PROGRESSIVE, HOUSE_JACKPOT = "progressive", "house jackpot"


class Terms(NamedTuple):
    """How one meter is run; amounts are money, rates are parts of the wager."""

    name: str
    seed: Fraction
    rate: Fraction
    reserve: Fraction
    cap: Fraction | None
    rate_after_cap: Fraction
    deducted: bool
    paid_by_reserve: bool


class System(NamedTuple):
    """How all meters of a sheet are run."""

    levels: list[Terms]
    wager: Fraction
    is_posted: bool
    """Whether the amounts are prizes that stay what they are."""
    all_pays_deducted: bool
    is_inferred: bool
    """Whether no source states the figures."""


def system_of(sheet: dict[str, Any]) -> System | None:
    """Read how the meters are run; nothing if the sheet does not say, or gives bounds of the hold only."""
    part = sheet.get("meter")
    is_inferred = isinstance(part, dict) and part.get("basis") is not None
    if (
        isinstance(part, dict) and "levels" not in part
    ):  # where the hold has bounds only, the terms have a part of their own
        part = part.get("terms")
    if not isinstance(part, dict) or "levels" not in part:
        return None
    kind, wager = said(part, "kind", str), number_of(part.get("wager"))
    if kind not in (PROGRESSIVE, HOUSE_JACKPOT) or not wager:
        raise UnreadableError("'meter' has an unknown 'kind' or no 'wager'")
    return System(
        [terms_of(level, kind == HOUSE_JACKPOT) for level in said(part, "levels", list)],
        wager,
        kind == HOUSE_JACKPOT,
        said(part, "all_pays_deducted", bool),
        is_inferred,
    )


def terms_of(level: Any, is_posted: bool) -> Terms:
    """Read the terms of one meter; from a posted prize nothing is ever deducted."""
    payer = said(level, "seed_paid_by", str)
    if payer not in ("house", "reserve"):
        raise UnreadableError("'seed_paid_by' is neither house nor reserve")
    return Terms(
        said(level, "name", str),
        number_of(level.get("seed")),
        number_of(level.get("rate")),
        number_of(level.get("reserve")),
        None if level.get("cap") is None else number_of(level["cap"]),
        number_of(level.get("rate_after_cap")),
        said(level, "deducted", bool) and not is_posted,
        payer == "reserve",
    )
