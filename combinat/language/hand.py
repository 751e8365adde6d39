"""Evaluation of rules on one hand, with reasons for the parts that fail.

Words test ranks and suits, and a deal assigns cards to positions, so hands of any experiment can be evaluated. Facts
that cards do not determine, such as a player's choice, raise `InputError`. Cards are given in the order of the deal or
by role.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from combinat.exact.numbers import number_word
from combinat.language.deal import Deal
from combinat.language.english import RANK_NAMES, describe_rule, join_words
from combinat.language.poker import has_hand, is_best
from combinat.language.rules import (
    COMPARISONS,
    And,
    CardCount,
    Fact,
    Literal,
    Not,
    Number,
    NumberComparison,
    NumberWord,
    Or,
    Predicate,
    Ranks,
    Rule,
    SameAs,
    Sum,
    referenced_positions,
)
from combinat.language.words import JOKERS, Kind, Positions, Word, count_leading
from decks import STANDARD, Card, InputError, Pack
from decks.errors import quote


class Reason(Struct, frozen=True):
    """A part of a rule that fails: what holds instead, in English, and the cards or values involved."""

    failing: str
    observed: str

    def __str__(self) -> str:
        return f"{self.failing} ({self.observed})" if self.observed else self.failing


class DealtHand(Struct, frozen=True):
    """Cards at the positions of a deal."""

    deal: Deal
    cards_by_position: Mapping[int, tuple[Card, ...]]
    pack: Pack = STANDARD
    """The pack of the cards, which defines what a joker stands for."""

    def cards_at(self, positions: Positions) -> tuple[Card, ...]:
        """Return the cards at `positions`; positions that no rule refers to may be empty."""
        return tuple(card for position in positions for card in self.cards_by_position.get(position, ()))

    def satisfies(self, fact: Fact) -> bool:
        """Return whether a fact holds."""
        match fact:
            case Predicate(word) if word.is_about_deal:
                return bool(self._value_of_deal(word))
            case Predicate(word, positions) if word.best_size:
                return is_best(self.cards_at(positions), word, self.pack)
            case Predicate(word, positions) if word.any_size:
                return has_hand(self.cards_at(positions), word, self.pack)
            case Predicate(word, positions):
                return (
                    self._has_size(word, positions)
                    and self._ranks_match(word, positions)
                    and self._suits_match(word, positions)
                )
            case Ranks(positions, ranks):
                return tuple(sorted(card.rank for card in self.cards_at(positions))) == ranks
            case NumberComparison(sign, left, right):
                left_value, right_value = self.evaluate(left), self.evaluate(right)
                return left_value is not None and right_value is not None and COMPARISONS[sign](left_value, right_value)
            case Not(inner):
                return not self.satisfies(inner)
            case And(facts):
                return all(map(self.satisfies, facts))
            case Or(facts):
                return any(map(self.satisfies, facts))

    def evaluate(self, number: Number) -> int | None:
        """Evaluate a number; `None` if its cards are absent."""
        match number:
            case Literal(value):
                return value
            case NumberWord(word, positions):
                if word.is_about_deal:
                    return self._value_of_deal(word)
                self._check_determined(word, positions)
                if word.leading_suits is not None:
                    return count_leading([card.suit for card in self.cards_at(positions)], word.leading_suits)
                return word.value(self._ranks(positions)) if self._has_size(word, positions) else None
            case CardCount(positions, kinds):
                return sum(any(self._is_of_kind(card, kind) for kind in kinds) for card in self.cards_at(positions))
            case Sum(left, right, sign):
                left_value, right_value = self.evaluate(left), self.evaluate(right)
                return None if left_value is None or right_value is None else left_value + sign * right_value

    def reasons(self, fact: Fact) -> Iterator[Reason]:
        """Iterate over the reasons why a fact does not hold."""
        match fact:
            case And(facts):
                for operand in facts:
                    if not self.satisfies(operand):
                        yield from self.reasons(operand)
            case Or(facts):
                for operand in facts:
                    yield from self.reasons(operand)
            case _:
                negation = describe_rule(Rule("", Not(fact), frozenset()), self.deal)
                yield Reason(negation, ", ".join(dict.fromkeys(self._observed(fact))))

    def _has_size(self, word: Word, positions: Positions) -> bool:
        self._check_determined(word, positions)
        min_size, max_size = word.sizes
        cards = self.cards_at(positions)
        has_ranks = word.name == "cards" or not any(card.is_joker for card in cards)
        return has_ranks and min_size <= len(cards) <= max_size

    def _value_of_deal(self, word: Word) -> int:
        value = self.deal.value_of_deal(word, self.cards_by_position)
        if value is None:
            raise InputError(_undetermined(word, self.deal))
        return value

    def _ranks_match(self, word: Word, positions: Positions) -> bool:
        return not word.ranks or bool(word.ranks(self._ranks(positions)))

    def _suits_match(self, word: Word, positions: Positions) -> bool:
        return not word.suits or word.suits(tuple(int(card.suit) for card in self.cards_at(positions)))

    def _ranks(self, positions: Positions) -> tuple[int, ...]:
        return tuple(int(card.rank) for card in self.cards_at(positions))

    def _check_determined(self, word: Word, positions: Positions) -> None:
        needs_no_cards = word.ranks is None and word.suits is None and word.leading_suits is None
        if needs_no_cards or not set(positions) <= self.cards_by_position.keys():
            raise InputError(_undetermined(word, self.deal))

    def _is_of_kind(self, card: Card, kind: Kind | SameAs) -> bool:
        if isinstance(kind, Kind):
            if card.is_joker:
                return kind == JOKERS
            return (kind.ranks is None or card.rank in kind.ranks) and (kind.suits is None or card.suit in kind.suits)
        if not self.cards_by_position[kind.position]:
            return False  # the card to compare with is absent
        (reference,) = self.cards_by_position[kind.position]
        if card.is_joker or reference.is_joker:
            return False  # a joker has neither rank nor suit
        matches = {
            "rank": card.rank == reference.rank,
            "suit": card.suit == reference.suit,
            "color": card.suit.is_red == reference.suit.is_red,
        }
        return matches[kind.aspect] if kind.aspect else card == reference

    def _observed(self, fact: Fact) -> Iterator[str]:
        """Describe the cards or values that a fact refers to."""
        match fact:
            case Predicate(word, positions) if word.is_about_deal or word.best_size or word.any_size:
                yield _format_cards(self.cards_at(positions))
            case Predicate(word, positions):
                if (
                    self.satisfies(fact)
                    or not self._has_size(word, positions)
                    or not self._ranks_match(word, positions)
                ):
                    yield _format_cards(self.cards_at(positions))
                if word.suits and not self._suits_match(word, positions):
                    suits = [str(card.suit) for card in self.cards_at(positions) if not card.is_joker]
                    yield join_words(list(dict.fromkeys(suits)) or ["no suit"], "and")
            case Ranks(positions) | NumberComparison(_, CardCount(positions), _):
                yield _format_cards(self.cards_at(positions))
            case NumberComparison(_, left, right):
                yield from (
                    f"{self._name_number(side)} {self._format_value(side)}"
                    for side in (left, right)
                    if not _is_literal(side)
                )
            case Not(inner):
                yield from self._observed(inner)
            case And(facts) | Or(facts):
                for operand in facts:
                    yield from self._observed(operand)

    def _name_number(self, number: Number) -> str:
        match number:
            case NumberWord(word, positions):
                cards = self.deal.describe_cards(positions)
                return f"{cards.holder}'s {word.quantity or word.name}" if cards.holder else word.quantity or word.name
            case _:
                return "a number of"

    def _format_value(self, number: Number) -> str:
        value = self.evaluate(number)
        if value is None:
            return "none"
        is_rank = isinstance(number, NumberWord) and number.word.is_rank
        return RANK_NAMES.get(value, "none") if is_rank else str(value)  # "top pair" is 0 if all ranks differ


def _undetermined(word: Word, deal: Deal) -> str:
    return f"{quote(word.name)} does not follow from the cards alone, so a hand of {quote(deal)} cannot be judged"


def _is_literal(number: Number) -> bool:
    return isinstance(number, Literal)


def _format_cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "no card"


CardsByPosition = dict[int, tuple[Card, ...]]


def hand_from_cards(deal: Deal, cards: Sequence[Card]) -> DealtHand:
    """Assign cards in the order of the deal; the last role takes all remaining cards.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from decks import parse_cards
    >>> hand = hand_from_cards(parse_deal("player:2, up:1"), parse_cards("As Ks Qs"))
    >>> hand.cards_at((0, 1)), hand.cards_at((2,))
    ((Card('As'), Card('Ks')), (Card('Qs'),))
    """
    if deal.objection_to_cards:
        raise InputError(deal.objection_to_cards)
    assigned: CardsByPosition = {}
    hands = deal.disjoint_groups()
    open_ended = [name for name, positions in hands[:-1] if deal.min_cards(positions) < deal.max_cards(positions)]
    if open_ended:
        raise InputError(
            f"the number of cards of {quote(open_ended[0])} varies; "
            f"name the role of all cards, for example {_example_of_roles(deal)}"
        )
    min_cards, max_cards = (
        sum(bound(positions) for _, positions in hands) for bound in (deal.min_cards, deal.max_cards)
    )
    _check_count(min_cards, max_cards, len(cards), f"the deal {deal}")
    start = 0
    for name, positions in hands:
        end = start + len(positions) if (name, positions) != hands[-1] else len(cards)
        assigned |= _assign_cards(deal, positions, cards[start:end], name)
        start = end
    return _check_hand(deal, assigned)


def hand_from_roles(deal: Deal, roles: Mapping[str, Sequence[Card]], rules: Iterable[Rule] = ()) -> DealtHand:
    """Assign each role's cards; positions that a rule refers to must all have cards."""
    if deal.objection_to_cards and not roles.keys() <= deal.positions_by_role.keys():
        raise InputError(deal.objection_to_cards)
    assigned: CardsByPosition = {}
    by_role: dict[str, CardsByPosition] = {}
    for role, cards in roles.items():
        by_role[role] = _assign_cards(deal, deal.positions(role), cards, role)
        for position, dealt_cards in by_role[role].items():
            if assigned.setdefault(position, dealt_cards) != dealt_cards:
                raise InputError(_conflict_message(by_role, position, role))
    dealt = {position for _, positions in deal.disjoint_groups() for position in positions}
    referenced = {position for positions in referenced_positions(rule.fact for rule in rules) for position in positions}
    if missing_positions := (referenced & dealt or dealt) - assigned.keys():
        names = [
            name
            for name, positions in deal.positions_by_role.items()
            if set(positions) & missing_positions and name not in roles
        ]
        owners = " or ".join(map(quote, names))
        is_partial = any(assigned.keys() & set(deal.positions_by_role[name]) for name in names)
        problem = f"some cards of {owners} are missing" if is_partial else f"the cards of {owners} are missing"
        raise InputError(f"{problem}; the deal is {deal}")
    # Whether another card would be drawn can be checked only if all cards are given.
    return _check_hand(deal, assigned) if dealt <= assigned.keys() else DealtHand(deal, assigned)


