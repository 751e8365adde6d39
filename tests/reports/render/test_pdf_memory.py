"""Memory of the typesetter stays bounded when one process writes many sheets."""

import os
import subprocess
import sys

import pytest


@pytest.mark.slow
def test_typesetting_many_sheets_does_not_leak():
    code = (
        "from reports.page.model import *; from reports.render.pdf import render; import resource\n"
        "def sheet(name):\n"
        "    rows = tuple((f'{name} {row}', row) for row in range(150))\n"
        "    columns = (Column('Award'), Column('Ways', Style.COUNT))\n"
        "    table = Table(columns, rows)\n"
        "    return Document(name, sections=tuple(Section(name, tables=(table,), number=n) for n in (1, 2)))\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for name in range(4): render(sheet(f'a{name}'), 6)\n"
        "few = peak()\n"
        "for name in range(16): render(sheet(f'b{name}'), 6)\n"
        "print(peak() * 100 // few)"
    )
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}  # every thread of the typesetter has a cache
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert int(process.stdout) < 125
