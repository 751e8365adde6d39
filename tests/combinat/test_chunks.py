"""Chunks handed out to workers of every manner: all are done, whatever the order, and a step that kills is named."""

import pytest
from hypothesis import given, strategies

from combinat.parallel.backend import start_workers as chosen
from combinat.parallel.chunks import Work, _run_steps
from combinat.parallel.executor import SerialExecutor, WorkerDiedError, WorkersError, cancellable, make_portable
from combinat.parallel.pool import ProcessPool
from decks import InputError
from tests.profiles import tries
from tests.workers import Far


def square(step):
    return step * step


def named(step, why):
    return f"{step}: {why}"


@tries(20)
@given(
    strategies.lists(strategies.lists(strategies.integers(0, 99), min_size=1, max_size=4), max_size=12),
    strategies.sampled_from([min, max]),
)
def test_every_step_is_done_once_whoever_is_quicker(chunks, order):
    with Far(order) as far:
        done = list(Work(square, named).through(chunks, far))
    assert sorted((step, result) for steps, results in done for step, result in zip(steps, results, strict=True)) == (
        sorted((step, step * step) for chunk in chunks for step in chunk)
    )
    assert far.most <= 2 * far.size


def test_step_that_kills_every_worker_is_named_and_its_neighbors_are_done():
    with Far(deadly=[5, 8]) as far:
        done = dict(
            pair
            for steps, results in Work(square, named).through([[1, 2], [4, 5, 6], [8], [9]], far)
            for pair in zip(steps, results, strict=True)
        )
    assert done == {
        1: 1,
        2: 4,
        4: 16,
        5: "5: it killed 4 workers",
        6: 36,
        8: "8: it killed 4 workers",
        9: 81,
    }
    tried = [step for _, _, (_, steps) in far.calls.values() for step in steps]
    assert tried.count(8) == 1  # by itself, it was tried as often as is worth it


def test_steps_that_nobody_waits_for_are_not_begun():
    answers = iter([True, False])
    with cancellable(lambda: next(answers)), SerialExecutor() as workers:
        future = workers.submit(_run_steps, square, [3, 4])
        list(workers.as_completed([future]))
    with pytest.raises(WorkerDiedError, match="nobody waited"):
        future.result()


def fail(step):
    raise NotADirectoryError(20, "no folder", step)


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("kind", [SerialExecutor, lambda: ProcessPool(2)], ids=["here", "processes"])
def test_error_of_a_step_reaches_whoever_waits(kind):
    with kind() as workers, pytest.raises((NotADirectoryError, WorkersError), match="no folder"):
        list(Work(fail, named).through([["a"]], workers))


@pytest.mark.parametrize(
    ("jobs", "chunks", "size"), [(1, None, 1), (3, None, 3), (3, 2, 2), (3, 1, 1), (3, 0, 1), (0, 1, 1)]
)
def test_no_more_workers_than_there_are_chunks(jobs, chunks, size):
    with chosen(jobs, chunks) as workers:
        assert workers.size == size


def test_fewer_than_no_processes_are_refused():
    with pytest.raises(InputError, match="cannot work with -1 processes"):
        chosen(-1)


def test_error_that_travels_keeps_its_exit_code():
    assert [make_portable(one).exit_code for one in (InputError("a"), WorkersError("b"), OSError("c"))] == [2, 1, 1]


@pytest.mark.parametrize(
    "address", ["10.0.0.1:8786", "tcp://10.0.0.1", "http://x:80", "tcp://x:123456", "tcp:// x:1", "tcp://x:1/y", "x"]
)
def test_what_is_no_address_of_a_cluster_is_refused(address):
    with pytest.raises(InputError, match="no address; write the scheduler's"):
        chosen(cluster=address)


def test_without_the_library_a_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install '\.\[cluster\]'"):
        chosen(cluster="tcp://127.0.0.1:8786")
