"""The classes of coups, and a coup for each award.

The count of each award by the number of cards that are dealt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import perm

from msgspec import Struct

from combinat.enumeration.baccarat.deal import BANKER, PLAYER
from combinat.enumeration.baccarat.enumerator import CoupCounts, Judged, check_size, ways_after
from combinat.enumeration.bitsliced import masked_sum
from combinat.enumeration.outcomes import Derivation, Outcome, Roles, Step, StepColumn, pick_typical
from combinat.enumeration.table import Bits, iter_bits, union
from combinat.language.english import describe_rule
from combinat.language.words import Suits, baccarat_points
from decks import Card, Composition, Rank, Shoe, Suit
from decks.cards import card_from_numbers

_ENOUGH = 100
"""Coups to pick an example from."""
_MOST_BEGUN = 20_000
"""Beginnings of coups that are kept laid out for the coups that begin so."""
_Begun = tuple[tuple[Card, ...], int]
"""The cards at the first places, and in how many ways cards like these are drawn; none if the shoe has too few."""


class Laid(Struct, frozen=True):
    """One coup of a class: its cards by their places, and in how many ways cards like these are drawn."""

    cards: dict[int, Card]
    ways: int


def outcomes(trial: CoupCounts, composition: Composition) -> Iterator[Outcome]:
    """List every class of coups, award by award, then those that lose, each as soon as it is found."""
    check_size(composition)
    every = list(trial.judged(trial.renamings_at(composition)))
    layouts = [_Layout(trial, judged, composition) for judged in every]
    for award in (*range(len(trial.ladder.rules)), None):
        for number, row, size in _classes(every, award):
            if laid := layouts[number].laid_out(row):
                yield _outcome(trial, laid, size * laid.ways * ways_after(len(laid.cards), composition), award)


def count_outcomes(trial: CoupCounts, composition: Composition) -> int:
    """Count the classes of coups that `outcomes` lists, without listing them."""
    check_size(composition)
    every = list(trial.judged(trial.renamings_at(composition)))
    numbers = _numbers(every)
    possible = [union(trial.weights(judged, composition)) for judged in every]
    total = 0
    for award in (*range(len(trial.ladder.rules)), None):
        taken = _rows_taken(every, award)
        for number, judged in enumerate(every):
            rows = taken[number] & possible[number]
            for others, turned in _others(judged, number, numbers) if rows else ():
                for other in others:
                    if other < number:
                        rows &= ~(turned & taken[other])  # counted there
            total += rows.bit_count()
    return total


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
        for some in (_spread(rows), iter_bits(rows)):
            laid = [one for row in some if (one := layout.laid_out(row))]
            if laid:
                most = max(len(set(one.cards.values())) for one in laid)
                chosen = pick_typical([one for one in laid if len(set(one.cards.values())) == most])
                return _outcome(trial, chosen, chosen.ways * ways_after(len(chosen.cards), composition), award)
    return None


def _spread(rows: Bits) -> Iterator[int]:
    """Give some of the rows, spread over them all."""
    digits = f"{rows:b}"[::-1]
    found = (digits.find("1", len(digits) * part // _ENOUGH) for part in range(_ENOUGH))
    yield from dict.fromkeys(row for row in found if row >= 0)


def _classes(every: list[Judged], award: int | None) -> Iterator[tuple[int, int, int]]:
    """For each class of coups with an award: where it was judged last, its row, and in how many ways suits fall so.

    Coups that differ only in the order of two first cards of one rank are one class.
    """
    numbers = _numbers(every)
    taken = _rows_taken(every, award)
    for number, judged in enumerate(every):
        rows = taken[number]
        together: dict[int, tuple[int, int]] = {}
        for others, turned in _others(judged, number, numbers):
            for other in others:
                both = rows & turned & taken[other]
                if other < number:
                    rows &= ~both  # told of there
                    continue
                for row in iter_bits(both):
                    _, size = together.get(row, (number, judged.size))
                    together[row] = other, size + every[other].size
        for row in iter_bits(rows):
            last, size = together.get(row, (number, judged.size))
            yield last, row, size


def _rows_taken(every: list[Judged], award: int | None) -> list[Bits]:
    """Give the rows that an award takes, or that none takes, for all suits that were judged."""
    return [judged.rows.losing if award is None else judged.rows.wins[award] for judged in every]


def _numbers(every: list[Judged]) -> dict[tuple[int, Suits], int]:
    """Number what was judged by its coups and suits."""
    return {(id(judged.coups), judged.suits): number for number, judged in enumerate(every)}


def _others(judged: Judged, number: int, numbers: Mapping[tuple[int, Suits], int]) -> Iterator[tuple[list[int], Bits]]:
    """Give the numbers of the other suits by which coups are written too if first cards of one rank change places."""
    for suits, turned in _turned(judged):
        yield sorted({numbers.get((id(judged.coups), one), number) for one in suits} - {number}), turned


def _turned(judged: Judged) -> Iterator[tuple[set[Suits], Bits]]:
    """Give the rows in which the first two cards of one hand, of the other or of both are of one rank.

    With each go the suits as they fall if such cards change their places.
    """
    pairs = {pair: judged.coups.equal(*pair) for pair in (PLAYER[:2], BANKER[:2])}
    for chosen in ((True, False), (False, True), (True, True)):
        rows, found = judged.coups.everything, {judged.suits}
        for ((one, other), alike), is_chosen in zip(pairs.items(), chosen, strict=True):
            rows &= alike if is_chosen else ~alike
            if is_chosen:
                found |= {_swapped(suits, one, other) for suits in found}
        yield found, rows


def _swapped(suits: Suits, one: int, other: int) -> Suits:
    turned = list(suits)
    turned[one], turned[other] = suits[other], suits[one]
    return tuple(turned)


class _Layout:
    """Lays out coups whose suits fall in one way, with cards that the shoe has."""

    def __init__(self, trial: CoupCounts, judged: Judged, composition: Composition) -> None:
        self._columns = judged.coups.columns
        self._order = (*judged.suited, *(place for place in judged.coups.places if place not in judged.suited))
        self._choices: dict[tuple[int, int], list[Card]] = {}
        for place in self._order:
            suits = trial.suit_classes[judged.suits[place]] if place in judged.suited else tuple(map(int, Suit))
            for ranks in judged.coups.classes:
                # Another suit and another rank of the class at each place, so that none looks rare.
                self._choices[place, ranks[0]] = [
                    card_from_numbers(ranks[(place + turn) % len(ranks)], suits[(place + step) % len(suits)])
                    for step in range(len(suits))
                    for turn in range(len(ranks))
                ]
        self._there = {card: composition[card] for cards in self._choices.values() for card in cards}
        self._members = {key: frozenset(cards) for key, cards in self._choices.items()}
        self._left = {key: sum(self._there[card] for card in cards) for key, cards in self._choices.items()}
        self._begun: dict[tuple[int, ...], _Begun] = {(): ((), 1)}

    def laid_out(self, row: int) -> Laid | None:
        """Lay out one coup of a row; nothing if the shoe has too few of its cards."""
        cards, ways = self._lay(tuple([self._columns[place][row] for place in self._order]))
        if ways <= 0:
            return None
        for one, other in (PLAYER[:2], BANKER[:2]):
            ways *= 1 if self._columns[one][row] == self._columns[other][row] else 2
        laid = dict(zip(self._order, cards, strict=True))
        return Laid({place: laid[place] for place in self._columns}, ways)

    def _lay(self, ranks: tuple[int, ...]) -> _Begun:
        """Lay cards of some ranks at the first places, one after the other; rows that begin alike share it."""
        if (known := self._begun.get(ranks)) is not None:
            return known
        *before, rank = ranks
        taken, ways = self._lay(tuple(before))
        if ways <= 0:
            return taken, ways
        key = self._order[len(taken)], rank
        members = self._members[key]
        ways *= self._left[key] - sum([card in members for card in taken])
        if ways <= 0:
            return taken, 0
        found = (*taken, next(card for card in self._choices[key] if taken.count(card) < self._there[card])), ways
        if len(ranks) < len(self._order):
            if len(self._begun) > _MOST_BEGUN:
                self._begun = {(): ((), 1)}
            self._begun[ranks] = found
        return found


def _outcome(trial: CoupCounts, laid: Laid, ways: int, award: int | None) -> Outcome:
    """Make a class of one of its coups; if no rule looks at more, of the first two cards of both hands."""
    hands = [tuple([laid.cards[place] for place in hand if place in laid.cards]) for hand in (PLAYER, BANKER)]
    points = "-".join([_points_of(tuple([card.rank for card in hand])) for hand in hands])
    names = ("player", "banker") if trial.is_finished else ("player_first", "banker_first")
    roles: Roles = tuple(zip(names, hands, strict=True))
    return Outcome(roles, ways, award, roles, points)


@lru_cache(maxsize=4096)
def _points_of(ranks: tuple[Rank, ...]) -> str:
    return str(baccarat_points(tuple(map(int, ranks))))


_FINISHED = (
    "Whether third cards are drawn depends on the cards alone, so coups of four, five and six cards are listed once."
)
_FIRST = "No award looks at more than the first two cards of both hands, so that these four are all that is listed."


def derivation(trial: CoupCounts, shoe: Shoe) -> Derivation:
    """Derive the count of every award, and of coups that win nothing, by the number of cards."""
    composition = shoe.composition
    check_size(composition)
    totals: dict[tuple[int | None, int], list[int]] = {}
    for judged in trial.judged(trial.renamings_at(composition)):
        digits = trial.weights(judged, composition)
        for award, rows in (*enumerate(judged.rows.wins), (None, judged.rows.losing)):
            if ways := masked_sum(rows, digits):
                total = totals.setdefault((award, len(judged.coups.places)), [0, 0])
                total[0] += rows.bit_count()
                total[1] += judged.size * ways
    counted = [
        (award, (cards, kinds, ways), Fraction(ways, perm(composition.size, cards)))
        for (award, cards), (kinds, ways) in sorted(totals.items(), key=lambda item: (item[0][0] is None, item[0]))
    ]
    inside = sum((chance for _, _, chance in counted), Fraction(0))
    given = trial.ladder.given
    condition = (
        f" Of all coups {inside} fit the condition ({describe_rule(given, trial.deal)}); probabilities are given that."
        if given
        else ""
    )
    size = composition.size
    return Derivation(
        text=f"{_FINISHED if trial.is_finished else _FIRST} Kinds of coup are the ranks of the cards, as far as awards "
        "tell ranks and suits apart, the first two of a hand in no order. With c cards of a kind in a deck, n decks "
        "give cn(cn−1)… ways to draw so many of that kind one after the other: four of each rank, sixteen without "
        "points, one of each rank and suit. The product over the kinds, times the orders of the first two cards, is "
        f"the ways of a coup among {size}·{size - 1}·{size - 2}… ways to draw as many cards; times the ways in which "
        f"the cards after it can lie, up to six, it is a part of the ways of its award.{condition}",
        caption="Ways by the number of cards",
        columns=(
            StepColumn("cards", "Cards", "count"),
            StepColumn("hands", "Kinds of coup", "count"),
            StepColumn("ways", "Ways to draw them", "count"),
            StepColumn("probability", "Probability", "significant"),
        ),
        steps=tuple(Step(award, (*values, chance / inside)) for award, values, chance in counted),
        all_hands=("", "", "", 1),
        is_closed_form=shoe.is_full,
        note="The closed forms are the sums over all coups as polynomials in n, factored; with the number of decks put "
        "in they give the ways of the awards."
        if shoe.is_full
        else "",
    )
