"""Sums of many products of (1 + x·y^t) over the cards that outcomes leave, worked out as one.

Rows are those of `counted`: all counts for one number of cards in one large integer, a field for each count. Products
that differ by few cards share all others. So it is the short ones of these few that are summed, class by class, and the
other cards are put in at the end. Outcomes are first made equally long, by any cards that can follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import comb, perm

from combinat.advantage.spread import Taken

Rows = list[int]
MOST_ALIKE = 30_000
"""So many outcomes of one length are taken together; where there could be more, every length is taken by itself."""


def put_in(rows: Rows, shifts: Sequence[int], first: int = 1) -> None:
    """Put a card in before every row, whose tag moves them so; rows before the first that is needed stay behind.

    A row more is begun for it, unless there is one for all cards that are ever seen.
    """
    if len(rows) <= len(shifts):
        rows.append(0)
    for seen in range(len(rows) - 1, max(first, 1) - 1, -1):
        rows[seen] += shifted(rows[seen - 1], shifts[seen - 1])


def shifted(row: int, by: int) -> int:
    """Move a row up or down."""
    return row << by if by >= 0 else row >> -by


def summed(ways: Mapping[Taken, int], sizes: Taken, shifts: Sequence[Sequence[int]], first: int = 0) -> Rows:
    """Sum the rows of what outcomes leave, each so many times and with every way that cards up to the longest follow.

    Rows before the first that is asked for are not to be read.

    >>> summed({(1, 0): 3}, (1, 1), [[0], [9]]) == [3, 3 << 9]  # of two cards one is left, seen or not
    True
    >>> summed({(1, 0): 3, (1, 1): 1}, (1, 1), [[0], [9]])  # where both can be needed, none is seen
    [4, 0]
    >>> summed({(1, 0): 3}, (1, 1), [[0], [9]], first=1)[1] == 3 << 9
    True
    """
    deepest, size = len(shifts[0]), sum(sizes)
    longest = max(map(sum, ways), default=0)
    by_length: dict[int, dict[Taken, int]] = {}
    for taken, many in ways.items():
        by_length.setdefault(sum(taken), {})[taken] = many
    if comb(longest + len(sizes) - 1, longest) <= MOST_ALIKE:
        by_length = {longest: _equally_long(by_length, longest, sizes)}
    found: Rows = [0] * (deepest + 1)
    for length, some in by_length.items():
        rows = _left(some, sizes, shifts, first)
        for seen, row in enumerate(rows):
            found[seen] += row * perm(size - length - seen, longest - length) if row else 0
    return found


def _equally_long(by_length: Mapping[int, Mapping[Taken, int]], longest: int, sizes: Taken) -> dict[Taken, int]:
    """Let any card follow, until all outcomes are of one length."""
    found: dict[Taken, int] = {}
    for length in range(longest + 1):
        shorter, found = found, dict(by_length.get(length, {}))
        for taken, many in shorter.items():
            for place, size in enumerate(sizes):
                if left := size - taken[place]:
                    after = (*taken[:place], taken[place] + 1, *taken[place + 1 :])
                    found[after] = found.get(after, 0) + many * left
    return found


def _left(ways: Mapping[Taken, int], sizes: Taken, shifts: Sequence[Sequence[int]], first: int) -> Rows:
    """Sum the rows of what outcomes of one length leave, from the first row on that is asked for."""
    most = [max(column) for column in zip(*ways, strict=True)]
    order = sorted(range(len(sizes)), key=lambda place: most[place])
    powers = list(_powers(most[order[-1]], shifts[order[-1]]))
    deepest = len(shifts[0])

    def go_on(level: int, some: Mapping[Taken, int]) -> Rows:
        place = order[level]
        if level == len(order) - 1:  # the others and the length leave one
            ((taken, many),) = some.items()
            return [row * many for row in powers[most[place] - taken[place]]]
        groups: dict[int, dict[Taken, int]] = {}
        for taken, many in some.items():
            groups.setdefault(taken[place], {})[taken] = many
        rows: Rows = []
        for cards in range(most[place] + 1):
            if rows:
                put_in(rows, shifts[place])
            if cards in groups:
                more = go_on(level + 1, groups[cards])
                rows += [0] * (len(more) - len(rows))
                for seen, row in enumerate(more):
                    rows[seen] += row
        return rows

    rows = go_on(0, ways)
    to_come = sum(sizes) - sum(most)
    for size, taken, by in zip(sizes, most, shifts, strict=True):
        for _ in range(size - taken):
            to_come -= 1
            put_in(rows, by, first - to_come)  # a row moves up by one card at most
    return rows + [0] * (deepest + 1 - len(rows))


def _powers(most: int, shifts: Sequence[int]) -> Iterator[Rows]:
    """Give the rows of no card of one class, of one, and so on."""
    rows: Rows = [1]
    for _ in range(most + 1):
        yield list(rows)
        put_in(rows, shifts)
