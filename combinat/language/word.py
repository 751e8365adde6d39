"""What a word of the rule language is: its meaning, how English says it, and which cards it can be said of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from msgspec import Struct

from decks import Suit

Places = tuple[int, ...]
"""Which cards of a deal are spoken of, by where they lie in it."""
RankFunction = Callable[[tuple[int, ...]], int]
Suits = tuple[int, ...]
"""The suit at each place of a deal."""
Family = frozenset[frozenset[int]]
"""Sets of suits that a rule tells apart from the others; a renaming must carry the family onto itself."""

COLORS: Family = frozenset(
    {frozenset(int(suit) for suit in Suit if suit.is_red), frozenset(int(suit) for suit in Suit if not suit.is_red)}
)
ANY_SIZE = (1, 99)
SEVERAL = (2, 99)


class Word(Struct, frozen=True):
    """A word of the language: a yes-or-no fact about some cards, or a number."""

    name: str
    meaning: str
    sizes: tuple[int, int]
    ranks: RankFunction | None = None
    """What the word asks of the ranks; for a number, its value."""
    suits: Callable[[Suits], bool] | None = None
    """What the word asks of the suits; the word holds where both parts do."""
    tells_apart: Family | None = None
    """The suits that the word treats unlike others, if it does."""
    by_value: bool = False
    """Whether it looks at ranks only for what they are worth, so that 10, J, Q and K are alike to it."""
    shared: str = ""
    """In English, what all the cards have in common if the fact holds; without it the fact is the name of a hand."""
    hand_size: int = 0
    """Of how many cards the named hand is made, if not of all."""
    amount: str = ""
    """In English, the number as something that a hand has: a total, points."""
    quantity: str = ""
    """In English, the number as a quantity, if that is not its name."""
    is_rank: bool = False
    """Whether the number is a rank, so that English names it."""
    whole: bool = False
    """Whether it is said of the deal as a whole, so that no role stands before it."""
    sentences: tuple[str, str] = ("", "")
    """In English, the fact as a sentence, and its opposite; nothing if it is something that cards are or make."""
    best: int = 0
    """How many of the cards it is said of, chosen so that they make the best hand of poker; 0 if of all of them."""
    any_size: int = 0
    """Of how many of the cards it is said, whichever of them fit; 0 if of all of them."""
    bounds: Callable[[int], range] | None = None
    """The values that the number can have for so many cards, and perhaps some more; ranks have those of the pack."""

    @property
    def value(self) -> RankFunction:
        """The function that gives a number word its value."""
        if self.ranks is None:
            raise TypeError(f"'{self.name}' is no number of the ranks")
        return self.ranks


class Kind(Struct, frozen=True):
    """A kind of card to look for: some ranks, some suits, or both; `None` means any."""

    ranks: frozenset[int] | None = None
    suits: frozenset[int] | None = None


class Vocabulary(Struct, frozen=True, dict=True):
    """The facts and numbers that a rule about some deal may use, by their names."""

    facts: Mapping[str, Word]
    numbers: Mapping[str, Word]
    aliases: Mapping[str, str] = {}

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """The names of several words, longest first."""
        several = {name for name in (*self.facts, *self.numbers, *self.aliases) if " " in name}
        return tuple(sorted(several, key=lambda name: (-len(name.split()), name)))

    def word(self, name: str) -> Word | None:
        """Find a word by its name."""
        return self.facts.get(name) or self.numbers.get(name)

    def plus(self, facts: tuple[Word, ...] = (), numbers: tuple[Word, ...] = ()) -> Vocabulary:
        """Add an experiment's own words."""
        return Vocabulary(
            {**self.facts, **{word.name: word for word in facts}},
            {**self.numbers, **{word.name: word for word in numbers}},
            self.aliases,
        )
