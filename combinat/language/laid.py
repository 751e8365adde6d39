"""One hand as it lies on the table: whether a rule holds for it, and if not, which part fails and what is there.

A word says what it asks of ranks and of suits, and a deal says where cards lie, so any experiment's hands are judged
here; only what no card tells, such as a player's choice, cannot be.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from combinat.language.deal import Deal
from combinat.language.english import in_words
from combinat.language.phrases import RANK_NAMES, listed
from combinat.language.poker import is_best, some_are
from combinat.language.tree import (
    And,
    Compare,
    Count,
    Fact,
    Literal,
    Measure,
    Not,
    Number,
    Or,
    Predicate,
    Ranks,
    Rule,
    SameAs,
    Sum,
)
from combinat.language.word import Kind, Places, Word
from combinat.language.words import JOKERS
from decks import STANDARD, Card, InputError, Pack
from decks.errors import quoted

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Reason(Struct, frozen=True):
    """A part of a rule that fails: what is so instead, in English, and what the hand has there."""

    failing: str
    has: str

    def __str__(self) -> str:
        return f"{self.failing} ({self.has})" if self.has else self.failing


class LaidHand(Struct, frozen=True):
    """Cards at the places of a deal."""

    deal: Deal
    places: Mapping[int, tuple[Card, ...]]
    pack: Pack = STANDARD
    """Of what the cards are dealt, which says what a joker stands for."""

    def at(self, places: Places) -> tuple[Card, ...]:
        """The cards that lie at some places; none at a place that no rule looks at may be known."""
        return tuple(card for place in places for card in self.places.get(place, ()))

    def fits(self, fact: Fact) -> bool:
        """Whether a fact holds."""
        match fact:
            case Predicate(word) if word.whole:
                return bool(self._of_the_whole(word))
            case Predicate(word, places) if word.best:
                return is_best(self.at(places), word, self.pack)
            case Predicate(word, places) if word.any_size:
                return some_are(self.at(places), word, self.pack)
            case Predicate(word, places):
                return self._has_size(word, places) and self._by_ranks(word, places) and self._by_suits(word, places)
            case Ranks(places, ranks):
                return tuple(sorted(card.rank for card in self.at(places))) == ranks
            case Compare(sign, left, right):
                one, other = self.number(left), self.number(right)
                return one is not None and other is not None and _COMPARE[sign](one, other)
            case Not(inner):
                return not self.fits(inner)
            case And(facts):
                return all(map(self.fits, facts))
            case Or(facts):
                return any(map(self.fits, facts))

    def number(self, number: Number) -> int | None:
        """Work out a number; of cards that are not there it has no value."""
        match number:
            case Literal(value):
                return value
            case Measure(word, places):
                if word.whole:
                    return self._of_the_whole(word)
                self._check_told(word, places)
                return word.value(self._ranks(places)) if self._has_size(word, places) else None
            case Count(places, kinds):
                return sum(any(self._is_of(card, kind) for kind in kinds) for card in self.at(places))
            case Sum(left, right, sign):
                one, other = self.number(left), self.number(right)
                return None if one is None or other is None else one + sign * other

    def reasons(self, fact: Fact) -> Iterator[Reason]:
        """Say why a fact does not hold, part by part."""
        match fact:
            case And(facts):
                for part in facts:
                    if not self.fits(part):
                        yield from self.reasons(part)
            case Or(facts):
                for part in facts:
                    yield from self.reasons(part)
            case _:
                denied = in_words(Rule("", Not(fact), frozenset()), self.deal)
                yield Reason(denied, ", ".join(dict.fromkeys(self._seen(fact))))

    def _has_size(self, word: Word, places: Places) -> bool:
        self._check_told(word, places)
        least, most = word.sizes
        cards = self.at(places)
        has_ranks = word.name == "cards" or not any(card.is_joker for card in cards)
        return has_ranks and least <= len(cards) <= most

    def _of_the_whole(self, word: Word) -> int:
        value = self.deal.of_the_whole(word, self.places)
        if value is None:
            raise InputError(
                f"cards alone do not tell {quoted(word.name)}; a hand of {quoted(self.deal)} cannot be judged"
            )
        return value

    def _by_ranks(self, word: Word, places: Places) -> bool:
        return not word.ranks or bool(word.ranks(self._ranks(places)))

    def _by_suits(self, word: Word, places: Places) -> bool:
        return not word.suits or word.suits(tuple(int(card.suit) for card in self.at(places)))

    def _ranks(self, places: Places) -> tuple[int, ...]:
        return tuple(int(card.rank) for card in self.at(places))

    def _check_told(self, word: Word, places: Places) -> None:
        if (word.ranks is None and word.suits is None) or not set(places) <= self.places.keys():
            raise InputError(
                f"cards alone do not tell {quoted(word.name)}; a hand of {quoted(self.deal)} cannot be judged"
            )

    def _is_of(self, card: Card, kind: Kind | SameAs) -> bool:
        if isinstance(kind, Kind):
            if card.is_joker:
                return kind == JOKERS
            return (kind.ranks is None or card.rank in kind.ranks) and (kind.suits is None or card.suit in kind.suits)
        if not self.places[kind.place]:
            return False  # there is no such card to be like
        (other,) = self.places[kind.place]
        if card.is_joker or other.is_joker:
            return False  # a joker is like no other card
        alike = {
            "rank": card.rank == other.rank,
            "suit": card.suit == other.suit,
            "color": card.suit.is_red == other.suit.is_red,
        }
        return alike[kind.what] if kind.what else card == other

    def _seen(self, fact: Fact) -> Iterator[str]:
        """Say what the hand has where a fact looks."""
        match fact:
            case Predicate(word, places) if word.whole or word.best or word.any_size:
                yield _cards(self.at(places))
            case Predicate(word, places):
                if self.fits(fact) or not self._has_size(word, places) or not self._by_ranks(word, places):
                    yield _cards(self.at(places))
                if word.suits and not self._by_suits(word, places):
                    suits = [str(card.suit) for card in self.at(places) if not card.is_joker]
                    yield listed(list(dict.fromkeys(suits)) or ["no suit"], "and")
            case Ranks(places) | Compare(_, Count(places), _):
                yield _cards(self.at(places))
            case Compare(_, left, right):
                yield from (f"{self._named(one)} {self._written(one)}" for one in (left, right) if not _is_literal(one))
            case Not(inner):
                yield from self._seen(inner)
            case And(facts) | Or(facts):
                for part in facts:
                    yield from self._seen(part)

    def _named(self, number: Number) -> str:
        match number:
            case Measure(word, places):
                whose = self.deal.cards(places)
                return f"{whose.holder}'s {word.quantity or word.name}" if whose.holder else word.quantity or word.name
            case _:
                return "a number of"

    def _written(self, number: Number) -> str:
        value = self.number(number)
        if value is None:
            return "none"
        is_rank = isinstance(number, Measure) and number.word.is_rank
        return RANK_NAMES.get(value, "none") if is_rank else str(value)  # a top pair of cards that all differ is none


def _is_literal(number: Number) -> bool:
    return isinstance(number, Literal)


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "no card"
