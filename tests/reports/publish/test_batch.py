"""Batches of sheets are byte-identical on each run, list every file and leave nothing unfinished."""

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
from reports.cli import main as cli
from reports.publish import sheets
from reports.publish.batch import Task, write_index_files, write_task
from reports.publish.batch import write_batch as run_batch
from reports.publish.sheets import SheetOptions
from reports.render import formats
from reports.render.formats import FORMATS, parse_sheet_formats, render_document, sheet_formats
from tests.batches import INDEX_FILES, Links, compute_sheet_once, read_folder
from tests.slow_cases import slow_case

SELECTION = ("--only", "TBJ-06-202[04]", "--decks", "6", "--date", "2026-11-16", "--prepared-by", "A. Author")
NAMES = ["TBJ-06-2020-6D", "TBJ-06-2024-6D"]
QUICK = ("--format", "csv,json", "--jobs", "1")


@pytest.fixture(autouse=True)
def _figures_computed_once(monkeypatch):
    """Compute figures only once: these tests are about files, which are rendered and written each time."""
    monkeypatch.setattr("reports.publish.batch.compute_sheet_with_recipe", compute_sheet_once)


FAST_EXTENSIONS, ALL_EXTENSIONS = (
    ("html", "csv", "json", "md", "xlsx"),
    tuple(FORMATS[name].extension for name in sheet_formats()),
)


@pytest.fixture(scope="module", params=[FAST_EXTENSIONS, slow_case(ALL_EXTENSIONS)], ids=["some", "all"])
def extensions(request):
    """Return the extensions of the sheets; `test_pdf.py` has its own test of PDFs in another process."""
    return request.param


@pytest.fixture(scope="module")
def batch(tmp_path_factory, extensions):
    """Return the folders of two runs that differ in process, folder, number of jobs, hash seed and locale."""
    folders = []
    for jobs, run in (("1", run_in_process), ("2", run_in_subprocess)):
        folder = tmp_path_factory.mktemp(f"jobs-{jobs}") / "a folder" / "deeper"
        format_options = ["--format", ",".join(extensions)] if extensions == FAST_EXTENSIONS else []
        code, out, err = run("parsheets", *SELECTION, *format_options, "--jobs", jobs, "--output", str(folder))
        assert (code, err) == (0, "")  # no progress bar without a terminal
        files = f"{2 * len(extensions)} files for 2 par sheets in {folder}"
        assert out == f"{files}; start with {folder / 'index.html'}\n"
        folders.append(folder)
    return folders


