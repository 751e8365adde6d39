"""The finder on random grids of catalog bets, beside a plain search through every combination with fractions.

The dealer's hand and baccarat have cycles of up to 115 bits, so that sums do not fit into 64 bits.
"""

from fractions import Fraction
from functools import lru_cache, reduce
from itertools import combinations as choose
from itertools import pairwise, product
from math import isqrt
from operator import and_

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat.bets.catalog import get_paytable as find_paytable
from combinat.exact.interval import Interval, parse_interval
from combinat.finder import spec as kinds
from combinat.finder.finder import find_paytables
from combinat.finder.ranking import roundness
from combinat.finder.spec import (
    CLOSEST,
    HIGHEST,
    LOWEST,
    ORDERS,
    ROUNDEST,
    SMALLEST_CHANGE,
    Spec,
    ValueChoice,
    constraints,
    open_pays,
    parse_choice,
)
from decks import InputError, Shoe
from tests.profiles import tries
from tests.slow_cases import slow_case

DEALER = ("BUSTER-30", "BB-1", "BB-2", "BUSTER-1-S17", "BET-THE-BUST", "INSTANT-18-S17", "BUST")
BACCARAT = ("BAC-PLAYER", "BAC-BANKER", "BAC-TIE", "BAC-SMALL")
FIXED = ("TRI-04", "HM-1", "PAIR-PLUS-1", "WAR-BONUS", "WAR-SURRENDER", "KINGS-BOUNTY-6D", "PKR-ACES-UP-1")

ORDER_PAIRS = ("roundest, lowest volatility", "smallest change, roundest", "closest 1%, roundest")


class Figures:
    """Figures of one paytable at one deck count, summed award by award."""

    def __init__(self, places, nets, ways, losing, cycle):
        results = [*zip(nets, ways, strict=True), (Fraction(-1), losing)]
        mean = sum(net * count for net, count in results) / cycle
        self.edge = -mean
        self.hit_frequency = Fraction(sum(count for net, count in results if net > 0), cycle)
        self.variance = sum(net**2 * count for net, count in results) / cycle - mean**2
        top = max(range(len(nets)), key=lambda at: (nets[at], -at))
        returned = sum((net + 1) * count for net, count in results)
        self.top_share = (nets[top] + 1) * ways[top] / returned if returned > 0 else None
        self.shares = (
            {place: (net + 1) * count / returned for place, net, count in zip(places, nets, ways, strict=True)}
            if returned > 0
            else None
        )


@lru_cache(maxsize=4096)
def count_ways(name, places, decks):
    """Return the ways of the awards at these indexes, the losing ways and the cycle, without the other awards."""
    paytable = find_paytable(name)
    shorter = replace(paytable, awards=tuple(paytable.awards[place] for place in places))
    ways = shorter.ways(Shoe(decks, paytable.bet.pack))
    return ways.wins, ways.losing, ways.cycle


def all_combinations(spec):
    """Map every combination of pays (`None` for an omitted award) to its figures at each deck count."""
    options = [
        [award.pay.amount] if choice is None else [*choice.values, *[None] * choice.may_be_out]
        for award, choice in zip(spec.stated, spec.pays, strict=True)
    ]
    combinations = {}
    for pays in product(*options):
        places = tuple(place for place, pay in enumerate(pays) if pay is not None)
        if not places:
            continue
        nets = [compute_net(spec.stated[place].pay, pays[place]) for place in places]
        counted = [count_ways(spec.paytable.id, places, decks) for decks in spec.decks]
        if any(any(wins) for wins, _, _ in counted):  # otherwise nothing can be won and it is no bet
            combinations[pays] = [Figures(places, nets, *ways) for ways in counted]
    return combinations


def compute_net(pay, amount):
    """Return the net of an amount in the unit of the original pay; `loses` is stated as net."""
    if pay.amount == amount:
        return pay.net.constant
    return amount - 1 if pay.unit == "for 1" and pay.amount > 0 else amount


def satisfies(spec, pays, figures):
    """Return whether a combination meets the spec."""
    spread = [None if end is None else end**2 for end in (spec.standard_deviation.low, spec.standard_deviation.high)]
    return (
        is_ordered(spec, pays, spec.falling)
        and spec.top_pay.has(max(pay for pay in pays if pay is not None))
        and (spec.min_ratio is None or lowest_ratio(spec, pays) >= spec.min_ratio)
        and all(
            limits == Interval() or all(at.shares is not None and limits.has(at.shares.get(place, 0)) for at in figures)
            for place, limits in enumerate(spec.shares)
        )
        and all(edge.has(at.edge) for edge, at in zip(spec.edges, figures, strict=True))
        and all(spec.hit_frequency.has(at.hit_frequency) and Interval(*spread).has(at.variance) for at in figures)
        and (
            spec.top_share == Interval()
            or all(at.top_share is not None and spec.top_share.has(at.top_share) for at in figures)
        )
    )


