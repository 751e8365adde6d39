"""What is known of the running count whenever a round may begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from combinat.advantage.conventions import Round
from combinat.advantage.counted import AtDepth, counted_together
from combinat.advantage.shown import ByShown


class Watched(Struct, frozen=True):
    """What is known of each number of cards seen, whatever the rounds are."""

    at: Mapping[int, AtDepth]
    after: Mapping[tuple[int, int], AtDepth] = {}
    """The same of shoes whose first card had some worth, by the cards seen and the worth; none if left out."""

    def of(self, one: Round) -> AtDepth:
        """What is known when a round begins."""
        return self.after[one.seen, one.shown] if one.shown and self.after else self.at[one.seen]

    def and_of(self, listed: ByShown, tags: Sequence[int], begun: Sequence[Round]) -> Watched:
        """Know of further rounds too; those that are known are not counted again."""
        new = [
            one for one in begun if (one.seen, one.shown) not in self.after and (one.shown or one.seen not in self.at)
        ]
        if not new:
            return self
        more = watched(listed, tags, new)
        return Watched({**self.at, **more.at}, {**self.after, **more.after})


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
