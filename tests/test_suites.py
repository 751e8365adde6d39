"""How the tests are sorted and started, and the habits that keep them quick."""

import ast
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import settings

from tests.profiles import tries

ROOT = Path(__file__).parents[1]
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_what_tests_share_does_not_stand_in_a_test():
    named = [
        path for path in TESTS if re.search(r"^\s*(?:from|import)\s.*\btest_", path.read_text("utf-8"), re.MULTILINE)
    ]
    found = [(path, name) for path in named for name in imported(path)]
    assert [(path, name) for path, name in found if name.rpartition(".")[2].startswith("test_")] == []


def test_the_number_of_examples_goes_by_the_profile():
    found = [path for path in TESTS if re.search(r"\bmax_examples=", path.read_text(encoding="utf-8"))]
    assert [path.name for path in found] == ["profiles.py"]


@pytest.fixture(params=["quick", "thorough"])
def profile(request):
    before = settings.get_current_profile_name()
    settings.load_profile(request.param)
    yield request.param
    settings.load_profile(before)


def test_a_property_is_tried_on_all_its_examples_in_the_whole_suite_only(profile):
    share = {"quick": [18, 7, 4, 3], "thorough": [150, 150, 8, 3]}[profile]
    assert [one.max_examples for one in (tries(150), tries(150, quick=7), tries(8), tries(3))] == share
    assert tries(150).deadline is None


def commands_of(*goals):
    """The commands that make would run, the setting up aside."""
    told = subprocess.run(
        [shutil.which("make"), "--dry-run", *goals], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [line for line in told.stdout.splitlines() if "/bin/" in line and "pip" not in line]


def test_make_test_is_the_quick_suite_and_test_all_the_whole_one():
    (quick,) = [line for line in commands_of("test") if "pytest" in line]
    (whole,) = [line for line in commands_of("test-all") if "pytest" in line]
    assert "-m 'not slow'" in quick
    assert "thorough" not in quick
    assert "slow" not in whole
    assert "--hypothesis-profile=thorough" in whole


def test_check_looks_at_format_lint_types_and_runs_the_quick_tests():
    found = "\n".join(commands_of("check"))
    assert all(text in found for text in ("ruff format --check", "ruff check", "mypy", "-m 'not slow'"))


def test_the_whole_check_runs_each_test_once():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    (goals,) = re.findall(r"^make (.*)$", script, re.MULTILINE)
    found = commands_of(*goals.split())
    assert all(any(text in line for line in found) for text in ("ruff format --check", "ruff check", "mypy"))
    assert [line for line in found if "pytest" in line] == [
        line for line in commands_of("test-all") if "pytest" in line
    ]
    assert "pytest" not in script
    assert "export COMBINAT_NEEDS_BROWSER=1 COMBINAT_SAME_EXAMPLES=1\n" in script
