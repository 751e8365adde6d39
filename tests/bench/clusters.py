"""Distributed work: the speedup of two workers, and the overhead of a chunk."""

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
from tests.bench.timing import Row, Times, cpu_seconds, format_ratio, format_time, measure_in_turn, rate_row
from tests.clusters import LocalCluster

_CHUNK, _CHUNKS = 2048, 8
_EMPTY = 300
"""Chunks without work."""
SIX = Shoe(6)
SAMPLER = Sampler(
    make_reference(get_paytable("TRI-03")), SIX, tuple(round_starts(BLACKJACK, SIX.composition, 52, 3)), 1, {}
)


@contextmanager
def on_cluster(workers: int) -> Iterator[WorkerExecutor]:
    """Start a local cluster with this many workers."""
    with TemporaryDirectory() as folder:
        own_one = LocalCluster(Path(folder), workers)
        try:
            with Cluster(own_one.address) as found:
                yield found
        finally:
            own_one.end()


def sample(workers: WorkerExecutor) -> None:
    """Sample some chunks of shoes."""
    _through(Work(SAMPLER, _refuse), [[SampleChunk(n, n * _CHUNK, _CHUNK)] for n in range(_CHUNKS)], workers)


def nothing(workers: WorkerExecutor) -> None:
    """Distribute chunks without work."""
    _through(Work(abs, _refuse), [[n] for n in range(_EMPTY)], workers)


def _through(work: Work, chunks: list, workers: WorkerExecutor) -> None:  # type: ignore[type-arg]
    assert sum(len(results) for _, results in work.run(chunks, workers)) == len(chunks)


def _refuse(step: object, reason: str) -> object:
    raise RuntimeError(f"{step}: {reason}")


def by_the_clock(work: Callable[[WorkerExecutor], None], workers: WorkerExecutor) -> float:
    """Measure wall time; CPU time says little about several processes."""
    start = time.perf_counter()
    work(workers)
    return time.perf_counter() - start


def rows() -> list[Row]:
    """Measure one and two workers, local and on a cluster, in wall time."""
    with ExitStack() as stack:
        crews: dict[str, WorkerExecutor] = {
            "here": SerialExecutor(),
            "processes 1": stack.enter_context(ProcessPool(1)),
            "processes 2": stack.enter_context(ProcessPool(2)),
        }
        for crew in crews.values():  # fork before a cluster's client has threads
            sample(crew)
        for workers in (1, 2):
            crews[f"cluster {workers}"] = stack.enter_context(on_cluster(workers))
            sample(crews[f"cluster {workers}"])
        times = measure_in_turn(
            {
                **{name: lambda crew=crew: by_the_clock(sample, crew) for name, crew in crews.items()},  # type: ignore[misc]
                "cpu": lambda: cpu_seconds(lambda: sample(crews["here"])),
                "empty processes": lambda: by_the_clock(nothing, crews["processes 2"]),
                "empty cluster": lambda: by_the_clock(nothing, crews["cluster 2"]),
            },
            3,
        )
    shoes = Times(tuple(one / (_CHUNK * _CHUNKS) for one in times["cpu"].runs))
    return [
        rate_row("shoes sampled and valued exactly, three-card bet, one core", shoes, over=10_000),
        _scaling("two processes, beside one, wall time", times["processes 2"], times["processes 1"]),
        _scaling("two workers of a cluster, beside one, wall time", times["cluster 2"], times["cluster 1"]),
        _scaling("a cluster of one worker, beside this process, wall time", times["cluster 1"], times["here"]),
        _each("a chunk without work, two processes, wall time", times["empty processes"]),
        _each("a chunk without work, a cluster of two, wall time", times["empty cluster"]),
    ]


def _scaling(what: str, several: Times, one: Times) -> Row:
    """Return the speedup of several workers over one."""
    return Row(what, format_time(several.least), format_time(several.median), f"{format_ratio(one, several)} as fast")


def _each(what: str, times: Times) -> Row:
    return Row(what, format_time(times.least / _EMPTY), format_time(times.median / _EMPTY))
