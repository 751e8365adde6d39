"""Workers that die: their step is known and tried again, and all others are done."""

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
from combinat.parallel.pool import ProcessPool
from combinat.parallel.process import _defer_interrupt
from tests.slow_cases import slow_case, slow_cases

pytestmark = pytest.mark.usefixtures("forked")

ROOT = Path(__file__).parents[3]


def do(step, folder, deadly, always):
    """Square a number; a deadly one kills its process the first time or always."""
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
    with ProcessPool(jobs, partial(tidy, folder), max_memory=1 << 50) as workers:  # tests may remember much
        done = list(Work(how, lambda step, why: (step, why)).run(groups, workers))
    assert sorted(step for steps, _ in done for step in steps) == list(range(1, 10))
    return sorted((result for _, results in done for result in results), key=str)


GROUPS = [(1, 2, 3), (4, 5), (6,), (7, 8, 9)]


@slow_cases(
    "(1,)-9",
    "(2,)-1",
    "(3,)-1",
    "(4, 5)-1",
    "(6, 7)-1",
    "(6, 7)-9",
    "(3,)-9",
    "range(1, 10)-1",
    "range(1, 10)-9",
    "()-9",
    "(2,)-9",
    "(4, 5)-9",
)
@pytest.mark.parametrize("jobs", [1, slow_case(2), 9])
@pytest.mark.parametrize("deadly", [(), (1,), (2,), (3,), (6, 7), (4, 5), range(1, 10)], ids=str)
def test_killed_worker_is_replaced(tmp_path, jobs, deadly):
    signals = dict.fromkeys(deadly, signal.SIGKILL)
    result = work(tmp_path, GROUPS, signals, always=False, jobs=jobs)
    assert result == sorted((step * step for step in range(1, 10)), key=str)
    assert list(tmp_path.glob("unfinished-*")) == []
    for step in range(1, 10):
        assert len(tries(tmp_path, step)) == (2 if step in deadly else 1)


@pytest.mark.parametrize(
    "deadly",
    [slow_case((1,)), slow_case((2,)), slow_case((3,)), (2, 3), slow_case((5, 6, 8)), slow_case(range(1, 10))],
    ids=str,
)
def test_deadly_step_is_named_after_two_tries(tmp_path, deadly):
    signals = {step: signal.SIGKILL if step % 2 else signal.SIGTERM for step in deadly}
    result = work(tmp_path, GROUPS, signals, always=True)
    reasons = {step: f"the process ended: killed by {signals[step].name}, twice" for step in deadly}
    assert [item for item in result if isinstance(item, tuple)] == sorted(reasons.items(), key=str)
    done = {item for item in result if isinstance(item, int)}
    assert done == {step * step for step in range(1, 10) if step not in deadly}
    assert all(len(tries(tmp_path, step)) == (2 if step in deadly else 1) for step in range(1, 10))
    assert list(tmp_path.glob("unfinished-*")) == []


def test_second_try_has_its_own_process(tmp_path):
    work(tmp_path, GROUPS, {2: signal.SIGKILL}, always=False)
    first, second = tries(tmp_path, 2)
    others = {line for step in (1, 4, 5, 6, 7, 8, 9) for line in tries(tmp_path, step)}
    assert first in tries(tmp_path, 1)
    assert second not in others
    assert tries(tmp_path, 3) == [second]  # the remaining steps continue there


def test_failed_process_start_names_every_step(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", refuse)
    result = work(tmp_path, GROUPS, {}, always=False)
    assert result == [(step, "no process: Resource temporarily unavailable, twice") for step in range(1, 10)]


def test_workers_end_when_results_are_abandoned(tmp_path):
    with ProcessPool(2, partial(tidy, tmp_path)) as workers:
        results = Work(partial(do, folder=tmp_path, deadly={}, always=False), None).run(GROUPS, workers)
        next(results)
    for step in range(1, 10):
        for line in tries(tmp_path, step) if (tmp_path / f"tries-{step}").exists() else ():
            with pytest.raises(ProcessLookupError):
                os.kill(int(line.split()[0]), 0)


def after(path):
    """Wait for a file, if one is named."""
    while path is not None and not path.exists():
        time.sleep(0.001)
    return path


def test_results_arrive_while_others_run(tmp_path):
    signal = tmp_path / "go on"
    with ProcessPool(1) as workers:
        results = Work(after, None).run([[None, signal]], workers)
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
list(Work(partial(do, folder=folder), None).run([[1], [2], [3]], workers))
"""


def test_workers_stop_when_their_parent_is_killed(tmp_path):
    parent = subprocess.Popen([sys.executable, "-c", ORPHANS, str(tmp_path)], stdout=subprocess.PIPE, cwd=ROOT)
    while len(list(tmp_path.glob("begun-*"))) < 2:
        assert parent.poll() is None
        time.sleep(0.01)
    parent.kill()
    # The workers hold this pipe too, so it ends when the last of them has.
    assert parent.stdout.read() == b""
    parent.stdout.close()
    parent.wait()
    assert len(list(tmp_path.glob("tidied-*"))) == 2
    assert not (tmp_path / "begun-3").exists()


def process_of(step):
    return step, os.getpid()


@pytest.mark.parametrize(("max_memory", "processes"), [(1 << 50, 1), (0, 3)])
def test_process_with_a_large_cache_is_replaced(tmp_path, max_memory, processes):
    with ProcessPool(1, partial(tidy, tmp_path), max_memory) as workers:
        chunks = Work(process_of, None).run([[1, 2], [3, 4], [5, 6]], workers)
        done = [result for _, results in chunks for result in results]
    assert [step for step, _ in done] == [1, 2, 3, 4, 5, 6]
    assert len({process for _, process in done}) == processes


def test_interrupt_is_deferred_while_a_process_starts():
    heard = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        with _defer_interrupt():
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)  # to this thread, not to any other
            assert heard == []
        assert heard == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)
