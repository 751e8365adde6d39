"""The rule language: a rule's text becomes a Python expression, which is checked node by node and never executed.

Grammar: `and`, `or`, `not`, parentheses, comparisons of numbers (also `in (4, 5)`), sums and differences of numbers,
words about cards (`suited`, `player.pair`), lists of ranks (`A-K-Q`: exactly these), and the calls `count(...)`,
`has(...)` (at least one) and `all(...)` of kinds of cards: `7`, `7d`, `hearts`, `red`, `face`, `tens`, `up`, `up.rank`,
`up.suit`, `up.color`. `best five.flush` asks for the best five cards, `any five.flush` whether any five alone are one.

A word is said of the cards of a role, or of all cards. Of cards that are not there no word holds, and no comparison
with a number of theirs. Each condition (`Atom`) knows whether it looks at ranks only, at suits only, or at both.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from operator import eq, ge, gt, le, lt, ne
from typing import Any, NamedTuple

from combinat.verifier.poker import (
    ACE,
    NUMBER_WORDS,
    ORDER,
    REPEATS,
    Jokers,
    highest,
    made_by_ranks,
    made_by_suit,
    name_matches,
    some_have_repeats,
    straight_name,
)
from combinat.verifier.sheet import SheetError, show

RANKS = {**{str(rank): rank for rank in range(2, 11)}, "T": 10, "J": 11, "Q": 12, "K": 13, "A": 14}
SUITS = "cdhs"
TENS = (10, 11, 12, 13)
WORTH = {0: 0, **{rank: min(rank, 10) for rank in range(2, 14)}, ACE: 1}
JOKER = 0
MAX_LENGTH, MAX_NESTING = 5_000, 100
NO_JOKERS = Jokers()
ALL = ""  # the role of all cards together

# Words about ranks


def hard_total(ranks: tuple[int, ...]) -> int:
    """Return the blackjack total with every ace as 1."""
    return sum([WORTH[rank] for rank in ranks])


def total(ranks: tuple[int, ...]) -> int:
    """Return the blackjack total with one ace as 11 if that does not bust."""
    hard = hard_total(ranks)
    return hard + 10 if ACE in ranks and hard <= 11 else hard


def repeats(ranks: tuple[int, ...]) -> list[int]:
    """Return how often the most frequent rank occurs, and the next one."""
    return sorted(Counter(ranks).values(), reverse=True)[:2]


def is_straight(ranks: tuple[int, ...]) -> bool:
    """Return whether the ranks are in a row."""
    return len(set(ranks)) == len(ranks) and bool(straight_name(len(ranks), set(ranks), Jokers()))


RANK_FACTS: dict[str, Callable[[tuple[int, ...]], bool]] = {
    "straight": is_straight,
    "pair": lambda ranks: repeats(ranks) in ([2], [2, 1]),
    "two_pair": lambda ranks: repeats(ranks) == [2, 2],
    "three_of_a_kind": lambda ranks: repeats(ranks) in ([3], [3, 1]),
    "four_of_a_kind": lambda ranks: repeats(ranks)[0] == 4,
    "full_house": lambda ranks: repeats(ranks) == [3, 2] and len(ranks) == 5,
    "five_of_a_kind": lambda ranks: repeats(ranks)[0] == 5,
    "all_ranks_different": lambda ranks: repeats(ranks)[0] == 1,
    "same_rank": lambda ranks: len(set(ranks)) == 1,
    "royal": lambda ranks: len(ranks) > 2 and sorted(ranks) == list(range(ACE + 1 - len(ranks), ACE + 1)),
    "bust": lambda ranks: hard_total(ranks) > 21,
    "blackjack": lambda ranks: len(ranks) == 2 and total(ranks) == 21,
    "natural": lambda ranks: len(ranks) == 2 and hard_total(ranks) % 10 > 7,
}
RANK_NUMBERS: dict[str, Callable[[tuple[int, ...]], int]] = {
    "total": total,
    "hard_total": hard_total,
    "points": lambda ranks: hard_total(ranks) % 10,
    "high": max,
    "low": min,
    "rank": lambda ranks: ranks[0],
    "top_pair": lambda ranks: max([rank for rank in ranks if ranks.count(rank) > 1], default=0),
}
BY_WORTH = {"bust", "blackjack", "natural", "total", "hard_total", "points", "cards"}
"""Words to which tens and faces are alike."""
COLOR = {"c": "black", "s": "black", "d": "red", "h": "red"}
SUIT_FACTS: dict[str, Callable[[tuple[str, ...]], bool]] = {
    "suited": lambda suits: len(set(suits)) == 1,
    "same_color": lambda suits: len({COLOR[suit] for suit in suits}) == 1,
    "rainbow": lambda suits: len(set(suits)) == len(suits),
}


def leading(color: str) -> Callable[[tuple[str, ...]], int]:
    """Return a function that counts the cards of a color before the first card of the other color."""
    return lambda suits: next((index for index, suit in enumerate(suits) if COLOR[suit] != color), len(suits))


SUIT_NUMBERS = {"leading_reds": leading("red"), "leading_blacks": leading("black")}
COUP_FACTS = {"player_wins": gt, "banker_wins": lt, "tie": eq}
SYNONYMS = {
    "flush": "suited",
    "trips": "three_of_a_kind",
    "quads": "four_of_a_kind",
    "same_colour": "same_color",
    "mini_royal": "royal_flush",
    "player_win": "player_wins",
    "banker_win": "banker_wins",
}
COMPOUND = {
    "straight_flush": ("straight", "suited"),
    "royal_flush": ("royal", "suited"),
    "identical": ("same_rank", "suited"),
}
PHRASES = sorted(
    {*RANK_FACTS, *RANK_NUMBERS, *SUIT_FACTS, *SUIT_NUMBERS, *COUP_FACTS, *SYNONYMS, *COMPOUND, "units_won"}
    | {"units_lost", "lucky_nine"},
    key=len,
    reverse=True,
)
SUIT_KINDS = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s", "red": "dh", "black": "cs"}
COMPARISONS = {ast.Eq: eq, ast.NotEq: ne, ast.Lt: lt, ast.LtE: le, ast.Gt: gt, ast.GtE: ge}

# Hands


class Row:
    """The ranks, or the suits, of a hand by role, with the answers that depend on nothing else."""

    __slots__ = ("answers", "by_role")

    def __init__(self, values: Iterable[Any], positions: Mapping[str, Iterable[int]]) -> None:
        listed = list(values)
        self.by_role = {
            role: tuple([listed[index] for index in indices if index < len(listed) and listed[index] is not None])
            for role, indices in positions.items()
        }
        self.answers: dict[Any, Any] = {}


Test = Callable[[Row, Row], Any]
Decide = Callable[[list[bool | None]], bool | None]


class Value(NamedTuple):
    """A compiled part of a rule: how it is evaluated, and what it looks at."""

    evaluate: Test
    looks_at: frozenset[str]
    """"ranks", "suits", both for single cards; nothing for a number."""
    tells_tens_apart: bool = False
    named_ranks: frozenset[int] | None = frozenset()
    """For conditions on single cards: the ranks that it names; `None` if it may tell all ranks apart."""
    named_suits: frozenset[str] = frozenset()
    needs_best: bool = False


class Atom(NamedTuple):
    """A condition of a rule without `and`, `or` and `not`."""

    text: str
    value: Value
    roles: frozenset[str]

    @property
    def kind(self) -> str:
        """What it looks at: "ranks", "suits" or "cards"."""
        return "cards" if len(self.value.looks_at) > 1 else next(iter(self.value.looks_at), "ranks")


class Rule:
    """A rule that hands are tested with."""

    def __init__(self, text: str, roles: Iterable[str], *, jokers: Jokers = NO_JOKERS, is_number: bool = False) -> None:
        self.text, self.roles, self.jokers = text, frozenset(roles), jokers
        self.atoms: list[Atom] = []
        self.named_roles: set[str] = set()
        if len(text) > MAX_LENGTH:
            raise SheetError(f"the rule '{show(text)}' is too long")
        try:
            tree = ast.parse(to_python(text), "rule", "eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise self.error("it cannot be parsed") from None
        self.test: Test
        self.decide: Decide = lambda _answers: None
        """The rule from the answers to its atoms, of which some may be unknown (`None`)."""
        if is_number:
            self.test = self.number(tree, 0).evaluate
        else:
            self.test, self.decide = self.fact(tree, 0)

    def error(self, why: str) -> SheetError:
        """Return the error of a rule that cannot be read."""
        return SheetError(f"the rule '{show(self.text)}' cannot be read: {why}")

    # Facts

    def fact(self, node: ast.expr, depth: int) -> tuple[Test, Decide]:
        """Compile a condition that is true or false: how hands are tested, and how answers to atoms decide it."""
        if depth > MAX_NESTING:
            raise self.error("it is nested too deeply")
        if isinstance(node, ast.BoolOp):
            operands = [self.fact(operand, depth + 1) for operand in node.values]
            tests, rules = [test for test, _ in operands], [decide for _, decide in operands]
            if isinstance(node.op, ast.And):
                return lambda ranks, suits: all(test(ranks, suits) for test in tests), _all_of(rules)
            return lambda ranks, suits: any(test(ranks, suits) for test in tests), any_of(rules)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner, decides = self.fact(node.operand, depth + 1)
            return lambda ranks, suits: not inner(ranks, suits), none_of(decides)
        roles_before, self.named_roles = self.named_roles, set()
        parsed = self.comparison(node) if isinstance(node, ast.Compare) else self.predicate(node)
        values = [parsed] if isinstance(parsed, Value) else list(parsed)  # a straight flush is two conditions
        rules = []
        for value in values:
            rules.append(answer_of(len(self.atoms)))
            self.atoms.append(Atom(ast.unparse(node), value, frozenset(self.named_roles)))
        self.named_roles |= roles_before
        if len(values) == 1:
            return values[0].evaluate, rules[0]
        tests = [value.evaluate for value in values]
        return lambda ranks, suits: all(test(ranks, suits) for test in tests), _all_of(rules)

    def comparison(self, node: ast.Compare) -> Value:
        """Compile a chain of comparisons of numbers; a number of missing cards compares false."""
        values, tests = [self.number(node.left, 0)], list[Callable[[Any, Any], bool]]()
        for sign, side in zip(node.ops, node.comparators, strict=True):
            if isinstance(sign, ast.In) and isinstance(side, ast.Tuple):
                options = [self.number(option, 0) for option in side.elts]
                values.append(joined(options, lambda numbers: tuple(numbers)))
                tests.append(lambda left_side, right: left_side in right)
            elif isinstance(sign, ast.In):
                values.append(self.number(side, 0))
                tests.append(eq)
            elif type(sign) in COMPARISONS:
                values.append(self.number(side, 0))
                tests.append(COMPARISONS[type(sign)])
            else:
                raise self.error("it has an unknown comparison")

        def holds(numbers: list[Any]) -> bool:
            if None in numbers:
                return False
            return all(test(*pair) for test, pair in zip(tests, pairwise(numbers), strict=True))

        return joined(values, holds)

    def predicate(self, node: ast.expr) -> Any:
        """Compile a word about cards, or `has(...)` and `all(...)`."""
        if isinstance(node, ast.Call):
            return self.call(node, is_fact=True)
        role, words = self.split(node)
        word = words[0]
        if len(words) == 2:
            return self.best(role, word, words[1])
        if len(words) > 2:
            raise self.error(f"{show(ast.unparse(node))} is not a word")
        if word in COMPOUND:
            return tuple([self.word(role, operand) for operand in COMPOUND[word]])
        if word in COUP_FACTS and role == ALL and "banker" in self.roles:
            compare = COUP_FACTS[word]
            return self.coup(lambda margin: compare(margin, 0))
        return self.word(role, word)

    def word(self, role: str, word: str) -> Value:
        """Compile a word about ranks or about suits."""
        if word.startswith("ranks_"):
            target_ranks = sorted([RANKS[name] for name in word.split("_")[1:]])
            return of_ranks(
                role, word, lambda ranks: sorted(ranks) == target_ranks, not set(target_ranks).isdisjoint(TENS)
            )
        if word in RANK_FACTS:
            return of_ranks(role, word, RANK_FACTS[word], word not in BY_WORTH)
        if word in SUIT_FACTS:
            return of_suits(role, word, SUIT_FACTS[word])
        raise self.error(f"'{show(word)}' is not a word that is true or false")

    def coup(self, holds: Callable[[int], Any]) -> Value:
        """Compile a word about the points of player and banker."""

        def test(ranks: Row, _suits: Row) -> Any:
            return holds(hard_total(ranks.by_role["player"]) % 10 - hard_total(ranks.by_role["banker"]) % 10)

        return Value(test, frozenset({"ranks"}))

    def best(self, role: str, cards: str, word: str) -> Value:
        """Compile what the best cards, or any cards, of a hand make."""
        which, _, number = cards.partition("_")
        if which not in ("best", "any") or number not in NUMBER_WORDS:
            raise self.error(f"'{show(cards)}' is not a choice of cards")
        size, jokers = NUMBER_WORDS[number], self.jokers
        name = {"suited": "flush", "royal": "royal flush"}.get(word, word.replace("_", " "))
        if name not in (*ORDER[size], *REPEATS) or name == "nothing":
            raise self.error(f"'{show(word)}' is not a poker hand of {size} cards")

        def made(ranks: Row, suits: Row) -> tuple[str, list[str], Jokers, tuple[int, ...]]:
            """Return the best hand, the hands of each suit, the jokers and the other ranks; once for each hand."""
            last = ranks.answers.get((role, cards))
            if last is not None and last[0] is suits:
                return last[1]  # type: ignore[no-any-return]
            plain = tuple([rank for rank in ranks.by_role[role] if rank != JOKER])
            joker_hand = jokers._replace(number=len(ranks.by_role[role]) - len(plain))
            ranks_by_suit: dict[str, list[int]] = {}
            for rank, suit in zip(ranks.by_role[role], suits.by_role[role], strict=True):
                if rank != JOKER:
                    ranks_by_suit.setdefault(suit, []).append(rank)
            ranks_by_suit = ranks_by_suit or {"": []}  # jokers alone have any suit
            flushes = [
                made_by_suit(size, tuple(suited_ranks), joker_hand)
                for suited_ranks in ranks_by_suit.values()
                if len(suited_ranks) + joker_hand.number >= size
            ]
            if (role, cards, "ranks") not in ranks.answers:
                ranks.answers[role, cards, "ranks"] = made_by_ranks(size, plain, joker_hand)
            best = highest(size, [ranks.answers[role, cards, "ranks"], *flushes])
            ranks.answers[role, cards] = suits, (best, flushes, joker_hand, plain)
            return best, flushes, joker_hand, plain

        def test(ranks: Row, suits: Row) -> bool:
            best, flushes, joker_hand, plain = made(ranks, suits)
            if which == "best":
                return name_matches(name, best)
            if name in ("flush", "straight flush", "royal flush"):
                return any(name_matches(name, flush) for flush in flushes)
            key = (role, cards, word)
            if key not in ranks.answers:
                is_run = bool(straight_name(size, set(plain), joker_hand)) if name == "straight" else None
                ranks.answers[key] = some_have_repeats(size, plain, joker_hand, name) if is_run is None else is_run
            return bool(ranks.answers[key])

        return Value(test, frozenset({"ranks", "suits"}), True, None, frozenset(SUITS), True)

    # Numbers

    def number(self, node: ast.expr, depth: int) -> Value:
        """Compile a number."""
        if depth > MAX_NESTING:
            raise self.error("it is nested too deeply")
        if isinstance(node, ast.Constant) and type(node.value) is int and 0 <= node.value <= 9999:
            constant = node.value
            return Value(lambda _ranks, _suits: constant, frozenset())
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            sign = 1 if isinstance(node.op, ast.Add) else -1
            sides = [self.number(side, depth + 1) for side in (node.left, node.right)]
            return joined(sides, lambda pair: None if None in pair else pair[0] + sign * pair[1])
        if isinstance(node, ast.Call):
            return self.call(node, is_fact=False)
        if isinstance(node, (ast.Name, ast.Attribute)):
            role, words = self.split(node)
            word = words[0] if len(words) == 1 else ""
            if role == ALL and word in RANKS:
                return Value(lambda _ranks, _suits: RANKS[word], frozenset())
            if word == "margin" and role == ALL and "banker" in self.roles:
                return self.coup(abs)
            if word == "cards":
                return Value(lambda ranks, _suits: len(ranks.by_role[role]), frozenset({"ranks"}))
            word = "points" if word == "total" and "banker" in self.roles else word
            if word in RANK_NUMBERS:
                return of_ranks(role, word, RANK_NUMBERS[word], word not in BY_WORTH, missing=None)
            if word in SUIT_NUMBERS:
                return of_suits(role, word, SUIT_NUMBERS[word], missing=None)
        raise self.error(f"{show(ast.unparse(node))} is not a number")

    # Kinds of cards

    def call(self, node: ast.Call, *, is_fact: bool) -> Value:
        """Compile `count(...)`, `has(...)` or `all(...)`."""
        role, words = self.split(node.func)
        word = words[0] if len(words) == 1 else ""
        if word not in (("has", "all") if is_fact else ("count",)) or node.keywords or not node.args:
            raise self.error(f"{show(ast.unparse(node))} is not a {'condition' if is_fact else 'number'}")
        kinds = [self.kind(kind) for kind in node.args]
        looks_at = frozenset().union(*[kind.looks_at for kind in kinds])
        tests = [kind.is_of for kind in kinds]

        def counted(ranks: Row, suits: Row) -> Any:
            kind_ranks = ranks.by_role[role]
            cards = (
                zip(kind_ranks, suits.by_role[role], strict=True)
                if "suits" in looks_at
                else [(rank, "") for rank in kind_ranks]
            )
            count = sum([any(test(card, ranks, suits) for test in tests) for card in cards])
            return count if word == "count" else count > 0 if word == "has" else 0 < count == len(kind_ranks)

        if looks_at == {"suits"}:

            def counted(ranks: Row, suits: Row) -> Any:
                kind_ranks = suits.by_role[role]
                count = sum([any(test((2, suit), ranks, suits) for test in tests) for suit in kind_ranks])
                return count if word == "count" else count > 0 if word == "has" else 0 < count == len(kind_ranks)

        ranks_of_kinds = [kind.ranks for kind in kinds]
        named = (
            None if None in ranks_of_kinds else frozenset().union(*[kind_ranks or () for kind_ranks in ranks_of_kinds])
        )
        tells_tens_apart = any(kind.tells_tens_apart for kind in kinds)
        suits_named = frozenset().union(*[kind.suits for kind in kinds])
        return Value(counted, looks_at, tells_tens_apart, named if len(looks_at) > 1 else frozenset(), suits_named)

    def kind(self, node: ast.expr) -> CardFact:
        """Compile a kind of cards."""
        name = ast.unparse(node)
        if name in RANKS or (isinstance(node, ast.Constant) and str(node.value) in RANKS):
            rank = RANKS[name]
            return kind_of_ranks({rank})
        if name in ("face", "tens"):
            return kind_of_ranks(set(TENS[1:] if name == "face" else TENS))
        if name == "joker":
            return CardFact(lambda card, _ranks, _suits: card[0] == JOKER, frozenset({"ranks"}), frozenset({JOKER}))
        if name in SUIT_KINDS:
            suits_of_kind = frozenset(SUIT_KINDS[name])  # a joker has no suit
            return CardFact(
                lambda card, _ranks, _suits: card[0] != JOKER and card[1] in suits_of_kind,
                frozenset({"suits"}),
                suits=suits_of_kind,
            )
        if card := re.fullmatch(r"card_(10|[2-9TJQKA])([cdhs])", name):
            target_card = RANKS[card[1]], card[2]
            return CardFact(
                lambda role_ranks, _ranks, _suits: role_ranks == target_card,
                frozenset({"ranks", "suits"}),
                frozenset({target_card[0]}),
                target_card[0] in TENS,
                frozenset({target_card[1]}),
            )
        role, words = self.split(node, is_card=True)
        first_word = words[0] if words else ""
        if role == ALL or len(words) > 1 or first_word not in ("", "rank", "suit", "color"):
            raise self.error(f"{show(name)} is not a kind of cards")

        def is_of(card: tuple[int, str], ranks: Row, suits: Row) -> bool:
            cards = zip(ranks.by_role[role], suits.by_role[role], strict=True)
            if first_word == "rank":
                return card[0] != JOKER and card[0] in ranks.by_role[role]
            if first_word == "suit":
                return card[1] in suits.by_role[role]
            if first_word == "color":
                return COLOR.get(card[1]) in [COLOR.get(suit) for suit in suits.by_role[role]]
            return card[0] != JOKER and card in cards

        looks_at = {"rank": {"ranks"}, "suit": {"suits"}, "color": {"suits"}}.get(first_word, {"ranks", "suits"})
        return CardFact(is_of, frozenset(looks_at), frozenset(), first_word in ("", "rank"))

    def split(self, node: ast.expr, *, is_card: bool = False) -> tuple[str, list[str]]:
        """Split `player.best_five.flush` into the role and the words; without a role the words are about all cards."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            raise self.error(f"{show(ast.unparse(node))} is not a word")
        names.insert(0, node.id)
        if names[0] in self.roles:
            self.named_roles.add(names[0])
            if len(names) == 1 and not is_card:
                raise self.error(f"'{names[0]}' is a role, not a condition")
            return names[0], names[1:]
        return ALL, names


