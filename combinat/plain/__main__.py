"""Verify par sheets: python -m combinat.plain [--full] SHEET.json ..."""

import sys

from combinat.plain.report import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
