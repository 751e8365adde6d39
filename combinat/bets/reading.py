"""Reading a file that somebody named: an ordinary one of a bounded size, or a clear word about what it is instead."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from decks import InputError, suggestion

MAX_BYTES = 256 * 1024

# A pipe that took a file's place after the first look is opened without waiting for its writer.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_small(path: Path, most: int) -> bytes:
    """Read an ordinary file of up to so many bytes; anything else is refused before a byte of it is read."""
    try:
        _refuse(path.stat(), most)  # before it is opened, which for a device can mean something
        with os.fdopen(os.open(path, _FLAGS), "rb") as file:
            _refuse(os.fstat(file.fileno()), most)
            data = file.read(most + 1)
    except (FileNotFoundError, InputError):
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"the file cannot be read: {reason}") from None
    if len(data) > most:  # its size was told wrong, as a system's own files do, or it grew
        raise InputError(f"the file has more than {most:,} bytes")
    return data


def _refuse(status: os.stat_result, most: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputError("this is a directory; name a file in it")
    if not stat.S_ISREG(status.st_mode):
        raise InputError("this is not an ordinary file")
    if status.st_size > most:
        raise InputError(f"the file has {status.st_size:,} bytes; at most {most:,} are read")


def read_text(path: Path) -> str:
    """Read a small text file, with a clear word about anything else."""
    try:
        data = read_small(path, MAX_BYTES)
    except FileNotFoundError:
        near = suggestion(path.name, _neighbours(path))
        raise InputError(f"there is no such file{near}") from None
    try:
        if b"\0" in data:
            raise UnicodeDecodeError("utf-8", data, data.index(b"\0"), data.index(b"\0") + 1, "a zero byte")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the file is not text: byte {error.start + 1} is not UTF-8") from None


def _neighbours(path: Path) -> list[str]:
    try:
        return [other.name for other in path.parent.iterdir() if other.suffix == ".toml"]
    except OSError:
        return []
