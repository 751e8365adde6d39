"""Catalog paytables as test parameters: `make test` takes one of each bet, `make test-all` takes all."""

import pytest

from combinat.bets.catalog import iter_collection


def paytables(wanted=lambda _: True, slow=()):
    """Return the wanted paytables; all but the first of a bet, and those in `slow`, are marked slow."""
    bets, results = set(), []
    for paytable in filter(wanted, iter_collection()):
        is_slow = paytable.bet.name in bets or paytable.id in slow
        bets |= set() if is_slow else {paytable.bet.name}
        results.append(pytest.param(paytable, id=paytable.id, marks=[pytest.mark.slow] if is_slow else []))
    return results
