"""How the cards of a bet are dealt: named roles with a number of cards each, and perhaps a dealer who draws."""

from __future__ import annotations

from functools import cached_property
from math import factorial, prod

from msgspec import Struct

from combinat.words import RESERVED
from decks import InputError, suggestion
from decks.errors import quoted

MAX_CARDS = 5
"""Cards dealt to roles; each more makes the table of ranks thirteen times larger."""
MAX_CARDS_BEFORE_DRAW = 2
"""Cards dealt to roles when the dealer draws as well."""

DRAWS = {"h17": "hits soft 17", "s17": "stands on soft 17"}
_FORM = "write roles and card counts, as in 'player:2, up:1', or 'dealer:h17' for the dealer's finished hand"
_DEALER_ROLES = ("up", "hole")
_USUAL_ROLES = ("player", "dealer", "up", "hole", "next")


class Deal(Struct, frozen=True, dict=True):
    """The roles in the order of the deal, with how many cards each gets, and how the dealer draws if that matters.

    >>> deal = parse_deal("player:2, up:1, hole:1")
    >>> deal.positions("dealer")  # the up card and the hole card together
    (2, 3)

    A dealer who draws has an up card, at the first place after the others, and all further cards at the last place.

    >>> parse_deal("player:2, dealer:h17").groups
    {'player': (0, 1), 'up': (2,), 'dealer': (2, 3)}
    """

    roles: tuple[tuple[str, int], ...]
    draw: str | None = None

    def __str__(self) -> str:
        roles = [f"{role}:{count}" for role, count in self.roles]
        return ", ".join([*roles, f"dealer:{self.draw}"] if self.draw else roles)

    @property
    def cards(self) -> int:
        """How many cards are dealt to roles."""
        return sum(count for _, count in self.roles)

    @cached_property
    def groups(self) -> dict[str, tuple[int, ...]]:
        """Every name a rule may use for some of the cards, with the places of those cards."""
        places = iter(range(self.cards))
        groups = {role: tuple(next(places) for _ in range(count)) for role, count in self.roles}
        if self.draw:
            return groups | {"up": (self.cards,), "dealer": self.drawn}
        dealt_to_dealer = tuple(place for role in _DEALER_ROLES for place in groups.get(role, ()))
        if dealt_to_dealer:
            groups.setdefault("dealer", dealt_to_dealer)
        return groups

    @property
    def drawn(self) -> tuple[int, ...]:
        """The places of the dealer's finished hand, the last one standing for all cards after the up card."""
        return (self.cards, self.cards + 1) if self.draw else ()

    @property
    def everybody(self) -> tuple[int, ...] | None:
        """The places a word looks at that names no role; `None` if it has to name one."""
        if not self.draw:
            return tuple(range(self.cards))
        return self.drawn if not self.roles else None

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


def parse_deal(text: str) -> Deal:
    """Read a deal written as roles and card counts.

    >>> str(parse_deal("player:2,up:1"))
    'player:2, up:1'
    """
    roles: dict[str, int] = {}
    draw: str | None = None
    for part in text.split(","):
        role, colon, count = (word.strip() for word in part.partition(":"))
        if not colon or not (role.isascii() and role.islower() and role.isidentifier() and len(role) <= 20):
            raise InputError(f"cannot read the deal {quoted(part.strip())}; {_FORM}")
        if role.replace("_", " ") in RESERVED:
            usual = ", ".join(_USUAL_ROLES)
            raise InputError(
                f"a role cannot be called {quoted(role)}, a word of the rule language; usual ones are {usual}"
            )
        if role in roles or draw:
            what = "goes on after the dealer's draw" if draw else f"names {quoted(role)} twice"
            raise InputError(f"the deal {what}; {_FORM}")
        if count.lower() in DRAWS:
            if role != "dealer":
                raise InputError(f"only the dealer draws, not {quoted(role)}; {_FORM}")
            draw = count.lower()
        else:
            roles[role] = _card_count(role, count)
    dealt = sum(roles.values())
    most = MAX_CARDS_BEFORE_DRAW if draw else MAX_CARDS
    if dealt > most:
        before = " before the dealer's draw" if draw else ""
        raise InputError(f"the deal {quoted(text)} has {dealt} cards{before}; at most {most} can be counted")
    if ("dealer" in roles or draw) and any(role in roles for role in _DEALER_ROLES):
        raise InputError("the deal has both 'dealer' and 'up' or 'hole'; 'dealer' already means up and hole together")
    return Deal(tuple(roles.items()), draw)


def _card_count(role: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 3):
        hint = suggestion(text, DRAWS) if role == "dealer" else ""
        raise InputError(f"cannot read the deal {quoted(f'{role}:{text}')}{hint or '; ' + _FORM}")
    if int(text) < 1:
        raise InputError(f"the deal gives {quoted(role)} no card; {_FORM}")
    return int(text)
