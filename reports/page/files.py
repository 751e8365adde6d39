"""Writing files so that nobody ever finds half of one."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from decks import InputError


def json_text(payload: object) -> str:
    """Write JSON as every command and sheet does."""
    import json

    return json.dumps(payload, indent=2, ensure_ascii=False) + "\n"


def check_folder(folder: Path) -> None:
    """Make a folder and see that files can be written into it, before work is done for them."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except FileExistsError:
        raise InputError(f"cannot write into {folder}: it is not a folder") from None
    except OSError as error:
        raise InputError(f"cannot write into {folder}: {error.strerror}") from None


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file under another name first and rename it when it is whole."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(temporary).chmod(0o666 & ~_umask())
            Path(temporary).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def _umask() -> int:
    """Read the mask for new files, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
