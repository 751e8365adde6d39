"""What tests of several rooms share."""

import gc
import os
import sys
from functools import lru_cache

import pytest
from hypothesis import settings
from typer.main import get_command
from xdist.scheduler import LoadFileScheduling

import combinat.verify.counting
import tests.profiles  # noqa: F401  # names the profiles that --hypothesis-profile may ask for
from reports.cli import main as cli
from tests.files import GOOD
from tests.long_cases import names_of_long_cases
from tests.sheets import READERS

settings.load_profile("quick")
combinat.verify.counting.MOST_BETS = 60  # tests come back to the same bets, one module after the other
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


def pytest_xdist_make_scheduler(config, log):
    """Keep the tests of a module in one process, and modules that read the same dear sheets too."""
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

    def _split_scope(self, nodeid):
        module, _, test = nodeid.partition("::")
        if module in READERS:
            return "sheets"
        return nodeid if test.startswith(self.ALONE) else module


def pytest_collection_finish():
    """Look for rubbish less often: what tests are made of stays, and exact numbers refer to no one in circles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


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
    monkeypatch.setattr("combinat.workers.processes.start_method", lambda: "fork")


command_of = lru_cache(maxsize=None)(get_command)
"""Commands and their options, put together once instead of each time that one is run."""


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the program within this process and give its exit code, output and complaints."""
    monkeypatch.setattr("typer.main.get_command", command_of)
    monkeypatch.setattr("reports.cli.later.get_command", command_of)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["combinat", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = capsys.readouterr()
        return stop.value.code or 0, out, err

    return run


@pytest.fixture
def mine(tmp_path):
    """A file of one's own, as a designer writes it."""
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    return path
