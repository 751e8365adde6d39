"""The command `verify`."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from combinat.verifier.sheet import MAX_BYTES
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
def sheet_paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sheets")
    command = ["combinat", "parsheets", "--only", "TBJ-*", "--format", "json", "--jobs", "1", "--output", str(folder)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", command)
        with pytest.raises(SystemExit):
            cli.main()
    return sorted(folder.glob("TBJ-*.json"))


@pytest.fixture
def sheets(sheet_paths, tmp_path):
    return [Path(shutil.copy(path, tmp_path)) for path in sheet_paths]


def test_written_sheets_verify(run, sheets):
    code, out, err = run("verify", *sheets)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.endswith("figures checked, all agree") for line in lines if not line.startswith("  ")] == [True] * 4
    coverage = json.loads(sheets[0].read_text())["verification"]
    for row in coverage["checked"]:
        assert f"  {row['figures']:,} figures {row['by']}" in lines  # the same coverage as in the sheet
    for row in coverage["not_checked"]:
        assert any(row["key"] in line and row["reason"] in line for line in lines)


def test_altered_count_is_named_with_exit_code(run, sheets):
    sheet = json.loads(sheets[0].read_text())
    sheet["awards"][2]["ways"] += 1
    sheets[0].write_text(json.dumps(sheet))
    code, out, err = run("verify", *sheets[:2])
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0].startswith(f"{sheets[0]}: DIFFERS: ")
    assert any(line.startswith("  wrong: awards[2] Straight flush.ways: the file says ") for line in lines)
    assert any(line.startswith("  wrong: data_sha256: ") for line in lines)
    assert [line.endswith("all agree") for line in lines if not line.startswith("  ")] == [False, True]
    code, out, _ = run("verify", sheets[0], "--format", "json")
    (result,) = json.loads(out)
    assert (code, result["ok"], len(result["differences"])) == (1, False, 2)
    assert "identification.date" in result["not_checked"]
    code, out, _ = run("verify", sheets[0], "--format", "markdown")
    assert (code, "awards[2] Straight flush.ways" in out) == (1, True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "is not a par sheet's JSON"),
        (b"\xff\xfe", "is not a par sheet's JSON"),
        (b"[1]", "is not the JSON of a par sheet"),
        (b"{}", "has the format null"),
        (b'{"a": 1, "a": 1}', "a key occurs twice"),
        (b"[" * 100_000, "is not a par sheet's JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "is not a par sheet's JSON"),
    ],
)
def test_non_sheet_is_one_line_and_others_are_checked(run, sheets, tmp_path, content, message):
    path = tmp_path / "other.txt"
    if content is not None:
        path.write_bytes(content)
    code, out, err = run("verify", path, sheets[0])
    assert code == 2
    assert "all agree" in out
    assert err.startswith(f"combinat: {path}: ")
    assert message in err
    assert err.count("\n") == 1


def test_special_files_do_not_block(run, sheets, tmp_path):
    fifo, link, long, folder = (tmp_path / name for name in ("fifo", "link", "long", "folder"))
    os.mkfifo(fifo)
    link.symlink_to(fifo)
    folder.mkdir()
    with long.open("wb") as file:
        file.truncate(MAX_BYTES + 1)  # a sparse file, which takes no space
    for path, message in [
        (fifo, "is not an ordinary file"),
        (link, "is not an ordinary file"),
        ("/dev/zero", "is not an ordinary file"),
        ("/dev/null", "is not an ordinary file"),
        (long, "more than 20,000,000 bytes"),
        (folder, "cannot be read: Is a directory"),
    ]:
        code, out, err = run("verify", path, sheets[0])
        assert (code, err.count("\n")) == (2, 1)
        assert err.startswith(f"combinat: {path}: ")
        assert message in err
        assert "all agree" in out


def test_player_and_dealer_bet_is_verified(run, tmp_path):
    bet = tmp_path / "both.toml"
    bet.write_text(
        'bet = "Both"\ndeal = "player:2, dealer:s17"\npack = "standard without 3 4 6 8 9 J Q"\n'
        '[[paytable]]\nid = "BOTH"\ndecks = 1\n'
        'awards = [{ name = "Blackjack", when = "player.blackjack and dealer.bust", pays = "9 to 1" },'
        ' { name = "Aces", when = "player.A-A and dealer.cards > 3", pays = "9 to 1" }]\n'
    )
    run("parsheet", bet, "--format", "json", "--output", tmp_path / "out")
    code, out, _ = run("verify", tmp_path / "out" / "BOTH-1D.json")
    assert (code, "all agree" in out) == (0, True)


def test_bet_beyond_the_verifier_fails(run, tmp_path):
    bet = tmp_path / "both.toml"
    bet.write_text(
        'bet = "Both"\ndeal = "player:1, dealer:h17"\npack = "standard without 3 4 6 8 9 J Q"\n'
        '[[paytable]]\nid = "BOTH"\ndecks = 1\n'
        'awards = [{ name = "Seven", when = "player.has(7h) and dealer.bust", pays = "9 to 1" }]\n'
    )
    code, _, err = run("parsheet", bet, "--format", "json", "--output", tmp_path / "out")
    assert (code, err) == (0, "")
    code, out, _ = run("verify", tmp_path / "out" / "BOTH-1D.json")
    assert code == 1
    assert "not verified: single suits" in out
