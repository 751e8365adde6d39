"""Every command gives the same output with PYTHONOPTIMIZE=1, which removes asserts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from reports.cli.main import app
from tests.slow_cases import slow_case

COMMANDS = [
    ["analyze", "TRI-03", "--decks", "1,6"],
    ["analyze", "TRI-03", "--decks", "6", "--format", "json"],
    ["analyze", "BLZ-ML03-UP", "--decks", "6", "--meter", "Mega=25000"],
    ["analyze", "TRI-03", "--decks", "6", "--removed", "7h 7d"],
    ["ledger", "PAIR-SQUARE-11", "--decks", "1"],
    ["odds", "suited and straight", "--deal", "player:2,up:1", "--decks", "6"],
    ["odds", "suited and strait", "--deal", "player:2,up:1", "--decks", "6"],
    ["check", "no_such_file.toml"],
    ["new", "--from", "TRI-03", "--pays", "Flush=6"],
    ["sensitivity", "TRI-03", "--decks", "6,8", "--edge", "3%..5%"],
    ["analyze", "TRI-03", "--decks", "6", "--pays", "Flush=6"],
    ["parsheet", "PAIR-SQUARE-11", "--decks", "1", "--format", "json", "--output", "sheets"],
    ["verify", "sheets/PAIR-SQUARE-11-1D.json"],
    ["analyze", "TRI-03", "--decks", "0"],
    ["words", "--deal", "dealer:h17"],
    ["schema"],
    ["help", "rules"],
    ["judge", "TRI-03", "As Ks Qs"],
    ["diff", "TRI-03", "TRI-04"],
    ["cache"],
    ["blackjack", "games"],
    ["studio", "--port", "70000"],
    ["meter", "show", "BLZ-1-UP", "--decks", "6", "--format", "json"],
    ["meter", "break-even", "BLZ-1-UP", "--decks", "6"],
]
BUSTS = str(Path(__file__).parents[2] / "data" / "busts.toml")
SLOW_COMMANDS = [
    ["odds", "bust and suited", "--deal", "dealer:h17", "--decks", "2", "--pack", "standard without 3 4 6 7 J Q"],
    ["meter", "explain", "BLZ-1-UP", "--decks", "6", "--hold", "24.78"],
    ["blackjack", "value", "--hand", "8h 8c", "--up", "6", "--decks", "1", "--hands", "2"],
    ["design", "TRI-04", "--pays", "*=1..30", "--edge", "4%..4.5%", "--decks", "6", "--write", "mine.toml"],
    ["analyze", "BB-1", "--decks", "2", "--format", "json"],
    ["ledger", BUSTS, "--decks", "6"],
    ["ledger", "HM-2", "--decks", "1"],
    ["parsheet", BUSTS, "--decks", "6", "--format", "json", "--output", "sheets"],
    ["parsheet", "SUP-01", "--decks", "6", "--format", "json,md", "--output", "sheets"],
    ["parsheets", "--only", "TRI-02", "--format", "json,csv", "--jobs", "1", "--output", "sheets"],
    ["verify", "sheets/BUSTS-6D.json", "sheets/SUP-01-6D.json"],
    ["meter", "show", "BLZ-ML03-UP", "--decks", "6"],
    ["formula", "TRI-03"],
    ["formula", BUSTS],
    ["list"],
    ["joint", "TRI-01=10", "SUP-01=5", "--decks", "6", "--spots", "2"],
    ["count", "TRI-03", "--decks", "2", "--cut", "29", "--best", "1"],
    ["removal", "TRI-03", "--decks", "6"],
    ["compare", "TRI-03", "TRI-04", "--decks", "6"],
]
OMITTED = {
    *(f"blackjack {name}" for name in ("edge", "strategy", "title", "sevens", "free-bets")),
    *("solve", "submit", "rebuild", "sign"),
}
"""Commands that take seconds and share their code with others, and `solve`, which has no asserts."""
RUN_ALL = """
import contextlib, io, json, sys
from reports.cli import main as cli
answers = []
for arguments in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["combinat", *arguments]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            cli.main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
    answers.append([arguments, code, out.getvalue(), err.getvalue()])
print(json.dumps([__debug__, "sympy" in sys.modules, answers]))
"""


def read_sheets(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((folder / "sheets").iterdir())}


def run_without_asserts(commands, folder):
    """Run all commands in one process and return their exit codes, output and written sheets."""
    folder.mkdir()
    process = subprocess.run(
        [sys.executable, "-c", RUN_ALL, json.dumps(commands)],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONOPTIMIZE": "1"},
    )
    has_asserts, has_algebra, answers = json.loads(process.stdout)
    assert not has_asserts
    assert has_algebra == any(
        command[0] == "formula" for command in commands
    )  # sympy loads slowly; only `formula` needs it
    return answers, read_sheets(folder)


def test_every_command_is_tested():
    all_commands, root = set(), get_command(app)
    for name in root.list_commands(None):
        command = root.get_command(None, name)
        all_commands |= {f"{name} {sub}" for sub in command.commands} if hasattr(command, "commands") else {name}
    tested = {" ".join(line[:2]) if line[0] in ("meter", "blackjack") else line[0] for line in COMMANDS + SLOW_COMMANDS}
    assert all_commands - OMITTED == tested


@pytest.mark.parametrize(
    ("commands", "refused", "differ"),
    [
        (
            COMMANDS,
            ("odds suited and strait", "check no_such_file.toml", "analyze TRI-03 --decks 0", "studio"),
            ("diff TRI-03",),
        ),
        slow_case(SLOW_COMMANDS, (), ()),
    ],
    ids=["usual", "long"],
)
def test_output_is_the_same_without_asserts(run, tmp_path, monkeypatch, commands, refused, differ):
    optimized = run_without_asserts(commands, tmp_path / "optimized")
    (tmp_path / "usual").mkdir()
    monkeypatch.chdir(tmp_path / "usual")
    assert __debug__
    answers, sheets = optimized
    for command_line, answer in zip(commands, answers, strict=True):
        assert answer == [command_line, *run(*command_line)]
    assert sheets == read_sheets(tmp_path / "usual")
    codes = {" ".join(arguments): code for arguments, code, _, _ in optimized[0]}
    assert codes == {
        command: 2 if command.startswith(refused) else 1 if command.startswith(differ) else 0 for command in codes
    }
    ledgers = [out for arguments, _, out, _ in optimized[0] if arguments[0] == "ledger"]
    assert all(len(out.splitlines()) > 50 for out in ledgers)
    assert ledgers
