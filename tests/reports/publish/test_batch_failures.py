"""Batches with failures: other sheets are written, missing ones are named, and index files list only what exists."""

import hashlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote

import pytest

from reports.publish import sheets
from reports.publish.batch import Task
from reports.render import formats
from reports.render.formats import render_document
from tests.batches import INDEX_FILES, LISTS, Links, compute_sheet_once, read_folder
from tests.slow_cases import slow_case, slow_cases

pytestmark = pytest.mark.usefixtures("forked")

ROOT = Path(__file__).parents[3]
THREE_SHEETS = ("parsheets", "--only", "TRI-0[234]", "-d", "2", "-f", "csv,md")
NAMES = ["TRI-02-2D", "TRI-03-2D", "TRI-04-2D"]
JOBS = pytest.mark.parametrize("jobs", ["1", "2"])


@pytest.fixture(autouse=True)
def _figures_computed_once(monkeypatch):
    """Compute figures only once: these tests are about files, which are rendered and written each time."""
    monkeypatch.setattr("reports.publish.batch.compute_sheet_with_recipe", compute_sheet_once)


def file_names(*names, extensions=("csv", "md")):
    return {f"{name}.{extension}" for name in names for extension in extensions}


def assert_index_is_complete(folder, sheet_files):
    """Check that the folder has exactly these files and that every index file lists them with their hashes."""
    files = read_folder(folder)
    assert files.keys() == set(sheet_files) | INDEX_FILES
    listed = {
        name: hashlib.sha256(data).hexdigest()
        for name, data in files.items()
        if name in sheet_files | {"index.html", "checker.html"}
    }
    sums = dict(line.split("  ")[::-1] for line in files["SHA256SUMS"].decode().splitlines())
    manifest = {entry["name"]: entry["sha256"] for entry in json.loads(files["manifest.json"])["files"]}
    links = {unquote(link) for link in Links(files["index.html"].decode()).found if not link.startswith("#")}
    assert sums == manifest == listed
    assert links - {"manifest.json", "SHA256SUMS", "checker.html"} == set(sheet_files)


def when_rendering(monkeypatch, id, act):
    """Call `act` before the CSV of one paytable's sheet is rendered."""

    def watch(document, format, digits):
        if id in document.title and format == "csv":
            act()
        return render_document(document, format, digits)

    monkeypatch.setattr(formats, "render_document", watch)


def watch_titles(monkeypatch, titles):
    """Append the title of each document that is rendered to `titles`."""

    def watch(document, format, digits):
        titles.append(document.title)
        return render_document(document, format, digits)

    monkeypatch.setattr(formats, "render_document", watch)


# A worker is killed


@pytest.mark.slow  # fast: parallel/test_pool.py::test_killed_worker_is_replaced
def test_sheet_of_a_killed_worker_is_retried(run, tmp_path, monkeypatch):
    fresh, retried = tmp_path / "fresh", tmp_path / "hit"
    assert run(*THREE_SHEETS, "-j", "1", "-o", fresh)[0] == 0
    marker = tmp_path / "marker"

    def kill_once():
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    when_rendering(monkeypatch, "TRI-03", kill_once)
    code, out, err = run(*THREE_SHEETS, "-j", "2", "-o", retried)
    assert (code, err) == (0, "")
    assert out.startswith("6 files for 3 par sheets in ")
    assert marker.exists()
    assert read_folder(retried) == read_folder(fresh)  # the same bytes as if nothing had happened
    assert_index_is_complete(retried, file_names(*NAMES))


@pytest.mark.slow  # fast: test_out_of_memory_is_named_and_others_are_written
def test_deadly_sheet_is_named_and_others_are_written(run, tmp_path, monkeypatch):
    when_rendering(monkeypatch, "TRI-03", lambda: os.kill(os.getpid(), signal.SIGKILL))
    code, out, err = run(*THREE_SHEETS, "-j", "2", "-o", tmp_path)
    assert code == 1
    assert err.count("\n") == 1
    assert err.startswith("combinat: TRI-03-2D: ")
    assert "SIGKILL" in err
    assert out.startswith("4 files for 2 par sheets in ")
    assert_index_is_complete(tmp_path, file_names("TRI-02-2D", "TRI-04-2D"))
    (failure,) = json.loads((tmp_path / "manifest.json").read_text())["failures"]
    assert failure["sheet"] == "TRI-03-2D"


