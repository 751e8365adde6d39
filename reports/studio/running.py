"""The server at work, from the first request to a clean end."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn

from reports.studio.guard import Rules
from reports.studio.server import application
from reports.studio.workers import Limits, Workers

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


def run(taken: socket.socket, rules: Rules, limits: Limits, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C."""
    settings: dict[str, Any] = {
        "log_level": "critical",
        "access_log": False,
        "server_header": False,
        "http": "h11",
        "ws": "none",
        "lifespan": "on",
        "timeout_graceful_shutdown": _LAST_ANSWERS,
        "proxy_headers": False,
    }
    server = _Server(uvicorn.Config(application(Workers(limits), rules), **settings), ready)
    with suppress(KeyboardInterrupt):  # it was heard already, and this is the end of it
        server.run(sockets=[taken])
