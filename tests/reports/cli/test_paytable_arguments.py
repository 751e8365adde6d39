"""Paytable arguments: a plain id is always the catalog's; a file needs a path or an extension."""

import csv
import io
import os
from pathlib import Path

import pytest

from combinat.bets.catalog import get_paytable, resolve_paytables
from combinat.bets.load import load_bet
from combinat.bets.schema import MAX_BYTES
from decks import InputError
from tests.batches import compute_sheet_once
from tests.bet_text import VALID_BET
from tests.slow_cases import slow_cases

METERED = """
bet = "My bet"
deal = "player:2"
[[paytable]]
id = "MINE"
decks = "2, 6"
awards = [{ name = "Aces", when = "A-A", pays = "100% of meter" }]
[[paytable.meters]]
levels = [{ name = "meter", seed = 1, rate = "5%" }]
"""
COMMANDS = {
    "show": ("show", "{}", "-d", "{decks}"),
    "compare": ("compare", "{}", "{other}", "-d", "{decks}"),
    "check": ("check", "{}"),
    "formula": ("formula", "{}"),
    "ledger": ("ledger", "{}", "-d", "{decks}"),
    "meter show": ("meter", "show", "{}", "-d", "{decks}"),
    "meter break-even": ("meter", "break-even", "{}", "-d", "{decks}"),
    "meter explain": ("meter", "explain", "{}", "-d", "{decks}", "--hold", "24.78"),
    "parsheet": ("parsheet", "{}", "-d", "{decks}", "-f", "csv", "-o", "out"),
}
"""Every command that takes a paytable."""


def build_arguments(command, argument, decks, other="TRI-03"):
    return [part.format(argument, decks=decks, other=other) for part in COMMANDS[command]]


def read_sheets():
    return {path.name: path.read_bytes() for path in Path("out").glob("*")}


@slow_cases("ledger", "parsheet", "formula")
@pytest.mark.parametrize("command", COMMANDS)
def test_local_file_does_not_shadow_the_catalog(run, tmp_path, monkeypatch, command):
    id, decks = ("blz-1-up", 6) if "meter" in command else ("tri-02", 2)  # ids are case-insensitive
    answers = []
    for name in ("empty", "shadowed"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        if name == "shadowed":
            (tmp_path / name / id).write_text(METERED.replace("MINE", id.upper()))
        answers.append((run(*build_arguments(command, id, decks)), read_sheets()))
    assert answers[0] == answers[1]
    assert answers[0][0][0] == 0


@pytest.mark.parametrize("make", ["file", "folder", "pipe", "loop"])
def test_catalog_id_is_never_a_local_file(run, tmp_path, monkeypatch, make):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("reports.publish.batch.compute_sheet_with_recipe", compute_sheet_once)
    path = tmp_path / "TRI-02"
    {
        "file": lambda: path.write_bytes(b"\xff"),
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
        "loop": lambda: path.symlink_to(path),
    }[make]()
    assert resolve_paytables("TRI-02") == (get_paytable("TRI-02"),)
    code, out, err = run("parsheets", "--only", "TRI-02", "-f", "json", "-j", "1", "-o", "out")
    assert (code, err) == (0, "")
    assert "1 file for 1 par sheet" in out


@slow_cases("parsheet", "formula", "meter show")
@pytest.mark.parametrize("command", COMMANDS)
def test_path_or_extension_names_a_file(run, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    for name in ("TRI-02", "mine.toml", "MINE.TOML"):
        (tmp_path / name).write_text(METERED.replace("MINE", "TRI-02"))
    answers = {
        run(*build_arguments(command, name, 6)) for name in ("./TRI-02", tmp_path / "TRI-02", "mine.toml", "MINE.TOML")
    }
    answers.add(run(*build_arguments(command, "mine.toml:tri-02", 6)))
    # Catalog paytable TRI-02 has no meter and is not designed for six decks, so these results are the file's.
    ((code, _, err),) = answers
    assert (code, err) == (0, "") if command != "meter explain" else "no rate and seeds" in err


def test_file_without_an_extension_is_suggested_by_path(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "MINE").write_text(VALID_BET)
    code, out, err = run("show", "MINE")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "'MINE'" in err
    assert err.endswith(" ./MINE\n")


LONG_NAME = "A" * 5000


@pytest.mark.parametrize(
    "argument", [LONG_NAME, f"./{LONG_NAME}", f"{LONG_NAME}.toml", f"{LONG_NAME}.toml:ID", f"mine.toml:{LONG_NAME}"]
)
@pytest.mark.parametrize("command", COMMANDS)
def test_long_paytable_name_is_one_line(run, tmp_path, monkeypatch, command, argument):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(VALID_BET)
    code, out, err = run(*build_arguments(command, argument, 6))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    token = (
        "unknown paytable 'AAA" if argument == LONG_NAME or "mine" in argument else "cannot be read: File name too long"
    )
    assert token in err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("parsheets", "--only", LONG_NAME),
        ("list", LONG_NAME),
        ("parsheets", "--only", "TRI-02", "-o", LONG_NAME),
        ("parsheet", "TRI-02", "-o", LONG_NAME),
        ("ledger", "TRI-02", "-o", LONG_NAME),
        ("ledger", "TRI-02", "-o", f"{LONG_NAME}/x.csv"),
        ("meter", "show", "BLZ-1-UP", "--plot", f"{LONG_NAME}.svg"),
    ],
    ids=lambda arguments: " ".join(arguments).replace(LONG_NAME, "LONG"),
)
def test_long_names_elsewhere_are_one_line(run, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "File name too long" in err or "combinat list shows" in err
    assert list(tmp_path.iterdir()) == []


# Files that cannot be read


def deny_access(*_, **__):
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.mkdir(), "this is a folder"),
        (lambda path: os.mkfifo(path), "not an ordinary file"),
        (lambda path: path.symlink_to("/dev/zero"), "not an ordinary file"),
        (lambda path: path.symlink_to("/dev/tty"), "not an ordinary file"),
        (lambda path: path.symlink_to(path), "cannot be read: Too many levels of symbolic links"),
        (lambda path: path.symlink_to("nowhere"), "there is no such file"),
        (lambda path: path.touch() or os.truncate(path, 1 << 40), f"at most {MAX_BYTES:,} bytes"),
        (lambda path: path.write_bytes(b"\xff"), "not text: byte 1"),
    ],
    ids=["directory", "pipe", "endless", "terminal", "loop", "dangling", "terabyte", "latin"],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_unreadable_file_is_one_line(run, tmp_path, monkeypatch, command, make, message):
    monkeypatch.chdir(tmp_path)
    make(tmp_path / "mine.toml")
    code, out, err = run(*build_arguments(command, "mine.toml", 6))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("combinat: mine.toml: ")
    assert message in err


