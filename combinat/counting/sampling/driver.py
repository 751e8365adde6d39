"""Sample chunk by chunk, on any executor, until the estimate is precise enough; decided in the order of the chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from fractions import Fraction
from typing import Any

from msgspec import Struct, ValidationError, convert

from combinat.bets.paytable import Paytable
from combinat.counting.sampling.estimator import CHUNK, SampleChunk, Sampler, Sums, iter_chunks
from combinat.enumeration.decision import Progress
from combinat.parallel.chunks import Work
from combinat.parallel.executor import SerialExecutor, WorkerExecutor, WorkersError
from combinat.parallel.journal import Journal


class Sampling(Struct, frozen=True):
    """How shoes are sampled: chunk size, workers and stopping rule."""

    chunk: int = CHUNK
    until: Fraction | None = None
    """Stop when the half-width is at most this fraction of the mean."""
    workers: WorkerExecutor | None = None
    """The workers; `None` for this process."""
    bet: Callable[[], Paytable] | None = None
    """The bet in a form that can be sent to workers."""
    progress: Progress | None = None


SERIAL_SAMPLING = Sampling()
_LEAD = 16
"""Chunks per worker handed out ahead of a missing one, which may be the one that decides to stop."""


def sample(sampler: Sampler, samples: int, how: Sampling = SERIAL_SAMPLING) -> Sums:
    """Sum chunks of samples; chunks in the journal of an interrupted run are not repeated."""
    journal = None if how.bet is None else Journal({"command": "sample", "chunk": how.chunk, "what": repr(sampler)})
    try:
        total = _sum_until(_in_order(sampler, samples, how, journal), samples, how)
    finally:
        if journal is not None:
            journal.close()
    if journal is not None:
        journal.finish()
    return total


def _sum_until(done: Iterator[Sums], samples: int, how: Sampling) -> Sums:
    """Sum chunks in order until there are enough; only whole chunks count."""
    total = Sums()
    with closing(done) as chunks:  # type: ignore[type-var]  # it is a generator
        for chunk_sums in chunks:
            total += chunk_sums
            if how.progress is not None:
                how.progress(total.samples, samples)
            if how.until is not None and total.is_within(how.until):
                break
    if how.progress is not None:
        how.progress(samples, samples)
    return total


def _in_order(sampler: Sampler, samples: int, how: Sampling, journal: Journal | None) -> Iterator[Sums]:
    """Iterate over the sums of chunks in order, whichever finished first."""
    journaled: dict[str, Any] = {} if journal is None else journal.kept
    workers = how.workers or SerialExecutor()
    ready: dict[int, Sums] = {}
    number = 0
    queue = iter_chunks(samples, how.chunk)
    following = next(queue, None)

    def wanted() -> Iterator[list[SampleChunk]]:
        nonlocal following
        while following is not None and following.number < number + _LEAD * workers.size:
            piece, following = following, next(queue, None)
            if (noted := _parse_entry(journaled.get(_name(piece)))) is not None:
                ready[piece.number] = noted
            else:
                yield [piece]

    work: Work[SampleChunk, Sums] = Work(sampler, _give_up)
    while following is not None:
        with closing(work.through(wanted(), workers)) as chunks:  # type: ignore[type-var]  # it is a generator
            for (piece,), (sums,) in chunks:
                ready[piece.number] = sums
                if journal is not None:
                    journal.add(_name(piece), [sums.samples, str(sums.first), str(sums.second), sums.gaining])
                while number in ready:
                    yield ready.pop(number)
                    number += 1
        while number in ready:
            yield ready.pop(number)
            number += 1


def _name(piece: SampleChunk) -> str:
    return f"{piece.first}+{piece.size}"


def _parse_entry(result: Any) -> Sums | None:
    """Parse the journal entry of a chunk; `None` if it is invalid."""
    try:
        samples, first, second, gaining = convert(result, tuple[int, str, str, int])
        return Sums(samples, Fraction(first), Fraction(second), gaining)
    except (ValidationError, ValueError, ZeroDivisionError):
        return None


def _give_up(piece: SampleChunk, reason: str) -> Sums:
    raise WorkersError(f"shoes {piece.first + 1:,} to {piece.first + piece.size:,} of the sample: {reason}")
