"""Sheets of meters with a cap, from one that is reached at once to one that is never reached, by both methods."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from combinat.verifier import verify
from combinat.verifier.cycles import Cycle, State
from combinat.verifier.meters import PRECISE
from tests.sheets import written_sheet

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


def sheet_of(folder, seed, room=None, more="", sevens="50 to 1"):
    cap = "" if room is None else f", cap = {seed + room}"
    return written_sheet(folder, BET.format(seed=seed, cap=cap, more=more, sevens=sevens))


SLOWER = ', rate_after_cap = "0.5%"'
CAPS = [
    *[(0, 60.02, SLOWER), (5000, 300_000, ""), (0, 50_000_000, ""), (0, 5_000_000_000, "")],
    *[
        pytest.param(seed, room, more, marks=pytest.mark.slow)
        for room in [0, 0.01, 0.05, 12.5, 2500, 300_000]
        for seed, more in [(0, ""), (5000, SLOWER)]
    ],
]


@pytest.mark.parametrize(("seed", "room", "more"), CAPS)
def test_both_methods_agree_however_far_the_cap_is(tmp_path, seed, room, more):
    """What two winners in one round cost was compared to the last of sixty digits, so sheets said that they differ."""
    sheet = sheet_of(tmp_path, seed, room, more)
    found = verify(sheet)
    assert (found.details, sheet["checks"][-1]["result"]) == ([], "agrees")
    assert sheet["results"][0]["variance"] is not None
    assert not [one for one in found.not_checked if "depend on one another" in one or "not known here" in one]


@pytest.mark.parametrize(
    "more",
    [
        ', reserve = "2%", seed_paid_by = "reserve"',
        ', reserve = "0.1%", seed_paid_by = "reserve"',
        ", deducted = false",
    ],
    ids=["a reserve that covers the seeds", "one that does not", "parts that are not deducted"],
)
def test_plays_that_depend_on_one_another_are_followed_however_rare_a_hit_is(tmp_path, more):
    sheet = sheet_of(tmp_path, 5000, more=more, sevens="10% of Mega")
    found = verify(sheet)
    assert (found.details, sheet["results"][0]["basis"]) == ([], "long run")
    assert not [one for one in found.not_checked if "depend on one another" in one]
    sheet["results"][0]["variance"] = str(Fraction(sheet["results"][0]["variance"]) + Fraction(1, 10**20))
    assert any("variance" in one for one in verify(sheet).details)


@pytest.mark.parametrize(
    "more",
    [
        ', reserve = "0.1%", deducted = false',
        pytest.param(', deducted = false }, { name = "Mini", seed = 1, reserve = "1%"', marks=pytest.mark.slow),
    ],
)
def test_what_nobody_can_tell_is_left_out_by_both_methods(tmp_path, more):
    """Of a meter with a share that is not deducted and a reserve that is added there were rows to be expected."""
    text = BET.format(seed=500, cap="", more=more, sevens="10% of Mega")
    sheet = written_sheet(
        tmp_path, text.replace('pays = "2 to 1"', 'pays = "100% of Mini"') if "Mini" in more else text
    )
    assert verify(sheet).details == []


@pytest.mark.slow
def test_a_cap_that_is_never_reached_is_as_good_as_none(tmp_path):
    with_cap, without = [sheet_of(tmp_path, 5000, room) for room in (50_000_000, None)]
    assert with_cap["hold"] == without["hold"]
    assert with_cap["meter"]["levels"][0]["average_meter"] == without["meter"]["levels"][0]["average_meter"]


@pytest.mark.parametrize("plays", [0, 1, 2, 3, 6, 100, 1023])
def test_many_plays_at_a_time_are_as_many_one_by_one(plays):
    with localcontext(PRECISE):
        cycle = Cycle(*map(Decimal, ["0.9", "0.01", "12", "0.3", "0.8", "0.002", "0.0003"]))
        begin = State(*map(Decimal, [1, 12, 144, 0, 0, 0, 0, 0]))
        one_by_one = begin
        for _ in range(plays):
            one_by_one = cycle.after(one_by_one, Decimal("0.05"))
        together = cycle.after_many(begin, Decimal("0.05"), plays)
        assert max(abs(one - other) for one, other in zip(one_by_one, together, strict=True)) < Decimal("1e-75")


def test_a_cycle_is_that_of_every_way_it_can_go():
    """Five plays with their hits, other awards and shares of the meter, listed one way after the other."""
    ends, chances = Fraction(1, 5), {"cost": Fraction(1, 4), "share": Fraction(1, 10)}
    net, step, seed, cost, share = Fraction(1), Fraction(1, 2), Fraction(3), Fraction(2), Fraction(1, 4)
    total = squared = Fraction(0)
    going = [(Fraction(1), seed, Fraction(0))]
    for _ in range(5):
        longer = []
        for chance, meter, won in going:
            meter, here = meter + step, won + net - step  # the contribution goes in first
            over = here - seed
            total, squared = total + chance * ends * over, squared + chance * ends * over**2
            longer += [
                (chance * chances["cost"], meter, here - cost),
                (chance * chances["share"], meter, here - share * meter),
                (chance * (1 - ends - sum(chances.values())), meter, here),
            ]
        going = longer
    cycle = Cycle(
        *[Decimal(1), Decimal("0.2"), Decimal(3)],
        *[Decimal("0.5"), Decimal(1), Decimal("0.025"), Decimal("0.00625")],
    )
    with localcontext(PRECISE):
        state = State(*map(Decimal, [1, 3, 9, 0, 0, 0, 0, 0]))
        for _ in range(5):
            state = cycle.after(state, Decimal("0.5"))
    assert (Fraction(state.total), Fraction(state.total_squared)) == (total, squared)
    assert Fraction(state.alive) == sum(chance for chance, *_ in going)
    assert Fraction(state.won_squared) == sum(chance * won**2 for chance, _, won in going)
    assert Fraction(state.won_times_meter) == sum(chance * won * meter for chance, meter, won in going)
