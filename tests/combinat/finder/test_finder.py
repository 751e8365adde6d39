"""The finder, compared with a brute-force search that analyzes every ladder of pays as a bet."""

from fractions import Fraction
from itertools import product
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable as catalog
from combinat.bets.load import parse_bet
from combinat.enumeration.experiment import parse_deal
from combinat.exact.interval import Interval, parse_interval
from combinat.exact.numbers import format_decimal
from combinat.finder import finder, search
from combinat.finder import model as kept
from combinat.finder.finder import find_paytables
from combinat.finder.model import build_model, iter_ladders
from combinat.finder.ranking import roundness
from combinat.finder.spec import (
    CLOSEST,
    HIGHEST,
    LOWEST,
    ROUNDEST,
    Spec,
    ValueChoice,
    constraints,
    open_pays,
    parse_choice,
)
from combinat.meters.hold import compute_hold
from decks import InputError, Shoe
from tests.profiles import tries
from tests.slow_cases import slow_case
from tests.small_bets import build_paytable
from tests.strategies import rules

F = Fraction
NOTHING = Interval()
ANY = {"falling": False, "target": F(0)}
"""Return arguments of a spec without limits: pays in any order, edges closest to zero first."""


def percent(text):
    return parse_interval(text, "edge", percent=True)


def tried(spec):
    """Try every combination of pays, also with omitted awards; return those that meet the demands."""
    stated = spec.stated
    unit = "for 1" if stated[0].pay.is_for_one else "to 1"
    each = [
        [award.pay.amount] if choice is None else [*choice.values, *([None] if choice.may_be_out else [])]
        for award, choice in zip(stated, spec.pays, strict=True)
    ]
    found = {}
    for pays in product(*each):
        left = [(award.rule.text, pay) for award, pay in zip(stated, pays, strict=True) if pay is not None]
        if left:
            amounts = [pay for _, pay in left]
            ladder, adds_up = [rule for rule, _ in left], bool(spec.paytable.stated_awards)
            try:
                made = build_paytable("player:2", ladder, pays=map(format_decimal, amounts), unit=unit, adds_up=adds_up)
            except InputError as error:
                assert "no hand matches any of the awards" in str(error)
                continue
            analyses = [analyze_wager(made, Shoe(decks)) for decks in spec.decks]
            can_be_won = any(one.lose_probability < 1 for one in analyses)  # otherwise it is no bet
            if can_be_won and is_ordered(spec, pays) and does(spec, analyses, amounts):
                found[pays] = analyses
    return found


def is_ordered(spec, pays):
    """Return whether the pays of the included awards are in the required order, by default that of the paytable."""
    original = [award.pay.amount for award in spec.stated]
    kept_pays = [(pay, before) for pay, before in zip(pays, original, strict=True) if pay is not None]
    pairs = [(upper, lower) for number, upper in enumerate(kept_pays) for lower in kept_pays[number + 1 :]]
    if spec.falling is None:
        return all(upper[0] >= lower[0] for upper, lower in pairs if upper[1] >= lower[1])
    return not spec.falling or all(upper[0] > lower[0] for upper, lower in pairs)


def does(spec, analyses, amounts):
    """Return whether a bet meets the demands, apart from the order of its pays."""
    if not spec.top_pay.has(max(amounts)):
        return False
    for one, limits in zip(analyses, spec.edges, strict=True):
        back, variance = one.return_.constant, one.variance.constant
        low, high = spec.standard_deviation.low, spec.standard_deviation.high
        if not (limits.has(one.house_edge.constant) and spec.hit_frequency.has(one.hit_frequency)):
            return False
        if (low is not None and variance < low**2) or (high is not None and variance > high**2):
            return False
        if spec.top_share != NOTHING and not (back > 0 and spec.top_share.has(one.top.return_.constant / back)):
            return False
    return True


def limits_from(values):
    """Draw an interval whose ends are two of the values or open."""
    ends = st.tuples(st.sampled_from(values), st.sampled_from(values))
    return ends.map(lambda two: Interval(*sorted(two))) | st.just(NOTHING)


