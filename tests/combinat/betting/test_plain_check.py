"""The plain checker of solved games accepts right values and rejects altered ones."""

import gzip
import json
import tomllib
from copy import deepcopy
from fractions import Fraction

import pytest

from combinat.betting.analysis import solve_game
from combinat.betting.certificate import build_certificate
from combinat.betting.load import catalog_games, parse_game
from combinat.betting.solver import Solution
from combinat.betting.variants import SolvedGame
from combinat.requests.solve import Solve
from combinat.results.solve import SolveAnswer
from combinat.verifier.betting import check_solution
from decks import InputError
from reports.cli.solve import SolvePrinting
from tests.betting_games import COMMON, EXPOSED, HIDDEN, THREE_ROUNDS


def solved(text):
    return SolveAnswer.of(SolvedGame(solve_game(parse_game(text)))).to_dict()


def write_certificate(text, folder):
    path = folder / "game.gz"
    path.write_bytes(build_certificate(Solution(parse_game(text), follows_plays=False)))
    return path


@pytest.mark.parametrize("text", [COMMON, HIDDEN, THREE_ROUNDS, EXPOSED])
def test_every_table_of_a_short_pack_agrees(text):
    (line,) = check_solution(tomllib.loads(text), solved(text), 0, 1, True)
    assert line.startswith("checked")


@pytest.mark.parametrize("text", [COMMON, HIDDEN, THREE_ROUNDS])
def test_sample_and_certificate_of_a_short_pack_agree(text, tmp_path):
    answer, certificate = solved(text), write_certificate(text, tmp_path)
    for is_full, path in ((False, None), (False, certificate), (True, certificate)):
        (line,) = check_solution(tomllib.loads(text), answer, 3, 1, is_full, path)
        assert line.startswith("checked")


@pytest.mark.slow
def test_holdem_with_a_short_pack_agrees(tmp_path):
    """Ultimate Texas Hold'em with 16 cards: all flops and boards are computed again by plain code."""
    lines = catalog_games()["UTH"].read_text(encoding="utf-8").split("[[side_bet]]")[0].splitlines()
    text = "\n".join(['ranks = "J-A"', *(line for line in lines if "flush" not in line and '"straight"' not in line)])
    (line,) = check_solution(tomllib.loads(text), solved(text), 0, 1, True, write_certificate(text, tmp_path))
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


def test_every_altered_number_of_a_certificate_is_rejected(tmp_path):
    answer, path = solved(THREE_ROUNDS), write_certificate(THREE_ROUNDS, tmp_path)
    game = tomllib.loads(THREE_ROUNDS)
    header, *lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    assert [part["states"] for part in json.loads(header)["rounds"]] == [5, 45]
    for index, line in enumerate(lines):
        number, own, table, *values = line.split()
        column = index % len(values)
        values[column] = str(int(values[column]) + 1)
        changed = [*lines[:index], " ".join([number, own, table, *values]), *lines[index + 1 :]]
        path.write_bytes(gzip.compress("\n".join([header, *changed]).encode()))
        assert check_solution(game, answer, 0, 1, True, path)[0].startswith("wrong")
    path.write_bytes(gzip.compress("\n".join([header, *lines[:-1]]).encode()))
    assert "complete" in check_solution(game, answer, 0, 1, False, path)[0]


@pytest.mark.parametrize("name", ["RED-DOG", "CARIBBEAN-STUD"])
def test_game_without_earlier_values_has_no_certificate(name):
    with pytest.raises(InputError, match="certificate"):
        Solve(game=name).build_certificate()


def test_certificate_must_be_a_compressed_file():
    with pytest.raises(InputError, match=r"\.gz"):
        SolvePrinting(certificate="game.txt")
