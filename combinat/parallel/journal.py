"""Journal of finished chunks, so that an interrupted command can resume.

A journal is a file in the cache folder, one line of JSON for each chunk, named by a hash of all that the results depend
on. Lines are only appended, and the file is deleted when its command is complete. A damaged line is ignored; if the
file cannot be written, nothing is stored.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from msgspec import Struct

from combinat import cache
from combinat.version import VERSION

_PACKAGES = ("decks", "combinat", "reports")


class Program(Struct, frozen=True):
    """Version of the program, a hash of its code and data, and the versions of its libraries."""

    version: str
    code: str
    libraries: tuple[tuple[str, str], ...]

    def difference_from(self, build: Program) -> str:
        """Describe how another program differs from this one; an empty string if it does not.

        >>> here = Program("0.1.0", "1f2e3d4c5b", (("numpy", "2.1.0"),))
        >>> here.difference_from(Program("0.1.0", "1f2e3d4c5b", (("numpy", "2.0.0"),)))
        'numpy is 2.0.0 there and 2.1.0 here'
        """
        theirs = {"combinat": build.version, **dict(build.libraries)}
        for name, version_here in (("combinat", self.version), *self.libraries):
            if theirs.get(name) != version_here:
                return f"{name} is {theirs.get(name, 'missing')} there and {version_here} here"
        if build.code != self.code:
            return (
                f"the code of combinat {build.version} has the hash {build.code[:12]} there and {self.code[:12]} here"
            )
        return ""


@lru_cache(maxsize=1)
def current_program() -> Program:
    """Return the program of this process."""
    library_names = [re.split(r"[^\w.-]", text)[0] for text in requires("combinat") or () if "extra ==" not in text]
    libraries = []
    for name in sorted(library_names):
        try:
            libraries.append((name, version(name)))
        except PackageNotFoundError:
            libraries.append((name, "missing"))
    return Program(VERSION, _hash_code(Path(__file__).parents[2]), tuple(libraries))


def _hash_code(root: Path) -> str:
    """Hash every file of the program."""
    digest = hashlib.sha256()
    files = (path for package in _PACKAGES for path in (root / package).rglob("*") if "__pycache__" not in path.parts)
    for path in sorted(path for path in files if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


class Journal:
    """The results of a command's chunks by chunk name."""

    def __init__(self, key: Mapping[str, Any]) -> None:
        self._path = cache.journal_path({**key, "program": repr(current_program())}) if cache.is_enabled() else None
        self.kept: dict[str, Any] = {}
        """Results of an earlier run, by chunk."""
        if self._path is not None:
            with suppress(OSError):
                if stat.S_ISREG(self._path.lstat().st_mode) and (secret := cache.load_secret()) is not None:
                    with self._path.open("rb") as lines:
                        self.kept = dict(entry for line in lines if (entry := _read(line, secret)))
        self._secret: bytes | None = None
        self._file: int | None = None

    def add(self, chunk: str, result: Any) -> None:
        """Append the result of a chunk, if the file can be written."""
        if self._path is None:
            return
        entry_text = json.dumps([chunk, result], separators=(",", ":"))
        try:
            if self._file is None:
                self._secret = cache.load_secret()
                if self._secret is None:
                    raise OSError("the cache folder is not safe to use")
                flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
                self._file = os.open(self._path, flags, 0o600)
                if not stat.S_ISREG(os.fstat(self._file).st_mode):
                    raise OSError("not a regular file")
            # The leading newline ends a line that an earlier write left incomplete.
            assert self._secret is not None  # the file is open
            os.write(self._file, f"\n{cache.seal(self._secret, entry_text)} {entry_text}\n".encode())
        except OSError:
            self.close()
            self._path = None

    def close(self) -> None:
        """Close the file, so that the same command can resume."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def finish(self) -> None:
        """Delete the journal of a completed command."""
        self.close()
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


def _read(line: bytes, secret: bytes) -> tuple[str, Any] | None:
    """Parse a line; `None` if it is damaged or was not sealed with the secret.

    >>> _read(b"0123 [1, 2]", b"secret")
    """
    try:
        seal_text, _, entry_text = line.decode().strip().partition(" ")
        if cache.is_sealed(secret, entry_text, seal_text):
            chunk, result = json.loads(entry_text)
            return chunk, result
    except (ValueError, TypeError, RecursionError):
        return None
    return None
