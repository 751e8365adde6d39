"""Count the coups of baccarat that each rule of a ladder wins: for every number of decks, and for any composition.

Rules are evaluated as bit masks over tables of rank rows, once for each row of suits at the positions whose suit
matters. For full decks the ways are sums of shapes (products of falling factorials); for a composition they are
bit-sliced numbers, or 64-bit arrays where these are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import product, repeat
from math import perm

from msgspec import Struct

from combinat.enumeration.baccarat.coups import (
    CoupRows,
    Pattern,
    coup_tables,
    find_suit_positions,
    rank_classes,
    suit_classes,
    uses_third_cards,
)
from combinat.enumeration.baccarat.deal import BANKER, MAX_COUP_CARDS, PLAYER, Coup
from combinat.enumeration.baccarat.rules import BANKER_WINS, MARGIN, PLAYER_WINS, TIE
from combinat.enumeration.bitsliced import BitSliced, masked_sum, multiply_sliced, slice_bits
from combinat.enumeration.ladder import Ladder, MaskBySuits, RuleTooComplexError, ValuesBySuits
from combinat.enumeration.symmetry import (
    ALL_SUIT_PERMUTATIONS,
    SuitPermutation,
    composition_stabilizer,
    suit_orbits,
    suit_stabilizer,
)
from combinat.enumeration.table import Mask, MasksByValue, union
from combinat.enumeration.tally import AwardCounts, Draw, Partition, Shape, Tally, new_partition
from combinat.language.rules import CardCount, NumberWord, Predicate, Ranks, SameAs, distinguished_suits, walk
from combinat.language.words import Positions, Suits, Word, baccarat_points
from decks import Composition, InputError, Pack, Suit
from decks.cards import card_from_numbers

_MAX_STORED_COUNTS = 256
"""Maximum number of cached counts, of up to 100 kB each."""
_IS_RED = [suit.is_red for suit in Suit]


class CoupEvaluator:
    """Evaluates rule nodes as masks over the rows of a table; of a card that is not drawn, every fact is false."""

    def __init__(self, coups: CoupRows) -> None:
        self._coups = coups
        self._counts: dict[CardCount, ValuesBySuits[Suits]] = {}
        self._known: dict[tuple[CardCount, tuple[bool, ...]], MasksByValue] = {}
        self.everything: Mask = coups.everything

    @cached_property
    def _ahead(self) -> MasksByValue:
        """Masks of rows by the player's points minus the banker's."""
        player, banker = (self._coups.number(baccarat_points, self._coups.here(hand)) for hand in (PLAYER, BANKER))
        differences: MasksByValue = {}
        for player_points, rows in player.items():
            for banker_points, banker_rows in banker.items():
                if common := rows & banker_rows:
                    differences[player_points - banker_points] = (
                        differences.get(player_points - banker_points, 0) | common
                    )
        return differences

    def predicate(self, predicate: Predicate) -> Mask | MaskBySuits[Suits]:
        """Evaluate a predicate: its condition on ranks now, its condition on suits for each row of suits later."""
        word, positions = predicate.word, self._coups.here(predicate.places)
        if word.whole:
            return self._of_the_coup(word)
        if not _fits(word, positions):
            return 0
        bits = self._coups.number(word.ranks, positions).get(1, 0) if word.ranks else self.everything
        suit_test = word.suits
        if not suit_test:
            return bits
        return lambda suits: bits if suit_test(tuple(suits[position] for position in positions)) else 0

    def _of_the_coup(self, word: Word) -> Mask:
        signs = {PLAYER_WINS.name: 1, TIE.name: 0, BANKER_WINS.name: -1}
        sign = signs[word.name]
        return union(rows for difference, rows in self._ahead.items() if (difference > 0) - (difference < 0) == sign)

    def ranks(self, ranks: Ranks) -> Mask:
        """Return the rows that have exactly these ranks."""
        positions = self._coups.here(ranks.places)
        if len(positions) != len(ranks.ranks):
            return 0
        bits = self.everything
        for rank in set(ranks.ranks):
            counts = self._coups.count([self._coups.rank_at(position).get(rank, 0) for position in positions])
            bits &= counts.get(ranks.ranks.count(rank), 0)
        return bits

    def measure(self, measure: NumberWord) -> MasksByValue:
        """Evaluate a number word; it has no value where the card is not drawn."""
        word, positions = measure.word, self._coups.here(measure.places)
        if word.name == MARGIN.name:
            margins: MasksByValue = {}
            for difference, rows in self._ahead.items():
                margins[abs(difference)] = margins.get(abs(difference), 0) | rows
            return margins
        if word.name == "cards":
            return {len(positions): self.everything}
        return self._coups.number(word.value, positions) if _fits(word, positions) else {}

    def count(self, count: CardCount) -> MasksByValue | ValuesBySuits[Suits]:
        """Count cards of given kinds, at once if their suits do not matter."""
        if all(kind.what == "rank" if isinstance(kind, SameAs) else kind.suits is None for kind in count.kinds):
            return self._coups.count(self._marks(count, repeat(True)))
        # Rules that ask for the same share this function, so that it counts once for each suit row.
        return self._counts.setdefault(count, lru_cache(maxsize=1)(lambda suits: self._compute_counts(count, suits)))

    def _compute_counts(self, count: CardCount, suits: Suits) -> MasksByValue:
        """Count cards of given kinds; rows of suits that match the same kinds share the result."""
        key = count, tuple(self._fitting(count, suits))
        if key not in self._known:
            if len(self._known) >= _MAX_STORED_COUNTS:
                self._known.clear()
            self._known[key] = self._coups.count(self._marks(count, iter(key[1])))
        return self._known[key]

    def _fitting(self, count: CardCount, suits: Suits) -> Iterator[bool]:
        """Yield, for each card and each kind, whether the suits match."""
        for position in self._coups.here(count.places):
            for kind in count.kinds:
                if not isinstance(kind, SameAs):
                    yield kind.suits is None or suits[position] in kind.suits
                elif kind.what == "color":
                    yield _IS_RED[suits[position]] == _IS_RED[suits[kind.place]]
                else:
                    yield kind.what == "rank" or suits[position] == suits[kind.place]

    def _marks(self, count: CardCount, fitting: Iterator[bool]) -> list[Mask]:
        """Return, for each card, the rows where it is of one of the kinds whose suits match."""
        marks = []
        for position in self._coups.here(count.places):
            rows = 0
            for kind, fits in zip(count.kinds, fitting, strict=False):
                if not fits:
                    continue
                if isinstance(kind, SameAs):
                    rows |= self._alike(kind, position)
                else:
                    by_rank = self._coups.rank_at(position)
                    rows |= (
                        self.everything if kind.ranks is None else union(by_rank.get(rank, 0) for rank in kind.ranks)
                    )
            marks.append(rows)
        return marks

    def _alike(self, same_as: SameAs, position: int) -> Mask:
        """Return the rows where the rank at `position` matches the referenced card, if that is drawn."""
        if same_as.place not in self._coups.places:
            return 0
        return self._coups.equal(position, same_as.place) if same_as.what in ("", "rank") else self.everything


def _fits(word: Word, positions: Positions) -> bool:
    min_cards, max_cards = word.sizes
    return min_cards <= len(positions) <= max_cards


MAX_ROWS = 500_000_000
"""Maximum number of suit rows times rank rows: a minute or two of work, far more than a bet needs."""
MAX_WORK = 50_000_000_000
"""Maximum of the same, times the number of nodes of the rules."""
MAX_INT64 = 2**63 - 1
MAX_STORED_ROWS = 100_000
"""Maximum number of rows whose ways are cached for other bets: half a megabyte."""


class CoupPartition(Struct, frozen=True):
    """Coups of one table and one row of suits, partitioned by the ladder."""

    coups: CoupRows
    suited: Positions
    """Positions of the cards whose suits are known, since a rule depends on them."""
    suits: Suits
    """The suit at every position, the first of its class; arbitrary where it is not known."""
    size: int
    """Number of equivalent rows of suits, this one included."""
    rows: Partition[Mask]


class CoupCounts(Struct, frozen=True, dict=True):
    """A coup of baccarat, partitioned by a ladder."""

    deal: Coup
    pack: Pack
    ladder: Ladder

    @cached_property
    def tables(self) -> tuple[CoupRows, ...]:
        """Tables of coups by the rank classes that the rules distinguish."""
        ranks, rules = tuple(int(rank) for rank in self.pack.ranks), self.ladder.all_rules
        return coup_tables(rank_classes(rules, ranks), finished=self.is_finished)

    @cached_property
    def is_finished(self) -> bool:
        """Whether coups include third cards; otherwise all rules refer to the first two cards of the hands only."""
        return uses_third_cards(self.ladder.all_rules)

    @cached_property
    def suit_classes(self) -> dict[int, tuple[int, ...]]:
        """The suit classes that the rules distinguish, by the first suit of each."""
        return {suits[0]: suits for suits in suit_classes(self.ladder.all_rules)}

    @cached_property
    def _renamings(self) -> tuple[SuitPermutation, ...]:
        families = frozenset().union(*(distinguished_suits(rule) for rule in self.ladder.all_rules))
        return suit_stabilizer(families) if families else ALL_SUIT_PERMUTATIONS

    def suit_permutations_at(self, composition: Composition) -> tuple[SuitPermutation, ...]:
        """Return the suit permutations that leave both the rules and the composition unchanged."""
        shoe_symmetries = set(composition_stabilizer(composition))
        return tuple(permutation for permutation in self._renamings if permutation in shoe_symmetries)

    def judged(self, renamings: tuple[SuitPermutation, ...]) -> Iterator[CoupPartition]:
        """Yield the partitions of all coups: by table, and by row of the suits that matter."""
        suit_positions = find_suit_positions(self.ladder.all_rules)
        length = sum(len(list(walk(rule.fact))) for rule in self.ladder.all_rules)
        tables = [(coups, coups.here(tuple(sorted(suit_positions)))) for coups in self.tables]
        rows = sum(len(self._suit_rows(len(suited), renamings)) * coups.size for coups, suited in tables)
        if rows > MAX_ROWS or length * rows > MAX_WORK:
            raise RuleTooComplexError("these rules would take minutes to count; say less, or ask for fewer suits")
        for coups, suited in tables:
            sort = self.ladder.judge(CoupEvaluator(coups))
            for row, size in self._suit_rows(len(suited), renamings):
                suits = [0] * MAX_COUP_CARDS
                for position, suit in zip(suited, row, strict=True):
                    suits[position] = suit
                yield CoupPartition(coups, suited, tuple(suits), size, sort(tuple(suits)))

    def _suit_rows(self, cards: int, renamings: tuple[SuitPermutation, ...]) -> tuple[tuple[Suits, int], ...]:
        """Return the rows of `cards` suits, one per orbit, with the size of each orbit."""
        if len(self.suit_classes) == len(Suit):
            return suit_orbits(cards, renamings)
        return tuple((row, 1) for row in product(self.suit_classes, repeat=cards))

    def reachable_rules(self, enough: int | None = None) -> tuple[bool, ...]:  # noqa: ARG002  # it takes no time
        """Return for each rule whether it can win, for some number of decks."""
        can_win = [False] * len(self.ladder.rules)
        for judged in self.judged(self._renamings):
            can_win = [previous or bool(rows) for previous, rows in zip(can_win, judged.rows.wins, strict=True)]
        return tuple(can_win)

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self._full_deck_tally

    @cached_property
    def _full_deck_tally(self) -> Tally:
        counts: Partition[Counter[Shape]] = new_partition(len(self.ladder.rules), Counter)
        for judged in self.judged(self._renamings):
            nonempty = [(counter, rows) for counter, rows in zip(counts.every, judged.rows.every, strict=True) if rows]
            for (shape, orders), mask in self._masks(judged).items():
                for counter, rows in nonempty:
                    if hits := (rows & mask).bit_count():
                        counter[shape] += judged.size * orders * hits
        return self.ladder.tally(counts, self.pack.size, MAX_COUP_CARDS, 1)

    def _masks(self, judged: CoupPartition) -> dict[tuple[Shape, int], Mask]:
        """Return the masks of rows by shape and by the number of orders of the first cards."""
        if not judged.suited:
            return judged.coups.masks
        masks: dict[tuple[Shape, int], Mask] = {}
        suits = [judged.suits[position] if position in judged.suited else None for position in judged.coups.places]
        for pattern in judged.coups.patterns:
            key = self._shape(pattern, suits), pattern.orders
            masks[key] = masks.get(key, 0) | pattern.rows
        return masks

    def _shape(self, pattern: Pattern, suits: list[int | None]) -> Shape:
        """Return the shape of a pattern: cards of known suits are drawn first, the others from the remaining cards."""
        blocks, ranks, sizes = pattern.blocks, pattern.ranks, self._suits_in_class
        card_counts: dict[tuple[int, int | None], int] = {}
        for card in zip(blocks, suits, strict=True):
            card_counts[card] = card_counts.get(card, 0) + 1
        draws = [
            (sizes[suit] * ranks[block], 0 if suit is not None else blocks.count(block) - count, count)
            for (block, suit), count in card_counts.items()
        ]
        return _shape_of(tuple(sorted(draws)))

    @cached_property
    def _suits_in_class(self) -> dict[int | None, int]:
        """Number of suits in a class by its first suit; under `None`, of all suits."""
        return {None: len(Suit), **{first: len(suits) for first, suits in self.suit_classes.items()}}

    def count(self, composition: Composition) -> AwardCounts:
        """Count the ladder's coups for a composition."""
        check_coup_shoe(composition)
        matches, wins, excluded = [0] * len(self.ladder.rules), [0] * len(self.ladder.rules), 0
        sums = self._sums(composition)
        for judged in self.judged(self.suit_permutations_at(composition)):
            rows = judged.rows
            if not rows.excluded and not any(rows.matches):  # as with most suit rows of many a rule
                continue
            # What a rule takes is often all that it matches, and is then added up once.
            masks = dict.fromkeys(filter(None, (rows.excluded, *rows.matches, *rows.wins)))
            totals = dict(zip(masks, sums(judged, masks), strict=True))
            multiplicity = judged.size * count_following_ways(len(judged.coups.places), composition)
            excluded += multiplicity * totals.get(rows.excluded, 0)
            for number, (matching, winning) in enumerate(zip(rows.matches, rows.wins, strict=True)):
                matches[number] += multiplicity * totals.get(matching, 0)
                wins[number] += multiplicity * totals.get(winning, 0)
        total = perm(composition.size, MAX_COUP_CARDS)
        # All other coups lose; they are not weighed.
        partition = Partition(tuple(matches), tuple(wins), total - sum(wins) - excluded, excluded)
        return self.ladder.ways(partition, total, 1)

    def _sums(self, composition: Composition) -> Callable[[CoupPartition, Iterable[Mask]], Iterable[int]]:
        """Return the function that sums the ways of a partition's coups over sets of rows."""
        from_arrays = None
        if composition.size**MAX_COUP_CARDS <= MAX_INT64 and find_suit_positions(self.ladder.all_rules):
            from combinat.enumeration.baccarat.suit_row_sums import SuitRowSums  # few rules ask for suits

            from_arrays = SuitRowSums(composition)

        def sums(judged: CoupPartition, masks: Iterable[Mask]) -> Iterable[int]:
            if from_arrays is not None and judged.suited:
                return from_arrays.over(judged.coups, self._suits_by_position(judged), masks)
            digits = self.weights(judged, composition)
            return [masked_sum(rows, digits) for rows in masks]

        return sums

    def weights(self, judged: CoupPartition, composition: Composition) -> BitSliced:
        """Return the ordered ways of every row: cards of known suits are drawn first, then the others."""
        weigh = _stored_weights if judged.coups.size <= MAX_STORED_ROWS else _weights
        return weigh(judged.coups, self._suits_by_position(judged), composition)

    def _suits_by_position(self, judged: CoupPartition) -> KnownSuits:
        """Return the positions whose suits are known, each with the suits of its class."""
        return tuple([(position, self.suit_classes[judged.suits[position]]) for position in judged.suited])


