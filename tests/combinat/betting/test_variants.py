"""Other pays, comparison, the template, and the par sheet of a game."""

from fractions import Fraction

import pytest

from combinat.betting.analysis import solve_game
from combinat.betting.load import find_game, parse_game
from combinat.betting.template import build_game_template
from combinat.betting.variants import change_pay, parse_grid, search_variants
from combinat.requests.new import New
from combinat.requests.solve import Solve
from combinat.results.solve import SolveAnswer
from decks import InputError
from reports.answers.solve import game_sheet_document, solve_document
from reports.render.formats import render_document


def ignore(_):
    pass


def test_bonus_pay_changes_in_every_outcome():
    """A straight flush is always played in Three Card Poker: the edge falls by its probability."""
    game = find_game("THREE-CARD-POKER")
    report = solve_game(game)
    raised = solve_game(change_pay(game, "ante", "straight flush", Fraction(7)))
    assert report.edge - raised.edge == Fraction(48, 22100)


def test_search_solves_each_variant_within_the_limits():
    game = find_game("THREE-CARD-POKER")
    report = solve_game(game)
    solved = []

    def solve(variant):
        solved.append(variant)
        return solve_game(variant)

    grid = parse_grid("ante/straight flush=6..9", game)
    variants = search_variants(game, report, [grid], Fraction("0.03"), Fraction("0.0337"), solve)
    assert [variant.pays for variant in variants] == [("ante/straight flush 7",)]
    assert len(solved) == 2  # the bound excludes 8 and 9, whose edge is below 3%
    every = search_variants(game, report, [grid], None, None, solve_game)
    assert len(every) == 4
    assert every[0].pays == ("ante/straight flush 9",)


@pytest.mark.parametrize("text", ["blind/flush", "anti/straight=1", "ante/strait=1", "ante/straight=x"])
def test_wrong_grid_is_named(text):
    with pytest.raises(InputError, match=r"blind|anti|strait|x"):
        parse_grid(text, find_game("THREE-CARD-POKER"))


def test_template_is_short_and_solved_and_printed():
    text = New(template="betting", id="MINE").answer(ignore)
    assert text == build_game_template("MINE")
    assert len(text.splitlines()) < 60
    report = solve_game(parse_game(text))
    assert report.id == "MINE"
    assert report.plays[0].edge > report.edge
    page = render_document(game_sheet_document(report), "markdown", 8).decode()
    assert str(report.edge) in page
    assert "simple strategy" in page


def test_wrong_template_suggests_one():
    with pytest.raises(InputError, match="betting"):
        New(template="beting").answer(ignore)


def test_compared_games_are_in_the_answer():
    solved = Solve(game="RED-DOG", compare=["CASINO-WAR"]).answer(ignore)
    answer = SolveAnswer.of(solved)
    assert answer.compared[0].difference == answer.compared[0].house_edge - answer.house_edge
    assert [row[0] for row in solve_document(solved).tables[0].rows] == ["RED-DOG", "CASINO-WAR"]


@pytest.mark.parametrize("options", [{"edge": "2..3"}, {"pays": ["spread/1=1"]}, {"edge": "2", "pays": ["a/b=1"]}])
def test_options_that_do_not_fit_are_refused(options):
    with pytest.raises(InputError):
        Solve(game="RED-DOG", **options).answer(ignore)