def is_ordered(spec, pays, falling):
    """Return whether pays fall strictly (true), are in any order (false), or ascend only where the original does."""
    nets = [None if pay is None else compute_net(award.pay, pay) for award, pay in zip(spec.stated, pays, strict=True)]
    original = [award.pay.net.constant for award in spec.stated]
    kept = [place for place, net in enumerate(nets) if net is not None]
    pairs = [(upper, lower) for lower in kept for upper in kept if upper < lower]
    if falling is None:
        return all(nets[upper] >= nets[lower] for upper, lower in pairs if original[upper] >= original[lower])
    return not falling or all(nets[upper] > nets[lower] for upper, lower in pairs)


def meets(demand, spec, pays, figures):
    """Return whether a combination meets one demand."""
    at = figures[demand.at]
    match demand.kind:
        case kinds.FALLING | kinds.DESCENDING:
            return is_ordered(spec, pays, True if demand.kind == kinds.FALLING else None)
    figure = figure_of(demand, spec, pays, at)
    return figure is not None and Interval(demand.low, demand.high).has(figure)


def figure_of(demand, spec, pays, at):
    """Return the figure that a demand limits; of a standard deviation the variance, `None` if there is none."""
    match demand.kind:
        case kinds.TOP:
            return max(pay for pay in pays if pay is not None)
        case kinds.RATIO:
            return lowest_ratio(spec, pays)
        case kinds.AWARD_SHARE:
            return None if at.shares is None else at.shares.get(demand.award, Fraction(0))
    return {
        kinds.EDGE: at.edge,
        kinds.HITS: at.hit_frequency,
        kinds.DEVIATION: at.variance,
        kinds.SHARE: at.top_share,
    }[demand.kind]


def lowest_ratio(spec, pays):
    """Return the lowest ratio between neighboring pays that win, where the original pays descend."""
    kept = [
        (pay, award.pay.net.constant)
        for award, pay, choice in zip(spec.stated, pays, spec.pays, strict=True)
        if pay is not None and (choice is not None or award.pay.net.constant > 0)
    ]
    ratios = [
        Fraction(upper, lower)
        for (upper, upper_before), (lower, lower_before) in pairwise(kept)
        if lower > 0 and (spec.falling or upper_before >= lower_before)
    ]
    return min(ratios, default=Fraction(10**6))


def rank(spec, pays, figures):
    """Return the sort key of a combination."""
    distance = 0 if spec.target_edge is None else max(abs(at.edge - spec.target_edge) for at in figures)
    changes = [
        Fraction(1) if pay is None else abs(pay - award.pay.amount) / (abs(award.pay.amount) or 1)
        for award, choice, pay in zip(spec.stated, spec.pays, pays, strict=True)
        if choice is not None
    ]
    key_by_name = {
        CLOSEST: distance,
        ROUNDEST: sum(roundness(pay) for pay in pays if pay is not None),
        LOWEST: figures[0].variance,
        HIGHEST: -figures[0].variance,
        SMALLEST_CHANGE: sum(changes),
        "closest 1%": distance // Fraction(1, 100),
    }
    return [key_by_name[name.strip()] for name in spec.order.split(",")], distance


def amounts(candidate):
    """Return the pay of each award as a number, `None` if it is omitted."""
    return tuple(None if award is None else award.pay.amount for award in candidate.stated)


def check_grid(spec, most=3):
    """Compare all solutions, their order and their reasons with every combination of the grid."""
    combinations = all_combinations(spec)
    demands = constraints(spec)
    by_demand = [{pays for pays, at in combinations.items() if meets(one, spec, pays, at)} for one in demands]
    expected = {pays for pays, at in combinations.items() if satisfies(spec, pays, at)}
    assert expected == set(combinations).intersection(*by_demand)
    result = find_paytables(spec, limit=None)
    assert {amounts(one): one.edges for one in result.best} == {
        pays: tuple(at.edge for at in combinations[pays]) for pays in expected
    }
    assert (result.size, result.count) == (len(combinations), len(expected))
    ranks = [rank(spec, amounts(one), combinations[amounts(one)]) for one in result.best]
    assert ranks == sorted(ranks)
    assert [one.values for one in find_paytables(spec, limit=most).best] == [one.values for one in result.best[:most]]
    if not expected and combinations:
        named = [by_demand[demands.index(one)] for one in result.conflict]
        assert not set(combinations).intersection(*named)
        for number in range(len(named)):
            assert set(combinations).intersection(*named[:number], *named[number + 1 :])
        check_nearest(spec, combinations, demands, by_demand, result.nearest)
    return len(combinations), len(expected)


