"""What rules see of a hand: the answers to their questions, most of which ranks alone or suits alone decide."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any

from combinat.verifier.cards import WORTH, Cards
from combinat.verifier.poker import SIZES
from combinat.verifier.rules import NOTHING_ELSE
from combinat.verifier.words import CALLS, CONSTANTS, KINDS, MOST_KNOWN, OF_BOTH, OF_SUITS, Table

SUITS = {"clubs", "diamonds", "hearts", "spades", "red", "black"}
OF_CARDS = {*OF_BOTH, *KINDS, *[f"card_{kind}" for kind in KINDS]} - SUITS - {"face", "tens"}


class Seen:
    """The questions of some rules, put to the ranks and the suits of a hand once for all hands with the same."""

    def __init__(self, sources: Iterable[str], roles: dict[str, tuple[slice, ...]]) -> None:
        self.roles = roles
        by: dict[str, list[str]] = {"ranks": [], "suits": [], "cards": []}
        for question in dict.fromkeys([one for source in sources for one in questions(source)]):
            by[decided_by(question, roles)].append(question)
        self.of_ranks, self.of_suits, self.of_cards = [together(questions) for questions in by.values()]
        named = [ranks_named(question, roles) for question in by["cards"]]
        self.named = None if None in named else {rank for ranks in named if ranks is not None for rank in ranks}
        """The ranks that questions about cards tell from others; nothing if they may tell all of them apart."""
        self.known: dict[tuple[object, ...], Any] = {}

    def of(self, hand: Cards) -> tuple[object, ...]:
        """Give the answers to all questions."""
        by_both = self.by_ranks(hand), self.by_suits(hand)
        return by_both if self.of_cards is None else (*by_both, self.answers(self.of_cards, hand, hand))

    def by_ranks(self, hand: Cards) -> object:
        """Give the answers to the questions that ranks decide."""
        return self.once(self.of_ranks, hand, tuple([rank for rank, _ in hand]))

    def by_suits(self, hand: Cards) -> object:
        """Give the answers to the questions that suits decide."""
        return self.once(self.of_suits, hand, tuple([suit for _, suit in hand]))

    def once(self, code: CodeType | None, hand: Cards, decides: tuple[object, ...]) -> object:
        """Answer some questions, once for all hands that have the same of what decides them."""
        if decides not in self.known:
            if len(self.known) > MOST_KNOWN:
                self.known.clear()
            self.known[decides] = self.answers(code, hand, decides)
        return self.known[decides]

    def answers(self, code: CodeType | None, hand: Cards, itself: object) -> Any:
        """Answer some questions; what cannot be answered makes the hand one of its own."""
        if code is None:
            return ()
        try:
            return eval(code, NOTHING_ELSE, Table(hand, self.roles))  # noqa: S307  # as safe as the rule itself
        except (TypeError, AttributeError, LookupError, NameError):
            return itself


def questions(source: str) -> Iterator[str]:
    """Take a rule apart where its questions are joined.

    >>> list(questions("straight and not (suited or player.has(7))"))
    ['straight', 'suited', 'player.has(7)']
    """

    def parts(node: ast.expr) -> Iterator[ast.expr]:
        if isinstance(node, ast.BoolOp):
            for one in node.values:
                yield from parts(one)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield from parts(node.operand)
        else:
            yield node

    yield from map(ast.unparse, parts(ast.parse(source, mode="eval").body))


def decided_by(question: str, roles: Iterable[str]) -> str:
    """Say what of a hand decides a question: ranks alone, suits alone, or, if in doubt, its cards.

    >>> decided_by("player.has(7)", ["player"]), decided_by("suited", []), decided_by("has(card_7d)", [])
    ('ranks', 'suits', 'cards')
    """
    nodes = list(ast.walk(ast.parse(question, mode="eval")))
    if any(name in SIZES for node in nodes for name in (getattr(node, "id", ""), getattr(node, "attr", ""))):
        return "cards"  # the best cards are chosen by ranks and suits
    asked_of = [node.value for node in nodes if isinstance(node, ast.Attribute)]
    named = [node for node in nodes if isinstance(node, ast.Name) and node not in asked_of]
    words = {node.id for node in named} | {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    words -= set(CALLS)
    if not words.isdisjoint({*OF_CARDS, *roles}):  # a role by itself is its card
        return "cards"
    if words.isdisjoint({*OF_SUITS, *SUITS}):
        return "ranks"
    arguments = [one for node in nodes if isinstance(node, ast.Call) for one in node.args]
    has_rank = any(isinstance(one, ast.Constant) for one in arguments)
    return "suits" if words <= {*OF_SUITS, *SUITS} and not has_rank else "cards"


def ranks_named(question: str, roles: Iterable[str]) -> set[int] | None:
    """Give the ranks of the cards that a question counts; nothing if it asks for anything but numbers of cards.

    Whether a card is like that of another role, or has its rank, does not depend on which rank that is.

    >>> ranks_named("player.has(card_7d, up.rank)", ["player", "up"]), ranks_named("best_five.pair", [])
    ({7}, None)
    """
    found: set[int] = set()
    tree = ast.parse(question, mode="eval").body
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    counted = [node for call in calls for part in (call.func, *call.args) for node in ast.walk(part)]
    if any(isinstance(node, (ast.Name, ast.Attribute)) and node not in counted for node in ast.walk(tree)):
        return None
    for kind in [ast.unparse(kind) for call in calls for kind in call.args]:
        if kind.isdecimal():
            found.add(int(kind))
        elif kind.split(".")[0] not in roles:
            cards = CONSTANTS[kind]
            ranks = {cards} if isinstance(cards, int) else {rank for rank, _ in cards}
            found |= ranks if len(ranks) < len(WORTH) else set()
    return found


def together(questions: list[str]) -> CodeType | None:
    """Make one expression of some questions."""
    return compile(f"({', '.join(questions)},)", "questions", "eval") if questions else None
