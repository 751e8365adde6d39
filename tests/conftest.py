"""Hooks and fixtures that tests of several packages share."""

import gc
import linecache
import os
import signal
import sys
from functools import lru_cache
from itertools import groupby

import pytest
from hypothesis import settings
from typer.main import get_command
from xdist.scheduler import LoadFileScheduling

import tests.profiles  # noqa: F401  # registers the profiles of --hypothesis-profile
from reports.cli import main as cli
from tests.bet_text import VALID_BET

# A shell starts background jobs with SIGINT ignored, and tests of Ctrl-C need it in the processes that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
gc.disable()  # while tests are collected: they all stay alive
settings.load_profile("quick")
UNKNOWN_SLOW_CASES = pytest.StashKey[set[str]]()
"""Cases that `slow_cases` names and that were not collected; `test_suites.py` expects none."""
GROUPS = {
    # These modules read the same par sheets, which `tests/sheets.py` computes once in each process.
    "tests/combinat/verifier/test_forged_sheets.py": "sheets",
    "tests/combinat/verifier/test_lucky9.py": "sheets",
    "tests/combinat/verifier/test_malformed_sheets.py": "sheets",
    "tests/combinat/verifier/test_verify.py": "sheets",
    "tests/reports/cli/test_lucky9.py": "sheets",
    "tests/reports/diff/test_diff.py": "sheets",
    "tests/reports/publish/test_schema.py": "sheets",
    "tests/reports/render/test_html.py": "sheets",
    "tests/reports/render/test_workbook.py": "sheets",
    "tests/reports/render/test_workbook_inputs.py": "sheets",
    "tests/reports/sheet/test_jurisdictions.py": "sheets",
    "tests/reports/sheet/test_par_sheet.py": "sheets",
    # These modules count every bet of the catalog or of poker; Fortune Pai Gow and Lucky 9 take long.
    "tests/combinat/analysis/test_analysis.py": "counts",
    "tests/combinat/bets/test_export.py": "counts",
    "tests/combinat/language/test_poker.py": "counts",
    "tests/reports/sheet/test_poker.py": "counts",
    "tests/test_published_tables.py": "counts",
}
"""Modules that run in the same process, because they share results that take long."""
INDEPENDENT = (
    "test_counts_match_the_simulations",
    "test_every_configuration_matches_all_orders",
    "test_page_examples_match_dealing_every_hand",
    "test_hand_gets_the_award_of_its_outcome",
)
"""Slow tests whose cases share no results: each case runs in whichever process is free."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark the cases that `slow_cases` names as slow, before pytest applies `-m 'not slow'`."""
    unknown = set()
    for test, cases in groupby(items, lambda item: item.nodeid.partition("[")[0]):
        cases = list(cases)
        slow_ids = {id for marker in cases[0].iter_markers("slow_cases") for id in marker.args}
        slow = [case for case in cases if slow_ids and case.callspec.id in slow_ids]
        for case in slow:
            case.add_marker(pytest.mark.slow)
        unknown |= {f"{test}[{id}]" for id in slow_ids - {case.callspec.id for case in slow}}
    config.stash[UNKNOWN_SLOW_CASES] = unknown


def pytest_collection_finish(session):
    """Collect garbage only in runs with slow tests, and seldom: the fast ones leave little, and this saves a tenth."""
    gc.freeze()
    if any(item.get_closest_marker("slow") for item in session.items):
        gc.enable()
        gc.set_threshold(100_000, 20, 50)
    linecache.clearcache()  # Hypothesis checks every cached source file for changes at each example


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """Drop the keywords of a report, which nothing reads: pickling them for the main process takes seconds."""
    report = yield
    report.keywords = {}
    return report


def pytest_xdist_auto_num_workers(config):
    """Start one process more than cores for all tests: some wait for browsers and servers."""
    return None if config.option.markexpr else (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config, log):
    """Run the tests of a module, or of a group of modules, in one process."""
    return GroupScheduling(config, log)


class GroupScheduling(LoadFileScheduling):
    def _split_scope(self, nodeid):
        module, _, test = nodeid.partition("::")
        return nodeid if test.startswith(INDEPENDENT) else GROUPS.get(module, module)


@pytest.fixture
def unmeasured(monkeypatch):
    """Measure no coverage in started processes: it loads libraries and complains about a full disk."""
    for name in [name for name in os.environ if name.startswith(("COVERAGE_", "COV_CORE_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def forked(monkeypatch):
    """Fork workers, so that they inherit what a test has patched.

    Such tests write no PDF: a process forked after the typesetter has run would wait for its threads.
    """
    monkeypatch.setattr("combinat.parallel.pool.start_method", lambda: "fork")


command_of = lru_cache(maxsize=None)(get_command)
"""Build the tree of commands once instead of at each run."""


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the program in this process; return its exit code, output and errors."""
    monkeypatch.setattr("typer.main.get_command", command_of)
    monkeypatch.setattr("reports.cli.lazy.get_command", command_of)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["combinat", *map(str, arguments)])
        code = None
        try:
            cli.main()
        except SystemExit as stop:  # `pytest.raises` would keep everything that the command has allocated
            code = stop.code or 0
        assert code is not None, "the program did not end by itself"
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def mine(tmp_path):
    """A designer's file."""
    path = tmp_path / "mine.toml"
    path.write_text(VALID_BET)
    return path