@st.composite
def specs(draw, unit="to 1", adds_up=False):
    """Draw a small spec: two or three awards with random rules and open pays of every form."""
    ladder = draw(st.lists(rules(parse_deal("player:2"), 1), min_size=2, max_size=3, unique=True))
    try:
        original = draw(st.lists(st.integers(1, 4), min_size=len(ladder), max_size=len(ladder)))
        paytable = build_paytable("player:2", ladder, pays=original, unit=unit, adds_up=adds_up)
    except InputError:
        reject()  # awards that match nothing have no sums
    values = st.sets(st.integers(1, 12).map(F), min_size=1, max_size=4).map(lambda some: tuple(sorted(some)))
    choice = st.one_of(
        st.builds(ValueChoice, values, st.booleans()), st.just(parse_choice("0.5..2 step 0.5", "pay")), st.none()
    )
    pays = tuple(draw(choice) for _ in paytable.settlement.stated_awards)
    edges = tuple(draw(limits_from([F(n, 20) for n in range(-60, 21, 4)])) for _ in range(2))
    return Spec(
        paytable,
        (1, 2),
        pays if any(pays) else (parse_choice("1..5", "pay"), *pays[1:]),
        edges,
        hit_frequency=draw(limits_from([F(n, 10) for n in range(11)])),
        standard_deviation=draw(limits_from([F(0), F(1), F(2), F(3), F(8)])),
        top_share=draw(limits_from([F(0), F(1, 4), F(1, 2), F(3, 4), F(1)])),
        top_pay=Interval(draw(st.none() | st.integers(1, 12).map(F))),
        falling=draw(st.none() | st.booleans()),
        order=draw(st.sampled_from([CLOSEST, ROUNDEST, LOWEST, HIGHEST])),
        target=draw((st.none() if any(one != NOTHING for one in edges) else st.nothing()) | st.just(F(1, 20))),
    )


def amounts(candidate):
    """Return the pay of each award as a number, `None` if it is omitted."""
    return tuple(None if award is None else award.pay.amount for award in candidate.stated)


def agrees(spec):
    """Hold what is found against what every ladder does."""
    found, expected = find_paytables(spec, limit=None), tried(spec)
    edges = {pays: tuple(one.house_edge.constant for one in analyses) for pays, analyses in expected.items()}
    assert {amounts(one): one.edges for one in found.best} == edges
    assert found.count == len(found.best) == len(edges)
    return found, expected


def test_ladder_without_wins_is_not_found():
    paytable = build_paytable("player:2", ["total == 0", "suited"], pays=[3, 3])
    pays = ValueChoice((F(1),), False), ValueChoice((F(1),), True)
    found, _ = agrees(Spec(paytable, (1, 2), pays, (NOTHING, NOTHING), **ANY))
    assert [amounts(one) for one in found.best] == [(1, 1)]


@tries(25, 3)
@given(specs())
def test_search_matches_brute_force(spec):
    agrees(spec)


@tries(20, 3)
@given(st.sampled_from([("for 1", False), ("to 1", True), ("for 1", True)]).flatmap(lambda kind: specs(*kind)))
def test_search_covers_for_1_pays_and_sums(spec):
    found, _ = agrees(spec)
    for one in found.best[:2]:
        assert [each.house_edge.constant for each in one.analyses] == list(one.edges)


@tries(20, 3)
@given(specs(), st.integers(1, 4))
def test_best_are_the_first_of_the_ranking(spec, most):
    expected = tried(spec)

    def rank(pays):
        distance = max(abs(one.house_edge.constant - spec.target_edge) for one in expected[pays])
        variance = expected[pays][0].variance.constant
        rounding = sum(roundness(pay) for pay in pays if pay is not None)
        return {ROUNDEST: rounding, LOWEST: variance, HIGHEST: -variance}.get(spec.order, distance), distance

    best = find_paytables(spec, limit=most).best
    assert [rank(amounts(one)) for one in best] == sorted(map(rank, expected))[:most]


