"""The basis on which a bet is counted: the wager alone, or with parlayed winnings under a fixed strategy."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.counting.conventions import Conventions, default_cut_card
from combinat.counting.removal import Removal, fixed_strategy_removal, removals
from combinat.study import Basis, Study, build_study

if TYPE_CHECKING:  # most bets do without
    from combinat.counting.parlay import ParlayCounter


class CountingBasis(Struct, frozen=True, dict=True):
    """A bet as it is counted."""

    study: Study
    ride: ParlayCounter | None = None
    """The parlay, if winnings are left where that is best for the full shoe."""

    @property
    def basis(self) -> str:
        """The basis of the figures; with decisions, the best strategy for the full shoe."""
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
        """Effects of removal under the fixed strategy; the basis of best tags and the betting correlation."""
        return fixed_strategy_removal(self.study) if self.ride is None else self.ride.removal()

    @cached_property
    def published_removal(self) -> Removal:
        """Effects of removal as published: with decisions reoptimized for each shoe."""
        if self.study.play is None:
            return self.removal
        paytable, meters = self.study.paytable, self.study.analysis.meters
        (removal,) = removals(self.study, lambda shoe: build_study(paytable, shoe, meters))
        return removal

    def default_cut(self, conventions: Conventions) -> int:
        """Return the default position of the cut card, moved in as far as the longest round needs."""
        default = default_cut_card(conventions, self.study.shoe.size)
        if self.ride is None:
            return default
        longest = max([cards for cards, _ in conventions.lengths], default=ceil(conventions.round_cards))
        return max(default, self.ride.longest - 1 + conventions.rounds_after_cut * longest)


def counting_basis(bet: Study) -> CountingBasis:
    """Return the basis on which a bet is counted: with its option, if it has one that is solved.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> counting_basis(build_study(get_paytable("TRI-03"), Shoe(6))).basis
    'wager alone'
    """
    if bet.option is None:
        return CountingBasis(Study(bet.analysis))
    from combinat.counting.parlay import ParlayCounter  # few bets have something that rides

    return CountingBasis(bet, ParlayCounter(bet))
