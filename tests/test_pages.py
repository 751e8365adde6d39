"""What README, CONTRIBUTING and the pages of docs show is what the program does: their examples are run."""

import ast
import doctest
import importlib
import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import lru_cache
from pathlib import Path

import pytest
from typer.main import get_command

from reports.cli.main import app
from tests.published_tables import MISPRINTS, TABLES, printed_figures

ROOT = Path(__file__).parents[1]
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in FILES}
README = PAGES["README.md"]
command_of = lru_cache(maxsize=1)(get_command)
LONG = {
    "combinat show HM-2 HM-1 --decks 1,2 --digits 6",
    "combinat count HM-2 --decks 1 --depths 13,26",
    "docs/lucky9.md",
}
"""Commands of whole games of blackjack, and a page whose bet is a whole game; the quick suite plays smaller ones."""


def blocks(page, language):
    """The blocks of a page that are marked as being in a language; "" for those that are not marked."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGES[page], re.DOTALL | re.MULTILINE)


SHOWN = [
    pytest.param(command, output, id=f"{page}-{command}", marks=[pytest.mark.slow] if command in LONG else [])
    for page in PAGES
    for block in blocks(page, "console")
    for command, output in re.findall(r"^\$ ([^\n]*)\n(.*?)(?=^\$ |\Z)", block, re.DOTALL | re.MULTILINE)
]
PROGRAMS = [
    pytest.param(code, id=f"{page}-{number}")
    for page in PAGES
    for number, code in enumerate(blocks(page, "python"))
    if ">>>" not in code
]
BETS = [
    pytest.param(bet, id=f"{page}-{number}", marks=[pytest.mark.slow] if page in LONG else [])
    for page in PAGES
    for number, bet in enumerate(blocks(page, "toml"))
    if re.search(r"^deal = ", bet, re.MULTILINE)
]
NAMED = [
    pytest.param(said, id=f"{page}-{said}")
    for page, text in PAGES.items()
    for said in dict.fromkeys(
        [
            *re.findall(r"`(combinat [^`\n]*)`", text),
            *re.findall(r"^(combinat .*)$", "".join(blocks(page, "")), re.MULTILINE),
        ]
    )
    if not re.fullmatch(r"combinat (par sheet|answer) \d", said)  # what a sheet's data calls its format
]
LINKS = [
    pytest.param(ROOT / page, link, id=f"{page}-{link}")
    for page, text in PAGES.items()
    for link in dict.fromkeys(re.findall(r"\]\(([^)#\s]+)\)", text))
]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder to work in, with the bets that pages write: the README's own, what an outcome pays, jokers."""
    (tmp_path / "mine.toml").write_text(blocks("README.md", "toml")[0], encoding="utf-8")
    for bet in blocks("docs/settlement.md", "toml"):
        name = re.search(r'^id = "(\w+)"', bet, re.MULTILINE)[1].lower()
        (tmp_path / f"{name}.toml").write_text(bet, encoding="utf-8")
    (tmp_path / "joker.toml").write_text(blocks("docs/poker.md", "toml")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def in_a_shell(command):
    """Run a command as a person would, with the program on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=True, env={**os.environ, "PATH": path}
    )
    return done.stdout


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize(("command", "output"), SHOWN)
def test_what_a_page_shows_is_what_is_printed(command, output, run):
    words = shlex.split(command)
    if words[0] == "combinat" and not set(command) & set("|<>&;$*"):
        code, told, _ = run(*words[1:])
        assert code == (1 if words[1] == "diff" else 0)  # as `diff` says that something differs
    else:
        told = in_a_shell(command)
    assert told.rstrip() == output.rstrip()


@pytest.mark.usefixtures("desk")
def test_the_first_example_is_what_a_shell_prints():
    command, output = SHOWN[0].values
    assert in_a_shell(command).rstrip() == output.rstrip()


def test_the_readme_shows_something():
    assert len([example for example in SHOWN if example.id.startswith("README.md-")]) >= 5
    assert {example.values[0] for example in SHOWN} | PAGES.keys() >= LONG


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("page", PAGES)
def test_a_session_on_a_page_goes_as_it_is_shown(page):
    text = "\n".join(code for code in blocks(page, "(?:python|pycon)") if ">>>" in code)
    told = []
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    found = doctest.DocTestRunner().run(test, out=told.append)
    assert found.attempted == text.count(">>> ")
    assert not found.failed, "".join(told)


@pytest.mark.parametrize("code", PROGRAMS)
def test_a_program_on_a_page_compiles_and_imports_what_there_is(code):
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom):
            module = importlib.import_module(node.module)
            assert all(hasattr(module, alias.name) for alias in node.names)


@pytest.mark.parametrize("bet", BETS)
def test_a_bet_on_a_page_has_nothing_wrong(bet, run, tmp_path):
    path = tmp_path / "bet.toml"
    path.write_text(bet, encoding="utf-8")
    assert run("check", path) == (0, "ok\n", "")


@pytest.mark.parametrize("page", PAGES)
def test_toml_on_a_page_is_toml(page):
    for text in blocks(page, "toml"):
        assert tomllib.loads(text)


@pytest.mark.parametrize("said", NAMED)
def test_a_command_that_a_page_names_has_these_options(said):
    command, words = command_of(app), shlex.split(said)[1:]
    options = set()
    while True:
        options |= {name for parameter in command.params for name in parameter.opts}
        if not words or not hasattr(command, "get_command"):
            break
        if not (found := command.get_command(None, words[0])):
            assert words[0].startswith("-"), f"there is no command {words[0]}"
            break
        command, words = found, words[1:]
    assert {word for word in words if word.startswith("-")} <= options


@pytest.mark.parametrize(("path", "link"), LINKS)
def test_a_link_between_pages_leads_somewhere(path, link):
    assert (path.parent / link).exists()


def test_the_index_names_every_page():
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages == set(re.findall(r"^\| \[(.*?)\]\(\1\)", PAGES["docs/README.md"], re.MULTILINE))


def test_the_readme_counts_published_figures_right():
    figures = sum(len(dict(printed_figures(table))) for _, _, table in TABLES)
    assert f"{figures} figures" in README
    assert f"for {len({paytable.bet.name for _, paytable, _ in TABLES})} bets and tables" in README
    assert f"{len(MISPRINTS)} more" in README
