"""The words that every deal knows: what each means, how it is said, and the kinds of card to look for.

A word looks at some cards: those of a role (`player.suited`) or all that are dealt (`suited`). Most words look only at
ranks or only at suits, and say so, which is what makes counting fast.
"""

from __future__ import annotations

from combinat.language.asked_of_cards import (
    all_ranks_differ,
    all_suits_differ,
    baccarat_points,
    best_total,
    hard_total,
    is_blackjack,
    is_bust,
    is_five_of_a_kind,
    is_four_of_a_kind,
    is_full_house,
    is_highest_straight,
    is_pair,
    is_straight,
    is_three_of_a_kind,
    is_two_pair,
    one_color,
    one_rank,
    one_suit,
    top_pair,
    totals,
)
from combinat.language.word import ANY_SIZE, COLORS, SEVERAL, Kind, Vocabulary, Word
from decks import JOKER, JOKER_NAME, Rank, Suit

_STRAIGHT = "the ranks follow one another; an ace is high or low (A-2-3, Q-K-A), never in between"
_THREE_OF_A_KIND = "three cards have one rank, all others differ from them and from one another; so no full house"
_SUITED = Word("suited", "all the cards have one suit", SEVERAL, suits=one_suit, shared="of one suit")

FACTS: dict[str, Word] = {
    word.name: word
    for word in (
        _SUITED,
        Word("flush", "the same as suited", SEVERAL, suits=one_suit, shared="of one suit"),
        Word(
            "same color",
            "all the cards are red, or all are black",
            SEVERAL,
            suits=one_color,
            tells_apart=COLORS,
            shared="of one color",
        ),
        Word("rainbow", "no two cards have the same suit", (2, 4), suits=all_suits_differ, shared="of different suits"),
        Word("straight", _STRAIGHT, SEVERAL, ranks=is_straight),
        Word("straight flush", "straight and suited", SEVERAL, ranks=is_straight, suits=one_suit),
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
            SEVERAL,
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
            SEVERAL,
            ranks=all_ranks_differ,
            shared="of different ranks",
        ),
        Word("same rank", "all the cards have one rank", SEVERAL, ranks=one_rank, shared="of one rank"),
        Word(
            "identical",
            "all the cards have one rank and one suit; needs two decks or more",
            SEVERAL,
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
            SEVERAL,
            ranks=top_pair,
            quantity="rank of the highest pair",
            is_rank=True,
            bounds=lambda _: range(Rank.ACE + 1),
        ),
        Word(
            "total",
            "the blackjack total; one ace is 11 unless that goes over 21, any other is 1",
            ANY_SIZE,
            ranks=best_total,
            by_value=True,
            amount="a total",
            bounds=totals,
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

ALIASES = {
    "same colour": "same color",
    "trips": "three of a kind",
    "quads": "four of a kind",
    "mini royal": "royal flush",
}

WORDS = Vocabulary(FACTS, NUMBERS, ALIASES)
"""What can be said of any cards."""

CALLS: dict[str, str] = {
    "count": "how many of the cards match one of the things listed",
    "has": "at least one card matches one of the things listed",
    "all": "every card matches one of the things listed",
}

JOKERS = Kind(ranks=frozenset({int(JOKER.rank)}))
"""The kind of card that jokers are, which have no rank that another card has."""

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
"""What `count(up)`, `count(up.rank)` and so on look for, by what follows the role."""

OPERATORS = ("and", "or", "not", "in")

BEST = "best"
"""What stands before how many cards of a hand make it: best five."""

ANY = "any"
"""The prefix for a hand that some of the cards make, whatever else they make: any five."""

RESERVED: frozenset[str] = frozenset({*FACTS, *NUMBERS, *ALIASES, *CALLS, *KINDS, *OPERATORS, BEST, ANY})
