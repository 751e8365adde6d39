"""Evaluation of words on the rank rows of a fixed deal, including the best poker hand among cards and jokers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from combinat.enumeration.fixed.deal import JokerLayout
from combinat.enumeration.ladder import CardEvaluator, MaskBySuits
from combinat.enumeration.table import Mask, RankTable, union
from combinat.language.poker import (
    CATEGORIES_BY_SIZE,
    FLUSH,
    OF_EQUAL_RANKS,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    categories_implying,
    exact_hands_of_equal_ranks,
    is_royal,
    paired_hands,
    straight_windows,
)
from combinat.language.rules import CardCount, Predicate
from combinat.language.words import JOKERS, Positions, Suits
from decks import Pack, Rank, Suit

Flushes = frozenset[Positions]
"""The positions of each suit with enough cards for a flush; empty if jokers alone are enough."""


def flushes(suits: Suits, positions: Sequence[int], enough: int) -> Flushes:
    """Return the positions of each suit with at least `enough` cards.

    >>> sorted(flushes((0, 0, 1, 0), (0, 1, 2, 3), 3))
    [(0, 1, 3)]
    """
    positions_by_suit = [tuple([position for position in positions if suits[position] == suit]) for suit in Suit]
    return frozenset(cards_of_suit for cards_of_suit in positions_by_suit if len(cards_of_suit) >= enough)


class BestHands:
    """The best hand of `size` cards at some positions of an outcome table, with jokers for missing cards."""

    def __init__(
        self, table: RankTable, positions: Positions, size: int, jokers: int = 0, is_bug: bool = False
    ) -> None:
        self._table = table
        self._positions = positions
        self._size = size
        self._jokers = jokers
        self._is_bug = is_bug
        """Whether a joker that completes no straight or flush is an ace."""
        self._rows_by_flushes: dict[Flushes, dict[str, Mask]] = {}
        self._straights: dict[Positions, tuple[Mask, Mask]] = {}

    @property
    def flush_size(self) -> int:
        """The number of cards of one suit that make a flush."""
        return max(self._size - self._jokers, 0)

    def best_is(self, word: str) -> Callable[[Suits], Mask]:
        """Return the function from suits to the rows whose best hand satisfies a word."""
        names = categories_implying(word)

        def fitting(suits: Suits) -> Mask:
            suited = flushes(suits, self._positions, self.flush_size)
            rows_by_name = self._by_name(suited)
            rows = union(rows_by_name[name] for name in names)
            return rows & union(self._straight(positions)[1] for positions in suited) if word == ROYAL_FLUSH else rows

        return fitting

    def contains(self, word: str) -> Mask | Callable[[Suits], Mask]:
        """Return the rows where some of the cards make a hand, as a function of the suits if they matter."""
        if word in OF_EQUAL_RANKS:
            return self._exact[word]
        if word == STRAIGHT:
            return self._straight(self._positions)[0]

        def matching(suits: Suits) -> Mask:
            suited = flushes(suits, self._positions, self.flush_size)
            if word == FLUSH:
                return self._table.everything if suited else 0
            return union(self._straight(positions)[word == ROYAL_FLUSH] for positions in suited)

        return matching

    def _by_name(self, suited: Flushes) -> dict[str, Mask]:
        """Split the rows by the category of their best hand, given the suits with enough cards."""
        if suited not in self._rows_by_flushes:
            matching_rows = {
                **self._equal_ranks,
                STRAIGHT: self._straight(self._positions)[0],
                FLUSH: self._table.everything if suited else 0,
                STRAIGHT_FLUSH: union(self._straight(positions)[0] for positions in suited),
            }
            remaining, rows_by_name = self._table.everything, {}
            for name in CATEGORIES_BY_SIZE[self._size]:
                rows_by_name[name] = matching_rows[name] & remaining
                remaining &= ~matching_rows[name]
            self._rows_by_flushes[suited] = rows_by_name
        return self._rows_by_flushes[suited]

    def _straight(self, positions: Positions) -> tuple[Mask, Mask]:
        """Return the rows where the cards make a straight, and those where they make the highest one."""
        if positions not in self._straights:
            rows_by_rank = {
                rank: union(self._table.rank_at(position)[rank] for position in positions) for rank in self._table.ranks
            }
            rows_by_window = {
                window: self._filled_by_jokers(rows_by_rank[rank] for rank in window) for window in self._windows
            }
            royal = union(rows for window, rows in rows_by_window.items() if is_royal(window))
            self._straights[positions] = (union(rows_by_window.values()), royal)
        return self._straights[positions]

    @cached_property
    def _windows(self) -> tuple[tuple[int, ...], ...]:
        return tuple(straight_windows(self._size, self._table.ranks))

    def _filled_by_jokers(self, masks: Iterable[Mask]) -> Mask:
        """Return the rows that are in all of the masks but as many as there are jokers."""
        return union(rows for count, rows in self._table.count(masks).items() if count >= self._size - self._jokers)

    @cached_property
    def _equal_ranks(self) -> dict[str, Mask]:
        """For each category of equal ranks, the rows that contain such a hand."""
        return self._by_multiplicity(paired_hands)

    @cached_property
    def _exact(self) -> dict[str, Mask]:
        """For each category of equal ranks, the rows in which some `_size` cards are exactly that hand."""
        ranks = len(self._table.ranks)
        return self._by_multiplicity(
            lambda multiplicities, jokers: exact_hands_of_equal_ranks(multiplicities, jokers, self._size, ranks)
        )

    def _by_multiplicity(self, hands_of: Callable[[list[int], int], list[str]]) -> dict[str, Mask]:
        """Return the rows of each hand of equal ranks, given its function of how often ranks occur and of jokers."""
        rows_by_name: Counter[str] = Counter()
        aces = self._table.count(self._table.rank_at(position).get(Rank.ACE, 0) for position in self._positions)
        for pattern, rows in self._table.patterns.items():
            multiplicities = Counter(pattern[position] for position in self._positions).values()
            for ace_count, ace_rows in aces.items() if self._is_bug else [(0, self._table.everything)]:
                if common_rows := rows & ace_rows:
                    for name in hands_of(*self._times_and_jokers(list(multiplicities), ace_count)):
                        rows_by_name[name] |= common_rows
        return {name: rows_by_name[name] for name in OF_EQUAL_RANKS}

    def _times_and_jokers(self, multiplicities: list[int], aces: int) -> tuple[list[int], int]:
        """Return how often each rank occurs, and the number of jokers for any rank; a bug counts as an ace."""
        if not self._is_bug:
            return multiplicities, self._jokers
        if aces:
            multiplicities.remove(aces)
        return [*multiplicities, aces + self._jokers], 0


class FixedEvaluator(CardEvaluator):
    """Evaluates words on the rank rows of a fixed deal with jokers at given positions.

    A joker has neither rank nor suit: a fact about all cards of a group with a joker is false, and a number has no
    value. But the best hand among cards may use jokers for any cards.
    """

    def __init__(self, table: RankTable, layout: JokerLayout, pack: Pack) -> None:
        super().__init__(table)
        self._rank_table = table
        self._layout = layout
        self._pack = pack
        self._best_hands: dict[tuple[Positions, int], BestHands] = {}

    def present(self, positions: Positions) -> Positions:
        """Return the numbers of the cards at `positions` that are not jokers."""
        return self._layout.card_numbers_at(positions)

    def count_jokers(self, positions: Positions) -> int:
        """Return the number of jokers at `positions`."""
        return self._layout.count_jokers(positions)

    def predicate(self, predicate: Predicate) -> Mask | MaskBySuits[Suits]:
        """Evaluate a fact word about all cards, or about the best hand among them."""
        word = predicate.word
        if word.best_size:
            return self._best(predicate.positions, word.best_size).best_is(word.name)
        if word.any_size:
            return self._best(predicate.positions, word.any_size).contains(word.name)
        return super().predicate(predicate)

    def _best(self, positions: Positions, size: int) -> BestHands:
        key = (positions, size)
        if key not in self._best_hands:
            self._best_hands[key] = BestHands(
                self._rank_table,
                self.present(positions),
                size,
                self.count_jokers(positions),
                is_bug=self._pack.joker_is_bug,
            )
        return self._best_hands[key]

    def _matching_rows(self, count: CardCount, suit_matches: Iterator[bool]) -> list[Mask]:
        masks = super()._matching_rows(count, suit_matches)
        if JOKERS in count.kinds:
            masks += [self.everything] * self.count_jokers(count.positions)
        return masks