def _conflict_message(by_role: Mapping[str, CardsByPosition], position: int, role: str) -> str:
    """Return the error message for two roles that disagree about the card at a position they share."""
    other_role = next(name for name, assigned in by_role.items() if position in assigned)
    smaller, larger = sorted((role, other_role), key=lambda name: len(by_role[name]))
    smaller_cards, larger_cards = (" ".join(map(str, by_role[name][position])) for name in (smaller, larger))
    if by_role[smaller].keys() == by_role[larger].keys():
        return f"{quote(other_role)} and {quote(role)} are the same cards, but different ones are given"
    return (
        f"the card of {quote(smaller)} is {smaller_cards}, but the cards of {quote(larger)} have {larger_cards} there; "
        f"give the same card in both, or omit {quote(smaller)}"
    )


def parse_roles_of_hand(texts: Sequence[str], deal: Deal) -> dict[str, str]:
    """Parse cards by role, as in `player=As Ks`; empty if no text names a role.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> parse_roles_of_hand(["player=As Ks", "up: Qs"], parse_deal("player:2, up:1"))
    {'player': 'As Ks', 'up': 'Qs'}
    """
    items = [item.strip() for text in texts for item in text.replace(":", "=").split(";")]
    if not any("=" in item for item in items):
        return {}
    cards_by_role: dict[str, str] = {}
    for item in items:
        role, equals, cards = (word.strip() for word in item.partition("="))
        if not equals:
            raise InputError(
                f"the cards {quote(item)} have no role; name every role, for example {_example_of_roles(deal)}"
            )
        name = role.lower().replace(" ", "_")
        if name not in deal.positions_by_role:
            raise InputError(deal.objection_to_cards or deal.unknown_role(role))
        if name in cards_by_role:
            raise InputError(f"the cards of {quote(role)} are given twice")
        cards_by_role[name] = cards
    return cards_by_role


def _example_of_roles(deal: Deal) -> str:
    return " ".join(f'{name}="..."' for name, _ in deal.disjoint_groups())


def _assign_cards(deal: Deal, positions: Positions, cards: Sequence[Card], owner: str) -> CardsByPosition:
    """Assign one card to each position; the last position takes all remaining cards."""
    _check_count(deal.min_cards(positions), deal.max_cards(positions), len(cards), owner)
    last = len(positions) - 1
    return {
        position: tuple(cards[index:] if index == last else cards[index : index + 1])
        for index, position in enumerate(positions)
    }


def _check_count(min_count: int, max_count: int, count: int, owner: str) -> None:
    if not min_count <= count <= max_count:
        at_least = "at least " if max_count > min_count else ""
        cards = f"{number_word(min_count)} card{'s' if min_count != 1 else ''}"
        raise InputError(f"{owner} needs {at_least}{cards}, got {count}")


def _check_hand(deal: Deal, assigned: CardsByPosition) -> DealtHand:
    if objection := deal.objection_to_hand(assigned):
        raise InputError(f"these cards cannot occur: {objection}")
    return DealtHand(deal, assigned)
