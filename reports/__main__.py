"""Starting the program, and ending it."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from typing import NoReturn


def main() -> NoReturn:
    """Load the command line with the garbage collector at rest, which has nothing to find then, and run it."""
    gc.disable()
    try:
        from reports.cli.main import main as run
    except KeyboardInterrupt:  # from here on the program itself says so
        sys.exit(130)

    gc.freeze()
    gc.enable()
    try:
        run()
    except SystemExit as end:
        _leave(end.code)


def _leave(code: object) -> NoReturn:
    """End the process, at once if nobody wants to be told: to take everything apart first is long for a short answer.

    All that was written has left the program by now.
    """
    if isinstance(code, int) and not atexit._ncallbacks() and threading.active_count() == 1:
        os._exit(code)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
