"""Progress on a terminal."""

import io
import sys
import time

from combinat.enumeration.progress import report_progress
from reports.cli import progress
from reports.cli.progress import progress_if_slow


class Terminal(io.StringIO):
    def isatty(self):
        return True


def use_terminal(monkeypatch, delay):
    """Send standard error to a terminal; not in a fixture, after which pytest sets its own stream."""
    monkeypatch.setattr(progress, "_DELAY", delay)
    monkeypatch.setattr(sys, "stderr", Terminal())
    return sys.stderr


def wait_for(text, terminal):
    deadline = time.monotonic() + 60
    while text not in terminal.getvalue() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert text in terminal.getvalue()


def test_silent_computation_shows_seconds_and_clears_them(monkeypatch):
    terminal = use_terminal(monkeypatch, 0.02)
    with progress_if_slow("hands"):
        wait_for("computing, 0 s", terminal)
    assert terminal.getvalue().endswith("\r")


def test_reported_steps_replace_the_seconds_by_a_bar(monkeypatch):
    terminal = use_terminal(monkeypatch, 0.02)
    with progress_if_slow("hands"):
        wait_for("computing", terminal)
        report_progress(1, 4)
        shown = terminal.getvalue()
        report_progress(4, 4)
    assert "hands" in shown
    assert shown.index("hands") > shown.rindex("computing")


def test_nothing_is_shown_without_a_terminal(monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_if_slow("hands") as report:
        assert report is None
    assert sys.stderr.getvalue() == ""


def test_fast_computation_shows_nothing(monkeypatch):
    terminal = use_terminal(monkeypatch, 60)
    with progress_if_slow("hands"):
        report_progress(1, 4)
    assert terminal.getvalue() == ""
