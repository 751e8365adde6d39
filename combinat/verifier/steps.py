"""The steps of a derivation must add up: to the ways or the chance of their award, and to all hands of the pack."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any

from combinat.verifier.cards import pack_of
from combinat.verifier.keys import draws, has_roles, is_coup
from combinat.verifier.parts import column, columns, found
from combinat.verifier.reading import UnreadableError, fraction_of

NO_AWARD = "no award"


def is_derived(sheet: dict[str, Any], form: int) -> bool:
    """Whether a sheet must derive its counts: those of a drawn hand since format 2, of a fixed deal from full decks."""
    if draws(sheet) or is_coup(sheet):
        return form > 1
    return has_roles(sheet) and not sheet.get("removed")


def wrong_sums(sheet: dict[str, Any], form: int) -> Iterator[str]:
    """Name the derivations of which a step is missing, since they do not add up."""
    for name, row in found(sheet, "derivation[]"):
        if isinstance(row, dict) and (draws(sheet) or is_coup(sheet)):
            if not adds_up_to_chance(sheet, row):
                yield f"{name}steps: do not add up to the probability"
        elif isinstance(row, dict) and has_roles(sheet) and not adds_up_to_ways(row):
            yield f"{name}steps: do not add up to the ways"
    if is_derived(sheet, form) and has_roles(sheet) and sheet.get("given") is None:
        hands, every = column(sheet, "derivation[].steps[]", "hands"), hands_of_the_pack(sheet)
        if not all(type(one) is int for one in hands) or sum(hands) != every:
            yield f"derivation: the hands of all steps do not add up to {every:,}"


def adds_up_to_ways(row: dict[str, Any]) -> bool:
    """Whether the ways of the steps are those of the award."""
    ways = column(row, "steps[]", "ways")
    return all(type(one) is int for one in ways) and sum(ways) == row.get("ways")


def adds_up_to_chance(sheet: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether the chances of the steps are that of the award; their ways are of fewer cards than the award's."""
    chances = [fraction_of(one) for one in column(row, "steps[]", "probability")]
    if row.get("award") == NO_AWARD:
        whole = [part.get("probability") for _, part in found(sheet, "losing_hands") if isinstance(part, dict)]
    else:
        named = columns(sheet, "awards[]", "name", "probability")
        whole = [chance for name, chance in named if name == row.get("award")]
    known = [one for one in chances if one is not None]
    return len(known) == len(chances) and [sum(known, Fraction(0))] == [fraction_of(chance) for chance in whole]


def hands_of_the_pack(sheet: dict[str, Any]) -> int:
    """Count the kinds of hand that the cards of one deck can make if each may come again."""
    try:
        kinds = pack_of(str(sheet.get("pack"))).size(1)
    except UnreadableError:  # that it is not there is told elsewhere
        kinds = 0
    cards = sum(map(int, re.findall(r":([1-7])\b", str(sheet.get("deal")))))
    return int(kinds**cards) if sheet.get("ordered_by_role") else comb(kinds + cards - 1, cards)