def test_file_without_permission_is_one_line(run, tmp_path, monkeypatch):
    (tmp_path / "mine.toml").write_text(VALID_BET)
    monkeypatch.setattr("os.open", deny_access)  # file modes do not stop root
    code, out, err = run("show", tmp_path / "mine.toml")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith(f"combinat: {tmp_path / 'mine.toml'}: ")
    assert "Permission denied" in err


def test_pipe_swapped_in_for_a_file_does_not_block(tmp_path, monkeypatch):
    path, pipe = tmp_path / "mine.toml", tmp_path / "pipe"
    path.write_text(VALID_BET)
    os.mkfifo(pipe)
    original_open = os.open
    monkeypatch.setattr("os.open", lambda _, *flags: original_open(pipe, *flags))
    with pytest.raises(InputError, match="not an ordinary file"):
        load_bet(path)


def test_file_is_never_read_beyond_the_limit(tmp_path, monkeypatch):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    monkeypatch.setattr("combinat.bets.schema._check_ordinary_file", lambda *_: None)
    with pytest.raises(InputError, match="at most"):
        load_bet(path)


SAME_ID = [("a.toml", "b.toml"), ("TRI-04", "a.toml"), ("a.toml", "a.toml", "b.toml"), ("b.toml", "a.toml", "TRI-03")]
"""Arguments that name several paytables with the id TRI-04, from files or from the catalog."""


@slow_cases("TRI-04 a.toml", "b.toml a.toml TRI-03")
@pytest.mark.parametrize("arguments", SAME_ID, ids=" ".join)
def test_paytables_of_equal_id_keep_their_figures(run, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(VALID_BET.replace("MINE", "TRI-04"))
    Path("b.toml").write_text(VALID_BET.replace("MINE", "TRI-04").replace("5 to 1", "6 to 1"))
    wanted = list(dict.fromkeys(arguments))
    answers = [table_rows(run("show", argument, "-d", "6,8", "-f", "markdown")[1]) for argument in wanted]
    edge = answers[0][0].index("House edge")
    edges = [rows_of_answer[1][edge] for rows_of_answer in answers]
    assert len(set(edges)) == len(wanted)
    head, *rows = table_rows(run("compare", *arguments, "-d", "6", "-f", "markdown")[1])
    assert next(row for row in rows if row[0] == "House edge")[1:] == edges
    assert len(set(head[1:])) == len(wanted)
    assert all(argument in name for argument, name in zip(wanted, head[1:], strict=True))
    listed = table_rows(run("show", *wanted, "-d", "6", "-f", "markdown")[1])[1:]
    assert [(row[0], row[edge]) for row in listed] == list(zip(head[1:], edges, strict=True))
    records = csv.DictReader(io.StringIO(run("compare", *arguments, "-d", "6", "-f", "csv")[1]))
    assert list(dict.fromkeys(record["Paytable"] for record in records)) == head[1:]


def table_rows(page):
    """Return the cells of a Markdown table, heading first."""
    lines = [line.strip("|").replace("\\", "").split("|") for line in page.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line] for line in lines if not set("".join(line)) <= set("-: ")]


def test_paytables_of_different_ids_are_named_by_id(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(VALID_BET)
    assert table_rows(run("compare", "TRI-03", "a.toml", "-d", "6", "-f", "markdown")[1])[0] == [
        "Figure",
        "TRI-03",
        "MINE",
    ]


def test_file_name_is_escaped(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.toml").write_text(VALID_BET)
    Path("\x1b[2Jb.toml").write_text(VALID_BET)
    for format in ("table", "markdown", "csv", "latex"):
        out = run("compare", "a.toml", "\x1b[2Jb.toml", "-d", "6", "-f", format)[1]
        assert all(character.isprintable() or character == "\n" for character in out)
