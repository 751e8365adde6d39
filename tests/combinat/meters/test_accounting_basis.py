"""The house's result with meters, compared with the renewal cycle play by play and with long simulations."""

from fractions import Fraction
from functools import lru_cache
from itertools import compress, islice

import pytest
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.analysis.basis import Basis
from combinat.analysis.outlook import compute_outlook
from combinat.bets.award import Award
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.bets.meters import HOUSE_JACKPOT, MeterLevel, MeterSystem
from combinat.bets.pay import parse_pay
from combinat.bets.paytable import Bet, Paytable
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.tally import AwardCounts
from combinat.language.parser import parse_rule
from combinat.meters.accrual import accounting_result
from combinat.meters.hold import MeterFigures, meter_figures
from combinat.study import build_study
from decks import Shoe
from tests.slow_cases import slow_case, slow_cases

F = Fraction
DEAL = parse_deal("player:1")
RULE = parse_rule("has(7)", DEAL)
PAYS = ("100% of meter", "10% of meter", "5 for 1", "2 for 1")
TWO = ("100% of Mega", "100% of Minor", "5 for 1", "2 for 1")
WAYS = (4, 9, 3, 20)
CYCLE = 100
KINDS = {
    "plain": {},
    "house jackpot": {"kind": HOUSE_JACKPOT, "rate": F(0)},
    "reserve added to the seed": {"reserve": F(2, 100)},
    "cap": {"cap": F(31, 2), "deducted": False, "pays": ("100% of meter", "1 for 1", "5 for 1", "2 for 1")},
    "cap with another rate beyond": {
        **{"cap": F(15), "rate_after_cap": F(3, 100), "pays": ("100% of meter", "1 for 1", "5 for 1", "2 for 1")},
    },
    "parts not deducted": {"deducted": False},
    "parts not deducted, with a cap": {"deducted": False, "cap": F(14)},
    "seed paid by a reserve too small": {"reserve": F(1, 100), "seed_paid_by": "reserve"},
    "seed paid by a reserve that suffices": {"seed": F(3), "reserve": F(18, 100), "seed_paid_by": "reserve"},
    "all pays deducted": {"all_pays_deducted": True},
}


def run(*, pays=PAYS, ways=WAYS, wager=1, kind="progressive", all_pays_deducted=False, **level):
    """Return a bet with made-up probabilities and these meter terms."""
    wager = F(wager)
    awards = tuple(Award(f"award {index}", RULE, parse_pay(pay)) for index, pay in enumerate(pays))
    paytable = Paytable("MADE-UP", Bet("Made up", DEAL), "Made up", (6,), awards)
    analysis = Analysis(paytable, Shoe(6), AwardCounts(CYCLE, ways, ways, CYCLE - sum(ways)), {}, wager)
    levels = tuple(MeterLevel(name, **({"seed": F(10), "rate": F(20, 100)} | level)) for name in paytable.meters)
    system = MeterSystem(levels, wager, kind, all_pays_deducted)
    system.check()
    return MeterFigures(analysis, system)


def paid(figures, line, meter):
    """Return what an award pays, in money, when the meter shows an amount."""
    pay = line.award.pay
    return line.gross.constant * figures.system.wager if pay.meter is None else pay.amount * meter


def meter_by_age(level):
    """Yield the amount of a meter without deductions one play after a reset, two plays after, and so on."""
    amount = level.level.seed
    while True:
        if level.level.cap is not None and amount >= level.level.cap:
            amount += level.level.rate_after_cap * level.wager
        else:
            amount += level.contribution
            amount = amount if level.level.cap is None else min(amount, level.level.cap)
        yield amount


