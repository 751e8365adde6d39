"""A coup judged by a ladder of rules: counted once for every number of decks, or weighed for any shoe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import product
from math import perm

from msgspec import Struct

from combinat.enumeration.baccarat.asked import looks_at_thirds, rank_classes, suit_classes, suited_places
from combinat.enumeration.baccarat.coups import Coups, Pattern, all_coups
from combinat.enumeration.baccarat.deal import LONGEST, Coup
from combinat.enumeration.baccarat.words import CoupEvaluator
from combinat.enumeration.ladder import Ladder, TooLongError
from combinat.enumeration.parts import Parts, new_parts
from combinat.enumeration.rank_rows import Bits, Numbers
from combinat.enumeration.row_numbers import Digits, digits_of, times, total_over
from combinat.enumeration.symmetry import (
    ALL_RENAMINGS,
    Renaming,
    renamings_keeping,
    renamings_keeping_composition,
    suit_rows,
)
from combinat.enumeration.tally import Drawn, Shape, Tally, Ways
from combinat.language.tree import parts, suits_told_apart
from combinat.language.word import Places, Suits
from decks import Composition, InputError, Pack, Suit
from decks.cards import card_of

MAX_ROWS = 500_000_000
"""Suit rows times rank rows: a minute or two at the worst, and far more than a bet needs."""
MAX_WORK = 50_000_000_000
"""The same times the parts of the rules."""
MAX_INT64 = 2**63 - 1
MOST_KEPT = 100_000
"""Rows whose weights are kept for other bets: half a megabyte."""


class Judged(Struct, frozen=True):
    """Coups with the same third cards drawn and suits that fall alike, in the ladder's parts."""

    coups: Coups
    suited: Places
    """The places of the cards whose suits are known, since a rule asks for them."""
    suits: Suits
    """The suit at every place, the first of its class; where none is known, any."""
    size: int
    """How many ways there are for the suits to fall that are like this one."""
    rows: Parts[Bits]


