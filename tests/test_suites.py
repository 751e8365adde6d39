"""Conventions of the tests, and how make runs them."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import settings

from tests.conftest import UNKNOWN_SLOW_CASES
from tests.profiles import tries

ROOT = Path(__file__).parents[1]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_tests_import_no_test_modules():
    named = [
        path for path in TESTS if re.search(r"^\s*(?:from|import)\s.*\btest_", path.read_text("utf-8"), re.MULTILINE)
    ]
    imported_names = [(path, name) for path in named for name in imported(path)]
    assert [(path, name) for path, name in imported_names if name.rpartition(".")[2].startswith("test_")] == []


def test_only_profiles_set_max_examples():
    paths = [path for path in TESTS if re.search(r"\bmax_examples=", path.read_text(encoding="utf-8"))]
    assert [path.name for path in paths] == ["profiles.py"]


def test_slow_cases_exist(request):
    assert request.config.stash[UNKNOWN_SLOW_CASES] == set()


@pytest.fixture(params=["quick", "thorough"])
def profile(request):
    before = settings.get_current_profile_name()
    settings.load_profile(request.param)
    yield request.param
    settings.load_profile(before)


def test_profile_sets_the_number_of_examples(profile):
    share = {"quick": [18, 7, 4, 3], "thorough": [150, 150, 8, 3]}[profile]
    assert [options.max_examples for options in (tries(150), tries(150, quick=7), tries(8), tries(3))] == share
    assert tries(150).deadline is None


def commands_of(*goals):
    """Return the commands that make would run, without setup."""
    output = subprocess.run(
        [shutil.which("make"), "--dry-run", *goals], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [line for line in output.stdout.splitlines() if "/bin/" in line and "pip" not in line]


def test_make_test_is_fast_and_test_all_is_complete():
    (quick,) = [line for line in commands_of("test") if "pytest" in line]
    (test_all,) = [line for line in commands_of("test-all") if "pytest" in line]
    assert "-m 'not slow'" in quick
    assert "thorough" not in quick
    assert "slow" not in test_all
    assert "--hypothesis-profile=thorough" in test_all


def test_check_formats_lints_types_and_tests():
    commands = "\n".join(commands_of("check"))
    assert all(text in commands for text in ("ruff format --check", "ruff check", "mypy", "-m 'not slow'"))


def test_ci_runs_each_test_once():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    (goals,) = re.findall(r"^make (.*)$", script, re.MULTILINE)
    commands = commands_of(*goals.split())
    assert all(any(text in line for line in commands) for text in ("ruff format --check", "ruff check", "mypy"))
    assert [line for line in commands if "pytest" in line] == [
        line for line in commands_of("test-all") if "pytest" in line
    ]
    assert "pytest" not in script
    assert "export COMBINAT_NEEDS_BROWSER=1 COMBINAT_SAME_EXAMPLES=1\n" in script