def answer_of(index: int) -> Decide:
    """Return the answer to one atom."""
    return lambda answers: answers[index]


def _all_of(rules: list[Decide]) -> Decide:
    """Return whether all hold: unknown if none fails and one is unknown."""

    def decide(answers: list[bool | None]) -> bool | None:
        answers_found = [rule(answers) for rule in rules]
        return False if False in answers_found else None if None in answers_found else True

    return decide


def any_of(rules: list[Decide]) -> Decide:
    """Return whether one holds: unknown if none does and one is unknown."""

    def decide(answers: list[bool | None]) -> bool | None:
        answers_found = [rule(answers) for rule in rules]
        return True if True in answers_found else None if None in answers_found else False

    return decide


def none_of(rule: Decide) -> Decide:
    """Return whether a rule fails."""
    return lambda answers: None if rule(answers) is None else not rule(answers)


class CardFact(NamedTuple):
    """A kind of cards: whether a card is of it, what that depends on, and the ranks that it names."""

    is_of: Callable[[tuple[int, str], Row, Row], bool]
    looks_at: frozenset[str]
    ranks: frozenset[int] | None = frozenset()
    tells_tens_apart: bool = False
    suits: frozenset[str] = frozenset()


def kind_of_ranks(ranks: set[int]) -> CardFact:
    """Return the kind of cards with some ranks."""
    tells_tens_apart = 0 < len(ranks.intersection(TENS)) < len(TENS)
    return CardFact(
        lambda card, _ranks, _suits: card[0] in ranks, frozenset({"ranks"}), frozenset(ranks), tells_tens_apart
    )