@pytest.mark.parametrize(("highest", "least", "most"), [(20, 200, 210), slow_case(50, 40, 45)])
def test_catalog_bet_matches_every_grid_point(highest, least, most):
    """The limits are in thousandths; pays from 1 to 50 and edges of 4.0 to 4.5 percent give 6,250,000 points."""
    paytable, limits = catalog("TRI-04"), Interval(F(least, 1000), F(most, 1000))
    pays = open_pays(paytable, {"*": parse_choice(f"1..{highest}", "pays")})
    spec = Spec(paytable, (6, 8), pays, (limits, limits), falling=False)
    found = find_paytables(spec, limit=None)
    pays = np.indices((highest,) * 4).reshape(4, -1).T + 1
    fits = np.ones(len(pays), dtype=bool)
    for decks in (6, 8):
        ways = paytable.ways(Shoe(decks))
        kept = 1000 * (ways.cycle - (pays + 1) @ np.array(ways.wins))
        fits &= (kept >= least * ways.cycle) & (kept <= most * ways.cycle)
    assert found.size == highest**4
    assert found.count == fits.sum() > 0
    assert sorted(amounts(one) for one in found.best) == [tuple(map(F, row)) for row in pays[fits].tolist()]


def test_search_beyond_64_bits_is_exact():
    paytable = catalog("BB-1")
    at = parse_choice("1..3", "pay")
    said = {"Bust, 2 up": at, "Suited bust, 2 up": parse_choice("5..45 step 10", "pay"), "Bust, ace up": at}
    edge = analyze_wager(paytable, Shoe(6)).house_edge.constant
    spec = Spec(paytable, (2, 6), open_pays(paytable, said), (NOTHING, Interval(edge, edge + F(1, 100))), falling=False)
    (ladder,) = iter_ladders(spec)
    made = build_model(spec, ladder)
    assert max(made.edges[1].factors) > 2**63
    found = find_paytables(spec, limit=None)
    every = product(*(one.values for one in made.unknowns))
    assert sorted(one.values for one in found.best) == sorted(
        values for values in every if edge <= made.edges[1].at(values) <= edge + F(1, 100)
    )
    assert edge in {one.edges[1] for one in found.best}  # the original paytable, exactly on the limit
    assert found.best[0].analyses[1].house_edge.constant == found.best[0].edges[1]


def test_omitted_award_passes_its_hands_down():
    paytable = catalog("TRI-04")
    spec = Spec(paytable, (6,), open_pays(paytable, {"Straight flush": ValueChoice((), True)}), (NOTHING,), **ANY)
    (one,) = find_paytables(spec).best
    assert [line.ways for line in one.analyses[0].lines] == [26_312, 155_520 + 10_368, 292_896]
    assert one.pays == (None, "20 to 1", "10 to 1", "5 to 1")


def test_batch_filter_matches_single_analyses(monkeypatch):
    paytable = build_paytable("player:2, up:1", ["suited and pair", "player.pair", "suited", "up.has(7)", "straight"])
    pays = open_pays(paytable, {"*": parse_choice("2|out", "pay", may_be_out=True)})
    spec = Spec(paytable, (1, 6), pays, (NOTHING, NOTHING), **ANY)
    sorted_out = list(iter_ladders(spec))
    monkeypatch.setattr(kept, "MAX_DIRECT_LADDERS", 1000)
    one_by_one = list(iter_ladders(spec))
    assert len(sorted_out) == 31

    def chances(one):
        return [
            {taken: F(many, cycle) for taken, many in ways.items()}
            for ways, cycle in zip(one.ways, one.cycles, strict=True)
        ]

    assert [(one.is_included, chances(one)) for one in sorted_out] == [
        (one.is_included, chances(one)) for one in one_by_one
    ]


def test_too_many_solutions_are_counted_not_listed(monkeypatch):
    monkeypatch.setattr(finder, "MAX_LISTED", 100)
    paytable = catalog("TRI-04")
    spec = Spec(paytable, (6,), open_pays(paytable, {"*": parse_choice("1..4", "pays")}), (NOTHING,), **ANY)
    with pytest.raises(InputError, match="more than 100 paytables"):
        find_paytables(spec, limit=None)
    assert find_paytables(spec, limit=1).count == 4**4


