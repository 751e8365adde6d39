"""What an award takes, in English."""

from __future__ import annotations

from combinat.bets.award import Award
from combinat.bets.paytable import Paytable
from combinat.language.english import in_words

_TIMES = {1: "", 2: " twice"}


def takes(award: Award, paytable: Paytable) -> str:
    """Say which hands an award takes; of a sum, which of the awards that add up are in it, and how often.

    >>> from combinat.bets.lookup import find
    >>> paytable = find("TRI-03")
    >>> takes(paytable.awards[-1], paytable)
    'a flush'
    """
    if not award.made_of:
        return in_words(award.rule, paytable.bet.deal)
    parts = [
        f"{one.name}{_TIMES.get(times, f' {times} times')}"
        for one, times in zip(paytable.parts, award.made_of, strict=True)
        if times
    ]
    return f"{' and '.join(parts)}, and no other award"
