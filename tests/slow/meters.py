"""Meters followed play by play: every possible amount with its exact probability.

A law is a dict from the amounts of all meters between two plays to their probability. An award is the index of its
meter, its share and its probability; awards exclude one another. In a play the contributions go in, then the cards are
dealt, and at most one award is paid out of the meters.
"""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple


class Meter(NamedTuple):
    seed: Fraction
    contribution: Fraction
    cap: Fraction | None = None
    after: Fraction = Fraction(0)
    deducted: bool = True


class Books(NamedTuple):
    """Means of one play."""

    found: tuple[Fraction, ...]
    squares: tuple[Fraction, ...]
    paid: Fraction
    """Payments to players out of meters, or by their amounts."""
    put_in: Fraction
    """Contributions that went into meters."""
    kept_out: Fraction
    """Contributions withheld by a cap."""
    seeds: Fraction
    beside: Fraction
    """Payments that are not taken out of the meter, so that the house pays them."""


def grow(meter, amount):
    if meter.cap is None:
        return amount + meter.contribution
    if amount >= meter.cap:
        return amount + meter.after
    return min(amount + meter.contribution, meter.cap)


def take(meter, amount, share):
    """Return the meter after an award has paid a share of it."""
    if share == 1:
        return meter.seed
    return amount - share * amount if meter.deducted else amount


def find(meters, law):
    """Return the law of the amounts that a play finds, including its own contribution."""
    found = defaultdict(Fraction)
    for amounts, probability in law.items():
        found[tuple(grow(meter, amount) for meter, amount in zip(meters, amounts, strict=True))] += probability
    return dict(found)


def play(meters, law, awards):
    """Return the law after one play."""
    after = defaultdict(Fraction)
    nothing = 1 - sum(probability for _, _, probability in awards)
    for amounts, mass in find(meters, law).items():
        if nothing:
            after[amounts] += mass * nothing
        for place, share, probability in awards:
            remaining = list(amounts)
            remaining[place] = take(meters[place], amounts[place], share)
            after[tuple(remaining)] += mass * probability
    return dict(after)


def at_seeds(meters):
    return {tuple(meter.seed for meter in meters): Fraction(1)}


def books(meters, law, awards):
    """Return the means of what one play finds, pays and contributes."""
    found = find(meters, law)
    places = range(len(meters))
    means = tuple(sum(probability * amounts[place] for amounts, probability in found.items()) for place in places)
    squares = tuple(
        sum(probability * amounts[place] ** 2 for amounts, probability in found.items()) for place in places
    )
    before = sum(probability * sum(amounts) for amounts, probability in law.items())
    offered = sum(meter.contribution for meter in meters)
    paid = seeds = beside = Fraction(0)
    for place, share, probability in awards:
        paid += probability * share * means[place]
        if share == 1:
            seeds += probability * meters[place].seed
        elif not meters[place].deducted:
            beside += probability * share * means[place]
    put_in = sum(means) - before
    return Books(means, squares, paid, put_in, offered - put_in, seeds, beside)


def stationary(meters, awards, most_states=200):
    """Return the stationary law of meters with finitely many amounts."""
    states, seen = list(at_seeds(meters)), set(at_seeds(meters))
    moves = {}
    for state in states:  # grows during the loop
        moves[state] = play(meters, {state: Fraction(1)}, awards)
        fresh = moves[state].keys() - seen
        seen |= fresh
        states += sorted(fresh)
        assert len(states) <= most_states, "the meters can stand at too many amounts"
    place = {state: number for number, state in enumerate(states)}
    size = len(states)
    rows = [[Fraction(0)] * (size + 1) for _ in states]
    for state, number in place.items():
        rows[number][number] -= 1
        for after, probability in moves[state].items():
            rows[place[after]][number] += probability
    rows[-1] = [Fraction(1)] * (size + 1)  # replaces one equation that the others imply
    return dict(zip(states, _solve(rows), strict=True))


def _solve(rows):
    """Solve linear equations; each row has its coefficients and then its right side."""
    size = len(rows)
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column][column]
        rows[column] = [value / lead for value in rows[column]]
        for row in range(size):
            if row != column and (factor := rows[row][column]):
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [row[-1] for row in rows]


def cycle_sums(meter, reset, parts, plays):
    """Bound the means of the amount and of its square over all plays, following one meter from a reset on.

    The mean over all plays is the sum over the plays up to the next reset, divided by their mean number, 1/p. The sum
    is truncated after a number of plays. Later, the amount is at most S + cn in play n, so the n-th term is at most
    (1-p)^(n-1) (S + cn)^k; from one n to the next this shrinks at least by r = (1-p) ((n+1)/n)^k, so the rest is at
    most the next term over 1-r.
    """
    law = at_seeds([meter])
    awards = [(0, share, probability) for share, probability in parts]
    sums = [Fraction(0), Fraction(0)]
    for _ in range(plays):
        for (amount,), probability in find([meter], law).items():
            sums[0] += probability * amount
            sums[1] += probability * amount**2
        law = {
            amounts: probability * (1 - reset)
            for amounts, probability in _without_reset(meter, law, awards, reset).items()
        }
    most = max(meter.contribution, meter.after)
    bounds = []
    for power, total in enumerate(sums, 1):
        following = (1 - reset) ** plays * (meter.seed + most * (plays + 1)) ** power
        shrinks = (1 - reset) * Fraction(plays + 2, plays + 1) ** power
        assert shrinks < 1
        bounds.append((reset * total, reset * (total + following / (1 - shrinks))))
    return bounds


