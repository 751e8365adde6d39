"""The words of the rule language: their meaning, their English form, and the cards they apply to.

A word refers to the cards of a role (`player.suited`) or to all cards (`suited`). Most words depend only on ranks or
only on suits; their functions of ranks and of suits are separate, which makes counting fast.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import takewhile

from msgspec import Struct

from decks import JOKER, JOKER_NAME, Rank, Suit

Positions = tuple[int, ...]
"""Indexes of cards within a deal."""
RankFunction = Callable[[tuple[int, ...]], int]
Suits = tuple[int, ...]
"""The suit at each position of a deal."""
SuitPartition = frozenset[frozenset[int]]
"""Sets of suits that a rule distinguishes; a suit permutation must map the family onto itself."""

COLORS: SuitPartition = frozenset(
    {frozenset(int(suit) for suit in Suit if suit.is_red), frozenset(int(suit) for suit in Suit if not suit.is_red)}
)
ANY_SIZE = (1, 99)
TWO_OR_MORE = (2, 99)


class Word(Struct, frozen=True):
    """A word of the language: a yes-or-no fact about cards, or a number."""

    name: str
    """The word as rules write it, such as `straight flush`."""
    meaning: str
    """What it says of the cards, in one phrase; `combinat words` and docs/rules.md print it."""
    sizes: tuple[int, int]
    """The smallest and the largest number of cards that it applies to."""
    ranks: RankFunction | None = None
    """The function of the ranks; for a number, its value."""
    suits: Callable[[Suits], bool] | None = None
    """The test of the suits; a fact holds if both functions do.

    A dealer's draw can only count `one_suit` and `one_color`; it refuses words with any other test.
    """
    distinguished_suits: SuitPartition | None = None
    """The suits that the word distinguishes, if it does."""
    by_value: bool = False
    """Whether only blackjack values matter, so that 10, J, Q and K are equivalent."""
    shared: str = ""
    """In English, what all cards have in common if the fact holds; if empty, the fact is the name of a hand."""
    hand_size: int = 0
    """The number of cards that make the hand, if not all."""
    amount: str = ""
    """In English, the number as something that a hand has: a total, points."""
    quantity: str = ""
    """In English, the number as a quantity, if that is not its name."""
    is_rank: bool = False
    """Whether the number is a rank, which English names."""
    is_about_deal: bool = False
    """Whether the word applies to the deal as a unit, so that no role may precede it."""
    sentences: tuple[str, str] = ("", "")
    """In English, the fact and its opposite as sentences; empty if the fact describes cards."""
    best_size: int = 0
    """The number of cards of the best poker hand that the word describes; 0 if it describes all cards."""
    any_size: int = 0
    """The number of cards, any of those present, that the word describes; 0 if it describes all cards."""
    leading_suits: frozenset[int] | None = None
    """The suits of the color whose cards the number counts, from the first card dealt to the first of another color."""
    bounds: Callable[[int], range] | None = None
    """A function from the number of cards to a superset of the values; ranks have those of the pack."""

    @property
    def value(self) -> RankFunction:
        """The function that computes a number word."""
        if self.ranks is None:
            raise TypeError(f"'{self.name}' is no number of the ranks")
        return self.ranks


class Kind(Struct, frozen=True):
    """A kind of card: some ranks, some suits, or both; `None` means any."""

    ranks: frozenset[int] | None = None
    suits: frozenset[int] | None = None


class Vocabulary(Struct, frozen=True, dict=True):
    """The facts and numbers that rules about a deal may use, by name."""

    facts: Mapping[str, Word]
    numbers: Mapping[str, Word]
    aliases: Mapping[str, str] = {}

    @cached_property
    def phrases(self) -> tuple[str, ...]:
        """The names that consist of several words, longest first."""
        phrases = {name for name in (*self.facts, *self.numbers, *self.aliases) if " " in name}
        return tuple(sorted(phrases, key=lambda name: (-len(name.split()), name)))

    def word(self, name: str) -> Word | None:
        """Return the word with a name; `None` if there is none."""
        return self.facts.get(name) or self.numbers.get(name)

    def plus(self, facts: tuple[Word, ...] = (), numbers: tuple[Word, ...] = ()) -> Vocabulary:
        """Return the vocabulary with an experiment's own words added."""
        return Vocabulary(
            {**self.facts, **{word.name: word for word in facts}},
            {**self.numbers, **{word.name: word for word in numbers}},
            self.aliases,
        )


