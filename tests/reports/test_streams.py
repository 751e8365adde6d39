"""Standard output that ends early or has no room: told once, and the exit code says so."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
UNBUFFERED = pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
COMMANDS = [
    ("show", "TRI-02"),
    ("list",),
    ("--help",),
    ("--version",),
    ("schema",),
    ("ledger", "TRI-02"),
    ("ledger", "TRI-02", "-o", "/dev/stdout"),
]


BOTH_WAYS = [*((command, "1") for command in COMMANDS), (COMMANDS[0], ""), (COMMANDS[-1], "")]


def start(*arguments, unbuffered="", **how):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "reports", *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment, **how)


@pytest.mark.parametrize(("arguments", "unbuffered"), BOTH_WAYS, ids=str)
def test_full_disk_is_one_line_and_exit_code_1(arguments, unbuffered):
    with Path("/dev/full").open("w") as full:
        process = start(*arguments, unbuffered=unbuffered, stdout=full)
        _, err = process.communicate()
    assert (process.returncode, err) == (1, "combinat: cannot write to standard output: No space left on device\n")


@UNBUFFERED
@pytest.mark.usefixtures("unmeasured")
def test_text_of_which_a_part_found_room_is_not_called_whole(tmp_path, unbuffered):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    with (tmp_path / "out").open("w") as file:
        process = start("show", "TRI-02", unbuffered=unbuffered, stdout=file, preexec_fn=limit)
        _, err = process.communicate()
    assert (process.returncode, err) == (1, "combinat: cannot write to standard output: File too large\n")


@pytest.mark.parametrize(("arguments", "unbuffered"), BOTH_WAYS, ids=str)
def test_reader_who_leaves_is_no_error(arguments, unbuffered):
    read, write = os.pipe()
    os.close(read)  # gone before the first word
    process = start(*arguments, unbuffered=unbuffered, stdout=write)
    os.close(write)
    _, err = process.communicate()
    assert (process.returncode, err) == (0, "")


def test_ledger_stops_when_nobody_reads_on():
    # Some millions of rows would follow the first.
    process = start("ledger", "BB-1", "-d", "6", stdout=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == ("", 0)
    process.stderr.close()


def test_refusal_keeps_its_exit_code_where_nobody_hears_it():
    for stderr in (Path("/dev/full").open("w"), None):  # noqa: SIM115
        command = [sys.executable, "-m", "reports", "show", "TRI-O2"]
        closing = {"preexec_fn": lambda: os.close(2)} if stderr is None else {"stderr": stderr}
        assert subprocess.run(command, check=False, cwd=ROOT, **closing).returncode == 2


def test_closed_standard_output_is_told():
    process = start("show", "TRI-02", preexec_fn=lambda: os.close(1))
    _, err = process.communicate()
    assert (process.returncode, err) == (1, "combinat: cannot write to standard output: Bad file descriptor\n")


def test_who_wants_to_be_told_of_the_end_is_told():
    code = (
        "import atexit, sys; from reports.__main__ import main\n"
        "atexit.register(print, 'told'); sys.argv[1:] = ['words']; main()"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    assert done.stdout.endswith("told\n")
    assert done.stdout.count("\n") > 20


@pytest.mark.slow  # the installed program answers and refuses in `test_command_line.py`
@pytest.mark.parametrize(("arguments", "code"), [(("show", "TRI-02"), 0), (("show", "TRI-99"), 2)], ids=str)
def test_the_exit_code_is_that_of_the_command_and_everything_was_written(arguments, code):
    process = start(*arguments, stdout=subprocess.PIPE)
    out, err = process.communicate()
    assert process.returncode == code
    assert (out if code == 0 else err).endswith("\n")
