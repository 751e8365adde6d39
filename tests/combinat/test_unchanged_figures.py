"""Figures of version 0.1.0, which every faster way of counting must give to the last digit."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from combinat.bets.catalog import get_paytable
from combinat.blackjack.game import BlackjackGame, house_edge
from combinat.blackjack.rules import BlackjackRules
from combinat.enumeration.experiment import count_many
from decks import Shoe, parse_cards

KNOWN = json.loads((Path(__file__).parents[1] / "data" / "figures-0.1.0.json").read_text(encoding="utf-8"))
BY_PAYTABLE = {}
for one in KNOWN["counts"]:
    BY_PAYTABLE.setdefault(one["paytable"], []).append(one)
FEW = ("21+3-PT1", "BB-1", "BLZ-1-UP", "HM-1", "TRI-03")


def shoe_of(known, pack):
    return Shoe(known["decks"], pack, parse_cards(known["removed"]) if known["removed"] else ())


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=() if id in FEW else pytest.mark.slow) for id in BY_PAYTABLE], ids=str
)
def test_awards_are_as_likely_as_they_were(id):
    paytable = get_paytable(id)
    shoes = [shoe_of(known, paytable.bet.pack) for known in BY_PAYTABLE[id]]
    expected = [tuple(map(Fraction, known["probabilities"])) for known in BY_PAYTABLE[id]]
    together = count_many(paytable.experiment, [shoe.composition for shoe in shoes])
    for counted in (map(paytable.ways, shoes), together):
        assert [tuple(Fraction(wins, ways.cycle) for wins in ways.wins) for ways in counted] == expected


@pytest.mark.slow
@pytest.mark.parametrize("known", KNOWN["games"], ids=lambda known: f"{known['decks']} {known['rules']}")
def test_the_edge_of_blackjack_is_what_it_was(known):
    assert house_edge(BlackjackGame(Shoe(known["decks"]), BlackjackRules(**known["rules"]))) == Fraction(known["edge"])


def test_all_first_paytables_are_known_at_full_shoes_and_with_cards_gone():
    assert len(BY_PAYTABLE) == 36
    assert all(len([one for one in some if one["removed"]]) == 2 and len(some) == 6 for some in BY_PAYTABLE.values())
