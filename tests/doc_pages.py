"""The pages of the documentation, whose examples are run by the tests."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
PAGES = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in FILES}


def blocks(page, language):
    """Return the code blocks of a page in a language; "" for unmarked ones."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGES[page], re.DOTALL | re.MULTILINE)
