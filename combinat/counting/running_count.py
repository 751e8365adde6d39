"""Exact distribution of the running count after any number of cards, with the result of the next round.

P(d cards have the count c and the next cards make a hand) is the probability of the hand from the full shoe, times the
probability that d cards drawn from what the hand leaves have that count. The latter is a coefficient of the product of
(1 + x*y^t) over the remaining cards with tags t. A row of such a product, all counts for one number of cards, is one
large integer with a field for each count (Kronecker substitution), so adding or removing a card is a shift and a sum
for each row.

For many outcomes the products are summed as one (`sum_rows`). Products that differ by few cards share all others: only
the short products of these few are summed, class by class, and the other cards are multiplied in at the end. Outcomes
are first extended to equal length by any cards that can follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from math import comb, perm
from operator import add

from msgspec import Struct

from combinat.counting.card_usage import CardUsage, ClassCounts, Weight
from decks import InputError

Rows = list[int]
MAX_OUTCOMES_TOGETHER = 30_000
"""Maximum number of outcomes of one length that are summed together; beyond it every length is summed separately."""


def multiply_in(rows: Rows, shifts: Sequence[int], first: int = 1) -> None:
    """Multiply rows by the factor of one card whose tag shifts them so; rows before `first` are not needed.

    A row is appended, unless there is one for all cards that are ever seen.
    """
    if len(rows) <= len(shifts):
        rows.append(0)
    for seen_cards in range(len(rows) - 1, max(first, 1) - 1, -1):
        rows[seen_cards] += shift_row(rows[seen_cards - 1], shifts[seen_cards - 1])


def shift_row(row: int, by: int) -> int:
    """Shift a row up or down."""
    return row << by if by >= 0 else row >> -by


def sum_rows(
    ways: Mapping[ClassCounts, int], sizes: ClassCounts, shifts: Sequence[Sequence[int]], first: int = 0
) -> Rows:
    """Sum the rows of what outcomes leave, times their ways and the ways to extend them to the longest.

    Rows before `first` are not valid.

    >>> sum_rows({(1, 0): 3}, (1, 1), [[0], [9]]) == [3, 3 << 9]  # of two cards one is left, seen or not
    True
    >>> sum_rows({(1, 0): 3, (1, 1): 1}, (1, 1), [[0], [9]])  # where both can be needed, none is seen
    [4, 0]
    >>> sum_rows({(1, 0): 3}, (1, 1), [[0], [9]], first=1)[1] == 3 << 9
    True
    """
    deepest, size = len(shifts[0]), sum(sizes)
    longest = max(map(sum, ways), default=0)
    by_length: dict[int, dict[ClassCounts, int]] = {}
    for usage, count in ways.items():
        by_length.setdefault(sum(usage), {})[usage] = count
    if comb(longest + len(sizes) - 1, longest) <= MAX_OUTCOMES_TOGETHER:
        by_length = {longest: _equally_long(by_length, longest, sizes)}
    totals: Rows = [0] * (deepest + 1)
    for length, group in by_length.items():
        rows = _sum_remaining(group, sizes, shifts, first)
        for seen_cards, row in enumerate(rows):
            totals[seen_cards] += row * perm(size - length - seen_cards, longest - length) if row else 0
    return totals


def _equally_long(
    by_length: Mapping[int, Mapping[ClassCounts, int]], longest: int, sizes: ClassCounts
) -> dict[ClassCounts, int]:
    """Extend all outcomes to one length by any cards that can follow."""
    extended: dict[ClassCounts, int] = {}
    for length in range(longest + 1):
        shorter, extended = extended, dict(by_length.get(length, {}))
        for usage, count in shorter.items():
            for index, size in enumerate(sizes):
                if remaining := size - usage[index]:
                    longer = (*usage[:index], usage[index] + 1, *usage[index + 1 :])
                    extended[longer] = extended.get(longer, 0) + count * remaining
    return extended


def _sum_remaining(
    ways: Mapping[ClassCounts, int], sizes: ClassCounts, shifts: Sequence[Sequence[int]], first: int
) -> Rows:
    """Sum the rows of what outcomes of one length leave, from row `first` on."""
    max_usage = [max(column) for column in zip(*ways, strict=True)]
    order = sorted(range(len(sizes)), key=lambda index: max_usage[index])
    powers = list(_powers(max_usage[order[-1]], shifts[order[-1]]))
    deepest = len(shifts[0])

    def go_on(level: int, group: Mapping[ClassCounts, int]) -> Rows:
        index = order[level]
        if level == len(order) - 1:  # the others and the length leave one
            ((usage, count),) = group.items()
            return [row * count for row in powers[max_usage[index] - usage[index]]]
        groups: dict[int, dict[ClassCounts, int]] = {}
        for usage, count in group.items():
            groups.setdefault(usage[index], {})[usage] = count
        rows: Rows = []
        for cards in range(max_usage[index] + 1):
            if rows:
                multiply_in(rows, shifts[index])
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
            multiply_in(rows, by, first - to_come)  # a row moves up by one card at most
    return rows + [0] * (deepest + 1 - len(rows))


def _powers(max_cards: int, shifts: Sequence[int]) -> Iterator[Rows]:
    """Iterate over the rows of no card of one class, of one card, and so on."""
    rows: Rows = [1]
    for _ in range(max_cards + 1):
        yield list(rows)
        multiply_in(rows, shifts)


_MIN_SUMMED = 60
"""Number of outcomes from which on their products are summed before they are multiplied out."""
MAX_WORK = 200_000_000_000
"""Maximum of outcome classes times bytes of all rows, where lengths are summed separately: about 15 minutes."""
_ADDITIONS_PER_PRODUCT = 10
"""Approximate number of row additions that take the time of one row multiplication."""
_Key = tuple[ClassCounts, int, int, Weight]
"""Card usage of an outcome, number of its table, count of its exposed cards, and its weight."""
Tails = tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]
"""Counts, and bets made, gains and squares with each of them or a higher one."""


class AtCount(Struct, frozen=True):
    """Rounds with one running count: ways, bets made, gains and squared gains.

    All are numerators over `AtDepth.every`.
    """

    count: int
    ways: int
    made: int
    gained: int
    squared: int


class AtDepth(Struct, frozen=True, dict=True):
    """Distribution of the running count after `seen` cards."""

    seen: int
    every: int
    """Number of arrangements of the cards seen and the next ones: the denominator of all ways."""
    counts: tuple[AtCount, ...]

    @cached_property
    def tails(self) -> Tails:
        """The counts, and the sums over each of them and higher ones."""
        sums, total = [(0, 0, 0)], (0, 0, 0)
        for row in reversed(self.counts):
            total = (total[0] + row.made, total[1] + row.gained, total[2] + row.squared)
            sums.append(total)
        return tuple([row.count for row in self.counts]), tuple(reversed(sums))


class _Fields:
    """Layout of rows: the width of a field, and the lowest count of each row."""

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
        """Return by how many bits each row shifts when a card with this tag is added."""
        return [
            (tag - self.lowest[seen_cards] + self.lowest[seen_cards - 1]) * self.bits
            for seen_cards in range(1, self.deepest + 1)
        ]

    def size(self, seen_cards: int) -> int:
        """Return the number of bytes of a row."""
        return (self.highest[seen_cards] - self.lowest[seen_cards] + 1) * self.bytes

    def read(self, row: int, seen_cards: int) -> list[int]:
        """Unpack the fields of a row, from the lowest count to the highest."""
        data = row.to_bytes(self.size(seen_cards), "little")
        return [
            int.from_bytes(data[offset : offset + self.bytes], "little") for offset in range(0, len(data), self.bytes)
        ]


def _largest(uses: CardUsage) -> int:
    return max((weight.squared // weight.made + 1 for weight in uses.table.values() if weight.made), default=1)


def iter_count_distributions(uses: CardUsage, tags: Sequence[int], depths: Iterable[int]) -> Iterator[AtDepth]:
    """Compute, for each number of cards seen, the distribution of the count and the result of the next round.

    >>> from fractions import Fraction
    >>> coin = CardUsage(4, (2, 2), {((0, 0), (1, 0)): Weight(2, 2 * 2, 2 * 4)}, Fraction(-1), 1, True)
    >>> (depth,) = iter_count_distributions(coin, [-1, 1], [1])
    >>> [(row.count, row.ways, row.gained) for row in depth.counts]
    [(-1, 6, 4), (1, 6, 8)]
    """
    return next(joint_count_table([(uses, depths)], tags))


def joint_count_table(
    requests: Sequence[tuple[CardUsage, Iterable[int]]], tags: Sequence[int]
) -> Iterator[Iterator[AtDepth]]:
    """Compute the same for several tables of one shoe, each with its own depths, in one pass."""
    tasks = [(uses, sorted(set(depths))) for uses, depths in requests]
    fields = _Fields([uses for uses, _ in tasks], tags, max(depth for _, depths in tasks for depth in depths))
    for uses, depths in tasks:
        _refuse_too_many(uses, tags, sum(map(fields.size, depths)))
    shifts = [fields.shifts(tag) for tag in tags]
    full: Rows = [1]
    for copies, by in zip(tasks[0][0].sizes, shifts, strict=True):
        for _ in range(copies):
            multiply_in(full, by)
    views = {view for uses, _ in tasks for view, _ in uses.table}
    tagged = {view: sum(tag * copies for tag, copies in zip(tags, view, strict=True)) for view in views}
    sums: list[dict[int, _Sums]] = []
    single_keys: list[_Key] = []
    for number, (uses, depths) in enumerate(tasks):
        keys_by_tag: dict[int, list[tuple[ClassCounts, ClassCounts]]] = {}
        for view, usage in uses.table:
            keys_by_tag.setdefault(tagged[view], []).append((view, usage))
        sums.append({tag: _Sums(uses, depths) for tag in keys_by_tag or [0]})
        for tag, keys in keys_by_tag.items():
            weights = [(usage, uses.table[view, usage]) for view, usage in keys]
            if len(keys) >= _MIN_SUMMED and not _is_one_by_one_faster(
                len(keys), len(depths), fields.deepest, uses.size
            ):
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
    """Raise `InputError` if the tags split a round into too many classes."""
    many_sorts = comb(uses.longest + len(tags) - 1, uses.longest) > MAX_OUTCOMES_TOGETHER
    if many_sorts and len(uses.table) * row_bytes > MAX_WORK:
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
    """Rows of bets made, gains and squares with some exposed cards, for the requested depths."""

    def __init__(self, uses: CardUsage, depths: Sequence[int]) -> None:
        self._uses = uses
        self._rows = {seen_cards: [0, 0, 0] for seen_cards in depths}

    def add(self, rows: Rows, card_count: int, weight: Weight) -> None:
        """Add an outcome that leaves a shoe with these rows, times the ways to arrange the cards after it."""
        remaining, tail = self._uses.size - card_count, self._uses.longest - card_count
        made = 0 if self._uses.is_whole else weight.made
        squared = weight.squared if self._uses.squares_of_gain is None else 0
        for seen_cards, row in self._rows.items():
            factor = perm(remaining - seen_cards, tail)
            for column, value in enumerate((made, weight.gained, squared)):
                if value:
                    row[column] += rows[seen_cards] * (value * factor)

    def add_many(
        self, weights: Sequence[tuple[ClassCounts, Weight]], shifts: Sequence[Sequence[int]]
    ) -> list[tuple[ClassCounts, Weight]]:
        """Add many outcomes together, and return the few that have to be added one by one."""
        single: list[tuple[ClassCounts, Weight]] = []
        for column, name in enumerate(("made", "gained", "squared")):
            ways: dict[ClassCounts, int] = {}
            for usage, weight in weights:
                if count := getattr(weight, name):
                    ways[usage] = ways.get(usage, 0) + count
            if not ways or (name == "made" and self._uses.is_whole):
                continue
            if name == "squared" and self._uses.squares_of_gain is not None:
                continue
            if len(ways) < _MIN_SUMMED:
                single += [
                    (usage, Weight(**{"made": 0, "gained": 0, "squared": 0, name: count}))
                    for usage, count in ways.items()
                ]
                continue
            longest = max(map(sum, ways))
            rows = sum_rows(ways, self._uses.sizes, shifts, min(self._rows))
            for seen_cards, row in self._rows.items():
                remaining = self._uses.size - longest - seen_cards
                row[column] += rows[seen_cards] * perm(remaining, self._uses.longest - longest)
        return single

    def read(self, seen_cards: int, full: int, fields: _Fields) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Iterate over the counts that occur, with their ways and sums."""
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
    """Remove every outcome's cards from the full shoe, sharing common prefixes."""
    if not order:
        yield rows, keys
        return
    index, *next_indexes = order
    groups: dict[int, list[_Key]] = {}
    for key in keys:
        groups.setdefault(key[0][index], []).append(key)
    for copies in range(max(groups, default=-1) + 1):
        rows = _divide_out(rows, shifts[index]) if copies else rows
        if copies in groups:
            yield from _walk(rows, groups[copies], next_indexes, shifts)


def _divide_out(rows: Rows, shifts: Sequence[int]) -> Rows:
    reduced = [rows[0]]
    for row, by in zip(rows[1:], shifts, strict=True):
        reduced.append(row - shift_row(reduced[-1], by))
    return reduced
