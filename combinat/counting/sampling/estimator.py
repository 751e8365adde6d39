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
from combinat.enumeration.experiment import count_many, experiment
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
CHUNK = 16_384
"""Default number of shoes per chunk."""
_BATCH_SIZE = 1024


class Sums(Struct, frozen=True):
    """Sums over samples: their number, total win, and total squared win."""

    samples: int = 0
    first: Fraction = Fraction(0)
    second: Fraction = Fraction(0)
    gaining: int = 0
    """Number of samples with a win."""

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.samples + other.samples,
            self.first + other.first,
            self.second + other.second,
            self.gaining + other.gaining,
        )

    @property
    def mean(self) -> Fraction:
        """Mean win of a sample."""
        return self.first / self.samples

    @property
    def half_width(self) -> Surd | None:
        """Half-width of the 99% confidence interval of the mean; `None` if too few samples win."""
        if self.gaining < MIN_GAINING:
            return None
        variance = (self.second / self.samples - self.mean**2) * Fraction(self.samples, self.samples - 1)
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
    for number, first in enumerate(range(0, samples, chunk)):
        yield SampleChunk(number, first, min(chunk, samples - first))


class Sampler(Struct, frozen=True):
    """What is sampled: a bet at the rounds of a shoe, with meter amounts, by the random streams of a seed."""

    bet: Callable[[], Paytable]
    shoe: Shoe
    rounds: tuple[RoundStart, ...]
    seed: int
    meters: dict[str, Fraction]
    view: tuple[str, ...] = ()
    """Roles whose cards are exposed when the bet is made."""

    def __call__(self, piece: SampleChunk) -> Sums:
        """Sum the wins of the shoes of a chunk, betting only where the bet gains."""
        sums: dict[int, list[int]] = {}
        gaining = 0
        starts, won_of = stratify_rounds(self.rounds, piece), self._won(self.bet())
        for start in range(0, piece.size, _BATCH_SIZE):
            raise_if_cancelled()
            batch = list(islice(starts, _BATCH_SIZE))
            shown = [win_sum.shown for win_sum in batch]
            shoes = sample_shoes(
                self.shoe.composition, [win_sum.seen for win_sum in batch], piece.first + start, self.seed, shown
            )
            for won, ways in won_of(shoes):
                row = sums.setdefault(ways, [0, 0])
                row[0] += won
                row[1] += won * won
                gaining += 1
        first = sum((Fraction(win_sum, ways) for ways, (win_sum, _) in sums.items()), Fraction(0))
        second = sum((Fraction(square_sum, ways * ways) for ways, (_, square_sum) in sums.items()), Fraction(0))
        return Sums(piece.size, first, second, gaining)

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
        factors = [int(net * unit) for net in nets]
        all_ways = [0] * len(shoes)
        if bet.given is not None:  # without its condition a round counts as one without a bet
            unconditional = experiment(bet.deal, bet.pack, Ladder(paytable.ladder.rules, None), paytable.roles_distinct)
            all_ways = [ways.cycle for ways in count_many(unconditional, shoes)]
        for ways, all_hands in zip(count_many(paytable.experiment, shoes), all_ways, strict=True):
            won = sum([hands * net for hands, net in zip((*ways.wins, ways.losing), factors, strict=True)])
            if won > 0:
                yield won, unit * (all_hands or ways.cycle)


def stratify_rounds(rounds: Sequence[RoundStart], piece: SampleChunk) -> Iterator[RoundStart]:
    """Iterate over a round for each shoe of a chunk, each as often as its weight asks for, to within one.

    The samples are stratified in equal steps over the rounds. The offset within a step differs from chunk to chunk and
    is evenly distributed, so that many chunks together approach the weights.

    >>> halves = [RoundStart(10, 0, Fraction(1)), RoundStart(20, 0, Fraction(1))]
    >>> [[one.seen for one in stratify_rounds(halves, SampleChunk(number, 0, 3))] for number in (0, 1, 2)]
    [[10, 20, 20], [10, 10, 20], [10, 20, 20]]
    """
    total = sum((round_.weight for round_ in rounds), Fraction(0))
    step = _van_der_corput(piece.number + 1)
    ends = [
        max(ceil(reached / total * piece.size - step), 0) for reached in accumulate(round_.weight for round_ in rounds)
    ]
    for round_, (start, end) in zip(rounds, pairwise([0, *ends]), strict=True):
        yield from repeat(round_, end - start)


def _van_der_corput(number: int) -> Fraction:
    """Return the van der Corput sequence: numbers between 0 and 1 of which any first few are evenly distributed.

    >>> [str(_van_der_corput(number)) for number in range(1, 8)]
    ['1/2', '1/4', '3/4', '1/8', '5/8', '3/8', '7/8']
    """
    digits = bin(number)[2:]
    return Fraction(int(digits[::-1], 2), 2 ** len(digits))


def check_samples(samples: int, seed: int, chunk: int = CHUNK) -> None:
    """Raise `InputError` for invalid sample sizes, chunk sizes or seeds."""
    if not 2 <= samples <= MAX_SAMPLES:
        raise InputError(f"cannot sample {samples} shoes; give 2 to {MAX_SAMPLES:,}")
    if not 1 <= chunk <= MAX_SAMPLES:
        raise InputError(f"no chunks of {chunk} shoes; give 1 to {MAX_SAMPLES:,}")
    if not 0 <= seed < 2**64:
        raise InputError(f"no seed {seed}; give a whole number from 0 to {2**64 - 1}")
