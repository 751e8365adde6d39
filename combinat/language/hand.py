"""One hand as it lies on the table: whether a rule holds for it, and if not, which part fails and what is there.

A word says what it asks of ranks and of suits, and a deal says where cards lie, so any experiment's hands are judged
here; only what no card tells, such as a player's choice, cannot be.

Laying cards down: from what a person writes, in the order of the deal or by the names of roles, to places.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from combinat.language.deal import SMALL_NUMBERS, Deal
from combinat.language.english import RANK_NAMES, describe_rule, join_words
from combinat.language.poker import is_best, some_are
from combinat.language.rules import (
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
    referenced_positions,
)
from combinat.language.words import JOKERS, Kind, Positions, Word, count_leading
from decks import STANDARD, Card, InputError, Pack, did_you_mean
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


class DealtHand(Struct, frozen=True):
    """Cards at the places of a deal."""

    deal: Deal
    places: Mapping[int, tuple[Card, ...]]
    pack: Pack = STANDARD
    """Of what the cards are dealt, which says what a joker stands for."""

    def at(self, places: Positions) -> tuple[Card, ...]:
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
                if word.leading is not None:
                    return count_leading([card.suit for card in self.at(places)], word.leading)
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
                denied = describe_rule(Rule("", Not(fact), frozenset()), self.deal)
                yield Reason(denied, ", ".join(dict.fromkeys(self._seen(fact))))

    def _has_size(self, word: Word, places: Positions) -> bool:
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

    def _by_ranks(self, word: Word, places: Positions) -> bool:
        return not word.ranks or bool(word.ranks(self._ranks(places)))

    def _by_suits(self, word: Word, places: Positions) -> bool:
        return not word.suits or word.suits(tuple(int(card.suit) for card in self.at(places)))

    def _ranks(self, places: Positions) -> tuple[int, ...]:
        return tuple(int(card.rank) for card in self.at(places))

    def _check_told(self, word: Word, places: Positions) -> None:
        if (word.ranks is None and word.suits is None and word.leading is None) or not set(
            places
        ) <= self.places.keys():
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
                    yield join_words(list(dict.fromkeys(suits)) or ["no suit"], "and")
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


CardsByPosition = dict[int, tuple[Card, ...]]


def hand_from_cards(deal: Deal, cards: Sequence[Card]) -> DealtHand:
    """Lay cards down as they are dealt, role by role; a hand that grows takes all that are left.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from decks import parse_cards
    >>> hand = hand_from_cards(parse_deal("player:2, up:1"), parse_cards("As Ks Qs"))
    >>> hand.at((0, 1)), hand.at((2,))
    ((Card('As'), Card('Ks')), (Card('Qs'),))
    """
    if deal.unlaid:
        raise InputError(deal.unlaid)
    lying: CardsByPosition = {}
    hands = deal.disjoint_groups()
    open_ended = [name for name, places in hands[:-1] if deal.least_cards(places) < deal.most_cards(places)]
    if open_ended:
        raise InputError(
            f"how many cards {quoted(open_ended[0])} has depends on them; name the roles, as in {_form(deal)}"
        )
    least, most = (sum(bound(places) for _, places in hands) for bound in (deal.least_cards, deal.most_cards))
    _check_count(least, most, len(cards), f"the deal {deal}")
    start = 0
    for name, places in hands:
        end = start + len(places) if (name, places) != hands[-1] else len(cards)
        lying |= _assign_cards(deal, places, cards[start:end], name)
        start = end
    return _laid(deal, lying)


def hand_from_roles(deal: Deal, roles: Mapping[str, Sequence[Card]], rules: Iterable[Rule] = ()) -> DealtHand:
    """Lay down each role's cards; each card that is dealt must be somebody's, or one that no rule looks at."""
    if deal.unlaid and not roles.keys() <= deal.groups.keys():
        raise InputError(deal.unlaid)
    lying: CardsByPosition = {}
    by_role: dict[str, CardsByPosition] = {}
    for role, cards in roles.items():
        by_role[role] = _assign_cards(deal, deal.positions(role), cards, role)
        for place, there in by_role[role].items():
            if lying.setdefault(place, there) != there:
                raise InputError(_conflict_message(by_role, place, role))
    dealt = {place for _, places in deal.disjoint_groups() for place in places}
    looked_at = {place for places in referenced_positions(rule.fact for rule in rules) for place in places}
    if missing := (looked_at & dealt or dealt) - lying.keys():
        names = [name for name, places in deal.groups.items() if set(places) & missing and name not in roles]
        whose = " or ".join(map(quoted, names))
        is_begun = any(lying.keys() & set(deal.groups[name]) for name in names)
        said = f"not all cards of {whose} are given" if is_begun else f"no card of {whose} is given"
        raise InputError(f"{said}; the deal is {deal}")
    # Whether more cards would have come is known only where all of them lie.
    return _laid(deal, lying) if dealt <= lying.keys() else DealtHand(deal, lying)


def _conflict_message(by_role: Mapping[str, CardsByPosition], place: int, role: str) -> str:
    """Say which of two roles has the other's card among its own, and what each gives there."""
    other = next(name for name, lying in by_role.items() if place in lying)
    few, many = sorted((role, other), key=lambda name: len(by_role[name]))
    told, there = (" ".join(map(str, by_role[name][place])) for name in (few, many))
    if by_role[few].keys() == by_role[many].keys():
        return f"{quoted(other)} and {quoted(role)} are the same cards, but are given differently"
    return (
        f"the cards of {quoted(many)} include that of {quoted(few)}, {told}, but have {there} in its place; give it in "
        f"both, or leave {quoted(few)} out"
    )


