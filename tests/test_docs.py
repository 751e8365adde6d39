"""The examples of README, CONTRIBUTING and docs are run and must match."""

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

import msgspec
import pytest
from typer.main import get_command

import combinat
from combinat.bets import schema
from combinat.bets.catalog import list_ids
from combinat.figures import FIGURES
from combinat.version import VERSION
from reports.cli.main import app
from reports.cli.reference import FILE_KEYS
from tests.doc_pages import PAGES, ROOT, blocks
from tests.published_tables import MISPRINTS, TABLES, printed_figures

README = PAGES["README.md"]
MAX_CONTRIBUTING_LINES = 80
MAX_README_LINES = 130
command_of = lru_cache(maxsize=1)(get_command)
SLOW_COMMANDS = (
    "combinat show HM-2",
    "combinat count HM-2",
    "combinat show PKR-TRIPS-1",
    "combinat show L9",
    'combinat design TRI-03 --pays "*=1..100',
    "combinat design TRI-04",
    "combinat count BUST-IT --decks 2 --depths 60",
    "combinat count TRI-03 --decks 6 --best 2",
)
"""Starts of slow commands; `make test` runs the others."""
DESIGN_LINTS = ("a simple card count wins", "nothing says how it is run")
"""Warnings that short examples may have."""
SLOW_BETS = ("docs/lucky9.md",)
"""Pages whose bets are complete games, which take long to check."""


