"""Casino War and Red Dog against drawing cards one by one."""

from fractions import Fraction
from itertools import permutations

import pytest

from combinat.betting.analysis import solve_game
from combinat.betting.load import catalog_games, find_game, parse_game
from decks import InputError

WAR = catalog_games()["CASINO-WAR"].read_text(encoding="utf-8").replace("decks = 6", "decks = 1")
RED_DOG = catalog_games()["RED-DOG"].read_text(encoding="utf-8").replace("decks = 6", "decks = 1")
PACK = [rank for rank in range(13) for _ in range(4)]


def test_published_edges():
    assert round(solve_game(find_game("CASINO-WAR")).edge, 4) == Fraction("0.0288")
    assert round(solve_game(find_game("RED-DOG")).edge, 4) == Fraction("0.0280")


def test_red_dog_of_one_deck_matches_drawing_cards():
    report = solve_game(parse_game(RED_DOG))
    total = Fraction()
    ways = 0
    by_two = {}
    for first, second, third in permutations(PACK, 3):
        by_two.setdefault((first, second), []).append(third)
        ways += 1
    for (first, second), thirds in by_two.items():
        spread = abs(first - second) - 1
        if spread == -1:
            total += sum(11 for third in thirds if third == first)
        elif spread > 0:
            odds = {1: 5, 2: 4, 3: 2}.get(spread, 1)
            low, high = sorted((first, second))
            result = sum(odds if low < third < high else -1 for third in thirds)
            total += max(result, 2 * result)
    assert report.edge == -total / ways


def test_war_of_one_deck_matches_drawing_cards():
    report = solve_game(parse_game(WAR))
    total = Fraction()
    ways = 52 * 51
    for own in range(13):
        total += 4 * 4 * own - 4 * 4 * (12 - own)
        rest = PACK.copy()
        rest.remove(own)
        rest.remove(own)
        results = [1 if second >= other else -2 for second, other in permutations(rest, 2)]
        total += 4 * 3 * max(Fraction(sum(results), len(results)), Fraction(-1, 2))
    assert report.edge == -total / ways
    assert report.cycle == 52 * 51 * 50 * 49


def test_tie_bet_is_joint_with_the_main_bet():
    (tie,) = solve_game(parse_game(WAR)).side_bets
    assert -tie.edge == Fraction(3, 51) * 10 - Fraction(48, 51)
    assert tie.covariance < 0


@pytest.mark.parametrize(
    ("text", "old", "new", "tokens"),
    [
        (WAR, "decks = 1", "decks = 0", ["decks", "0"]),
        (WAR, 'surrender = "1/2"', 'surrender = "half"', ["surrender", "'half'"]),
        (WAR, 'war_win = { ante = "push"', 'war_win = { anti = "push"', ["war_win", "anti"]),
        (RED_DOG, "other =", "others =", ["others"]),
        (RED_DOG, ', other = "1 to 1"', "", ["spread", "4"]),
    ],
)
def test_mistake_is_named(text, old, new, tokens):
    assert old in text
    with pytest.raises(InputError) as error:
        parse_game(text.replace(old, new, 1), "mine.toml")
    assert all(token in str(error.value) for token in ["mine.toml: ", *tokens])
