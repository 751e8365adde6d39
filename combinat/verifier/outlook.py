"""Results of a play on each basis, volatility, and the hold of many plays.

Volatility index: z times the standard deviation, z being the 90%, 95% and 99% points of the normal distribution. Hold
of n plays: the exact distribution of the sum of n independent plays by Panjer's recursion, or the normal limit with
mean n·edge and variance n·variance once n is at least 25 times the squared skewness (the sheet says which).

Panjer's recursion: let the least return have probability f(0), and y steps more than it probability f(y). Then the
probabilities g(x) of x steps above the least sum of n plays are g(0) = f(0)^n and
g(x) = Σ_y ((n+1)·y/x - 1) · f(y)/f(0) · g(x-y).
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, gcd, isqrt, lcm
from typing import Any, NamedTuple

from combinat.verifier.figures import Awards, Results, central_moment, mean_of, moments
from combinat.verifier.meters import PRECISE, House, has_variance, near, power, to_decimal
from combinat.verifier.sheet import Near, Root, Unchecked

PLAYS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
CONFIDENCES = (Fraction(9, 10), Fraction(19, 20), Fraction(99, 100))
CONFIDENCE = CONFIDENCES[0]
PLACES, SURE_PLACES = 30, 45
SKEWNESS_FACTOR = 25
MAX_SUMS, MAX_CANCELLED, MAX_BEYOND_EVEN = 2_000_000, 6_000, 1_000
TOO_LONG = Unchecked("the sum of so many plays takes too long to add up")
SEVERAL = Unchecked("plays depend on each other through several meters at once")


class Side(NamedTuple):
    """The result of a play on one basis."""

    basis: str
    meters: dict[str, Fraction]
    edge: Fraction
    results: Results | None
    """Gross returns for a wager of 1 with probabilities, if plays are independent and alike."""
    variance: Fraction | None
    is_near: bool = False
    rarest: Fraction | None = None
    """The probability of the rarest hit, where plays depend on each other."""
    is_unknown: bool = False
    least_variance: Fraction | None = None
    """A lower bound, if the variance is known between bounds; then `variance` is the upper bound."""
    squared_skewness: Fraction | None = None
    """An upper bound, where only bounds are known."""

    @property
    def is_exact(self) -> bool:
        """Whether the variance is known, not only its bounds."""
        return self.least_variance is None


def sides_with_meters(house: House, meter_values: dict[str, Fraction]) -> list[Side]:
    """Return the sides of a bet with meters: accounting, seeds, averages, a random meter, given amounts."""
    sides: list[Side] = []
    if house.has_closed_form:
        sides.append(books_side(house))
    if not house.system.is_posted:
        sides.append(side_at(house, "meters at their seeds", house.seeds))
        if house.has_closed_form:
            at_average = side_at(house, "meters at their averages", house.averages, house.is_capped)
            player = Side(
                "per wager at a random meter", {}, at_average.edge, None, house.player_variance(), house.is_capped
            )
            sides += [at_average, player]
    if meter_values:
        sides.append(side_at(house, "at the given meters", house.averages | meter_values, house.is_capped))
    return sides


def books_side(house: House) -> Side:
    """Return the side of the house's books."""
    variance = house.variance()
    if house.is_independent:
        return Side(house.basis, {}, house.hold, house.costs(), variance)
    rarest = min([level.hit for level in house.unsteady])
    is_unknown = variance is None and all(map(has_variance, house.levels))
    return Side(house.basis, {}, house.hold, None, variance, True, rarest, is_unknown)


def side_at(house: House, basis: str, amounts: dict[str, Fraction], is_near: bool = False) -> Side:
    """Return the side of one wager while the meters stand at some amounts."""
    results = house.awards.results(amounts, house.system.wager)
    return Side(basis, amounts, 1 - mean_of(results), results, central_moment(results, 2), is_near)


def result_row(side: Side) -> dict[str, Any]:
    """Return what a sheet says of a play on one basis."""
    row: dict[str, Any] = {
        "basis": side.basis,
        "meters": {name: near(side.is_near, amount) for name, amount in side.meters.items()},
        "house_edge": near(side.is_near, side.edge),
        "variance": None,
        "variance_bounds": None,
        "variance_is_bound": False,
        "standard_deviation": None,
        "standard_deviation_bounds": None,
        "skewness": None,
        "excess_kurtosis": None,
    }
    if not side.is_exact:
        return row | spread_bounds(side)
    if side.results is not None:
        return row | {key: near(side.is_near, value) for key, value in moments(side.results).items()}
    if side.is_unknown:
        return row | dict.fromkeys(("variance", "variance_is_bound", "standard_deviation"), SEVERAL)
    if side.variance is not None:
        row["variance"] = near(side.is_near, side.variance)
        row["standard_deviation"] = near(side.is_near, Root(side.variance))
    return row


