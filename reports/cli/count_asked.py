"""What was typed about counts, read."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from combinat.exact.numbers import parse_number
from decks import InputError
from decks.errors import quote
from reports.answers.count import CountRequest

_CUSTOMS = {
    "first": "first",
    "burned": "burned",
    "burned_seen": "burned_seen",
    "after_cut": "rounds_after_cut",
    "divisor": "divisor",
    "divide_by": "decks",
    "true_count": "true_count",
    "start": "start",
}
"""What conventions call the options."""


def count_asked(
    *,
    cut: int | None = None,
    tags: str | None = None,
    best: int | None = None,
    unbalanced: bool = False,
    trigger: str | None = None,
    conventions: str | None = None,
    every: str | None = None,
    depths: str | None = None,
    suits: bool = False,
    bound: bool = False,
    wager: str | None = None,
    rounds_per_hour: str = "70",
    view: str = "",
    wager_alone: bool = False,
    **customs: Any,
) -> CountRequest:
    """Read what is asked about counts; what is left out is as usual.

    >>> asked = count_asked(tags="A=1 2=-1", every="5", view="player, up", burned=1)
    >>> asked.view, asked.customs["burned"], count_asked(depths="52,104-106").depths
    (('player', 'up'), 1, (52, 104, 105, 106))
    """
    if tags is not None and (best is not None or unbalanced):
        raise InputError("--tags says what the tags are; it goes with neither --best nor --unbalanced")
    if suits and (best is not None or unbalanced):
        raise InputError("--suits is a count of its own; it goes with neither --best nor --unbalanced")
    of_a_shoe = {"--cut": cut, "--every": every} | {
        f"--{name.replace('_', '-')}": customs.get(name) for name in ("first", "burned", "burned_seen", "after_cut")
    }
    if depths is not None and (other := [name for name, value in of_a_shoe.items() if value is not None]):
        raise InputError(f"--depths says where rounds begin; it does not go with {other[0]}")
    given = {_CUSTOMS[name]: value for name, value in customs.items() if value is not None}
    if every is not None:
        given |= {"round_cards": _number(every, "--every"), "lengths": ()}
    if "burned" in given:  # burned cards that are said take the place of a card shown
        given["burns_by_first_card"] = False
    hourly = _positive(rounds_per_hour, "--rounds-per-hour")
    return CountRequest(
        cut,
        tags,
        1 if best is None else best,
        unbalanced,
        None if trigger is None else _number(trigger, "--trigger"),
        conventions,
        given,
        None if depths is None else tuple(_whole_numbers(depths)),
        suits,
        bound,
        None if wager is None else (_positive(wager, "--wager"), hourly),
        tuple(dict.fromkeys(role.strip() for role in view.split(",") if role.strip())),
        wager_alone,
    )


def narrowed_to(text: str | None) -> Fraction | None:
    """Read to which part of the estimate an interval is to be narrowed."""
    if text is None:
        return None
    value = parse_number(text.strip().removesuffix("%"))
    if value is None or not text.strip().endswith("%") or not 0 < value < 100:
        raise InputError(f"--until {quote(text)}: no part of what is won; write a percentage, as in 0.1%")
    return value / 100


def _number(text: str, option: str) -> Fraction:
    stripped = text.strip()
    negative = stripped.startswith("-")
    value = parse_number(stripped[1:] if stripped.startswith(("+", "-")) else stripped)
    if value is None:
        raise InputError(f"{option} {quote(text)}: no number; write one, as in 5.4")
    return -value if negative else value


def _positive(text: str, option: str) -> Fraction:
    value = _number(text, option)
    if value <= 0:
        raise InputError(f"{option} {quote(text)}: must be more than nothing")
    return value


def _whole_numbers(text: str) -> list[int]:
    """Read depths written as numbers and spans."""
    found: list[int] = []
    for part in text.split(","):
        ends = [end.strip() for end in part.split("-")]
        if len(ends) > 2 or not all(end.isascii() and end.isdecimal() and len(end) < 6 for end in ends):
            raise InputError(f"--depths: no depth {quote(part.strip())}; write whole numbers, as in 52,104-110")
        found += range(int(ends[0]), int(ends[-1]) + 1)
    if not found:
        raise InputError(f"--depths {quote(text)}: no depth; write whole numbers, as in 52,104-110")
    return found