def rank_multiplicities(ranks: tuple[int, ...]) -> list[int]:
    """Return how often each rank occurs, most frequent first."""
    return sorted([ranks.count(rank) for rank in set(ranks)], reverse=True)  # faster than a Counter for a few cards


def is_straight(ranks: tuple[int, ...]) -> bool:
    """Return whether the ranks are consecutive; the ace is high or low, with no wrap-around.

    >>> is_straight((14, 2, 3)), is_straight((12, 14, 13)), is_straight((13, 14, 2))
    (True, True, False)
    """
    ascending = sorted(ranks)
    lowest, card_count = ascending[0], len(ascending)
    if ascending == list(range(lowest, lowest + card_count)):
        return True
    return ascending[-1] == Rank.ACE and ascending[:-1] == list(range(2, card_count + 1))


def hard_total(ranks: tuple[int, ...]) -> int:
    """Return the blackjack total with every ace as 1."""
    return sum(1 if rank == Rank.ACE else min(rank, 10) for rank in ranks)


def best_total(ranks: tuple[int, ...]) -> int:
    """Return the blackjack total with one ace as 11 if that does not exceed 21.

    >>> best_total((14, 14, 9)), best_total((14, 13, 5))
    (21, 16)
    """
    hard = hard_total(ranks)
    return hard + 10 if Rank.ACE in ranks and hard + 10 <= 21 else hard


def possible_totals(card_count: int) -> range:
    """Return the range of blackjack totals of a number of cards."""
    return range(2 * card_count, (11 if card_count == 1 else max(21, 10 * card_count)) + 1)


def possible_hard_totals(card_count: int) -> range:
    """Return the range of totals of a number of cards with every ace as 1."""
    return range(card_count, 10 * card_count + 1)


def possible_top_pairs(_card_count: int) -> range:
    """Return the range of ranks of the highest pair; 0 stands for no pair."""
    return range(Rank.ACE + 1)


def possible_sizes(card_count: int) -> range:
    """Return the range of the number of cards."""
    return range(card_count, card_count + 1)


def possible_points(_card_count: int) -> range:
    """Return the range of baccarat points."""
    return range(10)


def baccarat_points(ranks: tuple[int, ...]) -> int:
    """Return the last digit of the total, with aces as 1 and tens and faces as 0.

    >>> baccarat_points((13, 4, 9))
    3
    """
    return hard_total(ranks) % 10


def is_blackjack(ranks: tuple[int, ...]) -> bool:
    """Return whether two cards make a blackjack."""
    return best_total(ranks) == 21


def is_bust(ranks: tuple[int, ...]) -> bool:
    """Return whether the blackjack total is over 21."""
    return hard_total(ranks) > 21


def one_suit(suits: Suits) -> bool:
    """Return whether all suits are equal."""
    return len(set(suits)) == 1


def one_color(suits: Suits) -> bool:
    """Return whether all suits are red, or all are black."""
    return len({Suit(suit).is_red for suit in suits}) == 1


def all_suits_differ(suits: Suits) -> bool:
    """Return whether no suit occurs twice."""
    return len(set(suits)) == len(suits)


def count_leading(suits: Iterable[int], color: frozenset[int]) -> int:
    """Return how many suits, from the first one on, are of a color.

    >>> count_leading((1, 2, 0, 1), frozenset({1, 2}))
    2
    """
    return sum(1 for _ in takewhile(color.__contains__, suits))


def one_rank(ranks: tuple[int, ...]) -> bool:
    """Return whether all ranks are equal."""
    return len(set(ranks)) == 1


def is_pair(ranks: tuple[int, ...]) -> bool:
    """Return whether one rank occurs twice and every other once."""
    return rank_multiplicities(ranks)[:2] in ([2], [2, 1])


def is_two_pair(ranks: tuple[int, ...]) -> bool:
    """Return whether two or more ranks occur twice, and none more often."""
    return rank_multiplicities(ranks)[:2] == [2, 2]


