"""Write files atomically: a file is complete or absent, and only regular files are replaced."""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from decks import InputError
from decks.errors import truncate_middle

INTERRUPTED = 130
"""Exit code of a program that was interrupted with Ctrl-C."""


class OutputError(InputError):
    """Output that cannot be written, for example because the disk is full."""

    exit_code = 1


class InterruptionError(InputError):
    """An interruption with Ctrl-C."""

    exit_code = INTERRUPTED


_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}


def format_json(payload: object, *, in_ascii: bool = False) -> str:
    """Format JSON as all commands and sheets do."""
    return json.dumps(payload, indent=2, ensure_ascii=in_ascii) + "\n"


def check_output_folder(folder: Path) -> None:
    """Create a folder and check that it is writable, before any work is done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except FileExistsError:
        raise InputError(f"cannot write into {truncate_middle(folder)}: it is not a folder") from None
    except OSError as error:
        raise _write_error(f"cannot write into {truncate_middle(folder)}", error) from None


def check_output_path(path: Path) -> None:
    """Check that output can be written to a path named by the user, before any work is done."""
    _resolve_target(path, named=True)


def check_replaceable(path: Path) -> None:
    """Check that a path is free or a regular file."""
    _resolve_target(path, named=False)


def write_file(path: Path, content: str | bytes | Iterable[bytes], *, named: bool = False) -> bool:
    """Write a file completely or not at all; return whether `path` is now a regular file.

    Content that does not fit in memory is passed as an iterable of pieces.

    An existing path that is not a regular file is refused, unless the user named it (`named`): then a symbolic link is
    followed, and a pipe or device receives the content as a stream.
    """
    content = content.encode("utf-8") if isinstance(content, str) else content
    data = (content,) if isinstance(content, bytes) else content
    target = _resolve_target(path, named=named)
    if target is None:
        with _name_path_in_errors(path):
            _stream(path, data)
    else:
        _replace({target: data})
    return target is not None


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write all files or none: each is written under a temporary name before the first is renamed."""
    for path in contents:
        check_replaceable(path)
    _replace({path: (data,) for path, data in contents.items()})


def delete_temporary_files(folder: Path, process: int) -> None:
    """Delete the unfinished files that a dead process left in a folder."""
    for path in folder.glob(f"{_temporary_prefix(process)}*"):
        with suppress(OSError):
            path.unlink()


def _resolve_target(path: Path, *, named: bool) -> Path | None:
    """Return the path to replace, or `None` if `path` is a stream; raise `InputError` for anything else."""
    with _name_path_in_errors(path):
        try:
            status = path.stat() if named else path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            if path.is_symlink():
                raise InputError(f"cannot write {truncate_middle(path)}: it is a link to a missing file") from None
            _check_parent(path)
            return path
        mode = status.st_mode
        if named and (_is_standard_output(status) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
            return None
        if stat.S_ISREG(mode):
            return path.resolve(strict=True) if path.is_symlink() else path
    kind = "a folder" if stat.S_ISDIR(mode) else "a link" if stat.S_ISLNK(mode) else "not an ordinary file"
    raise InputError(f"cannot write {truncate_middle(path)}: it is {kind}")


def _check_parent(path: Path) -> None:
    folder = path.parent
    if not folder.is_dir():
        reason = "it is not a folder" if folder.exists() else "the folder does not exist"
        raise InputError(f"cannot write into {truncate_middle(folder)}: {reason}")


def _replace(contents: Mapping[Path, Iterable[bytes]]) -> None:
    """Write all files under temporary names, then rename them; on failure, delete all of them."""
    temporaries: dict[Path, Path] = {}
    renamed_paths: list[Path] = []
    try:
        for path, data in contents.items():
            with _name_path_in_errors(path):
                handle, name = tempfile.mkstemp(dir=path.parent, prefix=_temporary_prefix(os.getpid()))
                temporaries[path] = Path(name)
                with os.fdopen(handle, "wb") as file:
                    file.writelines(data)
                temporaries[path].chmod(0o666 & ~_umask())
        for path, temporary in temporaries.items():
            with _name_path_in_errors(path):
                temporary.replace(path)
            renamed_paths.append(path)
    except BaseException:
        for leftover in (*temporaries.values(), *renamed_paths):
            with suppress(OSError):
                leftover.unlink()
        raise


@contextmanager
def _name_path_in_errors(path: Path) -> Iterator[None]:
    """Add the path to the message of an `OSError`."""
    try:
        yield
    except OSError as error:
        raise _write_error(f"cannot write {truncate_middle(path)}", error) from None


def _temporary_prefix(process: int) -> str:
    """Return the name prefix of the unfinished files of a process."""
    return f".combinat-{process}-"


def _stream(path: Path, data: Iterable[bytes]) -> None:
    """Write to a pipe or device; a reader that closes early is not an error."""
    if _is_standard_output(path.stat()):  # if reopened, a file would be overwritten from its start
        sys.stdout.flush()
        sys.stdout.buffer.writelines(data)
        sys.stdout.flush()
        return
    with suppress(BrokenPipeError), os.fdopen(os.open(path, os.O_WRONLY), "wb", buffering=0) as stream:
        for piece in data:
            remaining = memoryview(piece)
            while remaining:
                remaining = remaining[stream.write(remaining) or 0 :]


def _is_standard_output(status: os.stat_result) -> bool:
    try:
        return os.path.samestat(status, os.fstat(sys.stdout.fileno()))
    except (AttributeError, OSError):  # no standard output, or it has no file descriptor
        return False


def _write_error(problem: str, error: OSError) -> InputError:
    kind = OutputError if error.errno in _NO_ROOM else InputError
    return kind(f"{problem}: {error.strerror}")


def _umask() -> int:
    """Return the umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