NAMED_FILE = re.compile(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
"""A block of code that examples read as a file."""


CONSOLE_EXAMPLES = [
    pytest.param(
        command, output, id=f"{page}-{command}", marks=[pytest.mark.slow] if command.startswith(SLOW_COMMANDS) else []
    )
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
    pytest.param(bet, id=f"{page}-{number}", marks=[pytest.mark.slow] if page in SLOW_BETS else [])
    for page in PAGES
    for number, bet in enumerate(blocks(page, "toml"))
    if re.search(r"^deal = ", bet, re.MULTILINE)
]
COMMANDS_IN_TEXT = [
    pytest.param(command, id=f"{page}-{command}")
    for page, text in PAGES.items()
    for command in dict.fromkeys(
        [
            *re.findall(r"`(combinat [^`\n]*)`", text),
            *re.findall(r"^(combinat .*)$", "".join(blocks(page, "")), re.MULTILINE),
        ]
    )
    if not re.fullmatch(r"combinat (par sheet|answer) \d", command)  # names of data formats
]
LINKS = [
    pytest.param(ROOT / page, link, id=f"{page}-{link}")
    for page, text in PAGES.items()
    for link in dict.fromkeys(re.findall(r"\]\(([^)#\s]+)\)", text))
    if not link.startswith("https://")
]


@pytest.fixture
def folder_with_bets(tmp_path, monkeypatch):
    """Write the bets of the README, docs/settlement.md and docs/poker.md, and named files, into the working folder."""
    (tmp_path / "mine.toml").write_text(blocks("README.md", "toml")[0], encoding="utf-8")
    for bet in blocks("docs/settlement.md", "toml"):
        name = re.search(r'^id = "(\w+)"', bet, re.MULTILINE)[1].lower()
        (tmp_path / f"{name}.toml").write_text(bet, encoding="utf-8")
    for text in PAGES.values():
        for name, content in NAMED_FILE.findall(text):
            (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "joker.toml").write_text(blocks("docs/poker.md", "toml")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run_in_shell(command):
    """Run a command in a shell, with the program on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = subprocess.run(
        command, shell=True, capture_output=True, text=True, check=True, env={**os.environ, "PATH": path}
    )
    return process.stdout


@pytest.mark.usefixtures("folder_with_bets")
@pytest.mark.parametrize(("command", "output"), CONSOLE_EXAMPLES)
def test_console_examples_match(command, output, run):
    words = shlex.split(command)
    if words[0] == "combinat" and not set(command) & set("|<>&;$*"):
        code, printed, error = run(*words[1:])
        if output.startswith("combinat: "):  # the example shows a mistake
            assert (code, printed, error.rstrip()) == (2, "", output.rstrip())
            return
        # `diff` exits with 1 if something differs, `design` if no paytable meets the requirements
        assert code == (1 if words[1] == "diff" or "\nnone of " in output else 0)
    else:
        printed = run_in_shell(command)
    assert printed.rstrip() == output.rstrip()


@pytest.mark.usefixtures("folder_with_bets")
@pytest.mark.slow  # fast: test_console_examples_match
def test_first_example_runs_in_a_shell():
    command, output = CONSOLE_EXAMPLES[0].values
    assert run_in_shell(command).rstrip() == output.rstrip()


def test_slow_commands_are_in_the_docs():
    commands = [example.values[0] for example in CONSOLE_EXAMPLES]
    assert [start for start in SLOW_COMMANDS if not any(command.startswith(start) for command in commands)] == []


def test_readme_has_examples():
    assert len([example for example in CONSOLE_EXAMPLES if example.id.startswith("README.md-")]) >= 2


@pytest.mark.usefixtures("folder_with_bets")
@pytest.mark.parametrize("page", PAGES)
def test_python_sessions_match(page):
    text = "\n".join(code for code in blocks(page, "(?:python|pycon)") if ">>>" in code)
    messages = []
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    result = doctest.DocTestRunner().run(test, out=messages.append)
    assert result.attempted == text.count(">>> ")
    assert not result.failed, "".join(messages)


@pytest.mark.parametrize("code", PROGRAMS)
def test_python_programs_compile_and_import(code):
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom):
            module = importlib.import_module(node.module)
            assert all(hasattr(module, alias.name) for alias in node.names)


@pytest.mark.parametrize("bet", BETS)
def test_bets_pass_the_check(bet, run, tmp_path):
    path = tmp_path / "bet.toml"
    path.write_text(bet, encoding="utf-8")
    code, out, err = run("check", path)
    findings = [line for line in out.splitlines() if ": warning: " in line and not any(map(line.count, DESIGN_LINTS))]
    assert (code, findings, err) == (0, [], "")


@pytest.mark.parametrize("page", PAGES)
def test_toml_blocks_parse(page):
    for text in blocks(page, "toml"):
        assert tomllib.loads(text)


@pytest.mark.parametrize("message", COMMANDS_IN_TEXT)
def test_named_commands_have_their_options(message):
    command, words = command_of(app), shlex.split(message)[1:]
    options = set()
    while True:
        options |= {name for parameter in command.params for name in parameter.opts}
        if not words or not hasattr(command, "get_command"):
            break
        if not (subcommand := command.get_command(None, words[0])):
            assert words[0].startswith("-"), f"there is no command {words[0]}"
            break
        command, words = subcommand, words[1:]
    assert {word for word in words if word.startswith("-")} <= options


@pytest.mark.parametrize(("path", "link"), LINKS)
def test_links_lead_to_files(path, link):
    assert (path.parent / link).exists()


def test_index_lists_every_page():
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    index = PAGES["docs/index.md"]
    assert pages == set(re.findall(r"^\| \[(.*?)\]\(\1\)", index, re.MULTILINE))
    navigation = "".join(blocks("docs/index.md", "{toctree}"))
    assert pages == {f"{name}.md" for name in re.findall(r"^([a-z0-9]+)$", navigation, re.MULTILINE)}


def test_every_key_of_a_bet_file_is_described():
    for kind in vars(schema).values():
        if isinstance(kind, type) and issubclass(kind, schema.Fields):
            assert {field.encode_name for field in msgspec.structs.fields(kind)} <= FILE_KEYS.keys()


@pytest.mark.parametrize("label", sorted({figure.label for figure in FIGURES.values()}))
def test_glossary_has_every_figure_of_a_sheet(label):
    name = label.split(",")[0].removesuffix(" of two spots").lower()
    assert name in PAGES["docs/glossary.md"].lower()


def test_readme_fits_the_first_screens():
    assert len(README.splitlines()) <= MAX_README_LINES


@pytest.mark.slow
def test_site_builds_without_broken_links_and_without_a_network(tmp_path):
    build = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "-b", "html"]
    process = subprocess.run(
        [*build, "-d", str(tmp_path / "trees"), str(ROOT / "docs"), str(tmp_path / "site")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr[-2000:]
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "site").glob("*.html")}
    assert {path.with_suffix(".html").name for path in (ROOT / "docs").glob("*.md")} <= pages.keys()
    for name, text in pages.items():
        assert not re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"(?:https?:)?//", text), name
        for target in re.findall(r"<(?:a|img|script|link)[^>]*(?:href|src)=\"([^\"#?:]+)[\"#?]", text):
            assert (tmp_path / "site" / target).exists(), (name, target)
        for target, anchor in re.findall(r"<a[^>]*href=\"([^\"#?:]*)#([^\"]+)\"", text):
            assert f'id="{anchor}"' in pages[target or name], (name, target, anchor)
    assert "ending of --output" in pages["commands.html"], "options keep their hyphens"
    assert VERSION in pages["index.html"]
    index = (tmp_path / "site" / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")  # a script, which a page opened from a file may load
    assert all(f"combinat {name}" in pages["commands.html"] for name in ("analyze", "meter show", "parsheet"))
    assert all(f"combinat.{name}" in pages["api.html"] for name in combinat.__all__ if not name.startswith("_"))


def test_contributing_stays_short():
    assert len(PAGES["CONTRIBUTING.md"].splitlines()) <= MAX_CONTRIBUTING_LINES


def test_readme_counts_the_published_figures():
    figures = sum(len(dict(printed_figures(table))) for _, _, table in TABLES)
    assert f"{figures} figures" in README
    assert f"for {len({paytable.bet.name for _, paytable, _ in TABLES})} bets and tables" in README
    assert f"{len(MISPRINTS)} more" in README
    assert f"{len(list_ids())} paytables" in README


def test_command_page_lists_every_command():
    listed = set(re.findall(r"`combinat ([a-z]+)", PAGES["docs/commands.md"]))
    assert set(command_of(app).list_commands(None)) <= listed
