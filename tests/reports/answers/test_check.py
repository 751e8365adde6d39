"""Bets that `check_paytable` accepts have English rules and a sheet; errors are named with the award."""

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
from combinat.verifier.rules import Row
from combinat.verifier.rules import Rule as VerifierRule
from decks import STANDARD, InputError, Shoe
from decks.cards import ALL_CARDS
from reports.answers.catalog import list_table
from reports.page.numerals import format_percent
from reports.publish.sheets import SheetOptions, SheetSpec, compute_sheet
from reports.render.formats import render_sheet, sheet_formats
from tests.profiles import tries
from tests.slow.rules import fits
from tests.slow_cases import slow_case
from tests.strategies import DEALS, SIGNS, rules


@st.composite
def untidy_rules(draw, deal):
    """Draw a rule in untidy notation: odd spaces, needless brackets, leading zeros and nested lists."""
    text = draw(rules(deal))

    def nest_list(match):
        brackets = draw(
            st.sampled_from([("(", ")"), ("((", "))"), ("(count(7) + (", "))"), ("(1 - (count(7) - (", ")))")])
        )
        return f"in ({brackets[0]}{match[1]}{brackets[1]}, {match[2]})"

    text = re.sub(r"in \((\d+), (\d+)\)", nest_list, text)
    if draw(st.booleans()):  # ranks have no leading zeros, numbers may
        text = re.sub(r"(?<=[=<>+] )(\d+)\b(?!-)", lambda match: match[1].zfill(draw(st.integers(1, 4))), text)
    if draw(st.booleans()):
        text = re.sub(r"(?<=[=<>] )(\d+)(?= *$|\))", r"((\1))", text)
    gap = draw(st.sampled_from([" ", "  ", "\n", "\t "]))
    text = re.sub(r"(?<=[(),])|(?=[(),])", gap, text) if draw(st.booleans()) else text.replace(" ", gap)
    return "(" * (depth := draw(st.integers(0, 3))) + text + ")" * depth


@given(st.data())
@tries(60)
def test_parsed_rule_has_english_and_verifier_reads_it_alike(data):
    deal = parse_deal(data.draw(st.sampled_from(DEALS)))
    rule = parse_rule(data.draw(untidy_rules(deal)), deal)
    text = describe_rule(rule, deal)
    assert text.isprintable()
    assert text.count("(") == text.count(")")
    positions = {**deal.positions_by_role, "": range(deal.card_count)}
    verifier_rule = VerifierRule(str(rule), deal.positions_by_role)
    for _ in range(4):
        hand = data.draw(st.lists(st.sampled_from(ALL_CARDS), min_size=deal.card_count, max_size=deal.card_count))
        ranks = Row([int(card.rank) for card in hand], positions)
        suits = Row([str(card)[-1] for card in hand], positions)
        assert bool(verifier_rule.test(ranks, suits)) is fits(rule.fact, hand)


def build_file(rule, deal="player:1", extra="", pays="5 to 1"):
    return f"""
bet = "B"
deal = "{deal}"
[[paytable]]
id = "X"
decks = 1
awards = [{{ name = "A", when = {json.dumps(rule)}, pays = "{pays}" }}]
{extra}
"""


def parse_and_check(text):
    """Return the paytables of a file and their findings."""
    paytables, problems = parse_bet(text, "mine.toml")
    assert problems == ()
    return paytables, [finding for paytable in paytables for finding in check_paytable(paytable)]


