"""Common mistakes in a bet's file: one line with the line number, what was found and what to write."""

import pytest

from combinat.bets.load import inspect_text

BET = """bet = "Sevens and suits"
deal = "player:2, up:1"

[hands]
"Three 7s" = "7-7-7 and suited"
"Flush" = "suited"

[[paytable]]
id = "SVN-1"
decks = "6, 8"
awards = [
  { hand = "Three 7s", pays = "50 to 1" },
  { hand = "Flush", pays = "9 to 1" },
]
"""
METER = """bet = "Sevens"
deal = "player:2, up:1"

[[paytable]]
id = "SVN-1"
decks = 6
awards = [
  { name = "Three 7s", when = "7-7-7", pays = "100% of Mega" },
]

[[paytable.meters]]
wager = 5
levels = [{ name = "Mega", seed = 10000, rate = "12%" }]
"""


def problem_of(text):
    paytables, (problem,) = inspect_text(text, "mine.toml")
    assert paytables == ()
    return problem


@pytest.mark.parametrize(
    ("old", "new", "line", "advice"),
    [
        ('"50 to 1"', "50 to 1", 12, 'write pays = "50 to 1"'),
        ('"Three 7s", pays', "Three 7s, pays", 12, 'write hand = "Three 7s"'),
        ('= "suited"', "= suited", 6, 'write "Flush" = "suited"'),
        ('"6, 8"', "6, 8", 10, 'write decks = "6, 8"'),
        ('"50 to 1"', "“50 to 1”", 12, "“"),
        ('"50 to 1" },', '"50 to 1" }', 12, "comma is missing"),
        ('"Three 7s", pays', '"Three 7s" pays', 12, "comma is missing before pays"),
        ("pays = ", "pays: ", 12, 'write pays = "50 to 1"'),
        ('"50 to 1"', '"50 to 1', 12, "not closed"),
        ('"50 to 1" },', '"50 to 1" }, // the top', 12, "write # the top"),
        ("},\n]\n", "},\n", 11, "never closed"),
        ("[hands]", "[hands", 4, "never closed"),
        ('"Flush" = ', '"Three 7s" = ', 6, "'Three 7s' is written twice"),
        ("[[paytable]]", "[paytable]", 8, "[[paytable]]"),
        ("bet = ", "name = ", 1, "write bet ="),
        ("pays = ", "payout = ", 12, "write pays ="),
        ('= "suited"', '= "Ace of hearts"', 6, "write 'has(Ah)'"),
        ('= "suited"', '= "has(ace of hearts)"', 6, "write 'Ah'"),
        ('= "suited"', '= "three sevens"', 6, "write 'count(7) == 3'"),
        ('= "suited"', '= "has(aces)"', 6, "write A"),
        ('= "suited"', '= "upcard.has(7)"', 6, "write up"),
        ('= "suited"', '= "banker.has(7)"', 6, "write up"),
        ('= "suited"', '= "upcard == 7"', 6, "write 'up.has(7)'"),
        ('= "suited"', '= "player two of a kind"', 6, "write 'player.pair'"),
        ('= "suited"', '= "one pair"', 6, "write 'pair'"),
        ('= "suited"', '= "at least one 7"', 6, "write 'count(7) >= 1'"),
        ('= "suited"', '= "two red sevens"', 6, "write 'count(7d) + count(7h) == 2'"),
        ('= "suited"', '= "player.pair == true"', 6, "write 'player.pair'"),
        ('hand = "Flush"', 'hand = "lus"', 13, "did you mean 'Flush'?"),
        ('= "suited"', '= "same colors"', 6, "'same color'"),
        ('= "suited"', '= "three of kind"', 6, "'three of a kind'"),
        ('= "suited"', '= "straight-flush"', 6, "'straight flush'"),
        ('= "suited"', '= "pair && suited"', 6, "write 'and'"),
        ('= "suited"', '= "pair || suited"', 6, "write 'or'"),
        ('= "suited"', '= "!suited"', 6, "write 'not'"),
        ('= "suited"', '= "has(‘A’)"', 6, "need no quotes"),
        ('= "suited"', '= "KQs"', 6, "write 'player.K-Q and player.suited'"),
        ('= "suited"', '= "AKQo"', 6, "write 'A-K-Q and not suited'"),
        ('= "suited"', '= "A-K-Qs"', 6, "write 'A-K-Q and suited'"),
        ('= "suited"', '= "player.total is 20"', 6, "write 'player.total == 20'"),
        ('= "suited"', '= "all suited"', 6, "leave out 'all'"),
        ('"player:2, up:1"', "player:2, up:1", 2, 'write deal = "player:2, up:1"'),
        ("deal = ", "deal => ", 2, "write deal ="),
        ("deal = ", "deal := ", 2, "write deal ="),
        ("deal = ", "deal == ", 2, "write deal ="),
        ("pays = ", "pays => ", 12, "write pays ="),
        ('"50 to 1"', "1,000", 12, "write pays = 1000"),
        ('"Flush" = ', "Big flush = ", 6, 'write "Big flush" ='),
        ('and suits"', 'and suits";', 1, "remove the semicolon"),
        ('bet = "Sevens and suits"', "bet: Sevens", 1, 'write bet = "Sevens"'),
        ("[hands]", "ordered_by_role = True\n[hands]", 4, "write ordered_by_role = true"),
        ('{ hand = "Flush", pays = "9 to 1" }', '("Flush", "9 to 1")', 13, "write { hand = "),
        ('= "suited"', '= "suit == hearts"', 6, "all(hearts)"),
    ],
)
def test_mistake_is_located_and_corrected(old, new, line, advice):
    assert old in BET
    problem = problem_of(BET.replace(old, new, 1))
    assert problem.startswith(f"mine.toml: line {line}: ")
    assert advice in problem


@pytest.mark.parametrize(
    ("old", "new", "line", "advice"),
    [
        ('"12%"', "12", 13, 'write rate = "12%"'),
        ('"12%"', '"12"', 13, '"12%"'),
        ("10000", "10,000", 13, "write seed = 10000"),
        ("of Mega", "of Meag", 8, "did you mean 'Mega'?"),
        ('levels = [{ name = "Mega", seed = 10000, rate = "12%" }]', 'name = "Mega"', 8, "write levels = [{ name"),
    ],
)
def test_mistake_about_a_meter_is_located_and_corrected(old, new, line, advice):
    problem = problem_of(METER.replace(old, new, 1))
    assert problem.startswith(f"mine.toml: line {line}: ")
    assert advice in problem


@pytest.mark.parametrize("text", [BET, METER])
def test_correct_text_has_no_problem(text):
    paytables, problems = inspect_text(text, "mine.toml")
    assert (len(paytables), problems) == (1, ())
