"""Files that a batch of sheets leaves in its folder."""

from html.parser import HTMLParser
from pathlib import Path

from msgspec.structs import replace

from reports.publish.recipe import compute_sheet_with_recipe

LISTS = {"index.html", "manifest.json", "SHA256SUMS"}
"""Files that list the sheets of a folder."""
INDEX_FILES = LISTS | {"checker.html"}


def read_folder(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


_MADE = []


def compute_sheet_once(sheet, options, progress=None):
    """Compute a sheet like the program, but once for all batches with the same figures."""
    asked = sheet, replace(options, formats=(), digits=0)
    for known, made in _MADE:
        if known == asked:
            return made
    _MADE.append((asked, compute_sheet_with_recipe(sheet, options, progress)))
    return _MADE[-1][1]


class Links(HTMLParser):
    """Links of a page."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, _, attrs):
        self.found += [value for name, value in attrs if name in ("href", "src")]
