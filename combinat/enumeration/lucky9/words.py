"""The words of a round of Lucky 9, and how they are judged on its outcomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from combinat.enumeration.lucky9.round import Key
from combinat.enumeration.rank_rows import Bits, Numbers
from combinat.language.tree import Count, Measure, Predicate, Ranks
from combinat.language.word import ANY_SIZE, Places, Vocabulary, Word
from combinat.language.words import NUMBERS

ROUND: Places = (0,)
DEALER: Places = (1,)

POINTS = NUMBERS["points"]
_FACTS: dict[str, Callable[[Key], bool]] = {
    "tie": lambda key: key.is_tie,
    "lucky nine": lambda key: key.is_lucky,
}
_NUMBERS: dict[str, Callable[[Key], int]] = {
    "units won": lambda key: max(key.units, 0),
    "units lost": lambda key: max(-key.units, 0),
    POINTS.name: lambda key: key.dealer,
}
VOCABULARY = Vocabulary(
    facts={
        "tie": Word("tie", "the dealer's hand and that of the player's first card have equal points", ANY_SIZE),
        "lucky nine": Word("lucky nine", "the first two cards make 9 without a ten-valued card, and stand", ANY_SIZE),
    },
    numbers={
        "units won": Word(
            "units won", "hands won less hands lost, if more are won", ANY_SIZE, quantity="number of units won"
        ),
        "units lost": Word(
            "units lost", "hands lost less hands won, if more are lost", ANY_SIZE, quantity="number of units lost"
        ),
        POINTS.name: POINTS,
    },
)
OBJECTION = "single cards are not looked at; ask for a tie, a lucky nine, units won or lost, or dealer.points"


def is_said_of(word: Word, places: Places) -> str:
    """Say why a word cannot be said of these places; nothing if it can."""
    if (word.name == POINTS.name) == (places == DEALER):
        return ""
    return f"'{word.name}' is said of {'the dealer; write dealer.points' if word.name == POINTS.name else 'the round'}"


class RoundEvaluator:
    """Judges words on listed outcomes."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self._keys = keys
        self.everything: Bits = (1 << len(keys)) - 1

    def predicate(self, predicate: Predicate) -> Bits:
        """Judge a fact word."""
        holds = _FACTS[predicate.word.name]
        return sum(1 << row for row, key in enumerate(self._keys) if holds(key))

    def measure(self, measure: Measure) -> Numbers:
        """Work out a number word."""
        value = _NUMBERS[measure.word.name]
        numbers: Numbers = {}
        for row, key in enumerate(self._keys):
            numbers[value(key)] = numbers.get(value(key), 0) | 1 << row
        return numbers

    def ranks(self, ranks: Ranks) -> Bits:
        """No rule can ask this."""
        raise ValueError(f"{OBJECTION}: {ranks}")

    def count(self, count: Count) -> Numbers:
        """No rule can ask this."""
        raise ValueError(f"{OBJECTION}: {count}")
