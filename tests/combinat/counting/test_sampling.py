"""Sampling of the bound: the same samples for any workers in any order, with the values of single samples."""

from fractions import Fraction
from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given, strategies
from msgspec.structs import replace

from combinat import cache
from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.overrides import make_reference
from combinat.counting.bound import sample_bound
from combinat.counting.conventions import RoundStart, starts_at_depths
from combinat.counting.sampling import estimator as drawing
from combinat.counting.sampling.driver import Sampling
from combinat.counting.sampling.estimator import (
    MIN_GAINING,
    SampleChunk,
    Sampler,
    Sums,
    draw_sample,
    iter_chunks,
    sample_shoes,
    stratify_rounds,
)
from combinat.exact.surd import Surd
from combinat.parallel.executor import SerialExecutor, WorkerDiedError, WorkersError, cancellable
from combinat.parallel.pool import ProcessPool
from decks import InputError, Shoe, find_pack
from tests.profiles import tries
from tests.small_bets import parse_paytable
from tests.workers import RemoteWorkers

GIVEN = """
bet = "Pair of a kind"
deal = "player:2"
given = "player.has(A)"
[hands]
"Suited" = "suited"
[[paytable]]
id = "G"
decks = "1"
awards = [{ hand = "Suited", pays = "7 to 2" }]
"""
ONE = Shoe(1)
AT = starts_at_depths([20, 40], 52, 3)


def test_batch_of_samples_matches_single_samples():
    """Reference implementation: draw each shoe card by card, analyze it, and add the gain where the condition holds."""
    for paytable in (get_paytable("TRI-01"), parse_paytable(GIVEN)):
        won = []
        for number, seen in enumerate([20] * 6 + [40] * 6):
            remaining = draw_sample(ONE.composition, seen, number, 9)
            shoe = Shoe(1, removed=[card for card, count in ONE.composition for _ in range(count - remaining[card])])
            edge = (
                -analyze_wager(paytable, shoe).house_edge.constant
                if analyze_is_possible(paytable, remaining)
                else Fraction(0)
            )
            won.append(max(edge, Fraction(0)) * chance_of_condition(paytable, remaining))
        result = sample_bound(paytable, ONE, AT, 12, 9)
        assert result.mean_win == sum(won) / 12
        variance = (sum(win * win for win in won) / 12 - result.mean_win**2) * Fraction(12, 11)
        assert (result.favorable_count, result.half_width) == (sum(win > 0 for win in won), None)
        sums = Sums(12, sum(won), sum(win * win for win in won), MIN_GAINING)
        assert sums.half_width == Surd(variance / 12) * Fraction(2576, 1000)


def analyze_is_possible(paytable, left):
    return chance_of_condition(paytable, left) > 0


def chance_of_condition(paytable, left):
    """Return the probability that two cards contain an ace, if the bet needs one."""
    if paytable.bet.condition is None:
        return Fraction(1)
    aces = sum(count for card, count in left if card.rank == 14)
    others = left.size - aces
    return 1 - Fraction(others * (others - 1), left.size * (left.size - 1))


@tries(15)
@given(strategies.lists(strategies.integers(0, 52), min_size=1, max_size=8), strategies.integers(0, 2**64 - 1))
def test_batch_of_shoes_matches_single_draws(depths, seed):
    depths = sorted(depths)
    assert sample_shoes(ONE.composition, depths, 3, seed) == [
        draw_sample(ONE.composition, depth, 3 + row, seed) for row, depth in enumerate(depths)
    ]


def test_biased_random_numbers_are_rejected(monkeypatch):
    words = drawing._words

    def unlucky(depths, first, seed):
        for row, word in enumerate(words(depths, first, seed)):
            yield np.full_like(word, 2**64 - 1) if row == 1 else word

    expected = sample_shoes(ONE.composition, [5, 5, 5], 0, 1)
    monkeypatch.setattr(drawing, "_words", unlucky)
    monkeypatch.setattr(drawing, "draw_sample", lambda *given: given)
    shoes = sample_shoes(ONE.composition, [5, 5, 5], 0, 1)
    assert shoes == [expected[0], (ONE.composition, 5, 1, 1), expected[2]]


@tries(25)
@given(
    strategies.lists(strategies.fractions(Fraction(1, 9), 3), min_size=1, max_size=5),
    strategies.integers(1, 40),
    strategies.integers(0, 40),
)
def test_depths_follow_their_weights(weights, size, number):
    begun = [RoundStart(index, 0, weight) for index, weight in enumerate(weights)]
    depths = [start.cards_seen for start in stratify_rounds(begun, SampleChunk(number, 0, size))]
    assert (len(depths), depths) == (size, sorted(depths))
    for index, weight in enumerate(weights):
        assert abs(depths.count(index) - size * weight / sum(weights)) < 1


