"""Rules of baccarat: when third cards are drawn, and the words for winner, margin and natural."""

from __future__ import annotations

from combinat.language.words import ANY_SIZE, WORDS, Vocabulary, Word, baccarat_points

NATURAL = 8
"""A two-card hand with this many points or more ends the coup."""
PLAYER_STANDS = 6
"""With this many points or more the player stands."""
BANKER_DRAWS_ON: dict[int, range] = {
    **dict.fromkeys((0, 1, 2), range(10)),
    3: range(10),  # except for an eight, see `banker_draws`
    4: range(2, 8),
    5: range(4, 8),
    6: range(6, 8),
}
"""For each total of the banker, the points of the player's third card with which the banker draws."""


def is_over(player: int, banker: int) -> bool:
    """Return whether the coup ends with four cards because one hand is a natural."""
    return max(player, banker) >= NATURAL


def player_draws(player: int) -> bool:
    """Return whether the player draws with `player` points, if neither hand is a natural."""
    return player < PLAYER_STANDS


def banker_draws(banker: int, player_third: int | None) -> bool:
    """Return whether the banker draws; `player_third` is the points of the player's third card, if there is one.

    >>> banker_draws(3, 8), banker_draws(3, 9), banker_draws(6, None), banker_draws(6, 7)
    (False, True, False, True)
    """
    if player_third is None:
        return banker < PLAYER_STANDS
    return player_third in BANKER_DRAWS_ON.get(banker, ()) and (banker, player_third) != (3, 8)


def _is_natural(hand: tuple[int, ...]) -> bool:
    return len(hand) == 2 and baccarat_points(hand) >= NATURAL


PLAYER_WINS = Word(
    "player wins",
    "the player has more points than the banker",
    ANY_SIZE,
    by_value=True,
    is_about_deal=True,
    sentences=("the player wins", "the player does not win"),
)
BANKER_WINS = Word(
    "banker wins",
    "the banker has more points than the player",
    ANY_SIZE,
    by_value=True,
    is_about_deal=True,
    sentences=("the banker wins", "the banker does not win"),
)
TIE = Word(
    "tie",
    "both hands have the same number of points",
    ANY_SIZE,
    by_value=True,
    is_about_deal=True,
    sentences=("the hands tie", "the hands do not tie"),
)
MARGIN = Word(
    "margin",
    "how many points the winner has more than the loser; 0 if the hands tie",
    ANY_SIZE,
    by_value=True,
    is_about_deal=True,
    bounds=lambda _: range(10),
)
NATURAL_HAND = Word(
    "natural",
    "the hand is two cards with 8 or 9 points",
    (2, 3),
    ranks=_is_natural,
    by_value=True,
)

_NUMBERS = {name: word for name, word in WORDS.numbers.items() if name != "total"}
VOCABULARY = Vocabulary(
    WORDS.facts,
    _NUMBERS,
    {**WORDS.aliases, "total": "points", "player win": "player wins", "banker win": "banker wins"},
).plus(facts=(PLAYER_WINS, BANKER_WINS, TIE, NATURAL_HAND), numbers=(MARGIN,))
"""Words for rules about a coup; a total means points."""