def check_nearest(spec, combinations, demands, by_demand, nearest):
    """Compare the nearest misses with every combination: no fewer limits suffice, and none can change by less."""
    limits = {}
    for demand, meeting in zip(demands, by_demand, strict=True):
        limits.setdefault((demand.kind, demand.award, demand.low, demand.high), []).append((demand, meeting))
    bits = {pays: 1 << number for number, pays in enumerate(combinations)}
    masks = {
        key: reduce(and_, [sum(bits[pays] for pays in meeting) for _, meeting in group])
        for key, group in limits.items()
    }

    def mask_of_all_but(keys):
        """Return a bit for each combination that meets all limits but some."""
        return reduce(and_, [mask for key, mask in masks.items() if key not in keys], (1 << len(bits)) - 1)

    def meeting_all_but(keys):
        mask = mask_of_all_but(keys)
        return {pays for pays, bit in bits.items() if mask & bit}

    size = next(size for size in range(1, len(limits) + 1) if any(map(mask_of_all_but, pick(limits, size))))
    expected = {frozenset(keys) for keys in pick(limits, size) if mask_of_all_but(keys)}
    assert {
        frozenset((one.kind, one.limit[0].award, one.limit[0].low, one.limit[0].high) for one in miss.relaxed)
        for miss in nearest
    } == expected
    assert nearest == tuple(sorted(nearest, key=lambda miss: miss.sort_key))
    for miss in nearest:
        keys = [(one.kind, one.limit[0].award, one.limit[0].low, one.limit[0].high) for one in miss.relaxed]
        remaining = meeting_all_but(keys)
        for key, relaxed in zip(keys, miss.relaxed, strict=True):
            group = [demand for demand, _ in limits[key]]
            if group[0].kind in (kinds.FALLING, kinds.DESCENDING):
                assert relaxed.value is None
                continue
            worst, best = (min, max) if relaxed.is_minimum else (max, min)
            by_pays = {
                pays: [figure_of(one, spec, pays, combinations[pays][one.at]) for one in group] for pays in remaining
            }
            figures = {pays: worst(found) for pays, found in by_pays.items() if None not in found}
            assert relaxed.value == (best(figures.values()) if figures else None)
            if not figures:
                continue
            remaining = {pays for pays, figure in figures.items() if figure == relaxed.value}
        assert amounts(miss.candidate) in remaining
        assert rank(spec, amounts(miss.candidate), combinations[amounts(miss.candidate)]) == min(
            rank(spec, pays, combinations[pays]) for pays in remaining
        )


def pick(limits, size):
    return list(choose(limits, size))


@st.composite
def draw_limits(draw, figures, spread):
    """Draw limits whose ends are occurring figures, close to them, or beyond them."""
    near = st.builds(lambda figure, share: figure + share * spread, st.sampled_from(figures), st.fractions(-1, 1))
    unreachable = st.sampled_from([Fraction(-(10**30)), Fraction(-3), Fraction(1), Fraction(10**30)])
    end = {"occurs": st.sampled_from(figures), "near": near, "unreachable": unreachable, "open": st.none()}
    ends = [
        draw(end[draw(st.sampled_from(["occurs"] * 4 + ["near"] * 3 + ["open"] * 2 + ["unreachable"]))]) for _ in "12"
    ]
    return Interval(*(ends if None in ends else sorted(ends)))


