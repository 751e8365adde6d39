"""Largest wins and tax reporting: thresholds are data, and the reported wager is the smallest that reaches one."""

import tomllib
from fractions import Fraction
from functools import lru_cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import AwardLine, analyze_wager
from combinat.analysis.exposure import TAX_FILE, TaxRule, largest_win, reporting_threshold, tax_rules
from combinat.bets.award import Award
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import parse_pay
from combinat.enumeration.experiment import parse_deal
from combinat.language.parser import parse_rule
from decks import Shoe

DEAL = parse_deal("player:1")
CENT = Fraction(1, 100)


@lru_cache(maxsize=None)
def line_paying(text, ways=1):
    pay = parse_pay(text)
    award = Award("award", parse_rule("has(7)", DEAL), pay)
    return AwardLine(award=award, matches=ways, ways=ways, cycle=52, gross=pay.gross)


def test_tax_thresholds_have_year_and_source():
    rows = tomllib.loads(TAX_FILE.read_text(encoding="utf-8"))["rule"]
    assert [(rule.reported_from, rule.times_the_wager, rule.withheld_above) for rule in tax_rules()] == [
        (row["reported_from"], row["times_the_wager"], row["withheld_above"]) for row in rows
    ]
    assert [rule.years for rule in tax_rules()] == [row["years"] for row in rows]
    assert all(rule.years and rule.source for rule in tax_rules())


def test_threshold_bases_differ_at_300_for_1():
    for rule in tax_rules():
        at = reporting_threshold(line_paying("300 for 1"), rule)  # pays 300, wins 299
        assert at.on_all_paid == Fraction(rule.reported_from, 300)
        assert (at.less_the_wager, at.withheld_above) == (None, None)
        above = reporting_threshold(line_paying("300 to 1"), rule)  # pays 301, wins 300
        assert above.on_all_paid == Fraction(rule.reported_from, 301)
        assert above.less_the_wager == Fraction(rule.reported_from, 300)
        assert above.withheld_above == Fraction(rule.withheld_above, 300)
        below = reporting_threshold(line_paying("299 for 1"), rule)
        assert (below.on_all_paid, below.less_the_wager, below.withheld_above) == (None, None, None)


@given(
    st.fractions(1, 5000, max_denominator=4),
    st.sampled_from(["to", "for"]),
    st.integers(1, 10_000),
    st.integers(1, 1000),
    st.integers(1, 100_000),
)
def test_reported_wager_is_the_smallest_above_the_threshold(amount, unit, reported_from, times, withheld):
    rule = TaxRule("A rule", "a year", reported_from, times, withheld, "made up")
    line = line_paying(f"{float(amount)} {unit} 1")
    paid, won = line.gross.constant, line.net.constant
    threshold = reporting_threshold(line, rule)
    assert (threshold.on_all_paid is not None) == (paid >= times)
    assert (threshold.less_the_wager is not None) == (won >= times) == (threshold.withheld_above is not None)
    for wager, basis in ((threshold.on_all_paid, paid), (threshold.less_the_wager, won)):
        if wager is not None:
            assert wager * basis >= reported_from > (wager - CENT) * basis
    if threshold.withheld_above is not None:
        assert (threshold.withheld_above + CENT) * won > withheld >= threshold.withheld_above * won


def test_open_meter_award_has_no_reported_wager():
    assert reporting_threshold(line_paying("100% of meter"), tax_rules()[0]) is None
    analysis = analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6), {"meter": Fraction(20_000)})
    threshold = reporting_threshold(analysis.lines[0], tax_rules()[0])
    assert threshold.on_all_paid == Fraction(600, 20_000)


@pytest.mark.parametrize(("id", "decks", "pay"), [("TRI-02", 2, 33), ("SUP-01", 8, 100), ("SUP-01", 1, None)])
def test_largest_win_ignores_unreachable_awards(id, decks, pay):
    analysis = analyze_wager(get_paytable(id), Shoe(decks))
    top = largest_win(analysis)
    possible = [line.net.constant for line in analysis.lines if line.is_possible]
    assert top.is_possible
    assert top.net.constant == max(possible)
    assert pay is None or top.ways > 0


def test_largest_win_is_unknown_with_an_open_meter():
    assert largest_win(analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6))) is None
    assert largest_win(analyze_wager(get_paytable("BLZ-1-UP"), Shoe(6), {"meter": Fraction(5)})).gross == 200
