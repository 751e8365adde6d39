"""Pay errors: rounded pays and pays in the wrong unit move the edge like a paytable with those pays."""

import json
from fractions import Fraction

import pytest
from msgspec.structs import replace

from combinat.analysis.sensitivity import find_misrankings
from combinat.bets.catalog import get_paytable
from combinat.bets.load import parse_bet
from combinat.bets.pay import parse_pay
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe
from reports.sheet.par_sheet import build_par_sheet, data_fingerprint

BROKEN = """
bet = "Pairs"
deal = "player:2"
[[paytable]]
id = "PAIRS"
title = "Pairs"
decks = 2
awards = [
  { name = "Pair", when = "pair", pays = "2.5 to 1" },
  { name = "Suited", when = "suited", pays = "1.5 for 1" },
]
"""


@pytest.fixture(scope="module")
def broken():
    (paytable,), problems = parse_bet(BROKEN, "pairs.toml")
    assert problems == ()
    return json.loads(json.dumps(build_par_sheet(build_study(paytable, Shoe(2))).payload))


def paying(paytable, change):
    return replace(
        paytable, awards=tuple(replace(award, pay=parse_pay(change(str(award.pay)))) for award in paytable.awards)
    )


@pytest.mark.parametrize("id", ["TRI-03", "SUP-01"])
def test_paying_to_1_as_for_1_equals_that_paytable(id):
    paytable = get_paytable(id)
    decks = Shoe(paytable.decks[0])
    ours, other = (
        build_study(paytable, decks),
        build_study(paying(paytable, lambda text: text.replace("to 1", "for 1")), decks),
    )
    assert ours.edge_change_in_unit("to 1") == other.house_edge.constant - ours.house_edge.constant
    assert other.edge_change_in_unit("for 1") == ours.house_edge.constant - other.house_edge.constant
    assert ours.edge_change_in_unit("for 1") is None
    assert ours.edge_change_in_unit("to 1") == ours.analysis.hit_frequency


def test_paying_the_award_below_equals_that_paytable():
    paytable = get_paytable("TRI-03")
    ours, nets = build_study(paytable, Shoe(6)), [100, 35, 33, 10, 5, -1]
    for one in find_misrankings(ours.analysis):
        below = nets[one.award + 1]
        pay = parse_pay("loses" if below < 0 else f"{below} to 1")
        awards = [
            replace(award, pay=pay) if index == one.award else award for index, award in enumerate(paytable.awards)
        ]
        study = build_study(replace(paytable, awards=tuple(awards)), Shoe(6))
        assert one.change == study.house_edge.constant - ours.house_edge.constant
    assert [misranking.next_award for misranking in find_misrankings(ours.analysis)] == [1, 2, 3, 4, None]


def test_award_below_that_pays_more_is_no_error():
    misrankings = find_misrankings(build_study(get_paytable("BB-2"), Shoe(6)).analysis)
    awards = get_paytable("BB-2").awards
    assert all(
        misranking.next_award is None or awards[misranking.next_award].pay.amount < awards[misranking.award].pay.amount
        for misranking in misrankings
    )
    assert "Three 8s" not in {
        awards[misranking.award].name for misranking in misrankings
    }  # 25 to 1, like the suited bust below it


def test_rounding_equals_the_pay_in_whole_chips(broken):
    pair, suited = (Fraction(award["probability"]) for award in broken["awards"])
    edge = Fraction(broken["house_edge"])
    rows = {row["wager"]: row for row in broken["rounding"]}
    assert set(rows) == {1, 3, 5, 15, 25}
    # Three chips win 7.5 on a pair and 1.5 on suited cards: rounding moves each by half a chip of three.
    assert Fraction(rows[3]["rounded_up"]) == edge - (pair + suited) / 6
    assert Fraction(rows[3]["rounded_down"]) == edge + (pair + suited) / 6


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("rounding", 0, "rounded_up"), "1/7"),
        (("rounding", 2, "rounded_down"), "1/7"),
        (("rounding", 1, "wager"), 4),
        (("wrong_unit", "to_as_for"), "1/7"),
        (("wrong_unit", "for_as_to"), "1/7"),
        (("misranked", 0, "change"), "1/7"),
        (("misranked", 1, "below"), "Pair"),
        (("spots", "covariance"), "1/7"),
        (("spots", "correlation"), "1/7"),
        (("spots", "by_spots", 5, "variance"), "1/7"),
        (("spots", "by_spots", 0, "standard_deviation"), "sqrt(1/7)"),
        (("spots", "basis"), "best play"),
    ],
)
def test_altered_figure_is_named(broken, path, value):
    assert verify(broken).differences == []
    changed = index = json.loads(json.dumps(broken))
    for key in path[:-1]:
        index = index[key]
    index[path[-1]] = value
    changed["data_sha256"] = data_fingerprint(changed)
    assert any(difference.startswith(path[0]) and path[-1] in difference for difference in verify(changed).differences)
