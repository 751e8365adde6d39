"""What a dealer's draw is counted by: blocks of outcomes that are alike, and groups of rows that no rule divides."""

from __future__ import annotations

from msgspec import Struct

from combinat.enumeration.dealer.suit_classes import SuitClass
from combinat.enumeration.dealer.words import Situation
from combinat.enumeration.parts import Parts

Ranks = tuple[int, ...]
"""The ranks of one class, such as all that are worth ten."""
Groups = tuple[int, ...]
"""Groups of rows that no part of the ladder divides, by number."""


Left = tuple[int, ...]
"""How many cards of each rank class the finished hand can be drawn from."""


class Block(Struct, frozen=True):
    """Outcomes that are alike but for the finished hand's ranks: the roles' cards and the class of its suits."""

    rank_classes: tuple[int, ...]
    """The rank class of each card dealt to a role, by its number."""
    situation: Situation
    suits: SuitClass
    times: int
    """How many ordered deals of card types to the roles are like this one, times the suit classes like this one."""


class Verdicts(Struct, frozen=True):
    """What the ladder makes of the rows of finished hands."""

    of: dict[Situation, int]
    """For every situation, the number of its verdict."""
    groups: tuple[Parts[Groups], ...]
    """For each verdict, the groups of rows in every part of the ladder."""
    members: tuple[tuple[int, ...], ...]
    """The rows of each group; all have one up card."""