KnownSuits = tuple[tuple[int, tuple[int, ...]], ...]
"""Positions, each with the suits of which one is known to lie there."""


def _weights(coups: CoupRows, known_suits: KnownSuits, composition: Composition) -> BitSliced:
    """Return the ordered ways of every row, given the suit classes at some positions."""
    suits_at = dict(known_suits)
    ways = slice_bits(coups.by_orders)
    done: list[int] = []
    unknown_positions = [position for position in coups.places if position not in suits_at]
    for position in (*suits_at, *unknown_positions):
        suits = suits_at.get(position)
        earlier = [
            earlier_position for earlier_position in done if suits is None or suits_at[earlier_position] == suits
        ]
        counts: MasksByValue = {}
        for ranks in coups.classes:
            cards = sum(
                composition[card_from_numbers(rank, suit)] for rank in ranks for suit in suits or map(int, Suit)
            )
            counts[cards] = counts.get(cards, 0) | coups.rank_at(position).get(ranks[0], 0)
        remaining: MasksByValue = {}
        for removed, rows in coups.split_by_earlier_copies(position, tuple(earlier)).items():
            for cards, class_rows in counts.items():
                remaining[max(cards - removed, 0)] = remaining.get(max(cards - removed, 0), 0) | (rows & class_rows)
        ways = multiply_sliced(ways, slice_bits(remaining))
        done.append(position)
    return ways


_stored_weights = lru_cache(maxsize=64)(_weights)
"""Cached: bets with the same rank classes are counted for the same compositions, such as a shoe less one card."""


@lru_cache(maxsize=4096)
def _shape_of(draws: tuple[tuple[int, int, int], ...]) -> Shape:
    return tuple([Draw(*draw) for draw in draws])


def check_coup_shoe(composition: Composition) -> None:
    """Raise an error for a shoe that can run out before the coup is over."""
    if composition.size < MAX_COUP_CARDS:
        raise InputError(f"a coup of baccarat needs {MAX_COUP_CARDS} cards; the shoe has {composition.size}")


def count_following_ways(cards_drawn: int, composition: Composition) -> int:
    """Return the number of orders of the cards after a coup of `cards_drawn` cards, up to six cards in total."""
    return perm(composition.size - cards_drawn, MAX_COUP_CARDS - cards_drawn)
