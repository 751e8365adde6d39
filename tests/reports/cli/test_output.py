"""Output fits its destination: a terminal of any width, a pipe, or a console with a small character set."""

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
from reports.cli.options import complete_collection, complete_paytable, warn
from reports.page.model import Column, Document, Figure, Style, Table, format_cell
from reports.render.terminal import render
from tests.slow_cases import slow_case

PROGRAM = [sys.executable, "-m", "combinat"]
NEGATIVE_EDGE = ("show", "TRI-02", "-d", "6", "--any-decks")
"""A bet with a negative edge."""


@lru_cache(maxsize=None)
def run_in_pipe(*arguments, encoding=None):
    """Run the program with its output in a pipe and return the output."""
    env = {key: value for key, value in os.environ.items() if key not in ("PYTHONIOENCODING", "PYTHONUTF8")}
    if encoding:
        env["PYTHONIOENCODING"] = encoding
    process = subprocess.run([*PROGRAM, *arguments], capture_output=True, check=True, env=env)
    return process.stdout.decode(encoding or "utf-8")


@lru_cache(maxsize=None)
def run_on_terminal(width, *arguments):
    """Run the program on a terminal of the given width and return the output."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    env = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "PYTHONIOENCODING")}
    with subprocess.Popen([*PROGRAM, *arguments], stdout=terminal, stderr=terminal, env=env) as process:
        os.close(terminal)
        shown = b""
        while True:
            try:
                chunk = os.read(controller, 65536)
            except OSError:  # the other end is closed
                break
            if not chunk:
                break
            shown += chunk
    os.close(controller)
    assert process.returncode == 0
    return shown.decode("utf-8").replace("\r\n", "\n")


@pytest.mark.parametrize("encoding", [None, slow_case("cp1252"), slow_case("ascii")])
def test_pipe_gets_an_ascii_minus(encoding):
    output = run_in_pipe(*NEGATIVE_EDGE, encoding=encoding)
    (edge,) = re.findall(r"^House edge +(\S+)$", output, re.MULTILINE)
    assert edge == "-2.087639%"
    assert output.isascii()


@pytest.mark.parametrize(
    ("encoding", "shown"), [("ascii", b"Egalite"), ("cp1252", b"Egalit\xe9"), ("utf-8", "Egalité".encode())]
)
def test_unencodable_letter_is_replaced_by_the_nearest(encoding, shown, monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding))
    monkeypatch.setattr(sys, "argv", ["combinat", "list", "egalite-0"])
    with pytest.raises(SystemExit):
        main()
    assert shown + b" on a tie with 0" in written.getvalue()


def test_warning_in_a_file_has_an_ascii_minus(capsys):
    warn("it can be −9.98%")
    assert capsys.readouterr().err == "combinat: it can be -9.98%\n"


def test_help_in_a_pipe_has_no_boxes():
    output = run_in_pipe("show", "--help")
    assert output.isascii()
    assert "--decks <str>" in output
    assert "--+" not in output


@pytest.mark.slow  # fast: test_pipe_gets_an_ascii_minus
def test_awk_reads_a_negative_edge():
    process = subprocess.run(
        f"{sys.executable} -m combinat {' '.join(NEGATIVE_EDGE)} | awk '/^House edge/ {{ print $3 + 0 }}'",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout == "-2.08764\n"


@pytest.mark.parametrize(
    "command", [("formula", "HM-1"), ("show", "BLZ-ML03-UP", "-d", "6"), ("meter", "show", "BLZ-1-UP")]
)
def test_pipe_gets_ascii_formulas_on_one_line(command, run):
    _, output, _ = run(*command)
    assert output.isascii()
    rule_index = next(index for index, line in enumerate(output.splitlines()) if set(line) == {"-", " "})
    rule = output.splitlines()[rule_index]
    starts = [match.start() for match in re.finditer(r"-+", rule)]
    for line in output.splitlines()[rule_index + 1 : rule_index + 4]:
        assert all(line[start - 1 : start].strip() == "" for start in starts[1:])  # columns do not overlap


@pytest.mark.parametrize("format", ["markdown", slow_case("csv"), slow_case("latex")])
def test_ascii_console_loses_no_character(format):
    assert "?" not in run_in_pipe(*NEGATIVE_EDGE, "-f", format, encoding="ascii")


def test_ascii_console_loses_nothing_of_json(tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text(
        'bet = "Señor"\ndeal = "player:2"\n[hands]\n"Ein Paar für 2 €" = "pair"\n[[paytable]]\nid = "X"\ndecks = "6"\n'
        'awards = [{ hand = "Ein Paar für 2 €", pays = "11 to 1" }]\n',
        encoding="utf-8",
    )
    for encoding in ("ascii", "cp1252"):
        (output,) = json.loads(run_in_pipe("show", str(path), "-f", "json", encoding=encoding))
        assert (output["bet"], output["awards"][0]["name"]) == ("Señor", "Ein Paar für 2 €")


@pytest.mark.parametrize(
    "command",
    [
        slow_case(("show", "TRI-03", "-d", "6")),
        slow_case(("show", "BLZ-ML03-UP", "-d", "6")),
        ("list",),
        slow_case(("show", "TRI-03", "-d", "2,6,8")),
    ],
    ids=" ".join,
)
def test_output_fits_80_columns(command):
    shown = run_on_terminal(80, *command)
    assert max(map(len, shown.splitlines())) <= 80


def test_terminal_gets_typographic_minus_and_all_numbers():
    shown, output = run_on_terminal(80, *NEGATIVE_EDGE), run_in_pipe(*NEGATIVE_EDGE)
    assert "−2.087639%" in shown
    number = re.compile(r"\d[\d,.]*\d%?")
    assert set(number.findall(output)) <= set(number.findall(shown))


def test_derived_column_needs_a_wide_terminal():
    shown = run_on_terminal(80, "show", "TRI-03", "-d", "6")
    assert "Not shown in 80 columns: True odds to 1" in shown
    assert "5,802.45" in shown
    assert "5,801.45" not in shown


@pytest.mark.slow  # fast: test_derived_column_needs_a_wide_terminal
def test_wide_terminal_gets_the_whole_table():
    assert "True odds to 1" in run_on_terminal(200, "show", "TRI-03", "-d", "6").split("House edge")[0]


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
def test_no_width_cuts_a_number(table, width):
    shown = render(Document("", tables=(table,)), 8, width)
    for index, column in enumerate(table.columns):
        for row in table.rows:
            if isinstance(row[index], (int, Fraction)) and not column.is_spare:
                assert format_cell(row[index], column.style, 8) in shown


@given(tables(), st.integers(20, 120))
@example(Table((Column("Key"), Column("", Style.COUNT)), (("row 0", "XXXXXXXXXXXXX X"),)), 20)
def test_only_long_words_exceed_the_width(table, width):
    words = [
        word
        for row in table.rows
        for cell, column in zip(row, table.columns, strict=True)
        for word in format_cell(cell, column.style, 8).split()
    ]
    longest_line = 5 + 2 + max([len(word) for word in words] + [14])
    shown = render(Document("", tables=(table,)), 8, width)
    assert max(map(len, shown.splitlines())) <= max(width, longest_line)


def test_text_wraps_between_words():
    note = "a note of some words " * 10
    shown = render(Document("Title", notes=(note,), figures=(Figure("Label", "x" * 50),)), 8, 40)
    assert max(map(len, shown.splitlines())) <= 57  # one word of fifty letters
    assert " ".join(shown.split()).endswith("* " + note.strip())


@pytest.mark.parametrize(
    ("begun", "found"), [("tri-0", "tri-03"), ("TRI-0", "TRI-03"), ("blz-1-u", "blz-1-up"), ("Hm-1", "Hm-1")]
)
def test_id_completion_keeps_the_typed_case(begun, found):
    assert found in complete_paytable(begun)
    assert all(completion.startswith(begun) for completion in complete_paytable(begun))


def test_file_names_are_completed(tmp_path, monkeypatch):
    (tmp_path / "mine.toml").touch()
    monkeypatch.chdir(tmp_path)
    assert complete_paytable("mi") == ["mine.toml"]
    assert complete_paytable("./mi") == ["./mine.toml"]


@pytest.mark.parametrize(
    "command",
    [
        slow_case("analyze"),
        slow_case("compare"),
        slow_case("ledger"),
        slow_case("formula"),
        slow_case("parsheet"),
        slow_case("joint"),
        slow_case("meter show"),
        slow_case("meter break-even"),
        "meter explain",
    ],
)
def test_ids_are_completed_on_every_command(command):
    env = {**os.environ, "_COMBINAT_COMPLETE": "complete_bash", "COMP_WORDS": f"combinat {command} tri-0"}
    env["COMP_CWORD"] = str(len(env["COMP_WORDS"].split()) - 1)
    env["_TYPER_COMPLETE_ARGS"] = env["COMP_WORDS"]
    script = os.path.join(os.path.dirname(sys.executable), "combinat")  # noqa: PTH118, PTH120
    process = subprocess.run([script], capture_output=True, text=True, env=env, check=False)
    assert "tri-03" in process.stdout.split()


def iter_commands(group, prefix=""):
    """Yield every command's full name with its options by flag."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if hasattr(command, "list_commands"):
            yield f"{prefix}{name}", {flag: option for option in command.params for flag in option.opts}
            yield from iter_commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", {flag: option for option in command.params for flag in option.opts}


