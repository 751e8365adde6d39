"""What is remembered has a limit, wherever sheets are made: a process that writes many does not grow with them."""

import ast

import pytest

from tests.rooms import ROOT, SOURCES

ROOMS = ("reports/", "combinat/analysis/", "combinat/meters/", "combinat/verify/")
HERE = [path for path in SOURCES if path.relative_to(ROOT).as_posix().startswith(ROOMS)]


def without_a_limit(source):
    """Find the caches of functions that have no limit, by their lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "functools":
            yield from (node.lineno for alias in node.names if alias.name == "cache")
        if isinstance(node, ast.Attribute) and node.attr == "cache":
            yield node.lineno
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lru_cache":
            sizes = [one.value for one in node.keywords if one.arg == "maxsize"] + node.args
            if any(isinstance(one, ast.Constant) and one.value is None for one in sizes):
                yield node.lineno


@pytest.mark.parametrize("path", HERE, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_cache_is_without_a_limit(path):
    assert list(without_a_limit(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("from functools import cache", [1]),
        ("import functools\n@functools.cache\ndef f(): ...", [2]),
        ("@lru_cache(maxsize=None)\ndef f(): ...", [1]),
        ("g = lru_cache(None)(f)", [1]),
        ("@lru_cache(maxsize=16)\ndef f(): ...", []),
    ],
)
def test_a_cache_without_a_limit_is_found(source, lines):
    assert list(without_a_limit(source)) == lines


@pytest.mark.slow
def test_typesetting_many_sheets_keeps_the_memory_of_a_few():
    import subprocess
    import sys

    code = (
        "from reports.page.model import *; from reports.render.pdf import render; import resource\n"
        "def sheet(name):\n"
        "    rows = tuple((f'{name} {row}', row) for row in range(150))\n"
        "    columns = (Column('Award'), Column('Ways', Style.COUNT))\n"
        "    return Document(name, sections=tuple(Section(n, name, tables=(Table(columns, rows),)) for n in (1, 2)))\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for name in range(4): render(sheet(f'a{name}'), 6)\n"
        "few = peak()\n"
        "for name in range(16): render(sheet(f'b{name}'), 6)\n"
        "print(peak() * 100 // few)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 125
