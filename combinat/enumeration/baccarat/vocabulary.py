"""The words of baccarat: who wins, by how much, and what a natural is."""

from __future__ import annotations

from combinat.enumeration.baccarat.drawing import NATURAL
from combinat.language.asked_of_cards import baccarat_points
from combinat.language.word import ANY_SIZE, Vocabulary, Word
from combinat.language.words import WORDS


def _is_natural(hand: tuple[int, ...]) -> bool:
    return len(hand) == 2 and baccarat_points(hand) >= NATURAL


PLAYER_WINS = Word(
    "player wins",
    "the player has more points than the banker",
    ANY_SIZE,
    by_value=True,
    whole=True,
    sentences=("the player wins", "the player does not win"),
)
BANKER_WINS = Word(
    "banker wins",
    "the banker has more points than the player",
    ANY_SIZE,
    by_value=True,
    whole=True,
    sentences=("the banker wins", "the banker does not win"),
)
TIE = Word(
    "tie",
    "both hands have the same number of points",
    ANY_SIZE,
    by_value=True,
    whole=True,
    sentences=("the hands tie", "the hands do not tie"),
)
MARGIN = Word(
    "margin",
    "how many points the winner has more than the loser; 0 if the hands tie",
    ANY_SIZE,
    by_value=True,
    whole=True,
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
"""What can be said of a coup; a total is in points here, as everybody at the table says it."""