@given(st.data())
@tries(6, quick=1, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_checked_bet_gets_a_sheet_in_every_format(data):
    deal = data.draw(st.sampled_from(["player:2", "first:1, second:1"]))
    rule = data.draw(untidy_rules(parse_deal(deal)))
    (paytable,), findings = parse_and_check(build_file(rule, deal))
    if not any(finding.is_error for finding in findings):
        sheet = compute_sheet(SheetSpec(paytable, 1), SheetOptions())
        assert all(render_sheet(sheet, format, 6) for format in sheet_formats())


@pytest.mark.parametrize(
    "rule",
    ["total == 07", slow_case("total in ((count(7) + 10))"), slow_case("total in (((10)))"), slow_case("total\n==\n7")],
)
def test_difficult_rules_have_a_sheet(rule):
    (paytable,), findings = parse_and_check(build_file(rule))
    assert not any(finding.is_error for finding in findings)
    sheet = compute_sheet(SheetSpec(paytable, 1), SheetOptions())
    assert all(render_sheet(sheet, format, 6) for format in sheet_formats())


FIGURES = {"hit_frequency": "hit_frequency", "house_edge": "house_edge", "return": "return_"}


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("places", [0, 2, 5])
def test_published_figure_must_match_to_the_last_digit(figure, places):
    (paytable,), _ = parse_and_check(build_file("has(7)"))
    value = getattr(analyze_wager(paytable, Shoe(1)), FIGURES[figure])
    value = Fraction(value if figure == "hit_frequency" else value.constant)
    for error_in_last_digit in (-1, 0, 1):
        printed = format_percent(value + Fraction(error_in_last_digit, 10 ** (places + 2)), places)
        _, findings = parse_and_check(
            build_file("has(7)", extra=f'published = [{{ decks = 1, {figure} = "{printed}" }}]')
        )
        errors = [finding.text for finding in findings if finding.is_error]
        assert [printed in error and format_percent(value, places) in error for error in errors] == [True] * (
            error_in_last_digit != 0
        )


@pytest.mark.parametrize(("text", "comes_out"), [("8%", True), ("8.%", True), ("07.7%", True), ("7.0%", False)])
def test_published_figure_is_compared_as_a_number(text, comes_out):
    (paytable,), _ = parse_and_check(build_file("has(7)"))  # probability 1/13
    assert matches_published(analyze_wager(paytable, Shoe(1)), Published("hit_frequency", text, 1)) is comes_out


@pytest.mark.parametrize(("pays", "meant"), [("0 to 1", "push"), ("0.00 to 1", "push"), ("0 for 1", "loses")])
def test_zero_pay_gets_a_warning(pays, meant):
    _, findings = parse_and_check(build_file("has(7)", pays=pays))
    assert f"'{pays}' is the same as {meant}" in findings[0].text
    assert not findings[0].is_error


def test_push_gets_no_warning():
    for pays in ("push", "loses", "5 to 1", "0.5 for 1"):
        _, findings = parse_and_check(build_file("has(7)", pays=pays))
        assert not any("is the same as" in finding.text for finding in findings)


def test_unused_hand_is_named_once():
    hands = '[hands]\n"Used" = "has(7)"\n"Left over" = "has(8)"\n[[paytable]]'
    text = build_file("has(9)", pays="11 to 1").replace("[[paytable]]", hands)
    second = '[[paytable]]\nid = "Y"\ndecks = 1\nawards = [{ hand = "Used", pays = "11 to 1" }]\n'
    _, findings = parse_and_check(text + second)
    assert [finding.text for finding in findings] == ["hand 'Left over': no award uses it"]


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
def test_impossible_comparison_gets_a_hint(rule, hint):
    deal = "player:2, up:1"
    _, findings = parse_and_check(build_file(rule, deal))
    assert findings[0].is_error
    assert hint in findings[0].text
    _, findings = parse_and_check(build_file(f"suited or {rule}", deal))
    assert [finding.is_error for finding in findings if hint in finding.text] == [False]


def test_rank_missing_from_the_pack_gets_a_hint():
    text = build_file("up.rank == 10", "player:2, up:1").replace('bet = "B"', 'bet = "B"\npack = "spanish"')
    assert "ranks are 2 to 14 without 10" in parse_and_check(text)[1][0].text


@given(st.data())
@tries(60)
def test_impossible_rules_have_no_ways(data):
    deal = parse_deal(data.draw(st.sampled_from(["player:1", "player:2", "player:2, up:1"])))
    word = data.draw(st.sampled_from(["high", "low", "total", "hard total", "points", "cards", "count(7, hearts)"]))
    number = data.draw(st.integers(0, 35))
    rule = parse_rule(f"{word} {data.draw(st.sampled_from(SIGNS))} {number}", deal)
    if list(impossible_comparisons(rule, deal, STANDARD)):
        assert next(iter_rule_odds(str(rule), deal, [Shoe(6)])).ways == 0


@pytest.mark.parametrize("draw", ["h17", "s17"])
def test_impossible_dealer_rules_have_no_ways(draw):
    deal = parse_deal(f"dealer:{draw}")
    rules = [f"{word} == {number}" for word in ("total", "hard total", "cards") for number in range(35)]
    impossible = [rule for rule in rules if list(impossible_comparisons(parse_rule(rule, deal), deal, STANDARD))]
    assert len(impossible) > 20
    assert next(iter_rule_odds(" or ".join(impossible), deal, [Shoe(1)])).ways == 0


@pytest.mark.slow  # fast: bets/test_load.py::test_expensive_ladder_is_refused
def test_expensive_rules_are_named_with_file_and_award():
    # Shared parts of rules are counted once, so each award uses different cards.
    cards = [", ".join(map(str, Random(number).sample(ALL_CARDS, 4))) for number in range(350)]
    rules = [
        " or ".join(f"{role}.has({card_list})" for card_list in cards[7 * index : 7 * index + 7] for role in "abcde")
        for index in range(50)
    ]
    awards = "".join(
        f'{{ name = "A{index}", when = "{rule}", pays = "1 to 1" }}, ' for index, rule in enumerate(rules[:49])
    )
    longest = f'{{ name = "Longest", when = "{rules[49]} or c.has(7d)", pays = "1 to 1" }}'
    deal = "a:1, b:1, c:1, d:1, e:1"
    text = f'bet = "B"\ndeal = "{deal}"\n[[paytable]]\nid = "X"\ndecks = 6\nawards = [{awards}{longest}]'
    (paytable,), _ = parse_bet(text, "mine.toml")
    for count_ways in (
        lambda: list(check_paytable(paytable)),
        lambda: paytable.ways(Shoe(6, removed=tuple(ALL_CARDS[:1]))),
    ):
        with pytest.raises(InputError, match=r"mine\.toml: paytable 'X': award 'Longest': the rules are too long"):
            count_ways()


def test_top_award_is_the_same_everywhere():
    rows = {row[0]: row[4] for row in list_table(list(iter_collection())).rows}
    for id in ("BB-1", "HM-2", "TRI-03", "BLZ-1-UP", "BN9-EXAMPLE", "SUP-01"):
        paytable = get_paytable(id)
        top = analyze_wager(paytable, Shoe(paytable.decks[0], paytable.bet.pack)).top.award
        assert rows[id] == f"{top.name}, {top.pay}"
    assert rows["BB-1"] == "Suited bust, ace up, 50 to 1"


@pytest.mark.parametrize(("other", "message"), [("TRI-99", "'TRI-99'"), ("TRI-03", "is no other reading")])
def test_invalid_other_reading_is_an_error(other, message):
    _, findings = parse_and_check(build_file("has(7)", extra=f'other_interpretation = "{other}"'))
    assert [finding.is_error and message in finding.text for finding in findings] == [True]


@pytest.mark.parametrize("role", ["if", "class", "lambda"])
def test_role_unknown_to_the_verifier_is_refused(role):
    with pytest.raises(InputError, match=f"a role cannot be called '{role}'"):
        parse_deal(f"{role}:1")


def test_published_figure_for_zero_decks_is_refused():
    _, problems = parse_bet(build_file("has(7)", extra='published = [{ decks = 0, house_edge = "5%" }]'), "mine.toml")
    assert "got 0" in problems[0]


def hand_warnings(rule, deal):
    _, findings = parse_and_check(build_file(rule, deal))
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
