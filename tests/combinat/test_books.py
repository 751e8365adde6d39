"""The house's result with meters: against the renewal cycle, followed play by play, and against long simulations."""

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
    """A bet with made-up chances whose meter is run in some way."""
    wager = F(wager)
    awards = tuple(Award(f"award {place}", RULE, parse_pay(pay)) for place, pay in enumerate(pays))
    paytable = Paytable("MADE-UP", Bet("Made up", DEAL), "Made up", (6,), awards)
    analysis = Analysis(paytable, Shoe(6), AwardCounts(CYCLE, ways, ways, CYCLE - sum(ways)), {}, wager)
    levels = tuple(MeterLevel(name, **({"seed": F(10), "rate": F(20, 100)} | level)) for name in paytable.meters)
    system = MeterSystem(levels, wager, kind, all_pays_deducted)
    system.check()
    return MeterFigures(analysis, system)


def paid(figures, line, meter):
    """What an award pays, in money, when the meter shows an amount."""
    pay = line.award.pay
    return line.gross.constant * figures.system.wager if pay.meter is None else pay.amount * meter


def meter_by_age(level):
    """What a meter that nothing is deducted from shows one play after it was set back, two plays after, and so on."""
    amount = level.level.seed
    while True:
        if level.level.cap is not None and amount >= level.level.cap:
            amount += level.level.rate_after_cap * level.wager
        else:
            amount += level.contribution
            amount = amount if level.level.cap is None else min(amount, level.level.cap)
        yield amount


def variance_of_a_cycle(figures, plays):
    """Var(R - hold w N) / E[N]: R is what the house wins from one hit to the next, N the plays of it, one by one."""
    (level,) = figures.levels
    wager, hold, reset = figures.system.wager, figures.hold, level.reset
    others = [line for line in figures.analysis.lines if line.award.pay.meter is None or line.award.pay.amount != 1]
    mean = second = F(0)  # of the sum over the plays that end no cycle, less the hold
    total = square = F(0)
    alive = F(1)
    for meter in islice(meter_by_age(level), plays - 1):
        last = wager - meter - hold * wager
        total += alive * reset * (mean + last)
        square += alive * reset * (second + 2 * mean * last + last**2)
        results = [(wager - paid(figures, line, meter) - hold * wager, line.probability) for line in others]
        results.append((wager - hold * wager, figures.analysis.lose_probability))
        stays = 1 - reset
        one = sum(result * chance for result, chance in results) / stays
        two = sum(result**2 * chance for result, chance in results) / stays
        second, mean = second + 2 * mean * one + two, mean + one
        alive *= stays
    assert abs(total) < F(1, 10**8)
    return (square - total**2) * reset / wager**2


FOLLOWED = ["cap", "cap with another rate beyond", "parts not deducted", "parts not deducted, with a cap"]


OFTEN_HIT = (18, 9, 3, 20)


@pytest.mark.parametrize(
    ("wager", "ways", "plays"),
    [(F(1), OFTEN_HIT, 150), (F(5), OFTEN_HIT, 150), pytest.param(F(5), WAYS, 700, marks=pytest.mark.slow)],
    ids=["for one", "for five", "seldom hit"],
)
@pytest.mark.parametrize("kind", FOLLOWED)
def test_the_variance_of_many_plays_is_that_of_a_renewal_cycle(kind, wager, ways, plays):
    scaled = {key: value * wager if key == "cap" else value for key, value in KINDS[kind].items()}
    figures = run(**scaled, seed=10 * wager, wager=wager, ways=ways)
    result = accounting_result(figures)
    assert result.basis is Basis.LONG_RUN
    assert not result.is_independent
    assert abs(result.variance - variance_of_a_cycle(figures, plays)) < F(1, 10**6)


