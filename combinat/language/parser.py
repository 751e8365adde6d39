"""Reading a rule: from the text a designer writes to the tree that is counted.

    rule        = all_of ("or" all_of)*
    all_of      = one ("and" one)*
    one         = "not" one | comparison
    comparison  = number (("==" | "!=" | "<" | "<=" | ">" | ">=") number)+ | number "in" "(" number, ... ")" | fact
    number      = term (("+" | "-") term)*
    term        = 7 | A | [role "."] number_word | [role "."] "count" "(" kind, ... ")" | "(" rule ")"
    fact        = [role "."] [("best" | "any") "five" "."] fact_word | [role "."] ("has" | "all") "(" kind, ... ")"
                | [role "."] A-K-Q | "(" rule ")"
    kind        = 7 | A | 7d | hearts | red | face | tens | role | role "." ("rank" | "suit" | "color")

Nothing of a rule is ever run as a program; its length and depth are bounded.
"""

from __future__ import annotations

from functools import lru_cache

from combinat.language.deal import Deal
from combinat.language.tree import (
    And,
    Compare,
    Count,
    Fact,
    Literal,
    Measure,
    Node,
    Not,
    Number,
    Or,
    Quantity,
    Rule,
    Sum,
)
from combinat.language.word_reader import WordReader
from decks import InputError
from decks.cards import parse_rank
from decks.errors import quoted

MAX_DEPTH = 20
MAX_SUMS = 8
MAX_NUMBER = 1000

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


@lru_cache(maxsize=512)  # paytables of a bet say the same over and over
def parse_rule(text: str, deal: Deal) -> Rule:
    """Read a rule about the cards of a deal.

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
    """Read a number of the cards of a deal, for which something is paid each.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> sorted(parse_quantity("player.count(up.rank)", parse_deal("player:2, up:1")).roles)
    ['player', 'up']
    """
    return _Parser(text, deal).quantity()


class _Parser(WordReader):
    """Reads the sentences of a rule: facts joined by and, or and not, numbers compared and added."""

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
        if not isinstance(node, (Literal, Measure, Count, Sum)):
            raise self._error("a yes-or-no fact stands where a number belongs", 0, "; write 'when' for a fact")
        return Quantity(" ".join(self.text.split()), node, frozenset(self.roles))

    def whole(self) -> Node:
        """Read all that is written."""
        node = self.any_of()
        if self.token.sort != "end":
            raise self._error(
                f"{quoted(self.token.text)} does not follow", self.token.at, "; join facts by 'and' or 'or'"
            )
        return node

    def fact(self, node: Node, at: int) -> Fact:
        if isinstance(node, (Literal, Measure, Count, Sum)):
            raise self._error("a number stands where a yes-or-no fact belongs", at, "; compare it, as in 'total == 20'")
        return node

    def number(self, node: Node, at: int) -> Number:
        if not isinstance(node, (Literal, Measure, Count, Sum)):
            raise self._error("a yes-or-no fact stands where a number belongs", at, "; join facts by 'and' or 'or'")
        return node

    def any_of(self) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._error(f"more than {MAX_DEPTH} levels of brackets", self.token.at)
        at = self.token.at
        first = self.all_of()
        if self.token.text == "or":
            facts = [self.fact(first, at)]
            while self.takes("or"):
                at = self.token.at
                facts.append(self.fact(self.all_of(), at))
            first = Or(tuple(facts))
        self.depth -= 1
        return first

    def all_of(self) -> Node:
        at = self.token.at
        first = self.one()
        if self.token.text == "and":
            facts = [self.fact(first, at)]
            while self.takes("and"):
                at = self.token.at
                facts.append(self.fact(self.one(), at))
            first = And(tuple(facts))
        return first

    def one(self) -> Node:
        negations = 0
        while self.takes("not"):
            negations += 1
        at = self.token.at
        node = self.comparison()
        if not negations:
            return node
        fact = self.fact(node, at)
        return Not(fact) if negations % 2 else fact

    def comparison(self) -> Node:
        at = self.token.at
        left = self.total()
        if self.token.sort == "name" and self.token.text in ("in", "not") and self._is_membership():
            return self.membership(self.number(left, at))
        comparisons: list[Fact] = []
        while self.token.sort == "sign" and self.token.text in _COMPARISONS:
            sign = self.take().text
            left = self.number(left, at)
            at = self.token.at
            right = self.number(self.total(), at)
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
            at = self.token.at
            choices.append(Compare("==", number, self.number(self.total(), at)))
            if not self.takes(","):
                break
        self.expect(")", "after the list")
        listed = Or(tuple(choices))
        return Not(listed) if negated else listed

    def total(self) -> Node:
        at = self.token.at
        node = self.term()
        while self.token.sort == "sign" and self.token.text in "+-":
            self.sums += 1
            if self.sums > MAX_SUMS:
                raise self._error(f"more than {MAX_SUMS} plus or minus signs", self.token.at)
            sign = 1 if self.take().text == "+" else -1
            right_at = self.token.at
            node = Sum(self.number(node, at), self.number(self.term(), right_at), sign)
        return node

    def term(self) -> Node:
        token = self.take()
        match token.sort:
            case "number":
                if len(token.text) > len(str(MAX_NUMBER)) or int(token.text) > MAX_NUMBER:
                    raise self._error(f"{quoted(token.text)} is more than {MAX_NUMBER}", token.at)
                if self.token.text == ".":
                    raise self._error("numbers in a rule are whole, but this one goes on", self.token.at)
                return Literal(int(token.text))
            case "rank":
                return Literal(int(parse_rank(token.text)))
            case "ranks":
                return self.rank_list(token, self.everybody(token))
            case "card":
                raise self._error(f"the card {quoted(token.text)} stands alone", token.at, f"; write has({token.text})")
            case "sign" if token.text == "(":
                node = self.any_of()
                self.expect(")", "to close the bracket")
                return node
            case "name":
                return self.said(token)
            case "end":
                raise self._error("something is missing", token.at)
            case _:
                raise self._error(f"{quoted(token.text)} does not belong", token.at)
