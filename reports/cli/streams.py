"""Standard output that loses nothing in silence: what cannot be written is remembered, to be told once.

A reader who has seen enough, as in `combinat ledger TRI-03 | head`, is no error. A full disk is one, also where the
interpreter, told not to buffer, would drop the rest of a text of which only a part was taken.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO


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
    from unicodedata import normalize  # seldom needed, as is the other

    from reports.render.plain import plain

    missing = error.object[error.start : error.end]
    found = (normalize("NFKD", plain(one)).encode("ascii", "ignore").decode() or "?" for one in missing)
    return "".join(found), error.end


_NEAREST = "combinat.nearest"
codecs.register_error(_NEAREST, _nearest)


def say(text: str, *, end: str = "\n", err: bool = False) -> None:
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
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = guarded = _guard(sys.stdout), _guard(sys.stderr)
    try:
        yield
    finally:
        for stream in guarded:
            stream.flush()
        sys.stdout, sys.stderr = before


def output_error() -> OSError | None:
    """Give what went wrong with standard output, if anything did; there is no use in writing more then."""
    sys.stdout.flush()
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw.error if isinstance(raw, _Remembering) else None
