"""Sheets of bets that combine features: wheels, card counts that look like ranks, unreachable meter shares."""

from fractions import Fraction

import pytest

from combinat.verifier import verify
from tests.sheets import sheet_of_text
from tests.slow_cases import slow_case

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
settlement = "all matches"
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
    [WHEEL, slow_case(MANY_CARDS), slow_case(EACH_CARD)],
    ids=["a wheel", "many cards", "each card"],
)
def test_verifier_agrees_on_dealer_hands(tmp_path, text):
    assert verify(sheet_of_text(tmp_path, text)).differences == []


def test_each_spot_spins_its_own_wheel(tmp_path):
    """A bust wins 1 or 5 on each spot, independently; both spots bust together."""
    sheet = sheet_of_text(tmp_path, WHEEL)
    bust = Fraction(sheet["awards"][0]["probability"])
    mean = 3 * bust  # the wager plus an average win of 2
    assert Fraction(sheet["spots"]["covariance"]) == 9 * bust - mean**2


@pytest.mark.parametrize("cap", ["", ", cap = 5000"])
def test_unreachable_meter_share_changes_nothing(tmp_path, run, cap):
    """One deck has no three 7s of one color, so that share is never paid; the full meter still is."""
    text = PART.replace("CAP", cap)
    sheet = sheet_of_text(tmp_path, text, 1)
    assert verify(sheet).differences == []
    three_sevens = Fraction(4, 22_100)
    flush = Fraction(sheet["awards"][2]["probability"])
    if not cap:
        assert Fraction(sheet["hold"]) == 1 - 6 * flush - three_sevens * 1000 - Fraction(8, 100)
    assert sheet["meter"]["hold"] == sheet["hold"]
    code, out, _ = run(
        "design", str(tmp_path / "bet.toml"), "-d", "1", "--pays", "Flush=1..6", "--edge", "..90%", "-j", "1"
    )
    assert (code, "Flush" in out) == (0, True)


def test_posted_jackpot_may_pay_shares_only(tmp_path):
    text = PART.replace("CAP", "").replace('"100% of Mega"', '"5% of Mega"').replace(', rate = "8%"', "")
    sheet = sheet_of_text(tmp_path, text.replace("[{ levels", '[{ kind = "house jackpot", levels'))
    assert (verify(sheet).differences, sheet["hold"]) == ([], None)