def test_depth_frequencies_converge_to_the_weights():
    begun = [RoundStart(1, 0, Fraction(1)), RoundStart(2, 0, Fraction(2))]
    every = [start.cards_seen for piece in iter_chunks(64 * 10, 10) for start in stratify_rounds(begun, piece)]
    assert abs(every.count(1) - Fraction(640, 3)) < 2  # chunks that all start alike would miss by 21


FEW = find_pack("standard without 2 3 4 5 6 7")
PLAY = Shoe(2, FEW), starts_at_depths([40, 46], 56, 3)


def few_ranks():
    """A bet from a pack of few ranks, whose shoes are counted quickly."""
    paytable = get_paytable("TRI-01")
    return replace(paytable, bet=replace(paytable.bet, pack=FEW))


def bound(workers=None, samples=60, **how):
    paytable = few_ranks()
    return sample_bound(
        paytable, *PLAY, samples, 5, sampling=Sampling(chunk=8, workers=workers, bet=make_reference(paytable), **how)
    )


@pytest.mark.usefixtures("forked")
def test_bound_is_independent_of_workers():
    alone = bound(samples=24)
    assert alone.samples == 24
    for workers in (SerialExecutor(), RemoteWorkers(min), RemoteWorkers(max), ProcessPool(3)):
        with workers:
            assert bound(workers, 24) == alone


@lru_cache(maxsize=None)
def stopped(part):
    return bound(samples=80, precision=part)


@pytest.mark.usefixtures("forked")
def test_sampling_stops_in_chunk_order():
    part = Fraction(2, 5)
    alone = stopped(part)
    assert alone.samples < 80
    assert alone.samples % 8 == 0
    assert alone.is_within(part)
    before = bound(samples=alone.samples - 8)
    assert not before.is_within(part)
    assert not bound(samples=8).is_within(part)  # so few samples give no interval
    for workers in (RemoteWorkers(min), RemoteWorkers(max), ProcessPool(2)):
        with workers:
            assert bound(workers, 80, precision=part) == alone


def test_bet_that_never_wins_uses_all_samples():
    hopeless = parse_paytable(GIVEN.replace("7 to 2", "1 to 100"))
    result = sample_bound(
        hopeless, ONE, starts_at_depths([2], 52, 2), 40, sampling=Sampling(chunk=4, precision=Fraction(1, 2))
    )
    assert (result.samples, result.mean_win) == (40, 0)


def test_interrupted_sampling_resumes(tmp_path, monkeypatch):
    alone = bound()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(cache.DISABLE_VARIABLE)
    done = []
    add_up = Sampler.__call__

    def watched(self, piece):
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(piece.number)
        return add_up(self, piece)

    monkeypatch.setattr(Sampler, "__call__", watched)
    with pytest.raises(KeyboardInterrupt):
        bound()
    assert done == [0, 1, 2]
    monkeypatch.setattr(Sampler, "__call__", lambda self, piece: done.append(piece.number) or add_up(self, piece))
    assert bound() == alone
    assert done == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [path.name for path in (tmp_path / "combinat").iterdir()] == [".secret"]


def test_chunk_that_kills_workers_is_an_error():
    with (
        RemoteWorkers(deadly=[SampleChunk(2, 16, 8)]) as far,
        pytest.raises(WorkersError, match="shoes 17 to 24 of the sample: it killed"),
    ):
        bound(far)


def test_last_chunk_of_a_dead_worker_is_retried_at_once():
    alone = stopped(Fraction(2, 5))
    with RemoteWorkers(once=[SampleChunk(0, 0, 8)]) as far:
        assert bound(far, 100_000, precision=Fraction(2, 5)) == alone
    assert len(far.calls) < 80  # of 12,500


def test_unneeded_chunk_is_abandoned():
    answers = iter([True, True, False])
    sampler = Sampler(make_reference(few_ranks()), PLAY[0], tuple(PLAY[1]), 5, {})
    with cancellable(lambda: next(answers)), pytest.raises(WorkerDiedError, match="cancelled"):
        sampler(SampleChunk(0, 0, 10**11))


@pytest.mark.parametrize("chunk", [0, -1])
def test_empty_chunks_are_refused(chunk):
    with pytest.raises(InputError, match=f"got {chunk}"):
        sample_bound(
            get_paytable("TRI-01"), Shoe(6), starts_at_depths([260], 312, 3), 10, sampling=Sampling(chunk=chunk)
        )
