"""Choose the workers: this process, a number of processes, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable

from combinat.parallel.cluster import Cluster
from combinat.parallel.executor import SerialExecutor, WorkerExecutor
from combinat.parallel.pool import ProcessPool, no_cleanup
from decks import InputError


def start_workers(
    jobs: int = 0, chunks: int | None = None, tidy: Callable[[int], None] = no_cleanup, cluster: str = ""
) -> WorkerExecutor:
    """Return workers: a cluster if `cluster` is its address, else `jobs` processes, where 0 means one for each core.

    No more are taken than there are chunks of work, and for one there is no other process at all. What a process that
    died has left behind is tidied up by its number.

    >>> with start_workers(jobs=1) as here:
    ...     here.size
    1
    """
    if jobs < 0:
        raise InputError(f"cannot work with {jobs} processes; give 1 or more, or 0 for one on each core")
    if cluster:
        return Cluster(cluster)
    max_jobs = jobs or os.cpu_count() or 1
    job_count = max_jobs if chunks is None else min(max_jobs, chunks)
    return SerialExecutor() if job_count <= 1 else ProcessPool(job_count, tidy)
