"""Cache of exact results that take seconds to compute, in the user's cache folder.

An entry is a small JSON file whose name is a hash of everything that its result depends on, including the source of the
program. It is written to a temporary file and renamed, so that no reader sees an incomplete entry; damaged or foreign
entries are ignored and rewritten. The cache can be deleted at any time, and if the folder is not writable, nothing is
stored. The verifier never uses the cache.

Only the user's own account is trusted. The folder must belong to the user and must not be writable by others, and
entries carry an HMAC whose secret is stored beside them in a file that only the user can read: an entry that was
changed or created without that secret is rejected.
"""

from __future__ import annotations

import hashlib
import hmac
import json
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

DISABLE_VARIABLE = "COMBINAT_NO_CACHE"
"""The environment variable that turns the cache off, unless it is empty."""
MAX_BYTES = 32 * 2**20
"""Size limit of the folder; the least recently used entries are evicted first."""
_MAX_ENTRY_BYTES = 4 * 2**20
_TEMPORARY_PREFIX = ".new-"
_SUFFIX = ".json"
_JOURNAL = ".jsonl"
_SECRET = ".secret"  # noqa: S105  # the name of its file
_SECRET_BYTES = 32

_warning: tuple[int, Callable[[str], None]] | None = None
"""The process that asked for a warning about an unsafe folder, and the function that is called with it."""


def cache_folder() -> Path:
    """Return the folder of the cache, which may not exist yet."""
    xdg_folder = Path(os.environ.get("XDG_CACHE_HOME") or ".")
    if xdg_folder.is_absolute():  # the XDG specification says to ignore relative paths
        return xdg_folder / "combinat"
    try:
        home = Path.home()
    except RuntimeError as error:
        raise OSError(str(error)) from None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "combinat"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "combinat" / "Cache"
    return home / ".cache" / "combinat"


def set_warning(warn: Callable[[str], None]) -> None:
    """Call `warn` once, in this process but not in its children, if the folder is not safe to use."""
    global _warning
    _warning = os.getpid(), warn


def refusal_reason() -> str:
    """Return why the folder is not safe to use; empty if it is safe or does not exist yet."""
    try:
        path = cache_folder()
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
        return f"others may write to {path}; fix this with chmod go-w"
    return ""


