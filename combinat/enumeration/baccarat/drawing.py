"""The third card, as the rules of baccarat have it."""

from __future__ import annotations

NATURAL = 8
"""Two cards with so many points or more end the coup."""
PLAYER_STANDS = 6
"""With so many points or more the player draws no card."""
BANKER_DRAWS_ON: dict[int, range] = {
    **dict.fromkeys((0, 1, 2), range(10)),
    3: range(10),  # but for an eight
    4: range(2, 8),
    5: range(4, 8),
    6: range(6, 8),
}
"""For the banker's points, those of the player's third card with which the banker draws."""


def is_over(player: int, banker: int) -> bool:
    """Whether the coup ends with four cards since one hand is a natural."""
    return max(player, banker) >= NATURAL


def player_draws(player: int) -> bool:
    """Whether the player draws with so many points, nobody having a natural."""
    return player < PLAYER_STANDS


def banker_draws(banker: int, player_third: int | None) -> bool:
    """Whether the banker draws, given the points of the player's third card, or none if the player stood.

    >>> banker_draws(3, 8), banker_draws(3, 9), banker_draws(6, None), banker_draws(6, 7)
    (False, True, False, True)
    """
    if player_third is None:
        return banker < PLAYER_STANDS
    return player_third in BANKER_DRAWS_ON.get(banker, ()) and (banker, player_third) != (3, 8)
