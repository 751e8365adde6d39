"""The rooms and the promises, held by reading the source."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("decks", "combinat", "reports")
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: import by full name"
            yield node.module


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way_between_the_rooms(path):
    room = path.relative_to(ROOT).parts[0]
    later = ROOMS[ROOMS.index(room) + 1 :]
    assert [name for name in imports(path) if name.split(".")[0] in later] == []


@pytest.mark.parametrize("path", sorted((ROOT / "decks").glob("*.py")), ids=lambda path: path.name)
def test_decks_need_the_standard_library_only(path):
    outside = {name.split(".")[0] for name in imports(path)} - {"decks"} - sys.stdlib_module_names
    assert outside == set()


@pytest.mark.parametrize("name", ["verify.py", "recount.py", "rehand.py", "sheet_form.py"])
def test_second_method_needs_the_standard_library_and_itself_only(name):
    outside = set(imports(ROOT / "combinat" / name)) - sys.stdlib_module_names
    assert {module for module in outside if module.split(".")[0] not in sys.stdlib_module_names} <= {
        "combinat.recount",
        "combinat.rehand",
        "combinat.sheet_form",
        "recount",
        "rehand",
        "sheet_form",
    }


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_float_and_no_rounding_on_the_way_to_a_figure(path):
    if path.name == "plots.py":
        return  # a picture's coordinates are no figures
    allowed = {("decks/errors.py", 0.6)}  # how alike two words must be to suggest one for the other
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            assert (str(path.relative_to(ROOT)), node.value) in allowed
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("float", "round"), f"{path}:{node.lineno}"


def test_dependencies_are_pinned_without_addresses():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in pinned
    names = {line.partition("==")[0].lower().replace("_", "-") for line in pinned.splitlines() if "==" in line}
    for need in needed:
        name = need.partition(">")[0].partition("<")[0].strip()
        assert name.lower() in names


def test_heavy_libraries_load_only_where_they_are_needed():
    import subprocess

    code = (
        "import sys; from reports import cli; sys.argv = ['combinat', 'show', 'TRI-03', '--decks', '6']\n"
        "try: cli.main()\nexcept SystemExit: pass\n"
        "heavy = ('sympy', 'mpmath', 'rich', 'json', 'pydantic', 'matplotlib', 'numpy', 'reports.meter_cli',"
        "'combinat.blackjack_game')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines()[-1] == "[]"


def only_narrows_a_type(test):
    """Whether an assert tells a reader and the type checker what something is, and does and checks nothing else."""
    match test:
        case ast.Call(func=ast.Name("isinstance"), args=[tested, _], keywords=[]):
            pass
        case ast.Compare(left=tested, ops=[ast.IsNot()], comparators=[ast.Constant(None)]):
            pass
        case _:
            return False
    return not any(isinstance(node, (ast.Call, ast.NamedExpr, ast.Await, ast.Yield)) for node in ast.walk(tested))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_assert_does_no_work_and_guards_no_figure(path):
    # With PYTHONOPTIMIZE=1 it is not there: what must be found out and told is raised instead.
    asserts = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Assert)]
    assert [ast.unparse(node) for node in asserts if not only_narrows_a_type(node.test)] == []


def test_assert_that_does_work_is_seen():
    allowed = ["first is not None", "isinstance(trial.deal, Deal)", "isinstance(text, (str, bytes))"]
    refused = [
        "lay(0)",
        "go_on()",
        "rest == 0",
        "isinstance(next(rows), str)",
        "(x := found()) is not None",
        "a.b() is not None",
    ]
    answers = [only_narrows_a_type(ast.parse(text, mode="eval").body) for text in [*allowed, *refused]]
    assert answers == [True] * len(allowed) + [False] * len(refused)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_is_one_idea_of_a_few_screens(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 420
