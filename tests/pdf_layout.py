"""Find badly laid out pages in PDF sheets: `python -m tests.pdf_layout FOLDER` prints the number of each problem."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from pypdf import PageObject, PdfReader

BARE = 0.15
"""Fraction of a page; a page with less text is nearly empty."""
HEADING_SIZE = 13
MARGIN = 60
"""Height of header and footer in points."""

Line = tuple[float, float, str]
"""Position, size and text of a line."""


def lines(page: PageObject) -> list[Line]:
    """Return the lines of a page between header and footer, top down."""
    height = float(page.mediabox.height)
    results: dict[int, tuple[float, list[str]]] = {}

    def visit(text: str, page_matrix: list[float], matrix: list[float], _: object, size: float) -> None:
        place = matrix[4] * page_matrix[1] + matrix[5] * page_matrix[3] + page_matrix[5]
        if text.strip() and MARGIN < place < height - MARGIN:
            largest, words = results.get(int(place), (0.0, []))
            scale = abs((matrix[3] or matrix[1]) * page_matrix[3])
            results[int(place)] = (max(largest, size * scale), [*words, text.strip()])

    page.extract_text(visitor_text=visit)
    return [(height - place, size, " ".join(words)) for place, (size, words) in sorted(results.items(), reverse=True)]


def is_heading(line: Line) -> bool:
    """Return whether a line is a section heading."""
    return HEADING_SIZE - 0.5 <= line[1] <= HEADING_SIZE + 0.5


def findings(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the layout problems of a sheet with their pages."""
    pages = PdfReader(path).pages
    for number, page in enumerate(pages, start=1):
        found = lines(page)
        height = float(page.mediabox.height) - 2 * MARGIN
        filled = (found[-1][0] - MARGIN) / height if found else 0
        if number == len(pages) and filled < BARE:
            yield "nearly empty last page", number
        elif number < len(pages) and filled < 2 * BARE:
            yield "nearly empty page", number
        if found and is_heading(found[-1]):
            yield "heading parted from what it heads", number
        following = next((index for index, line in enumerate(found) if is_heading(line)), len(found))
        if number > 1 and 0 < following <= 1:
            yield "single line carried over", number


def main(folder: str) -> None:
    """Print how often each problem occurs, with an example."""
    sheets = sorted(Path(folder).glob("*.pdf"))
    found = [(what, f"{path.name} page {number}") for path in sheets for what, number in findings(path)]
    print(f"{len(sheets)} sheets")
    for kind in sorted({what for what, _ in found}):
        places = [place for what, place in found if what == kind]
        print(f"{len(places):4} {kind}: {', '.join(places[:6])}{' …' if len(places) > 6 else ''}")


if __name__ == "__main__":
    main(sys.argv[1])
