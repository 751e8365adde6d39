"""What perfect play wins, estimated from sampled shoes, each valued exactly: in chunks that anybody may do.

A chunk of samples spreads them over the depths at which rounds begin, by the weights of these. What it gives are sums
of exact numbers, so that neither the order of the chunks nor who did them can matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, islice, pairwise, repeat
from math import ceil, lcm

from msgspec import Struct

from combinat.bets.paytable import Paytable
from combinat.counting.conventions import Round
from combinat.counting.exposed_cards import InView
from combinat.counting.sampling.shoes import sample_shoes
from combinat.enumeration.experiment import experiment, weigh_many
from combinat.enumeration.ladder import Ladder
from combinat.exact.surd import Surd
from combinat.parallel.executor import raise_if_cancelled
from decks import Composition, InputError, Shoe

Z_99 = Fraction(2576, 1000)
"""Standard deviations on each side of the mean that an interval of 99 percent takes, by the normal curve."""
ENOUGH = 30
"""Of the shoes sampled, so many must favor the player for the normal curve to say anything: with few of them, or none,
what was seen to vary is less than what varies, and an interval would leave the truth out far too often."""
MOST_SAMPLES = 10**11
CHUNK = 16_384
"""Shoes of a chunk, if nothing is said."""
_AT_A_TIME = 1024


class Sums(Struct, frozen=True):
    """What samples come to: how many they are, what they win together, and the sum of the squares of that."""

    samples: int = 0
    first: Fraction = Fraction(0)
    second: Fraction = Fraction(0)
    gaining: int = 0
    """How many of them win anything."""

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.samples + other.samples,
            self.first + other.first,
            self.second + other.second,
            self.gaining + other.gaining,
        )

    @property
    def mean(self) -> Fraction:
        """What a sample wins on average."""
        return self.first / self.samples

    @property
    def half_width(self) -> Surd | None:
        """Half of the 99 percent confidence interval of the mean; none if too few samples win anything."""
        if self.gaining < ENOUGH:
            return None
        variance = (self.second / self.samples - self.mean**2) * Fraction(self.samples, self.samples - 1)
        return Surd(variance / self.samples) * Z_99

    def is_within(self, fraction: Fraction) -> bool:
        """Whether half of the interval is no more than a part of the mean.

        >>> Sums(40, Fraction(40), Fraction(40), 40).is_within(Fraction(1, 100)), Sums(2).is_within(Fraction(1))
        (True, False)
        """
        half_width = self.half_width
        return half_width is not None and not half_width > fraction * self.mean


class Piece(Struct, frozen=True):
    """A chunk of samples: which, and how many shoes it has."""

    number: int
    first: int
    size: int


def pieces(samples: int, chunk: int) -> Iterator[Piece]:
    """Divide samples into chunks.

    >>> [(piece.first, piece.size) for piece in pieces(25, 10)]
    [(0, 10), (10, 10), (20, 5)]
    """
    for number, first in enumerate(range(0, samples, chunk)):
        yield Piece(number, first, min(chunk, samples - first))


class Sampler(Struct, frozen=True):
    """What is sampled: a bet at the rounds of a shoe, with meters at amounts, by the streams of a seed."""

    bet: Callable[[], Paytable]
    shoe: Shoe
    rounds: tuple[Round, ...]
    seed: int
    meters: dict[str, Fraction]
    view: tuple[str, ...] = ()
    """Roles whose cards are in view when the bet is made."""

    def __call__(self, piece: Piece) -> Sums:
        """Add up what the shoes of a chunk win by betting only where that is good."""
        sums: dict[int, list[int]] = {}
        gaining = 0
        starts, won_of = spread(self.rounds, piece), self._won(self.bet())
        for start in range(0, piece.size, _AT_A_TIME):
            raise_if_cancelled()
            batch = list(islice(starts, _AT_A_TIME))
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
        """Give what tells what all ways of each shoe win together, of how many, where they win anything."""
        if self.view:
            return InView(paytable, self.shoe, self.meters, self.view)
        return partial(self._won_unseen, paytable)

    def _won_unseen(self, paytable: Paytable, shoes: Sequence[Composition]) -> Iterator[tuple[int, int]]:
        bet = paytable.bet
        means = paytable.settlement.means(paytable.meter_wager(self.shoe.decks))
        nets = [mean.at(self.meters).constant for mean in means]
        unit = lcm(*(net.denominator for net in nets))
        factors = [int(net * unit) for net in nets]
        all_ways = [0] * len(shoes)
        if bet.given is not None:  # without its condition a round counts as one without a bet
            unconditional = experiment(bet.deal, bet.pack, Ladder(paytable.ladder.rules, None), paytable.roles_distinct)
            all_ways = [ways.cycle for ways in weigh_many(unconditional, shoes)]
        for ways, all_hands in zip(weigh_many(paytable.experiment, shoes), all_ways, strict=True):
            won = sum([hands * net for hands, net in zip((*ways.wins, ways.losing), factors, strict=True)])
            if won > 0:
                yield won, unit * (all_hands or ways.cycle)


def spread(rounds: Sequence[Round], piece: Piece) -> Iterator[Round]:
    """Give a round for each shoe of a chunk, in their order: as many of each as its weight asks for, to within one.

    The samples stand in equal steps over the rounds. Where in its step each stands differs from chunk to chunk, evenly,
    so that many chunks together come ever closer to the weights.

    >>> halves = [Round(10, 0, Fraction(1)), Round(20, 0, Fraction(1))]
    >>> [[one.seen for one in spread(halves, Piece(number, 0, 3))] for number in (0, 1, 2)]
    [[10, 20, 20], [10, 10, 20], [10, 20, 20]]
    """
    total = sum((round_.weight for round_ in rounds), Fraction(0))
    step = _between(piece.number + 1)
    ends = [
        max(ceil(reached / total * piece.size - step), 0) for reached in accumulate(round_.weight for round_ in rounds)
    ]
    for round_, (start, end) in zip(rounds, pairwise([0, *ends]), strict=True):
        yield from repeat(round_, end - start)


def _between(number: int) -> Fraction:
    """Give the numbers between 0 and 1 in van der Corput's order, in which any first few lie evenly.

    >>> [str(_between(number)) for number in range(1, 8)]
    ['1/2', '1/4', '3/4', '1/8', '5/8', '3/8', '7/8']
    """
    digits = bin(number)[2:]
    return Fraction(int(digits[::-1], 2), 2 ** len(digits))


def check_samples(samples: int, seed: int, chunk: int = CHUNK) -> None:
    """Refuse what cannot be sampled."""
    if not 2 <= samples <= MOST_SAMPLES:
        raise InputError(f"cannot sample {samples} shoes; give 2 to {MOST_SAMPLES:,}")
    if not 1 <= chunk <= MOST_SAMPLES:
        raise InputError(f"no chunks of {chunk} shoes; give 1 to {MOST_SAMPLES:,}")
    if not 0 <= seed < 2**64:
        raise InputError(f"no seed {seed}; give a whole number from 0 to {2**64 - 1}")
