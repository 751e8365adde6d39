"""Starting the program."""

from __future__ import annotations

import gc
import sys
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
    run()


if __name__ == "__main__":
    main()
