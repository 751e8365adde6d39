"""What is printed fits where it goes: a terminal of any width, a pipe, a console of few characters."""

import fcntl
import io
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from fractions import Fraction
from functools import lru_cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from typer.main import get_command

from reports.cli.main import app, main
from reports.cli.options import complete_paytable, complete_shelf, warn
from reports.page.model import Column, Document, Figure, Style, Table, format_cell
from reports.render.terminal import render

PROGRAM = [sys.executable, "-m", "combinat"]
FAVORS = ("show", "TRI-02", "-d", "6", "--any-decks")
"""A bet with a negative edge."""


@lru_cache(maxsize=None)
def piped(*arguments, encoding=None):
    """Run the program into a pipe and give what comes out."""
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONIOENCODING", "PYTHONUTF8")}
    if encoding:
        env["PYTHONIOENCODING"] = encoding
    done = subprocess.run([*PROGRAM, *arguments], capture_output=True, check=True, env=env)
    return done.stdout.decode(encoding or "utf-8")


@lru_cache(maxsize=None)
def on_terminal(width, *arguments):
    """Run the program on a terminal of some width and give what it shows."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    env = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "PYTHONIOENCODING")}
    with subprocess.Popen([*PROGRAM, *arguments], stdout=theirs, stderr=theirs, env=env) as running:
        os.close(theirs)
        shown = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            shown += more
    os.close(ours)
    assert running.returncode == 0
    return shown.decode("utf-8").replace("\r\n", "\n")


@pytest.mark.parametrize("encoding", [None, "cp1252", "ascii"])
def test_pipe_gets_an_ascii_minus(encoding):
    told = piped(*FAVORS, encoding=encoding)
    (edge,) = re.findall(r"^House edge +(\S+)$", told, re.MULTILINE)
    assert edge == "-2.087639%"
    assert told.isascii()


@pytest.mark.parametrize(
    ("encoding", "shown"), [("ascii", b"Egalite"), ("cp1252", b"Egalit\xe9"), ("utf-8", "Egalité".encode())]
)
def test_a_letter_that_a_console_does_not_have_is_shown_by_the_nearest(encoding, shown, monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding))
    monkeypatch.setattr(sys, "argv", ["combinat", "list", "egalite-0"])
    with pytest.raises(SystemExit):
        main()
    assert shown + b" on a tie with 0" in written.getvalue()


def test_a_warning_in_a_file_has_an_ascii_minus(capsys):
    warn("it can be −9.98%")
    assert capsys.readouterr().err == "combinat: it can be -9.98%\n"


def test_help_in_a_pipe_has_no_boxes():
    told = piped("show", "--help")
    assert told.isascii()
    assert "--decks <str>" in told
    assert "--+" not in told


def test_awk_reads_a_negative_edge():
    done = subprocess.run(
        f"{sys.executable} -m combinat {' '.join(FAVORS)} | awk '/^House edge/ {{ print $3 + 0 }}'",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "-2.08764\n"


@pytest.mark.parametrize(
    "command", [("formula", "HM-1"), ("show", "BLZ-ML03-UP", "-d", "6"), ("meter", "show", "BLZ-1-UP")]
)
def test_pipe_gets_formulas_in_ascii_and_in_line(command, run):
    _, told, _ = run(*command)
    assert told.isascii()
    head = next(number for number, line in enumerate(told.splitlines()) if set(line) == {"-", " "})
    rule = told.splitlines()[head]
    starts = [match.start() for match in re.finditer(r"-+", rule)]
    for line in told.splitlines()[head + 1 : head + 4]:
        assert all(line[start - 1 : start].strip() == "" for start in starts[1:])  # no column runs into the next


@pytest.mark.parametrize("format", ["markdown", "csv", "latex"])
def test_no_sign_is_lost_on_a_console_of_few_characters(format):
    assert "?" not in piped(*FAVORS, "-f", format, encoding="ascii")


def test_json_loses_nothing_on_a_console_of_few_characters(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text(
        'bet = "Señor"\ndeal = "player:2"\n[hands]\n"Ein Paar für 2 €" = "pair"\n[[paytable]]\nid = "X"\ndecks = "6"\n'
        'awards = [{ hand = "Ein Paar für 2 €", pays = "11 to 1" }]\n',
        encoding="utf-8",
    )
    for encoding in ("ascii", "cp1252"):
        (told,) = json.loads(piped("show", str(path), "-f", "json", encoding=encoding))
        assert (told["bet"], told["awards"][0]["name"]) == ("Señor", "Ein Paar für 2 €")


@pytest.mark.parametrize(
    "command",
    [("show", "TRI-03", "-d", "6"), ("show", "BLZ-ML03-UP", "-d", "6"), ("list",), ("show", "TRI-03", "-d", "2,6,8")],
    ids=" ".join,
)
def test_nothing_is_wider_than_a_terminal_of_80_columns(command):
    shown = on_terminal(80, *command)
    assert max(map(len, shown.splitlines())) <= 80


def test_terminal_shows_the_typographic_minus_and_every_number():
    shown, told = on_terminal(80, *FAVORS), piped(*FAVORS)
    assert "−2.087639%" in shown
    number = re.compile(r"\d[\d,.]*\d%?")
    assert set(number.findall(told)) <= set(number.findall(shown))


def test_column_that_follows_from_others_waits_for_a_wider_terminal():
    shown = on_terminal(80, "show", "TRI-03", "-d", "6")
    assert "Not shown in 80 columns: True odds to 1" in shown
    assert "5,802.45" in shown
    assert "5,801.45" not in shown


def test_wide_terminal_gets_the_whole_table():
    assert "True odds to 1" in on_terminal(200, "show", "TRI-03", "-d", "6").split("House edge")[0]


CELLS = st.one_of(
    st.text("abc XY", max_size=30).map(lambda text: " ".join(text.split())),
    st.fractions(min_value=-(10**12), max_value=10**12),
    st.integers(-(10**15), 10**15),
    st.none(),
)


@st.composite
def tables(draw):
    styles = draw(st.lists(st.sampled_from([Style.TEXT, Style.COUNT, Style.DECIMAL]), min_size=1, max_size=6))
    columns = tuple(Column(draw(st.text("ab c", max_size=14)), style, draw(st.booleans())) for style in styles)
    rows = draw(st.lists(st.tuples(*[CELLS] * len(styles)), min_size=1, max_size=4))
    return Table((Column("Key"), *columns), tuple((f"row {n}", *row) for n, row in enumerate(rows)))


@given(tables(), st.integers(20, 120))
def test_no_number_is_cut_or_lost_at_any_width(table, width):
    shown = render(Document("", tables=(table,)), 8, width)
    for place, column in enumerate(table.columns):
        for row in table.rows:
            if isinstance(row[place], (int, Fraction)) and not column.is_spare:
                assert format_cell(row[place], column.style, 8) in shown


@given(tables(), st.integers(20, 120))
@example(Table((Column("Key"), Column("", Style.COUNT)), (("row 0", "XXXXXXXXXXXXX X"),)), 20)
def test_lines_are_no_wider_than_asked_for_unless_a_word_is(table, width):
    words = [
        word
        for row in table.rows
        for cell, column in zip(row, table.columns, strict=True)
        for word in format_cell(cell, column.style, 8).split()
    ]
    room = 5 + 2 + max([len(word) for word in words] + [14])
    shown = render(Document("", tables=(table,)), 8, width)
    assert max(map(len, shown.splitlines())) <= max(width, room)


def test_texts_wrap_between_words_and_stay_whole():
    note = "a note of some words " * 10
    shown = render(Document("Title", notes=(note,), figures=(Figure("Label", "x" * 50),)), 8, 40)
    assert max(map(len, shown.splitlines())) <= 57  # one word of fifty letters
    assert " ".join(shown.split()).endswith("* " + note.strip())


@pytest.mark.parametrize(
    ("begun", "found"), [("tri-0", "tri-03"), ("TRI-0", "TRI-03"), ("blz-1-u", "blz-1-up"), ("Hm-1", "Hm-1")]
)
def test_ids_are_completed_in_the_case_that_was_begun_with(begun, found):
    assert found in complete_paytable(begun)
    assert all(one.startswith(begun) for one in complete_paytable(begun))


def test_files_of_ones_own_are_completed(tmp_path, monkeypatch):
    (tmp_path / "mine.toml").touch()
    monkeypatch.chdir(tmp_path)
    assert complete_paytable("mi") == ["mine.toml"]
    assert complete_paytable("./mi") == ["./mine.toml"]


@pytest.mark.parametrize(
    "command",
    ["show", "compare", "ledger", "formula", "parsheet", "joint", "meter show", "meter break-even", "meter explain"],
)
def test_ids_are_completed_on_every_command(command):
    env = {**os.environ, "_COMBINAT_COMPLETE": "complete_bash", "COMP_WORDS": f"combinat {command} tri-0"}
    env["COMP_CWORD"] = str(len(env["COMP_WORDS"].split()) - 1)
    env["_TYPER_COMPLETE_ARGS"] = env["COMP_WORDS"]
    script = os.path.join(os.path.dirname(sys.executable), "combinat")  # noqa: PTH118, PTH120
    done = subprocess.run([script], capture_output=True, text=True, env=env, check=False)
    assert "tri-03" in done.stdout.split()


def every_command(group, above=""):
    """Each command by its whole name, with its options by theirs."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if hasattr(command, "list_commands"):
            yield f"{above}{name}", {one: option for option in command.params for one in option.opts}
            yield from every_command(command, f"{above}{name} ")
        else:
            yield f"{above}{name}", {one: option for option in command.params for one in option.opts}


