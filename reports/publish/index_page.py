"""The page that a folder of par sheets opens with: a row for each paytable, and what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from msgspec import Struct

from decks import format_deck_counts
from reports.render.html import css_text, page

_FORMATS = {"markdown": "MD", "latex": "LaTeX", "table": "TXT"}


class Entry(Struct, frozen=True):
    """One sheet of a batch, its figures already written."""

    paytable: str
    title: str
    bet: str
    decks: int
    figures: tuple[tuple[str, str], ...] = ()
    """Each figure's label and text; the first is the one that is shown for every number of decks."""
    flags: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    """Each format and the name of its file, relative to the page."""


class Failure(Struct, frozen=True):
    """A sheet that could not be written, and why."""

    sheet: str
    reason: str


class Row(Struct, frozen=True):
    """All sheets of one paytable."""

    paytable: str
    title: str
    bet: str
    sheets: dict[int, list[Entry]]
    """By number of decks; several where there are sheets under several rules."""

    @property
    def entries(self) -> list[Entry]:
        """Its sheets in order."""
        return [entry for entries in self.sheets.values() for entry in entries]

    @property
    def others(self) -> dict[str, str]:
        """The figures beside the first that are the same at every number of decks."""
        seen: dict[str, set[str]] = {}
        for entry in self.entries:
            for label, text in entry.figures[1:]:
                seen.setdefault(label, set()).add(text)
        return {label: next(iter(texts)) for label, texts in seen.items() if len(texts) == 1}

    @property
    def flags(self) -> list[tuple[str, str]]:
        """What must not be missed, each with the numbers of decks that it is said of, if not all."""
        said: dict[str, list[int]] = {}
        for entry in self.entries:
            for flag in entry.flags:
                said.setdefault(flag, []).append(entry.decks)
        whole = [entry.decks for entry in self.entries]
        return [(flag, "" if decks == whole else f" ({format_deck_counts(decks)})") for flag, decks in said.items()]


def index_html(
    entries: Sequence[Entry],
    failures: Sequence[Failure] = (),
    manifest: str = "manifest.json",
    title: str = "Par sheets",
) -> str:
    """Write the index page of a batch; `manifest` is the name of the file with every file's fingerprint."""
    rows = _rows(entries)
    first = next((label for entry in entries for label, _ in entry.figures), "")
    return page(
        "index.html.jinja",
        title=title,
        running_head=css_text(title),
        rows=rows,
        count=len(entries),
        decks=sorted({entry.decks for entry in entries}),
        first=first,
        labels=_shared(rows),
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
    """Choose the file that a reader opens first: one that a browser shows, else the first."""
    files = dict(entry.files)
    return files.get("html") or files.get("pdf") or next(iter(files.values()), "")


def _shared(rows: Sequence[Row]) -> tuple[str, ...]:
    """Find the figures that no paytable has otherwise at another number of decks."""
    all_labels = dict.fromkeys(label for row in rows for entry in row.entries for label, _ in entry.figures[1:])
    varied = {
        label for row in rows for entry in row.entries for label, _ in entry.figures[1:] if label not in row.others
    }
    return tuple(label for label in all_labels if label not in varied)


def _rows(entries: Iterable[Entry]) -> list[Row]:
    """Gather the sheets of each paytable, in the order in which the paytables come."""
    rows: dict[tuple[str, str], Row] = {}
    for entry in entries:
        row = rows.setdefault((entry.bet, entry.paytable), Row(entry.paytable, entry.title, entry.bet, {}))
        row.sheets.setdefault(entry.decks, []).append(entry)
    return list(rows.values())
