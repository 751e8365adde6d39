"""The scripts of the studio's page: unit tests in Node, types by TypeScript, ESLint; each where the tool is present.

`npm ci --prefix tests/reports/studio` installs TypeScript and ESLint as locked in package-lock.json; `.ci/run` does it.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

import reports.studio

STUDIO = Path(reports.studio.__file__).parent
UNIT_TESTS = Path(__file__).with_name("page.test.mjs")
TOOLS = UNIT_TESTS.parent / "node_modules" / ".bin"
MIN_NODE = 20


def run_tool(name, *arguments):
    program = shutil.which(name, path=TOOLS) or shutil.which(name)
    if program is None:
        pytest.skip(f"there is no {name} on this machine; run npm ci --prefix tests/reports/studio")
    process = subprocess.run([program, *arguments], cwd=STUDIO, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


@pytest.mark.slow
def test_unit_tests_pass_in_node():
    version = run_tool("node", "--version")
    if int(version.removeprefix("v").partition(".")[0]) < MIN_NODE:
        pytest.skip(f"node {version.strip()} is too old")
    output = run_tool("node", "--test", str(UNIT_TESTS))
    assert "pass 16" in output


@pytest.mark.slow
def test_types_are_right():
    run_tool("tsc", "--project", "tsconfig.json")


@pytest.mark.slow
def test_linter_finds_nothing():
    run_tool("eslint", "page")


def test_every_script_is_imported():
    """A script that no other one imports is not part of the page."""
    scripts = {path.name: path.read_text(encoding="utf-8") for path in (STUDIO / "page").glob("*.js")}
    unused = [
        name
        for name in scripts
        if name != "main.js" and not any(f'"./{name}"' in text for other, text in scripts.items() if other != name)
    ]
    assert unused == []
