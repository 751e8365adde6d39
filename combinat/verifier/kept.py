"""Which traits of a hand must be kept in mind for the questions of some rules, and of which roles' cards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from combinat.verifier.cards import COLORS, Shoe
from combinat.verifier.poker import ANY_SIZES, BEST_SIZES, TIMES
from combinat.verifier.seen import questions
from combinat.verifier.traits import (
    Ends,
    EqualRanks,
    Exactly,
    Number,
    OfSuit,
    OneRun,
    OneSuit,
    Run,
    SameAs,
    Sum,
    TheseRanks,
    TopPair,
    Trait,
)
from combinat.verifier.words import CONSTANTS, listed_ranks

ALL = ""  # what stands for the cards of all roles together
MOST_CARDS = 7
NAMES = dict(zip(COLORS, ("clubs", "spades", "diamonds", "hearts"), strict=True))
TRAITS = {
    **dict.fromkeys(("pair", "two_pair", "three_of_a_kind", "four_of_a_kind", "full_house"), EqualRanks),
    **dict.fromkeys(("five_of_a_kind", "all_ranks_different", "same_rank"), EqualRanks),
    **dict.fromkeys(("straight", "highest_straight"), OneRun),
    **dict.fromkeys(("high", "low", "rank"), Ends),
    **dict.fromkeys(("bust", "blackjack", "total", "hard_total", "points", "natural"), Sum),
    "top_pair": TopPair,
}
OF_SUITS = {"suited": 0, "same_color": 0, "rainbow": 1, "suit": 0, "color": 0}
"""From how many cards of one suit on one more does not matter."""


class Need(NamedTuple):
    """What must be kept of the cards of a role, or of all."""

    group: str
    trait: type[Trait]
    detail: Any = None
    other: str = ALL
    """The role with whose one card they are compared."""

    @property
    def suits(self) -> str:
        """The suits for each of which it is kept by itself; none if it is kept of all cards together."""
        if self.trait in (OfSuit, OneSuit):
            return "".join(COLORS)
        if self.trait is not Number or self.detail[2] or any(isinstance(kind, int) for kind in self.detail[0]):
            return ""
        named = {suit for kind in self.detail[0] for _, suit in kind}
        return named.pop() if len(named) == 1 else ""

    @property
    def form(self) -> str:
        """What is kept, whichever suit it is kept for."""
        if len(self.suits) != 1:
            return str(self)
        return str((self.group, self.detail[1:], sorted([rank for kind in self.detail[0] for rank, _ in kind])))

    def start(self, jokers: int, shoe: Shoe) -> Trait:
        """Begin with so many jokers among the cards."""
        if issubclass(self.trait, Run):
            return self.trait(self.detail, jokers, shoe.ranks)
        if self.trait is EqualRanks:
            return EqualRanks(jokers if shoe.joker_is_ace else 0)
        if self.trait is Number:
            return Number(*self.detail[:2], is_other=self.detail[2])
        if self.trait is SameAs:
            return SameAs(in_rank=self.detail)
        return self.trait() if self.detail is None else self.trait(self.detail)  # type: ignore[call-arg]


def needs_of(sources: Iterable[str], roles: Iterable[str]) -> list[Need]:
    """List what must be kept so that rules can be answered.

    >>> [(need.group, need.trait.__name__) for need in needs_of(["player.pair and suited"], ["player"])]
    [('player', 'EqualRanks'), ('', 'OfSuit')]
    """
    every = dict.fromkeys([one for source in sources for one in questions(source)])
    trees = [ast.parse(question, mode="eval").body for question in every]
    return list(dict.fromkeys([need for tree in trees for need in of_part(tree, set(roles), compared(tree))]))


def compared(tree: ast.expr) -> tuple[int, ...] | None:
    """The numbers with which one count is compared; nothing if it is compared with something else.

    >>> compared(ast.parse("1 <= count(7) < 3", mode="eval").body)
    (1, 3)
    """
    if not isinstance(tree, ast.Compare):
        return None
    sides = [one for side in (tree.left, *tree.comparators) for one in getattr(side, "elts", [side])]
    numbers = [int(str(side.value)) for side in sides if isinstance(side, ast.Constant)]
    is_one_count = [isinstance(side, ast.Call) for side in sides if not isinstance(side, ast.Constant)] == [True]
    return tuple(numbers) if is_one_count else None


def of_part(node: ast.AST, roles: set[str], numbers: tuple[int, ...] | None) -> Iterator[Need]:
    """List what must be kept for a part of a question."""
    if isinstance(node, ast.Call):
        yield from of_call(node, roles, numbers)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        first, *rest = ast.unparse(node).split(".")  # a role's word, or the best cards and what they make
        group, words = (first, rest) if first in roles else (ALL, [first, *rest])
        yield from of_any_cards(group, *words) if words[0] in ANY_SIZES else of_word(group, words[0])
    else:
        for part in ast.iter_child_nodes(node):
            yield from of_part(part, roles, numbers)


def of_word(group: str, word: str) -> Iterator[Need]:
    """List what must be kept for a word; for a number of the rules nothing."""
    if word in BEST_SIZES:
        size = BEST_SIZES[word]
        yield from (Need(group, EqualRanks), Need(group, Run, size), Need(group, OneSuit, size))
    elif word in TRAITS:
        yield Need(group, TRAITS[word])
    elif word in OF_SUITS:
        yield Need(group, OfSuit, OF_SUITS[word])
    elif word.startswith("ranks_"):
        yield Need(group, TheseRanks, tuple(listed_ranks(word)))


def of_any_cards(group: str, size: str, word: str = "") -> Iterator[Need]:
    """List what must be kept for a hand that any of the cards may make."""
    if word in TIMES:
        yield Need(group, EqualRanks)
    elif word == "straight":
        yield Need(group, Run, ANY_SIZES[size])
    else:
        yield Need(group, OneSuit, ANY_SIZES[size])


def of_call(node: ast.Call, roles: set[str], numbers: tuple[int, ...] | None) -> Iterator[Need]:
    """List what must be kept for a count of cards of some kinds, one of which may be another role's card."""
    group, _, word = f".{ast.unparse(node.func)}".lstrip(".").rpartition(".")
    kinds = [ast.unparse(kind).split(".") for kind in node.args]
    others = [kind[0] for kind in kinds if kind[0] in roles]
    if len(others) == len(kinds) == 1:
        yield from of_another_card(group, *kinds[0])
    elif others:  # a card can be of two such kinds, so nothing less than the cards will do
        yield from [Need(one, Exactly) for one in (group, *others)]
    else:
        cards = tuple([CONSTANTS[kind[0]] if kind[0] in CONSTANTS else int(kind[0]) for kind in kinds])
        yield Need(group, Number, (cards, numbers if word == "count" else (0,), word == "all"))


