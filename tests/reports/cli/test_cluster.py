"""Commands on a real cluster of two workers give the same bytes as in one process, whichever process is killed."""

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.batches import read_folder
from tests.clusters import PATIENCE, LocalCluster, wait_for

ROOT = Path(__file__).parents[3]
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("unmeasured")]
SHEETS = ("parsheets", "--only", "TRI-0[234]", "-d", "2", "-f", "csv,xlsx,pdf")
"""More sheets than workers, so that some are pending when the first is written."""
SAMPLE = (
    *("count", "TRI-01", "--decks", "6", "--depths", "260,290", "--tags", "2=1", "--bound"),
    *("--samples", "4000", "--chunk", "100", "--format", "json"),
)


@pytest.fixture(scope="module")
def clusters():
    started = []
    yield started
    for cluster in started:
        cluster.end()


@pytest.fixture
def cluster(clusters, tmp_path_factory):
    """Return a running scheduler with two workers, shared by the tests until one kills the scheduler."""
    if not clusters or not clusters[-1].is_whole():
        clusters.append(LocalCluster(tmp_path_factory.mktemp("cluster")))
    return clusters[-1]


def start_command(*arguments, home):
    environment = {key: value for key, value in os.environ.items() if key != "COMBINAT_NO_CACHE"}
    return subprocess.Popen(
        [sys.executable, "-m", "reports", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**environment, "XDG_CACHE_HOME": str(home)},
    )


def wait_for_output(process):
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def start_sheets_and_sample(home, *options):
    """Start the batch of sheets and the sample at the same time."""
    return start_command(*SHEETS, "-o", home / "sheets", *options, home=home), start_command(
        *SAMPLE, *options, home=home
    )


@pytest.fixture(scope="module")
def serial_output(tmp_path_factory):
    """Return the output of the same commands in one process."""
    home = tmp_path_factory.mktemp("here")
    sheets, sample = map(wait_for_output, start_sheets_and_sample(home, "-j", "1"))
    assert (sheets[0], sample[0]) == (0, 0)
    return read_folder(home / "sheets"), sample[1]


def count_finished_chunks(home):
    """Return the number of chunks of the sample in the journals under `home`."""
    finished = 0
    for path in journals(home):
        with suppress(FileNotFoundError):  # a finished command deletes its journal
            finished += path.read_bytes().count(b'+100"')
    return finished


def journals(home):
    return list((home / "combinat").glob("*.jsonl"))


def test_concurrent_commands_after_an_interrupt_give_the_same_bytes(cluster, serial_output, tmp_path):
    cluster_option = "--cluster", cluster.address
    process = start_command(*SAMPLE, "--samples", "100000000", *cluster_option, home=tmp_path / "endless")
    wait_for(lambda: count_finished_chunks(tmp_path / "endless"))
    process.send_signal(signal.SIGINT)
    assert wait_for_output(process) == (130, "", "combinat: interrupted\n")
    sheets, sample = map(wait_for_output, start_sheets_and_sample(tmp_path, *cluster_option))
    assert (sheets[0], sheets[2]) == (0, "")
    assert sample == (0, serial_output[1], "")
    assert read_folder(tmp_path / "sheets") == serial_output[0]


def test_interrupt_stops_workers_in_long_chunks(cluster, tmp_path):
    long_chunks = ("--samples", "100000000", "--chunk", "10000000")
    process = start_command(*SAMPLE, *long_chunks, "--cluster", cluster.address, home=tmp_path)
    wait_for(lambda: cluster.busy() == 2)
    process.send_signal(signal.SIGINT)
    assert wait_for_output(process) == (130, "", "combinat: interrupted\n")
    wait_for(lambda: cluster.busy() == 0)  # long before the end of a chunk


def test_killed_worker_gives_the_same_bytes(cluster, serial_output, tmp_path):
    sheets, sample = start_sheets_and_sample(tmp_path, "--cluster", cluster.address)
    wait_for(
        lambda: count_finished_chunks(tmp_path) > 1 or sample.poll() is not None
    )  # the sample may finish between two checks
    cluster.kill(cluster.workers[0])
    assert wait_for_output(sample) == (0, serial_output[1], "")
    assert wait_for_output(sheets)[::2] == (0, "")
    assert read_folder(tmp_path / "sheets") == serial_output[0]
    cluster.workers[0] = cluster.worker()


def test_worker_with_another_version_is_named(cluster, tmp_path):
    for package in ("combinat", "reports"):
        (tmp_path / package).symlink_to(ROOT / package)
    shutil.copytree(ROOT / "decks", tmp_path / "decks", ignore=lambda *_: {"__pycache__"})
    with (tmp_path / "decks" / "cards.py").open("a") as file:
        file.write("# changed\n")
    changed_worker = cluster.worker(PYTHONPATH=str(tmp_path))
    cluster.wait_for_workers()
    code, out, err = wait_for_output(start_command(*SAMPLE, "--cluster", cluster.address, home=tmp_path))
    cluster.kill(changed_worker)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert re.match(r"combinat: the worker tcp://127.0.0.1:\d+ has a different program: ", err)


def test_killed_scheduler_is_one_line_and_commands_resume(cluster, serial_output, tmp_path):
    cluster_option = "--cluster", cluster.address
    sample = start_command(
        *SAMPLE, "--samples", "100000000", *cluster_option, home=tmp_path
    )  # begins with the same 4,000 samples
    wait_for(lambda: count_finished_chunks(tmp_path) > 2)
    sample.send_signal(signal.SIGSTOP)  # pause it while the other command starts
    sheets = start_command(*SHEETS, "-o", tmp_path / "sheets", *cluster_option, home=tmp_path)
    wait_for(lambda: (tmp_path / "sheets").exists())
    sample.send_signal(signal.SIGCONT)
    wait_for(lambda: list((tmp_path / "sheets").rglob("*.csv")))  # both commands are now in progress
    cluster.kill(cluster.scheduler)
    message = f"combinat: the scheduler at {cluster.address} has disconnected"
    for process in (sheets, sample):
        code, out, err = wait_for_output(process)
        assert (code, out, err.count("\n"), err[: len(message)]) == (1, "", 1, message)
    finished = count_finished_chunks(tmp_path)
    assert finished > 2
    written = read_folder(tmp_path / "sheets")
    assert {name: serial_output[0][name] for name in written} == written
    code, out, err = wait_for_output(start_command(*SAMPLE, "--cluster", cluster.address, home=tmp_path))
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(f"combinat: no Dask scheduler answers at {cluster.address}")
    sheets, sample = map(wait_for_output, start_sheets_and_sample(tmp_path, "-j", "1"))
    assert (sheets[0], sheets[2]) == (0, "")
    assert sample == (0, serial_output[1], "")
    assert read_folder(tmp_path / "sheets") == serial_output[0]
    assert journals(tmp_path) == []
