"""Batches with accidents: the rest is written, what is missing is named, and no list tells of what is not there."""

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

from reports import render
from reports.publish import sheets
from reports.publish.batch import Task
from tests.batches import ABOUT, Links, contents, made_once

pytestmark = pytest.mark.usefixtures("forked")

ROOT = Path(__file__).parents[2]
THREE = ("parsheets", "--only", "TRI-0[234]", "-d", "2", "-f", "csv,md")
NAMES = ["TRI-02_2-decks", "TRI-03_2-decks", "TRI-04_2-decks"]
JOBS = pytest.mark.parametrize("jobs", ["1", "2"])


@pytest.fixture(autouse=True)
def _figures_at_hand(monkeypatch):
    """Accidents happen to files, so figures are worked out once; every file is rendered and written each time."""
    monkeypatch.setattr("reports.publish.batch.compute_sheet", made_once)


def files_of(*names, endings=("csv", "md")):
    return {f"{name}.{ending}" for name in names for ending in endings}


def assert_lists_are_true(folder, sheet_files):
    """Every file is there, listed everywhere and as it is listed, and there is nothing else."""
    found = contents(folder)
    assert found.keys() == set(sheet_files) | ABOUT
    listed = {
        name: hashlib.sha256(data).hexdigest() for name, data in found.items() if name in sheet_files | {"index.html"}
    }
    sums = dict(line.split("  ")[::-1] for line in found["SHA256SUMS"].decode().splitlines())
    manifest = {one["name"]: one["sha256"] for one in json.loads(found["manifest.json"])["files"]}
    links = {unquote(link) for link in Links(found["index.html"].decode()).found if not link.startswith("#")}
    assert sums == manifest == listed
    assert links - {"manifest.json", "SHA256SUMS"} == set(sheet_files)


def when_rendering(monkeypatch, id, act):
    """Do something when the CSV of one paytable's sheet is to be made."""

    def watch(document, format, digits):
        if id in document.title and format == "csv":
            act()
        return render.render(document, format, digits)

    monkeypatch.setattr(sheets, "render", watch)


# A worker is killed


def test_killed_worker_costs_nothing_if_it_was_not_the_sheets_fault(run, tmp_path, monkeypatch):
    fresh, hit = tmp_path / "fresh", tmp_path / "hit"
    assert run(*THREE, "-j", "1", "-o", fresh)[0] == 0
    marker = tmp_path / "marker"

    def kill_once():
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    when_rendering(monkeypatch, "TRI-03", kill_once)
    code, out, err = run(*THREE, "-j", "2", "-o", hit)
    assert (code, err) == (0, "")
    assert out.startswith("6 files for 3 par sheets in ")
    assert marker.exists()
    assert contents(hit) == contents(fresh)  # the same bytes as if nothing had happened
    assert_lists_are_true(hit, files_of(*NAMES))


def test_sheet_that_kills_its_worker_is_named_and_the_others_are_written(run, tmp_path, monkeypatch):
    when_rendering(monkeypatch, "TRI-03", lambda: os.kill(os.getpid(), signal.SIGKILL))
    code, out, err = run(*THREE, "-j", "2", "-o", tmp_path)
    assert code == 1
    assert err == "combinat: TRI-03_2-decks: the process ended: killed by SIGKILL, twice\n"
    assert out.startswith("4 files for 2 par sheets in ")
    assert_lists_are_true(tmp_path, files_of("TRI-02_2-decks", "TRI-04_2-decks"))
    (failure,) = json.loads((tmp_path / "manifest.json").read_text())["failures"]
    assert failure["sheet"] == "TRI-03_2-decks"


def test_out_of_memory_is_named_and_the_others_are_written(run, tmp_path, monkeypatch):
    def no_memory():
        raise MemoryError

    when_rendering(monkeypatch, "TRI-03", no_memory)
    code, _, err = run(*THREE, "-j", "2", "-o", tmp_path)
    assert (code, err) == (1, "combinat: TRI-03_2-decks: MemoryError:\n")
    assert_lists_are_true(tmp_path, files_of("TRI-02_2-decks", "TRI-04_2-decks"))