def joined(values: list[Value], combine: Callable[[list[Any]], Any]) -> Value:
    """Return a value that is computed from other values."""
    looks_at = frozenset().union(*[value.looks_at for value in values])
    named = [value.named_ranks for value in values]
    is_mixed = len(looks_at) > 1 and any(len(value.looks_at) == 1 for value in values)
    tests = [value.evaluate for value in values]
    return Value(
        lambda ranks, suits: combine([test(ranks, suits) for test in tests]),
        looks_at,
        any(value.tells_tens_apart for value in values),
        None if None in named or is_mixed else frozenset().union(*[kind_ranks or () for kind_ranks in named]),
        frozenset(SUITS) if is_mixed else frozenset().union(*[value.named_suits for value in values]),
        any(value.needs_best for value in values),
    )


def of_ranks(role: str, word: str, says: Callable[[Any], Any], tells_tens_apart: bool, missing: Any = False) -> Value:
    """Return a word about the ranks of a role, worked out once for each row of ranks."""

    def test(ranks: Row, _suits: Row) -> Any:
        key = (role, word)
        if key not in ranks.answers:
            role_ranks = ranks.by_role[role]
            ranks.answers[key] = says(role_ranks) if role_ranks and JOKER not in role_ranks else missing
        return ranks.answers[key]

    return Value(test, frozenset({"ranks"}), tells_tens_apart)