def _is_own(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def _is_safe() -> bool:
    """Return whether the folder is safe to use; if not, warn once."""
    global _warning
    reason = refusal_reason()
    if reason and _warning is not None:
        (process_id, warn), _warning = _warning, None
        if process_id == os.getpid():
            warn(f"the cache is not used: {reason}")
    return not reason


def load_secret() -> bytes | None:
    """Return the secret of the HMAC, created on first use; `None` if it cannot be stored safely."""
    if not _is_safe():
        return None
    try:
        path = cache_folder() / _SECRET
        return _read_secret(path) or _make_secret(path)
    except OSError:
        return None


def _read_secret(path: Path) -> bytes | None:
    """Read the secret; `None` unless only the user can read and write its file."""
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
    """Create the secret atomically through a temporary file; if another process was faster, return its secret."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_safe():
        return None
    with suppress(FileNotFoundError):
        if path.lstat() and _read_secret(path) is None:
            path.unlink()  # damaged, or others could read it
    unfinished = path.with_name(f"{_TEMPORARY_PREFIX}{token_hex(8)}")
    try:
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(token_bytes(_SECRET_BYTES))
        with suppress(FileExistsError):
            os.link(unfinished, path)  # never replaces an existing one
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return _read_secret(path)


def seal(key: bytes, text: str) -> str:
    """Return the HMAC of a text with this secret."""
    return hmac.new(key, text.encode(), "sha256").hexdigest()


def is_sealed(key: bytes, text: str, tag: object) -> bool:
    """Return whether `tag` is the HMAC of a text."""
    return isinstance(tag, str) and tag.isascii() and hmac.compare_digest(tag, seal(key, text))


def is_enabled() -> bool:
    """Return whether the cache is enabled."""
    return not os.environ.get(DISABLE_VARIABLE)


def disable() -> None:
    """Disable the cache in this process and its children."""
    os.environ[DISABLE_VARIABLE] = "1"


def list_entries() -> list[Path]:
    """Return the files of the cache, least recently used first."""
    return [path for _, _, path in _entries_by_age()]


def total_size() -> int:
    """Return the total size of the entries in bytes."""
    return sum(size for _, size, _ in _entries_by_age())


def clear_cache() -> int:
    """Delete all entries and return their number."""
    deleted = 0
    for path in list_entries():
        with suppress(OSError):
            path.unlink()
            deleted += 1
    with suppress(OSError):
        if _is_safe():
            (cache_folder() / _SECRET).unlink()
    return deleted


def read_entry(key: Mapping[str, Any]) -> Any:
    """Return the result stored under a key, or `None`."""
    name = _entry_name(key) if is_enabled() else None
    if name is None or not _is_safe():
        return None
    try:
        path = cache_folder() / name
        if not stat.S_ISREG(path.stat().st_mode) or path.stat().st_size > _MAX_ENTRY_BYTES:
            return None
        entry = json.loads(path.read_text(encoding="utf-8"))
        key_bytes = _read_secret(cache_folder() / _SECRET)
        if key_bytes is None or not is_sealed(
            key_bytes, _canonical_json([entry["key"], entry["result"]]), entry["check"]
        ):
            return None
        if entry["key"] != json.loads(_canonical_json(key)):
            return None
        os.utime(path)  # mark as recently used
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return entry["result"]


def write_entry(key: Mapping[str, Any], result: Any) -> None:
    """Store a JSON-serializable result under a key, if possible."""
    name = _entry_name(key) if is_enabled() else None
    key_bytes = load_secret() if name is not None else None
    if name is None or key_bytes is None:
        return
    text = _canonical_json({"key": key, "check": seal(key_bytes, _canonical_json([key, result])), "result": result})
    try:
        target = cache_folder() / name
        cache_folder().mkdir(mode=0o700, parents=True, exist_ok=True)
        if target.is_symlink() or (target.exists() and not target.is_file()):
            return  # only a regular file is replaced
        handle, unfinished = tempfile.mkstemp(prefix=_TEMPORARY_PREFIX, suffix=_SUFFIX, dir=cache_folder())
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(unfinished).replace(target)
        except BaseException:
            Path(unfinished).unlink()
            raise
    except OSError:
        return  # full disk or no permission: the result is just not stored
    _evict()


def journal_path(key: Mapping[str, Any]) -> Path | None:
    """Return the path of a journal, to which results are appended one by one; `None` if the cache is unusable."""
    name = _entry_name(key) if is_enabled() and _is_safe() else None
    try:
        return None if name is None else cache_folder() / Path(name).with_suffix(_JOURNAL)
    except OSError:
        return None


def _evict() -> None:
    """Delete the least recently used entries until the folder is within its size limit."""
    files = list(_entries_by_age())
    excess = sum(size for _, size, _ in files) - MAX_BYTES
    for _, size, path in files:
        if excess <= 0:
            return
        with suppress(OSError):
            path.unlink()
        excess -= size


def _entries_by_age() -> Iterator[tuple[int, int, Path]]:
    """Return the files of the cache with time of last use and size, least recently used first."""
    files = []
    with suppress(OSError):
        if not _is_safe():
            return iter(())
        for path in cache_folder().iterdir():
            with suppress(OSError):
                status = path.lstat()
                if stat.S_ISREG(status.st_mode) and path.suffix in (_SUFFIX, _JOURNAL):
                    files.append((status.st_mtime_ns, status.st_size, path))
    return iter(sorted(files))


def _entry_name(key: Mapping[str, Any]) -> str | None:
    """Return the file name for a key; `None` if the source of the program cannot be read."""
    source = _source_hash()
    return f"{_hash(source + _canonical_json(key))[:40]}{_SUFFIX}" if source else None


@lru_cache(maxsize=1)
def _source_hash() -> str:
    """Return a hash of all source files that results can depend on; empty if they cannot be read."""
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


def _canonical_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
