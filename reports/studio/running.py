"""The server at work, from the first request to a clean end."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

import uvicorn

from reports.studio.pool import Limits, Workers
from reports.studio.security import Connection, Rules
from reports.studio.server import application

_LAST_ANSWERS = 1
"""Seconds that answers on their way have once the server is told to stop."""


class _Server(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def run(listener: socket.socket, rules: Rules, limits: Limits, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C, or until the system says that it is over."""
    _hold_many()
    settings: dict[str, Any] = {
        "log_level": "critical",
        "access_log": False,
        "server_header": False,
        "http": Connection,
        "ws": "none",
        "lifespan": "on",
        "timeout_graceful_shutdown": _LAST_ANSWERS,
        "proxy_headers": False,
    }
    server = _Server(uvicorn.Config(application(Workers(limits), rules), **settings), ready)
    with suppress(KeyboardInterrupt):  # it was heard already, and this is the end of it
        signal.signal(signal.SIGTERM, _end)  # the server hears it first, and says it again once all is put away
        server.run(sockets=[listener])


def _end(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt


def _hold_many() -> None:
    """Have room for as many connections as the system allows: with too little, those that come are not answered."""
    try:
        import resource
    except ImportError:
        return
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # a system may allow less than it says
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
