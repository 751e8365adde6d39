"""The hands that take a whole meter, one by one, where hands were counted rank by rank.

The way through the pack is gone once more, now with every way in which something came about. Then it is gone back from
what wins: each path is a hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial, prod
from typing import Any, NamedTuple

from combinat.verifier.bet import Matches
from combinat.verifier.cards import ACE, Cards
from combinat.verifier.counting import first_of
from combinat.verifier.rank_by_rank import RankByRank
from combinat.verifier.through_the_pack import Going, Held, State, States
from combinat.verifier.traits import LOWEST

Jackpot = tuple[Cards, int, tuple[Matches, ...]]


class Came(NamedTuple):
    """How a state came about: from which one, with which card if one was given, and where suits went."""

    before: State
    card: Held
    moved: list[int]


class Recorded(Going):
    """The way through the pack, with every way in which a state came about."""

    def __init__(self, hands: RankByRank) -> None:
        super().__init__(*hands.asked, (0,) * len(hands.sizes))
        self.came: dict[State, list[Came]] = {}

    def put(self, found: States, state: State, moved: list[int], ways: int, held: Any) -> None:
        """Note from where a state comes; what is held begins with the state before."""
        found[state] = ways, held
        self.came.setdefault(state, []).append(Came(held[0], held[1:], moved))

    def steps(self, hands: RankByRank) -> Iterator[dict[State, list[Came]]]:
        """Go through the pack, step by step."""
        shoe, states = hands.shoe, [self.start(hands.sizes)]
        for rank in range(LOWEST, ACE + 1):
            for at, suit in enumerate(shoe.suits if rank in shoe.ranks else ()):
                self.came = {state: [Came(state, (), [])] for state in states}  # no copy is given
                self.with_card((rank, suit), at, [1] * (hands.cards + 1), remembered(states))
                states = list(self.came)
                yield self.came
            self.came = {}
            self.with_rank(rank, remembered(states))
            states = list(self.came)
            yield self.came


def remembered(states: list[State]) -> dict[State, tuple[int, Any]]:
    """Let each state know itself, where otherwise the cards are that are held."""
    return {state: (1, (state,)) for state in states}


def jackpots_of(hands: RankByRank, places: list[int], most: int) -> list[Jackpot] | None:
    """List the hands that win one of some awards, with their orders and how they are judged; nothing if too many do."""
    bet = hands.bet
    if sum([rows for (matches, _), rows in hands.rows.items() if wins(matches, places)]) > most:
        return None
    apart = RankByRank(bet, is_every_role_apart=bet.names_role)
    steps = list(Recorded(apart).steps(apart))
    found: list[Jackpot] = []
    for state in steps[-1]:
        for path in () if any(state[0]) else paths(steps, state):
            held = replayed(path, len(bet.shoe.suits))
            hand = apart.hand(held, (0,) * len(apart.sizes))
            if not wins(matches := bet.by_the_ladder(hand), places):
                break  # nor does any other hand that comes to the same
            alike = prod([factorial(many) for _, _, share in held for many in share])
            found.append((hand, prod(map(factorial, apart.sizes)) // alike, (matches,)))
    return found


def wins(matches: Matches, places: list[int]) -> bool:
    """Whether a hand wins one of some awards."""
    return matches is not None and first_of(matches) in places


def paths(steps: list[dict[State, list[Came]]], state: State) -> Iterator[list[Came]]:
    """Go back from a state to the beginning on every path, and list its steps from there."""
    if not steps:
        yield []
        return
    for came in steps[-1][state]:
        for path in paths(steps[:-1], came.before):
            yield [*path, came]


def replayed(path: list[Came], suits: int) -> Held:
    """Give the cards of a path, with the suits that they have while those change places."""
    own, held = list(range(suits)), list(Held())
    for came in path:
        held += [(rank, own[at], share) for rank, at, share in came.card]
        if came.moved:
            was, own = own, [0] * suits
            for at, goes in enumerate(came.moved):
                own[goes] = was[at]
    return tuple(held)
