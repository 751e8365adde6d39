"""Sheets of bets in which two things meet: wheels, numbers that look like ranks, parts of a meter that cannot come."""

from fractions import Fraction

import pytest

from combinat.verifier import verify
from tests.sheets import written_sheet

WHEEL = """
bet = "Bust with a wheel"
deal = "dealer:h17"
[wheels]
Bonus = { "1" = 3, "5" = 1 }
[[paytable]]
id = "WHEEL"
decks = 6
awards = [{ name = "Bust", when = "bust", pays = "1 to 1", wheel = "Bonus" }]
"""
MANY_CARDS = """
bet = "Many cards"
deal = "dealer:h17"
[[paytable]]
id = "MANY"
decks = 6
awards = [
  { name = "Long", when = "cards == 10 or cards in (9, J)", pays = "100 to 1" },
  { name = "Eight", when = "8 <= cards and cards < 10", pays = "20 to 1" },
]
"""
EACH_CARD = """
bet = "Each card"
deal = "dealer:h17"
awards_add_up = true
[[paytable]]
id = "EACH"
decks = 6
awards = [{ name = "Card", per = "cards", pays = "even money" }, { name = "Bust", when = "bust", pays = "2 to 1" }]
"""
PART = """
bet = "Sevens"
deal = "player:2, up:1"
[[paytable]]
id = "PART"
decks = "1, 6"
awards = [
  { name = "One color", when = "7-7-7 and same color", pays = "10% of Mega" },
  { name = "Three 7s", when = "7-7-7", pays = "100% of Mega" },
  { name = "Flush", when = "suited", pays = "5 to 1" },
]
meters = [{ levels = [{ name = "Mega", seed = 1000, rate = "8%"CAP }] }]
"""


@pytest.mark.parametrize(
    "text",
    [WHEEL, MANY_CARDS, pytest.param(EACH_CARD, marks=pytest.mark.slow)],
    ids=["a wheel", "many cards", "each card"],
)
def test_both_methods_agree_on_a_dealers_hand(tmp_path, text):
    assert verify(written_sheet(tmp_path, text)).details == []


def test_each_spot_turns_a_wheel_of_its_own(tmp_path):
    """A bust brings 1 or 5 on each spot, by itself: with b the chance of a bust, the product has the mean b 2^2."""
    sheet = written_sheet(tmp_path, WHEEL)
    bust = Fraction(sheet["awards"][0]["probability"])
    mean = 3 * bust  # one back with the two that are won on average
    assert Fraction(sheet["spots"]["covariance"]) == 9 * bust - mean**2


@pytest.mark.parametrize("cap", ["", ", cap = 5000"])
def test_a_part_that_cannot_come_leaves_the_meter_as_it_is_run(tmp_path, run, cap):
    """With one deck no three 7s have one color; the whole meter is paid all the same."""
    text = PART.replace("CAP", cap)
    sheet = written_sheet(tmp_path, text, 1)
    assert verify(sheet).details == []
    three = Fraction(4, 22_100)
    flush = Fraction(sheet["awards"][2]["probability"])
    if not cap:
        assert Fraction(sheet["hold"]) == 1 - 6 * flush - three * 1000 - Fraction(8, 100)
    assert sheet["meter"]["hold"] == sheet["hold"]
    code, out, _ = run(
        "design", str(tmp_path / "bet.toml"), "-d", "1", "--pays", "Flush=1..6", "--edge", "..90%", "-j", "1"
    )
    assert (code, "Flush" in out) == (0, True)


def test_parts_alone_of_a_posted_prize_have_a_sheet(tmp_path):
    text = PART.replace("CAP", "").replace('"100% of Mega"', '"5% of Mega"').replace(', rate = "8%"', "")
    sheet = written_sheet(tmp_path, text.replace("[{ levels", '[{ kind = "house jackpot", levels'))
    assert (verify(sheet).details, sheet["hold"]) == ([], None)