def is_three_of_a_kind(ranks: tuple[int, ...]) -> bool:
    """Return whether one rank occurs three times and every other once."""
    return rank_multiplicities(ranks)[:2] in ([3], [3, 1])


def is_four_of_a_kind(ranks: tuple[int, ...]) -> bool:
    """Return whether a rank occurs four times, and none more often."""
    return rank_multiplicities(ranks)[0] == 4


def is_five_of_a_kind(ranks: tuple[int, ...]) -> bool:
    """Return whether a rank occurs five times, and none more often."""
    return rank_multiplicities(ranks)[0] == 5


def is_full_house(ranks: tuple[int, ...]) -> bool:
    """Return whether one rank occurs three times and another twice."""
    return rank_multiplicities(ranks) == [3, 2]


def all_ranks_differ(ranks: tuple[int, ...]) -> bool:
    """Return whether no rank occurs twice."""
    return len(set(ranks)) == len(ranks)


def is_highest_straight(ranks: tuple[int, ...]) -> bool:
    """Return whether the ranks are consecutive up to the ace."""
    return sorted(ranks) == list(range(Rank.ACE + 1 - len(ranks), Rank.ACE + 1))


def top_pair(ranks: tuple[int, ...]) -> int:
    """Return the highest rank that occurs at least twice; 0 if there is none.

    >>> top_pair((9, 13, 9, 13, 14)), top_pair((9, 13, 14))
    (13, 0)
    """
    return max((rank for rank in ranks if ranks.count(rank) > 1), default=0)


_STRAIGHT = "the ranks follow one another; an ace is high or low (A-2-3, Q-K-A), never in between"
_THREE_OF_A_KIND = "three cards have one rank, all others differ from them and from one another; so no full house"
_SUITED = Word("suited", "all the cards have one suit", TWO_OR_MORE, suits=one_suit, shared="of one suit")

FACTS: dict[str, Word] = {
    word.name: word
    for word in (
        _SUITED,
        Word("flush", "the same as suited", TWO_OR_MORE, suits=one_suit, shared="of one suit"),
        Word(
            "same color",
            "all the cards are red, or all are black",
            TWO_OR_MORE,
            suits=one_color,
            distinguished_suits=COLORS,
            shared="of one color",
        ),
        Word("rainbow", "no two cards have the same suit", (2, 4), suits=all_suits_differ, shared="of different suits"),
        Word("straight", _STRAIGHT, TWO_OR_MORE, ranks=is_straight),
        Word("straight flush", "straight and suited", TWO_OR_MORE, ranks=is_straight, suits=one_suit),
        Word(
            "royal flush",
            "the highest straight, of one suit: A-K-Q-J-10 for five cards, A-K-Q for three",
            (3, 5),
            ranks=is_highest_straight,
            suits=one_suit,
        ),
        Word(
            "pair",
            "two cards have one rank, all others differ from them and from one another",
            TWO_OR_MORE,
            ranks=is_pair,
            hand_size=2,
        ),
        Word("two pair", "two ranks or more occur twice, and none more often", (4, 99), ranks=is_two_pair, hand_size=4),
        Word("three of a kind", _THREE_OF_A_KIND, (3, 99), ranks=is_three_of_a_kind, hand_size=3),
        Word(
            "four of a kind",
            "a rank occurs four times, and none more often",
            (4, 99),
            ranks=is_four_of_a_kind,
            hand_size=4,
        ),
        Word("full house", "three cards have one rank and two another", (5, 5), ranks=is_full_house, hand_size=5),
        Word(
            "five of a kind",
            "a rank occurs five times, and none more often; needs two decks or more",
            (5, 99),
            ranks=is_five_of_a_kind,
            hand_size=5,
        ),
        Word(
            "all ranks different",
            "no two cards have the same rank",
            TWO_OR_MORE,
            ranks=all_ranks_differ,
            shared="of different ranks",
        ),
        Word("same rank", "all the cards have one rank", TWO_OR_MORE, ranks=one_rank, shared="of one rank"),
        Word(
            "identical",
            "all the cards have one rank and one suit; needs two decks or more",
            TWO_OR_MORE,
            ranks=one_rank,
            suits=one_suit,
            shared="of the same rank and suit",
        ),
        Word("bust", "the blackjack total is over 21", ANY_SIZE, ranks=is_bust, by_value=True),
        Word("blackjack", "two cards, an ace and a 10, J, Q or K", (2, 2), ranks=is_blackjack, by_value=True),
    )
}

