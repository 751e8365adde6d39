"""Requests with malformed headers are refused, and every refusal has the security headers."""

import asyncio
import re
import socket
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reports.studio.security import HEADERS, AccessRules, Guard
from tests.profiles import tries
from tests.studio import run_studio

LOOPBACK = AccessRules()
TOKEN = AccessRules(host="192.0.2.7", token="secret")
OWN_HOST = {LOOPBACK: b"127.0.0.1:8765", TOKEN: b"192.0.2.7:8765"}
HOST = re.compile(rb"(?i)(127\.0\.0\.1|localhost|\[::1\]|\[0*:0*:[0:]*1\]):8765")
ANY_BYTES = st.binary(max_size=40)
PIECES = st.sampled_from(
    [
        *(b"http://", b"https://", b"127.0.0.1", b"localhost", b"[::1]", b":8765", b":", b"[", b"]", b"/", b"#", b"?"),
        *(
            b"@",
            b"\\",
            b"%",
            b" ",
            b"\t",
            b"\x00",
            b"\xff",
            b".",
            b"//",
            b"null",
            b"0",
            b"-",
            b",",
            b"Bearer",
            b"secret",
        ),
    ]
)
HEADER = st.lists(PIECES | ANY_BYTES, max_size=6).map(b"".join)


def request_through_guard(rules, headers, path="/", query=b""):
    """Return status and headers of a request to a guarded server that answers 200 to allowed requests."""
    sent = []

    async def server(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query, "headers": headers}
    asyncio.run(Guard(server, rules)(scope, receive, send))
    start = sent[0]
    return start["status"], {name.decode(): value.decode() for name, value in start["headers"]}


def check_refusal(status, headers, *expected):
    assert status in expected
    assert all(headers[name] == value for name, value in HEADERS.items())


@tries(300)
@given(HEADER)
@example(b"http://[")
@example(b"http://127.0.0.1:8765/")
@example(b"http://127.0.0.1:8765#x")
@example(b"HTTP://127.0.0.1:8765")
@example(b"http://x@127.0.0.1:8765")
def test_origin_must_match_exactly(origin):
    status, headers = request_through_guard(LOOPBACK, [(b"host", OWN_HOST[LOOPBACK]), (b"origin", origin)])
    if origin.startswith(b"http://") and HOST.fullmatch(origin[7:]):
        assert status == 200
    else:
        check_refusal(status, headers, 400, 403)


@tries(300)
@given(HEADER)
@example(b"127.0.0.1:8765#x")
@example(b"127.0.0.1:8765/")
@example(b"127.0.0.1:8765?x")
@example(b"127.0.0.1:08765")
@example(b"[::1]:8765]")
@example(b"[")
@example(b"127.0.0.1:\xb2")
def test_host_must_match_exactly(host):
    status, headers = request_through_guard(LOOPBACK, [(b"host", host)])
    if HOST.fullmatch(host):
        assert status == 200
    else:
        check_refusal(status, headers, 400, 403)


@tries(300)
@given(HEADER, st.booleans())
@example(b"secret", True)
@example(b"secret", False)
@example(b"Basic secret", False)
@example(b"Bearersecret", False)
@example(b"Bearer secret ", False)
@example(b"Bearer  secret", False)
@example(b"", True)
def test_token_needs_the_bearer_scheme(credentials, has_cookie):
    cookie = [(b"cookie", b"combinat_studio_8765=secret")] if has_cookie else []
    status, headers = request_through_guard(
        TOKEN, [(b"host", OWN_HOST[TOKEN]), (b"authorization", credentials), *cookie]
    )
    if re.fullmatch(rb"(?i)bearer +secret", credentials):
        assert status == 200
    else:
        check_refusal(status, headers, 400, 401)


@tries(200)
@given(HEADER, HEADER, HEADER)
def test_odd_cookies_queries_and_lengths_are_answered(cookie, query, length):
    headers = [(b"host", OWN_HOST[TOKEN]), (b"cookie", cookie), (b"content-length", length)]
    check_refusal(*request_through_guard(TOKEN, headers, query=query.replace(b"secret", b"")), 400, 401, 413)


@pytest.mark.parametrize("length", [b"9" * 5000, b"-1", b"1e9", b"\xb2", b" 1", b""])
def test_non_numeric_length_is_refused(length):
    status, headers = request_through_guard(LOOPBACK, [(b"host", OWN_HOST[LOOPBACK]), (b"content-length", length)])
    check_refusal(status, headers, 400, 413)


@pytest.mark.slow
def test_invalid_http_gets_security_headers():
    with run_studio() as (address, _):
        port = urlsplit(address).port
        for header in (
            b"",
            b"Host: \x00\r\n",
            b"Host: a\r\nHost: b\r\n",
            b"Host x\r\n",
            b"Origin: http://[\r\nHost: x\r\n",
        ):
            with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\n" + header + b"\r\n")
                connection.shutdown(socket.SHUT_WR)
                response = b""
                while piece := connection.recv(65536):
                    response += piece
            assert response.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 403 "))
            assert all(f"{name}: {value}".encode() in response for name, value in HEADERS.items())
