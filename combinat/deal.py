"""How the cards of a bet are dealt: named roles, each with a number of cards."""

from __future__ import annotations

import re
from functools import cached_property
from math import factorial, perm, prod

from msgspec import Struct

from combinat.words import RESERVED
from decks import InputError, suggestion
from decks.errors import quoted

MAX_CARDS = 5
"""Cards in one deal; each more makes the table of ranks thirteen times larger."""

_ROLE = re.compile(r"([a-z][a-z_]{0,19})\s*:\s*([0-9]{1,3})")
_FORM = "write roles and card counts, as in 'player:2, up:1'"
_DEALER_ROLES = ("up", "hole")
_USUAL_ROLES = ("player", "dealer", "up", "hole", "next")


class Deal(Struct, frozen=True, dict=True):
    """The roles in the order of the deal, with how many cards each gets.

    >>> deal = parse_deal("player:2, up:1, hole:1")
    >>> deal.positions("dealer")  # the up card and the hole card together
    (2, 3)
    """

    roles: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return ", ".join(f"{role}:{count}" for role, count in self.roles)

    @property
    def cards(self) -> int:
        """How many cards are dealt."""
        return sum(count for _, count in self.roles)

    @cached_property
    def groups(self) -> dict[str, tuple[int, ...]]:
        """Every name a rule may use for some of the cards, with the places of those cards."""
        places = iter(range(self.cards))
        groups = {role: tuple(next(places) for _ in range(count)) for role, count in self.roles}
        dealt_to_dealer = tuple(place for role in _DEALER_ROLES for place in groups.get(role, ()))
        if dealt_to_dealer:
            groups.setdefault("dealer", dealt_to_dealer)
        return groups

    def positions(self, group: str) -> tuple[int, ...]:
        """The places of a group's cards."""
        try:
            return self.groups[group]
        except KeyError:
            known = ", ".join(self.groups)
            hint = suggestion(group, self.groups) or f"; the deal has {known}"
            raise InputError(f"nobody called {quoted(group)} is dealt cards{hint}") from None

    def orders(self, *, apart: bool) -> int:
        """In how many orders the same hand can come: within each role, or all cards together if roles are alike.

        >>> parse_deal("player:2, up:1").orders(apart=True), parse_deal("player:2, up:1").orders(apart=False)
        (2, 6)
        """
        return prod(factorial(count) for _, count in self.roles) if apart else factorial(self.cards)

    def cycle(self, cards_in_shoe: int, *, apart: bool) -> int:
        """Count all the hands that a shoe of this size can deal.

        >>> parse_deal("player:2, up:1").cycle(312, apart=False)  # C(312,3)
        5013320
        """
        return perm(cards_in_shoe, self.cards) // self.orders(apart=apart)


def parse_deal(text: str) -> Deal:
    """Read a deal written as roles and card counts.

    >>> str(parse_deal("player:2,up:1"))
    'player:2, up:1'
    """
    roles: dict[str, int] = {}
    for part in text.split(","):
        match = _ROLE.fullmatch(part.strip())
        if not match:
            raise InputError(f"cannot read the deal {quoted(part.strip())}; {_FORM}")
        role, count = match[1], int(match[2])
        if role.replace("_", " ") in RESERVED:
            usual = ", ".join(_USUAL_ROLES)
            raise InputError(
                f"a role cannot be called {quoted(role)}, a word of the rule language; usual ones are {usual}"
            )
        if role in roles:
            raise InputError(f"the deal names {quoted(role)} twice; {_FORM}")
        if count < 1:
            raise InputError(f"the deal gives {quoted(role)} no card; {_FORM}")
        roles[role] = count
    if sum(roles.values()) > MAX_CARDS:
        raise InputError(f"the deal {quoted(text)} has {sum(roles.values())} cards; at most {MAX_CARDS} can be counted")
    if "dealer" in roles and any(role in roles for role in _DEALER_ROLES):
        raise InputError("the deal has both 'dealer' and 'up' or 'hole'; 'dealer' already means up and hole together")
    return Deal(tuple(roles.items()))
