"""Many sheets at once: the same bytes every time, every file accounted for, and nothing half done."""

import hashlib
import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator

from combinat.bets.catalog import get_paytable
from combinat.parallel.pool import ProcessPool
from reports import render
from reports.cli import main as cli
from reports.publish import sheets
from reports.publish.batch import Task, write_lists, write_task
from reports.publish.batch import write_batch as run_batch
from reports.publish.sheets import EXTENSIONS, SheetOptions
from tests.batches import ABOUT, Links, contents, made_once

SELECTION = ("--only", "TBJ-06-202[04]", "--decks", "6", "--date", "2026-11-16", "--prepared-by", "A. Author")
NAMES = ["TBJ-06-2020_6-decks", "TBJ-06-2024_6-decks"]
QUICK = ("--format", "csv,json", "--jobs", "1")


@pytest.fixture(autouse=True)
def _figures_at_hand(monkeypatch):
    """These tests are about files, so figures are worked out once; every file is rendered and written each time."""
    monkeypatch.setattr("reports.publish.batch.compute_sheet", made_once)


SOME, ALL = ("html", "csv", "json", "md", "xlsx"), tuple(EXTENSIONS.values())


@pytest.fixture(scope="module", params=[SOME, pytest.param(ALL, marks=pytest.mark.slow)], ids=["some", "all"])
def endings(request):
    """Formats of the sheets; PDFs are also made anew in another process by a test of their own."""
    return request.param


@pytest.fixture(scope="module")
def batch(tmp_path_factory, endings):
    """Two runs, in this process and in others: other folders, other numbers of jobs, other seeds, other places."""
    folders = []
    for jobs, told in (("1", told_here), ("2", told_elsewhere)):
        folder = tmp_path_factory.mktemp(f"jobs-{jobs}") / "a folder" / "deeper"
        asked = ["--format", ",".join(endings)] if endings == SOME else []
        code, out, err = told("parsheets", *SELECTION, *asked, "--jobs", jobs, "--output", str(folder))
        assert (code, err) == (0, "")  # nobody looks, so no bar is drawn
        files = f"{2 * len(endings)} files for 2 par sheets in {folder}"
        assert out == f"{files}; start with {folder / 'index.html'}\n"
        folders.append(folder)
    return folders


def told_here(*arguments):
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["combinat", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
    return stop.value.code or 0, out.getvalue(), err.getvalue()


def told_elsewhere(*arguments):
    surroundings = {"PYTHONHASHSEED": "2", "TZ": "Pacific/Auckland", "LC_ALL": "C.UTF-8", "COLUMNS": "40"}
    command = [sys.executable, "-m", "reports", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **surroundings})
    return done.returncode, done.stdout, done.stderr


def test_same_bytes_in_every_format_on_every_run(batch, endings):
    first, second = map(contents, batch)
    assert first.keys() == second.keys()
    assert {name for name, data in first.items() if data != second[name]} == set()
    assert first.keys() == {f"{name}.{ending}" for name in NAMES for ending in endings} | ABOUT


def test_manifest_and_sums_have_the_fingerprint_of_every_file(batch):
    found = contents(batch[0])
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in found.items()}
    manifest = json.loads(found["manifest.json"])
    listed = {file["name"]: file["sha256"] for file in manifest["files"]}
    about_themselves = {"manifest.json", "SHA256SUMS"}
    assert listed == {name: sha for name, sha in sums.items() if name not in about_themselves}
    assert all(file["bytes"] == len(found[file["name"]]) for file in manifest["files"])
    assert manifest["failures"] == []
    lines = found["SHA256SUMS"].decode().splitlines()
    assert dict(line.split("  ")[::-1] for line in lines) == listed


def test_index_links_to_every_file_and_to_nothing_else(batch):
    found = contents(batch[0])
    links = {unquote(link) for link in Links(found["index.html"].decode()).found if not link.startswith("#")}
    sheets_written = {name for name in found if name not in ABOUT}
    assert sheets_written <= links
    assert links - sheets_written <= {"manifest.json", "SHA256SUMS"}


