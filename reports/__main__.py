"""Starting the program, and ending it."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from contextlib import suppress
from typing import NoReturn

_MANY = 100_000
"""New objects after which the garbage collector looks for some to free; its own number suits smaller programs."""


def main() -> NoReturn:
    """Load the command line with the garbage collector at rest, which has nothing to find then, and run it."""
    gc.disable()
    if sys.stdout is None or not sys.stdout.isatty():
        os.environ.setdefault("TYPER_USE_RICH", "0")  # help without boxes for a pipe, as tables are
    try:
        _load_msgspec()
        from reports.cli.main import main as run
    except KeyboardInterrupt:  # from here on the program itself says so
        sys.exit(130)

    gc.freeze()
    gc.set_threshold(_MANY)
    gc.enable()
    try:
        run()
    except SystemExit as exit_request:
        _leave(exit_request.code)


def _load_msgspec() -> None:
    """Load msgspec without a module of backports that it takes if it is there, and that Python has all it needs of."""
    if "typing_extensions" not in sys.modules:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]  # taken for one that is not there
        try:
            import msgspec  # noqa: F401  # to have it loaded
        finally:
            del sys.modules["typing_extensions"]


def _leave(code: object) -> NoReturn:
    """End the process at once, when all who want to be told of it are: to take everything apart first takes long.

    All that was written before has left the program by now.
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
