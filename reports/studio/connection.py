"""A connection to a browser or a program, which is let go when no request comes over it in time."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from reports.studio.guard import HEADERS

PATIENCE = 10
"""Seconds within which a request's first lines must be there."""
MOST = 2000
"""Connections that are held at the same time; whoever comes then is not listened to."""


class Connection(H11Protocol):
    """The server's own way to speak HTTP, with an end to waiting: who sends nothing, or next to nothing, must go."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        if len(self.connections) > MOST:
            transport.abort()
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take what came; once a request's first lines are there, it is the guard who waits for the rest."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        self._stop()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP as everything else is answered: one line of JSON, with the headers for security."""
        body = json.dumps({"error": msg}).encode()
        told = {"content-type": "application/json", "content-length": str(len(body)), "connection": "close", **HEADERS}
        headers = [(name.encode(), value.encode()) for name, value in told.items()]
        events = [h11.Response(status_code=400, headers=headers, reason=b"Bad Request"), h11.Data(data=body)]
        for event in (*events, h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _wait(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._stop()
        elif self._late is None:
            self._late = self.loop.call_later(PATIENCE, self.transport.close)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