def parse_roles_of_hand(texts: Sequence[str], deal: Deal) -> dict[str, str]:
    """Read cards by the names of roles, as in `player=As Ks`; nothing if no text names a role.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> parse_roles_of_hand(["player=As Ks", "up: Qs"], parse_deal("player:2, up:1"))
    {'player': 'As Ks', 'up': 'Qs'}
    """
    parts = [part.strip() for text in texts for part in text.replace(":", "=").split(";")]
    if not any("=" in part for part in parts):
        return {}
    found: dict[str, str] = {}
    for part in parts:
        role, equals, cards = (word.strip() for word in part.partition("="))
        if not equals:
            raise InputError(f"cannot tell whose cards {quoted(part)} are; name every role, as in {_form(deal)}")
        name = role.lower().replace(" ", "_")
        if name not in deal.groups:
            hint = did_you_mean(name, deal.groups) or f"; the deal has {', '.join(deal.groups)}"
            raise InputError(deal.unlaid or f"nobody called {quoted(role)} is dealt cards{hint}")
        if name in found:
            raise InputError(f"the cards of {quoted(role)} are given twice")
        found[name] = cards
    return found


def _form(deal: Deal) -> str:
    return " ".join(f'{name}="..."' for name, _ in deal.disjoint_groups())


def _assign_cards(deal: Deal, places: Positions, cards: Sequence[Card], whose: str) -> CardsByPosition:
    """Put a card at each place, as long as there are cards; the last place takes all that are left."""
    _check_count(deal.least_cards(places), deal.most_cards(places), len(cards), whose)
    last = len(places) - 1
    return {place: tuple(cards[n:] if n == last else cards[n : n + 1]) for n, place in enumerate(places)}


def _check_count(least: int, most: int, given: int, whose: str) -> None:
    if not least <= given <= most:
        number = SMALL_NUMBERS[least] if least < len(SMALL_NUMBERS) else str(least)
        needs = f"{'at least ' if most > least else ''}{number} card{'s' if least != 1 else ''}"
        raise InputError(f"{whose} has {needs}; {given} {'is' if given == 1 else 'are'} given")


def _laid(deal: Deal, lying: CardsByPosition) -> DealtHand:
    if wrong := deal.misdealt(lying):
        raise InputError(f"such cards do not come: {wrong}")
    return DealtHand(deal, lying)