# The disk is full


@JOBS
def test_full_disk_leaves_no_part_of_a_sheet_and_names_it(run, tmp_path, monkeypatch, jobs):
    write = sheets.write_all

    def full(files):
        if any("TRI-03" in path.name for path in files):  # the second file finds no room
            with monkeypatch.context() as patch:
                opened, make = [], __import__("tempfile").mkstemp

                def second_fails(**how):
                    opened.append(how)
                    if len(opened) > 1:
                        raise OSError(28, "No space left on device")
                    return make(**how)

                patch.setattr("tempfile.mkstemp", second_fails)
                return write(files)
        return write(files)

    monkeypatch.setattr(sheets, "write_all", full)
    code, out, err = run(*THREE, "-j", jobs, "-o", tmp_path)
    path = tmp_path / "TRI-03_2-decks.md"
    assert (code, err) == (1, f"combinat: TRI-03_2-decks: cannot write {path}: No space left on device\n")
    assert out.startswith("4 files for 2 par sheets in ")
    assert_lists_are_true(tmp_path, files_of("TRI-02_2-decks", "TRI-04_2-decks"))


def test_disk_without_room_for_anything_names_everything(run, tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        code, out, err = run(*THREE, "-j", "1", "-o", tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (code, out) == (1, f"0 files for 0 par sheets in {tmp_path}\n")
    missing = [f"{name}: cannot write {tmp_path / name}.csv" for name in NAMES]
    missing.append(f"index.html, SHA256SUMS, manifest.json: cannot write {tmp_path / 'index.html'}")
    assert err.splitlines() == [f"combinat: {one}: File too large" for one in missing]
    assert list(tmp_path.iterdir()) == []


def test_full_disk_at_the_lists_leaves_none_rather_than_one(run, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(
        "reports.publish.batch.format_json", lambda *_: monkeypatch.setattr("pathlib.Path.replace", full) or "{}"
    )
    code, out, err = run(*THREE, "-j", "1", "-o", tmp_path)
    assert (code, out) == (1, f"6 files for 3 par sheets in {tmp_path}\n")
    reason = f"cannot write {tmp_path / 'index.html'}: No space left on device"
    assert err == f"combinat: index.html, SHA256SUMS, manifest.json: {reason}\n"
    assert contents(tmp_path).keys() == files_of(*NAMES)


# The folder vanishes


@JOBS
def test_folder_that_vanishes_is_told_and_not_made_again(run, tmp_path, monkeypatch, jobs):
    folder = tmp_path / "x"
    # The last of the three sheets finds the others gone, or takes them along.
    when_rendering(monkeypatch, "TRI-04", lambda: folder.rename(tmp_path / "away"))
    code, out, err = run(*THREE, "-j", jobs, "-o", folder)
    assert (code, out) == (1, f"0 files for 0 par sheets in {folder}\n")
    lines = dict(line.removeprefix("combinat: ").split(": ", 1) for line in err.splitlines())
    assert sorted(lines) == sorted([*NAMES, "index.html, SHA256SUMS, manifest.json"])
    no_folder = f"cannot write into {folder}: there is no such folder; make it first"
    assert lines["TRI-04_2-decks"] == lines["index.html, SHA256SUMS, manifest.json"] == no_folder
    if jobs == "1":
        gone = "gone since it was written: TRI-02_2-decks.csv, TRI-02_2-decks.md"
        assert lines["TRI-02_2-decks"] == gone
    assert not folder.exists()


def test_file_that_vanishes_or_changes_is_told(run, tmp_path, monkeypatch):
    def meddle():
        (tmp_path / "TRI-02_2-decks.md").unlink()
        (tmp_path / "TRI-03_2-decks.csv").write_text("changed")

    when_rendering(monkeypatch, "TRI-04", meddle)
    code, out, err = run(*THREE, "-j", "1", "-o", tmp_path)
    assert code == 1
    assert out.startswith("2 files for 1 par sheet in ")
    assert err.splitlines() == [
        f"combinat: 3 files in {tmp_path} of sheets that this run did not write, in no list: "
        "TRI-02_2-decks.csv, TRI-03_2-decks.csv, TRI-03_2-decks.md",
        "combinat: TRI-02_2-decks: gone since it was written: TRI-02_2-decks.md",
        "combinat: TRI-03_2-decks: changed since it was written: TRI-03_2-decks.csv",
    ]
    assert json.loads((tmp_path / "manifest.json").read_text())["files"][1]["name"] == "TRI-04_2-decks.csv"


def test_folder_of_a_single_command_that_vanishes_is_told(run, tmp_path, monkeypatch):
    folder = tmp_path / "x"
    when_rendering(monkeypatch, "TRI-04", lambda: folder.rename(tmp_path / "away"))
    code, out, err = run("parsheet", "TRI-02", "TRI-04", "-d", "2", "-f", "csv", "-o", folder)
    assert (code, out) == (1, "")
    assert [line.split(": ")[1] for line in err.splitlines()] == ["TRI-02_2-decks", "TRI-04_2-decks"]


# Somebody stops it


def started(folder, *more):
    """Start a batch of many sheets in a group of its own and wait until it has written the first."""
    every = ["parsheets", "--only", "TRI*", "-f", "json", "-j", "2", "-o", str(folder)]
    command = [sys.executable, "-m", "reports", *every, *more]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's job behind the scenes ignores it
    )
    while not any(path.suffix == ".json" and path.name != "manifest.json" for path in folder.glob("*")):
        assert process.poll() is None
        time.sleep(0.01)
    return process


@pytest.fixture
def old_batch(run, tmp_path):
    """A folder that an earlier run has written, whose lists are about to be out of date."""
    folder = tmp_path / "old"
    run("parsheets", "--only", "TRI-02", "-f", "csv", "--date", "2020-02-02", "-j", "1", "-o", folder)
    assert_lists_are_true(folder, files_of("TRI-02_2-decks", endings=("csv",)))
    return folder


@pytest.mark.parametrize("everybody", [True, False], ids=["terminal", "parent"])
def test_interrupt_is_one_line_and_leaves_neither_lists_nor_workers(old_batch, everybody):
    process = started(old_batch)
    if everybody:
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.SIGINT)
    out, err = process.communicate()  # which ends when the last process has closed its end
    assert (process.returncode, out) == (130, "")
    assert err.startswith("combinat: interrupted after ")
    assert err.endswith(f" par sheets; there is no index in {old_batch} until all are written\n")
    assert err.count("\n") == 1
    left = contents(old_batch)
    assert not left.keys() & ABOUT
    assert not any(name.startswith(".") for name in left)
    assert all(json.loads(data) for name, data in left.items() if name.endswith(".json"))  # each of them whole


def test_parent_that_is_killed_leaves_no_worker_writing(old_batch):
    process = started(old_batch)
    process.kill()
    process.communicate()  # which ends when the last worker has closed its end
    left = contents(old_batch)
    assert not left.keys() & ABOUT
    assert not any(name.startswith(".") for name in left)
    assert contents(old_batch) == left


def test_interrupted_sheet_in_one_process_is_one_line_too(run, old_batch, monkeypatch):
    def stop():
        raise KeyboardInterrupt

    when_rendering(monkeypatch, "TRI-04", stop)
    code, out, err = run(*THREE, "-j", "1", "-o", old_batch)
    assert (code, out) == (130, "")
    assert err == (
        f"combinat: interrupted after 2 of 3 par sheets; there is no index in {old_batch} until all are written\n"
    )
    assert contents(old_batch).keys() == files_of("TRI-02_2-decks", "TRI-03_2-decks")
    code, out, err = run("parsheet", "TRI-04", "-d", "2", "-f", "csv", "-o", old_batch)
    assert (code, out, err) == (130, "", "combinat: interrupted\n")


@pytest.fixture
def remembered(tmp_path, monkeypatch):
    """A cache of its own, turned on."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("COMBINAT_NO_CACHE")


def interrupted_at(monkeypatch, id):
    def stop():
        raise KeyboardInterrupt

    when_rendering(monkeypatch, id, stop)


@pytest.mark.usefixtures("remembered")
def test_the_same_command_goes_on_where_it_was_stopped(run, tmp_path, monkeypatch):
    fresh, folder, made = tmp_path / "fresh", tmp_path / "x", []
    assert run(*THREE, "-j", "1", "-o", fresh)[0] == 0
    interrupted_at(monkeypatch, "TRI-04")
    assert run(*THREE, "-j", "1", "-o", folder)[0] == 130
    (folder / "TRI-02_2-decks.md").write_text("meddled with")
    monkeypatch.setattr(sheets, "render", lambda *given: made.append(given[0].title) or render.render(*given))
    assert run(*THREE, "-j", "1", "-o", folder)[0] == 0
    assert [id for id in ("TRI-02", "TRI-03", "TRI-04") if id in "".join(made)] == ["TRI-02", "TRI-04"]
    assert contents(folder) == contents(fresh)
    made.clear()
    assert run(*THREE, "-j", "1", "-o", folder)[0] == 0
    assert len(set(made)) == 3  # what is through is begun anew


@pytest.mark.usefixtures("remembered")
def test_sheets_before_an_interrupt_within_a_group_are_counted_and_not_made_again(run, tmp_path, monkeypatch):
    two = ("parsheets", "--only", "TRI-0[24]", "-d", "2", "-f", "csv", "-j", "1", "-o", tmp_path / "x")
    monkeypatch.setattr("reports.publish.batch.task_of", lambda one, decks: Task(one.id, one.id, decks, is_long=True))
    interrupted_at(monkeypatch, "TRI-04")
    code, out, err = run(*two)
    assert (code, out) == (130, "")
    assert err.startswith("combinat: interrupted after 1 of 2 par sheets; ")
    assert contents(tmp_path / "x").keys() == {"TRI-02_2-decks.csv"}
    made = []
    monkeypatch.setattr(sheets, "render", lambda *given: made.append(given[0].title) or render.render(*given))
    assert run(*two)[0] == 0
    assert len(made) == 1
    assert "TRI-04" in made[0]
    assert_lists_are_true(tmp_path / "x", files_of("TRI-02_2-decks", "TRI-04_2-decks", endings=("csv",)))


@pytest.mark.usefixtures("remembered")
def test_another_command_does_not_go_on_with_what_was_stopped(run, tmp_path, monkeypatch):
    folder = tmp_path / "x"
    interrupted_at(monkeypatch, "TRI-04")
    assert run(*THREE, "-j", "1", "-o", folder)[0] == 130
    made = []
    monkeypatch.setattr(sheets, "render", lambda *given: made.append(given[0].title) or render.render(*given))
    assert run(*THREE, "-j", "1", "--digits", "12", "-o", folder)[0] == 0
    assert len(set(made)) == 3


# A folder is written over


def test_folder_written_over_has_the_lists_of_what_is_there(run, old_batch):
    assert run("parsheets", "--only", "TRI-02", "-f", "csv,md", "-j", "1", "-o", old_batch)[0] == 0
    assert_lists_are_true(old_batch, files_of("TRI-02_2-decks"))


def test_sheets_of_an_earlier_run_are_pointed_out(run, old_batch):
    code, _, err = run("parsheets", "--only", "TRI-04", "-d", "2", "-f", "md", "-j", "1", "-o", old_batch)
    other = "TRI-02_2-decks.csv"
    assert (code, err) == (
        0,
        f"combinat: 1 file in {old_batch} of sheets that this run did not write, in no list: {other}\n",
    )
    sums = (old_batch / "SHA256SUMS").read_text()
    assert other not in sums


def test_single_sheet_does_not_make_a_folders_lists_false(run, mine, old_batch):
    before = contents(old_batch)
    same = ("parsheet", "TRI-02", "-f", "csv", "--date", "2020-02-02", "-o", old_batch)
    assert run(*same)[2] == ""
    assert run("parsheet", mine, "-d", "6", "-f", "csv", "-o", old_batch)[2] == ""
    assert {name: data for name, data in contents(old_batch).items() if name in before} == before
    code, _, err = run("parsheet", "TRI-02", "-f", "csv", "--date", "2021-01-01", "-o", old_batch)
    assert code == 0
    assert err == (
        f"combinat: the lists in {old_batch} told of another sheet than is there now and were taken away: "
        "index.html, SHA256SUMS, manifest.json\n"
    )
    assert not contents(old_batch).keys() & ABOUT


@pytest.mark.parametrize("name", sorted(ABOUT))
@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_list_whose_place_is_taken_is_refused_before_a_sheet_is_written(run, tmp_path, name, kind):
    path = tmp_path / name
    {"folder": path.mkdir, "pipe": lambda: os.mkfifo(path), "link": lambda: path.symlink_to("x")}[kind]()
    code, out, err = run(*THREE, "-j", "1", "-o", tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"combinat: cannot write {path}: it is ")
    assert [one.name for one in tmp_path.iterdir()] == [name]


FOREIGN = {
    "index.html": "<!doctype html><title>My site</title>",
    "manifest.json": '{"name": "My web app", "icons": []}',
    "SHA256SUMS": f"{'0' * 64}  disk.iso\n",
    "TRI-03_2-decks.csv": "Date,Amount\n2026-11-18,5\n",
    "TRI-04_2-decks.md": "my notes on this bet",
}


def suffix_content(suffix):
    """What a person might have under the name of a sheet."""
    return {".pdf": b"%PDF-1.7\nmine", ".xlsx": b"PK\x05\x06" + b"\0" * 18, ".json": b"[]"}.get(suffix, b"mine\n")


@pytest.mark.parametrize("name", sorted(FOREIGN))
def test_existing_foreign_file_is_refused_before_writing(run, tmp_path, name):
    (tmp_path / name).write_text(FOREIGN[name])
    code, out, err = run(*THREE, "-j", "1", "-o", tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert str(tmp_path / name) in err
    assert "--force" in err
    assert contents(tmp_path) == {name: FOREIGN[name].encode()}
    assert run(*THREE, "-j", "1", "-o", tmp_path, "--force")[0] == 0
    assert contents(tmp_path).keys() == files_of(*NAMES) | ABOUT
    assert contents(tmp_path)[name] != FOREIGN[name].encode()


def test_batch_replaces_what_an_earlier_batch_wrote(run, tmp_path):
    assert run(*THREE, "-j", "1", "-o", tmp_path)[0] == 0
    before = contents(tmp_path)
    for name in ABOUT:  # as a run that was stopped leaves the folder
        (tmp_path / name).unlink()
    assert run(*THREE, "-j", "1", "-o", tmp_path)[0] == 0
    assert contents(tmp_path) == before


@pytest.mark.parametrize("suffix", ["json", "html", "md", "csv", "tex", "xlsx", "pdf"])
def test_parsheet_refuses_a_foreign_file_and_replaces_its_own(run, tmp_path, suffix):
    path = tmp_path / f"TRI-02_2-decks.{suffix}"
    command = ("parsheet", "TRI-02", "--format", suffix, "-o", str(tmp_path))
    assert run(*command)[0] == 0
    first = path.read_bytes()
    assert run(*command)[0] == 0  # ours
    assert path.read_bytes() == first
    path.write_bytes(suffix_content(f".{suffix}"))
    code, out, err = run(*command)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert path.read_bytes() == suffix_content(f".{suffix}")
    assert run(*command, "--force")[0] == 0
    assert path.read_bytes() == first


def test_parsheet_leaves_lists_that_combinat_did_not_write(run, tmp_path):
    lists = {"index.html": "mine", "manifest.json": "{}", "SHA256SUMS": f"{'0' * 64}  TRI-02_2-decks.json\n"}
    for name, text in lists.items():
        (tmp_path / name).write_text(text)
    assert run("parsheet", "TRI-02", "--format", "json", "-o", str(tmp_path))[::2] == (0, "")
    assert {name: (tmp_path / name).read_text() for name in lists} == lists