@pytest.mark.parametrize("kind", ["plain", "house jackpot", "reserve added to the seed"])
def test_where_plays_are_alike_the_distribution_has_the_hold_for_its_mean(kind):
    figures = run(**KINDS[kind])
    result = accounting_result(figures)
    assert result.house_edge == figures.hold
    assert result.basis is (Basis.POSTED if kind == "house jackpot" else Basis.BOOKS)


def test_without_parts_a_play_costs_the_pays_the_contribution_and_at_a_hit_the_seed():
    result = accounting_result(run(pays=("100% of meter", "1 for 1", "5 for 1", "2 for 1")))
    chances = {F(10): F(4, 100), F(1): F(9, 100), F(5): F(3, 100), F(2): F(20, 100), F(0): F(64, 100)}
    assert dict(result.distribution.known) == {cost + F(20, 100) - 1: chance for cost, chance in chances.items()}


def test_a_deducted_part_costs_the_house_nothing():
    with_part, without = run(), run(pays=("100% of meter", "loses", "5 for 1", "2 for 1"))
    assert accounting_result(with_part).distribution == accounting_result(without).distribution


def test_where_all_pays_come_out_of_the_meter_only_seeds_vary():
    result = accounting_result(run(all_pays_deducted=True))
    assert result.variance == 10**2 * F(4, 100) * F(96, 100)
    assert result.house_edge == 1 - F(20, 100) - F(4, 100) * 10


def test_a_reserve_that_just_pays_the_seeds_has_no_normal_limit():
    assert accounting_result(run(seed=F(3), reserve=F(12, 100), seed_paid_by="reserve")).variance is None


def test_a_cap_that_is_never_reached_in_effect_changes_nothing():
    far = accounting_result(run(pays=("100% of meter", "1 for 1", "5 for 1", "2 for 1"), cap=F(1000)))
    plain = accounting_result(run(pays=("100% of meter", "1 for 1", "5 for 1", "2 for 1")))
    assert abs(far.variance - plain.variance) < F(1, 10**50)


def test_several_levels_with_caps_give_a_bound():
    figures = run(pays=TWO, cap=F(13))
    mega, minor = figures.system.levels
    far = replace(figures, system=replace(figures.system, levels=(mega, replace(minor, cap=F(2000)))))
    one = replace(figures, system=replace(figures.system, levels=(mega, replace(minor, cap=None))))
    bound, exact = accounting_result(far), accounting_result(one)
    assert accounting_result(figures).is_bound
    assert bound.is_bound
    assert not exact.is_bound
    assert exact.variance < bound.variance < exact.variance * F(102, 100)


@pytest.mark.parametrize("paytable", [one for one in iter_collection() if one.meters], ids=lambda one: one.id)
def test_of_every_progressive_of_the_catalog_the_books_come_first(paytable):
    found = build_study(paytable, Shoe(paytable.decks[-1]))
    figures = meter_figures(analyze_wager(paytable, Shoe(paytable.decks[-1])))
    if figures is None:
        assert found.results == ()
    else:
        assert [one.basis for one in found.results] == [Basis.BOOKS, Basis.SEEDS, Basis.AVERAGES, Basis.PLAYER]
        books_, seeds, averages, player = found.results
        assert books_.house_edge == averages.house_edge == player.house_edge == found.hold == figures.hold
        assert seeds.house_edge > found.hold
        assert averages.variance < player.variance


def test_the_headline_of_the_source_stands_in_the_middle_of_its_hold_table():
    found = build_study(get_paytable("BLZ-ML03-UP"), Shoe(8))
    basis, rows = found.outlooks[0]
    assert basis is Basis.BOOKS
    million = rows[3]
    assert million.plays == 1_000_000
    assert million.least_hold < F("0.2165") < million.most_hold
    assert abs((million.least_hold + million.most_hold) / 2 - found.hold) < F(1, 10**40)


# Long simulations


@lru_cache(maxsize=None)
def numpy():
    return pytest.importorskip("numpy")


AT_ONCE = 100
"""So many plays are drawn together."""


