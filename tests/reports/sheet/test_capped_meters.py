"""Sheets of capped meters agree with the verifier, from caps reached at once to caps never reached."""

from fractions import Fraction

import pytest

from combinat.verifier import verify
from tests.sheets import sheet_of_text
from tests.slow_cases import slow_case

BET = """
bet = "Sevens"
deal = "player:3"
[[paytable]]
id = "SEVENS"
decks = 6
awards = [
  {{ name = "Suited sevens", when = "7-7-7 and suited", pays = "100% of Mega" }},
  {{ name = "Sevens", when = "7-7-7", pays = "{sevens}" }},
  {{ name = "Pair", when = "pair", pays = "2 to 1" }},
]
meters = [{{ wager = 5, basis = "chosen", levels = [
  {{ name = "Mega", seed = {seed}, rate = "1%"{cap}{more} }}
] }}]
"""


def build_capped_sheet(folder, seed, distance_to_cap=None, level_fields="", sevens="50 to 1"):
    cap = "" if distance_to_cap is None else f", cap = {seed + distance_to_cap}"
    return sheet_of_text(folder, BET.format(seed=seed, cap=cap, more=level_fields, sevens=sevens))


SLOWER = ', rate_after_cap = "0.5%"'
CAPS = [
    *[(0, 60.02, SLOWER), slow_case(5000, 300_000, ""), slow_case(0, 50_000_000, ""), slow_case(0, 5_000_000_000, "")],
    *[
        slow_case(seed, room, more)
        for room in [0, 0.01, 0.05, 12.5, 2500, 300_000]
        for seed, more in [(0, ""), (5000, SLOWER)]
    ],
]


@pytest.mark.parametrize(("seed", "room", "more"), CAPS)
def test_verifier_agrees_for_any_distance_to_the_cap(tmp_path, seed, room, more):
    """The cost of two winners in one round is compared within its precision, not to the last of sixty digits."""
    sheet = build_capped_sheet(tmp_path, seed, room, more)
    verdict = verify(sheet)
    assert (verdict.differences, sheet["checks"][-1]["result"]) == ([], "agrees")
    assert sheet["results"][0]["variance"] is not None
    assert not [
        reason for reason in verdict.not_checked if "depend on one another" in reason or "not known here" in reason
    ]


@pytest.mark.parametrize(
    "more",
    [
        slow_case(', reserve = "2%", seed_paid_by = "reserve"'),
        ', reserve = "0.1%", seed_paid_by = "reserve"',
        ", deducted = false",
    ],
    ids=["reserve covers the seeds", "reserve is too small", "shares not deducted"],
)
def test_variance_of_dependent_plays_is_verified(tmp_path, more):
    sheet = build_capped_sheet(tmp_path, 5000, level_fields=more, sevens="10% of Mega")
    verdict = verify(sheet)
    assert (verdict.differences, sheet["results"][0]["basis"]) == ([], "long run")
    assert not [reason for reason in verdict.not_checked if "depend on one another" in reason]
    sheet["results"][0]["variance"] = str(Fraction(sheet["results"][0]["variance"]) + Fraction(1, 10**20))
    assert any("variance" in detail for detail in verify(sheet).differences)


@pytest.mark.parametrize(
    "more",
    [
        ', reserve = "0.1%", deducted = false',
        slow_case(', deducted = false }, { name = "Mini", seed = 1, reserve = "1%"'),
    ],
)
def test_unknown_figures_are_omitted_by_both_methods(tmp_path, more):
    """A meter with both an undeducted share and an added reserve has no expected figures."""
    text = BET.format(seed=500, cap="", more=more, sevens="10% of Mega")
    sheet = sheet_of_text(
        tmp_path, text.replace('pays = "2 to 1"', 'pays = "100% of Mini"') if "Mini" in more else text
    )
    assert verify(sheet).differences == []


@pytest.mark.slow
def test_unreachable_cap_changes_nothing(tmp_path):
    with_cap, without_cap = [build_capped_sheet(tmp_path, 5000, room) for room in (50_000_000, None)]
    assert with_cap["hold"] == without_cap["hold"]
    assert with_cap["meter"]["levels"][0]["average_meter"] == without_cap["meter"]["levels"][0]["average_meter"]
