"""The index page, checksums and manifest of a folder of par sheets, and which of its files may be replaced.

Files that combinat wrote are recognized by their content; others are never replaced without `--force`. The lists are
deleted as soon as they would name a file that is missing or different.
"""

from __future__ import annotations

import re
import stat
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from urllib.parse import quote
from zipfile import BadZipFile, ZipFile

from msgspec import Struct

from combinat.bets.schema import read_small_file
from decks import InputError, format_deck_counts
from decks.errors import truncate_middle
from reports.page.files import check_replaceable
from reports.publish.key_figures import KeyFigure
from reports.publish.origin import FILTERS, Origin
from reports.render.formats import FORMATS
from reports.render.html import css_text, render_template
from reports.sheet.checker import CHECKER, CHECKER_TITLE

INDEX, SUMS, MANIFEST = LISTS = ("index.html", "SHA256SUMS", "manifest.json")
_MAX_FILE_BYTES = 1 << 26
_SOFTWARE = re.compile(rb"combinat \d")
_SUM_LINE = re.compile(r"[0-9a-f]{64}  \S[^/]*")


def is_foreign(path: Path) -> bool:
    """Return whether `path` is a regular file that combinat did not write."""
    try:
        status = path.lstat()
    except OSError:
        return False
    if not stat.S_ISREG(status.st_mode):
        return False  # `check_replaceable` refuses it
    try:
        return not is_written_by_combinat(path.name, read_small_file(path, _MAX_FILE_BYTES))
    except (OSError, InputError):
        return True


def is_written_by_combinat(name: str, content: bytes) -> bool:
    """Return whether combinat wrote a file with this name and content.

    >>> is_written_by_combinat("manifest.json", b'{"name": "my web app"}')
    False
    >>> is_written_by_combinat("index.html", b"<title>Par sheets</title>")
    False
    >>> sheet = "TRI-03-6D.md"
    >>> is_written_by_combinat(sheet, b"Software: combinat 0.1.0"), is_written_by_combinat(sheet, b"my notes")
    (True, False)
    """
    if name == MANIFEST:
        return b'"format": "combinat manifest ' in content[:200]
    if name == INDEX:
        return b"<title>Par sheets</title>" in content and f'href="{MANIFEST}"'.encode() in content
    if name == CHECKER:
        return CHECKER_TITLE in content
    if name == SUMS:
        return is_checksum_list(content.decode("utf-8", "replace"))
    match Path(name).suffix:
        case ".json":
            return b'"format": "combinat par sheet ' in content[:200]
        case ".certificate":
            return b'"format": "combinat certificate ' in content[:200]
        case ".pdf":
            return content.startswith(b"%PDF-") and b"par sheet" in content and b"Typst" in content
        case ".xlsx":
            try:
                with ZipFile(BytesIO(content)) as book:
                    return b"combinat" in book.read("docProps/core.xml")
            except (BadZipFile, KeyError, OSError, ValueError, NotImplementedError):
                return False
    return _SOFTWARE.search(content) is not None


def is_checksum_list(text: str) -> bool:
    """Return whether a list of checksums is that of a batch, which begins with the index page."""
    lines = text.splitlines()
    return bool(lines) and lines[0].endswith(f"  {INDEX}") and all(map(_SUM_LINE.fullmatch, lines))


class IndexEntry(Struct, frozen=True):
    """One sheet of a batch, with formatted figures."""

    paytable: str
    title: str
    bet: str
    decks: int
    figures: tuple[KeyFigure, ...] = ()
    """The first is shown for every deck count."""
    flags: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    """Each format and the name of its file, relative to the index page."""
    origin: Origin = Origin()


class Failure(Struct, frozen=True):
    """A sheet that could not be written, and the reason."""

    sheet: str
    reason: str


class IndexRow(Struct, frozen=True):
    """All sheets of one paytable."""

    paytable: str
    title: str
    bet: str
    origin: Origin
    sheets: dict[int, list[IndexEntry]]
    """By deck count; several where there are sheets under several rules."""

    @property
    def entries(self) -> list[IndexEntry]:
        """All sheets of the paytable in order."""
        return [entry for entries in self.sheets.values() for entry in entries]

    @property
    def constant_figures(self) -> dict[str, str]:
        """The figures after the first that are equal at every deck count."""
        texts_by_label: dict[str, set[str]] = {}
        for entry in self.entries:
            for figure in entry.figures[1:]:
                texts_by_label.setdefault(figure.label, set()).add(figure.text)
        return {label: next(iter(texts)) for label, texts in texts_by_label.items() if len(texts) == 1}

    @property
    def flags(self) -> list[tuple[str, str]]:
        """The warnings of the sheets, each with its deck counts if not all."""
        decks_by_flag: dict[str, list[int]] = {}
        for entry in self.entries:
            for flag in entry.flags:
                decks_by_flag.setdefault(flag, []).append(entry.decks)
        all_decks = [entry.decks for entry in self.entries]
        return [
            (flag, "" if decks == all_decks else f" ({format_deck_counts(decks)})")
            for flag, decks in decks_by_flag.items()
        ]


