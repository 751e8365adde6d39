"""Sheets of capped meters agree with the verifier, from caps reached at once to caps never reached."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from combinat.verifier import verify
from combinat.verifier.cycles import Cycle, State
from combinat.verifier.meters import PRECISE
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
    assert (verdict.details, sheet["checks"][-1]["result"]) == ([], "agrees")
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
    assert (verdict.details, sheet["results"][0]["basis"]) == ([], "long run")
    assert not [reason for reason in verdict.not_checked if "depend on one another" in reason]
    sheet["results"][0]["variance"] = str(Fraction(sheet["results"][0]["variance"]) + Fraction(1, 10**20))
    assert any("variance" in detail for detail in verify(sheet).details)


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
    assert verify(sheet).details == []


@pytest.mark.slow
def test_unreachable_cap_changes_nothing(tmp_path):
    with_cap, without_cap = [build_capped_sheet(tmp_path, 5000, room) for room in (50_000_000, None)]
    assert with_cap["hold"] == without_cap["hold"]
    assert with_cap["meter"]["levels"][0]["average_meter"] == without_cap["meter"]["levels"][0]["average_meter"]


@pytest.mark.parametrize("plays", [0, 1, 2, 3, 6, 100, 1023])
def test_batched_plays_equal_single_plays(plays):
    with localcontext(PRECISE):
        cycle = Cycle(*map(Decimal, ["0.9", "0.01", "12", "0.3", "0.8", "0.002", "0.0003"]))
        start = State(*map(Decimal, [1, 12, 144, 0, 0, 0, 0, 0]))
        single = start
        for _ in range(plays):
            single = cycle.after(single, Decimal("0.05"))
        batched = cycle.after_many(start, Decimal("0.05"), plays)
        assert max(abs(expected - actual) for expected, actual in zip(single, batched, strict=True)) < Decimal("1e-75")


def test_cycle_matches_enumeration():
    """Enumerate every sequence of five plays with hits, other awards and shares of the meter."""
    end_probability, probabilities = Fraction(1, 5), {"cost": Fraction(1, 4), "share": Fraction(1, 10)}
    net, step, seed, cost, share = Fraction(1), Fraction(1, 2), Fraction(3), Fraction(2), Fraction(1, 4)
    total = total_squared = Fraction(0)
    states = [(Fraction(1), seed, Fraction(0))]
    for _ in range(5):
        next_states = []
        for probability, meter, won in states:
            meter, balance = meter + step, won + net - step  # the contribution goes in first
            result = balance - seed
            total, total_squared = (
                total + probability * end_probability * result,
                total_squared + probability * end_probability * result**2,
            )
            next_states += [
                (probability * probabilities["cost"], meter, balance - cost),
                (probability * probabilities["share"], meter, balance - share * meter),
                (probability * (1 - end_probability - sum(probabilities.values())), meter, balance),
            ]
        states = next_states
    cycle = Cycle(
        *[Decimal(1), Decimal("0.2"), Decimal(3)],
        *[Decimal("0.5"), Decimal(1), Decimal("0.025"), Decimal("0.00625")],
    )
    with localcontext(PRECISE):
        state = State(*map(Decimal, [1, 3, 9, 0, 0, 0, 0, 0]))
        for _ in range(5):
            state = cycle.after(state, Decimal("0.5"))
    assert (Fraction(state.total), Fraction(state.total_squared)) == (total, total_squared)
    assert Fraction(state.alive) == sum(probability for probability, *_ in states)
    assert Fraction(state.won_squared) == sum(probability * won**2 for probability, _, won in states)
    assert Fraction(state.won_times_meter) == sum(probability * won * meter for probability, meter, won in states)
