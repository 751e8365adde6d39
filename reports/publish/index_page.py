"""The page that a folder of par sheets opens with: every sheet with its figures and files, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from msgspec import Struct

from reports.render.html import css_text, page
from reports.render.markup import decimal_pads

_FORMATS = {"markdown": "MD", "latex": "LaTeX", "table": "TXT"}
_FLAG_WIDTH = 16


class Entry(Struct, frozen=True):
    """One sheet of a batch, its figures already written."""

    paytable: str
    title: str
    bet: str
    decks: int
    figures: tuple[tuple[str, str], ...] = ()
    """Each figure's label and text; the labels of all entries make the columns, in the order in which they come."""
    flags: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    """Each format and the name of its file, relative to the page."""


class Failure(Struct, frozen=True):
    """A sheet that could not be written, and why."""

    sheet: str
    reason: str


def index_html(
    entries: Sequence[Entry],
    failures: Sequence[Failure] = (),
    manifest: str = "manifest.json",
    title: str = "Par sheets",
) -> str:
    """Write the index page of a batch; `manifest` is the name of the file with every file's fingerprint."""
    labels = tuple(dict.fromkeys(label for entry in entries for label, _ in entry.figures))
    return page(
        "index.html.jinja",
        title=title,
        running_head=css_text(title),
        groups=_groups(entries),
        count=len(entries),
        paytables=len({entry.paytable for entry in entries}),
        labels=labels,
        pads=_pads(entries, labels),
        names=max((len(entry.paytable) for entry in entries), default=0),
        flags=max((min(len(flag), _FLAG_WIDTH) for entry in entries for flag in entry.flags), default=0),
        failures=failures,
        manifest=manifest,
        address=address,
        main_file=_main_file,
        format_name=format_name,
    )


def address(filename: str) -> str:
    """Write a file's name as a link to it.

    >>> address("21+3-PT1_6 decks.pdf")
    '21%2B3-PT1_6%20decks.pdf'
    """
    return quote(filename)  # a colon too, which would make the name's beginning the scheme of an address


def format_name(format: str) -> str:
    """Name a format as readers know it.

    >>> format_name("pdf"), format_name("markdown")
    ('PDF', 'MD')
    """
    return _FORMATS.get(format, format.upper())


def _main_file(entry: Entry) -> str:
    """Choose the file that opens in the reader's browser, if there is one."""
    return dict(entry.files).get("html", "")


def _groups(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Gather the sheets of each bet, in the order in which the bets come."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.bet, []).append(entry)
    return groups


def _pads(entries: Sequence[Entry], labels: Iterable[str]) -> dict[str, dict[str, str]]:
    """Find for each figure what each of its texts lacks behind the decimal point."""
    pads = {}
    for label in labels:
        texts = [dict(entry.figures).get(label, "") for entry in entries]
        pads[label] = dict(zip(texts, decimal_pads(texts), strict=True))
    return pads