def test_sheets_of_a_batch_are_those_that_are_asked_for_one_by_one(batch, endings, run, tmp_path):
    endings = [ending for ending in endings if ending != "pdf"]
    options = ("--date", "2026-11-16", "--prepared-by", "A. Author", "--format", ",".join(endings))
    code, out, _ = run("parsheet", "TBJ-06-2024", "-d", "6", *options, "-o", tmp_path / "x")
    assert code == 0
    assert out.split() == [str(tmp_path / "x" / f"TBJ-06-2024_6-decks.{ending}") for ending in endings]
    for name, data in contents(tmp_path / "x").items():
        assert data == (batch[0] / name).read_bytes()


@pytest.mark.slow  # sheets as they are written verify in `test_verify_command.py`, and fit in `test_schema.py`
def test_json_of_a_batch_verifies_and_fits_the_schema(batch, run):
    code, out, _ = run("verify", *(batch[0] / f"{name}.json" for name in NAMES))
    assert code == 0, out
    code, out, err = run("schema")
    assert (code, err) == (0, "")
    schema = json.loads(out)
    Draft202012Validator.check_schema(schema)
    for name in NAMES:
        Draft202012Validator(schema).validate(json.loads((batch[0] / f"{name}.json").read_text(encoding="utf-8")))


def test_date_stands_on_every_sheet_and_only_if_it_was_given(batch, run, tmp_path, monkeypatch):
    assert json.loads((batch[0] / "TBJ-06-2020_6-decks.json").read_text())["identification"]["date"] == "2026-11-16"
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    for folder, epoch, date in (("none", None, None), ("epoch", "86400", "1970-01-02")):
        if epoch:
            monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        assert run("parsheet", "TBJ-06-2020", "-d", "6", "-f", "json", "-o", tmp_path / folder)[0] == 0
        sheet = json.loads((tmp_path / folder / "TBJ-06-2020_6-decks.json").read_text(encoding="utf-8"))
        assert sheet["identification"]["date"] == date


# What goes wrong


def failing_for(id):
    """Render as ever, but not the CSV of one paytable."""

    def fail(document, format, digits):
        if id in document.title and format == "csv":
            raise RuntimeError("the pen\nbroke")
        return render.render(document, format, digits)

    return fail


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_failing_sheet_is_named_and_the_others_are_finished(run, tmp_path, monkeypatch, jobs):
    monkeypatch.setattr(sheets, "render", failing_for("TBJ-06-2020"))
    code, out, err = run(
        "parsheets", "--only", "TBJ-06-202[04]", "-d", "6", "-f", "json,csv,md", "-j", jobs, "-o", tmp_path / "x"
    )
    assert code == 1
    assert err == "combinat: TBJ-06-2020_6-decks: RuntimeError: the pen broke\n"
    assert out.startswith("3 files for 1 par sheet in ")
    found = contents(tmp_path / "x")
    assert {f"TBJ-06-2024_6-decks.{ending}" for ending in ("json", "csv", "md")} <= found.keys()
    page = found["index.html"].decode()
    assert "TBJ-06-2020_6-decks" in page
    assert "the pen broke" in page
    manifest = json.loads(found["manifest.json"])
    assert manifest["failures"] == [{"sheet": "TBJ-06-2020_6-decks", "reason": "RuntimeError: the pen broke"}]
    assert not any(name.startswith(".") or name.endswith(".tmp") for name in found)


@pytest.mark.usefixtures("forked")
def test_failing_sheet_leaves_no_file_that_the_manifest_does_not_know(run, tmp_path, monkeypatch):
    # JSON is written before CSV fails: it is kept and listed, or taken away; a stray file is neither.
    monkeypatch.setattr(sheets, "render", failing_for("TBJ-06-2020"))
    assert run("parsheets", "--only", "TBJ-06-2020", "-d", "6", "-f", "json,csv", "-j", "1", "-o", tmp_path)[0] == 1
    found = contents(tmp_path)
    listed = {file["name"] for file in json.loads(found["manifest.json"])["files"]}
    assert listed == found.keys() - {"manifest.json", "SHA256SUMS"}


def test_failing_sheet_of_parsheet_is_named_and_the_others_are_finished(run, tmp_path, monkeypatch):
    monkeypatch.setattr(sheets, "render", failing_for("TBJ-06-2020"))
    code, out, err = run("parsheet", "TBJ-06-2020", "TBJ-06-2024", "-d", "6", "-f", "csv", "-o", tmp_path / "x")
    assert code == 1
    assert out == f"{tmp_path / 'x' / 'TBJ-06-2024_6-decks.csv'}\n"
    assert err == "combinat: TBJ-06-2020_6-decks: RuntimeError: the pen broke\n"


