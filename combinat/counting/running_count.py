"""Sums of many products of (1 + x·y^t) over the cards that outcomes leave, worked out as one.

Rows are those of `counted`: all counts for one number of cards in one large integer, a field for each count. Products
that differ by few cards share all others. So it is the short ones of these few that are summed, class by class, and the
other cards are put in at the end. Outcomes are first made equally long, by any cards that can follow.

The running count after any number of cards, and what the next round brings then: exact whole numbers, no shoe dealt.

The chance that d cards have the count c and that the next cards make a hand is the chance of the hand from the full
shoe, times the chance that d cards drawn from what the hand leaves have that count. The latter is a coefficient of the
product of (1 + x·y^t) over the cards left, t being their tags. A row of such a product, all counts for one number of
cards, is one large integer with a field for each count, so that to put a card in or to take one out is a shift and a
sum for each row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from math import comb, perm
from operator import add

from msgspec import Struct

from combinat.counting.card_usage import CardUsage, Taken, Weight
from decks import InputError

Rows = list[int]
MOST_ALIKE = 30_000
"""So many outcomes of one length are taken together; where there could be more, every length is taken by itself."""


def put_in(rows: Rows, shifts: Sequence[int], first: int = 1) -> None:
    """Put a card in before every row, whose tag moves them so; rows before the first that is needed stay behind.

    A row more is begun for it, unless there is one for all cards that are ever seen.
    """
    if len(rows) <= len(shifts):
        rows.append(0)
    for seen_cards in range(len(rows) - 1, max(first, 1) - 1, -1):
        rows[seen_cards] += shifted(rows[seen_cards - 1], shifts[seen_cards - 1])


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
    for usage, count in ways.items():
        by_length.setdefault(sum(usage), {})[usage] = count
    if comb(longest + len(sizes) - 1, longest) <= MOST_ALIKE:
        by_length = {longest: _equally_long(by_length, longest, sizes)}
    totals: Rows = [0] * (deepest + 1)
    for length, group in by_length.items():
        rows = _left(group, sizes, shifts, first)
        for seen_cards, row in enumerate(rows):
            totals[seen_cards] += row * perm(size - length - seen_cards, longest - length) if row else 0
    return totals


def _equally_long(by_length: Mapping[int, Mapping[Taken, int]], longest: int, sizes: Taken) -> dict[Taken, int]:
    """Let any card follow, until all outcomes are of one length."""
    extended: dict[Taken, int] = {}
    for length in range(longest + 1):
        shorter, extended = extended, dict(by_length.get(length, {}))
        for usage, count in shorter.items():
            for index, size in enumerate(sizes):
                if remaining := size - usage[index]:
                    longer = (*usage[:index], usage[index] + 1, *usage[index + 1 :])
                    extended[longer] = extended.get(longer, 0) + count * remaining
    return extended


def _left(ways: Mapping[Taken, int], sizes: Taken, shifts: Sequence[Sequence[int]], first: int) -> Rows:
    """Sum the rows of what outcomes of one length leave, from the first row on that is asked for."""
    max_usage = [max(column) for column in zip(*ways, strict=True)]
    order = sorted(range(len(sizes)), key=lambda index: max_usage[index])
    powers = list(_powers(max_usage[order[-1]], shifts[order[-1]]))
    deepest = len(shifts[0])

    def go_on(level: int, group: Mapping[Taken, int]) -> Rows:
        index = order[level]
        if level == len(order) - 1:  # the others and the length leave one
            ((usage, count),) = group.items()
            return [row * count for row in powers[max_usage[index] - usage[index]]]
        groups: dict[int, dict[Taken, int]] = {}
        for usage, count in group.items():
            groups.setdefault(usage[index], {})[usage] = count
        rows: Rows = []
        for cards in range(max_usage[index] + 1):
            if rows:
                put_in(rows, shifts[index])
            if cards in groups:
                added_rows = go_on(level + 1, groups[cards])
                rows += [0] * (len(added_rows) - len(rows))
                for seen_cards, row in enumerate(added_rows):
                    rows[seen_cards] += row
        return rows

    rows = go_on(0, ways)
    to_come = sum(sizes) - sum(max_usage)
    for size, usage, by in zip(sizes, max_usage, shifts, strict=True):
        for _ in range(size - usage):
            to_come -= 1
            put_in(rows, by, first - to_come)  # a row moves up by one card at most
    return rows + [0] * (deepest + 1 - len(rows))


def _powers(max_cards: int, shifts: Sequence[int]) -> Iterator[Rows]:
    """Give the rows of no card of one class, of one, and so on."""
    rows: Rows = [1]
    for _ in range(max_cards + 1):
        yield list(rows)
        put_in(rows, shifts)


_MANY = 60
"""From so many outcomes on their products are summed before they are multiplied out."""
MOST_WORK = 200_000_000_000
"""Classes of outcomes times bytes of all rows, where each length is summed by itself: about a quarter of an hour."""
_ADDITIONS_PER_PRODUCT = 10
"""How many rows are shifted and added in the time in which one row is multiplied, about."""
_Key = tuple[Taken, int, int, Weight]
"""What an outcome takes, of which table it is, the count of what is in view, and what is summed up of it."""
Tails = tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]
"""Counts, and what is made, gained and squared with each of them or a higher one."""


class AtCount(Struct, frozen=True):
    """Rounds with one running count: in how many ways it comes, how often the bet is made, what it gains, and squares.

    All over what the depth as a whole has.
    """

    count: int
    ways: int
    made: int
    gained: int
    squared: int


class AtDepth(Struct, frozen=True, dict=True):
    """Every running count after so many cards."""

    seen: int
    every: int
    """All ways for the cards seen and the next ones to lie: what ways and rounds are parts of."""
    counts: tuple[AtCount, ...]

    @cached_property
    def tails(self) -> Tails:
        """The counts, and what comes with each of them or a higher one."""
        sums, total = [(0, 0, 0)], (0, 0, 0)
        for row in reversed(self.counts):
            total = (total[0] + row.made, total[1] + row.gained, total[2] + row.squared)
            sums.append(total)
        return tuple([row.count for row in self.counts]), tuple(reversed(sums))


class _Fields:
    """How rows are laid out: how wide a field is, and the lowest count that each row can have."""

    def __init__(self, usages: Sequence[CardUsage], tags: Sequence[int], deepest: int) -> None:
        self.deepest = deepest
        first = usages[0]
        in_order = sorted(tag for tag, copies in zip(tags, first.sizes, strict=True) for _ in range(copies))
        self.lowest = [0, *accumulate(in_order[: self.deepest])]
        self.highest = [0, *accumulate(in_order[::-1][: self.deepest])]
        # No sum is larger than all orders of the cards seen and of the longest hand, times the largest square.
        largest = max(uses.largest or _largest(uses) for uses in usages)
        longest = max(uses.longest for uses in usages)
        max_sum = perm(first.size, longest) * comb(first.size, first.size // 2) * largest
        self.bytes = -(-max_sum.bit_length() // 8) + 1
        self.bits = 8 * self.bytes

    def shifts(self, tag: int) -> list[int]:
        """By how many bits each row moves when a card with this tag is put before it."""
        return [
            (tag - self.lowest[seen_cards] + self.lowest[seen_cards - 1]) * self.bits
            for seen_cards in range(1, self.deepest + 1)
        ]

    def size(self, seen_cards: int) -> int:
        """How many bytes a row has."""
        return (self.highest[seen_cards] - self.lowest[seen_cards] + 1) * self.bytes

    def read(self, row: int, seen_cards: int) -> list[int]:
        """Take the fields of a row apart, from the lowest count to the highest."""
        data = row.to_bytes(self.size(seen_cards), "little")
        return [
            int.from_bytes(data[offset : offset + self.bytes], "little") for offset in range(0, len(data), self.bytes)
        ]


def _largest(uses: CardUsage) -> int:
    return max((weight.squared // weight.made + 1 for weight in uses.table.values() if weight.made), default=1)


def counted(uses: CardUsage, tags: Sequence[int], depths: Iterable[int]) -> Iterator[AtDepth]:
    """Work out, for some numbers of cards seen, how often each count comes and what the next round brings then.

    >>> from fractions import Fraction
    >>> coin = CardUsage(4, (2, 2), {((0, 0), (1, 0)): Weight(2, 2 * 2, 2 * 4)}, Fraction(-1), 1, True)
    >>> [(one.count, one.ways, one.gained) for depth in counted(coin, [-1, 1], [1]) for one in depth.counts]
    [(-1, 6, 4), (1, 6, 8)]
    """
    return next(joint_count_table([(uses, depths)], tags))


def joint_count_table(
    requests: Sequence[tuple[CardUsage, Iterable[int]]], tags: Sequence[int]
) -> Iterator[Iterator[AtDepth]]:
    """Do the same for several tables of one shoe, each with its own numbers of cards seen, in one walk through it."""
    tasks = [(uses, sorted(set(depths))) for uses, depths in requests]
    fields = _Fields([uses for uses, _ in tasks], tags, max(depth for _, depths in tasks for depth in depths))
    for uses, depths in tasks:
        _refuse_too_many(uses, tags, sum(map(fields.size, depths)))
    shifts = [fields.shifts(tag) for tag in tags]
    full: Rows = [1]
    for copies, by in zip(tasks[0][0].sizes, shifts, strict=True):
        for _ in range(copies):
            put_in(full, by)
    views = {view for uses, _ in tasks for view, _ in uses.table}
    tagged = {view: sum(tag * copies for tag, copies in zip(tags, view, strict=True)) for view in views}
    sums: list[dict[int, _Sums]] = []
    single_keys: list[_Key] = []
    for number, (uses, depths) in enumerate(tasks):
        keys_by_tag: dict[int, list[tuple[Taken, Taken]]] = {}
        for view, usage in uses.table:
            keys_by_tag.setdefault(tagged[view], []).append((view, usage))
        sums.append({tag: _Sums(uses, depths) for tag in keys_by_tag or [0]})
        for tag, keys in keys_by_tag.items():
            weights = [(usage, uses.table[view, usage]) for view, usage in keys]
            if len(keys) >= _MANY and not _is_one_by_one_faster(len(keys), len(depths), fields.deepest, uses.size):
                single_keys += [
                    (usage, number, tag, outcome_weight)
                    for usage, outcome_weight in sums[number][tag].add_many(weights, shifts)
                ]
            else:
                single_keys += [(usage, number, tag, outcome_weight) for usage, outcome_weight in weights]
    # What comes early in a walk is taken out least often, so classes of which most cards are taken come first.
    max_usage = [max((usage[index] for usage, *_ in single_keys), default=0) for index in range(len(tags))]
    order = sorted(range(len(tags)), key=lambda index: -max_usage[index])
    for rows, walk_keys in _walk(full, single_keys, order, shifts):
        for usage, number, tag, weight in walk_keys:
            sums[number][tag].add(rows, sum(usage), weight)
    for (uses, depths), sums_by_tag in zip(tasks, sums, strict=True):
        yield _read(uses, depths, sums_by_tag, full, fields)


def _is_one_by_one_faster(outcomes: int, depths: int, deepest: int, cards: int) -> bool:
    """Whether to multiply a row per outcome and depth rather than to add each card to all rows of their sum.

    >>> _is_one_by_one_faster(62, 60, 405, 416), _is_one_by_one_faster(61, 393, 405, 416)
    (True, False)
    """
    additions = cards * deepest // 2
    return _ADDITIONS_PER_PRODUCT * outcomes * depths < additions


def _refuse_too_many(uses: CardUsage, tags: Sequence[int], row_bytes: int) -> None:
    """Refuse tags with which a round falls into more classes than are counted in minutes."""
    many_sorts = comb(uses.longest + len(tags) - 1, uses.longest) > MOST_ALIKE
    if many_sorts and len(uses.table) * row_bytes > MOST_WORK:
        raise InputError(
            f"with {len(tags)} different tags and up to {uses.longest} cards in a round there are {len(uses.table):,} "
            "classes of rounds, too many to be counted; give fewer different tags"
        )


def _read(
    uses: CardUsage, depths: Sequence[int], sums: Mapping[int, _Sums], full: Rows, fields: _Fields
) -> Iterator[AtDepth]:
    for seen_cards in depths:
        total_ways = comb(uses.size, seen_cards) * perm(uses.size - seen_cards, uses.longest)
        values_by_count: dict[int, tuple[int, ...]] = {}
        for in_view, depth_sums in sums.items():
            for count, values in depth_sums.read(seen_cards, full[seen_cards], fields):
                previous = values_by_count.get(count + in_view)
                values_by_count[count + in_view] = values if previous is None else tuple(map(add, previous, values))
        yield AtDepth(
            seen_cards, total_ways, tuple(AtCount(count, *values_by_count[count]) for count in sorted(values_by_count))
        )


class _Sums:
    """Rows of what is made, gained and squared with some cards in view, for the depths that are wanted."""

    def __init__(self, uses: CardUsage, depths: Sequence[int]) -> None:
        self._uses = uses
        self._rows = {seen_cards: [0, 0, 0] for seen_cards in depths}

    def add(self, rows: Rows, card_count: int, weight: Weight) -> None:
        """Add an outcome that leaves a shoe with these rows, with every way that the cards after it can lie."""
        remaining, tail = self._uses.size - card_count, self._uses.longest - card_count
        made = 0 if self._uses.is_whole else weight.made
        squared = weight.squared if self._uses.squares_of_gain is None else 0
        for seen_cards, row in self._rows.items():
            factor = perm(remaining - seen_cards, tail)
            for column, value in enumerate((made, weight.gained, squared)):
                if value:
                    row[column] += rows[seen_cards] * (value * factor)

    def add_many(
        self, weights: Sequence[tuple[Taken, Weight]], shifts: Sequence[Sequence[int]]
    ) -> list[tuple[Taken, Weight]]:
        """Add many outcomes together, and give back those that are few: such as how often a bet is made with a view."""
        single: list[tuple[Taken, Weight]] = []
        for column, name in enumerate(("made", "gained", "squared")):
            ways: dict[Taken, int] = {}
            for usage, weight in weights:
                if count := getattr(weight, name):
                    ways[usage] = ways.get(usage, 0) + count
            if not ways or (name == "made" and self._uses.is_whole):
                continue
            if name == "squared" and self._uses.squares_of_gain is not None:
                continue
            if len(ways) < _MANY:
                single += [
                    (usage, Weight(**{"made": 0, "gained": 0, "squared": 0, name: count}))
                    for usage, count in ways.items()
                ]
                continue
            longest = max(map(sum, ways))
            rows = summed(ways, self._uses.sizes, shifts, min(self._rows))
            for seen_cards, row in self._rows.items():
                remaining = self._uses.size - longest - seen_cards
                row[column] += rows[seen_cards] * perm(remaining, self._uses.longest - longest)
        return single

    def read(self, seen_cards: int, full: int, fields: _Fields) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Give each count that comes, with the ways of the count and what was summed up."""
        tail_ways = perm(self._uses.size - seen_cards, self._uses.longest)
        made, gained, squared = (fields.read(row, seen_cards) for row in self._rows[seen_cards])
        if ratio := self._uses.squares_of_gain:
            squared = [field * ratio.numerator // ratio.denominator for field in gained]
        ways = made if self._uses.in_view else [field * tail_ways for field in fields.read(full, seen_cards)]
        made = ways if self._uses.is_whole else made
        for number, values in enumerate(zip(ways, made, gained, squared, strict=True)):
            if values[0]:
                yield fields.lowest[seen_cards] + number, values


def _walk(
    rows: Rows, keys: Sequence[_Key], order: Sequence[int], shifts: Sequence[Sequence[int]]
) -> Iterator[tuple[Rows, Sequence[_Key]]]:
    """Take every outcome's cards out of the full shoe, those that begin alike together."""
    if not order:
        yield rows, keys
        return
    index, *next_indexes = order
    groups: dict[int, list[_Key]] = {}
    for key in keys:
        groups.setdefault(key[0][index], []).append(key)
    for copies in range(max(groups, default=-1) + 1):
        rows = _taken_out(rows, shifts[index]) if copies else rows
        if copies in groups:
            yield from _walk(rows, groups[copies], next_indexes, shifts)


def _taken_out(rows: Rows, shifts: Sequence[int]) -> Rows:
    reduced = [rows[0]]
    for row, by in zip(rows[1:], shifts, strict=True):
        reduced.append(row - shifted(reduced[-1], by))
    return reduced