def test_out_of_memory_is_named_and_others_are_written(run, tmp_path, monkeypatch):
    def no_memory():
        raise MemoryError

    when_rendering(monkeypatch, "TRI-03", no_memory)
    code, _, err = run(*THREE_SHEETS, "-j", "2", "-o", tmp_path)
    assert (code, err) == (1, "combinat: TRI-03-2D: MemoryError:\n")
    assert_index_is_complete(tmp_path, file_names("TRI-02-2D", "TRI-04-2D"))


# The disk is full


@slow_cases("2")
@JOBS
def test_full_disk_leaves_no_partial_sheet(run, tmp_path, monkeypatch, jobs):
    write = sheets.write_all

    def write_with_full_disk(files):
        if any("TRI-03" in path.name for path in files):  # the second file cannot be created
            with monkeypatch.context() as patch:
                opened, make = [], __import__("tempfile").mkstemp

                def fail_second(**options):
                    opened.append(options)
                    if len(opened) > 1:
                        raise OSError(28, "No space left on device")
                    return make(**options)

                patch.setattr("tempfile.mkstemp", fail_second)
                return write(files)
        return write(files)

    monkeypatch.setattr(sheets, "write_all", write_with_full_disk)
    code, out, err = run(*THREE_SHEETS, "-j", jobs, "-o", tmp_path)
    path = tmp_path / "TRI-03-2D.md"
    assert (code, err.count("\n")) == (1, 1)
    assert err.startswith("combinat: TRI-03-2D: ")
    assert f"{path}: No space left on device" in err
    assert out.startswith("4 files for 2 par sheets in ")
    assert_index_is_complete(tmp_path, file_names("TRI-02-2D", "TRI-04-2D"))


def test_full_disk_names_every_sheet(run, tmp_path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, limits[1]))
    try:
        code, out, err = run(*THREE_SHEETS, "-j", "1", "-o", tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (code, out) == (1, f"0 files for 0 par sheets in {tmp_path}\n")
    missing = [f"{name}: cannot write {tmp_path / name}.csv" for name in NAMES]
    missing.append(f"index.html, SHA256SUMS, manifest.json: cannot write {tmp_path / 'index.html'}")
    assert err.splitlines() == [f"combinat: {failure}: File too large" for failure in missing]
    assert list(tmp_path.iterdir()) == []


def test_full_disk_removes_all_index_files(run, tmp_path, monkeypatch):
    def raise_full_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(
        "reports.publish.batch.format_json",
        lambda *_: monkeypatch.setattr("pathlib.Path.replace", raise_full_disk) or "{}",
    )
    code, out, err = run(*THREE_SHEETS, "-j", "1", "-o", tmp_path)
    assert (code, out) == (1, f"6 files for 3 par sheets in {tmp_path}\n")
    assert err.count("\n") == 1
    assert err.startswith("combinat: index.html, SHA256SUMS, manifest.json: ")
    assert f"{tmp_path / 'index.html'}: No space left on device" in err
    assert read_folder(tmp_path).keys() == file_names(*NAMES)


# The folder is deleted


@slow_cases("2")
@JOBS
def test_deleted_folder_is_reported_and_not_recreated(run, tmp_path, monkeypatch, jobs):
    folder = tmp_path / "x"
    # The folder is moved while the last of the three sheets is rendered.
    when_rendering(monkeypatch, "TRI-04", lambda: folder.rename(tmp_path / "away"))
    code, out, err = run(*THREE_SHEETS, "-j", jobs, "-o", folder)
    assert (code, out) == (1, f"0 files for 0 par sheets in {folder}\n")
    reason_by_name = dict(line.removeprefix("combinat: ").split(": ", 1) for line in err.splitlines())
    assert sorted(reason_by_name) == sorted([*NAMES, "index.html, SHA256SUMS, manifest.json"])
    no_folder = f"cannot write into {folder}: the folder does not exist"
    assert reason_by_name["TRI-04-2D"] == reason_by_name["index.html, SHA256SUMS, manifest.json"] == no_folder
    if jobs == "1":
        deleted = "deleted since it was written: TRI-02-2D.csv, TRI-02-2D.md"
        assert reason_by_name["TRI-02-2D"] == deleted
    assert not folder.exists()


def test_deleted_or_changed_file_is_reported(run, tmp_path, monkeypatch):
    def delete_and_change():
        (tmp_path / "TRI-02-2D.md").unlink()
        (tmp_path / "TRI-03-2D.csv").write_text("changed")

    when_rendering(monkeypatch, "TRI-04", delete_and_change)
    code, out, err = run(*THREE_SHEETS, "-j", "1", "-o", tmp_path)
    assert code == 1
    assert out.startswith("2 files for 1 par sheet in ")
    unlisted, deleted, changed = err.splitlines()
    assert unlisted.endswith(": TRI-02-2D.csv, TRI-03-2D.csv, TRI-03-2D.md")
    assert deleted.startswith("combinat: TRI-02-2D: deleted ")
    assert deleted.endswith(": TRI-02-2D.md")
    assert changed.startswith("combinat: TRI-03-2D: changed ")
    assert changed.endswith(": TRI-03-2D.csv")
    assert json.loads((tmp_path / "manifest.json").read_text())["files"][2]["name"] == "TRI-04-2D.csv"


def test_deleted_folder_of_parsheet_is_reported(run, tmp_path, monkeypatch):
    folder = tmp_path / "x"
    when_rendering(monkeypatch, "TRI-04", lambda: folder.rename(tmp_path / "away"))
    code, out, err = run("parsheet", "TRI-02", "TRI-04", "-d", "2", "-f", "csv", "-o", folder)
    assert (code, out) == (1, "")
    assert [line.split(": ")[1] for line in err.splitlines()] == ["TRI-02-2D", "TRI-04-2D"]


# Interrupts


def start_batch(folder, *options):
    """Start a batch of many sheets in its own process group and wait for its first file."""
    arguments = ["parsheets", "--only", "TRI*", "-f", "json", "-j", "2", "-o", str(folder)]
    command = [sys.executable, "-m", "reports", *arguments, *options]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # background jobs of a shell ignore it
    )
    while not any(path.suffix == ".json" and path.name != "manifest.json" for path in folder.glob("*")):
        assert process.poll() is None
        time.sleep(0.01)
    return process


