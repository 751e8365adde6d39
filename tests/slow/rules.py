"""A rule evaluated on one hand of real cards, word by word."""

from collections import Counter
from functools import lru_cache
from itertools import takewhile
from operator import eq, ge, gt, le, lt, ne

from combinat.language.rules import (
    And,
    CardCount,
    Literal,
    Not,
    NumberComparison,
    NumberWord,
    Or,
    Predicate,
    Ranks,
    SameAs,
    Sum,
)
from tests.slow.poker import best_is, some_are

SIGNS = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
LIKE = {
    "": lambda card, other: card == other,
    "rank": lambda card, other: card.rank == other.rank,
    "suit": lambda card, other: card.suit == other.suit,
    "color": lambda card, other: (_printed(card)[1] in "dh") == (_printed(other)[1] in "dh"),
}


def fits(fact, hand) -> bool:
    """Evaluate a rule's tree on the cards of a hand, listed by position."""
    return judge(fact)(hand)


def judge(fact):
    """Return a function that evaluates a rule's tree on hands; the tree is taken apart once."""
    match fact:
        case Predicate(word) if word.name in OF_THE_COUP:
            ahead_is = OF_THE_COUP[word.name]
            return lambda hand: ahead_is(_points(hand[:3]) - _points(hand[3:]))
        case Predicate(word, places) if word.best_size:
            return lambda hand: best_is(cards_at_positions(places, hand), word.name, word.best_size)
        case Predicate(word, places) if word.any_size:
            return lambda hand: some_are(cards_at_positions(places, hand), word.name, word.any_size)
        case Predicate(word, places):
            says = WORDS[word.name]
            return lambda hand: bool(cards := cards_at_positions(places, hand)) and says(cards)
        case Ranks(places, ranks):
            wanted = Counter(ranks)
            return lambda hand: Counter(int(card.rank) for card in cards_at_positions(places, hand)) == wanted
        case NumberComparison(sign, left, right):
            compare, one, other = SIGNS[sign], measure(left), measure(right)
            return lambda hand: None not in (values := (one(hand), other(hand))) and compare(*values)
        case Not(inner):
            judged = judge(inner)
            return lambda hand: not judged(hand)
        case And(facts):
            parts = [judge(part) for part in facts]
            return lambda hand: all(part(hand) for part in parts)
        case Or(facts):
            parts = [judge(part) for part in facts]
            return lambda hand: any(part(hand) for part in parts)
    raise TypeError(fact)


def cards_at_positions(places, hand) -> list:
    """Return the cards at some positions; the last position of a drawing dealer holds a list."""
    cards = []
    for place in places:
        if isinstance(card := hand[place], list):
            cards += card
        else:
            cards.append(card)
    return cards


@lru_cache(maxsize=None)
def _printed(card) -> tuple[str, str]:
    """Return rank and suit of a card."""
    return "T" if str(card)[:-1] == "10" else str(card)[:-1], str(card)[-1]


def measure(number):
    """Return a function that evaluates a number on hands; it is `None` for a missing card."""
    match number:
        case Literal(written):
            return lambda _: written
        case NumberWord(word) if word.name == "margin":
            return lambda hand: abs(_points(hand[:3]) - _points(hand[3:]))
        case NumberWord(word, places):
            says, is_always = MEASURES[word.name], word.name == "cards"
            return lambda hand: says(cards) if (cards := cards_at_positions(places, hand)) or is_always else None
        case CardCount(places, kinds):
            return lambda hand: sum(
                any(is_of(card, kind, hand) for kind in kinds) for card in cards_at_positions(places, hand)
            )
        case Sum(left, right, sign):
            one, other = measure(left), measure(right)
            return lambda hand: None if None in (values := (one(hand), other(hand))) else values[0] + sign * values[1]
    raise TypeError(number)


