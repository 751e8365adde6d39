"""Shoes, and how deck counts are written."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from operator import index
from typing import NoReturn

from decks.cards import Card, as_cards
from decks.composition import Composition
from decks.errors import InputError, quoted
from decks.packs import PACKS, STANDARD, Pack, pack_named

MAX_DECKS = 100
"""More decks than any shoe holds; larger numbers are taken for slips of the finger."""


class Shoe:
    """Some decks of one pack, less the cards already seen; a shoe does not change.

    >>> print(Shoe(6, removed="7h 7d Ks"))
    6 decks less 7h 7d Ks
    >>> Shoe(2, "spanish")
    <Shoe: 2 Spanish decks>
    """

    decks: int
    pack: Pack
    removed: tuple[Card, ...]

    # Written out, as the library that would write it takes longer to load than most answers.
    def __init__(self, decks: int, pack: Pack | str = STANDARD, removed: str | Iterable[Card | str] = ()) -> None:
        given = isinstance(removed, tuple) and not any(isinstance(card, str) for card in removed)
        self.__dict__["decks"] = check_deck_count(decks)
        self.__dict__["pack"] = pack_named(pack) if isinstance(pack, str) else pack
        self.__dict__["removed"] = removed if given else as_cards(removed)

    @property
    def _parts(self) -> tuple[int, Pack, tuple[Card, ...]]:
        return self.decks, self.pack, self.removed

    def __eq__(self, other: object) -> bool:
        return self._parts == other._parts if isinstance(other, Shoe) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a shoe does not change, nor its {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a shoe does not change, nor its {name}")

    def __str__(self) -> str:
        name = self.pack.name
        kind = "" if self.pack == STANDARD else f"{name.capitalize()} " if name in PACKS else ""
        changed = "" if name in PACKS else f" ({name})"
        less = f" less {' '.join(map(str, self.removed))}" if self.removed else ""
        return f"{self.decks} {kind}deck{'s' if self.decks > 1 else ''}{changed}{less}"

    def __repr__(self) -> str:
        return f"<Shoe: {self}>"

    @property
    def is_full(self) -> bool:
        """Whether no card is missing."""
        return not self.removed

    @cached_property
    def composition(self) -> Composition:
        """The count of every card in the shoe."""
        full = self.pack.composition * self.decks
        if self.is_full:
            return full
        try:
            return full.remove(self.removed)
        except InputError as error:
            decks = f"{self.decks} deck{'s' if self.decks > 1 else ''}"
            raise InputError(f"{error} in {decks}") from None

    @property
    def size(self) -> int:
        """How many cards the shoe holds."""
        return self.composition.size


def check_deck_count(decks: int) -> int:
    """Give the deck count back if a shoe can have it."""
    if not hasattr(decks, "__index__") or isinstance(decks, bool):
        raise InputError(f"no deck count {quoted(decks)}; give a whole number from 1 to {MAX_DECKS}")
    decks = index(decks)
    if not 1 <= decks <= MAX_DECKS:
        raise InputError(f"no shoe has {decks} decks; give a whole number from 1 to {MAX_DECKS}")
    return decks


def parse_deck_counts(text: str) -> tuple[int, ...]:
    """Read deck counts written as numbers and spans.

    >>> parse_deck_counts("1,2,4-8")
    (1, 2, 4, 5, 6, 7, 8)
    """
    counts: list[int] = []
    for part in text.split(","):
        ends = [end.strip() for end in part.split("-")]
        if len(ends) > 2 or not all(end.isascii() and end.isdecimal() and len(end) < 10 for end in ends):
            raise InputError(f"no deck count {quoted(part.strip())}; write whole numbers, as in 6 or 1,2,4-8")
        first, last = check_deck_count(int(ends[0])), check_deck_count(int(ends[-1]))
        if last < first:
            raise InputError(f"deck counts {quoted(part.strip())} run backwards; write {last}-{first}")
        counts.extend(range(first, last + 1))
    return tuple(dict.fromkeys(counts))


def format_deck_counts(counts: Iterable[int]) -> str:
    """Write deck counts as numbers and spans, the inverse of reading them.

    >>> format_deck_counts([8, 1, 2, 4, 5, 6, 7])
    '1, 2, 4-8'
    """
    spans: list[list[int]] = []
    for count in sorted(set(counts)):
        if spans and count == spans[-1][-1] + 1:
            spans[-1].append(count)
        else:
            spans.append([count])
    return ", ".join(
        f"{span[0]}-{span[-1]}" if len(span) > 2 else ", ".join(map(str, span)) for span in spans
    )  # two neighbours read better as "6, 7"
