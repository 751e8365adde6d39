"""The words of the rules: what each says of the cards that it is asked of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from itertools import product
from typing import Any

from combinat.verifier.cards import ACE, COLORS, JOKER_RANK, RANKS, TENS, WORTH, Card, Cards, is_joker
from combinat.verifier.poker import ANY_SIZES, BEST_SIZES, SIZES, any_cards, best

Ranks = tuple[int, ...]
Suits = tuple[str, ...]
MOST_KNOWN = 10_000


def repeats(ranks: Ranks) -> list[int]:
    """How often the most frequent rank occurs, and the next one."""
    return sorted([ranks.count(rank) for rank in set(ranks)], reverse=True)[:2]


def straight(ranks: Ranks) -> bool:
    """Whether the ranks follow one another, the ace being high or low."""
    high = set(ranks)
    low = {1 if rank == ACE else rank for rank in high}
    return len(high) == len(ranks) and len(ranks) - 1 in (max(high) - min(high), max(low) - min(low))


def hard_total(ranks: Ranks) -> int:
    """The blackjack total with every ace as one."""
    return sum([WORTH[rank] for rank in ranks])


def total(ranks: Ranks) -> int:
    """The blackjack total with an ace as eleven if that does not go over 21."""
    hard = hard_total(ranks)
    return hard + 10 if hard <= 11 and ACE in ranks else hard


def leading(color: str, suits: Suits) -> int:
    """How many suits, from the first one on, are of a color.

    >>> leading("dh", ("d", "h", "s", "d"))
    2
    """
    return next((at for at, suit in enumerate(suits) if suit not in color), len(suits))


class Nothing:
    """The value of a number that is said of a card that is not there: no comparison with it holds."""

    def never(self, _other: object) -> bool:
        """No other number is equal, more or less; nor is a card of that kind."""
        return False

    def itself(self, _other: object) -> Nothing:
        """It stays nothing whatever is added."""
        return self

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = never
    __add__ = __radd__ = __sub__ = __rsub__ = itself
    __hash__ = object.__hash__


NOTHING = Nothing()
OF_RANKS: dict[str, Callable[[Ranks], Any]] = {
    "straight": straight,
    "pair": lambda ranks: repeats(ranks) in ([2], [2, 1]),
    "two_pair": lambda ranks: repeats(ranks) == [2, 2],
    "three_of_a_kind": lambda ranks: repeats(ranks) in ([3], [3, 1]),
    "four_of_a_kind": lambda ranks: repeats(ranks)[0] == 4,
    "full_house": lambda ranks: repeats(ranks) == [3, 2] and len(ranks) == 5,
    "five_of_a_kind": lambda ranks: repeats(ranks)[0] == 5,
    "all_ranks_different": lambda ranks: repeats(ranks)[0] == 1,
    # Two cards are no royal flush, though they can be a straight.
    "highest_straight": lambda ranks: straight(ranks) and {ACE, 15 - len(ranks)} <= {*ranks} and len(ranks) > 2,
    "top_pair": lambda ranks: max([rank for rank in ranks if ranks.count(rank) > 1], default=0),
    "same_rank": lambda ranks: len(set(ranks)) == 1,
    "high": max,
    "low": min,
    "rank": lambda ranks: ranks[0],
    "bust": lambda ranks: hard_total(ranks) > 21,
    "blackjack": lambda ranks: len(ranks) == 2 and total(ranks) == 21,
    "total": total,
    "hard_total": hard_total,
    "points": lambda ranks: hard_total(ranks) % 10,
    "cards": len,
    "natural": lambda ranks: len(ranks) == 2 and hard_total(ranks) % 10 > 7,
}
OF_SUITS: dict[str, Callable[[Suits], Any]] = {
    "suited": lambda suits: len(set(suits)) == 1,
    "same_color": lambda suits: len({COLORS[suit] for suit in suits}) == 1,
    "rainbow": lambda suits: len(set(suits)) == len(suits),
    "suit": lambda suits: KINDS[suits[0]],
    "color": lambda suits: KINDS[COLORS[suits[0]]],
}
LEADING = {"leading_reds": "dh", "leading_blacks": "cs"}
"""Numbers of cards of a color before the first card of the other, said of a dealer's hand in the order dealt."""
OF_SUITS |= {word: partial(leading, color) for word, color in LEADING.items()}
OF_BOTH: dict[str, Callable[[Cards], Any]] = {
    "straight_flush": lambda cards: asked("straight", cards) and asked("suited", cards),
    "royal_flush": lambda cards: asked("highest_straight", cards) and asked("suited", cards),
    "identical": lambda cards: len(set(cards)) == 1,
}
WORDS = (*OF_RANKS, *OF_SUITS, *OF_BOTH, *SIZES)
BY_WORTH = ("bust", "blackjack", "total", "hard_total", "points", "cards", "natural")
TELL_TENS_APART = {*OF_RANKS, *OF_BOTH, *SIZES}.difference(BY_WORTH)
ASK_FOR_SUITS = ("rainbow", "suit", "color")
OTHER_NAMES = {
    "flush": "suited",
    "trips": "three_of_a_kind",
    "quads": "four_of_a_kind",
    "same_colour": "same_color",
    "mini_royal": "royal_flush",
}
NUMBERS = ("top_pair", "total", "hard_total", "points", "high", "low", "rank", "suit", "color", *LEADING)
CALLS = ("count", "has", "all")

