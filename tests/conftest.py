"""What tests of several packages share."""

import gc
import linecache
import os
import signal
import sys
from functools import lru_cache

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings
from typer.main import get_command
from xdist.scheduler import LoadFileScheduling

import combinat.verifier.counting
import tests.profiles  # noqa: F401  # names the profiles that --hypothesis-profile may ask for
from reports.cli import main as cli
from tests.files import GOOD
from tests.long_cases import names_of_long_cases
from tests.sheets import READERS

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script, for all that tests start too
    signal.signal(signal.SIGINT, signal.default_int_handler)
gc.disable()  # while tests are found: what they are made of stays
settings.load_profile("quick")
combinat.verifier.counting.MOST_BETS = 60  # tests come back to the same bets, one module after the other
COLLECTED = pytest.StashKey[dict[str, bool]]()
"""Every test that was found, with whether it is a long one."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark the cases that `long_cases.toml` names, before those that are not wanted are left out."""
    named = names_of_long_cases()
    for item in items:
        if item.nodeid in named:
            item.add_marker(pytest.mark.slow)
    config.stash[COLLECTED] = {item.nodeid: item.get_closest_marker("slow") is not None for item in items}


def pytest_xdist_auto_num_workers(config):
    """Have one process more than cores for the whole suite, of which a tenth waits for browsers and servers."""
    return None if config.option.markexpr else (os.cpu_count() or 1) + 1


def pytest_xdist_make_scheduler(config, log):
    """Keep the tests of a module in one process, and modules that read the same dear sheets or count the same too."""
    return ByModule(config, log)


class ByModule(LoadFileScheduling):
    ALONE = (
        "test_counts_are_worth_what_a_hundred_million_shoes_say",
        "test_every_configuration_agrees_with_all_orders_of_the_cards",
        "test_every_number_of_every_sheet_of_the_catalog_is_named_or_listed",
        "test_example_of_the_reference_page_holds_for_as_many_hands_dealt_one_by_one",
        "test_hand_takes_the_award_that_the_enumeration_gives_it",
    )
    """Long tests whose cases share nothing: each goes where there is time."""
    COUNTERS = (
        "tests/combinat/test_analysis.py",
        "tests/combinat/test_own_files.py",
        "tests/combinat/test_poker.py",
        "tests/reports/test_poker_sheets.py",
        "tests/test_published_tables.py",
    )
    """Modules that count every bet of the catalog or of poker, of which Fortune and Lucky 9 take long."""

    def _split_scope(self, nodeid):
        module, _, test = nodeid.partition("::")
        if module in READERS:
            return "sheets"
        if module in self.COUNTERS:
            return "counts"
        return nodeid if test.startswith(self.ALONE) else module


SHOWN = 0.005
"""Seconds that a part of a test takes of which `--durations` tells."""


def pytest_runtest_protocol(item, nextitem):
    """Send from one process to the other only what is shown there: to pack and unpack the rest takes seconds."""
    if not hasattr(item.config, "workerinput"):
        return None
    hook, where = item.ihook, {"nodeid": item.nodeid, "location": item.location}
    if item.config.option.verbose > 0:
        hook.pytest_runtest_logstart(**where)
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed or report.duration >= SHOWN:
            report.keywords = {}
            hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(**where)
    return True


def pytest_collection_finish(session):
    """Look for no rubbish in the quick tests, which leave little, and seldom in the long ones.

    What tests are made of stays, and exact numbers refer to no one in circles. The sources that the search for examples
    has read are forgotten, since every example asks whether they still stand.
    """
    gc.freeze()
    if any(item.get_closest_marker("slow") for item in session.items):
        gc.enable()
        gc.set_threshold(100_000, 20, 50)
    linecache.clearcache()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish():
    """Look for no more rubbish when all is done."""
    gc.freeze()


@pytest.fixture
def unmeasured(monkeypatch):
    """Measure no coverage in processes started: it loads libraries, and has its own complaints of a full disk."""
    for name in [name for name in os.environ if name.startswith(("COVERAGE_", "COV_CORE_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def forked(monkeypatch):
    """Have workers forked, so that they are given what a test has put in place of the real thing.

    Such tests write no PDF: a process that is forked after the typesetter has run would wait for its threads.
    """
    monkeypatch.setattr("combinat.parallel.pool.start_method", lambda: "fork")


command_of = lru_cache(maxsize=None)(get_command)
"""Commands and their options, put together once instead of each time that one is run."""


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the program within this process and give its exit code, output and complaints."""
    monkeypatch.setattr("typer.main.get_command", command_of)
    monkeypatch.setattr("reports.cli.lazy.get_command", command_of)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["combinat", *map(str, arguments)])
        code = None
        try:
            cli.main()
        except SystemExit as stop:  # `pytest.raises` would keep all that the command has made
            code = stop.code or 0
        assert code is not None, "the program did not end by itself"
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def mine(tmp_path):
    """A file of one's own, as a designer writes it."""
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    return path
