"""Dossiers as folders and ZIP files: read into memory, written completely or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from pathlib import Path, PurePosixPath
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from combinat.bets.schema import read_small_file
from decks import InputError
from decks.errors import quote, truncate_middle
from reports.page.files import OutputError, write_file
from reports.sheet.identity import fingerprint

Contents = Mapping[str, bytes]
"""The files of a dossier by name; folders in names are separated by slashes."""
SUBMISSION = "submission.json"
"""The file that a dossier is rebuilt from."""
SUMS = "SHA256SUMS"
SUBMISSION_FORMAT = b'"format": "combinat submission '
_MAX_BYTES = 200_000_000
_MAX_FILES = 2_000
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a ZIP file, so that its bytes depend on the content only."""


def is_archive(path: Path) -> bool:
    """Return whether a path names a ZIP file.

    >>> is_archive(Path("dossier.ZIP")), is_archive(Path("dossier"))
    (True, False)
    """
    return path.suffix.lower() == ".zip"


def read_dossier(path: Path) -> dict[str, bytes]:
    """Return the files of a dossier, a folder or a ZIP file."""
    try:
        contents = _read_folder(path) if path.is_dir() else _read_archive(path)
    except OSError as error:
        raise InputError(f"cannot read {truncate_middle(path)}: {error.strerror or 'not a dossier'}") from None
    if not is_dossier(contents):
        raise InputError(f"{truncate_middle(path)} is not a dossier of combinat submit: it has no {SUBMISSION}")
    return contents


def is_dossier(contents: Contents) -> bool:
    """Return whether files are those of a dossier."""
    return SUBMISSION_FORMAT in contents.get(SUBMISSION, b"")[:200]


def _read_folder(folder: Path) -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    total = 0
    for path in sorted(folder.rglob("*")):
        if not stat.S_ISREG(path.lstat().st_mode):
            continue
        content = read_small_file(path, _MAX_BYTES)
        total += len(content)
        _check_size(folder, total, len(contents))
        contents[path.relative_to(folder).as_posix()] = content
    return contents


def _read_archive(path: Path) -> dict[str, bytes]:
    try:
        archive_bytes = read_small_file(path, _MAX_BYTES)
    except InputError as error:
        raise InputError(f"cannot read {truncate_middle(path)}: {error}") from None
    try:
        with ZipFile(BytesIO(archive_bytes)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check_size(path, sum(entry.file_size for entry in entries), len(entries))
            for entry in entries:
                _check_name(path, entry.filename)
            contents = {entry.filename: archive.read(entry) for entry in entries}
    except InputError:
        raise
    except (BadZipFile, NotImplementedError, RuntimeError, ValueError, zlib.error, EOFError):
        raise InputError(f"{truncate_middle(path)} is neither a folder nor an undamaged ZIP file") from None
    if len(contents) < len(entries):
        raise InputError(f"{truncate_middle(path)} holds two files of one name")
    return _without_top_folder(contents)


def _check_name(path: Path, name: str) -> None:
    """Raise `InputError` for a file that would be written outside the dossier's folder."""
    parts = name.split("/")
    if "\\" in name or ":" in name or not name.isprintable() or any(part in ("", ".", "..") for part in parts):
        raise InputError(f"{truncate_middle(path)} holds a file with the name {quote(name)}, which no dossier has")


def _without_top_folder(contents: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of a ZIP file that was packed with their folder, by their names in the folder."""
    tops = {PurePosixPath(name).parts[0] for name in contents}
    if SUBMISSION in contents or len(tops) != 1:
        return contents
    (top,) = tops
    return {name.removeprefix(f"{top}/"): content for name, content in contents.items()}


def _check_size(path: Path, size: int, count: int) -> None:
    if size > _MAX_BYTES or count > _MAX_FILES:
        raise InputError(
            f"{truncate_middle(path)} is too large for a dossier: at most {_MAX_FILES:,} files of "
            f"{_MAX_BYTES // 1_000_000} MB in all"
        )


def check_target(path: Path) -> None:
    """Raise `InputError` unless a dossier may be written here: the path is free, an empty folder, or a dossier.

    A dossier that was changed since it was written, for example by a signature, is not replaced.
    """
    if not path.parent.is_dir():
        raise InputError(f"cannot write into {truncate_middle(path.parent)}: the folder does not exist")
    if path.is_symlink():
        raise InputError(f"cannot write {truncate_middle(path)}: it is a link")
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        return
    if path.is_dir() == is_archive(path):
        raise InputError(f"cannot write {truncate_middle(path)}: it is {'a folder' if path.is_dir() else 'a file'}")
    try:
        contents = read_dossier(path)
    except InputError:
        raise InputError(f"{truncate_middle(path)}: not written by combinat submit; choose another --output") from None
    if foreign := _changed_names(contents):
        more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        raise InputError(f"{truncate_middle(path / foreign[0])}{more}: changed or added since; choose another --output")


def _changed_names(contents: Contents) -> list[str]:
    """Return the files that are not those of the checksum list."""
    lines = contents.get(SUMS, b"").decode("utf-8", "replace").splitlines()
    sha256_by_name = {name: sha256 for sha256, _, name in (line.partition("  ") for line in lines)}
    return [
        name for name, content in contents.items() if name != SUMS and sha256_by_name.get(name) != fingerprint(content)
    ]


def write_dossier(path: Path, contents: Contents) -> None:
    """Write all files of a dossier to a folder or a ZIP file, or nothing."""
    check_target(path)
    if is_archive(path):
        write_file(path, pack(contents))
        return
    try:
        _write_folder(path, contents)
    except OSError as error:
        raise OutputError(f"cannot write {truncate_middle(path)}: {error.strerror}") from None


def _write_folder(path: Path, contents: Contents) -> None:
    work = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".combinat-{os.getpid()}-"))
    try:
        new, old = work / "new", work / "old"
        for name, content in contents.items():
            file = new / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        if path.exists():
            path.rename(old)
        try:
            new.rename(path)
        except OSError:
            with suppress(OSError):
                old.rename(path)
            raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def pack(contents: Contents) -> bytes:
    """Return files as a ZIP file whose bytes depend on nothing else; it is not compressed.

    >>> pack({"a.txt": b"A"}) == pack({"a.txt": b"A"})
    True
    """
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_STORED) as archive:
        for name, content in contents.items():
            entry = ZipInfo(name, _EPOCH)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # the same on every system
            archive.writestr(entry, content)
    return buffer.getvalue()
