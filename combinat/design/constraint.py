"""The single demands of a spec, each of which can be left out to see whether the others can be met."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from msgspec import Struct

from combinat.design.spec import Spec, is_plain
from combinat.exact.amounts import decimal_text
from combinat.exact.limits import Limits
from decks import format_deck_counts

EDGE, HITS, DEVIATION, SHARE, TOP = "edge", "hits", "deviation", "share", "top"
FALLING, DESCENDING = "falling", "descending"


class Constraint(Struct, frozen=True):
    """One demand: a figure that must not be below or above a limit at a deck count, or something about the pays."""

    kind: str
    at: int = 0
    """Which of the spec's deck counts it is about."""
    low: Fraction | None = None
    high: Fraction | None = None
    text: str = ""

    def __str__(self) -> str:
        return self.text


def constraints(spec: Spec) -> tuple[Constraint, ...]:
    """List what a spec demands."""
    found = [
        *_edges(spec),
        *_limits(spec, HITS, "the hit frequency", spec.hit_frequency, _percent),
        *_limits(spec, DEVIATION, "the standard deviation", spec.standard_deviation, decimal_text),
        *_limits(spec, SHARE, "the top award's share of the return", spec.top_share, _percent),
    ]
    if spec.falling:
        found.append(Constraint(FALLING, text="every award pays less than the one above it"))
    if _is_descending(spec):
        found.append(Constraint(DESCENDING, text=f"no award pays more than one above it{_as_in_original(spec)}"))
    if spec.top_at_least is not None:
        least = decimal_text(spec.top_at_least)
        found.append(Constraint(TOP, low=spec.top_at_least, text=f"the top award pays at least {least}"))
    return tuple(found)


def in_short(spec: Spec) -> tuple[str, ...]:
    """Say what a spec demands as a person would: limits with both ends, and deck counts with equal ones together.

    >>> from combinat.bets.lookup import find
    >>> from combinat.design.choice import parse_choice
    >>> from combinat.design.spec import open_pays
    >>> bet, limits = find("TRI-04"), Limits(Fraction(4, 100), Fraction(45, 1000))
    >>> pays = open_pays(bet, {"*": parse_choice("1..50", "pays")})
    >>> in_short(Spec(bet, (6, 8), pays, (limits, limits), top_share=Limits(high=Fraction(1, 4)), falling=False))
    ('edge from 4% to 4.5% with 6, 8 decks', "top award's share of the return up to 25%")
    """
    by_limits: dict[Limits, list[int]] = {}
    for decks, limits in zip(spec.decks, spec.edges, strict=True):
        by_limits.setdefault(limits, []).append(decks)
    edge = "hold" if spec.has_meters else "edge"
    found = [
        f"{edge} {_span(limits, _percent)} with {format_deck_counts(tuple(counts))} deck{'s' * (counts != [1])}"
        for limits, counts in by_limits.items()
        if limits != Limits()
    ]
    for what, limits, written in (
        ("hit frequency", spec.hit_frequency, _percent),
        ("standard deviation", spec.standard_deviation, decimal_text),
        ("top award's share of the return", spec.top_share, _percent),
    ):
        if limits != Limits():
            found.append(f"{what} {_span(limits, written)}")
    found += ["pays that fall from award to award"] if spec.falling else []
    found += [f"no award that pays more than one above it{_as_in_original(spec)}"] if _is_descending(spec) else []
    found += [f"a top award of at least {decimal_text(spec.top_at_least)}"] if spec.top_at_least is not None else []
    return tuple(found)


def _is_descending(spec: Spec) -> bool:
    """Whether no award may pay more than one above it, and some could."""
    if spec.falling is not None:
        return False
    places = {place for pair in spec.descending_pairs for place in pair}
    pays = {place: nets for place in places if (nets := spec.nets(place))}
    return any(
        upper in pays and lower in pays and pays[lower][-1] > pays[upper][0] for upper, lower in spec.descending_pairs
    )


def _as_in_original(spec: Spec) -> str:
    """Say which awards are not compared, if any are not."""
    fixed = sum(is_plain(award) for award in spec.stated)
    is_descending = len(spec.descending_pairs) == fixed * (fixed - 1) // 2
    return "" if is_descending else f" unless it does in {spec.paytable.id}"


def _span(limits: Limits, written: Callable[[Fraction], str]) -> str:
    low, high = (None if end is None else _signed(end, written) for end in (limits.low, limits.high))
    if low is None:
        return f"up to {high}"
    return f"from {low} up" if high is None else f"of {low}" if low == high else f"from {low} to {high}"


def _edges(spec: Spec) -> Iterator[Constraint]:
    what = "the hold" if spec.has_meters else "the edge"
    for at, limits in enumerate(spec.edges):
        yield from _ends(EDGE, at, what, limits, _percent, f" with {_decks(spec.decks[at])}")


def _limits(
    spec: Spec, kind: str, what: str, limits: Limits, written: Callable[[Fraction], str]
) -> Iterator[Constraint]:
    for at, decks in enumerate(spec.decks):
        yield from _ends(kind, at, what, limits, written, f" with {_decks(decks)}")


def _ends(
    kind: str, at: int, what: str, limits: Limits, written: Callable[[Fraction], str], where: str
) -> Iterator[Constraint]:
    if limits.low is not None:
        yield Constraint(kind, at, low=limits.low, text=f"{what} is at least {_signed(limits.low, written)}{where}")
    if limits.high is not None:
        yield Constraint(kind, at, high=limits.high, text=f"{what} is at most {_signed(limits.high, written)}{where}")


def _signed(value: Fraction, written: Callable[[Fraction], str]) -> str:
    return f"−{written(-value)}" if value < 0 else written(value)


def signed_percent(value: Fraction) -> str:
    """Format an edge as a percentage, as the demands write it.

    >>> signed_percent(Fraction(-1, 200)), signed_percent(Fraction(9, 200))
    ('−0.5%', '4.5%')
    """
    return _signed(value, _percent)


def _percent(value: Fraction) -> str:
    return f"{decimal_text(value * 100)}%"


def _decks(count: int) -> str:
    return f"{count} deck{'s' if count > 1 else ''}"
