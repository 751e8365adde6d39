"""Which workers there are to be: as many processes as are asked for, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable

from combinat.workers.executor import Here, Workers
from combinat.workers.processes import Processes, leave
from decks import InputError


def workers(
    jobs: int = 0, chunks: int | None = None, tidy: Callable[[int], None] = leave, cluster: str = ""
) -> Workers:
    """Give workers: a cluster by its address, else so many processes here, 0 for one on each core.

    No more are taken than there are chunks of work, and for one there is no other process at all. What a process that
    died has left behind is tidied up by its number.

    >>> with workers(jobs=1) as here:
    ...     here.size
    1
    """
    if jobs < 0:
        raise InputError(f"cannot work with {jobs} processes; give 1 or more, or 0 for one on each core")
    if cluster:
        from combinat.workers.cluster import Cluster  # which loads a library that few have

        return Cluster(cluster)
    most = jobs or os.cpu_count() or 1
    several = most if chunks is None else min(most, chunks)
    return Here() if several <= 1 else Processes(several, tidy)
