"""Progress on a terminal: a bar where steps are reported, and otherwise the seconds that have passed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, RLock, Thread
from time import monotonic
from typing import Any

import typer

from combinat.enumeration.decision import Progress
from combinat.enumeration.progress import progress_to
from reports.cli.output import echo

_DELAY = 2
"""Seconds after which a computation is slow."""


@contextmanager
def progress_if_slow(label: str) -> Iterator[Progress | None]:
    """Yield a progress function that shows a bar on standard error after two seconds; `None` without a terminal.

    While no steps are reported, the seconds since the start are shown instead.
    """
    if not sys.stderr.isatty():
        yield None
        return
    display = _Display(label)
    clock = Thread(target=display.run_clock, daemon=True)
    clock.start()
    try:
        with progress_to(display.report):
            yield display.report
    finally:
        display.close()
        clock.join()


class _Display:
    """The last line of the terminal; a thread of its own shows the seconds."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._start = self._last_report = monotonic()
        self._bar: Any = None
        self._clock_width = 0
        self._lock = RLock()
        self._is_closed = Event()

    def report(self, done: int, total: int) -> None:
        """Show that `done` of `total` steps are done."""
        with self._lock:
            self._last_report = monotonic()
            if self._bar is not None and self._bar.length != total:  # another computation started
                self._close_bar()
            if self._bar is None and done < total and self._last_report - self._start > _DELAY:
                self._clear_clock()
                self._bar = typer.progressbar(length=total, label=self._label, file=sys.stderr)
                self._bar.__enter__()
            if self._bar is not None:
                self._bar.update(done - self._bar.pos)
                if done == total:  # ends the line of the bar before anything else is printed
                    self._close_bar()

    def run_clock(self) -> None:
        """Show the seconds while there is no bar, until the display is closed."""
        while not self._is_closed.wait(_DELAY / 2):
            with self._lock:
                is_silent = self._bar is None and monotonic() - self._last_report >= _DELAY
                if is_silent and not self._is_closed.is_set():
                    self._clear_clock()
                    text = f"computing, {monotonic() - self._start:.0f} s"
                    echo(text, end="", err=True)
                    self._clock_width = len(text)

    def close(self) -> None:
        """End the line and the clock."""
        with self._lock:
            self._is_closed.set()
            self._close_bar()
            self._clear_clock()

    def _close_bar(self) -> None:
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None

    def _clear_clock(self) -> None:
        if self._clock_width:
            echo("\r" + " " * self._clock_width + "\r", end="", err=True)
            self._clock_width = 0