@st.composite
def grids(draw, names):
    """Draw a spec of a catalog bet with up to four open awards, the rarest ones or any."""
    name = draw(st.sampled_from(names))
    paytable = find_paytable(name)
    decks = tuple(sorted(draw(st.sets(st.integers(1, 8), min_size=1, max_size=3))))
    places = range(len(paytable.awards))
    wins, _, _ = count_ways(name, tuple(places), decks[0])
    rarest = sorted(places, key=lambda place: wins[place])[: draw(st.integers(1, 3))]
    chosen = draw(st.just(rarest) | st.lists(st.sampled_from(places), min_size=1, max_size=4, unique=True))
    amount = st.one_of(
        st.integers(0, 12).map(Fraction),
        st.integers(0, 1_000).map(Fraction),
        st.fractions(0, 40, max_denominator=60),
        st.just(Fraction(1, 10**20)),
    )
    size = {1: 40, 2: 10, 3: 5, 4: 3}[len(chosen)]
    steps = st.builds(
        lambda first, step, count: {first + step * number for number in range(count)},
        amount,
        st.sampled_from([Fraction(1), Fraction(5), Fraction(1, 2), Fraction(10)]),
        st.integers(1, size),
    )
    pays = [None] * len(places)
    for place in chosen:
        values = draw(steps | steps | st.sets(amount, min_size=1, max_size=size))
        pays[place] = ValueChoice(tuple(sorted(values)), draw(st.booleans()))
    if draw(st.integers(0, 9)) == 0:
        pays[chosen[0]] = ValueChoice((), may_be_out=True)
    open_spec = Spec(paytable, decks, tuple(pays), (Interval(),) * len(decks), target=Fraction(1, 20))
    figures = [at for combination in all_combinations(open_spec).values() for at in combination] or [
        Figures((0,), [Fraction(1)], [1], 1, 2)
    ]
    limited = draw(st.integers(1, len(decks)))
    edge_limits = draw_limits([at.edge for at in figures], Fraction(1, 50))
    edges = tuple(draw(edge_limits) if number < limited else Interval() for number in range(len(decks)))
    deviations = [Fraction(isqrt(int(at.variance * 10**8)), 10**4) for at in figures]
    shares = [at.top_share for at in figures if at.top_share is not None] or [Fraction(1)]
    limits = {
        "hit_frequency": draw_limits([at.hit_frequency for at in figures], Fraction(1, 1000)),
        "standard_deviation": draw_limits(deviations, Fraction(1, 10)).map(positive_limits),
        "top_share": draw_limits(shares, Fraction(1, 1000)),
        "top_pay": draw_limits([Fraction(10), Fraction(30), Fraction(100)], Fraction(20)).map(positive_limits),
        "shares": st.tuples(*[st.just(Interval()) | draw_limits(shares, Fraction(1, 10)) for _ in places]),
        "min_ratio": st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5)]),
    }
    asked = draw(st.sets(st.sampled_from(sorted(limits)), max_size=2))
    falling = draw(st.sampled_from([None, None, True, False, False]))
    if "min_ratio" in asked and falling is False:
        falling = None
    return replace(
        open_spec,
        edges=edges,
        falling=falling,
        order=draw(st.sampled_from([*ORDERS, *ORDER_PAIRS])),
        target=draw(
            st.just(Fraction(1, 20)) | (st.none() if any(edge != Interval() for edge in edges) else st.nothing())
        ),
        **{key: draw(limits[key]) for key in sorted(asked)},
    )


def positive_limits(limits):
    """Make the limits of a figure that is not negative positive."""
    ends = [None if end is None else abs(end) for end in (limits.low, limits.high)]
    return Interval(*(ends if None in ends else sorted(ends)))


@pytest.mark.parametrize("names", [slow_case(DEALER), BACCARAT, FIXED], ids=["dealer", "baccarat", "fixed"])
def test_random_grids_match_brute_force(names):
    @tries(200, 3)
    @given(grids(names))
    def check(spec):
        check_grid(spec)

    check()


def build_spec(name, pays, edge, decks=(6,), **more):
    """Build a spec from texts: pays by award name, and limits of the edge at every deck count."""
    paytable = find_paytable(name)
    choices = {award: parse_choice(text, award, may_be_out=True) for award, text in pays.items()}
    edges = (parse_interval(edge, "edge", percent=True) if edge else Interval(),) * len(decks)
    return Spec(paytable, decks, open_pays(paytable, choices), edges, **more)


