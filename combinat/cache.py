"""What was worked out before, in the user's cache folder: exact results that take seconds and never change.

An entry is a small file of JSON, named after all that its result depends on, the program's own source included. It is
written under another name and put in its place, so that nobody finds half of one; an entry that is damaged, or is not
what it should be, is as good as none and is written anew. Everything here can be deleted at any time, and where nothing
can be written nothing is kept. The second method has its own mind: it never looks in here.

Trusted is the user's own account and nobody else. The folder must belong to the user and nobody else may write to it,
and entries carry an HMAC whose secret lies beside them in a file that only the user can read: an entry that was changed
or put there by somebody without that secret is not believed, whatever checksum it carries.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Any

OFF = "COMBINAT_NO_CACHE"
"""The environment variable that turns the cache off, unless it is empty."""
MOST_BYTES = 32 * 2**20
"""How large the folder may grow; then what was not asked for longest goes first."""
_MOST_OF_ONE = 4 * 2**20
_UNFINISHED = ".new-"
_SUFFIX = ".json"
_JOURNAL = ".jsonl"
_SECRET = ".secret"  # noqa: S105  # the name of its file
_SECRET_BYTES = 32

_warning: tuple[int, Callable[[str], None]] | None = None
"""What is told that the folder is not safe to use, and the process that asked for it."""


def folder() -> Path:
    """Give the folder that the entries are in, whether it is there or not."""
    configured = Path(os.environ.get("XDG_CACHE_HOME") or ".")
    if configured.is_absolute():  # a path that is not is to be ignored
        return configured / "combinat"
    try:
        home = Path.home()
    except RuntimeError as error:
        raise OSError(str(error)) from None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "combinat"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "combinat" / "Cache"
    return home / ".cache" / "combinat"


def warn_with(warn: Callable[[str], None]) -> None:
    """Have `warn` told once, in this process and none that it starts, if the folder is not safe to use."""
    global _warning
    _warning = os.getpid(), warn


def refusal() -> str:
    """Say why the folder is not safe to use; empty if it is, or if it is not there yet."""
    try:
        path = folder()
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            if not _is_own(status):
                return f"{path} is a link that belongs to another user"
            status = path.stat()
    except OSError:
        return ""
    if not stat.S_ISDIR(status.st_mode):
        return f"{path} is not a folder"
    if not _is_own(status):
        return f"{path} belongs to another user"
    if hasattr(os, "geteuid") and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others may write to {path}; take that away with chmod go-w"
    return ""


def _is_own(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def _is_safe() -> bool:
    """Whether the folder can be used; if not, warn of it once."""
    global _warning
    reason = refusal()
    if reason and _warning is not None:
        (process, warn), _warning = _warning, None
        if process == os.getpid():
            warn(f"the cache is not used: {reason}")
    return not reason


def secret() -> bytes | None:
    """Return the secret that entries are sealed with, made on first use; `None` where there can be no safe one."""
    if not _is_safe():
        return None
    try:
        path = folder() / _SECRET
        return _read_secret(path) or _make_secret(path)
    except OSError:
        return None


def _read_secret(path: Path) -> bytes | None:
    """Read a secret that only the user can have written and read."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(file.fileno())
        is_private = not hasattr(os, "geteuid") or not status.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        if not (stat.S_ISREG(status.st_mode) and _is_own(status) and is_private):
            return None
        content = file.read(_SECRET_BYTES + 1)
    return content if len(content) == _SECRET_BYTES else None


