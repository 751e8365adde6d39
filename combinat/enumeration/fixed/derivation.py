"""Each award's count from first principles: how many kinds of hand, times the ways of each, in n and in numbers.

It is read off the enumeration, so it shows the very counts that the figures come from, in terms that a reader can count
again: so many hands of three different cards, each in n·n·n ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb, factorial, perm, prod

from combinat.enumeration.fixed.fixed_deal import FixedDeal
from combinat.enumeration.outcomes import Derivation, Step, StepColumn
from combinat.enumeration.tally import Shape, ShapeCounts, Tally
from combinat.exact.whole import MiscountError
from decks import Shoe

_TIMES = {1: "once", 2: "twice", 3: "three times", 4: "four times", 5: "five times", 6: "six times", 7: "seven times"}
_SMALL = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}


def derivation(trial: FixedDeal, tally: Tally, shoe: Shoe) -> Derivation | None:
    """Derive the count of every award and of the hands that lose; none if cards are gone, so that there is no n.

    None either if hands were counted by classes of cards, whose shapes tell nothing of single cards.
    """
    if not shoe.is_full or trial.rows_instead_of_bits:
        return None
    steps: list[Step] = []
    totals: list[Step] = []
    for award, counts in (*enumerate(tally.wins), (None, tally.losing)):
        own = list(_steps(trial, tally.shapes(counts), shoe.decks, award))
        steps += own
        if len(own) != 1:
            totals.append(Step(award, ("", "", "", "", sum(_ways(step) for step in own))))
    kinds = "orders of dealing" if trial.roles_distinct else "sets of cards, whatever their order,"
    return Derivation(
        text="Each hand is one of a few patterns: all cards different, or one of them more than once. In n decks there "
        f"are n of every card. The kinds of hand are {kinds} among {trial.pack.size} different cards, counted one by "
        "one: those that fit the award and none above it. Times the ways of each they give the ways of the award.",
        caption="Ways from first principles",
        columns=(
            StepColumn("cards", "Cards", "text"),
            StepColumn("hands", "Kinds of hand", "count"),
            StepColumn("formula", "Ways of each from n decks", "formula"),
            StepColumn("numbers", f"With n = {shoe.decks}", "text"),
            StepColumn("ways", "Ways", "count"),
        ),
        steps=tuple(steps),
        totals=tuple(totals),
        all_hands=("", "", "", "", sum(map(_ways, steps))),
        is_closed_form=True,
        note="The closed forms are the sums of the patterns as polynomials in n, factored; with the number of decks "
        "put in they give the ways above.",
    )


def _ways(step: Step) -> int:
    ways = step.values[-1]
    if not isinstance(ways, int):
        raise TypeError(f"no number of ways: {ways}")
    return ways


def _steps(trial: FixedDeal, counts: ShapeCounts, decks: int, award: int | None) -> Iterator[Step]:
    """Go through the shapes of an award's hands, the most usual first."""
    for shape, ordered in sorted(counts.items(), key=lambda item: (len(item[0]), item[1]), reverse=True):
        if ordered:
            yield Step(award, _values(trial, shape, ordered, decks))


def _values(trial: FixedDeal, shape: Shape, ordered: int, decks: int) -> tuple[str | int, ...]:
    """Hands of one shape: the cards in words, how many hands, the ways of each in n and in numbers, and of all."""
    times = sorted((drawn.times for drawn in shape), reverse=True)
    if trial.roles_distinct:
        # A card that comes twice may lie in one role or in two, so the drawing is counted in order.
        ways = Fraction(ordered * prod(perm(decks, many) for many in times), trial.orders)
        divided = f" ÷ {trial.orders}" if trial.orders > 1 else ""
        formula = "·".join(_falling("n", many) for many in times) + divided
        numbers = "·".join(_falling(decks, many) for many in times) + divided
        hands = Fraction(ordered)
    else:
        hands = Fraction(ordered, factorial(sum(times)) // prod(map(factorial, times)))
        ways = hands * prod(comb(decks, many) for many in times)
        formula = "·".join("n" if many == 1 else f"C(n,{many})" for many in times)
        numbers = "·".join(str(comb(decks, many)) for many in times)
    if hands.denominator != 1 or ways.denominator != 1:
        raise MiscountError("a hand was not counted in all its orders")
    return _in_words(times), int(hands), formula, numbers, int(ways)


def _falling(start: int | str, times: int) -> str:
    """Write the ways to draw cards of one kind one after the other.

    >>> _falling("n", 3), _falling(6, 2)
    ('n(n−1)(n−2)', '6·5')
    """
    if isinstance(start, int):
        return "·".join(str(max(start - drawn, 0)) for drawn in range(times))
    return start + "".join(f"({start}−{drawn})" for drawn in range(1, times))


def _in_words(times: list[int]) -> str:
    """Say how often the cards of a hand repeat.

    >>> _in_words([1, 1, 1]), _in_words([2, 1]), _in_words([3])
    ('three different cards', 'one card twice and one other card', 'one card three times')
    """
    if len(times) == 1:
        return "one card" if times[0] == 1 else f"one card {_TIMES[times[0]]}"
    if times[0] == 1:
        return f"{_SMALL[len(times)]} different cards"
    parts: list[str] = []
    for many, kinds in sorted(Counter(times).items(), reverse=True):
        other = "other " if parts else ""
        repeated = f" {_TIMES[many]}" if many > 1 else ""
        parts.append(f"{_SMALL[kinds]} {other}card{'s' if kinds > 1 else ''}{repeated}")
    return " and ".join(parts)