@pytest.mark.parametrize(
    ("edges", "more", "needed"),
    [
        ((percent("10%.."), percent("..4%")), {}, ["at least 10% with 6 decks", "at most 4% with 8 decks"]),
        ((percent("4%..5%"), NOTHING), {"hit_frequency": percent("20%..")}, ["hit frequency is at least 20% with 6"]),
        (
            (percent("4%.."), NOTHING),
            {"top_share": percent("..3%"), "falling": True},
            ["edge is at least 4%", "share of the return is at most 3%", "less than the one above"],
        ),
        (
            (percent("80%.."), NOTHING),
            {"top_pay": Interval(F(90))},
            ["at least 80% with 6", "top award is at least 90"],
        ),
    ],
)
def test_conflicting_demands_are_minimal(edges, more, needed):
    paytable = catalog("TRI-04")
    pays = open_pays(paytable, {"*": parse_choice("1..100 step 9", "pays")})
    spec = Spec(paytable, (6, 8), pays, edges, **more)
    found = find_paytables(spec)
    assert (found.count, found.best) == (0, ())
    said = [str(one) for one in found.conflict]
    models = [build_model(spec, ladder) for ladder in iter_ladders(spec)]
    assert not finder.is_feasible(models, found.conflict)
    for one in found.conflict:
        assert finder.is_feasible(models, [other for other in found.conflict if other != one])
    assert len(said) == len(needed)
    assert all(part in text for part, text in zip(needed, said, strict=True))


def test_seeds_and_rates_use_the_long_run_hold():
    paytable = catalog("BLZ-1-UP")
    seeds, rates = parse_choice("500..3000 step 500", "seed"), parse_choice("20%..26%", "rate", percent=True)
    pays = open_pays(paytable, {"Three 7s": parse_choice("100..200 step 50", "pay")})
    meters = {"seeds": (("meter", seeds),), "rates": (("meter", rates),)}
    spec = Spec(paytable, (6,), pays, (percent("24%..25%"),), **meters, top_pay=Interval(F(1000)))
    found = find_paytables(spec, limit=None)
    assert 0 < found.count < found.size == 6 * 7 * 3
    for one in found.best:
        assert compute_hold(one.analyses[0]) == one.edges[0]
    values = [(one.pays[2], *(value for _, _, value in one.meter_values)) for one in found.best]
    assert ("200 for 1", F(2000), F(24, 100)) in values  # the original paytable
    assert min(seed for _, seed, _ in values) == 1000
    everything = find_paytables(Spec(paytable, (6,), pays, (NOTHING,), **meters, target=F(0)), limit=None)
    within = [one for one in everything.best if percent("24%..25%").has(one.edges[0])]
    assert found.count == sum(one.meter_values[0][2] >= 1000 for one in within)


WHEEL = """
bet = "Wheel"
deal = "player:2"
wheels = { Bonus = { "1" = 30, "2" = 15, "5" = 4, "50" = 1 } }
[[paytable]]
id = "WHEEL"
decks = 6
awards = [
  { name = "Suited pair", when = "identical", pays = "5 to 1", wheel = "Bonus" },
  { name = "Pair", when = "pair", pays = "3 to 1" },
  { name = "Suited", when = "suited", pays = "push" },
]
"""


