"""Workers that die: what they were at is known and tried again, and everything else is done."""

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from combinat.parallel.chunks import Work
from combinat.parallel.pool import ProcessPool, _defer_interrupt

pytestmark = pytest.mark.usefixtures("forked")

ROOT = Path(__file__).parents[2]


def do(step, folder, deadly, always):
    """Square a number; a deadly one kills its process, the first time or always, leaving something unfinished."""
    with (folder / f"tries-{step}").open("a") as file:
        file.write(f"{os.getpid()} {os.getppid()}\n")
    if step in deadly and (always or len(tries(folder, step)) == 1):
        (folder / f"unfinished-{os.getpid()}").touch()
        os.kill(os.getpid(), deadly[step])
    return step * step


def tries(folder, step):
    return (folder / f"tries-{step}").read_text().splitlines()


def tidy(folder, process):
    (folder / f"unfinished-{process}").unlink(missing_ok=True)


def work(folder, groups, deadly, *, always, jobs=2):
    how = partial(do, folder=folder, deadly=deadly, always=always)
    with ProcessPool(jobs, partial(tidy, folder), most_memory=1 << 50) as workers:  # tests may remember much
        done = list(Work(how, lambda step, why: (step, why)).through(groups, workers))
    assert sorted(step for steps, _ in done for step in steps) == list(range(1, 10))
    return sorted((result for _, results in done for result in results), key=str)


GROUPS = [(1, 2, 3), (4, 5), (6,), (7, 8, 9)]


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow), 9])
@pytest.mark.parametrize("deadly", [(), (1,), (2,), (3,), (6, 7), (4, 5), range(1, 10)], ids=str)
def test_worker_that_is_killed_once_costs_nothing(tmp_path, jobs, deadly):
    signals = dict.fromkeys(deadly, signal.SIGKILL)
    found = work(tmp_path, GROUPS, signals, always=False, jobs=jobs)
    assert found == sorted((step * step for step in range(1, 10)), key=str)
    assert list(tmp_path.glob("unfinished-*")) == []
    for step in range(1, 10):
        assert len(tries(tmp_path, step)) == (2 if step in deadly else 1)


@pytest.mark.parametrize("deadly", [(1,), (2,), (3,), (2, 3), (5, 6, 8), range(1, 10)], ids=str)
def test_step_that_always_kills_its_worker_is_named_after_two_tries_and_the_rest_is_done(tmp_path, deadly):
    signals = {step: signal.SIGKILL if step % 2 else signal.SIGTERM for step in deadly}
    found = work(tmp_path, GROUPS, signals, always=True)
    reasons = {step: f"the process ended: killed by {signals[step].name}, twice" for step in deadly}
    assert [one for one in found if isinstance(one, tuple)] == sorted(reasons.items(), key=str)
    done = {one for one in found if isinstance(one, int)}
    assert done == {step * step for step in range(1, 10) if step not in deadly}
    assert all(len(tries(tmp_path, step)) == (2 if step in deadly else 1) for step in range(1, 10))
    assert list(tmp_path.glob("unfinished-*")) == []


def test_second_try_is_alone_in_a_process_of_its_own(tmp_path):
    work(tmp_path, GROUPS, {2: signal.SIGKILL}, always=False)
    first, second = tries(tmp_path, 2)
    others = {line for step in (1, 4, 5, 6, 7, 8, 9) for line in tries(tmp_path, step)}
    assert first in tries(tmp_path, 1)
    assert second not in others
    assert tries(tmp_path, 3) == [second]  # what was left goes on there


def test_where_no_process_can_be_started_every_step_is_named(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", refuse)
    found = work(tmp_path, GROUPS, {}, always=False)
    assert found == [(step, "no process: Resource temporarily unavailable, twice") for step in range(1, 10)]


def test_workers_end_when_nobody_wants_more(tmp_path):
    with ProcessPool(2, partial(tidy, tmp_path)) as workers:
        results = Work(partial(do, folder=tmp_path, deadly={}, always=False), None).through(GROUPS, workers)
        next(results)
    for step in range(1, 10):
        for line in tries(tmp_path, step) if (tmp_path / f"tries-{step}").exists() else ():
            with pytest.raises(ProcessLookupError):
                os.kill(int(line.split()[0]), 0)


def after(path):
    """Wait for a file, if any is named."""
    while path is not None and not path.exists():
        time.sleep(0.001)
    return path


def test_a_step_is_told_while_the_next_is_still_under_way(tmp_path):
    signal = tmp_path / "go on"
    with ProcessPool(1) as workers:
        results = Work(after, None).through([[None, signal]], workers)
        assert next(results) == ([None], [None])
        signal.touch()
        assert list(results) == [([signal], [signal])]


ORPHANS = """
import sys, time
from functools import partial
from pathlib import Path
from combinat.parallel.chunks import Work
from combinat.parallel.pool import ProcessPool

def do(step, folder):
    (folder / f"begun-{step}").touch()
    while True:
        time.sleep(60)

def tidy(folder, process):
    (folder / f"tidied-{process}").touch()

folder = Path(sys.argv[1])
workers = ProcessPool(2, partial(tidy, folder))
list(Work(partial(do, folder=folder), None).through([[1], [2], [3]], workers))
"""


def test_workers_of_a_parent_that_is_killed_stop(tmp_path):
    parent = subprocess.Popen([sys.executable, "-c", ORPHANS, str(tmp_path)], stdout=subprocess.PIPE, cwd=ROOT)
    while len(list(tmp_path.glob("begun-*"))) < 2:
        assert parent.poll() is None
        time.sleep(0.01)
    parent.kill()
    # The workers hold this pipe as well, so it ends when the last of them has.
    assert parent.stdout.read() == b""
    parent.stdout.close()
    parent.wait()
    assert len(list(tmp_path.glob("tidied-*"))) == 2
    assert not (tmp_path / "begun-3").exists()


def process_of(step):
    return step, os.getpid()


@pytest.mark.parametrize(("most_memory", "processes"), [(1 << 50, 1), (0, 3)])
def test_a_process_that_remembers_too_much_gets_no_further_group(tmp_path, most_memory, processes):
    with ProcessPool(1, partial(tidy, tmp_path), most_memory) as workers:
        chunks = Work(process_of, None).through([[1, 2], [3, 4], [5, 6]], workers)
        done = [one for _, results in chunks for one in results]
    assert [step for step, _ in done] == [1, 2, 3, 4, 5, 6]
    assert len({process for _, process in done}) == processes


def test_ctrl_c_waits_until_a_process_is_started():
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with _defer_interrupt():
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)  # to this thread, whatever others there are
            assert heard == []
        assert heard == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)
