"""Packs and shoes: decks as bought, perhaps stripped or with jokers, and several of them less removed cards.

Also parses and formats lists of deck counts such as `1, 2, 4-8`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from operator import index
from typing import NamedTuple, NoReturn

from decks.cards import ALL_CARDS, JOKER, Card, Rank, Suit, as_cards, parse_rank
from decks.composition import Composition
from decks.errors import InputError, did_you_mean, quote

MAX_JOKERS = 4
"""No pack is sold with more jokers."""
ANY_CARD = "any card"
BUG = "an ace, a straight or a flush"
JOKER_KINDS = (ANY_CARD, BUG)
"""What a joker may stand for: any card (a wild card), or an ace unless it completes a straight or a flush (a bug)."""


class Pack(NamedTuple):
    """One deck as bought: its ranks, each in all its suits, and its jokers.

    >>> STANDARD.size, SPANISH.size
    (52, 48)
    """

    name: str
    ranks: tuple[Rank, ...]
    suits: tuple[Suit, ...] = tuple(Suit)
    jokers: int = 0
    joker_is_bug: bool = False
    """Whether jokers are bugs: aces unless they complete a straight or a flush."""

    @property
    def size(self) -> int:
        """The number of cards in one pack."""
        return len(self.suits) * len(self.ranks) + self.jokers

    @property
    def composition(self) -> Composition:
        """The composition of one pack."""
        cards = [card for card in ALL_CARDS if card.rank in self.ranks and card.suit in self.suits]
        return Composition.of([*cards, *[JOKER] * self.jokers])


STANDARD = Pack("standard", tuple(Rank))
SPANISH = Pack("spanish", tuple(rank for rank in Rank if rank is not Rank.TEN))
PACKS = {pack.name: pack for pack in (STANDARD, SPANISH)}
_PACK_FORM = r"(\w+)(?: without (.+?))?(?: with (\d+) jokers?(?: for (.+))?)?"


def find_pack(name: str) -> Pack:
    """Find a pack by its name, or parse a description such as `standard without 2 3 with 1 joker`.

    >>> find_pack("standard without 2 3 hearts with 1 joker").size
    34
    >>> find_pack("standart")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: unknown pack 'standart'; did you mean 'standard'?
    """
    if named_pack := PACKS.get(name.lower()):
        return named_pack
    form = re.fullmatch(_PACK_FORM, " ".join(name.lower().split()), re.ASCII)
    base, without, jokers, stands_for = form.groups() if form else (name, None, None, None)
    if form is None or base not in PACKS:
        hint = did_you_mean(base, PACKS) or f"; write {' or '.join(PACKS)}, or for example 'standard with 1 joker'"
        raise InputError(f"unknown pack {quote(name)}{hint}")
    return customize_pack(
        PACKS[base], without.replace(",", " ").split() if without else (), int(jokers or 0), stands_for or ANY_CARD
    )


def customize_pack(pack: Pack, without: Iterable[str], jokers: int, stands_for: str = ANY_CARD) -> Pack:
    """Return a pack without some ranks and suits and with jokers added; its name describes the changes.

    >>> customize_pack(STANDARD, ["2", "clubs"], 1, "an ace, a straight or a flush").name
    'standard without 2 clubs with 1 joker for an ace, a straight or a flush'
    """
    ranks, suits = list(pack.ranks), list(pack.suits)
    removed = []
    suit_by_name = {str(suit): suit for suit in Suit}
    for word in dict.fromkeys(without):
        if word in suit_by_name:
            if suit_by_name[word] in suits:
                suits.remove(suit_by_name[word])
                removed.append(word)
            continue
        try:
            rank = parse_rank(word)
        except InputError:
            hint = did_you_mean(word, suit_by_name) or "; write ranks (2 to 10, J, Q, K, A) and suits (clubs)"
            raise InputError(f"cannot remove {quote(word)} from a pack: it is not a rank or suit{hint}") from None
        if rank in ranks:
            ranks.remove(rank)
            removed.append(str(rank))
    if not ranks or not suits:
        raise InputError(f"the pack has no cards: all {'ranks' if not ranks else 'suits'} are removed")
    if not 0 <= jokers <= MAX_JOKERS:
        raise InputError(f"a pack must have 0 to {MAX_JOKERS} jokers, got {jokers}")
    if stands_for not in JOKER_KINDS:
        hint = did_you_mean(stands_for, JOKER_KINDS) or f"; write {' or '.join(map(quote, JOKER_KINDS))}"
        raise InputError(f"a joker cannot stand for {quote(stands_for)}{hint}")
    name = pack.name
    if removed:
        name += f" without {' '.join(removed)}"
    if jokers:
        name += f" with {jokers} joker{'s' if jokers > 1 else ''}"
        name += f" for {stands_for}" if stands_for != ANY_CARD else ""
    return Pack(name, tuple(ranks), tuple(suits), jokers, bool(jokers) and stands_for == BUG)


MAX_DECKS = 100
"""No shoe holds more decks; larger numbers are treated as typing errors."""


class Shoe:
    """An immutable shoe: a number of packs less removed cards.

    >>> print(Shoe(6, removed="7h 7d Ks"))
    6 decks less 7h 7d Ks
    >>> Shoe(2, "spanish")
    <Shoe: 2 Spanish decks>
    """

    decks: int
    pack: Pack
    removed: tuple[Card, ...]

    # Written by hand, because the libraries that would generate it take longer to load than most answers take.
    def __init__(self, decks: int, pack: Pack | str = STANDARD, removed: str | Iterable[Card | str] = ()) -> None:
        is_parsed = isinstance(removed, tuple) and not any(isinstance(card, str) for card in removed)
        self.__dict__["decks"] = check_deck_count(decks)
        self.__dict__["pack"] = find_pack(pack) if isinstance(pack, str) else pack
        self.__dict__["removed"] = removed if is_parsed else as_cards(removed)

    @property
    def _fields(self) -> tuple[int, Pack, tuple[Card, ...]]:
        return self.decks, self.pack, self.removed

    def __eq__(self, other: object) -> bool:
        return self._fields == other._fields if isinstance(other, Shoe) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._fields)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a shoe is immutable: cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a shoe is immutable: cannot delete {name}")

    def __str__(self) -> str:
        name = self.pack.name
        adjective = f"{name.capitalize()} " if name in PACKS and self.pack != STANDARD else ""
        description = "" if name in PACKS else f" ({name})"
        removed = f" less {' '.join(map(str, self.removed))}" if self.removed else ""
        return f"{self.decks} {adjective}deck{'s' if self.decks > 1 else ''}{description}{removed}"

    def __repr__(self) -> str:
        return f"<Shoe: {self}>"

    @property
    def is_full(self) -> bool:
        """Whether no card is removed."""
        return not self.removed

    @cached_property
    def composition(self) -> Composition:
        """The composition of the shoe after the removal of cards."""
        full_composition = self.pack.composition * self.decks
        if self.is_full:
            return full_composition
        try:
            return full_composition.remove(self.removed)
        except InputError as error:
            decks = f"{self.decks} deck{'s' if self.decks > 1 else ''}"
            raise InputError(f"{error} in {decks}") from None

    @property
    def size(self) -> int:
        """The number of cards remaining in the shoe."""
        return self.composition.size


def check_deck_count(decks: int) -> int:
    """Return the deck count as an integer; raise `InputError` unless it is 1 to `MAX_DECKS`."""
    if not hasattr(decks, "__index__") or isinstance(decks, bool):
        raise InputError(f"the number of decks must be a whole number from 1 to {MAX_DECKS}, got {quote(decks)}")
    decks = index(decks)
    if not 1 <= decks <= MAX_DECKS:
        raise InputError(f"the number of decks must be 1 to {MAX_DECKS}, got {decks}")
    return decks


def parse_deck_counts(text: str) -> tuple[int, ...]:
    """Parse deck counts written as numbers and ranges.

    >>> parse_deck_counts("1,2,4-8")
    (1, 2, 4, 5, 6, 7, 8)
    """
    counts: list[int] = []
    for item in text.split(","):
        ends = [end.strip() for end in item.split("-")]
        if len(ends) > 2 or not all(end.isascii() and end.isdecimal() and len(end) < 10 for end in ends):
            raise InputError(
                f"cannot read the deck count {quote(item.strip())}; write whole numbers, such as 6 or 1,2,4-8"
            )
        first, last = check_deck_count(int(ends[0])), check_deck_count(int(ends[-1]))
        if last < first:
            raise InputError(f"the deck counts {quote(item.strip())} are reversed; write {last}-{first}")
        counts.extend(range(first, last + 1))
    return tuple(dict.fromkeys(counts))


def format_deck_counts(counts: Iterable[int]) -> str:
    """Format deck counts as numbers and ranges; the inverse of `parse_deck_counts`.

    >>> format_deck_counts([8, 1, 2, 4, 5, 6, 7])
    '1, 2, 4-8'
    """
    runs: list[list[int]] = []
    for count in sorted(set(counts)):
        if runs and count == runs[-1][-1] + 1:
            runs[-1].append(count)
        else:
            runs.append([count])
    # Two neighbors read better as "6, 7".
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)