def spread_bounds(side: Side) -> dict[str, Any]:
    """Return the bounds of variance and standard deviation."""
    bounds = [side.least_variance, side.variance]
    return {
        "variance_bounds": bounds,
        "standard_deviation_bounds": [Root(bound) for bound in bounds if bound is not None],
    }


def volatility_rows(side: Side | None, basis: str) -> list[dict[str, Any]]:
    """Return the volatility index at each confidence."""
    rows = []
    for confidence in CONFIDENCES:
        z = z_text(confidence)
        row: dict[str, Any] = {"confidence": f"{confidence * 100}%", "z": z, "index": None, "index_bounds": None}
        if side is not None and side.is_unknown:
            row["index"] = SEVERAL
        elif side is not None and not side.is_exact:
            bounds = (side.least_variance, side.variance)
            row["index_bounds"] = [Root(Fraction(z) ** 2 * bound) for bound in bounds if bound is not None]
        elif side is not None and side.variance is not None:
            root = Root(Fraction(z) ** 2 * side.variance)
            row["index"] = Near(root) if side.is_near else root
        rows.append(row | {"basis": basis})
    return rows


# Many plays


def outlook_rows(sides: list[Side], stated: list[Any]) -> list[Any]:
    """Return the hold of more and more plays on each basis; the sheet's own method where there is a choice."""
    listed_sides = [side for side in sides if side.results is not None or not side.is_exact or has_limit(side)]
    rows = []
    for index, (side, plays) in enumerate([(side, plays) for side in listed_sides for plays in PLAYS]):
        method = stated[index].get("method") if index < len(stated) and isinstance(stated[index], dict) else None
        row = {"plays": plays, "basis": side.basis, "confidence": f"{CONFIDENCE * 100}%"}
        rows.append(row | outlook(side, plays, method))
    return rows


def has_limit(side: Side) -> bool:
    """Return whether many dependent plays have a normal limit that is known."""
    return side.rarest is not None and (side.variance is not None or side.is_unknown)


def outlook(side: Side, plays: int, method: Any) -> dict[str, Any]:
    """Return the 90% interval of the hold, and the probability that the house is ahead."""
    z = Fraction(z_text(CONFIDENCE))
    if not side.is_exact and side.variance is not None:
        is_rough = side.squared_skewness is not None and plays < SKEWNESS_FACTOR * side.squared_skewness
        return {
            "method": "normal, largest deviation",
            "poor_approximation": is_rough,
            **normal(side.edge, side.variance, plays, z),
        }
    if side.results is None:
        is_rough = side.rarest is not None and plays * side.rarest < SKEWNESS_FACTOR
        how = {"method": "asymptotic", "poor_approximation": is_rough}
        if side.variance is None:
            return how | dict.fromkeys(("least_hold", "most_hold", "house_ahead"), SEVERAL)
        return how | normal(side.edge, side.variance, plays, z)
    second = central_moment(side.results, 2)
    enough = SKEWNESS_FACTOR * central_moment(side.results, 3) ** 2 / second**3 if second else Fraction(0)
    if side.variance and plays >= enough and plays > PLAYS[0]:
        return {"method": "normal", "poor_approximation": False, **normal(side.edge, side.variance, plays, z)}
    if method == "normal" and side.variance:  # the sheet's choice where the exact sum takes long: it must say so
        return {"method": "normal", "poor_approximation": plays < enough, **normal(side.edge, side.variance, plays, z)}
    exact = sum_of_plays(side.results, plays)
    if exact is None:
        return {
            "method": "distribution",
            "poor_approximation": False,
            **dict.fromkeys(("least_hold", "most_hold", "house_ahead"), TOO_LONG),
        }
    return {"method": "distribution", "poor_approximation": False, **exact}


def interval(low: Fraction, high: Fraction, ahead: Fraction) -> dict[str, str]:
    """Return an interval as the sheet writes it."""
    return {"least_hold": decimals(low), "most_hold": decimals(high), "house_ahead": decimals(ahead)}


def normal(edge: Fraction, variance: Fraction, plays: int, z: Fraction) -> dict[str, str]:
    """Return the normal approximation."""
    if not variance:
        return interval(edge, edge, Fraction(edge > 0))
    spread = Fraction(PRECISE.sqrt(to_decimal(z**2 * variance / plays)))
    return interval(edge - spread, edge + spread, probability_above_zero(edge, variance / plays))