@pytest.mark.parametrize(
    ("paytable", "said", "amounts"),
    [
        (parse_bet(WHEEL, "wheel.toml")[0][0], {"Pair": "1..12", "Suited": "0..3 step 0.5"}, ()),
        (catalog("BLZ-1-UP"), {"First two cards 7": "10..40 step 3", "Three 7s": "0..9"}, (("meter", F(2000)),)),
    ],
    ids=["wheel", "meter"],
)
def test_fixed_awards_count_in_every_figure(paytable, said, amounts):
    """With a wheel and a meter of known amount, each limit keeps exactly the ladders whose figures meet it."""
    pays = open_pays(paytable, {name: parse_choice(text, "pay") for name, text in said.items()})
    every = find_paytables(Spec(paytable, (6,), pays, (NOTHING,), amounts=amounts, **ANY), limit=None).best
    figures = {one.values: one.analyses[0] for one in every}
    assert len(figures) == len(every) > 50
    middle = {
        "hit_frequency": lambda one: one.hit_frequency,
        "standard_deviation": lambda one: one.variance.constant,
        "top_share": lambda one: one.top.return_.constant / one.return_.constant,
    }
    for key, figure in middle.items():
        values = sorted(map(figure, figures.values()))
        low = values[len(values) // 3]
        limits = (
            Interval(Fraction(str(isqrt(int(low * 10**12)) + 1)) / 10**6)
            if key == "standard_deviation"
            else Interval(low)
        )
        found = find_paytables(
            Spec(paytable, (6,), pays, (NOTHING,), amounts=amounts, **{key: limits}, **ANY), limit=None
        )
        least = limits.low**2 if key == "standard_deviation" else limits.low
        assert {one.values for one in found.best} == {at for at, one in figures.items() if figure(one) >= least}
        assert 0 < found.count < len(every) or values[0] == values[-1]


@pytest.mark.parametrize(
    ("paytable", "kept_count", "amounts"),
    [
        (parse_bet(WHEEL, "wheel.toml")[0][0], 1, ()),
        (catalog("BLZ-1-UP"), 2, ()),
        (catalog("BLZ-1-UP"), 2, (("meter", F(2000)),)),
    ],
    ids=["wheel", "long run of a meter", "amount of a meter"],
)
def test_all_awards_with_open_pays_can_be_omitted(paytable, kept_count, amounts):
    """Only awards paid by a meter or a wheel remain, so that the search has no unknown."""
    out = {award.name: parse_choice("out", "pays", may_be_out=True) for award in paytable.awards[kept_count:]}
    pays = open_pays(paytable, out)

    def find(edges=NOTHING, **limits):
        return find_paytables(Spec(paytable, (6,), pays, (edges,), amounts=amounts, target=F(0), **limits), limit=None)

    found = find()
    (candidate,) = found.best
    assert (found.size, candidate.stated) == (1, (*paytable.awards[:kept_count], *[None] * len(out)))
    shorter = replace(paytable, awards=paytable.awards[:kept_count])
    analysis = analyze_wager(shorter, Shoe(6), dict(amounts))
    is_long_run = bool(paytable.meters) and not amounts
    edge = compute_hold(analysis) if is_long_run else analysis.house_edge.constant
    assert candidate.edges == (edge,)
    tiny = F(1, 10**12)
    for low, high, count in ((edge, edge, 1), (edge + tiny, None, 0), (None, edge - tiny, 0)):
        assert find(Interval(low, high)).count == count
    for low, count in ((analysis.hit_frequency, 1), (analysis.hit_frequency + tiny, 0)):
        assert find(hit_frequency=Interval(low)).count == count
    if not is_long_run:
        for low, count in ((F(0), 1), (F(10**9), 0)):
            assert find(standard_deviation=Interval(low)).count == count
        share = analysis.top.return_.constant / analysis.return_.constant
        for low, count in ((share, 1), (share + tiny, 0)):
            assert find(top_share=Interval(low)).count == count


def test_meters_are_limited_by_the_fixed_pays():
    paytable = catalog("BLZ-1-UP")
    rates = (("meter", parse_choice("10%..90% step 10%", "rate", percent=True)),)
    found = find_paytables(Spec(paytable, (6,), (None,) * 5, (NOTHING,), rates=rates, **ANY), limit=None)
    left = 1 - analyze_wager(paytable, Shoe(6)).fixed_return
    assert sorted(one.meter_values[0][2] for one in found.best) == [F(n, 10) for n in range(1, 10) if F(n, 10) <= left]


def test_interrupted_search_returns_the_best_so_far(monkeypatch):
    def interrupted(*arguments):
        yield next(block for block in search.iter_candidates(*arguments) if len(block.rows))
        raise KeyboardInterrupt

    monkeypatch.setattr(finder, "iter_candidates", interrupted)
    paytable = catalog("TRI-04")
    spec = Spec(paytable, (6,), open_pays(paytable, {"*": parse_choice("1..50", "pays")}), (percent("4%..5%"),))
    found = find_paytables(spec, limit=3)
    assert (found.is_complete, len(found.best)) == (False, 3)
    assert found.conflict == ()


def test_progress_reaches_the_end():
    told = []
    paytable = catalog("TRI-04")
    pays = open_pays(paytable, {"*": parse_choice("1..9|out", "pays", may_be_out=True)})
    spec = Spec(paytable, (6,), pays, (NOTHING,), **ANY)
    found = find_paytables(spec, limit=1, progress=lambda *how_far: told.append(how_far))
    assert told == sorted(told)
    assert told[-1] == (told[0][1], told[0][1], found.count)
    assert found.count == found.size == 10**4 - 1  # without the ladder that has no awards


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("9", [9]),
        ([4, "1|2"], [1, 2, 4]),
        ("1..4", [1, 2, 3, 4]),
        ("2..8 step 3", [2, 5, 8]),
        ("1|2.5", [1, F(5, 2)]),
        ("3/2", [F(3, 2)]),
    ],
)
def test_open_values_are_parsed(said, values):
    assert list(parse_choice(said, "pay").values) == values


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("9..1", "the range '9..1' is empty"),
        ("1..9 step 0", "must be positive"),
        ("nine", "cannot read 'nine'"),
        ("1..", "cannot read '1..'"),
        ("1..10000000", "10,000,000 values"),
        ("5%", "cannot read '5%'"),
    ],
)
def test_invalid_open_values_are_refused(said, why):
    with pytest.raises(InputError, match=why):
        parse_choice(said, "pay")


