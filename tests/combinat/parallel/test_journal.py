"""The journal of an interrupted command: found by the same command, ignored where it is damaged."""

import os

import pytest

from combinat import cache
from combinat.parallel.journal import Journal, Program

KEY = {"command": "a test", "seed": 1}


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Use a separate, enabled cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "made"))
    monkeypatch.delenv(cache.DISABLE_VARIABLE)
    return tmp_path / "made" / "combinat"


def filled(*chunks):
    journal = Journal(KEY)
    for chunk in chunks:
        journal.add(chunk, {"of": chunk})
    journal.close()


def test_journal_is_found_until_the_command_ends(kept):
    filled("1", "2")
    filled("3")
    assert Journal(KEY).kept == {chunk: {"of": chunk} for chunk in "123"}
    assert Journal(KEY | {"seed": 2}).kept == {}
    assert [path.suffix for path in cache.list_entries()] == [".jsonl"]
    Journal(KEY).finish()
    assert Journal(KEY).kept == {}
    assert list(kept.glob("*.jsonl")) == []


@pytest.mark.usefixtures("kept")
def test_other_build_finds_no_journal(monkeypatch):
    filled("1")
    monkeypatch.setattr("combinat.parallel.journal.current_program", lambda: Program("0.0.9", "0" * 64, ()))
    assert Journal(KEY).kept == {}


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_truncated_line_is_skipped(kept, cut):
    filled("1", "2")
    (path,) = kept.glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-cut])
    filled("3")
    assert {"1", "3"} <= Journal(KEY).kept.keys()
    assert Journal(KEY).kept.get("2") in ({"of": "2"}, None)


def test_altered_line_is_skipped(kept):
    filled("1", "2")
    (path,) = kept.glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"2"}', b'"9"}') + b"\xff\n[\n")
    assert Journal(KEY).kept == {"1": {"of": "1"}}


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_only_regular_files_are_used(kept, tmp_path, kind):
    kept.mkdir(parents=True)
    path, other = (
        cache.journal_path({**KEY, "program": repr(Journal.__init__.__globals__["current_program"]())}),
        tmp_path / "x",
    )
    other.write_text("untouched")
    {"link": lambda: path.symlink_to(other), "pipe": lambda: os.mkfifo(path), "folder": path.mkdir}[kind]()
    filled("1")
    assert Journal(KEY).kept == {}
    assert other.read_text() == "untouched"


def test_disabled_cache_keeps_no_journal(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    filled("1")
    Journal(KEY).finish()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("theirs", "words"),
    [
        (Program("0.0.9", "a" * 64, (("numpy", "2"),)), "0.0.9"),
        (Program("0.1.0", "b" * 64, (("numpy", "2"),)), "bbbbbbbbbbbb"),
        (Program("0.1.0", "a" * 64, (("numpy", "1"),)), "numpy is 1"),
        (Program("0.1.0", "a" * 64, ()), "numpy is missing"),
    ],
)
def test_build_difference_is_described(theirs, words):
    assert words in Program("0.1.0", "a" * 64, (("numpy", "2"),)).difference_from(theirs)
    assert theirs.difference_from(theirs) == ""
