"""Reading a rule: from the text a designer writes to the tree that is counted.

    rule        = all_of ("or" all_of)*
    all_of      = one ("and" one)*
    one         = "not" one | comparison
    comparison  = number (("==" | "!=" | "<" | "<=" | ">" | ">=") number)+ | number "in" "(" number, ... ")" | fact
    number      = term (("+" | "-") term)*
    term        = 7 | A | [role "."] number_word | [role "."] "count" "(" kind, ... ")" | "(" rule ")"
    fact        = [role "."] fact_word | [role "."] ("has" | "all") "(" kind, ... ")"
                | [role "."] A-K-Q | "(" rule ")"
    kind        = 7 | A | 7d | hearts | red | face | tens | role | role "." ("rank" | "suit" | "color")

Nothing of a rule is ever run as a program; its length and depth are bounded.
"""

from __future__ import annotations

from combinat.deal import Deal
from combinat.rules import (
    And,
    Compare,
    Count,
    Fact,
    Like,
    Literal,
    Measure,
    Node,
    Not,
    Number,
    Or,
    Places,
    Ranks,
    Rule,
    Said,
    Sum,
)
from combinat.tokens import Token, error_at, tokens_of
from combinat.words import ALIASES, CALLS, FACTS, KINDS, NUMBERS, OPERATORS, REFERENCES, Kind
from decks import InputError, parse_card, suggestion
from decks.cards import parse_rank
from decks.errors import quoted

MAX_LENGTH = 1000
MAX_DEPTH = 20
MAX_SUMS = 8
MAX_NUMBER = 1000

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_PHRASES = sorted(
    {name for name in (*FACTS, *NUMBERS, *ALIASES) if " " in name}, key=lambda name: -len(name.split())
)  # longest first


def parse_rule(text: str, deal: Deal) -> Rule:
    """Read a rule about the cards of a deal.

    >>> from combinat.deal import parse_deal
    >>> deal = parse_deal("player:2, up:1")
    >>> sorted(parse_rule("suited and player.count(7) == 2", deal).roles)
    ['player']
    >>> parse_rule("suited and strait", deal)
    Traceback (most recent call last):
        ...
    decks.errors.InputError: no word 'strait' in the rule 'suited and strait' at column 12; did you mean 'straight'?
    """
    return _Parser(text, deal).rule()


