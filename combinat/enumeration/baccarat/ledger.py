"""Outcomes of a coup of baccarat: the ledger, an example for each award, and the derivation by number of cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import perm

from msgspec import Struct

from combinat.enumeration.baccarat.deal import BANKER, PLAYER
from combinat.enumeration.baccarat.enumerator import (
    CoupEnumerator,
    CoupPartition,
    check_coup_shoe,
    count_following_ways,
)
from combinat.enumeration.outcomes import Derivation, DerivationStep, Outcome, Roles, StepColumn, pick_typical
from combinat.enumeration.table import Mask, iter_bits, masked_sum, spread_rows, union
from combinat.language.english import describe_rule
from combinat.language.words import Suits, baccarat_points
from decks import Card, Composition, Rank, Shoe, Suit
from decks.cards import card_from_numbers

_MAX_PARTIAL_COUPS = 20_000
"""Maximum number of partial coups that are cached."""
_PartialCoup = tuple[tuple[Card, ...], int]
"""The cards at the first positions, and the number of ways to draw such cards; zero if the shoe has too few."""


class ExampleCoup(Struct, frozen=True):
    """An example of a class of coups: its cards by position, and the number of ways to draw such cards."""

    cards: dict[int, Card]
    ways: int


def iter_coup_outcomes(enumerator: CoupEnumerator, composition: Composition) -> Iterator[Outcome]:
    """Yield every class of coups, award by award and then the losing ones, as soon as it is found."""
    check_coup_shoe(composition)
    coup_partitions = list(enumerator.iter_partitions(enumerator.suit_permutations_at(composition)))
    layouts = [_Layout(enumerator, coup_partition, composition) for coup_partition in coup_partitions]
    for award_index in (*range(len(enumerator.ladder.rules)), None):
        for partition_index, row, size in _classes(coup_partitions, award_index):
            if example := layouts[partition_index].build_example(row):
                yield _outcome(
                    enumerator,
                    example,
                    size * example.ways * count_following_ways(len(example.cards), composition),
                    award_index,
                )


def count_coup_outcomes(enumerator: CoupEnumerator, composition: Composition) -> int:
    """Count the outcomes that `iter_coup_outcomes` yields, without listing them."""
    check_coup_shoe(composition)
    coup_partitions = list(enumerator.iter_partitions(enumerator.suit_permutations_at(composition)))
    index_by_suits = _number_by_suits(coup_partitions)
    possible_rows = [union(enumerator.weights(coup_partition, composition)) for coup_partition in coup_partitions]
    total = 0
    for award_index in (*range(len(enumerator.ladder.rules)), None):
        rows_by_partition = _award_rows(coup_partitions, award_index)
        for partition_index, coup_partition in enumerate(coup_partitions):
            rows = rows_by_partition[partition_index] & possible_rows[partition_index]
            for equivalent, swapped in (
                _iter_equivalent(coup_partition, partition_index, index_by_suits) if rows else ()
            ):
                for index in equivalent:
                    if index < partition_index:
                        rows &= ~(swapped & rows_by_partition[index])  # counted there
            total += rows.bit_count()
    return total


def coup_examples(enumerator: CoupEnumerator, composition: Composition) -> tuple[Outcome | None, ...]:
    """Return a typical coup for each award: of the most likely length, with different cards where possible."""
    coup_partitions = list(enumerator.iter_partitions(enumerator.suit_permutations_at(composition)))
    return tuple(
        _example(enumerator, coup_partitions, award_index, composition)
        for award_index in range(len(enumerator.ladder.rules))
    )


def _example(
    enumerator: CoupEnumerator, coup_partitions: list[CoupPartition], award_index: int, composition: Composition
) -> Outcome | None:
    def estimated_ways(coup_partition: CoupPartition) -> int:
        following_ways = count_following_ways(len(coup_partition.coups.positions), composition)
        return coup_partition.size * following_ways * coup_partition.rows.wins[award_index].bit_count()

    for coup_partition in sorted(coup_partitions, key=estimated_ways, reverse=True):
        rows, layout = coup_partition.rows.wins[award_index], _Layout(enumerator, coup_partition, composition)
        for sample in (spread_rows(rows), iter_bits(rows)):
            coups = [coup for row in sample if (coup := layout.build_example(row))]
            if coups:
                max_distinct = max(len(set(coup.cards.values())) for coup in coups)
                typical_coup = pick_typical([coup for coup in coups if len(set(coup.cards.values())) == max_distinct])
                return _outcome(
                    enumerator,
                    typical_coup,
                    typical_coup.ways * count_following_ways(len(typical_coup.cards), composition),
                    award_index,
                )
    return None


def _classes(coup_partitions: list[CoupPartition], award_index: int | None) -> Iterator[tuple[int, int, int]]:
    """Yield for each class of coups with an award: the last partition that has it, its row, and its rows of suits.

    Coups that differ only in the order of two first cards of one rank are one class.
    """
    index_by_suits = _number_by_suits(coup_partitions)
    rows_by_partition = _award_rows(coup_partitions, award_index)
    for partition_index, coup_partition in enumerate(coup_partitions):
        rows = rows_by_partition[partition_index]
        merged: dict[int, tuple[int, int]] = {}
        for equivalent, swapped in _iter_equivalent(coup_partition, partition_index, index_by_suits):
            for index in equivalent:
                common_rows = rows & swapped & rows_by_partition[index]
                if index < partition_index:
                    rows &= ~common_rows  # yielded there
                    continue
                for row in iter_bits(common_rows):
                    _, size = merged.get(row, (partition_index, coup_partition.size))
                    merged[row] = index, size + coup_partitions[index].size
        for row in iter_bits(rows):
            last, size = merged.get(row, (partition_index, coup_partition.size))
            yield last, row, size


def _award_rows(coup_partitions: list[CoupPartition], award_index: int | None) -> list[Mask]:
    """Return the rows that an award wins, or that lose if `award_index` is `None`, for each partition."""
    return [
        coup_partition.rows.losing if award_index is None else coup_partition.rows.wins[award_index]
        for coup_partition in coup_partitions
    ]


def _number_by_suits(coup_partitions: list[CoupPartition]) -> dict[tuple[int, Suits], int]:
    """Return the index of each partition by its table and suits."""
    return {
        (id(coup_partition.coups), coup_partition.suits): partition_index
        for partition_index, coup_partition in enumerate(coup_partitions)
    }


def _iter_equivalent(
    coup_partition: CoupPartition, partition_index: int, index_by_suits: Mapping[tuple[int, Suits], int]
) -> Iterator[tuple[list[int], Mask]]:
    """Yield the indices of the other partitions with the same coups, where first cards of one rank are swapped."""
    for suits, rows in _iter_swaps(coup_partition):
        yield (
            sorted(
                {index_by_suits.get((id(coup_partition.coups), suit_row), partition_index) for suit_row in suits}
                - {partition_index}
            ),
            rows,
        )


def _iter_swaps(coup_partition: CoupPartition) -> Iterator[tuple[set[Suits], Mask]]:
    """Yield the rows in which the first two cards of one hand, of the other or of both have equal ranks.

    Also yield, for each, the rows of suits that result from swapping these cards.
    """
    pairs = {pair: coup_partition.coups.equal(*pair) for pair in (PLAYER[:2], BANKER[:2])}
    for chosen_pairs in ((True, False), (False, True), (True, True)):
        rows, suit_rows = coup_partition.coups.everything, {coup_partition.suits}
        for ((first_position, second_position), equal_rows), is_chosen in zip(pairs.items(), chosen_pairs, strict=True):
            rows &= equal_rows if is_chosen else ~equal_rows
            if is_chosen:
                suit_rows |= {_swap(suits, first_position, second_position) for suits in suit_rows}
        yield suit_rows, rows


def _swap(suits: Suits, first_position: int, second_position: int) -> Suits:
    swapped = list(suits)
    swapped[first_position], swapped[second_position] = suits[second_position], suits[first_position]
    return tuple(swapped)


class _Layout:
    """Builds example coups for one row of suits, from cards that the shoe has."""

    def __init__(self, enumerator: CoupEnumerator, coup_partition: CoupPartition, composition: Composition) -> None:
        self._columns = coup_partition.coups.columns
        self._order = (
            *coup_partition.suited,
            *(position for position in coup_partition.coups.positions if position not in coup_partition.suited),
        )
        self._choices: dict[tuple[int, int], list[Card]] = {}
        for position in self._order:
            suits = (
                enumerator.suit_classes[coup_partition.suits[position]]
                if position in coup_partition.suited
                else tuple(map(int, Suit))
            )
            for ranks in coup_partition.coups.classes:
                # Positions begin with different suits and ranks of the class, so that examples look typical.
                self._choices[position, ranks[0]] = [
                    card_from_numbers(
                        ranks[(position + rank_step) % len(ranks)], suits[(position + suit_step) % len(suits)]
                    )
                    for suit_step in range(len(suits))
                    for rank_step in range(len(ranks))
                ]
        self._copies = {card: composition[card] for cards in self._choices.values() for card in cards}
        self._members = {key: frozenset(cards) for key, cards in self._choices.items()}
        self._class_copies = {key: sum(self._copies[card] for card in cards) for key, cards in self._choices.items()}
        self._partial_coups: dict[tuple[int, ...], _PartialCoup] = {(): ((), 1)}

    def build_example(self, row: int) -> ExampleCoup | None:
        """Return an example coup of a row; `None` if the shoe has too few of its cards."""
        cards, ways = self._place_cards(tuple([self._columns[position][row] for position in self._order]))
        if ways <= 0:
            return None
        for first_position, second_position in (PLAYER[:2], BANKER[:2]):
            ways *= 1 if self._columns[first_position][row] == self._columns[second_position][row] else 2
        card_by_position = dict(zip(self._order, cards, strict=True))
        return ExampleCoup({position: card_by_position[position] for position in self._columns}, ways)

    def _place_cards(self, ranks: tuple[int, ...]) -> _PartialCoup:
        """Place cards of given ranks at the first positions, one by one; rows with a common prefix share it."""
        if (stored_coups := self._partial_coups.get(ranks)) is not None:
            return stored_coups
        *earlier_ranks, rank = ranks
        cards, ways = self._place_cards(tuple(earlier_ranks))
        if ways <= 0:
            return cards, ways
        key = self._order[len(cards)], rank
        members = self._members[key]
        ways *= self._class_copies[key] - sum([card in members for card in cards])
        if ways <= 0:
            return cards, 0
        extended = (*cards, next(card for card in self._choices[key] if cards.count(card) < self._copies[card])), ways
        if len(ranks) < len(self._order):
            if len(self._partial_coups) > _MAX_PARTIAL_COUPS:
                self._partial_coups = {(): ((), 1)}
            self._partial_coups[ranks] = extended
        return extended


def _outcome(enumerator: CoupEnumerator, example: ExampleCoup, ways: int, award_index: int | None) -> Outcome:
    """Return the outcome of an example coup; of the first two cards of both hands if no rule refers to others."""
    hands = [
        tuple([example.cards[position] for position in hand if position in example.cards]) for hand in (PLAYER, BANKER)
    ]
    points = "-".join([_points_of(tuple([card.rank for card in hand])) for hand in hands])
    names = ("player", "banker") if enumerator.is_finished else ("player_first", "banker_first")
    roles: Roles = tuple(zip(names, hands, strict=True))
    return Outcome(roles, ways, award_index, roles, points)


@lru_cache(maxsize=4096)
def _points_of(ranks: tuple[Rank, ...]) -> str:
    return str(baccarat_points(tuple(map(int, ranks))))


_FINISHED = (
    "Whether third cards are drawn depends on the cards alone, so coups of four, five and six cards are listed once."
)
_FIRST = "No award looks at more than the first two cards of both hands, so that these four are all that is listed."


class _LengthTotals(Struct, frozen=True):
    """The coups of an award with one number of cards."""

    award: int | None
    card_count: int
    classes: int
    ways: int
    """Ways to draw this number of cards."""
    probability: Fraction


def _totals_by_length(enumerator: CoupEnumerator, composition: Composition) -> list[_LengthTotals]:
    """Sum the coups of every award, and losing coups, by the number of cards."""
    totals: dict[tuple[int | None, int], list[int]] = {}
    for coup_partition in enumerator.iter_partitions(enumerator.suit_permutations_at(composition)):
        digits = enumerator.weights(coup_partition, composition)
        for award_index, rows in (*enumerate(coup_partition.rows.wins), (None, coup_partition.rows.losing)):
            if ways := masked_sum(rows, digits):
                total = totals.setdefault((award_index, len(coup_partition.coups.positions)), [0, 0])
                total[0] += rows.bit_count()
                total[1] += coup_partition.size * ways
    return [
        _LengthTotals(award_index, card_count, classes, ways, Fraction(ways, perm(composition.size, card_count)))
        for (award_index, card_count), (classes, ways) in sorted(
            totals.items(), key=lambda item: (item[0][0] is None, item[0])
        )
    ]


def derive_coup_counts(enumerator: CoupEnumerator, shoe: Shoe) -> Derivation:
    """Derive the count of every award, and of losing coups, by the number of cards."""
    check_coup_shoe(shoe.composition)
    rows, size = _totals_by_length(enumerator, shoe.composition), shoe.composition.size
    condition_probability = sum((row.probability for row in rows), Fraction(0))
    condition_rule = enumerator.ladder.condition
    condition = (
        f" Of all coups {condition_probability} fit the condition ({describe_rule(condition_rule, enumerator.deal)}); "
        "probabilities are given that."
        if condition_rule
        else ""
    )
    return Derivation(
        text=f"{_FINISHED if enumerator.is_finished else _FIRST} Kinds of coup are the ranks of the cards, as far as "
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
            DerivationStep(row.award, (row.card_count, row.classes, row.ways, row.probability / condition_probability))
            for row in rows
        ),
        all_hands=("", "", "", 1),
        is_closed_form=shoe.is_full,
        note="The closed forms are the sums over all coups as polynomials in n, factored; with the number of decks put "
        "in they give the ways of the awards."
        if shoe.is_full
        else "",
    )
