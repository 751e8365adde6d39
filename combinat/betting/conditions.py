"""Conditions of stated strategies, such as `hidden pair or dealer outs < 21`, evaluated on many states at once.

A condition is a list of alternatives joined by `or`; each alternative is a list of terms joined by `and`, some of them
with `not`. A term asks about the cards that the player sees: his own, and those on the table by then.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from combinat.betting.card_sets import SUITS, Integers, card_space
from combinat.betting.hands import CATEGORIES, HandOrder, parse_rank_name
from combinat.betting.showdown import Strengths, strength_table
from decks import InputError, Rank
from decks.errors import quote

Truth = NDArray[np.bool_]
_HIDDEN_PAIR = re.compile(r"hidden pair(?: of (\w+))?")
_DRAW = re.compile(r"(\d) to an? (flush|straight|open straight|straight flush|royal flush)(?: with (\w+))?")
_OUTS = re.compile(r"dealer outs < (\d+)")
_HIGH_CARDS = re.compile(r"(\d) cards? of at least (\w+)")
_STARTING = re.compile(r"([2-9TJQKA])([2-9TJQKA])([so]?)(\+?)")
_RANKS = {symbol: rank for rank, symbol in enumerate("23456789TJQKA", 2)}
EXAMPLES = "'33+ A2+ K5o+', 'pair of jacks', 'hidden pair', '4 to a flush with ten', 'dealer outs < 21'"


class SeenCards:
    """States of one round as arrays: tables of cards (rows) and own hands (columns), both as rows of cards."""

    def __init__(self, order: HandOrder, tables: Integers, hands: Integers) -> None:
        self.order, self.tables, self.hands = order, tables, hands
        self.rank_count = len(order.ranks)
        self.space = card_space(self.rank_count)
        self.shape = (len(tables), len(hands))

    @cached_property
    def strengths(self) -> Strengths:
        """Strength of the best hand of all cards seen."""
        table = strength_table(self.order.size, self.order.ranks, self.tables.shape[1], self.hands.shape[1])
        return table.strengths(self.tables, self.hands)

    def own_count(self, index: int) -> Integers:
        """Return how many own cards have the rank with this index, for each hand."""
        counts: Integers = (self.hands % self.rank_count == index).sum(axis=1, dtype=np.int8)
        return counts[None, :]

    def table_count(self, index: int) -> Integers:
        """Return how many table cards have the rank with this index, for each table."""
        counts: Integers = (self.tables % self.rank_count == index).sum(axis=1, dtype=np.int8)
        return counts[:, None]

    @cached_property
    def hidden_pair_rank(self) -> Integers:
        """Highest rank of a pair that uses an own card; 0 if there is none."""
        highest = np.zeros(self.shape, dtype=np.int8)
        for index, rank in enumerate(self.order.ranks):
            own = self.own_count(index)
            highest[(own > 0) & (own + self.table_count(index) >= 2)] = rank
        return highest

    @cached_property
    def dealer_outs(self) -> Integers:
        """Number of unseen cards that would, alone with the table, beat the player; all table cards are seen."""
        with_one = strength_table(self.order.size, self.order.ranks, self.tables.shape[1], 1).strengths(self.tables)
        outs = np.zeros(self.shape, dtype=np.int8)
        for card in range(self.space.card_count):
            outs += with_one[:, card, None] > self.strengths
        for position in range(self.hands.shape[1]):
            outs -= with_one[:, self.hands[:, position]] > self.strengths
        return outs

    def suit_masks(self, suit: int) -> tuple[Integers, Integers]:
        """Return the rank masks of a suit: of the tables as a column, of the hands as a row."""
        tables, hands = self.space.suit_masks(self.tables), self.space.suit_masks(self.hands)
        return tables[:, suit][:, None], hands[:, suit][None, :]


class Term(Struct, frozen=True, tag=True):
    """A question about the cards seen."""

    @abstractmethod
    def holds(self, seen: SeenCards) -> Truth:
        """Return for each state whether the term holds; the array may be broadcast."""


class StartingHands(Term, frozen=True):
    """Own cards are one of these pairs of ranks: (high, low, suited), where suited may be None."""

    pairs: tuple[tuple[int, int, bool | None], ...]

    def holds(self, seen: SeenCards) -> Truth:
        ranks = np.sort(np.array(seen.order.ranks)[seen.hands % seen.rank_count], axis=1)
        is_suited = seen.hands[:, 0] // seen.rank_count == seen.hands[:, 1] // seen.rank_count
        holds = np.zeros(len(seen.hands), dtype=bool)
        for high, low, suited in self.pairs:
            match = (ranks[:, 1] == high) & (ranks[:, 0] == low)
            holds |= match if suited is None else match & (is_suited == suited)
        return holds[None, :]


class MadeHand(Term, frozen=True):
    """The best hand of all cards seen has at least this strength."""

    strength: int

    def holds(self, seen: SeenCards) -> Truth:
        return seen.strengths >= self.strength


class Kinds(Term, frozen=True):
    """Among fewer cards than a hand has: a pair of at least this rank, two pair, or three of a kind."""

    name: str
    lowest: int

    def holds(self, seen: SeenCards) -> Truth:
        pairs = np.zeros(seen.shape, dtype=np.int8)
        highest_pair, has_three = np.zeros(seen.shape, dtype=np.int8), np.zeros(seen.shape, dtype=bool)
        for index, rank in enumerate(seen.order.ranks):
            count = seen.own_count(index) + seen.table_count(index)
            pairs += count >= 2
            highest_pair[count >= 2] = rank
            has_three |= count >= 3
        if self.name == "three of a kind":
            return has_three
        return has_three | (pairs >= 2) if self.name == "two pair" else (highest_pair >= self.lowest) | has_three


class HiddenPair(Term, frozen=True):
    """A pair of at least this rank that uses an own card."""

    lowest: int

    def holds(self, seen: SeenCards) -> Truth:
        return seen.hidden_pair_rank >= max(self.lowest, min(seen.order.ranks))


class DrawTerm(Term, frozen=True):
    """`count` cards of a flush, straight, straight flush or royal flush; one of them an own card of at least a rank."""

    count: int
    hand: str
    own_rank: int

    def holds(self, seen: SeenCards) -> Truth:
        windows = self._windows(seen.order)
        high = sum(1 << index for index, rank in enumerate(seen.order.ranks) if rank >= self.own_rank)
        holds = np.zeros(seen.shape, dtype=bool)
        masks = [seen.suit_masks(suit) for suit in range(SUITS)]
        if self.hand.endswith("straight"):
            masks = [(sum_masks([table for table, _ in masks]), sum_masks([own for _, own in masks]))]
        for table, own in masks:
            for window in windows:
                enough = np.bitwise_count((table | own) & window) >= self.count
                holds |= enough & (own & window & high > 0) if self.own_rank else enough
        return holds

    def _windows(self, order: HandOrder) -> list[int]:
        """Return the rank masks within which the cards must lie."""
        everything = (1 << len(order.ranks)) - 1
        if self.hand == "flush":
            return [everything]
        indices = [order.ranks.index(rank) if rank in order.ranks else -1 for rank in range(15)]
        indices[1] = indices[Rank.ACE]
        tops = [Rank.ACE] if self.hand == "royal flush" else range(order.size, Rank.ACE + 1)
        windows = [list(range(top - order.size + 1, top + 1)) for top in tops]
        if self.hand == "open straight":  # a card at either end completes it
            windows = [list(range(low, low + self.count)) for low in range(2, Rank.ACE - self.count + 1)]
            completed = [[ranks[0] - 1, *ranks, ranks[-1] + 1] for ranks in windows]
        else:
            completed = windows
        return [
            sum(1 << indices[rank] for rank in ranks)
            for ranks, needed in zip(windows, completed, strict=True)
            if all(indices[rank] >= 0 for rank in needed)
        ]


def sum_masks(masks: list[Integers]) -> Integers:
    """Return the union of bit masks."""
    union: Integers = np.bitwise_or.reduce(masks)
    return union


class HighCards(Term, frozen=True):
    """At least `count` of the cards seen have at least a rank."""

    count: int
    lowest: int

    def holds(self, seen: SeenCards) -> Truth:
        ranks = np.array(seen.order.ranks)
        own = (ranks[seen.hands % seen.rank_count] >= self.lowest).sum(axis=1)[None, :]
        table = (ranks[seen.tables % seen.rank_count] >= self.lowest).sum(axis=1)[:, None]
        enough: Truth = own + table >= self.count
        return enough


class DealerOuts(Term, frozen=True):
    """Fewer than `limit` unseen cards would, alone with the table, beat the player."""

    limit: int

    def holds(self, seen: SeenCards) -> Truth:
        return seen.dealer_outs < self.limit


class Conjunction(Struct, frozen=True):
    """Terms that must all hold; the second ones must not hold."""

    terms: tuple[StartingHands | MadeHand | Kinds | HiddenPair | DrawTerm | HighCards | DealerOuts, ...]
    negated: tuple[StartingHands | MadeHand | Kinds | HiddenPair | DrawTerm | HighCards | DealerOuts, ...]


class HandCondition(Struct, frozen=True):
    """A condition: its text and its alternatives."""

    text: str
    alternatives: tuple[Conjunction, ...]

    def holds(self, seen: SeenCards) -> Truth:
        """Return for each state whether the condition holds."""
        total = np.zeros(seen.shape, dtype=bool)
        for alternative in self.alternatives:
            holds = np.ones(seen.shape, dtype=bool)
            for term in alternative.terms:
                holds &= term.holds(seen)
            for term in alternative.negated:
                holds &= ~term.holds(seen)
            total |= holds
        return total


def parse_condition(text: str, order: HandOrder, own_size: int, table_size: int) -> HandCondition:
    """Parse a condition for a round in which the player sees his `own_size` cards and `table_size` on the table.

    >>> from combinat.betting.hands import hand_order
    >>> order = hand_order(5, tuple(range(2, 15)))
    >>> parse_condition("hidden pair and not 22", order, 2, 3).alternatives[0].negated
    (StartingHands(pairs=((2, 2, None),)),)
    """
    alternatives = []
    for part in re.split(r"\s+or\s+", text.strip()):
        terms: list[Any] = []
        negated: list[Any] = []
        for phrase in re.split(r"\s+and\s+", part.strip()):
            is_negated = phrase.startswith("not ")
            term = _parse_term(phrase.removeprefix("not ").strip(), order, own_size, table_size)
            (negated if is_negated else terms).append(term)
        alternatives.append(Conjunction(tuple(terms), tuple(negated)))
    return HandCondition(" ".join(text.split()), tuple(alternatives))


def _parse_term(phrase: str, order: HandOrder, own_size: int, table_size: int) -> Term:
    if match := _HIDDEN_PAIR.fullmatch(phrase):
        return HiddenPair(_rank(match[1]) if match[1] else 0)
    if match := _DRAW.fullmatch(phrase):
        return DrawTerm(int(match[1]), match[2], _rank(match[3]) if match[3] else 0)
    if match := _OUTS.fullmatch(phrase):
        if own_size + table_size < order.size or table_size + 1 < order.size:
            raise InputError(f"{quote(phrase)}: the dealer's outs are known only when all table cards are seen")
        return DealerOuts(int(match[1]))
    if match := _HIGH_CARDS.fullmatch(phrase):
        return HighCards(int(match[1]), _rank(match[2]))
    if all(_STARTING.fullmatch(word) for word in phrase.split()):
        if own_size != 2:
            raise InputError(f"{quote(phrase)}: starting hands of two cards, but the player has {own_size} own cards")
        return StartingHands(tuple(pair for word in phrase.split() for pair in _parse_starting(word)))
    try:
        strength = order.threshold(phrase)
    except InputError:
        raise InputError(f"unknown condition {quote(phrase)}; write for example {EXAMPLES}") from None
    if own_size + table_size >= order.size:
        return MadeHand(strength)
    kind, _, rank = phrase.replace("-", " ").lower().partition(" of ")
    name = phrase.lower() if phrase.lower() in CATEGORIES[order.size] else kind
    if name not in ("pair", "two pair", "three of a kind"):
        raise InputError(
            f"{quote(phrase)}: {own_size + table_size} cards are seen; only pair, two pair and three count"
        )
    return Kinds(name, _rank(rank) if name == "pair" and rank else min(order.ranks))


def _rank(word: str) -> int:
    rank = parse_rank_name(word.lower())
    if rank is None:
        raise InputError(f"unknown rank {quote(word)}; write for example 'ten' or 'jacks'")
    return rank


def _parse_starting(word: str) -> list[tuple[int, int, bool | None]]:
    """Return the hands of a word such as 33+ (pairs from 3 on) or K5o+ (K5 to KQ offsuit).

    >>> _parse_starting("QQ+"), _parse_starting("KJs+")
    ([(12, 12, None), (13, 13, None), (14, 14, None)], [(13, 11, True), (13, 12, True)])
    """
    match = _STARTING.fullmatch(word)
    if match is None:
        raise InputError(f"unknown starting hand {quote(word)}; write for example 'AKs', 'K5o+' or '33+'")
    high, low = max(_RANKS[match[1]], _RANKS[match[2]]), min(_RANKS[match[1]], _RANKS[match[2]])
    suited = {"s": True, "o": False, "": None}[match[3]]
    if high == low:
        return [(rank, rank, None) for rank in range(low, (Rank.ACE if match[4] else low) + 1)]
    return [(high, rank, suited) for rank in range(low, (high - 1 if match[4] else low) + 1)]