def _make_secret(path: Path) -> bytes | None:
    """Make a secret, written whole under another name first; if another process was faster, take that one's."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_safe():
        return None
    with suppress(FileNotFoundError):
        if path.lstat() and _read_secret(path) is None:
            path.unlink()  # damaged, or others could read it
    unfinished = path.with_name(f"{_UNFINISHED}{token_hex(8)}")
    try:
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(token_bytes(_SECRET_BYTES))
        with suppress(FileExistsError):
            os.link(unfinished, path)  # never over one that is there
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return _read_secret(path)


def seal(key: bytes, text: str) -> str:
    """Return the HMAC of a text, by which it is known again as written with this secret."""
    return hmac.new(key, text.encode(), "sha256").hexdigest()


def is_sealed(key: bytes, text: str, mark: object) -> bool:
    """Whether a mark is the HMAC of a text."""
    return isinstance(mark, str) and mark.isascii() and hmac.compare_digest(mark, seal(key, text))


def is_on() -> bool:
    """Whether results are kept and looked up."""
    return not os.environ.get(OFF)


def turn_off() -> None:
    """Keep and look up nothing in this process and those that it starts."""
    os.environ[OFF] = "1"


def entries() -> list[Path]:
    """List the files of the cache, those not asked for longest first."""
    return [path for _, _, path in _entries_by_age()]


def size() -> int:
    """Say how many bytes the entries take."""
    return sum(bytes_ for _, bytes_, _ in _entries_by_age())


def clear() -> int:
    """Delete every entry, and say how many there were."""
    deleted = 0
    for path in entries():
        with suppress(OSError):
            path.unlink()
            deleted += 1
    with suppress(OSError):
        if _is_safe():
            (folder() / _SECRET).unlink()
    return deleted


def read(key: Mapping[str, Any]) -> Any:
    """Give the result that was kept under a key, or nothing."""
    import json

    name = _name(key) if is_on() else None
    if name is None or not _is_safe():
        return None
    try:
        path = folder() / name
        if not stat.S_ISREG(path.stat().st_mode) or path.stat().st_size > _MOST_OF_ONE:
            return None
        entry = json.loads(path.read_text(encoding="utf-8"))
        key_bytes = _read_secret(folder() / _SECRET)
        if key_bytes is None or not is_sealed(key_bytes, _text([entry["key"], entry["result"]]), entry["check"]):
            return None
        if entry["key"] != json.loads(_text(key)):
            return None
        os.utime(path)  # it was asked for now
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return entry["result"]


def write(key: Mapping[str, Any], result: Any) -> None:
    """Keep a result that JSON can write under a key, if that can be done."""
    name = _name(key) if is_on() else None
    key_bytes = secret() if name is not None else None
    if name is None or key_bytes is None:
        return
    text = _text({"key": key, "check": seal(key_bytes, _text([key, result])), "result": result})
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
    _evict()


def journal_path(key: Mapping[str, Any]) -> Path | None:
    """Give the place of a journal, to which results are added one by one; nothing if nothing is to be kept."""
    name = _name(key) if is_on() and _is_safe() else None
    try:
        return None if name is None else folder() / Path(name).with_suffix(_JOURNAL)
    except OSError:
        return None


def _evict() -> None:
    """Delete what was not asked for longest until the folder is small enough."""
    files = list(_entries_by_age())
    excess = sum(bytes_ for _, bytes_, _ in files) - MOST_BYTES
    for _, bytes_, path in files:
        if excess <= 0:
            return
        with suppress(OSError):
            path.unlink()
        excess -= bytes_


def _entries_by_age() -> Iterator[tuple[int, int, Path]]:
    """Give the files of the cache, each with when it was asked for and its bytes, in that order."""
    files = []
    with suppress(OSError):
        if not _is_safe():
            return iter(())
        for path in folder().iterdir():
            with suppress(OSError):
                status = path.lstat()
                if stat.S_ISREG(status.st_mode) and path.suffix in (_SUFFIX, _JOURNAL):
                    files.append((status.st_mtime_ns, status.st_size, path))
    return iter(sorted(files))


def _name(key: Mapping[str, Any]) -> str | None:
    """Name the file of a key; none if the program cannot tell which source it runs."""
    source = _source()
    return f"{_hash(source + _text(key))[:40]}{_SUFFIX}" if source else None


@lru_cache(maxsize=1)
def _source() -> str:
    """Hash the source of everything that results can depend on; nothing if it is not there to be read."""
    package = Path(__file__).parent
    packages = (package, package.parent / "decks")
    files = sorted(
        path for folder_path in packages for path in folder_path.rglob("*") if path.suffix in (".py", ".toml")
    )
    digest = hashlib.sha256()
    try:
        for path in files:
            content = path.read_bytes()
            digest.update(f"{path.relative_to(package.parent).as_posix()} {len(content)}\n".encode())
            digest.update(content)
    except OSError:
        return ""
    return digest.hexdigest() if files else ""


def _text(value: Any) -> str:
    import json

    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
