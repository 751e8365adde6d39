"""What a count of a bet stands on: the wager alone, or with what rides on the hand when play is fixed."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.counting.conventions import Conventions, default_cut_card
from combinat.counting.removal import Removal, kept_removal, removals
from combinat.study import Basis, Study, study

if TYPE_CHECKING:  # most bets do without
    from combinat.counting.parlay import ParlayCounter


class CountingBasis(Struct, frozen=True, dict=True):
    """A bet as it is counted."""

    study: Study
    ride: ParlayCounter | None = None
    """What rides, if winnings are left where that is best off the top."""

    @property
    def basis(self) -> str:
        """What figures stand on: with something to decide, on the play that is best off the top."""
        if self.ride is not None:
            return str(Basis.OFF_THE_TOP)
        labels = [str(self.study.wager_basis)]
        if self.study.play is not None:
            labels += [self.study.play.basis, "chosen off the top"]
        return ", ".join(dict.fromkeys(labels))

    @property
    def house_edge(self) -> Fraction:
        """The house edge before a card is dealt."""
        return self.study.house_edge.constant

    @cached_property
    def removal(self) -> Removal:
        """The effects of removal on the same play, which best tags and the betting correlation go by."""
        return kept_removal(self.study) if self.ride is None else self.ride.removal()

    @cached_property
    def told_removal(self) -> Removal:
        """The effects of removal as they are told by themselves: with what a round asks to be decided chosen anew."""
        if self.study.play is None:
            return self.removal
        paytable, meters = self.study.paytable, self.study.analysis.meters
        (removal,) = removals(self.study, lambda shoe: study(paytable, shoe, meters))
        return removal

    def usual_cut(self, conventions: Conventions) -> int:
        """Where the cut card usually lies, or as much further in as the longest round needs."""
        default = default_cut_card(conventions, self.study.shoe.size)
        if self.ride is None:
            return default
        longest = max([cards for cards, _ in conventions.lengths], default=ceil(conventions.round_cards))
        return max(default, self.ride.longest - 1 + conventions.rounds_after_cut * longest)


def played(bet: Study) -> CountingBasis:
    """Say how a bet is counted: with its option, if it has one and that is worked out.

    >>> from combinat.bets.catalog import find
    >>> from decks import Shoe
    >>> played(study(find("TRI-03"), Shoe(6))).basis
    'wager alone'
    """
    if bet.option is None:
        return CountingBasis(Study(bet.analysis))
    from combinat.counting.parlay import ParlayCounter  # few bets have something that rides

    return CountingBasis(bet, ParlayCounter(bet))
