"""The catalog as parameters of tests: the quick suite takes one paytable of each bet, the whole suite all."""

import pytest

from combinat.bets.catalog import iter_collection


def paytables(wanted=lambda _: True, slow=()):
    """Give the paytables that are wanted; of a bet with several, those after the first are slow, and those named."""
    bets, found = set(), []
    for paytable in filter(wanted, iter_collection()):
        is_slow = paytable.bet.name in bets or paytable.id in slow
        bets |= set() if is_slow else {paytable.bet.name}
        found.append(pytest.param(paytable, id=paytable.id, marks=[pytest.mark.slow] if is_slow else []))
    return found
