"""Suits of finished hands of baccarat: how they can fall on cards whose ranks are known, and what rules then say.

Who draws depends on ranks alone. So the ranks of a coup are played first, and then suits are laid on those cards of
which a rule asks them, in every way. Suits that rules answer alike, and that leave as many cards alike, count together.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from combinat.verify.bet import Bet, Matches, OutOfReachError
from combinat.verify.cards import COLORS, Card
from combinat.verify.coup_words import ROLES, Coup, CoupTable
from combinat.verify.rules import NOTHING_ELSE
from combinat.verify.seen import decided_by, questions, together
from combinat.verify.words import CALLS, WORDS

PLACES = range(6)
SUITS = tuple(COLORS)
Answers = tuple[object, ...]
Row = tuple[int | None, ...]
"""The ranks at the six places of a coup, nothing where there is no card."""
Shape = tuple[tuple[int, ...], ...]
"""For cards of each rank that have suits, how many there are of each suit, most first."""


class Suits:
    """Lays suits on the cards of coups, and judges."""

    def __init__(self, bet: Bet) -> None:
        self.bet = bet
        asked: dict[str, list[str]] = {"ranks": [], "suits": [], "cards": []}
        sources = [rule.source for rule in (bet.condition, *bet.rules)]
        for question in dict.fromkeys([one for source in sources for one in questions(source)]):
            asked[decided_by(question, ROLES)].append(question)
        if asked["cards"]:
            raise OutOfReachError("rank and suit of one card are asked of finished hands, which are too many")
        if bet.shoe.removed:
            raise OutOfReachError("suits are asked of finished hands from a shoe of which cards are gone")
        self.of_ranks, self.of_suits = together(asked["ranks"]), together(asked["suits"])
        self.places = sorted({place for question in asked["suits"] for place in places_of(question)})
        self.judged: dict[tuple[Answers, Answers, tuple[bool, ...]], Matches] = {}
        self.falls = lru_cache(maxsize=1_000)(self.ways_to_fall)
        self.falling = lru_cache(maxsize=8)(self.every_fall)

    def sort_of(self, ranks: Row) -> object:
        """Tell coups apart by what rules say of their ranks, by which are there, and by which are alike."""
        return self.ranks_say(ranks), tuple([None if rank is None else ranks.index(rank) for rank in ranks])

    def ranks_say(self, ranks: Row) -> Answers:
        """Answer the questions about ranks, which do not look at suits."""
        plain: Coup = tuple([None if rank is None else (rank, SUITS[0]) for rank in ranks])
        return () if self.of_ranks is None else self.asked(self.of_ranks, plain)

    def laid(self, ranks: Row) -> Iterator[tuple[Matches, list[tuple[int, tuple[int, ...]]], int]]:
        """Lay suits on a coup of these ranks: how it is judged, how many of each rank are alike, in how many ways."""
        there = tuple([rank is not None for rank in ranks])
        with_suits = [rank for rank in [ranks[place] for place in self.places] if rank is not None]
        kinds = list(dict.fromkeys(with_suits))
        say = self.ranks_say(ranks)
        for (suits_say, shape), (many, fall) in self.falls(there, tuple(map(kinds.index, with_suits))).items():
            key = (say, suits_say, there)
            if key not in self.judged:
                on = dict(zip([place for place in self.places if there[place]], fall, strict=True))
                coup = tuple(
                    [None if rank is None else (rank, on.get(place, SUITS[0])) for place, rank in enumerate(ranks)]
                )
                self.judged[key] = self.bet.by_the_ladder(coup)
            yield self.judged[key], list(zip(kinds, shape, strict=True)), many

    def ways_to_fall(
        self, there: tuple[bool, ...], alike: tuple[int, ...]
    ) -> dict[tuple[Answers, Shape], tuple[int, tuple[str, ...]]]:
        """Group the ways in which suits fall on cards, those of one rank having the same number."""
        blocks = [[at for at, one in enumerate(alike) if one == kind] for kind in sorted(set(alike))]
        several = [(kind, block) for kind, block in enumerate(blocks) if len(block) > 1]
        shape: list[tuple[int, ...]] = [(1,)] * len(blocks)  # a single card is one of its suit
        found: Counter[tuple[Answers, Shape]] = Counter()
        one: dict[tuple[Answers, Shape], tuple[str, ...]] = {}
        for answers, fall in self.falling(there, len(alike)):
            for kind, block in several:
                shape[kind] = how_many(tuple([fall[at] for at in block]))
            key = (answers, tuple(shape))
            found[key] += 1
            one[key] = fall
        return {key: (many, one[key]) for key, many in found.items()}

    def every_fall(self, there: tuple[bool, ...], cards: int) -> list[tuple[Answers, tuple[str, ...]]]:
        """List every way in which suits fall on so many cards, with what rules say of them."""
        return [(self.suits_say(there, fall), fall) for fall in product(SUITS, repeat=cards)]

    def suits_say(self, there: tuple[bool, ...], fall: tuple[str, ...]) -> Answers:
        """Answer the questions about suits, which do not look at ranks."""
        if self.of_suits is None:
            return ()
        suits = iter(fall)
        coup = [
            None if not is_there else (2, next(suits) if place in self.places else SUITS[0])
            for place, is_there in enumerate(there)
        ]
        return self.asked(self.of_suits, tuple(coup))

    def asked(self, code: object, coup: tuple[Card | None, ...]) -> Answers:
        """Put questions to a coup."""
        answers: Answers = eval(code, NOTHING_ELSE, CoupTable(coup, ROLES))  # type: ignore[arg-type]  # noqa: S307
        return answers


@lru_cache(maxsize=6_000)  # more than the ways in which the suits of six cards can fall
def how_many(suits: tuple[str, ...]) -> tuple[int, ...]:
    """Count the cards of each suit, fewest first.

    >>> how_many(("h", "c", "h"))
    (1, 2)
    """
    return tuple(sorted(Counter(suits).values()))


def places_of(question: str) -> set[int]:
    """Find of which places a question asks suits: those of the roles that it names, or all.

    >>> sorted(places_of("banker_first.suited")), len(places_of("suited"))
    ([3, 4], 6)
    """
    nodes = list(ast.walk(ast.parse(question, mode="eval")))
    named = [node.value for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    alone = [node.id for node in nodes if isinstance(node, ast.Name) and node not in named]
    if not {*WORDS, *CALLS}.isdisjoint(alone):
        return set(PLACES)
    return {place for role in named for part in ROLES[role.id] for place in PLACES[part]}
