"""The studio for tests: its server within the process, and a real one on a free port."""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

from starlette.testclient import TestClient

from decks import InputError
from reports.studio.answers import answer_request
from reports.studio.pool import RequestFailedError
from reports.studio.security import AccessRules
from reports.studio.server import application

HOST = "127.0.0.1:8765"
CHROMIUM_OPTIONS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--no-first-run"),
]
PATIENCE = 120_000
"""Milliseconds to wait for a page; a busy machine takes long."""
TYPED = """bet = "Three cards"
deal = "player:2, up:1"
[hands]
"Straight flush" = "straight flush"
"Three of a kind" = "three of a kind"
"Straight" = "straight"
"Flush" = "flush"
[[paytable]]
id = "THREE"
decks = "1-8"
awards = [
  {{ hand = "Straight flush", pays = "{} to 1" }},
  {{ hand = "Three of a kind", pays = "30 to 1" }},
  {{ hand = "Straight", pays = "10 to 1" }},
  {{ hand = "Flush", pays = "5 to 1" }},
]
"""
"""A bet while a pay is typed."""


class InProcess:
    """Answer requests without a worker."""

    async def start(self):
        pass

    async def stop(self):
        pass

    async def ask(self, kind, body, *_):
        try:
            return answer_request(kind, body)
        except InputError as error:
            raise RequestFailedError(422, str(error)) from None


def client(workers=None, **rules):
    """Return a client of a server within the process."""
    guarded = application(workers or InProcess(), AccessRules(**rules))
    return TestClient(guarded, base_url=f"http://{HOST}", raise_server_exceptions=True)


@contextmanager
def run_studio(*options, ended_by=signal.SIGINT):
    """Start the studio as a user does, and yield its address; a signal ends it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "combinat", "studio", "--no-browser", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        yield re.search(r"http://\S+", process.stdout.readline())[0], process
        process.send_signal(ended_by)
        out, err = process.communicate(timeout=90)  # a busy machine takes seconds, and running work up to 60
        assert (process.returncode, out, err) == (0, "combinat studio: stopped\n", "Press Ctrl-C to stop.\n")
    finally:
        process.kill()
        process.wait()


def expect(seen):
    """Return an expectation about a page; the library takes half a second to load, so few tests load it."""
    from playwright.sync_api import expect

    return expect(seen)
