"""The examples of the documentation pass a strict type checker."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


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
