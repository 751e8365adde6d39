"""Access control of the server: checks of host, origin and token, limits of size, rate and time.

A browser lets any web page send requests to a server on the same machine. Therefore a request must name the studio's
address (`Host`), and if a page sends it, that page must be the studio's (`Origin`). An address that other machines can
reach also requires a token. Connections without a request are closed after a timeout.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs

import h11
from msgspec import Struct
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from decks.errors import InputError

_UNREPEATABLE_HEADERS = {"host", "origin", "content-length", "transfer-encoding", "authorization", "sec-fetch-site"}
"""Headers that must not be repeated: two parsers could choose different values."""
_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9.-]{1,253}))(?::([1-9][0-9]{0,4}))?", re.ASCII)
"""A `Host` header: a name, an IPv4 address or an IPv6 address in brackets, with an optional port."""
_CREDENTIALS = re.compile(r"([A-Za-z0-9!#$%&'*+.^_`|~-]+)(?: +([!-~](?:[ -~]*[!-~])?))?", re.ASCII)
"""An `Authorization` header: a scheme and optional credentials."""
_MAX_LENGTH_DIGITS = 20
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class AccessRules(Struct, frozen=True):
    """Address of the studio and limits of requests."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    """Token that a request must carry; empty on the loopback address."""
    max_bytes: int = 1024 * 1024
    """Maximum bytes of a request body."""
    max_requests: int = 150
    """Maximum concurrent requests."""
    body_timeout: int = 10_000
    """Milliseconds within which the body of a request must arrive."""

    @property
    def cookie(self) -> str:
        """Name of the token's cookie, with the port because all ports of a host share cookies."""
        return f"combinat_studio_{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the address."""
        try:
            return self.host == "localhost" or ip_address(self.host).is_loopback
        except ValueError:
            return False

    def is_own_host(self, host: str) -> bool:
        """Return whether a request's `Host` is this server.

        >>> rules = AccessRules()
        >>> list(map(rules.is_own_host, ["127.0.0.1:8765", "localhost:8765", "[::1]:8765", "evil.example:8765"]))
        [True, True, True, False]
        >>> list(map(rules.is_own_host, ["127.0.0.1:80", "localhost", "localhost:8765#x", "localhost:8765/", "["]))
        [False, False, False, False, False]
        """
        match = _HOST.fullmatch(host)
        if match is None or int(match[3] or 80) != self.port:
            return False
        name = (match[1] or match[2]).lower()
        if name == self.host.lower() or (self.is_loopback and name in _LOOPBACK):
            return True
        # Listening on all addresses: a foreign name could resolve to this machine (DNS rebinding), a number cannot.
        return self.host in ("0.0.0.0", "::") and _is_ip_address(name)  # noqa: S104  # compared, not listened on


def _is_ip_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_navigation(headers: dict[str, str]) -> bool:
    """Return whether a request is a navigation, perhaps from a link on another site."""
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


class _BodyError(Exception):
    """A request body was too long or did not arrive in time."""


