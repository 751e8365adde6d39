"""Explain a published hold: find the round rates and seeds that give it to its printed digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

from msgspec import Struct

from combinat.analysis.analysis import analyze_wager
from combinat.bets.paytable import Paytable
from combinat.enumeration.tally import NoHandError
from combinat.exact.interval import Interval
from decks import InputError, Shoe
from decks.errors import quote

SEEDS = tuple(Fraction(mantissa * 10**power) for power in (2, 3, 4) for mantissa in (1, 2, 5))
"""Round seeds: 100, 200, 500 and so on to 50,000."""
MAX_TRIES = 300_000
"""Maximum number of combinations of rates and seeds to try, including partial ones: some seconds."""
RATES = tuple(Fraction(percent, 100) for percent in range(1, 51))


class Goal(Struct, frozen=True):
    """A paytable with the hold that its source prints, and the hit frequency if it prints one."""

    paytable: Paytable
    hold: str
    hit_frequency: str | None = None
    decks: tuple[int, ...] | None = None


class Explanation(Struct, frozen=True):
    """A rate and seeds, by level from the rarest award on, that give every goal's hold at the given deck counts."""

    rate: Fraction
    seeds: tuple[Fraction, ...]
    decks: tuple[int, ...]
    holds: tuple[Fraction, ...]
    effort: int
    """Complexity of the figures; the simplest explanations come first."""


def printed_interval(text: str) -> Interval[Fraction]:
    """Return the interval of values that are printed as this percentage.

    >>> print(printed_interval("24.78%"))
    991/4000 to 4957/20000
    """
    digits = text.strip().rstrip("%").strip()
    integer_digits, _, decimals = digits.partition(".")
    if not (integer_digits + decimals).isdecimal() or not (integer_digits + decimals).isascii() or len(digits) > 20:
        raise InputError(f"cannot read the percentage {quote(text)}; write it as printed, such as 24.78")
    half_unit = Fraction(1, 2 * 100 * 10 ** len(decimals))
    value = Fraction(digits) / 100
    return Interval(value - half_unit, value + half_unit)


def _simplicity(rate: Fraction, seeds: Sequence[Fraction]) -> int:
    """Return a penalty for a rate that is no multiple of 5%, and for seeds that are not round or proportional."""
    percent = rate * 100
    effort = 0 if percent % 5 == 0 else 1 if percent % 2 == 0 else 2
    for seed in seeds:
        leading_digits = str(int(seed)).rstrip("0")
        effort += {"1": 0, "5": 1, "2": 1}.get(leading_digits, 3)
    return effort + sum(
        1 for seed_above, seed_below in pairwise(seeds) if seed_above not in (seed_below, 2 * seed_below)
    )


class _Candidate(Struct, frozen=True):
    """A goal at one deck count: the share of the wager available to the meters, and the cost of a unit of each seed."""

    decks: int
    spare: Fraction
    costs: tuple[Fraction, ...]
    printed: Interval[Fraction]

    def hold(self, rate: Fraction, seeds: Sequence[Fraction]) -> Fraction:
        return (
            self.spare - rate - sum((cost * seed for cost, seed in zip(self.costs, seeds, strict=False)), Fraction(0))
        )

    def matches(self, rate: Fraction, seeds: Sequence[Fraction]) -> bool:
        return self.printed.has(self.hold(rate, seeds))


def _candidates(goal: Goal) -> list[_Candidate]:
    hold_interval = printed_interval(goal.hold)
    candidates = []
    counts = goal.decks or range(1, 9)
    for decks in counts:
        try:
            analysis = analyze_wager(goal.paytable, Shoe(decks, goal.paytable.bet.pack))
        except NoHandError:
            if decks == max(counts):
                raise  # more decks never make hands rarer, so there are none with fewer decks either
            continue
        frequency = goal.hit_frequency
        if frequency is not None and not printed_interval(frequency).has(analysis.hit_frequency):
            continue
        probabilities: dict[str, Fraction] = dict.fromkeys(goal.paytable.meters, Fraction(0))
        for line in analysis.lines:
            if line.award.pay.meter is not None and line.award.pay.amount == 1:
                probabilities[line.award.pay.meter] += line.probability
        rarest_first = sorted(probability for probability in probabilities.values() if probability)
        if len(rarest_first) == len(probabilities):
            costs = tuple(probability / analysis.meter_wager for probability in rarest_first)
            candidates.append(_Candidate(decks, 1 - analysis.fixed_return, costs, hold_interval))
    return candidates


