"""What `check_paytable` lets pass can be put into English and into a sheet, and what it must not let pass is named."""

import json
import re
from fractions import Fraction
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.odds import iter_rule_odds
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.bets.load import parse_bet
from combinat.bets.paytable import Published
from combinat.enumeration.experiment import parse_deal
from combinat.finder.checks import check_paytable, matches_published
from combinat.language.checks import impossible_comparisons
from combinat.language.english import describe_rule
from combinat.language.parser import parse_rule
from combinat.verifier.cards import RANKS
from combinat.verifier.rules import NOTHING_ELSE
from combinat.verifier.rules import Rule as SecondReading
from combinat.verifier.words import Table
from decks import STANDARD, InputError, Shoe
from decks.cards import ALL_CARDS
from reports.answers.catalog import list_table
from reports.page.numerals import format_percent
from reports.publish.sheets import EXTENSIONS, SheetOptions, SheetSpec, compute_sheet, render_sheet
from tests.profiles import tries
from tests.slow.rules import fits
from tests.strategies import DEALS, SIGNS, rules


@st.composite
def spoiled(draw, deal):
    """A rule as a careless hand writes it: with odd spaces, needless brackets, leading zeros and lists in lists."""
    text = draw(rules(deal))

    def listed(found):
        ends = draw(st.sampled_from([("(", ")"), ("((", "))"), ("(count(7) + (", "))"), ("(1 - (count(7) - (", ")))")]))
        return f"in ({ends[0]}{found[1]}{ends[1]}, {found[2]})"

    text = re.sub(r"in \((\d+), (\d+)\)", listed, text)
    if draw(st.booleans()):  # ranks have no leading zeros, numbers may
        text = re.sub(r"(?<=[=<>+] )(\d+)\b(?!-)", lambda found: found[1].zfill(draw(st.integers(1, 4))), text)
    if draw(st.booleans()):
        text = re.sub(r"(?<=[=<>] )(\d+)(?= *$|\))", r"((\1))", text)
    gap = draw(st.sampled_from([" ", "  ", "\n", "\t "]))
    text = re.sub(r"(?<=[(),])|(?=[(),])", gap, text) if draw(st.booleans()) else text.replace(" ", gap)
    return "(" * (depth := draw(st.integers(0, 3))) + text + ")" * depth


@given(st.data())
@tries(60)
def test_a_rule_that_is_read_is_said_in_english_and_read_alike_by_the_second_method(data):
    deal = parse_deal(data.draw(st.sampled_from(DEALS)))
    rule = parse_rule(data.draw(spoiled(deal)), deal)
    text = describe_rule(rule, deal)
    assert text.isprintable()
    assert text.count("(") == text.count(")")
    roles = {name: tuple(slice(place, place + 1) for place in places) for name, places in deal.groups.items()}
    second = SecondReading(str(rule), roles)
    for _ in range(4):
        hand = data.draw(st.lists(st.sampled_from(ALL_CARDS), min_size=deal.card_count, max_size=deal.card_count))
        cards = tuple((RANKS[str(card)[:-1]], str(card)[-1]) for card in hand)
        assert eval(second.code, NOTHING_ELSE, Table(cards, roles)) is fits(rule.fact, hand)


def file_with(rule, deal="player:1", extra="", pays="5 to 1"):
    return f"""
bet = "B"
deal = "{deal}"
[[paytable]]
id = "X"
decks = 1
awards = [{{ name = "A", when = {json.dumps(rule)}, pays = "{pays}" }}]
{extra}
"""


def checked(text):
    """The paytables of a file and what is found in them."""
    paytables, problems = parse_bet(text, "mine.toml")
    assert problems == ()
    return paytables, [finding for paytable in paytables for finding in check_paytable(paytable)]


