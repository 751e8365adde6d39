"""What the README shows is what the program prints."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_published_tables import MISPRINTS, TABLES, printed_figures

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
SHOWN = [
    (command, output)
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    for command, output in re.findall(r"^\$ (combinat [^\n]*)\n(.*?)(?=^\$ |\Z)", block, re.DOTALL | re.MULTILINE)
]


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_output_in_the_readme_is_real(command, output, tmp_path):
    (tmp_path / "mine.toml").write_text(re.search(r"```toml\n(.*?)```", README, re.DOTALL)[1])
    script = Path(sys.executable).with_name("combinat")
    done = subprocess.run(
        command.replace("combinat", str(script), 1),
        shell=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert done.stdout.rstrip() == output.rstrip()


def test_the_readme_shows_something():
    assert len(SHOWN) >= 5


def test_the_readme_counts_published_figures_right():
    figures = sum(len(dict(printed_figures(table))) for _, _, table in TABLES)
    assert f"{figures} figures" in README
    assert f"for {len({paytable.bet.name for _, paytable, _ in TABLES})} bets and tables" in README
    assert f"{len(MISPRINTS)} more" in README
