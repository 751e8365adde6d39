"""Figures recorded with version 0.1.0: every faster method must reproduce them exactly."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from combinat.bets.catalog import get_paytable
from combinat.blackjack.game import BlackjackGame, house_edge
from combinat.blackjack.rules import BlackjackRules
from decks import Shoe, parse_cards

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "figures-0.1.0.json").read_text(encoding="utf-8"))
BY_PAYTABLE = {}
for one in KNOWN["counts"]:
    BY_PAYTABLE.setdefault(one["paytable"], []).append(one)
FAST = ("21+3-PT1", "HM-1", "TRI-03")


def shoe_of(known, pack):
    return Shoe(known["decks"], pack, parse_cards(known["removed"]) if known["removed"] else ())


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=() if id in FAST else pytest.mark.slow) for id in BY_PAYTABLE], ids=str
)
def test_award_probabilities_match_the_record(id):
    paytable = get_paytable(id)
    shoes = [shoe_of(known, paytable.bet.pack) for known in BY_PAYTABLE[id]]
    expected = [tuple(map(Fraction, known["probabilities"])) for known in BY_PAYTABLE[id]]
    together = paytable.experiment.count_many([shoe.composition for shoe in shoes])
    for counted in (map(paytable.ways, shoes), together):
        assert [tuple(Fraction(wins, ways.cycle) for wins in ways.wins) for ways in counted] == expected


@pytest.mark.slow
@pytest.mark.parametrize("known", KNOWN["games"], ids=lambda known: f"{known['decks']} {known['rules']}")
def test_blackjack_edge_matches_the_record(known):
    assert house_edge(BlackjackGame(Shoe(known["decks"]), BlackjackRules(**known["rules"]))) == Fraction(known["edge"])


def test_record_covers_full_and_reduced_shoes():
    assert len(BY_PAYTABLE) == 36
    assert all(len([one for one in some if one["removed"]]) == 2 and len(some) == 6 for some in BY_PAYTABLE.values())
