"""The answers of the blackjack commands: JSON follows the generated schema, and results survive pickle."""

import pickle
from fractions import Fraction

import pytest
from jsonschema import Draft202012Validator

from combinat.requests.blackjack import BlackjackEdge, BlackjackStrategy, BlackjackValue
from combinat.results.answer import answer_schema
from combinat.results.blackjack import BlackjackEdgeAnswer, BlackjackStrategyAnswer, BlackjackValueAnswer
from decks import InputError

FEW_CARDS = "2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 6c 6d 6h 6s 7c 7d 7h 7s 9c 9d 9h 9s"
"""One deck without these is played fast."""
TABLE = {"decks": 1, "removed": FEW_CARDS, "max_hands": 1}


def _ignore(message):
    del message


ANSWERS = {
    BlackjackValueAnswer: lambda: BlackjackValueAnswer.of(
        *BlackjackValue(hand="10 8", up="K", **TABLE).answer(_ignore)
    ),
    BlackjackEdgeAnswer: lambda: BlackjackEdgeAnswer.of(*BlackjackEdge(**TABLE).answer(_ignore)[0]),
    BlackjackStrategyAnswer: lambda: BlackjackStrategyAnswer.of(*BlackjackStrategy(up="K", **TABLE).answer(_ignore)),
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_json_follows_the_generated_schema(kind):
    answer = ANSWERS[kind]()
    data = answer.to_dict()
    assert data["format"] == "combinat answer 3"
    validator = Draft202012Validator(answer_schema([kind]))
    validator.validate([data])
    assert not validator.is_valid([{}])
    assert pickle.loads(pickle.dumps(answer)) == answer
    assert answer._repr_html_().startswith("<table>")


def test_return_is_the_complement_of_the_house_edge():
    answer = ANSWERS[BlackjackEdgeAnswer]()
    assert answer.return_ == 1 - answer.house_edge == Fraction(answer.to_dict()["return"])


def test_a_hand_is_valued_at_one_deck_count():
    with pytest.raises(InputError, match="one deck count"):
        BlackjackValue(hand="8 8", up="6", decks="1,2").answer(_ignore)
