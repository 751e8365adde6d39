"""How a count says which play it stands on, where more is decided in a round than whether one bets."""

from __future__ import annotations

from combinat.bets.paytable import Paytable
from combinat.enumeration.listing import KeepsPlay


def if_played(paytable: Paytable, *texts: str) -> list[str]:
    """Give some words if something is decided in the rounds of a bet, and none otherwise."""
    return list(texts) if isinstance(paytable.experiment, KeepsPlay) else []


def kept_play_in_words(paytable: Paytable) -> list[str]:
    """Say how rounds are played in which something is decided.

    >>> from combinat.bets.lookup import find
    >>> [len(kept_play_in_words(find(name))) for name in ("TRI-03", "L9")]
    [0, 1]
    """
    return if_played(
        paytable,
        "Rounds are played as is best off the top, whatever the count is: it only decides whether one bets. The "
        "betting correlation is that with the effects of removal on this one play.",
    )