class Guard:
    """ASGI middleware that rejects forbidden requests and turns every failure into one line of JSON."""

    def __init__(self, app: ASGIApp, rules: AccessRules) -> None:
        self.app = app
        self.rules = rules
        self.active_requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            refusal = self._refusal(scope, headers)
        except Exception:  # headers that cannot be parsed are rejected
            refusal = 400, "the headers of the request are invalid"
        if refusal:
            await _send_error(send, *refusal)
            return
        if self.active_requests >= self.rules.max_requests:
            await _send_error(send, 503, "the studio is handling too many requests; try again", {"retry-after": "1"})
            return
        self.active_requests += 1
        try:
            await self._handle(scope, receive, send)
        finally:
            self.active_requests -= 1

    def _refusal(
        self, scope: Scope, headers: dict[str, str]
    ) -> tuple[int, str] | tuple[int, str, dict[str, str]] | None:
        """Return status and message (and headers) of a rejected request; `None` if it is allowed."""
        rules = self.rules
        names = Counter(name.decode("latin-1") for name, _ in scope["headers"])
        if repeated := sorted(name for name in _UNREPEATABLE_HEADERS if names[name] > 1):
            return 400, f"the header {repeated[0]} is repeated"
        if "content-length" in names and "transfer-encoding" in names:
            return 400, "the request has both content-length and transfer-encoding; send one of them"
        if not rules.is_own_host(headers.get("host", "")):
            return 403, "wrong Host; open the address that combinat studio printed"
        if not _CREDENTIALS.fullmatch(headers.get("authorization", "none")):
            return 400, "the header authorization is invalid; write Authorization: Bearer TOKEN"
        origin = headers.get("origin")
        if origin is not None and not self._is_own(origin):
            return 403, "requests from other sites are not allowed"
        is_foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if is_foreign and not (_is_navigation(headers) and scope["method"] == "GET" and scope["path"] == "/"):
            return 403, "requests from other sites are not allowed"
        if rules.token:
            query_token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
            if query_token and compare_digest(query_token.encode(), rules.token.encode()):
                cookie = f"{rules.cookie}={rules.token}; HttpOnly; SameSite=Lax; Path=/"
                return 303, "welcome", {"location": "/", "set-cookie": cookie}
            if not self._has_token(headers):
                return 401, "the token is missing; open the address that combinat studio printed, with its token"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > _MAX_LENGTH_DIGITS or int(length) > rules.max_bytes:
            return 413, f"the request is larger than {rules.max_bytes:,} bytes"
        return None

    def _is_own(self, origin: str) -> bool:
        scheme, separator, host = origin.partition("://")
        return (scheme, separator) == ("http", "://") and self.rules.is_own_host(host)

    def _has_token(self, headers: dict[str, str]) -> bool:
        """Return whether the token is in `Authorization: Bearer TOKEN` or, without that header, in the cookie."""
        token = self.rules.token.encode()
        if (credentials := headers.get("authorization")) is not None:
            match = _CREDENTIALS.fullmatch(credentials)
            is_bearer = match is not None and match[1].lower() == "bearer" and match[2] is not None
            return is_bearer and compare_digest(match[2].encode(), token)  # type: ignore[index]  # there is a match
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self.rules.cookie)
        except CookieError:
            cookie = None
        return cookie is not None and compare_digest(cookie.value.encode(), token)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        received_bytes, is_complete, has_started = 0, False, False
        refusal: tuple[int, str] | None = None
        deadline = asyncio.get_running_loop().time() + self.rules.body_timeout / 1000

        async def receive_with_limits() -> Message:
            nonlocal received_bytes, is_complete, refusal
            try:
                async with asyncio.timeout_at(None if is_complete else deadline):
                    message = await receive()
            except TimeoutError:
                refusal = 408, "the request did not arrive in time"
                raise _BodyError from None
            received_bytes += len(message.get("body", b""))
            is_complete = not message.get("more_body", False)
            if received_bytes > self.rules.max_bytes:
                refusal = 413, f"the request is larger than {self.rules.max_bytes:,} bytes"
                raise _BodyError
            return message

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started
            if refusal:
                return  # the refusal is sent below instead
            if message["type"] == "http.response.start":
                has_started = True
                message = {**message, "headers": [*message["headers"], *_encode_headers(HEADERS)]}
            await send(message)

        try:
            await self.app(scope, receive_with_limits, send_with_headers)
        except Exception as error:  # an internal error becomes one line for the page; the server continues
            refusal = refusal or (500, failure_message(error))
        if refusal and not has_started:
            await _send_error(send, *refusal)


def failure_message(error: Exception) -> str:
    """Return the message of an internal error in one line."""
    return str(InputError(f"internal error of the studio: {type(error).__name__}: {error}"))


def _encode_headers(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


async def _send_error(send: Send, status: int, message: str, headers: dict[str, str] | None = None) -> None:
    """Send an error as one line of JSON."""
    body = json.dumps({"error": message}).encode()
    base_headers = {"content-type": "application/json", "content-length": str(len(body)), "cache-control": "no-store"}
    encoded = _encode_headers({**base_headers, **HEADERS, **(headers or {})})
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


HEADER_TIMEOUT = 10
"""Seconds within which a request's headers must arrive."""
MAX_CONNECTIONS = 2000
"""Maximum concurrent connections; further ones are aborted."""


class Connection(H11Protocol):
    """HTTP protocol with a timeout for connections that do not send a request."""

    _timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Start the timeout of the first request."""
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        self._start_timeout()

    def data_received(self, data: bytes) -> None:
        """Process data; after the headers, `Guard` enforces the timeout of the body."""
        super().data_received(data)
        self._start_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout."""
        super().connection_lost(exc)
        self._cancel_timeout()

    def send_400_response(self, msg: str) -> None:
        """Answer invalid HTTP with one line of JSON and the security headers."""
        body = json.dumps({"error": msg}).encode()
        headers = _encode_headers(
            {"content-type": "application/json", "content-length": str(len(body)), "connection": "close", **HEADERS}
        )
        events = [h11.Response(status_code=400, headers=headers, reason=b"Bad Request"), h11.Data(data=body)]
        for event in (*events, h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _start_timeout(self) -> None:
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._cancel_timeout()
        elif self._timeout is None:
            self._timeout = self.loop.call_later(HEADER_TIMEOUT, self.transport.close)

    def _cancel_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None