class CoupCounts(Struct, frozen=True, dict=True):
    """A coup of baccarat, judged by a ladder."""

    deal: Coup
    pack: Pack
    ladder: Ladder

    @cached_property
    def tables(self) -> tuple[Coups, ...]:
        """Every way the ranks can fall, as far as rules tell them apart."""
        ranks, rules = tuple(int(rank) for rank in self.pack.ranks), self.ladder.all_rules
        return all_coups(rank_classes(rules, ranks), finished=self.is_finished)

    @cached_property
    def is_finished(self) -> bool:
        """Whether coups are played to their end; otherwise no rule looks at more than the first two cards of a hand."""
        return looks_at_thirds(self.ladder.all_rules)

    @cached_property
    def suit_classes(self) -> dict[int, tuple[int, ...]]:
        """The suits that rules tell apart, by the first of each class."""
        return {suits[0]: suits for suits in suit_classes(self.ladder.all_rules)}

    @cached_property
    def _renamings(self) -> tuple[Renaming, ...]:
        families = frozenset().union(*(suits_told_apart(rule) for rule in self.ladder.all_rules))
        return renamings_keeping(families) if families else ALL_RENAMINGS

    def renamings_at(self, composition: Composition) -> tuple[Renaming, ...]:
        """The renamings of suits that neither a rule nor the shoe notices."""
        alike = set(renamings_keeping_composition(composition))
        return tuple(renaming for renaming in self._renamings if renaming in alike)

    def judged(self, renamings: tuple[Renaming, ...]) -> Iterator[Judged]:
        """Judge all coups: table by table, and in each by the ways in which the suits fall that a rule asks for."""
        asked = suited_places(self.ladder.all_rules)
        length = sum(len(list(parts(rule.fact))) for rule in self.ladder.all_rules)
        tables = [(coups, coups.here(tuple(sorted(asked)))) for coups in self.tables]
        rows = sum(len(self._suit_rows(len(suited), renamings)) * coups.size for coups, suited in tables)
        if rows > MAX_ROWS or length * rows > MAX_WORK:
            raise TooLongError("these rules would take minutes to count; say less, or ask for fewer suits")
        for coups, suited in tables:
            sort = self.ladder.judge(CoupEvaluator(coups))
            for row, size in self._suit_rows(len(suited), renamings):
                suits = [0] * LONGEST
                for place, suit in zip(suited, row, strict=True):
                    suits[place] = suit
                yield Judged(coups, suited, tuple(suits), size, sort(tuple(suits)))

    def _suit_rows(self, cards: int, renamings: tuple[Renaming, ...]) -> tuple[tuple[Suits, int], ...]:
        """List the ways in which so many suits can fall, with the number of those like each."""
        if len(self.suit_classes) == len(Suit):
            return suit_rows(cards, renamings)
        return tuple((row, 1) for row in product(self.suit_classes, repeat=cards))

    def winnable(self, enough: int | None = None) -> tuple[bool, ...]:  # noqa: ARG002  # it takes no time
        """Tell of each rule whether it takes any coup, from whatever number of decks."""
        taken = [False] * len(self.ladder.rules)
        for judged in self.judged(self._renamings):
            taken = [before or bool(rows) for before, rows in zip(taken, judged.rows.wins, strict=True)]
        return tuple(taken)

    def tally(self) -> Tally:
        """Enumerate the ladder once, for every number of full decks."""
        return self._tallied

    @cached_property
    def _tallied(self) -> Tally:
        counts: Parts[Counter[Shape]] = new_parts(len(self.ladder.rules), Counter)
        for judged in self.judged(self._renamings):
            parts_with_rows = [(part, rows) for part, rows in zip(counts.every, judged.rows.every, strict=True) if rows]
            for (shape, orders), mask in self._masks(judged).items():
                for part, rows in parts_with_rows:
                    if hits := (rows & mask).bit_count():
                        part[shape] += judged.size * orders * hits
        return self.ladder.tally(counts, self.pack.size, LONGEST, 1)

    def _masks(self, judged: Judged) -> dict[tuple[Shape, int], Bits]:
        """Split the rows by how their cards are drawn and by the orders in which the first ones come."""
        if not judged.suited:
            return judged.coups.masks
        masks: dict[tuple[Shape, int], Bits] = {}
        suits = [judged.suits[place] if place in judged.suited else None for place in judged.coups.places]
        for pattern in judged.coups.patterns:
            key = self._shape(pattern, suits), pattern.orders
            masks[key] = masks.get(key, 0) | pattern.rows
        return masks

    def _shape(self, pattern: Pattern, suits: list[int | None]) -> Shape:
        """Say how cards that repeat so are drawn: those of known suits first, then of what is left the others."""
        blocks, ranks, sizes = pattern.blocks, pattern.ranks, self._suits_in_class
        held: dict[tuple[int, int | None], int] = {}
        for one in zip(blocks, suits, strict=True):
            held[one] = held.get(one, 0) + 1
        drawn = [
            (sizes[suit] * ranks[block], 0 if suit is not None else blocks.count(block) - many, many)
            for (block, suit), many in held.items()
        ]
        return _shape_of(tuple(sorted(drawn)))

    @cached_property
    def _suits_in_class(self) -> dict[int | None, int]:
        """How many suits there are in a class, by its first, and where none is known."""
        return {None: len(Suit), **{first: len(suits) for first, suits in self.suit_classes.items()}}

    def weigh(self, composition: Composition) -> Ways:
        """Count the ladder's coups from any shoe, card by card as it stands."""
        check_size(composition)
        matches, wins, excluded = [0] * len(self.ladder.rules), [0] * len(self.ladder.rules), 0
        sums = self._sums(composition)
        for judged in self.judged(self.renamings_at(composition)):
            rows = judged.rows
            if not rows.excluded and not any(rows.matches):  # as with most suit rows of many a rule
                continue
            # What a rule takes is often all that it matches, and is then added up once.
            masks = dict.fromkeys(filter(None, (rows.excluded, *rows.matches, *rows.wins)))
            totals = dict(zip(masks, sums(judged, masks), strict=True))
            times_alike = judged.size * ways_after(len(judged.coups.places), composition)
            excluded += times_alike * totals.get(rows.excluded, 0)
            for number, (matching, winning) in enumerate(zip(rows.matches, rows.wins, strict=True)):
                matches[number] += times_alike * totals.get(matching, 0)
                wins[number] += times_alike * totals.get(winning, 0)
        every = perm(composition.size, LONGEST)
        # All other coups lose; they are not weighed.
        parts = Parts(tuple(matches), tuple(wins), every - sum(wins) - excluded, excluded)
        return self.ladder.ways(parts, every, 1)

    def _sums(self, composition: Composition) -> Callable[[Judged, Iterable[Bits]], Iterable[int]]:
        """Return the function that sums the weights of judged coups over sets of rows."""
        from_arrays = None
        if composition.size**LONGEST <= MAX_INT64 and suited_places(self.ladder.all_rules):
            from combinat.enumeration.baccarat.suit_row_sums import SuitRowSums  # few rules ask for suits

            from_arrays = SuitRowSums(composition)

        def sums(judged: Judged, masks: Iterable[Bits]) -> Iterable[int]:
            if from_arrays is not None and judged.suited:
                return from_arrays.over(judged.coups, self._known_suits(judged), masks)
            digits = self.weights(judged, composition)
            return [total_over(rows, digits) for rows in masks]

        return sums

    def weights(self, judged: Judged, composition: Composition) -> Digits:
        """The ordered ways to draw every row: those of known suits first, then of what is left the others."""
        weigh = _kept_weights if judged.coups.size <= MOST_KEPT else _weights
        return weigh(judged.coups, self._known_suits(judged), composition)

    def _known_suits(self, judged: Judged) -> KnownSuits:
        """Return the places whose suits are known, each with the suits of its class."""
        return tuple([(place, self.suit_classes[judged.suits[place]]) for place in judged.suited])


