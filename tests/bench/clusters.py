"""Work handed out: how much sooner two do it than one, and what a chunk costs beyond the work in it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from combinat.bets.catalog import get_paytable
from combinat.bets.overrides import make_reference
from combinat.counting.conventions import BLACKJACK, round_starts
from combinat.counting.sampling.estimator import SampleChunk, Sampler
from combinat.parallel.chunks import Work
from combinat.parallel.cluster import Cluster
from combinat.parallel.executor import SerialExecutor, WorkerExecutor
from combinat.parallel.pool import ProcessPool
from decks import Shoe
from tests.bench.timing import Row, Times, interleaved, own, rate, ratios, told
from tests.clusters import OwnCluster

_CHUNK, _CHUNKS = 2048, 8
_EMPTY = 300
"""Chunks without any work."""
SIX = Shoe(6)
SAMPLER = Sampler(
    make_reference(get_paytable("TRI-03")), SIX, tuple(round_starts(BLACKJACK, SIX.composition, 52, 3)), 1, {}
)


@contextmanager
def on_cluster(workers: int) -> Iterator[WorkerExecutor]:
    """Give a cluster of this machine with so many workers."""
    with TemporaryDirectory() as folder:
        own_one = OwnCluster(Path(folder), workers)
        try:
            with Cluster(own_one.address) as found:
                yield found
        finally:
            own_one.end()


def sample(workers: WorkerExecutor) -> None:
    """Sample some chunks of shoes."""
    _through(Work(SAMPLER, _refuse), [[SampleChunk(n, n * _CHUNK, _CHUNK)] for n in range(_CHUNKS)], workers)


def nothing(workers: WorkerExecutor) -> None:
    """Hand out chunks without any work."""
    _through(Work(abs, _refuse), [[n] for n in range(_EMPTY)], workers)


def _through(work: Work, chunks: list, workers: WorkerExecutor) -> None:  # type: ignore[type-arg]
    assert sum(len(results) for _, results in work.through(chunks, workers)) == len(chunks)


def _refuse(step: object, reason: str) -> object:
    raise RuntimeError(f"{step}: {reason}")


def by_the_clock(work: Callable[[WorkerExecutor], None], workers: WorkerExecutor) -> float:
    """How long some work takes; of several at once the processor's time does not tell."""
    start = time.perf_counter()
    work(workers)
    return time.perf_counter() - start


def rows() -> list[Row]:
    """One and two workers, here and on a cluster; what is told of them is by the clock."""
    with ExitStack() as stack:
        crews: dict[str, WorkerExecutor] = {
            "here": SerialExecutor(),
            "processes 1": stack.enter_context(ProcessPool(1)),
            "processes 2": stack.enter_context(ProcessPool(2)),
        }
        for crew in crews.values():  # who is forked is forked before a cluster's client has threads
            sample(crew)
        for workers in (1, 2):
            crews[f"cluster {workers}"] = stack.enter_context(on_cluster(workers))
            sample(crews[f"cluster {workers}"])
        taken = interleaved(
            {
                **{name: lambda crew=crew: by_the_clock(sample, crew) for name, crew in crews.items()},  # type: ignore[misc]
                "cpu": lambda: own(lambda: sample(crews["here"])),
                "empty processes": lambda: by_the_clock(nothing, crews["processes 2"]),
                "empty cluster": lambda: by_the_clock(nothing, crews["cluster 2"]),
            },
            3,
        )
    shoes = Times(tuple(one / (_CHUNK * _CHUNKS) for one in taken["cpu"].runs))
    return [
        rate("shoes sampled and valued exactly, three-card bet, one core", shoes, over=10_000),
        _scaling("two processes, beside one, by the clock", taken["processes 2"], taken["processes 1"]),
        _scaling("two workers of a cluster, beside one, by the clock", taken["cluster 2"], taken["cluster 1"]),
        _scaling("a cluster of one worker, beside this process, by the clock", taken["cluster 1"], taken["here"]),
        _each("a chunk without work, two processes, by the clock", taken["empty processes"]),
        _each("a chunk without work, a cluster of two, by the clock", taken["empty cluster"]),
    ]


def _scaling(what: str, several: Times, one: Times) -> Row:
    """How many times as fast several are as one."""
    return Row(what, told(several.least), told(several.median), f"{ratios(one, several)} as fast")


def _each(what: str, times: Times) -> Row:
    return Row(what, told(times.least / _EMPTY), told(times.median / _EMPTY))
