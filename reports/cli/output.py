"""Standard output that loses nothing in silence: what cannot be written is remembered, to be told once.

A reader who has seen enough, as in `combinat ledger TRI-03 | head`, is no error. A full disk is one, also where the
interpreter, told not to buffer, would drop the rest of a text of which only a part was taken.

How an answer reaches standard output: as wide as the terminal, in characters that it can take.
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

from combinat.study import Study
from decks import InputError
from reports.answers.studies import answers_payload, records_document, study_payload
from reports.page.files import json_text, write_file
from reports.page.model import Document
from reports.render import render as render_as
from reports.render.terminal import plain, render


class _Remembering(io.RawIOBase):
    """Passes bytes on until that fails for the first time; what comes after goes nowhere."""

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
                select.select([], [self.inner], [])  # a pipe that does not block is full
        except OSError as error:
            self.error = error
        return len(data)


def _nearest(error: UnicodeError) -> tuple[str, int]:
    """Give what comes nearest to characters that an old terminal does not have: e for é, - for a minus, else ?."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    replacements = (
        normalize("NFKD", plain(character)).encode("ascii", "ignore").decode() or "?" for character in missing
    )
    return "".join(replacements), error.end


_NEAREST = "combinat.nearest"
codecs.register_error(_NEAREST, _nearest)


def echo(text: str, *, end: str = "\n", err: bool = False) -> None:
    """Write to standard output, or to standard error, in the encoding that it has.

    The library's own echo takes ASCII for a mistake and writes UTF-8 to whoever asked for ASCII.
    """
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{text}{end}")
    stream.flush()


def _guard(stream: TextIO | None) -> TextIO:
    """Put a stream's writing into hands that remember and show what comes nearest where there is no such character."""
    if stream is None:  # it was closed when the program started
        return io.TextIOWrapper(io.BufferedWriter(_Remembering(None)), "utf-8", _NEAREST)
    buffer = getattr(stream, "buffer", None)
    raw = getattr(buffer, "raw", buffer)
    if not isinstance(stream, io.TextIOWrapper) or not isinstance(raw, io.RawIOBase):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_NEAREST)
        return stream
    stream.flush()
    return io.TextIOWrapper(
        io.BufferedWriter(_Remembering(raw)),
        stream.encoding,
        _NEAREST,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Guard standard output and standard error for a while."""
    originals = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = guarded = _guard(sys.stdout), _guard(sys.stderr)
    try:
        yield
    finally:
        for stream in guarded:
            stream.flush()
        sys.stdout, sys.stderr = originals


def output_error() -> OSError | None:
    """Give what went wrong with standard output, if anything did; there is no use in writing more then."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw.error if isinstance(raw, _Remembering) else None


Payloads = Iterable[dict[str, Any]]
"""What JSON has of answers: of each its data, be it one or many."""


def answer(document: Callable[[], Document], payloads: Callable[[], Payloads], format: str, digits: int) -> None:
    """Print an answer in the format asked for."""
    echo(json_answer(payloads()) if format == "json" else text_answer(document(), format, digits), end="")


def json_answer(payloads: Payloads) -> str:
    """Give JSON whose characters standard output can take; those that it cannot are escaped, which loses nothing."""
    payload = answers_payload(payloads)
    text = json_text(payload)
    return text if _can_take(text) else json_text(payload, in_ascii=True)


def text_answer(document: Document, format: str, digits: int) -> str:
    """Give a document as text: for a terminal as wide as that is, for a pipe in one line per row and in ASCII."""
    if format == "table":
        is_terminal = sys.stdout.isatty()
        width = _columns() if is_terminal else None
        text = render(document, digits, width, in_ascii=not is_terminal)
        return text if _can_take(text) else render(document, digits, width, in_ascii=True)
    text = render_as(document, format, digits)
    if _can_take(text):
        return text
    return plain(text)


def _columns() -> int:
    return get_terminal_size().columns


def _can_take(text: str) -> bool:
    """Whether standard output has a character for each of a text."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def answer_studies(studies: list[Study], shown: Callable[[], Document], format: str, digits: int) -> None:
    """Print studies: as a page to look at, or with one shape for one and for many."""

    def records() -> Document:
        return records_document(studies)

    def payloads() -> Payloads:
        return map(study_payload, studies)

    answer(records if format == "csv" else shown, payloads, format, digits)


class Answer(Struct, frozen=True):
    """An answer that is a page of its own, in whichever form a format asks for."""

    document: Callable[[], Document]
    payloads: Callable[[], Payloads]
    records: Callable[[], Document]
    """What is laid out line by line, for spreadsheets."""

    def content(self, format: str, digits: int) -> bytes:
        """Give the answer as a file of a format."""
        if format == "json":
            return json_text(answers_payload(self.payloads())).encode("utf-8")
        if format == "xlsx":
            from reports.render.workbook.answer import render as workbook

            return workbook(self.document(), digits)
        return render_as(self.records() if format == "csv" else self.document(), format, digits).encode("utf-8")

    def give(self, format: str, digits: int, output: Path | None = None) -> None:
        """Print the answer, or write it into a file."""
        if output is not None:
            if write_file(output, self.content(format, digits), named=True):
                echo(str(output))
        elif format == "xlsx":
            if sys.stdout.isatty():
                raise InputError("a workbook is not for a terminal; name a file with --output")
            sys.stdout.flush()
            sys.stdout.buffer.write(self.content(format, digits))
        else:
            answer(self.records if format == "csv" else self.document, self.payloads, format, digits)
