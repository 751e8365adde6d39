"""The plain checker of solved games accepts right values and rejects altered ones."""

import tomllib
from copy import deepcopy
from fractions import Fraction

import pytest

from combinat.betting.analysis import solve_game
from combinat.betting.load import catalog_games, parse_game
from combinat.betting.variants import SolvedGame
from combinat.results.solve import SolveAnswer
from combinat.verifier.betting import check_solution
from tests.betting_games import COMMON, HIDDEN


def solved(text):
    return SolveAnswer.of(SolvedGame(solve_game(parse_game(text)))).to_dict()


@pytest.mark.parametrize("text", [COMMON, HIDDEN])
def test_every_starting_hand_of_a_short_pack_agrees(text):
    answer = solved(text)
    lines = check_solution(tomllib.loads(text), answer, 0, 1, True)
    assert lines[0].startswith("checked")
    assert f"values of {len(answer['starting_hands'])} of them" in lines[0]


def test_sample_of_let_it_ride_agrees():
    text = catalog_games()["LET-IT-RIDE"].read_text(encoding="utf-8")
    (line,) = check_solution(tomllib.loads(text), solved(text), 2, 1, False)
    assert line.startswith("checked")


def test_altered_values_are_rejected():
    answer = solved(HIDDEN)
    game = tomllib.loads(HIDDEN)
    altered = deepcopy(answer)
    altered["house_edge"] = str(Fraction(altered["house_edge"]) + Fraction(1, 1000))
    assert check_solution(game, altered, 0, 1, False)[0].startswith("wrong")
    altered = deepcopy(answer)
    hand = altered["starting_hands"][-1]
    hand["values"] = {name: str(Fraction(value) - 1) for name, value in hand["values"].items()}
    lines = check_solution(game, altered, 0, 1, True)
    assert sum(line.startswith("wrong") for line in lines) == 2
