"""The classes of coups, and a coup for each award."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec import Struct

from combinat.enumeration.baccarat.coup_counts import CoupCounts, Judged, check_size, ways_after
from combinat.enumeration.baccarat.deal import BANKER, PLAYER
from combinat.enumeration.outcomes import Outcome, Roles, beyond_the_middle
from combinat.enumeration.rank_rows import Bits, rows_in
from combinat.language.asked_of_cards import baccarat_points
from combinat.language.word import Suits
from decks import Card, Composition, InputError, Rank, Suit

MOST_CLASSES = 2_000_000
_ENOUGH = 100
"""Coups to pick an example from."""


class Laid(Struct, frozen=True):
    """One coup of a class: its cards by their places, and in how many ways cards like these are drawn."""

    cards: dict[int, Card]
    ways: int


def outcomes(trial: CoupCounts, composition: Composition) -> Iterator[Outcome]:
    """List every class of coups, award by award, then those that lose."""
    check_size(composition)
    every = list(trial.judged(trial.renamings_at(composition)))
    if (classes := sum(one.coups.size for one in every)) > MOST_CLASSES:
        raise InputError(
            f"the coup has {classes:,} classes of outcomes under these rules; at most 2 million are listed"
        )
    layouts = [_Layout(trial, judged, composition) for judged in every]
    for award in (*range(len(trial.ladder.rules)), None):
        found: dict[tuple[bytes, Suits], tuple[int, int, int]] = {}
        for number, judged in enumerate(every):
            for row in rows_in(judged.rows.losing if award is None else judged.rows.wins[award]):
                key = _class_of(judged, row)
                _, _, size = found.get(key, (number, row, 0))
                found[key] = (number, row, size + judged.size)
        for number, row, size in found.values():
            if laid := layouts[number].laid_out(row):
                yield _outcome(trial, laid, size * laid.ways * ways_after(len(laid.cards), composition), award)


def examples(trial: CoupCounts, composition: Composition) -> tuple[Outcome | None, ...]:
    """Pick a coup for each award from the most usual length, beyond the middle, its cards different if they can be."""
    every = list(trial.judged(trial.renamings_at(composition)))
    return tuple(_example(trial, every, award, composition) for award in range(len(trial.ladder.rules)))


def _example(trial: CoupCounts, every: list[Judged], award: int, composition: Composition) -> Outcome | None:
    def usual(judged: Judged) -> int:
        after = ways_after(len(judged.coups.places), composition)
        return judged.size * after * judged.rows.wins[award].bit_count()

    for judged in sorted(every, key=usual, reverse=True):
        rows, layout = judged.rows.wins[award], _Layout(trial, judged, composition)
        for some in (_spread(rows), rows_in(rows)):
            laid = [one for row in some if (one := layout.laid_out(row))]
            if laid:
                most = max(len(set(one.cards.values())) for one in laid)
                chosen = beyond_the_middle([one for one in laid if len(set(one.cards.values())) == most])
                return _outcome(trial, chosen, chosen.ways * ways_after(len(chosen.cards), composition), award)
    return None


def _spread(rows: Bits) -> Iterator[int]:
    """Give some of the rows, spread over them all."""
    digits = f"{rows:b}"[::-1]
    found = (digits.find("1", len(digits) * part // _ENOUGH) for part in range(_ENOUGH))
    yield from dict.fromkeys(row for row in found if row >= 0)


def _class_of(judged: Judged, row: int) -> tuple[bytes, Suits]:
    """Tell a row's class: its ranks, and its suits whatever the order of two first cards of one rank."""
    coups = judged.coups
    ranks = bytes(coups.columns[place][row] if place in coups.columns else 0 for place in PLAYER + BANKER)
    turned = [pair for pair in (PLAYER[:2], BANKER[:2]) if ranks[pair[0]] == ranks[pair[1]]]
    found = []
    for turns in product((False, True), repeat=len(turned) if judged.suited else 0):
        suits = list(judged.suits)
        for (one, other), is_turned in zip(turned, turns, strict=False):
            if is_turned:
                suits[one], suits[other] = suits[other], suits[one]
        found.append(tuple(suits))
    return ranks, min(found)


class _Layout:
    """Lays out coups whose suits fall in one way, with cards that the shoe has."""

    def __init__(self, trial: CoupCounts, judged: Judged, composition: Composition) -> None:
        self._columns = judged.coups.columns
        self._there = dict(composition)
        self._order = (*judged.suited, *(place for place in judged.coups.places if place not in judged.suited))
        self._choices: dict[tuple[int, int], list[Card]] = {}
        for place in self._order:
            suits = trial.suit_classes[judged.suits[place]] if place in judged.suited else tuple(map(int, Suit))
            for ranks in judged.coups.classes:
                # Another suit and another rank of the class at each place, so that none looks rare.
                self._choices[place, ranks[0]] = [
                    Card(Rank(ranks[(place + turn) % len(ranks)]), Suit(suits[(place + step) % len(suits)]))
                    for step in range(len(suits))
                    for turn in range(len(ranks))
                ]
        self._left = {key: sum(self._there[card] for card in cards) for key, cards in self._choices.items()}

    def laid_out(self, row: int) -> Laid | None:
        """Lay out one coup of a row; nothing if the shoe has too few of its cards."""
        cards: dict[int, Card] = {}
        ways = 1
        for place in self._order:
            key = place, self._columns[place][row]
            choices, taken = self._choices[key], list(cards.values())
            ways *= self._left[key] - sum(card in choices for card in taken)
            if ways <= 0:
                return None
            cards[place] = next(card for card in choices if taken.count(card) < self._there[card])
        for one, other in (PLAYER[:2], BANKER[:2]):
            ways *= 1 if self._columns[one][row] == self._columns[other][row] else 2
        return Laid({place: cards[place] for place in self._columns}, ways)


def _outcome(trial: CoupCounts, laid: Laid, ways: int, award: int | None) -> Outcome:
    """Make a class of one of its coups; if no rule looks at more, of the first two cards of both hands."""
    hands = [tuple(laid.cards[place] for place in hand if place in laid.cards) for hand in (PLAYER, BANKER)]
    points = "-".join(str(baccarat_points(tuple(int(card.rank) for card in hand))) for hand in hands)
    names = ("player", "banker") if trial.is_finished else ("player_first", "banker_first")
    roles: Roles = tuple(zip(names, hands, strict=True))
    return Outcome(roles, ways, award, roles, points)
