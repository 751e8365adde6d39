"""Lexer and recursive-descent parser of the rule language.

    rule        = all_of ("or" all_of)*
    all_of      = negation ("and" negation)*
    negation    = "not" negation | comparison
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
from difflib import get_close_matches
from functools import lru_cache
from typing import TypeVar

from msgspec import Struct

from combinat.language.deal import Deal
from combinat.language.hints import hint_for, hint_for_kind, hint_for_phrase, hint_for_ranks, hint_for_sign
from combinat.language.poker import CATEGORIES_BY_SIZE, HAND_SIZES, any_word, best_word, is_defined_for
from combinat.language.rules import (
    COMPARISONS,
    And,
    CardCount,
    Fact,
    Literal,
    Node,
    Not,
    Number,
    NumberComparison,
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
from decks.errors import one_line, quote

_TOKEN = re.compile(r"\s*(?:(\w+(?:-\w+)*)|([=!<>]=|[<>+(),.-])|(\S))")
_LETTERS = str.maketrans({suit.symbol: suit.letter for suit in Suit})
_RANKS = frozenset({*map(str, Rank), "T"})


class Token(Struct, frozen=True):
    """A token: its sort, its text, and its offset in the rule."""

    sort: str
    text: str
    offset: int


def error_at(rule: str, problem: str, offset: int, hint: str = "", deal: Deal | None = None) -> InputError:
    """Build the error that quotes a rule and points at an offset in it."""
    column = f" at column {offset + 1}" if offset < len(rule) else " at its end"
    return InputError(f"{problem} in the rule {quote(rule)}{column}{hint_for_phrase(rule, offset, deal) or hint}")


def tokenize(rule: str, deal: Deal) -> list[Token]:
    """Split a rule into tokens; the last one marks the end."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(rule.rstrip().translate(_LETTERS)):
        word, sign, unknown = match.groups()
        if unknown:
            doubled = rule[match.start(3) : match.start(3) + 2]
            sign = doubled if doubled in ("&&", "||", "=>", "=<") else unknown
            hint = hint_for_sign(sign) or hint_for_sign(unknown)
            raise error_at(rule, f"cannot read {quote(sign)}", match.start(3), hint)
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
    if "-" in word and all(rank in _RANKS for rank in word.split("-")):
        return Token("ranks", word, offset)
    if word.isidentifier() and word.islower() and word.isascii() and word[0] != "_":
        return Token("name", word, offset)
    vocabulary = deal.vocabulary
    hint = did_you_mean(
        word, [*vocabulary.facts, *vocabulary.numbers, *CALLS, *KINDS, *OPERATORS, *deal.positions_by_role]
    )
    if "-" in word:
        is_list = all(rank in _RANKS or rank == "1" for rank in word.split("-"))
        hint = ACE if is_list else "; put spaces around a minus sign"
        if (phrase := word.lower().replace("-", " ")) in vocabulary.phrases:
            hint = f"; write '{phrase}'"
    hint = hint_for_ranks(word, deal) or hint_for(word.lower()) or hint
    raise error_at(rule, f"cannot read {quote(word)}", offset, hint)


ACE = "; write A for an ace"
MAX_LENGTH = 1000
MAX_DEPTH = 20
MAX_SUMS = 8
MAX_NUMBER = 1000
MAX_PHRASE_WORDS = 5
Leaf = TypeVar("Leaf", bound=Predicate | NumberWord | Ranks | CardCount)


@lru_cache(maxsize=512)  # the paytables of a bet repeat the same rules
def parse_rule(text: str, deal: Deal) -> Rule:
    """Parse a rule about the cards of a deal.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> deal = parse_deal("player:2, up:1")
    >>> sorted(parse_rule("suited and player.count(7) == 2", deal).roles)
    ['player']
    >>> parse_rule("pair or strait", deal)
    Traceback (most recent call last):
        ...
    decks.errors.InputError: unknown word 'strait' in the rule 'pair or strait' at column 9; did you mean 'straight'?
    """
    return _Parser(text, deal).parse_rule()


def parse_quantity(text: str, deal: Deal) -> Quantity:
    """Parse a number for which a bet pays each unit, such as `player.count(7)`.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> sorted(parse_quantity("player.count(up.rank)", parse_deal("player:2, up:1")).roles)
    ['player', 'up']
    """
    return _Parser(text, deal).parse_quantity()


