"""Verify par sheets: python -m combinat.verifier [--full] SHEET.json ..."""

import sys

from combinat.verifier.report import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