def die(*_):
    os._exit(3)


@pytest.mark.usefixtures("forked")
def test_process_that_dies_takes_only_its_sheets_along(tmp_path, monkeypatch):
    monkeypatch.setattr(sheets, "render", die)
    tasks = [Task("TBJ-06-2020", "TBJ-06-2020", (6,)), Task("TBJ-06-2024", "TBJ-06-2024", (6,))]
    with ProcessPool(2) as workers:
        done = [one for many in run_batch(tasks, tmp_path, SheetOptions(("csv",)), workers) for one in many]
    assert sorted(one.name for one in done) == NAMES
    assert all(one.failure.startswith("the process ended") for one in done)
    assert len(write_lists(done, tmp_path)) == 2
    assert contents(tmp_path).keys() == ABOUT


def test_interrupt_leaves_no_half_file(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_task(Task("TBJ-06-2020", "TBJ-06-2020", (6,)), tmp_path, SheetOptions(("csv",)))
    assert list(tmp_path.iterdir()) == []


def test_folder_that_becomes_unwritable_fails_each_sheet_by_name(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    (done,) = write_task(Task("TBJ-06-2020", "TBJ-06-2020", (6,)), tmp_path, SheetOptions(("csv",)))
    assert (done.name, done.files) == ("TBJ-06-2020_6-decks", ())
    assert done.failure == f"cannot write {tmp_path / 'TBJ-06-2020_6-decks.csv'}: No space left on device"


@pytest.mark.parametrize("command", [("parsheet", "TRI-02"), ("parsheets", "--only", "TRI-02")])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "docx"], "no sheet format 'docx'"),
        (["--format", "pfd"], "did you mean 'pdf'"),
        (["--format", "pdf,"], "no sheet format ''"),
        (["--date", "16.11.2026"], "cannot read the date '16.11.2026'; write it as 2026-11-16"),
        (["--date", "2026-02-30"], "there is no date '2026-02-30'"),
        (["--max-wager", "lots"], "cannot read the maximum wager 'lots'"),
        (["--max-wager", "0"], "cannot read the maximum wager '0'"),
        (["--max-wager", "-5"], "cannot read the maximum wager '-5'"),
        (["--max-wager", "nan"], "cannot read the maximum wager 'nan'"),
        (["--digits", "-1"], "cannot print -1 decimals"),
        (["--prepared-by", "two\nlines"], "write one line"),
        (["--revision", "W" * 100], "write one line"),
        (["--decks", "6"], "TRI-02 is designed for 2 decks"),
        (["--decks", "0"], "no shoe has 0 decks"),
        (["--decks", "two"], "no deck count 'two'"),
        (["--output", "/dev/null/x"], "cannot write into /dev/null/x"),
    ],
    ids=lambda value: " ".join(value).replace("\n", " ")[:40] if isinstance(value, list) else "",
)
def test_bad_options_are_one_line_and_write_nothing(run, tmp_path, monkeypatch, command, options, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*command, *options)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert err.startswith("combinat: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "ZZZ*"], "no paytable fits the pattern 'ZZZ*'"),
        (["--only", ""], "no paytable fits the pattern ''"),
        (["--only", "TRI-02", "--jobs", "-1"], "cannot work with -1 processes"),
        (["--only", "TRI-02", "--jobs", "two"], "'two' is not a valid int"),
        (["--only", "TRI-02", "--jobs", "1.5"], "'1.5' is not a valid int"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_batches_are_one_line_and_write_nothing(run, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("parsheets", *options)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_environment_that_is_no_date_is_one_line(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    code, out, err = run("parsheet", "TRI-02")
    assert (code, out) == (2, "")
    assert err == "combinat: SOURCE_DATE_EPOCH is 'yesterday'; it must be seconds since 1970\n"


# What is asked for


def test_only_narrows_to_what_fits_a_pattern_whatever_the_case_and_decks_to_those_of_the_design(run, tmp_path):
    code, _, _ = run("parsheets", "--only", "tbj-06-202[4], TRI-02", "--decks", "2,6", *QUICK, "-o", tmp_path)
    assert code == 0
    names = {"TBJ-06-2024_6-decks", "TRI-02_2-decks"}
    assert contents(tmp_path).keys() == {f"{name}.{ending}" for name in names for ending in ("csv", "json")} | ABOUT


def test_paytable_of_a_file_is_written_by_its_id(run, mine, tmp_path):
    code, out, err = run("parsheet", f"{mine}:MINE", "-d", "6", "-f", "json", "-o", tmp_path / "x")
    assert (code, out, err) == (0, f"{tmp_path / 'x' / 'MINE_6-decks.json'}\n", "")
    sheet = json.loads((tmp_path / "x" / "MINE_6-decks.json").read_text(encoding="utf-8"))
    assert sheet["identification"]["input_sha256"] == hashlib.sha256(mine.read_bytes()).hexdigest()
    code, _, err = run("parsheet", f"{mine}:YOURS", "-o", tmp_path / "y")
    assert code == 2
    assert "YOURS" in err
    assert not (tmp_path / "y").exists()


def test_deck_count_off_the_design_is_written_if_asked_for_and_flagged(run, tmp_path):
    code, _, _ = run("parsheet", "PAIR-SQUARE-25-10", "-d", "6", "--any-decks", "-f", "json,md", "-o", tmp_path)
    assert code == 0
    sheet = json.loads((tmp_path / "PAIR-SQUARE-25-10_6-decks.json").read_text(encoding="utf-8"))
    assert sheet["designed"] is False
    assert "Not designed for 6 decks" in (tmp_path / "PAIR-SQUARE-25-10_6-decks.md").read_text(encoding="utf-8")


def test_deck_count_that_is_left_out_is_named(run, tmp_path):
    code, out, err = run("parsheet", "PAIR-SQUARE-25-10", "-d", "2,6", "-f", "csv", "-o", tmp_path)
    assert (code, out) == (0, f"{tmp_path / 'PAIR-SQUARE-25-10_2-decks.csv'}\n")
    assert "PAIR-SQUARE-25-10 is designed for 2 decks, not 6" in err  # as `show` says it


def test_single_deck_is_written_in_the_singular():
    assert sheets.SheetSpec(get_paytable("PAIR-SQUARE-25-10"), 1).name == "PAIR-SQUARE-25-10_1-deck"
    assert sheets.SheetSpec(get_paytable("PAIR-SQUARE-25-10"), 2).name == "PAIR-SQUARE-25-10_2-decks"


def test_given_meters_and_maximum_wager_are_on_the_sheet(run, mine, tmp_path):
    options = ("--max-wager", "1,250.50", "-f", "json", "-o", tmp_path)
    written = tmp_path / "MINE_6-decks.json"
    assert run("parsheet", mine, "-d", "6", *options)[0] == 0
    assert json.loads(written.read_text(encoding="utf-8"))["exposure"]["max_wager"] == "2501/2"
    mine.write_text(mine.read_text().replace("5 to 1", "100% of meter"))
    assert run("parsheet", mine, "-d", "6", "--meter", "5.50", *options)[0] == 0
    sheet = json.loads(written.read_text(encoding="utf-8"))
    assert sheet["meters"] == {"meter": "11/2"}
    assert sheet["exposure"]["max_wager"] == 1  # with a meter the wager is fixed


def test_second_run_into_the_same_folder_leaves_the_same_files(run, tmp_path):
    options = ("parsheets", "--only", "TBJ-06-2020", "-d", "6", *QUICK, "-o", tmp_path)
    assert run(*options)[0] == 0
    first = contents(tmp_path)
    assert run(*options)[0] == 0
    assert contents(tmp_path) == first


def test_formats_are_named_by_name_or_ending_and_each_once():
    assert sheets.parse_sheet_formats("all") == tuple(EXTENSIONS)
    assert sheets.parse_sheet_formats("TEX, latex,md , markdown") == ("latex", "markdown")


def test_paper_is_a4_or_letter(run, tmp_path):
    asked = ["parsheet", "PAIR-SQUARE-25-10", "--decks", "2", "--format", "pdf", "--output", str(tmp_path)]
    assert run(*asked, "--paper", "Letter")[0] == 0
    code, _, err = run(*asked, "--paper", "lettr")
    assert (code, err) == (2, "combinat: no paper 'lettr'; did you mean 'letter'?\n")
