"""Chunks of work on any kind of workers: all are done in any order, and a deadly step is named."""

import pytest
from hypothesis import given, strategies

from combinat.parallel.backend import start_workers as chosen
from combinat.parallel.chunks import Work, _run_steps
from combinat.parallel.executor import SerialExecutor, WorkerDiedError, WorkersError, cancellable, make_portable
from combinat.parallel.pool import ProcessPool
from decks import InputError
from tests.profiles import tries
from tests.workers import RemoteWorkers


def square(step):
    return step * step


def named(step, why):
    return f"{step}: {why}"


@tries(20)
@given(
    strategies.lists(strategies.lists(strategies.integers(0, 99), min_size=1, max_size=4), max_size=12),
    strategies.sampled_from([min, max]),
)
def test_every_step_is_done_once_in_any_order(chunks, order):
    with RemoteWorkers(order) as far:
        done = list(Work(square, named).run(chunks, far))
    assert sorted((step, result) for steps, results in done for step, result in zip(steps, results, strict=True)) == (
        sorted((step, step * step) for chunk in chunks for step in chunk)
    )
    assert far.most <= 2 * far.size


def test_deadly_step_is_named_and_the_others_are_done():
    with RemoteWorkers(deadly=[5, 8]) as far:
        done = dict(
            pair
            for steps, results in Work(square, named).run([[1, 2], [4, 5, 6], [8], [9]], far)
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
    assert tried.count(8) == 1  # alone, it was tried as often as allowed


def test_unneeded_steps_are_not_started():
    answers = iter([True, False])
    with cancellable(lambda: next(answers)), SerialExecutor() as workers:
        future = workers.submit(_run_steps, square, [3, 4])
        list(workers.as_completed([future]))
    with pytest.raises(WorkerDiedError, match="cancelled"):
        future.result()


def fail(step):
    raise NotADirectoryError(20, "no folder", step)


@pytest.mark.usefixtures("forked")
@pytest.mark.parametrize("kind", [SerialExecutor, lambda: ProcessPool(2)], ids=["here", "processes"])
def test_error_of_a_step_is_raised(kind):
    with kind() as workers, pytest.raises((NotADirectoryError, WorkersError), match="no folder"):
        list(Work(fail, named).run([["a"]], workers))


@pytest.mark.parametrize(
    ("jobs", "chunks", "size"), [(1, None, 1), (3, None, 3), (3, 2, 2), (3, 1, 1), (3, 0, 1), (0, 1, 1)]
)
def test_workers_do_not_exceed_chunks(jobs, chunks, size):
    with chosen(jobs, chunks) as workers:
        assert workers.size == size


def test_negative_number_of_processes_is_refused():
    with pytest.raises(InputError, match="-1"):
        chosen(-1)


def test_pickled_error_keeps_its_exit_code():
    assert [make_portable(error).exit_code for error in (InputError("a"), WorkersError("b"), OSError("c"))] == [2, 1, 1]


@pytest.mark.parametrize(
    "address", ["10.0.0.1:8786", "tcp://10.0.0.1", "http://x:80", "tcp://x:123456", "tcp:// x:1", "tcp://x:1/y", "x"]
)
def test_invalid_cluster_addresses_are_refused(address):
    with pytest.raises(InputError, match="not the address"):
        chosen(cluster=address)


def test_missing_dask_names_the_package(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install '\.\[cluster\]'"):
        chosen(cluster="tcp://127.0.0.1:8786")
