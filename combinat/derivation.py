"""Each award's count from first principles: how many kinds of hand, times the ways of each, in n and in numbers.

It is read off the enumeration, so it shows the very counts that the figures come from, in terms that a reader can count
again: so many hands of three different cards, each in n·n·n ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import comb, factorial, perm, prod

from msgspec import Struct

from combinat.fixed_deal import FixedDeal
from combinat.paytable import Paytable
from combinat.tally import ShapeCounts
from combinat.whole import divided
from decks import Shoe

_TIMES = {1: "once", 2: "twice", 3: "three times", 4: "four times", 5: "five times"}
_SMALL = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}


class Step(Struct, frozen=True):
    """Hands of one kind: how many there are, and the ways of each."""

    cards: str
    """What is drawn, in words."""
    hands: int
    formula: str
    """The ways of one hand from n decks."""
    numbers: str
    """The same with the number of decks put in."""
    ways: int
    """The ways of all these hands."""


class Derivation(Struct, frozen=True):
    """How the count of an award, of the losing hands, or of all hands, comes about."""

    name: str
    steps: tuple[Step, ...]
    ways: int


def derivations(paytable: Paytable, shoe: Shoe) -> tuple[Derivation, ...]:
    """Derive the count of every award and of the hands that win nothing, for a bet with a fixed deal.

    >>> from combinat.finding import find
    >>> royal = derivations(find("TRI-03"), Shoe(6))[0]
    >>> [(step.cards, step.hands, step.formula, step.numbers, step.ways) for step in royal.steps]
    [('three different cards', 4, 'n·n·n', '6·6·6', 864)]
    """
    trial = paytable.experiment
    if not isinstance(trial, FixedDeal) or not shoe.is_full:
        raise ValueError(
            "only a fixed deal from full decks is derived: a draw ends by itself, and cards gone leave no n"
        )
    named = [(award.name, counts) for award, counts in zip(paytable.awards, paytable.tally.takes, strict=True)]
    found = []
    for name, counts in [*named, ("no award", paytable.tally.none)]:
        steps = tuple(_steps(counts, paytable, shoe.decks))
        found.append(Derivation(name, steps, sum(step.ways for step in steps)))
    return tuple(found)


def _steps(counts: ShapeCounts, paytable: Paytable, decks: int) -> Iterator[Step]:
    """Go through the shapes of an award's hands, the most usual first."""
    orders = paytable.tally.orders
    for shape, ordered in sorted(counts.items(), key=lambda item: (len(item[0]), item[1]), reverse=True):
        if not ordered:
            continue
        times = sorted((many for _, _, many in shape), reverse=True)
        cards = _in_words(times)
        if paytable.apart:
            # A card that comes twice may lie in one role or in two, so the drawing is counted in order.
            ways = divided(ordered * prod(perm(decks, many) for many in times), orders)
            over = f" ÷ {orders}" if orders > 1 else ""
            formula = "·".join(_falling("n", many) for many in times) + over
            numbers = "·".join(_falling(decks, many) for many in times) + over
            hands = ordered
        else:
            arrangements = factorial(sum(times)) // prod(map(factorial, times))
            hands = divided(ordered, arrangements)  # every order of a hand was counted
            ways = hands * prod(comb(decks, many) for many in times)
            formula = "·".join("n" if many == 1 else f"C(n,{many})" for many in times)
            numbers = "·".join(str(comb(decks, many)) for many in times)
        yield Step(cards, hands, formula, numbers, ways)


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