def variance_of_a_cycle(figures, plays):
    """Return Var(R - hold w N) / E[N], where R is the house's win between hits and N the number of plays."""
    (level,) = figures.levels
    wager, hold, reset = figures.system.wager, figures.hold, level.reset_probability
    others = [line for line in figures.analysis.lines if line.award.pay.meter is None or line.award.pay.amount != 1]
    mean = second = F(0)  # the mean over the plays that end no cycle, less the hold
    total = square = F(0)
    alive = F(1)
    for meter in islice(meter_by_age(level), plays - 1):
        last = wager - meter - hold * wager
        total += alive * reset * (mean + last)
        square += alive * reset * (second + 2 * mean * last + last**2)
        results = [(wager - paid(figures, line, meter) - hold * wager, line.probability) for line in others]
        results.append((wager - hold * wager, figures.analysis.lose_probability))
        stays = 1 - reset
        one = sum(result * probability for result, probability in results) / stays
        two = sum(result**2 * probability for result, probability in results) / stays
        second, mean = second + 2 * mean * one + two, mean + one
        alive *= stays
    assert abs(total) < F(1, 10**8)
    return (square - total**2) * reset / wager**2


FOLLOWED = ["cap", "cap with another rate beyond", "parts not deducted", "parts not deducted, with a cap"]


OFTEN_HIT = (18, 9, 3, 20)


@slow_cases(
    "cap-for five",
    "cap with another rate beyond-for five",
    "parts not deducted-for five",
    "parts not deducted, with a cap-for five",
)
@pytest.mark.parametrize(
    ("wager", "ways", "plays"),
    [(F(1), OFTEN_HIT, 150), (F(5), OFTEN_HIT, 150), slow_case(F(5), WAYS, 700)],
    ids=["for one", "for five", "seldom hit"],
)
@pytest.mark.parametrize("kind", FOLLOWED)
def test_variance_per_play_matches_the_renewal_cycle(kind, wager, ways, plays):
    scaled = {key: value * wager if key == "cap" else value for key, value in KINDS[kind].items()}
    figures = run(**scaled, seed=10 * wager, wager=wager, ways=ways)
    result = accounting_result(figures)
    assert result.basis is Basis.LONG_RUN
    assert not result.is_independent
    assert abs(result.variance - variance_of_a_cycle(figures, plays)) < F(1, 10**6)


@pytest.mark.parametrize("kind", ["plain", "house jackpot", "reserve added to the seed"])
def test_independent_plays_have_the_hold_as_mean(kind):
    figures = run(**KINDS[kind])
    result = accounting_result(figures)
    assert result.house_edge == figures.hold
    assert result.basis is (Basis.POSTED if kind == "house jackpot" else Basis.BOOKS)


def test_play_costs_pays_contribution_and_seed():
    result = accounting_result(run(pays=("100% of meter", "1 for 1", "5 for 1", "2 for 1")))
    probabilities = {F(10): F(4, 100), F(1): F(9, 100), F(5): F(3, 100), F(2): F(20, 100), F(0): F(64, 100)}
    assert dict(result.distribution.numeric_outcomes) == {
        cost + F(20, 100) - 1: probability for cost, probability in probabilities.items()
    }


def test_deducted_share_costs_the_house_nothing():
    with_part, without = run(), run(pays=("100% of meter", "loses", "5 for 1", "2 for 1"))
    assert accounting_result(with_part).distribution == accounting_result(without).distribution


def test_only_seeds_vary_if_the_meter_pays_everything():
    result = accounting_result(run(all_pays_deducted=True))
    assert result.variance == 10**2 * F(4, 100) * F(96, 100)
    assert result.house_edge == 1 - F(20, 100) - F(4, 100) * 10


def test_break_even_reserve_has_no_normal_limit():
    assert accounting_result(run(seed=F(3), reserve=F(12, 100), seed_paid_by="reserve")).variance is None


def test_remote_cap_changes_nothing():
    far = accounting_result(run(pays=("100% of meter", "1 for 1", "5 for 1", "2 for 1"), cap=F(1000)))
    plain = accounting_result(run(pays=("100% of meter", "1 for 1", "5 for 1", "2 for 1")))
    assert abs(far.variance - plain.variance) < F(1, 10**50)