class _Parser:
    """Parses a rule from left to right and checks that each word fits the deal."""

    def __init__(self, text: str, deal: Deal) -> None:
        if len(text) > MAX_LENGTH:
            raise InputError(f"a rule must be at most {MAX_LENGTH:,} characters, got {len(text):,}: {quote(text)}")
        self.text = text
        self.deal = deal
        self.roles: set[str] = set()
        self.tokens = tokenize(text, deal)
        self.next = 0
        self.depth = 0
        self.sum_count = 0

    # Tokens

    def _error(self, problem: str, offset: int, hint: str = "") -> InputError:
        return error_at(self.text, problem, offset, hint, self.deal)

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.next]

    def take(self) -> Token:
        """Return the next token and advance."""
        token = self.token
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return token

    def accept(self, *texts: str) -> bool:
        """Consume the next token if it is one of `texts`; return whether it was."""
        if self.token.sort in ("sign", "name") and self.token.text in texts:
            self.take()
            return True
        return False

    def expect(self, text: str, why: str) -> None:
        """Consume the token `text`, or raise `InputError`."""
        if not self.accept(text):
            actual = quote(self.token.text) if self.token.text else "the end"
            raise self._error(f"expected '{text}' {why}, found {actual}", self.token.offset)

    # Words

    def parse_word(self, token: Token) -> Node:
        """Parse a word, optionally prefixed by a role."""
        positions: Positions | None = None
        subject = "the deal"
        role: Token | None = None
        name = self.take_phrase(token)  # a phrase may begin with the name of a role: player wins
        if name == token.text and name in self.deal.positions_by_role and name not in OPERATORS:
            role = token
            if not self.accept("."):
                raise self.missing_word_error(role)
            self.roles.add(role.text)
            positions = self.deal.positions(role.text)
            subject = f"'{role.text}'"
            token = self.take()
            if token.sort == "ranks":
                return self.parse_rank_list(token, positions)
            name = self.take_phrase(token)
        if token.text in (ANY, BEST) and token.sort == "name":
            return self.parse_hand(token, positions or self.all_positions(token), subject)
        if role is None and self.token.text == "." and token.text not in CALLS:
            self.check_role(token)
        if token.sort != "name":
            raise self._error(f"expected a word, found {quote(token.text)}", token.offset)
        if token.text in CALLS and name == token.text:  # a phrase may begin like a call: all ranks different
            return self.parse_call(token, positions or self.all_positions(token))
        word = self.deal.vocabulary.word(name)
        if word is None:
            raise self.unknown_word_error(token, role)
        positions = positions or self.all_positions(token)
        if self.token.text == "(" and self.token.sort == "sign":
            raise self._error(f"'{name}' takes no brackets", self.token.offset, f"; write only '{name}'")
        self.check_size(word, self.deal.size(positions), subject, token)
        is_fact = name in self.deal.vocabulary.facts
        return self.check_node(Predicate(word, positions) if is_fact else NumberWord(word, positions), token)

    def parse_hand(self, token: Token, positions: Positions, subject: str) -> Predicate:
        """Parse a hand that some of the cards make: best five.full house, any five.full house."""
        prefix = token.text
        size_token = self.take()
        size = HAND_SIZES.get(size_token.text) or next(
            (candidate for candidate in CATEGORIES_BY_SIZE if str(candidate) == size_token.text), 0
        )
        if not size or not self.accept("."):
            raise self._error(
                f"'{prefix}' needs a number of cards", token.offset, f"; write for example {prefix} five.full house"
            )
        word_token = self.take()
        name = self.take_phrase(word_token)
        cards = self.deal.size(positions)
        if not self.deal.ranks_hands or cards is None:
            raise self._error(
                f"'{prefix} {size_token.text}' needs a fixed number of cards in {subject}",
                token.offset,
                "; write a deal such as 'player:7'",
            )
        if cards < size:
            raise self._error(
                f"'{prefix} {size_token.text}' needs {size} cards, but {subject} has {cards}", token.offset
            )
        names = [fact for fact in self.deal.vocabulary.facts if fact in FACTS and is_defined_for(fact, size)]
        if name not in names:
            is_word = self.deal.vocabulary.word(name) is not None
            hint = (not is_word and did_you_mean(name, names)) or f"; write {', '.join(names)}"
            raise self._error(f"{quote(name)} is not a hand of {size} cards", word_token.offset, hint)
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
        raise self._error(f"'{word.name}' needs {count}, but {subject} has {size}", token.offset, hint)

    def check_node(self, node: Leaf, token: Token) -> Leaf:
        """Return `node`; raise `InputError` if the deal objects to it."""
        if objection := self.deal.check_node(node):
            problem, semicolon, hint = objection.partition("; ")
            raise self._error(problem, token.offset, semicolon + hint)
        return node

    def all_positions(self, token: Token) -> Positions:
        """Return the positions that a word without a role refers to."""
        positions = self.deal.all_positions
        if positions is None:
            roles = " or ".join(f"{role}.{token.text}" for role in self.deal.named_roles)
            raise self._error(f"{quote(token.text)} needs a role", token.offset, f"; write {roles}")
        return positions

    def check_role(self, token: Token) -> None:
        """Raise `InputError` if the deal has no such role."""
        try:
            self.deal.positions(token.text)
        except InputError as error:
            problem, _, hint = str(error).partition("; ")
            raise self._error(problem, token.offset, f"; {hint}") from None

    def missing_word_error(self, role: Token) -> InputError:
        """Build the error for a role without a word after it, such as `player pair`."""
        following = self.take()
        name = self.take_phrase(following)
        is_word = following.sort == "name" and self.deal.vocabulary.word(name) is not None
        hint = f"; write {role.text}.{name}" if is_word else f"; write for example {role.text}.has(7)"
        return self._error(f"the role {quote(role.text)} needs a word", role.offset, hint)

    def unknown_word_error(self, token: Token, role: Token | None = None) -> InputError:
        """Build the error for an unknown word, perhaps after a role."""
        vocabulary = self.deal.vocabulary
        choices = [*vocabulary.facts, *vocabulary.numbers, *CALLS, *(() if role else self.deal.positions_by_role)]
        hint = self.similar_phrase(token) or hint_for(token.text)
        hint = hint or did_you_mean(token.text.replace("_", " "), choices)
        if token.text in OPERATORS:
            hint = f"; '{token.text}' stands between two facts"
        if token.text in KINDS:
            hint = f"; write has({token.text}), all({token.text}) or count({token.text})"
        if role and (phrase := f"{role.text} {token.text}") in vocabulary.phrases:
            hint = f"; write '{phrase}'"
        return self._error(f"unknown word {quote(token.text)}", token.offset, hint)

    def similar_phrase(self, token: Token) -> str:
        """Return a hint for a phrase with a misspelt word, such as `same colors`; empty if no phrase is similar."""
        words = [token.text]
        for following in self.tokens[self.tokens.index(token) + 1 :]:
            if following.sort != "name" or following.text in OPERATORS or len(words) == MAX_PHRASE_WORDS:
                break
            words.append(following.text)
        phrases = [phrase for phrase in self.deal.vocabulary.phrases if " " in phrase]
        for length in range(len(words), 1, -1):
            if close := get_close_matches(" ".join(words[:length]), phrases, n=1):
                return f"; did you mean '{close[0]}'?"
        return ""

    def take_phrase(self, token: Token) -> str:
        """Consume the rest of a phrase such as `three of a kind` and return its name."""
        start_index, aliases = self.next, self.deal.vocabulary.aliases
        for phrase in self.deal.vocabulary.phrases:
            words = phrase.split()
            consumed_words: list[str] = token.text.split("_")
            if consumed_words[0] != words[0]:
                continue
            next_index = start_index
            while len(consumed_words) < len(words) and self.tokens[next_index].sort == "name":
                consumed_words.extend(self.tokens[next_index].text.split("_"))
                next_index += 1
            if consumed_words == words:
                self.next = next_index
                return aliases.get(phrase, phrase)
        return aliases.get(token.text, token.text)

    def parse_call(self, token: Token, positions: Positions) -> Node:
        """Parse the arguments of count, has or all."""
        if self.token.sort == "name":  # `all suited`
            raise self._error(
                f"expected '(' after '{token.text}', found {quote(self.token.text)}",
                self.token.offset,
                f"; write a kind of card in brackets, such as {token.text}(red), or leave out '{token.text}'",
            )
        self.expect("(", f"after '{token.text}'")
        kinds = [self.parse_kind(positions)]
        while self.accept(","):
            kinds.append(self.parse_kind(positions))
        self.expect(")", f"to close '{token.text}('")
        count = CardCount(positions, tuple(kinds))
        match token.text:
            case "has":
                return NumberComparison(">=", count, Literal(1))
            case "all":
                size = self.deal.size(positions)
                if self.deal.max_cards(positions) == 1:
                    size = 1  # a fact about an absent card is false
                all_cards = NumberWord(NUMBERS["cards"], positions) if size is None else Literal(size)
                return NumberComparison("==", count, all_cards)
            case _:
                return count

    def parse_rank_list(self, token: Token, positions: Positions) -> Ranks:
        """Parse a list of ranks such as A-K-Q."""
        ranks = tuple(
            sorted(int(parse_rank(self.check_rank(rank_text, token.offset))) for rank_text in token.text.split("-"))
        )
        size = self.deal.size(positions)
        if size is not None and len(ranks) != size:
            is_or_are, cards = ("are", f"{size} cards") if size > 1 else ("is", "1 card")
            raise self._error(
                f"{quote(token.text)} lists {len(ranks)} ranks, but there {is_or_are} {cards}",
                token.offset,
                hint_for_ranks(token.text, self.deal),
            )
        return self.check_node(Ranks(positions, ranks), token)

    def check_rank(self, text: str, offset: int) -> str:
        """Return `text`; raise `InputError` if it is not a rank."""
        try:
            parse_rank(text)
        except InputError as error:
            hint = ACE if text == "1" else "; ranks are 2 to 10, J, Q, K and A"
            raise self._error(str(error).partition(";")[0], offset, hint) from None
        return text

    def parse_kind(self, positions: Positions) -> Kind | SameAs:
        """Parse a kind of card and check that it applies to the cards at `positions`."""
        token = self.take()
        kind = self.read_kind(token)
        self.check_node(CardCount(positions, (kind,)), token)
        return kind

    def read_kind(self, token: Token) -> Kind | SameAs:
        """Parse a kind of card."""
        match token.sort:
            case "number" | "rank":
                return Kind(ranks=frozenset({int(parse_rank(self.check_rank(token.text, token.offset)))}))
            case "card":
                card = parse_card(token.text)
                return Kind(frozenset({int(card.rank)}), frozenset({int(card.suit)}))
            case "name" if token.text in self.deal.positions_by_role:
                return self.parse_reference(token)
            case "name" if token.text in KINDS:
                return KINDS[token.text][0]
            case _:
                hint = hint_for_kind(token.text)
                hint = hint or (did_you_mean(token.text, [*KINDS, *self.deal.positions_by_role]) if token.text else "")
                hint = hint or "; write a rank (7, A), a card (7d), a suit, red, black, face, tens, or a role"
                problem = f"unknown kind of card {quote(token.text)}" if token.text else "expected a kind of card"
                raise self._error(problem, token.offset, hint)

    def parse_reference(self, role: Token) -> SameAs:
        """Parse a reference to the card of a role, such as `up` or `up.rank`."""
        self.roles.add(role.text)
        positions = self.deal.positions(role.text)
        if len(positions) != 1:
            raise self._error(
                f"'{role.text}' has {len(positions)} cards; only a single card can be matched", role.offset
            )
        aspect = ""
        if self.accept("."):
            token = self.take()
            aspect = token.text
            if aspect not in REFERENCES or not aspect:
                choices = [name for name in REFERENCES if name]
                forms = ", ".join(f"{role.text}.{name}" for name in choices)
                hint = did_you_mean(aspect, choices) or f"; write {forms}, or {role.text} for rank and suit"
                raise self._error(f"cannot match by {quote(aspect)}", token.offset, hint)
        return SameAs(positions[0], aspect)

    # Facts and numbers

    def parse_rule(self) -> Rule:
        if self.token.sort == "end":
            raise InputError("the rule is empty; write what the cards must be, for example 'suited and straight'")
        fact = self.parse_all()
        return Rule(one_line(self.text), self.expect_fact(fact, 0), frozenset(self.roles))

    def parse_quantity(self) -> Quantity:
        if self.token.sort == "end":
            raise InputError("the number is empty; write what is counted, for example 'player.count(7)'")
        node = self.parse_all()
        if not isinstance(node, (Literal, NumberWord, CardCount, Sum)):
            raise self._error("expected a number, found a yes-or-no fact", 0, "; write 'when' for a fact")
        return Quantity(one_line(self.text), node, frozenset(self.roles))

    def parse_all(self) -> Node:
        """Parse the whole text."""
        node = self.parse_or()
        if self.token.sort != "end":
            raise self.unexpected_token_error()
        return node

    def unexpected_token_error(self) -> InputError:
        """Build the error for a token after the end of a rule."""
        token = self.token
        if token.text == "is":
            hint = "; write == to compare"
        elif token.text == ")":
            hint = "; there is no bracket to close, remove it"
        elif token.sort == "name" and (self.deal.vocabulary.word(self.take_phrase(self.take())) or token.text in CALLS):
            hint = f"; write '{self.text[: token.offset].rstrip()} and {self.text[token.offset :]}'"
        else:
            hint = "; join facts by 'and' or 'or'"
        return self._error(f"unexpected {quote(token.text)}", token.offset, hint)

    def expect_fact(self, node: Node, offset: int) -> Fact:
        if isinstance(node, (Literal, NumberWord, CardCount, Sum)):
            raise self._error(
                "expected a yes-or-no fact, found a number", offset, "; compare it, for example 'total == 20'"
            )
        return node

    def expect_number(self, node: Node, offset: int) -> Number:
        if not isinstance(node, (Literal, NumberWord, CardCount, Sum)):
            raise self._error("expected a number, found a yes-or-no fact", offset, "; join facts by 'and' or 'or'")
        return node

    def parse_or(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(f"brackets are nested more than {MAX_DEPTH} deep", self.token.offset)
        offset = self.token.offset
        first_node = self.parse_and()
        if self.token.text == "or":
            facts = [self.expect_fact(first_node, offset)]
            while self.accept("or"):
                offset = self.token.offset
                facts.append(self.expect_fact(self.parse_and(), offset))
            first_node = Or(tuple(facts))
        self.depth -= 1
        return first_node

    def parse_and(self) -> Node:
        offset = self.token.offset
        first_node = self.parse_not()
        if self.token.text == "and":
            facts = [self.expect_fact(first_node, offset)]
            while self.accept("and"):
                offset = self.token.offset
                facts.append(self.expect_fact(self.parse_not(), offset))
            first_node = And(tuple(facts))
        return first_node

    def parse_not(self) -> Node:
        negations = 0
        while self.accept("not"):
            negations += 1
        offset = self.token.offset
        node = self.parse_comparison()
        if not negations:
            return node
        fact = self.expect_fact(node, offset)
        return Not(fact) if negations % 2 else fact

    def parse_comparison(self) -> Node:
        offset = self.token.offset
        left = self.parse_sum()
        if self.token.sort == "name" and self.token.text in ("in", "not") and self._is_membership():
            return self.parse_in(self.expect_number(left, offset))
        comparisons: list[Fact] = []
        while self.token.sort == "sign" and self.token.text in COMPARISONS:
            sign = self.take().text
            left = self.expect_number(left, offset)
            offset = self.token.offset
            right = self.expect_number(self.parse_sum(), offset)
            comparisons.append(NumberComparison(sign, left, right))
            left = right
        if not comparisons:
            return left
        return comparisons[0] if len(comparisons) == 1 else And(tuple(comparisons))

    def _is_membership(self) -> bool:
        return self.token.text == "in" or self.tokens[self.next + 1].text == "in"

    def parse_in(self, number: Number) -> Fact:
        negated = self.accept("not")
        self.expect("in", "after 'not'")
        self.expect("(", "after 'in'")
        choices: list[Fact] = []
        while True:
            offset = self.token.offset
            choices.append(NumberComparison("==", number, self.expect_number(self.parse_sum(), offset)))
            if not self.accept(","):
                break
        self.expect(")", "after the list")
        choice = Or(tuple(choices))
        return Not(choice) if negated else choice

    def parse_sum(self) -> Node:
        offset = self.token.offset
        node = self.parse_term()
        while self.token.sort == "sign" and self.token.text in "+-":
            self.sum_count += 1
            if self.sum_count > MAX_SUMS:
                raise self._error(f"more than {MAX_SUMS} plus or minus signs", self.token.offset)
            sign = 1 if self.take().text == "+" else -1
            right_at = self.token.offset
            node = Sum(self.expect_number(node, offset), self.expect_number(self.parse_term(), right_at), sign)
        return node

    def parse_term(self) -> Node:
        token = self.take()
        match token.sort:
            case "number":
                if len(token.text) > len(str(MAX_NUMBER)) or int(token.text) > MAX_NUMBER:
                    raise self._error(f"a number must be at most {MAX_NUMBER}, got {quote(token.text)}", token.offset)
                if self.token.text == ".":
                    raise self._error("expected a whole number", self.token.offset)
                return Literal(int(token.text))
            case "rank":
                return Literal(int(parse_rank(token.text)))
            case "ranks":
                return self.parse_rank_list(token, self.all_positions(token))
            case "card":
                raise self._error(
                    f"the card {quote(token.text)} is not a fact", token.offset, f"; write has({token.text})"
                )
            case "sign" if token.text == "(":
                node = self.parse_or()
                self.expect(")", "to close the bracket")
                return node
            case "name":
                return self.parse_word(token)
            case "end":
                hint = f"; write a fact after '{self.tokens[-2].text}', or remove it"
                raise self._error("expected a word or a number", token.offset, hint)
            case _:
                raise self._error(f"unexpected {quote(token.text)}", token.offset)