NUMBERS: dict[str, Word] = {
    word.name: word
    for word in (
        Word("rank", "the rank of one card, 2 to 10, J, Q, K, A (ace high)", (1, 1), ranks=max, is_rank=True),
        Word(
            "high",
            "the highest rank among the cards (ace high)",
            ANY_SIZE,
            ranks=max,
            quantity="highest rank",
            is_rank=True,
        ),
        Word(
            "low",
            "the lowest rank among the cards (ace high)",
            ANY_SIZE,
            ranks=min,
            quantity="lowest rank",
            is_rank=True,
        ),
        Word(
            "top pair",
            "the highest rank that two cards or more have; 0 if all ranks differ",
            TWO_OR_MORE,
            ranks=top_pair,
            quantity="rank of the highest pair",
            is_rank=True,
            bounds=possible_top_pairs,
        ),
        Word(
            "total",
            "the blackjack total; one ace is 11 unless that goes over 21, any other is 1",
            ANY_SIZE,
            ranks=best_total,
            by_value=True,
            amount="a total",
            bounds=possible_totals,
        ),
        Word(
            "hard total",
            "the blackjack total with every ace as 1",
            ANY_SIZE,
            ranks=hard_total,
            by_value=True,
            amount="a hard total",
            bounds=possible_hard_totals,
        ),
        Word(
            "cards",
            "how many cards there are",
            (0, 99),  # also where a card is not drawn
            ranks=len,
            by_value=True,
            quantity="number of cards",
            bounds=possible_sizes,
        ),
        Word(
            "points",
            "baccarat points: ace 1, tens and faces 0, last digit of the sum",
            ANY_SIZE,
            ranks=baccarat_points,
            by_value=True,
            amount="points",
            quantity="number of points",
            bounds=possible_points,
        ),
    )
}

ALIASES = {
    "same colour": "same color",
    "trips": "three of a kind",
    "quads": "four of a kind",
    "mini royal": "royal flush",
}

WORDS = Vocabulary(FACTS, NUMBERS, ALIASES)
"""The words that apply to any cards."""

CALLS: dict[str, str] = {
    "count": "how many of the cards match one of the things listed",
    "has": "at least one card matches one of the things listed",
    "all": "every card matches one of the things listed",
}

JOKERS = Kind(ranks=frozenset({int(JOKER.rank)}))
"""The kind of jokers, which share no rank with other cards."""

KINDS: dict[str, tuple[Kind, str]] = {
    **{str(suit): (Kind(suits=frozenset({int(suit)})), f"any card of {suit}") for suit in Suit},
    "red": (Kind(suits=frozenset(int(suit) for suit in Suit if suit.is_red)), "any heart or diamond"),
    "black": (Kind(suits=frozenset(int(suit) for suit in Suit if not suit.is_red)), "any club or spade"),
    "face": (Kind(ranks=frozenset({11, 12, 13})), "any J, Q or K"),
    "tens": (Kind(ranks=frozenset({10, 11, 12, 13})), "any card worth ten: 10, J, Q or K"),
    JOKER_NAME: (JOKERS, "any joker, of a pack that has some"),
}

REFERENCES: dict[str, str] = {
    "": "a card of the same rank and suit as that role's card",
    "rank": "a card of the same rank as that role's card",
    "suit": "a card of the same suit as that role's card",
    "color": "a card of the same color as that role's card",
}
"""The meaning of `count(up)`, `count(up.rank)` and so on, by the suffix of the role."""

OPERATORS = ("and", "or", "not", "in")

BEST = "best"
"""The prefix of the best hand of some size: best five."""

ANY = "any"
"""The prefix for a hand that some of the cards make, whatever else they make: any five."""

RESERVED: frozenset[str] = frozenset({*FACTS, *NUMBERS, *ALIASES, *CALLS, *KINDS, *OPERATORS, BEST, ANY})
