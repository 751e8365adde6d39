"""The examples of the documentation pass strict type checkers."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TOOLS = ROOT / "tests" / "reports" / "studio" / "node_modules" / ".bin"


def example_code(page):
    """Return the code of a page's Python sessions as one program."""
    blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    lines = [line[4:] for block in blocks for line in block.splitlines() if line.startswith((">>>", "..."))]
    return "\n".join(lines) + "\n"


@pytest.mark.slow
def test_examples_pass_mypy_strict(tmp_path):
    program = tmp_path / "example.py"
    program.write_text(example_code("docs/python.md"), encoding="utf-8")
    options = ["--strict", "--config-file", "", "--follow-imports", "silent", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, str(program)], capture_output=True, text=True, cwd=ROOT
    )
    errors = [line for line in done.stdout.splitlines() if "error" in line and "example.py" in line]
    assert errors == []
    assert done.stdout  # it ran


@pytest.mark.slow
def test_examples_pass_pyright(tmp_path):
    program = shutil.which("pyright", path=TOOLS) or shutil.which("pyright")
    if program is None:
        pytest.skip("there is no pyright on this machine; run npm ci --prefix tests/reports/studio")
    for name in ("README", "docs/python", "docs/tutorial"):  # one run, since most of its time is spent on the libraries
        (tmp_path / f"{Path(name).name}.py").write_text(example_code(f"{name}.md"), encoding="utf-8")
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT)], "reportUnusedExpression": "none"}
    settings |= {"reportUnknownMemberType": "none"}  # matplotlib declares some types only in part
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        [program, "--pythonpath", sys.executable, "--project", str(tmp_path)], capture_output=True, text=True
    )
    assert "0 errors" in done.stdout, done.stdout + done.stderr
