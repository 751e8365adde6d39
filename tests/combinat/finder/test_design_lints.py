"""`check` shows figures at a glance and warns of weak designs, once for each cause."""

from fractions import Fraction

import pytest

from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.requests.check import Check, check_paytables, lint_design, simple_count_win

SEVEN_CARDS = """bet = "Seven"
deal = "player:7"
[[paytable]]
id = "{id}"
decks = 1
awards = [
  {{ name = "Straight flush", when = "straight flush", pays = "5000 to 1" }},
  {{ name = "Flush", when = "flush", pays = "10 to 1" }},
  {{ name = "Straight", when = "straight", pays = "20 to 1" }},
]
"""
LADDER = """bet = "Ladder"
deal = "player:2, up:1"
[[paytable]]
id = "LOW"
decks = 6
awards = [
  { name = "Suited", when = "suited", pays = "1 to 1" },
  { name = "Three of a kind", when = "three of a kind", pays = "30 to 1" },
  { name = "Straight", when = "straight", pays = "10 to 1" },
]
"""


def findings_of(text):
    paytables, problems = parse_bet(text, "mine.toml")
    assert problems == ()
    return check_paytables(paytables).findings


def test_glance_has_each_deck_count():
    result = Check(bet="TRI-03").answer(print)
    assert result.findings == ()
    figures = {item.decks: item for item in result.figures}
    assert figures[6].house_edge == Fraction(2127, 48205)
    assert list(figures) == list(get_paytable("TRI-03").decks)


@pytest.mark.slow
def test_straights_and_flushes_of_seven_cards_are_one_warning():
    found = [finding.text for finding in findings_of(SEVEN_CARDS.format(id="A-1")) if "7 cards" in finding.text]
    assert len(found) == 1
    assert all(name in found[0] for name in ("Straight flush", "Flush", "Straight", "best five"))


def test_award_that_pays_less_than_some_below_is_one_warning():
    found = [finding.text for finding in findings_of(LADDER) if "pays less" in finding.text]
    assert len(found) == 1
    assert all(word in found[0] for word in ("Suited", "Three of a kind", "Straight", "30 to 1"))


def test_same_warning_of_several_paytables_is_one():
    second = LADDER[LADDER.index("[[paytable]]") :].replace("LOW", "LOW-2")
    (found,) = [finding for finding in findings_of(LADDER + second) if "pays less" in finding.text]
    assert found.paytable == "LOW, LOW-2"


def test_meter_without_terms_is_named():
    (found,) = lint_design(get_paytable("TBJ-06-2024"))
    assert "[[paytable.meters]]" in found.text
    assert list(lint_design(get_paytable("BLZ-1-UP"))) == []


def test_bet_that_a_simple_count_beats_is_named():
    (found,) = lint_design(get_paytable("OVER-13"))
    assert "combinat count OVER-13 --decks 8" in found.text
    assert list(lint_design(get_paytable("TRI-03"))) == []
    assert simple_count_win(get_paytable("PERFECT-PAIRS-A")) is None
