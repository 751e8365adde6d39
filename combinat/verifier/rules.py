"""A rule as the sheet writes it, made an expression of Python in which nothing but the words of the rules can stand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from types import CodeType
from typing import Any

from combinat.verifier.cards import COLORS, RANKS
from combinat.verifier.poker import NUMBERS
from combinat.verifier.reading import UnreadableError, shown
from combinat.verifier.words import ASK_FOR_SUITS, CALLS, KINDS, OTHER_NAMES, TELL_TENS_APART, WORDS

MOST_CHARACTERS = 1000
MAX_DEPTH = 100
"""How deeply a rule may be nested."""
FACTS = (ast.BoolOp, ast.Compare, ast.Call, ast.Name, ast.Attribute)
"""What can answer yes or no, beside `not`."""
NOTHING_ELSE: dict[str, Any] = {"__builtins__": {}}  # what a rule may use of Python
NO_FACT = "a rule does not answer yes or no: compare numbers, and join facts by 'and' or 'or'"
# The roles and cards a word is said of, unless they are any cards: a word about these stays one question.
PREFIX = r"(?<![\w.])((?:(?!any_)\w+\.)*)"
JOINED = ("and", "or", "not", "in")
NUMBERED = {str(size): number for number, size in NUMBERS.items()}  # best 5 is best five
PHRASES = sorted([word for word in (*WORDS, *OTHER_NAMES) if "_" in word], key=len, reverse=True)


RANK_LIST = r"(?<!\w)\w+(?:-\w+)+"
SOME_TENS = {name + suit for name in ("10", "T", "J", "Q", "K") for suit in ("", *COLORS)} | {"face"}


class Rule:
    """A rule as an expression of Python, and what it asks for; it is refused if it has a word of no table."""

    def __init__(
        self,
        text: str,
        roles: Iterable[str],
        own: Iterable[str] = (),
        other_names: dict[str, str] | None = None,
        most: int = MOST_CHARACTERS,
        *,
        is_number: bool = False,
    ) -> None:
        self.text = shown(text)
        source = in_single_words(text[: most + 1], own, OTHER_NAMES | (other_names or {}))
        self.words = set(re.findall(r"\w+", source))
        self.refuse_unknown_words([*roles, *own])
        self.refuse_unknown_ranks(source)
        self.source = in_python(source)
        self.code = self.compiled(is_too_long=len(text) > most, is_number=is_number)
        self.names_role = not self.words.isdisjoint(roles)
        self.asks_for_suits = not self.words.isdisjoint({*ASK_FOR_SUITS, *KINDS} - {"face", "tens", "joker"})
        self.tells_tens_apart = (
            not self.words.isdisjoint(TELL_TENS_APART)
            or not cards_named(source).isdisjoint(SOME_TENS)
            or has_role_as_card(source, roles)
        )
        # Whether the dealer is asked for nothing but a blackjack, and no word is said of all cards together.
        rest = self.source.replace("dealer.blackjack", "1")
        of_all = re.search(rf"(?<![\w.])({'|'.join([*WORDS, *CALLS])}|ranks_\w+|up|hole|dealer)\b", rest)
        self.asks_for_blackjack_only = not of_all

    def refuse_unknown_words(self, roles: Iterable[str]) -> None:
        """Refuse a word that is of no table, no role and no small number."""
        known = {*WORDS, *RANKS, *KINDS, *CALLS, *roles, *JOINED}
        for word in sorted(self.words - known):
            if not re.fullmatch(r"[0-9]{1,4}", word):
                raise UnreadableError(f"no word '{shown(word)}' in the rule '{self.text}'")

    def refuse_unknown_ranks(self, source: str) -> None:
        """Refuse a list joined by hyphens that names anything but ranks, such as `A-1`."""
        for names in re.findall(RANK_LIST, source):
            if not set(names.split("-")) <= set(RANKS):
                raise UnreadableError(f"no list of ranks '{shown(names)}' in the rule '{self.text}'")

    def compiled(self, is_too_long: bool, is_number: bool) -> CodeType:
        """Compile it, unless it has another character than words, comparisons and lists are made of."""
        # Character by character: there is one way only to read a word, and no other is tried if something is wrong.
        is_plain = re.fullmatch(r"(\w|[=!<>]=|[-+<>(),. ])*", self.source, re.ASCII)
        has_decimal = re.search(r"\b\d+\.", self.source)
        try:
            tree = ast.parse("?" if is_too_long or has_decimal or not is_plain else self.source, "rule", "eval")
            # Checked before compiling, which warns of `5()` and fails on deep nesting.
            code = compile(tree, "rule", "eval") if is_sound(tree) else None
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            code = None
        if code is None:
            raise UnreadableError(f"something is wrong in the rule '{self.text}'")
        if not is_number and not is_fact(tree.body):
            raise UnreadableError(NO_FACT)
        return code


def is_fact(node: ast.expr) -> bool:
    """Return whether an expression can answer yes or no."""
    return isinstance(node, FACTS) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def is_sound(tree: ast.Expression) -> bool:
    """Return whether an expression is not nested too deeply and calls nothing but the calls of the rules."""
    nodes: list[tuple[ast.AST, int]] = [(tree, 0)]
    while nodes:
        node, depth = nodes.pop()
        if depth > MAX_DEPTH or (isinstance(node, ast.Call) and not is_known_call(node)):
            return False
        nodes += [(child, depth + 1) for child in ast.iter_child_nodes(node)]
    return True


def is_known_call(call: ast.Call) -> bool:
    """Return whether a call is one of the rules: `count(7)` or `player.count(7)`, without named arguments."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in CALLS and not call.keywords


