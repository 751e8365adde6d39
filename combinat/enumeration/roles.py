"""Parsing of roles with card counts, such as `player:2, up:1`, shared by several experiments."""

from __future__ import annotations

from collections.abc import Iterable
from keyword import iskeyword

from combinat.language.words import RESERVED
from decks import InputError, did_you_mean
from decks.errors import quote

FORM = "write roles and card counts, as in 'player:2, up:1', or 'dealer:h17' for the dealer's finished hand"
DRAWS = {"h17": "hits soft 17", "s17": "stands on soft 17"}
"""The dealer's drawing rules."""
_USUAL_ROLES = ("player", "dealer", "up", "hole", "next")


def split_role(text: str) -> tuple[str, str]:
    """Split an item such as `player:2` into its role and its value."""
    role, colon, value = (word.strip() for word in text.partition(":"))
    if not colon or not (role.isascii() and role.islower() and role.isidentifier() and len(role) <= 20):
        raise InputError(f"cannot read the deal {quote(text.strip())}; {FORM}")
    if role.replace("_", " ") in RESERVED or iskeyword(role):
        usual = ", ".join(_USUAL_ROLES)
        language = "Python, in which sheets are checked" if iskeyword(role) else "the rule language"
        raise InputError(f"a role cannot be called {quote(role)}, a word of {language}; usual ones are {usual}")
    return role, value


def parse_roles(items: Iterable[str]) -> dict[str, int]:
    """Parse items such as `player:2`; each role may occur once."""
    roles: dict[str, int] = {}
    for item in items:
        role, count = split_role(item)
        if role in roles:
            raise InputError(f"the deal names {quote(role)} twice; {FORM}")
        if not (count.isascii() and count.isdecimal() and len(count) <= 3):
            hint = did_you_mean(count, DRAWS) if role == "dealer" else ""
            raise InputError(f"cannot read the deal {quote(f'{role}:{count}')}{hint or '; ' + FORM}")
        if int(count) < 1:
            raise InputError(f"the deal gives {quote(role)} no card; {FORM}")
        roles[role] = int(count)
    return roles
