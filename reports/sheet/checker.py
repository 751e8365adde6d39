"""The page `checker.html`, which recounts the JSON of a sheet in a browser, independently of this program."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from reports.sheet.identity import fingerprint

CHECKER = "checker.html"
"""Name of the page in a folder of sheets."""
CHECKER_TITLE = b"<title>Par sheet checker</title>"


@lru_cache(maxsize=1)
def read_checker() -> bytes:
    """Return the page."""
    return Path(__file__).with_name(CHECKER).read_bytes()


@lru_cache(maxsize=1)
def checker_sha256() -> str:
    """Return the SHA-256 of the page, which every sheet states."""
    return fingerprint(read_checker())