def test_several_capped_levels_give_a_bound():
    figures = run(pays=TWO, cap=F(13))
    mega, minor = figures.system.levels
    far = replace(figures, system=replace(figures.system, levels=(mega, replace(minor, cap=F(2000)))))
    capped = replace(figures, system=replace(figures.system, levels=(mega, replace(minor, cap=None))))
    bound, exact = accounting_result(far), accounting_result(capped)
    assert accounting_result(figures).is_bound
    assert bound.is_bound
    assert not exact.is_bound
    assert exact.variance < bound.variance < exact.variance * F(102, 100)


@slow_cases("BLZ-2-PC-PEEK")
@pytest.mark.parametrize(
    "paytable", [paytable for paytable in iter_collection() if paytable.meters], ids=lambda one: one.id
)
def test_catalog_progressives_lead_with_the_accounting_basis(paytable):
    study = build_study(paytable, Shoe(paytable.decks[-1]))
    figures = meter_figures(analyze_wager(paytable, Shoe(paytable.decks[-1])))
    if figures is None:
        assert study.results == ()
    else:
        assert [result.basis for result in study.results] == [Basis.BOOKS, Basis.SEEDS, Basis.AVERAGES, Basis.PLAYER]
        books_, seeds, averages, player = study.results
        assert books_.house_edge == averages.house_edge == player.house_edge == study.hold == figures.hold
        assert seeds.house_edge > study.hold
        assert averages.variance < player.variance


@pytest.mark.slow  # fast: test_catalog_progressives_lead_with_the_accounting_basis
def test_published_hold_is_within_its_interval():
    study = build_study(get_paytable("BLZ-ML03-UP"), Shoe(8))
    basis, rows = study.outlooks[0]
    assert basis is Basis.BOOKS
    million = rows[3]
    assert million.plays == 1_000_000
    assert million.least_hold < F("0.2165") < million.most_hold
    assert abs((million.least_hold + million.most_hold) / 2 - study.hold) < F(1, 10**40)


# Long simulations


@lru_cache(maxsize=None)
def numpy():
    return pytest.importorskip("numpy")


AT_ONCE = 100
"""Plays drawn in one batch."""


def simulated(figures, plays, runs, seed):
    """Return the house's win per unit wagered for each run: cash less what the meters are worth.

    Meters and reserves are debts of the house; a meter starts at its seed, which is a debt from the start.
    """
    np = numpy()
    rng = np.random.default_rng(seed)
    levels, wager = figures.levels, float(figures.system.wager)
    lines, names = figures.analysis.lines, figures.analysis.paytable.meters
    bounds = np.cumsum([float(line.probability) for line in lines])
    seeds = [float(level.level.seed) for level in levels]
    grows = [
        (
            float(level.contribution),
            float(level.level.reserve) * wager,
            None if level.level.cap is None else float(level.level.cap),
            float(level.level.rate_after_cap * level.wager),
        )
        for level in levels
    ]
    pays = [
        (None, float(line.gross.constant) * wager)
        if line.award.pay.meter is None
        else (names.index(line.award.pay.meter), float(line.award.pay.amount))
        for line in lines
    ]
    # The cost of awards that do not pay from a meter is looked up for many plays at once.
    moving = [
        moving_pay for moving_pay in enumerate(pays) if moving_pay[1][0] is not None or figures.system.all_pays_deducted
    ]
    fixed = np.array(
        [0 if (index, moving_pay) in moving else moving_pay[1] for index, moving_pay in enumerate(pays)] + [0]
    )
    meters = [np.full(runs, seed) for seed in seeds]
    reserves = [np.zeros(runs) for _ in levels]
    spent = np.zeros(runs)
    outcomes = np.zeros((0, runs), dtype=int)
    for play in range(plays):
        if not play % AT_ONCE:
            outcomes = bounds.searchsorted(rng.random((min(AT_ONCE, plays - play), runs)), side="right")
            spent += fixed[outcomes].sum(axis=0)
            hits = [(outcomes == index).any(axis=1).tolist() for index, _ in moving]
        outcome, is_hit = outcomes[play % AT_ONCE], [moving_pay[play % AT_ONCE] for moving_pay in hits]
        for at, (contribution, reserve, cap, after) in enumerate(grows):
            grown = meters[at] + contribution
            if cap is not None:
                grown = np.where(meters[at] >= cap - 1e-9, meters[at] + after, np.minimum(grown, cap))
            meters[at] = grown
            if reserve:
                reserves[at] += reserve
        for index, (at, amount) in compress(moving, is_hit):
            (hit,) = (outcome == index).nonzero()
            if at is None:
                meters[0][hit] -= amount
                spent[hit] += amount
                continue
            level = levels[at].level
            spent[hit] += amount * meters[at][hit]
            if amount == 1:
                meters[at][hit] = seeds[at]
                if level.seed_paid_by == "reserve":
                    reserves[at][hit] = np.maximum(reserves[at][hit] - seeds[at], 0)
                else:
                    meters[at][hit] += reserves[at][hit]
                    reserves[at][hit] = 0
            elif level.deducted:
                meters[at][hit] *= 1 - amount
    owed = sum(meters) + sum(reserves) - sum(seeds)
    return 1 - (spent + owed) / (plays * wager)


