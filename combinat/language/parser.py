"""Lexer and recursive-descent parser of the rule language.

    rule        = all_of ("or" all_of)*
    all_of      = one ("and" one)*
    one         = "not" one | comparison
    comparison  = number (("==" | "!=" | "<" | "<=" | ">" | ">=") number)+ | number "in" "(" number, ... ")" | fact
    number      = term (("+" | "-") term)*
    term        = 7 | A | [role "."] number_word | [role "."] "count" "(" kind, ... ")" | "(" rule ")"
    fact        = [role "."] [("best" | "any") "five" "."] fact_word | [role "."] ("has" | "all") "(" kind, ... ")"
                | [role "."] A-K-Q | "(" rule ")"
    kind        = 7 | A | 7d | hearts | red | face | tens | role | role "." ("rank" | "suit" | "color")

No part of a rule is ever executed as code; its length and depth are limited. Errors point at a column and suggest what
to write instead.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from combinat.language.deal import Deal
from combinat.language.poker import ORDER, SIZES, any_word, best_word, is_defined_for
from combinat.language.rules import (
    And,
    CardCount,
    Compare,
    Fact,
    Literal,
    Node,
    Not,
    Number,
    NumberWord,
    Or,
    Predicate,
    Quantity,
    Ranks,
    Rule,
    SameAs,
    Sum,
)
from combinat.language.words import (
    ANY,
    BEST,
    CALLS,
    FACTS,
    KINDS,
    NUMBERS,
    OPERATORS,
    REFERENCES,
    Kind,
    Positions,
    Word,
)
from decks import InputError, Rank, Suit, did_you_mean, parse_card
from decks.cards import parse_rank
from decks.errors import quote

_RANK_NAMES = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "10", "seven": "7"}
_HINTS = {
    "soft": "; a hand is soft where 'total > hard total'",
    "hard": "; write 'hard total', or 'total == hard total' for a hand that is not soft",
    "natural": "; write 'blackjack'",
    "royal": "; write 'royal flush'",
    "full": "; write 'full house'",
    "fullhouse": "; write 'full house'",
    "boat": "; write 'full house'",
    "set": "; write 'three of a kind'",
    "pairs": "; write 'pair' or 'two pair'",
    "colored": "; write 'same color'",
    "mixed": "; write 'not same color', or 'not suited'",
    "offsuit": "; write 'not suited'",
    "unsuited": "; write 'not suited'",
}
ACE = "; an ace is written A"


def hint_for(word: str) -> str:
    """Return a hint for a common word that is not part of the language; empty if there is none.

    >>> hint_for("boat"), hint_for("aces")
    ("; write 'full house'", "; write 'has(A)' or 'count(A) == 2'")
    """
    first = word.split("_")[0]
    if rank := _RANK_NAMES.get(first) or _RANK_NAMES.get(first.removesuffix("s")):
        return f"; write 'has({rank})' or 'count({rank}) == 2'"
    return _HINTS.get(first, "")


_PIECE = re.compile(r"\s*(?:(\w+(?:-\w+)*)|([=!<>]=|[<>+(),.-])|(\S))")
_LETTERS = str.maketrans({suit.symbol: suit.letter for suit in Suit})
_RANKS = frozenset({*map(str, Rank), "T"})


class Token(Struct, frozen=True):
    """A token: its sort, its text, and its offset in the rule."""

    sort: str
    text: str
    at: int


def error_at(rule: str, problem: str, offset: int, hint: str = "") -> InputError:
    """Build the error that quotes a rule and points at an offset in it."""
    column = f" at column {offset + 1}" if offset < len(rule) else " at its end"
    return InputError(f"{problem} in the rule {quote(rule)}{column}{hint}")


def tokenize(rule: str, deal: Deal) -> list[Token]:
    """Split a rule into tokens; the last one marks the end."""
    tokens: list[Token] = []
    for match in _PIECE.finditer(rule.rstrip().translate(_LETTERS)):
        word, sign, unknown = match.groups()
        if unknown:
            hint = "; write == to compare" if unknown == "=" else "; words need no quotes" if unknown in "'\"" else ""
            raise error_at(rule, f"cannot read {quote(unknown)}", match.start(3), hint)
        tokens.append(Token("sign", sign, match.start(2)) if sign else _classify_word(rule, word, match.start(1), deal))
    return [*tokens, Token("end", "", len(rule))]


def _classify_word(rule: str, word: str, offset: int, deal: Deal) -> Token:
    """Classify a word and return its token."""
    if word.isascii() and word.isdecimal():
        return Token("number", word, offset)
    if word in _RANKS:
        return Token("rank", word, offset)
    if word[:-1] in _RANKS and word[-1] in "cdhs":
        return Token("card", word, offset)
    if "-" in word and all(piece in _RANKS for piece in word.split("-")):
        return Token("ranks", word, offset)
    if word.isidentifier() and word.islower() and word.isascii() and word[0] != "_":
        return Token("name", word, offset)
    vocabulary = deal.vocabulary
    hint = did_you_mean(word, [*vocabulary.facts, *vocabulary.numbers, *CALLS, *KINDS, *OPERATORS, *deal.groups])
    if "-" in word:
        is_list = all(piece in _RANKS or piece == "1" for piece in word.split("-"))
        hint = ACE if is_list else "; put spaces around a minus sign"
    raise error_at(rule, f"cannot read {quote(word)}", offset, hint)


MAX_LENGTH = 1000
Leaf = TypeVar("Leaf", bound=Predicate | NumberWord | Ranks | CardCount)


class TokenReader:
    """Parses the leaves of a rule from left to right and checks that each word fits the deal."""

    def __init__(self, text: str, deal: Deal) -> None:
        if len(text) > MAX_LENGTH:
            raise InputError(f"the rule {quote(text)} has {len(text)} characters; at most {MAX_LENGTH} are read")
        self.text = text
        self.deal = deal
        self.roles: set[str] = set()
        self.tokens = tokenize(text, deal)
        self.next = 0

    # Pieces

    def _error(self, problem: str, offset: int, hint: str = "") -> InputError:
        return error_at(self.text, problem, offset, hint)

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.next]

    def take(self) -> Token:
        """Return the next token and advance."""
        token = self.token
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return token

    def takes(self, *texts: str) -> bool:
        """Consume the next token if it is one of `texts`; return whether it was."""
        if self.token.sort in ("sign", "name") and self.token.text in texts:
            self.take()
            return True
        return False

    def expect(self, text: str, why: str) -> None:
        """Consume the token `text`, or raise `InputError`."""
        if not self.takes(text):
            actual = quote(self.token.text) if self.token.text else "nothing"
            raise self._error(f"'{text}' expected {why}, found {actual}", self.token.at)

    # Words

    def said(self, token: Token) -> Node:
        """Parse a word, optionally prefixed by a role."""
        positions: Positions | None = None
        subject = "the deal"
        role: Token | None = None
        name = self.phrase(token)  # a phrase may begin with the name of a role: player wins
        if name == token.text and name in self.deal.groups and name not in OPERATORS:
            role = token
            if not self.takes("."):
                raise self._error(
                    f"{quote(role.text)} says nothing by itself", role.at, f"; write for example {role.text}.has(7)"
                )
            self.roles.add(role.text)
            positions = self.deal.positions(role.text)
            subject = f"'{role.text}'"
            token = self.take()
            if token.sort == "ranks":
                return self.rank_list(token, positions)
            name = self.phrase(token)
        if token.text in (ANY, BEST) and token.sort == "name":
            return self.hand_among(token, positions or self.all_positions(token), subject)
        if role is None and self.token.text == "." and token.text not in CALLS:
            self.check_role(token)
        if token.sort != "name":
            raise self._error(f"a word was expected, found {quote(token.text)}", token.at)
        if token.text in CALLS and name == token.text:  # a phrase may begin like a call: all ranks different
            return self.call(token, positions or self.all_positions(token))
        word = self.deal.vocabulary.word(name)
        if word is None:
            raise self.no_word(token, role)
        positions = positions or self.all_positions(token)
        if self.token.text == "(" and self.token.sort == "sign":
            raise self._error(f"'{name}' takes no brackets", self.token.at)
        self.check_size(word, self.deal.size(positions), subject, token)
        is_fact = name in self.deal.vocabulary.facts
        return self.check_node(Predicate(word, positions) if is_fact else NumberWord(word, positions), token)

    def hand_among(self, token: Token, positions: Positions, subject: str) -> Predicate:
        """Parse a hand that some of the cards make: best five.full house, any five.full house."""
        prefix = token.text
        size_token = self.take()
        size = SIZES.get(size_token.text) or next(
            (candidate for candidate in ORDER if str(candidate) == size_token.text), 0
        )
        if not size or not self.takes("."):
            raise self._error(
                f"'{prefix}' does not say of how many cards", token.at, f"; write for example {prefix} five.full house"
            )
        word_token = self.take()
        name = self.phrase(word_token)
        cards = self.deal.size(positions)
        if not self.deal.ranks_hands or cards is None:
            raise self._error(
                f"'{prefix} {size_token.text}' cannot be asked of {subject}", token.at, "; deal a fixed number of them"
            )
        if cards < size:
            raise self._error(f"'{prefix} {size_token.text}' needs {size} cards, but {subject} has {cards}", token.at)
        names = [fact for fact in self.deal.vocabulary.facts if fact in FACTS and is_defined_for(fact, size)]
        if name not in names:
            is_word = self.deal.vocabulary.word(name) is not None
            hint = (not is_word and did_you_mean(name, names)) or f"; it can be {', '.join(names)}"
            raise self._error(f"{quote(name)} is no hand of {size} cards", word_token.at, hint)
        word = best_word(name, size) if prefix == BEST else any_word(name, size)
        return self.check_node(Predicate(word, positions), token)

    def check_size(self, word: Word, size: int | None, subject: str, token: Token) -> None:
        """Raise `InputError` if a word does not apply to `size` cards; if `size` is `None`, the deal decides."""
        min_size, max_size = word.sizes
        if size is None or min_size <= size <= max_size:
            return
        count = (
            "one card"
            if max_size == 1
            else f"{min_size} cards"
            if max_size == min_size
            else f"at least {min_size} cards"
        )
        if size > max_size > min_size:
            count = f"at most {max_size} cards"
        hint = "; use high, low or count" if word.is_rank else ""
        raise self._error(f"'{word.name}' is said of {count}, but {subject} has {size}", token.at, hint)

    def check_node(self, node: Leaf, token: Token) -> Leaf:
        """Return `node`; raise `InputError` if the deal objects to it."""
        if objection := self.deal.check_node(node):
            problem, semicolon, hint = objection.partition("; ")
            raise self._error(problem, token.at, semicolon + hint)
        return node

    def all_positions(self, token: Token) -> Positions:
        """Return the positions that a word without a role refers to."""
        positions = self.deal.all_positions
        if positions is None:
            roles = " or ".join(f"{role}.{token.text}" for role in self.deal.named_roles)
            raise self._error(f"{quote(token.text)} must say whose cards it means", token.at, f"; write {roles}")
        return positions

    def check_role(self, token: Token) -> None:
        """Raise `InputError` if the deal has no such role."""
        try:
            self.deal.positions(token.text)
        except InputError as error:
            problem, _, hint = str(error).partition("; ")
            raise self._error(problem, token.at, f"; {hint}") from None

    def no_word(self, token: Token, role: Token | None = None) -> InputError:
        """Build the error for an unknown word, perhaps after a role."""
        vocabulary = self.deal.vocabulary
        choices = [*vocabulary.facts, *vocabulary.numbers, *CALLS, *self.deal.groups]
        hint = hint_for(token.text) or did_you_mean(token.text.replace("_", " "), choices)
        if token.text in KINDS:
            hint = f"; write has({token.text}), all({token.text}) or count({token.text})"
        if role and (phrase := f"{role.text} {token.text}") in vocabulary.phrases:
            hint = f"; write '{phrase}'"
        return self._error(f"no word {quote(token.text)}", token.at, hint)

    def phrase(self, token: Token) -> str:
        """Consume the rest of a phrase such as 'three of a kind' and return its name."""
        start, aliases = self.next, self.deal.vocabulary.aliases
        for phrase in self.deal.vocabulary.phrases:
            words = phrase.split()
            consumed: list[str] = token.text.split("_")
            if consumed[0] != words[0]:
                continue
            follow = start
            while len(consumed) < len(words) and self.tokens[follow].sort == "name":
                consumed.extend(self.tokens[follow].text.split("_"))
                follow += 1
            if consumed == words:
                self.next = follow
                return aliases.get(phrase, phrase)
        return aliases.get(token.text, token.text)

    def call(self, token: Token, positions: Positions) -> Node:
        """Parse the arguments of count, has or all."""
        self.expect("(", f"after '{token.text}'")
        kinds = [self.kind(positions)]
        while self.takes(","):
            kinds.append(self.kind(positions))
        self.expect(")", f"to close '{token.text}('")
        count = CardCount(positions, tuple(kinds))
        match token.text:
            case "has":
                return Compare(">=", count, Literal(1))
            case "all":
                size = self.deal.size(positions)
                if self.deal.max_cards(positions) == 1:
                    size = 1  # of a card that is not there, nothing holds
                all_cards = NumberWord(NUMBERS["cards"], positions) if size is None else Literal(size)
                return Compare("==", count, all_cards)
            case _:
                return count

    def rank_list(self, token: Token, positions: Positions) -> Ranks:
        """Parse a list of ranks such as A-K-Q."""
        ranks = tuple(
            sorted(int(parse_rank(self.check_rank(rank_text, token.at))) for rank_text in token.text.split("-"))
        )
        size = self.deal.size(positions)
        if size is not None and len(ranks) != size:
            cards = f"{size} card{'s' if size > 1 else ''}"
            raise self._error(f"{quote(token.text)} names {len(ranks)} ranks for {cards}", token.at)
        return self.check_node(Ranks(positions, ranks), token)

    def check_rank(self, text: str, offset: int) -> str:
        """Return `text`; raise `InputError` if it is not a rank."""
        try:
            parse_rank(text)
        except InputError as error:
            hint = ACE if text == "1" else "; ranks are 2 to 10, J, Q, K and A"
            raise self._error(str(error).partition(";")[0], offset, hint) from None
        return text

    def kind(self, positions: Positions) -> Kind | SameAs:
        """Parse a kind of card and check that it applies to the cards at `positions`."""
        token = self.take()
        kind = self.plain_kind(token)
        self.check_node(CardCount(positions, (kind,)), token)
        return kind

    def plain_kind(self, token: Token) -> Kind | SameAs:
        """Parse a kind of card."""
        match token.sort:
            case "number" | "rank":
                return Kind(ranks=frozenset({int(parse_rank(self.check_rank(token.text, token.at)))}))
            case "card":
                card = parse_card(token.text)
                return Kind(frozenset({int(card.rank)}), frozenset({int(card.suit)}))
            case "name" if token.text in self.deal.groups:
                return self.like(token)
            case "name" if token.text in KINDS:
                return KINDS[token.text][0]
            case _:
                hint = did_you_mean(token.text, [*KINDS, *self.deal.groups]) if token.text else ""
                hint = hint or "; kinds are ranks (7, A), cards (7d), suits, red, black, face, tens, or a role's card"
                actual = quote(token.text) if token.text else "nothing"
                raise self._error(f"no kind of card {actual}", token.at, hint)

    def like(self, role: Token) -> SameAs:
        """Parse a reference to the card of a role, such as `up` or `up.rank`."""
        self.roles.add(role.text)
        positions = self.deal.positions(role.text)
        if len(positions) != 1:
            raise self._error(f"'{role.text}' has {len(positions)} cards; cards are matched to one card", role.at)
        aspect = ""
        if self.takes("."):
            token = self.take()
            aspect = token.text
            if aspect not in REFERENCES or not aspect:
                choices = [name for name in REFERENCES if name]
                hint = did_you_mean(aspect, choices) or f"; match by {', '.join(choices)}, or by nothing for both"
                raise self._error(f"cannot match by {quote(aspect)}", token.at, hint)
        return SameAs(positions[0], aspect)


MAX_DEPTH = 20
MAX_SUMS = 8
MAX_NUMBER = 1000

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


@lru_cache(maxsize=512)  # paytables of a bet say the same over and over
def parse_rule(text: str, deal: Deal) -> Rule:
    """Parse a rule about the cards of a deal.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> deal = parse_deal("player:2, up:1")
    >>> sorted(parse_rule("suited and player.count(7) == 2", deal).roles)
    ['player']
    >>> parse_rule("suited and strait", deal)
    Traceback (most recent call last):
        ...
    decks.errors.InputError: no word 'strait' in the rule 'suited and strait' at column 12; did you mean 'straight'?
    """
    return _Parser(text, deal).rule()


def parse_quantity(text: str, deal: Deal) -> Quantity:
    """Parse a number for which a bet pays each unit, such as `player.count(7)`.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> sorted(parse_quantity("player.count(up.rank)", parse_deal("player:2, up:1")).roles)
    ['player', 'up']
    """
    return _Parser(text, deal).quantity()


class _Parser(TokenReader):
    """Parses facts joined by and, or and not, and numbers compared and added."""

    def __init__(self, text: str, deal: Deal) -> None:
        super().__init__(text, deal)
        self.sums = 0
        self.depth = 0

    def rule(self) -> Rule:
        if self.token.sort == "end":
            raise InputError("the rule is empty; write what the cards must be, as in 'suited and straight'")
        fact = self.whole()
        return Rule(" ".join(self.text.split()), self.fact(fact, 0), frozenset(self.roles))

    def quantity(self) -> Quantity:
        if self.token.sort == "end":
            raise InputError("the number is empty; write what is counted, as in 'player.count(7)'")
        node = self.whole()
        if not isinstance(node, (Literal, NumberWord, CardCount, Sum)):
            raise self._error("a yes-or-no fact stands where a number belongs", 0, "; write 'when' for a fact")
        return Quantity(" ".join(self.text.split()), node, frozenset(self.roles))

    def whole(self) -> Node:
        """Parse the whole text."""
        node = self.any_of()
        if self.token.sort != "end":
            raise self._error(
                f"{quote(self.token.text)} does not follow", self.token.at, "; join facts by 'and' or 'or'"
            )
        return node

    def fact(self, node: Node, offset: int) -> Fact:
        if isinstance(node, (Literal, NumberWord, CardCount, Sum)):
            raise self._error(
                "a number stands where a yes-or-no fact belongs", offset, "; compare it, as in 'total == 20'"
            )
        return node

    def number(self, node: Node, offset: int) -> Number:
        if not isinstance(node, (Literal, NumberWord, CardCount, Sum)):
            raise self._error("a yes-or-no fact stands where a number belongs", offset, "; join facts by 'and' or 'or'")
        return node

    def any_of(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(f"more than {MAX_DEPTH} levels of brackets", self.token.at)
        offset = self.token.at
        first = self.all_of()
        if self.token.text == "or":
            facts = [self.fact(first, offset)]
            while self.takes("or"):
                offset = self.token.at
                facts.append(self.fact(self.all_of(), offset))
            first = Or(tuple(facts))
        self.depth -= 1
        return first

    def all_of(self) -> Node:
        offset = self.token.at
        first = self.one()
        if self.token.text == "and":
            facts = [self.fact(first, offset)]
            while self.takes("and"):
                offset = self.token.at
                facts.append(self.fact(self.one(), offset))
            first = And(tuple(facts))
        return first

    def one(self) -> Node:
        negations = 0
        while self.takes("not"):
            negations += 1
        offset = self.token.at
        node = self.comparison()
        if not negations:
            return node
        fact = self.fact(node, offset)
        return Not(fact) if negations % 2 else fact

    def comparison(self) -> Node:
        offset = self.token.at
        left = self.total()
        if self.token.sort == "name" and self.token.text in ("in", "not") and self._is_membership():
            return self.membership(self.number(left, offset))
        comparisons: list[Fact] = []
        while self.token.sort == "sign" and self.token.text in _COMPARISONS:
            sign = self.take().text
            left = self.number(left, offset)
            offset = self.token.at
            right = self.number(self.total(), offset)
            comparisons.append(Compare(sign, left, right))
            left = right
        if not comparisons:
            return left
        return comparisons[0] if len(comparisons) == 1 else And(tuple(comparisons))

    def _is_membership(self) -> bool:
        return self.token.text == "in" or self.tokens[self.next + 1].text == "in"

    def membership(self, number: Number) -> Fact:
        negated = self.takes("not")
        self.expect("in", "after 'not'")
        self.expect("(", "after 'in'")
        choices: list[Fact] = []
        while True:
            offset = self.token.at
            choices.append(Compare("==", number, self.number(self.total(), offset)))
            if not self.takes(","):
                break
        self.expect(")", "after the list")
        listed = Or(tuple(choices))
        return Not(listed) if negated else listed

    def total(self) -> Node:
        offset = self.token.at
        node = self.term()
        while self.token.sort == "sign" and self.token.text in "+-":
            self.sums += 1
            if self.sums > MAX_SUMS:
                raise self._error(f"more than {MAX_SUMS} plus or minus signs", self.token.at)
            sign = 1 if self.take().text == "+" else -1
            right_at = self.token.at
            node = Sum(self.number(node, offset), self.number(self.term(), right_at), sign)
        return node

    def term(self) -> Node:
        token = self.take()
        match token.sort:
            case "number":
                if len(token.text) > len(str(MAX_NUMBER)) or int(token.text) > MAX_NUMBER:
                    raise self._error(f"{quote(token.text)} is more than {MAX_NUMBER}", token.at)
                if self.token.text == ".":
                    raise self._error("numbers in a rule are whole, but this one goes on", self.token.at)
                return Literal(int(token.text))
            case "rank":
                return Literal(int(parse_rank(token.text)))
            case "ranks":
                return self.rank_list(token, self.all_positions(token))
            case "card":
                raise self._error(f"the card {quote(token.text)} stands alone", token.at, f"; write has({token.text})")
            case "sign" if token.text == "(":
                node = self.any_of()
                self.expect(")", "to close the bracket")
                return node
            case "name":
                return self.said(token)
            case "end":
                raise self._error("something is missing", token.at)
            case _:
                raise self._error(f"{quote(token.text)} does not belong", token.at)
