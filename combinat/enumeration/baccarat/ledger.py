"""Outcomes of a coup of baccarat: the ledger, an example for each award, and the derivation by number of cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import perm

from msgspec import Struct

from combinat.enumeration.baccarat.deal import BANKER, PLAYER
from combinat.enumeration.baccarat.enumerator import CoupCounts, CoupPartition, check_coup_shoe, count_following_ways
from combinat.enumeration.bitsliced import masked_sum
from combinat.enumeration.outcomes import Derivation, DerivationStep, Outcome, Roles, StepColumn, pick_typical
from combinat.enumeration.table import Mask, iter_bits, union
from combinat.language.english import describe_rule
from combinat.language.words import Suits, baccarat_points
from decks import Card, Composition, Rank, Shoe, Suit
from decks.cards import card_from_numbers

_SAMPLE_SIZE = 100
"""Number of coups from which an example is chosen."""
_MAX_PARTIAL_COUPS = 20_000
"""Maximum number of partial coups that are cached."""
_PartialCoup = tuple[tuple[Card, ...], int]
"""The cards at the first positions, and the number of ways to draw such cards; zero if the shoe has too few."""


class ExampleCoup(Struct, frozen=True):
    """An example of a class of coups: its cards by position, and the number of ways to draw such cards."""

    cards: dict[int, Card]
    ways: int


def outcomes(experiment: CoupCounts, composition: Composition) -> Iterator[Outcome]:
    """Yield every class of coups, award by award and then the losing ones, as soon as it is found."""
    check_coup_shoe(composition)
    all_judged = list(experiment.judged(experiment.suit_permutations_at(composition)))
    layouts = [_Layout(experiment, judged, composition) for judged in all_judged]
    for award in (*range(len(experiment.ladder.rules)), None):
        for number, row, size in _classes(all_judged, award):
            if laid := layouts[number].lay_out(row):
                yield _outcome(
                    experiment, laid, size * laid.ways * count_following_ways(len(laid.cards), composition), award
                )


def count_outcomes(experiment: CoupCounts, composition: Composition) -> int:
    """Count the outcomes that `outcomes` yields, without listing them."""
    check_coup_shoe(composition)
    all_judged = list(experiment.judged(experiment.suit_permutations_at(composition)))
    numbers = _number_by_suits(all_judged)
    possible = [union(experiment.weights(judged, composition)) for judged in all_judged]
    total = 0
    for award in (*range(len(experiment.ladder.rules)), None):
        rows_by_number = _award_rows(all_judged, award)
        for number, judged in enumerate(all_judged):
            rows = rows_by_number[number] & possible[number]
            for equivalent, swapped in _iter_equivalent(judged, number, numbers) if rows else ():
                for index in equivalent:
                    if index < number:
                        rows &= ~(swapped & rows_by_number[index])  # counted there
            total += rows.bit_count()
    return total


def examples(experiment: CoupCounts, composition: Composition) -> tuple[Outcome | None, ...]:
    """Return a typical coup for each award: of the most likely length, with different cards where possible."""
    all_judged = list(experiment.judged(experiment.suit_permutations_at(composition)))
    return tuple(_example(experiment, all_judged, award, composition) for award in range(len(experiment.ladder.rules)))


def _example(
    experiment: CoupCounts, all_judged: list[CoupPartition], award: int, composition: Composition
) -> Outcome | None:
    def usual(judged: CoupPartition) -> int:
        following_ways = count_following_ways(len(judged.coups.places), composition)
        return judged.size * following_ways * judged.rows.wins[award].bit_count()

    for judged in sorted(all_judged, key=usual, reverse=True):
        rows, layout = judged.rows.wins[award], _Layout(experiment, judged, composition)
        for sample in (_spread(rows), iter_bits(rows)):
            laid = [coup for row in sample if (coup := layout.lay_out(row))]
            if laid:
                max_distinct = max(len(set(coup.cards.values())) for coup in laid)
                chosen = pick_typical([coup for coup in laid if len(set(coup.cards.values())) == max_distinct])
                return _outcome(
                    experiment, chosen, chosen.ways * count_following_ways(len(chosen.cards), composition), award
                )
    return None


def _spread(rows: Mask) -> Iterator[int]:
    """Yield a sample of the rows, spread evenly over all."""
    digits = f"{rows:b}"[::-1]
    candidates = (digits.find("1", len(digits) * step // _SAMPLE_SIZE) for step in range(_SAMPLE_SIZE))
    yield from dict.fromkeys(row for row in candidates if row >= 0)


def _classes(all_judged: list[CoupPartition], award: int | None) -> Iterator[tuple[int, int, int]]:
    """Yield for each class of coups with an award: the last partition that has it, its row, and its rows of suits.

    Coups that differ only in the order of two first cards of one rank are one class.
    """
    numbers = _number_by_suits(all_judged)
    rows_by_number = _award_rows(all_judged, award)
    for number, judged in enumerate(all_judged):
        rows = rows_by_number[number]
        merged: dict[int, tuple[int, int]] = {}
        for equivalent, swapped in _iter_equivalent(judged, number, numbers):
            for index in equivalent:
                common = rows & swapped & rows_by_number[index]
                if index < number:
                    rows &= ~common  # told of there
                    continue
                for row in iter_bits(common):
                    _, size = merged.get(row, (number, judged.size))
                    merged[row] = index, size + all_judged[index].size
        for row in iter_bits(rows):
            last, size = merged.get(row, (number, judged.size))
            yield last, row, size


def _award_rows(all_judged: list[CoupPartition], award: int | None) -> list[Mask]:
    """Return the rows that an award wins, or that lose if `award` is `None`, for each partition."""
    return [judged.rows.losing if award is None else judged.rows.wins[award] for judged in all_judged]


def _number_by_suits(all_judged: list[CoupPartition]) -> dict[tuple[int, Suits], int]:
    """Return the index of each partition by its table and suits."""
    return {(id(judged.coups), judged.suits): number for number, judged in enumerate(all_judged)}


def _iter_equivalent(
    judged: CoupPartition, number: int, numbers: Mapping[tuple[int, Suits], int]
) -> Iterator[tuple[list[int], Mask]]:
    """Yield the indices of the other partitions with the same coups, where first cards of one rank are swapped."""
    for suits, rows in _iter_swaps(judged):
        yield sorted({numbers.get((id(judged.coups), suit_row), number) for suit_row in suits} - {number}), rows


def _iter_swaps(judged: CoupPartition) -> Iterator[tuple[set[Suits], Mask]]:
    """Yield the rows in which the first two cards of one hand, of the other or of both have equal ranks.

    With each come the rows of suits that result from swapping these cards.
    """
    pairs = {pair: judged.coups.equal(*pair) for pair in (PLAYER[:2], BANKER[:2])}
    for chosen in ((True, False), (False, True), (True, True)):
        rows, suit_rows = judged.coups.everything, {judged.suits}
        for ((first, second), equal_rows), is_chosen in zip(pairs.items(), chosen, strict=True):
            rows &= equal_rows if is_chosen else ~equal_rows
            if is_chosen:
                suit_rows |= {_swap(suits, first, second) for suits in suit_rows}
        yield suit_rows, rows


def _swap(suits: Suits, first: int, second: int) -> Suits:
    swapped = list(suits)
    swapped[first], swapped[second] = suits[second], suits[first]
    return tuple(swapped)


class _Layout:
    """Builds example coups for one row of suits, from cards that the shoe has."""

    def __init__(self, experiment: CoupCounts, judged: CoupPartition, composition: Composition) -> None:
        self._columns = judged.coups.columns
        self._order = (*judged.suited, *(position for position in judged.coups.places if position not in judged.suited))
        self._choices: dict[tuple[int, int], list[Card]] = {}
        for position in self._order:
            suits = (
                experiment.suit_classes[judged.suits[position]] if position in judged.suited else tuple(map(int, Suit))
            )
            for ranks in judged.coups.classes:
                # Another suit and another rank of the class at each place, so that none looks rare.
                self._choices[position, ranks[0]] = [
                    card_from_numbers(ranks[(position + turn) % len(ranks)], suits[(position + step) % len(suits)])
                    for step in range(len(suits))
                    for turn in range(len(ranks))
                ]
        self._there = {card: composition[card] for cards in self._choices.values() for card in cards}
        self._members = {key: frozenset(cards) for key, cards in self._choices.items()}
        self._left = {key: sum(self._there[card] for card in cards) for key, cards in self._choices.items()}
        self._begun: dict[tuple[int, ...], _PartialCoup] = {(): ((), 1)}

    def lay_out(self, row: int) -> ExampleCoup | None:
        """Return an example coup of a row; `None` if the shoe has too few of its cards."""
        cards, ways = self._lay(tuple([self._columns[position][row] for position in self._order]))
        if ways <= 0:
            return None
        for first, second in (PLAYER[:2], BANKER[:2]):
            ways *= 1 if self._columns[first][row] == self._columns[second][row] else 2
        by_position = dict(zip(self._order, cards, strict=True))
        return ExampleCoup({position: by_position[position] for position in self._columns}, ways)

    def _lay(self, ranks: tuple[int, ...]) -> _PartialCoup:
        """Place cards of given ranks at the first positions, one by one; rows with a common prefix share it."""
        if (stored := self._begun.get(ranks)) is not None:
            return stored
        *earlier_ranks, rank = ranks
        cards, ways = self._lay(tuple(earlier_ranks))
        if ways <= 0:
            return cards, ways
        key = self._order[len(cards)], rank
        members = self._members[key]
        ways *= self._left[key] - sum([card in members for card in cards])
        if ways <= 0:
            return cards, 0
        extended = (*cards, next(card for card in self._choices[key] if cards.count(card) < self._there[card])), ways
        if len(ranks) < len(self._order):
            if len(self._begun) > _MAX_PARTIAL_COUPS:
                self._begun = {(): ((), 1)}
            self._begun[ranks] = extended
        return extended


def _outcome(experiment: CoupCounts, laid: ExampleCoup, ways: int, award: int | None) -> Outcome:
    """Return the outcome of an example coup; of the first two cards of both hands if no rule refers to others."""
    hands = [tuple([laid.cards[position] for position in hand if position in laid.cards]) for hand in (PLAYER, BANKER)]
    points = "-".join([_points_of(tuple([card.rank for card in hand])) for hand in hands])
    names = ("player", "banker") if experiment.is_finished else ("player_first", "banker_first")
    roles: Roles = tuple(zip(names, hands, strict=True))
    return Outcome(roles, ways, award, roles, points)


@lru_cache(maxsize=4096)
def _points_of(ranks: tuple[Rank, ...]) -> str:
    return str(baccarat_points(tuple(map(int, ranks))))


_FINISHED = (
    "Whether third cards are drawn depends on the cards alone, so coups of four, five and six cards are listed once."
)
_FIRST = "No award looks at more than the first two cards of both hands, so that these four are all that is listed."


def derivation(experiment: CoupCounts, shoe: Shoe) -> Derivation:
    """Derive the count of every award, and of losing coups, by the number of cards."""
    composition = shoe.composition
    check_coup_shoe(composition)
    totals: dict[tuple[int | None, int], list[int]] = {}
    for judged in experiment.judged(experiment.suit_permutations_at(composition)):
        digits = experiment.weights(judged, composition)
        for award, rows in (*enumerate(judged.rows.wins), (None, judged.rows.losing)):
            if ways := masked_sum(rows, digits):
                total = totals.setdefault((award, len(judged.coups.places)), [0, 0])
                total[0] += rows.bit_count()
                total[1] += judged.size * ways
    counted = [
        (award, (cards, kinds, ways), Fraction(ways, perm(composition.size, cards)))
        for (award, cards), (kinds, ways) in sorted(totals.items(), key=lambda item: (item[0][0] is None, item[0]))
    ]
    inside_probability = sum((probability for _, _, probability in counted), Fraction(0))
    condition_rule = experiment.ladder.given
    condition = (
        f" Of all coups {inside_probability} fit the condition ({describe_rule(condition_rule, experiment.deal)}); "
        "probabilities are given that."
        if condition_rule
        else ""
    )
    size = composition.size
    return Derivation(
        text=f"{_FINISHED if experiment.is_finished else _FIRST} Kinds of coup are the ranks of the cards, as far as "
        "awards tell ranks and suits apart, the first two of a hand in no order. With c cards of a kind in a deck, n "
        "decks give cn(cn−1)… ways to draw so many of that kind one after the other: four of each rank, sixteen "
        "without points, one of each rank and suit. The product over the kinds, times the orders of the first two "
        f"cards, is the ways of a coup among {size}·{size - 1}·{size - 2}… ways to draw as many cards; times the ways "
        f"in which the cards after it can lie, up to six, it is a part of the ways of its award.{condition}",
        caption="Ways by the number of cards",
        columns=(
            StepColumn("cards", "Cards", "count"),
            StepColumn("hands", "Kinds of coup", "count"),
            StepColumn("ways", "Ways to draw them", "count"),
            StepColumn("probability", "Probability", "significant"),
        ),
        steps=tuple(
            DerivationStep(award, (*values, probability / inside_probability)) for award, values, probability in counted
        ),
        all_hands=("", "", "", 1),
        is_closed_form=shoe.is_full,
        note="The closed forms are the sums over all coups as polynomials in n, factored; with the number of decks put "
        "in they give the ways of the awards."
        if shoe.is_full
        else "",
    )
