"""What a count is worth on a sheet: its correlation, and how often one bets where three tags or fewer are told apart.

After so many cards, how many of them have each tag follows the hypergeometric law, one binomial coefficient for each
tag; so often each running count comes, state by state.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from fractions import Fraction
from itertools import accumulate
from math import ceil, comb
from typing import Any, NamedTuple

from combinat.verifier.cards import Shoe
from combinat.verifier.compare import NotChecked
from combinat.verifier.reading import UnreadableError, said, shown

DECK = 52
PLACES = 10**12
"""How likely a round begins at a depth is told to so many parts."""
MOST_TAGS = 3


LARGEST = 99
"""No tag is larger."""


class Customs(NamedTuple):
    """How many cards rounds take in how many of so many, whether cards are burned by points, and how it ends."""

    shortest: int
    lengths: tuple[int, ...]
    is_by_points: bool
    after_cut: int


CUSTOMS = {
    "blackjack": Customs(4, (173, 384, 281, 114, 33, 10, 5), False, 0),
    "baccarat": Customs(4, (379, 304, 317), True, 1),
    "lucky 9": Customs(4, (206, 500, 285, 7, 1, 1), False, 0),
}


def count_rows(shoe: Shoe, part: dict[str, Any], effects: list[tuple[list[str], Fraction]]) -> list[dict[str, Any]]:
    """Work out what can be said of each count from the effects of removal that were counted again."""
    return [_count(shoe, part, effects, one) for one in said(part, "counts", list)]


def _count(
    shoe: Shoe, part: dict[str, Any], effects: list[tuple[list[str], Fraction]], one: dict[str, Any]
) -> dict[str, Any]:
    tags = said(one, "tags", dict)
    if wrong := [tag for tag in tags.values() if type(tag) is not int or abs(tag) > LARGEST]:
        raise UnreadableError(f"no tag '{shown(wrong[0])}'")
    copies = {name: shoe.left(shoe.card_of(name)) for name in tags}
    if min(copies.values(), default=0) < 0 or sum(copies.values()) != shoe.size(shoe.decks):
        raise UnreadableError("the tags are not those of the cards of the shoe")
    if any(name not in tags for names, _ in effects for name in names):
        raise UnreadableError("a card has no tag")
    told = _betting(shoe, copies, tags, one)
    rows: list[dict[str, Any]] = []
    money = _number(part, "wager") * _number(part, "rounds_per_hour")
    for row, often in zip(said(one, "by_cut", list), told, strict=True):
        if row["trigger"] is None:
            rows.append({})
            continue
        won = _number(row, "frequency") * _number(row, "edge")
        rows.append({"frequency": often, "won_per_100_rounds": 100 * won, "won_per_hour": money * won})
    return {"betting_correlation": _correlation(copies, tags, effects), "by_cut": rows}


def _number(part: dict[str, Any], key: str) -> Fraction:
    """Read an exact number, of however many digits a sheet writes."""
    text = str(part.get(key))
    if not re.fullmatch(r"-?\d{1,4000}(/0*[1-9]\d{0,3999})?", text, re.ASCII):
        raise UnreadableError(f"'{key}' is no number: '{shown(text)}'")
    return Fraction(text)


def _correlation(copies: dict[str, int], tags: dict[str, int], effects: list[tuple[list[str], Fraction]]) -> str | None:
    """The correlation, card by card of the shoe, between its tag and what is gained by its removal."""
    cards = [(copies[name], tags[name], -change) for names, change in effects for name in names]
    number = sum([many for many, _, _ in cards])
    first = Fraction(sum([many * tag for many, tag, _ in cards]), number)
    second = sum([many * gain for many, _, gain in cards]) / number
    both = sum([many * (tag - first) * (gain - second) for many, tag, gain in cards])
    of_tags = sum([many * (tag - first) * (tag - first) for many, tag, _ in cards])
    of_gains = sum([many * (gain - second) * (gain - second) for many, _, gain in cards])
    return f"{'-' if both < 0 else ''}sqrt({both * both / (of_tags * of_gains)})" if of_tags and of_gains else None


def _betting(shoe: Shoe, copies: dict[str, int], tags: dict[str, int], one: dict[str, Any]) -> list[Any]:
    """How often one bets from each trigger on, with the cut card at each place."""
    sizes: dict[int, int] = {}
    for name, tag in tags.items():
        sizes[tag] = sizes.get(tag, 0) + copies[name]
    customs = CUSTOMS.get(said(one, "conventions", str))
    rows = said(one, "by_cut", list)
    size = sum(sizes.values())
    for row in rows:
        if not isinstance(row, dict) or "trigger" not in row or not 0 <= said(row, "cut", int) < size:
            raise UnreadableError(f"no row of a count '{shown(row)}'")
    if customs is None or len(sizes) > MOST_TAGS:
        return [NotChecked("of counts with more than three different tags") for _ in rows]
    by_worth: dict[int, dict[int, int]] = {}
    for name, many in copies.items():
        rank = shoe.card_of(name)[0]
        own = by_worth.setdefault(1 if rank == 14 else min(rank, 10), {})
        own[tags[name]] = own.get(tags[name], 0) + many
    first = FirstCard(sizes, by_worth) if customs.is_by_points else None
    running = Running(list(sizes.items()))
    found: list[Any] = []
    for row in rows:
        if row["trigger"] is None:
            found.append(None)
            continue
        trigger, cut = _number(row, "trigger"), size - row["cut"]
        if first is not None:
            found.append(first.often(customs, trigger, cut))
            continue
        bets = every = Fraction(0)
        for depth, likely in _depths(customs, 1, cut).items():  # the first card is burned unseen
            seen = depth - 1
            least = ceil(trigger * (size - seen) / DECK)
            bets += likely * Fraction(running.reached(seen, least), comb(size, seen))
            every += likely
        found.append(bets / every)
    return found


class FirstCard:
    """A card that is shown says how many are burned, and is counted; given its tag, the others follow the law."""

    def __init__(self, sizes: dict[int, int], by_worth: dict[int, dict[int, int]]) -> None:
        self.by_worth, self.size = by_worth, sum(sizes.values())
        self.others = {tag: Running([(other, many - (other == tag)) for other, many in sizes.items()]) for tag in sizes}

    def often(self, customs: Customs, trigger: Fraction, cut: int) -> Fraction:
        """How often one bets from a trigger on."""
        begun: dict[tuple[int, int], int] = {}
        for worth, of_tag in self.by_worth.items():
            for depth, likely in _depths(customs, 1 + worth, cut).items():
                for tag, many in of_tag.items():
                    begun[depth - worth, tag] = begun.get((depth - worth, tag), 0) + likely * many
        bets = Fraction(0)
        for (seen, tag), weight in begun.items():
            least = ceil(trigger * (self.size - seen) / DECK) - tag
            if weight:
                bets += weight * Fraction(self.others[tag].reached(seen - 1, least), comb(self.size - 1, seen - 1))
        return bets / sum(begun.values())


class Running:
    """In how many ways so many cards have a running count of so much or more.

    >>> [Running([(-1, 2), (1, 2)]).reached(2, least) for least in (-2, 0, 1, 3)]
    [6, 5, 1, 0]
    """

    def __init__(self, tags: list[tuple[int, int]]) -> None:
        self.first, self.second, self.third = [*tags, (0, 0), (0, 0)][:MOST_TAGS]
        self.known: dict[int, tuple[list[int], list[int]]] = {}

    def reached(self, seen: int, least: int) -> int:
        """Take so many cards of the first tag, and the others of the two that are left."""
        tag, many = self.first
        found = 0
        for taken in range(max(0, seen - self.second[1] - self.third[1]), min(many, seen) + 1):
            counts, ways = self.others(seen - taken)
            found += comb(many, taken) * ways[bisect_left(counts, least - tag * taken)]
        return found

    def others(self, cards: int) -> tuple[list[int], list[int]]:
        """The counts that cards of the second and third tag have, and the ways to have each of them or a higher one."""
        if cards not in self.known:
            (tag, many), (other, rest) = self.second, self.third
            each: dict[int, int] = {}
            for taken in range(max(0, cards - rest), min(many, cards) + 1):
                count = tag * taken + other * (cards - taken)
                each[count] = each.get(count, 0) + comb(many, taken) * comb(rest, cards - taken)
            counts = sorted(each)
            tails = [*accumulate([each[count] for count in reversed(counts)], initial=0)]
            self.known[cards] = counts, tails[::-1]
        return self.known[cards]


def _depths(customs: Customs, first: int, cut_at: int) -> dict[int, int]:
    """How likely a round begins at each depth: one that begins before the cut card is played, and some after its."""
    found: dict[int, int] = {}
    now, thousand = {first: PLACES}, sum(customs.lengths)
    for rounds_after in range(customs.after_cut + 1):
        after: dict[int, int] = {}
        while now:
            depth = min(now)
            likely = now.pop(depth)
            found[depth] = found.get(depth, 0) + likely
            for longer, many in enumerate(customs.lengths):
                end = depth + customs.shortest + longer
                goes_on = now if rounds_after == 0 and end < cut_at else after
                goes_on[end] = goes_on.get(end, 0) + round_half_to_even(likely * many, thousand)
        now = after
    return {depth: likely for depth, likely in found.items() if likely}


def round_half_to_even(number: int, over: int) -> int:
    """Divide and take the nearest whole number, of two the even one.

    >>> [round_half_to_even(number, 2) for number in (1, 2, 3, 5)]
    [0, 1, 2, 2]
    """
    whole, rest = divmod(number, over)
    return whole + (2 * rest > over or (2 * rest == over and whole % 2 == 1))
