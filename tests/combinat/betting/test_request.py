"""The request `solve`."""

import pytest
from jsonschema import Draft202012Validator

import combinat
from combinat.betting.analysis import solve_game
from combinat.betting.load import find_game, parse_game
from combinat.betting.solver import chunk_count
from combinat.betting.states import Tables
from combinat.betting.variants import SolvedGame
from combinat.results.answer import answer_schema, to_json_data
from combinat.results.solve import SolveAnswer
from decks import InputError
from tests.betting_games import COMMON, THREE_ROUNDS


@pytest.mark.parametrize("id", ["THREE-CARD-POKER", "LET-IT-RIDE", "MISSISSIPPI-STUD"])
def test_small_game_starts_no_process(id):
    assert chunk_count(Tables(find_game(id))) == 1


@pytest.mark.parametrize("text", [COMMON, THREE_ROUNDS])
def test_answer_matches_its_schema(text):
    answer = SolveAnswer.of(SolvedGame(solve_game(parse_game(text))))
    Draft202012Validator(answer_schema([SolveAnswer])).validate(to_json_data([answer]))


def test_python_function_takes_the_options_of_the_command():
    answer = combinat.solve("RED-DOG", compare=["CASINO-WAR"], jobs=1)
    assert [other.game for other in answer.compared] == ["CASINO-WAR"]
    with pytest.raises(InputError, match="pays"):
        combinat.solve("RED-DOG", pay=["spread/1=1"])
