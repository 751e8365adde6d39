"""A round of Lucky 9, played as well as possible and judged by a ladder of rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import product

from msgspec import Struct

from combinat.enumeration.ladder import Ladder
from combinat.enumeration.lucky9.deal import LuckyNine
from combinat.enumeration.lucky9.playing import Aim, Played, played
from combinat.enumeration.lucky9.round import Counts, Key
from combinat.enumeration.lucky9.scoring import KINDS, NINE
from combinat.enumeration.lucky9.tally import RoundTally
from combinat.enumeration.lucky9.words import RoundEvaluator
from combinat.enumeration.parts import Parts
from combinat.enumeration.rank_rows import Bits, rows_in
from combinat.enumeration.tally import Ways
from combinat.language.asked_of_cards import baccarat_points
from decks import Composition, InputError, Pack, Rank


class LuckyRound(Struct, frozen=True, dict=True):
    """A round under the rules of a table, with the rules of a ladder to judge it by."""

    deal: LuckyNine
    pack: Pack
    ladder: Ladder

    @property
    def aim(self) -> Aim:
        """What the play is best for."""
        return Aim(self.deal.rules, self.deal.tie_pays, self.deal.tie_stake)

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """Every outcome that a round could have."""
        most = max(self.deal.most_hands, 1)
        every = product(range(-most, most + 1), (False, True), range(NINE + 1), (False, True))
        return tuple(Key(*key) for key in every if abs(key[0]) <= 1 or not key[3])

    @cached_property
    def parts(self) -> Parts[tuple[Key, ...]]:
        """The outcomes that match, win, lose or are excluded."""
        sort: Callable[[None], Parts[Bits]] = self.ladder.judge(RoundEvaluator(self.keys))
        rows = sort(None)
        return rows.each(lambda bits: tuple(self.keys[row] for row in rows_in(bits)))

    @cached_property
    def awards(self) -> dict[Key, int | None]:
        """The award that takes each outcome that can be bet on, and none if it loses."""
        found: dict[Key, int | None] = dict.fromkeys(self.parts.losing)
        for award, keys in enumerate(self.parts.wins):
            found |= dict.fromkeys(keys, award)
        return found

    def winnable(self, enough: int | None = None) -> tuple[bool, ...]:  # noqa: ARG002  # it takes no time
        """Tell of each rule whether it takes an outcome of the best play with infinite decks."""
        tally = self.tally()
        return tuple(bool(tally.limit(wins)) for wins in tally.wins)

    def tally(self) -> RoundTally:
        """Give the counts for every number of decks."""
        return self._tallied

    @cached_property
    def _tallied(self) -> RoundTally:
        listed = self.parts.each(lambda keys: dict.fromkeys(keys, 1))
        deck = counts_of(self.pack.composition)
        length = self.deal.rules.length
        return RoundTally(
            self.pack.size,
            length,
            1,
            listed.matches,
            listed.wins,
            listed.losing,
            listed.excluded,
            aim=self.aim,
            deck=deck,
        )

    def played(self, composition: Composition) -> Played:
        """Find the best play from a shoe."""
        needed = self.deal.rules.length
        if composition.size < needed:
            raise InputError(f"a round can take {needed} cards; the shoe has {composition.size}")
        return played(self.aim, counts_of(composition))

    def weigh(self, composition: Composition) -> Ways:
        """Count the outcomes of the best play from any shoe."""
        found = self.played(composition)
        totals = self.parts.each(lambda keys: sum(found.law.get(key, 0) for key in keys))
        return self.ladder.ways(totals, found.cycle, 1)


def counts_of(composition: Composition) -> Counts:
    """Count the cards of a shoe by what they count.

    >>> from decks import STANDARD
    >>> counts_of(STANDARD.composition)
    (16, 4, 4, 4, 4, 4, 4, 4, 4, 4)
    """
    counts = [0] * len(KINDS)
    for card, copies in composition:
        counts[kind_of(card.rank)] += copies
    return tuple(counts)


def kind_of(rank: Rank) -> int:
    """Tell what a card counts."""
    return baccarat_points((int(rank),))