def sum_of_plays(results: Results, plays: int) -> dict[str, str] | None:
    """Return the exact interval by Panjer's recursion; `None` if that takes too long."""
    chances: dict[Fraction, Fraction] = {}
    for gross, chance in results:
        if chance:
            chances[gross] = chances.get(gross, Fraction(0)) + chance
    lowest = min(chances)
    if len(chances) == 1:
        return interval(1 - lowest, 1 - lowest, Fraction(lowest < 1))
    unit = lcm(*[(gross - lowest).denominator for gross in chances])
    step = Fraction(gcd(*[int((gross - lowest) * unit) for gross in chances]), unit)
    steps = sorted([(int((gross - lowest) / step), chance) for gross, chance in chances.items() if gross > lowest])
    even = max(0, ceil((1 - lowest) * plays / step))  # from this sum on the players are not behind
    if even > MAX_SUMS:
        return None
    positive = (plays + 1) * steps[0][0]  # up to here all terms of the recursion are positive
    beyond = max(0, even - positive)
    sums = panjer(chances[lowest], steps, plays, even, 60 + 2 * beyond) if beyond <= MAX_CANCELLED else None
    if sums is not None and sums[1] > max(even, positive):
        mean, variance = mean_of(list(chances.items())), central_moment(list(chances.items()), 2)
        cantelli = isqrt(ceil(19 * plays * variance / step**2)) + 1
        beyond = ceil(plays * (mean - lowest) / step) + cantelli - positive
        sums = panjer(chances[lowest], steps, plays, even, 60 + 2 * beyond) if beyond <= MAX_BEYOND_EVEN else None
    if sums is None:
        return None
    low, high, ahead = sums
    is_certain = even > plays * steps[-1][0]
    low_hold, high_hold = [1 - lowest - step * x / plays for x in (high, low)]
    return interval(low_hold, high_hold, Fraction(1) if is_certain else _truncate(ahead))


