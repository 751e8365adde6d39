"""The extension of `--output` sets the format; invalid outputs are refused before writing."""

import json

import pytest

SIGNATURES = {
    "pdf": b"%PDF",
    "xlsx": b"PK",
    "html": b"<!",
    "htm": b"<!",
    "md": b"#",
    "csv": b"",
    "json": b"{",
    "tex": b"%",
}


@pytest.mark.parametrize("ending", SIGNATURES)
def test_extension_sets_the_sheet_format(run, tmp_path, ending):
    target = tmp_path / f"sheet.{ending}"
    assert run("parsheet", "TRI-02", "--output", target) == (0, f"{target}\n", "")
    assert target.read_bytes().startswith(SIGNATURES[ending])
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_sheet_file_equals_the_file_in_a_folder(run, tmp_path):
    target = tmp_path / "Sheet.JSON"
    assert run("parsheet", "TRI-02", "--decks", "2", "-f", "json", "--output", target)[0] == 0
    assert run("parsheet", "TRI-02", "--decks", "2", "-f", "json", "--output", tmp_path / "out")[0] == 0
    assert target.read_bytes() == (tmp_path / "out" / "TRI-02-2D.json").read_bytes()


def test_existing_folder_with_an_extension_is_a_folder(run, tmp_path):
    (tmp_path / "old.pdf").mkdir()
    for name in ("release-1.2", "old.pdf"):
        assert run("parsheet", "TRI-02", "-f", "json", "--output", tmp_path / name)[0] == 0
        assert {path.name for path in (tmp_path / name).iterdir()} == {"TRI-02-2D.json", "checker.html"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["parsheet", "TRI-03", "-o", "x.pdf"], ["x.pdf", "2-8 decks", "--decks 8", "folder"]),
        (["parsheet", "TRI-02", "TRI-03", "-d", "2", "-o", "x.pdf"], ["x.pdf", "TRI-02, TRI-03", "folder"]),
        (["parsheet", "TRI-02", "-f", "xlsx", "-o", "x.pdf"], ["--format xlsx", "x.pdf"]),
        (["parsheet", "TRI-02", "-f", "pdf,json", "-o", "x.pdf"], ["x.pdf", "2 formats", "folder"]),
        (["parsheet", "TRI-02", "-o", "x.docx"], ["x.docx", ".pdf", ".xlsx"]),
        (["parsheet", "TRI-02", "-o", "x.txt"], ["x.txt", ".pdf"]),
        (["parsheet", "TRI-02", "-o", "none/x.pdf"], ["none", "does not exist"]),
        (["parsheets", "--only", "TRI-02", "-o", "x.pdf"], ["x.pdf", "folder"]),
        (["compare", "TRI-02", "-o", "x.pdf"], ["x.pdf", ".xlsx"]),
        (["compare", "TRI-02", "-f", "csv", "-o", "x.json"], ["--format csv", "x.json"]),
        (["sensitivity", "TRI-02", "-f", "csv", "-o", "x.html"], ["--format csv", "x.html"]),
        (["sensitivity", "TRI-02", "-o", "x.png"], ["x.png", ".html"]),
        (["ledger", "TRI-02", "-o", "x.pdf"], ["x.pdf", ".csv"]),
        (["new", "-o", "x.json"], ["x.json", ".toml"]),
    ],
)
def test_invalid_output_is_refused_before_writing(run, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert [word for word in words if word not in err] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["compare", "sensitivity"])
def test_extension_sets_the_answer_format(run, tmp_path, command):
    for extension, start in (("json", b"["), ("html", b"<!"), ("xlsx", b"PK"), ("md", b"#"), ("txt", b"")):
        target = tmp_path / f"answer.{extension}"
        assert run(command, "TRI-02", "--output", target)[0] == 0
        assert target.read_bytes().startswith(start)
    printed = run(command, "TRI-02")[1]
    assert (tmp_path / "answer.txt").read_text(encoding="utf-8").split()[:2] == printed.split()[:2]
    assert json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    with_format = tmp_path / "lines.txt"
    assert run(command, "TRI-02", "--format", "csv", "--output", with_format)[0] == 0
    assert "," in with_format.read_text(encoding="utf-8").splitlines()[0]


def test_failed_sheet_leaves_no_file(run, tmp_path, monkeypatch):
    from reports.publish import batch as steps

    def fail(*_):
        raise ValueError("no")

    monkeypatch.setattr(steps, "compute_sheet_with_recipe", fail)
    code, _, err = run("parsheet", "TRI-02", "--output", tmp_path / "x.pdf")
    assert (code, err) == (1, "combinat: TRI-02-2D: ValueError: no\n")
    assert list(tmp_path.iterdir()) == []


def test_replacing_a_listed_sheet_removes_index_files(run, tmp_path):
    shared = ("--only", "TRI-02", "--jobs", "1", "--format", "json")
    assert run("parsheets", *shared, "--output", tmp_path)[0] == 0
    target = tmp_path / "TRI-02-2D.json"
    code, _, err = run("parsheet", "TRI-02", "--revision", "2", "--output", target)
    assert code == 0
    assert "SHA256SUMS" in err
    assert {path.name for path in tmp_path.iterdir()} == {target.name, "checker.html"}
