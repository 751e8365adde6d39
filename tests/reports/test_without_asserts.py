"""With PYTHONOPTIMIZE=1 there are no asserts, and every command says and answers what it does with them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from reports.cli.main import app

COMMANDS = [
    ["show", "TRI-03", "--decks", "1,6"],
    ["show", "TRI-03", "--decks", "6", "--format", "json"],
    ["show", "BLZ-ML03-UP", "--decks", "6", "--meter", "Mega=25000"],
    ["show", "TRI-03", "--decks", "6", "--removed", "7h 7d"],
    ["ledger", "PAIR-SQUARE-11", "--decks", "1"],
    ["odds", "suited and straight", "--deal", "player:2,up:1", "--decks", "6"],
    ["odds", "suited and strait", "--deal", "player:2,up:1", "--decks", "6"],
    ["odds", "bust and suited", "--deal", "dealer:h17", "--decks", "2", "--pack", "standard without 3 4 6 7 J Q"],
    ["design", "TRI-04", "--pays", "*=1..30", "--edge", "4%..4.5%", "--decks", "6", "--write", "mine.toml"],
    ["check", "no_such_file.toml"],
    ["new", "--from", "TRI-03", "--pays", "Flush=6"],
    ["sensitivity", "TRI-03", "--decks", "6,8", "--edge", "3%..5%"],
    ["show", "TRI-03", "--decks", "6", "--pays", "Flush=6"],
    ["parsheet", "PAIR-SQUARE-11", "--decks", "1", "--format", "json", "--output", "sheets"],
    ["verify", "sheets/PAIR-SQUARE-11_1-deck.json"],
    ["show", "TRI-03", "--decks", "0"],
    ["words", "--deal", "dealer:h17"],
    ["schema"],
    ["judge", "TRI-03", "As Ks Qs"],
    ["diff", "TRI-03", "TRI-04"],
    ["cache"],
    ["studio", "--port", "70000"],
    ["blackjack", "value", "--hand", "8h 8c", "--up", "6", "--decks", "1", "--hands", "2"],
    ["meter", "show", "BLZ-1-UP", "--decks", "6", "--format", "json"],
    ["meter", "break-even", "BLZ-1-UP", "--decks", "6"],
    ["meter", "explain", "BLZ-1-UP", "--decks", "6", "--hold", "24.78"],
]
BUSTS = str(Path(__file__).parents[1] / "data" / "busts.toml")
LONG = [
    ["show", "BB-1", "--decks", "2", "--format", "json"],
    ["ledger", BUSTS, "--decks", "6"],
    ["ledger", "HM-2", "--decks", "1"],
    ["parsheet", BUSTS, "--decks", "6", "--format", "json", "--output", "sheets"],
    ["parsheet", "SUP-01", "--decks", "6", "--format", "json,md", "--output", "sheets"],
    ["parsheets", "--only", "TRI-02", "--format", "json,csv", "--jobs", "1", "--output", "sheets"],
    ["verify", "sheets/BUSTS_6-decks.json", "sheets/SUP-01_6-decks.json"],
    ["meter", "show", "BLZ-ML03-UP", "--decks", "6"],
    ["formula", "TRI-03"],
    ["formula", BUSTS],
    ["list"],
    ["joint", "TRI-01=10", "SUP-01=5", "--decks", "6", "--spots", "2"],
    ["count", "TRI-03", "--decks", "2", "--cut", "29", "--best", "1"],
    ["removal", "TRI-03", "--decks", "6"],
    ["compare", "TRI-03", "TRI-04", "--decks", "6"],
]
TAKE_LONG = {"blackjack edge", "blackjack strategy"}
"""Seconds each, and what they do is done by `blackjack value` too."""
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


def written(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((folder / "sheets").iterdir())}


def answers_without_asserts(commands, folder):
    """Run every command in one process and give the exit codes, what was said, and what was written."""
    folder.mkdir()
    told = subprocess.run(
        [sys.executable, "-c", RUN_ALL, json.dumps(commands)],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONOPTIMIZE": "1"},
    )
    has_asserts, has_algebra, found = json.loads(told.stdout)
    assert not has_asserts
    assert has_algebra == any(command[0] == "formula" for command in commands)  # it loads slowly, and sheets need none
    return found, written(folder)


def test_every_command_is_run_without_asserts():
    known, whole = set(), get_command(app)
    for name in whole.list_commands(None):
        command = whole.get_command(None, name)
        known |= {f"{name} {one}" for one in command.commands} if hasattr(command, "commands") else {name}
    asked = {" ".join(one[:2]) if one[0] in ("meter", "blackjack") else one[0] for one in COMMANDS + LONG}
    assert known - TAKE_LONG == asked


@pytest.mark.parametrize(
    ("commands", "refused", "differ"),
    [
        (
            COMMANDS,
            ("odds suited and strait", "check no_such_file.toml", "show TRI-03 --decks 0", "studio"),
            ("diff TRI-03",),
        ),
        pytest.param(LONG, (), (), marks=pytest.mark.slow),
    ],
    ids=["usual", "long"],
)
def test_every_command_is_the_same_without_asserts(run, tmp_path, monkeypatch, commands, refused, differ):
    found = answers_without_asserts(commands, tmp_path / "optimized")
    (tmp_path / "usual").mkdir()
    monkeypatch.chdir(tmp_path / "usual")
    assert __debug__
    assert found == ([[one, *run(*one)] for one in commands], written(tmp_path / "usual"))
    codes = {" ".join(arguments): code for arguments, code, _, _ in found[0]}
    assert codes == {
        command: 2 if command.startswith(refused) else 1 if command.startswith(differ) else 0 for command in codes
    }
    ledgers = [out for arguments, _, out, _ in found[0] if arguments[0] == "ledger"]
    assert all(len(out.splitlines()) > 50 for out in ledgers)
    assert ledgers
