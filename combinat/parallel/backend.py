"""Choose the workers: this process, a number of processes, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable

from combinat.parallel.cluster import Cluster
from combinat.parallel.executor import SerialExecutor, WorkerExecutor
from combinat.parallel.pool import ProcessPool, no_cleanup
from decks import InputError


def start_workers(
    jobs: int = 0, chunks: int | None = None, clean_up: Callable[[int], None] = no_cleanup, cluster: str = ""
) -> WorkerExecutor:
    """Return workers: a cluster if `cluster` is its address, else `jobs` processes, where 0 means one for each core.

    There are at most as many processes as `chunks` of work; a single job runs in this process. `clean_up` is called
    with the id of each process that has ended.

    >>> with start_workers(jobs=1) as workers:
    ...     workers.size
    1
    """
    if jobs < 0:
        raise InputError(f"the number of processes must be 0 (one for each core) or more, got {jobs}")
    if cluster:
        return Cluster(cluster)
    max_jobs = jobs or os.cpu_count() or 1
    job_count = max_jobs if chunks is None else min(max_jobs, chunks)
    return SerialExecutor() if job_count <= 1 else ProcessPool(job_count, clean_up)