def simulated(figures, plays, runs, seed):
    """What the house has won of each unit wagered in so many plays, run by run: cash, less what meters are worth.

    A meter and a reserve are what the house owes; a meter begins at its seed, which it then owes already.
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
    # What awards that no meter goes by cost is looked up for many plays at once.
    moving = [one for one in enumerate(pays) if one[1][0] is not None or figures.system.all_pays_deducted]
    fixed = np.array([0 if (place, one) in moving else one[1] for place, one in enumerate(pays)] + [0])
    meters = [np.full(runs, seed) for seed in seeds]
    reserves = [np.zeros(runs) for _ in levels]
    spent = np.zeros(runs)
    outcomes = np.zeros((0, runs), dtype=int)
    for play in range(plays):
        if not play % AT_ONCE:
            outcomes = bounds.searchsorted(rng.random((min(AT_ONCE, plays - play), runs)), side="right")
            spent += fixed[outcomes].sum(axis=0)
            hits = [(outcomes == place).any(axis=1).tolist() for place, _ in moving]
        outcome, is_hit = outcomes[play % AT_ONCE], [one[play % AT_ONCE] for one in hits]
        for at, (contribution, reserve, cap, after) in enumerate(grows):
            grown = meters[at] + contribution
            if cap is not None:
                grown = np.where(meters[at] >= cap - 1e-9, meters[at] + after, np.minimum(grown, cap))
            meters[at] = grown
            if reserve:
                reserves[at] += reserve
        for place, (at, amount) in compress(moving, is_hit):
            (hit,) = (outcome == place).nonzero()
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
    """Whether mean, variance and the share of runs within the interval are ours, to four times the sampling error."""
    np = numpy()
    result = accounting_result(figures)
    found = simulated(figures, plays, runs, seed)
    deviation = float(result.variance / plays) ** 0.5
    assert abs(found.mean() - float(result.house_edge)) < 4 * deviation / runs**0.5 + 4 / plays
    # The kurtosis of a mean of many plays is near three, so a variance is known to about the root of 2 over the runs.
    assert found.var() == pytest.approx(float(result.variance / plays), rel=4 * (2 / runs) ** 0.5 + 8 / plays**0.5)
    row = compute_outlook(result, plays)
    least, most = float(row.least_hold) - 1e-12, float(row.most_hold) + 1e-12
    inside = np.mean((found >= least) & (found <= most))
    assert abs(inside - 0.9) < 4 * (0.09 / runs) ** 0.5 + 0.02


@pytest.mark.parametrize("kind", KINDS)
def test_the_hold_interval_of_each_kind_of_meter_agrees_with_a_simulation(kind):
    agrees_with_simulation(run(**KINDS[kind]), 2_000, 1_000, 15)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*KINDS, "two levels", "two levels with caps"])
def test_the_hold_interval_of_each_kind_of_meter_agrees_with_a_long_simulation(kind):
    two = {"two levels": {"pays": TWO}, "two levels with caps": {"pays": TWO, "cap": F(13)}}
    agrees_with_simulation(run(**{**KINDS, **two}[kind]), 5_000, 2_000, 1915)


@pytest.mark.slow
@pytest.mark.parametrize("id", ["BLZ-ML03-UP", "BLZ-1-UP", "21+3-PT1"])
def test_the_hold_intervals_of_the_catalog_agree_with_long_simulations(id):
    figures = meter_figures(analyze_wager(get_paytable(id), Shoe(6)))
    result, plays, runs = accounting_result(figures), 40_000, 500
    found = simulated(figures, plays, runs, 633)
    np = numpy()
    row = compute_outlook(result, plays)
    inside = np.mean((found > float(row.least_hold) - 1e-9) & (found < float(row.most_hold) + 1e-9))
    assert abs(inside - 0.9) < 4 * (0.09 / runs) ** 0.5 + 0.005
    assert abs(found.mean() - float(result.house_edge)) < 4 * (float(result.variance) / plays / runs) ** 0.5