def agrees_with_simulation(figures, plays, runs, seed):
    """Return whether mean, variance and coverage match ours within four sampling errors."""
    np = numpy()
    result = accounting_result(figures)
    simulation = simulated(figures, plays, runs, seed)
    deviation = float(result.variance / plays) ** 0.5
    assert abs(simulation.mean() - float(result.house_edge)) < 4 * deviation / runs**0.5 + 4 / plays
    # The kurtosis of a mean of many plays is near 3, so the variance is known to about sqrt(2 / runs).
    assert simulation.var() == pytest.approx(float(result.variance / plays), rel=4 * (2 / runs) ** 0.5 + 8 / plays**0.5)
    row = compute_outlook(result, plays)
    lowest, highest = float(row.least_hold) - 1e-12, float(row.most_hold) + 1e-12
    mean = np.mean((simulation >= lowest) & (simulation <= highest))
    assert abs(mean - 0.9) < 4 * (0.09 / runs) ** 0.5 + 0.02


@slow_cases(
    "house jackpot",
    "parts not deducted",
    "cap with another rate beyond",
    "parts not deducted, with a cap",
    "seed paid by a reserve that suffices",
    "reserve added to the seed",
    "cap",
    "all pays deducted",
)
@pytest.mark.parametrize("kind", KINDS)
def test_hold_intervals_match_a_simulation(kind):
    agrees_with_simulation(run(**KINDS[kind]), 2_000, 1_000, 15)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, "two levels", "two levels with caps"])
def test_hold_intervals_match_a_long_simulation(kind):
    two = {"two levels": {"pays": TWO}, "two levels with caps": {"pays": TWO, "cap": F(13)}}
    agrees_with_simulation(run(**{**KINDS, **two}[kind]), 5_000, 2_000, 1915)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["BLZ-ML03-UP", "BLZ-1-UP", "21+3-PT1"])
def test_catalog_hold_intervals_match_long_simulations(id):
    figures = meter_figures(analyze_wager(get_paytable(id), Shoe(6)))
    result, plays, runs = accounting_result(figures), 40_000, 500
    simulation = simulated(figures, plays, runs, 633)
    np = numpy()
    row = compute_outlook(result, plays)
    mean = np.mean((simulation > float(row.least_hold) - 1e-9) & (simulation < float(row.most_hold) + 1e-9))
    assert abs(mean - 0.9) < 4 * (0.09 / runs) ** 0.5 + 0.005
    assert abs(simulation.mean() - float(result.house_edge)) < 4 * (float(result.variance) / plays / runs) ** 0.5