def of_another_card(group: str, other: str, word: str = "") -> Iterator[Need]:
    """List what must be kept for a count of cards that are like another role's card, or have its rank or suit."""
    if word in ("suit", "color"):
        yield from (Need(group, OfSuit, MOST_CARDS), Need(other, OfSuit, 0))
    else:
        yield Need(group, SameAs, word == "rank", other)


def suits_alike(sources: list[str], suits: tuple[str, ...]) -> list[list[str]]:
    """Put suits together that may change places in all rules without a difference.

    >>> suits_alike(["has(hearts) and suited"], ("c", "d", "h")), suits_alike(["has(hearts) or has(clubs)"], ("c", "h"))
    ([['c', 'd'], ['h']], [['c', 'h']])
    """
    trees = [ast.parse(source, mode="eval").body for source in sources]
    written = [said(tree, {}) for tree in trees]
    asks_for_color = any(word in {"same_color", "color", "red", "black"} for word in re.findall(r"\w+", str(sources)))
    found: list[list[str]] = []
    for suit in suits:
        for others in found:
            swapped = {NAMES[suit]: NAMES[others[0]], NAMES[others[0]]: NAMES[suit], suit: others[0], others[0]: suit}
            is_seen = asks_for_color and COLORS[suit] != COLORS[others[0]]
            if not is_seen and [said(tree, swapped) for tree in trees] == written:
                others.append(suit)
                break
        else:
            found.append([suit])
    return found


def said(node: ast.AST, swapped: dict[str, str]) -> str:
    """Write a rule with some suits in each other's place, whatever order its parts are in."""
    if isinstance(node, ast.Name):
        name = swapped.get(node.id, node.id)
        is_card = node.id.startswith("card_")
        return f"{node.id[:-1]}{swapped.get(node.id[-1], node.id[-1])}" if is_card else name
    parts = [said(part, swapped) for part in ast.iter_child_nodes(node)]
    if isinstance(node, ast.BoolOp):
        parts.sort()
    elif isinstance(node, ast.Call):
        parts[1:] = sorted(parts[1:])
    own = getattr(node, "attr", getattr(node, "value", "") if isinstance(node, ast.Constant) else "")
    return f"{type(node).__name__}({own}; {', '.join(parts)})"