def _without_reset(meter, law, awards, reset):
    """Return the law after one play without a reset."""
    return play([meter], law, [(place, share, probability / (1 - reset)) for place, share, probability in awards])


def limit(terms):
    """Return the exact limit of a constant plus k geometric sequences from 2k + 1 of its terms.

    This is Shanks's transformation by Wynn's epsilon table.
    """
    before, now = [Fraction(0)] * (len(terms) + 1), list(terms)
    while len(now) > 1:
        differences = [b - a for a, b in pairwise(now)]
        if not any(differences):
            return now[0]
        before, now = now, [old + 1 / gap for old, gap in zip(before[1:], differences, strict=False)]
    return now[0]


def meter_at_age(meter, plays):
    """Return what a play finds `plays` after a reset, stepping through all of them."""
    amount = meter.seed
    for _ in range(plays):
        amount = grow(meter, amount)
    return amount


def falls_below(meter, reset, pays, floor, plays):
    """Return the probability that a meter paying everything falls below a floor after some play."""
    law, fallen = {meter.seed: Fraction(1)}, Fraction(0)
    nothing = 1 - reset - sum(probability for _, probability in pays)
    for _ in range(plays):
        after = defaultdict(Fraction)
        for amount, mass in law.items():
            shown = grow(meter, amount)
            after[meter.seed] += mass * reset
            after[shown] += mass * nothing
            for paid, probability in pays:
                after[shown - paid] += mass * probability
        fallen += sum(probability for amount, probability in after.items() if amount < floor)
        law = {amount: probability for amount, probability in after.items() if amount >= floor}
    return fallen


def falls_below_with_reserve_added(meter, reset, pays, floor, plays, per_play):
    """Return the same, tracking the reserve since the last hit, which is added to the next seed."""
    law, fallen = {(meter.seed, Fraction(0)): Fraction(1)}, Fraction(0)
    nothing = 1 - reset - sum(probability for _, probability in pays)
    for _ in range(plays):
        after = defaultdict(Fraction)
        for (amount, held), mass in law.items():
            shown, aside = grow(meter, amount), held + per_play
            after[meter.seed + aside, Fraction(0)] += mass * reset
            after[shown, aside] += mass * nothing
            for paid, probability in pays:
                after[shown - paid, aside] += mass * probability
        fallen += sum(probability for (amount, _), probability in after.items() if amount < floor)
        law = {state: probability for state, probability in after.items() if state[0] >= floor}
    return fallen


def means_paying_all(meter, reset, pays, plays):
    """Return the mean that each of the first plays finds on a meter paying everything."""
    law, means = {meter.seed: Fraction(1)}, []
    nothing = 1 - reset - sum(probability for _, probability in pays)
    for _ in range(plays):
        after = defaultdict(Fraction)
        for amount, mass in law.items():
            shown = grow(meter, amount)
            for remaining, probability in [
                (meter.seed, reset),
                (shown, nothing),
                *((shown - paid, part) for paid, part in pays),
            ]:
                after[remaining] += mass * probability
        means.append(sum(mass * grow(meter, amount) for amount, mass in law.items()))
        law = dict(after)
    return means


def means_with_reserve_added(meter, reset, per_play, plays):
    """Return the mean that each of the first plays finds if the reserve between hits is added to the next seed."""
    law, means = {(meter.seed, Fraction(0)): Fraction(1)}, []
    for _ in range(plays):
        after = defaultdict(Fraction)
        mean = Fraction(0)
        for (amount, held), mass in law.items():
            shown, aside = grow(meter, amount), held + per_play
            mean += mass * shown
            after[meter.seed + aside, Fraction(0)] += mass * reset
            after[shown, aside] += mass * (1 - reset)
        means.append(mean)
        law = dict(after)
    return means


def seeds_and_reserve(reset, seed, per_play, plays):
    """Return the house's mean cost of seeds and their reserve, paying what the reserve cannot.

    The reserve starts empty, gets its part of every wager, and pays as much of each seed as it holds.
    """
    law, laid_out = {Fraction(0): Fraction(1)}, Fraction(0)
    for _ in range(plays):
        after = defaultdict(Fraction)
        for held, mass in law.items():
            grown = held + per_play
            laid_out += mass * (per_play + reset * max(seed - grown, Fraction(0)))
            after[max(grown - seed, Fraction(0))] += mass * reset
            after[grown] += mass * (1 - reset)
        law = dict(after)
    return laid_out
