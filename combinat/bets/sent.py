"""A bet as it is sent to another process or machine: the text of its file, and which paytable under which rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

from combinat.bets.configured import configured, own_settings
from combinat.bets.load import parse
from combinat.bets.paytable import Paytable
from combinat.bets.variants import at_soft_17
from decks import InputError


class SentBet(Struct, frozen=True):
    """A paytable that whoever has the same program can make again."""

    text: str
    origin: str
    id: str
    soft_17: str = ""
    settings: tuple[tuple[str, str], ...] = ()

    def __call__(self) -> Paytable:
        """Give the paytable."""
        return _made(self)


def sent(paytable: Paytable, soft_17: str = "", settings: Mapping[str, str] | None = None) -> SentBet:
    """Write down a paytable of a file, with the rules of the table that were chosen since.

    >>> from combinat.bets.lookup import find
    >>> sent(find("TRI-03"))() == find("TRI-03")
    True
    """
    own = own_settings(paytable, settings or {})
    return SentBet(paytable.bet.file, paytable.bet.origin, paytable.id, soft_17, tuple(sorted(own.items())))


@lru_cache(maxsize=64)
def _made(bet: SentBet) -> Paytable:
    paytables, problems = parse(bet.text, bet.origin)
    found = next((one for one in paytables if one.id == bet.id), None)
    if found is None:
        raise InputError(f"{bet.origin}: no paytable {bet.id}; {'; '.join(problems)}")
    found = at_soft_17(found, bet.soft_17) if bet.soft_17 else found
    return configured(found, dict(bet.settings))
