"""The vocabulary of the rule language: what each word means, and which cards it can be said of.

A word looks at some cards: those of a role (`player.suited`) or all that are dealt (`suited`). Most words look only at
ranks or only at suits, and say so, which is what makes counting fast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from combinat.ranks import RankFunction
from combinat.suits import COLORS, Family, Suits
from decks import Rank, Suit

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
    is_for_drawn: bool = True
    """Whether it can be said of a hand drawn to its end, whose suits are known only as one, one color, or mixed."""


def _times(row: tuple[int, ...]) -> list[int]:
    """How often each rank occurs, most frequent first."""
    return sorted(Counter(row).values(), reverse=True)


def is_straight(row: tuple[int, ...]) -> bool:
    """Whether the ranks follow one another, the ace being high or low but never in between.

    >>> is_straight((14, 2, 3)), is_straight((12, 14, 13)), is_straight((13, 14, 2))
    (True, True, False)
    """
    low_ace = [1 if rank == Rank.ACE else rank for rank in row]
    return any(sorted(ranks) == list(range(min(ranks), min(ranks) + len(ranks))) for ranks in (list(row), low_ace))


def hard_total(row: tuple[int, ...]) -> int:
    """The blackjack total with every ace as one."""
    return sum(1 if rank == Rank.ACE else min(rank, 10) for rank in row)


def best_total(row: tuple[int, ...]) -> int:
    """The blackjack total with one ace as eleven if that does not exceed twenty-one.

    >>> best_total((14, 14, 9)), best_total((14, 13, 5))
    (21, 16)
    """
    hard = hard_total(row)
    return hard + 10 if Rank.ACE in row and hard + 10 <= 21 else hard


def baccarat_points(row: tuple[int, ...]) -> int:
    """The last digit of the total with aces as one, tens and faces as nothing.

    >>> baccarat_points((13, 4, 9))
    3
    """
    return hard_total(row) % 10


def _is_blackjack(row: tuple[int, ...]) -> bool:
    return best_total(row) == 21


def _is_bust(row: tuple[int, ...]) -> bool:
    return hard_total(row) > 21


def _one_suit(row: Suits) -> bool:
    return len(set(row)) == 1


def _one_color(row: Suits) -> bool:
    return len({Suit(suit).is_red for suit in row}) == 1


def _all_suits_differ(row: Suits) -> bool:
    return len(set(row)) == len(row)


def _one_rank(row: tuple[int, ...]) -> bool:
    return len(set(row)) == 1


def _is_pair(row: tuple[int, ...]) -> bool:
    return _times(row)[:2] in ([2], [2, 1])


def _is_two_pair(row: tuple[int, ...]) -> bool:
    return _times(row)[:2] == [2, 2]


def _is_three_of_a_kind(row: tuple[int, ...]) -> bool:
    return _times(row)[:2] in ([3], [3, 1])


def _is_four_of_a_kind(row: tuple[int, ...]) -> bool:
    return _times(row)[0] == 4


_STRAIGHT = "the ranks follow one another; an ace is high or low (A-2-3, Q-K-A), never in between"
_THREE_OF_A_KIND = "three cards have one rank, all others differ from them and from one another; so no full house"
_SUITED = Word("suited", "all the cards have one suit", SEVERAL, suits=_one_suit)

FACTS: dict[str, Word] = {
    word.name: word
    for word in (
        _SUITED,
        Word("flush", "the same as suited", SEVERAL, suits=_one_suit),
        Word("same color", "all the cards are red, or all are black", SEVERAL, suits=_one_color, tells_apart=COLORS),
        Word("rainbow", "no two cards have the same suit", (2, 4), suits=_all_suits_differ, is_for_drawn=False),
        Word("straight", _STRAIGHT, SEVERAL, ranks=is_straight),
        Word("straight flush", "straight and suited", SEVERAL, ranks=is_straight, suits=_one_suit),
        Word(
            "pair", "two cards have one rank, all others differ from them and from one another", SEVERAL, ranks=_is_pair
        ),
        Word("two pair", "two ranks or more occur twice, and none more often", (4, 99), ranks=_is_two_pair),
        Word("three of a kind", _THREE_OF_A_KIND, (3, 99), ranks=_is_three_of_a_kind),
        Word("four of a kind", "a rank occurs four times, and none more often", (4, 99), ranks=_is_four_of_a_kind),
        Word("same rank", "all the cards have one rank", SEVERAL, ranks=_one_rank),
        Word(
            "identical",
            "all the cards have one rank and one suit; needs two decks or more",
            SEVERAL,
            ranks=_one_rank,
            suits=_one_suit,
        ),
        Word("bust", "the blackjack total is over 21", ANY_SIZE, ranks=_is_bust),
        Word("blackjack", "two cards, an ace and a 10, J, Q or K", (2, 2), ranks=_is_blackjack),
    )
}

NUMBERS: dict[str, Word] = {
    word.name: word
    for word in (
        Word("rank", "the rank of one card, 2 to 10, J, Q, K, A (ace high)", (1, 1), ranks=max),
        Word("high", "the highest rank among the cards (ace high)", ANY_SIZE, ranks=max),
        Word("low", "the lowest rank among the cards (ace high)", ANY_SIZE, ranks=min),
        Word(
            "total",
            "the blackjack total; one ace is 11 unless that goes over 21, any other is 1",
            ANY_SIZE,
            ranks=best_total,
        ),
        Word("hard total", "the blackjack total with every ace as 1", ANY_SIZE, ranks=hard_total),
        Word("cards", "how many cards there are", ANY_SIZE, ranks=len),
        Word(
            "points", "baccarat points: ace 1, tens and faces 0, last digit of the sum", ANY_SIZE, ranks=baccarat_points
        ),
    )
}

ALIASES = {"same colour": "same color", "trips": "three of a kind"}

CALLS: dict[str, str] = {
    "count": "how many of the cards match one of the things listed",
    "has": "at least one card matches one of the things listed",
    "all": "every card matches one of the things listed",
}


class Kind(Struct, frozen=True):
    """A kind of card to look for: some ranks, some suits, or both; `None` means any."""

    ranks: frozenset[int] | None = None
    suits: frozenset[int] | None = None


KINDS: dict[str, tuple[Kind, str]] = {
    **{str(suit): (Kind(suits=frozenset({int(suit)})), f"any card of {suit}") for suit in Suit},
    "red": (Kind(suits=frozenset(int(suit) for suit in Suit if suit.is_red)), "any heart or diamond"),
    "black": (Kind(suits=frozenset(int(suit) for suit in Suit if not suit.is_red)), "any club or spade"),
    "face": (Kind(ranks=frozenset({11, 12, 13})), "any J, Q or K"),
    "tens": (Kind(ranks=frozenset({10, 11, 12, 13})), "any card worth ten: 10, J, Q or K"),
}

REFERENCES: dict[str, str] = {
    "": "a card of the same rank and suit as that role's card",
    "rank": "a card of the same rank as that role's card",
    "suit": "a card of the same suit as that role's card",
    "color": "a card of the same color as that role's card",
}
"""What `count(up)`, `count(up.rank)` and so on look for, by what follows the role."""

OPERATORS = ("and", "or", "not", "in")

RESERVED: frozenset[str] = frozenset({*FACTS, *NUMBERS, *ALIASES, *CALLS, *KINDS, *OPERATORS})
