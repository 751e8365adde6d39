"""Files are written completely or not at all, never over special files, and only into existing or named folders."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from decks import InputError
from reports.page.files import OutputError, check_output_path, delete_temporary_files, write_file
from tests.slow_cases import slow_cases

LEDGER = ("ledger", "TRI-02", "-o")
PLOT = ("meter", "show", "BLZ-1-UP", "--plot")
ROOT = Path(__file__).parents[3]


def run_subprocess(*arguments, **options):
    command = [sys.executable, "-m", "reports", *map(str, arguments)]
    return subprocess.run(command, check=False, cwd=ROOT, text=True, **{"capture_output": True, **options})


@pytest.fixture(params=["ledger", "plot"])
def write(request, run, tmp_path):
    """Return a function that writes to a path with each command that takes one."""

    def write(name):
        if request.param == "ledger":
            return run(*LEDGER, tmp_path / name)
        code, _, err = run(*PLOT, tmp_path / name)
        return code, "", err

    return write


def file_types(folder):
    """Return the file types in a folder by relative path, without following links."""
    return {str(path.relative_to(folder)): stat.S_IFMT(path.lstat().st_mode) for path in folder.rglob("*")}


def start_reader(path):
    contents = []
    reader = threading.Thread(target=lambda: contents.append(path.read_bytes()))
    reader.start()
    return reader, contents


@slow_cases("plot")
def test_pipe_is_written_and_stays_a_pipe(write, tmp_path):
    write("file.svg")
    pipe = tmp_path / "pipe.svg"
    os.mkfifo(pipe)
    reader, contents = start_reader(pipe)
    assert write("pipe.svg") == (0, "", "")  # the path is printed only for regular files
    reader.join()
    assert contents == [(tmp_path / "file.svg").read_bytes()]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


@slow_cases("plot")
def test_closed_pipe_is_not_an_error(write, tmp_path):
    pipe = tmp_path / "pipe.svg"
    os.mkfifo(pipe)

    def peek():
        with pipe.open("rb") as file:
            file.read(1)

    reader = threading.Thread(target=peek)
    reader.start()
    assert write("pipe.svg") == (0, "", "")
    reader.join()


@slow_cases("plot-null", "plot-full")
@pytest.mark.parametrize("device", ["null", "full"])
def test_device_is_written_and_not_replaced(write, tmp_path, device):
    (tmp_path / "link.svg").symlink_to(f"/dev/{device}")
    before = Path(f"/dev/{device}").lstat()
    code, out, err = write("link.svg")
    assert (code, out, err.count("\n")) == ((0, "", 0) if device == "null" else (1, "", 1))
    assert device == "null" or f"{tmp_path / 'link.svg'}: No space left on device" in err
    after = Path(f"/dev/{device}").lstat()
    assert (after.st_ino, after.st_mode, after.st_rdev) == (before.st_ino, before.st_mode, before.st_rdev)
    assert file_types(tmp_path) == {"link.svg": stat.S_IFLNK}


@slow_cases("plot")
def test_link_target_is_written_and_link_stays(write, tmp_path):
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "file.svg"
    target.write_text("old")
    (tmp_path / "second.svg").symlink_to("there/file.svg")
    (tmp_path / "first.svg").symlink_to("second.svg")
    assert write("first.svg")[0] == 0
    assert target.stat().st_size > 3
    expected = {"there": stat.S_IFDIR, "first.svg": stat.S_IFLNK, "second.svg": stat.S_IFLNK}
    assert file_types(tmp_path) == {**expected, "there/file.svg": stat.S_IFREG}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.mkdir(), "it is a folder"),
        (lambda path: path.symlink_to(path.parent), "it is a folder"),
        (lambda path: path.symlink_to("nowhere"), "it is a link to a missing file"),
        (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
    ],
    ids=["folder", "link to a folder", "dangling", "loop"],
)
def test_unwritable_target_is_refused_and_kept(write, tmp_path, make, message):
    path = tmp_path / "x.svg"
    make(path)
    before = file_types(tmp_path)
    code, out, err = write("x.svg")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{path}: {message}" in err
    assert file_types(tmp_path) == before


def test_disk_or_socket_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "x"
    path.touch()
    for kind in (stat.S_IFBLK, stat.S_IFSOCK):
        fake_stat = os.stat_result([kind | 0o666, *path.stat()[1:]])
        with monkeypatch.context() as patch:
            patch.setattr("pathlib.Path.stat", lambda *_, **__: fake_stat)  # noqa: B023
            with pytest.raises(InputError, match="it is not an ordinary file"):
                write_file(path, "new", named=True)


@pytest.mark.parametrize("name", ["missing/x.svg", "missing/deeper/x.svg"])
def test_missing_folder_is_not_created(write, tmp_path, name):
    code, out, err = write(name)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert str((tmp_path / name).parent) in err
    assert "does not exist" in err
    assert file_types(tmp_path) == {}


@slow_cases("plot")
def test_unwritable_folder_is_one_line(write, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)  # file modes do not stop root
    code, out, err = write("x.svg")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"{tmp_path / 'x.svg'}: Permission denied" in err
    assert file_types(tmp_path) == {}


def test_path_is_checked_before_computing(run, tmp_path, monkeypatch):
    def work(*_):
        raise AssertionError("work was done")

    monkeypatch.setattr("reports.answers.ledger.ledger_lines", work)
    monkeypatch.setattr("reports.render.meter_plots.draw_meters", work)
    for command in (LEDGER, PLOT):
        assert run(*command, tmp_path / "missing" / "x.svg")[0] == 2


def test_dev_stdout_gets_only_the_ledger(run, tmp_path):
    ledger = ("ledger", "PAIR-SQUARE-11", "-o")
    printed = run(*ledger[:-1])[1]
    assert run_subprocess(*ledger, "/dev/stdout").stdout == printed
    path = tmp_path / "appended"
    path.write_text("before\n")
    with path.open("a") as file:
        process = run_subprocess(*ledger, "/dev/stdout", stdout=file, capture_output=False)
    assert (process.returncode, path.read_text()) == (0, f"before\n{printed}")
    with (tmp_path / "same").open("w") as file:  # the file that stdout is redirected to
        run_subprocess(*ledger, tmp_path / "same", stdout=file, capture_output=False)
    assert (tmp_path / "same").read_text() == printed
    assert run(*ledger, "/dev/null")[1] == ""


# Sheets, whose file names are derived


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "device"])
def test_derived_name_replaces_only_regular_files(tmp_path, kind):
    elsewhere, path = tmp_path / "elsewhere", tmp_path / "x.csv"
    elsewhere.write_text("precious")
    {
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
        "link": lambda: path.symlink_to(elsewhere),
        "device": lambda: path.symlink_to("/dev/null"),
    }[kind]()
    before = file_types(tmp_path)
    with pytest.raises(InputError, match="it is "):
        write_file(path, "new")
    assert file_types(tmp_path) == before
    assert elsewhere.read_text() == "precious"


def test_blocked_sheet_is_named_and_leaves_no_file(run, tmp_path):
    os.mkfifo(tmp_path / "PAIR-SQUARE-25-10-2D.md")
    code, out, err = run("parsheet", "PAIR-SQUARE-25-10", "-f", "csv,md", "-o", tmp_path)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("combinat: PAIR-SQUARE-25-10-2D: ")
    assert f"{tmp_path / 'PAIR-SQUARE-25-10-2D.md'}: it is not an ordinary file" in err
    assert file_types(tmp_path) == {"PAIR-SQUARE-25-10-2D.md": stat.S_IFIFO}


def test_only_the_output_folder_is_created(run, tmp_path):
    assert run("parsheet", "PAIR-SQUARE-25-10", "-f", "csv", "-o", tmp_path / "made" / "deeper")[0] == 0
    (tmp_path / "link").symlink_to("nowhere")
    code, _, err = run("parsheet", "PAIR-SQUARE-25-10", "-f", "csv", "-o", tmp_path / "link")
    assert (code, err.count("\n")) == (2, 1)
    assert str(tmp_path / "link") in err
    assert not (tmp_path / "nowhere").exists()


# write_file


def test_longest_possible_name_is_written(tmp_path):
    for name in ("x" * 255, "é" * 127):
        check_output_path(tmp_path / name)
        assert write_file(tmp_path / name, "new", named=True)
        assert (tmp_path / name).read_text() == "new"


def test_full_disk_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x"
    write_file(path, "old")

    def raise_full_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.chmod", raise_full_disk)
    with pytest.raises(OutputError, match="No space left on device"):
        write_file(path, "new")
    assert file_types(tmp_path) == {"x": stat.S_IFREG}
    assert path.read_text() == "old"


def test_new_file_has_the_mode_of_the_umask(tmp_path):
    old_umask = os.umask(0o027)
    try:
        write_file(tmp_path / "x", "new")
    finally:
        os.umask(old_umask)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


def test_unfinished_files_are_found_by_process_id(tmp_path):
    for name in (".combinat-12-abc", ".combinat-123-abc", "kept"):
        (tmp_path / name).touch()
    delete_temporary_files(tmp_path, 12)
    assert file_types(tmp_path).keys() == {".combinat-123-abc", "kept"}
    delete_temporary_files(tmp_path / "gone", 12)