def index_html(
    entries: Sequence[IndexEntry],
    failures: Sequence[Failure] = (),
    manifest: str = "manifest.json",
    title: str = "Par sheets",
) -> str:
    """Return the index page of a batch; `manifest` is the name of the manifest file."""
    rows = _rows(entries)
    first = _commonest_figure(entries)
    return render_template(
        "index.html.jinja",
        title=title,
        running_head=css_text(title),
        rows=rows,
        count=len(entries),
        decks=sorted({entry.decks for entry in entries}),
        first=first,
        labels=_constant_labels(rows),
        bases=_common_bases(entries),
        filters=_filters(rows),
        failures=failures,
        manifest=manifest,
        checker=CHECKER,
        address=file_url,
        main_file=_main_file,
        formats=FORMATS,
    )


def file_url(filename: str) -> str:
    """Return a file name as a relative URL.

    >>> file_url("21+3-PT1_6 decks.pdf")
    '21%2B3-PT1_6%20decks.pdf'
    """
    return quote(filename)  # also a colon, before which a browser would read a URL scheme


def _main_file(entry: IndexEntry) -> str:
    """Return the file to link first: one that a browser shows, else the first."""
    files = dict(entry.files)
    return files.get("html") or files.get("pdf") or next(iter(files.values()), "")


def _constant_labels(rows: Sequence[IndexRow]) -> tuple[str, ...]:
    """Return the labels of figures that for no paytable depend on the deck count."""
    all_labels = dict.fromkeys(figure.label for row in rows for entry in row.entries for figure in entry.figures[1:])
    varying_labels = {
        figure.label
        for row in rows
        for entry in row.entries
        for figure in entry.figures[1:]
        if figure.label not in row.constant_figures
    }
    return tuple(label for label in all_labels if label not in varying_labels)


def _commonest_figure(entries: Sequence[IndexEntry]) -> KeyFigure:
    """Return the label and the basis that most first figures have, without a value."""
    counts = Counter((entry.figures[0].label, entry.figures[0].basis) for entry in entries if entry.figures)
    (label, basis), _ = counts.most_common(1)[0] if counts else (("", ""), 0)
    return KeyFigure(label, "", basis)


def _common_bases(entries: Sequence[IndexEntry]) -> dict[str, str]:
    """Return the basis of each figure that has the same one on all sheets, by label."""
    bases_by_label: dict[str, set[str]] = {}
    for entry in entries:
        for figure in entry.figures:
            bases_by_label.setdefault(figure.label, set()).add(figure.basis)
    return {label: next(iter(bases)) for label, bases in bases_by_label.items() if len(bases) == 1}


def _filters(rows: Sequence[IndexRow]) -> dict[str, list[str]]:
    """Return the values of each field of origins that has several; there is nothing to choose among one."""
    values = {name: sorted({getattr(row.origin, name) for row in rows}) for name in FILTERS}
    return {name: texts for name, texts in values.items() if len(texts) > 1}


def _rows(entries: Iterable[IndexEntry]) -> list[IndexRow]:
    """Group the sheets by paytable, in order of first appearance."""
    rows: dict[tuple[str, str], IndexRow] = {}
    for entry in entries:
        row = rows.setdefault(
            (entry.bet, entry.paytable), IndexRow(entry.paytable, entry.title, entry.bet, entry.origin, {})
        )
        row.sheets.setdefault(entry.decks, []).append(entry)
    return list(rows.values())


_MAX_LIST_BYTES = 1 << 24


def check_own_files(folder: Path, names: Iterable[str]) -> None:
    """Raise `InputError` if the folder has a file of one of these names that combinat did not write."""
    sha256_by_name = listed_fingerprints(folder)
    foreign = [name for name in names if name not in sha256_by_name and is_foreign(folder / name)]
    if foreign:
        suffix = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        raise InputError(
            f"{truncate_middle(folder / foreign[0])}{suffix}: not written by combinat; "
            "choose another folder with --output, or replace with --force"
        )


def delete_lists(folder: Path, *, force: bool = False) -> None:
    """Delete the lists of an earlier run, before the first of their sheets is replaced.

    Files with their names that combinat did not write stay, unless `force` is set.
    """
    paths = [folder / name for name in LISTS]
    paths = [path for path in paths if force or not is_foreign(path)]
    for path in paths:
        check_replaceable(path)
    for path in paths:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"cannot remove {path}: {error.strerror}") from None


def delete_stale_indexes(folder: Path, fingerprints: Mapping[str, str]) -> None:
    """Delete a folder's lists if they have another fingerprint for a file that is about to be written."""
    sha256_by_name = listed_fingerprints(folder)
    if any(sha256_by_name.get(name, sha256) != sha256 for name, sha256 in fingerprints.items()):
        delete_lists(folder)


def listed_fingerprints(folder: Path) -> dict[str, str]:
    """Return the fingerprints in a folder's checksum file by file name; empty if there is no readable one."""
    try:
        text = read_small_file(folder / SUMS, _MAX_LIST_BYTES).decode("utf-8")
    except (OSError, ValueError):
        return {}
    if not is_checksum_list(text):
        return {}
    lines = (line.partition("  ") for line in text.splitlines())
    return {name: sha256 for sha256, _, name in lines}


def sums_text(files: Sequence[tuple[str, str]]) -> str:
    """Return fingerprints and names in the format of `sha256sum --check`."""
    return "".join(f"{sha256}  {name}\n" for name, sha256 in files)
