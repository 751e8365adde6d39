"""Standard output: answers in the width and encoding of the terminal, and write errors that are reported once.

A closed pipe, as in `combinat ledger TRI-03 | head`, is not an error. A full disk is, even if the interpreter runs
unbuffered and would drop the rest of a partially written text.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import select
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, TextIO
from unicodedata import normalize

from msgspec import Struct

from decks import InputError
from reports.page.files import format_json, write_file
from reports.page.model import Document
from reports.render.formats import FORMATS, render_document, render_text
from reports.render.terminal import render, to_ascii


class _ErrorRecorder(io.RawIOBase):
    """A raw stream that remembers the first write error and discards everything after it."""

    def __init__(self, raw: io.RawIOBase | None) -> None:
        self.inner = raw
        self.error: OSError | None = None

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self.inner is not None and self.inner.isatty()

    def fileno(self) -> int:
        return super().fileno() if self.inner is None else self.inner.fileno()

    def write(self, data: Any) -> int:
        try:
            if self.error is None and self.inner is None:
                raise OSError(errno.EBADF, os.strerror(errno.EBADF))
            while self.error is None and self.inner is not None:
                written = self.inner.write(data)
                if written is not None:
                    return written
                select.select([], [self.inner], [])  # wait: a non-blocking pipe is full
        except OSError as error:
            self.error = error
        return len(data)


def _nearest(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII replacements of characters that the encoding lacks: e for é, - for a minus sign, else ?."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    replacements = (
        normalize("NFKD", to_ascii(character)).encode("ascii", "ignore").decode() or "?" for character in missing
    )
    return "".join(replacements), error.end


_NEAREST = "combinat.nearest"
codecs.register_error(_NEAREST, _nearest)


def echo(text: str, *, end: str = "\n", err: bool = False) -> None:
    """Write to standard output, or to standard error, in its encoding.

    Typer's echo treats ASCII as a mistake and writes UTF-8 instead.
    """
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{text}{end}")
    stream.flush()


def _guard(stream: TextIO | None) -> TextIO:
    """Wrap a stream so that it remembers write errors and replaces characters that its encoding lacks."""
    if stream is None:  # closed before the program started
        return io.TextIOWrapper(io.BufferedWriter(_ErrorRecorder(None)), "utf-8", _NEAREST)
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    if not isinstance(stream, io.TextIOWrapper) or not isinstance(raw, io.RawIOBase):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_NEAREST)
        return stream
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_ErrorRecorder(raw)),
        stream.encoding,
        _NEAREST,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


@contextmanager
def guard_streams() -> Iterator[None]:
    """Wrap standard output and standard error within the context."""
    originals = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = guarded = _guard(sys.stdout), _guard(sys.stderr)
    try:
        yield
    finally:
        for stream in guarded:
            stream.flush()
        sys.stdout, sys.stderr = originals


def output_error() -> OSError | None:
    """Return the first write error of standard output, or `None`."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw.error if isinstance(raw, _ErrorRecorder) else None


Payloads = Iterable[dict[str, Any]]
"""The JSON data of each answer."""


def print_answer(document: Callable[[], Document], payloads: Callable[[], Payloads], format: str, digits: int) -> None:
    """Print an answer in a format."""
    echo(json_answer(payloads()) if format == "json" else text_answer(document(), format, digits), end="")


def json_answer(payloads: Payloads) -> str:
    """Return JSON; it is escaped to ASCII if standard output cannot encode it."""
    payload = list(payloads)
    text = format_json(payload)
    return text if _can_take(text) else format_json(payload, in_ascii=True)


def text_answer(document: Document, format: str, digits: int) -> str:
    """Return a document as text: in the width of a terminal, or one line per row and in ASCII for a pipe."""
    if format == "table":
        is_terminal = sys.stdout.isatty()
        width = _columns() if is_terminal else None
        text = render(document, digits, width, in_ascii=not is_terminal)
        return text if _can_take(text) else render(document, digits, width, in_ascii=True)
    text = render_text(document, format, digits)
    if _can_take(text):
        return text
    return to_ascii(text)


def _columns() -> int:
    return get_terminal_size().columns


def _can_take(text: str) -> bool:
    """Return whether standard output can encode a text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


class PageAnswer(Struct, frozen=True):
    """An answer that is a complete page, in all formats."""

    document: Callable[[], Document]
    payloads: Callable[[], Payloads]
    records: Callable[[], Document]
    """Records for spreadsheets."""

    def content(self, format: str, digits: int) -> bytes:
        """Return the bytes of the answer in a format."""
        if format == "json":
            return format_json(list(self.payloads())).encode("utf-8")
        return render_document(self.records() if format == "csv" else self.document(), format, digits)

    def give(self, format: str, digits: int, output: Path | None = None) -> None:
        """Print the answer, or write it to a file."""
        if output is not None:
            if write_file(output, self.content(format, digits), named=True):
                echo(str(output))
        elif FORMATS[format].is_binary:
            if sys.stdout.isatty():
                raise InputError(f"cannot print {format} on a terminal; add for example --output answer.{format}")
            sys.stdout.flush()
            sys.stdout.buffer.write(self.content(format, digits))
        else:
            print_answer(self.records if format == "csv" else self.document, self.payloads, format, digits)
