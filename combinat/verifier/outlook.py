"""What a sheet should say of a play on each basis, and of many plays: results, volatility, expectation."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from combinat.verifier.amounts import Whole
from combinat.verifier.climbing import CONFIDENCE
from combinat.verifier.compare import Near, NotChecked
from combinat.verifier.cycles import has_variance
from combinat.verifier.house import House, moments
from combinat.verifier.many_plays import (
    ALWAYS_SUMMED,
    PLAYS_PER_SQUARED_SKEWNESS,
    Bounds,
    Results,
    by_curve,
    by_sums,
    central,
    chance_above_zero,
    mean_of,
    plays_for_the_curve,
    thirty,
)

PLAYS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
CONFIDENCES = (Fraction(9, 10), Fraction(19, 20), Fraction(99, 100))
MILLIONTHS = 1_000_000
WIDEST = "normal, largest deviation"
TOO_LONG = NotChecked("that take too long to be added up")
NOT_FOLLOWED = NotChecked("of meters through which plays depend on one another in more ways than one")


class Side(NamedTuple):
    """The result of a play on one basis."""

    basis: str
    meters: dict[str, Fraction]
    edge: Fraction
    results: Results | None
    """What comes back of a wager of one, with its chances, if plays are alike."""
    variance: Fraction | None
    is_near: bool = False
    """Whether the figures rest on long powers, which nobody writes out."""
    rarest: Fraction | None = None
    is_unknown: bool = False
    """Whether the variance is one that is not known here, though there is one."""
    least_variance: Fraction | None = None
    """What the variance is at least, if it is known between bounds; then `variance` is what it is at most."""
    skewed: Fraction | None = None
    """What the squared skewness then does not exceed."""

    @property
    def is_exact(self) -> bool:
        """Whether the variance is known and not only between what it lies."""
        return self.least_variance is None


@lru_cache(maxsize=16)
def z_of(confidence: Fraction) -> str:
    """The point of the normal curve up to which, to both sides, so much lies, to six decimals.

    >>> z_of(Fraction(19, 20))
    '1.959964'
    """
    low, high, wanted = 0, 10 * MILLIONTHS, (1 + confidence) / 2
    while high - low > 1:
        middle = (low + high) // 2
        is_below = chance_above_zero(Fraction(middle, MILLIONTHS), Fraction(1)) < wanted
        low, high = (middle, high) if is_below else (low, middle)
    if chance_above_zero(Fraction(low + high, 2 * MILLIONTHS), Fraction(1)) > wanted:
        high = low
    return f"{high // MILLIONTHS}.{high % MILLIONTHS:06}"


def percent(confidence: Fraction) -> str:
    """Write a confidence as a sheet does."""
    return f"{confidence * 100}%"


def row_of(side: Side) -> dict[str, Any]:
    """Give what a sheet should say of a play on one basis."""
    row: dict[str, Any] = {"basis": side.basis, "meters": Whole(side.meters), "variance_is_bound": False}
    row |= dict.fromkeys(("variance_bounds", "standard_deviation_bounds"))
    if not side.is_exact:
        shape = dict.fromkeys(("variance", "standard_deviation", "skewness", "excess_kurtosis"))
        return row | shape | {"house_edge": side.edge} | spread_of(side)
    if side.results is not None and not side.is_near:
        return row | moments(side.results)
    if side.results is not None:
        found = moments(side.results)
        kurtosis, skewness = found["excess_kurtosis"], found["skewness"]
        return {
            **row,
            "meters": Whole({name: Near(amount) for name, amount in side.meters.items()}),
            "house_edge": Near(side.edge),
            "variance": Near(found["variance"]),
            "standard_deviation": Near(found["variance"], is_root=True),
            "skewness": skewness
            if skewness is None
            else Near(Fraction(skewness.strip("-sqrt()")), is_root=True, is_negative=skewness.startswith("-")),
            "excess_kurtosis": kurtosis if kurtosis is None else Near(kurtosis),
        }
    spread: Any = side.variance
    root: Any = None if side.variance is None else f"sqrt({side.variance})"
    if side.is_unknown:
        spread, root = NOT_FOLLOWED, NOT_FOLLOWED
        row["variance_is_bound"] = NOT_FOLLOWED
    elif side.is_near and side.variance is not None:
        spread, root = Near(side.variance), Near(side.variance, is_root=True)
    edge = Near(side.edge) if side.is_near else side.edge
    shape = {"skewness": None, "excess_kurtosis": None}
    return row | {"house_edge": edge, "variance": spread, "standard_deviation": root} | shape


def spread_of(side: Side) -> dict[str, Any]:
    """Give between what the variance and the standard deviation lie."""
    bounds = [side.least_variance, side.variance]
    return {"variance_bounds": bounds, "standard_deviation_bounds": [f"sqrt({one})" for one in bounds]}


def volatility_rows(side: Side | None, basis: str) -> list[Any]:
    """Give the volatility index at each confidence: so many standard deviations."""
    rows = []
    for confidence in CONFIDENCES:
        z = z_of(confidence)
        index: Any = None
        bounds: Any = None
        if side is not None and side.is_unknown:
            index = NOT_FOLLOWED
        elif side is not None and not side.is_exact:
            ends = [side.least_variance, side.variance]
            bounds = [f"sqrt({Fraction(z) ** 2 * one})" for one in ends if one is not None]
        elif side is not None and side.variance is not None:
            square = Fraction(z) ** 2 * side.variance
            index = Near(square, is_root=True) if side.is_near else f"sqrt({square})"
        row = {"confidence": percent(confidence), "z": z, "index": index, "index_bounds": bounds, "basis": basis}
        rows.append(row)
    return rows


def expectation_rows(sides: list[Side], given: list[Any]) -> list[Any]:
    """Give what to expect of more and more plays, basis by basis; where there are several ways, by the sheet's."""
    wanted = [(side, plays) for side in sides if has_interval(side) for plays in PLAYS]
    rows = []
    for at, (side, plays) in enumerate(wanted):
        named = {"plays": plays, "basis": side.basis, "confidence": percent(CONFIDENCE)}
        if at < len(given):
            row = given[at] if isinstance(given[at], dict) else {}
            rows.append({**named, **of_plays(side, plays, row)})
        else:  # a row that is missing is named, and there is nothing to compare its figures with
            rows.append(named)
    return rows


