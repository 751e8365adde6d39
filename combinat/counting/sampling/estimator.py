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

from msgspec import Struct

from combinat.bets.paytable import Paytable
from combinat.counting.conventions import RoundStart
from combinat.counting.exposed_cards import ExposedCardValuer
from combinat.counting.sampling.shoes import sample_shoes
from combinat.enumeration.experiment import experiment
from combinat.enumeration.ladder import Ladder
from combinat.exact.surd import Surd
from combinat.parallel.executor import raise_if_cancelled
from decks import Composition, InputError, Shoe

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
