"""The basis on which a bet is counted: the wager alone, or with parlayed winnings under a fixed strategy."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.counting.conventions import Conventions, default_cut_card
from combinat.counting.removal import RemovalEffects, fixed_strategy_removal, removals
from combinat.study import Basis, Study, build_study

if TYPE_CHECKING:  # most bets do without
    from combinat.counting.parlay import ParlayCounter


class CountingBasis(Struct, frozen=True, dict=True):
    """A bet as it is counted."""

    study: Study
    parlay: ParlayCounter | None = None
    """The parlay, if winnings are left where that is best for the full shoe."""

    @property
    def basis(self) -> str:
        """The basis of the figures; with decisions, the best strategy for the full shoe."""
        if self.parlay is not None:
            return str(Basis.OFF_THE_TOP)
        labels = [str(self.study.wager_basis)]
        if self.study.round_strategy is not None:
            labels += [self.study.round_strategy.basis, "chosen off the top"]
        return ", ".join(dict.fromkeys(labels))

    @property
    def house_edge(self) -> Fraction:
        """The house edge before a card is dealt."""
        return self.study.house_edge.constant

    @cached_property
    def removal(self) -> RemovalEffects:
        """Effects of removal under the fixed strategy; the basis of best tags and the betting correlation."""
        return fixed_strategy_removal(self.study) if self.parlay is None else self.parlay.removal()

    @cached_property
    def published_removal(self) -> RemovalEffects:
        """Effects of removal as published: with decisions reoptimized for each shoe."""
        if self.study.round_strategy is None:
            return self.removal
        paytable, meters = self.study.paytable, self.study.analysis.meters
        (removal,) = removals(self.study, lambda shoe: build_study(paytable, shoe, meters))
        return removal

    def default_cut(self, conventions: Conventions) -> int:
        """Return the default cut-card position, or one further in if the longest round needs it."""
        default = default_cut_card(conventions, self.study.shoe.size)
        if self.parlay is None:
            return default
        max_round_cards = max([length for length, _ in conventions.lengths], default=ceil(conventions.round_cards))
        return max(default, self.parlay.longest - 1 + conventions.rounds_after_cut * max_round_cards)


def counting_basis(bet: Study) -> CountingBasis:
    """Return the basis on which a bet is counted: with its option, if it has one that is solved.

    >>> from combinat.bets.catalog import get_paytable
    >>> from decks import Shoe
    >>> counting_basis(build_study(get_paytable("TRI-03"), Shoe(6))).basis
    'wager alone'
    """
    if bet.option is None:
        return CountingBasis(Study(bet.analysis))
    from combinat.counting.parlay import ParlayCounter  # few bets have a parlay

    return CountingBasis(bet, ParlayCounter(bet))
