"""On a real cluster of two workers: the same bytes as here, whoever is killed, and no half of anything."""

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.batches import contents
from tests.clusters import PATIENCE, OwnCluster, wait_for

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("unmeasured")]
SHEETS = ("parsheets", "--only", "TRI-0[234]", "-d", "2", "-f", "csv,xlsx,pdf")
"""More sheets than there are workers: when one is written, others are not."""
SAMPLE = (
    *("count", "TRI-01", "--decks", "6", "--depths", "260,290", "--tags", "2=1", "--bound"),
    *("--samples", "4000", "--chunk", "100", "--format", "json"),
)


@pytest.fixture(scope="module")
def clusters():
    begun = []
    yield begun
    for one in begun:
        one.end()


@pytest.fixture
def cluster(clusters, tmp_path_factory):
    """A scheduler and two workers that live; tests leave them to the next, but for the one that kills the scheduler."""
    if not clusters or not clusters[-1].is_whole():
        clusters.append(OwnCluster(tmp_path_factory.mktemp("cluster")))
    return clusters[-1]


def started(*arguments, home):
    environment = {key: value for key, value in os.environ.items() if key != "COMBINAT_NO_CACHE"}
    return subprocess.Popen(
        [sys.executable, "-m", "reports", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**environment, "XDG_CACHE_HOME": str(home)},
    )


def ended(process):
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def both(home, *where):
    """Begin with sheets and with a sample at once."""
    return started(*SHEETS, "-o", home / "sheets", *where, home=home), started(*SAMPLE, *where, home=home)


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """What comes out without a cluster."""
    home = tmp_path_factory.mktemp("here")
    sheets, sample = map(ended, both(home, "-j", "1"))
    assert (sheets[0], sample[0]) == (0, 0)
    return contents(home / "sheets"), sample[1]


def chunks_done(home):
    """How many chunks of the sample the journals in a home tell of."""
    found = 0
    for path in journals(home):
        with suppress(FileNotFoundError):  # a command that is through takes its own away
            found += path.read_bytes().count(b'+100"')
    return found


def journals(home):
    return list((home / "combinat").glob("*.jsonl"))


def test_two_commands_at_once_after_one_that_was_interrupted_come_to_the_same_bytes(cluster, here, tmp_path):
    at = "--cluster", cluster.address
    process = started(*SAMPLE, "--samples", "100000000", *at, home=tmp_path / "endless")
    wait_for(lambda: chunks_done(tmp_path / "endless"))
    process.send_signal(signal.SIGINT)
    assert ended(process) == (130, "", "combinat: interrupted\n")
    sheets, sample = map(ended, both(tmp_path, *at))
    assert (sheets[0], sheets[2]) == (0, "")
    assert sample == (0, here[1], "")
    assert contents(tmp_path / "sheets") == here[0]


def test_interrupted_in_a_chunk_of_minutes_no_worker_is_at_it_any_more(cluster, tmp_path):
    long = ("--samples", "100000000", "--chunk", "10000000")
    process = started(*SAMPLE, *long, "--cluster", cluster.address, home=tmp_path)
    wait_for(lambda: cluster.busy() == 2)
    process.send_signal(signal.SIGINT)
    assert ended(process) == (130, "", "combinat: interrupted\n")
    wait_for(lambda: cluster.busy() == 0)  # long before a chunk would be done


def test_one_worker_killed_in_the_middle_the_bytes_are_the_same(cluster, here, tmp_path):
    sheets, sample = both(tmp_path, "--cluster", cluster.address)
    wait_for(lambda: chunks_done(tmp_path) > 1 or sample.poll() is not None)  # if nobody looked in between
    cluster.kill(cluster.workers[0])
    assert ended(sample) == (0, here[1], "")
    assert ended(sheets)[::2] == (0, "")
    assert contents(tmp_path / "sheets") == here[0]
    cluster.workers[0] = cluster.worker()


def test_worker_with_another_program_is_refused_by_name(cluster, tmp_path):
    for room in ("combinat", "reports"):
        (tmp_path / room).symlink_to(ROOT / room)
    shutil.copytree(ROOT / "decks", tmp_path / "decks", ignore=lambda *_: {"__pycache__"})
    with (tmp_path / "decks" / "cards.py").open("a") as file:
        file.write("# changed\n")
    other = cluster.worker(PYTHONPATH=str(tmp_path))
    cluster.wait_for_workers()
    code, out, err = ended(started(*SAMPLE, "--cluster", cluster.address, home=tmp_path))
    cluster.kill(other)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert re.match(r"combinat: the worker tcp://127.0.0.1:\d+ is refused: its code of combinat \S+ has the", err)


def test_scheduler_killed_is_one_line_and_the_same_commands_go_on(cluster, here, tmp_path):
    at = "--cluster", cluster.address
    sample = started(*SAMPLE, "--samples", "100000000", *at, home=tmp_path)  # which go on as the first 4,000 do
    wait_for(lambda: chunks_done(tmp_path) > 2)
    sample.send_signal(signal.SIGSTOP)  # workers need not go on while the other command is loaded
    sheets = started(*SHEETS, "-o", tmp_path / "sheets", *at, home=tmp_path)
    wait_for(lambda: (tmp_path / "sheets").exists())
    sample.send_signal(signal.SIGCONT)
    wait_for(lambda: list((tmp_path / "sheets").rglob("*.csv")))  # so that both are in the middle
    cluster.kill(cluster.scheduler)
    gone = f"combinat: the scheduler at {cluster.address} is gone"
    for process in (sheets, sample):
        code, out, err = ended(process)
        assert (code, out, err.count("\n"), err[: len(gone)]) == (1, "", 1, gone)
    done = chunks_done(tmp_path)
    assert done > 2
    written = contents(tmp_path / "sheets")
    assert {name: here[0][name] for name in written} == written
    code, out, err = ended(started(*SAMPLE, "--cluster", cluster.address, home=tmp_path))
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(f"combinat: no Dask scheduler answers at {cluster.address}")
    sheets, sample = map(ended, both(tmp_path, "-j", "1"))
    assert (sheets[0], sheets[2]) == (0, "")
    assert sample == (0, here[1], "")
    assert contents(tmp_path / "sheets") == here[0]
    assert journals(tmp_path) == []