def test_digits_and_completion_are_the_same_on_every_command():
    commands = dict(every_command(get_command(app)))
    digits = {name: options["--digits"].default for name, options in commands.items() if "--digits" in options}
    assert {"show", "sensitivity", "count", "meter explain"} < digits.keys()
    assert {name for name, given in digits.items() if given != 8} == {"parsheet", "parsheets"}
    assert not [name for name, options in commands.items() if "--install-completion" in options]
    assert {name for name, options in commands.items() if "--shelf" in options} == {"list", "count", "parsheets"}
    assert complete_shelf("P") == ["Poker", "Public"]


def test_every_answer_has_eight_decimals_if_nothing_is_said(run):
    asked = [("show", "TRI-03", "-d", "6"), ("odds", "suited", "-d", "6"), ("meter", "explain", "BLZ-1-UP")]
    asked += [("meter", "show", "BLZ-1-UP"), ("blackjack", "value", "--hand", "6 5", "--up", "6")]
    for command in asked:
        _, told, _ = run(*command)
        assert run(*command, "--digits", "8")[1] == told


def test_several_words_find_a_bet(run):
    code, told, _ = run("list", "trilux", "bonus")
    assert code == 0
    assert told.startswith("4 paytables")
    assert run("list", "bonus trilux")[1] == told
    code, _, complaint = run("list", "trilux", "malus")
    assert (code, complaint.count("\n")) == (2, 1)


def test_reader_who_leaves_is_no_error():
    script = f"set -o pipefail; {sys.executable} -m combinat ledger TRI-03 -d 6 | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("all cards,ways")
