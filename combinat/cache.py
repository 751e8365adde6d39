"""What was worked out before, in the user's cache folder: exact results that take seconds and never change.

An entry is a small file of JSON, named after all that its result depends on, the program's own source included. It is
written under another name and put in its place, so that nobody finds half of one; an entry that is damaged, or is not
what it should be, is as good as none and is written anew. Everything here can be deleted at any time, and where nothing
can be written nothing is kept. The second method has its own mind: it never looks in here.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

OFF = "COMBINAT_NO_CACHE"
"""The environment variable that turns the cache off, unless it is empty."""
MOST_BYTES = 32 * 2**20
"""How large the folder may grow; then what was not asked for longest goes first."""
_MOST_OF_ONE = 4 * 2**20
_UNFINISHED = ".new-"
_SUFFIX = ".json"
_JOURNAL = ".jsonl"


def folder() -> Path:
    """Give the folder that the entries are in, whether it is there or not."""
    named = Path(os.environ.get("XDG_CACHE_HOME") or ".")
    if named.is_absolute():  # a path that is not is to be ignored
        return named / "combinat"
    try:
        home = Path.home()
    except RuntimeError as error:
        raise OSError(str(error)) from None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "combinat"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "combinat" / "Cache"
    return home / ".cache" / "combinat"


def is_on() -> bool:
    """Whether results are kept and looked up."""
    return not os.environ.get(OFF)


def turn_off() -> None:
    """Keep and look up nothing in this process and those that it starts."""
    os.environ[OFF] = "1"


def entries() -> list[Path]:
    """List the files of the cache, those not asked for longest first."""
    return [path for _, _, path in _found()]


def size() -> int:
    """Say how many bytes the entries take."""
    return sum(bytes_ for _, bytes_, _ in _found())


def clear() -> int:
    """Delete every entry, and say how many there were."""
    gone = 0
    for path in entries():
        with suppress(OSError):
            path.unlink()
            gone += 1
    return gone


def read(key: Mapping[str, Any]) -> Any:
    """Give the result that was kept under a key, or nothing."""
    import json

    name = _name(key) if is_on() else None
    if name is None:
        return None
    try:
        path = folder() / name
        if not stat.S_ISREG(path.stat().st_mode) or path.stat().st_size > _MOST_OF_ONE:
            return None
        entry = json.loads(path.read_text(encoding="utf-8"))
        if entry["key"] != json.loads(_text(key)) or entry["check"] != _hash(_text(entry["result"])):
            return None
        os.utime(path)  # it was asked for now
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return entry["result"]


def write(key: Mapping[str, Any], result: Any) -> None:
    """Keep a result that JSON can write under a key, if that can be done."""
    import tempfile

    name = _name(key) if is_on() else None
    if name is None:
        return
    text = _text({"key": key, "check": _hash(_text(result)), "result": result})
    try:
        target = folder() / name
        folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        if target.is_symlink() or (target.exists() and not target.is_file()):
            return  # nothing but an ordinary file is replaced
        handle, unfinished = tempfile.mkstemp(prefix=_UNFINISHED, suffix=_SUFFIX, dir=folder())
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(unfinished).replace(target)
        except BaseException:
            Path(unfinished).unlink()
            raise
    except OSError:
        return  # a full disk or a folder that is not ours: the result is there all the same
    _make_room()


def journal_path(key: Mapping[str, Any]) -> Path | None:
    """Give the place of a journal, to which results are added one by one; nothing if nothing is to be kept."""
    name = _name(key) if is_on() else None
    try:
        return None if name is None else folder() / Path(name).with_suffix(_JOURNAL)
    except OSError:
        return None


def checksum(text: str) -> str:
    """Give what a text is known again by."""
    return _hash(text)


def _make_room() -> None:
    """Delete what was not asked for longest until the folder is small enough."""
    found = list(_found())
    too_much = sum(bytes_ for _, bytes_, _ in found) - MOST_BYTES
    for _, bytes_, path in found:
        if too_much <= 0:
            return
        with suppress(OSError):
            path.unlink()
        too_much -= bytes_


def _found() -> Iterator[tuple[int, int, Path]]:
    """Give the files of the cache, each with when it was asked for and its bytes, in that order."""
    found = []
    with suppress(OSError):
        for path in folder().iterdir():
            with suppress(OSError):
                about = path.lstat()
                if stat.S_ISREG(about.st_mode) and path.suffix in (_SUFFIX, _JOURNAL):
                    found.append((about.st_mtime_ns, about.st_size, path))
    return iter(sorted(found))


def _name(key: Mapping[str, Any]) -> str | None:
    """Name the file of a key; none if the program cannot tell which source it runs."""
    source = _source()
    return f"{_hash(source + _text(key))[:40]}{_SUFFIX}" if source else None


@lru_cache(maxsize=1)
def _source() -> str:
    """Hash the source of everything that results can depend on; nothing if it is not there to be read."""
    import hashlib

    here = Path(__file__).parent
    rooms = (here, here.parent / "decks")
    files = sorted(path for room in rooms for path in room.rglob("*") if path.suffix in (".py", ".toml"))
    whole = hashlib.sha256()
    try:
        for path in files:
            content = path.read_bytes()
            whole.update(f"{path.relative_to(here.parent).as_posix()} {len(content)}\n".encode())
            whole.update(content)
    except OSError:
        return ""
    return whole.hexdigest() if files else ""


def _text(value: Any) -> str:
    import json

    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _hash(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()
