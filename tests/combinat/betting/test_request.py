"""The request `solve`."""

import pytest

from combinat.betting.load import find_game
from combinat.betting.solver import chunk_count
from combinat.betting.states import Tables


@pytest.mark.parametrize("id", ["THREE-CARD-POKER", "LET-IT-RIDE", "MISSISSIPPI-STUD"])
def test_small_game_starts_no_process(id):
    assert chunk_count(Tables(find_game(id))) == 1
