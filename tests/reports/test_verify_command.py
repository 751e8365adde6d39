"""Checking par sheets from the command line."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from combinat.verifier.reading import MOST_BYTES
from reports.cli import main as cli


@pytest.fixture
def run(capsys, monkeypatch):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["combinat", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = capsys.readouterr()
        return stop.value.code or 0, out, err

    return run


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sheets")
    command = ["combinat", "parsheets", "--only", "TBJ-*", "--format", "json", "--jobs", "1", "--output", str(folder)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", command)
        with pytest.raises(SystemExit):
            cli.main()
    return sorted(folder.glob("TBJ-*.json"))


@pytest.fixture
def sheets(written, tmp_path):
    return [Path(shutil.copy(path, tmp_path)) for path in written]


def written_lists(path):
    """What a sheet says was checked, by what, and what was not, and why."""
    listed = json.loads(path.read_text())["verification"]
    for row in listed["checked"]:
        yield f"checked: {row['part']}, {row['figures']}, by {row['by']}"
    for row in listed["not_checked"]:
        yield f"not checked: {row['what']}: {row['why']}"


def test_sheets_as_they_are_written_verify(run, sheets):
    code, out, err = run("verify", *sheets)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.endswith("figures re-derived, all agree") for line in lines if not line.startswith("  ")] == [True] * 4
    for name in written_lists(sheets[0]):
        assert lines.count(f"  {name}") >= 1  # the list of what was checked and what not is that of the sheet


def test_altered_count_is_named_and_the_exit_code_tells(run, sheets):
    sheet = json.loads(sheets[0].read_text())
    sheet["awards"][2]["ways"] += 1
    sheets[0].write_text(json.dumps(sheet))
    code, out, err = run("verify", *sheets[:2])
    assert (code, err) == (1, "")
    first, difference, fingerprint, second = [line for line in out.splitlines() if "checked: " not in line]
    assert first.startswith(f"{sheets[0]}: 2 of ")
    assert fingerprint.startswith("  data_sha256: ")
    assert difference.startswith("  awards[2] Straight flush: ways: the file says ")
    assert second.endswith("all agree")
    code, out, _ = run("verify", sheets[0], "--format", "json")
    (found,) = json.loads(out)
    assert (code, found["ok"], len(found["differences"])) == (1, False, 2)
    assert "title" in found["not_checked"]
    code, out, _ = run("verify", sheets[0], "--format", "markdown")
    assert (code, "awards[2] Straight flush: ways" in out) == (1, True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "is not a par sheet's JSON"),
        (b"\xff\xfe", "is not a par sheet's JSON"),
        (b"[1]", "is no par sheet"),
        (b"{}", "'deal' is missing"),
        (b'{"a": 1, "a": 1}', "a key stands twice"),
        (b"[" * 100_000, "is not a par sheet's JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "is not a par sheet's JSON"),
    ],
)
def test_file_that_is_no_sheet_is_one_line_and_the_others_are_still_checked(run, sheets, tmp_path, content, message):
    path = tmp_path / "other.txt"
    if content is not None:
        path.write_bytes(content)
    code, out, err = run("verify", path, sheets[0])
    assert code == 2
    assert "all agree" in out
    assert err.startswith(f"combinat: {path}: ")
    assert message in err
    assert err.count("\n") == 1


def test_what_is_no_regular_file_is_not_waited_for(run, sheets, tmp_path):
    fifo, link, long, folder = (tmp_path / name for name in ("fifo", "link", "long", "folder"))
    os.mkfifo(fifo)
    link.symlink_to(fifo)
    folder.mkdir()
    with long.open("wb") as file:
        file.truncate(MOST_BYTES + 1)  # a hole, which takes no room on the disk
    for path, message in [
        (fifo, "is no regular file"),
        (link, "is no regular file"),
        ("/dev/zero", "is no regular file"),
        ("/dev/null", "is no regular file"),
        (long, "more than 20,000,000 bytes"),
        (folder, "cannot be read: Is a directory"),
    ]:
        code, out, err = run("verify", path, sheets[0])
        assert (code, err.count("\n")) == (2, 1)
        assert err.startswith(f"combinat: {path}: ")
        assert message in err
        assert "all agree" in out


def test_bet_that_the_second_method_does_not_reach_fails(run, tmp_path):
    bet = tmp_path / "both.toml"
    bet.write_text(
        'bet = "Both"\ndeal = "player:1, dealer:h17"\npack = "standard without 3 4 6 8 9 J Q"\n'
        '[[paytable]]\nid = "BOTH"\ndecks = 1\n'
        'awards = [{ name = "Seven", when = "player.has(7) and dealer.bust", pays = "9 to 1" }]\n'
    )
    code, _, err = run("parsheet", bet, "--format", "json", "--output", tmp_path / "out")
    assert (code, err) == (0, "")
    code, out, _ = run("verify", tmp_path / "out" / "BOTH_1-deck.json")
    assert code == 1
    assert "cannot be re-derived: cards are dealt to others before the dealer draws" in out