def is_of(card, kind, hand) -> bool:
    if isinstance(kind, SameAs):
        return any(LIKE[kind.aspect](card, other) for other in cards_at_positions((kind.position,), hand))
    return (kind.ranks is None or card.rank in kind.ranks) and (kind.suits is None or card.suit in kind.suits)


def _runs(cards) -> bool:
    # Every straight is a slice of A 2 3 ... K A, so the ace is at both ends.
    line = "A23456789TJQKA"
    letters = sorted([_printed(card)[0] for card in cards])
    return any(sorted(line[start : start + len(cards)]) == letters for start in range(len(line) - len(cards) + 1))


def _totals(cards) -> set[int]:
    totals = {0}
    for card in cards:
        worth = {1, 11} if card.rank == 14 else {min(int(card.rank), 10)}
        totals = {total + one for total in totals for one in worth}
    return totals


def _best(cards) -> int:
    good = [total for total in _totals(cards) if total <= 21]
    return max(good) if good else min(_totals(cards))


def _kinds(cards) -> list[int]:
    ranks = [card.rank for card in cards]
    return sorted([ranks.count(rank) for rank in set(ranks)])


def _suits(cards) -> set[str]:
    return {_printed(card)[1] for card in cards}


WORDS = {
    "suited": lambda cards: len(_suits(cards)) == 1,
    "flush": lambda cards: len(_suits(cards)) == 1,
    "same color": lambda cards: _suits(cards) <= {"d", "h"} or _suits(cards) <= {"c", "s"},
    "rainbow": lambda cards: len(_suits(cards)) == len(cards),
    "straight": _runs,
    "straight flush": lambda cards: _runs(cards) and len(_suits(cards)) == 1,
    "pair": lambda cards: _kinds(cards).count(2) == 1 and max(_kinds(cards)) == 2,
    "two pair": lambda cards: _kinds(cards).count(2) >= 2 and max(_kinds(cards)) == 2,
    "three of a kind": lambda cards: [many for many in _kinds(cards) if many > 1] == [3],
    "four of a kind": lambda cards: 4 in _kinds(cards),
    "royal flush": lambda cards: (
        len(_suits(cards)) == 1
        and sorted(int(card.rank) for card in cards) == [15 - n for n in range(len(cards), 0, -1)]
    ),
    "full house": lambda cards: _kinds(cards) == [2, 3],
    "five of a kind": lambda cards: 5 in _kinds(cards),
    "all ranks different": lambda cards: max(_kinds(cards)) == 1,
    "same rank": lambda cards: len(_kinds(cards)) == 1,
    "identical": lambda cards: len(set(cards)) == 1,
    "bust": lambda cards: min(_totals(cards)) > 21,
    "blackjack": lambda cards: len(cards) == 2 and 21 in _totals(cards),
    "natural": lambda cards: len(cards) == 2 and MEASURES["points"](cards) in (8, 9),
}
OF_THE_COUP = {
    "player wins": lambda ahead: ahead > 0,
    "banker wins": lambda ahead: ahead < 0,
    "tie": lambda ahead: ahead == 0,
}


def _leading(cards, suits) -> int:
    return len(list(takewhile(lambda card: _printed(card)[1] in suits, cards)))


def _points(places) -> int:
    return MEASURES["points"](cards_at_positions(range(len(places)), places))


MEASURES = {
    "cards": len,
    "rank": lambda cards: int(cards[0].rank),
    "high": lambda cards: max(int(card.rank) for card in cards),
    "low": lambda cards: min(int(card.rank) for card in cards),
    "top pair": lambda cards: max(
        [0, *(rank for rank, many in Counter(int(c.rank) for c in cards).items() if many > 1)]
    ),
    "total": _best,
    "hard total": lambda cards: min(_totals(cards)),
    "points": lambda cards: (
        sum({14: 1}.get(card.rank, int(card.rank) % 10 if card.rank < 10 else 0) for card in cards) % 10
    ),
    "leading reds": lambda cards: _leading(cards, "dh"),
    "leading blacks": lambda cards: _leading(cards, "cs"),
}
