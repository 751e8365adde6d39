"""The gain of a counter beside the count command, and its limit beside every combination of small grids."""

import random
from fractions import Fraction
from functools import cache
from itertools import product
from math import gcd, lcm

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.overrides import override_pays
from combinat.counting.conventions import BLACKJACK
from combinat.counting.counts import compute_count
from combinat.counting.removal import removals
from combinat.counting.tags import Tags
from combinat.exact.interval import Interval
from combinat.finder import finder
from combinat.finder.count_gain import CountGain
from combinat.finder.finder import build_current, find_paytables
from combinat.finder.spec import EDGE, GAIN, build_spec
from combinat.study import Study
from decks import InputError, Shoe
from tests.slow_cases import slow_case


def reference_gain(paytable, decks):
    """Compute the gain by the exact distribution of a running count with integer tags."""
    shoe = Shoe(decks, paytable.bet.pack)
    study = Study(analyze_wager(paytable, shoe))
    (removal,) = removals(study, lambda other: Study(analyze_wager(paytable, other)))
    changes = [effect.house_edge.constant for effect in removal.effects]
    unit = lcm(*(change.denominator for change in changes))
    tags = [int((max(changes) - change) * unit) for change in changes]
    divisor = gcd(*tags) or 1
    tag_by_card = {
        card: tag // divisor for effect, tag in zip(removal.effects, tags, strict=True) for card in effect.cards
    }
    depths = [shoe.size * eighths // 8 for eighths in range(1, 7)]
    count = compute_count(paytable, shoe, Tags(tag_by_card), BLACKJACK, depths=depths)
    return 100 * count.max_win_by_count()


@pytest.mark.parametrize(
    ("name", "award", "decks"),
    [("TRI-01", "Flush", 1), ("TRI-04", "Flush", 2), slow_case("TRI-03", "Flush", 1), ("PAIR-PLUS-1", "Pair", 1)],
)
def test_gain_equals_that_of_a_running_count(name, award, decks):
    spec = build_spec({"bet": name, "pays": f"{award}=1..9", "edge": "..99%", "decks": decks})
    current = build_current(spec)
    assert CountGain(current, 0).gain(current) == reference_gain(current.paytable, decks)


@pytest.mark.parametrize("limit", ["0", "0.02", "0.3", "9"])
def test_limit_equals_every_combination(limit):
    pays = {"Straight": ["8", "10", "12"], "Flush": ["3", "5", "8"]}
    request = {"bet": "TRI-04", "decks": 1, "edge": "0%..30%", "falling": False, "best": "all"}
    spec = build_spec(
        request | {"pays": {name: "|".join(values) for name, values in pays.items()}, "max_count_gain": limit}
    )
    result = find_paytables(spec, limit=None)
    expected = {}
    for straight, flush in product(*pays.values()):
        paytable = override_pays(get_paytable("TRI-04"), {"Straight": straight, "Flush": flush})
        if 0 <= analyze_wager(paytable, Shoe(1)).house_edge.constant <= Fraction(3, 10):
            expected[straight, flush] = reference_gain(paytable, 1)
    found = {(one.pays[2].split()[0], one.pays[3].split()[0]): one.count_gains for one in result.best}
    assert found == {pays: (gain,) for pays, gain in expected.items() if gain <= Fraction(limit)}
    assert (result.evaluated, result.is_complete) == (len(expected), True)
    if not found:
        (miss,) = result.nearest
        assert miss.relaxed[0].kind == GAIN
        assert miss.relaxed[0].value == min(expected.values())


@pytest.mark.slow
def test_limit_equals_every_combination_of_200_random_grids():
    """Solutions, their gains and the nearest miss, beside the exact edge and gain of every combination."""
    generator = random.Random(35)
    infeasible = 0
    for _ in range(200):
        bet, names = generator.choice([("TRI-04", ["Straight", "Flush"]), ("PAIR-PLUS-1", ["Flush", "Pair"])])
        pays = {
            name: sorted(generator.sample(["2", "4", "5", "10"], generator.randint(1, 3)), key=int) for name in names
        }
        lowest = generator.choice([-20, 0, 3, 5])
        highest = lowest + generator.choice([1, 10, 40])
        limit = generator.choice(["0", "0.01", "0.05", "0.2", "1", "5"])
        spec = build_spec(
            {"bet": bet, "decks": 1, "edge": f"{lowest}%..{highest}%", "falling": False, "best": "all"}
            | {"pays": {name: "|".join(values) for name, values in pays.items()}, "max_count_gain": limit}
        )
        result = find_paytables(spec, limit=None)
        figures = {
            values: edge_and_gain(bet, tuple(zip(names, values, strict=True))) for values in product(*pays.values())
        }
        gains = {
            values: gain
            for values, (edge, gain) in figures.items()
            if Fraction(lowest, 100) <= edge <= Fraction(highest, 100)
        }
        expected = {values: (gain,) for values, gain in gains.items() if gain <= Fraction(limit)}
        columns = [[award.name for award in get_paytable(bet).awards].index(name) for name in names]
        found = {
            tuple(candidate.pays[column].split()[0] for column in columns): candidate.count_gains
            for candidate in result.best
        }
        assert found == expected
        if expected:
            continue
        infeasible += 1
        meeting = {values for values, figures_of in figures.items() if meets_all(figures_of, result.conflict)}
        assert result.conflict
        assert not meeting
        for miss in result.nearest:
            values = tuple(miss.candidate.pays[column].split()[0] for column in columns)
            edge, gain = figures[values]
            needed = {relaxed.kind: relaxed.value for relaxed in miss.relaxed}
            assert miss.candidate.count_gains == (gain,)
            assert needed.get(GAIN, gain) == gain
            assert (GAIN in needed) == (gain > Fraction(limit))
            assert needed.get(EDGE, edge) == edge
            if gains:
                assert needed == {GAIN: min(gains.values())}
    assert infeasible


def meets_all(edge_and_gain, required):
    """Return whether an edge and a gain meet constraints of these two kinds."""
    figure_by_kind = dict(zip((EDGE, GAIN), edge_and_gain, strict=True))
    return all(Interval(one.low, one.high).has(figure_by_kind[one.kind]) for one in required)


@cache
def edge_and_gain(bet, pays):
    """Return the exact house edge and the gain of a counter with one deck and other pays."""
    paytable = override_pays(get_paytable(bet), dict(pays))
    return analyze_wager(paytable, Shoe(1)).house_edge.constant, reference_gain(paytable, 1)


def test_beyond_the_stated_number_the_answer_is_not_complete(monkeypatch):
    monkeypatch.setattr(finder, "MAX_GAINS", 3)
    spec = build_spec({"bet": "TRI-04", "decks": 1, "pays": "Flush=1..9", "edge": "0%..50%", "max_count_gain": "9"})
    result = find_paytables(spec)
    assert (result.count, result.evaluated, result.is_complete, result.is_interrupted) == (3, 3, False, False)
    assert "not complete" in result.incomplete


@pytest.mark.parametrize("name", ["BUSTER-30", "PKR-ACES-UP-1", "BAC-TIE"])
def test_gain_is_refused_for_other_deals(name):
    paytable = get_paytable(name)
    award = paytable.awards[0].name
    spec = build_spec({"bet": name, "pays": {award: "1..3"}, "edge": "..99%", "max_count_gain": "1", "falling": False})
    with pytest.raises(InputError, match="up to 3 cards"):
        find_paytables(spec)
