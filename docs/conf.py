"""Sphinx settings: pages in Markdown, and reference pages that are generated from the program with the site."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from combinat.version import VERSION
from reports.cli.reference import PAGES

project = "combinat"
author = "the combinat authors"
copyright = "the combinat authors"
version = release = VERSION
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
html_title = f"combinat {VERSION}"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_search_summary = False  # a page opened from a file may not read other files
smartquotes = False  # options such as --output keep their hyphens
html_theme_options = {"navigation_with_keys": True}
pygments_style = "default"
nitpicky = True


class GeneratedReference(SphinxDirective):
    """Inserts a reference page that `reference.py` writes from the program."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the parsed Markdown of the page."""
        return self.parse_text_to_nodes(PAGES[self.arguments[0]](), allow_section_headings=True)


def rewrite_links(_app: Any, _docname: str, source: list[str]) -> None:
    """Link pages by their titles, and name files outside the site instead of linking them."""
    source[0] = re.sub(r"\[(\w+\.md)\](\(\1\))", r"[]\2", source[0])
    for name in ("README", "CONTRIBUTING", "CHANGELOG", "SECURITY"):
        source[0] = source[0].replace(f"[{name}](../{name}.md)", f"`{name}.md`")


def setup(app: Any) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("generated-reference", GeneratedReference)
    app.connect("source-read", rewrite_links)
    return {"parallel_read_safe": True}
