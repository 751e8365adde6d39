"""Write errors on standard output are reported once with an exit code; a closed pipe is not an error."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slow_cases import slow_case, slow_cases

ROOT = Path(__file__).parents[3]
UNBUFFERED = pytest.mark.parametrize("unbuffered", ["", slow_case("1")], ids=["buffered", "unbuffered"])
COMMANDS = [
    ("show", "TRI-02"),
    ("list",),
    ("--help",),
    ("--version",),
    ("schema",),
    ("ledger", "TRI-02"),
    ("ledger", "TRI-02", "-o", "/dev/stdout"),
]


CASES = [*((command, "1") for command in COMMANDS), (COMMANDS[0], ""), (COMMANDS[-1], "")]
SLOW_CASES = slow_cases(
    "('ledger', 'TRI-02', '-o', '/dev/stdout')-",
    "('ledger', 'TRI-02', '-o', '/dev/stdout')-1",
    "('schema',)-1",
    "('--help',)-1",
    "('list',)-1",
    "('ledger', 'TRI-02')-1",
    "('show', 'TRI-02')-1",
    "('--version',)-1",
)


def start_command(*arguments, unbuffered="", **options):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "reports", *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment, **options)


@SLOW_CASES
@pytest.mark.parametrize(("arguments", "unbuffered"), CASES, ids=str)
def test_full_disk_is_one_line_and_exit_code_1(arguments, unbuffered):
    with Path("/dev/full").open("w") as full:
        process = start_command(*arguments, unbuffered=unbuffered, stdout=full)
        _, err = process.communicate()
    assert (process.returncode, err.count("\n")) == (1, 1)
    assert err.endswith(": No space left on device\n")


@UNBUFFERED
@pytest.mark.usefixtures("unmeasured")
def test_partial_write_is_an_error(tmp_path, unbuffered):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    with (tmp_path / "out").open("w") as file:
        process = start_command("show", "TRI-02", unbuffered=unbuffered, stdout=file, preexec_fn=limit)
        _, err = process.communicate()
    assert (process.returncode, err.count("\n")) == (1, 1)
    assert err.endswith(": File too large\n")


@SLOW_CASES
@pytest.mark.parametrize(("arguments", "unbuffered"), CASES, ids=str)
def test_closed_pipe_is_not_an_error(arguments, unbuffered):
    read, write = os.pipe()
    os.close(read)  # closed before the first write
    process = start_command(*arguments, unbuffered=unbuffered, stdout=write)
    os.close(write)
    _, err = process.communicate()
    assert (process.returncode, err) == (0, "")


def test_ledger_stops_when_the_pipe_closes():
    # The ledger has millions of rows.
    process = start_command("ledger", "BB-1", "-d", "6", stdout=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == ("", 0)
    process.stderr.close()


def test_refusal_keeps_its_exit_code_without_stderr():
    for stderr in (Path("/dev/full").open("w"), None):  # noqa: SIM115
        command = [sys.executable, "-m", "reports", "show", "TRI-O2"]
        stderr_options = {"preexec_fn": lambda: os.close(2)} if stderr is None else {"stderr": stderr}
        assert subprocess.run(command, check=False, cwd=ROOT, **stderr_options).returncode == 2


def test_closed_stdout_is_reported():
    process = start_command("show", "TRI-02", preexec_fn=lambda: os.close(1))
    _, err = process.communicate()
    assert (process.returncode, err.count("\n")) == (1, 1)
    assert err.endswith(": Bad file descriptor\n")


def test_exit_handlers_run():
    code = (
        "import atexit, sys; from reports.__main__ import main\n"
        "atexit.register(print, 'told'); sys.argv[1:] = ['words']; main()"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-c", code]
    process = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    assert process.stdout.endswith("told\n")
    assert process.stdout.count("\n") > 20


@pytest.mark.slow  # fast: test_command_line.py::test_installed_program_runs_and_refuses
@pytest.mark.parametrize(("arguments", "code"), [(("show", "TRI-02"), 0), (("show", "TRI-99"), 2)], ids=str)
def test_exit_code_and_output_are_complete(arguments, code):
    process = start_command(*arguments, stdout=subprocess.PIPE)
    out, err = process.communicate()
    assert process.returncode == code
    assert (out if code == 0 else err).endswith("\n")