def has_interval(side: Side) -> bool:
    """Whether the hold of many plays has bounds on this basis: not one by one as a player meets the meters."""
    return (
        side.results is not None
        or not side.is_exact
        or (side.rarest is not None and (side.variance is not None or side.is_unknown))
    )


def of_plays(side: Side, plays: int, row: dict[str, Any]) -> dict[str, Any]:
    """Give the bounds of so many plays, and how they are found."""
    z = Fraction(z_of(CONFIDENCE))
    if not side.is_exact and side.variance is not None:
        is_rough = side.skewed is not None and plays < PLAYS_PER_SQUARED_SKEWNESS * side.skewed
        return {"method": WIDEST, "poor_approximation": is_rough} | written(
            by_curve(side.edge, side.variance, plays, z)
        )
    if side.results is None:
        rough = side.rarest is not None and plays * side.rarest < PLAYS_PER_SQUARED_SKEWNESS
        how = {"method": "asymptotic", "poor_approximation": rough}
        if side.variance is None:
            return how | dict.fromkeys(("least_hold", "most_hold", "house_ahead"), NOT_FOLLOWED)
        return how | written(by_curve(side.edge, side.variance, plays, z))
    enough = plays_for_the_curve(side.results)
    if side.variance and (plays >= enough and plays > ALWAYS_SUMMED):
        return {"method": "normal", "poor_approximation": False} | written(by_curve(side.edge, side.variance, plays, z))
    if row.get("method") == "normal" and side.variance:  # the sums may have been too many
        return {"method": "normal", "poor_approximation": plays < enough} | written(
            by_curve(side.edge, side.variance, plays, z)
        )
    found = by_sums(side.results, plays)
    how = {"method": "distribution", "poor_approximation": False}
    return how | (
        dict.fromkeys(("least_hold", "most_hold", "house_ahead"), TOO_LONG) if found is None else written(found)
    )


def written(bounds: Bounds) -> dict[str, Any]:
    """Write bounds as a sheet does."""
    return {
        "least_hold": thirty(bounds.least),
        "most_hold": thirty(bounds.most),
        "house_ahead": thirty(bounds.ahead),
    }


def sides_of(house: House, meters: dict[str, Fraction]) -> list[Side]:
    """List the sides of a bet with meters: the books, seeds, averages, the player's, and amounts that are given."""
    is_near = any(level.is_capped for level in house.levels)
    found: list[Side] = []
    if house.has_closed_form:
        found.append(books_side(house))
    seeds = {level.terms.name: level.terms.seed for level in house.levels}
    averages = {level.terms.name: level.average() for level in house.levels}
    if not house.system.is_posted:
        found.append(side_at(house, "meters at their seeds", seeds))
        if house.has_closed_form:
            found.append(side_at(house, "meters at their averages", averages, is_near))
            edge = found[-1].edge
            found.append(Side("per wager at a random meter", {}, edge, None, house.player_variance(), is_near))
    if meters:
        found.append(side_at(house, "at the given meters", averages | meters, is_near))
    return found


def books_side(house: House) -> Side:
    """The side of the house's books."""
    variance = house.variance()
    if house.is_independent:
        return Side(house.basis, {}, house.hold, house.results(), variance)
    is_told = all(map(has_variance, house.levels))
    return Side(house.basis, {}, house.hold, None, variance, True, house.rarest, variance is None and is_told)


def side_at(house: House, basis: str, amounts: dict[str, Fraction], is_near: bool = False) -> Side:
    """The side of a wager by itself while the meters stand at some amounts."""
    results = house.awards.backs(amounts, house.system.wager)
    return Side(basis, amounts, 1 - mean_of(results), results, central(results, 2), is_near)