class _Parser:
    """Reads one rule from left to right, checking as it goes that each word fits the deal."""

    def __init__(self, text: str, deal: Deal) -> None:
        if len(text) > MAX_LENGTH:
            raise InputError(f"the rule {quoted(text)} has {len(text)} characters; at most {MAX_LENGTH} are read")
        self.text = text
        self.deal = deal
        self.roles: set[str] = set()
        self.sums = 0
        self.depth = 0
        self.tokens = tokens_of(text, deal)
        self.next = 0

    # Pieces

    def _error(self, what: str, at: int, hint: str = "") -> InputError:
        return error_at(self.text, what, at, hint)

    @property
    def token(self) -> Token:
        return self.tokens[self.next]

    def take(self) -> Token:
        token = self.token
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return token

    def takes(self, *texts: str) -> bool:
        """Take the next piece if it is one of these."""
        if self.token.sort in ("sign", "name") and self.token.text in texts:
            self.take()
            return True
        return False

    def expect(self, text: str, why: str) -> None:
        if not self.takes(text):
            found = quoted(self.token.text) if self.token.text else "nothing"
            raise self._error(f"'{text}' expected {why}, found {found}", self.token.at)

    # Sentences

    def rule(self) -> Rule:
        if self.token.sort == "end":
            raise InputError("the rule is empty; write what the cards must be, as in 'suited and straight'")
        fact = self.any_of()
        if self.token.sort != "end":
            raise self._error(
                f"{quoted(self.token.text)} does not follow", self.token.at, "; join facts by 'and' or 'or'"
            )
        return Rule(" ".join(self.text.split()), self.fact(fact, 0), frozenset(self.roles))

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

    # Words

    def said(self, token: Token) -> Node:
        places: Places | None = None
        said_of = "the deal"
        if token.text in self.deal.groups and token.text not in OPERATORS:
            role = token
            if not self.takes("."):
                raise self._error(
                    f"{quoted(role.text)} says nothing by itself", role.at, f"; write for example {role.text}.has(7)"
                )
            self.roles.add(role.text)
            places = self.deal.positions(role.text)
            said_of = f"'{role.text}'"
            token = self.take()
            if token.sort == "ranks":
                return self.rank_list(token, places)
        elif self.token.text == "." and token.text not in CALLS:
            self.deal_has_no(token)
        if token.sort != "name":
            raise self._error(f"a word was expected, found {quoted(token.text)}", token.at)
        if token.text in CALLS:
            return self.call(token, places or self.everybody(token))
        name = self.phrase(token)
        word = FACTS.get(name) or NUMBERS.get(name)
        if word is None:
            raise self.no_word(token)
        places = places or self.everybody(token)
        if self.token.text == "(" and self.token.sort == "sign":
            raise self._error(f"'{name}' takes no brackets", self.token.at)
        least, most = word.sizes
        if places == self.deal.drawn:
            if most < 2 or not word.is_for_drawn:
                raise self._error(f"'{name}' cannot be said of the dealer's finished hand", token.at)
            least = min(least, 2)
        if not least <= len(places) <= most:
            count = "one card" if most == 1 else f"{least} cards" if most == least else f"at least {least} cards"
            if len(places) > most > least:
                count = f"at most {most} cards"
            hint = "; use high, low or count" if name == "rank" else ""
            raise self._error(f"'{name}' is said of {count}, but {said_of} has {len(places)}", token.at, hint)
        return Said(name, places) if name in FACTS else Measure(name, places)

    def everybody(self, token: Token) -> Places:
        """The cards that a word looks at which names no role."""
        places = self.deal.everybody
        if places is None:
            roles = " or ".join(f"{role}.{token.text}" for role in ("dealer", *(role for role, _ in self.deal.roles)))
            raise self._error(f"{quoted(token.text)} must say whose cards it means", token.at, f"; write {roles}")
        return places

    def deal_has_no(self, token: Token) -> None:
        try:
            self.deal.positions(token.text)
        except InputError as error:
            what, _, hint = str(error).partition("; ")
            raise self._error(what, token.at, f"; {hint}") from None

    def no_word(self, token: Token) -> InputError:
        choices = [*FACTS, *NUMBERS, *CALLS, *self.deal.groups]
        hint = suggestion(token.text.replace("_", " "), choices)
        if token.text in KINDS:
            hint = f"; write has({token.text}), all({token.text}) or count({token.text})"
        return self._error(f"no word {quoted(token.text)}", token.at, hint)

    def phrase(self, token: Token) -> str:
        """Put the words of a phrase such as 'three of a kind' together."""
        here = self.next
        for phrase in _PHRASES:
            words = phrase.split()
            found: list[str] = token.text.split("_")
            follow = here
            while len(found) < len(words) and self.tokens[follow].sort == "name":
                found.extend(self.tokens[follow].text.split("_"))
                follow += 1
            if found == words:
                self.next = follow
                return ALIASES.get(phrase, phrase)
        return ALIASES.get(token.text, token.text)

    def call(self, token: Token, places: Places) -> Node:
        self.expect("(", f"after '{token.text}'")
        kinds = [self.kind(places)]
        while self.takes(","):
            kinds.append(self.kind(places))
        self.expect(")", f"to close '{token.text}('")
        count = Count(places, tuple(kinds))
        match token.text:
            case "has":
                return Compare(">=", count, Literal(1))
            case "all":
                every = Measure("cards", places) if places == self.deal.drawn else Literal(len(places))
                return Compare("==", count, every)
            case _:
                return count

    def rank_list(self, token: Token, places: Places) -> Ranks:
        ranks = tuple(sorted(int(parse_rank(self.checked_rank(part, token.at))) for part in token.text.split("-")))
        if len(ranks) != len(places) and places != self.deal.drawn:
            cards = f"{len(places)} card{'s' if len(places) > 1 else ''}"
            raise self._error(f"{quoted(token.text)} names {len(ranks)} ranks for {cards}", token.at)
        return Ranks(places, ranks)

    def checked_rank(self, text: str, at: int) -> str:
        try:
            parse_rank(text)
        except InputError as error:
            raise self._error(str(error).partition(";")[0], at, "; ranks are 2 to 10, J, Q, K and A") from None
        return text

    def kind(self, places: Places) -> Kind | Like:
        token = self.take()
        kind = self.plain_kind(token)
        of_drawn = places[0] in self.deal.drawn
        unknown = (
            kind.what != "rank" and (of_drawn or kind.place in self.deal.drawn)
            if isinstance(kind, Like)
            else (kind.suits is not None and of_drawn)
        )
        if unknown:
            hint = "; dealer.suited and dealer.same color can be asked, or ranks"
            raise self._error("the suits of single cards of the dealer's finished hand are not known", token.at, hint)
        return kind

    def plain_kind(self, token: Token) -> Kind | Like:
        match token.sort:
            case "number" | "rank":
                return Kind(ranks=frozenset({int(parse_rank(self.checked_rank(token.text, token.at)))}))
            case "card":
                card = parse_card(token.text)
                return Kind(frozenset({int(card.rank)}), frozenset({int(card.suit)}))
            case "name" if token.text in self.deal.groups:
                return self.like(token)
            case "name" if token.text in KINDS:
                return KINDS[token.text][0]
            case _:
                hint = suggestion(token.text, [*KINDS, *self.deal.groups]) if token.text else ""
                hint = hint or "; kinds are ranks (7, A), cards (7d), suits, red, black, face, tens, or a role's card"
                found = quoted(token.text) if token.text else "nothing"
                raise self._error(f"no kind of card {found}", token.at, hint)

    def like(self, role: Token) -> Like:
        self.roles.add(role.text)
        places = self.deal.positions(role.text)
        if len(places) != 1:
            raise self._error(f"'{role.text}' has {len(places)} cards; cards are matched to one card", role.at)
        what = ""
        if self.takes("."):
            token = self.take()
            what = token.text
            if what not in REFERENCES or not what:
                choices = [name for name in REFERENCES if name]
                hint = suggestion(what, choices) or f"; match by {', '.join(choices)}, or by nothing for both"
                raise self._error(f"cannot match by {quoted(what)}", token.at, hint)
        return Like(places[0], what)
