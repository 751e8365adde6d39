"""Reading what a rule says of some cards: words, calls, lists of ranks and kinds of card that the deal has."""

from __future__ import annotations

from typing import TypeVar

from combinat.language.deal import Deal
from combinat.language.hints import ACE, hint_for
from combinat.language.poker import ORDER, SIZES, any_word, best_word, can_be_said
from combinat.language.tokens import Token, error_at, tokens_of
from combinat.language.tree import Compare, Count, Literal, Measure, Node, Predicate, Ranks, SameAs
from combinat.language.word import Kind, Places, Word
from combinat.language.words import ANY, BEST, CALLS, FACTS, KINDS, NUMBERS, OPERATORS, REFERENCES
from decks import InputError, parse_card, suggestion
from decks.cards import parse_rank
from decks.errors import quoted

MAX_LENGTH = 1000
Leaf = TypeVar("Leaf", bound=Predicate | Measure | Ranks | Count)


class WordReader:
    """Reads a rule from left to right, checking as it goes that each word fits the deal."""

    def __init__(self, text: str, deal: Deal) -> None:
        if len(text) > MAX_LENGTH:
            raise InputError(f"the rule {quoted(text)} has {len(text)} characters; at most {MAX_LENGTH} are read")
        self.text = text
        self.deal = deal
        self.roles: set[str] = set()
        self.tokens = tokens_of(text, deal)
        self.next = 0

    # Pieces

    def _error(self, what: str, at: int, hint: str = "") -> InputError:
        return error_at(self.text, what, at, hint)

    @property
    def token(self) -> Token:
        """The next piece of the rule."""
        return self.tokens[self.next]

    def take(self) -> Token:
        """Go on to the piece after the next, and give the next."""
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
        """Take a piece that must come next."""
        if not self.takes(text):
            found = quoted(self.token.text) if self.token.text else "nothing"
            raise self._error(f"'{text}' expected {why}, found {found}", self.token.at)

    # Words

    def said(self, token: Token) -> Node:
        """Read a word, perhaps with the role that it is said of."""
        places: Places | None = None
        said_of = "the deal"
        role: Token | None = None
        name = self.phrase(token)  # a phrase may begin with the name of a role: player wins
        if name == token.text and name in self.deal.groups and name not in OPERATORS:
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
            name = self.phrase(token)
        if token.text in (ANY, BEST) and token.sort == "name":
            return self.hand_among(token, places or self.everybody(token), said_of)
        if role is None and self.token.text == "." and token.text not in CALLS:
            self.deal_has_no(token)
        if token.sort != "name":
            raise self._error(f"a word was expected, found {quoted(token.text)}", token.at)
        if token.text in CALLS and name == token.text:  # a phrase may begin like a call: all ranks different
            return self.call(token, places or self.everybody(token))
        word = self.deal.vocabulary.word(name)
        if word is None:
            raise self.no_word(token, role)
        places = places or self.everybody(token)
        if self.token.text == "(" and self.token.sort == "sign":
            raise self._error(f"'{name}' takes no brackets", self.token.at)
        self.check_size(word, self.deal.size(places), said_of, token)
        is_fact = name in self.deal.vocabulary.facts
        return self.allowed(Predicate(word, places) if is_fact else Measure(word, places), token)

    def hand_among(self, token: Token, places: Places, said_of: str) -> Predicate:
        """Parse a hand that some of the cards make: best five.full house, any five.full house."""
        prefix = token.text
        said = self.take()
        size = SIZES.get(said.text) or next((many for many in ORDER if str(many) == said.text), 0)
        if not size or not self.takes("."):
            raise self._error(
                f"'{prefix}' does not say of how many cards", token.at, f"; write for example {prefix} five.full house"
            )
        word_token = self.take()
        name = self.phrase(word_token)
        cards = self.deal.size(places)
        if not self.deal.ranks_hands or cards is None:
            raise self._error(
                f"'{prefix} {said.text}' cannot be asked of {said_of}", token.at, "; deal a fixed number of them"
            )
        if cards < size:
            raise self._error(f"'{prefix} {said.text}' needs {size} cards, but {said_of} has {cards}", token.at)
        known = [one for one in self.deal.vocabulary.facts if one in FACTS and can_be_said(one, size)]
        if name not in known:
            is_word = self.deal.vocabulary.word(name) is not None
            hint = (not is_word and suggestion(name, known)) or f"; it can be {', '.join(known)}"
            raise self._error(f"{quoted(name)} is no hand of {size} cards", word_token.at, hint)
        word = best_word(name, size) if prefix == BEST else any_word(name, size)
        return self.allowed(Predicate(word, places), token)

    def check_size(self, word: Word, size: int | None, said_of: str, token: Token) -> None:
        """Refuse a word that cannot be said of so many cards; of a hand that is drawn, the deal decides."""
        least, most = word.sizes
        if size is None or least <= size <= most:
            return
        count = "one card" if most == 1 else f"{least} cards" if most == least else f"at least {least} cards"
        if size > most > least:
            count = f"at most {most} cards"
        hint = "; use high, low or count" if word.is_rank else ""
        raise self._error(f"'{word.name}' is said of {count}, but {said_of} has {size}", token.at, hint)

    def allowed(self, node: Leaf, token: Token) -> Leaf:
        """Refuse what cannot be asked of these cards."""
        if objection := self.deal.objection(node):
            what, semicolon, hint = objection.partition("; ")
            raise self._error(what, token.at, semicolon + hint)
        return node

    def everybody(self, token: Token) -> Places:
        """The cards that a word looks at which names no role."""
        places = self.deal.everybody
        if places is None:
            roles = " or ".join(f"{role}.{token.text}" for role in self.deal.whose)
            raise self._error(f"{quoted(token.text)} must say whose cards it means", token.at, f"; write {roles}")
        return places

    def deal_has_no(self, token: Token) -> None:
        """Refuse a role that the deal does not have."""
        try:
            self.deal.positions(token.text)
        except InputError as error:
            what, _, hint = str(error).partition("; ")
            raise self._error(what, token.at, f"; {hint}") from None

    def no_word(self, token: Token, role: Token | None = None) -> InputError:
        """Make the error that there is no such word, of a role if one stands before it."""
        vocabulary = self.deal.vocabulary
        choices = [*vocabulary.facts, *vocabulary.numbers, *CALLS, *self.deal.groups]
        hint = hint_for(token.text) or suggestion(token.text.replace("_", " "), choices)
        if token.text in KINDS:
            hint = f"; write has({token.text}), all({token.text}) or count({token.text})"
        if role and (phrase := f"{role.text} {token.text}") in vocabulary.phrases:
            hint = f"; write '{phrase}'"
        return self._error(f"no word {quoted(token.text)}", token.at, hint)

    def phrase(self, token: Token) -> str:
        """Put the words of a phrase such as 'three of a kind' together."""
        here, aliases = self.next, self.deal.vocabulary.aliases
        for phrase in self.deal.vocabulary.phrases:
            words = phrase.split()
            found: list[str] = token.text.split("_")
            if found[0] != words[0]:
                continue
            follow = here
            while len(found) < len(words) and self.tokens[follow].sort == "name":
                found.extend(self.tokens[follow].text.split("_"))
                follow += 1
            if found == words:
                self.next = follow
                return aliases.get(phrase, phrase)
        return aliases.get(token.text, token.text)

    def call(self, token: Token, places: Places) -> Node:
        """Read count, has or all with the kinds of card that it looks for."""
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
                size = self.deal.size(places)
                if self.deal.most_cards(places) == 1:
                    size = 1  # of a card that is not there, nothing holds
                every = Measure(NUMBERS["cards"], places) if size is None else Literal(size)
                return Compare("==", count, every)
            case _:
                return count

    def rank_list(self, token: Token, places: Places) -> Ranks:
        """Read ranks such as A-K-Q."""
        ranks = tuple(sorted(int(parse_rank(self.checked_rank(part, token.at))) for part in token.text.split("-")))
        size = self.deal.size(places)
        if size is not None and len(ranks) != size:
            cards = f"{size} card{'s' if size > 1 else ''}"
            raise self._error(f"{quoted(token.text)} names {len(ranks)} ranks for {cards}", token.at)
        return self.allowed(Ranks(places, ranks), token)

    def checked_rank(self, text: str, at: int) -> str:
        """Refuse what is no rank."""
        try:
            parse_rank(text)
        except InputError as error:
            hint = ACE if text == "1" else "; ranks are 2 to 10, J, Q, K and A"
            raise self._error(str(error).partition(";")[0], at, hint) from None
        return text

    def kind(self, places: Places) -> Kind | SameAs:
        """Read a kind of card that these cards can be asked for."""
        token = self.take()
        kind = self.plain_kind(token)
        self.allowed(Count(places, (kind,)), token)
        return kind

    def plain_kind(self, token: Token) -> Kind | SameAs:
        """Read a kind of card."""
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

    def like(self, role: Token) -> SameAs:
        """Read that a card is to be like that of a role."""
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
        return SameAs(places[0], what)
