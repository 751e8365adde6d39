"""A small bet whose dossier is made once."""

import pytest

import combinat

BET = """bet = "Pair or suited"
deal = "player:2"
rules_of_play = ["The wager is optional.", "It is settled at once."]

[[paytable]]
id = "MINE-1"
decks = "1-2"
awards = [
  { name = "Pair", when = "pair", pays = "10 to 1" },
  { name = "Suited", when = "suited", pays = "2 to 1" },
]
"""


@pytest.fixture(scope="session")
def bet_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("bet") / "mine.toml"
    path.write_text(BET)
    return path


@pytest.fixture(scope="session")
def dossier(bet_file, tmp_path_factory):
    """The dossier of the bet at one deck, as a folder."""
    output = tmp_path_factory.mktemp("submission") / "dossier"
    combinat.submit(str(bet_file), decks=1, to="washington", date="2026-11-18", applicant="Acme Gaming", output=output)
    return output
