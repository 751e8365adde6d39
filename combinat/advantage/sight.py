"""What it is worth to see cards of the round besides the count: one bets where both together promise a gain.

A sum of tags takes a card in view for one that is gone. But a six under the dealer's hand is no six that the dealer
has not: so each way that the ranks in view can fall is looked at by itself, with the count of the cards seen before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, lcm, perm

from more_itertools import chunked
from msgspec.structs import replace

from combinat.advantage.conventions import Round
from combinat.advantage.counted import AtDepth, counted_together
from combinat.advantage.counts import Count
from combinat.advantage.shown import by_shown
from combinat.advantage.tags import Tags
from combinat.advantage.uses import Taken, Uses, Weight, uses
from combinat.bets.paytable import Paytable
from combinat.enumeration.listing import Listing, ListsCards
from decks import Card, Composition

MOST_ROWS = 500_000
"""Hands, by the ranks in view, times depths: what takes some ten seconds with six decks."""
_AT_A_TIME = 2000
"""Ways for the ranks in view to fall, times depths, that are looked at together; more would only take memory."""
_Tables = Mapping[Taken, Mapping[int, Uses]]
"""For each way that the ranks in view can fall, and for each worth of a card shown, what outcomes take."""


def most_in_view(
    count: Count, tags: Tags, view: Sequence[str], meters: Mapping[str, Fraction] | None = None
) -> Fraction | None:
    """What a round wins if one bets exactly where the count, the depth and the ranks in view promise a gain.

    Nothing if that would take minutes, as with many depths, many hands and many ways for the ranks in view to fall.

    >>> from combinat.advantage.conventions import BLACKJACK
    >>> from combinat.advantage.counts import count
    >>> from combinat.advantage.tags import parse_tags
    >>> from combinat.bets.lookup import find
    >>> from decks import Shoe
    >>> shoe = Shoe(1)
    >>> tags = parse_tags("A=1", shoe.composition)
    >>> found = count(find("BUST-IT"), shoe, tags, BLACKJACK, depths=[20])
    >>> most_in_view(found, tags, ["up", "hole"]) > most_in_view(found, tags, ["up"]) > found.most_by_count()
    True
    """
    shoe, copies = count.shoe.composition, dict[int, int]()
    fine = _fine(count.paytable, shoe, tags)
    classes, of = [cards for _, cards in fine], [number for number, _ in fine]
    if any(one.shown for one in count.rounds):
        listed = by_shown(count.paytable, count.shoe, classes, meters, view, apart=True)
        copies = dict(listed.copies)
        several = {0: listed.whatever, **listed.of}
    else:
        several = {0: uses(count.paytable, count.shoe, classes, meters, view, apart=True)}
    tables = _tables(several, of, len(view))
    depths = Counter(one.shown for one in count.rounds)
    if sum(len(own.table) * depths[shown] for each in tables.values() for shown, own in each.items()) > MOST_ROWS:
        return None
    return sum(_won(count, tags, tables, copies), Fraction(0)) / count.number_of_rounds


def _fine(paytable: Paytable, composition: Composition, tags: Tags) -> list[tuple[int, list[Card]]]:
    """The cards of each tag by the ranks that outcomes tell apart, with the number of the tag."""
    trial = paytable.experiment
    listing = trial.listing(composition) if isinstance(trial, ListsCards) else Listing(())
    return [
        (number, some)
        for number, cards in enumerate(tags.classes().values())
        for ranks in listing.ranks
        if (some := [card for card in cards if card.rank in ranks])
    ]


def _tables(several: Mapping[int, Uses], of: Sequence[int], roles: int) -> _Tables:
    """Part the outcomes by the ranks in view, and put those together that take as many cards of each tag."""
    many, classes = len(of), max(of) + 1
    found: dict[Taken, dict[int, dict[tuple[Taken, Taken], list[int]]]] = {}

    def tagged(taken: Taken) -> Taken:
        row = [0] * classes
        for place, one in enumerate(taken):
            row[of[place % many]] += one
        return tuple(row)

    for shown, own in several.items():
        for (view, taken), weight in own.table.items():
            table = found.setdefault(view[: roles * many], {}).setdefault(shown, {})
            known = table.setdefault((tagged(view), tagged(taken)), [0, 0])
            known[0] += weight.made
            known[1] += weight.gained
    return {
        view: {
            shown: replace(
                several[shown],
                sizes=tagged(several[shown].sizes),
                table={key: Weight(row[0], row[1], 0) for key, row in table.items()},
            )
            for shown, table in by_card.items()
        }
        for view, by_card in found.items()
    }


def _won(count: Count, tags: Tags, tables: _Tables, copies: Mapping[int, int]) -> Iterator[Fraction]:
    """What the rounds of a shoe win together, for each way that the ranks in view can fall and each depth."""
    alike: dict[tuple[int, int], list[Round]] = {}
    for one in count.rounds:
        alike.setdefault((one.seen, one.unseen_burned), []).append(one)
    depths = {
        shown: {one.seen for one in count.rounds if one.shown == shown} for shown in {one.shown for one in count.rounds}
    }
    for some in chunked(tables, max(_AT_A_TIME // len(count.rounds), 1)):
        wanted = [(view, shown) for view in some for shown in depths if shown in tables[view]]
        tasks = [(tables[view][shown], [seen - bool(shown) for seen in depths[shown]]) for view, shown in wanted]
        found = {
            (view, shown, depth.seen + bool(shown)): depth
            for (view, shown), own in zip(wanted, counted_together(tasks, list(tags.classes())), strict=True)
            for depth in own
        }
        for view in some:
            for rounds in alike.values():
                yield _gained(tables[view], copies, [(one, found.get((view, one.shown, one.seen))) for one in rounds])


def _gained(
    tables: Mapping[int, Uses], copies: Mapping[int, int], rounds: Sequence[tuple[Round, AtDepth | None]]
) -> Fraction:
    """What rounds win that begin alike but for what was shown first, with a bet at every count that gains."""
    parts = []
    for one, depth in rounds:
        if depth is not None:
            own, every = tables[one.shown], depth.every
            if one.shown:  # the shown card is in view, and one of so many
                left = own.size - one.seen
                every = copies[one.shown] * comb(own.size - 1, one.seen - 1) * perm(left, own.longest - 1)
            parts.append((one.weight / (every * own.unit), own.lowest * own.unit, depth))
    common = lcm(*(part.denominator * low.denominator for part, low, _ in parts))
    gains: dict[int, int] = {}
    for part, low, depth in parts:
        gain, stake = int(part * common), int(part * low * common)
        for each in depth.counts:
            gains[each.count] = gains.get(each.count, 0) + gain * each.gained + stake * each.made
    return Fraction(sum(one for one in gains.values() if one > 0), common)