@pytest.fixture
def old_batch(run, tmp_path):
    """Return the folder of an earlier batch of another date."""
    folder = tmp_path / "old"
    run("parsheets", "--only", "TRI-02", "-f", "csv", "--date", "2020-02-02", "-j", "1", "-o", folder)
    assert_index_is_complete(folder, file_names("TRI-02-2D", extensions=("csv",)))
    return folder


@pytest.mark.parametrize("whole_group", [True, slow_case(False)], ids=["terminal", "parent"])
def test_interrupt_leaves_no_index_and_no_workers(old_batch, whole_group):
    process = start_batch(old_batch)
    if whole_group:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    out, err = process.communicate()  # returns when the last process has closed its pipe
    assert (process.returncode, out) == (130, "")
    assert err.startswith("combinat: interrupted after ")
    assert str(old_batch) in err
    assert err.count("\n") == 1
    files = read_folder(old_batch)
    assert not files.keys() & LISTS
    assert not any(name.startswith(".") for name in files)
    assert all(json.loads(data) for name, data in files.items() if name.endswith(".json"))  # no partial file


def test_killed_parent_leaves_no_workers(old_batch):
    process = start_batch(old_batch)
    process.kill()
    process.communicate()  # returns when the last worker has closed its pipe
    files = read_folder(old_batch)
    assert not files.keys() & LISTS
    assert not any(name.startswith(".") for name in files)
    assert read_folder(old_batch) == files


def test_interrupt_in_one_process_is_one_line(run, old_batch, monkeypatch):
    def stop():
        raise KeyboardInterrupt

    when_rendering(monkeypatch, "TRI-04", stop)
    code, out, err = run(*THREE_SHEETS, "-j", "1", "-o", old_batch)
    assert (code, out) == (130, "")
    assert err.count("\n") == 1
    assert "interrupted after 2 of 3 par sheets" in err
    assert str(old_batch) in err
    assert read_folder(old_batch).keys() == file_names("TRI-02-2D", "TRI-03-2D") | {"checker.html"}
    code, out, err = run("parsheet", "TRI-04", "-d", "2", "-f", "csv", "-o", old_batch)
    assert (code, out, err) == (130, "", "combinat: interrupted\n")