def test_invalid_specs_are_refused():
    tri, blazing = catalog("TRI-04"), catalog("BLZ-1-UP")
    one = {"*": parse_choice("1..9", "pays")}
    with pytest.raises(InputError, match="--pays"):
        Spec(tri, (6,), (None,) * 4, (NOTHING,))
    with pytest.raises(InputError, match="has no award 'Flsh'; did you mean 'Flush'"):
        open_pays(tri, {"Flsh": one["*"]})
    with pytest.raises(InputError, match="did you mean 'roundest'"):
        Spec(tri, (6,), open_pays(tri, one), (NOTHING,), order="rondest")
    with pytest.raises(InputError, match="pays from the meter"):
        Spec(blazing, (6,), open_pays(blazing, {"Three 7s, suited": one["*"]}), (NOTHING,))
    with pytest.raises(InputError, match="which grow in BLZ-1-UP"):
        Spec(blazing, (6,), open_pays(blazing, one), (NOTHING,), top_share=percent("..5%"))


def test_every_demand_can_be_relaxed():
    paytable = catalog("TRI-04")
    pays = open_pays(paytable, {"*": parse_choice("1..9", "pays")})
    spec = Spec(paytable, (6, 8), pays, (percent("4%..5%"), percent("..5%")), hit_frequency=percent("5%..9%"))
    assert [str(one) for one in constraints(spec)] == [
        "the edge is at least 4% with 6 decks",
        "the edge is at most 5% with 6 decks",
        "the edge is at most 5% with 8 decks",
        "the hit frequency is at least 5% with 6 decks",
        "the hit frequency is at most 9% with 6 decks",
        "the hit frequency is at least 5% with 8 decks",
        "the hit frequency is at most 9% with 8 decks",
        "no award pays more than one above it",
    ]


def test_ladder_of_unreachable_awards_is_no_solution():
    paytable = build_paytable("player:2", ["identical", "pair"])
    pays = open_pays(paytable, {"Award 1": parse_choice("2|out", "pay", may_be_out=True)})
    assert [one.is_included for one in iter_ladders(Spec(paytable, (1,), pays, (NOTHING,), **ANY))] == [(True, True)]
    assert [one.is_included for one in iter_ladders(Spec(paytable, (2,), pays, (NOTHING,), **ANY))] == [
        (True, True),
        (True, False),
    ]