@pytest.mark.parametrize(
    ("name", "pays", "edge", "more"),
    [
        ("BUSTER-30", {"7 cards": "50..150 step 10"}, "4%..6%", {}),
        ("BUSTER-30", {"8 or more cards": "1..200 step 20"}, "4.7%..4.8%", {"decks": (1, 2, 6, 8)}),
        slow_case("BUSTER-30", {"*": "1|5|out"}, "5%..50%", {}),
        ("BUSTER-30", {"7 cards": "50"}, "4%..6%", {"falling": False}),
        ("BUSTER-30", {"7 cards": "50"}, "4%..4.1%", {"falling": False}),
        ("BUSTER-30", {"7 cards": "50..60"}, f"{10**19}%..", {}),
        ("BUSTER-30", {"7 cards": "50..60"}, f"..-{10**19}%", {}),
        ("BUST", {"Bust": "1..3"}, f"..-{10**19}%", {}),
        ("BUST", {"Bust": "0"}, "50%..90%", {"hit_frequency": Interval(Fraction(0), Fraction(0))}),
        ("BUST", {"Bust": "0|1"}, "", {"order": HIGHEST, "hit_frequency": Interval(high=Fraction(1, 2))}),
        ("TRI-04", {"Flush": "4|5|0.000000000000000001|1/271828182845904523536"}, "5%..", {"order": ROUNDEST}),
        ("TRI-04", {"*": "1/9223372036854775807|3"}, "5%..", {"order": LOWEST, "top_share": Interval(Fraction(1, 9))}),
        ("BUSTER-30", {"7 cards": "0"}, "4%..6%", {"min_ratio": Fraction(3, 2)}),
    ],
)
def test_grids_beyond_64_bits_match_brute_force(name, pays, edge, more):
    check_grid(build_spec(name, pays, edge, **more))


@pytest.mark.parametrize("name", ["BAC-PLAYER", "INSTANT-18-S17", "WAR-BONUS", "WAR-SURRENDER"])
def test_star_keeps_pushes_and_losses(name):
    paytable = find_paytable(name)
    pays = open_pays(paytable, {"*": parse_choice("5..9", "pays")})
    closed = [award for award, choice in zip(paytable.awards, pays, strict=True) if choice is None]
    assert closed == [award for award in paytable.awards if award.pay.net.constant <= 0] != []
    by_name = open_pays(paytable, {closed[0].name: parse_choice("5..9", "pays")})
    assert [choice is not None for choice in by_name] == [award == closed[0] for award in paytable.awards]


@pytest.mark.parametrize("falling", [None, True, False])
def test_original_pays_keep_the_default_order(falling):
    """Bust Bonanza pays 25, 25, 1, 15, 1: the default order allows this ascent and no other."""
    paytable = find_paytable("BB-1")
    names = [award.name for award in paytable.awards[:5]]
    pays = dict(zip(names, ["20|25", "25|30", "1|2", "15|1", "1|2"], strict=True))
    spec = build_spec("BB-1", pays, "", target=Fraction(0), falling=falling)
    check_grid(spec)
    first_five = {amounts(one)[:5] for one in find_paytables(spec, limit=None).best}
    assert ((25, 25, 1, 15, 1) in first_five, (25, 30, 1, 15, 1) in first_five) == {
        None: (True, False),
        True: (False, False),
        False: (True, True),
    }[falling]


def test_descending_is_the_default_and_equal_pays_are_allowed():
    spec = build_spec("TRI-04", {"*": "1..3"}, "", target=Fraction(0))
    found = {amounts(one) for one in find_paytables(spec, limit=None).best}
    assert found == {pays for pays in product(range(1, 4), repeat=4) if sorted(pays, reverse=True) == list(pays)}


@pytest.mark.parametrize("pays", [{"Flush": "1..12", "Straight": "8|10"}, {"Flush": "4|8", "Straight": "1..12"}])
@pytest.mark.parametrize("falling", [None, True, False])
def test_order_holds_for_any_largest_range(pays, falling):
    """The award with the most values is searched last, by a range instead of single values."""
    check_grid(build_spec("TRI-04", pays, "", target=Fraction(0), falling=falling))


@pytest.mark.parametrize("order", ORDERS)
def test_edge_is_required(order):
    pays = {"*": "1..3"}
    with pytest.raises(InputError, match="--edge"):
        build_spec("TRI-04", pays, "", order=order)
    for asked in ({"edge": "4%.."}, {"edge": "", "target": Fraction(1, 20)}):
        build_spec("TRI-04", pays, order=order, **asked)
    limits = {"hit_frequency": Interval(Fraction(1, 20))}
    if order == CLOSEST:
        with pytest.raises(InputError, match="--edge"):
            build_spec("TRI-04", pays, "", order=order, **limits)
    else:
        check_grid(build_spec("TRI-04", pays, "", order=order, **limits))


def test_many_unreachable_limits_are_all_relaxed():
    """Each limit is unreachable alone, so that only one of the million subsets of limits has to be tried."""
    awards = find_paytable("BB-1").awards
    count = len(awards)
    shares = (Interval(low=Fraction(2)),) * count
    spec = build_spec("BB-1", {awards[0].name: "1..20"}, "", target=Fraction(0), shares=shares, falling=False)
    (miss,) = find_paytables(spec, limit=1).nearest
    assert count > 15
    assert [one.limit[0].award for one in miss.relaxed] == list(range(count))