def panjer(first: Fraction, steps: list[tuple[int, Fraction]], plays: int, even: int, digits: int) -> Any:
    """Return the sums that 5% and 95% of the probability do not exceed, and the probability of less than `even`.

    Probabilities are integers of one unit, a power of ten. When they have twice the digits, the unit grows.
    """
    ratios = [(y, chance / first) for y, chance in steps if y <= MAX_SUMS]
    base = lcm(*[ratio.denominator for _, ratio in ratios])
    factors = [(y, (plays + 1) * y * int(ratio * base), int(ratio * base)) for y, ratio in ratios]
    longest, full_scale, fewer = max(y for y, _ in ratios), 10 ** (2 * digits), 10**digits
    scale = Context(prec=2 * digits, Emin=-(10**12), Emax=10**12)
    start = scale.power(scale.divide(Decimal(first.numerator), Decimal(first.denominator)), plays)
    unit = start.adjusted() + 1 - 2 * digits
    values, offset = [int(start.scaleb(-unit, scale))], 0
    below = values[0]
    low = high = None
    ahead = Fraction(0)
    tails = quantiles(unit, digits)
    for x in range(MAX_SUMS):
        if x:
            total = 0
            for y, factor, ways in factors:
                if y > x:
                    break
                total += (factor - x * ways) * values[x - y - offset]
            values.append(total // (base * x))
            below += values[-1]
            if values[-1] > full_scale:
                values = [value // fewer if value else 0 for value in values[-longest:]]
                offset = max(0, x + 1 - longest)
                below //= fewer
                unit += digits
                tails = quantiles(unit, digits)
        if x == even - 1:
            ahead = below * Fraction(10) ** unit
        if low is None and below >= tails[0]:
            low = x
        if high is None and below >= tails[1]:
            high = x
        if low is not None and high is not None and x >= even - 1:
            return low, high, ahead
    return None


def quantiles(unit: int, digits: int) -> list[int]:
    """Return 5% and 95% in units."""
    shown = max(unit, -10 * digits)
    return [ceil(share / 2 / Fraction(10) ** shown) for share in (1 - CONFIDENCE, 1 + CONFIDENCE)]


# The normal distribution


def probability_above_zero(mean: Fraction, variance: Fraction) -> Fraction:
    """Return the probability that a normal variable is positive, never quite 0 or 1.

    From the middle to x the density's area is its height at x times x + x³/3 + x⁵/15 + x⁷/105 + ...
    """
    smallest = Fraction(1, 10**PLACES)
    if mean**2 > 400 * variance:
        return 1 - smallest if mean > 0 else smallest
    context = Context(prec=200, Emin=-(10**9), Emax=10**9)
    ratio = mean**2 / variance
    square = context.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
    term = total = context.sqrt(square)
    odd = 1
    while term > Decimal(10) ** -150:
        odd += 2
        term = context.divide(context.multiply(term, square), Decimal(odd))
        total = context.add(total, term)
    density = context.exp(context.divide(square, Decimal(-2)))
    height = context.divide(density, context.sqrt(context.multiply(Decimal(2), pi(context))))
    area = Fraction(context.multiply(height, total))
    return min(max(Fraction(1, 2) + (area if mean > 0 else -area), smallest), 1 - smallest)


def pi(context: Context) -> Decimal:
    """Return π by Machin's formula: π/4 = 4·arctan(1/5) - arctan(1/239)."""

    def arctan(inverse: int) -> Decimal:
        power = total = context.divide(Decimal(1), Decimal(inverse))
        odd, sign = 1, 1
        while power > Decimal(10) ** -(context.prec + 5):
            power = context.divide(power, Decimal(inverse**2))
            odd, sign = odd + 2, -sign
            total = context.add(total, context.divide(power, Decimal(sign * odd)))
        return total

    four = Decimal(4)
    return context.multiply(four, context.subtract(context.multiply(four, arctan(5)), arctan(239)))


@lru_cache(maxsize=8)
def z_text(confidence: Fraction) -> str:
    """Return the point of the normal distribution within which a confidence lies, to six decimals, by bisection."""
    million, low, high, target = 1_000_000, 0, 10_000_000, (1 + confidence) / 2
    while high - low > 1:
        middle = (low + high) // 2
        is_below = probability_above_zero(Fraction(middle, million), Fraction(1)) < target
        low, high = (middle, high) if is_below else (low, middle)
    nearer = low if probability_above_zero(Fraction(low + high, 2 * million), Fraction(1)) > target else high
    return f"{nearer // million}.{nearer % million:06}"


def _truncate(chance: Fraction) -> Fraction:
    """Return a probability cut off after thirty decimals, never 1."""
    sure = round_half_even(chance * 10**SURE_PLACES)
    return Fraction(min(sure // 10 ** (SURE_PLACES - PLACES), 10**PLACES - 1), 10**PLACES)


def decimals(value: Fraction) -> str:
    """Return a value with thirty decimals."""
    scaled = round_half_even(value * 10**PLACES)
    digits = str(abs(scaled)).rjust(PLACES + 1, "0")
    return f"{'-' if scaled < 0 else ''}{digits[:-PLACES]}.{digits[-PLACES:]}"


def round_half_even(value: Fraction) -> int:
    """Round to an integer, half to even."""
    quotient, remainder = divmod(value, 1)
    return int(quotient) + int(remainder > Fraction(1, 2) or (remainder == Fraction(1, 2) and quotient % 2 == 1))


# The pace of play


def pace_hits(awards: Awards, daily: Fraction, days: Fraction) -> list[dict[str, Any]]:
    """Return how often each meter is hit at a pace of play: binomial probabilities added up from no hit on."""
    hits: dict[str, Fraction] = {}
    for pay, chance in zip(awards.pays, awards.chances, strict=True):
        if not pay.is_fixed and pay.amount == 1 and chance:
            hits[pay.meter] = hits.get(pay.meter, Fraction(0)) + chance
    rows = []
    for name, chance in hits.items():
        plays, yearly = int(daily * days), int(daily * 365)
        none, exactly_one = power(1 - chance, plays), plays * chance * power(1 - chance, plays - 1)
        low_hits, high_hits = binomial_range(chance, yearly)
        rows.append(
            {
                "meter": name,
                "days_between_hits": 1 / chance / daily,
                "no_hit": decimals(none),
                "two_or_more": decimals(1 - none - exactly_one),
                "hits_per_year": yearly * chance,
                "least_per_year": low_hits,
                "most_per_year": high_hits,
            }
        )
    return rows


def binomial_range(chance: Fraction, plays: int) -> tuple[int, int]:
    """Return the numbers of hits that 5% and 95% of years do not exceed."""
    if chance == 1:
        return plays, plays
    odds, probability = to_decimal(chance / (1 - chance)), PRECISE.power(to_decimal(1 - chance), plays)
    below, hits, first_hit = probability, 0, None
    while below < Decimal("0.95") and hits < plays:
        if first_hit is None and below >= Decimal("0.05"):
            first_hit = hits
        probability = PRECISE.divide(
            PRECISE.multiply(PRECISE.multiply(probability, odds), Decimal(plays - hits)), Decimal(hits + 1)
        )
        hits += 1
        below = PRECISE.add(below, probability)
    return hits if first_hit is None else first_hit, hits
