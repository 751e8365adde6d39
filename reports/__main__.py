"""Start the command line."""

from __future__ import annotations

import gc
import sys

_GC_THRESHOLD = 100_000
"""Garbage-collector threshold in new objects; the default suits smaller programs."""


def main() -> None:
    """Load the command line with the garbage collector disabled, because there is no garbage yet, and run it."""
    gc.disable()
    try:
        from reports.cli.main import main as run
    except KeyboardInterrupt:  # `run` handles later interrupts
        sys.exit(130)

    gc.freeze()
    gc.set_threshold(_GC_THRESHOLD)
    gc.enable()
    run()


if __name__ == "__main__":
    main()