KnownSuits = tuple[tuple[int, tuple[int, ...]], ...]
"""Places, each with the suits of which one is known to lie there."""


def _weights(coups: Coups, known: KnownSuits, composition: Composition) -> Digits:
    """The ordered ways to draw every row, if at some places any of some suits is known to lie."""
    suits_at = dict(known)
    ways = digits_of(coups.by_orders)
    done: list[int] = []
    others = [place for place in coups.places if place not in suits_at]
    for place in (*suits_at, *others):
        suits = suits_at.get(place)
        before = [one for one in done if suits is None or suits_at[one] == suits]
        counts: Numbers = {}
        for ranks in coups.classes:
            cards = sum(composition[card_of(rank, suit)] for rank in ranks for suit in suits or map(int, Suit))
            counts[cards] = counts.get(cards, 0) | coups.rank_at(place).get(ranks[0], 0)
        left: Numbers = {}
        for taken, rows in coups.taken_before(place, tuple(before)).items():
            for cards, own in counts.items():
                left[max(cards - taken, 0)] = left.get(max(cards - taken, 0), 0) | (rows & own)
        ways = times(ways, digits_of(left))
        done.append(place)
    return ways


_kept_weights = lru_cache(maxsize=64)(_weights)
"""Bets whose rules tell the same ranks apart are counted from the same shoes: each shoe without one card, for one."""


@lru_cache(maxsize=4096)
def _shape_of(drawn: tuple[tuple[int, int, int], ...]) -> Shape:
    return tuple([Drawn(*one) for one in drawn])


def check_size(composition: Composition) -> None:
    """Refuse a shoe that can run out before the coup is over."""
    if composition.size < LONGEST:
        raise InputError(f"a coup of baccarat needs {LONGEST} cards; the shoe has {composition.size}")


def ways_after(drawn: int, composition: Composition) -> int:
    """In how many ways the cards after a shorter coup can lie, up to six."""
    return perm(composition.size - drawn, LONGEST - drawn)
