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
    precision: Fraction | None = None
    """Stop when the half-width is at most this fraction of the mean."""
    workers: WorkerExecutor | None = None
    """The workers; `None` for this process."""
    bet: Callable[[], Paytable] | None = None
    """The bet in a form that can be sent to workers."""
    progress: Progress | None = None


SERIAL_SAMPLING = Sampling()
_CHUNKS_AHEAD = 16
"""Chunks per worker that may be started before an earlier chunk is finished, since that one may stop the sampling."""


def sample(sampler: Sampler, samples: int, sampling: Sampling = SERIAL_SAMPLING) -> Sums:
    """Sum chunks of samples; chunks in the journal of an interrupted run are not repeated."""
    journal = (
        None if sampling.bet is None else Journal({"command": "sample", "chunk": sampling.chunk, "what": repr(sampler)})
    )
    try:
        total = _sum_until(_in_order(sampler, samples, sampling, journal), samples, sampling)
    finally:
        if journal is not None:
            journal.close()
    if journal is not None:
        journal.finish()
    return total


def _sum_until(chunk_sums_iter: Iterator[Sums], samples: int, sampling: Sampling) -> Sums:
    """Sum chunks in order until there are enough; only whole chunks count."""
    total = Sums()
    with closing(chunk_sums_iter) as chunks:  # type: ignore[type-var]  # it is a generator
        for chunk_sums in chunks:
            total += chunk_sums
            if sampling.progress is not None:
                sampling.progress(total.samples, samples)
            if sampling.precision is not None and total.is_within(sampling.precision):
                break
    if sampling.progress is not None:
        sampling.progress(samples, samples)
    return total


def _in_order(sampler: Sampler, samples: int, sampling: Sampling, journal: Journal | None) -> Iterator[Sums]:
    """Iterate over the sums of chunks in order, whichever finished first."""
    journaled: dict[str, Any] = {} if journal is None else journal.kept
    workers = sampling.workers or SerialExecutor()
    ready: dict[int, Sums] = {}
    chunk_number = 0
    queue = iter_chunks(samples, sampling.chunk)
    next_chunk = next(queue, None)

    def iter_missing() -> Iterator[list[SampleChunk]]:
        nonlocal next_chunk
        while next_chunk is not None and next_chunk.number < chunk_number + _CHUNKS_AHEAD * workers.size:
            sample_chunk, next_chunk = next_chunk, next(queue, None)
            if (journaled_sums := _parse_entry(journaled.get(_name(sample_chunk)))) is not None:
                ready[sample_chunk.number] = journaled_sums
            else:
                yield [sample_chunk]

    work: Work[SampleChunk, Sums] = Work(sampler, _raise_failure)
    while next_chunk is not None:
        with closing(work.run(iter_missing(), workers)) as chunks:  # type: ignore[type-var]  # it is a generator
            for (sample_chunk,), (sums,) in chunks:
                ready[sample_chunk.number] = sums
                if journal is not None:
                    journal.add(
                        _name(sample_chunk),
                        [sums.samples, str(sums.total_win), str(sums.total_squared_win), sums.favorable_count],
                    )
                while chunk_number in ready:
                    yield ready.pop(chunk_number)
                    chunk_number += 1
        while chunk_number in ready:
            yield ready.pop(chunk_number)
            chunk_number += 1


def _name(sample_chunk: SampleChunk) -> str:
    return f"{sample_chunk.first}+{sample_chunk.size}"


def _parse_entry(result: Any) -> Sums | None:
    """Parse the journal entry of a chunk; `None` if it is invalid."""
    try:
        samples, win_sum, square_sum, gaining = convert(result, tuple[int, str, str, int])
        return Sums(samples, Fraction(win_sum), Fraction(square_sum), gaining)
    except (ValidationError, ValueError, ZeroDivisionError):
        return None


def _raise_failure(sample_chunk: SampleChunk, reason: str) -> Sums:
    raise WorkersError(
        f"shoes {sample_chunk.first + 1:,} to {sample_chunk.first + sample_chunk.size:,} of the sample: {reason}"
    )
