"""What a batch of sheets leaves in its folder."""

from html.parser import HTMLParser
from pathlib import Path

ABOUT = {"index.html", "manifest.json", "SHA256SUMS"}


def contents(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


class Links(HTMLParser):
    """Every address that a page refers to."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, _, attrs):
        self.found += [value for name, value in attrs if name in ("href", "src")]
