"""Starting the program."""

from __future__ import annotations

import gc
from typing import NoReturn


def main() -> NoReturn:
    """Load the command line with the garbage collector at rest, which has nothing to find then, and run it."""
    gc.disable()
    from reports import cli

    gc.freeze()
    gc.enable()
    cli.main()


if __name__ == "__main__":
    main()
