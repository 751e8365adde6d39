"""Packs: the deck as it is bought, with ranks or suits left out and jokers added."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from decks.cards import ALL_CARDS, JOKER, Rank, Suit, parse_rank
from decks.composition import Composition
from decks.errors import InputError, quoted, suggestion

MAX_JOKERS = 4
"""More jokers than any deck is bought with."""
ANY_CARD = "any card"
ACE_OR_RUN = "an ace, a straight or a flush"
STANDS_FOR = (ANY_CARD, ACE_OR_RUN)
"""What a joker may stand for: any card of the pack, or an ace unless it completes a straight or a flush."""


class Pack(NamedTuple):
    """One deck as it is bought: its ranks, each in all its suits, and its jokers.

    >>> STANDARD.size, SPANISH.size
    (52, 48)
    """

    name: str
    ranks: tuple[Rank, ...]
    suits: tuple[Suit, ...] = tuple(Suit)
    jokers: int = 0
    joker_is_ace: bool = False
    """Whether a joker that completes no straight or flush is an ace."""

    @property
    def size(self) -> int:
        """How many cards one pack has."""
        return len(self.suits) * len(self.ranks) + self.jokers

    @property
    def composition(self) -> Composition:
        """One of each card of the pack."""
        cards = [card for card in ALL_CARDS if card.rank in self.ranks and card.suit in self.suits]
        return Composition.of([*cards, *[JOKER] * self.jokers])


STANDARD = Pack("standard", tuple(Rank))
SPANISH = Pack("spanish", tuple(rank for rank in Rank if rank is not Rank.TEN))
PACKS = {pack.name: pack for pack in (STANDARD, SPANISH)}
_FORM = r"(\w+)(?: without (.+?))?(?: with (\d+) jokers?(?: for (.+))?)?"


def pack_named(name: str) -> Pack:
    """Find a pack by its name, or by the name of another and what it differs in.

    >>> pack_named("standard without 2 3 hearts with 1 joker").size
    34
    >>> pack_named("standart")
    Traceback (most recent call last):
        ...
    decks.errors.InputError: no pack 'standart'; did you mean 'standard'?
    """
    if plain := PACKS.get(name.lower()):
        return plain
    form = re.fullmatch(_FORM, " ".join(name.lower().split()), re.ASCII)
    base, without, jokers, stands_for = form.groups() if form else (name, None, None, None)
    if form is None or base not in PACKS:
        hint = suggestion(base, PACKS) or f"; packs are {' and '.join(PACKS)}, or as in 'standard with 1 joker'"
        raise InputError(f"no pack {quoted(name)}{hint}")
    return changed_pack(
        PACKS[base], without.replace(",", " ").split() if without else (), int(jokers or 0), stands_for or ANY_CARD
    )


def changed_pack(pack: Pack, without: Iterable[str], jokers: int, stands_for: str = ANY_CARD) -> Pack:
    """Leave ranks and suits out of a pack and add jokers; its name says so.

    >>> changed_pack(STANDARD, ["2", "clubs"], 1, "an ace, a straight or a flush").name
    'standard without 2 clubs with 1 joker for an ace, a straight or a flush'
    """
    ranks, suits = list(pack.ranks), list(pack.suits)
    left_out = []
    by_name = {str(suit): suit for suit in Suit}
    for what in dict.fromkeys(without):
        if what in by_name:
            if by_name[what] in suits:
                suits.remove(by_name[what])
                left_out.append(what)
            continue
        try:
            rank = parse_rank(what)
        except InputError:
            hint = suggestion(what, by_name) or "; name ranks (2 to 10, J, Q, K, A) and suits (clubs)"
            raise InputError(f"no rank or suit {quoted(what)} to leave out{hint}") from None
        if rank in ranks:
            ranks.remove(rank)
            left_out.append(str(rank))
    if not ranks or not suits:
        raise InputError(f"the pack has no cards: all {'ranks' if not ranks else 'suits'} are left out")
    if not 0 <= jokers <= MAX_JOKERS:
        raise InputError(f"no pack has {jokers} jokers; give 0 to {MAX_JOKERS}")
    if stands_for not in STANDS_FOR:
        hint = suggestion(stands_for, STANDS_FOR) or f"; it is {' or '.join(map(quoted, STANDS_FOR))}"
        raise InputError(f"a joker cannot stand for {quoted(stands_for)}{hint}")
    name = pack.name
    if left_out:
        name += f" without {' '.join(left_out)}"
    if jokers:
        name += f" with {jokers} joker{'s' if jokers > 1 else ''}"
        name += f" for {stands_for}" if stands_for != ANY_CARD else ""
    return Pack(name, tuple(ranks), tuple(suits), jokers, bool(jokers) and stands_for == ACE_OR_RUN)
