"""Files of games with betting rounds: what is refused, and where."""

import pytest

from combinat.betting.load import catalog_games, find_game, parse_game
from decks import InputError
from tests.doc_pages import blocks

GAME = catalog_games()["THREE-CARD-POKER"].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "tokens"),
    [
        ('hands = "three cards"', 'hands = "three card"', ["'three card'", "three cards"]),
        ("player = 3", "player = 4", ["player", "4 cards"]),
        ("player = 3", "plaier = 3", ["plaier"]),
        ('hand = "straight flush"', 'hand = "strait flush"', ["'strait flush'", "ante"]),
        ('pays = "5 to 1"', 'pays = "five"', ["'five'", "ante"]),
        ("bet = { play = 1 }", "bet = { plya = 1 }", ["'plya'", "play"]),
        ("bet = { play = 1 }", "bet = { play = -1 }", ["-1", "play"]),
        ('qualifies = "queen high"', "", ["qualifies", "ante"]),
        ('qualifies = "queen high"', 'qualifies = "knave high"', ["'knave high'"]),
        ("stake = 1", "stake = 0", ["stake"]),
        ('name = "play", bet', 'name = "fold", bet', ["'fold'", "2 times"]),
        (
            '{ hand = "three of a kind", pays = "4 to 1" },',
            '{ hand = "straight flush", pays = "4 to 1" },',
            ["'straight flush'"],
        ),
        ("[[round]]", "[[round]", ["TOML"]),
    ],
)
def test_mistake_is_named_with_its_place(old, new, tokens):
    assert old in GAME
    with pytest.raises(InputError) as error:
        parse_game(GAME.replace(old, new, 1), "mygame.toml")
    message = str(error.value)
    assert message.startswith("mygame.toml: ")
    for token in tokens:
        assert token in message


def test_unknown_game_suggests_a_known_one():
    with pytest.raises(InputError, match="THREE-CARD-POKER"):
        find_game("THREE-CARD-POKR")


@pytest.mark.parametrize("id", catalog_games())
def test_catalog_game_loads_and_cites_a_source(id):
    game = find_game(id)
    assert game.id == id
    assert game.sources


def test_game_of_the_documentation_loads():
    (text,) = blocks("docs/betting.md", "toml")
    game = parse_game(text)
    assert [round.table_size for round in game.rounds] == [0, 1]