def in_single_words(text: str, own: Iterable[str] = (), other_names: dict[str, str] = OTHER_NAMES) -> str:
    """Join the words of a phrase and use one name for each thing.

    >>> in_single_words("hard total > 13 and  flush")
    'hard_total > 13 and suited'
    """
    source = " ".join(text.translate(str.maketrans("♣♦♥♠", "cdhs")).split())
    source = re.sub(r"\b(best|any)[ _]([3-7])\b", lambda found: f"{found[1]}_{NUMBERED[found[2]]}", source)
    for phrase in [*[word for word in (*own, *other_names) if "_" in word], *PHRASES]:
        source = re.sub(rf"\b{phrase.replace('_', '[ _]')}\b", phrase, source)
    return re.sub(r"\w+", lambda found: other_names.get(found[0], found[0]), source)


def cards_named(source: str) -> set[str]:
    """The words that stand for cards: in lists of ranks, and of what is counted; elsewhere a rank is a number.

    >>> sorted(cards_named("cards == 10 or count(J, Q) == 1 or 7-K and total in (K, 20)"))
    ['7', 'J', 'K', 'Q']
    """
    listed = re.findall(rf"\b(?:{'|'.join(CALLS)}) ?\(([^()]*)|(?<!\w)(\w+(?:-\w+)+)", source)
    return set(re.findall(r"\w+", str(listed)))


def has_role_as_card(source: str, roles: Iterable[str]) -> bool:
    """Whether a rule looks for cards like that of a role, in rank and suit.

    >>> has_role_as_card("player.has(up)", ["up"]), has_role_as_card("player.has(up.suit)", ["up"])
    (True, False)
    """
    return re.search(rf"[(,] ?({'|'.join(roles)})\b(?!\.)", source) is not None


def in_python(source: str) -> str:
    """Give lists of ranks and single cards names that Python can read, and take zeros from the front of numbers.

    >>> in_python("player.A-K and total in (19) or has(10h)")
    'player.ranks_A_K and total in (19,) or has(card_10h)'
    >>> in_python("player.straight_flush or identical")
    '(player.straight and player.suited) or (same_rank and suited)'
    >>> in_python("any_five.straight_flush")  # a straight and a flush of the same five cards
    'any_five.straight_flush'
    """
    source = re.sub(rf"{PREFIX}straight_flush\b", r"(\1straight and \1suited)", source)
    source = re.sub(rf"{PREFIX}royal_flush\b", r"(\1highest_straight and \1suited)", source)
    source = re.sub(rf"{PREFIX}identical\b", r"(\1same_rank and \1suited)", source)
    source = re.sub(RANK_LIST, lambda found: f"ranks_{found[0].replace('-', '_')}", source)
    source = re.sub(r"\b(10|[2-9TJQKA])([cdhs])\b", r"card_\1\2", source)
    return with_lists(re.sub(r"\b0+(?=[0-9])", "", source))


def with_lists(source: str) -> str:
    """Put a comma at the end of every list behind 'in', since a list of one is a list too."""
    ends = []
    for start in re.finditer(r"\bin ?\(", source):
        depth, end = 1, start.end()
        while depth and end < len(source):
            depth += {"(": 1, ")": -1}.get(source[end], 0)
            end += 1
        ends.append(end - 1)
    for end in sorted(ends, reverse=True):
        source = f"{source[:end]},{source[end:]}"
    return source
