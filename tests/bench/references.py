"""The same work by others: icepool, a plain loop, numpy over winning hands, and C if there is a compiler."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations_with_replacement
from math import comb, prod
from pathlib import Path
from tempfile import TemporaryDirectory

import icepool
import numpy as np

SOURCE = Path(__file__).with_name("peers.c")
TYPES = [(rank, suit) for rank in range(2, 15) for suit in range(4)]
SIX_DECKS = [10_368, 26_312, 155_520, 292_896]
"""Straight flushes, three of a kind, straights and flushes of three cards."""


def three_card_class(hand: Sequence[tuple[int, int]]) -> int:
    """Return the class of three cards in ascending order."""
    (a, s), (b, t), (c, u) = hand
    suited = s == t == u
    straight = (b == a + 1 and c == b + 1) or (a == 2 and b == 3 and c == 14)
    return 0 if straight and suited else 1 if a == b == c else 2 if straight else 3 if suited else 4


def plain_loop() -> list[int]:
    """Loop over the 24,804 multisets of card types with hand-written tests, for six decks."""
    counts = [0, 0, 0, 0, 0]
    for hand in combinations_with_replacement(TYPES, 3):
        award = three_card_class(hand)
        if hand[0] != hand[1] != hand[2]:
            counts[award] += 216
        else:
            counts[award] += prod(comb(6, times) for times in Counter(hand).values())
    return counts[:4]


class ThreeCards(icepool.MultisetEvaluator):  # type: ignore[type-arg, misc]  # the library leaves its types open
    """The same classes for icepool, with a state as small as we could make it."""

    def next_state(self, state, _order, outcome, count):  # type: ignore[no-untyped-def]
        if not count:
            return state
        rank, suit = outcome
        if state is None:
            return rank, rank, suit, count == 1
        first, last, one_suit, runs = state
        follows = rank == last + 1 or (first == 2 and last == 3 and rank == 14)
        return first, rank, one_suit if suit == one_suit else None, runs and count == 1 and follows

    def final_outcome(self, state, _order, _outcomes, *_sizes):  # type: ignore[no-untyped-def]
        first, last, suit, runs = state
        return 0 if runs and suit is not None else 1 if first == last else 2 if runs else 3 if suit is not None else 4


def with_icepool() -> list[int]:
    """Deal three cards of six decks with icepool."""
    deck = icepool.Deck(dict.fromkeys(TYPES, 6))
    die = ThreeCards()(deck.deal(3))
    return [die.quantity("==", award) for award in range(4)]


class WinningRows:
    """The winning hands as card indexes, listed once; numpy then multiplies the counts of each shoe."""

    def __init__(self) -> None:
        hands = [(three_card_class(hand), [TYPES.index(card) for card in hand]) for hand in _hands()]
        winning = sorted((award, cards) for award, cards in hands if award < 4)
        self.awards = np.array([award for award, _ in winning])
        self.cards = np.array([cards for _, cards in winning])
        earlier = [[cards[:place].count(card) for place, card in enumerate(cards)] for _, cards in winning]
        self._taken = np.array(earlier)
        self._orders = np.array([prod(range(1, max(Counter(cards).values()) + 1)) for _, cards in winning])
        self._starts = [next(at for at, (award, _) in enumerate(winning) if award == one) for one in range(4)]

    def ways(self, counts: Sequence[int]) -> list[int]:
        products = (np.array(counts)[self.cards] - self._taken).clip(min=0).prod(axis=1) // self._orders
        found: list[int] = np.add.reduceat(products, self._starts).tolist()
        return found


def _hands() -> Iterator[tuple[tuple[int, int], ...]]:
    return combinations_with_replacement(TYPES, 3)


class InC:
    """The loops of `peers.c`."""

    def __init__(self, library: Path) -> None:
        self._library = ctypes.CDLL(str(library))

    def three_cards(self, shoes: Sequence[Sequence[int]]) -> list[list[int]]:
        flat = [count for shoe in shoes for count in shoe]
        out = (ctypes.c_longlong * (5 * len(shoes)))()
        self._library.three_cards((ctypes.c_int * len(flat))(*flat), len(shoes), out)
        return [list(out[5 * shoe : 5 * shoe + 4]) for shoe in range(len(shoes))]

    def winning(self, rows: WinningRows, shoes: Sequence[Sequence[int]]) -> list[list[int]]:
        flat = [count for shoe in shoes for count in shoe]
        out = (ctypes.c_longlong * (4 * len(shoes)))()
        cards, awards = rows.cards.astype(np.intc), rows.awards.astype(np.intc)
        pointers = [ctypes.c_void_p(one.ctypes.data) for one in (cards, awards)]
        self._library.winning((ctypes.c_int * len(flat))(*flat), len(shoes), *pointers, len(awards), out)
        return [list(out[4 * shoe : 4 * shoe + 4]) for shoe in range(len(shoes))]

    def five_cards(self, shoe: Sequence[int]) -> list[int]:
        out = (ctypes.c_longlong * 8)()
        self._library.five_cards((ctypes.c_int * 52)(*shoe), out)
        return list(out)


@contextmanager
def in_c() -> Iterator[InC | None]:
    """Compile the loops into a temporary folder; yield `None` without a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    with TemporaryDirectory() as folder:
        library = Path(folder) / "peers.so"
        command = [compiler or "", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
        if compiler is None or subprocess.run(command, check=False, capture_output=True).returncode:
            yield None
        else:
            yield InC(library)
