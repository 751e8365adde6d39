"""The program as a module: `python -m combinat show TRI-03`."""

from reports.__main__ import main

if __name__ == "__main__":
    main()
