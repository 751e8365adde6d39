"""Starting the program."""

from __future__ import annotations

import gc
from typing import NoReturn


def main() -> NoReturn:
    """Load the command line with the garbage collector at rest, which has nothing to find then, and run it."""
    gc.disable()
    from reports.cli.main import main as run

    gc.freeze()
    gc.enable()
    run()


if __name__ == "__main__":
    main()