KINDS: dict[str, Any] = {f"{name}{suit}": frozenset({(rank, suit)}) for name, rank in RANKS.items() for suit in COLORS}
KINDS |= {suits: frozenset(product(range(2, 15), suits)) for suits in ("c", "d", "h", "s", "dh", "cs")}
KINDS |= dict(zip(("clubs", "diamonds", "hearts", "spades"), map(KINDS.get, "cdhs"), strict=True))
KINDS |= {
    "red": KINDS["dh"],
    "black": KINDS["cs"],
    "face": frozenset(product(TENS[1:], "cdhs")),
    "tens": frozenset(product(TENS, "cdhs")),
    "joker": JOKER_RANK,
}
CONSTANTS = {**RANKS, **KINDS, **{f"card_{name}": kind for name, kind in KINDS.items()}}


def asked(word: str, cards: Cards) -> Any:
    """Answer a word of the tables, or a list of ranks such as `ranks_7_7_7`: whether the cards have just these."""
    if word in BEST_SIZES:
        return best(cards, BEST_SIZES[word])
    if word in ANY_SIZES:
        return any_cards(cards, ANY_SIZES[word])
    if word != "cards" and (not cards or cards_with_a_joker(cards)):  # a card that was not drawn, or has no rank
        return NOTHING if word in NUMBERS else False
    if word in OF_SUITS:
        return OF_SUITS[word](tuple([suit for _, suit in cards]))
    if word in OF_BOTH:
        return OF_BOTH[word](cards)
    ranks = tuple([rank for rank, _ in cards])
    return OF_RANKS[word](ranks) if word in OF_RANKS else sorted(ranks) == listed_ranks(word)


def cards_with_a_joker(cards: Cards) -> bool:
    """Whether one of some cards has neither rank nor suit."""
    return any(map(is_joker, cards))


@lru_cache(maxsize=MOST_KNOWN)
def listed_ranks(word: str) -> list[int]:
    """Give the ranks of a list such as `ranks_A_K_Q`, lowest first."""
    return sorted([RANKS[name] for name in word.split("_")[1:]])


class Group:
    """Some cards of a hand, of which a rule asks words and calls: `player.suited`, `player.has(7, up.rank)`."""

    def __init__(self, held: Cards) -> None:
        self.held = held
        self.counts: dict[tuple[Any, ...], int] = {}

    def __getattr__(self, word: str) -> Any:
        answer = self.__dict__[word] = asked(word, self.held)
        return answer

    def count(self, *kinds: Any) -> int:
        """Count the cards that are of one of the kinds."""
        if kinds not in self.counts:
            self.counts[kinds] = sum([is_of(card, kinds) for card in self.held])
        return self.counts[kinds]

    def has(self, *kinds: Any) -> bool:
        """Whether a card is of one of the kinds."""
        return self.count(*kinds) > 0

    def all(self, *kinds: Any) -> bool:
        """Whether every card is of one of the kinds."""
        return 0 < self.count(*kinds) == len(self.held)


group = lru_cache(maxsize=MOST_KNOWN)(Group)  # the same cards are asked the same, whatever others have


def is_of(card: Card, kinds: Iterable[Any]) -> bool:
    """Whether a card is of one of some kinds: a rank, a set of cards, or the one card of another role.

    A joker has neither rank nor suit, so that it is like no card, not even like a joker.
    """
    for kind in kinds:  # any() takes twice the time, and this is asked most often
        if card[0] == kind if isinstance(kind, int) else card[0] and card in getattr(kind, "held", kind):
            return True
    return False


class Table(dict[str, Any]):
    """The hand on the table: what each word of a rule stands for, found out when it is first asked."""

    def __init__(self, hand: Cards, roles: dict[str, tuple[slice, ...]]) -> None:
        self.hand, self.roles = hand, roles

    def __missing__(self, word: str) -> Any:
        if word in self.roles:
            self[word] = group(sum([self.hand[part] for part in self.roles[word]], ()))
        elif word in CALLS:
            self[word] = getattr(Group(self.hand), word)
        else:
            self[word] = CONSTANTS[word] if word in CONSTANTS else asked(word, self.hand)
        return self[word]