@pytest.fixture
def private_cache(tmp_path, monkeypatch):
    """Use a separate cache, which is enabled."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("COMBINAT_NO_CACHE")


def interrupt_rendering(monkeypatch, id):
    def stop():
        raise KeyboardInterrupt

    when_rendering(monkeypatch, id, stop)


@pytest.mark.usefixtures("private_cache")
def test_interrupted_command_resumes(run, tmp_path, monkeypatch):
    fresh, folder, titles = tmp_path / "fresh", tmp_path / "x", []
    assert run(*THREE_SHEETS, "-j", "1", "-o", fresh)[0] == 0
    interrupt_rendering(monkeypatch, "TRI-04")
    assert run(*THREE_SHEETS, "-j", "1", "-o", folder)[0] == 130
    (folder / "TRI-02-2D.md").write_text("meddled with")
    monkeypatch.setattr(
        formats, "render_document", lambda *arguments: titles.append(arguments[0].title) or render_document(*arguments)
    )
    assert run(*THREE_SHEETS, "-j", "1", "-o", folder)[0] == 0
    assert [id for id in ("TRI-02", "TRI-03", "TRI-04") if id in "".join(titles)] == ["TRI-02", "TRI-04"]
    assert read_folder(folder) == read_folder(fresh)
    titles.clear()
    assert run(*THREE_SHEETS, "-j", "1", "-o", folder)[0] == 0
    assert len(set(titles)) == 3  # a finished command starts from the beginning


@pytest.mark.usefixtures("private_cache")
def test_interrupt_within_a_group_keeps_finished_sheets(run, tmp_path, monkeypatch):
    command = ("parsheets", "--only", "TRI-0[24]", "-d", "2", "-f", "csv", "-j", "1", "-o", tmp_path / "x")
    monkeypatch.setattr(
        "reports.publish.batch.task_of", lambda paytable, decks: Task(paytable.id, paytable.id, decks, is_slow=True)
    )
    interrupt_rendering(monkeypatch, "TRI-04")
    code, out, err = run(*command)
    assert (code, out) == (130, "")
    assert err.startswith("combinat: interrupted after 1 of 2 par sheets; ")
    assert read_folder(tmp_path / "x").keys() == {"TRI-02-2D.csv"}
    titles = []
    monkeypatch.setattr(
        formats, "render_document", lambda *arguments: titles.append(arguments[0].title) or render_document(*arguments)
    )
    assert run(*command)[0] == 0
    assert len(titles) == 1
    assert "TRI-04" in titles[0]
    assert_index_is_complete(tmp_path / "x", file_names("TRI-02-2D", "TRI-04-2D", extensions=("csv",)))


@pytest.mark.usefixtures("private_cache")
def test_other_command_does_not_resume(run, tmp_path, monkeypatch):
    folder = tmp_path / "x"
    interrupt_rendering(monkeypatch, "TRI-04")
    assert run(*THREE_SHEETS, "-j", "1", "-o", folder)[0] == 130
    titles = []
    monkeypatch.setattr(
        formats, "render_document", lambda *arguments: titles.append(arguments[0].title) or render_document(*arguments)
    )
    assert run(*THREE_SHEETS, "-j", "1", "--digits", "12", "-o", folder)[0] == 0
    assert len(set(titles)) == 3


# Existing files


def test_overwritten_folder_lists_its_files(run, old_batch):
    assert run("parsheets", "--only", "TRI-02", "-f", "csv,md", "-j", "1", "-o", old_batch)[0] == 0
    assert_index_is_complete(old_batch, file_names("TRI-02-2D"))


def test_sheets_of_an_earlier_run_are_reported(run, old_batch):
    code, _, err = run("parsheets", "--only", "TRI-04", "-d", "2", "-f", "md", "-j", "1", "-o", old_batch)
    old_name = "TRI-02-2D.csv"
    assert (code, err.count("\n")) == (0, 1)
    assert str(old_batch) in err
    assert err.endswith(f": {old_name}\n")
    sums = (old_batch / "SHA256SUMS").read_text()
    assert old_name not in sums


def test_single_sheet_removes_outdated_index_files(run, mine, old_batch):
    before = read_folder(old_batch)
    command = ("parsheet", "TRI-02", "-f", "csv", "--date", "2020-02-02", "-o", old_batch)
    assert run(*command)[2] == ""
    assert run("parsheet", mine, "-d", "6", "-f", "csv", "-o", old_batch)[2] == ""
    assert {name: data for name, data in read_folder(old_batch).items() if name in before} == before
    code, _, err = run("parsheet", "TRI-02", "-f", "csv", "--date", "2021-01-01", "-o", old_batch)
    assert code == 0
    assert err.startswith(f"combinat: deleted from {old_batch}")
    assert err.endswith(": index.html, SHA256SUMS, manifest.json\n")
    assert not read_folder(old_batch).keys() & LISTS


@pytest.mark.parametrize("name", sorted(INDEX_FILES))
@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_blocked_index_path_is_refused_before_writing(run, tmp_path, name, kind):
    path = tmp_path / name
    {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path), "link": lambda: path.symlink_to("x")}[kind]()
    code, out, err = run(*THREE_SHEETS, "-j", "1", "-o", tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"combinat: cannot write {path}: it is ")
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


FOREIGN = {
    "index.html": "<!doctype html><title>My site</title>",
    "manifest.json": '{"name": "My web app", "icons": []}',
    "SHA256SUMS": f"{'0' * 64}  disk.iso\n",
    "TRI-03-2D.csv": "Date,Amount\n2026-11-18,5\n",
    "TRI-04-2D.md": "my notes on this bet",
}


def foreign_content(suffix):
    """Return the content of a foreign file with the extension of a sheet."""
    return {".pdf": b"%PDF-1.7\nmine", ".xlsx": b"PK\x05\x06" + b"\0" * 18, ".json": b"[]"}.get(suffix, b"mine\n")


@pytest.mark.parametrize("name", sorted(FOREIGN))
def test_existing_foreign_file_is_refused_before_writing(run, tmp_path, name):
    (tmp_path / name).write_text(FOREIGN[name])
    code, out, err = run(*THREE_SHEETS, "-j", "1", "-o", tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert str(tmp_path / name) in err
    assert "--force" in err
    assert read_folder(tmp_path) == {name: FOREIGN[name].encode()}
    assert run(*THREE_SHEETS, "-j", "1", "-o", tmp_path, "--force")[0] == 0
    assert read_folder(tmp_path).keys() == file_names(*NAMES) | INDEX_FILES
    assert read_folder(tmp_path)[name] != FOREIGN[name].encode()


def test_batch_replaces_files_of_an_earlier_batch(run, tmp_path):
    assert run(*THREE_SHEETS, "-j", "1", "-o", tmp_path)[0] == 0
    before = read_folder(tmp_path)
    for name in INDEX_FILES:  # like an interrupted run
        (tmp_path / name).unlink()
    assert run(*THREE_SHEETS, "-j", "1", "-o", tmp_path)[0] == 0
    assert read_folder(tmp_path) == before


@pytest.mark.parametrize("suffix", ["json", "html", "md", "csv", "tex", slow_case("xlsx"), slow_case("pdf")])
def test_parsheet_replaces_only_its_own_files(run, tmp_path, suffix):
    path = tmp_path / f"TRI-02-2D.{suffix}"
    command = ("parsheet", "TRI-02", "--format", suffix, "-o", str(tmp_path))
    assert run(*command)[0] == 0
    first = path.read_bytes()
    assert run(*command)[0] == 0  # ours
    assert path.read_bytes() == first
    path.write_bytes(foreign_content(f".{suffix}"))
    code, out, err = run(*command)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert path.read_bytes() == foreign_content(f".{suffix}")
    assert run(*command, "--force")[0] == 0
    assert path.read_bytes() == first


def test_parsheet_keeps_foreign_index_files(run, tmp_path):
    foreign_files = {"index.html": "mine", "manifest.json": "{}", "SHA256SUMS": f"{'0' * 64}  TRI-02-2D.json\n"}
    for name, text in foreign_files.items():
        (tmp_path / name).write_text(text)
    assert run("parsheet", "TRI-02", "--format", "json", "-o", str(tmp_path))[::2] == (0, "")
    assert {name: (tmp_path / name).read_text() for name in foreign_files} == foreign_files
