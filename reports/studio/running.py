"""Run the web server until it is interrupted, and shut it down cleanly."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

import uvicorn

from reports.studio.pool import Limits, WorkerPool
from reports.studio.security import AccessRules, Connection
from reports.studio.server import application

_SHUTDOWN_SECONDS = 1
"""Seconds that pending requests get when the server stops."""


class _Server(uvicorn.Server):
    """A server that calls `ready` when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def run_server(listener: socket.socket, rules: AccessRules, limits: Limits, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    _raise_file_limit()
    settings: dict[str, Any] = {
        "log_level": "critical",
        "access_log": False,
        "server_header": False,
        "http": Connection,
        "ws": "none",
        "lifespan": "on",
        "timeout_graceful_shutdown": _SHUTDOWN_SECONDS,
        "proxy_headers": False,
    }
    server = _Server(uvicorn.Config(application(WorkerPool(limits), rules), **settings), ready)
    with suppress(KeyboardInterrupt):  # uvicorn has shut down and raises the signal again
        signal.signal(signal.SIGTERM, _interrupt)  # uvicorn handles it first, and raises it again at the end
        server.run(sockets=[listener])


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


def _raise_file_limit() -> None:
    """Raise the limit of open files to the maximum: without free descriptors, connections are not accepted."""
    try:
        import resource
    except ImportError:
        return
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some systems allow less than the stated maximum
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
