"""Searches in chunks find the same paytables as a search in one piece, for any workers in any order."""

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, strategies

from combinat import cache
from combinat.finder import finder as grids
from combinat.finder.finder import GridSearch, PartitionedSearch, SearchResult, find_paytables
from combinat.finder.model import build_model, iter_ladders
from combinat.finder.search import iter_candidates
from combinat.finder.spec import build_spec, constraints, parse_best
from combinat.parallel.executor import SerialExecutor, WorkersError
from combinat.parallel.pool import ProcessPool
from tests.profiles import tries
from tests.workers import RemoteWorkers

ASKED = {"bet": "TRI-04", "pays": "*=1..12|out", "edge": {"*": ["2%..6%"]}, "decks": "6", "best": "7", "falling": False}


@pytest.fixture(autouse=True)
def parted(monkeypatch):
    """Search small grids in chunks too."""
    monkeypatch.setattr(grids, "MIN_LARGE_SIZE", 100)
    monkeypatch.setattr(grids, "PART_COUNT", 9)


def same(one: SearchResult, other: SearchResult):
    return (one.size, one.count, one.is_complete) == (other.size, other.count, other.is_complete) and [
        candidate.pays for candidate in one.best
    ] == [candidate.pays for candidate in other.best]


def in_parts(asked, workers):
    return find_paytables(
        build_spec(asked), parse_best(asked), None, PartitionedSearch(asked, parse_best(asked)).iter_parts(workers)
    )


@lru_cache(maxsize=None)
def in_one_piece(order="closest"):
    asked = ASKED | {"order": order}
    return find_paytables(build_spec(asked), parse_best(asked))


@pytest.mark.slow  # fast: test_chunks_find_all_solutions
@pytest.mark.usefixtures("forked")
def test_chunks_find_the_same_paytables():
    for order, workers in (
        ("closest", RemoteWorkers(max)),
        ("roundest", ProcessPool(2)),
        ("lowest volatility", SerialExecutor()),
    ):
        asked = ASKED | {"order": order}
        whole = in_one_piece(order)
        assert (whole.count > 50, len(whole.best)) == (True, 7)
        with workers:
            assert same(in_parts(asked, workers), whole)


def test_chunks_find_all_solutions():
    asked = ASKED | {"best": "all", "edge": {"*": ["4%..4.2%"]}}
    whole = find_paytables(build_spec(asked), None)
    assert len(whole.best) == whole.count > 5
    assert same(in_parts(asked, RemoteWorkers(max)), whole)


@tries(10)
@given(strategies.integers(1, 40))
def test_chunks_cover_the_search(parts):
    spec = build_spec(ASKED)
    one, wanted = build_model(spec, next(iter(iter_ladders(spec)))), constraints(spec)
    whole = np.concatenate([block.rows for block in iter_candidates(one, wanted)])
    found = [block.rows for part in range(parts) for block in iter_candidates(one, wanted, part, parts)]
    assert np.array_equal(np.concatenate(found), whole)


def test_progress_reaches_the_end():
    seen = []
    spec = build_spec(ASKED)
    find_paytables(spec, 7, lambda *told: seen.append(told), PartitionedSearch(ASKED, 7).iter_parts(RemoteWorkers(max)))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1]


def test_chunk_that_kills_workers_is_an_error():
    grid = PartitionedSearch(ASKED, 7)
    with pytest.raises(WorkersError, match=r"part 4 of 9 of the search: it killed"):
        list(grid.iter_parts(RemoteWorkers(deadly=[grid.parts[3]])))


def test_interrupted_search_resumes(tmp_path, monkeypatch):
    whole = in_one_piece()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(cache.DISABLE_VARIABLE)
    work, done = GridSearch.__call__, []

    def lost(self, step):
        if len(done) == 5:
            raise WorkersError("the scheduler is gone")
        done.append(step)
        return work(self, step)

    monkeypatch.setattr(GridSearch, "__call__", lost)
    with pytest.raises(WorkersError):
        in_parts(ASKED, SerialExecutor())
    monkeypatch.setattr(GridSearch, "__call__", lambda self, step: done.append(step) or work(self, step))
    assert same(in_parts(ASKED, SerialExecutor()), whole)
    assert len(done) == len(set(done)) == len(PartitionedSearch(ASKED, 7).parts)


def test_command_searches_a_large_grid_in_chunks(run, monkeypatch):
    shared = ("design", "TRI-04", "--pays", "*=1..12", "--edge", "2%..6%", "--decks", "6", "-f", "json")
    code, out, err = run(*shared, "--jobs", "1")
    assert (code, err) == (0, "")
    monkeypatch.setattr(grids, "MIN_LARGE_SIZE", 10**9)
    assert run(*shared) == (0, out, "")