def explain_hold(
    goals: Sequence[Goal], rates: Sequence[Fraction] = RATES, seeds: Sequence[Fraction] = SEEDS
) -> tuple[Explanation, ...]:
    """Find every rate and set of seeds on the grid that gives all goals their printed hold, simplest first.

    The rate is what all levels of a paytable take together; the seeds go from the level hit least often to the one hit
    most often and never rise. One rate and one list of seeds explain all goals, each using as many as it has levels.
    """
    for goal in goals:
        if not goal.paytable.meters:
            raise InputError(f"{goal.paytable.id} has no meters, so there are no rates and seeds to find")
    candidates = [_candidates(goal) for goal in goals]
    for goal, options in zip(goals, candidates, strict=True):
        if not options:
            frequency = goal.hit_frequency or ""
            raise InputError(f"{goal.paytable.id}: no deck count gives the printed hit frequency {frequency}".strip())
    levels = max(len(goal.paytable.meters) for goal in goals)
    tries = _tries()
    explanations = [
        explanation
        for decks in product(*candidates)
        for explanation in _search(decks, levels, sorted(rates), sorted(seeds, reverse=True), tries)
    ]
    if not explanations:
        names = ", ".join(f"{goal.paytable.id} {goal.hold}" for goal in goals)
        raise InputError(f"no rate and seeds among those tried give {names}; try more with --rates or --seeds")
    return tuple(sorted(explanations, key=lambda item: (item.effort, item.rate, tuple(-seed for seed in item.seeds))))


def _tries() -> Iterator[int]:
    """Yield a counter, and raise an error when it exceeds the maximum."""
    yield from range(MAX_TRIES)
    raise InputError(f"there are more than {MAX_TRIES:,} combinations to try; give fewer --rates, --seeds or --decks")


def _search(
    candidates: Sequence[_Candidate],
    levels: int,
    rates: Sequence[Fraction],
    seeds: Sequence[Fraction],
    tries: Iterator[int],
) -> Iterator[Explanation]:
    for rate in rates:
        next(tries)
        if any(candidate.spare - rate < candidate.printed.low for candidate in candidates):
            break  # a higher rate gives a lower hold
        for chosen_seeds in _descending(candidates, rate, levels, seeds, (), tries):
            holds = tuple(candidate.hold(rate, chosen_seeds) for candidate in candidates)
            decks = tuple(candidate.decks for candidate in candidates)
            yield Explanation(rate, chosen_seeds, decks, holds, _simplicity(rate, chosen_seeds))


def _descending(
    candidates: Sequence[_Candidate],
    rate: Fraction,
    levels: int,
    seeds: Sequence[Fraction],
    chosen_seeds: tuple[Fraction, ...],
    tries: Iterator[int],
) -> Iterator[tuple[Fraction, ...]]:
    """Yield descending seeds level by level, pruning as soon as a table whose levels are all chosen does not match."""
    for candidate in candidates:
        next(tries)
        if len(candidate.costs) == len(chosen_seeds) and not candidate.matches(rate, chosen_seeds):
            return
        if candidate.hold(rate, chosen_seeds) < candidate.printed.low:
            return
    if len(chosen_seeds) == levels:
        yield chosen_seeds
        return
    for seed in seeds:
        if not chosen_seeds or seed <= chosen_seeds[-1]:
            yield from _descending(candidates, rate, levels, seeds, (*chosen_seeds, seed), tries)
