"""What is known of the running count whenever a round may begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from combinat.advantage.conventions import Round
from combinat.advantage.counted import AtDepth, counted_together
from combinat.advantage.shown import ByShown

Tails = tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]
"""Counts, and what is made, gained and squared with each of them or a higher one."""


class Watched(Struct, frozen=True, dict=True):
    """What is known of each number of cards seen, whatever the rounds are."""

    at: Mapping[int, AtDepth]
    after: Mapping[tuple[int, int], AtDepth] = {}
    """The same of shoes whose first card had some worth, by the cards seen and the worth; none if left out."""

    def of(self, one: Round) -> AtDepth:
        """What is known when a round begins."""
        return self.after[one.seen, one.shown] if one.shown and self.after else self.at[one.seen]

    def tails(self, one: Round) -> Tails:
        """The counts with which a round can begin, and what comes with each of them or a higher one."""
        return self._tails[one.seen, one.shown if self.after else 0]

    @cached_property
    def _tails(self) -> dict[tuple[int, int], Tails]:
        found = {}
        for key, depth in [*(((seen, 0), depth) for seen, depth in self.at.items()), *self.after.items()]:
            sums, total = [(0, 0, 0)], (0, 0, 0)
            for one in reversed(depth.counts):
                total = (total[0] + one.made, total[1] + one.gained, total[2] + one.squared)
                sums.append(total)
            found[key] = tuple(one.count for one in depth.counts), tuple(reversed(sums))
        return found


def watched(listed: ByShown, tags: Sequence[int], begun: Sequence[Round]) -> Watched:
    """Count the cards seen at every round, with what was shown first where it matters."""
    seen = {shown: sorted({one.seen for one in begun if one.shown == shown}) for shown in {one.shown for one in begun}}
    several = [
        (listed.of[shown], [one - 1 for one in depths]) if shown else (listed.whatever, depths)
        for shown, depths in seen.items()
    ]
    at: dict[int, AtDepth] = {}
    after: dict[tuple[int, int], AtDepth] = {}
    for shown, found in zip(seen, counted_together(several, tags), strict=True):
        for one in found:
            if shown:
                after[one.seen + 1, shown] = listed.told(shown, one)
            else:
                at[one.seen] = one
    return Watched(at, after)
