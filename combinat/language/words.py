"""The words that every deal knows: what each means, how it is said, and the kinds of card to look for.

A word looks at some cards: those of a role (`player.suited`) or all that are dealt (`suited`). Most words look only at
ranks or only at suits, and say so, which is what makes counting fast.
"""

from __future__ import annotations

from combinat.language.word import ANY_SIZE, COLORS, SEVERAL, Kind, Suits, Vocabulary, Word
from decks import Rank, Suit


def _times(row: tuple[int, ...]) -> list[int]:
    """How often each rank occurs, most frequent first."""
    return sorted([row.count(rank) for rank in set(row)], reverse=True)  # a Counter takes longer for so few


def is_straight(row: tuple[int, ...]) -> bool:
    """Whether the ranks follow one another, the ace being high or low but never in between.

    >>> is_straight((14, 2, 3)), is_straight((12, 14, 13)), is_straight((13, 14, 2))
    (True, True, False)
    """
    ranks = sorted(row)
    lowest, cards = ranks[0], len(ranks)
    if ranks == list(range(lowest, lowest + cards)):
        return True
    return ranks[-1] == Rank.ACE and ranks[:-1] == list(range(2, cards + 1))


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


def _totals(cards: int) -> range:
    return range(2 * cards, (11 if cards == 1 else max(21, 10 * cards)) + 1)


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
_SUITED = Word("suited", "all the cards have one suit", SEVERAL, suits=_one_suit, shared="of one suit")

FACTS: dict[str, Word] = {
    word.name: word
    for word in (
        _SUITED,
        Word("flush", "the same as suited", SEVERAL, suits=_one_suit, shared="of one suit"),
        Word(
            "same color",
            "all the cards are red, or all are black",
            SEVERAL,
            suits=_one_color,
            tells_apart=COLORS,
            shared="of one color",
        ),
        Word(
            "rainbow", "no two cards have the same suit", (2, 4), suits=_all_suits_differ, shared="of different suits"
        ),
        Word("straight", _STRAIGHT, SEVERAL, ranks=is_straight),
        Word("straight flush", "straight and suited", SEVERAL, ranks=is_straight, suits=_one_suit),
        Word(
            "pair",
            "two cards have one rank, all others differ from them and from one another",
            SEVERAL,
            ranks=_is_pair,
            hand_size=2,
        ),
        Word(
            "two pair", "two ranks or more occur twice, and none more often", (4, 99), ranks=_is_two_pair, hand_size=4
        ),
        Word("three of a kind", _THREE_OF_A_KIND, (3, 99), ranks=_is_three_of_a_kind, hand_size=3),
        Word(
            "four of a kind",
            "a rank occurs four times, and none more often",
            (4, 99),
            ranks=_is_four_of_a_kind,
            hand_size=4,
        ),
        Word("same rank", "all the cards have one rank", SEVERAL, ranks=_one_rank, shared="of one rank"),
        Word(
            "identical",
            "all the cards have one rank and one suit; needs two decks or more",
            SEVERAL,
            ranks=_one_rank,
            suits=_one_suit,
            shared="of the same rank and suit",
        ),
        Word("bust", "the blackjack total is over 21", ANY_SIZE, ranks=_is_bust, by_value=True),
        Word("blackjack", "two cards, an ace and a 10, J, Q or K", (2, 2), ranks=_is_blackjack, by_value=True),
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
            "total",
            "the blackjack total; one ace is 11 unless that goes over 21, any other is 1",
            ANY_SIZE,
            ranks=best_total,
            by_value=True,
            amount="a total",
            bounds=_totals,
        ),
        Word(
            "hard total",
            "the blackjack total with every ace as 1",
            ANY_SIZE,
            ranks=hard_total,
            by_value=True,
            amount="a hard total",
            bounds=lambda cards: range(cards, 10 * cards + 1),
        ),
        Word(
            "cards",
            "how many cards there are",
            (0, 99),  # also where a card is not drawn
            ranks=len,
            by_value=True,
            quantity="number of cards",
            bounds=lambda cards: range(cards, cards + 1),
        ),
        Word(
            "points",
            "baccarat points: ace 1, tens and faces 0, last digit of the sum",
            ANY_SIZE,
            ranks=baccarat_points,
            by_value=True,
            amount="points",
            quantity="number of points",
            bounds=lambda _: range(10),
        ),
    )
}

ALIASES = {"same colour": "same color", "trips": "three of a kind"}

WORDS = Vocabulary(FACTS, NUMBERS, ALIASES)
"""What can be said of any cards."""

CALLS: dict[str, str] = {
    "count": "how many of the cards match one of the things listed",
    "has": "at least one card matches one of the things listed",
    "all": "every card matches one of the things listed",
}

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