def of_suits(role: str, word: str, says: Callable[[Any], Any], missing: Any = False) -> Value:
    """Return a word about the suits of a role, worked out once for each row of suits."""

    def test(_ranks: Row, suits: Row) -> Any:
        key = (role, word)
        if key not in suits.answers:
            role_suits = suits.by_role[role]
            suits.answers[key] = says(role_suits) if role_suits and "" not in role_suits else missing
        return suits.answers[key]

    return Value(test, frozenset({"suits"}))


def to_python(text: str) -> str:
    """Return a rule with phrases as single words, and lists of ranks and cards as names.

    >>> to_python("player.A-K and hard total in (19) or has(10h) and best 5.straight flush")
    'player.ranks_A_K and hard_total in (19,) or has(card_10h) and best_five.straight_flush'
    """
    source = " ".join(text.translate(str.maketrans("♣♦♥♠", "cdhs")).split())
    if re.search(r"[^\w\s.,()<>=!+-]", source) or "__" in source or re.search(r"\d\.", source.replace("best 5.", "")):
        source = re.sub(r"\b(best|any) ([3-7])\.", r"\1_\2.", source)
        if re.search(r"[^\w\s.,()<>=!+-]|__|(?<!_)\d\.", source):
            raise SheetError(f"the rule '{show(text)}' cannot be read: it has an unknown character")
    numbers = {str(size): word for word, size in NUMBER_WORDS.items()}
    source = re.sub(r"\b(best|any)[ _]([3-7])\b", lambda match: f"{match[1]}_{numbers[match[2]]}", source)
    source = re.sub(r"\b(best|any) (three|four|five|six|seven)\b", r"\1_\2", source)
    for phrase in PHRASES:
        if "_" in phrase:
            source = re.sub(rf"\b{phrase.replace('_', '[ _]')}\b", phrase, source)
    source = re.sub(r"\w+", lambda match: SYNONYMS.get(match[0], match[0]), source)

    def rank_list(match: re.Match[str]) -> str:
        names = match[0].split("-")
        if not set(names) <= set(RANKS):
            if all(re.fullmatch(r"[a-z_]+", name) or name.isdigit() for name in names) and len(names) == 2:
                return match[0]  # a difference of two numbers
            raise SheetError(f"the rule '{show(text)}' cannot be read: '{show(match[0])}' is not a list of ranks")
        return f"ranks_{'_'.join(names)}"

    source = re.sub(r"(?<!\w)\w+(?:-\w+)+", rank_list, source)
    source = re.sub(r"\b(10|[2-9TJQKA])([cdhs])\b", r"card_\1\2", source)
    source = re.sub(r"\b0+(?=[0-9])", "", source)
    return re.sub(r"\bin ?\(([^()]*)\)", lambda match: f"in ({match[1].rstrip(', ')},)", source)
