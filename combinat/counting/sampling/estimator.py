"""Estimate of perfect play from sampled shoes, each valued exactly, in independent chunks.

A chunk distributes its samples over the depths at which rounds begin, by their weights. Its result is a sum of exact
numbers, so neither the order of the chunks nor the worker matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, islice, pairwise, repeat
from math import ceil, lcm

import numpy as np
from msgspec import Struct
from numpy.random import Philox
from numpy.typing import NDArray

from combinat.bets.paytable import Paytable
from combinat.counting.conventions import RoundStart, burn_count
from combinat.counting.exposed_cards import ExposedCardValuer
from combinat.enumeration.experiment import experiment
from combinat.enumeration.ladder import Ladder
from combinat.exact.surd import Surd
from combinat.parallel.executor import raise_if_cancelled
from decks import Composition, InputError, Shoe
from decks.cards import ALL_CARDS, JOKER

_SPARE_WORDS = 8
"""Random numbers per sample beyond its cards, for rejected ones."""
_WORD_COUNT = 2**64


def sample_shoes(
    composition: Composition, depths: Sequence[int], first_sample: int, seed: int, burn_points: Sequence[int] = ()
) -> list[Composition]:
    """Return the remaining shoes after `depths` cards, which must not decrease, for samples from `first_sample` on.

    Where `burn_points` is not 0, the first card of that sample is a burn card of these points.

    >>> from decks import Shoe
    >>> [shoe.size for shoe in sample_shoes(Shoe(1).composition, [0, 3, 50], 7, seed=1)]
    [52, 49, 2]
    """
    kinds = [*ALL_CARDS, JOKER]
    cards = np.repeat(np.arange(len(kinds), dtype=np.int64), [composition[card] for card in kinds])
    size, sample_count, deepest = len(cards), len(depths), depths[-1]
    words_by_sample = np.zeros((sample_count, deepest), dtype=np.uint64)
    for row, (words, seen_cards) in enumerate(zip(_words(depths, first_sample, seed), depths, strict=True)):
        words_by_sample[row, :seen_cards] = words[: _SPARE_WORDS - 1 : -1]
    columns = np.ascontiguousarray(words_by_sample.T)
    deck = np.repeat(cards[:, None], sample_count, axis=1)
    is_rejected = np.zeros(sample_count, dtype=bool)
    begin = np.searchsorted(np.array(depths), np.arange(deepest), side="right")  # first row with another card to remove
    for position, start in enumerate(begin.tolist()):
        remaining, random_words = size - position, columns[position, start:]
        partner, rows = (
            position + (random_words % np.uint64(remaining)).astype(np.int64),
            np.arange(start, sample_count),
        )
        must_reject = _must_reject(random_words, remaining)
        for points in sorted({*burn_points} - {0}) if position == 0 else ():
            is_shown, candidates = np.array(burn_points[start:]) == points, _burn_card_indexes(composition, points)
            partner[is_shown] = np.array(candidates)[
                (random_words[is_shown] % np.uint64(len(candidates))).astype(np.int64)
            ]
            must_reject[is_shown] = _must_reject(random_words[is_shown], len(candidates))
        is_rejected[start:] |= must_reject
        swapped = deck[position, start:].copy()
        deck[position, start:] = deck[partner, rows]
        deck[partner, rows] = swapped
    counts = _count_remaining(deck, np.array(depths), len(kinds))
    compositions = [Composition(row[:-1], row[-1]) for row in counts.tolist()]
    for row in np.flatnonzero(is_rejected).tolist():
        compositions[row] = draw_sample(composition, depths[row], first_sample + row, seed, *burn_points[row : row + 1])
    return compositions


def _must_reject(random_words: NDArray[np.uint64], choice_count: int) -> NDArray[np.bool_]:
    """Return which numbers must be rejected so that all choices are equally likely."""
    return random_words > np.uint64(_WORD_COUNT - _WORD_COUNT % choice_count - 1)


def _burn_card_indexes(composition: Composition, points: int) -> list[int]:
    """Return the indexes of the burn cards with these points among the sorted cards of a shoe."""
    cards = [card for card, copies in composition for _ in range(copies)]
    return [index for index, card in enumerate(cards) if burn_count(card) == points]


def _words(depths: Sequence[int], first_sample: int, seed: int) -> Iterator[NDArray[np.uint64]]:
    """Iterate over the random numbers of each sample; one generator is set to the start of each stream."""
    stream = Philox(key=seed)
    state = stream.state
    for sample_number, seen_cards in enumerate(depths, start=first_sample):
        state["state"]["counter"][:] = 0, 0, sample_number, 0
        stream.state = state
        yield stream.random_raw(seen_cards + _SPARE_WORDS)


def _count_remaining(deck: NDArray[np.int64], depths: NDArray[np.int64], kinds: int) -> NDArray[np.int64]:
    """Count the remaining cards of each kind in each column."""
    sample_count = deck.shape[1]
    is_removed = np.arange(len(deck))[:, None] < depths[None, :]
    kind = np.where(is_removed, kinds, deck) + (kinds + 1) * np.arange(sample_count)
    return np.bincount(kind.ravel(), minlength=sample_count * (kinds + 1)).reshape(sample_count, kinds + 1)[:, :kinds]


def draw_sample(
    composition: Composition, seen_cards: int, sample_number: int, seed: int, burn_points: int = 0
) -> Composition:
    """Draw one sample card by card, with rejection of random numbers: the reference for `sample_shoes`.

    >>> from decks import Shoe
    >>> shoe = Shoe(2).composition
    >>> sample_shoes(shoe, [40, 60], 5, seed=3) == [draw_sample(shoe, 40, 5, seed=3), draw_sample(shoe, 60, 6, seed=3)]
    True
    """
    cards = [card for card, copies in composition for _ in range(copies)]
    stream = Philox(key=seed, counter=[0, 0, sample_number, 0])
    unused_words: list[int] = []
    for position in range(seen_cards):
        candidates = (
            _burn_card_indexes(composition, burn_points)
            if burn_points and not position
            else range(position, len(cards))
        )
        choices = len(candidates)
        while True:
            if not unused_words:
                unused_words = stream.random_raw(seen_cards + _SPARE_WORDS).tolist()
            word = unused_words.pop()
            if word < _WORD_COUNT - _WORD_COUNT % choices:  # otherwise some cards would be slightly more likely
                break
        partner = candidates[word % choices]
        cards[position], cards[partner] = cards[partner], cards[position]
    return Composition.of(cards[seen_cards:])


Z_99 = Fraction(2576, 1000)
"""Half-width of a 99% interval in standard deviations of the normal distribution."""
MIN_GAINING = 30
"""Minimum number of sampled shoes that favor the player for a normal interval: with fewer, the sample variance is too
small and the interval would miss the mean far too often.
"""
MAX_SAMPLES = 10**11
"""Maximum number of samples that can be requested."""
DEFAULT_SAMPLES = 2000
"""Number of samples unless a number or a precision is requested."""
PRECISION_SAMPLES = 10_000_000
"""Number of samples after which sampling stops even if the requested precision is not reached."""
CHUNK = 16_384
"""Default number of shoes per chunk."""
_BATCH_SIZE = 1024


class Sums(Struct, frozen=True):
    """Sums over samples: their number, total win, and total squared win."""

    samples: int = 0
    total_win: Fraction = Fraction(0)
    total_squared_win: Fraction = Fraction(0)
    favorable_count: int = 0
    """Number of samples with a win."""

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.samples + other.samples,
            self.total_win + other.total_win,
            self.total_squared_win + other.total_squared_win,
            self.favorable_count + other.favorable_count,
        )

    @property
    def mean(self) -> Fraction:
        """Mean win of a sample."""
        return self.total_win / self.samples

    @property
    def half_width(self) -> Surd | None:
        """Half-width of the 99% confidence interval of the mean; `None` if too few samples win."""
        if self.favorable_count < MIN_GAINING:
            return None
        variance = (self.total_squared_win / self.samples - self.mean**2) * Fraction(self.samples, self.samples - 1)
        return Surd(variance / self.samples) * Z_99

    def is_within(self, fraction: Fraction) -> bool:
        """Return whether the half-width is at most `fraction` of the mean.

        >>> Sums(40, Fraction(40), Fraction(40), 40).is_within(Fraction(1, 100)), Sums(2).is_within(Fraction(1))
        (True, False)
        """
        half_width = self.half_width
        return half_width is not None and not half_width > fraction * self.mean


class SampleChunk(Struct, frozen=True):
    """A chunk of samples: its number, its first sample and its size."""

    number: int
    first: int
    size: int


def iter_chunks(samples: int, chunk: int) -> Iterator[SampleChunk]:
    """Divide samples into chunks.

    >>> [(piece.first, piece.size) for piece in iter_chunks(25, 10)]
    [(0, 10), (10, 10), (20, 5)]
    """
    for chunk_number, first_sample in enumerate(range(0, samples, chunk)):
        yield SampleChunk(chunk_number, first_sample, min(chunk, samples - first_sample))


class Sampler(Struct, frozen=True):
    """What is sampled: a bet at the rounds of a shoe, with meter amounts, by the random streams of a seed."""

    bet: Callable[[], Paytable]
    shoe: Shoe
    rounds: tuple[RoundStart, ...]
    seed: int
    meters: dict[str, Fraction]
    view: tuple[str, ...] = ()
    """Roles whose cards are exposed when the bet is made."""

    def __call__(self, sample_chunk: SampleChunk) -> Sums:
        """Sum the wins of the shoes of a chunk, betting only where the bet gains."""
        sums: dict[int, list[int]] = {}
        gaining = 0
        starts, won_of = stratify_rounds(self.rounds, sample_chunk), self._won(self.bet())
        for start in range(0, sample_chunk.size, _BATCH_SIZE):
            raise_if_cancelled()
            batch_starts = list(islice(starts, _BATCH_SIZE))
            burn_points = [round_start.burn_points for round_start in batch_starts]
            shoes = sample_shoes(
                self.shoe.composition,
                [round_start.cards_seen for round_start in batch_starts],
                sample_chunk.first + start,
                self.seed,
                burn_points,
            )
            for win, ways in won_of(shoes):
                row = sums.setdefault(ways, [0, 0])
                row[0] += win
                row[1] += win * win
                gaining += 1
        sum_of_wins = sum((Fraction(win_sum, ways) for ways, (win_sum, _) in sums.items()), Fraction(0))
        sum_of_squared_wins = sum(
            (Fraction(square_sum, ways * ways) for ways, (_, square_sum) in sums.items()), Fraction(0)
        )
        return Sums(sample_chunk.size, sum_of_wins, sum_of_squared_wins, gaining)

    def _won(self, paytable: Paytable) -> Callable[[Sequence[Composition]], Iterator[tuple[int, int]]]:
        """Return a function that iterates over (win, total ways) of the shoes that win anything."""
        if self.view:
            return ExposedCardValuer(paytable, self.shoe, self.meters, self.view)
        return partial(self._iter_wins, paytable)

    def _iter_wins(self, paytable: Paytable, shoes: Sequence[Composition]) -> Iterator[tuple[int, int]]:
        bet = paytable.bet
        means = paytable.settlement.means(paytable.meter_wager(self.shoe.decks))
        nets = [mean.at(self.meters).constant for mean in means]
        unit = lcm(*(net.denominator for net in nets))
        scaled_nets = [int(net * unit) for net in nets]
        unconditional_cycles = [0] * len(shoes)
        if bet.condition is not None:  # a round without the condition is a round without a bet
            unconditional = experiment(bet.deal, bet.pack, Ladder(paytable.ladder.rules, None), paytable.roles_distinct)
            unconditional_cycles = [award_counts.cycle for award_counts in unconditional.count_many(shoes)]
        for award_counts, unconditional_cycle in zip(
            paytable.experiment.count_many(shoes), unconditional_cycles, strict=True
        ):
            ways = (*award_counts.wins, award_counts.losing)
            win_sum = sum([hand_ways * scaled_net for hand_ways, scaled_net in zip(ways, scaled_nets, strict=True)])
            if win_sum > 0:
                yield win_sum, unit * (unconditional_cycle or award_counts.cycle)


def stratify_rounds(rounds: Sequence[RoundStart], sample_chunk: SampleChunk) -> Iterator[RoundStart]:
    """Iterate over a round for each shoe of a chunk; each round occurs in proportion to its weight, to within one.

    The samples are stratified in equal steps over the rounds. The offset within a step differs from chunk to chunk and
    is evenly distributed, so that many chunks together approach the weights.

    >>> halves = [RoundStart(10, 0, Fraction(1)), RoundStart(20, 0, Fraction(1))]
    >>> [[start.cards_seen for start in stratify_rounds(halves, SampleChunk(number, 0, 3))] for number in (0, 1, 2)]
    [[10, 20, 20], [10, 10, 20], [10, 20, 20]]
    """
    total = sum((round_.weight for round_ in rounds), Fraction(0))
    step = _van_der_corput(sample_chunk.number + 1)
    ends = [
        max(ceil(cumulative_weight / total * sample_chunk.size - step), 0)
        for cumulative_weight in accumulate(round_.weight for round_ in rounds)
    ]
    for round_, (start, end) in zip(rounds, pairwise([0, *ends]), strict=True):
        yield from repeat(round_, end - start)


def _van_der_corput(number: int) -> Fraction:
    """Return a term of the van der Corput sequence, whose first terms are evenly distributed between 0 and 1.

    >>> [str(_van_der_corput(number)) for number in range(1, 8)]
    ['1/2', '1/4', '3/4', '1/8', '5/8', '3/8', '7/8']
    """
    digits = bin(number)[2:]
    return Fraction(int(digits[::-1], 2), 2 ** len(digits))


def check_samples(samples: int, seed: int, chunk: int = CHUNK) -> None:
    """Raise `InputError` for invalid sample sizes, chunk sizes or seeds."""
    if not 2 <= samples <= MAX_SAMPLES:
        raise InputError(f"samples must be 2 to {MAX_SAMPLES:,}, got {samples}")
    if not 1 <= chunk <= MAX_SAMPLES:
        raise InputError(f"the chunk size must be 1 to {MAX_SAMPLES:,} shoes, got {chunk}")
    if not 0 <= seed < 2**64:
        raise InputError(f"the seed must be 0 to {2**64 - 1}, got {seed}")
