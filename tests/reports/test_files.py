"""Writing: whole files or none, never over what is no file, never into a folder that nobody asked for."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from decks import InputError
from reports.page.errors import OutputError
from reports.page.files import check_output_path, delete_temporary_files, write_file

LEDGER = ("ledger", "TRI-02", "-o")
PLOT = ("meter", "show", "BLZ-1-UP", "--plot")
ROOT = Path(__file__).parents[2]


def combinat(*arguments, **how):
    command = [sys.executable, "-m", "reports", *map(str, arguments)]
    return subprocess.run(command, check=False, cwd=ROOT, text=True, **{"capture_output": True, **how})


@pytest.fixture(params=["ledger", "plot"])
def write(request, run, tmp_path):
    """Write to a path by each command that takes one; a plot's path ends as its format says."""

    def write(name):
        if request.param == "ledger":
            return run(*LEDGER, tmp_path / name)
        code, _, err = run(*PLOT, tmp_path / name)
        return code, "", err

    return write


def listing(folder):
    """What there is, without following links."""
    return {str(path.relative_to(folder)): stat.S_IFMT(path.lstat().st_mode) for path in folder.rglob("*")}


def read_all(path):
    found = []
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    return reader, found


def test_pipe_stays_a_pipe_and_takes_what_is_written(write, tmp_path):
    write("file.svg")
    pipe = tmp_path / "pipe.svg"
    os.mkfifo(pipe)
    reader, found = read_all(pipe)
    assert write("pipe.svg") == (0, "", "")  # no name is printed, for there is no file
    reader.join()
    assert found == [(tmp_path / "file.svg").read_bytes()]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


def test_reader_of_a_pipe_who_leaves_is_no_error(write, tmp_path):
    pipe = tmp_path / "pipe.svg"
    os.mkfifo(pipe)

    def peek():
        with pipe.open("rb") as file:
            file.read(1)

    reader = threading.Thread(target=peek)
    reader.start()
    assert write("pipe.svg") == (0, "", "")
    reader.join()


@pytest.mark.parametrize("device", ["null", "full"])
def test_device_is_written_to_and_not_replaced(write, tmp_path, device):
    (tmp_path / "link.svg").symlink_to(f"/dev/{device}")
    before = Path(f"/dev/{device}").lstat()
    code, out, err = write("link.svg")
    problem = f"combinat: cannot write {tmp_path / 'link.svg'}: No space left on device\n"
    assert (code, out, err) == ((0, "", "") if device == "null" else (1, "", problem))
    after = Path(f"/dev/{device}").lstat()
    assert (after.st_ino, after.st_mode, after.st_rdev) == (before.st_ino, before.st_mode, before.st_rdev)
    assert listing(tmp_path) == {"link.svg": stat.S_IFLNK}


def test_link_stays_and_the_file_that_it_leads_to_is_written(write, tmp_path):
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "file.svg"
    target.write_text("old")
    (tmp_path / "second.svg").symlink_to("there/file.svg")
    (tmp_path / "first.svg").symlink_to("second.svg")
    assert write("first.svg")[0] == 0
    assert target.stat().st_size > 3
    expected = {"there": stat.S_IFDIR, "first.svg": stat.S_IFLNK, "second.svg": stat.S_IFLNK}
    assert listing(tmp_path) == {**expected, "there/file.svg": stat.S_IFREG}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.mkdir(), "it is a folder"),
        (lambda path: path.symlink_to(path.parent), "it is a folder"),
        (lambda path: path.symlink_to("nowhere"), "it is a link to what is not there"),
        (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
    ],
    ids=["folder", "link to a folder", "dangling", "loop"],
)
def test_what_cannot_be_written_to_is_one_line_and_stays(write, tmp_path, make, message):
    path = tmp_path / "x.svg"
    make(path)
    before = listing(tmp_path)
    assert write("x.svg") == (2, "", f"combinat: cannot write {path}: {message}\n")
    assert listing(tmp_path) == before


def test_disk_or_socket_is_never_written_to(tmp_path, monkeypatch):
    path = tmp_path / "x"
    path.touch()
    for kind in (stat.S_IFBLK, stat.S_IFSOCK):
        faked = os.stat_result([kind | 0o666, *path.stat()[1:]])
        with monkeypatch.context() as patch:
            patch.setattr("pathlib.Path.stat", lambda *_, **__: faked)  # noqa: B023
            with pytest.raises(InputError, match="it is not an ordinary file"):
                write_file(path, "new", named=True)


