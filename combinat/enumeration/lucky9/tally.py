"""The counts of a round for every number of full decks: those of the best play with each, and formulas for one play.

What is best depends on the number of decks, so there is no one formula for the best play. Under a fixed play there is:
the ways of an outcome are sums of products of falling factorials in the number of decks n, a polynomial of no higher
degree than a round takes cards. So many counts and one more give it, exactly. The play taken for the formulas is the
one that is best with infinite decks.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from combinat.enumeration.in_decks import InDecks
from combinat.enumeration.lucky9.playing import Aim, Played, followed, played
from combinat.enumeration.lucky9.round import Law
from combinat.enumeration.tally import Counts, Tally, Ways
from combinat.exact.polynomial import Polynomial

FULL_DECKS = range(1, 13)
"""Where an outcome is looked for; what does not come from twelve decks needs no more."""


class RoundTally(Tally, frozen=True, dict=True, kw_only=True):
    """Counts outcomes of a round, by what they are instead of by their shapes; the base counts the orders of cards."""

    aim: Aim
    deck: tuple[int, ...]
    """The cards of one deck, by what they count."""

    @property
    def note(self) -> str:
        """Say what the formulas stand on."""
        return (
            "The formulas are those of one play, the best with infinite decks, kept at every number of decks. The best "
            "play with n decks can differ in a few hands; the figures of a number of decks are always those of its own "
            "best play, so they can be slightly better for the player than the formula."
        )

    def best(self, decks: int) -> Played:
        """The best play with a number of full decks."""
        return played(self.aim, tuple(cards * decks for cards in self.deck))

    @cached_property
    def _infinite(self) -> Played:
        return played(self.aim, self.deck, infinite=True)

    def at(self, decks: int) -> Ways:
        """Count the outcomes of the best play with a number of decks."""
        found = self.best(decks)

        def ways(counts: Counts) -> int:
            return _total(found.law, counts)

        return Ways(
            cycle=found.cycle - ways(self.excluded),
            matches=tuple(map(ways, self.matches)),
            wins=tuple(map(ways, self.wins)),
            losing=ways(self.losing),
        )

    @cached_property
    def _followed(self) -> tuple[Law, ...]:
        """The ways of each outcome with one, two, three decks and so on, always by the play of the formulas."""
        policy = self._infinite.policy
        counts = [tuple(cards * decks for cards in self.deck) for decks in range(1, self.length + 2)]
        return tuple(followed(self.aim.rules, cards, policy) for cards in counts)

    def polynomial(self, counts: Counts) -> Polynomial:
        """Give the ways under one play as a polynomial in the number of decks, n."""
        return InDecks.through(1, [_total(law, counts) for law in self._followed]).polynomial

    def limit(self, counts: Counts) -> Fraction:
        """Give the probability with infinite decks."""
        found = self._infinite
        return Fraction(_total(found.law, counts), found.cycle - _total(found.law, self.excluded))

    def first_decks(self, counts: Counts) -> int | None:
        """Give the fewest decks from which an outcome can come that is played as well as possible."""
        if not Tally.shapes(counts):
            return None
        return next((decks for decks in FULL_DECKS if _total(self.best(decks).law, counts)), None)


def _total(law: Law, counts: Counts) -> int:
    """Add up the ways of some outcomes."""
    return sum(law.get(key, 0) for key in Tally.shapes(counts))