def test_every_command_has_digits_and_completion():
    commands = dict(iter_commands(get_command(app)))
    digits = {name: options["--digits"].default for name, options in commands.items() if "--digits" in options}
    assert {"analyze", "sensitivity", "count", "meter explain"} < digits.keys()
    assert {name for name, given in digits.items() if given != 8} == {"parsheet", "parsheets", "submit"}
    assert not [name for name, options in commands.items() if "--install-completion" in options]
    assert {name for name, options in commands.items() if "--collection" in options} == {"list", "count", "parsheets"}
    assert complete_collection("P") == ["Poker", "Public"]


def test_default_is_eight_decimals(run):
    commands = [("show", "TRI-03", "-d", "6"), ("odds", "suited", "-d", "6"), ("meter", "explain", "BLZ-1-UP")]
    commands += [("meter", "show", "BLZ-1-UP"), ("blackjack", "value", "--hand", "6 5", "--up", "6")]
    for command in commands:
        _, output, _ = run(*command)
        assert run(*command, "--digits", "8")[1] == output


def test_several_search_words_find_a_bet(run):
    code, output, _ = run("list", "trilux", "bonus")
    assert code == 0
    assert output.startswith("4 paytables")
    assert run("list", "bonus trilux")[1] == output
    code, _, complaint = run("list", "trilux", "malus")
    assert (code, complaint.count("\n")) == (2, 1)


@pytest.mark.slow  # fast: reports/cli/test_streams.py::test_closed_pipe_is_not_an_error
def test_closed_pipe_is_not_an_error():
    script = f"set -o pipefail; {sys.executable} -m combinat ledger TRI-03 -d 6 | head -n 1"
    process = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (0, "")
    assert process.stdout.startswith("all cards,ways")
