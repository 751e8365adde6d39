"""A local Dask cluster with processes that tests may kill."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

PATIENCE = 300
"""Seconds to wait; a busy machine takes long."""


SETTINGS = {
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "3",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "false",  # no profiling of workers
}


class LocalCluster:
    """A scheduler and some workers on the loopback address, each a process."""

    def __init__(self, folder, workers=2):
        self.folder = folder
        self.address = ""
        self.scheduler = self.start(
            "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", folder / "scheduler.json"
        )
        wait_for(lambda: (folder / "scheduler.json").exists() and self._read())
        self.workers = [self.worker() for _ in range(workers)]
        self.wait_for_workers()

    def _read(self):
        import json

        with suppress(ValueError):
            self.address = json.loads((self.folder / "scheduler.json").read_text())["address"]
        return self.address

    def start(self, what, *arguments, environment=()):
        name = f"{what}-{time.monotonic_ns()}"
        with (self.folder / f"{name}.log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", what, "--host", "127.0.0.1", *map(str, arguments)],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, **SETTINGS, **dict(environment)},
            )

    def worker(self, **environment):
        there = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", self.folder)
        return self.start("worker", self.address, *there, environment=environment.items())

    def wait_for_workers(self):
        """Wait until every started worker has joined."""
        wait_for(lambda: all("Registered to" in log.read_text() for log in self.folder.glob("worker-*.log")))

    def busy(self):
        """Return how many chunks the workers are processing."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            return sum(client.run(lambda dask_worker: dask_worker.state.executing_count).values())

    def is_whole(self):
        """Return whether the scheduler and every worker are alive."""
        return all(process.poll() is None for process in (self.scheduler, *self.workers))

    def kill(self, process):
        process.send_signal(signal.SIGKILL)
        process.wait()

    def end(self):
        for process in (*self.workers, self.scheduler):
            self.kill(process)


def wait_for(what):
    """Wait until a condition holds."""
    until = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.02)
    return found