def run_in_process(*arguments):
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["combinat", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
    return stop.value.code or 0, out.getvalue(), err.getvalue()


def run_in_subprocess(*arguments):
    environment = {"PYTHONHASHSEED": "2", "TZ": "Pacific/Auckland", "LC_ALL": "C.UTF-8", "COLUMNS": "40"}
    command = [sys.executable, "-m", "reports", *arguments]
    process = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    return process.returncode, process.stdout, process.stderr


def test_batch_is_deterministic_in_every_format(batch, extensions):
    first, second = map(read_folder, batch)
    assert first.keys() == second.keys()
    assert {name for name, data in first.items() if data != second[name]} == set()
    assert first.keys() == {f"{name}.{extension}" for name in NAMES for extension in extensions} | INDEX_FILES


def test_manifest_and_sums_cover_every_file(batch):
    files = read_folder(batch[0])
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    manifest = json.loads(files["manifest.json"])
    listed = {file["name"]: file["sha256"] for file in manifest["files"]}
    unlisted = {"manifest.json", "SHA256SUMS"}
    assert listed == {name: sha for name, sha in sums.items() if name not in unlisted}
    assert all(file["bytes"] == len(files[file["name"]]) for file in manifest["files"])
    assert manifest["failures"] == []
    lines = files["SHA256SUMS"].decode().splitlines()
    assert dict(line.split("  ")[::-1] for line in lines) == listed


def test_index_links_to_exactly_the_files(batch):
    files = read_folder(batch[0])
    links = {unquote(link) for link in Links(files["index.html"].decode()).found if not link.startswith("#")}
    sheets_written = {name for name in files if name not in INDEX_FILES}
    assert sheets_written <= links
    assert links - sheets_written <= {"manifest.json", "SHA256SUMS", "checker.html"}


def test_batch_sheets_equal_single_sheets(batch, extensions, run, tmp_path):
    extensions = [extension for extension in extensions if extension != "pdf"]
    options = ("--date", "2026-11-16", "--prepared-by", "A. Author", "--format", ",".join(extensions))
    code, out, _ = run("parsheet", "TBJ-06-2024", "-d", "6", *options, "-o", tmp_path / "x")
    assert code == 0
    assert out.split() == [str(tmp_path / "x" / f"TBJ-06-2024-6D.{extension}") for extension in extensions]
    for name, data in read_folder(tmp_path / "x").items():
        assert data == (batch[0] / name).read_bytes()


@pytest.mark.slow  # fast: test_schema.py::test_sheet_fits_the_schema
def test_batch_json_verifies_and_fits_the_schema(batch, run):
    code, out, _ = run("verify", *(batch[0] / f"{name}.json" for name in NAMES))
    assert code == 0, out
    code, out, err = run("schema")
    assert (code, err) == (0, "")
    schema = json.loads(out)
    Draft202012Validator.check_schema(schema)
    for name in NAMES:
        Draft202012Validator(schema).validate(json.loads((batch[0] / f"{name}.json").read_text(encoding="utf-8")))


def test_date_is_on_every_sheet_only_if_given(batch, run, tmp_path, monkeypatch):
    assert json.loads((batch[0] / "TBJ-06-2020-6D.json").read_text())["identification"]["date"] == "2026-11-16"
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    for folder, epoch, date in (("none", None, None), ("epoch", "86400", "1970-01-02")):
        if epoch:
            monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        assert run("parsheet", "TBJ-06-2020", "-d", "6", "-f", "json", "-o", tmp_path / folder)[0] == 0
        sheet = json.loads((tmp_path / folder / "TBJ-06-2020-6D.json").read_text(encoding="utf-8"))
        assert sheet["identification"]["date"] == date


# Failures


def failing_for(id):
    """Return a renderer that fails for the CSV of one paytable."""

    def fail(document, format, digits):
        if id in document.title and format == "csv":
            raise RuntimeError("the pen\nbroke")
        return render_document(document, format, digits)

    return fail


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("jobs", ["1", slow_case("2")])
def test_failed_sheet_is_named_and_others_finish(run, tmp_path, monkeypatch, jobs):
    monkeypatch.setattr(formats, "render_document", failing_for("TBJ-06-2020"))
    code, out, err = run(
        "parsheets", "--only", "TBJ-06-202[04]", "-d", "6", "-f", "json,csv,md", "-j", jobs, "-o", tmp_path / "x"
    )
    assert code == 1
    assert err == "combinat: TBJ-06-2020-6D: RuntimeError: the pen broke\n"
    assert out.startswith("3 files for 1 par sheet in ")
    files = read_folder(tmp_path / "x")
    assert {f"TBJ-06-2024-6D.{extension}" for extension in ("json", "csv", "md")} <= files.keys()
    page = files["index.html"].decode()
    assert "TBJ-06-2020-6D" in page
    assert "the pen broke" in page
    manifest = json.loads(files["manifest.json"])
    assert manifest["failures"] == [{"sheet": "TBJ-06-2020-6D", "reason": "RuntimeError: the pen broke"}]
    assert not any(name.startswith(".") or name.endswith(".tmp") for name in files)


@pytest.mark.usefixtures("forked")
def test_failed_sheet_leaves_no_unlisted_file(run, tmp_path, monkeypatch):
    # JSON is written before CSV fails, so it must be either listed or deleted.
    monkeypatch.setattr(formats, "render_document", failing_for("TBJ-06-2020"))
    assert run("parsheets", "--only", "TBJ-06-2020", "-d", "6", "-f", "json,csv", "-j", "1", "-o", tmp_path)[0] == 1
    files = read_folder(tmp_path)
    listed = {file["name"] for file in json.loads(files["manifest.json"])["files"]}
    assert listed == files.keys() - {"manifest.json", "SHA256SUMS"}


def test_parsheet_names_failed_sheet_and_finishes_others(run, tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "render_document", failing_for("TBJ-06-2020"))
    code, out, err = run("parsheet", "TBJ-06-2020", "TBJ-06-2024", "-d", "6", "-f", "csv", "-o", tmp_path / "x")
    assert code == 1
    assert out == f"{tmp_path / 'x' / 'TBJ-06-2024-6D.csv'}\n"
    assert err == "combinat: TBJ-06-2020-6D: RuntimeError: the pen broke\n"


def exit_process(*_):
    os._exit(3)


@pytest.mark.usefixtures("forked")
@pytest.mark.slow  # fast: test_batch_failures.py::test_out_of_memory_is_named_and_others_are_written
def test_dead_worker_fails_only_its_sheets(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "render_document", exit_process)
    tasks = [Task("TBJ-06-2020", "TBJ-06-2020", (6,)), Task("TBJ-06-2024", "TBJ-06-2024", (6,))]
    with ProcessPool(2) as workers:
        results = [sheet for group in run_batch(tasks, tmp_path, SheetOptions(("csv",)), workers) for sheet in group]
    assert sorted(sheet.name for sheet in results) == NAMES
    assert all(sheet.failure.startswith("the process ended") for sheet in results)
    assert len(write_index_files(results, tmp_path)) == 2
    assert read_folder(tmp_path).keys() == INDEX_FILES


def test_interrupt_leaves_no_partial_file(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_task(Task("TBJ-06-2020", "TBJ-06-2020", (6,)), tmp_path, SheetOptions(("csv",)))
    assert list(tmp_path.iterdir()) == []


def test_unwritable_folder_fails_each_sheet_by_name(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    (result,) = write_task(Task("TBJ-06-2020", "TBJ-06-2020", (6,)), tmp_path, SheetOptions(("csv",)))
    assert (result.name, result.files) == ("TBJ-06-2020-6D", ())
    assert result.failure == f"cannot write {tmp_path / 'TBJ-06-2020-6D.csv'}: No space left on device"


@pytest.mark.parametrize("command", [("parsheet", "TRI-02"), ("parsheets", "--only", "TRI-02")])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "docx"], "sheet format 'docx'"),
        (["--format", "pfd"], "did you mean 'pdf'"),
        (["--format", "pdf,"], "sheet format ''"),
        (["--date", "16.11.2026"], "date '16.11.2026'; write it as 2026-11-16"),
        (["--date", "2026-02-30"], "date '2026-02-30'"),
        (["--max-wager", "lots"], "--max-wager must be a positive amount such as 100, got 'lots'"),
        (["--max-wager", "0"], "got '0'"),
        (["--max-wager", "-5"], "got '-5'"),
        (["--max-wager", "nan"], "got 'nan'"),
        (["--digits", "-1"], "--digits must be 0 to 1000, got -1"),
        (["--prepared-by", "two\nlines"], "one line"),
        (["--revision", "W" * 100], "one line"),
        (["--decks", "6"], "TRI-02 is designed for 2 decks"),
        (["--decks", "0"], "got 0"),
        (["--decks", "two"], "'two'"),
        (["--output", "/dev/null/x"], "cannot write into /dev/null/x"),
    ],
    ids=lambda value: " ".join(value).replace("\n", " ")[:40] if isinstance(value, list) else "",
)
def test_bad_options_are_refused_before_writing(run, tmp_path, monkeypatch, command, options, message):
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
        (["--only", "ZZZ*"], "no id in the collection 'main' matches 'ZZZ*'"),
        (["--only", ""], "no id in the collection 'main' matches ''"),
        (["--only", "TRI-02", "--jobs", "-1"], "got -1"),
        (["--only", "TRI-02", "--jobs", "two"], "'two' is not a valid int"),
        (["--only", "TRI-02", "--jobs", "1.5"], "'1.5' is not a valid int"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_batches_are_refused_before_writing(run, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("parsheets", *options)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_invalid_environment_date_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    code, out, err = run("parsheet", "TRI-02")
    assert (code, out) == (2, "")
    assert "SOURCE_DATE_EPOCH" in err
    assert err.endswith("'yesterday'\n")


# Selection and options


def test_only_filters_ids_and_designed_decks(run, tmp_path):
    code, _, _ = run("parsheets", "--only", "tbj-06-202[4], TRI-02", "--decks", "2,6", *QUICK, "-o", tmp_path)
    assert code == 0
    names = {"TBJ-06-2024-6D", "TRI-02-2D"}
    assert (
        read_folder(tmp_path).keys()
        == {f"{name}.{extension}" for name in names for extension in ("csv", "json")} | INDEX_FILES
    )


def test_file_paytable_is_written_by_its_id(run, mine, tmp_path):
    code, out, err = run("parsheet", f"{mine}:MINE", "-d", "6", "-f", "json", "-o", tmp_path / "x")
    assert (code, out, err) == (0, f"{tmp_path / 'x' / 'MINE-6D.json'}\n", "")
    sheet = json.loads((tmp_path / "x" / "MINE-6D.json").read_text(encoding="utf-8"))
    assert sheet["identification"]["input_sha256"] == hashlib.sha256(mine.read_bytes()).hexdigest()
    code, _, err = run("parsheet", f"{mine}:YOURS", "-o", tmp_path / "y")
    assert code == 2
    assert "YOURS" in err
    assert not (tmp_path / "y").exists()


def test_deck_count_off_the_design_is_flagged(run, tmp_path):
    code, _, _ = run("parsheet", "PAIR-SQUARE-25-10", "-d", "6", "--any-decks", "-f", "json,md", "-o", tmp_path)
    assert code == 0
    sheet = json.loads((tmp_path / "PAIR-SQUARE-25-10-6D.json").read_text(encoding="utf-8"))
    assert sheet["designed"] is False
    assert "Not designed for 6 decks" in (tmp_path / "PAIR-SQUARE-25-10-6D.md").read_text(encoding="utf-8")


def test_skipped_deck_count_is_named(run, tmp_path):
    code, out, err = run("parsheet", "PAIR-SQUARE-25-10", "-d", "2,6", "-f", "csv", "-o", tmp_path)
    assert (code, out) == (0, f"{tmp_path / 'PAIR-SQUARE-25-10-2D.csv'}\n")
    assert "PAIR-SQUARE-25-10" in err
    assert "not 6" in err


def test_one_deck_is_singular():
    assert sheets.SheetSpec(get_paytable("PAIR-SQUARE-25-10"), 1).name == "PAIR-SQUARE-25-10-1D"
    assert sheets.SheetSpec(get_paytable("PAIR-SQUARE-25-10"), 2).name == "PAIR-SQUARE-25-10-2D"


def test_given_meters_and_maximum_wager_are_on_the_sheet(run, mine, tmp_path):
    options = ("--max-wager", "1,250.50", "-f", "json", "-o", tmp_path)
    written = tmp_path / "MINE-6D.json"
    assert run("parsheet", mine, "-d", "6", *options)[0] == 0
    assert json.loads(written.read_text(encoding="utf-8"))["exposure"]["max_wager"] == "2501/2"
    mine.write_text(mine.read_text().replace("5 to 1", "100% of meter"))
    assert run("parsheet", mine, "-d", "6", "--meter", "5.50", *options)[0] == 0
    sheet = json.loads(written.read_text(encoding="utf-8"))
    assert sheet["meters"] == {"meter": "11/2"}
    assert sheet["exposure"]["max_wager"] == 1  # with a meter the wager is fixed


def test_second_run_writes_the_same_files(run, tmp_path):
    options = ("parsheets", "--only", "TBJ-06-2020", "-d", "6", *QUICK, "-o", tmp_path)
    assert run(*options)[0] == 0
    first = read_folder(tmp_path)
    assert run(*options)[0] == 0
    assert read_folder(tmp_path) == first


def test_formats_accept_names_and_extensions():
    assert parse_sheet_formats("all") == sheet_formats()
    assert parse_sheet_formats("TEX, latex,md , markdown") == ("latex", "markdown")


def test_paper_is_a4_or_letter(run, tmp_path):
    command = ["parsheet", "PAIR-SQUARE-25-10", "--decks", "2", "--format", "pdf", "--output", str(tmp_path)]
    assert run(*command, "--paper", "Letter")[0] == 0
    code, _, err = run(*command, "--paper", "lettr")
    assert (code, err.endswith("'lettr'; did you mean 'letter'?\n")) == (2, True)
