"""The best strategy that fits on a card: by the total of the first two cards and the up card, with pairs to split."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from combinat.enumeration.lucky9.playing import Played, Policy, Situation
from combinat.enumeration.lucky9.round import HIT, RESPLIT, SPLIT, STAND

AS_TOTAL = ""
"""A pair that is not split is played by its total."""


class SimpleStrategy(Struct, frozen=True):
    """What to do by the total and the up card, and which pairs to split first."""

    by_total: dict[tuple[int, int], str]
    """For a total and an up card whether to stand or to hit."""
    pairs: dict[tuple[int, int], str]
    """For a pair, by what its cards count, and an up card how to split it, or to play it by its total."""
    policy: Policy


def simple_strategy(played: Played) -> SimpleStrategy:
    """Choose for each total and up card what is best on average for all hands that have it.

    Each choice is by itself: a pair is split if that is better than what its total says, whichever that is, so both
    choices for a total are tried with the best for its pairs.
    """
    by_total: dict[tuple[int, int], list[Situation]] = {}
    for one in played.situations:
        by_total.setdefault((one.cell.total, one.cell.up), []).append(one)
    totals: dict[tuple[int, int], str] = {}
    pairs: dict[tuple[int, int], str] = {}
    policy: Policy = {}
    for (total, up), found in by_total.items():
        allowed = [action for action in (STAND, HIT) if all(action in one.values for one in found)]
        action = max(allowed, key=lambda action: _worth(found, action))
        totals[total, up] = action
        for one in found:
            policy[one.cell] = _choice(one, action)
            if one.cell.is_pair:
                pairs[one.cell.one, up] = AS_TOTAL if policy[one.cell] == action else policy[one.cell]
    return SimpleStrategy(totals, pairs, policy)


def _choice(one: Situation, action: str) -> str:
    """Do as the total says, or split where that is better."""
    splits = [split for split in (SPLIT, RESPLIT) if split in one.values]
    return max([action, *splits], key=lambda choice: one.values[choice])


def _worth(found: list[Situation], action: str) -> Fraction:
    return sum((one.chance * one.values[_choice(one, action)] for one in found), Fraction(0))
