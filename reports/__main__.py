"""Start the program quickly, and end it quickly."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from contextlib import suppress
from typing import NoReturn

_GC_THRESHOLD = 100_000
"""Garbage-collector threshold in new objects; the default suits smaller programs."""


def main() -> NoReturn:
    """Load the command line with the garbage collector disabled (there is no garbage yet) and run it."""
    gc.disable()
    if sys.stdout is None or not sys.stdout.isatty():
        os.environ.setdefault("TYPER_USE_RICH", "0")  # help without boxes for a pipe, as tables are
    try:
        _load_msgspec()
        from reports.cli.main import main as run
    except KeyboardInterrupt:  # from here on the program itself says so
        sys.exit(130)

    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD)
    gc.enable()
    try:
        run()
    except SystemExit as exit_request:
        _leave(exit_request.code)


def _load_msgspec() -> None:
    """Load msgspec without `typing_extensions`, an optional import whose features this Python version already has."""
    if "typing_extensions" not in sys.modules:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]  # taken for one that is not there
        try:
            import msgspec  # noqa: F401  # to have it loaded
        finally:
            del sys.modules["typing_extensions"]


def _leave(code: object) -> NoReturn:
    """Run the exit handlers, then end the process at once: tearing down all modules takes long.

    Standard output and standard error are flushed first.
    """
    if isinstance(code, int) and threading.active_count() == 1:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):  # they may have written too
            with suppress(AttributeError, OSError, ValueError):  # there is none, nobody reads it, or it is closed
                stream.flush()
        os._exit(code)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
