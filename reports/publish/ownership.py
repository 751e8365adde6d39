"""Which files of a folder a batch may replace: those that combinat wrote, told by what is in them."""

from __future__ import annotations

import re
import stat
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from combinat.bets.reading import read_small
from decks import InputError

INDEX, SUMS, MANIFEST = LISTS = ("index.html", "SHA256SUMS", "manifest.json")
_MAX_BYTES = 1 << 26
_SOFTWARE = re.compile(rb"combinat \d")
_SUM_LINE = re.compile(r"[0-9a-f]{64}  \S[^/]*")


def is_foreign(path: Path) -> bool:
    """Whether there is an ordinary file at a path that combinat did not write."""
    try:
        status = path.lstat()
    except OSError:
        return False
    if not stat.S_ISREG(status.st_mode):
        return False  # which is refused whatever it is, when it is to be replaced
    try:
        return not is_own(path.name, read_small(path, _MAX_BYTES))
    except (OSError, InputError):
        return True


def is_own(name: str, content: bytes) -> bool:
    """Whether combinat writes such content under such a name.

    >>> is_own("manifest.json", b'{"name": "my web app"}'), is_own("index.html", b"<title>Par sheets</title>")
    (False, False)
    >>> is_own("TRI-03_6-decks.md", b"Software: combinat 0.1.0"), is_own("TRI-03_6-decks.md", b"my notes")
    (True, False)
    """
    if name == MANIFEST:
        return b'"format": "combinat manifest ' in content[:200]
    if name == INDEX:
        return b"<title>Par sheets</title>" in content and f'href="{MANIFEST}"'.encode() in content
    if name == SUMS:
        return is_own_sums(content.decode("utf-8", "replace"))
    match Path(name).suffix:
        case ".json":
            return b'"format": "combinat par sheet ' in content[:200]
        case ".pdf":
            return content.startswith(b"%PDF-") and b"par sheet" in content and b"Typst" in content
        case ".xlsx":
            try:
                with ZipFile(BytesIO(content)) as book:
                    return b"combinat" in book.read("docProps/core.xml")
            except (BadZipFile, KeyError, OSError, ValueError, NotImplementedError):
                return False
    return _SOFTWARE.search(content) is not None


def is_own_sums(text: str) -> bool:
    """Whether a list of sums is one of a batch, which begins with its index page."""
    lines = text.splitlines()
    return bool(lines) and lines[0].endswith(f"  {INDEX}") and all(map(_SUM_LINE.fullmatch, lines))
