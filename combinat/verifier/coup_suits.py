"""Suits of a coup of baccarat: how they can fall on cards whose ranks are known, and what rules then say.

Who draws depends on ranks alone. So the ranks of a coup are played first, and then suits are laid on those cards of
which a rule asks them, in every way: where it asks for one card, as for the eight of diamonds, on those of its rank.
Suits that rules answer alike, and that leave as many cards alike, count together. What most of them have in common is
said of all and taken back where it is not so: of six cards, 4 of 4,096 ways are of one suit.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from operator import getitem
from typing import NamedTuple

from combinat.verifier.bet import Bet, Matches, OutOfReachError
from combinat.verifier.cards import COLORS, RANKS, TENS
from combinat.verifier.coup_words import ROLES, Coup, CoupTable
from combinat.verifier.rules import NOTHING_ELSE
from combinat.verifier.seen import decided_by, questions, together
from combinat.verifier.words import CALLS, CONSTANTS, WORDS

PLACES = range(6)
SUITS = tuple(COLORS)
MOST_FALLS = 1_000_000  # some twenty seconds
ASKED_OF_CARDS = 4  # so many times as long takes a question about single cards
Answers = tuple[object, ...]
Row = tuple[int | None, ...]
"""The ranks at the six places of a coup, nothing where there is no card."""


class Kind(NamedTuple):
    """Cards that are dealt as one: how many a deck has, and how many of them are removed."""

    copies: int
    removed: int

    def left(self, decks: int) -> int:
        """How many there are."""
        return (decks or 1) * self.copies - self.removed


OfSuits = tuple[Kind, ...]
"""The cards of a rank, suit by suit."""
Shape = tuple[tuple[tuple[Kind, int], ...], ...]
"""For cards of each rank that have suits, how many are of each kind."""


class Fall(NamedTuple):
    """Suits that have fallen on some cards of a coup."""

    answers: Answers
    shape: Shape


class Falls(NamedTuple):
    """Every way in which suits fall on some cards, with what rules say then."""

    every: list[tuple[Answers, tuple[str, ...]]]
    common: Answers
    """What rules say most often."""
    others: list[tuple[Answers, tuple[str, ...]]]
    """Those of which they say something else."""
    one_of: dict[Answers, tuple[str, ...]]


class Suits:
    """Lays suits on the cards of coups, and judges."""

    def __init__(self, bet: Bet, kinds: dict[int, OfSuits]) -> None:
        self.bet, self.kinds = bet, kinds
        asked: dict[str, list[str]] = {"ranks": [], "suits": [], "cards": []}
        sources = [rule.source for rule in (bet.condition, *bet.rules)]
        for question in dict.fromkeys([one for source in sources for one in questions(source)]):
            asked[decided_by(question, ROLES)].append(question)
        self.of_ranks, self.of_suits, self.of_cards = [together(some) for some in asked.values()]
        self.places = {place for question in asked["suits"] for place in places_of(question)}
        self.named: dict[int, set[int]] = {place: set() for place in PLACES}
        """For each place, the ranks of which a rule asks for single cards."""
        for question in asked["cards"]:
            ranks, is_on_all = ranks_named(question)
            self.places |= places_of(question) if is_on_all else set()
            for place in places_of(question):
                self.named[place] |= ranks
        self.told: list[dict[int | None, object]] = [
            {None: None, **{rank: (rank in self.named[place] and rank, own) for rank, own in kinds.items()}}
            for place in PLACES
        ]
        """For each place and rank, if there is a card, which rank is named if this one is, and the cards it has."""
        self.judged: dict[tuple[Answers, Answers, tuple[bool, ...]], Matches] = {}
        self.fallen: dict[object, dict[Fall, tuple[int, tuple[str, ...]]]] = {}
        self.falls = 0
        self.falling = lru_cache(maxsize=64)(self.asked_of_suits)

    def sort_of(self, row: Row) -> object:
        """Tell coups apart by what rules say of ranks, which are alike or named, and how many cards they have."""
        return self.ranks_say(row), tuple(map(row.index, row)), tuple(map(getitem, self.told, row))

    def laid_on(self, row: Row) -> tuple[int, ...]:
        """The places of the cards of which suits are asked."""
        there = [(place, rank) for place, rank in enumerate(row) if rank is not None]
        return tuple([place for place, rank in there if place in self.places or rank in self.named[place]])

    def laid(self, row: Row) -> Iterator[tuple[Matches, dict[int, tuple[tuple[Kind, int], ...]], int]]:
        """Lay suits on a coup: how it is judged, how many of each rank are of which kinds, in how many ways."""
        there, places = tuple([rank is not None for rank in row]), self.laid_on(row)
        ranks = list(dict.fromkeys([row[place] for place in places]))
        say = self.ranks_say(row)
        for fall, (many, suits) in self.ways_to_fall(row, places).items():
            key = (say, fall.answers, there)
            if key not in self.judged:
                self.judged[key] = self.bet.by_the_ladder(laid_out(row, places, suits))
            yield self.judged[key], {rank: shape for rank, shape in zip(ranks, fall.shape, strict=True) if rank}, many

    def ways_to_fall(self, row: Row, places: tuple[int, ...]) -> dict[Fall, tuple[int, tuple[str, ...]]]:
        """Group the ways in which suits fall on the cards at some places; one of each group stands for it."""
        ranks = [row[place] for place in places]
        alike = tuple(map(ranks.index, ranks))
        named = tuple([rank if rank in self.named[place] else None for place, rank in zip(places, ranks, strict=True)])
        kinds = tuple([self.kinds[rank] for rank in dict.fromkeys(ranks) if rank])
        there = tuple([rank is not None for rank in row])
        key = (there, places, alike, named, kinds)
        if key not in self.fallen:
            blocks = [[at for at, one in enumerate(alike) if one == first] for first in dict.fromkeys(alike)]
            self.fallen[key] = self.grouped(self.every_fall(row, there, places), blocks, kinds)
        return self.fallen[key]

    def grouped(
        self, falls: Falls, blocks: list[list[int]], kinds: tuple[OfSuits, ...]
    ) -> dict[Fall, tuple[int, tuple[str, ...]]]:
        """Group falls; what most have in common is said of all, whatever their suits, and taken back of the others."""
        found: Counter[Fall] = Counter({Fall(falls.common, ((),) * len(blocks)): 1})
        self.falls += len(falls.others)
        # Column by column, with numbers for shapes: there can be thousands of falls for each of hundreds of coups.
        shapes: list[list[tuple[tuple[Kind, int], ...]]] = []
        columns = []
        for block, own in zip(blocks, kinds, strict=True):
            of_suits = {suits: of_kinds(suits, own) for suits in product(SUITS, repeat=len(block))}
            shapes.append(list(dict.fromkeys(of_suits.values())))
            numbers = {suits: shapes[-1].index(shape) for suits, shape in of_suits.items()}
            here = zip(*[[suits[at] for _, suits in falls.others] for at in block], strict=True)
            columns.append(map(numbers.__getitem__, here))
        answered = [answers for answers, _ in falls.others]
        for (answers, *at), many in Counter(zip(answered, *columns, strict=True)).items():
            shape = tuple([some[number] for some, number in zip(shapes, at, strict=True)])
            found[Fall(answers, shape)] += many
            found[Fall(falls.common, shape)] -= many
        return {fall: (many, falls.one_of[fall.answers]) for fall, many in found.items()}

    def every_fall(self, row: Row, there: tuple[bool, ...], places: tuple[int, ...]) -> Falls:
        """List every way in which suits fall on the cards at some places, with what rules say then."""
        if self.falls > MOST_FALLS:
            raise OutOfReachError("suits fall on the cards of coups in more ways than are gone through in seconds")
        falls = self.falling(there, places)
        if self.of_cards is None:
            return falls
        self.falls += ASKED_OF_CARDS * len(falls.every)
        every = [(say + self.asked(self.of_cards, laid_out(row, places, suits)), suits) for say, suits in falls.every]
        return falls_of(every)

    def ranks_say(self, row: Row) -> Answers:
        """Answer the questions about ranks, which do not look at suits."""
        if self.of_ranks is None:
            return ()
        return self.asked(self.of_ranks, tuple([None if rank is None else (rank, SUITS[0]) for rank in row]))

    def asked_of_suits(self, there: tuple[bool, ...], places: tuple[int, ...]) -> Falls:
        """Answer the questions about suits, which do not look at ranks, for every way in which they fall."""
        row = tuple([2 if is_there else None for is_there in there])
        every = product(SUITS, repeat=len(places))
        if self.of_suits is None:
            return falls_of([((), suits) for suits in every])
        return falls_of([(self.asked(self.of_suits, laid_out(row, places, suits)), suits) for suits in every])

    def asked(self, code: object, coup: Coup) -> Answers:
        """Put questions to a coup."""
        answers: Answers = eval(code, NOTHING_ELSE, CoupTable(coup, ROLES))  # type: ignore[arg-type]  # noqa: S307
        return answers


def falls_of(every: list[tuple[Answers, tuple[str, ...]]]) -> Falls:
    """Tell falls of which rules say what they say most often from others."""
    ((common, _),) = Counter([answers for answers, _ in every]).most_common(1)
    return Falls(every, common, [one for one in every if one[0] != common], dict(every))


def laid_out(row: Row, places: tuple[int, ...], suits: tuple[str, ...]) -> Coup:
    """Lay suits on the cards at some places, and one that nobody looks at on the others."""
    on = dict(zip(places, suits, strict=True))
    return tuple([None if rank is None else (rank, on.get(place, SUITS[0])) for place, rank in enumerate(row)])


@lru_cache(maxsize=100_000)
def of_kinds(suits: tuple[str, ...], kinds: OfSuits) -> tuple[tuple[Kind, int], ...]:
    """Tell how many cards of a rank are of each kind, if they have these suits."""
    return tuple(sorted([(kinds[SUITS.index(suit)], times) for suit, times in Counter(suits).items()]))


def places_of(question: str) -> set[int]:
    """Find of which places a question asks suits: those of the roles that it names, or all.

    >>> sorted(places_of("banker_first.suited")), len(places_of("suited"))
    ([3, 4], 6)
    >>> sorted(places_of("player_first.has(banker_third)"))
    [0, 1, 5]
    """
    nodes = list(ast.walk(ast.parse(question, mode="eval")))
    named = [node.value for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    alone = [node.id for node in nodes if isinstance(node, ast.Name) and node not in named]
    if not {*WORDS, *CALLS}.isdisjoint(alone):
        return set(PLACES)
    roles = [*[role.id for role in named], *[word for word in alone if word in ROLES]]
    return {place for role in roles for part in ROLES[role] for place in PLACES[part]}


def ranks_named(question: str) -> tuple[set[int], bool]:
    """Find the ranks that a question about single cards tells apart, and whether cards of others have suits too.

    >>> ranks_named("player.has(card_8d)"), ranks_named("player.has(hearts, 9)"), ranks_named("has(banker_third)")
    (({8}, False), ({9}, True), (set(), True))
    >>> len(ranks_named("player.high + player.count(hearts) > 12")[0])
    13
    """
    nodes = list(ast.walk(ast.parse(question, mode="eval")))
    kinds = [ast.unparse(kind) for node in nodes if isinstance(node, ast.Call) for kind in node.args]
    asked = [ast.unparse(node) for node in nodes if isinstance(node, (ast.Attribute, ast.Name))]
    words = {word.rpartition(".")[2] for word in asked if word not in kinds}
    if not kinds or not words <= {*CALLS, *ROLES, *[word for kind in kinds for word in kind.split(".")]}:
        return set(range(2, 15)), True
    cards = [kind for kind in kinds if kind.startswith("card_")]
    ranks = {rank for kind in cards for rank, _ in CONSTANTS[kind]} | {int(kind) for kind in kinds if kind.isdigit()}
    by_name = {"face": TENS[1:], "tens": TENS, **{name: (rank,) for name, rank in RANKS.items()}}
    ranks |= {rank for kind in kinds for rank in by_name.get(kind, ())}
    return ranks, len(cards) < len(kinds)
