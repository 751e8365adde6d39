"""Fewer classes of outcomes: shorter ones with the cards that come after them, so that they are longer ones too.

What is taken after an outcome matters to nobody, so an outcome with the next card is as good as the outcome itself. Of
many lengths there are then few, and all classes of the longest are no more than the ways to part its cards.
"""

from __future__ import annotations

from msgspec.structs import replace

from combinat.advantage.uses import Taken, Uses, Weight

_Table = dict[tuple[Taken, Taken], Weight]
_NOTHING = Weight(0, 0, 0)


def completed(uses: Uses) -> Uses:
    """Put the next card to all outcomes of a length wherever that leaves fewer classes of outcomes.

    >>> from fractions import Fraction
    >>> ace_or_next = {((0, 0), (1, 0)): Weight(4, 4, 4), ((0, 0), (1, 1)): Weight(8, 16, 32)}
    >>> found = completed(Uses(6, (4, 2), {**ace_or_next, ((0, 0), (2, 0)): Weight(1, 1, 1)}, Fraction(-1), 1, True))
    >>> [(key[1], weight.made) for key, weight in found.table.items()]  # 4 · 2 and 4 · 3 ways with a card after them
    [((1, 1), 16), ((2, 0), 13)]
    """
    by_length: dict[int, _Table] = {}
    for key, weight in uses.table.items():
        by_length.setdefault(sum(key[1]), {})[key] = weight
    table: _Table = {}
    for length in range(min(by_length, default=0), uses.longest):
        own, longer = by_length.get(length, {}), by_length.get(length + 1, {})
        both = _with_next(uses, own, longer)
        if len(both) < len(own) + len(longer):
            by_length[length + 1] = both
        else:
            table |= own
    return replace(uses, table=table | by_length.get(uses.longest, {}))


def _with_next(uses: Uses, own: _Table, longer: _Table) -> _Table:
    """Put the next card, of each class that has one left, to some outcomes, beside outcomes of one card more."""
    found = dict(longer)
    for (view, taken), weight in own.items():
        for place, size in enumerate(uses.sizes):
            if left := size - taken[place]:
                key = view, (*taken[:place], taken[place] + 1, *taken[place + 1 :])
                found[key] = _added(found.get(key, _NOTHING), weight, left)
    return found


def _added(known: Weight, weight: Weight, times: int) -> Weight:
    return Weight(
        known.made + weight.made * times, known.gained + weight.gained * times, known.squared + weight.squared * times
    )
