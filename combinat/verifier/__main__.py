"""Checking sheets without the rest of the program: `python -m combinat.verifier SHEET.json`."""

import sys

from combinat.verifier.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