@given(st.data())
@tries(6, quick=1, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_a_bet_that_passes_the_check_gets_a_sheet_in_every_format(data):
    deal = data.draw(st.sampled_from(["player:2", "first:1, second:1"]))
    rule = data.draw(spoiled(parse_deal(deal)))
    (paytable,), findings = checked(file_with(rule, deal))
    if not any(finding.is_error for finding in findings):
        made = compute_sheet(SheetSpec(paytable, 1), SheetOptions())
        assert all(render_sheet(made, format, 6) for format in EXTENSIONS)


@pytest.mark.parametrize("rule", ["total == 07", "total in ((count(7) + 10))", "total in (((10)))", "total\n==\n7"])
def test_rules_that_once_had_no_sheet_have_one(rule):
    (paytable,), findings = checked(file_with(rule))
    assert not any(finding.is_error for finding in findings)
    made = compute_sheet(SheetSpec(paytable, 1), SheetOptions())
    assert all(render_sheet(made, format, 6) for format in EXTENSIONS)


FIGURES = {"hit_frequency": "hit_frequency", "house_edge": "house_edge", "return": "return_"}


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("places", [0, 2, 5])
def test_a_published_figure_must_come_out_to_its_last_digit(figure, places):
    (paytable,), _ = checked(file_with("has(7)"))
    value = getattr(analyze_wager(paytable, Shoe(1)), FIGURES[figure])
    value = Fraction(value if figure == "hit_frequency" else value.constant)
    for off in (-1, 0, 1):
        printed = format_percent(value + Fraction(off, 10 ** (places + 2)), places)
        _, findings = checked(file_with("has(7)", extra=f'published = [{{ decks = 1, {figure} = "{printed}" }}]'))
        errors = [finding.text for finding in findings if finding.is_error]
        assert [printed in error and format_percent(value, places) in error for error in errors] == [True] * (off != 0)


@pytest.mark.parametrize(("text", "comes_out"), [("8%", True), ("8.%", True), ("07.7%", True), ("7.0%", False)])
def test_a_published_figure_is_compared_as_a_number(text, comes_out):
    (paytable,), _ = checked(file_with("has(7)"))  # once in 13
    assert matches_published(analyze_wager(paytable, Shoe(1)), Published("hit_frequency", text, 1)) is comes_out


@pytest.mark.parametrize(("pays", "meant"), [("0 to 1", "push"), ("0.00 to 1", "push"), ("0 for 1", "loses")])
def test_a_pay_of_nothing_is_asked_about(pays, meant):
    _, findings = checked(file_with("has(7)", pays=pays))
    assert f"'{pays}' is the same as {meant}" in findings[0].text
    assert not findings[0].is_error


def test_a_pay_in_words_is_not_asked_about():
    for pays in ("push", "loses", "5 to 1", "0.5 for 1"):
        _, findings = checked(file_with("has(7)", pays=pays))
        assert not any("is the same as" in finding.text for finding in findings)


def test_a_hand_that_no_award_uses_is_named_once():
    hands = '[hands]\n"Used" = "has(7)"\n"Left over" = "has(8)"\n[[paytable]]'
    text = file_with("has(9)", pays="11 to 1").replace("[[paytable]]", hands)
    second = '[[paytable]]\nid = "Y"\ndecks = 1\nawards = [{ hand = "Used", pays = "11 to 1" }]\n'
    _, findings = checked(text + second)
    assert [finding.text for finding in findings] == ["hand 'Left over': no award of the file is for it"]


@pytest.mark.parametrize(
    ("rule", "hint"),
    [
        ("up.rank == 1", "write A for an ace"),
        ("player.low == 1", "write A for an ace"),
        ("up.rank == 15", "ranks are 2 to 14"),
        ("player.high > A", "ranks are 2 to 14"),
        ("count(7) > 3", "it is 0 to 3"),
        ("player.count(hearts) == 3", "it is 0 to 2"),
        ("total > 31", "it is 6 to 30"),
        ("points == 10", "it is 0 to 9"),
        ("cards == 4", "it is 3 to 3"),
        ("player.high - player.low > 12", "ranks are 2 to 14"),
        ("up.total == 12", "it is 2 to 11"),
    ],
)
def test_a_comparison_that_never_holds_gets_a_hint(rule, hint):
    deal = "player:2, up:1"
    _, findings = checked(file_with(rule, deal))
    assert findings[0].is_error
    assert hint in findings[0].text
    _, findings = checked(file_with(f"suited or {rule}", deal))
    assert [finding.is_error for finding in findings if hint in finding.text] == [False]


def test_a_rank_that_the_pack_lacks_gets_a_hint():
    text = file_with("up.rank == 10", "player:2, up:1").replace('bet = "B"', 'bet = "B"\npack = "spanish"')
    assert "ranks are 2 to 14 without 10" in checked(text)[1][0].text


@given(st.data())
@tries(60)
def test_what_is_said_never_to_hold_never_holds(data):
    deal = parse_deal(data.draw(st.sampled_from(["player:1", "player:2", "player:2, up:1"])))
    word = data.draw(st.sampled_from(["high", "low", "total", "hard total", "points", "cards", "count(7, hearts)"]))
    number = data.draw(st.integers(0, 35))
    rule = parse_rule(f"{word} {data.draw(st.sampled_from(SIGNS))} {number}", deal)
    if list(impossible_comparisons(rule, deal, STANDARD)):
        assert next(iter_rule_odds(str(rule), deal, [Shoe(6)])).ways == 0


@pytest.mark.parametrize("draw", ["h17", "s17"])
def test_what_is_said_never_to_happen_to_the_dealer_never_does(draw):
    deal = parse_deal(f"dealer:{draw}")
    asked = [f"{word} == {number}" for word in ("total", "hard total", "cards") for number in range(35)]
    never = [rule for rule in asked if list(impossible_comparisons(parse_rule(rule, deal), deal, STANDARD))]
    assert len(never) > 20
    assert next(iter_rule_odds(" or ".join(never), deal, [Shoe(1)])).ways == 0


def test_rules_too_long_to_be_counted_are_named_with_file_and_award():
    # Parts that rules share are counted once, so that each award asks for cards of its own.
    cards = [", ".join(map(str, Random(number).sample(ALL_CARDS, 4))) for number in range(350)]
    rules = [
        " or ".join(f"{role}.has({some})" for some in cards[7 * n : 7 * n + 7] for role in "abcde") for n in range(50)
    ]
    awards = "".join(f'{{ name = "A{n}", when = "{rule}", pays = "1 to 1" }}, ' for n, rule in enumerate(rules[:49]))
    longest = f'{{ name = "Longest", when = "{rules[49]} or c.has(7d)", pays = "1 to 1" }}'
    deal = "a:1, b:1, c:1, d:1, e:1"
    text = f'bet = "B"\ndeal = "{deal}"\n[[paytable]]\nid = "X"\ndecks = 6\nawards = [{awards}{longest}]'
    (paytable,), _ = parse_bet(text, "mine.toml")
    for count in (lambda: list(check_paytable(paytable)), lambda: paytable.ways(Shoe(6, removed=tuple(ALL_CARDS[:1])))):
        with pytest.raises(InputError, match=r"mine\.toml: paytable 'X': award 'Longest': the rules are too long"):
            count()


def test_the_top_award_is_the_same_everywhere():
    rows = {row[0]: row[4] for row in list_table(list(iter_collection())).rows}
    for id in ("BB-1", "HM-2", "TRI-03", "BLZ-1-UP", "BN9-EXAMPLE", "SUP-01"):
        paytable = get_paytable(id)
        top = analyze_wager(paytable, Shoe(paytable.decks[0], paytable.bet.pack)).top.award
        assert rows[id] == f"{top.name}, {top.pay}"
    assert rows["BB-1"] == "Suited bust, ace up, 50 to 1"


@pytest.mark.parametrize(("other", "message"), [("TRI-99", "no paytable 'TRI-99'"), ("TRI-03", "is no other reading")])
def test_another_reading_that_no_sheet_can_show_is_an_error(other, message):
    _, findings = checked(file_with("has(7)", extra=f'other_reading = "{other}"'))
    assert [finding.is_error and message in finding.text for finding in findings] == [True]


@pytest.mark.parametrize("role", ["if", "class", "lambda"])
def test_a_role_that_the_second_method_cannot_read_is_refused(role):
    with pytest.raises(InputError, match=f"a role cannot be called '{role}'"):
        parse_deal(f"{role}:1")


def test_a_published_figure_for_no_shoe_is_refused():
    _, problems = parse_bet(file_with("has(7)", extra='published = [{ decks = 0, house_edge = "5%" }]'), "mine.toml")
    assert "no shoe has 0 decks" in problems[0]


def hand_warnings(rule, deal):
    _, findings = checked(file_with(rule, deal))
    return [finding.text for finding in findings if "asks for all" in finding.text]


@pytest.mark.parametrize("hand", ["flush", "straight", "straight flush"])
@pytest.mark.parametrize("deal", ["player:6", "player:3, dealer:3"])
def test_hand_of_more_than_five_cards_gets_a_warning(hand, deal):
    (text,) = hand_warnings(hand, deal)
    assert f"'best five.{hand}'" in text
    assert f"'any five.{hand}'" in text


@pytest.mark.parametrize(
    ("rule", "deal"),
    [
        ("best five.flush", "player:6"),
        ("any five.flush", "player:6"),
        ("any six.flush", "player:6"),
        ("suited", "player:6"),
        ("flush", "player:5"),
        ("player.flush", "player:3, dealer:3"),
    ],
)
def test_hand_of_a_stated_number_of_cards_gets_no_warning(rule, deal):
    assert hand_warnings(rule, deal) == []
