"""A worker as the server holds it: its process, the pipe to it, and which counts it has at hand."""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from reports.studio.worker import Done, Message, Part, Step, serve


class Worker:
    """One process and its pipe, as the server holds them."""

    def __init__(self, memory: int) -> None:
        methods = multiprocessing.get_all_start_methods()
        context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:
            context.set_forkserver_preload(["reports.studio.worker", "reports.studio.variants", "reports.studio.warm"])
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, memory), daemon=True, name="combinat studio")
        self.process.start()
        theirs.close()
        self.at = ""
        """The count that it works with at the moment."""
        self.known: list[str] = []
        """Counts that it has worked with, the newest last."""

    def is_alive(self) -> bool:
        """Whether it can be asked anything."""
        return bool(self.process.is_alive())

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        with suppress(OSError):
            self.pipe.close()


def read(pipe: Connection) -> Message:
    """Wait for what a worker says next."""
    return msgspec.msgpack.decode(pipe.recv_bytes(), type=Step | Part | Done)