@pytest.mark.parametrize("name", ["missing/x.svg", "missing/deeper/x.svg"])
def test_folder_nobody_asked_for_is_not_made(write, tmp_path, name):
    folder = (tmp_path / name).parent
    message = f"combinat: cannot write into {folder}: there is no such folder; make it first\n"
    assert write(name) == (2, "", message)
    assert listing(tmp_path) == {}


def test_folder_that_refuses_is_one_line(write, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)  # root may write everywhere, so a mode would not do
    assert write("x.svg") == (2, "", f"combinat: cannot write {tmp_path / 'x.svg'}: Permission denied\n")
    assert listing(tmp_path) == {}


def test_path_is_looked_at_before_work_is_done_for_it(run, tmp_path, monkeypatch):
    def work(*_):
        raise AssertionError("work was done")

    monkeypatch.setattr("reports.answers.ledger.ledger_lines", work)
    monkeypatch.setattr("reports.render.plots.draw_meters", work)
    for command in (LEDGER, PLOT):
        assert run(*command, tmp_path / "missing" / "x.svg")[0] == 2


def test_standard_output_by_its_name_gets_the_ledger_and_nothing_else(run, tmp_path):
    ledger = ("ledger", "PAIR-SQUARE-11", "-o")
    printed = run(*ledger[:-1])[1]
    assert combinat(*ledger, "/dev/stdout").stdout == printed
    path = tmp_path / "appended"
    path.write_text("before\n")
    with path.open("a") as file:
        done = combinat(*ledger, "/dev/stdout", stdout=file, capture_output=False)
    assert (done.returncode, path.read_text()) == (0, f"before\n{printed}")
    with (tmp_path / "same").open("w") as file:  # the file that standard output goes to, by its own name
        combinat(*ledger, tmp_path / "same", stdout=file, capture_output=False)
    assert (tmp_path / "same").read_text() == printed
    assert run(*ledger, "/dev/null")[1] == ""


# What is written without a person naming it: sheets


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "device"])
def test_what_nobody_named_replaces_an_ordinary_file_only(tmp_path, kind):
    elsewhere, path = tmp_path / "elsewhere", tmp_path / "x.csv"
    elsewhere.write_text("precious")
    {
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
        "link": lambda: path.symlink_to(elsewhere),
        "device": lambda: path.symlink_to("/dev/null"),
    }[kind]()
    before = listing(tmp_path)
    with pytest.raises(InputError, match="it is "):
        write_file(path, "new")
    assert listing(tmp_path) == before
    assert elsewhere.read_text() == "precious"


def test_sheet_whose_place_is_taken_is_named_and_leaves_no_part(run, tmp_path):
    os.mkfifo(tmp_path / "PAIR-SQUARE-25-10_2-decks.md")
    code, out, err = run("parsheet", "PAIR-SQUARE-25-10", "-f", "csv,md", "-o", tmp_path)
    reason = f"cannot write {tmp_path / 'PAIR-SQUARE-25-10_2-decks.md'}: it is not an ordinary file"
    assert (code, out, err) == (1, "", f"combinat: PAIR-SQUARE-25-10_2-decks: {reason}\n")
    assert listing(tmp_path) == {"PAIR-SQUARE-25-10_2-decks.md": stat.S_IFIFO}


def test_only_the_folder_of_par_sheets_is_made(run, tmp_path):
    assert run("parsheet", "PAIR-SQUARE-25-10", "-f", "csv", "-o", tmp_path / "made" / "deeper")[0] == 0
    (tmp_path / "link").symlink_to("nowhere")
    code, _, err = run("parsheet", "PAIR-SQUARE-25-10", "-f", "csv", "-o", tmp_path / "link")
    assert (code, err) == (2, f"combinat: cannot write into {tmp_path / 'link'}: it is not a folder\n")
    assert not (tmp_path / "nowhere").exists()


# The function itself


def test_name_as_long_as_names_may_be_is_written(tmp_path):
    for name in ("x" * 255, "é" * 127):
        check_output_path(tmp_path / name)
        assert write_file(tmp_path / name, "new", named=True)
        assert (tmp_path / name).read_text() == "new"


def test_full_disk_is_told_from_a_wrong_path_and_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x"
    write_file(path, "old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.chmod", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_file(path, "new")
    assert listing(tmp_path) == {"x": stat.S_IFREG}
    assert path.read_text() == "old"


def test_new_file_has_the_mode_that_the_mask_leaves(tmp_path):
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "x", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


def test_what_a_process_left_unfinished_is_found_by_its_number(tmp_path):
    for name in (".combinat-12-abc", ".combinat-123-abc", "kept"):
        (tmp_path / name).touch()
    delete_temporary_files(tmp_path, 12)
    assert listing(tmp_path).keys() == {".combinat-123-abc", "kept"}
    delete_temporary_files(tmp_path / "gone", 12)
